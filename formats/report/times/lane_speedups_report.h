/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lane_speedups_report.h - measured lanes with what a cost profile predicts of them.
 *
 *     bytes  lanes   median  speed-up  95 % from    to  predicted  speed-up
 *     1MiB       1   900 us         1                      880 us         1
 *     1MiB       2   460 us      1.96       1.93  1.99     441 us         2
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_LANE_SPEEDUPS_REPORT_H
#define TMAP_FORMATS_REPORT_TIMES_LANE_SPEEDUPS_REPORT_H

#include "core/measure/lane_prediction.h"

#include <stdio.h>

struct tmap_lane_speedups {
	const struct tmap_lane_times *times; /**< borrowed, as all */
	const struct tmap_lane_predictions *predictions;
	const struct tmap_profile *profile;
};

int tmap_text_write_lane_speedups(FILE *out, const struct tmap_lane_speedups *speedups,
				  struct tmap_error *err);
int tmap_csv_write_lane_speedups(FILE *out, const struct tmap_lane_speedups *speedups,
				 struct tmap_error *err);

/** The document lane_speedups. */
int tmap_json_write_lane_speedups(FILE *out, const struct tmap_lane_speedups *speedups,
				  struct tmap_error *err);

/** Speed-up over lanes, a size a line, with 95 % intervals. Refuses (TMAP_INPUT) what has none. */
int tmap_svg_write_lane_speedups(FILE *out, const struct tmap_lane_speedups *speedups,
				 struct tmap_error *err);

#endif
