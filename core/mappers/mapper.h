/*
 * mapper.h - which rank should take which slot: one row each.
 *
 *     slot_of[r] = s     rank r takes slot s; no slot is taken twice
 *
 * Every mapping respects the slots that ranks must have and the groups that stay together. A
 * budget of steps, each about one message or entry looked at, bounds the work of each. The first
 * row asks all others in their order and keeps the best; of equals, the first.
 */
#ifndef TM_MAPPER_H
#define TM_MAPPER_H

#include "core/map/objective.h"
#include "core/base/keyword.h"

struct tm_quest;

/** What a mapper is made for. */
enum tm_mapper_for { TM_FOR_ALL, TM_FOR_CALLS, TM_FOR_GRIDS };

struct tm_mapper {
	struct tm_word word;
	bool moves;          /**< false: every rank stays where it is */
	enum tm_mapper_for serves; /**< on other traffic nobody asks it unbidden */
	const char *const *fits;   /**< parts of names of algorithms that it is made for, NULL at
					the end: where measuring takes long, these are asked first;
					NULL: none */
	double share;        /**< of the budget may be gone once it is through, if all are asked */
	int (*map)(struct tm_quest *quest, struct tm_error *err); /**< NULL: asks all others */
};

/** The mappers by name; the default one first. */
extern const struct tm_words tm_mappers;

/** Row @p index of the table. */
const struct tm_mapper *tm_mapper_at(int index);

/** Steps of a budget that is good for most jobs: some seconds. */
#define TM_EFFORT INT64_C(200000000)

struct tm_mapping {
	int size;            /**< number of ranks */
	int *slot_of;        /**< [size] */
	struct tm_measures measures;
	int mapper;          /**< the row that found it: of those that try others, the other */
	char *how;           /**< "order core,node", "plane 4": what that row did; or NULL */
	int64_t steps;       /**< that were taken */
};

/** The mapping that row @p mapper finds within @p effort steps. The same effort and seed give the
 *  same mapping. Refuses (TM_INPUT) groups that cannot be kept together. Time: about the steps,
 *  but never less than it takes to measure some mappings, O(p log p + messages) each. */
int tm_map(struct tm_mapping *mapping, struct tm_objective *objective, int mapper, int64_t effort,
	   uint64_t seed, struct tm_error *err);
void tm_mapping_fini(struct tm_mapping *mapping);

#endif
