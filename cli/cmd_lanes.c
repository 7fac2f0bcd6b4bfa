/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/command.h"

#include "cli/base/algorithm_names.h"
#include "cli/base/call_options.h"
#include "cli/base/communicator.h"
#include "cli/base/record_parts.h"
#include "cli/base/writers.h"
#include "cli/lanes_record.h"
#include "core/base/units.h"
#include "formats/base/output.h"
#include "formats/base/progress_line.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/json_profile.h"
#include "formats/report/lanes/dot_lanes.h"
#include "formats/report/lanes/forms_report.h"
#include "formats/report/lanes/lanes_report.h"
#include "formats/report/times/lane_speedups_report.h"
#include "formats/report/times/lane_times_read.h"

#include <string.h>

struct lanes_args {
	const char *input, *output, *profile, *comm, *adapters, *times;
	struct tmap_opt_list algorithms;
	struct tmap_record_parts_args record;
	int64_t bytes;
	int lanes, format, collective, root, library;
	bool fix, all;
};

/* All collectives but barriers, and those with neighbours. */
#define MOVING \
	(~(TMAP_KEYWORDS_BIT(TMAP_BARRIER) | TMAP_KEYWORDS_BIT(TMAP_NEIGHBOR_ALLGATHER) | \
	   TMAP_KEYWORDS_BIT(TMAP_NEIGHBOR_ALLTOALL)))

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_PLACEMENT(struct lanes_args, input) },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_INT(struct lanes_args, lanes, 'k', "lanes", "K", NULL, 1, INT_MAX,
		       "number of virtual lanes, with one leader in each node; without it, each "
		       "rank of a node is in a lane of its own") },
	{ TMAP_OPT_FLAG(struct lanes_args, fix, 0, "fix",
			"write the placement with the same slots and the ranks in consecutive "
			"order, node after node"),
	  .other_name = "mend" },
	{ TMAP_OPT_FLAG(struct lanes_args, all, 'a', "all",
			"show all nodes and lanes, or communicators and collectives of a record, "
			"also if there are many (text)") },
	{ TMAP_OPT_CHOICE(struct lanes_args, collective, 'c', "collective", "COLLECTIVE", NULL,
			  &tmap_collectives, MOVING,
			  "compare the forms of this collective: rounds, bytes of the busiest "
			  "rank, "
			  "node, lane and adapter, lower bounds, and times; of a record, only "
			  "calls of it") },
	{ TMAP_OPT_BYTES(struct lanes_args, bytes, "with --collective: ") },
	{ TMAP_OPT_ROOT(struct lanes_args, root, "with --collective: ") },
	{ TMAP_OPT_LIST(struct lanes_args, algorithms, 0, "algorithm", "NAME[,KEY=VALUE]...",
			"with --collective: only this form") },
	{ TMAP_OPT_STRING(struct lanes_args, adapters, 0, "adapters", "LIST|N", NULL,
			  TMAP_ADAPTERS_HELP
			  "; a number N with --collective or a record: assume N adapters on each "
			  "node") },
	{ TMAP_OPT_PROFILE(struct lanes_args, profile,
			   "with --collective, --times or a record: ") },
	TMAP_OPT_RECORD_PARTS(struct lanes_args, record),
	{ TMAP_OPT_CHOICE(struct lanes_args, library, 0, "library", "LIBRARY", NULL,
			  &tmap_libraries, TMAP_KEYWORDS_ALL,
			  "MPI library whose algorithms the lanes of a record are compared with; by "
			  "default that of the record") },
	{ TMAP_OPT_COMM(struct lanes_args, comm) },
	{ TMAP_OPT_FILE(struct lanes_args, times, 0, "times", "FILE", NULL,
			"how many times as fast several lanes are as one: what topomap-bench lanes "
			"measured, and what is predicted (text, CSV, JSON, SVG)") },
	{ TMAP_OPT_FORMAT(struct lanes_args, format, "text",
			  TMAP_REPORT_FORMATS | TMAP_FORMATS(CSV)) },
	{ TMAP_OPT_OUTPUT(struct lanes_args, output) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "the node and lane communicators of a job", "topomap lanes job.json", NULL },
	{ "two virtual lanes and their leaders", "topomap lanes --lanes 2 job.json", NULL },
	{ "a picture of them", "topomap lanes -f svg -o lanes.svg job.json", NULL },
	{ "a broadcast over lanes compared with others, for two adapters a node",
	  "topomap lanes -c bcast -b 1MiB --adapters 2 job.json", NULL },
	{ "which collectives of a recorded program would gain by lanes",
	  "topomap lanes record.json", "it needs a record" },
	{ "the same of its third and fourth phase, for a spreadsheet",
	  "topomap lanes --phase 3-4 -f csv record.json", "it needs a record" },
	{ "what topomap-bench lanes has measured, beside what is predicted",
	  "topomap lanes --times lanes.json", "it needs measured times" },
	{ "the same as a picture: speed-up over lanes, with intervals of 95 %",
	  "topomap lanes --times lanes.json -o speedup.svg", "it needs measured times" },
	{ "a rankfile that makes a cyclic job consecutive",
	  "topomap place 'node:4 package:2 core:4' --map-by node | topomap lanes --fix | topomap "
	  "suggest-rankfile --mapper identity",
	  NULL },
	{ NULL, NULL, NULL },
};

