/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nest.h - the slots in an order in which the sets of nested partitions are intervals, and what it
 * costs to cross their borders.
 *
 *     position     0    1    2    3    4    5    6    7       slots in the order of a walk
 *     layer 0    [ 0                 ][ 1                 ]   cost 100   nodes
 *     layer 1    [ 0       ][ 1      ][ 2       ][ 3      ]   cost  20   packages
 *     layer 2    [ 0  ][ 1 ][ 2 ][ 3 ][ 4  ][ 5 ][ 6 ][ 7 ]   cost   1   cores
 *
 * The sets of a layer are intervals of positions, numbered from the left, and each lies in
 * one of the layer above. Two slots cost what the outermost layer does that has them in
 * different sets (Jeannot et al., TreeMatch: costs do not add up along the way), nothing
 * where no layer has; costs fall from layer to layer. Layers that separate no slots, or
 * none that the next outer one has not separated, are left out.
 */
#ifndef TMAP_CORE_MAP_NEST_H
#define TMAP_CORE_MAP_NEST_H

#include "core/distance/distance.h"
#include "core/machine/levels.h"
#include "core/machine/routes.h"

struct tmap_nest {
	int count;     /**< number of slots, and of positions */
	int depth;     /**< number of layers, outermost first */
	double *cost;  /**< [depth] */
	int *level;    /**< [depth]: the level of tmap_levels, TMAP_NONE where it is none */
	int *slot;     /**< [count]: the slot at each position */
	int *position; /**< [count]: the position of each slot */
	int *group; /**< [count]: which positions are in the same sets, but in a layer in which each
			     is alone */
	int *set;   /**< [groups x depth]: the sets of a group, outermost first */
	int alone;  /**< the layer in which each position is alone, the last one; depth: there is
			     none */
	int **start;    /**< [depth][sets + 1]: first position of each set */
	int *set_count; /**< [depth] */
};

/** The sets of a scale's distances over the places of @p slots, one a slot. O(steps x (slots + N +
 *  objects)). */
int tmap_nest_init_scale(struct tmap_nest *nest, const struct tmap_placement *slots,
			 enum tmap_scale scale, struct tmap_error *err);

/** The levels of the machine, of which level l costs cost[l] (NULL: they cost as many as there
 *  are from it on inwards). Refuses another number of costs than of levels, and costs that are
 *  negative, not finite or higher than those of an outer level.
 *  O(levels x (slots + objects)). */
int tmap_nest_init_levels(struct tmap_nest *nest, const struct tmap_placement *slots,
			  const struct tmap_levels *levels, const double *cost, int count,
			  struct tmap_error *err);

/** The parts of a network with routes, each costing about the cables between them, then the nodes'
 *  own sets by the scale of process distances, which cost next to nothing. O(steps x (slots + N)). */
int tmap_nest_init_routes(struct tmap_nest *nest, const struct tmap_placement *slots,
			  const struct tmap_routes *routes, struct tmap_error *err);
void tmap_nest_fini(struct tmap_nest *nest);

/** The set of a position at a layer. */
static inline int tmap_nest_set(const struct tmap_nest *nest, int layer, int position)
{
	return layer == nest->alone ?
		position :
		nest->set[(size_t)nest->group[position] * (size_t)nest->depth + (size_t)layer];
}

/** The outermost layer that has two positions in different sets; depth where none has.
 *  O(depth). */
static inline int tmap_nest_layer(const struct tmap_nest *nest, int a, int b)
{
	int group_a = nest->group[a], group_b = nest->group[b];
	const int *of_a = nest->set + (size_t)group_a * (size_t)nest->depth;
	const int *of_b = nest->set + (size_t)group_b * (size_t)nest->depth;
	int layer = 0;

	if (group_a == group_b)
		return a == b ? nest->depth : nest->alone;
	while (of_a[layer] == of_b[layer])
		layer++;
	return layer;
}

/** What two positions cost. O(depth). */
static inline double tmap_nest_cost(const struct tmap_nest *nest, int a, int b)
{
	int layer = tmap_nest_layer(nest, a, b);

	return layer < nest->depth ? nest->cost[layer] : 0;
}

/** Sets of the next layer in set @p set of layer @p layer (TMAP_NONE: in all slots): the first of
 *  them goes to *first, their number is returned. In the last layer there are none. */
int tmap_nest_children(const struct tmap_nest *nest, int layer, int set, int *first);

/** Where to divide @p count >= 2 sets of a layer, from @p first on, so that both sides have about
 *  as many positions: the number of sets on the left. O(count). */
int tmap_nest_middle(const struct tmap_nest *nest, int layer, int first, int count);

#endif
