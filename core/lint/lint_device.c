/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/machine/device.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The objects that the devices that count hang on, each once. */
struct homes {
	int count;
	int *object;     /* [count] */
	int *device;     /* [count]: the first that hangs there */
	bool everywhere; /* one hangs on the node itself: it is near to all */
};

static void homes_fini(struct homes *homes)
{
	free(homes->object);
	free(homes->device);
}

static int homes_init(struct homes *homes, const struct tmap_topology *topo,
		      enum tmap_device_type type, struct tmap_error *err)
{
	*homes = (struct homes){ 0 };
	homes->object = tmap_alloc((size_t)topo->device_count, sizeof *homes->object, err);
	homes->device = tmap_alloc((size_t)topo->device_count, sizeof *homes->device, err);
	if (!homes->object || !homes->device) {
		homes_fini(homes);
		return -1;
	}
	for (int d = 0; d < topo->device_count; d++) {
		const struct tmap_device *device = &topo->device[d];
		const struct tmap_object *at = &topo->object[device->object];
		int i = 0;

		if (device->type != type ||
		    (type == TMAP_NETWORK && !tmap_device_is_adapter(topo, d)))
			continue;
		homes->everywhere = homes->everywhere ||
			at->end_pu - at->first_pu == topo->pu_count;
		while (i < homes->count && homes->object[i] != device->object)
			i++;
		if (i < homes->count)
			continue;
		homes->object[i] = device->object;
		homes->device[homes->count++] = d;
	}
	return 0;
}

static int common_pus(const struct tmap_topology *topo, int a, int b)
{
	const struct tmap_object *x = &topo->object[a], *y = &topo->object[b];
	int first = x->first_pu < y->first_pu ? x->first_pu : y->first_pu;
	int end = x->end_pu > y->end_pu ? x->end_pu : y->end_pu;

	return tmap_topology_cover(topo, first, end);
}

/* Are both on one memory controller? A node without any is one. */
static bool is_near(const struct tmap_topology *topo, int a, int b)
{
	return tmap_topology_ancestor(topo, common_pus(topo, a, b), TMAP_NUMA) != TMAP_NONE ||
		tmap_topology_find(topo, TMAP_NUMA, 0) == TMAP_NONE;
}

static int object_pus(const struct tmap_topology *topo, int object)
{
	return topo->object[object].end_pu - topo->object[object].first_pu;
}

static bool is_within(const struct tmap_topology *topo, int object, int home)
{
	return topo->object[object].first_pu >= topo->object[home].first_pu &&
		topo->object[object].end_pu <= topo->object[home].end_pu;
}

/* Is the object neither in what a device hangs on nor on its memory controller, for every home? */
static bool is_far(const struct tmap_topology *topo, const struct homes *homes, int object)
{
	for (int i = 0; i < homes->count; i++)
		if (is_within(topo, object, homes->object[i]) ||
		    is_near(topo, object, homes->object[i]))
			return false;
	return homes->count > 0;
}

/* The same of all PUs of a place, which may reach over the memory controllers of a package, or be on no
 * side of the node at all: that is another finding. */
static bool is_place_far(const struct tmap_topology *topo, const struct homes *homes,
			 const struct tmap_place *place)
{
	int last = TMAP_NONE;

	if (!is_far(topo, homes, place->object))
		return false;
	if (tmap_topology_ancestor(topo, place->object, TMAP_NUMA) != TMAP_NONE)
		return true;
	for (int pu = 0; pu < topo->pu_count; pu++) {
		int object = topo->pu[pu].object;
		int numa = tmap_topology_ancestor(topo, object, TMAP_NUMA);

		if (!tmap_idset_contains(&place->pus, topo->pu[pu].os) ||
		    (numa != TMAP_NONE && numa == last))
			continue;
		last = numa;
		if (!is_far(topo, homes, object))
			return false;
	}
	return true;
}

