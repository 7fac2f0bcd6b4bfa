/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pair_kinds.h - which levels separate two ranks, and how far apart they are, so that counting a
 * message reads two small tables.
 *
 * A rank's position is its node and an object: one of those that ranks are bound to. Two positions
 * have a kind, a small number for
 *
 *     crossed   the levels in whose different objects they are
 *     step      the step of the process distance at which they are
 *
 * On one node the kind is in a table of pairs of objects; between nodes it follows from the
 * innermost switch that both nodes share. All equal nodes have one table.
 *
 * Where ranks are distributed over the nodes by one rule, and each node comes once, whole nodes can be
 * counted at once:
 *
 *     block     node[r] is that of r / n,  object[r] that of r mod n    n ranks a node
 *     cyclic    node[r] is that of r mod N, object[r] that of r / N     N nodes
 */
#ifndef TMAP_CORE_COST_PAIR_KINDS_H
#define TMAP_CORE_COST_PAIR_KINDS_H

#include "core/cost/node_codes.h"
#include "core/distance/distance.h"
#include "core/machine/levels.h"

struct tmap_position {
	int node;
	int object; /**< index in tmap_pair_kinds.object[] */
};

struct tmap_pair_object {
	int topology, object;
	int64_t row; /**< within[row + other object] is the kind of the two */
};

enum tmap_distribution {
	TMAP_DISTRIBUTION_OTHER,
	TMAP_DISTRIBUTION_BLOCK,
	TMAP_DISTRIBUTION_CYCLIC
};

struct tmap_pair_kinds {
	const struct tmap_levels *levels;       /**< borrowed */
	const struct tmap_metric *metric;       /**< borrowed */
	const struct tmap_placement *placement; /**< borrowed */
	int size, node_count;
	uint32_t *packed; /**< [size]: positions of ranks, node << object_bits | object; NULL: they do
				  not fit in */
	int object_bits;
	struct tmap_position *wide; /**< [size]: the same where they do not fit; else NULL */
	int *object_of_place;       /**< [placement's place_count] */
	int object_count;
	struct tmap_pair_object *object; /**< [object_count], those of one topology together */
	uint16_t *within;                /**< kinds of pairs of objects of one topology */
	int tier_count, join_count;
	int *tier;    /**< [node_count][tier_count]: switches, the innermost first */
	int *join;    /**< [node_count][join_count]: sets of the steps that join nodes */
	int *between; /**< [tier_count + 1][join_count]: kind by how many tiers differ, and
				  how many joins */
	struct tmap_node_codes
		codes; /**< of these sets; without code: they are looked at one by one */
	int apart[TMAP_CODE_BITS]; /**< kind by what two codes differ in */
	int count;                 /**< kinds */
	size_t step_capacity, crossed_capacity;
	int *step;     /**< [count] */
	bool *crossed; /**< [count][levels->count] */
	bool *came;    /**< [node_count]: scratch, to see whether nodes come again */
	enum tmap_distribution distribution;
	int period; /**< ranks a node (block) or nodes (cyclic) */
};

/** The kinds of pairs of ranks of a placement, by the levels of its machine and the process
 *  distances on it; all must outlive them. O(p + N x tiers + objects^2 x levels for each topology)
 *  time, objects being those that ranks are bound to; 4 bytes a rank, or 8 where the nodes and the
 *  objects of one take more than 32 bits. */
int tmap_pair_kinds_init(struct tmap_pair_kinds *kinds, const struct tmap_placement *placement,
			 const struct tmap_levels *levels, const struct tmap_metric *metric,
			 struct tmap_error *err);
void tmap_pair_kinds_fini(struct tmap_pair_kinds *kinds);

/** Rank r gets the position that rank place_of[r] has by the placement; NULL: its own. O(p). */
void tmap_pair_kinds_place(struct tmap_pair_kinds *kinds, const int *place_of);

/** Where a rank is. O(1). */
static inline struct tmap_position tmap_pair_position(const struct tmap_pair_kinds *kinds,
						      int64_t rank)
{
	uint32_t packed;

	if (!kinds->packed)
		return kinds->wide[rank];
	packed = kinds->packed[rank];
	return (struct tmap_position){ (int)(packed >> kinds->object_bits),
				       (int)(packed & ((1U << kinds->object_bits) - 1)) };
}

/** The kind of two ranks on two different nodes. O(tiers). */
static inline int tmap_pair_kind_between(const struct tmap_pair_kinds *kinds, int a, int b)
{
	const uint32_t *code = kinds->codes.code;
	const int *tier_a = kinds->tier + (int64_t)a * kinds->tier_count;
	const int *tier_b = kinds->tier + (int64_t)b * kinds->tier_count;
	const int *join_a = kinds->join + (int64_t)a * kinds->join_count;
	const int *join_b = kinds->join + (int64_t)b * kinds->join_count;
	int tier = 0, join = 0;

	if (code)
		return kinds->apart[tmap_codes_differ(code[a], code[b])];
	while (tier < kinds->tier_count && tier_a[tier] != tier_b[tier])
		tier++;
	while (join + 1 < kinds->join_count && join_a[join] != join_b[join]) /* the last has all */
		join++;
	return kinds->between[tier * kinds->join_count + join];
}

/** The kind of two different ranks, by their positions. */
static inline int tmap_pair_kind(const struct tmap_pair_kinds *kinds, struct tmap_position a,
				 struct tmap_position b)
{
	if (a.node == b.node)
		return kinds->within[kinds->object[a.object].row + b.object];
	return tmap_pair_kind_between(kinds, a.node, b.node);
}

/** Does a message between ranks of this kind cross the level? */
static inline bool tmap_pair_kind_crosses(const struct tmap_pair_kinds *kinds, int kind, int level)
{
	return kinds->crossed[(int64_t)kind * kinds->levels->count + level];
}

#endif
