/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rebind.h - other bindings for the ranks of a job that is placed already.
 */
#ifndef TMAP_MPI_PROBE_REBIND_H
#define TMAP_MPI_PROBE_REBIND_H

#include "core/machine/placement.h"

/** Let the ranks of *p be bound as those of @p bound on the same machine are: for a machine that
 *  is imitated, where the system cannot be asked. Memory policies stay, and nothing is known
 *  of where ranks ran last. @p name is the file that messages blame. Refuses another number of
 *  ranks, and a rank on another node than the one it runs on. *p is changed only on success.
 *  O(p x places). */
int tmap_rebind_allowed(struct tmap_placement *p, const struct tmap_placement *bound,
			const char *name, struct tmap_error *err);

#endif
