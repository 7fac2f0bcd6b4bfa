/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/assignment.h"

#include "core/base/mem.h"
#include "core/map/packing.h"

#include <stdlib.h>

int tmap_assignment_init(struct tmap_assignment *assignment, const struct tmap_slots *slots,
			 struct tmap_error *err)
{
	size_t count = (size_t)slots->placement->size;
	struct tmap_assignment made = { .slots = slots };

	made.slot_of = tmap_alloc_raw(count, sizeof *made.slot_of, err);
	made.at = tmap_alloc_raw(count, sizeof *made.at, err);
	if (!made.slot_of || !made.at) {
		tmap_assignment_fini(&made);
		return -1;
	}
	*assignment = made;
	return 0;
}

void tmap_assignment_fini(struct tmap_assignment *assignment)
{
	free(assignment->slot_of);
	free(assignment->at);
	*assignment = (struct tmap_assignment){ 0 };
}

void tmap_assignment_set(struct tmap_assignment *assignment, const int *slot_of)
{
	for (int i = 0; i < assignment->slots->placement->size; i++) {
		assignment->slot_of[i] = slot_of[i];
		assignment->at[slot_of[i]] = i;
	}
}

void tmap_assignment_swap(struct tmap_assignment *assignment, int a, int b)
{
	int slot = assignment->slot_of[a];

	assignment->slot_of[a] = assignment->slot_of[b];
	assignment->slot_of[b] = slot;
	assignment->at[assignment->slot_of[a]] = a;
	assignment->at[assignment->slot_of[b]] = b;
}

static bool slots_is_fixed(const struct tmap_slots *slots, int rank)
{
	return rank < slots->rank_count && slots->fixed[rank] != TMAP_NONE;
}

static int slots_group(const struct tmap_slots *slots, int rank)
{
	return rank < slots->rank_count && slots->group ? slots->group[rank] : TMAP_NONE;
}

bool tmap_assignment_may_swap(const struct tmap_slots *slots, int a, int slot_a, int b, int slot_b)
{
	if (slots_is_fixed(slots, a) || slots_is_fixed(slots, b))
		return false;
	if (slots_group(slots, a) == TMAP_NONE && slots_group(slots, b) == TMAP_NONE)
		return true;
	return slots->placement->node[slot_a] == slots->placement->node[slot_b];
}

/* The slots node by node: first[n] .. first[n + 1] of slot[]. */
struct slots_by_node {
	int *first, *slot;
};

static int slots_sort_by_node(struct slots_by_node *by, const struct tmap_placement *placement,
			      struct tmap_error *err)
{
	int nodes = placement->machine->node_count;

	by->first = tmap_alloc((size_t)nodes + 1, sizeof *by->first, err);
	by->slot = tmap_alloc_raw((size_t)placement->size, sizeof *by->slot, err);
	if (!by->first || !by->slot)
		return -1;
	for (int s = 0; s < placement->size; s++)
		by->first[placement->node[s] + 1]++;
	for (int n = 0; n < nodes; n++)
		by->first[n + 1] += by->first[n];
	for (int s = 0; s < placement->size; s++)
		by->slot[by->first[placement->node[s]]++] = s;
	for (int n = nodes; n > 0; n--)
		by->first[n] = by->first[n - 1];
	by->first[0] = 0;
	return 0;
}

/* Members that are elsewhere change places with those rank do not belong on the group's node:
 * such there are, for there is room for all its members. */
static void groups_gather(struct tmap_assignment *assignment, const struct slots_by_node *by,
			  const int *node_of)
{
	const struct tmap_slots *slots = assignment->slots;
	int *next = by->first; /* of each node: no slot before this one can be had */

	for (int r = 0; r < slots->rank_count; r++) {
		int group = slots_group(slots, r), there;

		if (group == TMAP_NONE || slots_is_fixed(slots, r) ||
		    slots->placement->node[assignment->slot_of[r]] == node_of[group])
			continue;
		for (;; next[node_of[group]]++) {
			int its_group;

			there = assignment->at[by->slot[next[node_of[group]]]];
			its_group = slots_group(slots, there);
			if (!slots_is_fixed(slots, there) &&
			    (its_group == TMAP_NONE || node_of[its_group] != node_of[group]))
				break;
		}
		tmap_assignment_swap(assignment, r, there);
	}
}

int tmap_assignment_resolve(struct tmap_assignment *assignment, struct tmap_error *err)
{
	const struct tmap_slots *slots = assignment->slots;
	struct slots_by_node by = { 0 };
	int *node_of, status = -1;

	for (int r = 0; r < slots->rank_count; r++)
		if (slots_is_fixed(slots, r))
			tmap_assignment_swap(assignment, r, assignment->at[slots->fixed[r]]);
	if (!slots->group || slots->group_count == 0)
		return 0;
	node_of = tmap_packing(slots, assignment->slot_of, err);
	if (node_of && slots_sort_by_node(&by, slots->placement, err) == 0) {
		groups_gather(assignment, &by, node_of);
		status = 0;
	}
	free(by.first);
	free(by.slot);
	free(node_of);
	return status;
}
