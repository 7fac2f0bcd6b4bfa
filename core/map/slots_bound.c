/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/slots.h"

#include "core/base/mem.h"

#include <stdlib.h>

static int slot_node(const struct tmap_slots *slots, int slot)
{
	return slots->placement->node[slot];
}

static const char *slot_node_name(const struct tmap_slots *slots, int node)
{
	return slots->placement->machine->node_name[node];
}

static int slots_check_rank(const struct tmap_slots *slots, int rank, struct tmap_error *err)
{
	if (rank < 0 || rank >= slots->rank_count)
		return tmap_fail(err, TMAP_INPUT, "rank %d is not one of the %d ranks", rank,
				 slots->rank_count);
	return 0;
}

int tmap_slots_pin(struct tmap_slots *slots, int rank, int slot, struct tmap_error *err)
{
	if (slots_check_rank(slots, rank, err) < 0)
		return -1;
	if (slot < 0 || slot >= slots->placement->size)
		return tmap_fail(err, TMAP_INPUT, "slot %d is not one of the %d slots", slot,
				 slots->placement->size);
	if (slots->fixed[rank] != TMAP_NONE && slots->fixed[rank] != slot)
		return tmap_fail(err, TMAP_INPUT, "rank %d is pinned to slots %d and %d", rank,
				 slots->fixed[rank], slot);
	slots->fixed[rank] = slot;
	return 0;
}

int tmap_slots_join(struct tmap_slots *slots, const struct tmap_idset *ranks,
		    struct tmap_error *err)
{
	if (!slots->group) { /* the first group */
		slots->group = tmap_alloc_raw((size_t)slots->rank_count, sizeof *slots->group, err);
		if (!slots->group)
			return -1;
		for (int r = 0; r < slots->rank_count; r++)
			slots->group[r] = TMAP_NONE;
	}
	for (int r = tmap_idset_next(ranks, TMAP_NONE); r != TMAP_NONE;
	     r = tmap_idset_next(ranks, r)) {
		if (slots_check_rank(slots, r, err) < 0)
			return -1;
		if (slots->group[r] != TMAP_NONE)
			return tmap_fail(err, TMAP_INPUT,
					 "rank %d is in two groups of ranks that must "
					 "be together",
					 r);
		slots->group[r] = slots->group_count;
	}
	slots->group_count++;
	return 0;
}

static int slots_check_pins(const struct tmap_slots *slots, struct tmap_error *err)
{
	int *rank = tmap_alloc_raw((size_t)slots->placement->size, sizeof *rank, err), status = 0;

	for (int s = 0; rank && s < slots->placement->size; s++)
		rank[s] = TMAP_NONE;
	for (int r = 0; rank && r < slots->rank_count && status == 0; r++) {
		int *owner = slots->fixed[r] == TMAP_NONE ? NULL : &rank[slots->fixed[r]];

		if (owner && *owner != TMAP_NONE)
			status = tmap_fail(err, TMAP_INPUT,
					   "ranks %d and %d are both pinned to slot %d", *owner, r,
					   slots->fixed[r]);
		else if (owner)
			*owner = r;
	}
	free(rank);
	return rank ? status : -1;
}

/* Each group must fit on some node. */
static int slots_check_sizes(const struct tmap_slots *slots, struct tmap_error *err)
{
	int *size = tmap_alloc((size_t)slots->group_count, sizeof *size, err);
	int *on_node = tmap_placement_count_ranks(slots->placement, err);
	int most = 0, status = size && on_node ? 0 : -1;

	for (int n = 0; status == 0 && n < slots->placement->machine->node_count; n++)
		most = on_node[n] > most ? on_node[n] : most;
	for (int r = 0; status == 0 && r < slots->rank_count; r++)
		if (slots->group[r] != TMAP_NONE)
			size[slots->group[r]]++;
	for (int g = 0; g < slots->group_count && status == 0; g++)
		if (size[g] > most)
			status = tmap_fail(err, TMAP_INPUT,
					   "%d ranks cannot be together: no node has "
					   "more than %d slots",
					   size[g], most);
	free(size);
	free(on_node);
	return status;
}

/* The ranks of a group that have a slot must have it on one node. */
static int slots_check_groups(const struct tmap_slots *slots, const int *slot_of,
			      struct tmap_error *err)
{
	int *rank = tmap_alloc_raw((size_t)slots->group_count, sizeof *rank, err), status = 0;

	for (int g = 0; rank && g < slots->group_count; g++)
		rank[g] = TMAP_NONE;
	for (int r = 0; rank && r < slots->rank_count && status == 0; r++) {
		int *first = slots->group[r] == TMAP_NONE || slot_of[r] == TMAP_NONE ?
			NULL :
			&rank[slots->group[r]];

		if (!first)
			continue;
		if (*first == TMAP_NONE)
			*first = r;
		if (slot_node(slots, slot_of[*first]) != slot_node(slots, slot_of[r]))
			status = tmap_fail(err, TMAP_INPUT,
					   "ranks %d and %d must be together, but are on "
					   "%s and %s",
					   *first, r,
					   slot_node_name(slots, slot_node(slots, slot_of[*first])),
					   slot_node_name(slots, slot_node(slots, slot_of[r])));
	}
	free(rank);
	return rank ? status : -1;
}

int tmap_slots_resolve(const struct tmap_slots *slots, struct tmap_error *err)
{
	if (slots_check_pins(slots, err) < 0)
		return -1;
	if (!slots->group)
		return 0;
	return slots_check_sizes(slots, err) < 0 ? -1 :
						   slots_check_groups(slots, slots->fixed, err);
}

int tmap_slots_on_node(const struct tmap_slots *slots, int node, int index)
{
	for (int s = 0; s < slots->placement->size; s++)
		if (slot_node(slots, s) == node && index-- == 0)
			return s;
	return TMAP_NONE;
}

int tmap_slots_check(const struct tmap_slots *slots, const int *slot_of, struct tmap_error *err)
{
	bool *taken = tmap_alloc((size_t)slots->placement->size, sizeof *taken, err);
	int status = taken ? 0 : -1;

	for (int r = 0; r < slots->rank_count && status == 0; r++) {
		int slot = slot_of[r];

		if (slot < 0 || slot >= slots->placement->size || taken[slot])
			status = tmap_fail(err, TMAP_INPUT,
					   "rank %d has slot %d, which is another's or "
					   "none",
					   r, slot);
		else if (slots->fixed[r] != TMAP_NONE && slots->fixed[r] != slot)
			status = tmap_fail(err, TMAP_INPUT, "rank %d has slot %d, but must have %d",
					   r, slot, slots->fixed[r]);
		else
			taken[slot] = true;
	}
	free(taken);
	return status == 0 && slots->group ? slots_check_groups(slots, slot_of, err) : status;
}
