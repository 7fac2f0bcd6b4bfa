/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/command.h"

#include "cli/base/call_options.h"
#include "cli/base/communicator.h"
#include "cli/base/writers.h"
#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/schedule/collect.h"
#include "core/schedule/datatype.h"
#include "formats/base/output.h"
#include "formats/base/progress_line.h"
#include "formats/draw/picture.h"
#include "formats/report/schedule/dot_schedule.h"
#include "formats/report/schedule/json_schedule.h"
#include "formats/report/schedule/text_schedule.h"
#include "formats/report/schedule/traces.h"
#include "options/grid.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 64 };

struct schedule_args {
	const char *input, *output, *algorithm, *comm, *adapters, *datatype;
	int64_t bytes;
	int collective, root, ranks, format, fold;
	struct tmap_grid_args grid;
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_PLACEMENT(struct schedule_args, input) },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_COLLECTIVE(struct schedule_args, collective) },
	{ TMAP_OPT_STRING(struct schedule_args, algorithm, 'a', "algorithm", "NAME[,KEY=VALUE]...",
			  NULL, "algorithm; topomap score lists them"),
	  .required = true },
	{ TMAP_OPT_BYTES(struct schedule_args, bytes, "") },
	{ TMAP_OPT_DATATYPE(struct schedule_args, datatype, "") },
	{ TMAP_OPT_ROOT(struct schedule_args, root, "") },
	{ TMAP_OPT_COMM(struct schedule_args, comm) },
	{ TMAP_OPT_ADAPTERS(struct schedule_args, adapters) },
	TMAP_OPT_GRID(struct schedule_args, grid),
	{ TMAP_OPT_INT(struct schedule_args, ranks, 'n', "ranks", "P", NULL, 1, INT_MAX,
		       "number of ranks; no placement is read then") },
	{ TMAP_OPT_CHOICE(
		struct schedule_args, fold, 0, "fold", "WHEN", "auto", &tmap_foldings,
		TMAP_KEYWORDS_ALL,
		"show equal messages and equal rounds once (auto: in texts of more than 64 "
		"ranks)") },
	{ TMAP_OPT_FORMAT(struct schedule_args, format, "text",
			  TMAP_REPORT_FORMATS | TMAP_FORMATS(CSV) | TMAP_FORMATS(TI) |
				  TMAP_FORMATS(GOAL)) },
	{ TMAP_OPT_OUTPUT(struct schedule_args, output) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "the messages of sparbit's allgather",
	  "topomap schedule -c allgather -a sparbit -b 64KiB job.json", NULL },
	{ "the example of its paper, five ranks",
	  "topomap schedule -c allgather -a sparbit -b 1k "
	  "-n 5",
	  NULL },
	{ "a picture of a broadcast, a column a round",
	  "topomap schedule -c bcast -a binomial_far -b 1MiB -f svg -o bcast.svg job.json", NULL },
	{ "a reduce to another root, as MPICH makes it within nodes and between them",
	  "topomap schedule -c reduce -a smp,lead=late -b 1KiB --root 3 job.json", NULL },
	{ "the communication matrix, for a spreadsheet",
	  "topomap schedule -c allreduce -a ring -b 1MiB -f csv job.json", NULL },
	{ "a halo exchange in a grid of 8 x 4 ranks, periodic in one dimension",
	  "topomap schedule -c neighbor_alltoall -a linear -b 64KiB --stencil moore:1 "
	  "--cart 8x4 --periods 1,0 job.json",
	  NULL },
	{ "the traffic of a ring for SimGrid",
	  "topomap schedule -c allreduce -a ring -b 1MiB -f ti -o ring.ti job.json", NULL },
	{ NULL, NULL, NULL },
};

/* What the writers need. */
struct subject {
	struct tmap_call call;
	struct tmap_placement placement;
	struct tmap_metric metric;
	struct tmap_neighborhood neighborhood;
	struct tmap_collection collection; /* but of a folded text, which has only totals */
	struct tmap_schedule_totals totals;
	struct tmap_arrival arrival; /* size 0: there is nothing to say of it */
	char *algorithm;
	bool has_placement, fold;
	struct tmap_progress_line *line; /* until something is written */
};

static const struct tmap_arrival *arrival_of(const struct subject *it)
{
	return it->arrival.size ? &it->arrival : NULL;
}