/* Is it outside of the one object, less than the node, that has all homes? */
static bool is_outside(const struct tmap_topology *topo, const struct homes *homes, int object)
{
	int all = homes->object[0];

	for (int i = 1; i < homes->count; i++)
		all = common_pus(topo, all, homes->object[i]);
	return object_pus(topo, all) < topo->pu_count && !is_within(topo, object, all);
}

/* Is it a core, or a PU outside of cores, that the job may use, that no rank runs on, and that is near
 * to one of the homes? */
static bool is_idle_near(const struct tmap_topology *topo, const struct homes *homes,
			 const struct tmap_idset *taken, int i)
{
	const struct tmap_object *object = &topo->object[i];
	bool allowed = false;

	if (object->type != TMAP_CORE && object->type != TMAP_PU)
		return false;
	if (object->type == TMAP_PU && tmap_topology_ancestor(topo, i, TMAP_CORE) != TMAP_NONE)
		return false;
	for (int pu = object->first_pu; pu < object->end_pu; pu++) {
		if (tmap_idset_contains(taken, pu))
			return false;
		allowed = allowed || topo->pu[pu].allowed;
	}
	return allowed && !is_far(topo, homes, i);
}

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
			 const struct homes *homes, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	int needed = narrowest_rank(it, node), idle = 0;
	struct tmap_node_use use = { 0 };

	if (tmap_node_use_find(&use, it->placement, &it->fold, node, err) < 0)
		return -1;
	for (int i = 0; i < topo->object_count && use.idle_cores >= needed && idle < needed; i++)
		idle += is_idle_near(topo, homes, &use.taken, i);
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
		struct homes homes;

		status = homes_init(&homes, tmap_machine_topology(it->placement->machine, node),
				    type, err);
		if (status < 0)
			break;
		status = node_has_room(&room[c], it, node, &homes, err);
		homes_fini(&homes);
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

/* Collect ranks on places far from all devices of the type while cores that are near to one are
 * idle; with @p together, where all of a node are in one object of it, and the ranks are not. *device is one of the topology *topology that some are far from. */
static int finding_add_far(struct tmap_finding *finding, const struct tmap_inspection *it,
			   enum tmap_device_type type, bool together, int *topology, int *device,
			   struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	bool *marked = tmap_alloc((size_t)p->place_count, sizeof *marked, err);
	int status = marked ? 0 : -1;

	*topology = *device = TMAP_NONE;
	for (int t = 0; status == 0 && t < p->machine->topology_count; t++) {
		const struct tmap_topology *topo = &p->machine->topology[t];
		struct homes homes;

		status = homes_init(&homes, topo, type, err);
		if (status < 0)
			break;
		for (int i = 0; i < p->place_count; i++) {
			const struct tmap_place *place = &p->places[i];

			if (place->topology != t || !place->bound || homes.everywhere ||
			    !is_place_far(topo, &homes, place) ||
			    (together && homes.count > 1 &&
			     !is_outside(topo, &homes, place->object)))
				continue;
			marked[i] = true;
			*topology = t;
			*device = homes.device[0];
		}
		homes_fini(&homes);
	}
	if (status == 0)
		status = collect_near(finding, it, type, marked, err);
	free(marked);
	return status;
}

/* NULL, or why nothing can be said of the adapters that messages go over. */
static const char *reason_to_skip(const struct tmap_machine *machine)
{
	const char *reason = "the placement has no network adapters";

	for (int t = 0; t < machine->topology_count; t++)
		for (int d = 0; d < machine->topology[t].device_count; d++) {
			if (tmap_device_is_adapter(&machine->topology[t], d))
				return NULL;
			if (machine->topology[t].device[d].type == TMAP_NETWORK)
				reason = "messages go over none of the network adapters";
		}
	return reason;
}

