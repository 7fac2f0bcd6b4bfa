/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/inspection.h"

#include "core/base/mem.h"
#include "core/machine/overlap.h"

#include <stdlib.h>

/* Places are few beside ranks: ranks are counted by place, places by what they are. */
static int bindings_add(struct tmap_binding_count **binding, size_t *capacity, int *count,
			struct tmap_binding which, int ranks, struct tmap_error *err)
{
	int i = 0;

	while (i < *count && !tmap_binding_equal((*binding)[i].binding, which))
		i++;
	if (i == *count) {
		if (tmap_grow(binding, capacity, (size_t)*count + 1, sizeof **binding, err) < 0)
			return -1;
		(*binding)[(*count)++] = (struct tmap_binding_count){ which, 0 };
	}
	(*binding)[i].ranks += ranks;
	return 0;
}

static int compare_counts(const void *left, const void *right)
{
	const struct tmap_binding_count *a = left, *b = right;

	if (a->ranks != b->ranks)
		return a->ranks > b->ranks ? -1 : 1;
	if (a->binding.type != b->binding.type)
		return a->binding.type < b->binding.type ? -1 : 1;
	return (a->binding.count > b->binding.count) - (a->binding.count < b->binding.count);
}

int tmap_binding_census(const struct tmap_placement *p, const int *rank, int count,
			struct tmap_binding_count **binding, int *binding_count,
			struct tmap_error *err)
{
	int *ranks = tmap_alloc((size_t)p->place_count, sizeof *ranks, err);
	struct tmap_binding_count *made = NULL;
	size_t capacity = 0;
	int made_count = 0, status = ranks ? 0 : -1;

	for (int i = 0; ranks && i < count; i++)
		ranks[p->place[rank[i]]]++;
	for (int i = 0; status == 0 && i < p->place_count; i++) {
		const struct tmap_place *place = &p->places[i];
		const struct tmap_topology *topo = &p->machine->topology[place->topology];

		if (ranks[i])
			status = bindings_add(&made, &capacity, &made_count,
					      tmap_binding_of(topo, place), ranks[i], err);
	}
	free(ranks);
	if (status < 0) {
		free(made);
		return -1;
	}
	if (made_count)
		qsort(made, (size_t)made_count, sizeof *made, compare_counts);
	*binding = made;
	*binding_count = made_count;
	return 0;
}

static int overlaps_find(struct tmap_inspection *it, struct tmap_error *err)
{
	it->shares = tmap_overlap_find(it->placement, &it->fold, err);
	if (!it->shares)
		return -1;
	for (int r = 0; r < it->placement->size; r++) {
		it->sharing_pu += (it->shares[r] & TMAP_SHARES_PU) != 0;
		it->sharing_core += (it->shares[r] & TMAP_SHARES_CORE) != 0;
		it->crowding_pu += (it->shares[r] & TMAP_CROWDS_PU) != 0;
		it->crowding_core += (it->shares[r] & TMAP_CROWDS_CORE) != 0;
	}
	return 0;
}

int tmap_cores_of(const struct tmap_topology *topo, const struct tmap_idset *pus)
{
	int count = 0, last = TMAP_NONE;

	for (int pu = 0; pu < topo->pu_count; pu++) {
		int core;

		if (!tmap_idset_contains(pus, topo->pu[pu].os))
			continue;
		core = tmap_topology_ancestor(topo, topo->pu[pu].object, TMAP_CORE);
		count += core == TMAP_NONE || core != last;
		last = core;
	}
	return count;
}

/* One node of a class. ranks[], of each place, is all 0 before and afterwards; taken[] has room for all
 * places. */
static unsigned char node_crowds(const struct tmap_inspection *it, int node, int *ranks, int *taken)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);
	unsigned char crowds = 0;
	int count = 0;

	for (int i = it->fold.first[node]; i < it->fold.first[node + 1]; i++) {
		int place = p->place[it->fold.rank[i]];

		if (!ranks[place]++)
			taken[count++] = place;
	}
	for (int i = 0; i < count; i++) {
		const struct tmap_place *place = &p->places[taken[i]];
		int inside = 0;

		for (int j = 0; j < count && !place->bound; j++)
			if (tmap_idset_is_subset(&p->places[taken[j]].pus, &place->pus))
				inside += ranks[taken[j]];
		if (inside && inside > tmap_cores_of(topo, &place->pus))
			crowds |= TMAP_CROWD_CORES;
		if (inside > tmap_idset_size(&place->pus))
			crowds |= TMAP_CROWD_CORES | TMAP_CROWD_PUS;
	}
	while (count > 0)
		ranks[taken[--count]] = 0;
	return crowds;
}

static int crowds_find(struct tmap_inspection *it, struct tmap_error *err)
{
	size_t places = (size_t)it->placement->place_count;
	int *ranks = tmap_alloc(places, sizeof *ranks, err);
	int *taken = tmap_alloc_raw(places, sizeof *taken, err);

	it->crowds = tmap_alloc((size_t)it->fold.class_count, sizeof *it->crowds, err);
	for (int c = 0; ranks && taken && it->crowds && c < it->fold.class_count; c++) {
		int node = it->fold.example[c];

		it->crowds[c] = node_crowds(it, node, ranks, taken);
		if (it->crowds[c])
			it->crowding_unbound += it->fold.nodes[c] *
				(it->fold.first[node + 1] - it->fold.first[node]);
	}
	free(ranks);
	free(taken);
	return ranks && taken && it->crowds ? 0 : -1;
}

