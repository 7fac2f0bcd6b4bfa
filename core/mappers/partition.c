/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/rows.h"

#include "core/base/mem.h"
#include "core/mappers/bisect.h"
#include "core/mappers/climb.h"

#include <stdlib.h>
#include <string.h>

/* Parts of the graph go to parts of the machine. */
struct division {
	const struct tmap_nest *nest;
	struct tmap_random *random;
	int tries;
	int *at; /* [positions]: the result */
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
	if (whole->graph.start[count] > 0)
		status = tmap_bisect(right, &whole->graph, wanted, division->tries,
				     division->random, &division->steps, err);
	else
		for (int v = 0; v < count; v++)
			right[v] = v >= wanted;
	for (int s = 0; s < 2 && status == 0; s++)
		status =
			part_take_side(&side[s], whole, right, s, s ? count - wanted : wanted, err);
	division->steps += 2 * whole->graph.start[count] + count;
	free(right);
	return status;
}

/* The part goes to @p count sets of a layer, which have as many positions; it is released. */
static int part_place(struct division *division, struct part *part, int layer, int first, int count,
		      struct tmap_error *err)
{
	const struct tmap_nest *nest = division->nest;
	struct part side[2] = { { .rank = NULL }, { .rank = NULL } };
	int begin = layer == TMAP_NONE ? 0 : nest->start[layer][first], middle, status;

	while (count == 1) {
		int set = first;

		count = tmap_nest_children(nest, layer, set, &first);
		layer++;
	}
	if (count == 0) {
		memcpy(division->at + begin, part->rank, (size_t)part->graph.count * sizeof(int));
		part_fini(part);
		return 0;
	}
	middle = tmap_nest_middle(nest, layer, first, count);
	status = part_divide(division, part, nest->start[layer][first + middle] - begin, side, err);
	part_fini(part);
	if (status == 0)
		status = part_place(division, &side[0], layer, first, middle, err);
	if (status == 0)
		status = part_place(division, &side[1], layer, first + middle, count - middle, err);
	part_fini(&side[0]);
	part_fini(&side[1]);
	return status;
}

/* The whole graph, its vertices in random order. */
static int part_init_whole(struct part *part, struct tmap_search *search, struct tmap_error *err)
{
	int *name = tmap_alloc_raw((size_t)search->count, sizeof *name, err), status = -1;

	part->rank = tmap_alloc_raw((size_t)search->count, sizeof *part->rank, err);
	if (part->rank && name) {
		for (int i = 0; i < search->count; i++) {
			part->rank[i] = i;
			name[i] = TMAP_NONE;
		}
		if (search->graph.start[search->count] > 0)
			tmap_random_shuffle(&search->random, part->rank, search->count);
		status = tmap_graph_extract(&part->graph, &search->graph, part->rank, search->count,
					    name, err);
	}
	free(name);
	return status;
}

static int bisection_make(struct tmap_search *search, int tries, int *at, struct tmap_error *err)
{
	struct division division = { &search->objective->nest, &search->random, tries, at, 0 };
	struct part part = { .rank = NULL };
	int status = part_init_whole(&part, search, err);

	if (status == 0)
		status = part_place(&division, &part, TMAP_NONE, 0, 1, err);
	part_fini(&part);
	search->left -= division.steps;
	return status;
}

/* A partition, evaluated as it is and after swaps. */
static int bisection_evaluate(struct tmap_search *search, struct tmap_climb *climb, int tries,
			      struct tmap_error *err)
{
	int *at = tmap_alloc_raw((size_t)search->count, sizeof *at, err), status = -1;

	if (at && bisection_make(search, tries, at, err) == 0)
		status = tmap_search_evaluate_at(search, climb->nest, at, NULL, err);
	free(at);
	if (status < 0)
		return -1;
	tmap_climb_set(climb, search->assignment.slot_of);
	tmap_climb_descend(climb);
	return tmap_climb_evaluate(climb, err);
}

/* About what one takes; later ones are known. */
static int64_t bisection_steps(const struct tmap_search *search)
{
	int64_t edges = search->graph.start[search->count] + search->count;
	int sets = search->objective->nest.depth ?
		search->objective->nest.set_count[search->objective->nest.depth - 1] :
		1;
	int halvings = 1;

	while (sets > 1) {
		sets /= 2;
		halvings++;
	}
	return 8 * edges * halvings;
}

int tmap_map_bisect(struct tmap_search *search, struct tmap_error *err)
{
	enum { TRIES = 8, MOST = 64 };
	struct tmap_climb climb = { .search = NULL };
	int64_t steps = search->has_graph ? bisection_steps(search) : 0;
	int status = 0;

	if (!search->has_graph)
		return search->has_best ? 0 : tmap_map_walk(search, err);
	if (tmap_climb_init(&climb, search, err) < 0)
		return -1;
	for (int k = 0; k < MOST && status == 0; k++) {
		int64_t before = search->left;

		if (search->has_best && !tmap_search_affords(search, steps))
			break;
		status = bisection_evaluate(search, &climb, TRIES, err);
		steps = before - search->left;
	}
	tmap_climb_fini(&climb);
	return status;
}
