/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_suggestion.h - the suggestion document.
 *
 *     {"kind": "suggestion", "format": 1, "size": 32, "mapper": "walk",
 *      "launcher": "openmpi4", "launch": "mpirun -np 32 --rankfile RANKFILE PROGRAM",
 *      "before": {"cost": 224, "edges_per_distance": {"7": 32}, "binomial_near": 201, ...
 *                 "levels": [{"name": "node", "messages": 32}, ...]},
 *      "after": {...}, "place_of": [0, 4, ...], "placement": {"kind": "placement", ...}}
 */
#ifndef TMAP_FORMATS_REPORT_SUGGESTION_JSON_SUGGESTION_H
#define TMAP_FORMATS_REPORT_SUGGESTION_JSON_SUGGESTION_H

#include "core/mappers/suggestion.h"
#include "formats/launchers/origin.h"

#include <stdio.h>

/** Write the document; @p launch is the command line of @p launcher. O(p). */
int tmap_suggestion_write_json(const struct tmap_suggestion *suggestion,
			       const struct tmap_origin_launcher *launcher, const char *launch,
			       FILE *out, struct tmap_error *err);

#endif
