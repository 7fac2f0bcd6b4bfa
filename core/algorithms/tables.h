/*
 * tables.h - the catalogue: one table of rows a collective, in the file of its name.
 */
#ifndef TM_ALGORITHMS_TABLES_H
#define TM_ALGORITHMS_TABLES_H

#include "core/schedule/schedule.h"

/** The vector in one piece, and in one for each rank. */
int64_t tm_one_piece(const struct tm_call *call);
int64_t tm_piece_a_rank(const struct tm_call *call);

/** The vector in segments of so many bytes; 0: in one. */
int64_t tm_segments(int64_t bytes, int64_t segment);

/** "radix": 2, or what the user says. */
extern const struct tm_param tm_radix_2[];

/** "merge": distances up to this one are one, for the distance-aware trees and rings. */
extern const struct tm_param tm_merge_0[];

/** The schedule of the circulant graph, which has a file of its own. */
int64_t tm_circulant_pieces(const struct tm_call *call);
int tm_circulant(struct tm_emit *emit);

/** Bruck that minds the nodes, too. */
extern const struct tm_param tm_locality_bruck_params[];
int tm_locality_bruck_check(const struct tm_call *call, struct tm_error *err);
int tm_locality_bruck(struct tm_emit *emit);

/** Recursive doubling over any number of ranks, as if the root were rank 0: units are the blocks
 *  of shifted ranks. */
int tm_recursive_doubling_any(struct tm_emit *emit);

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
extern const struct tm_algorithm tm_neighbor_allgather_algorithms[];
extern const struct tm_algorithm tm_neighbor_alltoall_algorithms[];

#endif