static int write_text(FILE *out, const void *data, struct tmap_error *err)
{
	const struct subject *it = data;

	if (tmap_communicator_write_text(out, &it->placement, err) < 0)
		return -1;
	return it->fold ? tmap_text_write_folded(out, &it->call, it->algorithm, &it->totals,
						 arrival_of(it), err) :
			  tmap_text_write_schedule(out, &it->call, it->algorithm, &it->collection,
						   arrival_of(it), err);
}

static int write_json(FILE *out, const void *data, struct tmap_error *err)
{
	const struct subject *it = data;

	return tmap_json_write_schedule(out, &it->call, it->algorithm, &it->collection,
					arrival_of(it), err);
}

static int write_dot(FILE *out, const void *data, struct tmap_error *err)
{
	const struct subject *it = data;

	return tmap_dot_write_schedule(out, &it->call, it->algorithm, &it->collection,
				       it->has_placement ? &it->placement : NULL, err);
}

static const struct tmap_writers show = { write_text, write_json, write_dot };

static int write_csv(FILE *out, const struct subject *it, struct tmap_error *err)
{
	size_t count;
	struct tmap_collected_flow *flow = tmap_flows(&it->call, &count, err);
	int status;

	tmap_progress_line_fini(it->line);
	status = flow ? tmap_csv_write_flows(out, flow, count, err) : -1;
	free(flow);
	return status;
}

static int write_format(FILE *out, int format, const struct subject *it, struct tmap_error *err)
{
	return format == TMAP_FORMAT_CSV ? write_csv(out, it, err) :
		format == TMAP_FORMAT_TI ? tmap_ti_write(out, &it->call, &it->collection, err) :
					   tmap_goal_write(out, &it->call, &it->collection, err);
}

static int write_file(const char *path, int format, const struct subject *it,
		      struct tmap_error *err)
{
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, path, err);

	if (status == 0)
		status = write_format(out.file, format, it, err);
	return tmap_output_end(&out, status, err);
}

/* smpirun reads a list of traces: NAME, which names the trace, NAME.ranks. */
static int write_ti(const char *name, const struct subject *it, struct tmap_error *err)
{
	static const char *const ending[] = { "", ".ranks" };
	struct tmap_output out[2] = { 0 };
	char *trace = tmap_format(err, "%s%s", name, ending[1]);
	int status = trace ? tmap_outputs_init(out, 2, name, ending, err) : -1;

	if (status == 0)
		status = tmap_ti_write_list(out[0].file, trace, err);
	if (status == 0)
		status = write_format(out[1].file, TMAP_FORMAT_TI, it, err);
	status = tmap_outputs_end(out, 2, status, err);
	free(trace);
	return status;
}

static int read_ranks(struct subject *it, const struct schedule_args *args, struct tmap_error *err)
{
	it->call.size = args->ranks;
	if (args->ranks != TMAP_NONE && (args->comm || args->adapters))
		return tmap_fail(err, TMAP_USAGE, "--ranks and --%s cannot be combined",
				 args->comm ? "comm" : "adapters");
	if (args->ranks != TMAP_NONE)
		return strcmp(args->input, "-") == 0 ?
			0 :
			tmap_fail(err, TMAP_USAGE,
				  "--ranks replaces the placement: '%s' would not be read",
				  args->input);
	if (tmap_communicator_read(&it->placement, args->input, args->comm, args->adapters, err) <
	    0)
		return -1;
	it->has_placement = true;
	if (tmap_metric_init(&it->metric, &it->placement, TMAP_SCALE_PROCESS, err) < 0)
		return -1;
	it->call.size = it->placement.size;
	it->call.metric = &it->metric;
	return 0;
}

static int ask(struct subject *it, const struct schedule_args *args, struct tmap_error *err)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[args->collective];
	bool is_barrier = args->collective == TMAP_BARRIER;

	if (is_barrier && args->bytes != TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE, "a barrier has no --bytes");
	if (is_barrier && args->datatype)
		return tmap_fail(err, TMAP_USAGE, "a barrier has no --datatype");
	if (!is_barrier && args->bytes == TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE, "--bytes is missing");
	if (args->root && !row->has_root)
		return tmap_fail(err, TMAP_USAGE, "%s has no root", row->word.name);
	if (tmap_call_parse(&it->call, (enum tmap_collective)args->collective, args->algorithm,
			    err) < 0) {
		err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
		return tmap_wrap(err, "--algorithm");
	}
	it->call.bytes = is_barrier ? 0 : args->bytes;
	it->call.root = args->root;
	if (args->datatype &&
	    (tmap_datatype_parse(args->datatype, &it->call.element, err) < 0 ||
	     tmap_datatype_check(it->call.element, it->call.bytes, err) < 0))
		return tmap_wrap(err, "--datatype");
	return 0;
}

