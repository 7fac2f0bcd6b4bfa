/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/rows.h"

#include "core/base/mem.h"
#include "core/mappers/bisect.h"
#include "core/mappers/climb.h"
#include "core/mappers/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	TRIES = 8,           /* seeds of a division */
	CYCLES = 8,          /* after it */
	ATTEMPTS = 64,       /* with other random numbers */
	VAIN_ATTEMPTS = 3,   /* in turn that find nothing better: the last ones; and */
	VAIN_SLOTS = 512,    /* over the slots so many more, for small jobs */
	EDGE_STEPS = 1200,   /* for all attempts but the first one: steps over edges and ranks */
	STEPS_FEW = 4000000, /* but so many for a small job */
	PAIRS_STEPS = 200,   /* over edges and ranks, that the pairs of a layer are worth */
};

/* Of the cost, that a cycle must gain to be followed by another one. */
static const double PAYS = 1e-4;

/* Parts of the graph go to parts of the machine. */
struct division {
	const struct tmap_nest *nest;
	struct tmap_random *random;
	int tries;
	int *at;             /* [positions]: the ranks, those of a set side by side */
	int64_t pairs_steps; /* at most, after each layer */
	int64_t steps;
};

/* A part: vertex v of the graph is rank[v], from size on no rank. */
struct part {
	struct tmap_graph graph;
	int *rank;
};

static void part_fini(struct part *part)
{
	tmap_graph_fini(&part->graph);
	free(part->rank);
	*part = (struct part){ 0 };
}

/* The vertices on one side as a part of its own. */
static int part_take_side(struct part *side, const struct part *whole, const bool *right,
			  bool which, int count, struct tmap_error *err)
{
	int *list = tmap_alloc_raw((size_t)count, sizeof *list, err);
	int *name = tmap_alloc_raw((size_t)whole->graph.count, sizeof *name, err);
	int next = 0, status = -1;

	side->rank = tmap_alloc_raw((size_t)count, sizeof *side->rank, err);
	if (list && name && side->rank) {
		for (int v = 0; v < whole->graph.count; v++) {
			name[v] = TMAP_NONE;
			if (right[v] != which)
				continue;
			side->rank[next] = whole->rank[v];
			list[next++] = v;
		}
		status = tmap_graph_extract(&side->graph, &whole->graph, list, count, name, err);
	}
	free(list);
	free(name);
	return status;
}

static int part_divide(struct division *division, const struct part *whole, int wanted,
		       struct part side[2], struct tmap_error *err)
{
	int count = whole->graph.count, status = 0;
	bool *right = tmap_alloc_raw((size_t)count, sizeof *right, err);

	if (!right)
		return -1;
	if (whole->graph.edges > 0)
		status = tmap_bisect(right, &whole->graph, wanted, division->tries,
				     division->random, &division->steps, err);
	else
		for (int v = 0; v < count; v++)
			right[v] = v >= wanted;
	for (int s = 0; s < 2 && status == 0; s++)
		status =
			part_take_side(&side[s], whole, right, s, s ? count - wanted : wanted, err);
	division->steps += 2 * whole->graph.edges + count;
	free(right);
	return status;
}

/* The part goes to @p count sets of a layer, which have as many positions; it is released. */
static int part_place(struct division *division, struct part *part, int layer, int first, int count,
		      struct tmap_error *err)
{
	const int *start = division->nest->start[layer];
	struct part side[2] = { { .rank = NULL }, { .rank = NULL } };
	int middle, status;

	if (count == 1) {
		memcpy(division->at + start[first], part->rank,
		       (size_t)part->graph.count * sizeof(int));
		part_fini(part);
		return 0;
	}
	middle = tmap_nest_middle(division->nest, layer, first, count);
	status = part_divide(division, part, start[first + middle] - start[first], side, err);
	part_fini(part);
	if (status == 0)
		status = part_place(division, &side[0], layer, first, middle, err);
	if (status == 0)
		status = part_place(division, &side[1], layer, first + middle, count - middle, err);
	part_fini(&side[0]);
	part_fini(&side[1]);
	return status;
}

/* The ranks of a set go to the sets of the next layer in it. */
static int set_place(struct division *division, struct tmap_search *search, int layer, int set,
		     int *name, struct tmap_error *err)
{
	const struct tmap_nest *nest = division->nest;
	int begin = layer == TMAP_NONE ? 0 : nest->start[layer][set], first, size;
	int count = tmap_nest_children(nest, layer, set, &first);
	struct part part = { .rank = NULL };

	if (count < 2)
		return 0;
	size = nest->start[layer + 1][first + count] - begin;
	part.rank = tmap_alloc_raw((size_t)size, sizeof *part.rank, err);
	if (!part.rank)
		return -1;
	memcpy(part.rank, division->at + begin, (size_t)size * sizeof *part.rank);
	if (tmap_graph_extract(&part.graph, &search->graph, part.rank, size, name, err) < 0) {
		part_fini(&part);
		return -1;
	}
	return part_place(division, &part, layer + 1, first, count, err);
}

/* Places that cost nothing are in no order. */
static bool layer_is_idle(const struct tmap_nest *nest, int layer)
{
	return layer == nest->depth - 1 && nest->set_count[layer] == nest->count;
}

/* Layer by layer, and after each the ranks between its sets once more, pair by pair. */
static int layers_place(struct division *division, struct tmap_search *search,
			struct tmap_error *err)
{
	const struct tmap_nest *nest = division->nest;
	int *name = tmap_alloc_raw((size_t)search->count, sizeof *name, err),
	    status = name ? 0 : -1;

