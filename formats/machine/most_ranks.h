/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * most_ranks.h - how many ranks a short text may place on given nodes.
 *
 *     "0-134217727", "n0:134217728", "(vector,(0,4,33554432))"      a few bytes, 2^27 ranks
 *
 * What such a text stands for is built only if a job on these nodes can have so many ranks.
 */
#ifndef TMAP_FORMATS_MACHINE_MOST_RANKS_H
#define TMAP_FORMATS_MACHINE_MOST_RANKS_H

#include "core/machine/machine.h"

#include <stdint.h>

/** Oversubscribed nodes have some ranks for each PU; of so many nobody measures anything. */
#define TMAP_MOST_RANKS_PER_PU 4096

/** TMAP_MOST_RANKS_PER_PU for each PU of the nodes, and no more than a document may say; the latter
 *  where @p machine is NULL. O(N). */
int tmap_most_ranks(const struct tmap_machine *machine);

/** TMAP_INPUT if @p count ranks (or processes, tasks: @p what) are more than @p most, which
 *  tmap_most_ranks() gave. */
int tmap_most_ranks_check(int64_t count, int most, const char *what, struct tmap_error *err);

#endif
