/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lane_exchange.h - the lane pattern: the first k ranks of each node exchange what the node has.
 *
 *     k = 2, 10 bytes     node 0    node 1    node 2
 *     lane 0 (5 bytes)    0 ------> 2 ------> 4 ------> 0       rank i of a node sends to rank i of
 *     lane 1 (5 bytes)    1 ------> 3 ------> 5 ------> 1       the next, again and again
 *
 * What k does not divide the first lane takes. Between the exchanges of a repetition there is no
 * barrier: lanes are for algorithms that go on and on. (Traeff and Hunold, section II.)
 */
#ifndef TMAP_MPI_RUN_BENCH_LANE_EXCHANGE_H
#define TMAP_MPI_RUN_BENCH_LANE_EXCHANGE_H

#include "mpi_run/bench/bench_data.h"

#include <mpi.h>

/** Where a rank is among the lanes. */
struct tmap_lane_place {
	int lane; /**< its number on its node */
	int node; /**< its node's, of node_count */
	int node_count;
	int next, previous; /**< the ranks of this lane on the next node, and on the one before */
};

struct tmap_lane_exchange {
	MPI_Comm comm;
	struct tmap_lane_place place;
	int64_t exchanges; /**< 0: there is none */
	int bytes;         /**< that this rank sends and receives in one */
	uint64_t round;
	unsigned char *send, *recv;
};

/** Refuses (TMAP_INPUT) more than MPI_Sendrecv can count. */
int tmap_lane_exchange_check_size(int64_t bytes, int lanes, struct tmap_error *err);

/** @p bytes of each node over @p lanes, of which this rank's is one; refuses these, too. */
int tmap_lane_exchange_init(struct tmap_lane_exchange *it, const struct tmap_lane_place *place,
			    MPI_Comm comm, int64_t bytes, int lanes, int64_t exchanges,
			    struct tmap_error *err);
void tmap_lane_exchange_fini(struct tmap_lane_exchange *it);

/** New data to send; the place of what comes has something else in each byte. */
void tmap_lane_exchange_fill(struct tmap_lane_exchange *it, uint64_t round);

/** All exchanges; MPI's codes. */
int tmap_lane_exchange_call(const struct tmap_lane_exchange *it);

/** Did the last one bring what was filled in? Else the first fault. */
bool tmap_lane_exchange_check(const struct tmap_lane_exchange *it, struct tmap_bench_fault *fault);

#endif
