/*
 * job.h - the ranks that a tree or a ring is made of, and how far apart they are: what the
 * command line says of them.
 */
#ifndef TM_CLI_JOB_H
#define TM_CLI_JOB_H

#include "core/matrix.h"
#include "words/opt.h"

/** What the options say; a command's args begin with it. */
struct tm_job_args {
	const char *input, *ranks, *matrix;
	int scale;
};

#define TM_OPT_JOB(args, job) \
	{ TM_OPT_STRING(args, job.ranks, 0, "ranks", "RANKS", NULL, \
			"only these ranks, numbered anew in the order given, as a " \
			"sub-communicator has them: \"0-31,64\", \"0-62/2\"") }, \
	{ TM_OPT_CHOICE(args, job.scale, 's', "scale", "SCALE", "process", &tm_scales, \
			TM_WORDS_ALL, "what distances are measured on") }, \
	{ TM_OPT_FILE(args, job.matrix, 'm', "matrix", "FILE", NULL, \
		      "measured distances instead: lines of numbers (CSV), a placement with " \
		      "topomap-probe's matrix, or hwloc's XML with distances of NUMA nodes") }

struct tm_job {
	struct tm_placement placement; /**< of the ranks, numbered anew where they are a part */
	int *world;          /**< [size]: their numbers in the whole job; NULL: the whole job */
	bool is_measured;
	struct tm_matrix matrix;       /**< if it is */
	struct tm_metric metric;       /**< always: on the scale, process where it is measured */
};

/** Read what @p args name. The job stays where it is: the metric points into it. */
int tm_job_init(struct tm_job *job, const struct tm_job_args *args, struct tm_error *err);
void tm_job_fini(struct tm_job *job);

/** enum tm_scale, or TM_NONE for measured distances; and its name in documents. */
int tm_job_scale(const struct tm_job *job, const struct tm_job_args *args);
const char *tm_job_scale_name(const struct tm_job *job, const struct tm_job_args *args);

/** The distance-aware tree and ring of the job. */
int tm_job_tree(struct tm_tree *tree, const struct tm_job *job, int root, struct tm_error *err);
int tm_job_ring(struct tm_ring *ring, const struct tm_job *job, struct tm_error *err);

#endif
