/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/score/score.h"

#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/schedule/datatype.h"

#include <stdlib.h>
#include <string.h>

static void row_fini(struct tmap_score_row *row)
{
	tmap_locality_fini(&row->locality);
	free(row->name);
	free(row->reason);
	tmap_library_knobs_fini(&row->knobs);
	free(row->openmpi_flat);
}

static void score_fini_rows(struct tmap_score *score)
{
	for (int i = 0; score->row && i < score->count; i++)
		row_fini(&score->row[i]);
	for (int i = 0; score->defaults && i < score->default_count; i++) {
		free(score->defaults[i].name);
		free(score->defaults[i].scope);
	}
	free(score->defaults);
	free(score->row);
	score->defaults = NULL;
	score->row = NULL;
	score->count = score->applicable = score->default_count = 0;
}

void tmap_score_fini(struct tmap_score *score)
{
	score_fini_rows(score);
	tmap_cost_model_fini(&score->model);
	for (int l = 0; score->spread && l < score->levels.count; l++)
		tmap_partition_statistics_fini(&score->spread[l]);
	free(score->spread);
	tmap_metric_fini(&score->metric);
	tmap_levels_fini(&score->levels);
	*score = (struct tmap_score){ 0 };
}

static int score_count_rows(const struct tmap_keywords *words)
{
	int count = 0;

	while (tmap_keywords_at(words, (size_t)count))
		count++;
	return count;
}

/* What each row calls: those that were named, or all. */
static int score_choose(struct tmap_score *score, const struct tmap_score_request *request,
			struct tmap_error *err)
{
	const struct tmap_keywords *words = tmap_algorithms(request->collective);
	bool all = request->algorithm_count == 0;

	score->count = all ? tmap_algorithms_tried(request->collective) :
			     (int)request->algorithm_count;
	score->row = tmap_alloc((size_t)score->count, sizeof *score->row, err);
	if (!score->row)
		return -1;
	for (int i = 0; i < score->count; i++) {
		struct tmap_call *call = &score->row[i].call;

		*call = (struct tmap_call){ .size = score->placement->size,
					    .root = request->root,
					    .bytes = request->bytes,
					    .element = request->element,
					    .metric = &score->metric,
					    .neighborhood = request->neighborhood };
		if (all)
			call->choice = tmap_spec_preset(words, i);
		else if (tmap_call_parse(call, request->collective, request->algorithm[i], err) < 0)
			return -1;
	}
	return 0;
}

static int row_fill_knobs(struct tmap_score_row *row, const struct tmap_library_whole *whole,
			  struct tmap_error *err)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(&row->call);

	row->name = tmap_spec_print(&row->call.choice, err);
	if (!row->name ||
	    tmap_library_algorithm_knobs(&row->knobs, &row->call.choice, whole, err) < 0)
		return -1;
	if (tmap_spec_fill(&row->openmpi_flat, &row->call.choice, algorithm->choice.knobs.openmpi,
			   err) < 0)
		return -1;
	if (row->knobs.mpich)
		row->mpich_since = whole->mpich ? "4.1" : algorithm->mpich_since;
	return 0;
}

/* Seconds and locality in one go over the schedule. */
static int row_measure(struct tmap_score *score, struct tmap_score_row *row, struct tmap_error *err)
{
	struct tmap_moved moved = { 0 };
	int status = tmap_cost_and_moved(&row->seconds, &moved, &score->model, &row->call, err);

	if (status == 0)
		status = tmap_locality_init(&row->locality, &row->call, &score->model.kinds,
					    score->spread, &moved, err);
	tmap_moved_fini(&moved);
	return status < 0 ? status : tmap_cost_model_doze(&score->model, err);
}

static int row_fill(struct tmap_score *score, struct tmap_score_row *row, struct tmap_error *err)
{
	const struct tmap_library_whole whole =
		tmap_library_whole(score->collective, &score->order);
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(&row->call);
	struct tmap_error why;

	if (algorithm->check || algorithm->copies) /* these may take much before the clocks do */
		tmap_cost_model_rest(&score->model);
	if (row_fill_knobs(row, &whole, err) < 0)
		return -1;
	if (tmap_call_check(&row->call, &why) < 0) {
		if (why.kind != TMAP_INPUT) { /* memory, not the algorithm, is what lacks */
			*err = why;
			return -1;
		}
		row->reason = tmap_strdup(why.text, err);
		return row->reason ? 0 : -1;
	}
	score->applicable++;
	if (row_measure(score, row, err) < 0)
		return tmap_wrap(err, "%s", row->name);
	return 0;
}

