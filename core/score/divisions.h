/*
 * divisions.h - how the ranks of a placement are spread over the objects of each level: what the
 * least that any algorithm must move depends on, and how many pairs of ranks are apart.
 */
#ifndef TMAP_CORE_SCORE_DIVISIONS_H
#define TMAP_CORE_SCORE_DIVISIONS_H

#include "core/machine/levels.h"
#include "core/machine/placement.h"

struct tmap_division {
	int *members;        /**< [number_count of the level]: ranks in each object */
	int64_t objects;     /**< that hold ranks */
	int64_t apart;       /**< pairs of ranks in different objects, each counted both ways */
	int64_t outside;     /**< sum over the objects of the ranks outside them */
	int64_t beyond_root; /**< ranks outside the root's object */
	int64_t runs;        /**< of consecutive ranks in one object */
};

struct tmap_divisions {
	const struct tmap_placement *placement; /**< borrowed, as the levels */
	const struct tmap_levels *levels;
	struct tmap_division *at; /**< [levels->count] */
};

/** O(p x levels) time, O(objects) memory. */
int tmap_divisions_init(struct tmap_divisions *divisions, const struct tmap_placement *placement,
			const struct tmap_levels *levels, int root, struct tmap_error *err);
void tmap_divisions_fini(struct tmap_divisions *divisions);

#endif
