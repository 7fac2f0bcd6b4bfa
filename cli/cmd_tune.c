/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/command.h"

#include "cli/base/call_options.h"
#include "cli/base/communicator.h"
#include "cli/base/record_parts.h"
#include "cli/tune_compare.h"
#include "cli/tune_library.h"
#include "cli/tune_lint.h"
#include "cli/tune_times.h"
#include "core/schedule/datatype.h"
#include "core/tune/rule_collectives.h"
#include "core/tune/selection_tuning.h"
#include "core/tune/tuning.h"
#include "formats/base/format.h"
#include "formats/base/output.h"
#include "formats/base/progress_line.h"
#include "formats/report/times/times_read.h"
#include "formats/rules/han_tuned.h"
#include "formats/rules/mpich_selection.h"
#include "formats/rules/rule_forms.h"
#include "formats/rules/tuned_rules.h"
#include "formats/text/text_profile.h"

#include <stdlib.h>
#include <string.h>

struct tune_args {
	const char *input, *output, *profile, *adapters, *datatype, *lint, *han;
	struct tmap_opt_list comms, times, compare;
	struct tmap_record_parts_args record;
	uint64_t collectives;
	int64_t bytes;
	int library, format;
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_FILE(
		struct tune_args, input, "PLACEMENT", NULL,
		"placement document to read; a record of libtopomap-record.so, of which the "
		"communicators and collectives are those that the program calls; or times, as of "
		"--times; without it standard "
		"input, or, with --lint, none, or, with --times, the placement of the most ranks "
		"that were measured") },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_CHOICE(
		struct tune_args, library, 'l', "library", "LIBRARY", NULL, &tmap_libraries,
		TMAP_KEYWORDS_ALL,
		"MPI library whose rules are written; by default that of the times, of the "
		"record, or under which the placement was probed, or, with --lint alone, for which "
		"FILE says that it was made; what openmpi6, mpich5 and ucc read is from their "
		"sources, not run") },
	{ TMAP_OPT_NAMES(struct tune_args, collectives, 'c', "collective", "COLLECTIVE[,...]",
			 &tmap_collectives,
			 "only these collectives; by default all that rules choose for") },
	{ TMAP_OPT_SIZE(
		struct tune_args, bytes, 'b', "bytes", "BYTES", NULL,
		"the largest size that is looked at, as MPI counts it; larger ones are left to "
		"the library; by default 4MiB, or the largest of a record") },
	{ TMAP_OPT_STRING(struct tune_args, datatype, 0, "datatype", "TYPE|BYTES", NULL,
			  "elements of the data: an MPI datatype such as double, or its bytes, by "
			  "which the library cuts vectors; without it those of a record, or 8 bytes "
			  "in what is reduced, else 1") },
	{ TMAP_OPT_LIST(
		struct tune_args, comms, 0, "comm", "COMM",
		"also communicators of these ranks: \"0-31,64\", node:K, row:K (the first K "
		"ranks) or column:K (every K-th rank); without it those of all ranks, of the "
		"ranks of a node, and of one rank of each node") },
	{ TMAP_OPT_OF(struct tune_args, times, struct tmap_opt_list, &tmap_opt_files, 0, "times",
		      "FILE", NULL,
		      "measured times of the library's algorithms, as topomap-bench writes them, on "
		      "the ranks of a communicator that gets rules: predicted ones are taken where "
		      "there are none; several launches and communicators have a file each") },
	TMAP_OPT_RECORD_PARTS(struct tune_args, record),
	{ TMAP_OPT_PROFILE(struct tune_args, profile, "") },
	{ TMAP_OPT_ADAPTERS(struct tune_args, adapters) },
	{ TMAP_OPT_FILE(
		struct tune_args, han, 0, "han", "FILE", NULL,
		"write here which calls coll/han of Open MPI 5 keeps, where it comes first, and "
		"which coll/tuned gets; without it coll/han is set aside") },
	{ TMAP_OPT_FILE(struct tune_args, lint, 0, "lint", "FILE", NULL,
			"check this rule file instead: its mistakes with a fix each, and, with a "
			"placement or --times, rules that are slower than what the library takes "
			"by itself; "
			"if there are mistakes, the exit status is 4") },
	{ TMAP_OPT_OF(struct tune_args, compare, struct tmap_opt_list, &tmap_opt_files, 0,
		      "compare", "FILE", NULL,
		      "say instead where this rule file makes the library do something else on the "
		      "placement than it does by itself; given twice, where two files do, and how "
		      "long both take") },
	{ TMAP_OPT_FORMAT(struct tune_args, format, "text",
			  TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON) | TMAP_FORMATS(CSV)) },
	{ TMAP_OPT_OUTPUT_AS(struct tune_args, output, ".json") },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "rules of Open MPI 4.1 for this job, and how to use them",
	  "topomap tune --library openmpi4 -o job.rules job.json", NULL },
	{ "those of two collectives, for vectors of doubles up to 64 KiB",
	  "topomap tune -l openmpi5 -c allreduce,bcast -b 64KiB --datatype double job.json", NULL },
	{ "with rules of coll/han beside them: which calls it keeps",
	  "topomap tune -l openmpi5 -c bcast,allgather --han job.han -o job.rules job.json", NULL },
	{ "with rules for the rows and columns of a grid of 4 x 8 ranks",
	  "topomap tune -l openmpi4 -c allgather --comm row:8 --comm column:8 job.json", NULL },
	{ "from times of all algorithms of the library: mpirun topomap-bench collective -c bcast "
	  "-b '8..64KiB*4' -a native -a native:all -o times.json",
	  "topomap tune -l openmpi4 --times times.json -o job.rules", "it needs measured times" },
	{ "for the communicators, collectives and sizes of a program that was recorded",
	  "topomap tune -l openmpi4 -o job.rules record.json", "it needs a record" },
	{ "for what it does in its third and fourth phase",
	  "topomap tune -l openmpi4 --phase 3-4 -o job.rules record.json", "it needs a record" },
	{ "a selection file of MPICH, and what it changes",
	  "topomap tune -l mpich -c alltoall -o job.selection job.json; "
	  "topomap tune -l mpich --compare job.selection job.json",
	  NULL },
	{ "the same of MPICH 4.1 to 4.3",
	  "topomap tune -l mpich41 -c alltoall -o job.selection job.json", NULL },
	{ "mistakes of a rule file, and rules that are slower on this job",
	  "topomap tune -l openmpi4 -c bcast -o job.rules job.json; "
	  "topomap tune -l openmpi4 --lint job.rules job.json",
	  NULL },
	{ "what rules change, and what is gained by it",
	  "topomap tune -l openmpi4 -c bcast -o job.rules job.json; "
	  "topomap tune -l openmpi4 --compare job.rules job.json",
	  NULL },
	{ NULL, NULL, NULL },
};

