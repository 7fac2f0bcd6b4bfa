/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>

int tmap_room_product(int cores, int ranks)
{
	return cores && ranks > INT_MAX / cores ? INT_MAX : cores * ranks;
}

int tmap_room_ranks(const struct tmap_inspection *it, int node)
{
	return it->fold.first[node + 1] - it->fold.first[node];
}

int *tmap_room_ranks_of_places(const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int *most = tmap_alloc((size_t)p->place_count, sizeof *most, err);
	int *count = tmap_alloc((size_t)p->place_count, sizeof *count, err);

	for (int c = 0; most && count && c < it->fold.class_count; c++) {
		int first = it->fold.first[it->fold.example[c]];
		int end = it->fold.first[it->fold.example[c] + 1];

		for (int i = first; i < end; i++) {
			int place = p->place[it->fold.rank[i]];

			if (++count[place] > most[place])
				most[place] = count[place];
		}
		for (int i = first; i < end; i++)
			count[p->place[it->fold.rank[i]]] = 0;
	}
	if (!count) {
		free(most);
		most = NULL;
	}
	free(count);
	return most;
}

int tmap_room_quota(const struct tmap_inspection *it, int node)
{
	const struct tmap_system *system = tmap_machine_system(it->placement->machine, node);
	int64_t cpus = system ? system->cpu_quota_thousandths / 1000 : 0;

	return system && system->cpu_quota_thousandths && cpus < INT_MAX ? (int)cpus : INT_MAX;
}

int tmap_room_least_quota(const struct tmap_inspection *it)
{
	int nodes = it->placement->machine->system_count ? it->placement->machine->node_count : 0;
	int least = INT_MAX;

	for (int n = 0; n < nodes; n++)
		least = tmap_room_quota(it, n) < least ? tmap_room_quota(it, n) : least;
	return least;
}

bool tmap_room_has_same_cores(const struct tmap_inspection *it)
{
	const struct tmap_machine *machine = it->placement->machine;
	const int *example = it->fold.example;

	for (int c = 1; c < it->fold.class_count; c++)
		if (tmap_topology_allowed_cores(tmap_machine_topology(machine, example[c])) !=
		    tmap_topology_allowed_cores(tmap_machine_topology(machine, example[0])))
			return false;
	return true;
}

static bool is_allowed(const struct tmap_topology *topo, const struct tmap_object *object)
{
	for (int pu = object->first_pu; pu < object->end_pu; pu++)
		if (topo->pu[pu].allowed)
			return true;
	return false;
}

int tmap_room_object_cores(const struct tmap_topology *topo, int object)
{
	int count = 0, last = TMAP_NONE;

	for (int pu = topo->object[object].first_pu; pu < topo->object[object].end_pu; pu++) {
		int core = tmap_topology_ancestor(topo, topo->pu[pu].object, TMAP_CORE);

		if (!topo->pu[pu].allowed)
			continue;
		count += core == TMAP_NONE || core != last;
		last = core;
	}
	return count;
}

bool tmap_room_begins_core(const struct tmap_topology *topo, int pu)
{
	int core = tmap_topology_ancestor(topo, topo->pu[pu].object, TMAP_CORE);
	int first = core == TMAP_NONE ? pu : topo->object[core].first_pu;

	for (int i = first; i < pu; i++)
		if (topo->pu[i].allowed)
			return false;
	return topo->pu[pu].allowed;
}

int tmap_room_objects(const struct tmap_topology *topo, enum tmap_type type, int *least)
{
	int objects = 0;

	*least = 0;
	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *object = &topo->object[i];
		int cores;

		if (object->type != type || !is_allowed(topo, object))
			continue;
		cores = tmap_room_object_cores(topo, i);
		*least = !objects || cores < *least ? cores : *least;
		objects++;
	}
	return objects;
}

