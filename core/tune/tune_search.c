/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/tune_search.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Times at one size: those of the choices that rules say, and behind them that of the library's own. */
struct timing {
	const struct tmap_tune_choices *choices;
	struct tmap_tune_place *const *place;
	int place_count;
	double *seconds; /* [said + 1]; INFINITY: it is hopeless at sizes like this */
	int *rest;       /* [said]: so many times more it is not asked */
};

/* What takes so many times as long as the best is not asked at the next sizes. */
enum { HOPELESS = 4, RESTS = 3 };

/* How long one of them takes; TMAP_NONE: the library's own. */
static int timing_ask(double *seconds, const struct timing *it, int choice, int64_t bytes,
		      struct tmap_error *err)
{
	if (choice == TMAP_NONE)
		return tmap_tune_own_cost(seconds, NULL, it->choices, false, it->place,
					  it->place_count, bytes, err);
	return tmap_tune_choice_cost(seconds, it->choices, choice, it->place, it->place_count,
				     bytes, err);
}

/* All of them, but for those that have been hopeless. */
static int timing_fill(const struct timing *it, int64_t bytes, struct tmap_error *err)
{
	double *own = &it->seconds[it->choices->said], least;

	if (timing_ask(own, it, TMAP_NONE, bytes, err) < 0)
		return -1;
	least = *own;
	for (int i = 0; i < it->choices->said; i++) {
		it->seconds[i] = INFINITY;
		if (it->rest[i]-- > 0)
			continue;
		if (timing_ask(&it->seconds[i], it, i, bytes, err) < 0)
			return -1;
		least = fmin(least, it->seconds[i]);
	}
	for (int i = 0; i < it->choices->said; i++)
		if (it->rest[i] < 0)
			it->rest[i] = it->seconds[i] > HOPELESS * least ? RESTS : 0;
	return 0;
}

static double timing_at(const struct timing *it, int choice)
{
	return it->seconds[choice == TMAP_NONE ? it->choices->said : choice];
}

/* The library's own where nothing is faster, else the fastest. */
static int timing_best(const struct timing *it)
{
	int best = TMAP_NONE;

	for (int i = 0; i < it->choices->said; i++)
		if (it->seconds[i] < timing_at(it, best))
			best = i;
	return timing_at(it, TMAP_NONE) <= TMAP_TUNE_TOLERANCE * timing_at(it, best) ? TMAP_NONE :
										       best;
}

static int list_add(struct tmap_tune_list *list, int64_t bytes, int choice, struct tmap_error *err)
{
	if (tmap_grow(&list->step, &list->capacity, (size_t)list->count + 1, sizeof *list->step,
		      err) < 0)
		return -1;
	list->step[list->count++] =
		(struct tmap_tune_step){ .bytes = bytes, .choice = choice, .best = TMAP_NONE };
	return 0;
}

/* Is the one slower than the other, by so much that it matters? */
static int is_slower(bool *slower, const struct timing *it, int one, int other, int64_t bytes,
		     struct tmap_error *err)
{
	double a, b;

	if (timing_ask(&a, it, one, bytes, err) < 0 || timing_ask(&b, it, other, bytes, err) < 0)
		return -1;
	*slower = a > TMAP_TUNE_TOLERANCE * b;
	return 0;
}

/* *from = the least number of elements above @p low from which on @p other is to be taken, not @p one:
 *  at @p low it is not, at @p high it is. */
static int halve(int64_t *from, const struct timing *it, int one, int other, int64_t low,
		 int64_t high, struct tmap_error *err)
{
	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;
		bool slower;

		if (is_slower(&slower, it, one, other, middle * it->choices->element, err) < 0)
			return -1;
		*(slower ? &high : &low) = middle;
	}
	*from = high;
	return 0;
}

/* From one size that is timed to the next: as long as something is faster there than what is chosen,
 * the best there is taken from where that is so. */
static int list_extend(struct tmap_tune_list *list, const struct timing *it, int64_t low,
		       int64_t high, struct tmap_error *err)
{
	int64_t element = it->choices->element, from;
	int chosen = list->step[list->count - 1].choice, best;

	if (chosen != TMAP_NONE)
		it->rest[chosen] = 0;
	if (timing_fill(it, high * element, err) < 0)
		return -1;
	best = timing_best(it);
	if (best == chosen || timing_at(it, chosen) <= TMAP_TUNE_TOLERANCE * timing_at(it, best))
		return 0;
	if (halve(&from, it, chosen, best, low, high, err) < 0)
		return -1;
	return list_add(list, from * element, best, err);
}

/* Sizes 1, 2, 4, ... elements, and the largest one. */
static int list_search(struct tmap_tune_list *list, const struct timing *it, int64_t most,
		       struct tmap_error *err)
{
	int64_t element = it->choices->element, last = most / element, high;

