#include "core/score/score.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

static void fini_row(struct tm_score_row *row)
{
	tm_locality_fini(&row->locality);
	free(row->name);
	free(row->reason);
	tm_library_tell_fini(&row->knobs);
}

static void fini_answers(struct tm_score *score)
{
	for (int i = 0; score->row && i < score->count; i++)
		fini_row(&score->row[i]);
	for (int i = 0; score->defaults && i < score->default_count; i++)
		free(score->defaults[i].name);
	free(score->defaults);
	free(score->row);
	score->defaults = NULL;
	score->row = NULL;
	score->count = score->applicable = score->default_count = 0;
}

void tm_score_fini(struct tm_score *score)
{
	fini_answers(score);
	tm_cost_model_fini(&score->model);
	tm_divisions_fini(&score->divisions);
	tm_metric_fini(&score->metric);
	tm_levels_fini(&score->levels);
	*score = (struct tm_score){ 0 };
}

static int count_rows(const struct tm_words *words)
{
	int count = 0;

	while (tm_words_at(words, (size_t)count))
		count++;
	return count;
}

/* What each row calls: those that were named, or all. */
static int choose(struct tm_score *score, const struct tm_score_request *request,
		  struct tm_error *err)
{
	const struct tm_words *words = tm_algorithms(request->collective);
	bool all = request->algorithm_count == 0;

	score->count = all ? count_rows(words) : (int)request->algorithm_count;
	score->row = tm_alloc((size_t)score->count, sizeof *score->row, err);
	if (!score->row)
		return -1;
	for (int i = 0; i < score->count; i++) {
		struct tm_call *call = &score->row[i].call;

		*call = (struct tm_call){ .size = score->placement->size, .root = request->root,
					  .bytes = request->bytes, .metric = &score->metric,
					  .neighborhood = request->neighborhood };
		if (all)
			call->choice = tm_choice_preset(words, i);
		else if (tm_call_parse(call, request->collective, request->algorithm[i], err) < 0)
			return -1;
	}
	return 0;
}

static int fill_words(struct tm_score_row *row, const struct tm_library_whole *whole,
		      struct tm_error *err)
{
	row->name = tm_choice_print(&row->call.choice, err);
	if (!row->name || tm_library_tell(&row->knobs, &row->call.choice, whole, err) < 0)
		return -1;
	if (row->knobs.mpich)
		row->mpich_since = whole->mpich ? "4.1" : tm_call_algorithm(&row->call)->mpich_since;
	return 0;
}

/* Seconds and locality in one go over the schedule. */
static int measure(struct tm_score *score, struct tm_score_row *row, struct tm_error *err)
{
	struct tm_moved moved = { 0 };
	int status = tm_cost_and_moved(&row->seconds, &moved, &score->model, &row->call,
				       err);

	if (status == 0)
		status = tm_locality_init(&row->locality, &row->call, &score->divisions,
					  &score->model.reach, &moved, err);
	tm_moved_fini(&moved);
	return status;
}

static int fill_row(struct tm_score *score, struct tm_score_row *row, struct tm_error *err)
{
	const struct tm_library_whole whole = tm_library_whole(score->collective, &score->order);
	struct tm_error why = { 0 };

	if (fill_words(row, &whole, err) < 0)
		return -1;
	if (tm_call_check(&row->call, &why) < 0) {
		if (why.kind != TM_INPUT) { /* memory, not the algorithm, is what lacks */
			*err = why;
			return -1;
		}
		row->reason = tm_strdup(why.text, err);
		return row->reason ? 0 : -1;
	}
	score->applicable++;
	if (measure(score, row, err) < 0)
		return tm_wrap(err, "%s", row->name);
	return 0;
}

static const struct tm_score_row *find_row(const struct tm_score *score, const char *name)
{
	for (int i = 0; i < score->count; i++)
		if (strcmp(score->row[i].name, name) == 0)
			return &score->row[i];
	return NULL;
}

/* The seconds of what a library takes, which may be none of the rows. */
static int fill_default(struct tm_score *score, struct tm_score_default *it,
			struct tm_error *err)
{
	struct tm_call call = { .size = score->placement->size, .root = score->root,
				.bytes = score->bytes, .metric = &score->metric };
	const struct tm_score_row *row;

