/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guideline_totals.h - how many tests and groups of each guideline are violated.
 *
 *     guideline                     violations/tests (groups)
 *     bcast <= lane                 3/15 (1/1)
 *     GL4 neighbor_allgather <= ..  2/12 (1/4)
 *       moore:1 2d                  2/6 (1/2)         neighborhood by neighborhood
 *     all                           5/27 (2/5)
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_GUIDELINE_TOTALS_H
#define TMAP_FORMATS_REPORT_TIMES_GUIDELINE_TOTALS_H

#include "core/measure/guideline_tests.h"
#include "formats/json/json_write.h"

#include <stdio.h>

/** Which lines there are. */
enum { TMAP_TOTALS_GUIDELINES = 1, TMAP_TOTALS_NEIGHBORHOODS = 2, TMAP_TOTALS_ALL = 4 };

/** All of them, below an empty line. */
int tmap_text_write_totals(FILE *out, const struct tmap_guideline_tests *tests,
			   struct tmap_error *err);

/** The member @p member: an array with an object for each of these lines. */
int tmap_json_put_totals(struct tmap_json_writer *w, const char *member,
			 const struct tmap_guideline_tests *tests, unsigned of,
			 struct tmap_error *err);

#endif
