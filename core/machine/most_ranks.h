/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * most_ranks.h - how many ranks a short text, or an option, may place on given nodes.
 *
 *     "0-134217727", "n0:134217728", "(vector,(0,4,33554432))", -n 134217728
 *
 * a few bytes for 2^27 ranks: what these stand for is built only if a job on these nodes can have
 * so many.
 */
#ifndef TMAP_CORE_MACHINE_MOST_RANKS_H
#define TMAP_CORE_MACHINE_MOST_RANKS_H

#include "core/machine/machine.h"

#include <stdint.h>

/** Of any job, 2^27. */
#define TMAP_MOST_RANKS 134217728

/** Oversubscribed nodes have some ranks for each PU; of so many nobody measures anything. */
#define TMAP_MOST_RANKS_PER_PU 4096

/** TMAP_MOST_RANKS_PER_PU for each PU of the nodes, and no more than TMAP_MOST_RANKS; the latter
 *  where @p machine is NULL. O(N). */
int tmap_most_ranks(const struct tmap_machine *machine);

/** TMAP_INPUT if @p count ranks (or processes, tasks: @p what) are more than @p most, which
 *  tmap_most_ranks() gave. */
int tmap_most_ranks_check(int64_t count, int most, const char *what, struct tmap_error *err);

/** The same for the ranks that a job on @p machine is to have: *ranks = @p count. */
int tmap_most_ranks_fit(int *ranks, int64_t count, const struct tmap_machine *machine,
			struct tmap_error *err);

#endif