int tmap_inspection_init(struct tmap_inspection *inspection, const struct tmap_placement *placement,
			 enum tmap_scale scale, struct tmap_error *err)
{
	struct tmap_inspection made = { .placement = placement,
					.scale = scale,
					.library = TMAP_NONE };

	if (tmap_order_find(&made.order, placement, err) < 0 ||
	    tmap_mpmd_init(&made.parts, placement, err) < 0 ||
	    tmap_node_fold_init(&made.fold, placement, err) < 0 ||
	    tmap_levels_init(&made.levels, placement->machine, err) < 0 ||
	    tmap_metric_init(&made.metric, placement, scale, err) < 0 ||
	    tmap_binding_census(placement, made.fold.rank, placement->size, &made.binding,
				&made.binding_count, err) < 0 ||
	    overlaps_find(&made, err) < 0 || crowds_find(&made, err) < 0)
		goto refused;
	made.pairs = tmap_metric_count_pairs(&made.metric, err);
	if (!made.pairs)
		goto refused;
	*inspection = made;
	return 0;
refused:
	tmap_inspection_fini(&made);
	return -1;
}

void tmap_inspection_fini(struct tmap_inspection *inspection)
{
	tmap_mpmd_fini(&inspection->parts);
	tmap_node_fold_fini(&inspection->fold);
	tmap_levels_fini(&inspection->levels);
	tmap_metric_fini(&inspection->metric);
	free(inspection->pairs);
	free(inspection->binding);
	free(inspection->shares);
	free(inspection->crowds);
	*inspection = (struct tmap_inspection){ 0 };
}

int64_t tmap_inspection_pairs(const struct tmap_inspection *inspection)
{
	int64_t p = inspection->placement->size;

	return p * (p - 1) / 2;
}

static void place_mark_taken(bool *taken, const struct tmap_topology *topo,
			     const struct tmap_place *place)
{
	for (int pu = 0; pu < topo->pu_count; pu++)
		if (tmap_idset_contains(&place->pus, topo->pu[pu].os))
			taken[pu] = true;
}

/* PUs taken by any of the node's ranks; an unbound one takes all it may use. */
static bool *node_mark_taken(const struct tmap_placement *p, const struct tmap_node_fold *fold,
			     int node, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);
	bool *taken = tmap_alloc((size_t)topo->pu_count, sizeof *taken, err);
	bool *seen = tmap_alloc((size_t)p->place_count, sizeof *seen, err);

	for (int i = fold->first[node]; taken && seen && i < fold->first[node + 1]; i++) {
		int place = p->place[fold->rank[i]];

		if (seen[place])
			continue;
		seen[place] = true;
		place_mark_taken(taken, topo, &p->places[place]);
	}
	if (!seen) {
		free(taken);
		taken = NULL;
	}
	free(seen);
	return taken;
}

static bool is_object_taken(const bool *taken, const struct tmap_object *object)
{
	for (int pu = object->first_pu; pu < object->end_pu; pu++)
		if (taken[pu])
			return true;
	return false;
}

static bool is_object_allowed(const struct tmap_topology *topo, const struct tmap_object *object)
{
	for (int pu = object->first_pu; pu < object->end_pu; pu++)
		if (topo->pu[pu].allowed)
			return true;
	return false;
}

/* A PU outside every core counts as one. */
static void node_count_cores(struct tmap_node_use *use, const struct tmap_topology *topo,
			     const bool *taken)
{
	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *object = &topo->object[i];

		if (object->type != TMAP_CORE &&
		    (object->type != TMAP_PU ||
		     tmap_topology_ancestor(topo, i, TMAP_CORE) != TMAP_NONE))
			continue;
		if (!is_object_allowed(topo, object))
			continue;
		use->cores++;
		use->idle_cores += !is_object_taken(taken, object);
	}
}

bool tmap_inspection_is_of_part(const struct tmap_inspection *inspection)
{
	return inspection->placement->world && !inspection->placement->others;
}

static int taken_add(struct tmap_idset *pus, const bool *taken, int count, struct tmap_error *err)
{
	int status = 0;

	for (int pu = 0; status == 0 && pu < count; pu++)
		if (taken[pu])
			status = tmap_idset_add(pus, pu, err);
	return status;
}

int tmap_node_use_find(struct tmap_node_use *use, const struct tmap_placement *p,
		       const struct tmap_node_fold *fold, int node, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);
	bool *taken = node_mark_taken(p, fold, node, err);
	struct tmap_node_use made = { 0 };
	int status = taken ? taken_add(&made.own, taken, topo->pu_count, err) : -1;

	/* ranks outside of the communicator take their PUs, too */
	if (status == 0 && p->others && p->others[node] != TMAP_NONE)
		place_mark_taken(taken, topo, &p->places[p->others[node]]);
	if (status == 0)
		status = taken_add(&made.taken, taken, topo->pu_count, err);
	if (status == 0) {
		node_count_cores(&made, topo, taken);
		*use = made;
	} else {
		tmap_node_use_fini(&made);
	}
	free(taken);
	return status;
}

void tmap_node_use_fini(struct tmap_node_use *use)
{
	tmap_idset_fini(&use->own);
	tmap_idset_fini(&use->taken);
	*use = (struct tmap_node_use){ 0 };
}
