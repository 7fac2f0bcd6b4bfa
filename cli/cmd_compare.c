/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/command.h"

#include "cli/base/other_file.h"
#include "core/lint/compare.h"
#include "formats/base/format.h"
#include "formats/base/input.h"
#include "formats/base/output.h"
#include "formats/base/progress_line.h"
#include "formats/machine/json_placement.h"
#include "formats/report/comparison/comparison_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct compare_args {
	const char *a, *b, *expect, *output;
	int format, scale;
	bool table, all;
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_FILE(struct compare_args, a, "A", "-", "placement document before") },
	{ TMAP_OPERAND_FILE(struct compare_args, b, "B", NULL, "placement document after") },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_FILE(struct compare_args, expect, 'e', "expect", "FILE", NULL,
			"compare the only operand with the placement of this suggestion; if ranks "
			"are elsewhere, the exit status is 4") },
	{ TMAP_OPT_FLAG(struct compare_args, table, 't', "table",
			"also list the first 20 ranks that moved, with both places") },
	{ TMAP_OPT_FLAG(struct compare_args, all, 'a', "all", "list all ranks that moved") },
	{ TMAP_OPT_CHOICE(struct compare_args, scale, 's', "scale", "SCALE", "process",
			  &tmap_scales, TMAP_SCALES_OF_MACHINE, "scale of the distances") },
	{ TMAP_OPT_FORMAT(struct compare_args, format, "text",
			  TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON)) },
	{ TMAP_OPT_OUTPUT_AS(struct compare_args, output, ".json") },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "what a random permutation of the ranks would change",
	  "topomap place \"node:4 package:2 core:4\" --shuffle 7 | topomap compare job.json -",
	  NULL },
	{ "whether a job runs as suggested",
	  "topomap suggest-rankfile -f json job.json -o suggestion.json; "
	  "topomap compare --expect suggestion.json job.json",
	  NULL },
	{ NULL, NULL, NULL },
};

static int check(const struct compare_args *args, struct tmap_error *err)
{
	const char *first = args->expect ? args->expect : args->a;
	const char *second = args->expect ? args->a : args->b;

	if (args->expect && args->b)
		return tmap_fail(err, TMAP_USAGE,
				 "--expect compares with one placement, not with two");
	if (!second)
		return tmap_fail(err, TMAP_USAGE, "only one placement is given; two are compared");
	if (strcmp(first, "-") == 0 && strcmp(second, "-") == 0)
		return tmap_fail(err, TMAP_USAGE,
				 "only one of the documents can be standard input");
	return 0;
}

static int read_both(const struct compare_args *args, struct tmap_placement *a,
		     struct tmap_placement *b, struct tmap_error *err)
{
	if (tmap_placement_operand(a, args->expect ? args->expect : args->a, err) < 0)
		return -1;
	return tmap_placement_operand(b, args->expect ? args->a : args->b, err);
}

static int write_text(FILE *out, const struct tmap_comparison *comparison,
		      const struct compare_args *args, struct tmap_error *err)
{
	bool table = args->table || args->all || args->expect;

	if (tmap_text_write_comparison(out, comparison, err) < 0)
		return -1;
	if (!table || !tmap_comparison_moved(comparison))
		return 0;
	fputc('\n', out);
	return tmap_text_write_moves(out, comparison, args->all, err);
}

static int show(const struct tmap_comparison *comparison, const struct compare_args *args,
		struct tmap_error *err)
{
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, args->output, err);

	if (status == 0)
		status = args->format == TMAP_FORMAT_JSON ?
			tmap_json_write_comparison(out.file, comparison, err) :
			write_text(out.file, comparison, args, err);
	return tmap_output_end(&out, status, err);
}

static int set_side_by_side(struct tmap_comparison *comparison, const struct compare_args *args,
			    const struct tmap_placement *a, const struct tmap_placement *b,
			    struct tmap_error *err)
{
	if (tmap_comparison_init(comparison, a, b, (enum tmap_scale)args->scale, err) == 0)
		return 0;
	return err->kind != TMAP_INPUT ?
		-1 :
		tmap_wrap(err, "%s and %s", tmap_input_name(args->expect ? args->expect : args->a),
			  tmap_input_name(args->expect ? args->a : args->b));
}

static int run(const void *data, struct tmap_error *err)
{
	const struct compare_args *args = data;
	struct tmap_comparison comparison = { 0 };
	struct tmap_placement a = { 0 }, b = { 0 };
	struct tmap_progress_line line;
	int status = -1;

	tmap_progress_line_start(&line, "topomap compare");
	if (check(args, err) == 0 && read_both(args, &a, &b, err) == 0)
		status = set_side_by_side(&comparison, args, &a, &b, err);
	tmap_progress_line_fini(&line);
	if (status == 0)
		status = show(&comparison, args, err);
	if (status == 0 && args->expect && tmap_comparison_moved(&comparison))
		status = tmap_fail(err, TMAP_FINDINGS,
				   "%" PRId64 " of %d ranks are not where %s puts them",
				   tmap_comparison_moved(&comparison), a.size, args->expect);
	tmap_comparison_fini(&comparison);
	tmap_placement_fini(&a);
	tmap_placement_fini(&b);
	return status;
}

const struct tmap_command tmap_cmd_compare = {
	.name = "compare",
	.summary = "compare two placements of the same ranks",
	.description = "Prints which ranks run on another node or on other PUs in B than in A, and "
		       "how many pairs of ranks are closer and how many further apart. --expect "
		       "checks that a job runs as a suggestion says: A is then the suggestion.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct compare_args),
	.examples = examples,
	.run = run,
};
