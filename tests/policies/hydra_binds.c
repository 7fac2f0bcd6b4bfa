/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hydra_binds.c - a preload for Hydra's proxy: what it binds each process to.
 *
 * HYDRA_TOPO_DEBUG prints only as many digits as there are PUs, whatever their indexes. The proxy
 * hands the whole set to hwloc, and that is printed instead, one line for each process.
 */
#include <stdio.h>
#include <stdlib.h>

int hwloc_bitmap_list_asprintf(char **list, const void *set);
int hwloc_set_cpubind(void *topology, const void *set, int flags);

int hwloc_set_cpubind(void *topology, const void *set, int flags)
{
	const char *rank = getenv("PMI_RANK");
	char *list = NULL;

	(void)topology;
	(void)flags;
	if (hwloc_bitmap_list_asprintf(&list, set) >= 0)
		dprintf(1, "bound %s to %s\n", rank ? rank : "?", list);
	free(list);
	return 0;
}
