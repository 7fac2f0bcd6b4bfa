/*
 * ring.h - the distance-aware allgather ring (Ma et al., section IV-C, Algorithm 2).
 *
 * Edges sorted by distance, then smaller, then larger rank; one is taken when its ends
 * lie on different paths and have fewer than two neighbours; the last path is closed.
 * It starts at rank 0 and goes first to the smaller of rank 0's two neighbours.
 *
 *     order     0 -> 2 -> 5 -> 1 -> 4 -> 3 -> (0)
 *     distance    1    1    5    1    1    5        distance[i]: order[i] to the next
 */
#ifndef TM_RING_H
#define TM_RING_H

#include "core/tree/tree.h"

struct tm_ring {
	int size;
	int *order;       /**< [size], order[0] = 0 */
	double *distance; /**< [size]; the last one closes the ring. One rank: no step, [0];
			       two: both steps */
};

/** The ring of Algorithm 2. O(p x steps) time: level by level only the ends of the paths matter,
 *  and an end skips at most one candidate, its own path's other end. 12 bytes a rank are kept,
 *  and 24 more a rank and 4 a set of the metric are needed on the way. */
int tm_ring_init(struct tm_ring *ring, const struct tm_metric *metric, struct tm_error *err);
void tm_ring_fini(struct tm_ring *ring);

/** A ring of @p size ranks whose order is yet to be filled in; distances 0. */
int tm_ring_alloc(struct tm_ring *ring, int size, struct tm_error *err);

/** Fill in order[] from the two neighbours of each rank, from 0 to the smaller of its two. The
 *  neighbours must make one ring (one rank is its own neighbour; of two, each has the other
 *  twice). Where @p rank_of is given, neighbour[] speaks of places, and rank_of[place] is the
 *  rank there. O(p). */
void tm_ring_walk(struct tm_ring *ring, int (*neighbour)[2], const int *rank_of);

/** Set distance[] of a ring whose order stands, by whatever rule it was made. O(p x steps). */
void tm_ring_set_distances(struct tm_ring *ring, const struct tm_metric *metric);

/** Number of steps round the ring: 0 for one rank, else the size. */
int tm_ring_steps(const struct tm_ring *ring);

/** Sum of the distances, and edges per distance (rising), which the caller frees. */
int tm_ring_measure(const struct tm_ring *ring, double *weight, struct tm_edge_count **edges,
		    int *count, struct tm_error *err);

#endif
