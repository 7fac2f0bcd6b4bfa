#include "cli/command.h"

#include "cli/against.h"
#include "cli/view.h"
#include "core/trees/edges.h"
#include "core/trees/ring.h"
#include "formats/dot_ring.h"
#include "formats/json_versus.h"
#include "formats/text_accesses.h"
#include "formats/text_edges.h"
#include "formats/text_ring.h"
#include "formats/text_versus.h"

#include <stdlib.h>

struct ring_args {
	struct tm_job_args job;
	struct tm_opt_list against;
	bool accesses;
	const char *output;
	int fold, format;
};

static const struct tm_opt operands[] = {
	{ TM_OPERAND_PLACEMENT(struct ring_args, job.input) },
	TM_OPT_END
};

static const struct tm_opt options[] = {
	TM_OPT_JOB(struct ring_args, job),
	{ TM_OPT_STRING(struct ring_args, job.merge, 0, "merge", "DISTANCES", NULL,
			"take these distances as one: \"1,2,3\"") },
	TM_OPT_AGAINST(struct ring_args, against, job, "ring", "block that each rank gives"),
	{ TM_OPT_FLAG(struct ring_args, accesses, 0, "accesses",
		      "also what each memory controller is asked to read and write") },
	{ TM_OPT_FOLD(struct ring_args, fold) },
	{ TM_OPT_FORMAT(struct ring_args, format, "text", TM_SHOW_FORMATS) },
	{ TM_OPT_OUTPUT(struct ring_args, output) },
	TM_OPT_END
};

static const struct tm_example examples[] = {
	{ "the ring of a job", "topomap ring job.json", NULL },
	{ "a picture of it", "topomap ring -f svg -o ring.svg job.json", NULL },
	{ "its order for a script", "topomap ring -f json <job.json", NULL },
	{ "the ring of a sub-communicator", "topomap ring --ranks 8-15,0-7 job.json", NULL },
	{ "the ring beside those of the libraries, with the memory they use",
	  "topomap ring --against all --bytes 64KiB --accesses job.json", NULL },
	{ NULL, NULL, NULL }
};

/* What the writers need. */
struct subject {
	const struct ring_args *args;
	struct tm_job job;
	struct tm_view view;
	struct tm_against against;
	struct tm_ring ring;
	double weight;
	struct tm_edge_count *edges;
	int edge_count;
};

/* Is anything asked that needs an account of the ring? */
static bool is_accounted(const struct ring_args *args)
{
	return args->against.count || args->job.bytes != TM_NONE || args->accesses;
}

/* The ring itself, or, against others, the tables alone. */
static int write_main(FILE *out, const struct subject *it, struct tm_error *err)
{
	if (!it->args->against.count)
		return tm_text_write_ring(out, &it->view, &it->ring, it->weight, it->edges,
				 it->edge_count, err);
	if (tm_text_write_title(out, &it->view, TM_NONE, err) < 0)
		return -1;
	return tm_text_write_versus(out, &it->view, &it->against.versus, err);
}

static int write_text(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;
	const struct ring_args *args = it->args;

	if (write_main(out, it, err) < 0)
		return -1;
	if (!args->against.count && args->job.bytes != TM_NONE &&
	    tm_text_write_costs(out, &it->against.versus, err) < 0)
		return -1;
	return args->accesses ?
	       tm_text_write_accesses(out, &it->against.versus.row[0].account.accesses,
				      it->job.placement.machine, err) : 0;
}

static int write_json(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;
	const struct tm_report report = {
		.scale = tm_job_scale_name(&it->job, &it->args->job), .world = it->job.world,
		.versus = it->against.versus.count ? &it->against.versus : NULL,
		.has_accesses = it->args->accesses, .note = it->view.note };

	return tm_ring_write_report(&it->ring, &report, it->job.placement.machine, out, err);
}

/* Ours, and beside it the one other that it is held against. */
static int write_dot(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;
	const struct tm_versus *versus = it->against.versus.count ? &it->against.versus : NULL;
	struct tm_ring other = { 0 };
	const struct tm_ring *const both[] = { &it->ring, &other };
	int count = versus ? versus->count : 1, status;

	if (count > 2)
		return tm_fail(err, TM_USAGE, "a picture shows one other ring, and --against names "
			       "%d", count - 1);
	if (count == 2 && tm_against_ring(&other, &it->job, it->args->against.items[0],
					 err) < 0)
		return -1;
	status = tm_dot_write_rings(out, &it->view, both, count, versus, err);
	tm_ring_fini(&other);
	return status;
}

static const struct tm_show show = { write_text, write_json, write_dot };

static int build(struct subject *it, const struct ring_args *args, struct tm_error *err)
{
	if (tm_job_init(&it->job, &args->job, TM_NONE, err) < 0)
		return -1;
	it->args = args;
	it->view = (struct tm_view){
		.placement = &it->job.placement, .title = "Distance-aware allgather ring",
		.scale = tm_job_view_scale(&it->job, &args->job), .note = it->job.note,
		.world = it->job.world };
	if (tm_job_ring(&it->ring, &it->job, err) < 0 ||
	    tm_ring_measure(&it->ring, &it->weight, &it->edges, &it->edge_count, err) < 0)
		return -1;
	if (!is_accounted(args))
		return 0;
	return tm_against_init(&it->against, &it->job, &args->job, "distance_ring", NULL, &it->ring,
			       &args->against, err);
}

static int run(const void *data, struct tm_error *err)
{
	const struct ring_args *args = data;
	struct subject it = { 0 };
	int status = -1;

	if (build(&it, args, err) == 0 &&
	    tm_view_choose(&it.view, (enum tm_folding)args->fold, args->format, err) == 0)
		status = tm_show(&show, args->format, args->output, &it, err);
	tm_against_fini(&it.against);
	free(it.edges);
	tm_ring_fini(&it.ring);
	tm_job_fini(&it.job);
	return status;
}

const struct tm_command tm_cmd_ring = {
	.name = "ring",
	.summary = "show the allgather ring that fits a placement",
	.description =
		"Prints the allgather ring of Ma, Herault, Bosilca and Dongarra (\"Process "
		"Distance-aware Adaptive MPI Collective Communications\"): edges are taken in the "
		"order of their distance until they close, so the ring crosses every border the "
		"least possible number of times. It starts at rank 0 and goes first to the smaller "
		"of rank 0's two neighbours.\n\n"
		"The text has a line for each stretch of the ring on one node, with the distance of "
		"each step between the ranks. Where there are many ranks it says equal things once: "
		"\"250 -1- 248 .. 2\" goes on in equal steps at equal distances, and \"2 more like "
		"n1: n3, n2\" stands for two more stretches of the same shape.\n\n"
		"In pictures and graphs the ranks stand on a circle; their switch, node, board, "
		"package and memory controller, as far as these tell anything, are sectors around "
		"them; the strokes differ by distance in colour, width and dashes.\n\n"
		"Against others, the tables say how many steps are at each distance, what crosses "
		"each level of the machine, and how long an allgather of --bytes a rank takes by a "
		"cost profile: all wait for the slowest step as many times as there are other ranks, "
		"unless the busiest memory controller or adapter takes longer. Below them stands how "
		"each library is told to use its ring.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct ring_args),
	.examples = examples,
	.see_also = "topomap-tree(1), topomap-inspect(1), topomap(7), topomap-json(5), neato(1)",
	.run = run,
};