/* What the writers need. */
struct subject {
	const struct lanes_args *args;
	const struct tmap_placement *placement;
	struct tmap_lanes lanes;
	struct tmap_lanes_order fix;
	struct tmap_adapters adapters;
	struct tmap_lanes_report report;
};

static int write_text(FILE *out, const void *data, struct tmap_error *err)
{
	const struct subject *it = data;

	if (tmap_communicator_write_text(out, it->placement, err) < 0)
		return -1;
	return tmap_text_write_lanes(out, &it->report, it->args->all, err);
}

static int write_json(FILE *out, const void *data, struct tmap_error *err)
{
	const struct subject *it = data;

	return tmap_json_write_lanes(out, &it->report, err);
}

static int write_dot(FILE *out, const void *data, struct tmap_error *err)
{
	const struct subject *it = data;

	return tmap_dot_write_lanes(out, &it->report, err);
}

static const struct tmap_writers show = { write_text, write_json, write_dot };

/* The same placement where the ranks follow each other already. */
static int write_fixed(const struct subject *it, struct tmap_error *err)
{
	struct tmap_placement fixed = { 0 };
	struct tmap_output out = { 0 };
	int status = tmap_placement_select(&fixed, it->placement, it->lanes.rank,
					   it->placement->size, err);

	if (status == 0)
		status = tmap_output_init(&out, it->args->output, err);
	if (status == 0)
		status = tmap_placement_write_json(&fixed, out.file, NULL, err);
	status = tmap_output_end(&out, status, err);
	tmap_placement_fini(&fixed);
	return status;
}

static int write_forms(const struct tmap_forms *forms, const struct lanes_args *args,
		       struct tmap_error *err)
{
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, args->output, err);

	if (status == 0 && args->format == TMAP_FORMAT_TEXT)
		status = tmap_communicator_write_text(out.file, forms->placement, err);
	if (status == 0)
		status = (args->format == TMAP_FORMAT_JSON ?
				  tmap_json_write_forms :
				  tmap_text_write_forms)(out.file, forms, err);
	return tmap_output_end(&out, status, err);
}

static int show_forms(const struct lanes_args *args, const struct tmap_placement *placement,
		      int adapters, struct tmap_progress_line *line, struct tmap_error *err)
{
	struct tmap_profile_request profile = { 0 };
	struct tmap_forms_request request = { .collective = (enum tmap_collective)args->collective,
					      .bytes = args->bytes,
					      .root = args->root,
					      .lanes = args->lanes,
					      .adapters = adapters,
					      .algorithm = args->algorithms.items,
					      .algorithm_count = args->algorithms.count };
	struct tmap_forms forms = { 0 };
	int status;

	if (tmap_profile_option(&profile, args->profile, placement, err) < 0)
		return -1;
	request.profile = &profile.profile;
	request.progress = &line->progress;
	status = tmap_forms_init(&forms, placement, &request, err);
	tmap_progress_line_fini(line);
	if (status == 0)
		status = write_forms(&forms, args, err);
	tmap_forms_fini(&forms);
	tmap_profile_request_fini(&profile);
	return status;
}

/* What is for forms only. */
static int check_forms(const struct lanes_args *args, int adapters, struct tmap_error *err)
{
	bool is_asked = args->collective != TMAP_NONE;

	if (is_asked && args->bytes == TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE, "--bytes is missing");
	if (!is_asked &&
	    (args->bytes != TMAP_NONE || args->root || args->algorithms.count ||
	     adapters != TMAP_NONE))
		return tmap_fail(err, TMAP_USAGE, "--%s is for --collective, which is not given",
				 args->bytes != TMAP_NONE       ? "bytes" :
					 args->root             ? "root" :
					 args->algorithms.count ? "algorithm" :
								  "adapters");
	if (is_asked && args->root && !tmap_collective_rows[args->collective].has_root)
		return tmap_fail(err, TMAP_USAGE, "%s has no root",
				 tmap_collective_rows[args->collective].word.name);
	if (is_asked && args->fix)
		return tmap_fail(err, TMAP_USAGE, "--fix and --collective cannot be combined");
	if (is_asked && args->format != TMAP_FORMAT_TEXT && args->format != TMAP_FORMAT_JSON)
		return tmap_fail(err, TMAP_USAGE, "--collective is for text and JSON");
	return !is_asked ? 0 :
			   tmap_algorithm_names_check(&args->algorithms,
						      (enum tmap_collective)args->collective, err);
}

