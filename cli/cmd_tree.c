#include "cli/base/command.h"

#include "cli/base/exhibit.h"
#include "core/tree/tree.h"
#include "formats/report/tree/dot_tree.h"
#include "formats/report/tree/text_tree.h"

struct tree_args {
	struct tm_exhibit_args shown;
	int root;
};

static const struct tm_opt operands[] = {
	{ TM_OPERAND_PLACEMENT(struct tree_args, shown.job.input) },
	TM_OPT_END
};

static const struct tm_opt options[] = {
	{ TM_OPT_INT(struct tree_args, root, 'r', "root", "RANK", "0", 0, INT_MAX,
		     "rank that the tree starts from") },
	TM_OPT_JOB(struct tree_args, shown.job),
	{ TM_OPT_STRING(struct tree_args, shown.job.merge, 0, "merge", "DISTANCES", NULL,
			"take these distances as one: \"1,2,3\"; or auto, those that --bytes "
			"do not pay to tell apart") },
	TM_OPT_AGAINST(struct tree_args, shown.against, shown.job, "tree", "broadcast"),
	{ TM_OPT_SIZE(struct tree_args, shown.job.chunk, 0, "chunk", "SIZE", "0",
		      "the broadcast goes in chunks of this size, one after the other; 0: whole") },
	{ TM_OPT_FLAG(struct tree_args, shown.accesses, 0, "accesses",
		      "also what each memory controller is asked to read and write") },
	{ TM_OPT_FOLD(struct tree_args, shown.fold) },
	{ TM_OPT_FORMAT(struct tree_args, shown.format, "text", TM_SHOW_FORMATS) },
	{ TM_OPT_OUTPUT(struct tree_args, shown.output) },
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
	struct tm_exhibit exhibit;
	struct tm_tree tree;
	struct tm_tree_shape shape;
};

static int write_text(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;
	int status = tm_exhibit_write_tables(out, &it->exhibit, it->tree.root, err);

	if (status == 0)
		status = tm_text_write_tree(out, &it->exhibit.view, &it->tree, &it->shape, err);
	return status < 0 ? -1 : tm_exhibit_write_rest(out, &it->exhibit, err);
}

static int write_json(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;
	const struct tm_report report = tm_exhibit_report(&it->exhibit);

	return tm_tree_write_report(&it->tree, &report, it->exhibit.job.placement.machine, out,
				    err);
}

/* Ours, and beside it the one other that it is held against. */
static int write_dot(FILE *out, const void *data, struct tm_error *err)
{
	const struct subject *it = data;
	const struct tm_exhibit *exhibit = &it->exhibit;
	struct tm_tree other = { 0 };
	const struct tm_tree *const both[] = { &it->tree, &other };
	int count = tm_exhibit_count_pictures(exhibit, "tree", err), status;

	if (count < 0 || (count == 2 && tm_against_tree(&other, &exhibit->job, it->tree.root,
							exhibit->args->against.items[0], err) < 0))
		return -1;
	status = tm_dot_write_trees(out, &exhibit->view, both, count,
				    tm_exhibit_report(exhibit).versus, err);
	tm_tree_fini(&other);
	return status;
}

static const struct tm_show show = { write_text, write_json, write_dot };

static int build(struct subject *it, const struct tree_args *args, struct tm_error *err)
{
	struct tm_exhibit *exhibit = &it->exhibit;

	if (tm_exhibit_init(exhibit, &args->shown, args->root, "Distance-aware broadcast tree",
			    err) < 0 ||
	    tm_job_tree(&it->tree, &exhibit->job, args->root, err) < 0 ||
	    tm_tree_measure(&it->tree, &it->shape, err) < 0)
		return -1;
	return tm_exhibit_account(exhibit, "distance_tree", &it->tree, NULL, err);
}

static int run(const void *data, struct tm_error *err)
{
	struct subject it = { 0 };
	int status = build(&it, data, err);

	if (status == 0)
		status = tm_exhibit_show(&it.exhibit, &show, &it, err);
	tm_tree_shape_fini(&it.shape);
	tm_tree_fini(&it.tree);
	tm_exhibit_fini(&it.exhibit);
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
