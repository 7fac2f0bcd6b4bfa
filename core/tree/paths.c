#include "core/tree/paths.h"

#include "core/base/mem.h"

#include <stdlib.h>

int tm_paths_init(struct tm_paths *paths, int size, struct tm_error *err)
{
	struct tm_paths made = { .size = size };

	made.neighbour = tm_alloc_raw((size_t)size, sizeof *made.neighbour, err);
	if (made.neighbour)
		made.other = tm_alloc_raw((size_t)size, sizeof *made.other, err);
	if (!made.other) {
		tm_paths_fini(&made);
		return -1;
	}
	for (int rank = 0; rank < size; rank++) {
		made.neighbour[rank][0] = made.neighbour[rank][1] = TM_NONE;
		made.other[rank] = rank;
	}
	*paths = made;
	return 0;
}

void tm_paths_fini(struct tm_paths *paths)
{
	free(paths->neighbour);
	free(paths->other);
	*paths = (struct tm_paths){ 0 };
}

bool tm_paths_is_full(const struct tm_paths *paths, int rank)
{
	return paths->neighbour[rank][1] != TM_NONE;
}

static void add_neighbour(struct tm_paths *paths, int rank, int neighbour)
{
	paths->neighbour[rank][paths->neighbour[rank][0] != TM_NONE] = neighbour;
}

void tm_paths_join(struct tm_paths *paths, int a, int b)
{
	int far_a = paths->other[a], far_b = paths->other[b];

	add_neighbour(paths, a, b);
	add_neighbour(paths, b, a);
	paths->other[far_a] = far_b;
	paths->other[far_b] = far_a;
}

void tm_paths_close(struct tm_paths *paths)
{
	for (int rank = 0; rank < paths->size; rank++)
		if (!tm_paths_is_full(paths, rank))
			add_neighbour(paths, rank, paths->other[rank]);
}
