#include "core/map/assignment.h"

#include "core/base/mem.h"
#include "core/map/packing.h"

#include <stdlib.h>

int tmap_assignment_init(struct tmap_assignment *seating, const struct tmap_slots *slots,
			 struct tmap_error *err)
{
	size_t count = (size_t)slots->seats->size;
	struct tmap_assignment made = { .slots = slots };

	made.slot_of = tmap_alloc_raw(count, sizeof *made.slot_of, err);
	made.at = tmap_alloc_raw(count, sizeof *made.at, err);
	if (!made.slot_of || !made.at) {
		tmap_assignment_fini(&made);
		return -1;
	}
	*seating = made;
	return 0;
}

void tmap_assignment_fini(struct tmap_assignment *seating)
{
	free(seating->slot_of);
	free(seating->at);
	*seating = (struct tmap_assignment){ 0 };
}

void tmap_assignment_set(struct tmap_assignment *seating, const int *slot_of)
{
	for (int i = 0; i < seating->slots->seats->size; i++) {
		seating->slot_of[i] = slot_of[i];
		seating->at[slot_of[i]] = i;
	}
}

void tmap_assignment_swap(struct tmap_assignment *seating, int a, int b)
{
	int slot = seating->slot_of[a];

	seating->slot_of[a] = seating->slot_of[b];
	seating->slot_of[b] = slot;
	seating->at[seating->slot_of[a]] = a;
	seating->at[seating->slot_of[b]] = b;
}

static bool is_fixed(const struct tmap_slots *slots, int who)
{
	return who < slots->rank_count && slots->fixed[who] != TMAP_NONE;
}

static int group_of(const struct tmap_slots *slots, int who)
{
	return who < slots->rank_count && slots->group ? slots->group[who] : TMAP_NONE;
}

bool tmap_assignment_may_swap(const struct tmap_slots *slots, int a, int slot_a, int b, int slot_b)
{
	if (is_fixed(slots, a) || is_fixed(slots, b))
		return false;
	if (group_of(slots, a) == TMAP_NONE && group_of(slots, b) == TMAP_NONE)
		return true;
	return slots->seats->node[slot_a] == slots->seats->node[slot_b];
}

/* The slots node by node: first[n] .. first[n + 1] of slot[]. */
struct by_node {
	int *first, *slot;
};

static int sort_slots(struct by_node *by, const struct tmap_placement *seats,
		      struct tmap_error *err)
{
	int nodes = seats->machine->node_count;

	by->first = tmap_alloc((size_t)nodes + 1, sizeof *by->first, err);
	by->slot = tmap_alloc_raw((size_t)seats->size, sizeof *by->slot, err);
	if (!by->first || !by->slot)
		return -1;
	for (int s = 0; s < seats->size; s++)
		by->first[seats->node[s] + 1]++;
	for (int n = 0; n < nodes; n++)
		by->first[n + 1] += by->first[n];
	for (int s = 0; s < seats->size; s++)
		by->slot[by->first[seats->node[s]]++] = s;
	for (int n = nodes; n > 0; n--)
		by->first[n] = by->first[n - 1];
	by->first[0] = 0;
	return 0;
}

/* Members that are elsewhere change places with those who do not belong on the group's node:
 * such there are, for there is room for all its members. */
static void gather(struct tmap_assignment *seating, const struct by_node *by, const int *node_of)
{
	const struct tmap_slots *slots = seating->slots;
	int *next = by->first; /* of each node: no slot before this one can be had */

	for (int r = 0; r < slots->rank_count; r++) {
		int group = group_of(slots, r), there;

		if (group == TMAP_NONE || is_fixed(slots, r) ||
		    slots->seats->node[seating->slot_of[r]] == node_of[group])
			continue;
		for (;; next[node_of[group]]++) {
			int its_group;

			there = seating->at[by->slot[next[node_of[group]]]];
			its_group = group_of(slots, there);
			if (!is_fixed(slots, there) &&
			    (its_group == TMAP_NONE || node_of[its_group] != node_of[group]))
				break;
		}
		tmap_assignment_swap(seating, r, there);
	}
}

int tmap_assignment_resolve(struct tmap_assignment *seating, struct tmap_error *err)
{
	const struct tmap_slots *slots = seating->slots;
	struct by_node by = { 0 };
	int *node_of, status = -1;

	for (int r = 0; r < slots->rank_count; r++)
		if (is_fixed(slots, r))
			tmap_assignment_swap(seating, r, seating->at[slots->fixed[r]]);
	if (!slots->group || slots->group_count == 0)
		return 0;
	node_of = tmap_packing(slots, seating->slot_of, err);
	if (node_of && sort_slots(&by, slots->seats, err) == 0) {
		gather(seating, &by, node_of);
		status = 0;
	}
	free(by.first);
	free(by.slot);
	free(node_of);
	return status;
}