/* With the name of what is run: with the algorithms that "auto" stands for. */
static int check_call(struct subject *it, struct tmap_error *err)
{
	if (tmap_call_check(&it->call, err) < 0 ||
	    tmap_call_resolve(&it->call, &it->call.choice, err) < 0)
		return -1;
	it->algorithm = tmap_spec_print(&it->call.choice, err);
	return it->algorithm ? 0 : -1;
}

/* A picture has a point for each rank and round. */
static int check_picture(const struct subject *it, int format, struct tmap_error *err)
{
	int64_t points = it->call.size * (it->collection.rounds + 1);

	if ((format != TMAP_FORMAT_SVG && format != TMAP_FORMAT_PNG) || points <= TMAP_PICTURE_MOST)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "a picture of %d ranks and %lld rounds is more than Graphviz "
			 "can lay out (at most %d points): write the graph with -f dot",
			 it->call.size, (long long)it->collection.rounds, TMAP_PICTURE_MOST);
}

static int write(const struct subject *it, const struct schedule_args *args, struct tmap_error *err)
{
	if (args->format != TMAP_FORMAT_CSV) /* whose pairs are added up first */
		tmap_progress_line_fini(it->line);
	if (args->format == TMAP_FORMAT_TI && strcmp(args->output, "-") != 0)
		return write_ti(args->output, it, err);
	if (TMAP_REPORT_FORMATS & TMAP_KEYWORDS_BIT(args->format))
		return tmap_writers(&show, args->format, args->output, it, err);
	return write_file(args->output, args->format, it, err);
}

/* What the format is written from. */
static int collect(struct subject *it, int format, struct tmap_error *err)
{
	if (format == TMAP_FORMAT_CSV)
		return 0;
	return format == TMAP_FORMAT_TEXT && it->fold ?
		tmap_schedule_count(&it->totals, &it->call, err) :
		tmap_collection_init(&it->collection, &it->call, err);
}

static int run(const void *data, struct tmap_error *err)
{
	const struct schedule_args *args = data;
	struct tmap_progress_line line;
	struct subject it = { .line = &line };
	int status = -1;

	tmap_progress_line_start(&line, "topomap schedule");
	if (ask(&it, args, err) < 0 || read_ranks(&it, args, err) < 0 ||
	    tmap_grid_init(&it.neighborhood, &args->grid, (enum tmap_collective)args->collective,
			   it.call.size, err) < 0)
		goto out;
	if (it.neighborhood.size)
		it.call.neighborhood = &it.neighborhood;
	it.fold = args->fold == TMAP_FOLD_ALWAYS ||
		(args->fold == TMAP_FOLD_AUTO && it.call.size > MOST_TEXT);
	tmap_progress_begin(&line.progress, it.call.choice.row->word.name);
	if (check_call(&it, err) < 0 || collect(&it, args->format, err) < 0 ||
	    check_picture(&it, args->format, err) < 0 ||
	    (tmap_arrival_has(&it.call) && tmap_arrival_init(&it.arrival, &it.call, err) < 0))
		goto out;
	status = write(&it, args, err);
out:
	tmap_progress_line_fini(&line);
	tmap_collection_fini(&it.collection);
	tmap_arrival_fini(&it.arrival);
	tmap_neighborhood_fini(&it.neighborhood);
	tmap_metric_fini(&it.metric);
	tmap_placement_fini(&it.placement);
	free(it.algorithm);
	return status;
}

const struct tmap_command tmap_cmd_schedule = {
	.name = "schedule",
	.summary = "show the messages of one algorithm of a collective",
	.description =
		"Prints round by round which rank sends which blocks to which other rank. "
		"Where there are many ranks, equal messages are shown once. -f csv writes the "
		"communication matrix, -f ti and -f goal write traces for SimGrid and "
		"LogGOPSim.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct schedule_args),
	.examples = examples,
	.run = run,
};
