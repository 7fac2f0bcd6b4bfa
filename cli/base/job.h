/*
 * job.h - the ranks that a tree or a ring is made of, and how far apart they are: what the
 * command line says of them.
 */
#ifndef TM_CLI_JOB_H
#define TM_CLI_JOB_H

#include "cli/base/subset.h"
#include "core/tree/matrix.h"
#include "core/cost/merge.h"
#include "core/tree/shapes.h"
#include "formats/machine/json_profile.h"
#include "options/opt.h"

/** What distances are measured on. */
enum tm_job_scale { TM_JOB_PROCESS, TM_JOB_LEVEL, TM_JOB_LATENCY };

extern const struct tm_words tm_job_scales;

/** What the options say; a command's args begin with it. */
struct tm_job_args {
	const char *input, *ranks, *matrix, *merge, *profile;
	int scale;
	int64_t bytes, chunk;
};

#define TM_OPT_JOB(args, job) \
	{ TM_OPT_SUBSET(args, job.ranks) }, \
	{ TM_OPT_CHOICE(args, job.scale, 's', "scale", "SCALE", "process", &tm_job_scales, \
			TM_WORDS_ALL, "what distances are measured on") }, \
	{ TM_OPT_FILE(args, job.matrix, 'm', "matrix", "FILE", NULL, \
		      "measured distances instead: lines of numbers (CSV), a placement with " \
		      "topomap-probe's matrix, or hwloc's XML with distances of NUMA nodes") }, \
	{ TM_OPT_FILE(args, job.profile, 0, "profile", "PROFILE", "summit", \
		      "what messages cost: a published profile (summit, bluewaters), or a " \
		      "document with latencies and bandwidths") }

struct tm_job {
	struct tm_placement placement; /**< of the ranks, numbered anew where they are a part */
	int *world;          /**< [size]: their numbers in the whole job; NULL: the whole job */
	struct tm_profile_choice profile;
	bool is_measured, is_merged;
	struct tm_matrix matrix;       /**< if it is measured */
	struct tm_metric process;      /**< process distances, always */
	struct tm_metric apart;        /**< on the scale, before merging; process if measured */
	struct tm_metric metric;       /**< after merging: what trees and rings are built on */
	char *note;          /**< what was merged, NULL: nothing */
};

/** Read what @p args name, and merge distances as it says; @p root is that of the broadcast for
 *  which "auto" chooses, TM_NONE: "auto" is refused. The job must stay where it is: the metrics
 *  point into it. Release with tm_job_fini(), also on failure. */
int tm_job_init(struct tm_job *job, const struct tm_job_args *args, int root, struct tm_error *err);
void tm_job_fini(struct tm_job *job);

/** The scale as views know it (formats/base/view.h), and its name in documents. */
int tm_job_view_scale(const struct tm_job *job, const struct tm_job_args *args);
const char *tm_job_scale_name(const struct tm_job *job, const struct tm_job_args *args);

/** The distance-aware tree and ring of the job, with the distances before merging. */
int tm_job_tree(struct tm_tree *tree, const struct tm_job *job, int root, struct tm_error *err);
int tm_job_ring(struct tm_ring *ring, const struct tm_job *job, struct tm_error *err);

/** The tree or ring of a library (core/tree/shapes.h), with the distances of the job. */
int tm_job_shape_tree(struct tm_tree *tree, const struct tm_job *job,
		      const struct tm_choice *choice, int root, struct tm_error *err);
int tm_job_shape_ring(struct tm_ring *ring, const struct tm_job *job,
		      const struct tm_choice *choice, struct tm_error *err);

#endif
