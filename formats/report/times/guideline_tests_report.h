/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guideline_tests_report.h - guidelines as measured, as text, CSV and JSON.
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_GUIDELINE_TESTS_REPORT_H
#define TMAP_FORMATS_REPORT_TIMES_GUIDELINE_TESTS_REPORT_H

#include "core/measure/guideline_tests.h"

#include <stdio.h>

/** All tests; in text of those on virtual topologies the groups with a violation. */
int tmap_text_write_guideline_tests(FILE *out, const struct tmap_guideline_tests *tests,
				    struct tmap_error *err);
/** Refuses (TMAP_USAGE) tests of mock-ups and of virtual topologies together. */
int tmap_csv_write_guideline_tests(FILE *out, const struct tmap_guideline_tests *tests,
				   struct tmap_error *err);
int tmap_json_write_guideline_tests(FILE *out, const struct tmap_guideline_tests *tests,
				    struct tmap_error *err);

/** How many tests and groups are violated: by guideline, by neighborhood, and of all. */
int tmap_text_write_guideline_totals(FILE *out, const struct tmap_guideline_tests *tests,
				     struct tmap_error *err);
int tmap_csv_write_guideline_totals(FILE *out, const struct tmap_guideline_tests *tests,
				    struct tmap_error *err);

#endif
