/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs_report.h - how many pairs of ranks are at each distance.
 *
 *     distance  pairs   share  between ranks with
 *            1     48    9.7%  a shared cache or core
 *            7    384   77.4%  different nodes
 */
#ifndef TMAP_FORMATS_REPORT_INSPECTION_PAIRS_REPORT_H
#define TMAP_FORMATS_REPORT_INSPECTION_PAIRS_REPORT_H

#include "core/distance/distance.h"
#include "formats/json/json_write.h"

/** Pairs at each step of a metric; those without any are left out. */
struct tmap_pairs_report {
	const struct tmap_metric *metric;
	const int64_t *pairs; /**< [metric->step_count] */
	int scale;            /**< enum tmap_scale */
	bool has_meaning;     /**< documents have the meaning of each distance */
};

/** The table for people. O(steps). */
int tmap_text_write_pairs_at(FILE *out, const struct tmap_pairs_report *report,
			     struct tmap_error *err);

/** The member @p name: an array of {"distance", "pairs", "meaning"}. O(steps). */
int tmap_json_put_pairs_at(struct tmap_json_writer *w, const char *name,
			   const struct tmap_pairs_report *report, struct tmap_error *err);

#endif
