/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/shapes.h"
#include "formats/report/baseline/baseline_report.h"
#include "formats/report/ring/dot_ring.h"
#include "formats/report/ring/text_ring.h"
#include "lib/handles.h"

#include <stdlib.h>

/* Algorithm 2 where @p shape is NULL. */
static int ring_build(struct tmap_ring *ring, const struct topomap_distances *distances,
		      const char *shape, struct tmap_error *err)
{
	struct tmap_spec choice;

	if (shape && !distances->placement)
		return tmap_fail(err, TMAP_USAGE,
				 "the ring of a library follows a placement, and these distances "
				 "were measured");
	if (!shape)
		return distances->placement ? tmap_ring_init(ring, &distances->metric, err) :
					      tmap_matrix_ring(ring, &distances->matrix, err);
	if (tmap_spec_parse(&choice, &tmap_ring_shapes, shape, err) < 0) {
		err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
		return -1;
	}
	return tmap_shape_ring(ring, &choice, &distances->metric, err);
}

static struct topomap_ring *ring_make(const struct topomap_distances *distances, const char *shape,
				      struct topomap_error *err, struct tmap_error *why)
{
	struct topomap_ring *made;

	if (tmap_handle_check(distances, TMAP_HANDLE_DISTANCES, why) == 0 &&
	    (made = tmap_handle_new(TMAP_HANDLE_RING, sizeof *made, why))) {
		made->distances = tmap_handle_hold(distances);
		made->is_shape = shape != NULL;
		if (ring_build(&made->ring, distances, shape, why) == 0 &&
		    tmap_ring_measure(&made->ring, &made->weight, &made->edges, &made->edge_count,
				      why) == 0)
			return made;
		topomap_ring_free(made);
	}
	tmap_public_error(err, why);
	return NULL;
}

struct topomap_ring *topomap_ring_new(const struct topomap_distances *distances,
				      struct topomap_error *err)
{
	struct tmap_error why;

	return ring_make(distances, NULL, err, &why);
}

struct topomap_ring *topomap_ring_new_shape(const struct topomap_distances *distances,
					    const char *shape, struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_argument_check(shape, "shape", &why) == 0)
		return ring_make(distances, shape, err, &why);
	tmap_public_error(err, &why);
	return NULL;
}

void topomap_ring_free(struct topomap_ring *ring)
{
	if (!ring || !tmap_handle_release(ring, TMAP_HANDLE_RING))
		return;
	tmap_ring_fini(&ring->ring);
	free(ring->edges);
	topomap_distances_free(ring->distances);
	free(ring);
}

const int *topomap_ring_order(const struct topomap_ring *ring, struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(ring, TMAP_HANDLE_RING, &why) == 0)
		return ring->ring.order;
	tmap_public_error(err, &why);
	return NULL;
}

int topomap_ring_measure(const struct topomap_ring *ring, double *weight, struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(ring, TMAP_HANDLE_RING, &why) < 0 ||
	    tmap_argument_check(weight, "weight", &why) < 0)
		return tmap_public_error(err, &why);
	*weight = ring->weight;
	return 0;
}

static const char *title_of(const struct topomap_ring *ring)
{
	return ring->is_shape ? "Allgather ring" : "Distance-aware allgather ring";
}

static int write_text(FILE *out, const void *handle, struct tmap_error *err)
{
	const struct topomap_ring *it = handle;
	struct tmap_view view;

	if (tmap_public_view(&view, it->distances, title_of(it), err) < 0)
		return -1;
	view.fold = it->ring.size > TMAP_TEXT_UNFOLDED;
	return tmap_text_write_ring(out, &view, &it->ring, it->weight, it->edges, it->edge_count,
				    err);
}

static int write_dot(FILE *out, const void *handle, struct tmap_error *err)
{
	const struct topomap_ring *it = handle;
	const struct tmap_ring *ring = &it->ring;
	struct tmap_view view;

	if (tmap_public_view(&view, it->distances, title_of(it), err) < 0)
		return -1;
	return tmap_dot_write_rings(out, &view, &ring, 1, NULL, err);
}

static int write_json(FILE *out, const void *handle, struct tmap_error *err)
{
	const struct topomap_ring *it = handle;
	const struct tmap_report report = tmap_public_report(it->distances);

	return tmap_ring_write_report(&it->ring, &report, NULL, out, err);
}

int topomap_ring_write(const struct topomap_ring *ring, const char *format, FILE *out,
		       struct topomap_error *err)
{
	static const struct tmap_public_writer writers[] = {
		{ "json", write_json }, { "text", write_text }, { "dot", write_dot }, { 0 }
	};
	struct tmap_error why;

	if (tmap_handle_check(ring, TMAP_HANDLE_RING, &why) < 0 ||
	    tmap_public_write(writers, format, out, ring, &why) < 0)
		return tmap_public_error(err, &why);
	return 0;
}
