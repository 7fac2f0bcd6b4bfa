/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/far_device.h"
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/machine/device.h"

#include <stdlib.h>
#include <string.h>

int tmap_lint_are_at_gpus(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int status = tmap_lint_has_gpu_each(it);

	for (int t = 0; status > 0 && t < p->machine->topology_count; t++) {
		const struct tmap_topology *topo = &p->machine->topology[t];
		struct tmap_homes homes;

		if (tmap_homes_init(&homes, topo, TMAP_GPU, err) < 0)
			return -1;
		for (int r = tmap_idset_next(&finding->ranks, TMAP_NONE);
		     status > 0 && r != TMAP_NONE; r = tmap_idset_next(&finding->ranks, r)) {
			const struct tmap_place *place = &p->places[p->place[r]];

			if (place->topology == t)
				status = homes.count &&
					!tmap_homes_are_far_from_place(topo, &homes, place);
		}
		tmap_homes_fini(&homes);
	}
	return status;
}

int tmap_lint_count_gpus(const struct tmap_topology *topo, const struct tmap_homes *homes)
{
	int most = 0;

	for (int kind = 0; kind < topo->device_count; kind++) {
		int count = 0;

		for (int d = 0; topo->device[kind].type == TMAP_GPU && d < topo->device_count; d++)
			count += tmap_device_is_of_kind(&topo->device[d], &topo->device[kind]) &&
				(!homes ||
				 !tmap_homes_are_far(topo, homes, topo->device[d].object));
		most = count > most ? count : most;
	}
	return most;
}

int tmap_lint_find_far_gpu(struct tmap_finding *finding, const struct tmap_inspection *it,
			   int *topology, int *device, struct tmap_error *err)
{
	int spread;

	if (tmap_far_device_add(finding, it, TMAP_GPU, false, topology, device, err) < 0)
		return -1;
	if (!tmap_lint_ranks(finding))
		return 0;
	/* more ranks than GPUs that share all memory evenly are far from them for that */
	spread = tmap_far_device_is_spread(it, TMAP_GPU, err);
	return spread < 0 ? -1 : !spread || tmap_lint_has_gpu_each(it);
}

/* "1,2,5,7": a NUMA node with a GPU for each rank of a node; "" where there are not so many. */
static char *gpu_nodes_print(const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	int ranks = it->order.ranks_max, status = 0;
	struct tmap_idset nodes = { 0 };
	struct tmap_str str = TMAP_STR_INIT;
	struct tmap_homes homes;

	if (tmap_homes_init(&homes, topo, TMAP_GPU, err) < 0)
		return NULL;
	for (int i = 0; i < homes.count && status == 0; i++) {
		int numa = tmap_topology_ancestor(topo, homes.object[i], TMAP_NUMA);

		if (numa != TMAP_NONE && topo->object[numa].os != TMAP_NONE)
			status = tmap_idset_add(&nodes, topo->object[numa].os, err);
	}
	tmap_homes_fini(&homes);
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
	struct tmap_homes homes;

	*cores = 0;
	if (!within || tmap_homes_init(&homes, topo, TMAP_GPU, err) < 0) {
		free(within);
		return NULL;
	}
	for (int i = 0; i < homes.count; i++) {
		const struct tmap_object *at =
			&topo->object[tmap_far_device_memory(topo, homes.device[i])];

		for (int pu = at->first_pu; pu < at->end_pu; pu++)
			within[pu] = true;
	}
	for (int pu = 0; pu < topo->pu_count; pu++)
		*cores += within[pu] && tmap_room_begins_core(topo, pu);
	tmap_homes_fini(&homes);
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
		int count = tmap_lint_count_gpus(&machine->topology[t], NULL);

		most = count > most ? count : most;
	}
	return it->order.ranks_max <= most;
}

enum tmap_lint_answer tmap_lint_far_gpu(struct tmap_finding *finding,
					const struct tmap_inspection *it, struct tmap_error *err)
{
	int topology, device,
		is_found = tmap_lint_find_far_gpu(finding, it, &topology, &device, err);
	char *home, *what;

	if (is_found <= 0)
		return is_found < 0 ? TMAP_LINT_FAILED : TMAP_LINT_NOTHING;
	finding->fix = tmap_lint_gpus_fix(finding, it, "bind ranks that use GPUs close to them",
					  tmap_room_cores_needed(it), err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	home = tmap_far_device_print(&it->placement->machine->topology[topology], device, err);
	if (!home)
		return TMAP_LINT_FAILED;
	what = tmap_format(
		err, "far from every GPU of their node (%s, for one), near which cores are idle",
		home);
	free(home);
	return tmap_lint_found_take(finding, what, err);
}