	if (timing_fill(it, element, err) < 0 || list_add(list, element, timing_best(it), err) < 0)
		return -1;
	for (int64_t low = 1; low < last; low = high) {
		high = low > last / 2 ? last : 2 * low;
		if (list_extend(list, it, low, high, err) < 0)
			return -1;
	}
	return 0;
}

/* One choice for all sizes: that whose times over the best of each size have the least product. */
static int list_search_one(struct tmap_tune_list *list, const struct timing *it, int64_t most,
			   struct tmap_error *err)
{
	int count = it->choices->said + 1, best = count - 1;
	int64_t bytes = it->choices->collective == TMAP_BARRIER ? 0 : it->choices->element;
	double *sum = tmap_alloc((size_t)count, sizeof *sum, err);
	int status = sum ? 0 : -1, sizes = 0;

	for (; status == 0 && bytes <= most; bytes *= 2, sizes++) {
		for (int i = 0; i < count - 1; i++)
			it->rest[i] = 0; /* each counts at each size */
		status = timing_fill(it, bytes, err);
		for (int i = 0; i < count && status == 0; i++)
			sum[i] += log(it->seconds[i]);
		if (!bytes || bytes > most / 2)
			break;
	}
	for (int i = 0; i < count && status == 0; i++)
		if (sum[i] < sum[best])
			best = i;
	if (status == 0 && best < count - 1 &&
	    sum[count - 1] - sum[best] <= sizes * log(TMAP_TUNE_TOLERANCE))
		best = count - 1;
	if (status == 0)
		status = list_add(list, it->choices->element, best == count - 1 ? TMAP_NONE : best,
				  err);
	free(sum);
	return status;
}

/* *bytes = the size of a step, of those that are powers of two elements, the first and the one in the
 * middle, where most is gained; of the library's own the one in the middle. */
static int find_shown(int64_t *bytes, const struct tmap_tune_step *step, const struct timing *it,
		      int64_t next, struct tmap_error *err)
{
	int64_t element = it->choices->element, power = element;
	int64_t middle = (int64_t)sqrt((double)step->bytes * (double)next);
	double most = 0;

	middle -= middle % element;
	*bytes = middle < step->bytes ? step->bytes : middle;
	while (power < step->bytes)
		power *= 2;
	for (int64_t size = step->bytes; step->choice != TMAP_NONE && size <= next;
	     size = power, power *= 2) {
		double own, chosen;

		if (timing_ask(&own, it, TMAP_NONE, size, err) < 0 ||
		    timing_ask(&chosen, it, step->choice, size, err) < 0)
			return -1;
		if (!isfinite(own) || own <= most * chosen)
			continue;
		most = own / chosen;
		*bytes = size;
	}
	return 0;
}

/* What is said of a step. */
static int step_fill(struct tmap_tune_step *step, const struct timing *it, int64_t next,
		     struct tmap_error *err)
{
	const struct tmap_tune_choices *choices = it->choices;

	step->shown = 0;
	if ((choices->collective != TMAP_BARRIER &&
	     find_shown(&step->shown, step, it, next, err) < 0) ||
	    timing_ask(&step->seconds, it, step->choice, step->shown, err) < 0 ||
	    tmap_tune_own_cost(&step->own_s, step->own, choices, false, it->place, it->place_count,
			       step->shown, err) < 0 ||
	    tmap_tune_own_cost(&step->itself_s, NULL, choices, true, it->place, it->place_count,
			       step->shown, err) < 0)
		return -1;
	step->best_s = INFINITY;
	for (int i = choices->said; i < choices->count; i++) {
		double seconds;

		if (timing_ask(&seconds, it, i, step->shown, err) < 0)
			return -1;
		if (seconds >= step->best_s || seconds * TMAP_TUNE_TOLERANCE >= step->seconds)
			continue;
		step->best_s = seconds;
		step->best = i;
	}
	return 0;
}

static int list_fill(struct tmap_tune_list *list, const struct timing *it, int64_t most,
		     struct tmap_error *err)
{
	int status = list->unit == TMAP_RULE_VECTOR || list->unit == TMAP_RULE_TOTAL ?
		list_search(list, it, most, err) :
		list_search_one(list, it, most, err);

	for (int i = 0; i < list->count && status == 0; i++)
		status = step_fill(
			&list->step[i], it,
			i + 1 < list->count ? list->step[i + 1].bytes - it->choices->element : most,
			err);
	return status;
}

int tmap_tune_list_search(struct tmap_tune_list *list, const struct tmap_tune_choices *choices,
			  struct tmap_tune_place *const *place, int64_t most,
			  struct tmap_error *err)
{
	struct timing timing = { .choices = choices,
				 .place = place,
				 .place_count = list->place_count };
	int status = -1;

	timing.seconds = tmap_alloc((size_t)choices->said + 1, sizeof *timing.seconds, err);
	timing.rest = tmap_alloc((size_t)choices->said, sizeof *timing.rest, err);
	if (timing.seconds && timing.rest)
		status = list_fill(list, &timing, most, err);
	free(timing.seconds);
	free(timing.rest);
	return status;
}