/* Standard input can be one thing. */
static int check_inputs(const struct tune_args *args, struct tmap_error *err)
{
	bool wants_job = !args->input && !args->times.count;
	int count = wants_job || (args->input && strcmp(args->input, "-") == 0);

	for (size_t i = 0; i < args->compare.count; i++)
		count += strcmp(args->compare.items[i], "-") == 0;
	for (size_t i = 0; i < args->times.count; i++)
		count += strcmp(args->times.items[i], "-") == 0;
	return count < 2 ? 0 :
			   tmap_fail(err, TMAP_USAGE,
				     "only one of the placement, --times and --compare can be "
				     "standard input");
}

/* Both files are written, each to a place of its own. */
static int check_han(const struct tune_args *args, struct tmap_error *err)
{
	if (!args->han)
		return 0;
	if (args->compare.count)
		return tmap_fail(err, TMAP_USAGE, "--compare and --han cannot be combined");
	if (strcmp(args->han, "-") == 0 || strcmp(args->han, args->output) == 0)
		return tmap_fail(err, TMAP_USAGE,
				 "--han is a file of its own, beside that of --output");
	return 0;
}

static int check(struct tmap_tune_request *request, const struct tune_args *args,
		 struct tmap_error *err)
{
	*request = (struct tmap_tune_request){ .collectives = args->collectives };
	for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++)
		if (args->collectives >> c & 1 &&
		    tmap_rule_collective_number((enum tmap_collective)c) == TMAP_NONE)
			return tmap_fail(err, TMAP_USAGE,
					 "--collective: rule files choose no algorithms of %s",
					 tmap_collective_rows[c].word.name);
	if (args->compare.count > 2)
		return tmap_fail(err, TMAP_USAGE, "--compare is given more than twice");
	if (args->compare.count && args->datatype)
		return tmap_fail(err, TMAP_USAGE, "--compare and --datatype cannot be combined");
	if (check_inputs(args, err) < 0 || check_han(args, err) < 0)
		return -1;
	if (args->datatype && tmap_datatype_parse(args->datatype, &request->element, err) < 0)
		return tmap_wrap(err, "--datatype");
	if (args->bytes != TMAP_NONE && args->bytes < (request->element ? request->element : 8))
		return tmap_fail(err, TMAP_USAGE, "--bytes is less than an element, %d bytes",
				 (int)(request->element ? request->element : 8));
	if (args->bytes > TMAP_TUNE_MOST)
		return tmap_fail(err, TMAP_USAGE, "--bytes is more than 1GiB, the most");
	return 0;
}

