/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/paths.h"

#include "core/base/mem.h"

#include <stdlib.h>

int tmap_paths_init(struct tmap_paths *paths, int size, struct tmap_error *err)
{
	struct tmap_paths made = { .size = size };

	made.neighbour = tmap_alloc_raw((size_t)size, sizeof *made.neighbour, err);
	if (made.neighbour)
		made.other = tmap_alloc_raw((size_t)size, sizeof *made.other, err);
	if (!made.other) {
		tmap_paths_fini(&made);
		return -1;
	}
	for (int rank = 0; rank < size; rank++) {
		made.neighbour[rank][0] = made.neighbour[rank][1] = TMAP_NONE;
		made.other[rank] = rank;
	}
	*paths = made;
	return 0;
}

void tmap_paths_fini(struct tmap_paths *paths)
{
	free(paths->neighbour);
	free(paths->other);
	*paths = (struct tmap_paths){ 0 };
}

static void path_add_neighbour(struct tmap_paths *paths, int rank, int neighbour)
{
	paths->neighbour[rank][paths->neighbour[rank][0] != TMAP_NONE] = neighbour;
}

void tmap_paths_join(struct tmap_paths *paths, int a, int b)
{
	int far_a = paths->other[a], far_b = paths->other[b];

	path_add_neighbour(paths, a, b);
	path_add_neighbour(paths, b, a);
	paths->other[far_a] = far_b;
	paths->other[far_b] = far_a;
}

void tmap_paths_close(struct tmap_paths *paths)
{
	for (int rank = 0; rank < paths->size; rank++)
		if (!tmap_paths_is_full(paths, rank))
			path_add_neighbour(paths, rank, paths->other[rank]);
}
