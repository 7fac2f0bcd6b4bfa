/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/pu_owners.h"

#include "core/base/mem.h"

#include <stdlib.h>

int tmap_pu_owners_init(struct tmap_pu_owners *owners, const struct tmap_machine *machine,
			struct tmap_error *err)
{
	struct tmap_pu_owners made = { 0 };
	int count = 0;

	for (int t = 0; t < machine->topology_count; t++)
		for (int i = 0; i < machine->topology[t].pu_count; i++)
			if (machine->topology[t].pu[i].os >= count)
				count = machine->topology[t].pu[i].os + 1;
	made.owner = tmap_alloc((size_t)count, sizeof *made.owner, err);
	made.node = tmap_alloc((size_t)count, sizeof *made.node, err);
	if (!made.owner || !made.node) {
		tmap_pu_owners_fini(&made);
		return -1;
	}
	*owners = made;
	return 0;
}

void tmap_pu_owners_fini(struct tmap_pu_owners *owners)
{
	free(owners->owner);
	free(owners->node);
	*owners = (struct tmap_pu_owners){ 0 };
}

int tmap_pu_owners_claim(struct tmap_pu_owners *owners, int node, int os, int owner)
{
	if (owners->node[os] == node + 1)
		return owners->owner[os];
	owners->node[os] = node + 1;
	owners->owner[os] = owner;
	return TMAP_NONE;
}
