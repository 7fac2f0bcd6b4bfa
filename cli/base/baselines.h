/*
 * against.h - a tree or a ring beside those of the libraries: what the command line says.
 */
#ifndef TMAP_CLI_BASE_BASELINES_H
#define TMAP_CLI_BASE_BASELINES_H

#include "cli/base/job.h"
#include "core/score/baseline.h"

#define TMAP_OPT_AGAINST(args, against, job, things, call) \
	{ TMAP_OPT_LIST(args, against, 'a', "against", "NAME", \
			"compare with a library's own " things ": NAME[,parameter=value]..., " \
			"or all") }, \
	{ \
		TMAP_OPT_SIZE(args, job.bytes, 'b', "bytes", "SIZE", NULL, \
			      "size of the " call ": also bytes across levels, and the time") \
	}

struct tmap_against {
	struct tmap_levels levels;
	struct tmap_load load;
	struct tmap_versus versus; /**< ours comes first */
};

/** Account for ours (@p tree or @p ring, the other NULL), called @p name, and for each of
 *  @p names. The struct must stay where it is; release with tmap_against_fini(), also on
 *  failure. */
int tmap_against_init(struct tmap_against *against, const struct tmap_job *job,
		      const struct tmap_job_args *args, const char *name,
		      const struct tmap_tree *tree, const struct tmap_ring *ring,
		      const struct tmap_opt_list *names, struct tmap_error *err);
/** The library's tree or ring that @p name says, with the distances of the job. */
int tmap_against_tree(struct tmap_tree *tree, const struct tmap_job *job, int root,
		      const char *name, struct tmap_error *err);
int tmap_against_ring(struct tmap_ring *ring, const struct tmap_job *job, const char *name,
		      struct tmap_error *err);
void tmap_against_fini(struct tmap_against *against);

#endif
