/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alike.h - ranks that are alike in a pattern that is sent at once, under a mapping.
 *
 *     rank 7 sends       near, near, far                  0 ─near─► 1 ─near─► 2 ─far─► 3
 *     its row            3: so does each rank of row 3
 *     its work           gets what leads to 2, sends row 3, gets what leads to 3: a path of works
 *
 * Paths are steps of a tree: what a rank does in order, where a step is a message as its sender's row has
 * it up to there. So what a message costs by some costs is computed once a step, not once a rank: a regular
 * grid of a million ranks has some hundreds of steps. Which ranks are alike depends on the kinds of
 * pairs, and on no costs.
 */
#ifndef TMAP_CORE_MAP_ALIKE_H
#define TMAP_CORE_MAP_ALIKE_H

#include "core/cost/cost.h"
#include "core/pattern/pattern.h"
#include "core/schedule/neighborhood.h"

enum {
	TMAP_ALIKE_STEPS_MOST = 1 << 16, /**< of a tree; beyond, ranks are no more alike */
	TMAP_ALIKE_SIZES_MOST = 64,
};

struct tmap_alike_step {
	int before; /**< the step before it: a lower number */
	int what; /**< rows: size x kinds + kind. works: a step of the rows, whose message comes, or
		       -1 - the last one of the row that is sent */
	int after; /**< the step that followed it last, which probably does again; 0: none yet. scratch */
};

/** Step 0 is where all paths begin. */
struct tmap_alike_tree {
	int count;
	size_t capacity;
	struct tmap_alike_step *step; /**< [count] */
	int *slot;                    /**< [2 x most]: hash table of steps, 0: free; scratch */
};

/** Zeroed: nothing was found yet. */
struct tmap_alike {
	bool is_found;
	bool is_vain; /**< ranks are not alike, or bytes not summed without rounding: the rest is empty */
	int kinds;
	int size_count;
	int64_t size[TMAP_ALIKE_SIZES_MOST];   /**< [size_count] whole bytes of a message */
	int64_t number[TMAP_ALIKE_SIZES_MOST]; /**< and how many of these there are */
	struct tmap_alike_tree rows, works;
	uint16_t *row, *work; /**< [ranks]: the last step of each */
};

/** Whole bytes, at least one: messages have no parts of bytes. */
int64_t tmap_alike_whole(double bytes);

/** Find which ranks are alike where the model has them now; each sends in the order of @p order (NULL: by
 *  number). Nothing is done if that was found before. O(entries); 4 bytes a rank, and as much again as
 *  the steps. */
int tmap_alike_find(struct tmap_alike *alike, const struct tmap_cost_model *model,
		    const struct tmap_pattern *pattern, const struct tmap_neighborhood *order,
		    struct tmap_error *err);
void tmap_alike_fini(struct tmap_alike *alike);

/** *seconds = the time of the last rank (core/map/burst.h), to the last bit; ranks must be alike, and
 *  by the model none wait for others on a core. O(steps x links + ranks x links). */
int tmap_alike_seconds(double *seconds, const struct tmap_alike *alike,
		       const struct tmap_cost_model *model, struct tmap_error *err);

#endif