/* Only where coll/han comes first, and its files are known. */
static int check_library_has_han(const struct tune_args *args, int library, struct tmap_error *err)
{
	if (!args->han ||
	    (tmap_library_takes_han(library) && !tmap_library_rules_by_range(library)))
		return 0;
	return tmap_fail(err, TMAP_USAGE,
			 "--han is for openmpi5: coll/han of %s does not come "
			 "first, or its file is not known",
			 tmap_keywords_at(&tmap_libraries, (size_t)library)->summary);
}

/* Rules have the library's form, which may be JSON itself. */
static int check_form(const struct tune_args *args, int library, struct tmap_error *err)
{
	bool is_json = tmap_library_selects(library) || tmap_library_rules_by_range(library);

	if (args->compare.count || args->format == TMAP_FORMAT_TEXT ||
	    (is_json && args->format == TMAP_FORMAT_JSON))
		return 0;
	return tmap_fail(err, TMAP_USAGE, "-f %s is for %s: rules have the library's form",
			 tmap_keywords_at(&tmap_formats, (size_t)args->format)->name,
			 args->format == TMAP_FORMAT_JSON ? "--lint and --compare" : "--compare");
}

/* The communicators that are named besides. */
static int add_comms(struct tmap_tune_places *places, const struct tmap_opt_list *comms,
		     struct tmap_error *err)
{
	for (size_t i = 0; i < comms->count; i++) {
		int count, status;
		int *ranks = tmap_communicator_parse(&count, places->job, comms->items[i], err);

		if (!ranks)
			return -1;
		status = tmap_tune_places_add(places, comms->items[i], ranks, count, err);
		free(ranks);
		if (status < 0)
			return -1;
	}
	return 0;
}

/* In the form of the library. */
static int write_file(FILE *out, const struct tmap_tuning *tuning,
		      const struct tmap_tuned_files *files, struct tmap_error *err)
{
	struct tmap_rule_file file = { 0 };
	struct tmap_selection selection = { 0 };
	int status;

	if (tmap_library_selects(tuning->request.library)) {
		status = tmap_selection_init(&selection, tuning, err);
		if (status == 0)
			status = tmap_mpich_selection_write(&selection, out, err);
		tmap_selection_fini(&selection);
		return status;
	}
	status = tmap_tuned_rules_init(&file, tuning, files, err);
	if (status == 0)
		status = tmap_rules_write(&file, tuning->request.library, out, err);
	tmap_rule_file_fini(&file);
	return status;
}

/* Of coll/han, a file of their own. */
static int write_han(FILE *out, const struct tmap_han_tuning *han,
		     const struct tmap_tuned_files *files, struct tmap_error *err)
{
	struct tmap_rule_file file;
	int status = tmap_han_tuned_init(&file, han, files, err);

	if (status < 0)
		return -1;
	status = tmap_rules_write(&file, han->tuning->request.library, out, err);
	tmap_rule_file_fini(&file);
	return status;
}

static int write_rules(const struct tmap_tuning *tuning, const struct tmap_record *record,
		       const struct tmap_han_tuning *han, const struct tune_args *args,
		       struct tmap_error *err)
{
	const struct tmap_tuned_files files = { args->output, han ? args->han : NULL };
	struct tmap_tune_gain found;
	const struct tmap_tune_gain *gain = tmap_record_is_there(record) ? &found : NULL;
	struct tmap_output out[2] = { 0 };
	int status = 0;

