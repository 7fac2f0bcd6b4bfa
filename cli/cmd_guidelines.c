/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/command.h"

#include "cli/base/call_options.h"
#include "cli/base/communicator.h"
#include "core/library/library.h"
#include "core/schedule/datatype.h"
#include "formats/base/format.h"
#include "formats/base/output.h"
#include "formats/base/progress_line.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/json_profile.h"
#include "formats/report/guidelines/guidelines_read.h"
#include "formats/report/guidelines/guidelines_report.h"
#include "formats/report/times/guideline_plots.h"
#include "formats/report/times/guideline_tests_report.h"
#include "formats/report/times/times_read.h"

#include <stdlib.h>
#include <string.h>

struct guidelines_args {
	const char *input, *output, *profile, *measured, *comm, *adapters, *datatype;
	const char *p_value, *ratio, *guideline;
	struct tmap_opt_list times;
	int64_t bytes;
	int collective, root, library, format, plot, correction;
	bool totals, strict;
	const char *times_option; /* which gave the times: "--times", or "--measured" */
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_PLACEMENT(struct guidelines_args, input) },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_BYTES(struct guidelines_args, bytes, "with --times only tests of this size; ") },
	{ TMAP_OPT_DATATYPE(struct guidelines_args, datatype, "") },
	{ TMAP_OPT_CHOICE(struct guidelines_args, collective, 'c', "collective", "COLLECTIVE", NULL,
			  &tmap_collectives, TMAP_KEYWORDS_ALL,
			  "only the guidelines of this collective") },
	{ TMAP_OPT_ROOT(struct guidelines_args, root, "") },
	{ TMAP_OPT_LIBRARY(struct guidelines_args, library, 'l',
			   "MPI library whose default algorithms are the native collectives") },
	{ TMAP_OPT_COMM(struct guidelines_args, comm) },
	{ TMAP_OPT_ADAPTERS(struct guidelines_args, adapters) },
	{ TMAP_OPT_PROFILE(struct guidelines_args, profile, "") },
	{ TMAP_OPT_FILE(struct guidelines_args, measured, 'm', "measured", "FILE", NULL,
			"measured times: this command's JSON for the same ranks and bytes, with "
			"numbers in the members measured; or a document for --times") },
	{ TMAP_OPT_OF(struct guidelines_args, times, struct tmap_opt_list, &tmap_opt_files, 0,
		      "times", "FILE", NULL,
		      "judge what topomap-bench guidelines measured, on its placement: several "
		      "launches, joined or a file each") },
	{ TMAP_OPT_STRING(
		struct guidelines_args, guideline, 'g', "guideline", "WHICH", NULL,
		"with --times: only the guideline that is called so, \"bcast <= lane\", or a "
		"list: \"GL4,GL7-9\" of virtual topologies, \"mockups\", \"all\"") },
	{ TMAP_OPT_CHOICE(struct guidelines_args, plot, 0, "plot", "PLOT", NULL,
			  &tmap_guideline_plots, TMAP_KEYWORDS_ALL,
			  "with --times and -f svg: the picture (overview)") },
	{ TMAP_OPT_STRING(
		struct guidelines_args, ratio, 0, "ratio-threshold", "RATIO", NULL,
		"with --times: violated where the native collective takes so many times as "
		"long or more (1.03)") },
	{ TMAP_OPT_STRING(struct guidelines_args, p_value, 0, "p-threshold", "P", NULL,
			  "with --times: and the p of the rank sum test is no larger (0.001)") },
	{ TMAP_OPT_CHOICE(struct guidelines_args, correction, 0, "correction", "CORRECTION", NULL,
			  &tmap_corrections, TMAP_KEYWORDS_ALL,
			  "with --times: adjust p for many tests at once (none)") },
	{ TMAP_OPT_FLAG(struct guidelines_args, totals, 0, "totals",
			"with --times: only how many tests and groups violate each guideline, by "
			"neighborhood; as text or CSV") },
	{ TMAP_OPT_FLAG(struct guidelines_args, strict, 0, "strict",
			"with --measured or --times: if guidelines are violated, the exit status is "
			"4") },
	{ TMAP_OPT_FORMAT(struct guidelines_args, format, "text",
			  TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON) | TMAP_FORMATS(CSV) |
				  TMAP_FORMATS(SVG)) },
	{ TMAP_OPT_OUTPUT(struct guidelines_args, output) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "which collectives of Open MPI 4.1 may be slower than mock-ups",
	  "topomap guidelines -b 1MiB job.json", NULL },
	{ "the broadcast of MPICH, for a script",
	  "topomap guidelines -b 64KiB -c bcast --library mpich -f json job.json", NULL },
	{ "a measured run compared with the guidelines",
	  "topomap guidelines -b 1MiB --measured run.json --strict job.json",
	  "it needs a measured run" },
	{ "what topomap-bench guidelines has measured, judged",
	  "topomap guidelines --times times.json", "it needs measured times" },
	{ "native and mock-ups over sizes, with violations, as a picture",
	  "topomap guidelines --times times.json -o overview.svg", "it needs measured times" },
	{ "the launches of one guideline and size as boxes",
	  "topomap guidelines --times times.json --plot focus --guideline 'bcast <= lane' -b 64KiB "
	  "-o focus.svg",
	  "it needs measured times" },
	{ NULL, NULL, NULL },
};

