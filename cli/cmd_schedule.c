#include "cli/base/command.h"

#include "cli/base/grid.h"
#include "cli/base/view.h"
#include "core/base/mem.h"
#include "core/schedule/collect.h"
#include "formats/report/schedule/dot_schedule.h"
#include "formats/base/file.h"
#include "formats/machine/json_placement.h"
#include "formats/report/schedule/json_schedule.h"
#include "formats/draw/picture.h"
#include "formats/report/schedule/text_schedule.h"
#include "formats/base/traces.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 64 };

struct schedule_args {
	const char *input, *output, *algorithm;
	int64_t bytes;
	int collective, root, ranks, format, fold;
	struct tm_grid_args grid;
};

static const struct tm_opt operands[] = {
	{ TM_OPERAND_PLACEMENT(struct schedule_args, input) },
	TM_OPT_END
};

static const struct tm_opt options[] = {
	{ TM_OPT_CHOICE(struct schedule_args, collective, 'c', "collective", "COLLECTIVE", NULL,
			&tm_collectives, TM_WORDS_ALL, "what the ranks do together"),
	  .required = true },
	{ TM_OPT_STRING(struct schedule_args, algorithm, 'a', "algorithm", "NAME[,KEY=VALUE]...",
			NULL, "how; topomap score lists the names"), .required = true },
	{ TM_OPT_SIZE(struct schedule_args, bytes, 'b', "bytes", "BYTES", NULL,
		      "the size that the MPI call names: of the block of a rank, or of the whole "
		      "vector where it is reduced or broadcast; a barrier has none") },
	{ TM_OPT_INT(struct schedule_args, root, 'r', "root", "RANK", "0", 0, INT_MAX,
		     "where data starts or ends") },
	TM_OPT_GRID(struct schedule_args, grid),
	{ TM_OPT_INT(struct schedule_args, ranks, 'n', "ranks", "P", NULL, 1, INT_MAX,
		     "so many ranks, wherever they sit: no placement is read") },
	{ TM_OPT_CHOICE(struct schedule_args, fold, 0, "fold", "WHEN", "auto", &tm_foldings,
			TM_WORDS_ALL, "say once what goes equally far, and rounds that are alike; "
			"auto is for texts of more than 64 ranks") },
	{ TM_OPT_FORMAT(struct schedule_args, format, "text",
			TM_SHOW_FORMATS | TM_FORMATS(CSV) | TM_FORMATS(TI) | TM_FORMATS(GOAL)) },
	{ TM_OPT_OUTPUT(struct schedule_args, output) },
	TM_OPT_END
};

static const struct tm_example examples[] = {
	{ "the messages of sparbit's allgather",
	  "topomap schedule -c allgather -a sparbit -b 64KiB job.json", NULL },
	{ "the example of its paper, five ranks", "topomap schedule -c allgather -a sparbit -b 1k "
	  "-n 5", NULL },
	{ "a picture of a broadcast, a column a round",
	  "topomap schedule -c bcast -a binomial_far -b 1MiB -f svg -o bcast.svg job.json", NULL },
	{ "who sends how much to whom, for a spreadsheet",
	  "topomap schedule -c allreduce -a ring -b 1MiB -f csv job.json", NULL },
	{ "a halo exchange in a grid of 8 x 4 ranks, periodic in one dimension",
	  "topomap schedule -c neighbor_alltoall -a linear -b 64KiB --stencil moore:1 "
	  "--cart 8x4 --periods 1,0 job.json", NULL },
	{ "the traffic of a ring for SimGrid",
	  "topomap schedule -c allreduce -a ring -b 1MiB -f ti -o ring.ti job.json",
	  NULL },
	{ NULL, NULL, NULL }
};

/* What the writers need. */
struct subject {
	struct tm_call call;
	struct tm_placement placement;
	struct tm_metric metric;
	struct tm_neighborhood neighborhood;
	struct tm_collection collection;
	struct tm_arrival arrival; /* size 0: there is nothing to say of it */
	char *algorithm;
	bool has_placement, fold;
};

static const struct tm_arrival *arrival_of(const struct subject *it)
{
	return it->arrival.size ? &it->arrival : NULL;
}

