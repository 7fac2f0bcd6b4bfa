/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/command.h"

#include "cli/base/call_options.h"
#include "cli/base/communicator.h"
#include "cli/base/writers.h"
#include "formats/base/output.h"
#include "formats/base/progress_line.h"
#include "formats/report/hierarchy/c_hierarchy.h"
#include "formats/report/hierarchy/dot_hierarchy.h"
#include "formats/report/hierarchy/hierarchy_tables.h"
#include "formats/report/hierarchy/json_hierarchy.h"

#include <stdlib.h>

struct hierarchy_args {
	const char *input, *output, *levels, *comm, *adapters;
	int root, elect, fold, format, library;
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_PLACEMENT(struct hierarchy_args, input) },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_INT(struct hierarchy_args, root, 'r', "root", "RANK", "0", 0, INT_MAX,
		       "root, which is a conduit at every level") },
	{ TMAP_OPT_CHOICE(struct hierarchy_args, elect, 'e', "elect", "WHOM", "first",
			  &tmap_elections, TMAP_KEYWORDS_ALL, "which other ranks are conduits") },
	{ TMAP_OPT_STRING(struct hierarchy_args, levels, 'l', "levels", "LEVEL,...", NULL,
			  "levels at which to split, in any order; all by default") },
	{ TMAP_OPT_LIBRARY(struct hierarchy_args, library, 0,
			   "MPI library whose own collectives are said to split or not; where it is "
			   "given, and --levels is not, at their levels only") },
	{ TMAP_OPT_COMM(struct hierarchy_args, comm), .other_name = "ranks" },
	{ TMAP_OPT_ADAPTERS(struct hierarchy_args, adapters) },
	{ TMAP_OPT_CHOICE(struct hierarchy_args, fold, 0, "fold", "WHEN", "auto", &tmap_foldings,
			  TMAP_KEYWORDS_ALL,
			  "show equal communicators once (auto: in jobs of more than 64 ranks)") },
	{ TMAP_OPT_FORMAT(struct hierarchy_args, format, "text",
			  TMAP_REPORT_FORMATS | TMAP_FORMATS(CSV) | TMAP_FORMATS(C)) },
	{ TMAP_OPT_OUTPUT(struct hierarchy_args, output) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "the communicators that hardware splits create in a job", "topomap hierarchy job.json",
	  NULL },
	{ "splits at nodes and memory controllers only",
	  "topomap hierarchy --levels node,numa --root 5 job.json", NULL },
	{ "a picture of the communicators, and of a broadcast through their conduits",
	  "topomap hierarchy -l node,numa -f svg -o hierarchy.svg job.json", NULL },
	{ "conduits close to the network adapters, for a script",
	  "topomap hierarchy --elect adapter -f json job.json", NULL },
	{ "the communicators of each rank, for a spreadsheet",
	  "topomap hierarchy -f csv -o hierarchy.csv job.json", NULL },
	{ "the source that creates these communicators",
	  "topomap hierarchy -f c -o hierarchy.c job.json", NULL },
	{ "the communicators that MPICH's own collectives go by",
	  "topomap hierarchy --library mpich job.json", NULL },
	{ "the splits of a sub-communicator", "topomap hierarchy --comm 0-30/2 job.json", NULL },
	{ "a job of 11 million ranks",
	  "topomap place 'node:43808 package:2 numa:2 l3:3 core:21' | topomap hierarchy",
	  "it takes some seconds and more than a GB of memory" },
	{ NULL, NULL, NULL },
};

enum { MOST_UNFOLDED = 64 };

struct subject {
	struct tmap_placement placement;
	struct tmap_hierarchy hierarchy;
	struct tmap_hierarchy_statistics statistics;
	struct tmap_hierarchy_view view;
};

static int write_text(FILE *out, const void *data, struct tmap_error *err)
{
	const struct subject *it = data;

	if (tmap_adapters_write_text(out, &it->placement, err) < 0)
		return -1;
	return tmap_text_write_hierarchy(out, &it->view, err);
}

