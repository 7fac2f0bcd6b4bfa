/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/ring/ring_pieces.h"

#include "core/base/mem.h"
#include "core/tree/edges.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_RANKS = 128, MOST_PIECES = 40 };

struct pieces {
	const struct tmap_ring *ring;
	struct tmap_ring_piece *piece;
	int count;
	size_t capacity;
};

static int add(struct pieces *pieces, struct tmap_ring_piece piece, struct tmap_error *err)
{
	if (tmap_grow(&pieces->piece, &pieces->capacity, (size_t)pieces->count + 1,
		      sizeof *pieces->piece, err) < 0)
		return -1;
	pieces->piece[pieces->count++] = piece;
	return 0;
}

/* The first of some equal stretches, cut before each step of at least @p cut; and the rest. */
static int add_stretch(struct pieces *pieces, const struct tmap_stretch *stretch, double cut,
		       struct tmap_error *err)
{
	int end = stretch->first + stretch->length, rest = stretch->copies - 1;

	for (int at = stretch->first, next; at < end; at = next) {
		for (next = at + 1; next < end && pieces->ring->distance[next - 1] < cut; next++)
			;
		if (add(pieces, (struct tmap_ring_piece){ at, next - at, 1, TMAP_NONE }, err) < 0)
			return -1;
	}
	return rest ?
		add(pieces,
		    (struct tmap_ring_piece){ end, rest * stretch->length, rest, stretch->first },
		    err) :
		0;
}

/* Too many stretches: as many in a row as it takes become one piece. */
static int add_rows(struct pieces *pieces, const struct tmap_stretch *stretch, int count,
		    struct tmap_error *err)
{
	for (int row = 0, s = 0; row < MOST_PIECES; row++) {
		struct tmap_ring_piece piece = { .first = stretch[s].first, .like = TMAP_NONE };
		int end = (int)((int64_t)count * (row + 1) / MOST_PIECES);

		for (; s < end; s++) {
			piece.length += stretch[s].length * stretch[s].copies;
			piece.copies += stretch[s].copies;
		}
		if (add(pieces, piece, err) < 0)
			return -1;
	}
	return 0;
}

static int count_pieces(const struct tmap_ring *ring, const struct tmap_stretch *stretch, int count,
			double cut)
{
	int pieces = 0;

	for (int s = 0; s < count; s++) {
		pieces += 1 + (stretch[s].copies > 1);
		for (int i = 0; i + 1 < stretch[s].length; i++)
			pieces += ring->distance[stretch[s].first + i] >= cut;
	}
	return pieces;
}

/* The smallest distance that makes few enough pieces; the smallest of all parts all ranks. */
static double find_cut(const struct tmap_ring *ring, const struct tmap_stretch *stretch, int count,
		       const struct tmap_edge_count *edges, int edge_count)
{
	for (int e = 0; e < edge_count; e++)
		if (count_pieces(ring, stretch, count, edges[e].distance) <=
		    (e ? MOST_PIECES : MOST_RANKS))
			return edges[e].distance;
	return INFINITY;
}

static int add_all(struct pieces *pieces, const struct tmap_stretch *stretch, int count,
		   struct tmap_error *err)
{
	const struct tmap_ring *ring = pieces->ring;
	struct tmap_edge_count *edges;
	int edge_count, status = 0;
	double cut;

	if (count_pieces(ring, stretch, count, INFINITY) > MOST_PIECES)
		return add_rows(pieces, stretch, count, err);
	if (tmap_edges_count(ring->distance, ring->size, TMAP_NONE, &edges, &edge_count, err) < 0)
		return -1;
	cut = find_cut(ring, stretch, count, edges, edge_count);
	for (int s = 0; s < count && status == 0; s++)
		status = add_stretch(pieces, &stretch[s], cut, err);
	free(edges);
	return status;
}

int tmap_ring_pieces(const struct tmap_ring *ring, const struct tmap_placement *placement,
		     bool fold, struct tmap_ring_piece **piece, int *count, struct tmap_error *err)
{
	struct pieces pieces = { .ring = ring };
	struct tmap_stretch *stretch = NULL, whole = { 0, ring->size, 1 };
	int stretches, status;

	if (!fold) {
		status = add_stretch(&pieces, &whole, 0, err);
	} else {
		status = tmap_ring_cut(ring, placement, true, &stretch, &stretches, err);
		if (status == 0)
			status = add_all(&pieces, stretch, stretches, err);
	}
	free(stretch);
	if (status < 0) {
		free(pieces.piece);
		return -1;
	}
	*piece = pieces.piece;
	*count = pieces.count;
	return 0;
}
