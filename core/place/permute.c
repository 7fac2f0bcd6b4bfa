/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/permute.h"

#include "core/base/mem.h"
#include "core/base/random.h"

#include <stdlib.h>

/* The ranks node after node: rank[k] is on the k-th place. */
static int ranks_by_node(int *rank, const struct tmap_placement *p, struct tmap_error *err)
{
	int *next = tmap_placement_count_ranks(p, err), sum = 0;

	if (!next)
		return -1;
	for (int n = 0; n < p->machine->node_count; n++) {
		int count = next[n];

		next[n] = sum;
		sum += count;
	}
	for (int r = 0; r < p->size; r++)
		rank[next[p->node[r]]++] = r;
	free(next);
	return 0;
}

static int list_invert(int *place_of, const int *rank, const int *list, int count,
		       struct tmap_error *err)
{
	for (int r = 0; r < count; r++)
		place_of[r] = TMAP_NONE;
	for (int k = 0; k < count; k++) {
		if (list[k] < 0 || list[k] >= count)
			return tmap_fail(err, TMAP_INPUT, "rank %d is not one of the %d rank%s",
					 list[k], count, count == 1 ? "" : "s");
		if (place_of[list[k]] != TMAP_NONE)
			return tmap_fail(err, TMAP_INPUT, "rank %d stands twice in the order",
					 list[k]);
		place_of[list[k]] = rank[k];
	}
	return 0;
}

int tmap_permute_place(struct tmap_placement *p, const int *place_of, int count,
		       struct tmap_error *err)
{
	struct tmap_placement made;

	if (count != p->size)
		return tmap_fail(err, TMAP_INPUT,
				 "the order has %d rank%s, but the placement has %d", count,
				 count == 1 ? "" : "s", p->size);
	if (tmap_placement_select(&made, p, place_of, count, err) < 0)
		return -1;
	tmap_placement_fini(p);
	*p = made;
	return 0;
}

int tmap_reorder_place(struct tmap_placement *p, const int *list, int count, struct tmap_error *err)
{
	size_t room = (size_t)(count > p->size ? count : p->size);
	int *rank = tmap_alloc(room, sizeof *rank, err);
	int *place_of = tmap_alloc(room, sizeof *place_of, err), status = -1;

	if (rank && place_of && ranks_by_node(rank, p, err) == 0 &&
	    list_invert(place_of, rank, list, count, err) == 0)
		status = tmap_permute_place(p, place_of, count, err);
	free(rank);
	free(place_of);
	return status;
}

int tmap_shuffle_place(struct tmap_placement *p, uint64_t seed, struct tmap_error *err)
{
	struct tmap_random random = { .state = seed };
	int *place_of = tmap_alloc_raw((size_t)p->size, sizeof *place_of, err);
	int rc;

	if (!place_of)
		return -1;
	for (int r = 0; r < p->size; r++)
		place_of[r] = r;
	tmap_random_shuffle(&random, place_of, p->size);
	rc = tmap_permute_place(p, place_of, p->size, err);
	free(place_of);
	return rc;
}

/* The PUs of the object, and whether these are not all of the node. */
static int place_widen(struct tmap_place *place, const struct tmap_topology *topo, int object,
		       struct tmap_error *err)
{
	struct tmap_idset pus = { 0 };

	for (int i = topo->object[object].first_pu; i < topo->object[object].end_pu; i++)
		if (topo->pu[i].allowed && tmap_idset_add(&pus, topo->pu[i].os, err) < 0) {
			tmap_idset_fini(&pus);
			return -1;
		}
	tmap_idset_fini(&place->pus);
	place->pus = pus;
	place->object = object;
	place->bound = tmap_idset_size(&pus) < tmap_topology_allowed_pus(topo);
	return 0;
}

/* Of objects over the same PUs the innermost. */
static int innermost_object(const struct tmap_topology *topo, int object)
{
	return tmap_topology_cover(topo, topo->object[object].first_pu,
				   topo->object[object].end_pu);
}

int tmap_rebind(struct tmap_placement *p, enum tmap_type type, struct tmap_error *err)
{
	for (int i = 0; i < p->place_count; i++) {
		struct tmap_place *place = &p->places[i];
		const struct tmap_topology *topo = &p->machine->topology[place->topology];
		int object = tmap_topology_ancestor(topo, place->object, type);

		if (object == TMAP_NONE)
			return tmap_fail(err, TMAP_INPUT, "PU %d lies in no %s to bind to",
					 tmap_idset_next(&place->pus, TMAP_NONE),
					 tmap_type_name(type));
		if (place_widen(place, topo, innermost_object(topo, object), err) < 0)
			return -1;
	}
	return 0;
}
