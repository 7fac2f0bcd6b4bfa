/*
 * reach.h - how far messages go, so that counting one takes a look at two small tables.
 *
 * A rank has a seat: its node, and its spot, an object of the node's topology that ranks sit
 * on. Two seats have a kind of reach, a small number for
 *
 *     crossed   the levels in whose different objects they are
 *     step      the step of the process distance at which they are
 *
 * On one node the kind is in a table of pairs of spots; between nodes it follows from the
 * innermost switch that both nodes share. All equal nodes have one table.
 *
 * Where ranks follow each other in a pattern, whole nodes can be counted at once:
 *
 *     block     node[r] is that of r / n,  spot[r] that of r mod n    n ranks a node
 *     cyclic    node[r] is that of r mod N, spot[r] that of r / N     N nodes
 */
#ifndef TMAP_CORE_COST_REACH_H
#define TMAP_CORE_COST_REACH_H

#include "core/distance/distance.h"
#include "core/machine/levels.h"

struct tmap_position {
	int node, spot;
};

struct tmap_spot {
	int topology, object;
	int64_t row; /**< within[row + other spot] is the kind of the two */
};

enum tmap_regularity { TMAP_REGULAR_NONE, TMAP_REGULAR_BLOCK, TMAP_REGULAR_CYCLIC };

struct tmap_reach {
	const struct tmap_levels *levels;       /**< borrowed */
	const struct tmap_metric *metric;       /**< borrowed */
	const struct tmap_placement *placement; /**< borrowed */
	int size, node_count;
	struct tmap_position *seat; /**< [size] */
	int *spot_of_place;         /**< [placement's place_count] */
	int spot_count;
	struct tmap_spot *spot; /**< [spot_count], those of one topology together */
	uint16_t *within;       /**< kinds of pairs of spots of one topology */
	int tier_count, join_count;
	int *tier;    /**< [node_count][tier_count]: switches, the innermost first */
	int *join;    /**< [node_count][join_count]: sets of the steps that join nodes */
	int *between; /**< [tier_count + 1][join_count]: kind by how many tiers differ, and
				  how many joins */
	int kind_count;
	size_t kind_capacity, crossed_capacity;
	int *step;     /**< [kind_count] */
	bool *crossed; /**< [kind_count][levels->count] */
	enum tmap_regularity weave;
	int period; /**< ranks a node (block) or nodes (cyclic) */
};

/** The seats of the ranks of a placement, with the levels of its machine and the process
 *  distances on it; all must outlive the reach. O(p + N x tiers + spots^2 x levels for each
 *  topology) time, 8 bytes a rank. */
int tmap_reach_init(struct tmap_reach *reach, const struct tmap_placement *placement,
		    const struct tmap_levels *levels, const struct tmap_metric *metric,
		    struct tmap_error *err);
void tmap_reach_fini(struct tmap_reach *reach);

/** Rank r sits where rank place_of[r] sits by the placement; NULL: where it sits itself. O(p). */
void tmap_reach_place(struct tmap_reach *reach, const int *place_of);

/** The kind of the reach between two different nodes. O(tiers). */
static inline int tmap_reach_between(const struct tmap_reach *reach, int a, int b)
{
	const int *tier_a = reach->tier + (int64_t)a * reach->tier_count;
	const int *tier_b = reach->tier + (int64_t)b * reach->tier_count;
	const int *join_a = reach->join + (int64_t)a * reach->join_count;
	const int *join_b = reach->join + (int64_t)b * reach->join_count;
	int tier = 0, join = 0;

	while (tier < reach->tier_count && tier_a[tier] != tier_b[tier])
		tier++;
	while (join_a[join] != join_b[join])
		join++;
	return reach->between[tier * reach->join_count + join];
}

/** The kind of the reach of two different ranks, by their seats. */
static inline int tmap_reach_kind(const struct tmap_reach *reach, struct tmap_position a,
				  struct tmap_position b)
{
	if (a.node == b.node)
		return reach->within[reach->spot[a.spot].row + b.spot];
	return tmap_reach_between(reach, a.node, b.node);
}

/** Does a message of this kind cross the level? */
static inline bool tmap_reach_crosses(const struct tmap_reach *reach, int kind, int level)
{
	return reach->crossed[(int64_t)kind * reach->levels->count + level];
}

#endif
