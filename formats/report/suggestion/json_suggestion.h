/*
 * json_suggestion.h - the suggestion document.
 *
 *     {"kind": "suggestion", "format": 1, "size": 32, "mapper": "walk",
 *      "launch": "mpirun -np 32 --rankfile RANKFILE PROGRAM",
 *      "before": {"cost": 224, "edges_per_distance": {"7": 32}, "binomial_near": 201, ...
 *                 "levels": [{"name": "node", "messages": 32}, ...]},
 *      "after": {...}, "place_of": [0, 4, ...], "placement": {"kind": "placement", ...}}
 */
#ifndef TM_JSON_SUGGESTION_H
#define TM_JSON_SUGGESTION_H

#include "core/mappers/suggestion.h"

#include <stdio.h>

/** Write the document; @p launch is the command line. O(p). */
int tm_suggestion_write_json(const struct tm_suggestion *suggestion, const char *launch, FILE *out,
			     struct tm_error *err);

#endif
