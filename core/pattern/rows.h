/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.h - the rows of a pattern, rank after rank: stored ones as they are, those of a grid computed.
 *
 *     a rank far from every border    the row of the first such rank, moved: an addition a peer
 *     a rank near one                 its neighbours and those whose neighbour it is, sorted
 *
 *     for (int r = 0; tmap_pattern_rows_next(&rows); r++)
 *             ... rows.peer[i], rows.sent[i], for 0 <= i < rows.count ...
 */
#ifndef TMAP_CORE_PATTERN_ROWS_H
#define TMAP_CORE_PATTERN_ROWS_H

#include "core/pattern/pattern.h"
#include "core/schedule/neighborhood.h"

/** The row of a rank. */
struct tmap_pattern_row {
	int *peer;        /**< rising */
	double *sent;     /**< bytes to each */
	double *received; /**< bytes from each */
	int *turn;        /**< the entries in the order in which they are sent */
};

struct tmap_pattern_rows {
	/* the row, until the next one is read */
	int count;              /**< peers */
	const int *peer;        /**< [count], rising */
	const double *sent;     /**< [count] bytes to each */
	const double *received; /**< [count] bytes from each, if they were asked for */
	const int *turn; /**< [count]: the entries in the order in which they are sent; NULL: by
				     number */

	/* how it is read */
	const struct tmap_pattern *pattern;    /**< borrowed */
	const struct tmap_neighborhood *order; /**< borrowed; NULL: none */
	int rank;                              /**< that was read */
	int64_t *back;                 /**< [size]: the entry of each rank that is received next */
	int *list;                     /**< [degree] */
	int *met;                      /**< the rank whose order had each entry last */
	struct tmap_pattern_row own;   /**< scratch: that of the rank */
	struct tmap_pattern_row inner; /**< of a rank far from every border, peers relative to it */
	int inner_count;               /**< of that one; TMAP_NONE: none was met yet */
	int coord[TMAP_DIMENSIONS_MAX]; /**< of the rank in the grid of the pattern */
	int reach[TMAP_DIMENSIONS_MAX]; /**< of the neighbours in each dimension */
};

/** The rows of @p pattern. With an @p order (NULL: none) each rank sends first to its neighbours in
 *  that grid, in their order, as neighborhood collectives do, then to the others. Where what is
 *  received is not asked for, rows of stored patterns have no received[]. O(degree), for stored
 *  patterns O(p). */
int tmap_pattern_rows_init(struct tmap_pattern_rows *rows, const struct tmap_pattern *pattern,
			   const struct tmap_neighborhood *order, bool is_received,
			   struct tmap_error *err);
void tmap_pattern_rows_fini(struct tmap_pattern_rows *rows);

/** The row of the next rank, of rank 0 to begin with; false where there are no more. O(entries), near
 *  a border of a grid O(degree^2), with an order O(degree x log(entries)) besides. */
bool tmap_pattern_rows_next(struct tmap_pattern_rows *rows);

#endif
