/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings_report.h - the mistakes of a rule file.
 *
 *     rules for Open MPI 4.1, job.rules: 2 mistakes
 *       line 9   order        1000 bytes stand behind 4000: ...
 *                             fix: sort the rules by bytes, each size once
 */
#ifndef TMAP_FORMATS_RULES_FINDINGS_REPORT_H
#define TMAP_FORMATS_RULES_FINDINGS_REPORT_H

#include "core/tune/rule_lint.h"

#include <stdio.h>

/** @p path is the file, "-": standard input. */
void tmap_rule_findings_write_text(FILE *out, const struct tmap_rule_findings *findings,
				   int library, const char *path);

/** The document rule_lint (topomap-json(5)). */
int tmap_rule_findings_write_json(FILE *out, const struct tmap_rule_findings *findings, int library,
				  const char *path, struct tmap_error *err);

#endif
