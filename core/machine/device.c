#include "core/machine/device.h"

/* PUs of the smallest object that holds @p object and what the device hangs on: the smaller,
 * the closer. */
static int reach_of(const struct tm_topology *topo, int object, int device)
{
	const struct tm_object *a = &topo->object[object];
	const struct tm_object *b = &topo->object[topo->device[device].object];
	int first = a->first_pu < b->first_pu ? a->first_pu : b->first_pu;
	int end = a->end_pu > b->end_pu ? a->end_pu : b->end_pu;
	const struct tm_object *common = &topo->object[tm_topology_cover(topo, first, end)];

	return common->end_pu - common->first_pu;
}

int tm_device_closest(const struct tm_topology *topo, int object, enum tm_device_type type,
		      int *count)
{
	int closest = TM_NONE, best = 0;

	*count = 0;
	for (int d = 0; d < topo->device_count; d++) {
		int reach;

		if (topo->device[d].type != type)
			continue;
		reach = reach_of(topo, object, d);
		if (closest == TM_NONE || reach < best) {
			closest = d;
			best = reach;
			*count = 0;
		}
		*count += reach == best;
	}
	return closest;
}
