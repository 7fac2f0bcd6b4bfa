/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lane_times_report.h - measured lanes, written: the document, a line an experiment, or a table.
 *
 *     {"kind": "lane_times", "format": 1, "placement": {...}, "mpi": ..., "date": ..., "sync": ...,
 *      "collective": null, "exchanges": 100,
 *      "experiments": [{"bytes": 1048576, "lanes": 2, "repetitions": 80, "correct": true,
 *                       "seconds": {"min": .., ...}, "outliers": 3,
 *                       "speedup": 1.96, "speedup_ci": [1.93, 1.99]}, ...]}
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_LANE_TIMES_REPORT_H
#define TMAP_FORMATS_REPORT_TIMES_LANE_TIMES_REPORT_H

#include "core/measure/lane_times.h"

#include <stdio.h>

/** With @p has_raw every time of every experiment. */
int tmap_json_write_lane_times(FILE *out, const struct tmap_lane_times *times, bool has_raw,
			       struct tmap_error *err);
int tmap_csv_write_lane_times(FILE *out, const struct tmap_lane_times *times,
			      struct tmap_error *err);
int tmap_text_write_lane_times(FILE *out, const struct tmap_lane_times *times,
			       struct tmap_error *err);

/** The lines above such a table: ranks, library, what was measured, what speed-up means. */
int tmap_text_write_lane_head(FILE *out, const struct tmap_lane_times *times,
			      struct tmap_error *err);

/** And those below: wrong results, an interruption; nothing where all is well. */
void tmap_text_write_lane_notes(FILE *out, const struct tmap_lane_times *times);

#endif