static const struct tmap_score_row *score_find_row(const struct tmap_score *score, const char *name)
{
	for (int i = 0; i < score->count; i++)
		if (strcmp(score->row[i].name, name) == 0)
			return &score->row[i];
	return NULL;
}

/* An earlier library's that is the same call; NULL: there is none. */
static const struct tmap_score_default *score_find_default(const struct tmap_score *score,
							   const struct tmap_score_default *it)
{
	for (const struct tmap_score_default *same = score->defaults; same < it; same++)
		if (same->name && strcmp(same->name, it->name) == 0 &&
		    same->answer.cuts_bytes == it->answer.cuts_bytes)
			return same;
	return NULL;
}

/* The seconds of what a library takes, which may be none of the rows. */
static int default_fill(struct tmap_score *score, struct tmap_score_default *it,
			struct tmap_error *err)
{
	struct tmap_call call = { .size = score->placement->size,
				  .root = score->root,
				  .bytes = score->bytes,
				  .element = tmap_library_cut(&it->answer, score->element),
				  .metric = &score->metric };
	const struct tmap_score_row *row;
	const struct tmap_score_default *same;

	if (!it->answer.algorithm[0])
		return 0;
	if (tmap_call_parse(&call, score->collective, it->answer.algorithm, err) < 0)
		return -1;
	it->name = tmap_spec_print(&call.choice, err);
	if (!it->name)
		return -1;
	row = score_find_row(score, it->name);
	same = score_find_default(score, it);
	if (row && !row->reason)
		it->seconds = row->seconds;
	else if (same)
		it->seconds = same->seconds;
	else
		return tmap_cost(&it->seconds, &score->model, &call, err) < 0 ?
			-1 :
			tmap_cost_model_doze(&score->model, err);
	return 0;
}

static bool default_is_asked(const struct tmap_score *score, int library,
			     enum tmap_score_defaults defaults)
{
	return defaults == TMAP_SCORE_DEFAULTS_ALL ||
		(defaults == TMAP_SCORE_DEFAULTS_LISTED &&
		 tmap_library_is_listed(library, &score->pick)) ||
		(defaults == TMAP_SCORE_DEFAULTS_PICKED && library == score->pick.library);
}

static int score_fill_defaults(struct tmap_score *score, enum tmap_score_defaults defaults,
			       struct tmap_error *err)
{
	const struct tmap_library_call question = { .collective = score->collective,
						    .size = score->placement->size,
						    .bytes = score->bytes,
						    .element = score->element,
						    .root = score->root,
						    .order = &score->order };
	int count = score_count_rows(&tmap_libraries);

	score->defaults = tmap_alloc((size_t)count, sizeof *score->defaults, err);
	if (!score->defaults)
		return -1;
	score->default_count = count;
	for (int i = 0; i < count; i++) {
		if (!default_is_asked(score, i, defaults))
			continue;
		score->defaults[i].answer = tmap_library_choose(i, &question);
		if (default_fill(score, &score->defaults[i], err) < 0)
			return -1;
	}
	return 0;
}

/* Once the rows are sorted. */
static void compare_defaults(struct tmap_score *score)
{
	double best = score->applicable ? score->row[0].seconds : 0;

	for (int i = 0; i < score->default_count; i++)
		if (score->defaults[i].name)
			score->defaults[i].slower = best > 0 ? score->defaults[i].seconds / best :
							       1;
}

const char *tmap_score_knob(const struct tmap_score_row *row, int library)
{
	struct tmap_knobs knobs = row->knobs;

	if (tmap_library_hands_over(library, &row->call))
		return NULL;
	if (!tmap_library_takes_han(library))
		knobs.openmpi = row->openmpi_flat;
	return tmap_library_knob(library, &knobs, &row->call.choice);
}

/* Once the rows are sorted. */
static int score_fill_best(struct tmap_score *score, struct tmap_error *err)
{
	for (int i = 0; i < score->default_count; i++) {
		struct tmap_score_default *it = &score->defaults[i];
		const struct tmap_score_row *row;

		it->best = 0;
		while (it->best < score->applicable && !tmap_score_knob(&score->row[it->best], i))
			it->best++;
		if (it->best == score->applicable) {
			it->best = TMAP_NONE;
			continue;
		}
		row = &score->row[it->best];
		it->gain = it->name && row->seconds > 0 ? it->seconds / row->seconds : 0;
		it->scope = tmap_library_scope(i, score->collective, tmap_score_knob(row, i), err);
		if (!it->scope)
			return -1;
	}
	return 0;
}

