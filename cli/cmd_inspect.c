/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/command.h"

#include "cli/base/call_options.h"
#include "cli/base/communicator.h"
#include "cli/base/record_parts.h"
#include "cli/inspect_traffic.h"
#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/lint/job_command.h"
#include "core/lint/verdict.h"
#include "core/record/record_account.h"
#include "core/record/record_traffic.h"
#include "formats/base/format.h"
#include "formats/base/output.h"
#include "formats/base/progress_line.h"
#include "formats/launchers/common/shell.h"
#include "formats/launchers/origin.h"
#include "formats/machine/distance_matrix.h"
#include "formats/report/account/text_account.h"
#include "formats/report/inspection/json_inspection.h"
#include "formats/report/inspection/lint_topic.h"
#include "formats/report/inspection/ranks_report.h"
#include "formats/report/inspection/svg_machine.h"
#include "formats/report/inspection/text_inspection.h"
#include "formats/report/inspection/text_lint.h"
#include "formats/report/inspection/text_verdict.h"

#include <stdlib.h>
#include <string.h>

struct inspect_args {
	const char *input, *output, *ranks, *comm, *adapters, *profile, *against;
	int format, scale, from, library;
	struct tmap_record_parts_args record;
	uint64_t ignored; /* of tmap_lint_rules */
	bool table, all, lint, strict, matrix, traffic;
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_PLACEMENT(struct inspect_args, input) },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_FLAG(struct inspect_args, table, 't', "table",
			"also list every rank: its node, PUs by logical (L#) and physical (P#) "
			"number, core, L3, NUMA node, package, closest adapter and GPU, and "
			"where these are known the NUMA nodes to which its memory is limited, the "
			"kind of its cores on a node with several kinds, its threads and which of "
			"several programs it is") },
	{ TMAP_OPT_STRING(struct inspect_args, ranks, 'r', "ranks", "RANKS", NULL,
			  "only these ranks in the table or the matrix: \"0-31,64\"") },
	{ TMAP_OPT_COMM(struct inspect_args, comm) },
	TMAP_OPT_RECORD_PARTS(struct inspect_args, record),
	{ TMAP_OPT_ADAPTERS(struct inspect_args, adapters) },
	{ TMAP_OPT_FLAG(struct inspect_args, all, 'a', "all",
			"show every kind of node, also if there are many") },
	{ TMAP_OPT_FLAG(struct inspect_args, lint, 'l', "lint",
			"report what is wrong, why, for which ranks, and how to fix it; with "
			"findings, hints not counted, the exit status is 4") },
	{ TMAP_OPT_LIBRARY(struct inspect_args, library, 0,
			   "MPI library whose default algorithms findings go by") },
	{ TMAP_OPT_PROFILE(struct inspect_args, profile, "of findings and of the verdict: ") },
	{ TMAP_OPT_FLAG(struct inspect_args, strict, 0, "strict",
			"exit status 4 if there are findings, hints not counted, with any output") },
	{ TMAP_OPT_NAMES(struct inspect_args, ignored, 0, "ignore", "RULE[,RULE]", &tmap_lint_rules,
			 "leave out these rules") },
	{ TMAP_OPT_CHOICE(struct inspect_args, scale, 's', "scale", "SCALE", "process",
			  &tmap_scales, TMAP_SCALES_OF_MACHINE, "scale of the distances") },
	{ TMAP_OPT_FLAG(struct inspect_args, matrix, 'm', "matrix",
			"the distance of every pair of ranks instead of the summary") },
	{ TMAP_OPT_FLAG(struct inspect_args, traffic, 0, "traffic",
			"a picture of who sends to whom, and how much, of a record (-f svg)") },
	{ TMAP_OPT_FILE(
		struct inspect_args, against, 0, "against", "PLACEMENT", NULL,
		"with --traffic, also the ranks by their places in this placement, such as a "
		"suggestion (suggest-rankfile -f json)") },
	{ TMAP_OPT_INT(struct inspect_args, from, 0, "from", "RANK", NULL, 0, INT_MAX,
		       "color the picture of the machine by the distance from this rank; by node "
		       "if not given") },
	{ TMAP_OPT_FORMAT(struct inspect_args, format, "text",
			  TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON) | TMAP_FORMATS(SVG) |
				  TMAP_FORMATS(CSV)) },
	{ TMAP_OPT_OUTPUT(struct inspect_args, output) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "a job on one screen", "topomap inspect job.json", NULL },
	{ "where the first eight ranks run", "topomap inspect --ranks 0-7 job.json", NULL },
	{ "findings, with reasons and fixes", "topomap inspect --lint job.json", NULL },
	{ "status 4 in a script where something is wrong, the order of the ranks apart",
	  "topomap inspect --strict --ignore not-consecutive,slow-order job.json", NULL },
	{ "a picture of the ranks in the nodes, colored by the distance from rank 5",
	  "topomap inspect -f svg --from 5 -o job.svg job.json", NULL },
	{ "who sends to whom in a recorded run, as launched and as suggested",
	  "topomap inspect --traffic --against better.json -o traffic.svg app.record.json",
	  "there is no such record" },
	{ "the distances of the first eight ranks", "topomap inspect --matrix --ranks 0-7 job.json",
	  NULL },
	{ "the summary and all ranks for a script", "topomap inspect -f json --table - <job.json",
	  NULL },
	{ NULL, NULL, NULL },
};

