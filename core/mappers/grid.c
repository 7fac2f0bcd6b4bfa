/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/rows.h"

#include "core/base/mem.h"
#include "core/mappers/grid_parts.h"

#include <stdlib.h>

/* The grid of the program, or that of a neighborhood collective; NULL where there is none. */
static const struct tmap_neighborhood *traffic_grid(const struct tmap_traffic *traffic)
{
	const struct tmap_neighborhood *grid = traffic->grid;

	for (int c = 0; c < traffic->call_count && !grid; c++)
		grid = traffic->call[c].neighborhood;
	return grid && grid->dimensions > 0 && grid->offset ? grid : NULL;
}

int tmap_map_grid(struct tmap_search *search, struct tmap_error *err)
{
	const struct tmap_neighborhood *grid = traffic_grid(search->objective->traffic);
	const struct tmap_nest *nest = &search->objective->nest;
	int64_t steps = 0;
	int *at, status;

	if (!grid)
		return search->has_best ? 0 : tmap_map_walk(search, err);
	at = tmap_alloc_raw((size_t)search->count, sizeof *at, err);
	if (!at)
		return -1;
	status = tmap_grid_boxes(at, grid, nest, search->price, &steps, err);
	if (status == 0)
		status = tmap_search_evaluate_at(search, nest, at, "boxes", err);
	search->left -= steps;
	steps = 0;
	if (status == 1 ||
	    (status == 0 && tmap_search_affords(search, tmap_search_evaluate_steps(search)))) {
		status = tmap_grid_halves(at, grid, nest, &steps, err);
		if (status == 0)
			status = tmap_search_evaluate_at(search, nest, at, "halves", err);
	}
	search->left -= steps;
	free(at);
	return status;
}
