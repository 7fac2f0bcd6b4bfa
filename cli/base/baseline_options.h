/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * baseline_options.h - a tree or a ring beside those of the libraries: what the command line says.
 */
#ifndef TMAP_CLI_BASE_BASELINE_OPTIONS_H
#define TMAP_CLI_BASE_BASELINE_OPTIONS_H

#include "cli/base/subject.h"
#include "core/score/baselines.h"

#define TMAP_OPT_AGAINST(args, against, job, things, call) \
	{ TMAP_OPT_LIST(args, against, 'a', "against", "NAME", \
			"compare with the " things \
			" of a library: NAME[,PARAMETER=VALUE]..., or all") }, \
	{ \
		TMAP_OPT_SIZE(args, job.bytes, 'b', "bytes", "SIZE", NULL, \
			      "size of the " call ", for the bytes across levels and the time") \
	}

#define TMAP_OPT_ACCESSES(args, member) \
	TMAP_OPT_FLAG(args, member, 0, "accesses", \
		      "also the reads and writes at each memory controller")

struct tmap_baseline_options {
	struct tmap_levels levels;
	struct tmap_cost_model model;  /**< where a size is given */
	struct tmap_cost_model *other; /**< [baselines.other_count]: of other published profiles */
	struct tmap_load load;
	struct tmap_baselines baselines; /**< ours comes first */
};

/** Account for ours (@p tree or @p ring, the other NULL), called @p name, and for each of
 *  @p names. The struct must stay where it is; release with tmap_baseline_options_fini(), also on
 *  failure. */
int tmap_baseline_options_init(struct tmap_baseline_options *against,
			       const struct tmap_subject *job, const struct tmap_subject_args *args,
			       const char *name, const struct tmap_tree *tree,
			       const struct tmap_ring *ring, const struct tmap_opt_list *names,
			       struct tmap_error *err);
/** The library's tree or ring that @p name says, with the distances of the job. */
int tmap_baseline_options_tree(struct tmap_tree *tree, const struct tmap_subject *job, int root,
			       const char *name, struct tmap_error *err);
int tmap_baseline_options_ring(struct tmap_ring *ring, const struct tmap_subject *job,
			       const char *name, struct tmap_error *err);
void tmap_baseline_options_fini(struct tmap_baseline_options *against);

#endif
