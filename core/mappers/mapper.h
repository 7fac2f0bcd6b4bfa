/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mapper.h - the mappers, which find a slot for each rank: one row each.
 *
 *     slot_of[r] = s     rank r takes slot s; no slot is taken twice
 *
 * Every mapping keeps the constraints: slots that ranks must have, groups that stay together. A
 * budget of steps, each about one message or entry visited, bounds the work of each. The first
 * row runs all others in their order and keeps the best; of equals, the first.
 */
#ifndef TMAP_CORE_MAPPERS_MAPPER_H
#define TMAP_CORE_MAPPERS_MAPPER_H

#include "core/base/keyword.h"
#include "core/base/progress.h"
#include "core/map/objective.h"

struct tmap_search;

/** What a mapper is made for. */
enum tmap_mapper_for { TMAP_FOR_ALL, TMAP_FOR_CALLS, TMAP_FOR_GRIDS };

struct tmap_mapper {
	struct tmap_keyword word;
	bool moves;                  /**< false: every rank stays where it is */
	enum tmap_mapper_for serves; /**< on other traffic the first row leaves it out */
	unsigned fits;               /**< patterns of algorithms that it is made for (enum
			    tmap_algorithm_pattern): where measuring takes long, it runs first; 0: none */
	unsigned needs; /**< parts of the search (core/map/search.h) that it works on; of the first row,
			     all that the others do */
	double share; /**< of the budget may be gone once it is through, if all run */
	int (*map)(struct tmap_search *search,
		   struct tmap_error *err); /**< NULL: runs all others */
};

/** The mappers by name; the default one first. */
extern const struct tmap_keywords tmap_mappers;

/** Row @p index of the table. */
const struct tmap_mapper *tmap_mapper_at(int index);

/** Steps of a budget that is good for most jobs: some seconds. */
#define TMAP_EFFORT INT64_C(200000000)

/** The budget where nobody names one: TMAP_EFFORT; more for a matrix so large that this would not divide it
 *  once, twice of what that takes. */
int64_t tmap_effort_for(const struct tmap_objective *objective);

struct tmap_mapping {
	int size;     /**< number of ranks */
	int *slot_of; /**< [size] */
	struct tmap_evaluation evaluation;
	int mapper;    /**< the row that found it: of those that try others, the other */
	char *how;     /**< "order core,node", "plane 4": what that row did; or NULL */
	int64_t steps; /**< that were taken */
};

/** The mapping that row @p mapper finds within @p effort steps. The same effort and seed give the
 *  same mapping. Refuses (TMAP_INPUT) groups that cannot be kept together. Time: about the steps,
 *  but never less than it takes to measure some mappings, O(p log p + messages) each; @p progress
 *  gets a report a mapping, NULL: nobody waits. */
int tmap_map(struct tmap_mapping *mapping, struct tmap_objective *objective, int mapper,
	     int64_t effort, uint64_t seed, struct tmap_progress *progress, struct tmap_error *err);
void tmap_mapping_fini(struct tmap_mapping *mapping);

#endif
