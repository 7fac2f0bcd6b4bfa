/*
 * job.h - the ranks that a tree or a ring is made of, and how far apart they are: what the
 * command line says of them.
 */
#ifndef TMAP_CLI_BASE_JOB_H
#define TMAP_CLI_BASE_JOB_H

#include "cli/base/subset.h"
#include "core/cost/merge.h"
#include "core/tree/matrix.h"
#include "core/tree/shapes.h"
#include "formats/machine/json_profile.h"
#include "options/opt.h"

/** What distances are measured on. */
enum tmap_job_scale { TMAP_JOB_PROCESS, TMAP_JOB_LEVEL, TMAP_JOB_LATENCY };

extern const struct tmap_words tmap_job_scales;

/** What the options say; a command's args begin with it. */
struct tmap_job_args {
	const char *input, *ranks, *matrix, *merge, *profile;
	int scale;
	int64_t bytes, chunk;
};

#define TMAP_OPT_JOB(args, job) \
	{ TMAP_OPT_SUBSET(args, job.ranks) }, \
		{ TMAP_OPT_CHOICE(args, job.scale, 's', "scale", "SCALE", "process", \
				  &tmap_job_scales, TMAP_WORDS_ALL, \
				  "what distances are measured on") }, \
		{ TMAP_OPT_FILE( \
			args, job.matrix, 'm', "matrix", "FILE", NULL, \
			"measured distances instead: lines of numbers (CSV), a placement with " \
			"topomap-probe's matrix, or hwloc's XML with distances of NUMA nodes") }, \
	{ \
		TMAP_OPT_FILE( \
			args, job.profile, 0, "profile", "PROFILE", "summit", \
			"what messages cost: a published profile (summit, bluewaters), or a " \
			"document with latencies and bandwidths") \
	}

struct tmap_job {
	struct tmap_placement placement; /**< of the ranks, numbered anew where they are a part */
	int *world; /**< [size]: their numbers in the whole job; NULL: the whole job */
	struct tmap_profile_choice profile;
	bool is_measured, is_merged;
	struct tmap_matrix matrix;  /**< if it is measured */
	struct tmap_metric process; /**< process distances, always */
	struct tmap_metric apart;   /**< on the scale, before merging; process if measured */
	struct tmap_metric metric;  /**< after merging: what trees and rings are built on */
	char *note;                 /**< what was merged, NULL: nothing */
};

/** Read what @p args name, and merge distances as it says; @p root is that of the broadcast for
 *  which "auto" chooses, TMAP_NONE: "auto" is refused. The job must stay where it is: the metrics
 *  point into it. Release with tmap_job_fini(), also on failure. */
int tmap_job_init(struct tmap_job *job, const struct tmap_job_args *args, int root,
		  struct tmap_error *err);
void tmap_job_fini(struct tmap_job *job);

/** The scale as views know it (formats/base/view.h), and its name in documents. */
int tmap_job_view_scale(const struct tmap_job *job, const struct tmap_job_args *args);
const char *tmap_job_scale_name(const struct tmap_job *job, const struct tmap_job_args *args);

/** The distance-aware tree and ring of the job, with the distances before merging. */
int tmap_job_tree(struct tmap_tree *tree, const struct tmap_job *job, int root,
		  struct tmap_error *err);
int tmap_job_ring(struct tmap_ring *ring, const struct tmap_job *job, struct tmap_error *err);

/** The tree or ring of a library (core/tree/shapes.h), with the distances of the job. */
int tmap_job_shape_tree(struct tmap_tree *tree, const struct tmap_job *job,
			const struct tmap_choice *choice, int root, struct tmap_error *err);
int tmap_job_shape_ring(struct tmap_ring *ring, const struct tmap_job *job,
			const struct tmap_choice *choice, struct tmap_error *err);

#endif
