/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * virtual_guidelines.h - what should not be slower than what, on virtual topologies.
 *
 *     GL1   cart_create <= dist_graph_create_adjacent   a communicator of the same neighbors is made
 *     GL4   neighbor_allgather <= neighbor_alltoall     the first can be done by the second
 *     GL9   cart_create <= dist_graph_create            then a collective on it is called
 *     GL11  fmaj ~ rand                                 alike: neither is slower than the other
 *
 * Each row compares two calls that differ in one thing alone: the call, the constructor, the order of
 * the neighbors, or whether ranks may be reordered. What should be alike is two rows, one a direction.
 * (Luebbe 2017, section 2: GL1 to GL12.)
 */
#ifndef TMAP_CORE_MEASURE_VIRTUAL_GUIDELINES_H
#define TMAP_CORE_MEASURE_VIRTUAL_GUIDELINES_H

#include "core/measure/virtual_topology.h"

/** A call on a topology, whatever its size. */
struct tmap_virtual_key {
	enum tmap_virtual_call call;
	struct tmap_virtual_topology topology;
};

enum { TMAP_VIRTUAL_GUIDELINES = 12 /**< numbers, from 1 */ };

/** Sets of guidelines: bit n of GLn, bit 0 of the guidelines of mock-ups. */
#define TMAP_MOCKUP_GUIDELINES 1u
#define TMAP_ALL_GUIDELINES ((2u << TMAP_VIRTUAL_GUIDELINES) - 1)

/** *set = what a list has: "GL4", "GL7-9" or "GL7-GL9", "mockups", "all". TMAP_USAGE. */
int tmap_virtual_guidelines_parse(const char *text, unsigned *set, struct tmap_error *err);

/** Rows 0 .. tmap_virtual_guideline_rows() - 1, rising by number; the number, and
 *  "GL4 neighbor_allgather <= neighbor_alltoall". */
int tmap_virtual_guideline_rows(void);
int tmap_virtual_guideline_number(int row);
const char *tmap_virtual_guideline_name(int row);

/** Should both of its sides be alike? Then another row has them the other way round. */
bool tmap_virtual_guideline_is_alike(int row);

/** Has a row @p right on its right? *left is what it should not be faster than. */
bool tmap_virtual_guideline_left(int row, const struct tmap_virtual_key *right,
				 struct tmap_virtual_key *left);

/** Which comes first: by call, then by topology; 0: the same. */
int tmap_virtual_key_compare(const struct tmap_virtual_key *a, const struct tmap_virtual_key *b);

/** What is to be measured. Sets have bit n of what is n. */
struct tmap_virtual_request {
	unsigned guidelines;
	int collective;                      /**< only the calls of that family; TMAP_NONE: all */
	int size;                            /**< ranks */
	unsigned stencils, orders, reorders; /**< rows of tmap_stencils, orders, 0 and 1 */
	const int64_t *radius, *dimensions;  /**< [.._count] */
	int radius_count, dimension_count;   /**< dimensions 0: 1 to 4 of more than one rank each */
	const int64_t *finite;               /**< [finite_count]; larger ones than the dimensions
						  are passed over */
	int finite_count;                    /**< 0: none, and all */
};

struct tmap_virtual_plan {
	int count;
	size_t capacity;
	struct tmap_virtual_key *key; /**< [count], in their order, each once */
};

enum { TMAP_VIRTUAL_PLAN_MOST = 100000 };

/** Both sides of all rows that are asked for. Of rows that do not compare constructors,
 *  collectives run on communicators of cart_create and dist_graph_create_adjacent. Refuses
 *  (TMAP_INPUT) one rank, neighborhoods of too many neighbors, requests of nothing and of more than
 *  TMAP_VIRTUAL_PLAN_MOST. */
int tmap_virtual_plan_init(struct tmap_virtual_plan *plan,
			   const struct tmap_virtual_request *request, struct tmap_error *err);
void tmap_virtual_plan_fini(struct tmap_virtual_plan *plan);

#endif
