/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/device.h"

#include <string.h>

/* What adapters made for message passing are called, and below that the interfaces of their
 * networks: the same adapter by another name. */
static const char *const message_passing[] = {
	"mlx",   "hfi",     "qib",  "opa",  "cxi",   "bxi", "efa",
	"irdma", "bnxt_re", "roce", "rdma", "usnic", NULL,
};
static const char *const interfaces[] = { "ib", "hsi", "hsn", NULL };

static bool begins_with(const char *name, const char *const *prefix)
{
	for (; *prefix; prefix++)
		if (strncmp(name, *prefix, strlen(*prefix)) == 0)
			return true;
	return false;
}

static int grade_of(const struct tmap_device *device)
{
	if (device->type != TMAP_NETWORK)
		return 0;
	return begins_with(device->name, message_passing) ? 3 :
		begins_with(device->name, interfaces)     ? 2 :
							    1;
}

bool tmap_device_is_adapter(const struct tmap_topology *topo, int device)
{
	int grade = grade_of(&topo->device[device]);

	for (int d = 0; d < topo->device_count; d++)
		if (grade_of(&topo->device[d]) > grade)
			return false;
	return grade > 0;
}

int tmap_adapter_common_pus(const struct tmap_topology *topo, int object)
{
	int best = topo->pu_count;

	for (int d = 0; d < topo->device_count; d++) {
		int pus = tmap_topology_common_pus(topo, object, topo->device[d].object);

		if (pus < best && tmap_device_is_adapter(topo, d))
			best = pus;
	}
	return best;
}

int tmap_device_closest(const struct tmap_topology *topo, int object, enum tmap_device_type type,
			int *count)
{
	int closest = TMAP_NONE, best = 0;

	*count = 0;
	for (int d = 0; d < topo->device_count; d++) {
		int pus;

		if (topo->device[d].type != type ||
		    (type == TMAP_NETWORK && !tmap_device_is_adapter(topo, d)))
			continue;
		pus = tmap_topology_common_pus(topo, object, topo->device[d].object);
		if (closest == TMAP_NONE || pus < best) {
			closest = d;
			best = pus;
			*count = 0;
		}
		*count += pus == best;
	}
	return closest;
}