static int show(const struct tmap_guidelines *guidelines, const struct guidelines_args *args,
		struct tmap_error *err)
{
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, args->output, err);

	if (status == 0 && args->format == TMAP_FORMAT_TEXT)
		status = tmap_communicator_write_text(out.file, guidelines->placement, err);
	if (status == 0)
		status = (args->format == TMAP_FORMAT_JSON ?
				  tmap_json_write_guidelines :
				  tmap_text_write_guidelines)(out.file, guidelines, err);
	return tmap_output_end(&out, status, err);
}

static int judge(int violated, struct tmap_error *err)
{
	return violated ? tmap_fail(err, TMAP_FINDINGS, "%d guideline%s violated", violated,
				    violated == 1 ? " is" : "s are") :
			  0;
}

static int count_violated(const struct tmap_guidelines *guidelines)
{
	int violated = 0;

	for (int i = 0; i < guidelines->count; i++)
		violated += tmap_guideline_is_violated(&guidelines->guideline[i]);
	return violated;
}

static int check(const struct guidelines_args *args, struct tmap_error *err)
{
	if (args->strict && !args->measured && !args->times.count)
		return tmap_fail(err, TMAP_USAGE,
				 "--strict needs measured times: --times or --measured is "
				 "missing");
	if (args->times.count)
		return 0;
	if (args->collective != TMAP_NONE && tmap_collective_rows[args->collective].has_neighbors)
		return tmap_fail(
			err, TMAP_USAGE,
			"--times is missing: guidelines of %s are not predicted, but judged "
			"by measured times",
			tmap_collective_rows[args->collective].word.name);
	if (args->guideline || args->plot != TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE, "--%s is for --times, which is missing",
				 args->guideline ? "guideline" : "plot");
	if (args->bytes == TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE, "--bytes is missing");
	if (args->ratio || args->p_value || args->totals || args->correction != TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE, "--%s is for --times, which is missing",
				 args->ratio           ? "ratio-threshold" :
					 args->p_value ? "p-threshold" :
					 args->totals  ? "totals" :
							 "correction");
	return args->format == TMAP_FORMAT_CSV || args->format == TMAP_FORMAT_SVG ?
		tmap_fail(err, TMAP_USAGE, "-f %s is for --times, which is missing",
			  tmap_keywords_at(&tmap_formats, (size_t)args->format)->name) :
		0;
}

/* Which ones are judged: that of a name, which has a "<=", or those of a list. */
static int guideline_read(const char *which, unsigned *set, const char **name,
			  struct tmap_error *err)
{
	*set = TMAP_ALL_GUIDELINES;
	*name = NULL;
	if (!which)
		return 0;
	if (!strstr(which, "<="))
		return tmap_virtual_guidelines_parse(which, set, err) < 0 ?
			tmap_wrap(err, "--guideline") :
			0;
	for (int row = 0; row < tmap_virtual_guideline_rows(); row++)
		if (strcmp(tmap_virtual_guideline_name(row), which) == 0)
			*name = which;
	for (int row = 0; !*name && row < tmap_guideline_rows(); row++) {
		char *called = tmap_guideline_name(row, err);

		if (!called)
			return -1;
		if (strcmp(called, which) == 0)
			*name = which;
		free(called);
	}
	return *name ? 0 :
		       tmap_fail(err, TMAP_USAGE,
				 "--guideline: there is no guideline '%.60s'; topomap guidelines "
				 "lists them, as in 'bcast <= lane'",
				 which);
}

