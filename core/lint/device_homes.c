/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/device_homes.h"

#include "core/base/mem.h"

#include <stdlib.h>

void tmap_homes_fini(struct tmap_homes *homes)
{
	free(homes->object);
	free(homes->device);
}

int tmap_homes_init(struct tmap_homes *homes, const struct tmap_topology *topo,
		    enum tmap_device_type type, struct tmap_error *err)
{
	*homes = (struct tmap_homes){ 0 };
	homes->object = tmap_alloc((size_t)topo->device_count, sizeof *homes->object, err);
	homes->device = tmap_alloc((size_t)topo->device_count, sizeof *homes->device, err);
	if (!homes->object || !homes->device) {
		tmap_homes_fini(homes);
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

int tmap_homes_common(const struct tmap_topology *topo, int a, int b)
{
	const struct tmap_object *x = &topo->object[a], *y = &topo->object[b];
	int first = x->first_pu < y->first_pu ? x->first_pu : y->first_pu;
	int end = x->end_pu > y->end_pu ? x->end_pu : y->end_pu;

	return tmap_topology_cover(topo, first, end);
}

bool tmap_homes_share_memory(const struct tmap_topology *topo, int a, int b)
{
	return tmap_topology_ancestor(topo, tmap_homes_common(topo, a, b), TMAP_NUMA) !=
		TMAP_NONE ||
		tmap_topology_find(topo, TMAP_NUMA, 0) == TMAP_NONE;
}

bool tmap_homes_is_within(const struct tmap_topology *topo, int object, int home)
{
	return topo->object[object].first_pu >= topo->object[home].first_pu &&
		topo->object[object].end_pu <= topo->object[home].end_pu;
}

bool tmap_homes_are_far(const struct tmap_topology *topo, const struct tmap_homes *homes,
			int object)
{
	for (int i = 0; i < homes->count; i++)
		if (tmap_homes_is_within(topo, object, homes->object[i]) ||
		    tmap_homes_share_memory(topo, object, homes->object[i]))
			return false;
	return homes->count > 0;
}

bool tmap_homes_are_far_from_place(const struct tmap_topology *topo, const struct tmap_homes *homes,
				   const struct tmap_place *place)
{
	int last = TMAP_NONE;

	if (!tmap_homes_are_far(topo, homes, place->object))
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
		if (!tmap_homes_are_far(topo, homes, object))
			return false;
	}
	return true;
}

bool tmap_homes_are_outside(const struct tmap_topology *topo, const struct tmap_homes *homes,
			    int object)
{
	int all = homes->object[0];

	for (int i = 1; i < homes->count; i++)
		all = tmap_homes_common(topo, all, homes->object[i]);
	return topo->object[all].end_pu - topo->object[all].first_pu < topo->pu_count &&
		!tmap_homes_is_within(topo, object, all);
}

bool tmap_homes_has_idle(const struct tmap_topology *topo, const struct tmap_homes *homes,
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
	return allowed && !tmap_homes_are_far(topo, homes, i);
}
