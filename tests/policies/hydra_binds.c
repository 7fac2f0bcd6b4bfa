/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hydra_binds.c - a preload for Hydra's proxy: what it binds each process to.
 *
 * HYDRA_TOPO_DEBUG prints only as many digits as there are PUs, whatever their indexes. The proxy
 * hands the whole set to hwloc, and that is written instead, one line for each process, at the end
 * of the file that BINDS names: what goes through mpiexec's own output can get lost where processes
 * end at once.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int hwloc_bitmap_list_asprintf(char **list, const void *set);
int hwloc_set_cpubind(void *topology, const void *set, int flags);

int hwloc_set_cpubind(void *topology, const void *set, int flags)
{
	const char *rank = getenv("PMI_RANK"), *path = getenv("BINDS");
	int file = open(path ? path : "/dev/null", O_WRONLY | O_APPEND);
	char *list = NULL;

	(void)topology;
	(void)flags;
	if (hwloc_bitmap_list_asprintf(&list, set) >= 0)
		dprintf(file, "bound %s to %s\n", rank ? rank : "?", list);
	free(list);
	close(file);
	return 0;
}
