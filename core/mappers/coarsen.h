/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coarsen.h - vertices that are joined by heavy edges made one.
 */
#ifndef TMAP_CORE_MAPPERS_COARSEN_H
#define TMAP_CORE_MAPPERS_COARSEN_H

#include "core/base/random.h"
#include "core/map/graph.h"

#include <stdbool.h>

/** Match each vertex, in random order, with the one still unmatched that it sends most, if both
 *  together have at most @p most ranks; vertices without edges with each other. With @p right
 *  (NULL: none) only vertices of one side are matched. of[v] is the vertex of *coarse that v is in.
 *  O(edges + vertices). */
int tmap_coarsen(struct tmap_graph *coarse, int *of, const struct tmap_graph *fine,
		 const bool *right, int most, struct tmap_random *random, struct tmap_error *err);

#endif
