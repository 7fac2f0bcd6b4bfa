/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * openmpi5_map.c - a preload for mpirun of Open MPI 5: the PUs of each process of its map.
 *
 * The map that mpirun prints has cores where cores are cpus. It reads each process's set of PUs
 * when it prints the process, and that is written down, one line for each.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int hwloc_bitmap_list_sscanf(void *set, const char *text)
{
	static int (*real)(void *, const char *);
	const char *path = getenv("OPENMPI5_MAP");
	FILE *file = path ? fopen(path, "a") : NULL;

	if (file) {
		fprintf(file, "%s\n", text);
		fclose(file);
	}
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "hwloc_bitmap_list_sscanf");
	return real(set, text);
}
