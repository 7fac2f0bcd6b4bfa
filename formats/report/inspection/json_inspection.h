/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_inspection.h - what inspect sees, as a document; topomap-json(5) documents it.
 *
 *     {"kind": "inspection", "format": 1, "size": 32, "nodes": 4, ...
 *      "distances": [{"distance": 1, "pairs": 112, "meaning": "..."}, ...],
 *      "node_kinds": [{"nodes": "n[0-3]", "count": 4, "ranks_each": 8, ...}]}
 */
#ifndef TMAP_FORMATS_REPORT_INSPECTION_JSON_INSPECTION_H
#define TMAP_FORMATS_REPORT_INSPECTION_JSON_INSPECTION_H

#include "core/lint/verdict.h"
#include "core/record/record_account.h"
#include "formats/launchers/origin.h"

#include <stdio.h>

/** What the document has besides the summary. */
struct tmap_json_inspection_extras {
	const struct tmap_lint *lint;                /**< findings; NULL: none of that */
	const struct tmap_verdict *verdict;          /**< NULL: none */
	const struct tmap_origin_launcher *launcher; /**< in whose words their fixes are */
	const struct tmap_record_account *record;    /**< what was communicated; NULL: none */
	const int *rank; /**< [count]: a member for each of these ranks */
	int count;
	bool matrix; /**< and their distances, each with each */
};

/** Write the document and flush. O(N + kinds of nodes x objects + count). */
int tmap_json_write_inspection(FILE *out, const struct tmap_inspection *inspection,
			       const struct tmap_json_inspection_extras *extras,
			       struct tmap_error *err);

#endif
