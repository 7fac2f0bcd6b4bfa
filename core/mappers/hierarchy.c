/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/rows.h"

#include "core/base/mem.h"
#include "core/mappers/climb.h"
#include "core/mappers/grouping.h"

#include <stdlib.h>

enum { LAYERS_MAX = 64 };

/* of[l]: the set of layer l that each set of layer l + 1 is in; in the last layer, each rank. */
struct tower {
	const struct tmap_nest *nest;
	int *of[LAYERS_MAX];
	int sets[LAYERS_MAX +
		 1]; /* of each layer; ranks and numbers of no rank behind the last one */
	int64_t steps;
};

static void tower_fini(struct tower *tower)
{
	for (int l = 0; l < tower->nest->depth && l < LAYERS_MAX; l++)
		free(tower->of[l]);
}

/* Has every set of a layer as many sets of the next one? */
static bool nest_is_regular(const struct tmap_nest *nest)
{
	for (int l = 0; l < nest->depth; l++)
		for (int s = 0; s < nest->set_count[l]; s++)
			if (nest->start[l][s + 1] - nest->start[l][s] !=
			    nest->count / nest->set_count[l])
				return false;
	return nest->depth < LAYERS_MAX;
}

/* Groups of groups, from the ranks up. */
static int tower_build(struct tower *tower, const struct tmap_graph *ranks, struct tmap_error *err)
{
	struct tmap_graph graph = { 0 }, coarse = { 0 };
	const struct tmap_graph *fine = ranks;
	int status = 0;

	tower->sets[tower->nest->depth] = ranks->count;
	for (int l = tower->nest->depth - 1; l >= 0 && status == 0; l--) {
		int sets = tower->sets[l] = tower->nest->set_count[l];
		int size = tower->sets[l + 1] / sets;

		tower->of[l] = tmap_alloc_raw((size_t)fine->count, sizeof **tower->of, err);
		if (!tower->of[l] || tmap_group_vertices(tower->of[l], fine, size, err) < 0 ||
		    tmap_graph_contract(&coarse, fine, tower->of[l], sets, err) < 0)
			status = -1;
		tower->steps += 6 * (fine->edges + fine->count);
		if (status == 0) {
			tmap_graph_fini(&graph);
			graph = coarse;
			fine = &graph;
		}
	}
	tmap_graph_fini(&graph);
	return status;
}

/* From the outermost layer down: each set takes the next place in the one it is in. */
static int tower_place(const struct tower *tower, int *at, struct tmap_error *err)
{
	const struct tmap_nest *nest = tower->nest;
	int *first = tmap_alloc((size_t)nest->count, sizeof *first, err);
	int *next = tmap_alloc((size_t)nest->count, sizeof *next, err);
	int status = first && next ? 0 : -1;

	for (int s = 0; status == 0 && nest->depth == 0 && s < nest->count; s++)
		at[s] = s;
	for (int s = 0; status == 0 && nest->depth && s < tower->sets[0]; s++)
		first[s] = nest->start[0][s];
	for (int l = 0; status == 0 && l < nest->depth; l++) {
		int width = nest->count / tower->sets[l + 1]; /* positions of a set */

		for (int s = 0; s < tower->sets[l + 1]; s++) {
			int around = tower->of[l][s];

			next[s] = first[around];
			first[around] += width;
			if (l + 1 == nest->depth)
				at[next[s]] = s;
		}
		for (int s = 0; s < tower->sets[l + 1]; s++)
			first[s] = next[s];
	}
	free(first);
	free(next);
	return status;
}

/* As it is, and made better by swaps. */
static int groups_evaluate(struct tmap_search *search, const int *at, struct tmap_error *err)
{
	struct tmap_climb climb;
	int status;

	if (tmap_search_evaluate_at(search, &search->objective->nest, at, NULL, err) < 0 ||
	    tmap_climb_init(&climb, search, err) < 0)
		return -1;
	tmap_climb_set(&climb, search->assignment.slot_of);
	tmap_climb_descend(&climb);
	status = tmap_climb_evaluate(&climb, err);
	tmap_climb_fini(&climb);
	return status;
}

int tmap_map_groups(struct tmap_search *search, struct tmap_error *err)
{
	struct tower tower = { .nest = &search->objective->nest };
	int *at, status = -1;

	if (!search->has_graph || !nest_is_regular(tower.nest))
		return search->has_best ? 0 : tmap_map_walk(search, err);
	at = tmap_alloc_raw((size_t)search->count, sizeof *at, err);
	if (at && tower_build(&tower, &search->graph, err) == 0 &&
	    tower_place(&tower, at, err) == 0) {
		search->left -= tower.steps;
		status = groups_evaluate(search, at, err);
	}
	tower_fini(&tower);
	free(at);
	return status;
}