/* "hfi1_0 on package 1", "on NUMA node 3": where a device hangs, or the memory of that. */
static char *home_print(const struct tmap_topology *topo, int device, struct tmap_error *err)
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
	struct homes homes;
	bool has_idle = false; /* near to a device */

	if (!ranks || homes_init(&homes, topo, type, err) < 0) {
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
		has_idle = has_idle || (!ranks[i] && !is_far(topo, &homes, i));
	}
	homes_fini(&homes);
	free(ranks);
	return inside == tmap_room_ranks(it, node) && !has_idle &&
		most - least <= (least < 8 ? 1 : least / 4);
}

/* Ranks that share all memory of their nodes evenly are far from the adapter for that. */
static int are_spread(const struct tmap_inspection *it, enum tmap_device_type type,
		      struct tmap_error *err)
{
	int status = 1;

	for (int c = 0; c < it->fold.class_count && status > 0; c++)
		status = node_is_spread(it, it->fold.example[c], type, err);
	return status;
}

static bool is_only_adapter(const struct tmap_topology *topo, int device)
{
	for (int d = 0; d < topo->device_count; d++)
		if (tmap_device_is_adapter(topo, d) &&
		    topo->device[d].object != topo->device[device].object)
			return false;
	return true;
}

/* The PUs, by OS index, of so many idle cores near one of the homes, all of one NUMA node, by whose OS
 * index *numa is. None: there are not so many. */
static int near_find(struct tmap_idset *pus, int *numa, const struct tmap_topology *topo,
		     const struct homes *homes, const struct tmap_idset *taken, int cores,
		     struct tmap_error *err)
{
	int home = TMAP_NONE, count = 0;

	for (int i = 0; i < topo->object_count && count < cores; i++) {
		int at = tmap_topology_ancestor(topo, i, TMAP_NUMA);

		if (!is_idle_near(topo, homes, taken, i))
			continue;
		if (at != home) {
			tmap_idset_fini(pus);
			*pus = (struct tmap_idset){ 0 };
			count = 0;
		}
		home = at;
		count++;
		for (int pu = topo->object[i].first_pu; pu < topo->object[i].end_pu; pu++)
			if (topo->pu[pu].allowed && tmap_idset_add(pus, topo->pu[pu].os, err) < 0)
				return -1;
	}
	*numa = home == TMAP_NONE ? TMAP_NONE : topo->object[home].os;
	if (count < cores) {
		tmap_idset_fini(pus);
		*pus = (struct tmap_idset){ 0 };
	}
	return 0;
}

/* The memory that a device hangs on, or the object that reaches over several. */
static int memory_of(const struct tmap_topology *topo, int device)
{
	int object = topo->device[device].object;
	int numa = tmap_topology_ancestor(topo, object, tmap_room_memory_type(topo));

	return numa == TMAP_NONE ? object : numa;
}

/* "bind the rank of each node to PUs 18-21, near hfi1_0" and words; "" where there are not so many cores. */
static char *only_rank_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			   const struct homes *homes, int device, struct tmap_error *err)
{
	int node = it->fold.example[0], numa, cores = tmap_room_cores_needed(it), status;
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	char *list = NULL, *text = NULL, *words = NULL, *plain = NULL, *fix = NULL;
	struct tmap_spot spot = { memory_of(topo, device), TMAP_NONE, NULL };
	struct tmap_node_use use = { 0 };
	struct tmap_idset pus = { 0 };

	status = tmap_node_use_find(&use, it->placement, &it->fold, node, err);
	if (status == 0)
		status = near_find(&pus, &numa, topo, homes, &use.taken, cores, err);
	if (status == 0)
		list = tmap_idset_print(&pus, err);
	if (list && !*list) {
		fix = tmap_strdup("", err);
	} else if (list) {
		text = tmap_format(err, "{: |near %s %d|}", list, numa);
		words = text ? tmap_lint_fix(finding, text, err) : NULL;
		plain = tmap_format(err, "bind the rank of each node to PU%s %s, near %s",
				    tmap_idset_size(&pus) == 1 ? "" : "s", list,
				    topo->device[device].name);
		if (words && plain && !*words && cores == 1)
			fix = tmap_lint_pick_fix(finding, it, plain, &pus, err);
		else if (words && plain && !*words)
			fix = tmap_lint_inside_fix(finding, it, plain, &spot, 1,
						   it->order.used_nodes, cores, err);
		else if (words && plain)
			fix = tmap_format(err, "%s%s", plain, words);
	}
	free(plain);
	free(words);
	free(text);
	free(list);
	tmap_idset_fini(&pus);
	tmap_node_use_fini(&use);
	return fix;
}

