#include "core/pattern/grid.h"

#include "core/base/mem.h"

#include <stdlib.h>

static int add_row(struct tm_pattern_builder *b, const struct tm_neighborhood *grid, int rank,
		   const int *list, double bytes, struct tm_error *err)
{
	for (int k = 0; k < grid->degree; k++)
		if (list[k] != TM_NONE &&
		    tm_pattern_add(b, rank, list[k], bytes * (grid->weight ? grid->weight[k] : 1),
				   err) < 0)
			return -1;
	return 0;
}

int tm_pattern_add_grid(struct tm_pattern_builder *b, const struct tm_neighborhood *grid,
			double bytes, struct tm_error *err)
{
	int *list, status = 0;

	if (grid->stencil == TM_STENCIL_FULL) {
		b->everyone += bytes;
		return 0;
	}
	list = tm_alloc_raw((size_t)grid->degree, sizeof *list, err);
	if (!list)
		return -1;
	for (int r = 0; r < grid->size && status == 0; r++) {
		tm_neighborhood_list(grid, r, list);
		status = add_row(b, grid, r, list, bytes, err);
	}
	free(list);
	return status;
}