/* *number = the adapters of a node that are assumed; TMAP_NONE: --adapters is a list, or is not
 * given. */
static int parse_adapters(const char *text, int *number, struct tmap_error *err)
{
	int64_t value;

	*number = TMAP_NONE;
	if (!text || strspn(text, "-+.0123456789") < strlen(text) || !*text)
		return 0;
	if (tmap_units_parse_int(text, 1, 1024, &value, err) < 0) {
		err->kind = TMAP_USAGE;
		return tmap_wrap(err, "--adapters");
	}
	*number = (int)value;
	return 0;
}

/* What was measured has its ranks, sizes and lanes. */
static int check_times(const struct lanes_args *args, struct tmap_error *err)
{
	const char *other = args->fix         ? "fix" :
		args->all                     ? "all" :
		args->lanes != TMAP_NONE      ? "lanes" :
		args->collective != TMAP_NONE ? "collective" :
		args->bytes != TMAP_NONE      ? "bytes" :
		args->root                    ? "root" :
		args->algorithms.count        ? "algorithm" :
		args->comm                    ? "comm" :
		args->record.phase            ? "phase" :
		args->record.added.count      ? "add" :
		args->library != TMAP_NONE    ? "library" :
						NULL;

	if (other)
		return tmap_fail(err, TMAP_USAGE, "--times and --%s cannot be combined", other);
	if (strcmp(args->input, "-") != 0)
		return tmap_fail(err, TMAP_USAGE,
				 "--times has the placement that was measured on, and takes no "
				 "other");
	return args->format == TMAP_FORMAT_DOT || args->format == TMAP_FORMAT_PNG ?
		tmap_fail(err, TMAP_USAGE, "--times is for text, JSON, CSV and SVG") :
		0;
}

static int write_speedups(FILE *out, const struct tmap_lane_speedups *speedups, int format,
			  struct tmap_error *err)
{
	return (format == TMAP_FORMAT_JSON        ? tmap_json_write_lane_speedups :
			format == TMAP_FORMAT_CSV ? tmap_csv_write_lane_speedups :
			format == TMAP_FORMAT_SVG ? tmap_svg_write_lane_speedups :
						    tmap_text_write_lane_speedups)(out, speedups,
										   err);
}

/* Measured and predicted. */
static int run_times(const struct lanes_args *args, struct tmap_error *err)
{
	struct tmap_profile_request profile = { 0 };
	struct tmap_lane_times times = { 0 };
	struct tmap_times job = { 0 };
	struct tmap_lane_predictions predictions = { 0 };
	const struct tmap_lane_speedups speedups = { &times, &predictions, &profile.profile };
	struct tmap_output out = { 0 };
	int status = -1;

	if (check_times(args, err) < 0)
		return -1;
	if (tmap_lane_times_read_json(&times, &job, args->times, err) < 0) {
		tmap_wrap(err, "--times");
		goto out;
	}
	if (tmap_adapters_option(&job.placement, args->adapters, err) < 0 ||
	    tmap_profile_option(&profile, args->profile, &job.placement, err) < 0 ||
	    tmap_lane_predictions_init(&predictions, &times, &profile.profile, err) < 0 ||
	    tmap_output_init(&out, args->output, err) < 0)
		goto out;
	status = write_speedups(out.file, &speedups, args->format, err);
	if (status < 0 && err->kind == TMAP_INPUT) {
		tmap_at(err, args->times, 0);
		tmap_wrap(err, "--times");
	}
out:
	status = tmap_output_end(&out, status, err);
	tmap_lane_predictions_fini(&predictions);
	tmap_lane_times_fini(&times);
	tmap_times_fini(&job);
	tmap_profile_request_fini(&profile);
	return status;
}

/* What no placement and no record is for. */
static int check_options(const struct lanes_args *args, struct tmap_error *err)
{
	if (args->fix && args->lanes != TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE, "--fix and --lanes cannot be combined");
	if (args->fix && args->format != TMAP_FORMAT_TEXT && args->format != TMAP_FORMAT_JSON)
		return tmap_fail(err, TMAP_USAGE, "--fix writes a placement: use -f json or none");
	if (args->all && args->format != TMAP_FORMAT_TEXT)
		return tmap_fail(err, TMAP_USAGE, "--all is for text");
	return 0;
}

