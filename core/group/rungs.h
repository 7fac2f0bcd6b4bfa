/*
 * rungs.h - the levels that splits are made at, outermost first.
 *
 *     all            switch1  node  numa  core        those of core/machine/levels.h
 *     "numa,node"             node  numa              those that are named
 *
 * Any level that the machine knows can be named, also one that has the same objects as the level
 * above it: NUMA nodes where each package is one.
 */
#ifndef TM_RUNGS_H
#define TM_RUNGS_H

#include "core/machine/levels.h"

struct tm_rung {
	char *name;          /**< "switch1", "node", "numa", "group2" */
	int tier;            /**< index in the levels if it is a tier, else TM_NONE */
	struct tm_level_kind kind;
};

struct tm_rungs {
	struct tm_levels levels; /**< of the machine, which must outlive them */
	int count;
	struct tm_rung *rung; /**< [count] */
};

/** The levels of a machine that are in @p names, separated by commas, in any order; NULL: all
 *  that tell anything. Refuses (TM_INPUT) a name that no level has and one that stands twice.
 *  O(levels x (N + objects)). */
int tm_rungs_init(struct tm_rungs *rungs, const struct tm_machine *machine, const char *names,
		  struct tm_error *err);
void tm_rungs_fini(struct tm_rungs *rungs);

#endif
