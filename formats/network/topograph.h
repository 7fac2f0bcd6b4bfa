/*
 * topograph.h - the JSON of topograph's graph engine, one element an instance:
 *
 *     {"instances": [{"id": "n7", "network_layers": ["leaf-a", "spine-a"]}, ...]}
 *
 * The switches of an instance stand closest first; other members are passed over.
 */
#ifndef TM_TOPOGRAPH_H
#define TM_TOPOGRAPH_H

#include "core/machine/network.h"
#include "formats/json/json.h"

/** Add what the document says to *net. */
int tm_topograph_get(struct tm_network *net, const struct tm_json *doc, struct tm_error *err);

#endif
