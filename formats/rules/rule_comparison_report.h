/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rule_comparison_report.h - what two rule files make a library do, where that is not the same.
 *
 *     collective  ranks  from    to  first               second  size   first  second  ratio
 *     bcast          16  4096  8191  own (binomial_near)  binary  4KiB  80 us   60 us   1.33  measured
 */
#ifndef TMAP_FORMATS_RULES_RULE_COMPARISON_REPORT_H
#define TMAP_FORMATS_RULES_RULE_COMPARISON_REPORT_H

#include "core/tune/rule_compare.h"

#include <stdio.h>

/** The files' names; b may be NULL: the library without a file. */
struct tmap_rule_comparison_report {
	const struct tmap_rule_comparison *comparison;
	const char *a, *b;
};

int tmap_text_write_rule_comparison(FILE *out, const struct tmap_rule_comparison_report *report,
				    struct tmap_error *err);
int tmap_csv_write_rule_comparison(FILE *out, const struct tmap_rule_comparison_report *report,
				   struct tmap_error *err);

/** The document rule_comparison (topomap-json(5)). */
int tmap_json_write_rule_comparison(FILE *out, const struct tmap_rule_comparison_report *report,
				    struct tmap_error *err);

#endif
