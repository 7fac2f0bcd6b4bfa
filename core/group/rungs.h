/*
 * rungs.h - the levels that splits are made at, outermost first.
 *
 *     all            switch1  node  numa  core        those of core/machine/levels.h
 *     "numa,node"             node  numa              those that are named
 *
 * Any level that the machine knows can be named, also one that has the same objects as the level
 * above it: NUMA nodes where each package is one.
 */
#ifndef TMAP_CORE_GROUP_RUNGS_H
#define TMAP_CORE_GROUP_RUNGS_H

#include "core/machine/levels.h"

struct tmap_rung {
	char *name; /**< "switch1", "node", "numa", "group2" */
	int tier;   /**< index in the levels if it is a tier, else TMAP_NONE */
	struct tmap_level_kind kind;
};

struct tmap_rungs {
	struct tmap_levels levels; /**< of the machine, which must outlive them */
	int count;
	struct tmap_rung *rung; /**< [count] */
};

/** The levels of a machine that are in @p names, separated by commas, in any order; NULL: all
 *  that tell anything. Refuses (TMAP_INPUT) a name that no level has and one that stands twice.
 *  O(levels x (N + objects)). */
int tmap_rungs_init(struct tmap_rungs *rungs, const struct tmap_machine *machine, const char *names,
		    struct tmap_error *err);
void tmap_rungs_fini(struct tmap_rungs *rungs);

#endif
