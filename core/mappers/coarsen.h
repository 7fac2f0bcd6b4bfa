/*
 * coarsen.h - vertices that are joined by heavy edges made one.
 */
#ifndef TM_COARSEN_H
#define TM_COARSEN_H

#include "core/map/graph.h"
#include "core/base/random.h"

/** Match each vertex, in random order, with the one still unmatched that it sends most, if both
 *  together have at most @p most ranks; vertices without edges with each other. of[v] is the
 *  vertex of *coarse that v is in. O(edges + vertices). */
int tm_coarsen(struct tm_graph *coarse, int *of, const struct tm_graph *fine, int most,
	       struct tm_random *random, struct tm_error *err);

#endif
