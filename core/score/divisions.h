/*
 * divisions.h - how the ranks of a placement are spread over the objects of each level: what the
 * least that any algorithm must move depends on, and how many pairs of ranks are apart.
 */
#ifndef TM_DIVISIONS_H
#define TM_DIVISIONS_H

#include "core/machine/levels.h"
#include "core/machine/placement.h"

struct tm_division {
	int *members;        /**< [number_count of the level]: ranks in each object */
	int64_t objects;     /**< that hold ranks */
	int64_t apart;       /**< pairs of ranks in different objects, each counted both ways */
	int64_t outside;     /**< sum over the objects of the ranks outside them */
	int64_t beyond_root; /**< ranks outside the root's object */
	int64_t runs;        /**< of consecutive ranks in one object */
};

struct tm_divisions {
	const struct tm_placement *placement; /**< borrowed, as the levels */
	const struct tm_levels *levels;
	struct tm_division *at; /**< [levels->count] */
};

/** O(p x levels) time, O(objects) memory. */
int tm_divisions_init(struct tm_divisions *divisions, const struct tm_placement *placement,
		    const struct tm_levels *levels, int root, struct tm_error *err);
void tm_divisions_fini(struct tm_divisions *divisions);

#endif