/* The ranks of a node apart from each other, of which the first, or one where a file has slots in the order of
 * the node, is near the adapter. */
static char *apart_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
		       int device, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	struct tmap_spot spot = { 0, topo->object[memory_of(topo, device)].first_pu, NULL };
	char *text = tmap_format(err, "bind the ranks of each node apart, %s near %s",
				 tmap_lint_has_set_words(finding) ? "the first one" : "one",
				 topo->device[device].name);
	char *fix = NULL;

	if (text)
		fix = tmap_lint_inside_fix(finding, it, text, &spot, it->order.ranks_max,
					   it->order.used_nodes, tmap_room_cores_needed(it), err);
	free(text);
	return fix;
}

/* The ranks of a node near the adapter, if these are so few that they do not crowd its memory; else one of them,
 * or on all memory, which is near to it, too. The rule's fix where nodes differ, or there are not so many cores. */
static char *adapter_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			 int device, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	int each = it->order.ranks_max, cores = tmap_room_cores_needed(it), near, least;
	enum tmap_type memory = tmap_room_memory_type(topo);
	struct tmap_spot spot = { 0, TMAP_NONE, NULL };
	char *text, *fix = NULL;
	struct homes homes;

	if (it->placement->machine->topology_count > 1)
		return tmap_lint_fix(finding, finding->rule->fix, err);
	if (each == 1) {
		if (homes_init(&homes, topo, TMAP_NETWORK, err) < 0)
			return NULL;
		fix = only_rank_fix(finding, it, &homes, device, err);
		homes_fini(&homes);
		if (!fix || *fix)
			return fix;
		free(fix);
	}
	spot.object = near = memory_of(topo, device);
	if (each >= tmap_room_objects(topo, memory, &least))
		return tmap_lint_spread_fix(finding, it, memory,
					    memory == TMAP_NUMA ?
						    "distribute the ranks of a node over its NUMA "
						    "nodes, one of which is near the adapter" :
						    "distribute the ranks of a node over its "
						    "packages, one of which is near the adapter",
					    cores, err);
	if (tmap_room_is_crowded(tmap_room_object_cores(topo, near),
				 tmap_room_product(cores, each)))
		return apart_fix(finding, it, device, err);
	text = tmap_format(err, "bind the rank%s of each node near %s", each == 1 ? "" : "s",
			   topo->device[device].name);
	fix = text ? tmap_lint_inside_fix(finding, it, text, &spot, each, it->order.used_nodes,
					  cores, err) :
		     NULL;
	free(text);
	return fix;
}

/* Has a node a GPU for each of its ranks, and are those of the finding near to one? 1, 0, or -1. */
static int are_at_gpus(const struct tmap_finding *finding, const struct tmap_inspection *it,
		       struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int status = tmap_lint_has_gpu_each(it);

	for (int t = 0; status > 0 && t < p->machine->topology_count; t++) {
		const struct tmap_topology *topo = &p->machine->topology[t];
		struct homes homes;

		if (homes_init(&homes, topo, TMAP_GPU, err) < 0)
			return -1;
		for (int r = tmap_idset_next(&finding->ranks, TMAP_NONE);
		     status > 0 && r != TMAP_NONE; r = tmap_idset_next(&finding->ranks, r)) {
			const struct tmap_place *place = &p->places[p->place[r]];

			if (place->topology == t)
				status = homes.count && !is_place_far(topo, &homes, place);
		}
		homes_fini(&homes);
	}
	return status;
}

