/*
 * structure.h - a tree or a ring of a job on show, beside others: what both commands share.
 */
#ifndef TMAP_CLI_BASE_STRUCTURE_H
#define TMAP_CLI_BASE_STRUCTURE_H

#include "cli/base/baseline_options.h"
#include "cli/base/writers.h"
#include "formats/report/baseline/baseline_report.h"

/** What both commands are told; a command's args begin with it. */
struct tmap_structure_args {
	struct tmap_subject_args job;
	struct tmap_opt_list against;
	bool accesses;
	const char *output;
	int fold, format;
};

/** What both show; a command's subject begins with it. */
struct tmap_structure {
	const struct tmap_structure_args *args; /**< borrowed */
	struct tmap_subject job;
	struct tmap_view view;
	struct tmap_baseline_options against; /**< empty where nothing is asked that needs it */
};

/** Read the job and entitle its view; @p root as tmap_subject_init() has it. The exhibit must stay
 *  where it is; release with tmap_structure_fini(), also on failure. */
int tmap_structure_init(struct tmap_structure *exhibit, const struct tmap_structure_args *args,
			int root, const char *title, struct tmap_error *err);
void tmap_structure_fini(struct tmap_structure *exhibit);

/** Account for ours (one of the two, the other NULL), called @p name, and for the others, where
 *  the command line asks for it. */
int tmap_structure_account(struct tmap_structure *exhibit, const char *name,
			   const struct tmap_tree *tree, const struct tmap_ring *ring,
			   struct tmap_error *err);

/** What is said of costs and accesses; the versus is NULL where nothing is. */
struct tmap_report tmap_structure_report(const struct tmap_structure *exhibit);

/** Where others were named, the tables under a title, and 1; else 0: ours is to be written. */
int tmap_structure_write_tables(FILE *out, const struct tmap_structure *exhibit, int root,
				struct tmap_error *err);

/** What stands below it: costs, unless the tables had them, and accesses. */
int tmap_structure_write_rest(FILE *out, const struct tmap_structure *exhibit,
			      struct tmap_error *err);

/** How many @p things a picture shows, ours and at most one other (TMAP_USAGE for more). */
int tmap_structure_count_pictures(const struct tmap_structure *exhibit, const char *thing,
				  struct tmap_error *err);

/** Write @p subject, which begins with an exhibit, as the command line says. */
int tmap_structure_show(struct tmap_structure *exhibit, const struct tmap_writers *show,
			const void *subject, struct tmap_error *err);

#endif
