/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_order.h - clocks that lie node by node, though the ranks do not.
 *
 *     rank      0 1 2 3 4 5 6 7
 *     node      2 0 2 1 0 1 1 0
 *     place     0 2 1 5 3 6 7 4        node 2: ranks 0 2, node 0: 1 4 7, node 1: 3 5 6
 *
 * Where a schedule goes along the nodes and the ranks of these are anywhere, its messages are told by place,
 * and the positions of the pair kinds too, until it is timed: the clocks of a node are near each other, and a
 * rank is looked up once a message, not in each pass over its round. They come to the same bits.
 */
#ifndef TMAP_CORE_COST_CLOCK_ORDER_H
#define TMAP_CORE_COST_CLOCK_ORDER_H

#include "core/cost/clock.h"

/** Before anything is taken: the clocks of the model's ranks lie node by node from now on, until
 *  tmap_clock_order_end(); not where they do so by themselves, or are distributed regularly. O(p) time, 4 bytes
 *  a rank. */
int tmap_clock_order(struct tmap_clock *clock, struct tmap_error *err);
void tmap_clock_order_end(struct tmap_clock *clock);

/** tmap_clock_take() and tmap_clock_shift(), by ranks, whether there is an order or not. */
int tmap_clock_take_ranks(struct tmap_clock *clock, const struct tmap_round_info *info,
			  const int *from, const int *to, const int64_t *bytes, int count,
			  struct tmap_error *err);
int tmap_clock_shift_ranks(struct tmap_clock *clock, const struct tmap_shift_pattern *shift,
			   struct tmap_error *err);

#endif
