/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nodes of a leaf switch that do not follow one another:
 *
 *     ranks    0-7  8-15  16-23  24-31
 *     node     a1   b1    a2     b2         three steps from leaf to leaf, where one would do
 */
#include "core/lint/lint_rules.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"

#include <stdlib.h>

enum { LIST_MOST = 200 }; /* characters of a list of hosts that is read */

/* The leaves of the used nodes in the order of their ranks. */
struct walk {
	int *node; /* [nodes], each with ranks, in their order */
	int nodes;
	int *first;       /* [switches]: its first node in that order; TMAP_NONE: it has none */
	int steps, least; /* from leaf to leaf, and the fewest that there may be */
};

static void walk_fini(struct walk *walk)
{
	free(walk->node);
	free(walk->first);
}

/* The ranks of each node are contiguous. */
static int walk_init(struct walk *walk, const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_tier *leaves = &p->machine->tier[0];

	*walk = (struct walk){
		.node = tmap_alloc_raw((size_t)it->order.used_nodes, sizeof *walk->node, err),
		.first = tmap_alloc_raw((size_t)leaves->switch_count, sizeof *walk->first, err)
	};
	if (!walk->node || !walk->first) {
		walk_fini(walk);
		return -1;
	}
	for (int s = 0; s < leaves->switch_count; s++)
		walk->first[s] = TMAP_NONE;
	for (int r = 0; r < p->size; r++) {
		int node = p->node[r], leaf = leaves->switch_of[node];

		if (walk->nodes && walk->node[walk->nodes - 1] == node)
			continue;
		walk->steps += walk->nodes &&
			leaves->switch_of[walk->node[walk->nodes - 1]] != leaf;
		if (leaf != TMAP_NONE && walk->first[leaf] == TMAP_NONE) {
			walk->first[leaf] = walk->nodes;
			walk->least += walk->nodes > 0;
		}
		walk->node[walk->nodes++] = node;
	}
	return 0;
}

/* Leaves in the order of their first nodes, each with its nodes in their order; "" where that is long. */
static char *list_print(const struct walk *walk, const struct tmap_inspection *it,
			struct tmap_error *err)
{
	const struct tmap_machine *machine = it->placement->machine;
	const struct tmap_tier *leaves = &machine->tier[0];
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	struct tmap_str str = TMAP_STR_INIT;
	int status = 0;

	/* a list that may be read has few leaves */
	for (int i = 0; i < walk->nodes && walk->least < LIST_MOST && status == 0; i++) {
		int leaf = leaves->switch_of[walk->node[i]];

		for (int j = i; walk->first[leaf] == i && j < walk->nodes && status == 0; j++)
			if (leaves->switch_of[walk->node[j]] == leaf)
				status = tmap_hostlist_add(&list, machine->node_name[walk->node[j]],
							   err);
	}
	if (status == 0)
		tmap_hostlist_print(&list, &str);
	tmap_hostlist_fini(&list);
	if (status < 0 || str.length > LIST_MOST) {
		tmap_str_fini(&str);
		return status < 0 ? NULL : tmap_strdup("", err);
	}
	return tmap_str_take(&str, err);
}

static bool knows_all_leaves(const struct tmap_machine *machine)
{
	for (int n = 0; n < machine->node_count; n++)
		if (machine->tier[0].switch_of[n] == TMAP_NONE)
			return false;
	return true;
}

enum tmap_lint_answer tmap_lint_split_switches(struct tmap_finding *finding,
					       const struct tmap_inspection *it,
					       struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	struct walk walk;
	char *list, *what;

	if (!p->machine->tier_count && it->order.used_nodes > 1)
		return tmap_lint_skipped_take(finding,
					      tmap_strdup("the placement has no switches", err));
	/* else their order is another finding */
	if (it->order.used_nodes < 3 || !it->order.consecutive || !knows_all_leaves(p->machine))
		return TMAP_LINT_NOTHING;
	if (walk_init(&walk, it, err) < 0)
		return TMAP_LINT_FAILED;
	if (walk.steps == walk.least) {
		walk_fini(&walk);
		return TMAP_LINT_NOTHING;
	}
	tmap_lint_figure(finding, "steps", walk.steps);
	tmap_lint_figure(finding, "least_steps", walk.least);
	what = tmap_format(err,
			   "%d of %d steps from node to node go to another switch, where %d "
			   "would do",
			   walk.steps, walk.nodes - 1, walk.least);
	list = list_print(&walk, it, err);
	walk_fini(&walk);
	if (list)
		finding->fix = tmap_format(err, "list the hosts switch by switch%s%s",
					   *list ? ": " : "", list);
	free(list);
	if (!finding->fix || tmap_idset_add_range(&finding->ranks, 0, p->size - 1, err) < 0) {
		free(what);
		return TMAP_LINT_FAILED;
	}
	return tmap_lint_found_take(finding, what, err);
}
