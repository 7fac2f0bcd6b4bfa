/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_fold.h - nodes that are all alike: the clocks of one stand for those of all.
 *
 *     rank       0  1  2  3 | 4  5  6  7 | 8  9 10 11        4 ranks a node, block order
 *     r to r+3   ---------> | ---------> | ---------> (0)    each node sends 1 message within
 *     clocks     a  b  c  d | a  b  c  d | a  b  c  d        and 3 to the next one
 *
 * All begin at 0. As long as every round is made of shifts that look the same from each node, nodes
 * stay alike, and a round takes the time of one node's messages. The first round that does not ends
 * it: then each rank gets a clock of its own.
 */
#ifndef TMAP_CORE_COST_CLOCK_FOLD_H
#define TMAP_CORE_COST_CLOCK_FOLD_H

#include "core/cost/clock_round.h"

/** Ranks a node, if nothing that a clock depends on tells one node from another, and there are
 *  several; else 0. O(nodes x links). */
int tmap_fold_period(const struct tmap_cost_model *model);

/** Does a shift look the same from each node? */
bool tmap_fold_fits(const struct tmap_clock *clock, const struct tmap_shift_pattern *shift);

/** Messages of one node in such a shift. */
size_t tmap_fold_count(const struct tmap_clock *clock, const struct tmap_shift_pattern *shift);

/** The ranks and kinds of messages at, at + 1, ... of the first node, as many as the chunk has;
 *  receivers are told by their like on the first node. */
void tmap_fold_fill(struct tmap_chunk *chunk, const struct tmap_clock *clock,
		    const struct tmap_shift_pattern *shift, size_t at);

/** From now on every rank has its own clock. O(p). */
void tmap_fold_end(struct tmap_clock *clock);

#endif
