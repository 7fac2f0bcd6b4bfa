/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix_order.h - whose the lines and columns of a matrix are, by what stands around its numbers.
 *
 *              r2 r0 r1        the heading, with or without a corner
 *     r0        5  0  9        r0 sends 5 to r2 and 9 to r1
 *     r1        ...            labels, in any order
 */
#ifndef TMAP_FORMATS_TRAFFIC_MATRIX_ORDER_H
#define TMAP_FORMATS_TRAFFIC_MATRIX_ORDER_H

#include "core/base/error.h"

#include <stdbool.h>

struct tmap_matrix_shape {
	bool has_heading, has_labels;
	bool has_corner;  /**< the heading has a word above the labels */
	bool may_be_list; /**< under a heading of names the lines begin with two ranks */
	int ranks;        /**< as the numbers of lines and fields have it */
};

/** A heading and labels, as the numbers of lines and fields have room for them, of names; of numbers
 *  only where the other ones count, too. False: it has neither, and *shape says so. */
bool tmap_matrix_shape_find(struct tmap_matrix_shape *shape, const char *text);

/** Which rank a line and a column are of. */
struct tmap_matrix_order {
	int ranks;
	int *row, *column; /**< [ranks] each; NULL: in order */
};

/** Labels that count are ranks; names are those of the heading, in its order. Where only lines or only
 *  columns have labels they have to be in order. Refuses (TMAP_INPUT, with the line) a label that the
 *  heading has not, or twice, and gaps between labels that count. O(length of the text). */
int tmap_matrix_order_init(struct tmap_matrix_order *order, const struct tmap_matrix_shape *shape,
			   const char *text, struct tmap_error *err);

/** The rank in @p list, which is one of the two, of a line or a column; what is one too many is itself. */
static inline int tmap_matrix_order_at(const struct tmap_matrix_order *order, const int *list,
				       int index)
{
	return list && index < order->ranks ? list[index] : index;
}

void tmap_matrix_order_fini(struct tmap_matrix_order *order);

#endif
