/*
 * text_inspection.h - a placement on one screen of 80 columns, for people.
 *
 *     ranks     32 on 4 nodes, 8 on each
 *     order     block (regular, consecutive)
 *     bound to  core (32 ranks)
 *     ...
 */
#ifndef TM_TEXT_INSPECTION_H
#define TM_TEXT_INSPECTION_H

#include "core/lint/lint.h"

#include <stdio.h>

/** The summary, the pairs at each distance and the kinds of nodes, at most 12 of them unless
 *  @p all. O(N + kinds of nodes x objects). */
int tm_text_write_inspection(FILE *out, const struct tm_inspection *inspection,
			     const struct tm_lint *lint, bool all, struct tm_error *err);

/** The table of @p count ranks. O(count + places x objects). */
int tm_text_write_ranks(FILE *out, const struct tm_placement *p, const int *rank, int count,
			struct tm_error *err);

/** The same with all columns as CSV: "rank,node,bound,logical_pus,pus,cores,...". */
int tm_csv_write_ranks(FILE *out, const struct tm_placement *p, const int *rank, int count,
		       struct tm_error *err);

#endif
