/*
 * rebind.h - other bindings for the ranks of a job that is placed already.
 */
#ifndef TM_REBIND_H
#define TM_REBIND_H

#include "core/machine/placement.h"

/** Let the ranks of *p be bound as those of @p bound on the same machine are: for a machine that
 *  is imitated, where the system cannot be asked. Memory policies stay, and nothing is known
 *  of where ranks ran last. @p name is the file that messages blame. Refuses another number of
 *  ranks, and a rank on another node than the one it runs on. *p is changed only on success.
 *  O(p x places). */
int tm_rebind(struct tm_placement *p, const struct tm_placement *bound, const char *name,
	      struct tm_error *err);

#endif
