/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_loads.h - what the messages of a chunk load the links with that they cross.
 *
 *     message     0         1         2 ...
 *     leaves      load 4    load 4    load 9      each link has two loads an object, or one where
 *     enters      load 13   load 1    load 5      what leaves and what enters share it
 *
 * Links are looked at one after the other, so that a chunk's loads are fetched before they are needed.
 */
#ifndef TMAP_CORE_COST_CLOCK_LOADS_H
#define TMAP_CORE_COST_CLOCK_LOADS_H

#include "core/cost/clock_chunk.h"

/** All messages of a chunk onto the links; @p head: when the first byte of each comes. */
void tmap_chunk_load(struct tmap_clock *clock, const struct tmap_spread *spread,
		     const struct tmap_chunk *chunk, const double *head);

/** More of this round on one side of a link's object; @p first: when the first of it comes. */
void tmap_load_add(struct tmap_clock *clock, int link, int object, bool enters, double bytes,
		   double messages, double first);

/** The loads of the round are complete: until when each of them is busy. */
void tmap_loads_end(struct tmap_clock *clock);

/** When the links that each message of a chunk crosses have let it through; 0 where it crosses none. */
void tmap_chunk_links_end(const struct tmap_cost_model *model, const struct tmap_chunk *chunk,
			  double *end);

#endif