/* What is shown, and of which ranks. */
struct shown {
	const struct inspect_args *args;
	const struct tmap_inspection *inspection;
	const struct tmap_record *recorded; /* of the inspected placement, or without traffic */
	const struct tmap_lint *lint;
	const struct tmap_verdict *verdict;          /* where the format has one */
	const struct tmap_record_account *record;    /* the same; NULL: it is no record of these */
	const struct tmap_origin_launcher *launcher; /* of the placement: fixes are in its words */
	struct tmap_progress_line *line;             /* until something is written */
	int *rank;                                   /* [count] */
	int count;
};

/* The ranks that --ranks names; without it all or none. */
static int choose_ranks(struct shown *shown, int size, struct tmap_error *err)
{
	const struct inspect_args *args = shown->args;
	bool all = args->table || args->matrix || args->format == TMAP_FORMAT_CSV;
	struct tmap_idset set = { 0 }, any = { 0 };
	int status;

	/* what is no list of any job is a wrong command line */
	if (args->ranks && tmap_idset_parse(&any, args->ranks, INT_MAX - 1, err) < 0) {
		err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
		return tmap_wrap(err, "--ranks");
	}
	tmap_idset_fini(&any);
	status = args->ranks ? tmap_idset_parse(&set, args->ranks, size - 1, err) :
		all          ? tmap_idset_add_range(&set, 0, size - 1, err) :
			       0;

	if (status < 0)
		return tmap_wrap(err, "--ranks");
	shown->rank = tmap_alloc_raw((size_t)tmap_idset_size(&set), sizeof *shown->rank, err);
	for (int r = tmap_idset_next(&set, TMAP_NONE); shown->rank && r != TMAP_NONE;
	     r = tmap_idset_next(&set, r))
		shown->rank[shown->count++] = r;
	tmap_idset_fini(&set);
	return shown->rank ? 0 : -1;
}

static int write_text(FILE *out, const struct shown *shown, struct tmap_error *err)
{
	const struct tmap_inspection *it = shown->inspection;

	if (tmap_communicator_write_text(out, it->placement, err) < 0)
		return -1;
	if (shown->args->lint)
		return tmap_text_write_lint(out, shown->lint, shown->launcher, err);
	if (shown->args->matrix)
		return tmap_text_write_matrix(out, &it->metric, shown->rank, shown->count, err);
	if (tmap_text_write_verdict(out, shown->verdict, shown->count > 0, err) < 0)
		return -1;
	fputc('\n', out);
	if (shown->record) {
		if (tmap_text_write_account(out, shown->record, err) < 0)
			return -1;
		fputc('\n', out);
	}
	if (tmap_text_write_inspection(out, it, shown->args->all, err) < 0)
		return -1;
	if (!shown->count)
		return 0;
	fputc('\n', out);
	return tmap_text_write_ranks(out, it->placement, shown->rank, shown->count, err);
}

