#include "cli/base/command.h"

#include "cli/base/structure.h"
#include "core/tree/tree.h"
#include "formats/report/tree/dot_tree.h"
#include "formats/report/tree/text_tree.h"

struct tree_args {
	struct tmap_structure_args shown;
	int root;
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_PLACEMENT(struct tree_args, shown.job.input) },
	TMAP_OPT_END,
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_INT(struct tree_args, root, 'r', "root", "RANK", "0", 0, INT_MAX,
		       "root of the tree") },
	TMAP_OPT_JOB(struct tree_args, shown.job),
	{ TMAP_OPT_STRING(struct tree_args, shown.job.merge, 0, "merge", "DISTANCES", NULL,
			  "merge these distances into one: \"1,2,3\"; auto: those whose "
			  "distinction "
			  "does not speed up a broadcast of --bytes") },
	TMAP_OPT_AGAINST(struct tree_args, shown.against, shown.job, "tree", "broadcast"),
	{ TMAP_OPT_SIZE(struct tree_args, shown.job.chunk, 0, "chunk", "SIZE", "0",
			"pipeline the broadcast in chunks of this size; 0: whole") },
	{ TMAP_OPT_ACCESSES(struct tree_args, shown.accesses) },
	{ TMAP_OPT_FOLD(struct tree_args, shown.fold) },
	{ TMAP_OPT_FORMAT(struct tree_args, shown.format, "text", TMAP_REPORT_FORMATS) },
	{ TMAP_OPT_OUTPUT(struct tree_args, shown.output) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "the tree of a job from rank 5", "topomap tree --root 5 job.json", NULL },
	{ "a picture of it", "topomap tree -f svg -o tree.svg job.json", NULL },
	{ "the tree of a job of 11 million ranks",
	  "topomap place 'node:43808 package:2 numa:2 l3:3 core:21' | topomap tree",
	  "it takes some seconds and a GB of memory" },
	{ "the tree of every second rank", "topomap tree --comm 0-30/2 job.json", NULL },
	{ "compare the tree with those of all libraries",
	  "topomap tree --against all --bytes 64KiB job.json", NULL },
	{ "a picture of it next to Open MPI's",
	  "topomap tree --against binomial_near -f svg -o both.svg job.json", NULL },
	{ "the tree for large messages, in which distances may be merged",
	  "topomap tree --merge auto --bytes 8MiB --chunk 64KiB job.json", NULL },
	{ NULL, NULL, NULL },
};

/* What the writers need. */
struct subject {
	struct tmap_structure exhibit;
	struct tmap_tree tree;
	struct tmap_tree_shape shape;
};

static int write_text(FILE *out, const void *data, struct tmap_error *err)
{
	const struct subject *it = data;
	int status = tmap_structure_write_tables(out, &it->exhibit, it->tree.root, err);

	if (status == 0)
		status = tmap_text_write_tree(out, &it->exhibit.view, &it->tree, &it->shape, err);
	return status < 0 ? -1 : tmap_structure_write_rest(out, &it->exhibit, err);
}

static int write_json(FILE *out, const void *data, struct tmap_error *err)
{
	const struct subject *it = data;
	const struct tmap_report report = tmap_structure_report(&it->exhibit);

	return tmap_tree_write_report(&it->tree, &report, it->exhibit.job.placement.machine, out,
				      err);
}

/* Ours, and beside it the one other that it is held against. */
static int write_dot(FILE *out, const void *data, struct tmap_error *err)
{
	const struct subject *it = data;
	const struct tmap_structure *exhibit = &it->exhibit;
	struct tmap_tree other = { 0 };
	const struct tmap_tree *const both[] = { &it->tree, &other };
	int count = tmap_structure_count_pictures(exhibit, "tree", err), status;

	if (count < 0 ||
	    (count == 2 &&
	     tmap_baseline_options_tree(&other, &exhibit->job, it->tree.root,
					exhibit->args->against.items[0], err) < 0))
		return -1;
	status = tmap_dot_write_trees(out, &exhibit->view, both, count,
				      tmap_structure_report(exhibit).versus, err);
	tmap_tree_fini(&other);
	return status;
}

static const struct tmap_writers show = { write_text, write_json, write_dot };

static int build(struct subject *it, const struct tree_args *args, struct tmap_error *err)
{
	struct tmap_structure *exhibit = &it->exhibit;

	if (tmap_structure_init(exhibit, &args->shown, args->root, "Distance-aware broadcast tree",
				err) < 0 ||
	    tmap_subject_tree(&it->tree, &exhibit->job, args->root, err) < 0 ||
	    tmap_tree_measure(&it->tree, &it->shape, err) < 0)
		return -1;
	return tmap_structure_account(exhibit, "distance_tree", &it->tree, NULL, err);
}

static int run(const void *data, struct tmap_error *err)
{
	struct subject it = { 0 };
	int status = build(&it, data, err);

	if (status == 0)
		status = tmap_structure_show(&it.exhibit, &show, &it, err);
	tmap_tree_shape_fini(&it.shape);
	tmap_tree_fini(&it.tree);
	tmap_structure_fini(&it.exhibit);
	return status;
}

const struct tmap_command tmap_cmd_tree = {
	.name = "tree",
	.summary = "show the distance-aware broadcast tree of a placement",
	.description =
		"The tree is the minimum spanning tree of the ranks under their process "
		"distance: as few messages as possible leave a cache, a memory controller, a "
		"package, a node or a switch (Ma, Herault, Bosilca, Dongarra). --against "
		"compares it with the trees of Open MPI, MPICH and UCC: edges at each "
		"distance, bytes across each level, and the predicted time of a broadcast of "
		"--bytes.",
	.operands = operands,
	.options = options,
	.args_size = sizeof(struct tree_args),
	.examples = examples,
	.run = run,
};
