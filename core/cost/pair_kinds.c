/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/pair_kinds.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

void tmap_pair_kinds_fini(struct tmap_pair_kinds *kinds)
{
	free(kinds->packed);
	free(kinds->wide);
	free(kinds->object_of_place);
	free(kinds->object);
	free(kinds->within);
	free(kinds->tier);
	free(kinds->join);
	free(kinds->between);
	tmap_node_codes_fini(&kinds->codes);
	free(kinds->step);
	free(kinds->crossed);
	free(kinds->came);
	*kinds = (struct tmap_pair_kinds){ 0 };
}

/* The kind that crosses these levels at this step, added if it is new; TMAP_NONE with *err set. */
static int kind_intern(struct tmap_pair_kinds *kinds, const bool *crossed, int step,
		       struct tmap_error *err)
{
	size_t levels = (size_t)kinds->levels->count, count = (size_t)kinds->count;

	for (size_t k = 0; k < count; k++)
		if (kinds->step[k] == step &&
		    memcmp(kinds->crossed + k * levels, crossed, levels * sizeof *crossed) == 0)
			return (int)k;
	if (count > UINT16_MAX) {
		tmap_fail(err, TMAP_INPUT, "ranks are near each other in more than %d ways",
			  UINT16_MAX);
		return TMAP_NONE;
	}
	if (tmap_grow(&kinds->step, &kinds->step_capacity, count + 1, sizeof *kinds->step, err) <
		    0 ||
	    tmap_grow(&kinds->crossed, &kinds->crossed_capacity, (count + 1) * levels,
		      sizeof *kinds->crossed, err) < 0)
		return TMAP_NONE;
	kinds->step[count] = step;
	memcpy(kinds->crossed + count * levels, crossed, levels * sizeof *crossed);
	return kinds->count++;
}

/* The objects that ranks are bound to, in the order of the topologies. */
static int kinds_list_objects(struct tmap_pair_kinds *kinds, struct tmap_error *err)
{
	const struct tmap_placement *placement = kinds->placement;
	const struct tmap_machine *machine = placement->machine;
	size_t places = (size_t)placement->place_count;
	struct tmap_partition used; /* local[]: 1 + the index of an object that is used */
	int next = 0;

	if (tmap_partition_alloc(&used, machine, err) < 0)
		return -1;
	for (int i = 0; i < placement->place_count; i++) {
		int *it = &used.local[placement->places[i].topology][placement->places[i].object];

		kinds->object_count += *it == 0;
		*it = 1;
	}
	kinds->object = tmap_alloc((size_t)kinds->object_count, sizeof *kinds->object, err);
	kinds->object_of_place = tmap_alloc_raw(places, sizeof *kinds->object_of_place, err);
	if (!kinds->object || !kinds->object_of_place) {
		tmap_partition_fini(&used);
		return -1;
	}
	for (int t = 0; t < machine->topology_count; t++)
		for (int o = 0; o < machine->topology[t].object_count; o++)
			if (used.local[t][o]) {
				kinds->object[next] = (struct tmap_pair_object){ t, o, 0 };
				used.local[t][o] = ++next;
			}
	for (int i = 0; i < placement->place_count; i++)
		kinds->object_of_place[i] =
			used.local[placement->places[i].topology][placement->places[i].object] - 1;
	tmap_partition_fini(&used);
	return 0;
}

/* The first step that has both objects of one node in one set. */
static int step_within(const struct tmap_metric *metric, const struct tmap_pair_object *a,
		       const struct tmap_pair_object *b)
{
	int step = 0;

	for (; step < metric->step_count - 1; step++) {
		const int *local = metric->step[step].sets.local[a->topology];

		if (local[a->object] != TMAP_NONE && local[a->object] == local[b->object])
			break;
	}
	return step;
}

static int kinds_find_within(struct tmap_pair_kinds *kinds, const struct tmap_pair_object *a,
			     const struct tmap_pair_object *b, bool *crossed,
			     struct tmap_error *err)
{
	for (int l = 0; l < kinds->levels->count; l++) {
		int **local = kinds->levels->level[l].sets.local;

		crossed[l] = local &&
			local[a->topology][a->object] != local[b->topology][b->object];
	}
	return kind_intern(kinds, crossed, step_within(kinds->metric, a, b), err);
}