static int write_json(FILE *out, const struct shown *shown, struct tmap_error *err)
{
	const struct tmap_json_inspection_extras extras = {
		.lint = shown->lint,
		.verdict = shown->verdict,
		.record = shown->record,
		.launcher = shown->launcher,
		.rank = shown->rank,
		.count = shown->count,
		.matrix = shown->args->matrix,
	};

	return tmap_json_write_inspection(out, shown->inspection, &extras, err);
}

static int write_svg(FILE *out, const struct shown *shown, struct tmap_error *err)
{
	if (shown->args->traffic)
		return tmap_inspect_traffic_write(out, shown->recorded, shown->args->library,
						  shown->args->against, err);
	if (shown->args->matrix)
		return tmap_svg_write_matrix(out, &shown->inspection->metric, shown->args->scale,
					     shown->rank, shown->count, err);
	return tmap_svg_write_machine(out, shown->inspection, shown->args->from, err);
}

static int write_csv(FILE *out, const struct shown *shown, struct tmap_error *err)
{
	const struct tmap_inspection *it = shown->inspection;

	if (shown->args->matrix)
		return tmap_csv_write_matrix(out, &it->metric, shown->rank, shown->count, err);
	return tmap_csv_write_ranks(out, it->placement, shown->rank, shown->count, err);
}

static int (*const writers[])(FILE *, const struct shown *, struct tmap_error *) = {
	[TMAP_FORMAT_TEXT] = write_text,
	[TMAP_FORMAT_JSON] = write_json,
	[TMAP_FORMAT_SVG] = write_svg,
	[TMAP_FORMAT_CSV] = write_csv,
};

/* Traffic is a record's, of all its ranks. */
static int check_traffic(const struct inspect_args *args, const struct tmap_record *record,
			 struct tmap_error *err)
{
	const char *other = args->lint ? "lint" :
		args->matrix           ? "matrix" :
		args->ranks            ? "ranks" :
		args->comm             ? "comm" :
					 NULL;

	if (!args->traffic)
		return args->against ? tmap_fail(err, TMAP_USAGE, "--against is for --traffic") : 0;
	if (args->format != TMAP_FORMAT_SVG)
		return tmap_fail(err, TMAP_USAGE, "--traffic is a picture (-f svg)");
	if (other)
		return tmap_fail(err, TMAP_USAGE,
				 "--traffic is of all ranks of a record: --%s cannot be combined "
				 "with it",
				 other);
	if (!tmap_record_is_there(record))
		return tmap_fail(err, TMAP_USAGE,
				 "--traffic: PLACEMENT is no record, which says what a program "
				 "communicated");
	if (args->against && strcmp(args->against, "-") == 0 &&
	    (!args->input || strcmp(args->input, "-") == 0))
		return tmap_fail(err, TMAP_USAGE,
				 "only one of PLACEMENT and --against can be standard input");
	return 0;
}

/* Is nothing of a record shown? */
static bool is_of_places(const struct inspect_args *args)
{
	return args->format == TMAP_FORMAT_CSV ||
		(args->format == TMAP_FORMAT_SVG && !args->traffic) ||
		(args->format == TMAP_FORMAT_TEXT && (args->matrix || args->lint));
}

