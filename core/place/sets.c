/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/sets.h"

int tmap_sets_bind(int *place, int count, struct tmap_placement *p, int topology,
		   const struct tmap_idset *set, const char *name, struct tmap_error *err)
{
	for (int i = 0; i < count; i++) {
		if (tmap_topology_check_allowed(&p->machine->topology[topology], &set[i], err) < 0)
			return tmap_wrap(err, "set %d of the %s", i, name);
		place[i] = tmap_placement_bind(p, topology, &set[i], err);
		if (place[i] == TMAP_NONE)
			return -1;
	}
	return 0;
}
