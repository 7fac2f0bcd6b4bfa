/* SPDX-License-Identifier: BSD-3-Clause */
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
#ifndef TMAP_CORE_TREE_RING_H
#define TMAP_CORE_TREE_RING_H

#include "core/tree/tree.h"

struct tmap_ring {
	int size;
	int *order;       /**< [size], order[0] = 0 */
	double *distance; /**< [size]; the last one closes the ring. One rank: no step, [0];
			       two: both steps */
};

/** The ring of Algorithm 2. O(p x steps) time: level by level only the ends of the paths matter,
 *  and an end skips at most one candidate, its own path's other end. 12 bytes a rank are kept,
 *  and 24 more a rank and 4 a set of the metric are needed on the way. */
int tmap_ring_init(struct tmap_ring *ring, const struct tmap_metric *metric,
		   struct tmap_error *err);
void tmap_ring_fini(struct tmap_ring *ring);

/** A ring of @p size ranks whose order is yet to be filled in; distances 0. */
int tmap_ring_alloc(struct tmap_ring *ring, int size, struct tmap_error *err);

/** Fill in order[] from the two neighbours of each rank, from 0 to the smaller of its two. The
 *  neighbours must make one ring (one rank is its own neighbour; of two, each has the other
 *  twice). Where @p rank_of is given, neighbour[] is of places, and rank_of[place] is the
 *  rank there. O(p). */
void tmap_ring_walk(struct tmap_ring *ring, int (*neighbour)[2], const int *rank_of);

/** Set distance[] of a ring whose order is set, by whatever rule it was made. O(p x steps). */
void tmap_ring_set_distances(struct tmap_ring *ring, const struct tmap_metric *metric);

/** Number of steps round the ring: 0 for one rank, else the size. */
int tmap_ring_steps(const struct tmap_ring *ring);

/** Sum of the distances, and edges per distance (rising), which the caller frees. */
int tmap_ring_measure(const struct tmap_ring *ring, double *weight, struct tmap_edge_count **edges,
		      int *count, struct tmap_error *err);

#endif