/* GPUs of a node by the kind of names of which there are most; @p homes, unless NULL, are what they are to be
 * near. */
static int count_gpus(const struct tmap_topology *topo, const struct homes *homes)
{
	int most = 0;

	for (int kind = 0; kind < topo->device_count; kind++) {
		int count = 0;

		for (int d = 0; topo->device[kind].type == TMAP_GPU && d < topo->device_count; d++)
			count += tmap_device_is_of_kind(&topo->device[d], &topo->device[kind]) &&
				(!homes || !is_far(topo, homes, topo->device[d].object));
		most = count > most ? count : most;
	}
	return most;
}

/* Has every node as many GPUs near its adapters as ranks, which would be as well off there? 1, 0, or -1. */
static int has_gpus_at_adapters(const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_machine *machine = it->placement->machine;

	for (int t = 0; t < machine->topology_count; t++) {
		const struct tmap_topology *topo = &machine->topology[t];
		struct homes adapters;
		int gpus;

		if (homes_init(&adapters, topo, TMAP_NETWORK, err) < 0)
			return -1;
		gpus = count_gpus(topo, &adapters);
		homes_fini(&adapters);
		if (gpus < it->order.ranks_max)
			return 0;
	}
	return 1;
}

/* *device is a GPU that ranks of the finding are far from for no good reason. 1: they are; 0: none is; -1: it
 * failed. */
static int find_far_gpu(struct tmap_finding *finding, const struct tmap_inspection *it,
			int *topology, int *device, struct tmap_error *err)
{
	int spread;

	if (finding_add_far(finding, it, TMAP_GPU, false, topology, device, err) < 0)
		return -1;
	if (!tmap_lint_ranks(finding))
		return 0;
	/* more ranks than GPUs that share all memory evenly are far from them for that */
	spread = are_spread(it, TMAP_GPU, err);
	return spread < 0 ? -1 : !spread || tmap_lint_has_gpu_each(it);
}

/* Are the ranks near GPUs of their own, or should they be, which is another finding? 1, 0, or -1. */
static int belong_at_gpus(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  struct tmap_error *err)
{
	struct tmap_finding far = { .rule = finding->rule };
	int status = are_at_gpus(finding, it, err), topology, device;

	if (status || !tmap_lint_has_gpu_each(it))
		return status;
	status = find_far_gpu(&far, it, &topology, &device, err);
	tmap_idset_fini(&far.ranks);
	return status;
}

/* *device is an adapter that all ranks of the finding are far from for no good reason. 1: they are; 0: none is;
 * -1: it failed. */
static int find_far(struct tmap_finding *finding, const struct tmap_inspection *it, int *topology,
		    int *device, struct tmap_error *err)
{
	int status;

	if (finding_add_far(finding, it, TMAP_NETWORK, true, topology, device, err) < 0)
		return -1;
	if (!tmap_lint_ranks(finding))
		return 0;
	/* programs that need all memory, or GPUs that are elsewhere, gain nothing there */
	status = are_spread(it, TMAP_NETWORK, err);
	if (status)
		return status < 0 ? -1 : 0;
	status = belong_at_gpus(finding, it, err);
	if (status <= 0)
		return status < 0 ? -1 : 1;
	return has_gpus_at_adapters(it, err);
}

