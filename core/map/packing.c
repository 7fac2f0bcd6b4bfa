/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/packing.h"

#include "core/base/mem.h"

#include <stdlib.h>

enum { MOST_STEPS = 1000000 };

struct packing {
	/* what is given */
	const struct tmap_slots *slots;
	int nodes, groups;
	int *need;           /* [groups]: members that may still go anywhere */
	int *order;          /* [groups]: large ones first */
	int *first, *member; /* the ranks of each group */
	/* the result so far */
	int *node_of; /* [groups]: TMAP_NONE: not chosen yet */
	int *room;    /* [nodes]: slots that no rank must have and no group took */
	/* scratch */
	int *here;     /* [nodes]: members of one group, 0 in between */
	int64_t steps; /* of the search */
};

static void packing_fini(struct packing *k)
{
	free(k->room);
	free(k->need);
	free(k->node_of);
	free(k->order);
	free(k->first);
	free(k->member);
	free(k->here);
}

static int packing_init(struct packing *k, struct tmap_error *err)
{
	size_t nodes = (size_t)k->nodes, groups = (size_t)k->groups;

	k->room = tmap_alloc(nodes, sizeof *k->room, err);
	k->need = tmap_alloc(groups, sizeof *k->need, err);
	k->node_of = tmap_alloc_raw(groups, sizeof *k->node_of, err);
	k->order = tmap_alloc_raw(groups, sizeof *k->order, err);
	k->first = tmap_alloc(groups + 2, sizeof *k->first, err);
	k->member = tmap_alloc_raw((size_t)k->slots->rank_count, sizeof *k->member, err);
	k->here = tmap_alloc(nodes, sizeof *k->here, err);
	return k->room && k->need && k->node_of && k->order && k->first && k->member && k->here ?
		0 :
		-1;
}

static void packing_sort_members(struct packing *k)
{
	const struct tmap_slots *slots = k->slots;

	for (int r = 0; r < slots->rank_count; r++)
		if (slots->group[r] != TMAP_NONE)
			k->first[slots->group[r] + 2]++;
	for (int g = 0; g < k->groups; g++)
		k->first[g + 2] += k->first[g + 1];
	for (int r = 0; r < slots->rank_count; r++)
		if (slots->group[r] != TMAP_NONE)
			k->member[k->first[slots->group[r] + 1]++] = r;
}

/* Room and needs, and the nodes of groups that have a rank with a slot of its own. */
static void packing_count(struct packing *k)
{
	const struct tmap_slots *slots = k->slots;
	const int *node = slots->placement->node;

	for (int g = 0; g < k->groups; g++) {
		k->node_of[g] = TMAP_NONE;
		k->order[g] = g;
	}
	for (int s = 0; s < slots->placement->size; s++)
		k->room[node[s]]++;
	for (int r = 0; r < slots->rank_count; r++) {
		int group = slots->group[r];

		if (slots->fixed[r] == TMAP_NONE && group != TMAP_NONE)
			k->need[group]++;
		if (slots->fixed[r] == TMAP_NONE)
			continue;
		k->room[node[slots->fixed[r]]]--;
		if (group != TMAP_NONE)
			k->node_of[group] = node[slots->fixed[r]];
	}
	for (int g = 0; g < k->groups; g++)
		if (k->node_of[g] != TMAP_NONE)
			k->room[k->node_of[g]] -= k->need[g];
}

/* Those that have a node come first, then large ones. */
static int groups_by_need(const void *left, const void *right, void *data)
{
	const struct packing *k = data;
	int a = *(const int *)left, b = *(const int *)right;

	if ((k->node_of[a] == TMAP_NONE) != (k->node_of[b] == TMAP_NONE))
		return k->node_of[a] == TMAP_NONE ? 1 : -1;
	return k->need[a] != k->need[b] ? k->need[b] - k->need[a] : a - b;
}

/* The node with the least room that is enough; TMAP_NONE. */
static int node_best_fit(const struct packing *k, int need)
{
	int best = TMAP_NONE;

	for (int n = 0; n < k->nodes; n++)
		if (k->room[n] >= need && (best == TMAP_NONE || k->room[n] < k->room[best]))
			best = n;
	return best;
}

