/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * virtual_run.h - a call on a virtual topology (core/measure/virtual_topology.h) with its communicator and
 * its data.
 *
 *     to each target     a block of its own, or (gathering calls) the same one for all
 *     from each source   what it has for this rank
 *
 * Blocks follow from who sends to whom alone: where two ranks are neighbors several times, libraries
 * and versions of the standard differ in which of their edges a block takes, and all of these are
 * right. The neighbors are asked of the communicator, since MPI_Dist_graph_create may list them in
 * any order, and compared with those that it was made of. Where ranks were reordered, a rank has the
 * neighbors of its new number. Beyond a border of MPI_Cart_create nothing is looked at.
 */
#ifndef TMAP_MPI_RUN_BENCH_VIRTUAL_RUN_H
#define TMAP_MPI_RUN_BENCH_VIRTUAL_RUN_H

#include "core/measure/virtual_guidelines.h"
#include "mpi_probe/job.h"
#include "mpi_run/bench/bench_data.h"

#include <mpi.h>

/** Ranks in the order of the blocks; MPI_PROC_NULL: beyond a border. */
struct tmap_virtual_list {
	int count;
	int *rank; /**< [count] */
};

struct tmap_virtual_run {
	struct tmap_virtual_key key; /**< TMAP_NO_VIRTUAL: there is none */
	struct tmap_virtual_neighbors neighbors;
	MPI_Comm world, comm;                      /**< before, and with the topology */
	struct tmap_virtual_list sources, targets; /**< by which it is made, at this rank */
	struct tmap_virtual_list from, to;         /**< of the call's blocks, by ranks of comm */
	struct tmap_virtual_list wanted;           /**< of a rank of comm: memory of checks, as */
	int *met;                                  /**< [size] */
	int rank;                                  /**< of comm */
	bool is_as_asked;                          /**< it has the neighbors that were asked for */
	int bytes;
	uint64_t round;
	unsigned char *send, *recv;
	int *counts, *displacements; /**< of v and w forms */
	MPI_Aint *addresses;         /**< of neighbor_alltoallw */
	MPI_Datatype *types;         /**< of w forms */
};

/** Refuses (TMAP_INPUT) blocks that the call cannot count, for the ranks of @p neighbors. */
int tmap_virtual_run_check_size(const struct tmap_virtual_key *key,
				const struct tmap_virtual_neighbors *neighbors, int64_t bytes,
				struct tmap_error *err);

/** MPI_UNWEIGHTED. */
const int *tmap_virtual_no_weights(void);

/** Refuses (TMAP_INPUT) a library that lacks these calls. */
int tmap_virtual_run_check_library(struct tmap_error *err);

/** Collective: ready on all ranks, or -1 on all. tmap_virtual_run_fini() it in any case. */
int tmap_virtual_run_init(struct tmap_virtual_run *it, struct tmap_job *job,
			  const struct tmap_virtual_key *key, int64_t bytes,
			  struct tmap_error *err);

/** Collective. */
void tmap_virtual_run_fini(struct tmap_virtual_run *it);

/** As of struct tmap_bench_data. */
void tmap_virtual_run_fill(struct tmap_virtual_run *it, uint64_t round);
bool tmap_virtual_run_check(struct tmap_virtual_run *it, struct tmap_bench_fault *fault);

/** Once; MPI's codes. */
int tmap_virtual_run_call(struct tmap_virtual_run *it);

/** Collective: a communicator that a call has made is freed, outside of its time. MPI's codes. */
int tmap_virtual_run_rest(struct tmap_virtual_run *it);

#endif