	if (gain)
		status = tmap_tune_gain_find(&found, tuning, han, record, err);
	if (status == 0)
		status = tmap_output_init(&out[0], args->output, err);
	if (status == 0 && han)
		status = tmap_output_init(&out[1], files.han, err);
	if (status == 0)
		status = write_file(out[0].file, tuning, &files, err);
	if (status == 0 && han)
		status = write_han(out[1].file, han, &files, err);
	status = tmap_outputs_end(out, han ? 2 : 1, status, err);
	if (status == 0)
		tmap_text_write_profile(stderr, tuning->places->profile);
	if (status == 0 && gain)
		tmap_tuned_rules_write_gain(stderr, gain);
	if (status == 0 && tmap_library_selects(tuning->request.library))
		status = tmap_tuned_rules_write_steps(stderr, tuning, err);
	if (status == 0)
		tmap_record_parts_write(stderr, "Made for", &args->record, record);
	if (status == 0)
		status = tmap_tuned_rules_write_summary(stderr, tuning, gain, han, &files, err);
	return status;
}

/* With what coll/han keeps, where that is asked for. */
static int write_all(const struct tmap_tuning *tuning, const struct tmap_record *record,
		     const struct tune_args *args, struct tmap_error *err)
{
	struct tmap_han_tuning han = { 0 };
	int status;

	if (!args->han)
		return write_rules(tuning, record, NULL, args, err);
	if (!tmap_han_is_there(tuning))
		return tmap_fail(
			err, TMAP_INPUT,
			"--han: coll/han takes none of these calls by itself: it wants several "
			"nodes, several ranks on one of them, and a collective that it has");
	status = tmap_han_tuning_init(&han, tuning, err);
	if (status == 0)
		status = write_rules(tuning, record, &han, args, err);
	tmap_han_tuning_fini(&han);
	return status;
}

/* A file is judged as it is. */
static int lint(const struct tune_args *args, struct tmap_error *err)
{
	const struct tmap_tune_lint it = { .rules = args->lint,
					   .output = args->output,
					   .input = args->input,
					   .times = &args->times,
					   .profile = args->profile,
					   .adapters = args->adapters,
					   .library = args->library,
					   .format = args->format,
					   .most = args->bytes };
	const char *other = args->collectives ? "collective" :
		args->comms.count             ? "comm" :
		args->compare.count           ? "compare" :
		args->datatype                ? "datatype" :
		args->han                     ? "han" :
		args->record.phase            ? "phase" :
		args->record.added.count      ? "add" :
						NULL;
	/* what only costs need */
	const char *cost = args->input || args->times.count ? NULL :
		args->profile                               ? "profile" :
		args->adapters                              ? "adapters" :
		args->bytes != TMAP_NONE                    ? "bytes" :
							      NULL;

	if (other || cost)
		return tmap_fail(err, TMAP_USAGE, "--lint and --%s cannot be combined%s",
				 other ? other : cost, other ? "" : " without a placement");
	if (args->format == TMAP_FORMAT_CSV)
		return tmap_fail(err, TMAP_USAGE, "--lint is for text and JSON");
	return tmap_tune_lint(&it, err);
}

/* *job = the placement that is read, of which there may be a record, or that of the times. */
static int job_read(struct tmap_placement **job, struct tmap_record *record,
		    const struct tmap_tune_documents *documents, const struct tune_args *args,
		    struct tmap_error *err)
{
	if (!documents->count || args->input) {
		*job = &record->placement;
		if (tmap_record_parts_read(record, args->input ? args->input : "-", &args->record,
					   err) < 0)
			return -1;
	} else if (args->record.phase || args->record.added.count) {
		return tmap_fail(err, TMAP_USAGE, "--%s is of a record, and PLACEMENT is missing",
				 args->record.phase ? "phase" : "add");
	} else {
		*job = tmap_tune_documents_job(documents);
	}
	if (tmap_record_is_there(record) && args->comms.count)
		return tmap_fail(err, TMAP_USAGE,
				 "--comm: of a record the communicators are those of the program");
	return tmap_adapters_option(*job, args->adapters, err);
}

/* The largest size that is looked at, where no other is asked for. */
static int64_t most_of(const struct tmap_record *record, const struct tune_args *args)
{
	if (args->bytes != TMAP_NONE)
		return args->bytes;
	return tmap_record_is_there(record) ? tmap_tune_record_most(record) : TMAP_TUNE_PRESET;
}

