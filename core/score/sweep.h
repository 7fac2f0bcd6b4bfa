/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sweep.h - the best algorithm by size of the message and by number of ranks.
 *
 *     bytes       1    4   16   64 ...      sizes are powers of 4 up to the largest asked for
 *      2 ranks    a    a    a    a          the first 2, 4, 8, ... ranks of the placement, and
 *      4 ranks    a    a    b    b          all of them
 */
#ifndef TMAP_CORE_SCORE_SWEEP_H
#define TMAP_CORE_SCORE_SWEEP_H

#include "core/score/score.h"

struct tmap_sweep_cell {
	int name; /**< into the sweep's names; TMAP_NONE: no algorithm can run */
	double seconds;
	char *knob; /**< of the library, NULL: it takes the algorithm by itself, or cannot;
				  where a library is asked about */
	int taken;  /**< what it takes by itself; TMAP_NONE: that is not known */
	double taken_seconds;
};

/** Each cell is a score of all algorithms: of so many somebody can still look at the map. */
#define TMAP_SWEEP_MOST_CELLS 65536

/** What is asked instead of 2, 4, 8, ... ranks and 1, 4, 16, ... bytes. */
struct tmap_sweep_axes {
	int rank_count, size_count; /**< 0: as above */
	int64_t *ranks, *bytes;     /**< rising */
	bool asks_others; /**< also what other published profiles would choose, in cells of up to
			       TMAP_OTHERS_MOST_RANKS ranks, and without a library */
};

struct tmap_sweep {
	enum tmap_collective collective;
	const struct tmap_placement *placement; /**< borrowed */
	const struct tmap_profile *profile;     /**< borrowed */
	bool has_library; /**< only what it takes by itself or can be set to */
	struct tmap_library_pick pick;
	int64_t element; /**< 0: not said */
	int rank_count, size_count;
	int *ranks;                   /**< [rank_count], rising */
	int64_t *bytes;               /**< [size_count], rising; a barrier has one of 0 */
	struct tmap_sweep_cell *cell; /**< [rank_count][size_count] */
	int name_count, shown_count;  /**< the best somewhere come first */
	char **name; /**< [name_count]: the best somewhere, or taken by itself, each in the order met */
	size_t name_capacity;
	int asked;   /**< cells that others were asked of */
	int *turned; /**< [tmap_profiles]: in how many of these each chooses something else; NULL:
			  none was asked */
};

/** Score the first 2, 4, 8, ... ranks and all of them for each size up to request->bytes, or what the
 *  axes say. Sizes are rounded down to whole elements, to one at the least. With
 *  request->has_library the best is what that library takes by itself or can be set to. A root must
 *  be among the first two, and there is no neighborhood. Time of a score for each cell,
 *  but that each part is analyzed once; TMAP_INPUT for more than TMAP_SWEEP_MOST_CELLS. */
int tmap_sweep_init(struct tmap_sweep *sweep, const struct tmap_placement *placement,
		    const struct tmap_score_request *request, const struct tmap_sweep_axes *axes,
		    struct tmap_error *err);
void tmap_sweep_fini(struct tmap_sweep *sweep);

/** The cell of a row and a column. */
const struct tmap_sweep_cell *tmap_sweep_at(const struct tmap_sweep *sweep, int ranks, int size);

#endif
