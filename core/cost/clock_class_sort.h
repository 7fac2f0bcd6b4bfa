/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_class_sort.h - which nodes are alike in a round: those with the same messages to and from nodes
 * of the same classes.
 */
#ifndef TMAP_CORE_COST_CLOCK_CLASS_SORT_H
#define TMAP_CORE_COST_CLOCK_CLASS_SORT_H

#include "core/cost/clock_class_state.h"

/** Can the round be timed by classes, to the same bits? Sums of what crosses links are whole numbers
 *  then, whose order does not matter. */
bool tmap_class_fits(const struct tmap_clock *clock, const struct tmap_node_rows *in, size_t begin,
		     size_t end);

/** Find out what the stretches of the round are on all nodes. */
int tmap_class_look(struct tmap_clock *clock, size_t begin, size_t end, struct tmap_error *err);

/** The parts of stretch @p s at a node, from which its rows send, or at which they receive: returns how
 *  many of @p part, which has room for TMAP_NODE_PARTS. */
int tmap_class_parts(const struct tmap_clock *clock, size_t s, int node, bool enters,
		     struct tmap_class_part *part);

/** Sort nodes that have the same messages to and from nodes of the same classes @p by; -1 with *err set,
 *  1: there are too many. */
int tmap_class_sort(struct tmap_clock *clock, size_t begin, size_t end,
		    struct tmap_node_classes *into, const struct tmap_node_classes *by,
		    struct tmap_error *err);

#endif
