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

#endif