/* What cannot go together, or not with this job. */
static int check(const struct inspect_args *args, const struct tmap_placement *p,
		 struct tmap_error *err)
{
	if (args->from != TMAP_NONE &&
	    (args->format != TMAP_FORMAT_SVG || args->matrix || args->traffic))
		return tmap_fail(err, TMAP_USAGE,
				 "--from is for the picture of the machine (-f svg)");
	if ((args->record.phase || args->record.added.count) && is_of_places(args))
		return tmap_fail(err, TMAP_USAGE,
				 "--%s is for what a record says: the summary, JSON and --traffic",
				 args->record.phase ? "phase" : "add");
	if (args->lint && args->matrix)
		return tmap_fail(err, TMAP_USAGE, "--lint and --matrix cannot be combined");
	if (args->lint && (args->format == TMAP_FORMAT_SVG || args->format == TMAP_FORMAT_CSV))
		return tmap_fail(err, TMAP_USAGE, "--lint is for text and JSON");
	if (args->from >= p->size)
		return tmap_fail(err, TMAP_INPUT, "--from: rank %d is not one of the %d ranks",
				 args->from, p->size);
	return 0;
}

static int show(const struct shown *shown, struct tmap_error *err)
{
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, shown->args->output, err);

	if (status == 0)
		status = writers[shown->args->format](out.file, shown, err);
	return tmap_output_end(&out, status, err);
}

/* Does the output have a verdict? Pictures, tables and matrices alone are quicker without one. */
static bool has_verdict(const struct inspect_args *args)
{
	return args->format == TMAP_FORMAT_JSON ||
		(args->format == TMAP_FORMAT_TEXT && !args->lint && !args->matrix);
}

/* What the ranks communicated; a record is of all of them, so of some there is none. */
static int account_init(struct tmap_record_account *account, struct shown *shown,
			const struct tmap_record *record, const struct tmap_inspection *inspection,
			struct tmap_error *err)
{
	struct tmap_record_costs costs = { .profile = inspection->profile,
					   .levels = &inspection->levels };

	if (!has_verdict(shown->args) || shown->args->comm || !tmap_record_is_there(record))
		return 0;
	costs.library = tmap_record_library(inspection->library, record, &record->placement);
	shown->record = account;
	return tmap_record_account_init(account, record, &costs, err);
}

/* Findings, verdict, and what was asked for. */
static int judge(struct shown *shown, struct tmap_inspection *inspection, struct tmap_error *err)
{
	const struct inspect_args *args = shown->args;
	struct tmap_advice advice = { 0 };
	struct tmap_verdict verdict;
	struct tmap_lint lint = { 0 };
	const struct tmap_lint_request request = { shown->launcher->fixes, args->ignored };
	int status = -1;
	char *count;

	/* two rules of orders that are not consecutive go by it; one that fails is no verdict */
	if (has_verdict(args) || !inspection->order.consecutive) {
		if (tmap_advice_init(&advice, inspection, err) == 0)
			inspection->advice = &advice;
		else if (has_verdict(args) || err->kind != TMAP_INPUT)
			return -1;
	}
	if (tmap_lint_init(&lint, inspection, &request, err) < 0 ||
	    (has_verdict(args) && tmap_verdict_init(&verdict, inspection, &lint, &advice, err) < 0))
		goto out;
	shown->lint = &lint;
	shown->verdict = has_verdict(args) ? &verdict : NULL;
	tmap_progress_line_fini(shown->line);
	status = show(shown, err);
	if (status == 0 && tmap_lint_count(&lint, TMAP_SEVERITY_WARNING) &&
	    (args->lint || args->strict)) {
		count = tmap_lint_print_count(&lint, err);
		status = count ? tmap_fail(err, TMAP_FINDINGS, "%s", count) : -1;
		free(count);
	}
out:
	inspection->advice = NULL;
	tmap_lint_fini(&lint);
	tmap_advice_fini(&advice);
	return status;
}

enum { QUOTED = 4 };

