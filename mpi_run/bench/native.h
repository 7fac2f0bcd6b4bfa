/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * native.h - the library's own collectives on the data of a measurement.
 *
 *     blocking       MPI_Allgather(...)
 *     nonblocking    MPI_Iallgather(..., &request); MPI_Wait(&request)
 *     persistent     once: MPI_Allgather_init(..., &request); then MPI_Start, MPI_Wait   (MPI 4)
 */
#ifndef TMAP_MPI_RUN_BENCH_NATIVE_H
#define TMAP_MPI_RUN_BENCH_NATIVE_H

#include "core/measure/times.h"
#include "mpi_run/bench/bench_data.h"

#include <mpi.h>

struct tmap_native {
	const struct tmap_bench_data *data;
	enum tmap_mode mode;
	MPI_Comm comm;
	MPI_Datatype type;   /**< of an element */
	MPI_Request request; /**< of a persistent one */
};

/** The type of an element of that many bytes, and by what they are reduced. */
MPI_Datatype tmap_native_type(const struct tmap_bench_data *data);
MPI_Op tmap_native_op(const struct tmap_bench_data *data);

/** Has the library this mode? */
bool tmap_native_has(enum tmap_mode mode);

/** MPI's codes; *native is borrowed by the library until tmap_native_fini(). */
int tmap_native_init(struct tmap_native *native, const struct tmap_bench_data *data,
		     enum tmap_mode mode, MPI_Comm comm);
int tmap_native_call(struct tmap_native *native);
void tmap_native_fini(struct tmap_native *native);

#endif
