/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hwloc_distances.h - the distances between NUMA nodes that hwloc's XML records.
 */
#ifndef TMAP_FORMATS_MACHINE_HWLOC_DISTANCES_H
#define TMAP_FORMATS_MACHINE_HWLOC_DISTANCES_H

#include "core/base/error.h"

#include <stddef.h>

struct tmap_numa_distances {
	int count;
	int *os;       /**< [count]: OS indexes of the NUMA nodes */
	double *value; /**< [count x count], row by row; the diagonal is often 10 */
};

/** The first latencies between NUMA nodes in @p length bytes of XML; bandwidths are none.
 *  Messages do not name the file. */
int tmap_numa_distances_parse(struct tmap_numa_distances *distances, const char *xml, size_t length,
			      struct tmap_error *err);
void tmap_numa_distances_fini(struct tmap_numa_distances *distances);

/** Row of the NUMA node with OS index @p os, or TMAP_NONE. O(count). */
int tmap_numa_distances_find(const struct tmap_numa_distances *distances, int os);

#endif