static int compare_int64(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Ties are as the rows were: the catalogue's order. */
static int compare_rows(const struct tmap_score_row *a, const struct tmap_score_row *b)
{
	const struct tmap_locality *x = &a->locality, *y = &b->locality;
	int order = compare_int64(a->reason != NULL, b->reason != NULL);

	if (order == 0)
		order = (a->seconds > b->seconds) - (a->seconds < b->seconds);
	for (int l = 0; l < x->level_count && l < y->level_count && order == 0; l++)
		order = compare_int64(x->level[l].bytes, y->level[l].bytes);
	for (int l = 0; l < x->level_count && l < y->level_count && order == 0; l++)
		order = compare_int64(x->level[l].messages, y->level[l].messages);
	return order ? order : compare_int64(x->rounds, y->rounds);
}

static void score_sort(struct tmap_score *score)
{
	for (int i = 1; i < score->count; i++) {
		struct tmap_score_row row = score->row[i];
		int at = i;

		for (; at > 0 && compare_rows(&row, &score->row[at - 1]) < 0; at--)
			score->row[at] = score->row[at - 1];
		score->row[at] = row;
	}
}

static int request_check(const struct tmap_placement *placement,
			 const struct tmap_score_request *request, struct tmap_error *err)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[request->collective];

	if (request->root && !row->has_root)
		return tmap_fail(err, TMAP_INPUT, "%s has no root", row->word.name);
	if (tmap_root_check(request->root, placement->size, err) < 0)
		return -1;
	return tmap_datatype_check(request->element, request->bytes, err);
}

/* What does not depend on the size. */
static int score_init_placement(struct tmap_score *score, struct tmap_error *err)
{
	const struct tmap_placement *placement = score->placement;

	if (tmap_levels_init(&score->levels, placement->machine, err) < 0 ||
	    tmap_metric_init(&score->metric, placement, TMAP_SCALE_PROCESS, err) < 0)
		return -1;
	score->spread = tmap_alloc((size_t)score->levels.count, sizeof *score->spread, err);
	if (!score->spread)
		return -1;
	for (int l = 0; l < score->levels.count; l++)
		if (tmap_partition_statistics_init(&score->spread[l], &score->levels.level[l].sets,
						   placement, score->root, err) < 0)
			return -1;
	if (tmap_cost_model_init(&score->model, placement, &score->metric, &score->levels,
				 score->profile, err) < 0)
		return -1;
	return tmap_order_find(&score->order, placement, err);
}

static int score_fill(struct tmap_score *score, const struct tmap_score_request *request,
		      struct tmap_error *err)
{
	if (score_choose(score, request, err) < 0)
		return -1;
	for (int i = 0; i < score->count; i++) {
		tmap_progress_begin(request->progress, score->row[i].call.choice.row->word.name);
		if (row_fill(score, &score->row[i], err) < 0)
			return -1;
		tmap_progress_report(request->progress, i + 1, score->count, "algorithms");
	}
	tmap_progress_begin(request->progress, "defaults of libraries");
	if (score_fill_defaults(score, request->defaults, err) < 0)
		return -1;
	score_sort(score);
	compare_defaults(score);
	return score_fill_best(score, err);
}

int tmap_score_init(struct tmap_score *score, const struct tmap_placement *placement,
		    const struct tmap_score_request *request, struct tmap_error *err)
{
	*score = (struct tmap_score){
		.placement = placement,
		.collective = request->collective,
		.bytes = request->bytes,
		.element = request->element,
		.root = request->root,
		.profile = request->profile ? request->profile : tmap_profile_at(0),
		.pick = tmap_library_pick(request->has_library ? request->library : TMAP_NONE,
					  placement)
	};
	tmap_progress_begin(request->progress, "distances");
	if (request_check(placement, request, err) == 0 && score_init_placement(score, err) == 0 &&
	    score_fill(score, request, err) == 0)
		return 0;
	tmap_score_fini(score);
	return -1;
}

int tmap_score_again(struct tmap_score *score, const struct tmap_score_request *request,
		     struct tmap_error *err)
{
	score_fini_rows(score);
	score->bytes = request->bytes;
	if (score_fill(score, request, err) == 0)
		return 0;
	score_fini_rows(score);
	return -1;
}
