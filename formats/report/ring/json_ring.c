/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/ring/json_ring.h"

#include "formats/report/tree/json_tree.h"

#include <stdlib.h>

int tmap_json_put_ring(struct tmap_json_writer *w, const struct tmap_ring *ring, const char *scale,
		       const int *world, struct tmap_error *err)
{
	struct tmap_edge_count *edges;
	double weight;
	int count;

	if (tmap_ring_measure(ring, &weight, &edges, &count, err) < 0)
		return -1;
	tmap_json_put_int(w, "size", ring->size);
	tmap_json_put_string(w, "scale", scale);
	tmap_json_put_ints(w, "order", ring->order, ring->size);
	tmap_json_put_doubles(w, "distance", ring->distance, tmap_ring_steps(ring));
	tmap_json_put_double(w, "weight", weight);
	tmap_json_put_edges(w, edges, count);
	free(edges);
	return world ? tmap_json_put_list(w, "ranks", world, ring->size, err) : 0;
}
