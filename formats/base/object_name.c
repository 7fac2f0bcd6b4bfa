/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/object_name.h"

void tmap_object_name_add(struct tmap_str *str, const struct tmap_placement *p, int tier,
			  struct tmap_level_kind kind, const char *level, int rank)
{
	const struct tmap_topology *topo = tmap_placement_topology(p, rank);
	int node = p->node[rank];

	if (tier != TMAP_NONE) {
		int at = p->machine->tier[tier].switch_of[node];

		tmap_str_add(str,
			     at == TMAP_NONE ? "no known switch" :
					       p->machine->tier[tier].switch_name[at]);
	} else if (kind.type == TMAP_NODE) {
		tmap_str_add(str, p->machine->node_name[node]);
	} else {
		int object = tmap_level_object(topo, kind, tmap_placement_object(p, rank));

		tmap_str_addf(str, "%s %d", level, topo->object[object].logical);
	}
}
