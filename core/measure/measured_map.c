/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/measured_map.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_asked(const struct tmap_experiment *it, const struct tmap_measured_map *map,
		     int64_t most)
{
	return it->collective == map->collective && it->root == map->root &&
		it->mode == TMAP_BLOCKING && (most == TMAP_NONE || it->bytes <= most);
}

static int compare_bytes(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Documents by their ranks. */
static int compare_ranks(const void *a, const void *b, void *times)
{
	const struct tmap_times *of = times;
	int left = *(const int *)a, right = *(const int *)b;
	int x = of[left].placement.size, y = of[right].placement.size;

	return x != y ? (x > y) - (x < y) : (left > right) - (left < right);
}

/* Sizes and names of all experiments that are asked for, each once. */
static int axes_fill(struct tmap_measured_map *map, const struct tmap_times *times, int count,
		     int64_t most, struct tmap_error *err)
{
	size_t all = 0, sizes = 0, names = 0;

	for (int t = 0; t < count; t++)
		all += (size_t)times[t].count;
	map->bytes = tmap_alloc(all, sizeof *map->bytes, err);
	map->name = tmap_alloc(all, sizeof *map->name, err);
	if (!map->bytes || !map->name)
		return -1;
	for (int t = 0; t < count; t++)
		for (int i = 0; i < times[t].count; i++) {
			const struct tmap_experiment *it = &times[t].experiment[i];

			if (!is_asked(it, map, most))
				continue;
			map->bytes[sizes++] = it->bytes;
			map->name[names++] = it->algorithm;
		}
	qsort(map->bytes, sizes, sizeof *map->bytes, compare_bytes);
	qsort(map->name, names, sizeof *map->name, compare_names);
	for (size_t i = 0; i < sizes; i++)
		if (i == 0 || map->bytes[i] != map->bytes[i - 1])
			map->bytes[map->size_count++] = map->bytes[i];
	for (size_t i = 0; i < names; i++)
		if (i == 0 || strcmp(map->name[i], map->name[map->name_count - 1]) != 0)
			map->name[map->name_count++] = map->name[i];
	return 0;
}

/* As those of any document before. */
static int neighbors_check(const struct tmap_measured_map *map, const struct tmap_times *times,
			   int t, struct tmap_error *err)
{
	for (int u = 0; u < t && tmap_collective_rows[map->collective].has_neighbors; u++)
		if (times[u].neighborhood.stencil)
			return tmap_times_check_neighbors(&times[u].neighborhood,
							  &times[t].neighborhood, false, err);
	return 0;
}

/* The documents' order, each of other ranks, of one library and the same neighbors. */
static int ranks_fill(struct tmap_measured_map *map, const struct tmap_times *times, int count,
		      int *order, int *at, struct tmap_error *err)
{
	for (int t = 0; t < count; t++) {
		order[t] = t;
		*at = t;
		if (strcmp(times[t].mpi, times[0].mpi) != 0)
			return tmap_fail(err, TMAP_INPUT,
					 "its MPI library is '%.100s', not '%.100s' as before",
					 times[t].mpi, times[0].mpi);
		if (neighbors_check(map, times, t, err) < 0)
			return -1;
	}
	qsort_r(order, (size_t)count, sizeof *order, compare_ranks,
		(void *)(uintptr_t)(const void *)times);
	for (int t = 0; t < count; t++) {
		*at = order[t];
		map->ranks[t] = times[order[t]].placement.size;
		if (tmap_collective_rows[map->collective].has_neighbors &&
		    times[order[t]].neighborhood.stencil)
			map->neighborhood[t] = &times[order[t]].neighborhood;
		if (t > 0 && map->ranks[t] == map->ranks[t - 1])
			return tmap_fail(err, TMAP_INPUT,
					 "it is of %d ranks, and so is another one; topomap-bench "
					 "join makes one of several launches",
					 map->ranks[t]);
	}
	map->rank_count = count;
	return 0;
}

/* Documents that were not measured alike may be shown, if that is said. */
static void mixtures_find(struct tmap_measured_map *map, const struct tmap_times *times, int count)
{
	bool is_by_rounds = false, is_otherwise = false;

	for (int t = 0; t < count; t++) {
		map->mixes_cache |= times[t].off_cache != times[0].off_cache;
		if (!tmap_times_have_own(&times[t]))
			continue;
		is_by_rounds |= times[t].by_rounds;
		is_otherwise |= !times[t].by_rounds;
	}
	map->mixes_rounds = is_by_rounds && is_otherwise;
}

/* Of the medians of several launches, or the times of one. */
static void coverage_note(struct tmap_measured_map *map, const struct tmap_experiment *it)
{
	int64_t count = it->run_count > 1 ? it->run_count : it->repetitions;

	if (!it->seconds.has_interval)
		map->coverage = fmin(map->coverage, tmap_range_coverage((size_t)count));
}

static int name_find(const struct tmap_measured_map *map, const char *name)
{
	const char **found = bsearch(&name, map->name, (size_t)map->name_count, sizeof *map->name,
				     compare_names);

	return (int)(found - map->name);
}

/* Experiments [first, end) of the order are of one size. */
static void cell_fill(struct tmap_measured_cell *cell, struct tmap_measured_map *map,
		      const struct tmap_times *times, const int *order, int first, int end)
{
	const struct tmap_experiment *best = NULL, *second = NULL, *tied = NULL;

	for (int i = first; i < end; i++) {
		const struct tmap_experiment *it = &times->experiment[order[i]];

		if (!it->is_correct) {
			map->wrong++;
			continue;
		}
		cell->count++;
		map->has_single |= it->run_count == 1;
		coverage_note(map, it);
		if (!best || it->seconds.median < best->seconds.median) {
			second = best;
			best = it;
		} else if (!second || it->seconds.median < second->seconds.median) {
			second = it;
		}
	}
	cell->best = cell->second = cell->tied = TMAP_NONE;
	if (!best)
		return;
	cell->best = name_find(map, best->algorithm);
	cell->best_s = best->seconds.median;
	cell->gain = 1;
	if (second) {
		cell->second = name_find(map, second->algorithm);
		cell->second_s = second->seconds.median;
		if (cell->second_s > cell->best_s)
			cell->gain = cell->best_s > 0 ? cell->second_s / cell->best_s : INFINITY;
	}
	for (int i = first; i < end; i++) {
		const struct tmap_experiment *it = &times->experiment[order[i]];

		if (it == best || !it->is_correct ||
		    tmap_experiment_low(it) > tmap_experiment_high(best))
			continue;
		cell->ties++;
		if (!tied || it->seconds.median < tied->seconds.median)
			tied = it;
	}
	if (tied)
		cell->tied = name_find(map, tied->algorithm);
}

static int row_fill(struct tmap_measured_map *map, int row, const struct tmap_times *times,
		    int64_t most, struct tmap_error *err)
{
	int *order, end;

	if (tmap_times_sort(times, &order, err) < 0)
		return -1;
	for (int i = 0; i < times->count; i = end) {
		const struct tmap_experiment *it = &times->experiment[order[i]];
		const int64_t *column;

		end = i + 1;
		if (!is_asked(it, map, most))
			continue;
		while (end < times->count && is_asked(&times->experiment[order[end]], map, most) &&
		       times->experiment[order[end]].bytes == it->bytes)
			end++;
		column = bsearch(&it->bytes, map->bytes, (size_t)map->size_count,
				 sizeof *map->bytes, compare_bytes);
		cell_fill(&map->cell[row * map->size_count + (int)(column - map->bytes)], map,
			  times, order, i, end);
	}
	free(order);
	return 0;
}

/* The next free number, for a name that has none. */
static void number_give(int *number, int name, int *next)
{
	if (number[name] == TMAP_NONE)
		number[name] = (*next)++;
}

/* Those that are the best somewhere first, then those that cells name beside them, each in the order in
 * which they are met. */
static int names_order(struct tmap_measured_map *map, struct tmap_error *err)
{
	int cells = map->rank_count * map->size_count, next = 0;
	const char **name = tmap_alloc((size_t)map->name_count, sizeof *name, err);
	int *number = tmap_alloc((size_t)map->name_count, sizeof *number, err);

	if (!name || !number) {
		free(name);
		free(number);
		return -1;
	}
	for (int n = 0; n < map->name_count; n++)
		number[n] = TMAP_NONE;
	for (int i = 0; i < cells; i++)
		if (map->cell[i].count)
			number_give(number, map->cell[i].best, &next);
	map->best_count = next;
	for (int i = 0; i < cells; i++)
		if (map->cell[i].ties == 1)
			number_give(number, map->cell[i].tied, &next);
	map->shown_count = next;
	for (int n = 0; n < map->name_count; n++) {
		number_give(number, n, &next);
		name[number[n]] = map->name[n];
	}
	for (int i = 0; i < cells; i++) {
		struct tmap_measured_cell *cell = &map->cell[i];

		cell->best = cell->count ? number[cell->best] : TMAP_NONE;
		cell->second = cell->count > 1 ? number[cell->second] : TMAP_NONE;
		cell->tied = cell->ties ? number[cell->tied] : TMAP_NONE;
	}
	free(number);
	free(map->name);
	map->name = name;
	return 0;
}

int tmap_measured_map_init(struct tmap_measured_map *map, const struct tmap_times *times, int count,
			   enum tmap_collective collective, int root, int64_t most, int *at,
			   struct tmap_error *err)
{
	struct tmap_measured_map made = {
		.collective = collective, .root = root, .times = times, .coverage = TMAP_COVERAGE
	};
	int *order = tmap_alloc((size_t)count, sizeof *order, err), status = -1;

	*at = 0;
	made.ranks = tmap_alloc((size_t)count, sizeof *made.ranks, err);
	made.neighborhood = tmap_alloc((size_t)count, sizeof *made.neighborhood, err);
	if (order && made.ranks && made.neighborhood &&
	    ranks_fill(&made, times, count, order, at, err) == 0)
		status = axes_fill(&made, times, count, most, err);
	if (status == 0)
		*at = count == 1 ? 0 : TMAP_NONE;
	if (status == 0 && !made.size_count)
		status = tmap_fail(err, TMAP_INPUT,
				   "no blocking %s of this root and these sizes was measured",
				   tmap_collective_rows[collective].word.name);
	if (status == 0 && made.size_count > TMAP_MEASURED_MAP_CELLS_MOST / made.rank_count)
		status = tmap_fail(err, TMAP_INPUT,
				   "a map has %d cells at most, and this has %d x %d",
				   TMAP_MEASURED_MAP_CELLS_MOST, made.rank_count, made.size_count);
	if (status == 0) {
		made.cell = tmap_alloc((size_t)(made.rank_count * made.size_count),
				       sizeof *made.cell, err);
		status = made.cell ? 0 : -1;
	}
	mixtures_find(&made, times, count);
	for (int r = 0; r < made.rank_count && status == 0; r++)
		status = row_fill(&made, r, &times[order[r]], most, err);
	if (status == 0)
		status = names_order(&made, err);
	free(order);
	if (status < 0) {
		tmap_measured_map_fini(&made);
		return -1;
	}
	*map = made;
	return 0;
}

void tmap_measured_map_fini(struct tmap_measured_map *map)
{
	free(map->ranks);
	free(map->neighborhood);
	free(map->bytes);
	free(map->cell);
	free(map->name);
	*map = (struct tmap_measured_map){ 0 };
}

const struct tmap_times_neighborhood *
tmap_measured_map_neighbors(const struct tmap_measured_map *map)
{
	for (int r = 0; r < map->rank_count; r++)
		if (map->neighborhood[r])
			return map->neighborhood[r];
	return NULL;
}

const struct tmap_measured_cell *tmap_measured_map_at(const struct tmap_measured_map *map,
						      int ranks, int size)
{
	return &map->cell[ranks * map->size_count + size];
}
