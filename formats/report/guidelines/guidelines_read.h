/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guidelines_read.h - the measured times of a document of performance guidelines.
 *
 *     {"kind": "guidelines", "format": 1, "size": 32, "bytes": 1048576, ...,
 *      "guidelines": [{"name": "bcast <= lane", ..., "ratio": 9.7,
 *                      "measured": {"native_seconds": null, "mockup_seconds": null}}, ...]}
 */
#ifndef TMAP_FORMATS_REPORT_GUIDELINES_GUIDELINES_READ_H
#define TMAP_FORMATS_REPORT_GUIDELINES_GUIDELINES_READ_H

#include "core/guidelines/guidelines.h"
#include "formats/json/json.h"

/** Take the measured times of a guidelines document, by the names of the guidelines; others are
 *  ignored. Refuses a document of another number of ranks or bytes, one
 *  of two times without the other, times that are not positive, and a document without any. */
int tmap_json_get_measured(const struct tmap_json *doc, struct tmap_guidelines *guidelines,
			   struct tmap_error *err);

/** The same from the file @p path. */
int tmap_json_read_measured(const char *path, struct tmap_guidelines *guidelines,
			    struct tmap_error *err);

#endif