int tmap_lint_apart_at_adapter(char **fix, const struct tmap_finding *finding,
			       const struct tmap_inspection *it, struct tmap_error *err)
{
	struct tmap_finding far = { .rule = finding->rule };
	int least, topology, device, status = 0;
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);

	*fix = NULL;
	if (it->order.used_nodes == 1 || it->placement->machine->topology_count > 1 ||
	    !it->order.regular ||
	    it->order.ranks_max >= tmap_room_objects(topo, tmap_room_memory_type(topo), &least) ||
	    reason_to_skip(it->placement->machine))
		return 0;
	status = find_far(&far, it, &topology, &device, err);
	tmap_idset_fini(&far.ranks);
	if (status > 0)
		*fix = apart_fix(finding, it, device, err);
	return status < 0 || (status > 0 && !*fix) ? -1 : 0;
}

enum tmap_lint_answer tmap_lint_far_adapter(struct tmap_finding *finding,
					    const struct tmap_inspection *it,
					    struct tmap_error *err)
{
	const char *reason;
	int topology, device, is_found;
	bool is_only;
	char *home, *what;

	if (it->order.used_nodes == 1)
		return TMAP_LINT_NOTHING;
	reason = reason_to_skip(it->placement->machine);
	if (reason)
		return tmap_lint_skipped_take(finding, tmap_strdup(reason, err));
	is_found = find_far(finding, it, &topology, &device, err);
	if (is_found <= 0)
		return is_found < 0 ? TMAP_LINT_FAILED : TMAP_LINT_NOTHING;
	finding->fix = adapter_fix(finding, it, device, err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	home = home_print(&it->placement->machine->topology[topology], device, err);
	if (!home)
		return TMAP_LINT_FAILED;
	is_only = is_only_adapter(&it->placement->machine->topology[topology], device);
	what = tmap_format(err, "far from %s, %s, near which cores are idle", home,
			   is_only ? "the only adapter of their node that messages go over" :
				     "and from the other adapters of their node");
	free(home);
	return tmap_lint_found_take(finding, what, err);
}

/* The home that is closest to an object; TMAP_NONE where several are as close. */
static int closest_home(const struct tmap_topology *topo, const struct homes *homes, int object)
{
	int best = TMAP_NONE, least = INT_MAX;

	for (int i = 0; i < homes->count; i++) {
		int pus = object_pus(topo, common_pus(topo, object, homes->object[i]));

		if (pus == least)
			best = TMAP_NONE;
		if (pus >= least)
			continue;
		best = i;
		least = pus;
	}
	return best;
}

/* Are two homes on different memory controllers? */
static bool are_apart(const struct tmap_topology *topo, const struct homes *homes)
{
	for (int i = 1; i < homes->count; i++)
		if (!is_near(topo, homes->object[0], homes->object[i]) &&
		    !is_within(topo, homes->object[0], homes->object[i]) &&
		    !is_within(topo, homes->object[i], homes->object[0]))
			return true;
	return false;
}

/* As many of a node's first ranks as it has adapters: mark them if they all use one. */
static void node_mark(bool *marked, const struct tmap_inspection *it, const struct homes *homes,
		      int n)
{
	const struct tmap_node_fold *fold = &it->fold;
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, n);
	const int *rank = fold->rank + fold->first[n];
	int used = TMAP_NONE;

	if (fold->first[n + 1] - fold->first[n] < homes->count)
		return;
	for (int i = 0; i < homes->count; i++) {
		const struct tmap_place *place =
			&it->placement->places[it->placement->place[rank[i]]];
		int home = closest_home(topo, homes, place->object);

		if (!place->bound || home == TMAP_NONE || (used != TMAP_NONE && home != used))
			return;
		used = home;
	}
	for (int i = 0; i < homes->count; i++)
		marked[rank[i]] = true;
}

/* Mark the first ranks of all nodes of topology @p t that use one of several adapters. */
static int nodes_mark(bool *marked, const struct tmap_inspection *it, int t, struct tmap_error *err)
{
	const struct tmap_machine *machine = it->placement->machine;
	const struct tmap_topology *topo = &machine->topology[t];
	struct homes homes;

	if (homes_init(&homes, topo, TMAP_NETWORK, err) < 0)
		return -1;
	if (homes.count > 1 && !homes.everywhere && are_apart(topo, &homes))
		for (int n = 0; n < machine->node_count; n++)
			if (machine->node_topology[n] == t)
				node_mark(marked, it, &homes, n);
	homes_fini(&homes);
	return 0;
}

