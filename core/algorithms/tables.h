/*
 * tables.h - the catalogue: one table of rows a collective, in the file of its name.
 */
#ifndef TM_ALGORITHMS_TABLES_H
#define TM_ALGORITHMS_TABLES_H

#include "core/schedule.h"

/** "radix": 2, or what the user says. */
extern const struct tm_param tm_radix_2[];

extern const struct tm_algorithm tm_allgather_algorithms[];
extern const struct tm_algorithm tm_bcast_algorithms[];
extern const struct tm_algorithm tm_reduce_algorithms[];
extern const struct tm_algorithm tm_gather_algorithms[];
extern const struct tm_algorithm tm_scatter_algorithms[];
extern const struct tm_algorithm tm_allreduce_algorithms[];
extern const struct tm_algorithm tm_reduce_scatter_algorithms[];
extern const struct tm_algorithm tm_reduce_scatter_block_algorithms[];
extern const struct tm_algorithm tm_alltoall_algorithms[];
extern const struct tm_algorithm tm_barrier_algorithms[];
extern const struct tm_algorithm tm_scan_algorithms[];
extern const struct tm_algorithm tm_exscan_algorithms[];

#endif