static int write_text(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;

	return tm_text_write_schedule(out, &it->call, it->algorithm, &it->collection,
				      arrival_of(it), it->fold, err);
}

static int write_json(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;

	return tm_json_write_schedule(out, &it->call, it->algorithm, &it->collection,
				      arrival_of(it), err);
}

static int write_dot(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;

	return tm_dot_write_schedule(out, &it->call, it->algorithm, &it->collection,
				     it->has_placement ? &it->placement : NULL, err);
}

static const struct tm_show show = { write_text, write_json, write_dot };

static int write_csv(FILE *out, const struct subject *it, struct tm_error *err)
{
	size_t count;
	struct tm_flow *flow = tm_flows(&it->call, &count, err);
	int status = flow ? tm_csv_write_flows(out, flow, count, err) : -1;

	free(flow);
	return status;
}

static int write_format(FILE *out, int format, const struct subject *it, struct tm_error *err)
{
	return format == TM_FORMAT_CSV ? write_csv(out, it, err) :
	       format == TM_FORMAT_TI ? tm_ti_write(out, &it->call, &it->collection, err) :
					tm_goal_write(out, &it->call, &it->collection, err);
}

static int write_file(const char *path, int format, const struct subject *it, struct tm_error *err)
{
	struct tm_output out = { 0 };
	int status = tm_output_init(&out, path, err);

	if (status == 0)
		status = write_format(out.file, format, it, err);
	if (status == 0)
		status = tm_output_commit(&out, err);
	tm_output_fini(&out);
	return status;
}

/* smpirun reads a list of traces: NAME, which names the trace, NAME.ranks. The list comes last,
 * so that it never names what is not there. */
static int write_ti(const char *name, const struct subject *it, struct tm_error *err)
{
	struct tm_output out = { 0 };
	char *trace = tm_format(err, "%s.ranks", name);
	int status = trace ? write_file(trace, TM_FORMAT_TI, it, err) : -1;

	if (status == 0)
		status = tm_output_init(&out, name, err);
	if (status == 0)
		status = tm_ti_write_list(out.file, trace, err);
	if (status == 0)
		status = tm_output_commit(&out, err);
	tm_output_fini(&out);
	free(trace);
	return status;
}

static int read_ranks(struct subject *it, const struct schedule_args *args, struct tm_error *err)
{
	it->call.size = args->ranks;
	if (args->ranks != TM_NONE)
		return strcmp(args->input, "-") == 0 ? 0 :
		       tm_fail(err, TM_USAGE, "--ranks stands for a placement: '%s' is not read",
			       args->input);
	if (tm_placement_read_json(&it->placement, args->input, err) < 0)
		return -1;
	it->has_placement = true;
	if (tm_metric_init(&it->metric, &it->placement, TM_SCALE_PROCESS, err) < 0)
		return -1;
	it->call.size = it->placement.size;
	it->call.metric = &it->metric;
	return 0;
}

static int ask(struct subject *it, const struct schedule_args *args, struct tm_error *err)
{
	const struct tm_collective_row *row = &tm_collective_rows[args->collective];
	bool is_barrier = args->collective == TM_BARRIER;

	if (is_barrier && args->bytes != TM_NONE)
		return tm_fail(err, TM_USAGE, "a barrier has no --bytes");
	if (!is_barrier && args->bytes == TM_NONE)
		return tm_fail(err, TM_USAGE, "--bytes is missing");
	if (args->root && !row->has_root)
		return tm_fail(err, TM_USAGE, "%s has no root", row->word.name);
	if (tm_call_parse(&it->call, (enum tm_collective)args->collective, args->algorithm,
			  err) < 0) {
		err->kind = err->kind == TM_INPUT ? TM_USAGE : err->kind;
		return tm_wrap(err, "--algorithm");
	}
	it->call.bytes = is_barrier ? 0 : args->bytes;
	it->call.root = args->root;
	it->algorithm = tm_choice_print(&it->call.choice, err);
	return it->algorithm ? 0 : -1;
}

