/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * os_clock.h - the clock of the system that this process runs on, and which one it is.
 *
 * CLOCK_MONOTONIC_RAW: nobody sets it or bends its rate, so that two of them run apart steadily. All
 * processes of a kernel see the same, unless they are in other time namespaces.
 */
#ifndef TMAP_MPI_RUN_BENCH_OS_CLOCK_H
#define TMAP_MPI_RUN_BENCH_OS_CLOCK_H

#include <stdint.h>

/** Nanoseconds since whenever. */
int64_t tmap_os_clock_now(void);

/** The same for two processes, which share memory, if they read the same clock, and only then as far
 *  as a hash tells; 0: the system does not say. */
uint64_t tmap_os_clock_identity(void);

#endif
