/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/score/sweep.h"

#include "core/base/mem.h"
#include "core/score/others.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 40 };

void tmap_sweep_fini(struct tmap_sweep *sweep)
{
	for (int i = 0; i < sweep->name_count; i++)
		free(sweep->name[i]);
	for (int i = 0; sweep->cell && i < sweep->rank_count * sweep->size_count; i++)
		free(sweep->cell[i].knob);
	free(sweep->name);
	free(sweep->ranks);
	free(sweep->bytes);
	free(sweep->cell);
	free(sweep->turned);
	*sweep = (struct tmap_sweep){ 0 };
}

const struct tmap_sweep_cell *tmap_sweep_at(const struct tmap_sweep *sweep, int ranks, int size)
{
	return &sweep->cell[ranks * sweep->size_count + size];
}

static int sweep_allocate(struct tmap_sweep *sweep, int ranks, int sizes, struct tmap_error *err)
{
	sweep->ranks = tmap_alloc((size_t)ranks, sizeof *sweep->ranks, err);
	sweep->bytes = tmap_alloc((size_t)sizes, sizeof *sweep->bytes, err);
	return sweep->ranks && sweep->bytes ? 0 : -1;
}

/* Whole elements, one at the least; not twice the same. */
static void sweep_add_size(struct tmap_sweep *sweep, int64_t bytes)
{
	int64_t rest = sweep->element ? bytes % sweep->element : 0;

	bytes = rest && rest == bytes ? sweep->element : bytes - rest;
	if (!sweep->size_count || sweep->bytes[sweep->size_count - 1] < bytes)
		sweep->bytes[sweep->size_count++] = bytes;
}

/* 2, 4, 8, ..., size; and 1, 4, 16, ... elements up to the size asked for. */
static int sweep_fill_axes(struct tmap_sweep *sweep, int size, int64_t most_bytes,
			   const struct tmap_sweep_axes *axes, struct tmap_error *err)
{
	if ((int64_t)axes->rank_count * axes->size_count > TMAP_SWEEP_MOST_CELLS)
		return tmap_fail(err, TMAP_INPUT,
				 "%d numbers of ranks and %d sizes are %lld cells; the most are %d",
				 axes->rank_count, axes->size_count,
				 (long long)axes->rank_count * axes->size_count,
				 TMAP_SWEEP_MOST_CELLS);
	if (sweep_allocate(sweep, axes->rank_count + MOST_STEPS, axes->size_count + MOST_STEPS,
			   err) < 0)
		return -1;
	for (int i = 0; i < axes->rank_count; i++)
		sweep->ranks[sweep->rank_count++] = (int)axes->ranks[i];
	for (int64_t p = 2; p < size && !axes->rank_count; p *= 2)
		sweep->ranks[sweep->rank_count++] = (int)p;
	if (!axes->rank_count)
		sweep->ranks[sweep->rank_count++] = size;
	for (int i = 0; i < axes->size_count; i++)
		sweep_add_size(sweep, axes->bytes[i]);
	for (int64_t b = sweep->element ? sweep->element : 1; b <= most_bytes && !axes->size_count;
	     b *= 4) {
		sweep->bytes[sweep->size_count++] = b;
		if (b > most_bytes / 4)
			break;
	}
	if (!sweep->size_count)
		sweep->bytes[sweep->size_count++] = 0;
	sweep->cell = tmap_alloc((size_t)sweep->rank_count * (size_t)sweep->size_count,
				 sizeof *sweep->cell, err);
	return sweep->cell ? 0 : -1;
}

/* Index of a name, added if it is new; TMAP_NONE with *err set. */
static int sweep_intern(struct tmap_sweep *sweep, const char *name, struct tmap_error *err)
{
	for (int i = 0; i < sweep->name_count; i++)
		if (strcmp(sweep->name[i], name) == 0)
			return i;
	if (tmap_grow(&sweep->name, &sweep->name_capacity, (size_t)sweep->name_count + 1,
		      sizeof *sweep->name, err) < 0)
		return TMAP_NONE;
	sweep->name[sweep->name_count] = tmap_strdup(name, err);
	return sweep->name[sweep->name_count] ? sweep->name_count++ : TMAP_NONE;
}

/* What the library takes by itself, and what it can be set to if that is faster. */
static int cell_fill_library(struct tmap_sweep *sweep, struct tmap_sweep_cell *cell,
			     const struct tmap_score *score, struct tmap_error *err)
{
	const struct tmap_score_default *it = &score->defaults[score->pick.library];
	const struct tmap_score_row *row = it->best == TMAP_NONE ? NULL : &score->row[it->best];

	if (it->name) {
		cell->taken = sweep_intern(sweep, it->name, err);
		if (cell->taken == TMAP_NONE)
			return -1;
		cell->name = cell->taken;
		cell->seconds = cell->taken_seconds = it->seconds;
	}
	if (!row || (it->name && it->seconds <= row->seconds))
		return 0;
	cell->seconds = row->seconds;
	cell->knob = tmap_strdup(tmap_score_knob(row, score->pick.library), err);
	cell->name = cell->knob ? sweep_intern(sweep, row->name, err) : TMAP_NONE;
	return cell->name == TMAP_NONE ? -1 : 0;
}

static int cell_fill(struct tmap_sweep *sweep, struct tmap_sweep_cell *cell,
		     const struct tmap_score *score, struct tmap_error *err)
{
	*cell = (struct tmap_sweep_cell){ .name = TMAP_NONE, .taken = TMAP_NONE };
	sweep->pick = score->pick;
	if (sweep->has_library)
		return cell_fill_library(sweep, cell, score, err);
	if (score->applicable == 0)
		return 0;
	cell->name = sweep_intern(sweep, score->row[0].name, err);
	cell->seconds = score->row[0].seconds;
	return cell->name == TMAP_NONE ? -1 : 0;
}

