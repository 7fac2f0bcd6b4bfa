#include "formats/report/ring/json_ring.h"

#include "core/base/mem.h"
#include "formats/base/file.h"
#include "formats/report/tree/json_tree.h"

#include <limits.h>
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

int tmap_ring_write_json(const struct tmap_ring *ring, const char *scale, const int *world,
			 FILE *out, struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "ring");
	if (tmap_json_put_ring(&w, ring, scale, world, err) < 0)
		return -1;
	return tmap_json_end(&w, err);
}

static int check_order(const struct tmap_json *doc, const struct tmap_ring *ring,
		       struct tmap_error *err)
{
	bool *seen = tmap_alloc((size_t)ring->size, sizeof *seen, err);
	int status = seen ? 0 : -1;

	for (int i = 0; i < ring->size && status == 0; i++) {
		if (seen[ring->order[i]])
			status = tmap_json_fail(doc, err, "rank %d is in the order twice",
						ring->order[i]);
		seen[ring->order[i]] = true;
	}
	free(seen);
	if (status == 0 && ring->order[0] != 0)
		return tmap_json_fail(doc, err, "the order begins with rank %d, not with rank 0",
				      ring->order[0]);
	return status;
}

static int fill_ring(const struct tmap_json *doc, struct tmap_ring *ring, char **scale,
		     struct tmap_error *err)
{
	const char *name;

	if (tmap_json_check_kind(doc, "ring", err) < 0 ||
	    tmap_json_get_int(doc, "size", 1, INT_MAX, &ring->size, err) < 0 ||
	    tmap_json_get_string(doc, "scale", &name, err) < 0)
		return -1;
	/* the array first: its length is what the document really has */
	ring->distance = tmap_json_get_doubles(doc, "distance", tmap_ring_steps(ring), err);
	if (!ring->distance)
		return -1;
	ring->order = tmap_json_get_list(doc, "order", ring->size, 0, ring->size - 1, err);
	if (!ring->order || check_order(doc, ring, err) < 0)
		return -1;
	if (!scale)
		return 0;
	*scale = tmap_strdup(name, err);
	return *scale ? 0 : -1;
}

int tmap_json_get_ring(const struct tmap_json *doc, struct tmap_ring *ring, char **scale,
		       struct tmap_error *err)
{
	struct tmap_ring made = { 0 };

	if (fill_ring(doc, &made, scale, err) < 0) {
		tmap_ring_fini(&made);
		return -1;
	}
	*ring = made;
	return 0;
}

int tmap_ring_read_json(struct tmap_ring *ring, char **scale, const char *path,
			struct tmap_error *err)
{
	struct tmap_json doc;
	int status;

	if (tmap_json_read(&doc, path, err) < 0)
		return -1;
	status = tmap_json_get_ring(&doc, ring, scale, err);
	tmap_json_fini(&doc);
	return status < 0 ? tmap_at(err, tmap_input_name(path), 0) : 0;
}
