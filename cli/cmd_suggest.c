/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/command.h"

#include "cli/base/communicator.h"
#include "cli/base/record_parts.h"
#include "cli/suggest_findings.h"
#include "cli/suggest_lint.h"
#include "cli/suggest_request.h"
#include "core/base/mem.h"
#include "formats/base/format.h"
#include "formats/base/output.h"
#include "formats/base/progress_line.h"
#include "formats/launchers/launch.h"
#include "formats/launchers/origin.h"
#include "formats/launchers/without_file.h"
#include "formats/machine/json_placement.h"
#include "formats/report/suggestion/json_suggestion.h"
#include "formats/report/suggestion/svg_suggestion.h"
#include "formats/report/suggestion/text_suggestion.h"

#include <stdlib.h>
#include <string.h>

struct suggest_args {
	const char *input, *output, *lint, *comm, *adapters;
	int launcher, format;
	struct tmap_suggest_request_args request;
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_FILE(
		struct suggest_args, input, "PLACEMENT", NULL,
		"placement document to read, standard input if not given; of a record of "
		"libtopomap-record.so also what the program communicated, where no option "
		"says another; with --lint also a MACHINE, or nothing") },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	TMAP_OPT_SUGGEST_REQUEST(struct suggest_args, request),
	{ TMAP_OPT_COMM(struct suggest_args, comm) },
	{ TMAP_OPT_ADAPTERS(struct suggest_args, adapters) },
	{ TMAP_OPT_CHOICE(struct suggest_args, launcher, 'l', "launcher", "LAUNCHER", NULL,
			  &tmap_launchers_written, TMAP_KEYWORDS_ALL,
			  "launcher whose file to write; without it the one under which the "
			  "placement was probed, or openmpi4 where it names none") },
	{ TMAP_OPT_FILE(struct suggest_args, lint, 0, "lint", "FILE", NULL,
			"check this file of the launcher and write nothing; with findings the exit "
			"status is 4") },
	{ TMAP_OPT_CHOICE(
		  struct suggest_args, format, 'f', "format", "FORMAT", "text", &tmap_formats,
		  TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON) | TMAP_FORMATS(SVG),
		  "the launcher's file (text), the suggestion document, or a picture of the "
		  "mapping before and after"),
	  .unless = "launcher" },
	{ TMAP_OPT_OUTPUT(struct suggest_args, output) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "a rankfile that maps neighboring ranks close together",
	  "topomap suggest-rankfile job.json -o better.rankfile", NULL },
	{ "for a program that calls two collectives, the first three times as often",
	  "topomap suggest-rankfile --effort 1000000 --for allgather:bruck:64KiB@3 "
	  "--for bcast:openmpi4:8 job.json",
	  NULL },
	{ "for a grid with periodic borders, on any core that the job may use",
	  "topomap suggest-rankfile --effort 1000000 --cart 0x0 --periods 1,1 "
	  "--slots core job.json",
	  NULL },
	{ "for a measured communication matrix, with costs of levels",
	  "topomap suggest-rankfile --effort 1000000 --matrix traffic.csv --objective cost "
	  "--level-costs node:100,package:20,core:1 job.json",
	  NULL },
	{ "for a grid on a torus of nodes: few cables for each byte",
	  "topomap suggest-rankfile --effort 1000000 --cart 0x0 --routes torus:2x2 "
	  "--objective hops job.json",
	  NULL },
	{ "rank 0 keeps its slot, ranks 1 to 3 share a node; a picture of it",
	  "topomap suggest-rankfile --effort 1000000 --for allreduce:ring:1MiB --pin-rank 0=here "
	  "--together 1-3 -f svg job.json",
	  NULL },
	{ "the same mapping for another launcher",
	  "topomap suggest-rankfile --mapper identity --launcher hydra job.json", NULL },
	{ "a better mapping of the first 16 ranks, which call it; the others stay",
	  "topomap suggest-rankfile --effort 1000000 --comm row:16 --for allgather:bruck:64KiB "
	  "job.json",
	  NULL },
	{ "mistakes in a rankfile", "topomap suggest-rankfile --lint my.rankfile job.json",
	  "there is no such rankfile" },
	{ "the new mapping, for a script", "topomap suggest-rankfile -f json job.json", NULL },
	{ NULL, NULL, NULL },
};

/* The mapping of the whole job; where a sub-communicator is mapped, the others stay. */
struct mapping {
	const struct tmap_placement *before, *after;
	const int *place_of; /* NULL where ranks go to places that no rank had */
	struct tmap_placement whole;
	int *whole_place_of;
};

