/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_shift.h - shifts over ranks that follow each other node after node, a node at a time.
 *
 *     n ranks a node: rank = node x n + row
 *
 * A shift takes the rows of a node to rows of one node or two neighbours, and does so on every node
 * alike. What the messages between a pair of nodes are is worked out once, as a pattern; the nodes
 * differ by their clocks, which lie next to each other, and by what their links carry.
 */
#ifndef TMAP_CORE_COST_CLOCK_SHIFT_H
#define TMAP_CORE_COST_CLOCK_SHIFT_H

#include "core/cost/clock_round.h"

/** Can this stretch be timed so? */
bool tmap_shift_is_regular(const struct tmap_clock *clock, const struct tmap_clock_batch *stretch);

enum tmap_shift_pass { TMAP_SHIFT_LOADS, TMAP_SHIFT_ARRIVE };

/** The same as of tmap_clock_round(), for one stretch. */
int tmap_shift_pass(struct tmap_clock *clock, const struct tmap_clock_batch *stretch,
		    enum tmap_shift_pass pass, struct tmap_error *err);

#endif
