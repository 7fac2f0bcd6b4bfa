/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank_list.h - a text that lists the ranks of a job, each once.
 *
 *     # grid_order -R -Z -c 128 -g 8,8,4
 *     0,1,2,3,32,33
 *     4-7,16
 *
 * Ranks are separated by a comma, blanks or the ends of lines; "4-7" is short for four of them.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_RANK_LIST_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_RANK_LIST_H

#include "core/base/error.h"

#include <stddef.h>

struct tmap_rank_list {
	int *rank; /**< [count] a permutation of 0 .. count - 1 */
	int count;
	size_t capacity;
};

/** Read the text. Refuses what is no rank, commas without one before them, more than @p most, and
 *  ranks that are doubled or missing; *line is then the line to blame, or 0. O(length + count). */
int tmap_rank_list_parse(struct tmap_rank_list *list, const char *text, int most, int *line,
			 struct tmap_error *err);
void tmap_rank_list_fini(struct tmap_rank_list *list);

/** The inverse permutation: inverse[rank[k]] = k; the caller's to free. */
int *tmap_rank_list_invert(const int *rank, int count, struct tmap_error *err);

#endif
