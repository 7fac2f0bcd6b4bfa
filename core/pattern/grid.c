/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/pattern/grid.h"

#include "core/base/mem.h"

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
