#include "cli/command.h"

#include "cli/job.h"
#include "cli/view.h"
#include "core/tree.h"
#include "formats/dot_tree.h"
#include "formats/json_tree.h"
#include "formats/text_tree.h"

struct tree_args {
	struct tm_job_args job;
	const char *output;
	int root, fold, format;
};

static const struct tm_opt operands[] = {
	{ TM_OPERAND_PLACEMENT(struct tree_args, job.input) },
	TM_OPT_END
};

static const struct tm_opt options[] = {
	{ TM_OPT_INT(struct tree_args, root, 'r', "root", "RANK", "0", 0, INT_MAX,
		     "rank that the tree starts from") },
	TM_OPT_JOB(struct tree_args, job),
	{ TM_OPT_FOLD(struct tree_args, fold) },
	{ TM_OPT_FORMAT(struct tree_args, format, "text", TM_SHOW_FORMATS) },
	{ TM_OPT_OUTPUT(struct tree_args, output) },
	TM_OPT_END
};

static const struct tm_example examples[] = {
	{ "the tree of a job from rank 5", "topomap tree --root 5 job.json", NULL },
	{ "a picture of it", "topomap tree -f svg -o tree.svg job.json", NULL },
	{ "the tree of a job of 11 million ranks that does not run",
	  "topomap place 'node:43808 package:2 numa:2 l3:3 core:21' | topomap tree",
	  "it takes some seconds and a GB of memory" },
	{ "the tree of a sub-communicator of every second rank",
	  "topomap tree --ranks 0-30/2 job.json", NULL },
	{ NULL, NULL, NULL }
};

/* What the writers need. */
struct subject {
	struct tm_job job;
	const char *scale;
	struct tm_view view;
	struct tm_tree tree;
	struct tm_tree_shape shape;
};

static int write_text(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;

	return tm_text_write_tree(out, &it->view, &it->tree, &it->shape, err);
}

static int write_json(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;

	return tm_tree_write_json(&it->tree, it->scale, it->job.world, out, err);
}

static int write_dot(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;

	return tm_dot_write_tree(out, &it->view, &it->tree, &it->shape, err);
}

static const struct tm_show show = { write_text, write_json, write_dot };

static int build(struct subject *it, const struct tree_args *args, struct tm_error *err)
{
	if (tm_job_init(&it->job, &args->job, err) < 0)
		return -1;
	it->scale = tm_job_scale_name(&it->job, &args->job);
	it->view = (struct tm_view){
		.placement = &it->job.placement, .title = "Distance-aware broadcast tree",
		.scale = tm_job_scale(&it->job, &args->job), .world = it->job.world };
	if (tm_job_tree(&it->tree, &it->job, args->root, err) < 0)
		return -1;
	return tm_tree_measure(&it->tree, &it->shape, err);
}

static int run(const void *data, struct tm_error *err)
{
	const struct tree_args *args = data;
	struct subject it = { 0 };
	int status = -1;

	if (build(&it, args, err) == 0 &&
	    tm_view_choose(&it.view, (enum tm_folding)args->fold, args->format, err) == 0)
		status = tm_show(&show, args->format, args->output, &it, err);
	tm_tree_shape_fini(&it.shape);
	tm_tree_fini(&it.tree);
	tm_job_fini(&it.job);
	return status;
}

const struct tm_command tm_cmd_tree = {
	.name = "tree",
	.summary = "show the broadcast tree that fits a placement",
	.description =
		"Prints the broadcast tree of Ma, Herault, Bosilca and Dongarra (\"Process "
		"Distance-aware Adaptive MPI Collective Communications\"): the minimum spanning "
		"tree of the ranks under their distance, in which as few messages as possible "
		"leave a cache, a memory controller, a package, a board, a node or a switch.\n\n"
		"The text shows every rank under the one that it receives from. Where there are "
		"many ranks it says equal things once: \"3 like 8: 16, 24, 32\" stands for three "
		"subtrees that are shaped as that of rank 8 is, on nodes of the same kind.\n\n"
		"In pictures and graphs, ranks are framed by their switch, node, board, package "
		"and memory controller, as far as these tell anything; the strokes of edges differ "
		"by distance in colour, width and dashes.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct tree_args),
	.examples = examples,
	.see_also = "topomap-ring(1), topomap-inspect(1), topomap(7), topomap-json(5), dot(1)",
	.run = run,
};
