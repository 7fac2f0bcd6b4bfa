#include "core/lint/inspection.h"

#include "core/machine/overlap.h"
#include "core/base/mem.h"

#include <stdlib.h>

/* Places are few beside ranks: ranks are counted by place, places by what they are. */
static int add_binding(struct tm_binding_count **binding, size_t *capacity, int *count,
		       struct tm_binding which, int ranks, struct tm_error *err)
{
	int i = 0;

	while (i < *count && !tm_binding_equal((*binding)[i].binding, which))
		i++;
	if (i == *count) {
		if (tm_grow(binding, capacity, (size_t)*count + 1, sizeof **binding, err) < 0)
			return -1;
		(*binding)[(*count)++] = (struct tm_binding_count){ which, 0 };
	}
	(*binding)[i].ranks += ranks;
	return 0;
}

static int commonest_first(const void *left, const void *right)
{
	const struct tm_binding_count *a = left, *b = right;

	if (a->ranks != b->ranks)
		return a->ranks > b->ranks ? -1 : 1;
	if (a->binding.type != b->binding.type)
		return a->binding.type < b->binding.type ? -1 : 1;
	return (a->binding.count > b->binding.count) - (a->binding.count < b->binding.count);
}

int tm_binding_census(const struct tm_placement *p, const int *rank, int count,
		      struct tm_binding_count **binding, int *binding_count,
		      struct tm_error *err)
{
	int *ranks = tm_alloc((size_t)p->place_count, sizeof *ranks, err);
	struct tm_binding_count *made = NULL;
	size_t capacity = 0;
	int made_count = 0, status = ranks ? 0 : -1;

	for (int i = 0; ranks && i < count; i++)
		ranks[p->place[rank[i]]]++;
	for (int i = 0; status == 0 && i < p->place_count; i++) {
		const struct tm_place *place = &p->places[i];
		const struct tm_topology *topo = &p->machine->topology[place->topology];

		if (ranks[i])
			status = add_binding(&made, &capacity, &made_count,
					     tm_binding_of(topo, place), ranks[i], err);
	}
	free(ranks);
	if (status < 0) {
		free(made);
		return -1;
	}
	if (made_count)
		qsort(made, (size_t)made_count, sizeof *made, commonest_first);
	*binding = made;
	*binding_count = made_count;
	return 0;
}

static int find_overlaps(struct tm_inspection *it, struct tm_error *err)
{
	it->shares = tm_overlap_find(it->placement, &it->fold, err);
	if (!it->shares)
		return -1;
	for (int r = 0; r < it->placement->size; r++) {
		it->sharing_pu += (it->shares[r] & TM_SHARES_PU) != 0;
		it->sharing_core += (it->shares[r] & TM_SHARES_CORE) != 0;
		it->crowding_pu += (it->shares[r] & TM_CROWDS_PU) != 0;
		it->crowding_core += (it->shares[r] & TM_CROWDS_CORE) != 0;
	}
	return 0;
}

int tm_inspection_init(struct tm_inspection *inspection, const struct tm_placement *placement,
		       enum tm_scale scale, struct tm_error *err)
{
	struct tm_inspection made = { .placement = placement, .scale = scale };

	if (tm_order_find(&made.order, placement, err) < 0 ||
	    tm_node_fold_init(&made.fold, placement, err) < 0 ||
	    tm_levels_init(&made.levels, placement->machine, err) < 0 ||
	    tm_metric_init(&made.metric, placement, scale, err) < 0 ||
	    tm_binding_census(placement, made.fold.rank, placement->size, &made.binding,
			      &made.binding_count, err) < 0 ||
	    find_overlaps(&made, err) < 0)
		goto refused;
	made.pairs = tm_metric_count_pairs(&made.metric, err);
	if (!made.pairs)
		goto refused;
	*inspection = made;
	return 0;
refused:
	tm_inspection_fini(&made);
	return -1;
}

void tm_inspection_fini(struct tm_inspection *inspection)
{
	tm_node_fold_fini(&inspection->fold);
	tm_levels_fini(&inspection->levels);
	tm_metric_fini(&inspection->metric);
	free(inspection->pairs);
	free(inspection->binding);
	free(inspection->shares);
	*inspection = (struct tm_inspection){ 0 };
}

int64_t tm_inspection_pairs(const struct tm_inspection *inspection)
{
	int64_t p = inspection->placement->size;

	return p * (p - 1) / 2;
}

/* PUs taken by any of the node's ranks; an unbound one takes all it may use. */
static bool *mark_taken(const struct tm_placement *p, const struct tm_node_fold *fold, int node,
			struct tm_error *err)
{
	const struct tm_topology *topo = tm_machine_topology(p->machine, node);
	bool *taken = tm_alloc((size_t)topo->pu_count, sizeof *taken, err);
	bool *seen = tm_alloc((size_t)p->place_count, sizeof *seen, err);

	for (int i = fold->first[node]; taken && seen && i < fold->first[node + 1]; i++) {
		int place = p->place[fold->rank[i]];

		if (seen[place])
			continue;
		seen[place] = true;
		for (int pu = 0; pu < topo->pu_count; pu++)
			if (tm_idset_contains(&p->places[place].pus, topo->pu[pu].os))
				taken[pu] = true;
	}
	if (!seen) {
		free(taken);
		taken = NULL;
	}
	free(seen);
	return taken;
}

static bool has_taken(const bool *taken, const struct tm_object *object)
{
	for (int pu = object->first_pu; pu < object->end_pu; pu++)
		if (taken[pu])
			return true;
	return false;
}

static bool has_allowed(const struct tm_topology *topo, const struct tm_object *object)
{
	for (int pu = object->first_pu; pu < object->end_pu; pu++)
		if (topo->pu[pu].allowed)
			return true;
	return false;
}

/* A PU outside every core counts as one. */
static void count_cores(struct tm_node_use *use, const struct tm_topology *topo,
			const bool *taken)
{
	for (int i = 0; i < topo->object_count; i++) {
		const struct tm_object *object = &topo->object[i];

		if (object->type != TM_CORE &&
		    (object->type != TM_PU || tm_topology_ancestor(topo, i, TM_CORE) != TM_NONE))
			continue;
		if (!has_allowed(topo, object))
			continue;
		use->cores++;
		use->idle_cores += !has_taken(taken, object);
	}
}

int tm_node_use_find(struct tm_node_use *use, const struct tm_placement *p,
		     const struct tm_node_fold *fold, int node, struct tm_error *err)
{
	const struct tm_topology *topo = tm_machine_topology(p->machine, node);
	bool *taken = mark_taken(p, fold, node, err);
	struct tm_node_use made = { 0 };
	int status = taken ? 0 : -1;

	for (int pu = 0; status == 0 && pu < topo->pu_count; pu++)
		if (taken[pu])
			status = tm_idset_add(&made.taken, pu, err);
	if (status == 0) {
		count_cores(&made, topo, taken);
		*use = made;
	} else {
		tm_idset_fini(&made.taken);
	}
	free(taken);
	return status;
}

void tm_node_use_fini(struct tm_node_use *use)
{
	tm_idset_fini(&use->taken);
	*use = (struct tm_node_use){ 0 };
}