/* Those of the program, or those that most have and those that are named. */
static int places_init(struct tmap_tune_places *places, const struct tmap_placement *job,
		       const struct tmap_record *record, const struct tmap_profile *profile,
		       const struct tune_args *args, int library, struct tmap_error *err)
{
	int status;

	if (tmap_record_is_there(record))
		status = tmap_tune_places_init_record(places, record, profile, err);
	else
		status = tmap_tune_places_init(places, job, profile, err) < 0 ?
			-1 :
			add_comms(places, &args->comms, err);
	if (status == 0 && tmap_library_rules_by_range(library))
		tmap_tune_places_sort_by_spread(places);
	return status;
}

/* What files change, on these communicators. */
static int compare(const struct tmap_tune_places *places, const struct tune_args *args,
		   const struct tmap_tune_request *request, struct tmap_progress_line *line,
		   struct tmap_error *err)
{
	return tmap_tune_compare(&(struct tmap_tune_compare){ .rules = &args->compare,
							      .output = args->output,
							      .collectives = args->collectives,
							      .library = request->library,
							      .format = args->format,
							      .most = request->most,
							      .line = line },
				 places, err);
}

static int tune(const struct tune_args *args, struct tmap_error *err)
{
	struct tmap_tune_documents documents = { 0 };
	struct tmap_profile_request profile = { 0 };
	struct tmap_record record = { 0 };
	struct tmap_placement *job;
	struct tmap_tune_places places = { 0 };
	struct tmap_tune_request request;
	struct tmap_tuning tuning = { 0 };
	struct tmap_progress_line line;
	int status = -1;

	tmap_progress_line_start(&line, "topomap tune");
	if (check(&request, args, err) < 0 ||
	    tmap_tune_documents_read(&documents, &args->times, err) < 0 ||
	    job_read(&job, &record, &documents, args, err) < 0 ||
	    tmap_tune_library_pick(&request.library,
				   &(struct tmap_tune_library){ .wanted = args->library,
								.measured = documents.count ?
									documents.times[0].mpi :
									NULL,
								.record = &record,
								.placement = job },
				   err) < 0 ||
	    check_form(args, request.library, err) < 0 ||
	    check_library_has_han(args, request.library, err) < 0 ||
	    tmap_profile_option(&profile, args->profile, job, err) < 0)
		goto out;
	request.most = most_of(&record, args);
	request.as_called = args->bytes == TMAP_NONE;
	if (request.most < request.element)
		request.most = request.element;
	tmap_progress_begin(&line.progress, "predictions");
	request.progress = &line.progress;
	if (places_init(&places, job, &record, &profile.profile, args, request.library, err) == 0 &&
	    tmap_tune_documents_give(&documents, &places, request.library, err) == 0)
		status = args->compare.count ? compare(&places, args, &request, &line, err) :
					       tmap_tuning_init(&tuning, &places, &request, err);
	tmap_progress_line_fini(&line);
	if (status == 0 && !args->compare.count)
		status = write_all(&tuning, &record, args, err);
	if (status == 0)
		status = tmap_tune_documents_write_caveats(stderr, &documents, err);
out:
	tmap_progress_line_fini(&line);
	tmap_tuning_fini(&tuning);
	tmap_tune_places_fini(&places);
	tmap_record_fini(&record);
	tmap_profile_request_fini(&profile);
	tmap_tune_documents_fini(&documents);
	return status;
}

static int run(const void *data, struct tmap_error *err)
{
	struct tune_args args = *(const struct tune_args *)data;
	const char *input = args.input;
	bool is_times = false;

	if (input && !args.times.count && tmap_times_recognise(input, &is_times, err) < 0)
		return -1;
	if (is_times) {
		args.times = (struct tmap_opt_list){ .items = &input, .count = 1 };
		args.input = NULL;
	}
	return args.lint ? lint(&args, err) : tune(&args, err);
}

const struct tmap_command tmap_cmd_tune = {
	.name = "tune",
	.summary = "write rules by which an MPI library chooses its algorithms on a placement",
	.description =
		"Searches for the sizes from which on another algorithm of the library is the fastest "
		"on this placement, and writes them as the library's own rule file, in its units: "
		"for the communicators of all ranks, of a node, and of one rank of each node. What "
		"is no faster than the library's own choice stays as it is. Times are predicted, "
		"or, with --times, measured; the comment behind each rule has them, or, as MPICH's "
		"file cannot have comments, standard error. How to use the file is written there, "
		"too. --lint checks a file that there is, and --compare says what one changes.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct tune_args),
	.examples = examples,
	.run = run,
};
