/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/rows.h"

#include "core/base/mem.h"
#include "core/mappers/grid_parts.h"
#include "core/mappers/lattice.h"

#include <stdlib.h>

const struct tmap_neighborhood *tmap_grid_of_traffic(const struct tmap_traffic *traffic)
{
	const struct tmap_neighborhood *grid = traffic->grid;

	for (int c = 0; c < traffic->call_count && !grid; c++)
		grid = traffic->call[c].neighborhood;
	return grid && grid->dimensions > 0 && grid->offset ? grid : NULL;
}

/* Boxes and halves; of a grid that was found, number[] has the number of each rank in it. */
static int grid_evaluate(struct tmap_search *search, const struct tmap_neighborhood *grid,
			 const int *number, struct tmap_error *err)
{
	const struct tmap_nest *nest = &search->objective->nest;
	int *at = tmap_alloc_raw((size_t)search->count, sizeof *at, err);
	int *rank = tmap_alloc_raw((size_t)search->count, sizeof *rank, err);
	int64_t steps = 0;
	int status = at && rank ? 0 : -1;

	for (int i = 0; i < search->count && status == 0; i++)
		rank[number && i < search->size ? number[i] : i] = i;
	for (int halves = 0; halves < 2 && status == 0; halves++) {
		steps = 0;
		status = halves ? tmap_grid_halves(at, grid, nest, &steps, err) :
				  tmap_grid_boxes(at, grid, nest, search->price, &steps, err);
		search->left -= steps + search->count;
		for (int x = 0; x < search->count && status == 0; x++)
			at[x] = rank[at[x]];
		if (status == 0)
			status = tmap_search_evaluate_at(search, nest, at,
							 halves ? "halves" : "boxes", err);
		else if (status > 0)
			status = 0; /* no boxes */
		if (status == 0 && search->has_best &&
		    !tmap_search_affords(search, tmap_search_evaluate_steps(search)))
			break;
	}
	free(at);
	free(rank);
	return status;
}

/* This mapper alone was asked for, and the mapping says what it is. */
static int without_grid(struct tmap_search *search, struct tmap_error *err)
{
	if (tmap_map_walk(search, err) < 0)
		return -1;
	free(search->best.how);
	search->best.how = tmap_strdup("no grid was found, as walk", err);
	return search->best.how ? 0 : -1;
}

int tmap_map_grid(struct tmap_search *search, struct tmap_error *err)
{
	const struct tmap_neighborhood *grid = tmap_grid_of_traffic(search->objective->traffic);
	struct tmap_lattice lattice = { .number = NULL };
	int64_t steps = 0;
	int status = 1;

	if (grid)
		return grid_evaluate(search, grid, NULL, err);
	if (search->has_graph)
		status = tmap_lattice_find(&lattice, &search->graph, search->size, &steps, err);
	search->left -= steps;
	if (status == 0)
		status = grid_evaluate(search, &lattice.grid, lattice.number, err);
	else if (status > 0)
		status = search->has_best ? 0 : without_grid(search, err);
	tmap_lattice_fini(&lattice);
	return status;
}
