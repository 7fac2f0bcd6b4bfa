/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_ring.h - the ring document.
 *
 *     {"kind": "ring", "format": 1, "size": 4, "scale": "process",
 *      "order": [0,1,3,2], "distance": [1,5,1,5],
 *      "weight": 12, "edges_per_distance": {"1": 2, "5": 2}}
 *
 * distance[i] is that from order[i] to the next rank, the last to the first; one rank has
 * none, of two both steps are listed and counted.
 */
#ifndef TMAP_FORMATS_REPORT_RING_JSON_RING_H
#define TMAP_FORMATS_REPORT_RING_JSON_RING_H

#include "core/tree/ring.h"
#include "formats/json/json_write.h"

/** Write the members of the document of a ring whose distances are on the scale called @p scale;
 *  @p world, if not NULL, has the ranks' numbers in the whole job. */
int tmap_json_put_ring(struct tmap_json_writer *w, const struct tmap_ring *ring, const char *scale,
		       const int *world, struct tmap_error *err);

#endif