/* The node with room that most members of a group are on, else the best fit. */
static int node_favourite(struct packing *k, int group, const int *slot_of)
{
	const int *node = k->slots->placement->node;
	int best = TMAP_NONE;

	for (int i = k->first[group]; i < k->first[group + 1]; i++)
		k->here[node[slot_of[k->member[i]]]]++;
	for (int i = k->first[group]; i < k->first[group + 1]; i++) {
		int at = node[slot_of[k->member[i]]];

		if (k->room[at] >= k->need[group] &&
		    (best == TMAP_NONE || k->here[at] > k->here[best] ||
		     (k->here[at] == k->here[best] && at < best)))
			best = at;
	}
	for (int i = k->first[group]; i < k->first[group + 1]; i++)
		k->here[node[slot_of[k->member[i]]]] = 0;
	return best != TMAP_NONE ? best : node_best_fit(k, k->need[group]);
}

static void node_take(struct packing *k, int group, int node)
{
	k->node_of[group] = node;
	k->room[node] -= k->need[group];
}

static void node_give_back(struct packing *k, int group)
{
	k->room[k->node_of[group]] += k->need[group];
	k->node_of[group] = TMAP_NONE;
}

/* Each group to its favourite node; false, and none is placed, where one finds no room. */
static bool packing_greedy(struct packing *k, int begin, const int *slot_of)
{
	for (int i = begin; i < k->groups; i++) {
		int node = node_favourite(k, k->order[i], slot_of);

		if (node == TMAP_NONE) {
			while (--i >= begin)
				node_give_back(k, k->order[i]);
			return false;
		}
		node_take(k, k->order[i], node);
	}
	return true;
}

/* The next node after @p last to try: nodes with as much room as one that was tried are not. */
static int node_next(struct packing *k, int group, int last)
{
	for (int n = last + 1; n < k->nodes; n++) {
		bool is_new = k->room[n] >= k->need[group];

		for (int m = 0; is_new && m < n; m++, k->steps++)
			is_new = k->room[m] != k->room[n];
		k->steps++;
		if (is_new)
			return n;
	}
	return TMAP_NONE;
}

/* Depth first over the groups from @p begin on. */
static bool packing_backtrack(struct packing *k, int begin)
{
	int i = begin, last = TMAP_NONE;

	while (i < k->groups && k->steps < MOST_STEPS) {
		int node = node_next(k, k->order[i], last);

		if (node != TMAP_NONE) {
			node_take(k, k->order[i++], node);
			last = TMAP_NONE;
		} else if (i == begin) {
			return false;
		} else {
			last = k->node_of[k->order[--i]];
			node_give_back(k, k->order[i]);
		}
	}
	return i == k->groups;
}

static int packing_run(struct packing *k, const int *slot_of, struct tmap_error *err)
{
	int begin = 0;

	packing_sort_members(k);
	packing_count(k);
	qsort_r(k->order, (size_t)k->groups, sizeof *k->order, groups_by_need, k);
	while (begin < k->groups && k->node_of[k->order[begin]] != TMAP_NONE)
		begin++;
	for (int n = 0; n < k->nodes; n++)
		if (k->room[n] < 0)
			return tmap_fail(
				err, TMAP_INPUT,
				"node '%s' has not slots enough for the groups that must be "
				"there",
				k->slots->placement->machine->node_name[n]);
	if (!packing_greedy(k, begin, slot_of) && !packing_backtrack(k, begin))
		return tmap_fail(err, TMAP_INPUT,
				 "no way was found to keep each of %d groups of ranks on one node",
				 k->groups);
	return 0;
}

int *tmap_packing(const struct tmap_slots *slots, const int *slot_of, struct tmap_error *err)
{
	struct packing k = { .slots = slots,
			     .nodes = slots->placement->machine->node_count,
			     .groups = slots->group_count };
	int *node_of = NULL;

	if (packing_init(&k, err) == 0 && packing_run(&k, slot_of, err) == 0) {
		node_of = k.node_of;
		k.node_of = NULL;
	}
	packing_fini(&k);
	return node_of;
}
