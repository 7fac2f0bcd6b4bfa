/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lane_times_read.h - read a document of measured lanes.
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_LANE_TIMES_READ_H
#define TMAP_FORMATS_REPORT_TIMES_LANE_TIMES_READ_H

#include "core/measure/lane_times.h"

/** The document in the file @p path, "-" being standard input: *job gets placement, library and date,
 *  and *times, which borrows it, the experiments by size and lanes. Speed-ups are those of the
 *  medians, or the document is refused. */
int tmap_lane_times_read_json(struct tmap_lane_times *times, struct tmap_times *job,
			      const char *path, struct tmap_error *err);

/** The same of a text; @p name is what messages call it. */
int tmap_lane_times_parse_json(struct tmap_lane_times *times, struct tmap_times *job,
			       const char *text, size_t length, const char *name,
			       struct tmap_error *err);

#endif