/* The ranks of *job that are mapped take each other's places; NULL: all of them are. */
static int mapping_init(struct mapping *m, const struct tmap_suggestion *suggestion,
			const struct tmap_placement *job, const int *rank, struct tmap_error *err)
{
	*m = (struct mapping){ .before = suggestion->before,
			       .after = &suggestion->after,
			       .place_of = suggestion->place_of };
	if (!rank)
		return 0;
	m->whole_place_of = tmap_alloc_raw((size_t)job->size, sizeof *m->whole_place_of, err);
	if (!m->whole_place_of)
		return -1;
	for (int r = 0; r < job->size; r++)
		m->whole_place_of[r] = r;
	for (int r = 0; r < suggestion->after.size; r++)
		m->whole_place_of[rank[r]] = rank[suggestion->place_of[r]];
	m->before = job;
	m->after = &m->whole;
	m->place_of = m->whole_place_of;
	return tmap_placement_select(&m->whole, job, m->whole_place_of, job->size, err);
}

static void mapping_fini(struct mapping *m)
{
	tmap_placement_fini(&m->whole);
	free(m->whole_place_of);
}

/* The suggestion itself, or a picture of it. */
static int write_document(const struct tmap_suggestion *suggestion, const struct suggest_args *args,
			  const struct tmap_origin_launcher *launcher, const char *launch,
			  struct tmap_error *err)
{
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, args->output, err);

	if (status == 0)
		status = args->format == TMAP_FORMAT_SVG ?
			tmap_suggestion_write_svg(suggestion, out.file, err) :
			tmap_suggestion_write_json(suggestion, launcher, launch, out.file, err);
	return tmap_output_end(&out, status, err);
}

/* A simple order that does nearly as well, where options alone do not give the suggested one;
 * TMAP_NONE: there is none. *flags is the caller's to free. */
static int find_simple(int *simple, char **flags, const struct tmap_suggestion *suggestion,
		       const struct tmap_launch *job, int launcher, struct tmap_error *err)
{
	struct tmap_launch other = { 0 };
	int status;

	/* options place all ranks */
	*simple = suggestion->before->world ? TMAP_NONE : tmap_suggestion_simple(suggestion);
	if (*simple == TMAP_NONE)
		return 0;
	if (tmap_launch_without_file(flags, job, err) < 0)
		return -1;
	if (*flags) {
		*simple = TMAP_NONE;
		return 0;
	}
	status = tmap_launch_init(&other, launcher, &suggestion->state[*simple].placement,
				  suggestion->before, NULL, "-", err);
	if (status == 0)
		status = tmap_launch_without_file(flags, &other, err);
	tmap_launch_fini(&other);
	return status;
}

/* The launcher's file or the document, and the report. */
static int write_all(const struct tmap_suggestion *suggestion, const struct mapping *mapping,
		     const struct suggest_args *args, struct tmap_error *err)
{
	const struct tmap_origin_launcher launcher =
		tmap_origin_launcher_or(&mapping->before->origin, args->launcher);
	bool document = args->format != TMAP_FORMAT_TEXT;
	char *line = NULL, *advice = NULL, *flags = NULL, *kept = NULL;
	int status = -1, simple = TMAP_NONE;
	struct tmap_launch job = { 0 };

	if (tmap_launch_init(&job, launcher.row, mapping->after, mapping->before, mapping->place_of,
			     document ? "-" : args->output, err) < 0)
		return -1;
	job.why = launcher.is_asked ? NULL : launcher.why;
	job.program = launcher.mark ? launcher.mark->program : NULL;
	if (tmap_launch_check(&job, err) == 0 && (line = tmap_launch_command(&job, err)))
		advice = tmap_launch_advice(&job, err);
	if (advice)
		kept = tmap_suggest_print_findings(
			mapping->after,
			mapping->place_of ? &mapping->before->origin : &mapping->after->origin,
			mapping->place_of ? (args->input ? args->input : "-") : NULL, err);
	if (kept && find_simple(&simple, &flags, suggestion, &job, launcher.row, err) == 0)
		status = document ? write_document(suggestion, args, &launcher, line, err) :
				    tmap_launch_write(&job, args->output, err);
	if (status == 0)
		status = tmap_communicator_write_text(stderr, suggestion->before, err);
	if (status == 0)
		status = tmap_suggestion_write_text(suggestion, line, stderr, err);
	if (status == 0)
		tmap_origin_launcher_write(stderr, &launcher);
	if (status == 0)
		fputs(advice, stderr);
	if (status == 0 && simple != TMAP_NONE)
		tmap_suggestion_write_simple(suggestion, simple, flags, stderr);
	if (status == 0)
		fputs(kept, stderr);
	free(kept);
	free(flags);
	free(advice);
	free(line);
	tmap_launch_fini(&job);
	return status;
}

/* Standard input can be read once. */
static int check_inputs(const struct suggest_args *args, const char *input, struct tmap_error *err)
{
	const struct tmap_opt_list *matrices = &args->request.traffic.matrices;
	int count = strcmp(input, "-") == 0;

	for (size_t i = 0; i < matrices->count; i++)
		count += strcmp(matrices->items[i], "-") == 0;
	if (count > 1)
		return tmap_fail(err, TMAP_USAGE,
				 "only one of the placement and the --matrix files can be "
				 "standard input");
	return 0;
}