	for (int i = 0; i < search->count && status == 0; i++)
		name[i] = TMAP_NONE;
	for (int l = TMAP_NONE; l < nest->depth - 1 && status == 0; l++) {
		int sets = l == TMAP_NONE ? 1 : nest->set_count[l];
		int64_t left = division->pairs_steps;

		if (layer_is_idle(nest, l + 1))
			break;
		for (int s = 0; s < sets && status == 0; s++)
			status = set_place(division, search, l, s, name, err);
		if (status == 0 && left > 0)
			status = tmap_pairs_refine(division->at, &search->graph, nest,
						   search->price, l + 1, division->random, &left,
						   err);
		division->steps += division->pairs_steps - left;
	}
	free(name);
	return status;
}

/* So much for pairs after a layer. */
static int64_t pairs_steps(const struct tmap_search *search)
{
	int64_t steps = PAIRS_STEPS * (search->graph.edges + search->count);

	return steps < search->left / 4 ? steps : search->left / 4;
}

static int bisection_make(struct tmap_search *search, int *at, struct tmap_error *err)
{
	struct division division = { .nest = &search->objective->nest,
				     .random = &search->random,
				     .tries = TRIES,
				     .at = at,
				     .pairs_steps = pairs_steps(search) };
	int status;

	for (int i = 0; i < search->count; i++)
		at[i] = i;
	if (search->graph.edges > 0)
		tmap_random_shuffle(&search->random, at, search->count);
	status = layers_place(&division, search, err);
	search->left -= division.steps;
	return status;
}

/* The sets of all layers once more, from the outermost on. */
static int cycle_make(struct tmap_search *search, int *at, struct tmap_error *err)
{
	const struct tmap_nest *nest = &search->objective->nest;
	int status = 0;

	for (int l = 0; l < nest->depth && !layer_is_idle(nest, l) && status == 0; l++) {
		int64_t most = pairs_steps(search), left = most;

		if (most <= 0)
			break;
		status = tmap_pairs_refine(at, &search->graph, nest, search->price, l,
					   &search->random, &left, err);
		search->left -= most - left;
	}
	return status;
}

/* Evaluated after swaps, in which constraints are kept. */
static int positions_evaluate(struct tmap_search *search, struct tmap_climb *climb, const int *at,
			      struct tmap_error *err)
{
	if (tmap_search_evaluate_at(search, climb->nest, at, NULL, err) < 0)
		return -1;
	tmap_climb_set(climb, search->assignment.slot_of);
	tmap_climb_descend(climb);
	return tmap_climb_evaluate(climb, err);
}

/* A partition, then cycles as long as they make it better. */
static int bisection_evaluate(struct tmap_search *search, struct tmap_climb *climb,
			      struct tmap_error *err)
{
	int *at = tmap_alloc_raw((size_t)search->count, sizeof *at, err), status = -1;
	double cost = INFINITY;

	if (at && bisection_make(search, at, err) == 0)
		status = positions_evaluate(search, climb, at, err);
	for (int k = 0; k < CYCLES && status == 0 && climb->cost < cost * (1 - PAYS) &&
	     tmap_search_affords(search, tmap_search_evaluate_steps(search));
	     k++) {
		cost = climb->cost;
		memcpy(at, climb->at, (size_t)search->count * sizeof *at);
		status = cycle_make(search, at, err);
		if (status == 0)
			status = positions_evaluate(search, climb, at, err);
	}
	free(at);
	return status;
}

int64_t tmap_bisect_steps(const struct tmap_nest *nest, int64_t edges)
{
	int sets = nest->depth ? nest->set_count[nest->depth - 1] : 1, halvings = 1;

	while (sets > 1) {
		sets /= 2;
		halvings++;
	}
	return 8 * (edges + nest->count) * halvings;
}

/* What the best so far costs in the graph; infinite where there is none. */
static double climb_cost_of_best(struct tmap_climb *climb)
{
	if (!climb->search->has_best)
		return INFINITY;
	tmap_climb_set(climb, climb->search->best.slot_of);
	return climb->cost;
}

/* Attempts end when so many found nothing better, or when they took what is worth spending. */
static int attempts_run(struct tmap_search *search, struct tmap_climb *climb,
			struct tmap_error *err)
{
	int64_t edges = search->graph.edges + search->count, begin = search->left;
	int64_t most = EDGE_STEPS * edges > STEPS_FEW ? EDGE_STEPS * edges : STEPS_FEW;
	int vain_most = VAIN_ATTEMPTS + VAIN_SLOTS / search->count, vain = 0;
	double least = climb_cost_of_best(climb);
	/* later ones are known */
	int64_t steps = tmap_bisect_steps(&search->objective->nest, search->graph.edges);

	for (int k = 0; k < ATTEMPTS && vain < vain_most; k++) {
		int64_t before = search->left;

		if (search->has_best &&
		    (k == 0 ? search->left < steps :
			      !tmap_search_affords(search, steps) || begin - before + steps > most))
			break;
		if (bisection_evaluate(search, climb, err) < 0)
			return -1;
		vain = climb->cost < least * (1 - PAYS) ? 0 : vain + 1;
		least = climb->cost < least ? climb->cost : least;
		steps = before - search->left;
	}
	return 0;
}

int tmap_map_bisect(struct tmap_search *search, struct tmap_error *err)
{
	struct tmap_climb climb = { .search = NULL };
	int status;

	if (!search->has_graph)
		return search->has_best ? 0 : tmap_map_walk(search, err);
	if (tmap_climb_init(&climb, search, err) < 0)
		return -1;
	status = attempts_run(search, &climb, err);
	tmap_climb_fini(&climb);
	return status;
}
