/*
 * hwloc_distances.h - the distances between NUMA nodes that hwloc's XML records.
 */
#ifndef TM_HWLOC_DISTANCES_H
#define TM_HWLOC_DISTANCES_H

#include "core/base/error.h"

#include <stddef.h>

struct tm_numa_distances {
	int count;
	int *os;             /**< [count]: OS indexes of the NUMA nodes */
	double *value;       /**< [count x count], row by row; the diagonal is often 10 */
};

/** The first latencies between NUMA nodes in @p length bytes of XML; bandwidths are none.
 *  Messages do not name the file. */
int tm_numa_distances_parse(struct tm_numa_distances *distances, const char *xml, size_t length,
			    struct tm_error *err);
void tm_numa_distances_fini(struct tm_numa_distances *distances);

/** Row of the NUMA node with OS index @p os, or TM_NONE. O(count). */
int tm_numa_distances_find(const struct tm_numa_distances *distances, int os);

#endif
