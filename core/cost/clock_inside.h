/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_inside.h - rounds whose messages stay on their nodes, and are the same ones on each.
 *
 *     4 ranks a node     rank 4 n + row
 *     stretch 0          rows 0 1 to rows 2 3      of every node n
 *     stretch 1          rows 2 3 to rows 0 1
 *
 * The first nodes may have none of them. Such a round goes through one node after the other, each with all of its
 * stretches: a node's clocks and its links are looked at once, while they are near. They come to the same bits as
 * message by message.
 */
#ifndef TMAP_CORE_COST_CLOCK_INSIDE_H
#define TMAP_CORE_COST_CLOCK_INSIDE_H

#include "core/cost/clock_round.h"
#include "core/cost/node_parts.h"

/** Has the stretch the same messages on all nodes, one of each of its senders, in its round alone? */
bool tmap_stretch_is_plain(const struct tmap_clock_batch *stretch, const struct tmap_node_rows *in);

/** Of such stretches: does nobody send or receive in two of them? O(stretches^2). */
bool tmap_stretches_are_apart(const struct tmap_clock_batch *stretch, size_t count,
			      const struct tmap_node_rows *in);

/** Of one: do its messages stay on their nodes? */
bool tmap_stretch_is_inside(const struct tmap_clock_batch *stretch,
			    const struct tmap_node_rows *in);

/** Time the stretches begin .. end - 1, which are one round, where each rank has its own clock; *timed: it
 *  could be, as they are on one node and all behind it. O(p + stretches^2). */
int tmap_inside_round(bool *timed, struct tmap_clock *clock, size_t begin, size_t end,
		      struct tmap_error *err);

#endif
