#include "cli/command.h"

#include "cli/job.h"
#include "cli/view.h"
#include "core/edges.h"
#include "core/ring.h"
#include "formats/dot_ring.h"
#include "formats/json_ring.h"
#include "formats/text_ring.h"

#include <stdlib.h>

struct ring_args {
	struct tm_job_args job;
	const char *output;
	int fold, format;
};

static const struct tm_opt operands[] = {
	{ TM_OPERAND_PLACEMENT(struct ring_args, job.input) },
	TM_OPT_END
};

static const struct tm_opt options[] = {
	TM_OPT_JOB(struct ring_args, job),
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
	{ NULL, NULL, NULL }
};

/* What the writers need. */
struct subject {
	struct tm_job job;
	const char *scale;
	struct tm_view view;
	struct tm_ring ring;
	double weight;
	struct tm_edge_count *edges;
	int edge_count;
};

static int write_text(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;

	return tm_text_write_ring(out, &it->view, &it->ring, it->weight, it->edges,
				  it->edge_count, err);
}

static int write_json(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;

	return tm_ring_write_json(&it->ring, it->scale, it->job.world, out, err);
}

static int write_dot(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;

	return tm_dot_write_ring(out, &it->view, &it->ring, it->weight, it->edges, it->edge_count,
				 err);
}

static const struct tm_show show = { write_text, write_json, write_dot };

static int build(struct subject *it, const struct ring_args *args, struct tm_error *err)
{
	if (tm_job_init(&it->job, &args->job, err) < 0)
		return -1;
	it->scale = tm_job_scale_name(&it->job, &args->job);
	it->view = (struct tm_view){
		.placement = &it->job.placement, .title = "Distance-aware allgather ring",
		.scale = tm_job_scale(&it->job, &args->job), .world = it->job.world };
	if (tm_job_ring(&it->ring, &it->job, err) < 0)
		return -1;
	return tm_ring_measure(&it->ring, &it->weight, &it->edges, &it->edge_count, err);
}

static int run(const void *data, struct tm_error *err)
{
	const struct ring_args *args = data;
	struct subject it = { 0 };
	int status = -1;

	if (build(&it, args, err) == 0 &&
	    tm_view_choose(&it.view, (enum tm_folding)args->fold, args->format, err) == 0)
		status = tm_show(&show, args->format, args->output, &it, err);
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
		"them; the strokes differ by distance in colour, width and dashes.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct ring_args),
	.examples = examples,
	.see_also = "topomap-tree(1), topomap-inspect(1), topomap(7), topomap-json(5), neato(1)",
	.run = run,
};
