#include "core/machine/device.h"

int tm_device_closest(const struct tm_topology *topo, int object, enum tm_device_type type,
		      int *count)
{
	int closest = TM_NONE, best = 0;

	*count = 0;
	for (int d = 0; d < topo->device_count; d++) {
		int reach;

		if (topo->device[d].type != type)
			continue;
		reach = tm_topology_reach(topo, object, topo->device[d].object);
		if (closest == TM_NONE || reach < best) {
			closest = d;
			best = reach;
			*count = 0;
		}
		*count += reach == best;
	}
	return closest;
}
