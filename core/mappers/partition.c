#include "core/mappers/rows.h"

#include "core/base/mem.h"
#include "core/mappers/bisect.h"
#include "core/mappers/climb.h"

#include <stdlib.h>
#include <string.h>

/* Everyone to a position: parts of the graph to parts of the machine. */
struct carver {
	const struct tmap_nest *nest;
	struct tmap_random *random;
	int tries;
	int *at; /* [positions]: the result */
	int64_t steps;
};

/* A part: vertex v of the graph is who[v]. */
struct part {
	struct tmap_graph graph;
	int *who;
};

static void part_fini(struct part *part)
{
	tmap_graph_fini(&part->graph);
	free(part->who);
	*part = (struct part){ 0 };
}

/* The vertices on one side as a part of its own. */
static int take_side(struct part *side, const struct part *whole, const bool *right, bool which,
		     int count, struct tmap_error *err)
{
	int *list = tmap_alloc_raw((size_t)count, sizeof *list, err);
	int *name = tmap_alloc_raw((size_t)whole->graph.count, sizeof *name, err);
	int next = 0, status = -1;

	side->who = tmap_alloc_raw((size_t)count, sizeof *side->who, err);
	if (list && name && side->who) {
		for (int v = 0; v < whole->graph.count; v++) {
			name[v] = TMAP_NONE;
			if (right[v] != which)
				continue;
			side->who[next] = whole->who[v];
			list[next++] = v;
		}
		status = tmap_graph_extract(&side->graph, &whole->graph, list, count, name, err);
	}
	free(list);
	free(name);
	return status;
}

static int divide(struct carver *carver, const struct part *whole, int wanted, struct part side[2],
		  struct tmap_error *err)
{
	int count = whole->graph.count, status = 0;
	bool *right = tmap_alloc_raw((size_t)count, sizeof *right, err);

	if (!right)
		return -1;
	if (whole->graph.start[count] > 0)
		status = tmap_bisect(right, &whole->graph, wanted, carver->tries, carver->random,
				     &carver->steps, err);
	else
		for (int v = 0; v < count; v++)
			right[v] = v >= wanted;
	for (int s = 0; s < 2 && status == 0; s++)
		status = take_side(&side[s], whole, right, s, s ? count - wanted : wanted, err);
	carver->steps += 2 * whole->graph.start[count] + count;
	free(right);
	return status;
}

/* The part goes to @p count sets of a layer, which have as many positions; it is released. */
static int carve(struct carver *carver, struct part *part, int layer, int first, int count,
		 struct tmap_error *err)
{
	const struct tmap_nest *nest = carver->nest;
	struct part side[2] = { { .who = NULL }, { .who = NULL } };
	int begin = layer == TMAP_NONE ? 0 : nest->start[layer][first], middle, status;

	while (count == 1) {
		int set = first;

		count = tmap_nest_children(nest, layer, set, &first);
		layer++;
	}
	if (count == 0) {
		memcpy(carver->at + begin, part->who, (size_t)part->graph.count * sizeof(int));
		part_fini(part);
		return 0;
	}
	middle = tmap_nest_middle(nest, layer, first, count);
	status = divide(carver, part, nest->start[layer][first + middle] - begin, side, err);
	part_fini(part);
	if (status == 0)
		status = carve(carver, &side[0], layer, first, middle, err);
	if (status == 0)
		status = carve(carver, &side[1], layer, first + middle, count - middle, err);
	part_fini(&side[0]);
	part_fini(&side[1]);
	return status;
}

/* The whole graph, its vertices in random order. */
static int begin(struct part *part, struct tmap_search *quest, struct tmap_error *err)
{
	int *name = tmap_alloc_raw((size_t)quest->count, sizeof *name, err), status = -1;

	part->who = tmap_alloc_raw((size_t)quest->count, sizeof *part->who, err);
	if (part->who && name) {
		for (int i = 0; i < quest->count; i++) {
			part->who[i] = i;
			name[i] = TMAP_NONE;
		}
		if (quest->graph.start[quest->count] > 0)
			tmap_random_shuffle(&quest->random, part->who, quest->count);
		status = tmap_graph_extract(&part->graph, &quest->graph, part->who, quest->count,
					    name, err);
	}
	free(name);
	return status;
}

static int partition(struct tmap_search *quest, int tries, int *at, struct tmap_error *err)
{
	struct carver carver = { &quest->objective->nest, &quest->random, tries, at, 0 };
	struct part part = { .who = NULL };
	int status = begin(&part, quest, err);

	if (status == 0)
		status = carve(&carver, &part, TMAP_NONE, 0, 1, err);
	part_fini(&part);
	quest->left -= carver.steps;
	return status;
}

/* A partition, then swaps, as one offer. */
static int offer_one(struct tmap_search *quest, struct tmap_climb *climb, int tries,
		     struct tmap_error *err)
{
	int *at = tmap_alloc_raw((size_t)quest->count, sizeof *at, err), status = -1;

	if (at && partition(quest, tries, at, err) == 0)
		status = tmap_search_evaluate_at(quest, climb->nest, at, NULL, err);
	free(at);
	if (status < 0)
		return -1;
	tmap_climb_set(climb, quest->seating.slot_of);
	tmap_climb_descend(climb);
	return tmap_climb_evaluate(climb, err);
}

/* About what one takes; later ones are known. */
static int64_t first_guess(const struct tmap_search *quest)
{
	int64_t edges = quest->graph.start[quest->count] + quest->count;
	int sets = quest->objective->nest.depth ?
		quest->objective->nest.set_count[quest->objective->nest.depth - 1] :
		1;
	int halvings = 1;

	while (sets > 1) {
		sets /= 2;
		halvings++;
	}
	return 8 * edges * halvings;
}

int tmap_map_bisect(struct tmap_search *quest, struct tmap_error *err)
{
	enum { TRIES = 8, MOST = 64 };
	struct tmap_climb climb = { .quest = NULL };
	int64_t steps = quest->has_graph ? first_guess(quest) : 0;
	int status = 0;

	if (!quest->has_graph)
		return quest->has_best ? 0 : tmap_map_walk(quest, err);
	if (tmap_climb_init(&climb, quest, err) < 0)
		return -1;
	for (int k = 0; k < MOST && status == 0; k++) {
		int64_t before = quest->left;

		if (quest->has_best && !tmap_search_affords(quest, steps))
			break;
		status = offer_one(quest, &climb, TRIES, err);
		steps = before - quest->left;
	}
	tmap_climb_fini(&climb);
	return status;
}
