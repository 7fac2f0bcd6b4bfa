#include "formats/base/object_name.h"

void tm_object_name_add(struct tm_str *str, const struct tm_placement *p, int tier,
			struct tm_level_kind kind, const char *level, int rank)
{
	const struct tm_topology *topo = tm_placement_topology(p, rank);
	int node = p->node[rank];

	if (tier != TM_NONE) {
		int at = p->machine->tier[tier].switch_of[node];

		tm_str_add(str, at == TM_NONE ? "no known switch" :
			   p->machine->tier[tier].switch_name[at]);
	} else if (kind.type == TM_NODE) {
		tm_str_add(str, p->machine->node_name[node]);
	} else {
		int object = tm_level_object(topo, kind, tm_placement_object(p, rank));

		tm_str_addf(str, "%s %d", level, topo->object[object].logical);
	}
}
