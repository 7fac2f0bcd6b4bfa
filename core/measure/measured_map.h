/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measured_map.h - the best measured algorithm by size of the message and by number of ranks.
 *
 *     bytes       8     1KiB       64KiB
 *      2 ranks    a=b   a 1.30     b 2.10      b is the best, the second takes 2.1 times as long
 *      4 ranks    a=b   -          b 1.80      not measured; the intervals of a and b overlap
 *
 * Intervals hold the medians with 95 %. Where there are too few times for that, they are from the
 * shortest to the longest, and hold them with less. (Sparbit, figure 5.)
 */
#ifndef TMAP_CORE_MEASURE_MEASURED_MAP_H
#define TMAP_CORE_MEASURE_MEASURED_MAP_H

#include "core/measure/times.h"

struct tmap_measured_cell {
	int count;        /**< algorithms with right results; 0: none was measured */
	int best, second; /**< of the map's names; second: TMAP_NONE of one algorithm */
	double best_s, second_s;
	double gain; /**< second_s over best_s; infinite where the best took no time; 1 of one */
	int ties;    /**< algorithms whose intervals overlap the best's, without that */
	int tied;    /**< the fastest of those; TMAP_NONE: none */
};

/** So many cells can somebody look at. */
#define TMAP_MEASURED_MAP_CELLS_MOST 65536

struct tmap_measured_map {
	enum tmap_collective collective;
	int root;
	const struct tmap_times *times; /**< [rank_count], borrowed, in no order; of one library */
	int rank_count, size_count;
	int *ranks;                                          /**< [rank_count], rising, */
	const struct tmap_times_neighborhood **neighborhood; /**< and who the neighbors are there,
								  borrowed; NULL: there are none */
	int64_t *bytes;                                      /**< [size_count], rising */
	struct tmap_measured_cell *cell;                     /**< [rank_count][size_count] */
	int name_count;
	int best_count;    /**< names that are the best somewhere, which come first */
	int shown_count;   /**< and those that alone may be as fast as the best of a cell */
	const char **name; /**< [name_count], borrowed from the experiments */
	bool has_single;   /**< some times are of one launch */
	double coverage; /**< the probability with which the worst of the intervals holds its median */
	int wrong;       /**< experiments with a wrong result, which do not count */
	bool mixes_rounds; /**< tmap_times_differ_by_rounds() of some documents */
	bool mixes_cache;  /**< off_cache is not the same in all */
};

/** Of the blocking experiments of a collective and root in @p count > 0 documents, each of another
 *  number of ranks, of sizes up to @p most (TMAP_NONE: all). Refuses (TMAP_INPUT) other libraries than
 *  the first one's, other neighbors where the collective has some, but for the size of the grid, two
 *  documents of as many ranks, and that there is nothing. *at = the document that is refused, or TMAP_NONE:
 *  of several none alone. O(n log n) for n experiments. */
int tmap_measured_map_init(struct tmap_measured_map *map, const struct tmap_times *times, int count,
			   enum tmap_collective collective, int root, int64_t most, int *at,
			   struct tmap_error *err);
void tmap_measured_map_fini(struct tmap_measured_map *map);

/** Who the neighbors are, but for the size of the grid: NULL where there are none. */
const struct tmap_times_neighborhood *
tmap_measured_map_neighbors(const struct tmap_measured_map *map);

/** The cell of a row and a column. */
const struct tmap_measured_cell *tmap_measured_map_at(const struct tmap_measured_map *map,
						      int ranks, int size);

#endif
