/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rule_collectives.h - the collectives of Open MPI's rule files, and what their bytes are.
 *
 *     bcast, reduce, allreduce, reduce_scatter       the vector
 *     allgather, alltoall, gather, scatter,          the blocks of all ranks together; the fixed
 *     reduce_scatter_block                           rules of the library count one block of these
 *     scan, exscan                                   an element of all ranks together: the count is
 *                                                    forgotten
 *     barrier, alltoallv                             0
 *     allgatherv                                     the blocks of all ranks together
 */
#ifndef TMAP_CORE_TUNE_RULE_COLLECTIVES_H
#define TMAP_CORE_TUNE_RULE_COLLECTIVES_H

#include "core/schedule/call.h"

enum tmap_rule_unit {
	TMAP_RULE_VECTOR,  /**< the vector */
	TMAP_RULE_TOTAL,   /**< the blocks of all ranks */
	TMAP_RULE_ELEMENT, /**< an element of each rank */
	TMAP_RULE_NOTHING  /**< always 0 */
};

struct tmap_rule_collective_row {
	struct tmap_keyword word; /**< the library's name; the row is its number */
	int collective;           /**< enum tmap_collective, or TMAP_NONE: no schedule is known */
	enum tmap_rule_unit unit;
	int algorithms;       /**< the largest number of 4.1; 0: coll/tuned has none */
	int later_algorithms; /**< of 5.0 */
	int two_ranks;        /**< the one that two ranks alone can have; 0: there is none */
};

/** So many numbers there are. */
enum { TMAP_RULE_COLLECTIVES = 17 };

/** By number, from 0. */
extern const struct tmap_keywords tmap_rule_collectives;

/** Row @p number; NULL: the library has no such collective. */
const struct tmap_rule_collective_row *tmap_rule_collective_row(int64_t number);

/** The row of a collective, or TMAP_NONE: rule files have none. */
int tmap_rule_collective_number(enum tmap_collective collective);

/** What the bytes of its rules are: "the blocks of all ranks together". */
const char *tmap_rule_unit_print(enum tmap_rule_unit unit);

/** What the library looks up for a call of so many bytes, as MPI calls count them, of elements of
 *  @p element bytes, of so many ranks. INT64_MAX where it is more. */
int64_t tmap_rule_unit_of(enum tmap_rule_unit unit, int64_t ranks, int64_t bytes, int64_t element);

/** The other way round: the least bytes of a call, in whole elements, that look up as much as @p bytes
 *  or more. Of an element and of nothing it is 0. */
int64_t tmap_rule_unit_call(enum tmap_rule_unit unit, int64_t ranks, int64_t bytes,
			    int64_t element);

#endif
