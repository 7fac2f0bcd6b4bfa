/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes_report.h - node and lane communicators, for people and as a document.
 *
 *     {"kind": "lanes", "format": 1, "size": 8, "regular": true, "consecutive": true,
 *      "reason": null, ..., "nodes": [[0,1,2,3], [4,5,6,7]], "lanes": [[0,4], [1,5], ...]}
 */
#ifndef TMAP_FORMATS_REPORT_LANES_LANES_REPORT_H
#define TMAP_FORMATS_REPORT_LANES_LANES_REPORT_H

#include "core/group/adapters.h"
#include "core/group/lanes.h"

#include <stdio.h>

/** Lanes, whether published code finds them, and their adapters. */
struct tmap_lanes_report {
	const struct tmap_lanes *lanes;
	const struct tmap_lanes_order *fix;
	const struct tmap_adapters *adapters;
};

/** Write it as it comes: O(p + N x lanes) time, O(p) memory. */
int tmap_json_write_lanes(FILE *out, const struct tmap_lanes_report *report,
			  struct tmap_error *err);

/** On 80 columns: the summary, the adapters, and the communicators: at most 16 nodes and as many
 *  lanes unless @p all. O(N x lanes shown). */
int tmap_text_write_lanes(FILE *out, const struct tmap_lanes_report *report, bool all,
			  struct tmap_error *err);

#endif
