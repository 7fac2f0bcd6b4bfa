/*
 * policy.h - where the ranks of a job would sit: from the words of a request to a placement.
 *
 *     4 nodes of 2 cores      by core   0 1 | 2 3 | 4 5 | 6 7
 *                             by node   0 4 | 1 5 | 2 6 | 3 7
 *
 * Every rank is bound to one core that it may use, with all allowed PUs of that core. On
 * a node without Core objects, PUs are the cores.
 */
#ifndef TM_POLICY_H
#define TM_POLICY_H

#include "core/placement.h"
#include "core/word.h"

enum tm_map_by {
	TM_MAP_BY_CORE,  /**< core after core, node after node */
	TM_MAP_BY_NODE,  /**< one core of each node that has one left, again and again */
};

/** The mappings by name, in the order of enum tm_map_by. */
extern const struct tm_words tm_map_by_words;

/** *p = @p ranks ranks (TM_NONE: as many as there are cores) on @p machine. Refuses more ranks
 *  than cores, and a machine without any. O(p + N + objects). */
int tm_policy_place(struct tm_placement *p, struct tm_machine *machine, int ranks,
		    enum tm_map_by map_by, struct tm_error *err);

/** The same seats, dealt to the ranks at random: rank r takes the seat of the r-th rank of
 *  0 .. p-1 shuffled (core/random.h). */
int tm_policy_shuffle(struct tm_placement *p, uint64_t seed, struct tm_error *err);

#endif
