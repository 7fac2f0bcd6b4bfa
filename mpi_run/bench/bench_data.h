/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_data.h - what a rank gives to a collective, and what it must get.
 *
 *     word(round, from, to, i)        the i-th 8 bytes of what FROM has for TO
 *     weight(round, rank) * word(...) where vectors are reduced: their sum is (sum of weights) *
 *                                     word
 *
 * Elements of 8 or 4 bytes are unsigned numbers, whose sums wrap. Smaller ones are not added:
 * libraries differ in what their sums become (Open MPI's are cut off at the largest number where the
 * processor can do so). They are combined by exclusive or, bytes in the field of 256 elements, in
 * which that is the sum.
 *
 * Every result follows from who asked for what, so no algorithm is needed to know it. Before a call
 * that is looked at, the place of the result holds the complement of what must come: what does not
 * come is wrong in every byte.
 */
#ifndef TMAP_MPI_RUN_BENCH_BENCH_DATA_H
#define TMAP_MPI_RUN_BENCH_BENCH_DATA_H

#include "core/schedule/call.h"

struct tmap_bench_data {
	enum tmap_collective collective;
	int rank, size, root;
	int64_t bytes;      /**< as of struct tmap_call */
	int64_t element;    /**< bytes of an element of what is reduced, 1 to 8; else 1 */
	int64_t send_bytes; /**< of this rank; 0: it gives nothing, or gets nothing */
	int64_t recv_bytes;
	unsigned char *send, *recv;  /**< of a bcast recv alone, at the root too */
	int *counts, *displacements; /**< [size] of a reduce_scatter: elements of the pieces */
	int *source, *target;        /**< [sources], [targets] of a neighborhood: of each block the
					  rank; TMAP_NONE: beyond a border, nothing comes */
	int sources, targets;
	bool is_xor;      /**< reduced by exclusive or; else by sums */
	uint64_t *weight; /**< [size + 1]: of the ranks before one, together */
	uint64_t round;
};

/** Refuses (TMAP_INPUT) sizes that MPI's functions cannot count, of a collective on @p size ranks, or of so
 *  many blocks where neighbors are more. */
int tmap_bench_data_check_size(enum tmap_collective collective, int64_t bytes, int size,
			       struct tmap_error *err);

/** Refuses these, too. */
int tmap_bench_data_init(struct tmap_bench_data *data, const struct tmap_call *call, int rank,
			 struct tmap_error *err);
void tmap_bench_data_fini(struct tmap_bench_data *data);

/** Of a neighborhood: there are no blocks beyond a border, as a graph of MPI has it. */
void tmap_bench_data_close_ranks(struct tmap_bench_data *data);

/** New data, other ones for each @p round, the same at all ranks. O(bytes + p). */
void tmap_bench_data_fill(struct tmap_bench_data *data, uint64_t round);

/** A byte of the result that is wrong; or, of a communicator with a topology, its neighbors are. */
struct tmap_bench_fault {
	bool is_of_neighbors;
	int64_t block; /**< 0 where there is one */
	int64_t byte;  /**< of the block */
};

/** Is the result of the last fill right? Else the first fault. O(bytes). */
bool tmap_bench_data_check(const struct tmap_bench_data *data, struct tmap_bench_fault *fault);

#endif
