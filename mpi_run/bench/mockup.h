/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mockup.h - a collective of the library, done by other collectives of the library.
 *
 *     bcast   mockup:scatter+allgather     MPI_Scatter(a p-th each), MPI_Allgather in place
 *     gather  mockup:reduce                MPI_Reduce of p blocks, zeros but for the own one, by BOR
 *
 * Each gives what the collective gives, and what it needs besides (blocks put side by side, zeros
 * behind the last p-th) is part of its time; memory is not. The rows are those right sides of
 * core/guidelines that are made of the library's collectives; "lane" is an algorithm of ours.
 */
#ifndef TMAP_MPI_RUN_BENCH_MOCKUP_H
#define TMAP_MPI_RUN_BENCH_MOCKUP_H

#include "mpi_run/bench/bench_data.h"

#include <mpi.h>

struct tmap_mockup; /* a row of the table */

/** A mock-up with its memory. */
struct tmap_mockup_call {
	const struct tmap_mockup *row; /**< NULL: none */
	const struct tmap_bench_data *data;
	MPI_Comm comm;
	MPI_Datatype type;
	MPI_Op op;
	int count;            /**< elements that the call names */
	int share;            /**< a p-th of these, rounded up */
	unsigned char *whole; /**< what the row needs besides: a vector, p shares or p blocks */
};

/** The row of that collective and name ("scatter+allgather"), or NULL. */
const struct tmap_mockup *tmap_mockup_find(enum tmap_collective collective, const char *name);

/** Refuses (TMAP_INPUT) vectors of more elements than MPI's functions can count. @p data is
 *  borrowed until tmap_mockup_fini(). */
int tmap_mockup_init(struct tmap_mockup_call *it, const struct tmap_mockup *row,
		     const struct tmap_bench_data *data, MPI_Comm comm, struct tmap_error *err);
void tmap_mockup_fini(struct tmap_mockup_call *it);

/** Once; MPI's codes. */
int tmap_mockup_call(const struct tmap_mockup_call *it);

#endif