static int write_json(FILE *out, const void *data, struct tmap_error *err)
{
	const struct subject *it = data;

	return tmap_json_write_hierarchy(out, &it->view, err);
}

static int write_dot(FILE *out, const void *data, struct tmap_error *err)
{
	const struct subject *it = data;

	return tmap_dot_write_hierarchy(out, &it->view, err);
}

static const struct tmap_writers show = { write_text, write_json, write_dot };

/* What is neither for people nor a document. */
static int write_other(const char *path, int format, const struct subject *it,
		       struct tmap_error *err)
{
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, path, err);

	if (status == 0)
		status = format == TMAP_FORMAT_C ?
			tmap_c_write_hierarchy(out.file, &it->view, err) :
			tmap_csv_write_hierarchy(out.file, &it->hierarchy, err);
	return tmap_output_end(&out, status, err);
}

static int build(struct subject *it, const struct hierarchy_args *args,
		 struct tmap_progress *progress, struct tmap_error *err)
{
	struct tmap_view view = { .placement = &it->placement };
	struct tmap_library_levels own;
	struct tmap_library_pick pick;
	const char *levels = args->levels;
	struct tmap_order order;

	if (tmap_communicator_read(&it->placement, args->input, args->comm, args->adapters, err) <
		    0 ||
	    tmap_order_find(&order, &it->placement, err) < 0)
		return -1;
	pick = tmap_library_pick(args->library, &it->placement);
	own = tmap_library_levels(pick.library, &order);
	if (args->library != TMAP_NONE && !levels) {
		if (!own.by_node)
			return tmap_fail(
				err, TMAP_INPUT,
				"no collective of %s splits these ranks by itself: %s",
				tmap_keywords_at(&tmap_libraries, (size_t)pick.library)->summary,
				own.how);
		levels = "node";
	}
	tmap_progress_begin(progress, "splitting");
	if (tmap_hierarchy_init(&it->hierarchy, &it->placement, levels, args->root,
				(enum tmap_elect)args->elect, err) < 0 ||
	    tmap_hierarchy_statistics_init(&it->statistics, &it->hierarchy, err) < 0 ||
	    tmap_view_choose(&view, (enum tmap_folding)args->fold, args->format, err) < 0)
		return -1;
	it->view = (struct tmap_hierarchy_view){ .placement = &it->placement,
						 .hierarchy = &it->hierarchy,
						 .statistics = &it->statistics,
						 .world = it->placement.world,
						 .elect = (enum tmap_elect)args->elect,
						 .pick = pick,
						 .own = own,
						 .fold = view.fold ||
							 (args->fold == TMAP_FOLD_AUTO &&
							  it->placement.size > MOST_UNFOLDED) };
	return 0;
}

static int run(const void *data, struct tmap_error *err)
{
	const struct hierarchy_args *args = data;
	struct subject it = { 0 };
	struct tmap_progress_line line;
	int status;

	tmap_progress_line_start(&line, "topomap hierarchy");
	status = build(&it, args, &line.progress, err);
	if (status == 0) {
		tmap_progress_line_leave(&line, args->output);
		status = args->format == TMAP_FORMAT_C || args->format == TMAP_FORMAT_CSV ?
			write_other(args->output, args->format, &it, err) :
			tmap_writers(&show, args->format, args->output, &it, err);
	}
	tmap_progress_line_fini(&line);
	tmap_hierarchy_statistics_fini(&it.statistics);
	tmap_hierarchy_fini(&it.hierarchy);
	tmap_placement_fini(&it.placement);
	return status;
}

const struct tmap_command tmap_cmd_hierarchy = {
	.name = "hierarchy",
	.summary = "show the communicators that hardware splits create",
	.description =
		"Prints the communicators that repeated calls of MPI_Comm_split_type with "
		"MPI_COMM_TYPE_HW_UNGUIDED create, level by level, and the conduits that join "
		"them: one rank of each, which exchanges data with the others. A second table "
		"has the guided splits, and what Open MPI and MPICH return for them. -f c "
		"writes the source that makes these communicators.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct hierarchy_args),
	.examples = examples,
	.run = run,
};
