/*
 * json_score.h - the score document; topomap-json(5) documents it.
 *
 *     {"kind": "score", "format": 1, "collective": "allgather", "bytes": 65536, "size": 32,
 *      "algorithms": [{"name": "ring", "applicable": true, "rounds": 31, ...
 *        "levels": [{"name": "node", "messages": 248, "bytes": 16252928, ...}], ...}, ...]}
 */
#ifndef TMAP_FORMATS_REPORT_SCORE_JSON_SCORE_H
#define TMAP_FORMATS_REPORT_SCORE_JSON_SCORE_H

#include "core/score/score.h"

#include <stdio.h>

/** Write the document and flush. O(algorithms x levels). */
int tmap_json_write_score(FILE *out, const struct tmap_score *score, struct tmap_error *err);

#endif
