/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_even.h - rounds in which every message adds the same to each link that it crosses.
 *
 *     node            0                              1
 *     link            adapter     package            adapter     package
 *     record          out   in    out in  out in     out   in    out in  out in
 *     gate            0       1                      0       1
 *     record          out in  out in                 out in  out in
 *
 * Then a load is a number of messages, and when the first of them comes. What goes from node to node
 * is counted on gates (core/cost/node_gates.h), which hand it on to the links behind them in the end;
 * so messages in no order miss the cache once for a node, and not for each of its links. What is added
 * up is the same to the last bit: a round whose sums might be rounded is none of these. When a link is
 * free is kept where it always is; only between two passes of a round it is here, too.
 */
#ifndef TMAP_CORE_COST_CLOCK_EVEN_H
#define TMAP_CORE_COST_CLOCK_EVEN_H

#include "core/cost/clock_chunk.h"

struct tmap_clock_even;

/** *fits: the stretches begin .. end - 1 are such a round, which has as many messages as there are loads. The
 *  records are made with the first one: 24 bytes a load, 32 a gate, O(nodes x links + loads). */
int tmap_even_begin(bool *fits, struct tmap_clock *clock, size_t begin, size_t end,
		    struct tmap_error *err);
void tmap_even_free(struct tmap_clock_even *even);

/** As tmap_chunk_load(), tmap_loads_end(), and tmap_chunk_links_end(), once the round has begun. */
void tmap_even_load(const struct tmap_cost_model *model, const struct tmap_chunk *chunk,
		    const double *head);
void tmap_even_loads_end(const struct tmap_clock *clock);
void tmap_even_links_end(const struct tmap_cost_model *model, const struct tmap_chunk *chunk,
			 double *end);

#endif
