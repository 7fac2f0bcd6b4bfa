/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/pick.h"

#include "core/base/mem.h"
#include "core/lint/lint_room.h"

#include <stdlib.h>

/* A node is shared out by the types but the last one, outermost first. */
enum { SHARED_BY = TMAP_PICK_UNITS - 1 };

struct work {
	const struct tmap_pick *pick;
	const enum tmap_type *units;
	bool *begins; /* [PUs]: a slot begins here */
	int *before;  /* [PUs + 1]: slots that begin before this PU */
	int *share;   /* [objects]: slots that are picked of each */
	int *begin;   /* the result */
	int count;
};

const enum tmap_type *tmap_pick_units(const struct tmap_topology *topo)
{
	static const enum tmap_type units[2][TMAP_PICK_UNITS] = {
		{ TMAP_L3, TMAP_NUMA, TMAP_PACKAGE, TMAP_NODE },
		{ TMAP_L3, TMAP_PACKAGE, TMAP_NUMA, TMAP_NODE },
	};

	return units[tmap_topology_count(topo, TMAP_NUMA) < tmap_topology_count(topo, TMAP_PACKAGE)];
}

/* Where slots begin: as many in a unit as it has room for. */
static void find_slots(struct work *it)
{
	const struct tmap_topology *topo = it->pick->topo;
	int last = TMAP_NONE, room = 0, cores = 0, size = it->pick->cores;

	for (int pu = 0; pu < topo->pu_count; pu++) {
		int unit = tmap_topology_ancestor(topo, topo->pu[pu].object, it->pick->unit);

		it->before[pu + 1] = it->before[pu];
		if (!tmap_room_begins_core(topo, pu) ||
		    (it->pick->spot.within && !it->pick->spot.within[pu]))
			continue;
		if (it->pick->unit == TMAP_CORE) {
			it->begins[pu] = true;
		} else if (unit != TMAP_NONE) {
			if (unit != last) {
				room = size ? tmap_room_object_cores(topo, unit) / size : 1;
				cores = 0;
			}
			last = unit;
			it->begins[pu] = (size ? cores % size : cores) == 0 && room-- > 0;
			cores++;
		}
		it->before[pu + 1] += it->begins[pu];
	}
}

static int count_slots(const struct work *it, int object)
{
	const struct tmap_object *at = &it->pick->topo->object[object];

	return it->before[at->end_pu] - it->before[at->first_pu];
}

static bool is_near(const struct work *it, int object)
{
	const struct tmap_object *at = &it->pick->topo->object[object];

	return it->pick->spot.near >= at->first_pu && it->pick->spot.near < at->end_pu;
}

/* The objects of a type inside of another, that with the PU to be near to first. */
struct inside {
	int first, end; /* of the objects */
	int near, count;
	int *object; /* [count] */
};

static int inside_init(struct inside *in, const struct work *it, enum tmap_type type, int object,
		       struct tmap_error *err)
{
	const struct tmap_topology *topo = it->pick->topo;
	int end = object;

	while (end < topo->object_count && topo->object[end].first_pu < topo->object[object].end_pu)
		end++;
	in->count = 0;
	in->object = tmap_alloc_raw((size_t)(end - object), sizeof *in->object, err);
	if (!in->object)
		return -1;
	for (int others = 0; others < 2; others++)
		for (int i = object; i < end; i++)
			if (topo->object[i].type == type && is_near(it, i) == (others == 0))
				in->object[in->count++] = i;
	return 0;
}

/* Share slots out, one by one; false where these objects have not all. */
static bool share_out(struct work *it, const struct inside *in, int object, int count)
{
	int room = 0;

	for (int i = 0; i < in->count; i++) {
		it->share[in->object[i]] = 0;
		room += count_slots(it, in->object[i]);
	}
	if (!room || room != count_slots(it, object))
		return false;
	while (count > 0)
		for (int i = 0; i < in->count && count > 0; i++)
			if (it->share[in->object[i]] < count_slots(it, in->object[i])) {
				it->share[in->object[i]]++;
				count--;
			}
	return true;
}

/* So many slots inside of an object, by the types from this one on. */
static int pick_inside(struct work *it, int level, int object, int count, struct tmap_error *err)
{
	const struct tmap_object *at = &it->pick->topo->object[object];
	int status = 0;

	for (; level < SHARED_BY && count > 0; level++) {
		struct inside in;
		bool is_shared;

		if (inside_init(&in, it, it->units[SHARED_BY - 1 - level], object, err) < 0)
			return -1;
		is_shared = share_out(it, &in, object, count);
		for (int i = 0; i < in.count && is_shared && status == 0; i++)
			status = pick_inside(it, level + 1, in.object[i], it->share[in.object[i]],
					     err);
		free(in.object);
		if (is_shared)
			return status;
	}
	for (int pu = at->first_pu; pu < at->end_pu && count > 0; pu++)
		if (it->begins[pu]) {
			it->begin[it->count++] = pu;
			count--;
		}
	return 0;
}

int tmap_pick_slots(int *begin, const struct tmap_pick *pick, int ranks, struct tmap_error *err)
{
	struct work it = { .pick = pick, .units = tmap_pick_units(pick->topo), .begin = begin };
	size_t pus = (size_t)pick->topo->pu_count;
	int status = -1, room;

	it.begins = tmap_alloc(pus, sizeof *it.begins, err);
	it.before = tmap_alloc(pus + 1, sizeof *it.before, err);
	it.share = tmap_alloc((size_t)pick->topo->object_count, sizeof *it.share, err);
	if (it.begins && it.before && it.share) {
		find_slots(&it);
		room = count_slots(&it, pick->spot.object);
		status = pick_inside(&it, 0, pick->spot.object, room < ranks ? room : ranks, err);
	}
	free(it.begins);
	free(it.before);
	free(it.share);
	return status < 0 ? -1 : it.count;
}

int tmap_pick_add_pus(struct tmap_idset *pus, const struct tmap_pick *pick, int begin,
		      struct tmap_error *err)
{
	const struct tmap_topology *topo = pick->topo;
	int unit = tmap_topology_ancestor(topo, topo->pu[begin].object, pick->unit), cores = 0;
	int end = unit == TMAP_NONE ? begin + 1 : topo->object[unit].end_pu;

	for (int pu = begin; pu < end; pu++) {
		cores += tmap_room_begins_core(topo, pu);
		if (pick->cores && cores > pick->cores)
			break;
		if (topo->pu[pu].allowed && tmap_idset_add(pus, topo->pu[pu].os, err) < 0)
			return -1;
	}
	return 0;
}
