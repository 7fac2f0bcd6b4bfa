/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/pattern/tiles.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Ranks of the tiles at this place of a row. */
static int side_of(const struct tmap_tiles *tiles, int size, int at)
{
	int left = size - at * tiles->ranks;

	return left < tiles->ranks ? left : tiles->ranks;
}

/* What everyone sends to everyone, but no rank to itself. */
static void add_everyone(struct tmap_tiles *tiles, const struct tmap_pattern *pattern)
{
	for (int i = 0; i < tiles->count; i++)
		for (int j = 0; j < tiles->count; j++) {
			double from = side_of(tiles, pattern->size, i);
			double to = side_of(tiles, pattern->size, j) - (i == j);

			tiles->bytes[(size_t)i * (size_t)tiles->count + (size_t)j] +=
				from * to * pattern->everyone;
		}
}

static void add_entries(struct tmap_tiles *tiles, const struct tmap_pattern *pattern,
			const int *tile_of)
{
	for (int r = 0; r < pattern->size; r++) {
		double *row = tiles->bytes + (size_t)tile_of[r] * (size_t)tiles->count;

		for (int64_t i = pattern->start[r]; i < pattern->start[r + 1]; i++)
			row[tile_of[pattern->peer[i]]] += pattern->sent[i];
	}
}

int tmap_tiles_init(struct tmap_tiles *tiles, const struct tmap_pattern *pattern, const int *order,
		    int most, struct tmap_error *err)
{
	int size = pattern->size, ranks = (size - 1) / most + 1;
	struct tmap_tiles made = { .ranks = ranks, .count = (size - 1) / ranks + 1 };
	int *tile_of = tmap_alloc_raw((size_t)size, sizeof *tile_of, err);

	if (tile_of)
		made.bytes = tmap_alloc((size_t)made.count * (size_t)made.count, sizeof *made.bytes,
					err);
	if (!made.bytes) {
		free(tile_of);
		return -1;
	}
	for (int i = 0; i < size; i++)
		tile_of[order[i]] = i / ranks;
	add_entries(&made, pattern, tile_of);
	if (pattern->everyone > 0)
		add_everyone(&made, pattern);
	free(tile_of);
	*tiles = made;
	return 0;
}

void tmap_tiles_fini(struct tmap_tiles *tiles)
{
	free(tiles->bytes);
	*tiles = (struct tmap_tiles){ 0 };
}
