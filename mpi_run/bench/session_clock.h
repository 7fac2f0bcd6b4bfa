/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session_clock.h - whether repetitions begin by a common clock, where nobody has asked for it.
 *
 *     by a barrier   ranks leave it up to some messages after one another, and who left it early waits
 *                    for the others within what is timed: as long again as a small collective takes
 *     by a clock     all at once; but not where a rank that waits has no core of its own, nor on one node,
 *                    where messages are shorter than what a system takes for itself now and then
 */
#ifndef TMAP_MPI_RUN_BENCH_SESSION_CLOCK_H
#define TMAP_MPI_RUN_BENCH_SESSION_CLOCK_H

#include "mpi_run/bench/session.h"

/** Who waits for a start without its own core is not there when it comes: refused (TMAP_INPUT). */
int tmap_session_check_cores(const struct tmap_placement *placement, const char *sync,
			     struct tmap_error *err);

/** Collective: from now on they begin by a common clock, if each rank has a core and there are several nodes; a
 *  bit late counts. */
int tmap_session_begin_clock(struct tmap_session *session, struct tmap_error *err);

/** Collective: and now by a barrier again. */
int tmap_session_leave_clock(struct tmap_session *session, struct tmap_error *err);

#endif
