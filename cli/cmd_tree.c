#include "cli/command.h"

#include "cli/against.h"
#include "cli/view.h"
#include "core/trees/tree.h"
#include "formats/dot_tree.h"
#include "formats/json_versus.h"
#include "formats/text_accesses.h"
#include "formats/text_edges.h"
#include "formats/text_tree.h"
#include "formats/text_versus.h"

struct tree_args {
	struct tm_job_args job;
	struct tm_opt_list against;
	bool accesses;
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
	{ TM_OPT_STRING(struct tree_args, job.merge, 0, "merge", "DISTANCES", NULL,
			"take these distances as one: \"1,2,3\"; or auto, those that --bytes "
			"do not pay to tell apart") },
	TM_OPT_AGAINST(struct tree_args, against, job, "tree", "broadcast"),
	{ TM_OPT_SIZE(struct tree_args, job.chunk, 0, "chunk", "SIZE", "0",
		      "the broadcast goes in chunks of this size, one after the other; 0: whole") },
	{ TM_OPT_FLAG(struct tree_args, accesses, 0, "accesses",
		      "also what each memory controller is asked to read and write") },
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
	{ "what the libraries' trees amount to on this placement",
	  "topomap tree --against all --bytes 64KiB job.json", NULL },
	{ "a picture of it beside Open MPI's",
	  "topomap tree --against binomial_near -f svg -o both.svg job.json", NULL },
	{ "the tree for large messages, in which some distances may count as one",
	  "topomap tree --merge auto --bytes 8MiB --chunk 64KiB job.json", NULL },
	{ NULL, NULL, NULL }
};

/* What the writers need. */
struct subject {
	const struct tree_args *args;
	struct tm_job job;
	struct tm_view view;
	struct tm_against against;
	struct tm_tree tree;
	struct tm_tree_shape shape;
};

/* Is anything asked that needs an account of the tree? */
static bool is_accounted(const struct tree_args *args)
{
	return args->against.count || args->job.bytes != TM_NONE || args->accesses;
}

/* The tree itself, or, against others, the tables alone. */
static int write_main(FILE *out, const struct subject *it, struct tm_error *err)
{
	if (!it->args->against.count)
		return tm_text_write_tree(out, &it->view, &it->tree, &it->shape, err);
	if (tm_text_write_title(out, &it->view, it->tree.root, err) < 0)
		return -1;
	return tm_text_write_versus(out, &it->view, &it->against.versus, err);
}

static int write_text(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;
	const struct tree_args *args = it->args;

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

	return tm_tree_write_report(&it->tree, &report, it->job.placement.machine, out, err);
}

/* Ours, and beside it the one other that it is held against. */
static int write_dot(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;
	const struct tm_versus *versus = it->against.versus.count ? &it->against.versus : NULL;
	struct tm_tree other = { 0 };
	const struct tm_tree *const both[] = { &it->tree, &other };
	int count = versus ? versus->count : 1, status;

	if (count > 2)
		return tm_fail(err, TM_USAGE, "a picture shows one other tree, and --against names "
			       "%d", count - 1);
	if (count == 2 && tm_against_tree(&other, &it->job, it->args->root,
					 it->args->against.items[0],
					 err) < 0)
		return -1;
	status = tm_dot_write_trees(out, &it->view, both, count, versus, err);
	tm_tree_fini(&other);
	return status;
}

static const struct tm_show show = { write_text, write_json, write_dot };

static int build(struct subject *it, const struct tree_args *args, struct tm_error *err)
{
	if (tm_job_init(&it->job, &args->job, args->root, err) < 0)
		return -1;
	it->args = args;
	it->view = (struct tm_view){
		.placement = &it->job.placement, .title = "Distance-aware broadcast tree",
		.scale = tm_job_view_scale(&it->job, &args->job), .note = it->job.note,
		.world = it->job.world };
	if (tm_job_tree(&it->tree, &it->job, args->root, err) < 0 ||
	    tm_tree_measure(&it->tree, &it->shape, err) < 0)
		return -1;
	if (!is_accounted(args))
		return 0;
	return tm_against_init(&it->against, &it->job, &args->job, "distance_tree", &it->tree, NULL,
			       &args->against, err);
}

static int run(const void *data, struct tm_error *err)
{
	const struct tree_args *args = data;
	struct subject it = { 0 };
	int status = -1;

	if (build(&it, args, err) == 0 &&
	    tm_view_choose(&it.view, (enum tm_folding)args->fold, args->format, err) == 0)
		status = tm_show(&show, args->format, args->output, &it, err);
	tm_against_fini(&it.against);
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
		"by distance in colour, width and dashes.\n\n"
		"Against others, the tables say how many edges are at each distance, what crosses "
		"each level of the machine, and how long a broadcast of --bytes takes by a cost "
		"profile: the time is the longest of the critical path, the busiest memory "
		"controller and the busiest adapter. The distance-aware tree does as little far "
		"traffic as possible; it is not always the fastest, and the tables say so. Below "
		"them stands how each library is told to use its tree.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct tree_args),
	.examples = examples,
	.see_also = "topomap-ring(1), topomap-inspect(1), topomap(7), topomap-json(5), dot(1)",
	.run = run,
};
