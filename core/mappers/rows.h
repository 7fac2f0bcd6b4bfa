/*
 * rows.h - the mappers of the table, one function each. What they make of a quest they offer to
 * it, and each offers something; all but the first four only as far as the budget goes.
 */
#ifndef TM_MAPPERS_ROWS_H
#define TM_MAPPERS_ROWS_H

#include "core/mappers/quest.h"

/** Every rank stays where it is; those that have no slot of their own take what is left. */
int tm_map_identity(struct tm_quest *quest, struct tm_error *err);

/** Rank r takes the r-th slot of a walk through the machine: core/mappers/walk.h. */
int tm_map_walk(struct tm_quest *quest, struct tm_error *err);

/** The nodes filled one after another, as they are numbered. */
int tm_map_block(struct tm_quest *quest, struct tm_error *err);

/** One rank for each node in turn; a full node is passed over. */
int tm_map_cyclic(struct tm_quest *quest, struct tm_error *err);

/** So many ranks for each node in turn: every number that divides the slots of a node, and every
 *  power of two. "plane 4" */
int tm_map_plane(struct tm_quest *quest, struct tm_error *err);

/** All orders of the levels in which ranks can count through the machine, as core/policies/radix.h
 *  has them: first those that differ from the walk by one level in another position, and the
 *  opposite of the walk, then the others, for up to 6 levels. "order node,core,package" */
int tm_map_radix(struct tm_quest *quest, struct tm_error *err);

#endif
