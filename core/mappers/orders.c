#include "core/mappers/rows.h"

#include "core/base/mem.h"
#include "core/mappers/walk.h"

#include <stdio.h>
#include <stdlib.h>

/* A word: where ranks have no slot yet, they take the ones that are left, in order. */
static void fill_rest(int *slot_of, bool *taken, const struct tmap_search *quest)
{
	int next = 0;

	for (int i = 0; i < quest->count; i++) {
		if (slot_of[i] != TMAP_NONE)
			continue;
		while (taken[next])
			next++;
		slot_of[i] = next;
		taken[next] = true;
	}
}

int tmap_map_identity(struct tmap_search *quest, struct tmap_error *err)
{
	int *slot_of = tmap_alloc_raw((size_t)quest->count, sizeof *slot_of, err);
	bool *taken = tmap_alloc((size_t)quest->count, sizeof *taken, err);
	int status = -1;

	if (slot_of && taken) {
		for (int i = 0; i < quest->count; i++) {
			slot_of[i] = i < quest->size ? quest->slots->now[i] : TMAP_NONE;
			if (slot_of[i] != TMAP_NONE)
				taken[slot_of[i]] = true;
		}
		fill_rest(slot_of, taken, quest);
		status = tmap_search_evaluate(quest, slot_of, NULL, err);
	}
	free(slot_of);
	free(taken);
	return status;
}

int tmap_map_walk(struct tmap_search *quest, struct tmap_error *err)
{
	int *slot_of = tmap_alloc_raw((size_t)quest->count, sizeof *slot_of, err), status = -1;

	if (slot_of && tmap_walk(slot_of, quest->slots->seats, err) == 0)
		status = tmap_search_evaluate(quest, slot_of, NULL, err);
	free(slot_of);
	return status;
}

/* Slots by node, those of a node in the order of the ladder: first[n] .. first[n + 1]. */
struct deck {
	int nodes;
	int *first, *slot;
};

static void deck_fini(struct deck *deck)
{
	free(deck->first);
	free(deck->slot);
}

static int deck_init(struct deck *deck, const struct tmap_search *quest, struct tmap_error *err)
{
	const struct tmap_placement *seats = quest->slots->seats;

	*deck = (struct deck){ .nodes = seats->machine->node_count };
	deck->first = tmap_alloc((size_t)deck->nodes + 1, sizeof *deck->first, err);
	deck->slot = tmap_alloc_raw((size_t)quest->count, sizeof *deck->slot, err);
	if (!deck->first || !deck->slot)
		return -1;
	for (int s = 0; s < quest->count; s++)
		deck->first[seats->node[s] + 1]++;
	for (int n = 0; n < deck->nodes; n++)
		deck->first[n + 1] += deck->first[n];
	for (int x = 0; x < quest->count; x++) {
		int slot = quest->ladder.slot[x];

		deck->slot[deck->first[seats->node[slot]]++] = slot;
	}
	for (int n = deck->nodes; n > 0; n--)
		deck->first[n] = deck->first[n - 1];
	deck->first[0] = 0;
	return 0;
}

/* @p plane slots of each node in turn, as long as there are any. */
static int deal(struct tmap_search *quest, int plane, const char *how, struct tmap_error *err)
{
	int *slot_of = tmap_alloc_raw((size_t)quest->count, sizeof *slot_of, err);
	struct deck deck = { 0 };
	int *next = NULL, status = -1, dealt = 0;

	if (slot_of && deck_init(&deck, quest, err) == 0)
		next = tmap_alloc_raw((size_t)deck.nodes, sizeof *next, err);
	for (int n = 0; next && n < deck.nodes; n++)
		next[n] = deck.first[n];
	while (next && dealt < quest->count)
		for (int n = 0; n < deck.nodes; n++)
			for (int i = 0; i < plane && next[n] < deck.first[n + 1]; i++)
				slot_of[dealt++] = deck.slot[next[n]++];
	if (next)
		status = tmap_search_evaluate(quest, slot_of, how, err);
	free(next);
	free(slot_of);
	deck_fini(&deck);
	return status;
}

int tmap_map_block(struct tmap_search *quest, struct tmap_error *err)
{
	return deal(quest, quest->count, NULL, err);
}

int tmap_map_cyclic(struct tmap_search *quest, struct tmap_error *err)
{
	return deal(quest, 1, NULL, err);
}

/* Slots of the fullest node. */
static int most_on_node(const struct tmap_search *quest, int *most, struct tmap_error *err)
{
	int *slots = tmap_placement_count_ranks(quest->slots->seats, err);

	*most = 0;
	for (int n = 0; slots && n < quest->slots->seats->machine->node_count; n++)
		*most = slots[n] > *most ? slots[n] : *most;
	free(slots);
	return slots ? 0 : -1;
}

int tmap_map_plane(struct tmap_search *quest, struct tmap_error *err)
{
	char how[32];
	int most;

	if (most_on_node(quest, &most, err) < 0)
		return -1;
	for (int plane = 2; plane < most; plane++) {
		/* those that leave nothing over, and doubled ones */
		if (most % plane && (plane & (plane - 1)))
			continue;
		if (quest->has_best &&
		    !tmap_search_affords(quest, tmap_search_evaluate_steps(quest)))
			break;
		snprintf(how, sizeof how, "plane %d", plane);
		if (deal(quest, plane, how, err) < 0)
			return -1;
	}
	return quest->has_best ? 0 : deal(quest, 1, "plane 1", err);
}