/* Are adapters of the rank's node on different packages? */
static bool has_package_homes(const struct tmap_placement *p, int rank)
{
	const struct tmap_topology *topo = tmap_placement_topology(p, rank);
	int first = TMAP_NONE;

	for (int d = 0; d < topo->device_count; d++) {
		int package;

		if (!tmap_device_is_adapter(topo, d))
			continue;
		package = tmap_topology_ancestor(topo, topo->device[d].object, TMAP_PACKAGE);
		if (first != TMAP_NONE && package != first)
			return true;
		first = package;
	}
	return false;
}

static const char alternate_packages[] =
	"let neighboring ranks alternate between packages, so that "
	"lanes and leaders use all adapters";
static const char alternate_numas[] = "let neighboring ranks alternate between NUMA nodes, so that "
				      "lanes and leaders use all adapters";

enum tmap_lint_answer tmap_lint_one_adapter(struct tmap_finding *finding,
					    const struct tmap_inspection *it,
					    struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	const char *reason;
	int status = 0;
	bool *marked;

	if (it->order.used_nodes == 1)
		return TMAP_LINT_NOTHING;
	reason = reason_to_skip(p->machine);
	if (reason)
		return tmap_lint_skipped_take(finding, tmap_strdup(reason, err));
	marked = tmap_alloc((size_t)p->size, sizeof *marked, err);
	status = marked ? 0 : -1;
	for (int t = 0; t < p->machine->topology_count && status == 0; t++)
		status = nodes_mark(marked, it, t, err);
	for (int r = 0; r < p->size && status == 0; r++)
		if (marked[r])
			status = tmap_idset_add(&finding->ranks, r, err);
	free(marked);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (!tmap_lint_ranks(finding))
		return TMAP_LINT_NOTHING;
	status = are_at_gpus(finding, it, err);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (status > 0) /* the order of the GPUs is theirs */
		return TMAP_LINT_NOTHING;
	finding->fix = has_package_homes(p, tmap_idset_next(&finding->ranks, TMAP_NONE)) ?
		tmap_lint_turns_fix(finding, it, TMAP_PACKAGE, alternate_packages, err) :
		tmap_lint_turns_fix(finding, it, TMAP_NUMA, alternate_numas, err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding,
		tmap_strdup(
			"the first ranks of their nodes, all closest to the same one of several "
			"adapters on different memory controllers",
			err),
		err);
}

/* "1,2,5,7": a NUMA node with a GPU for each rank of a node; "" where there are not so many. */
static char *gpu_nodes_print(const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	int ranks = it->order.ranks_max, status = 0;
	struct tmap_idset nodes = { 0 };
	struct tmap_str str = TMAP_STR_INIT;
	struct homes homes;

	if (homes_init(&homes, topo, TMAP_GPU, err) < 0)
		return NULL;
	for (int i = 0; i < homes.count && status == 0; i++) {
		int numa = tmap_topology_ancestor(topo, homes.object[i], TMAP_NUMA);

		if (numa != TMAP_NONE && topo->object[numa].os != TMAP_NONE)
			status = tmap_idset_add(&nodes, topo->object[numa].os, err);
	}
	homes_fini(&homes);
	if (status == 0 && ranks <= tmap_idset_size(&nodes))
		for (int n = tmap_idset_next(&nodes, TMAP_NONE); ranks--;
		     n = tmap_idset_next(&nodes, n))
			tmap_str_addf(&str, "%s%d", str.length ? "," : "", n);
	tmap_idset_fini(&nodes);
	if (status == 0)
		return tmap_str_take(&str, err);
	tmap_str_fini(&str);
	return NULL;
}

