/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/mapper.h"

#include "core/base/mem.h"
#include "core/mappers/rows.h"

#include <stdlib.h>
#include <string.h>

/* Where not so many mappings can be measured, the budget is short. */
enum { EVALUATIONS_FEW = 10 };

/* What the greedy mappers are made for. */
enum {
	FOR_DOUBLING = TMAP_PATTERN_DOUBLING,
	FOR_RING = TMAP_PATTERN_RING | TMAP_PATTERN_STAR | TMAP_PATTERN_NEIGHBORS,
	FOR_BCAST = TMAP_PATTERN_BINOMIAL | TMAP_PATTERN_TREE,
	FOR_GATHER = TMAP_PATTERN_BINOMIAL | TMAP_PATTERN_SCATTER,
};

enum { LEVELS = TMAP_SEARCH_LEVELS, GRAPH = TMAP_SEARCH_GRAPH };

static const struct tmap_mapper mapper_rows[] = {
	{ { "best", "all of them, as far as the budget goes, and swaps from the best" },
	  true,
	  TMAP_FOR_ALL,
	  0,
	  LEVELS | GRAPH,
	  1,
	  NULL },
	{ { "identity", "every rank stays where it is" },
	  false,
	  TMAP_FOR_ALL,
	  0,
	  0,
	  0.4,
	  tmap_map_identity },
	{ { "block", "one node filled after the other" },
	  true,
	  TMAP_FOR_ALL,
	  0,
	  LEVELS,
	  0.4,
	  tmap_map_block },
	{ { "walk", "neighbouring ranks close together: the machine walked depth first" },
	  true,
	  TMAP_FOR_ALL,
	  0,
	  0,
	  0.4,
	  tmap_map_walk },
	{ { "cyclic", "a rank for each node in turn" },
	  true,
	  TMAP_FOR_ALL,
	  0,
	  LEVELS,
	  0.4,
	  tmap_map_cyclic },
	{ { "grid", "a grid of ranks in boxes, one for each part of the machine" },
	  true,
	  TMAP_FOR_GRIDS,
	  0,
	  GRAPH,
	  0.4,
	  tmap_map_grid },
	{ { "torus", "a grid of ranks along the axes of a torus of nodes, where hops count" },
	  true,
	  TMAP_FOR_GRIDS,
	  0,
	  GRAPH,
	  0.4,
	  tmap_map_torus },
	{ { "greedy_doubling", "partners of recursive doubling close, the last rounds first" },
	  true,
	  TMAP_FOR_CALLS,
	  FOR_DOUBLING,
	  LEVELS,
	  0.9,
	  tmap_map_greedy_doubling },
	{ { "greedy_ring", "each rank close to the one before" },
	  true,
	  TMAP_FOR_CALLS,
	  FOR_RING,
	  LEVELS,
	  0.9,
	  tmap_map_greedy_ring },
	{ { "greedy_bcast", "the small subtrees of a binomial broadcast close together" },
	  true,
	  TMAP_FOR_CALLS,
	  FOR_BCAST,
	  LEVELS,
	  0.9,
	  tmap_map_greedy_bcast },
	{ { "greedy_gather", "the large subtrees of a binomial gather close to their parents" },
	  true,
	  TMAP_FOR_CALLS,
	  FOR_GATHER,
	  LEVELS,
	  0.9,
	  tmap_map_greedy_gather },
	{ { "radix", "the best order in which ranks can count through the levels" },
	  true,
	  TMAP_FOR_ALL,
	  0,
	  LEVELS,
	  0.4,
	  tmap_map_radix },
	{ { "plane", "so many ranks for each node in turn: the best number" },
	  true,
	  TMAP_FOR_ALL,
	  0,
	  LEVELS,
	  0.4,
	  tmap_map_plane },
	{ { "greedy", "one after another, close to the rank that it sends most" },
	  true,
	  TMAP_FOR_ALL,
	  0,
	  LEVELS | GRAPH,
	  0.45,
	  tmap_map_greedy },
	{ { "bisect", "traffic divided along the borders of the machine, then swaps" },
	  true,
	  TMAP_FOR_ALL,
	  0,
	  GRAPH,
	  0.5,
	  tmap_map_bisect },
	{ { "groups", "ranks with much traffic in groups, these in larger ones, then swaps" },
	  true,
	  TMAP_FOR_ALL,
	  0,
	  GRAPH,
	  0.55,
	  tmap_map_groups },
	{ { "swaps", "the ranks as they are, or the best of the others, and swaps" },
	  true,
	  TMAP_FOR_ALL,
	  0,
	  LEVELS | GRAPH,
	  1,
	  tmap_map_swaps },
	{ { NULL, NULL }, false, TMAP_FOR_ALL, 0, 0, 0, NULL },
};