/* How many published profiles would choose something else in this cell. */
static int cell_ask_others(struct tmap_sweep *sweep, const struct tmap_score *score,
			   struct tmap_error *err)
{
	struct tmap_others others;

	if (!sweep->turned || !score->applicable || score->placement->size > TMAP_OTHERS_MOST_RANKS)
		return 0;
	if (tmap_others_of_score(&others, score, err) < 0)
		return -1;
	sweep->asked++;
	for (int i = 0; i < others.asked; i++)
		sweep->turned[others.other[i].profile - tmap_profile_at(0)] +=
			others.other[i].is_else;
	tmap_others_fini(&others);
	return 0;
}

/* All sizes, on a part of the placement that is analyzed once. */
static int row_fill_cells(struct tmap_sweep *sweep, int row, const struct tmap_placement *part,
			  const struct tmap_score_request *request, struct tmap_error *err)
{
	struct tmap_score_request one = *request;
	struct tmap_score score = { 0 };
	int cells = sweep->rank_count * sweep->size_count, status = 0;

	one.progress = NULL; /* the parts of a sweep are its cells */
	one.defaults = sweep->has_library ? TMAP_SCORE_DEFAULTS_PICKED : TMAP_SCORE_DEFAULTS_NONE;
	for (int s = 0; s < sweep->size_count && status == 0; s++) {
		one.bytes = sweep->bytes[s];
		status = s == 0 ? tmap_score_init(&score, part, &one, err) :
				  tmap_score_again(&score, &one, err);
		if (status == 0)
			status = cell_fill(sweep, &sweep->cell[row * sweep->size_count + s], &score,
					   err);
		if (status == 0)
			status = cell_ask_others(sweep, &score, err);
		tmap_progress_report(request->progress, row * sweep->size_count + s + 1, cells,
				     "cells");
	}
	tmap_score_fini(&score);
	return status;
}

static int row_fill(struct tmap_sweep *sweep, int row, const struct tmap_placement *placement,
		    const struct tmap_score_request *request, struct tmap_error *err)
{
	int size = sweep->ranks[row], status = -1;
	int *first = tmap_alloc_raw((size_t)size, sizeof *first, err);
	struct tmap_placement part = { 0 };

	for (int r = 0; first && r < size; r++)
		first[r] = r;
	if (first && tmap_placement_select(&part, placement, first, size, err) == 0)
		status = row_fill_cells(sweep, row, &part, request, err);
	tmap_placement_fini(&part);
	free(first);
	return status;
}

/* The names that are the best somewhere before those that are only taken. */
static int sweep_order_names(struct tmap_sweep *sweep, struct tmap_error *err)
{
	size_t count = (size_t)sweep->name_count;
	int cells = sweep->rank_count * sweep->size_count, others, status;
	int *to = tmap_alloc(count, sizeof *to, err);
	char **name = tmap_alloc(count, sizeof *name, err);

	for (int i = 0; to && name && i < cells; i++)
		if (sweep->cell[i].name != TMAP_NONE)
			to[sweep->cell[i].name] = 1;
	for (int i = 0; to && name && i < sweep->name_count; i++)
		sweep->shown_count += to[i];
	others = sweep->shown_count;
	for (int i = 0, shown = 0; to && name && i < sweep->name_count; i++) {
		to[i] = to[i] ? shown++ : others++;
		name[to[i]] = sweep->name[i];
	}
	for (int i = 0; to && name && i < cells; i++) {
		struct tmap_sweep_cell *cell = &sweep->cell[i];

		cell->name = cell->name == TMAP_NONE ? TMAP_NONE : to[cell->name];
		cell->taken = cell->taken == TMAP_NONE ? TMAP_NONE : to[cell->taken];
	}
	for (int i = 0; to && name && i < sweep->name_count; i++)
		sweep->name[i] = name[i];
	status = to && name ? 0 : -1;
	free(to);
	free(name);
	return status;
}

/* A count for each published profile. */
static int *turned_new(struct tmap_error *err)
{
	size_t published = 0;

	while (tmap_keywords_at(&tmap_profiles, published))
		published++;
	return tmap_alloc(published, sizeof(int), err);
}

int tmap_sweep_init(struct tmap_sweep *sweep, const struct tmap_placement *placement,
		    const struct tmap_score_request *request, const struct tmap_sweep_axes *axes,
		    struct tmap_error *err)
{
	struct tmap_sweep made = { .collective = request->collective,
				   .has_library = request->has_library,
				   .element = request->element,
				   .placement = placement,
				   .profile = request->profile ? request->profile :
								 tmap_profile_at(0) };
	int status;

	if (request->neighborhood)
		return tmap_fail(err, TMAP_USAGE,
				 "a grid has one number of ranks: it has no sweep");
	if (request->root > 1)
		return tmap_fail(err, TMAP_INPUT,
				 "a sweep begins with two ranks; its root is one of "
				 "them, not %d",
				 request->root);
	status = sweep_fill_axes(&made, placement->size, request->bytes, axes, err);
	if (status == 0 && axes->asks_others && !request->has_library) {
		made.turned = turned_new(err);
		status = made.turned ? 0 : -1;
	}
	for (int row = 0; row < made.rank_count && status == 0; row++)
		status = row_fill(&made, row, placement, request, err);
	if (status == 0)
		status = sweep_order_names(&made, err);
	if (status < 0)
		tmap_sweep_fini(&made);
	else
		*sweep = made;
	return status;
}
