/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * han_rules.h - the rules of Open MPI's coll/han: which component has a call.
 *
 *     bcast
 *        global                                   a communicator of several nodes, as the program has it
 *           from 1 rank on     0 bytes   han      in two levels: what it does by itself
 *           from 16            0         tuned    all ranks at once, by the rules of coll/tuned
 *                              8192      han
 *           from 17            0         han
 *        intra, inter                             what coll/han makes of it: the ranks of a node, and the
 *                                                 first ones, second ones, ... of all nodes
 *
 * Bytes are those of a call as MPI counts them: a block, or the vector; 0 of a barrier. Where a file has
 * no rules, coll/han does what it does by itself. What it reads is the same in 4.1.4 and 5.0.7, from their
 * sources; but 4.1 takes levels by number alone, and no algorithm of coll/han itself (han @simple).
 */
#ifndef TMAP_CORE_TUNE_HAN_RULES_H
#define TMAP_CORE_TUNE_HAN_RULES_H

#include "core/tune/rule_file.h"

enum tmap_han_component {
	TMAP_HAN_SELF,
	TMAP_HAN_BASIC,
	TMAP_HAN_LIBNBC,
	TMAP_HAN_TUNED,
	TMAP_HAN_SM,
	TMAP_HAN_ADAPT,
	TMAP_HAN_ITSELF,
	TMAP_HAN_COMPONENTS
};

/** By the library's names, the only ones that it reads. */
extern const struct tmap_keywords tmap_han_components;

enum tmap_han_level { TMAP_HAN_INTRA, TMAP_HAN_INTER, TMAP_HAN_GLOBAL, TMAP_HAN_LEVELS };

/** By the library's names; a file has their numbers, or, from 5.0 on, these. */
extern const struct tmap_keywords tmap_han_levels;

/** Does coll/han look rules up for a collective of this number? */
bool tmap_han_has_rules(int64_t number);

/** Its own algorithm of that name or number: 0 is its default; TMAP_NONE: there is none. */
int tmap_han_algorithm_find(int64_t number, const char *word);

/** The collective begins, perhaps once more: no list before is taken any longer. */
void tmap_han_rules_begin(struct tmap_rule_file *file, int64_t number);

/** One more list, of a level of that collective; borrowed until the next one; NULL with *err set. What
 *  tmap_rule_find() takes is the last one for the global level. */
struct tmap_rule_collective *tmap_han_rules_add(struct tmap_rule_file *file, int64_t number,
						int level, struct tmap_error *err);

#endif