/* What was measured has its ranks and its roots. */
static int check_times(const struct guidelines_args *args, struct tmap_error *err)
{
	const char *other = args->measured ? "measured" :
		args->comm                 ? "comm" :
		args->datatype             ? "datatype" :
		args->root                 ? "root" :
					     NULL;

	if (other)
		return tmap_fail(err, TMAP_USAGE, "%s and --%s cannot be combined",
				 args->times_option, other);
	if (args->plot != TMAP_NONE && args->format != TMAP_FORMAT_SVG)
		return tmap_fail(err, TMAP_USAGE, "--plot is for -f svg");
	if (args->totals && args->format != TMAP_FORMAT_TEXT && args->format != TMAP_FORMAT_CSV)
		return tmap_fail(err, TMAP_USAGE, "--totals is for text and -f csv");
	return strcmp(args->input, "-") == 0 ?
		0 :
		tmap_fail(err, TMAP_USAGE,
			  "%s has the placement that was measured on, and takes no other",
			  args->times_option);
}

/* A number above 0 and at most @p most. */
static int threshold_parse(const char *text, double most, const char *option, double *number,
			   struct tmap_error *err)
{
	char *end;
	double made;

	if (!text)
		return 0;
	made = strtod(text, &end);
	if (end == text || *end || !(made > 0 && made <= most))
		return tmap_fail(err, TMAP_USAGE, "--%s: '%s' is no number above 0 and up to %g",
				 option, text, most);
	*number = made;
	return 0;
}

static int show_tests(const struct tmap_guideline_tests *tests, const struct guidelines_args *args,
		      struct tmap_error *err)
{
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, args->output, err);

	if (status == 0 && args->totals)
		status = (args->format == TMAP_FORMAT_CSV ?
				  tmap_csv_write_guideline_totals :
				  tmap_text_write_guideline_totals)(out.file, tests, err);
	else if (status == 0)
		status =
			(args->format == TMAP_FORMAT_JSON        ? tmap_json_write_guideline_tests :
				 args->format == TMAP_FORMAT_CSV ? tmap_csv_write_guideline_tests :
				 args->format != TMAP_FORMAT_SVG ? tmap_text_write_guideline_tests :
				 args->plot == TMAP_PLOT_FOCUS   ? tmap_svg_write_guideline_focus :
								   tmap_svg_write_guideline_overview)(
				out.file, tests, err);
	return tmap_output_end(&out, status, err);
}

/* Judged by what was measured. */
static int run_times(const struct guidelines_args *args, struct tmap_error *err)
{
	struct tmap_guidelines_request request = { .collective = args->collective,
						   .bytes = args->bytes };
	struct tmap_slowdown_rule rule = { .p = 0.001, .ratio = 1.03 };
	struct tmap_profile_request profile = { 0 };
	struct tmap_guideline_tests tests = { 0 };
	struct tmap_times times = { 0 };
	unsigned set = TMAP_ALL_GUIDELINES;
	int status = -1;

	if (check_times(args, err) < 0 ||
	    guideline_read(args->guideline, &set, &request.name, err) < 0 ||
	    threshold_parse(args->ratio, 1e6, "ratio-threshold", &rule.ratio, err) < 0 ||
	    threshold_parse(args->p_value, 0.5, "p-threshold", &rule.p, err) < 0)
		return -1;
	if (args->correction != TMAP_NONE)
		rule.correction = (enum tmap_correction)args->correction;
	request.profile = &profile.profile;
	if (tmap_times_read_joined(&times, args->times.items, args->times.count, err) < 0) {
		tmap_wrap(err, "%s", args->times_option);
		goto out;
	}
	if (tmap_adapters_option(&times.placement, args->adapters, err) < 0 ||
	    tmap_profile_option(&profile, args->profile, &times.placement, err) < 0)
		goto out;
	request.library = tmap_library_pick(args->library, &times.placement);
	if (tmap_guideline_tests_init(&tests, &times, set, &request, &rule, err) < 0) {
		tmap_at(err, args->times.items[0], 0);
		tmap_wrap(err, "%s", args->times_option);
		goto out;
	}
	status = args->format == TMAP_FORMAT_SVG && tests.mockup_count < tests.count ?
		tmap_fail(err, TMAP_USAGE,
			  "-f svg draws guidelines of mock-ups, and not of virtual topologies: "
			  "--guideline mockups") :
		show_tests(&tests, args, err);
	if (status == 0 && args->strict)
		status = judge(tmap_guideline_tests_total(&tests).violations, err);
out:
	tmap_guideline_tests_fini(&tests);
	tmap_times_fini(&times);
	tmap_profile_request_fini(&profile);
	return status;
}

