/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/command.h"

#include "cli/base/structure.h"

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

static int run(const void *data, struct tmap_error *err)
{
	const struct tree_args *args = data;

	return tmap_structure_run(&args->shown, args->root, err);
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