const struct tmap_keywords tmap_mappers = TMAP_KEYWORDS("mapper", mapper_rows);

const struct tmap_mapper *tmap_mapper_at(int index)
{
	return &mapper_rows[index];
}

int64_t tmap_effort_for(const struct tmap_objective *objective)
{
	const struct tmap_traffic *traffic = objective->traffic;
	bool is_matrix = traffic->pattern && !traffic->pattern->grid && !traffic->call_count;
	int64_t steps =
		is_matrix ? 2 * tmap_bisect_steps(&objective->nest, traffic->pattern->entries) : 0;

	return steps > TMAP_EFFORT ? steps : TMAP_EFFORT;
}

void tmap_mapping_fini(struct tmap_mapping *mapping)
{
	free(mapping->slot_of);
	free(mapping->how);
	*mapping = (struct tmap_mapping){ 0 };
}

static int mapping_take_best(struct tmap_mapping *mapping, struct tmap_search *search,
			     int64_t effort, struct tmap_error *err)
{
	int *slot_of = tmap_alloc_raw((size_t)search->size, sizeof *slot_of, err);
	struct tmap_evaluation evaluation;

	if (!slot_of || tmap_search_evaluate_best(&evaluation, search, err) < 0) {
		free(slot_of);
		return -1;
	}
	memcpy(slot_of, search->best.slot_of, (size_t)search->size * sizeof *slot_of);
	*mapping =
		(struct tmap_mapping){ search->size,     slot_of,          evaluation,
				       search->best.row, search->best.how, effort - search->left };
	search->best.how = NULL;
	return 0;
}

/* A grid may also be that of a collective with neighbours, or hidden in a matrix; the mapper
 * knows. */
static bool mapper_serves(const struct tmap_mapper *mapper, const struct tmap_traffic *traffic)
{
	return mapper->serves != TMAP_FOR_CALLS || traffic->call_count;
}

static bool mapper_fits(const struct tmap_mapper *mapper, const struct tmap_traffic *traffic)
{
	if (mapper->serves == TMAP_FOR_GRIDS)
		return traffic->grid != NULL;
	for (int c = 0; c < traffic->call_count; c++)
		if (tmap_call_algorithm(&traffic->call[c])->pattern & mapper->fits)
			return true;
	return false;
}

static int mapper_run(struct tmap_search *search, int row, struct tmap_error *err)
{
	search->row = row;
	return mapper_rows[row].map(search, err);
}

/* Those that are made for the traffic, whatever they take. */
static int mappers_run_fitting(struct tmap_search *search, struct tmap_error *err)
{
	for (int i = 0; mapper_rows[i].word.name; i++)
		if (mapper_fits(&mapper_rows[i], search->objective->traffic) &&
		    mapper_run(search, i, err) < 0)
			return -1;
	return 0;
}

/* Where few can be measured, those that fit come after the first one. The reserve is what those
 * that come later may count on. */
static int mappers_run(struct tmap_search *search, int64_t effort, struct tmap_error *err)
{
	bool is_long = tmap_search_evaluate_steps(search) > effort / EVALUATIONS_FEW;

	for (int i = 0; mapper_rows[i].word.name; i++) {
		bool is_first = !search->has_best;

		if (!mapper_rows[i].map ||
		    !mapper_serves(&mapper_rows[i], search->objective->traffic))
			continue;
		search->reserve = (int64_t)((1 - mapper_rows[i].share) * (double)effort);
		if (is_first || tmap_search_affords(search, tmap_search_evaluate_steps(search)))
			if (mapper_run(search, i, err) < 0)
				return -1;
		if (is_first && is_long && mappers_run_fitting(search, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_map(struct tmap_mapping *mapping, struct tmap_objective *objective, int mapper,
	     int64_t effort, uint64_t seed, struct tmap_progress *progress, struct tmap_error *err)
{
	struct tmap_search search;
	int status;

	if (tmap_search_init(&search, objective, mapper_rows[mapper].needs, effort, seed, err) < 0)
		return -1;
	search.row = mapper;
	search.progress = progress;
	if (mapper_rows[mapper].map)
		status = mapper_rows[mapper].map(&search, err);
	else
		status = mappers_run(&search, effort, err);
	if (status == 0)
		status = mapping_take_best(mapping, &search, effort, err);
	tmap_search_fini(&search);
	return status;
}