	if (!it->answer.algorithm[0])
		return 0;
	if (tm_call_parse(&call, score->collective, it->answer.algorithm, err) < 0)
		return -1;
	it->name = tm_choice_print(&call.choice, err);
	if (!it->name)
		return -1;
	row = find_row(score, it->name);
	if (row && !row->reason)
		it->seconds = row->seconds;
	return row && !row->reason ? 0 : tm_cost(&it->seconds, &score->model, &call, err);
}

static int fill_defaults(struct tm_score *score, struct tm_error *err)
{
	const struct tm_library_question question = {
		score->collective, score->placement->size, score->bytes, &score->order };
	int count = count_rows(&tm_libraries);

	score->defaults = tm_alloc((size_t)count, sizeof *score->defaults, err);
	if (!score->defaults)
		return -1;
	score->default_count = count;
	for (int i = 0; i < count; i++) {
		score->defaults[i].answer = tm_library_ask(i, &question);
		if (fill_default(score, &score->defaults[i], err) < 0)
			return -1;
	}
	return 0;
}

/* Once the rows are sorted. */
static void compare_defaults(struct tm_score *score)
{
	double best = score->applicable ? score->row[0].seconds : 0;

	for (int i = 0; i < score->default_count; i++)
		if (score->defaults[i].name)
			score->defaults[i].slower = best > 0 ? score->defaults[i].seconds / best : 1;
}

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Ties are as the rows were: the catalogue's order. */
static int compare_rows(const struct tm_score_row *a, const struct tm_score_row *b)
{
	const struct tm_locality *x = &a->locality, *y = &b->locality;
	int order = compare(a->reason != NULL, b->reason != NULL);

	if (order == 0)
		order = (a->seconds > b->seconds) - (a->seconds < b->seconds);
	for (int l = 0; l < x->level_count && l < y->level_count && order == 0; l++)
		order = compare(x->level[l].bytes, y->level[l].bytes);
	for (int l = 0; l < x->level_count && l < y->level_count && order == 0; l++)
		order = compare(x->level[l].messages, y->level[l].messages);
	return order ? order : compare(x->rounds, y->rounds);
}

static void sort(struct tm_score *score)
{
	for (int i = 1; i < score->count; i++) {
		struct tm_score_row row = score->row[i];
		int at = i;

		for (; at > 0 && compare_rows(&row, &score->row[at - 1]) < 0; at--)
			score->row[at] = score->row[at - 1];
		score->row[at] = row;
	}
}

static int check(const struct tm_placement *placement, const struct tm_score_request *request,
		 struct tm_error *err)
{
	const struct tm_collective_row *row = &tm_collective_rows[request->collective];

	if (request->root && !row->has_root)
		return tm_fail(err, TM_INPUT, "%s has no root", row->word.name);
	return tm_root_check(request->root, placement->size, err);
}

/* What does not depend on the size. */
static int look_at_placement(struct tm_score *score, struct tm_error *err)
{
	if (tm_levels_init(&score->levels, score->placement->machine, err) < 0 ||
	    tm_metric_init(&score->metric, score->placement, TM_SCALE_PROCESS, err) < 0 ||
	    tm_divisions_init(&score->divisions, score->placement, &score->levels, score->root,
			      err) < 0 ||
	    tm_cost_model_init(&score->model, score->placement, &score->metric, &score->levels,
			       score->profile, err) < 0)
		return -1;
	return tm_order_find(&score->order, score->placement, err);
}

static int answer(struct tm_score *score, const struct tm_score_request *request,
		  struct tm_error *err)
{
	if (choose(score, request, err) < 0)
		return -1;
	for (int i = 0; i < score->count; i++)
		if (fill_row(score, &score->row[i], err) < 0)
			return -1;
	if (fill_defaults(score, err) < 0)
		return -1;
	sort(score);
	compare_defaults(score);
	return 0;
}

int tm_score_init(struct tm_score *score, const struct tm_placement *placement,
		  const struct tm_score_request *request, struct tm_error *err)
{
	*score = (struct tm_score){ .placement = placement, .collective = request->collective,
				    .bytes = request->bytes, .root = request->root,
				    .profile = request->profile ? request->profile :
					       tm_profile_at(0) };
	if (check(placement, request, err) == 0 && look_at_placement(score, err) == 0 &&
	    answer(score, request, err) == 0)
		return 0;
	tm_score_fini(score);
	return -1;
}

int tm_score_again(struct tm_score *score, const struct tm_score_request *request,
		   struct tm_error *err)
{
	fini_answers(score);
	score->bytes = request->bytes;
	if (answer(score, request, err) == 0)
		return 0;
	fini_answers(score);
	return -1;
}