/* The PUs on the memories that GPUs hang on, and how many cores begin there. */
static bool *gpu_pus(int *cores, const struct tmap_topology *topo, struct tmap_error *err)
{
	bool *within = tmap_alloc((size_t)topo->pu_count, sizeof *within, err);
	struct homes homes;

	*cores = 0;
	if (!within || homes_init(&homes, topo, TMAP_GPU, err) < 0) {
		free(within);
		return NULL;
	}
	for (int i = 0; i < homes.count; i++) {
		const struct tmap_object *at = &topo->object[memory_of(topo, homes.device[i])];

		for (int pu = at->first_pu; pu < at->end_pu; pu++)
			within[pu] = true;
	}
	for (int pu = 0; pu < topo->pu_count; pu++)
		*cores += within[pu] && tmap_room_begins_core(topo, pu);
	homes_fini(&homes);
	return within;
}

/* Cores near the GPUs by name; of ranks that would crowd these, and are more than GPUs, all memory alike. */
static char *near_gpus_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			   const char *plain, int cores, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	struct tmap_spot spot = TMAP_SPOT_ANY;
	int room, each = it->order.ranks_max;
	bool *within = gpu_pus(&room, topo, err);
	char *fix;

	if (!within)
		return NULL;
	spot.within = within;
	if (!tmap_lint_has_gpu_each(it) &&
	    tmap_room_is_crowded(room, tmap_room_product(cores, each)))
		fix = tmap_lint_all_gpus_fix(finding, it, tmap_room_memory_type(topo), err);
	else
		fix = tmap_lint_inside_fix(finding, it, plain, &spot, each, it->order.used_nodes,
					   cores, err);
	free(within);
	return fix;
}

char *tmap_lint_gpus_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			 const char *plain, int cores, struct tmap_error *err)
{
	bool is_alike = it->order.regular && it->fold.class_count == 1;
	char *nodes = is_alike ? gpu_nodes_print(it, err) : tmap_strdup("", err);
	char *text = NULL, *fix = NULL;

	if (nodes && *nodes)
		text = tmap_format(err, "%s, on NUMA node%s %s of each node{: |gpus %s|}", plain,
				   strchr(nodes, ',') ? "s" : "", nodes, nodes);
	if (text && !tmap_lint_lacks_words(finding, text))
		fix = tmap_lint_fix(finding, text, err);
	else if (nodes && is_alike)
		fix = near_gpus_fix(finding, it, plain, cores, err);
	else if (nodes)
		fix = tmap_format(err, "%s, by a file of their launcher", plain);
	free(nodes);
	free(text);
	return fix;
}

bool tmap_lint_has_gpu_each(const struct tmap_inspection *it)
{
	const struct tmap_machine *machine = it->placement->machine;
	int most = 0;

	for (int t = 0; t < machine->topology_count; t++) {
		int count = count_gpus(&machine->topology[t], NULL);

		most = count > most ? count : most;
	}
	return it->order.ranks_max <= most;
}

enum tmap_lint_answer tmap_lint_far_gpu(struct tmap_finding *finding,
					const struct tmap_inspection *it, struct tmap_error *err)
{
	int topology, device, is_found = find_far_gpu(finding, it, &topology, &device, err);
	char *home, *what;

	if (is_found <= 0)
		return is_found < 0 ? TMAP_LINT_FAILED : TMAP_LINT_NOTHING;
	finding->fix = tmap_lint_gpus_fix(finding, it, "bind ranks that use GPUs close to them",
					  tmap_room_cores_needed(it), err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	home = home_print(&it->placement->machine->topology[topology], device, err);
	if (!home)
		return TMAP_LINT_FAILED;
	what = tmap_format(
		err, "far from every GPU of their node (%s, for one), near which cores are idle",
		home);
	free(home);
	return tmap_lint_found_take(finding, what, err);
}