static int kinds_fill_within(struct tmap_pair_kinds *kinds, bool *crossed, struct tmap_error *err)
{
	struct tmap_pair_object *object = kinds->object;
	size_t pairs = 0;

	for (int begin = 0, end; begin < kinds->object_count; begin = end) {
		for (end = begin;
		     end < kinds->object_count && object[end].topology == object[begin].topology;
		     end++)
			;
		for (int i = begin; i < end; i++, pairs += (size_t)(end - begin))
			object[i].row = (int64_t)pairs - begin;
	}
	kinds->within = tmap_alloc_raw(pairs, sizeof *kinds->within, err);
	for (int i = 0; kinds->within && i < kinds->object_count; i++)
		for (int j = 0; j < kinds->object_count; j++) {
			int kind;

			if (object[i].topology != object[j].topology)
				continue;
			kind = kinds_find_within(kinds, &object[i], &object[j], crossed, err);
			if (kind == TMAP_NONE)
				return -1;
			kinds->within[object[i].row + j] = (uint16_t)kind;
		}
	return kinds->within ? 0 : -1;
}

/* The set that all of a node is in at a step; negative: the node is not in one. */
static int whole_set(const struct tmap_metric *metric, int step, int node)
{
	int topology = metric->placement->machine->node_topology[node];
	int set = tmap_partition_of_object(&metric->step[step].sets, topology, node, 0);

	return set == TMAP_NONE ? -1 - node : set;
}

/* First step at which some nodes share a set. */
static int first_join(const struct tmap_metric *metric)
{
	int step = metric->step_count - 1;

	for (; step > 0; step--) {
		const int *base = metric->step[step - 1].sets.node_base;
		bool joins = false;

		for (int n = 1; n < metric->placement->machine->node_count && !joins; n++)
			joins = whole_set(metric, step - 1, n) >= 0 && base[n] <= base[n - 1];
		if (!joins)
			break;
	}
	return step;
}

static int kinds_fill_nodes(struct tmap_pair_kinds *kinds, struct tmap_error *err)
{
	const struct tmap_levels *levels = kinds->levels;
	int first = first_join(kinds->metric), at = 0;
	size_t nodes = (size_t)kinds->node_count;

	while (levels->level[kinds->tier_count].tier != TMAP_NONE)
		kinds->tier_count++;
	kinds->join_count = kinds->metric->step_count - first;
	kinds->tier = tmap_alloc_raw(nodes * (size_t)kinds->tier_count, sizeof *kinds->tier, err);
	kinds->join = tmap_alloc_raw(nodes * (size_t)kinds->join_count, sizeof *kinds->join, err);
	if (!kinds->tier || !kinds->join)
		return -1;
	for (int n = 0; n < kinds->node_count; n++)
		for (int t = kinds->tier_count - 1; t >= 0; t--)
			kinds->tier[at++] = levels->level[t].sets.node_base[n];
	at = 0;
	for (int n = 0; n < kinds->node_count; n++)
		for (int j = 0; j < kinds->join_count; j++)
			kinds->join[at++] = whole_set(kinds->metric, first + j, n);
	return 0;
}

static int kinds_fill_between(struct tmap_pair_kinds *kinds, bool *crossed, struct tmap_error *err)
{
	int tiers = kinds->tier_count, joins = kinds->join_count;

	kinds->between =
		tmap_alloc_raw((size_t)(tiers + 1) * (size_t)joins, sizeof *kinds->between, err);
	for (int t = 0; kinds->between && t <= tiers; t++)
		for (int j = 0; j < joins; j++) {
			int kind;

			for (int l = 0; l < kinds->levels->count; l++)
				crossed[l] = l >= tiers - t;
			kind = kind_intern(kinds, crossed, kinds->metric->step_count - joins + j,
					   err);
			if (kind == TMAP_NONE)
				return -1;
			kinds->between[t * joins + j] = kind;
		}
	return kinds->between ? 0 : -1;
}

/* Where nodes are in several sets each, one number for each node tells their kinds. */
static int kinds_fill_codes(struct tmap_pair_kinds *kinds, struct tmap_error *err)
{
	int tiers = kinds->tier_count, joins = kinds->join_count;
	struct tmap_node_codes *codes = &kinds->codes;

	if (tiers + joins < 2)
		return 0;
	if (tmap_node_codes_init(codes, kinds->node_count, kinds->tier, tiers, kinds->join, joins,
				 err) < 0)
		return -1;
	for (int i = 0; codes->code && i < TMAP_CODE_BITS; i++)
		kinds->apart[i] = kinds->between[codes->tiers[i] * joins + codes->joins[i]];
	return 0;
}

static bool ranks_are_block(const struct tmap_pair_kinds *kinds, int period)
{
	for (int r = period; r < kinds->size; r++) {
		struct tmap_position its = tmap_pair_position(kinds, r);
		bool same_node = its.node == tmap_pair_position(kinds, r - 1).node;

		if (its.object != tmap_pair_position(kinds, r - period).object ||
		    same_node == (r % period == 0))
			return false;
	}
	return true;
}

