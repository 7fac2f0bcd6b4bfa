/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * brief.h - a list of ranks or nodes in a few words, for people.
 *
 * Neighbours are a range and equal steps are "first, second .. last"; what remains too
 * long is cut after the first ones:
 *
 *     4-7      504, 756 .. 11039364      n[2-43807]      n1, n3 .. n43807      n17, n3, ...
 */
#ifndef TMAP_FORMATS_BASE_BRIEF_H
#define TMAP_FORMATS_BASE_BRIEF_H

#include "core/base/string.h"
#include "core/machine/placement.h"

/** @p count ranks in the order given; a list without a step in about @p width columns. */
void tmap_brief_add_ranks(struct tmap_str *str, const int *rank, int count, int width);

/** The same for the names of nodes, given by their numbers. */
void tmap_brief_add_node_names(struct tmap_str *str, const struct tmap_machine *machine,
			       const int *node, int count, int width);

/** The names of the nodes that these ranks are on, in the order given, neighbours of one node
 *  together; or each node once, in the machine's order. Where memory is refused, str->failed
 *  is set. O(count), O(count log count). */
void tmap_brief_add_nodes(struct tmap_str *str, const struct tmap_placement *placement,
			  const int *rank, int count, int width);
void tmap_brief_add_node_set(struct tmap_str *str, const struct tmap_placement *placement,
			     const int *rank, int count, int width);

#endif
