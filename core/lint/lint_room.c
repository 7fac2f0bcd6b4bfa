/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"

int tmap_room_ranks(const struct tmap_inspection *it, int node)
{
	return it->fold.first[node + 1] - it->fold.first[node];
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

/* Cores of an object that the job may use; PUs outside of cores are cores. */
static int object_cores(const struct tmap_topology *topo, const struct tmap_object *object)
{
	int count = 0, last = TMAP_NONE;

	for (int pu = object->first_pu; pu < object->end_pu; pu++) {
		int core = tmap_topology_ancestor(topo, topo->pu[pu].object, TMAP_CORE);

		if (!topo->pu[pu].allowed)
			continue;
		count += core == TMAP_NONE || core != last;
		last = core;
	}
	return count;
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
		cores = object_cores(topo, object);
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
			if (topo->object[i].type == type &&
			    object_cores(topo, &topo->object[i]) > cores)
				cores = object_cores(topo, &topo->object[i]);
		most = cores > most ? cores : most;
	}
	return most;
}

bool tmap_room_is_in_packages(const struct tmap_inspection *it, int cores)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c], room = 0;
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, node);

		if (tmap_topology_count(topo, TMAP_PACKAGE) < 2)
			continue;
		for (int i = 0; i < topo->object_count; i++)
			if (topo->object[i].type == TMAP_PACKAGE)
				room += object_cores(topo, &topo->object[i]) / cores;
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
			end += object_cores(topo, &topo->object[i]);
			if (end < cores * tmap_room_ranks(it, node) && end % cores)
				return true;
		}
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
		int taken = cores * (each ? each : tmap_room_ranks(it, node));

		for (int i = 0; i < 2; i++) {
			int least, objects = tmap_room_objects(topo, types[i], &least);
			int all = tmap_topology_allowed_cores(topo);

			if (objects > 1 && taken > 1 && (taken <= all - least || least % cores))
				return false;
		}
	}
	return true;
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
		if (least % cores || (used < each && used * packages < numas))
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

bool tmap_room_has_type(const struct tmap_inspection *it, enum tmap_type type)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, it->fold.example[c]);

		if (tmap_topology_count(topo, type) < 2 || topo->bare[type])
			return false;
	}
	return true;
}

bool tmap_room_is_full(const struct tmap_inspection *it, int cores)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c];

		if (cores * tmap_room_ranks(it, node) !=
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
