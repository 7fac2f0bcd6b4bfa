/*
 * exhibit.h - a tree or a ring of a job on show, beside others: what both commands share.
 */
#ifndef TM_CLI_EXHIBIT_H
#define TM_CLI_EXHIBIT_H

#include "cli/base/baselines.h"
#include "cli/base/view.h"
#include "formats/report/baseline/json_versus.h"

/** What both commands are told; a command's args begin with it. */
struct tm_exhibit_args {
	struct tm_job_args job;
	struct tm_opt_list against;
	bool accesses;
	const char *output;
	int fold, format;
};

/** What both show; a command's subject begins with it. */
struct tm_exhibit {
	const struct tm_exhibit_args *args; /**< borrowed */
	struct tm_job job;
	struct tm_view view;
	struct tm_against against; /**< empty where nothing is asked that needs it */
};

/** Read the job and entitle its view; @p root as tm_job_init() has it. The exhibit must stay
 *  where it is; release with tm_exhibit_fini(), also on failure. */
int tm_exhibit_init(struct tm_exhibit *exhibit, const struct tm_exhibit_args *args, int root,
		    const char *title, struct tm_error *err);
void tm_exhibit_fini(struct tm_exhibit *exhibit);

/** Account for ours (one of the two, the other NULL), called @p name, and for the others, where
 *  the command line asks for it. */
int tm_exhibit_account(struct tm_exhibit *exhibit, const char *name, const struct tm_tree *tree,
		       const struct tm_ring *ring, struct tm_error *err);

/** What is said of costs and accesses; the versus is NULL where nothing is. */
struct tm_report tm_exhibit_report(const struct tm_exhibit *exhibit);

/** Where others were named, the tables under a title, and 1; else 0: ours is to be written. */
int tm_exhibit_write_tables(FILE *out, const struct tm_exhibit *exhibit, int root,
			    struct tm_error *err);

/** What stands below it: costs, unless the tables had them, and accesses. */
int tm_exhibit_write_rest(FILE *out, const struct tm_exhibit *exhibit, struct tm_error *err);

/** How many @p things a picture shows, ours and at most one other (TM_USAGE for more). */
int tm_exhibit_count_pictures(const struct tm_exhibit *exhibit, const char *thing,
			      struct tm_error *err);

/** Write @p subject, which begins with an exhibit, as the command line says. */
int tm_exhibit_show(struct tm_exhibit *exhibit, const struct tm_show *show, const void *subject,
		    struct tm_error *err);

#endif