/* The ranks of a sub-communicator take each other's places, so that the others can stay. */
static int check_comm(const struct suggest_args *args, struct tmap_error *err)
{
	const struct tmap_suggest_slots_args *slots = &args->request.slots;
	const char *other = slots->kind   ? "slots" :
		slots->ranks != TMAP_NONE ? "ranks" :
		slots->leave_free         ? "leave-free" :
					    NULL;

	if (!args->comm || !other)
		return 0;
	return tmap_fail(err, TMAP_USAGE,
			 "--comm keeps the other ranks in their places: --%s cannot be combined "
			 "with it",
			 other);
}

/* Its communication is that of all ranks. */
static int check_record(const struct suggest_args *args, const struct tmap_record *record,
			struct tmap_error *err)
{
	if (!args->comm || !tmap_record_is_there(record) ||
	    tmap_suggest_traffic_is_given(&args->request.traffic))
		return 0;
	return tmap_fail(err, TMAP_USAGE,
			 "--comm maps some ranks, and the record is of all: --for, --cart, "
			 "--stencil or --matrix says what these communicate");
}

static int take_part(struct tmap_placement *part, int **rank, const struct tmap_placement *job,
		     const char *comm, struct tmap_error *err)
{
	int count;

	*rank = tmap_communicator_parse(&count, job, comm, err);
	if (!*rank)
		return -1;
	return tmap_placement_subset(part, job, *rank, count, err) < 0 ? tmap_wrap(err, "--comm") :
									 0;
}

/* A file is judged as it is; nothing is mapped. */
static int lint(const struct suggest_args *args, struct tmap_error *err)
{
	if (args->comm || args->adapters || tmap_suggest_request_asks(&args->request))
		return tmap_fail(err, TMAP_USAGE,
				 "--lint checks a file: options of communication, adapters, slots "
				 "and mappers cannot be combined with it");
	return tmap_suggest_lint(args->lint, args->launcher, args->input, args->format,
				 args->output, err);
}

static int run(const void *data, struct tmap_error *err)
{
	const struct suggest_args *args = data;
	const char *input = args->input ? args->input : "-";
	struct tmap_record record = { 0 };
	const struct tmap_placement *job = &record.placement;
	struct tmap_placement part = { 0 };
	struct tmap_suggest_request request = { 0 };
	struct tmap_suggestion suggestion = { 0 };
	struct tmap_progress_line line = { 0 };
	struct mapping mapping = { 0 };
	int *rank = NULL, status = -1;

	if (args->lint)
		return lint(args, err);
	tmap_progress_line_start(&line, "topomap suggest-rankfile");
	if (check_comm(args, err) == 0 && check_inputs(args, input, err) == 0 &&
	    tmap_record_parts_read(&record, input, &args->request.traffic.record, err) == 0 &&
	    tmap_adapters_option(&record.placement, args->adapters, err) == 0 &&
	    check_record(args, &record, err) == 0 &&
	    (!args->comm || take_part(&part, &rank, job, args->comm, err) == 0) &&
	    tmap_suggest_request_init(&request, &args->request,
				      tmap_record_is_there(&record) ? &record : NULL,
				      args->comm ? &part : job, err) == 0) {
		request.request.progress = &line.progress;
		/* of ranks whose traffic is unknown a text and a picture show the ring, not its costs */
		request.request.criteria.only_goal = !request.request.traffic &&
			args->format != TMAP_FORMAT_JSON;
		tmap_progress_begin(&line.progress, "mapping");
		status = tmap_suggestion_init(&suggestion, &request.request, err);
	}
	tmap_progress_line_fini(&line);
	if (status == 0 &&
	    (tmap_suggestion_ask_others(&suggestion, &request.request, err) < 0 ||
	     mapping_init(&mapping, &suggestion, job, rank, err) < 0))
		status = -1;
	if (status == 0)
		status = write_all(&suggestion, &mapping, args, err);
	if (status == 0) {
		tmap_record_parts_write(stderr, "It serves", &args->request.traffic.record,
					&record);
		tmap_suggest_traffic_write_cut(stderr, &request.traffic);
		tmap_suggest_traffic_write_unknown(stderr, &request.traffic, &record);
	}
	mapping_fini(&mapping);
	tmap_suggestion_fini(&suggestion);
	tmap_suggest_request_fini(&request);
	tmap_placement_fini(&part);
	tmap_record_fini(&record);
	free(rank);
	return status;
}

const struct tmap_command tmap_cmd_suggest = {
	.name = "suggest-rankfile",
	.summary = "write a better mapping of the ranks as a launcher's file",
	.description =
		"Finds a mapping that is better for what the program communicates: its "
		"collectives (--for), its grid (--cart, --stencil), a measured "
		"communication matrix (--matrix), or a record of a run (PLACEMENT). If none of "
		"these is given, each rank is "
		"assumed to communicate with the next one. The launcher's file goes to "
		"standard output; a table of what is gained, and the command line to use, go "
		"to standard error. --lint checks a file that exists.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct suggest_args),
	.examples = examples,
	.run = run,
};