/* A picture has a point for each rank and round. */
static int check_picture(const struct subject *it, int format, struct tm_error *err)
{
	int64_t points = it->call.size * (it->collection.rounds + 1);

	if ((format != TM_FORMAT_SVG && format != TM_FORMAT_PNG) || points <= TM_PICTURE_MOST)
		return 0;
	return tm_fail(err, TM_INPUT, "a picture of %d ranks and %lld rounds is more than Graphviz "
		       "can lay out (at most %d points): write the graph with -f dot",
		       it->call.size, (long long)it->collection.rounds, TM_PICTURE_MOST);
}

static int write(const struct subject *it, const struct schedule_args *args, struct tm_error *err)
{
	if (args->format == TM_FORMAT_TI && strcmp(args->output, "-") != 0)
		return write_ti(args->output, it, err);
	if (TM_SHOW_FORMATS & TM_WORDS_BIT(args->format))
		return tm_show(&show, args->format, args->output, it, err);
	return write_file(args->output, args->format, it, err);
}

static int run(const void *data, struct tm_error *err)
{
	const struct schedule_args *args = data;
	struct subject it = { 0 };
	int status = -1;

	if (ask(&it, args, err) < 0 || read_ranks(&it, args, err) < 0 ||
	    tm_grid_init(&it.neighborhood, &args->grid, (enum tm_collective)args->collective,
			 it.call.size, err) < 0)
		goto out;
	if (it.neighborhood.size)
		it.call.neighborhood = &it.neighborhood;
	if (tm_call_check(&it.call, err) < 0 ||
	    (args->format != TM_FORMAT_CSV &&
	     tm_collection_init(&it.collection, &it.call, err) < 0) ||
	    check_picture(&it, args->format, err) < 0 ||
	    (tm_arrival_has(&it.call) && tm_arrival_init(&it.arrival, &it.call, err) < 0))
		goto out;
	it.fold = args->fold == TM_FOLD_ALWAYS ||
		  (args->fold == TM_FOLD_AUTO && it.call.size > MOST_TEXT);
	status = write(&it, args, err);
out:
	tm_collection_fini(&it.collection);
	tm_arrival_fini(&it.arrival);
	tm_neighborhood_fini(&it.neighborhood);
	tm_metric_fini(&it.metric);
	tm_placement_fini(&it.placement);
	free(it.algorithm);
	return status;
}

const struct tm_command tm_cmd_schedule = {
	.name = "schedule",
	.summary = "show the messages of one algorithm of a collective",
	.description =
		"Prints who sends what to whom in each round of one algorithm of a collective "
		"operation on the ranks of a placement. In a round every rank sends from what it "
		"held when the round began.\n\n"
		"\"0 -> 4 {0 3}\" says that rank 0 sends the units 0 and 3 to rank 4. Units are the "
		"blocks of the ranks, or the pieces that the algorithm cuts a vector into; those of "
		"alltoall are written 2:5, what rank 2 has for rank 5; those of neighbor_alltoall "
		"2#0, what it has for its first neighbour. \"3-9/2\" is 3, 5, 7, 9. "
		"Where \"+>\" stands, the receiver reduces what comes into what it has. Empty "
		"units are not sent. Algorithms of several phases that cut a vector in different "
		"ways have its bytes for units.\n\n"
		"Where there are many ranks, messages that go equally far are said once, and so are "
		"rounds that follow each other and differ in their units only: \"r -> r + 4\" goes "
		"from every such rank to the one 4 further on, round the ranks.\n\n"
		"A gather up a hierarchy says in which order the blocks stand in the root's buffer, "
		"which is not that of the ranks where these do not follow the machine, and what it "
		"takes to tell the root whose they are: 4 bytes for each block in each message, or 8 "
		"for each run of consecutive ranks if all sort what they pass on; or nothing, once "
		"that was exchanged when a persistent gather was initialized.\n\n"
		"The table of -f csv has who sends how much to whom over all rounds. With -f ti -o "
		"NAME the trace is written to NAME.ranks and its name to NAME, which is what "
		"smpirun -replay reads; on standard output there is the trace alone. A rank of "
		"these traces begins a round when it is through with its own sends and receives of "
		"the round before, and reduces in no time. In pictures and graphs time goes from "
		"left to right, a column a round.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct schedule_args),
	.examples = examples,
	.see_also = "topomap-score(1), topomap(7), topomap-json(5), smpirun(1), dot(1)",
	.run = run,
};
