/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guidelines_report.h - performance guidelines with their predicted and measured times, on a screen
 * of 80 columns and as a document with room for measured times.
 *
 *     guideline                      native   mock-up   ratio
 *     bcast <= lane                  677 us    386 us    1.75  ?
 *       measured                       2 ms      1 ms       2  !
 *
 *     {"kind": "guidelines", "format": 1, "size": 32, "bytes": 1048576, ...,
 *      "guidelines": [{"name": "bcast <= lane", ..., "ratio": 1.75,
 *                      "measured": {"native_seconds": null, "mockup_seconds": null}}, ...]}
 */
#ifndef TMAP_FORMATS_REPORT_GUIDELINES_GUIDELINES_REPORT_H
#define TMAP_FORMATS_REPORT_GUIDELINES_GUIDELINES_REPORT_H

#include "core/guidelines/guidelines.h"

#include <stdio.h>

int tmap_text_write_guidelines(FILE *out, const struct tmap_guidelines *guidelines,
			       struct tmap_error *err);

int tmap_json_write_guidelines(FILE *out, const struct tmap_guidelines *guidelines,
			       struct tmap_error *err);

#endif
