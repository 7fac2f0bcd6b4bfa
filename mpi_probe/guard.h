/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guard.h - a last sentence of a process that a library may end.
 *
 * Where MPI_Init fails it ends the process with _exit(), so no handler runs; and launchers forward
 * nothing of a process once they have seen its end, whoever wrote it. So the process that the
 * launcher started does not call MPI_Init: a child of it does, and all that comes after it. The
 * guard waits, and ends as the child did; where that was before MPI_Init returned, it prints the
 * sentence first. The child is the program begun anew: with UCX, MPI_Init hangs now and then in one
 * that was only forked.
 *
 *     launcher ── guard ── child: exec, MPI_Init, ...
 *              ◄─ what both print; the guard's status
 */
#ifndef TMAP_MPI_PROBE_GUARD_H
#define TMAP_MPI_PROBE_GUARD_H

#include <stdbool.h>

struct tmap_guard {
	int pipe; /**< tells the guard that all is well, or closes with this process; -1: none */
};

/** Returns in the child only, which begins anew with @p argv and comes here a second time. If it
 *  ends before tmap_guard_end(), the guard prints @p sentence on standard error; or, with NULL,
 *  which is for all processes of a job but one, it waits a few seconds, since the first to end may
 *  be the end of all. Where the system refuses a pipe or a child there is no guard. Call before
 *  MPI_Init, with nothing in the buffers of stdio. */
void tmap_guard_begin(struct tmap_guard *guard, char *const *argv, const char *sentence);

/** MPI_Init has returned well: from now on the guard only passes on signals and the status. */
void tmap_guard_end(struct tmap_guard *guard);

#endif