int tmap_room_cores_each(const struct tmap_inspection *it, int node, enum tmap_type type,
			 int *ranks, bool *is_even)
{
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	int least, objects = tmap_room_objects(topo, type, &least);

	*ranks = 0;
	*is_even = false;
	if (!objects)
		return 0;
	*ranks = (tmap_room_ranks(it, node) + objects - 1) / objects;
	*is_even = tmap_room_ranks(it, node) % objects == 0;
	return least / *ranks;
}

int tmap_room_threads(const struct tmap_placement *p)
{
	int threads = 0;

	for (int i = 0; i < p->setting_count; i++) {
		int count = tmap_setting_threads(&p->settings[i], NULL);

		if (!count || (i && count != threads))
			return 0;
		threads = count;
	}
	return threads;
}

int tmap_room_least_cores(const struct tmap_inspection *it)
{
	int least = 0;

	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c];
		int each = tmap_topology_allowed_cores(
				   tmap_machine_topology(it->placement->machine, node)) /
			tmap_room_ranks(it, node);

		least = c == 0 || each < least ? each : least;
	}
	return least;
}

bool tmap_room_fits(const struct tmap_inspection *it, enum tmap_type type, int cores, int *ranks,
		    bool *is_even)
{
	*ranks = 0;
	*is_even = true;
	for (int c = 0; c < it->fold.class_count; c++) {
		int count, each;
		bool is_even_here;

		each = tmap_room_cores_each(it, it->fold.example[c], type, &count, &is_even_here);
		if (!each || each < cores)
			return false;
		*is_even = *is_even && is_even_here && (c == 0 || count == *ranks);
		*ranks = count;
	}
	return true;
}

int tmap_room_widest(const struct tmap_inspection *it, enum tmap_type type)
{
	int most = 0;

	for (int c = 0; c < it->fold.class_count; c++) {
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, it->fold.example[c]);
		int cores = tmap_topology_count(topo, type) ? 0 : tmap_topology_allowed_cores(topo);

		for (int i = 0; i < topo->object_count; i++)
			if (topo->object[i].type == type && tmap_room_object_cores(topo, i) > cores)
				cores = tmap_room_object_cores(topo, i);
		most = cores > most ? cores : most;
	}
	return most;
}

bool tmap_room_is_divided(const struct tmap_inspection *it, enum tmap_type type, int cores)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, it->fold.example[c]);

		for (int i = 0; i < topo->object_count; i++)
			if (topo->object[i].type == type && tmap_room_object_cores(topo, i) % cores)
				return false;
	}
	return true;
}

int tmap_room_least_each(const struct tmap_inspection *it, enum tmap_type type)
{
	int least = 0, ranks;
	bool is_even;

	for (int c = 0; c < it->fold.class_count; c++) {
		int each = tmap_room_cores_each(it, it->fold.example[c], type, &ranks, &is_even);

		least = c == 0 || each < least ? each : least;
	}
	return least;
}

bool tmap_room_is_inside(const struct tmap_inspection *it, enum tmap_type type, int cores)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c], room = 0;
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, node);

		if (tmap_topology_count(topo, type) < 2)
			continue;
		for (int i = 0; i < topo->object_count; i++)
			if (topo->object[i].type == type)
				room += tmap_room_object_cores(topo, i) / cores;
		if (room < tmap_room_ranks(it, node))
			return false;
	}
	return true;
}

bool tmap_room_is_torn(const struct tmap_inspection *it, int cores)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c], end = 0;
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, node);

		for (int i = 0; i < topo->object_count; i++) {
			if (topo->object[i].type != TMAP_PACKAGE)
				continue;
			end += tmap_room_object_cores(topo, i);
			if (end < tmap_room_product(cores, tmap_room_ranks(it, node)) &&
			    end % cores)
				return true;
		}
	}
	return false;
}

/* Fewer cores do not use up the bandwidth of a memory controller, nor a cache. */
enum { HALF_CORES = 4 };

bool tmap_room_is_crowded(int cores, int taken)
{
	return taken > cores - taken || (taken == cores - taken && taken >= HALF_CORES);
}

enum tmap_type tmap_room_memory_type(const struct tmap_topology *topo)
{
	return tmap_topology_count(topo, TMAP_NUMA) > 1 ? TMAP_NUMA : TMAP_PACKAGE;
}

