/*
 * rank_order.h - the MPICH_RANK_ORDER file of Cray's and HPE's MPI.
 *
 *     # grid_order -R -Z -c 128 -g 8,8,4
 *     0,1,2,3,32,33
 *     4-7,16
 *
 * Ranks, separated by commas, blanks or the ends of lines; "4-7" is short for four of them.
 * The k-th one takes the k-th slot (core/place/reorder.h): the file goes from slots to
 * ranks, a rankfile from ranks to slots.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_CRAY_RANK_ORDER_H
#define TMAP_FORMATS_LAUNCHERS_CRAY_RANK_ORDER_H

#include "core/base/error.h"

#include <stddef.h>

struct tmap_rank_order {
	int *rank; /**< [count] a permutation of 0 .. count - 1 */
	int count;
	size_t capacity;
};

/** Read @p path ("-": standard input). Refuses, as file:line, what is no rank, and ranks that are
 *  doubled or missing. O(length + count). */
int tmap_rank_order_read(struct tmap_rank_order *order, const char *path, struct tmap_error *err);

/** The same from a text; on failure *line is the line to blame, or 0. */
int tmap_rank_order_parse(struct tmap_rank_order *order, const char *text, int *line,
			  struct tmap_error *err);
void tmap_rank_order_fini(struct tmap_rank_order *order);

#endif