/* What the user wrote, as a shell reads it: *words borrows it of quoted[], which are empty. */
static int words_init(struct tmap_job_words *words, struct tmap_str *quoted,
		      const struct inspect_args *args, struct tmap_error *err)
{
	const char **const word[QUOTED] = { &words->job, &words->comm, &words->adapters,
					    &words->profile };
	const char *const written[QUOTED] = { args->input, args->comm, args->adapters,
					      args->profile };

	for (int i = 0; i < QUOTED; i++) {
		if (!written[i])
			continue;
		tmap_shell_add_file(&quoted[i], written[i]);
		if (quoted[i].failed)
			return tmap_fail(err, TMAP_SYSTEM, "out of memory for a command");
		*word[i] = quoted[i].text;
	}
	if (args->input && strcmp(args->input, "-") == 0)
		words->job = TMAP_JOB_OF_STDIN;
	if (args->library != TMAP_NONE)
		words->library = tmap_keywords_at(&tmap_libraries, (size_t)args->library)->name;
	return 0;
}

static int run(const void *data, struct tmap_error *err)
{
	const struct inspect_args *args = data;
	struct tmap_profile_request profile = { 0 };
	struct tmap_record record = { 0 };
	struct tmap_record_account account = { 0 };
	struct tmap_inspection inspection = { 0 };
	struct tmap_placement *p = &record.placement;
	struct tmap_origin_launcher launcher;
	struct shown shown = { .args = args, .inspection = &inspection, .launcher = &launcher };
	struct tmap_str quoted[QUOTED] = { TMAP_STR_INIT };
	struct tmap_job_words words = { NULL };
	struct tmap_progress_line line;
	int status = -1;

	tmap_progress_line_start(&line, "topomap inspect");
	if (tmap_record_parts_read(&record, args->input, &args->record, err) < 0 ||
	    tmap_adapters_option(p, args->adapters, err) < 0 ||
	    tmap_communicator_take(p, args->comm, err) < 0)
		goto out;
	tmap_progress_begin(&line.progress, "distances");
	launcher = tmap_origin_launcher(&p->origin);
	if (check(args, p, err) < 0 || check_traffic(args, &record, err) < 0 ||
	    choose_ranks(&shown, p->size, err) < 0 ||
	    tmap_profile_option(&profile, args->profile, p, err) < 0 ||
	    tmap_inspection_init(&inspection, p, (enum tmap_scale)args->scale, err) < 0)
		goto out;
	inspection.library = args->library;
	inspection.assumed = tmap_origin_library(&launcher);
	inspection.profile = &profile.profile;
	inspection.words = &words;
	shown.recorded = &record;
	shown.line = &line;
	if (words_init(&words, quoted, args, err) == 0 &&
	    account_init(&account, &shown, &record, &inspection, err) == 0)
		status = judge(&shown, &inspection, err);
out:
	tmap_progress_line_fini(&line);
	for (int i = 0; i < QUOTED; i++)
		tmap_str_fini(&quoted[i]);
	tmap_record_account_fini(&account);
	tmap_inspection_fini(&inspection);
	tmap_profile_request_fini(&profile);
	tmap_record_fini(&record);
	free(shown.rank);
	return status;
}

static const struct tmap_topic topics[] = {
	{ .word = { "lint", "the rules of inspect --lint" },
	  .text = "Each rule: how much a finding weighs, what it is, why that matters, what to do, in "
		  "the words of the launchers that have any, and which figures the JSON document has "
		  "of it. A hint is a trade-off, and does not count for the exit status; a warning "
		  "costs many programs time, an error nearly every program much. --ignore leaves "
		  "rules out.",
	  .row = tmap_lint_topic_row },
	{ .word = { NULL, NULL } },
};

const struct tmap_command tmap_cmd_inspect = {
	.name = "inspect",
	.summary = "show the mapping, binding and distances of the ranks",
	.description =
		"Prints how many ranks run on which nodes, in which order (block, cyclic, "
		"plane), what they are bound to, and how many pairs of ranks are at each "
		"process distance. --lint reports unbound ranks, oversubscribed PUs and cores, "
		"idle cores, far memory, adapters and GPUs, and orders of ranks that slow down "
		"collectives, each with the reason and a fix. Of a record of "
		"libtopomap-record.so it also says what the program communicated, and draws "
		"it (--traffic).",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct inspect_args),
	.examples = examples,
	.topics = topics,
	.run = run,
};
