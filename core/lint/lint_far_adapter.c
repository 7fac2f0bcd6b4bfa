/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/far_device.h"
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/machine/device.h"

#include <stdlib.h>

const char *tmap_lint_no_adapters(const struct tmap_machine *machine)
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
		     const struct tmap_homes *homes, const struct tmap_idset *taken, int cores,
		     struct tmap_error *err)
{
	int home = TMAP_NONE, count = 0;

	for (int i = 0; i < topo->object_count && count < cores; i++) {
		int at = tmap_topology_ancestor(topo, i, TMAP_NUMA);

		if (!tmap_homes_has_idle(topo, homes, taken, i))
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

/* "bind the rank of each node to PUs 18-21, near hfi1_0" and words; "" where there are not so many cores. */
static char *only_rank_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			   const struct tmap_homes *homes, int device, struct tmap_error *err)
{
	int node = it->fold.example[0], numa, cores = tmap_room_cores_needed(it), status;
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	char *list = NULL, *text = NULL, *words = NULL, *plain = NULL, *fix = NULL;
	struct tmap_spot spot = { tmap_far_device_memory(topo, device), TMAP_NONE, NULL };
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
	struct tmap_spot spot = { 0, topo->object[tmap_far_device_memory(topo, device)].first_pu,
				  NULL };
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

/* The ranks of a node near the adapter, if these are so few that they do not crowd its memory; else one of
 * them, or on all memory, which is near to it, too. The rule's fix where nodes differ, or there are not so many
 * cores. */
static char *adapter_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			 int device, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	int each = it->order.ranks_max, cores = tmap_room_cores_needed(it), near, least;
	enum tmap_type memory = tmap_room_memory_type(topo);
	struct tmap_spot spot = { 0, TMAP_NONE, NULL };
	char *text, *fix = NULL;
	struct tmap_homes homes;

	if (it->placement->machine->topology_count > 1)
		return tmap_lint_fix(finding, finding->rule->fix, err);
	if (each == 1) {
		if (tmap_homes_init(&homes, topo, TMAP_NETWORK, err) < 0)
			return NULL;
		fix = only_rank_fix(finding, it, &homes, device, err);
		tmap_homes_fini(&homes);
		if (!fix || *fix)
			return fix;
		free(fix);
	}
	spot.object = near = tmap_far_device_memory(topo, device);
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

/* Has every node as many GPUs near its adapters as ranks, which would be as well off there? 1, 0, or -1. */
static int has_gpus_at_adapters(const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_machine *machine = it->placement->machine;

	for (int t = 0; t < machine->topology_count; t++) {
		const struct tmap_topology *topo = &machine->topology[t];
		struct tmap_homes adapters;
		int gpus;

		if (tmap_homes_init(&adapters, topo, TMAP_NETWORK, err) < 0)
			return -1;
		gpus = tmap_lint_count_gpus(topo, &adapters);
		tmap_homes_fini(&adapters);
		if (gpus < it->order.ranks_max)
			return 0;
	}
	return 1;
}

/* Are the ranks near GPUs of their own, or should they be, which is another finding? 1, 0, or -1. */
static int belong_at_gpus(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  struct tmap_error *err)
{
	struct tmap_finding far = { .rule = finding->rule };
	int status = tmap_lint_are_at_gpus(finding, it, err), topology, device;

	if (status || !tmap_lint_has_gpu_each(it))
		return status;
	status = tmap_lint_find_far_gpu(&far, it, &topology, &device, err);
	tmap_idset_fini(&far.ranks);
	return status;
}

/* *device is an adapter that all ranks of the finding are far from for no good reason. 1: they are; 0: none is;
 * -1: it failed. */
static int find_far(struct tmap_finding *finding, const struct tmap_inspection *it, int *topology,
		    int *device, struct tmap_error *err)
{
	int status;

	if (tmap_far_device_add(finding, it, TMAP_NETWORK, true, topology, device, err) < 0)
		return -1;
	if (!tmap_lint_ranks(finding))
		return 0;
	/* programs that need all memory, or GPUs that are elsewhere, gain nothing there */
	status = tmap_far_device_is_spread(it, TMAP_NETWORK, err);
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
	    tmap_lint_no_adapters(it->placement->machine))
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
	reason = tmap_lint_no_adapters(it->placement->machine);
	if (reason)
		return tmap_lint_skipped_take(finding, tmap_strdup(reason, err));
	is_found = find_far(finding, it, &topology, &device, err);
	if (is_found <= 0)
		return is_found < 0 ? TMAP_LINT_FAILED : TMAP_LINT_NOTHING;
	finding->fix = adapter_fix(finding, it, device, err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	home = tmap_far_device_print(&it->placement->machine->topology[topology], device, err);
	if (!home)
		return TMAP_LINT_FAILED;
	is_only = is_only_adapter(&it->placement->machine->topology[topology], device);
	what = tmap_format(err, "far from %s, %s, near which cores are idle", home,
			   is_only ? "the only adapter of their node that messages go over" :
				     "and from the other adapters of their node");
	free(home);
	return tmap_lint_found_take(finding, what, err);
}