/* Where it is about the places of the ranks. */
static int check_placement(const struct lanes_args *args, int adapters, struct tmap_error *err)
{
	if (args->record.phase || args->record.added.count)
		return tmap_fail(err, TMAP_USAGE,
				 "--%s is for what a record says: text, JSON and CSV without --fix",
				 args->record.phase ? "phase" : "add");
	if (args->library != TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE,
				 "--library is for the collectives of a record, in text, JSON and "
				 "CSV");
	if (args->format == TMAP_FORMAT_CSV)
		return tmap_fail(err, TMAP_USAGE,
				 "-f csv is for --times, which is missing, or for a record");
	return check_forms(args, adapters, err);
}

/* What the program says of its calls. */
static int check_record(const struct lanes_args *args, struct tmap_error *err)
{
	const char *other = args->bytes != TMAP_NONE ? "bytes: of a record the sizes are those" :
		args->root                           ? "root: of a record the roots are those" :
		args->comm ? "comm: of a record the communicators are those" :
			     NULL;

	if (other)
		return tmap_fail(err, TMAP_USAGE, "--%s of the program", other);
	if (args->algorithms.count)
		return tmap_fail(err, TMAP_USAGE,
				 "--algorithm: the collectives of a record are compared with what "
				 "the library takes");
	return 0;
}

/* Is it about the collectives of a record? Pictures and --fix are of its placement. */
static bool is_of_record(const struct lanes_args *args, const struct tmap_record *record)
{
	return tmap_record_is_there(record) && !args->fix &&
		(args->format == TMAP_FORMAT_TEXT || args->format == TMAP_FORMAT_JSON ||
		 args->format == TMAP_FORMAT_CSV);
}

static int show_recorded(const struct lanes_args *args, const struct tmap_record *record,
			 int adapters, struct tmap_progress_line *line, struct tmap_error *err)
{
	const struct tmap_lanes_record it = { .output = args->output,
					      .profile = args->profile,
					      .parts = &args->record,
					      .collective = args->collective,
					      .lanes = args->lanes,
					      .adapters = adapters,
					      .library = args->library,
					      .format = args->format,
					      .all = args->all };

	return tmap_lanes_record(&it, record, line, err);
}

static int show_lanes(struct subject *it, struct tmap_progress_line *line, struct tmap_error *err)
{
	const struct lanes_args *args = it->args;

	if (tmap_lanes_init(&it->lanes, it->placement, args->lanes, err) < 0 ||
	    tmap_lanes_order_init(&it->fix, &it->lanes, err) < 0 ||
	    tmap_adapters_init(&it->adapters, &it->lanes, err) < 0)
		return -1;
	tmap_progress_line_fini(line);
	it->report = (struct tmap_lanes_report){ &it->lanes, &it->fix, &it->adapters };
	return args->fix ? write_fixed(it, err) :
			   tmap_writers(&show, args->format, args->output, it, err);
}

static int run(const void *data, struct tmap_error *err)
{
	const struct lanes_args *args = data;
	struct tmap_record record = { 0 };
	struct subject it = { .args = args, .placement = &record.placement };
	struct tmap_progress_line line;
	int status = -1, adapters;
	bool of_record;

	if (args->times)
		return run_times(args, err);
	tmap_progress_line_start(&line, "topomap lanes");
	if (parse_adapters(args->adapters, &adapters, err) < 0 || check_options(args, err) < 0 ||
	    tmap_record_parts_read(&record, args->input, &args->record, err) < 0)
		goto out;
	of_record = is_of_record(args, &record);
	if ((of_record ? check_record(args, err) : check_placement(args, adapters, err)) < 0 ||
	    tmap_adapters_option(&record.placement, adapters == TMAP_NONE ? args->adapters : NULL,
				 err) < 0 ||
	    tmap_communicator_take(&record.placement, args->comm, err) < 0)
		goto out;
	status = of_record ? show_recorded(args, &record, adapters, &line, err) :
		args->collective != TMAP_NONE ?
			     show_forms(args, &record.placement, adapters, &line, err) :
			     show_lanes(&it, &line, err);
out:
	tmap_progress_line_fini(&line);
	tmap_adapters_fini(&it.adapters);
	tmap_lanes_order_fini(&it.fix);
	tmap_lanes_fini(&it.lanes);
	tmap_record_fini(&record);
	return status;
}

const struct tmap_command tmap_cmd_lanes = {
	.name = "lanes",
	.summary = "show the node and lane communicators of a placement",
	.description =
		"Lanes join the ranks that have the same number in their nodes, so that "
		"collectives use several network adapters of a node at once (Traeff and "
		"Hunold). The text also shows whether every node has equally many, contiguous "
		"ranks, as published implementations need; --fix writes a placement that has. "
		"--collective compares a collective over lanes with all other algorithms. Of a record "
		"of libtopomap-record.so it shows the communicators of the program in nodes and "
		"lanes, and which of its collectives would be faster over lanes than as the library "
		"does them.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct lanes_args),
	.examples = examples,
	.run = run,
};
