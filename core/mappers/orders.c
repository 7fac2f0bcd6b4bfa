/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/rows.h"

#include "core/base/mem.h"
#include "core/mappers/walk.h"

#include <stdio.h>
#include <stdlib.h>

/* Ranks without a slot take those that are left, in order. */
static void slots_fill_rest(int *slot_of, bool *taken, const struct tmap_search *search)
{
	int next = 0;

	for (int i = 0; i < search->count; i++) {
		if (slot_of[i] != TMAP_NONE)
			continue;
		while (taken[next])
			next++;
		slot_of[i] = next;
		taken[next] = true;
	}
}

int tmap_map_identity(struct tmap_search *search, struct tmap_error *err)
{
	int *slot_of = tmap_alloc_raw((size_t)search->count, sizeof *slot_of, err);
	bool *taken = tmap_alloc((size_t)search->count, sizeof *taken, err);
	int status = -1;

	if (slot_of && taken) {
		for (int i = 0; i < search->count; i++) {
			slot_of[i] = i < search->size ? search->slots->now[i] : TMAP_NONE;
			if (slot_of[i] != TMAP_NONE)
				taken[slot_of[i]] = true;
		}
		slots_fill_rest(slot_of, taken, search);
		status = tmap_search_evaluate(search, slot_of, NULL, err);
	}
	free(slot_of);
	free(taken);
	return status;
}

int tmap_map_walk(struct tmap_search *search, struct tmap_error *err)
{
	int *slot_of = tmap_alloc_raw((size_t)search->count, sizeof *slot_of, err), status = -1;

	if (slot_of && tmap_walk(slot_of, search->slots->placement, err) == 0)
		status = tmap_search_evaluate(search, slot_of, NULL, err);
	free(slot_of);
	return status;
}

/* Slots by node, those of a node in the order of the levels: first[n] .. first[n + 1]. */
struct node_slots {
	int nodes;
	int *first, *slot;
};

static void node_slots_fini(struct node_slots *by_node)
{
	free(by_node->first);
	free(by_node->slot);
}

static int node_slots_init(struct node_slots *by_node, const struct tmap_search *search,
			   struct tmap_error *err)
{
	const struct tmap_placement *placement = search->slots->placement;

	*by_node = (struct node_slots){ .nodes = placement->machine->node_count };
	by_node->first = tmap_alloc((size_t)by_node->nodes + 1, sizeof *by_node->first, err);
	by_node->slot = tmap_alloc_raw((size_t)search->count, sizeof *by_node->slot, err);
	if (!by_node->first || !by_node->slot)
		return -1;
	for (int s = 0; s < search->count; s++)
		by_node->first[placement->node[s] + 1]++;
	for (int n = 0; n < by_node->nodes; n++)
		by_node->first[n + 1] += by_node->first[n];
	for (int x = 0; x < search->count; x++) {
		int slot = search->levels.slot[x];

		by_node->slot[by_node->first[placement->node[slot]]++] = slot;
	}
	for (int n = by_node->nodes; n > 0; n--)
		by_node->first[n] = by_node->first[n - 1];
	by_node->first[0] = 0;
	return 0;
}

/* @p plane slots of each node in turn, as long as there are any. */
static int planes_evaluate(struct tmap_search *search, int plane, const char *how,
			   struct tmap_error *err)
{
	int *slot_of = tmap_alloc_raw((size_t)search->count, sizeof *slot_of, err);
	struct node_slots by_node = { 0 };
	int *next = NULL, status = -1, placed = 0;

	if (slot_of && node_slots_init(&by_node, search, err) == 0)
		next = tmap_alloc_raw((size_t)by_node.nodes, sizeof *next, err);
	for (int n = 0; next && n < by_node.nodes; n++)
		next[n] = by_node.first[n];
	while (next && placed < search->count)
		for (int n = 0; n < by_node.nodes; n++)
			for (int i = 0; i < plane && next[n] < by_node.first[n + 1]; i++)
				slot_of[placed++] = by_node.slot[next[n]++];
	if (next)
		status = tmap_search_evaluate(search, slot_of, how, err);
	free(next);
	free(slot_of);
	node_slots_fini(&by_node);
	return status;
}

int tmap_map_block(struct tmap_search *search, struct tmap_error *err)
{
	return planes_evaluate(search, search->count, NULL, err);
}

int tmap_map_cyclic(struct tmap_search *search, struct tmap_error *err)
{
	return planes_evaluate(search, 1, NULL, err);
}

/* Slots of the fullest node. */
static int node_most_slots(const struct tmap_search *search, int *most, struct tmap_error *err)
{
	int *slots = tmap_placement_count_ranks(search->slots->placement, err);

	*most = 0;
	for (int n = 0; slots && n < search->slots->placement->machine->node_count; n++)
		*most = slots[n] > *most ? slots[n] : *most;
	free(slots);
	return slots ? 0 : -1;
}

int tmap_map_plane(struct tmap_search *search, struct tmap_error *err)
{
	char how[32];
	int most;

	if (node_most_slots(search, &most, err) < 0)
		return -1;
	for (int plane = 2; plane < most; plane++) {
		/* those that leave nothing over, and doubled ones */
		if (most % plane && (plane & (plane - 1)))
			continue;
		if (search->has_best &&
		    !tmap_search_affords(search, tmap_search_evaluate_steps(search)))
			break;
		snprintf(how, sizeof how, "plane %d", plane);
		if (planes_evaluate(search, plane, how, err) < 0)
			return -1;
	}
	return search->has_best ? 0 : planes_evaluate(search, 1, "plane 1", err);
}
