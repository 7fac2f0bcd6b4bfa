/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.h - the catalogue: one table of rows a collective, in the file of its name.
 */
#ifndef TMAP_CORE_ALGORITHMS_TABLES_H
#define TMAP_CORE_ALGORITHMS_TABLES_H

#include "core/schedule/schedule.h"

/** The vector in one piece, and in one for each rank. */
int64_t tmap_one_piece(const struct tmap_call *call);
int64_t tmap_piece_a_rank(const struct tmap_call *call);

/** One for each rank, full ones as long as there is something left: where they begin. */
int64_t tmap_full_pieces(const struct tmap_call *call, int64_t piece);

/** The vector in segments of so many bytes; 0: in one. */
int64_t tmap_segments(int64_t bytes, int64_t segment);

/** "radix": 2, or what the user says. */
extern const struct tmap_param tmap_radix_2[];

/** "merge": distances up to this one are one, for the distance-aware trees and rings. */
extern const struct tmap_param tmap_merge_0[];

/** The schedule of the circulant graph, which has a file of its own. */
int64_t tmap_circulant_pieces(const struct tmap_call *call);
int tmap_circulant(struct tmap_emit *emit);

/** Reduce-scatter, and allreduce by one and an allgather, over the same graph. */
int tmap_circulant_reduce_scatter(struct tmap_emit *emit);
int tmap_circulant_allreduce(struct tmap_emit *emit);

/** Bruck that minds the nodes, too. */
extern const struct tmap_param tmap_locality_bruck_params[];
int tmap_locality_bruck_check(const struct tmap_call *call, struct tmap_error *err);
int tmap_locality_bruck(struct tmap_emit *emit);

/** Reduce-scatter by a reduce to rank 0 and a scatter, "reduce" and "scatter" being their
 *  algorithms; and by doubling. */
extern const struct tmap_param tmap_reduce_and_scatter_params[];
int tmap_reduce_and_scatter_check(const struct tmap_call *call, struct tmap_error *err);
int tmap_reduce_and_scatter(struct tmap_emit *emit);
int tmap_reduce_scatter_doubling(struct tmap_emit *emit);

/** Recursive doubling over any number of ranks, as if the root were rank 0: units are the blocks
 *  of shifted ranks. */
int tmap_recursive_doubling_any(struct tmap_emit *emit);

extern const struct tmap_algorithm tmap_allgather_algorithms[];
extern const struct tmap_algorithm tmap_bcast_algorithms[];
extern const struct tmap_algorithm tmap_reduce_algorithms[];
extern const struct tmap_algorithm tmap_gather_algorithms[];
extern const struct tmap_algorithm tmap_scatter_algorithms[];
extern const struct tmap_algorithm tmap_allreduce_algorithms[];
extern const struct tmap_algorithm tmap_reduce_scatter_algorithms[];
extern const struct tmap_algorithm tmap_reduce_scatter_block_algorithms[];
extern const struct tmap_algorithm tmap_alltoall_algorithms[];
extern const struct tmap_algorithm tmap_barrier_algorithms[];
extern const struct tmap_algorithm tmap_scan_algorithms[];
extern const struct tmap_algorithm tmap_exscan_algorithms[];
extern const struct tmap_algorithm tmap_neighbor_allgather_algorithms[];
extern const struct tmap_algorithm tmap_neighbor_alltoall_algorithms[];

#endif
