/*
 * json_ring.h - the ring document, written and read.
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
#include "formats/json/json.h"
#include "formats/json/json_write.h"

#include <stdio.h>

/** Write the document of a ring whose distances are on the scale called @p scale; @p world, if
 *  not NULL, has the ranks' numbers in the whole job. */
int tmap_ring_write_json(const struct tmap_ring *ring, const char *scale, const int *world,
			 FILE *out, struct tmap_error *err);

/** The members of the document, for those who add others. */
int tmap_json_put_ring(struct tmap_json_writer *w, const struct tmap_ring *ring, const char *scale,
		       const int *world, struct tmap_error *err);

/** The ring that @p path holds ("-": standard input), tmap_ring_fini() it: every rank once, rank 0
 *  first, distances not negative. *scale (unless NULL) is its scale's name, the caller's to
 *  free. */
int tmap_ring_read_json(struct tmap_ring *ring, char **scale, const char *path,
			struct tmap_error *err);

/** The same for an object of a document that is read already. */
int tmap_json_get_ring(const struct tmap_json *in, struct tmap_ring *ring, char **scale,
		       struct tmap_error *err);

#endif
