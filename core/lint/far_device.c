/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/far_device.h"
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>

/* The fewest cores that a rank of the node is bound to; of one that is not bound, one. */
static int narrowest_rank(const struct tmap_inspection *it, int node)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);
	int least = INT_MAX, last = TMAP_NONE;

	for (int i = it->fold.first[node]; i < it->fold.first[node + 1]; i++) {
		int at = p->place[it->fold.rank[i]], cores;

		if (at == last)
			continue;
		cores = p->places[at].bound ? tmap_cores_of(topo, &p->places[at].pus) : 1;
		least = cores < least ? cores : least;
		last = at;
	}
	return least;
}

/* Are as many cores of the node idle as its narrowest rank has, that are near to one of the homes? */
static int node_has_room(bool *room, const struct tmap_inspection *it, int node,
			 const struct tmap_homes *homes, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	int needed = narrowest_rank(it, node), idle = 0;
	struct tmap_node_use use = { 0 };

	if (tmap_node_use_find(&use, it->placement, &it->fold, node, err) < 0)
		return -1;
	for (int i = 0; i < topo->object_count && use.idle_cores >= needed && idle < needed; i++)
		idle += tmap_homes_has_idle(topo, homes, &use.taken, i);
	tmap_node_use_fini(&use);
	*room = idle >= needed;
	return 0;
}

/* [class_count]: which kinds of nodes have an idle core near to a device of the type. */
static bool *classes_with_room(const struct tmap_inspection *it, enum tmap_device_type type,
			       struct tmap_error *err)
{
	bool *room = tmap_alloc((size_t)it->fold.class_count, sizeof *room, err);
	int status = room ? 0 : -1;

	for (int c = 0; c < it->fold.class_count && status == 0; c++) {
		int node = it->fold.example[c];
		struct tmap_homes homes;

		status = tmap_homes_init(
			&homes, tmap_machine_topology(it->placement->machine, node), type, err);
		if (status < 0)
			break;
		status = node_has_room(&room[c], it, node, &homes, err);
		tmap_homes_fini(&homes);
	}
	if (status == 0)
		return room;
	free(room);
	return NULL;
}

/* The ranks on marked places of nodes that have a nearer core. */
static int collect_near(struct tmap_finding *finding, const struct tmap_inspection *it,
			enum tmap_device_type type, const bool *marked, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	bool *room = classes_with_room(it, type, err);
	int status = room ? 0 : -1;

	for (int r = 0; r < p->size && status == 0; r++)
		if (marked[p->place[r]] && room[it->fold.class_of[p->node[r]]])
			status = tmap_idset_add(&finding->ranks, r, err);
	free(room);
	return status;
}

int tmap_far_device_add(struct tmap_finding *finding, const struct tmap_inspection *it,
			enum tmap_device_type type, bool together, int *topology, int *device,
			struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	bool *marked = tmap_alloc((size_t)p->place_count, sizeof *marked, err);
	int status = marked ? 0 : -1;

	*topology = *device = TMAP_NONE;
	for (int t = 0; status == 0 && t < p->machine->topology_count; t++) {
		const struct tmap_topology *topo = &p->machine->topology[t];
		struct tmap_homes homes;

		status = tmap_homes_init(&homes, topo, type, err);
		if (status < 0)
			break;
		for (int i = 0; i < p->place_count; i++) {
			const struct tmap_place *place = &p->places[i];

			if (place->topology != t || !place->bound || homes.everywhere ||
			    !tmap_homes_are_far_from_place(topo, &homes, place) ||
			    (together && homes.count > 1 &&
			     !tmap_homes_are_outside(topo, &homes, place->object)))
				continue;
			marked[i] = true;
			*topology = t;
			*device = homes.device[0];
		}
		tmap_homes_fini(&homes);
	}
	if (status == 0)
		status = collect_near(finding, it, type, marked, err);
	free(marked);
	return status;
}

char *tmap_far_device_print(const struct tmap_topology *topo, int device, struct tmap_error *err)
{
	bool by_numa = tmap_topology_count(topo, TMAP_NUMA) >
		tmap_topology_count(topo, TMAP_PACKAGE);
	const char *name = topo->device[device].name;
	int at = topo->device[device].object;
	int above = tmap_topology_ancestor(topo, at, by_numa ? TMAP_NUMA : TMAP_PACKAGE);

	if (above != TMAP_NONE && topo->object[at].type != TMAP_PACKAGE)
		at = above;
	if (topo->object[at].type == TMAP_NUMA)
		return tmap_format(err, "%s on NUMA node %d", name, topo->object[at].logical);
	return tmap_format(err, "%s on %s %d", name, tmap_type_name(topo->object[at].type),
			   topo->object[at].logical);
}

/* Are as many ranks of a node on each memory controller, or nearly, as Open MPI has it where a controller
 * has two memories, and some on those near to a device of the type? 1: yes; -1: memory was refused. */
static int node_is_spread(const struct tmap_inspection *it, int node, enum tmap_device_type type,
			  struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);
	int *ranks = tmap_alloc((size_t)topo->object_count, sizeof *ranks, err);
	int least = INT_MAX, most = 0, inside = 0;
	struct tmap_homes homes;
	bool has_idle = false; /* near to a device */

	if (!ranks || tmap_homes_init(&homes, topo, type, err) < 0) {
		free(ranks);
		return -1;
	}
	for (int i = it->fold.first[node]; i < it->fold.first[node + 1]; i++) {
		int home = tmap_topology_ancestor(topo, tmap_placement_object(p, it->fold.rank[i]),
						  TMAP_NUMA);

		if (home != TMAP_NONE) {
			ranks[home]++;
			inside++;
		}
	}
	for (int i = 0; i < topo->object_count; i++) {
		bool is_allowed = false;

		for (int pu = topo->object[i].first_pu; pu < topo->object[i].end_pu; pu++)
			is_allowed = is_allowed || topo->pu[pu].allowed;
		if (topo->object[i].type != TMAP_NUMA || !is_allowed)
			continue;
		least = ranks[i] < least ? ranks[i] : least;
		most = ranks[i] > most ? ranks[i] : most;
		has_idle = has_idle || (!ranks[i] && !tmap_homes_are_far(topo, &homes, i));
	}
	tmap_homes_fini(&homes);
	free(ranks);
	return inside == tmap_room_ranks(it, node) && !has_idle &&
		most - least <= (least < 8 ? 1 : least / 4);
}

int tmap_far_device_is_spread(const struct tmap_inspection *it, enum tmap_device_type type,
			      struct tmap_error *err)
{
	int status = 1;

	for (int c = 0; c < it->fold.class_count && status > 0; c++)
		status = node_is_spread(it, it->fold.example[c], type, err);
	return status;
}

int tmap_far_device_memory(const struct tmap_topology *topo, int device)
{
	int object = topo->device[device].object;
	int numa = tmap_topology_ancestor(topo, object, tmap_room_memory_type(topo));

	return numa == TMAP_NONE ? object : numa;
}