bool tmap_room_is_uneven(int taken, int all, int objects)
{
	return objects && 4 * ((all + objects - 1) / objects) <= 3 * taken;
}

/* The caches of one memory, and those of their cores that are taken. */
struct caches {
	int objects, idle;
	int all, most; /* cores taken; of the crowded one that has most */
};

static void caches_add(struct caches *caches, int room, int taken, int cores)
{
	if (!room)
		return;
	caches->objects++;
	caches->idle += !taken;
	caches->all += taken;
	if (taken >= 2 * cores && taken > caches->most && tmap_room_is_crowded(room, taken))
		caches->most = taken;
}

/* Of a node where @p ranks ranks are on the objects of a type, on one more of the first of these where they
 * do not divide. */
static bool node_crowds(const struct tmap_topology *topo, enum tmap_type type, int ranks, int cores)
{
	enum tmap_type among = tmap_room_memory_type(topo);
	int least, objects = tmap_room_objects(topo, type, &least);
	int memory = TMAP_NONE, object = TMAP_NONE, cache = TMAP_NONE; /* that the PU is in */
	int left = 0, room = 0, taken = 0, place = 0;
	struct caches caches = { 0 };

	for (int pu = 0; pu < topo->pu_count && objects; pu++) {
		int at = topo->pu[pu].object, its_cache = tmap_topology_ancestor(topo, at, TMAP_L3);
		int its_memory = tmap_topology_ancestor(topo, at, among);
		int its_object = tmap_topology_ancestor(topo, at, type);

		if (!tmap_room_begins_core(topo, pu) || its_object == TMAP_NONE)
			continue;
		if (its_object != object)
			left = tmap_room_product(cores,
						 ranks / objects + (place++ < ranks % objects));
		if (its_cache != cache || its_memory != memory) {
			caches_add(&caches, room, taken, cores);
			room = taken = 0;
		}
		if (its_memory != memory) {
			if (caches.idle &&
			    tmap_room_is_uneven(caches.most, caches.all, caches.objects))
				return true;
			caches = (struct caches){ 0 };
		}
		memory = its_memory;
		object = its_object;
		cache = its_cache;
		room += cache != TMAP_NONE;
		taken += cache != TMAP_NONE && left > 0;
		left--;
	}
	caches_add(&caches, room, taken, cores);
	return caches.idle && tmap_room_is_uneven(caches.most, caches.all, caches.objects);
}

bool tmap_room_crowds_caches(const struct tmap_inspection *it, enum tmap_type type, int cores,
			     int each)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c];

		if (node_crowds(tmap_machine_topology(it->placement->machine, node), type,
				each ? each : tmap_room_ranks(it, node), cores))
			return true;
	}
	return false;
}

bool tmap_room_is_packed_well(const struct tmap_inspection *it, int cores, int each)
{
	static const enum tmap_type types[] = { TMAP_NUMA, TMAP_PACKAGE };

	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c];
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, node);
		int taken = tmap_room_product(cores, each ? each : tmap_room_ranks(it, node));

		for (int i = 0; i < 2; i++) {
			int least, objects = tmap_room_objects(topo, types[i], &least);
			int all = tmap_topology_allowed_cores(topo);

			if (objects > 1 && taken > 1 && (taken <= all - least || least % cores))
				return false;
		}
	}
	return !tmap_room_crowds_caches(it, TMAP_NODE, cores, each);
}

int tmap_room_stretched(const struct tmap_inspection *it, enum tmap_type type, int cores)
{
	int each = tmap_room_least_cores(it);

	if (each < cores || !each || !tmap_room_is_packed_well(it, each, 0))
		return TMAP_NONE;
	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c], least;
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, node);

		tmap_room_objects(topo, type, &least);
		if (least % each ||
		    tmap_room_product(each, tmap_room_ranks(it, node)) <
			    tmap_topology_allowed_cores(topo) - least / 2)
			return TMAP_NONE;
	}
	return each;
}