/* A table of nothing is no answer: the size is more than any of them can count. */
static int check_some(const struct tmap_guidelines *guidelines, struct tmap_error *err)
{
	for (int i = 0; i < guidelines->count; i++)
		if (!guidelines->guideline[i].reason)
			return 0;
	return guidelines->count ? tmap_fail(err, TMAP_INPUT, "no guideline can be timed here: %s",
					     guidelines->guideline[0].reason) :
				   0;
}

static int read_measured(struct tmap_guidelines *guidelines, const char *path,
			 struct tmap_error *err)
{
	if (!path || tmap_json_read_measured(path, guidelines, err) == 0)
		return 0;
	return tmap_wrap(err, "--measured");
}

static int run_predicted(const struct guidelines_args *args, struct tmap_error *err)
{
	struct tmap_profile_request profile = { 0 };
	struct tmap_placement placement = { 0 };
	struct tmap_guidelines guidelines = { 0 };
	struct tmap_guidelines_request request = { .collective = args->collective,
						   .bytes = args->bytes,
						   .root = args->root };
	struct tmap_progress_line line = { 0 };
	int status = -1;

	if (args->datatype &&
	    (tmap_datatype_parse(args->datatype, &request.element, err) < 0 ||
	     tmap_datatype_check(request.element, request.bytes, err) < 0))
		return tmap_wrap(err, "--datatype");
	request.profile = &profile.profile;
	tmap_progress_line_start(&line, "topomap guidelines");
	if (tmap_communicator_read(&placement, args->input, args->comm, args->adapters, err) < 0 ||
	    tmap_profile_option(&profile, args->profile, &placement, err) < 0)
		goto out;
	request.library = tmap_library_pick(args->library, &placement);
	request.progress = &line.progress;
	status = tmap_guidelines_init(&guidelines, &placement, &request, err);
	tmap_progress_line_fini(&line);
	if (status == 0)
		status = check_some(&guidelines, err);
	if (status == 0)
		status = read_measured(&guidelines, args->measured, err);
	if (status == 0)
		status = show(&guidelines, args, err);
	if (status == 0 && args->strict)
		status = judge(count_violated(&guidelines), err);
out:
	tmap_progress_line_fini(&line);
	tmap_guidelines_fini(&guidelines);
	tmap_placement_fini(&placement);
	tmap_profile_request_fini(&profile);
	return status;
}

static int run(const void *data, struct tmap_error *err)
{
	struct guidelines_args args = *(const struct guidelines_args *)data;
	const char *measured = args.measured;
	bool is_times = false;

	args.times_option = "--times";
	if (measured && !args.times.count && tmap_times_recognise(measured, &is_times, err) < 0)
		return tmap_wrap(err, "--measured");
	if (is_times) {
		args.times = (struct tmap_opt_list){ .items = &measured, .count = 1 };
		args.times_option = "--measured";
		args.measured = NULL;
	}
	if (check(&args, err) < 0)
		return -1;
	return args.times.count ? run_times(&args, err) : run_predicted(&args, err);
}

const struct tmap_command tmap_cmd_guidelines = {
	.name = "guidelines",
	.summary = "predict which performance guidelines a library violates",
	.description =
		"A guideline says that a collective must not be slower than a mock-up of other "
		"collectives that does the same, such as a broadcast than a scatter and an "
		"allgather. The list has the predicted times of both on this placement, with "
		"the library's default algorithms; a question mark is a violation. --measured "
		"compares measured times in the same way; --times judges launches of topomap-bench "
		"guidelines by a rank sum test.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct guidelines_args),
	.examples = examples,
	.run = run,
};
