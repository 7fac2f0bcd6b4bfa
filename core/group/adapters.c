/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/group/adapters.h"

#include "core/base/mem.h"
#include "core/machine/device.h"

#include <limits.h>
#include <stdlib.h>

void tmap_adapters_fini(struct tmap_adapters *adapters)
{
	free(adapters->adapter);
	free(adapters->of_rank);
	*adapters = (struct tmap_adapters){ 0 };
}

/* What is found out of each kind of node. */
struct kinds {
	int *first;    /* [topology_count + 1]: its first adapter; equal: it has none */
	bool *is_used; /* [topology_count] */
	int *drivers;  /* [adapters]: of the node at hand */
};

static void kinds_fini(struct kinds *kinds)
{
	free(kinds->first);
	free(kinds->is_used);
	free(kinds->drivers);
}

static int adapters_count(const struct tmap_topology *topo)
{
	int count = 0;

	for (int d = 0; d < topo->device_count; d++)
		count += tmap_device_is_adapter(topo, d);
	return count;
}

static void adapters_list(struct tmap_adapters *adapters, const struct tmap_machine *machine,
			  const struct kinds *kinds)
{
	for (int t = 0; t < machine->topology_count; t++)
		for (int d = 0; kinds->is_used[t] && d < machine->topology[t].device_count; d++)
			if (tmap_device_is_adapter(&machine->topology[t], d))
				adapters->adapter[adapters->count++] =
					(struct tmap_adapter){ t, d, INT_MAX, 0 };
}

static int kinds_find(struct tmap_adapters *adapters, struct kinds *kinds,
		      const struct tmap_lanes *lanes, struct tmap_error *err)
{
	const struct tmap_machine *machine = lanes->placement->machine;
	size_t count = (size_t)machine->topology_count;
	int all = 0;

	kinds->first = tmap_alloc(count + 1, sizeof *kinds->first, err);
	kinds->is_used = tmap_alloc(count, sizeof *kinds->is_used, err);
	if (!kinds->first || !kinds->is_used)
		return -1;
	for (int i = 0; i < lanes->node_count; i++)
		kinds->is_used[machine->node_topology[lanes->node[i]]] = true;
	for (int t = 0; t < machine->topology_count; t++) {
		kinds->first[t] = all;
		if (kinds->is_used[t])
			all += adapters_count(&machine->topology[t]);
		kinds->first[t + 1] = all;
	}
	kinds->drivers = tmap_alloc((size_t)all, sizeof *kinds->drivers, err);
	adapters->adapter = tmap_alloc((size_t)all, sizeof *adapters->adapter, err);
	adapters->of_rank =
		tmap_alloc_raw((size_t)lanes->placement->size, sizeof *adapters->of_rank, err);
	if (!kinds->drivers || !adapters->adapter || !adapters->of_rank)
		return -1;
	adapters_list(adapters, machine, kinds);
	return 0;
}

/* The closest adapter of first .. end - 1, of equals the one with the fewest drivers. */
static int adapter_choose(const struct tmap_adapters *adapters, const struct kinds *kinds,
			  int first, int end, const struct tmap_topology *topo, int object)
{
	int best = TMAP_NONE, least = 0;

	for (int a = first; a < end; a++) {
		int device = adapters->adapter[a].device;
		int pus = tmap_topology_common_pus(topo, object, topo->device[device].object);

		if (best != TMAP_NONE &&
		    (pus > least || (pus == least && kinds->drivers[a] >= kinds->drivers[best])))
			continue;
		best = a;
		least = pus;
	}
	return best;
}

static void node_choose_adapters(struct tmap_adapters *adapters, struct kinds *kinds,
				 const struct tmap_lanes *lanes, int node)
{
	const struct tmap_placement *p = lanes->placement;
	int t = p->machine->node_topology[lanes->node[node]];
	int first = kinds->first[t], end = kinds->first[t + 1];

	for (int a = first; a < end; a++)
		kinds->drivers[a] = 0;
	for (int g = 0; g < tmap_lanes_groups(lanes, node) && first < end; g++) {
		int rank = lanes->leader[lanes->group_first[node] + g];
		int a = adapter_choose(adapters, kinds, first, end, &p->machine->topology[t],
				       tmap_placement_object(p, rank));

		adapters->of_rank[rank] = a;
		kinds->drivers[a]++;
	}
	for (int a = first; a < end; a++) {
		struct tmap_adapter *adapter = &adapters->adapter[a];

		adapters->idle += !kinds->drivers[a];
		if (kinds->drivers[a] < adapter->drivers_min)
			adapter->drivers_min = kinds->drivers[a];
		if (kinds->drivers[a] > adapter->drivers_max)
			adapter->drivers_max = kinds->drivers[a];
	}
	if (end - first < adapters->per_node_min)
		adapters->per_node_min = end - first;
	if (end - first > adapters->per_node_max)
		adapters->per_node_max = end - first;
}

int tmap_adapters_init(struct tmap_adapters *adapters, const struct tmap_lanes *lanes,
		       struct tmap_error *err)
{
	struct kinds kinds = { 0 };
	int status;

	*adapters = (struct tmap_adapters){ .per_node_min = INT_MAX };
	status = kinds_find(adapters, &kinds, lanes, err);
	for (int r = 0; status == 0 && r < lanes->placement->size; r++)
		adapters->of_rank[r] = TMAP_NONE;
	for (int i = 0; status == 0 && i < lanes->node_count; i++)
		node_choose_adapters(adapters, &kinds, lanes, i);
	kinds_fini(&kinds);
	if (status < 0)
		tmap_adapters_fini(adapters);
	return status;
}

int *tmap_adapters_drivers(const struct tmap_adapters *adapters, int adapter, int size, int *count,
			   struct tmap_error *err)
{
	int *rank = tmap_alloc_raw((size_t)size, sizeof *rank, err);

	*count = 0;
	for (int r = 0; rank && r < size; r++)
		if (adapters->of_rank[r] == adapter)
			rank[(*count)++] = r;
	return rank;
}
