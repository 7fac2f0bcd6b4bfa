/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * like_timing.h - a collective timed by the loops of other benchmarks (core/measure/like.h).
 */
#ifndef TMAP_MPI_RUN_BENCH_LIKE_TIMING_H
#define TMAP_MPI_RUN_BENCH_LIKE_TIMING_H

#include "core/measure/like.h"
#include "mpi_run/bench/bench_subject.h"

#include <signal.h>

/** Collective: a subject of @p bytes, timed in each way that is asked for. All ranks have
 *  like[TMAP_LIKES]. A signal, *@p signal on any rank, ends it after the
 *  way that it came in, and is *came on all ranks; the ways from there on have not been measured. */
int tmap_like_timing_run(struct tmap_job *job, struct tmap_bench_subject *subject,
			 const struct tmap_like_request *request, enum tmap_collective collective,
			 int64_t bytes, const volatile sig_atomic_t *signal,
			 struct tmap_like_times *like, int *came, struct tmap_error *err);

#endif