bool tmap_room_packages_will_do(const struct tmap_inspection *it, int cores, int each)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, it->fold.example[c]);
		int least, packages = tmap_room_objects(topo, TMAP_PACKAGE, &least);
		int numas = tmap_room_objects(topo, TMAP_NUMA, &least), used, room;

		if (numas <= packages || each < 2 || cores > least)
			continue;
		room = least / cores;
		used = (each + room - 1) / room;
		if (least % cores || (used < each && used * packages < numas) ||
		    node_crowds(topo, TMAP_PACKAGE, each * packages, cores))
			return false;
	}
	return true;
}

bool tmap_room_is_leftover(const struct tmap_inspection *it, int node)
{
	return !it->parts.count && tmap_room_ranks(it, node) < it->order.ranks_usual &&
		tmap_room_has_same_cores(it);
}

int tmap_room_pus(const struct tmap_inspection *it, int cores)
{
	int each = TMAP_NONE;

	for (int c = 0; c < it->fold.class_count; c++) {
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, it->fold.example[c]);
		int pus = tmap_topology_allowed_pus(topo);
		int all = tmap_topology_allowed_cores(topo);

		if (!all || pus % all || (c && pus / all != each))
			return TMAP_NONE;
		each = pus / all;
	}
	return each == TMAP_NONE ? TMAP_NONE : cores * each;
}

/* So many objects of the type, and no more runs of their cores, by OS index. */
static bool type_is_in_order(const struct tmap_topology *topo, enum tmap_type type)
{
	int least, last = TMAP_NONE, runs = 0;

	for (int i = 0; i < topo->pu_count; i++) {
		int pu = topo->by_os[i];
		int object = tmap_topology_ancestor(topo, topo->pu[pu].object, type);

		if (object == TMAP_NONE || !tmap_room_begins_core(topo, pu))
			continue;
		runs += object != last;
		last = object;
	}
	return runs <= tmap_room_objects(topo, type, &least);
}

bool tmap_room_is_in_order(const struct tmap_inspection *it)
{
	static const enum tmap_type types[] = { TMAP_PACKAGE, TMAP_NUMA, TMAP_L3 };

	for (int c = 0; c < it->fold.class_count; c++)
		for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
			if (!type_is_in_order(tmap_machine_topology(it->placement->machine,
								    it->fold.example[c]),
					      types[i]))
				return false;
	return true;
}

bool tmap_room_has_type(const struct tmap_inspection *it, enum tmap_type type)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, it->fold.example[c]);
		int least;

		if (tmap_topology_count(topo, type) < 2 || topo->bare[type] ||
		    tmap_room_objects(topo, type, &least) < 2)
			return false;
	}
	return true;
}

bool tmap_room_has_twin_memories(const struct tmap_inspection *it)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, it->fold.example[c]);

		for (int i = 0; i < topo->memory_count; i++)
			for (int j = 0; j < i; j++)
				if (topo->memory[i].object != TMAP_NONE &&
				    topo->memory[i].object == topo->memory[j].object)
					return true;
	}
	return false;
}

bool tmap_room_is_full(const struct tmap_inspection *it, int cores)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c];

		if (tmap_room_product(cores, tmap_room_ranks(it, node)) !=
		    tmap_topology_allowed_cores(
			    tmap_machine_topology(it->placement->machine, node)))
			return false;
	}
	return tmap_room_is_packed_well(it, cores, 0);
}

int tmap_room_rank_threads(const struct tmap_placement *p, int rank)
{
	int setting = p->setting ? p->setting[rank] : 0;
	int count = p->setting_count ? tmap_setting_threads(&p->settings[setting], NULL) : 0;

	return count ? count : 1;
}

int tmap_room_cores_needed(const struct tmap_inspection *it)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_place *place = &p->places[p->place[0]];
	int threads = tmap_room_threads(p), cores = 1;

	if (place->bound)
		cores = tmap_cores_of(tmap_placement_topology(p, 0), &place->pus);
	return threads > cores ? threads : cores;
}
