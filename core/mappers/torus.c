/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/rows.h"

#include "core/base/mem.h"
#include "core/mappers/grid_parts.h"
#include "core/mappers/lattice.h"

#include <stdlib.h>

enum { AXES = TMAP_TORUS_DIMENSIONS };

/* A grid on a torus: along axis a of the torus lie parts of dimension of[a] of the grid, each so many
 * ranks wide. */
struct folding {
	const struct tmap_neighborhood *grid;
	const struct tmap_routes *routes;
	int of[AXES], width[AXES];
	int *first, *slot; /* the slots of node n are slot[first[n]] up to slot[first[n + 1] - 1] */
	int *node;         /* [places]: at each place of the torus, or TMAP_NONE */
};

static void folding_fini(struct folding *f)
{
	free(f->first);
	free(f->slot);
	free(f->node);
}

static int folding_init(struct folding *f, const struct tmap_search *search, struct tmap_error *err)
{
	const struct tmap_placement *slots = search->slots->placement;
	int64_t places = tmap_torus_places(f->routes->dim);
	int nodes = f->routes->nodes;

	f->first = tmap_alloc((size_t)nodes + 2, sizeof *f->first, err);
	f->slot = tmap_alloc_raw((size_t)slots->size, sizeof *f->slot, err);
	f->node = tmap_alloc_raw((size_t)places, sizeof *f->node, err);
	if (!f->first || !f->slot || !f->node)
		return -1;
	for (int s = 0; s < slots->size; s++)
		f->first[slots->node[s] + 2]++;
	for (int n = 2; n <= nodes; n++)
		f->first[n] += f->first[n - 1];
	for (int s = 0; s < slots->size; s++)
		f->slot[f->first[slots->node[s] + 1]++] = s;
	for (int64_t i = 0; i < places; i++)
		f->node[i] = TMAP_NONE;
	for (int n = 0; n < nodes; n++)
		f->node[f->routes->place[n]] = n;
	return 0;
}

static int grid_dim(const struct tmap_neighborhood *grid, int dimension)
{
	return dimension < grid->dimensions ? grid->dim[dimension] : 1;
}

/* Does every dimension of the grid make whole parts of its axis? */
static bool folding_fits(struct folding *f)
{
	for (int a = 0; a < AXES; a++) {
		int size = grid_dim(f->grid, f->of[a]);

		if (size % f->routes->dim[a])
			return false;
		f->width[a] = size / f->routes->dim[a];
	}
	return true;
}

/* The slot of a number in the grid; TMAP_NONE where its node has too few. */
static int folding_slot(const struct folding *f, int number)
{
	int at[AXES] = { 0 }, place = 0, within = 0, node;

	for (int d = f->grid->dimensions - 1; d >= 0; d--) {
		at[d] = number % f->grid->dim[d];
		number /= f->grid->dim[d];
	}
	for (int a = AXES - 1; a >= 0; a--) {
		place = place * f->routes->dim[a] + at[f->of[a]] / f->width[a];
		within = within * f->width[a] + at[f->of[a]] % f->width[a];
	}
	node = f->node[place];
	return node != TMAP_NONE && within < f->first[node + 1] - f->first[node] ?
		f->slot[f->first[node] + within] :
		TMAP_NONE;
}

/* Ranks by their numbers in the grid (NULL: their own); slots that are left go to numbers of no rank. */
static int folding_evaluate(const struct folding *f, struct tmap_search *search, const int *number,
			    struct tmap_error *err)
{
	int *slot_of = tmap_alloc_raw((size_t)search->count, sizeof *slot_of, err);
	bool *is_taken = tmap_alloc((size_t)search->count, sizeof *is_taken, err);
	int status = slot_of && is_taken ? 0 : -1, next = 0;

	for (int r = 0; r < search->size && status == 0; r++) {
		slot_of[r] = folding_slot(f, number ? number[r] : r);
		if (slot_of[r] == TMAP_NONE)
			status = 1;
		else
			is_taken[slot_of[r]] = true;
	}
	for (int r = search->size; r < search->count && status == 0; r++) {
		while (is_taken[next])
			next++;
		slot_of[r] = next++;
	}
	search->left -= 2 * (int64_t)search->count;
	if (status == 0)
		status = tmap_search_evaluate(search, slot_of, "axis by axis", err);
	free(slot_of);
	free(is_taken);
	return status < 0 ? -1 : 0;
}

/* All ways to lay dimensions along axes. */
static int foldings_evaluate(struct tmap_search *search, const struct tmap_neighborhood *grid,
			     const int *number, struct tmap_error *err)
{
	static const int orders[][AXES] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
					    { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
	struct folding f = { .grid = grid, .routes = search->objective->criteria->routes };
	int status;

	if (grid->dimensions > AXES)
		return 0;
	status = folding_init(&f, search, err);
	for (size_t i = 0; i < sizeof orders / sizeof *orders && status == 0; i++) {
		for (int a = 0; a < AXES; a++)
			f.of[a] = orders[i][a];
		if (folding_fits(&f))
			status = folding_evaluate(&f, search, number, err);
	}
	folding_fini(&f);
	return status;
}

int tmap_map_torus(struct tmap_search *search, struct tmap_error *err)
{
	const struct tmap_criteria *criteria = search->objective->criteria;
	const struct tmap_neighborhood *grid = tmap_grid_of_traffic(search->objective->traffic);
	struct tmap_lattice lattice = { .number = NULL };
	int64_t steps = 0;
	int status = 0;

	if (tmap_goal_has_hops(criteria->goal) && criteria->routes->kind == TMAP_ROUTES_TORUS) {
		status = !grid && search->has_graph ?
			tmap_lattice_find(&lattice, &search->graph, search->size, &steps, err) :
			1;
		search->left -= steps;
		if (grid || status == 0)
			status = foldings_evaluate(search, grid ? grid : &lattice.grid,
						   lattice.number, err);
		tmap_lattice_fini(&lattice);
	}
	return status < 0 ? -1 : search->has_best ? 0 : tmap_map_walk(search, err);
}
