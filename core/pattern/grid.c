/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/pattern/grid.h"

#include "core/base/mem.h"
#include "core/pattern/rows.h"

#include <math.h>
#include <stdlib.h>

static int grid_add_rank(struct tmap_pattern_builder *b, const struct tmap_neighborhood *grid,
			 int rank, const int *list, double bytes, struct tmap_error *err)
{
	for (int k = 0; k < grid->degree; k++)
		if (list[k] != TMAP_NONE &&
		    tmap_pattern_add(b, rank, list[k], bytes * (grid->weight ? grid->weight[k] : 1),
				     err) < 0)
			return -1;
	return 0;
}

int tmap_pattern_add_grid(struct tmap_pattern_builder *b, const struct tmap_neighborhood *grid,
			  double bytes, struct tmap_error *err)
{
	int *list, status = 0;

	if (grid->stencil == TMAP_STENCIL_FULL) {
		b->everyone += bytes;
		return 0;
	}
	list = tmap_alloc_raw((size_t)grid->degree, sizeof *list, err);
	if (!list)
		return -1;
	for (int r = 0; r < grid->size && status == 0; r++) {
		tmap_neighborhood_list(grid, r, list);
		status = grid_add_rank(b, grid, r, list, bytes, err);
	}
	free(list);
	return status;
}

/* Rows that need not be stored: short ones, of neighbours that are the same for all ranks. */
static bool grid_is_computed(const struct tmap_neighborhood *grid, double bytes)
{
	if (!grid->offset || grid->is_random || grid->degree > TMAP_GRID_COMPUTED_MOST)
		return false;
	for (int k = 0; k < grid->degree; k++) {
		double sent = bytes * (grid->weight ? grid->weight[k] : 1);

		if (!isfinite(sent) || sent < 0)
			return false;
	}
	return true;
}

int tmap_pattern_of_grid(struct tmap_pattern *pattern, const struct tmap_neighborhood *grid,
			 double bytes, struct tmap_error *err)
{
	struct tmap_pattern made = { .size = grid->size, .grid = grid, .grid_bytes = bytes };
	struct tmap_pattern_rows rows;
	double sum = 0;

	if (!grid_is_computed(grid, bytes))
		return 1;
	if (tmap_pattern_rows_init(&rows, &made, NULL, false, err) < 0)
		return -1;
	while (tmap_pattern_rows_next(&rows)) {
		made.entries += rows.count;
		for (int i = 0; i < rows.count; i++)
			sum += rows.sent[i];
	}
	tmap_pattern_rows_fini(&rows);
	if (!isfinite(sum))
		return 1;
	*pattern = made;
	return 0;
}
