/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bisect.h - a graph in two parts of exact sizes that send each other little.
 *
 * Multilevel (Hendrickson and Leland; Karypis and Kumar): vertices that are joined by heavy edges
 * become one, again and again, until few are left; these are divided by growing the left side
 * from several seeds; and on the way back every coarser solution is refined
 * (core/mappers/refine.h).
 */
#ifndef TMAP_CORE_MAPPERS_BISECT_H
#define TMAP_CORE_MAPPERS_BISECT_H

#include "core/base/random.h"
#include "core/map/graph.h"

#include <stdbool.h>

/** right[v] is the side of a vertex; exactly @p wanted ranks are on the left. All vertices
 *  are of one rank. @p tries: so many seeds. Steps taken are added to *steps.
 *  O(edges x log vertices), nearly. */
int tmap_bisect(bool *right, const struct tmap_graph *graph, int wanted, int tries,
		struct tmap_random *random, int64_t *steps, struct tmap_error *err);

/** Sides that are there made better the same way: only vertices of one side become one, and the
 *  sizes of the sides stay. @p bias: struct tmap_sides has it; NULL: none. Returns 1 where they are
 *  better now, 0 where they stayed, -1 with *err set. */
int tmap_bisect_improve(bool *right, const double *bias, const struct tmap_graph *graph,
			struct tmap_random *random, int64_t *steps, struct tmap_error *err);

#endif
