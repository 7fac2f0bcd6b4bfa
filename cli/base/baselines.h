/*
 * against.h - a tree or a ring beside those of the libraries: what the command line says.
 */
#ifndef TM_CLI_AGAINST_H
#define TM_CLI_AGAINST_H

#include "cli/base/job.h"
#include "core/score/baseline.h"

#define TM_OPT_AGAINST(args, against, job, things, call) \
	{ TM_OPT_LIST(args, against, 'a', "against", "NAME", \
		      "compare with a library's own " things ": NAME[,parameter=value]..., " \
		      "or all") }, \
	{ TM_OPT_SIZE(args, job.bytes, 'b', "bytes", "SIZE", NULL, \
		      "size of the " call ": also bytes across levels, and the time") }

struct tm_against {
	struct tm_levels levels;
	struct tm_load load;
	struct tm_versus versus; /**< ours comes first */
};

/** Account for ours (@p tree or @p ring, the other NULL), called @p name, and for each of
 *  @p names. The struct must stay where it is; release with tm_against_fini(), also on
 *  failure. */
int tm_against_init(struct tm_against *against, const struct tm_job *job,
		    const struct tm_job_args *args, const char *name, const struct tm_tree *tree,
		    const struct tm_ring *ring, const struct tm_opt_list *names,
		    struct tm_error *err);
/** The library's tree or ring that @p name says, with the distances of the job. */
int tm_against_tree(struct tm_tree *tree, const struct tm_job *job, int root, const char *name,
		    struct tm_error *err);
int tm_against_ring(struct tm_ring *ring, const struct tm_job *job, const char *name,
		    struct tm_error *err);
void tm_against_fini(struct tm_against *against);

#endif