static bool ranks_are_cyclic(const struct tmap_pair_kinds *kinds, int period)
{
	for (int r = 1; r < kinds->size; r++) {
		struct tmap_position its = tmap_pair_position(kinds, r);
		bool same_object = its.object == tmap_pair_position(kinds, r - 1).object;

		if ((r >= period && its.node != tmap_pair_position(kinds, r - period).node) ||
		    (r % period && !same_object))
			return false;
	}
	return true;
}

/* Have the ranks 0, step, 2 step, ... each another node? */
static bool nodes_come_once(const struct tmap_pair_kinds *kinds, int step, int count)
{
	memset(kinds->came, 0, (size_t)kinds->node_count * sizeof *kinds->came);
	for (int i = 0; i < count; i++) {
		int node = tmap_pair_position(kinds, (int64_t)i * step).node;

		if (kinds->came[node])
			return false;
		kinds->came[node] = true;
	}
	return true;
}

/* Ranks until the node changes, or until the first node comes again. */
static void kinds_find_distribution(struct tmap_pair_kinds *kinds)
{
	int first = tmap_pair_position(kinds, 0).node;
	int block = 1, cyclic = 1;

	while (block < kinds->size && tmap_pair_position(kinds, block).node == first)
		block++;
	while (cyclic < kinds->size && tmap_pair_position(kinds, cyclic).node != first)
		cyclic++;
	kinds->distribution = TMAP_DISTRIBUTION_OTHER;
	if (ranks_are_block(kinds, block) &&
	    nodes_come_once(kinds, block, (kinds->size - 1) / block + 1))
		kinds->distribution = TMAP_DISTRIBUTION_BLOCK;
	else if (ranks_are_cyclic(kinds, cyclic) && nodes_come_once(kinds, 1, cyclic))
		kinds->distribution = TMAP_DISTRIBUTION_CYCLIC;
	kinds->period = kinds->distribution == TMAP_DISTRIBUTION_BLOCK ? block : cyclic;
}

/* As many bits as the numbers below a count take. */
static int count_bits(int count)
{
	int bits = 0;

	while ((int64_t)1 << bits < count)
		bits++;
	return bits;
}

/* Room for the positions of all ranks. */
static int kinds_allocate_positions(struct tmap_pair_kinds *kinds, struct tmap_error *err)
{
	size_t size = (size_t)kinds->size;

	kinds->object_bits = count_bits(kinds->object_count);
	if (kinds->object_bits < 32 && count_bits(kinds->node_count) + kinds->object_bits <= 32)
		kinds->packed = tmap_alloc_raw(size, sizeof *kinds->packed, err);
	else
		kinds->wide = tmap_alloc_raw(size, sizeof *kinds->wide, err);
	return kinds->packed || kinds->wide ? 0 : -1;
}

void tmap_pair_kinds_place(struct tmap_pair_kinds *kinds, const int *place_of)
{
	const struct tmap_placement *placement = kinds->placement;

	for (int r = 0; r < kinds->size; r++) {
		int q = place_of ? place_of[r] : r;

		int object = kinds->object_of_place[placement->place[q]];

		if (kinds->packed)
			kinds->packed[r] = (uint32_t)placement->node[q] << kinds->object_bits |
				(uint32_t)object;
		else
			kinds->wide[r] = (struct tmap_position){ placement->node[q], object };
	}
	kinds_find_distribution(kinds);
}

int tmap_pair_kinds_init(struct tmap_pair_kinds *kinds, const struct tmap_placement *placement,
			 const struct tmap_levels *levels, const struct tmap_metric *metric,
			 struct tmap_error *err)
{
	struct tmap_pair_kinds made = { .levels = levels,
					.metric = metric,
					.placement = placement,
					.size = placement->size,
					.node_count = placement->machine->node_count };
	bool *crossed = tmap_alloc((size_t)levels->count, sizeof *crossed, err);
	int status = -1;

	made.came = tmap_alloc_raw((size_t)made.node_count, sizeof *made.came, err);
	if (crossed && made.came && kinds_list_objects(&made, err) == 0 &&
	    kinds_allocate_positions(&made, err) == 0 &&
	    kinds_fill_within(&made, crossed, err) == 0 && kinds_fill_nodes(&made, err) == 0 &&
	    kinds_fill_between(&made, crossed, err) == 0 && kinds_fill_codes(&made, err) == 0)
		status = 0;
	free(crossed);
	if (status < 0) {
		tmap_pair_kinds_fini(&made);
		return -1;
	}
	tmap_pair_kinds_place(&made, NULL);
	*kinds = made;
	return 0;
}
