/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topograph.h - the JSON of topograph's graph engine, one element an instance:
 *
 *     {"instances": [{"id": "n7", "network_layers": ["leaf-a", "spine-a"]}, ...]}
 *
 * The switches of an instance stand closest first; other members are passed over.
 */
#ifndef TMAP_FORMATS_NETWORK_TOPOGRAPH_H
#define TMAP_FORMATS_NETWORK_TOPOGRAPH_H

#include "core/machine/network.h"
#include "formats/json/json.h"

/** Add what the document says to *net. */
int tmap_topograph_get(struct tmap_network *net, const struct tmap_json *doc,
		       struct tmap_error *err);

#endif
