/*
 * json_comparison.h - two placements side by side, as a document.
 *
 *     {"kind": "comparison", "format": 1, "size": 32,
 *      "moved": {"node": "1-3", "pus": "", "binding": ""},
 *      "pairs": {"closer": 120, "further": 40, "same": 336, ...},
 *      "before": [{"distance": 1, "pairs": 48}, ...], "after": [...]}
 */
#ifndef TMAP_FORMATS_REPORT_COMPARISON_JSON_COMPARISON_H
#define TMAP_FORMATS_REPORT_COMPARISON_JSON_COMPARISON_H

#include "core/lint/compare.h"

#include <stdio.h>

/** Write the document and flush. O(moved). */
int tmap_json_write_comparison(FILE *out, const struct tmap_comparison *comparison,
			       struct tmap_error *err);

#endif
