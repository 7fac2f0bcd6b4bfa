/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_report.h - two placements of the same ranks compared, for people and as a document.
 *
 *     ranks     32 in both
 *     moved     24 to another node (1-3, 5-7, ...), 2 on their node (8, 9)
 *     pairs     120 closer, 40 further, 336 as far as before
 *
 *     distance   A    B  change  between ranks with
 *            1  48   12     -36  a shared cache or core
 *
 *     {"kind": "comparison", "format": 1, "size": 32,
 *      "moved": {"node": "1-3", "pus": "", "binding": ""},
 *      "pairs": {"closer": 120, "further": 40, "same": 336, ...},
 *      "before": [{"distance": 1, "pairs": 48}, ...], "after": [...]}
 */
#ifndef TMAP_FORMATS_REPORT_COMPARISON_COMPARISON_REPORT_H
#define TMAP_FORMATS_REPORT_COMPARISON_COMPARISON_REPORT_H

#include "core/lint/compare.h"

#include <stdio.h>

/** The summary and the pairs at each distance. O(steps). */
int tmap_text_write_comparison(FILE *out, const struct tmap_comparison *comparison,
			       struct tmap_error *err);

/** For each rank that has moved, where it is in @p a (expected) and in @p b (found); at most 20
 *  of them unless @p all. O(moved x objects). */
int tmap_text_write_moves(FILE *out, const struct tmap_comparison *comparison, bool all,
			  struct tmap_error *err);

/** The comparison document. O(moved). */
int tmap_json_write_comparison(FILE *out, const struct tmap_comparison *comparison,
			       struct tmap_error *err);

#endif
