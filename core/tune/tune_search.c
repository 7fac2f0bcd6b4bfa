/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/tune_search.h"

#include "core/base/mem.h"
#include "core/tune/tune_times.h"

#include <math.h>
#include <stdlib.h>

/* Times at one size: those of the choices that rules say, and behind them that of the library's own. */
struct timing {
	const struct tmap_tune_choices *choices;
	struct tmap_tune_place *const *place;
	int place_count;
	struct tmap_tune_times measured;
	struct tmap_tune_time *time; /* [said + 1]; INFINITY: it is hopeless at sizes like this, or
					was not measured where others were */
	int *rest;                   /* [said]: so many times more it is not asked */
};

/* What takes so many times as long as the best is not asked at the next sizes. */
enum { HOPELESS = 4, RESTS = 3 };

static const struct tmap_tune_time unknown = { INFINITY, INFINITY, INFINITY };

/* How long one of them takes; TMAP_NONE: the library's own. What might do harm on another machine than that of
 * the costs, where nobody said whose they are, takes for ever. */
static int timing_ask(struct tmap_tune_time *time, const struct timing *it, int choice,
		      int64_t bytes, struct tmap_error *err)
{
	double seconds, own_s;
	bool holds = true;

	if (tmap_tune_times_cover(&it->measured, bytes)) {
		if (!(choice == TMAP_NONE ?
			      tmap_tune_times_own(time, &it->measured, bytes) :
			      tmap_tune_times_choice(time, &it->measured, choice, bytes)))
			*time = unknown;
		return 0;
	}
	if ((choice == TMAP_NONE ? tmap_tune_own_cost(&seconds, NULL, it->choices, false, it->place,
						      it->place_count, bytes, err) :
				   tmap_tune_choice_cost(&seconds, it->choices, choice, it->place,
							 it->place_count, bytes, err)) < 0)
		return -1;
	if (choice != TMAP_NONE && choice < it->choices->said && it->place[0]->other_count &&
	    (tmap_tune_own_cost(&own_s, NULL, it->choices, false, it->place, it->place_count, bytes,
				err) < 0 ||
	     (seconds <= TMAP_TUNE_TOLERANCE * own_s &&
	      tmap_tune_choice_check(&holds, it->choices, choice, it->place, it->place_count, bytes,
				     err) < 0)))
		return -1;
	*time = holds ? (struct tmap_tune_time){ seconds, seconds, seconds } : unknown;
	return 0;
}

/* All of them, but for those that have been hopeless: of measured times none is. */
static int timing_fill(const struct timing *it, int64_t bytes, struct tmap_error *err)
{
	struct tmap_tune_time *own = &it->time[it->choices->said];
	bool is_measured = tmap_tune_times_cover(&it->measured, bytes);
	double least;

	if (timing_ask(own, it, TMAP_NONE, bytes, err) < 0)
		return -1;
	least = own->seconds;
	for (int i = 0; i < it->choices->said; i++) {
		it->time[i] = unknown;
		if (!is_measured && it->rest[i]-- > 0)
			continue;
		if (timing_ask(&it->time[i], it, i, bytes, err) < 0)
			return -1;
		least = fmin(least, it->time[i].seconds);
	}
	for (int i = 0; i < it->choices->said; i++)
		if (is_measured)
			it->rest[i] = 0;
		else if (it->rest[i] < 0)
			it->rest[i] = it->time[i].seconds > HOPELESS * least ? RESTS : 0;
	return 0;
}

static const struct tmap_tune_time *timing_at(const struct timing *it, int choice)
{
	return &it->time[choice == TMAP_NONE ? it->choices->said : choice];
}

/* By so much that it matters, and for sure? */
static bool time_is_slower(const struct tmap_tune_time *one, const struct tmap_tune_time *other)
{
	return one->seconds > TMAP_TUNE_TOLERANCE * other->seconds && one->low > other->high;
}

/* The library's own where nothing is faster for sure, else the fastest of what is. */
static int timing_best(const struct timing *it)
{
	int best = TMAP_NONE;

	for (int i = 0; i < it->choices->said; i++)
		if (time_is_slower(timing_at(it, TMAP_NONE), &it->time[i]) &&
		    it->time[i].seconds < timing_at(it, best)->seconds)
			best = i;
	return best;
}

/* The fastest of what is faster for sure than a choice, the best if that is; the choice: there is none. */
static int timing_beater(const struct timing *it, int choice, int best)
{
	int found = choice;

	if (time_is_slower(timing_at(it, choice), timing_at(it, best)))
		return best;
	for (int i = 0; i < it->choices->said; i++)
		if (time_is_slower(timing_at(it, choice), &it->time[i]) &&
		    it->time[i].seconds < timing_at(it, found)->seconds)
			found = i;
	return found;
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

/* What something is no longer chosen for. */
struct change {
	int chosen;
	int beater; /* is faster for sure */
	int best;   /* is chosen then, unless it is slower for sure */
};

static int change_is_due(bool *due, const struct timing *it, const struct change *change,
			 int64_t bytes, struct tmap_error *err)
{
	struct tmap_tune_time chosen, beater, best;

	if (timing_ask(&chosen, it, change->chosen, bytes, err) < 0 ||
	    timing_ask(&beater, it, change->beater, bytes, err) < 0 ||
	    timing_ask(&best, it, change->best, bytes, err) < 0)
		return -1;
	*due = time_is_slower(&chosen, &beater) && !time_is_slower(&best, &chosen);
	return 0;
}

/* *from = the least number of elements above @p low from which on a change is due: at @p low it is not,
 *  at @p high it is. */
static int halve(int64_t *from, const struct timing *it, const struct change *change, int64_t low,
		 int64_t high, struct tmap_error *err)
{
	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;
		bool due;

		if (change_is_due(&due, it, change, middle * it->choices->element, err) < 0)
			return -1;
		*(due ? &high : &low) = middle;
	}
	*from = high;
	return 0;
}

static bool is_measured(const struct timing *it, int64_t elements)
{
	return tmap_tune_times_cover(&it->measured, elements * it->choices->element);
}

/* The least number of elements above @p low at which times are from where those at @p high are. */
static int64_t find_source(const struct timing *it, int64_t low, int64_t high)
{
	bool is_so = is_measured(it, high);

	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;

		*(is_measured(it, middle) == is_so ? &high : &low) = middle;
	}
	return high;
}

/* From one size that is timed to the next: as long as something is faster there than what is chosen,
 * the best there is taken from where that is so. Times from elsewhere begin a step. */
static int list_extend(struct tmap_tune_list *list, const struct timing *it, int64_t low,
		       int64_t high, struct tmap_error *err)
{
	int64_t element = it->choices->element, from = high;
	struct change change = { .chosen = list->step[list->count - 1].choice };
	bool is_new = is_measured(it, low) != is_measured(it, high);

	if (change.chosen != TMAP_NONE)
		it->rest[change.chosen] = 0;
	if (timing_fill(it, high * element, err) < 0)
		return -1;
	change.best = timing_best(it);
	change.beater = timing_beater(it, change.chosen, change.best);
	if (!is_new && change.beater == change.chosen)
		return 0;
	if (!is_new && halve(&from, it, &change, low, high, err) < 0)
		return -1;
	return list_add(list, from * element, change.best, err);
}

/* Sizes 1, 2, 4, ... elements, those that were measured, and the largest one. */
static int list_search(struct tmap_tune_list *list, const struct timing *it, int64_t most,
		       struct tmap_error *err)
{
	int64_t element = it->choices->element, last = most / element, high;

	if (timing_fill(it, element, err) < 0 || list_add(list, element, timing_best(it), err) < 0)
		return -1;
	for (int64_t low = 1; low < last; low = high) {
		int64_t next = tmap_tune_times_next(&it->measured, low * element) / element;

		high = low > last / 2 ? last : 2 * low;
		if (next > low && next < high)
			high = next;
		if (is_measured(it, low) != is_measured(it, high))
			high = find_source(it, low, high);
		if (list_extend(list, it, low, high, err) < 0)
			return -1;
	}
	return 0;
}

/* The size that is timed next where one choice is for all of them: if times were measured at any of them
 * up to @p most, one of these. TMAP_NONE: there is no more. */
static int64_t next_size(const struct timing *it, bool measured, int64_t bytes, int64_t most)
{
	if (!measured)
		return bytes > most / 2 ? TMAP_NONE : 2 * bytes;
	do
		bytes = tmap_tune_times_next(&it->measured, bytes);
	while (bytes <= most && !tmap_tune_times_cover(&it->measured, bytes));
	return bytes > most ? TMAP_NONE : bytes;
}

/* *sum += the logarithms. */
static void add_logarithms(struct tmap_tune_time *sum, const struct tmap_tune_time *time)
{
	sum->seconds += log(time->seconds);
	sum->low += log(time->low);
	sum->high += log(time->high);
}

/* The sums of logarithms over so many sizes become times: their geometric means. */
static void timing_mean(const struct timing *it, const struct tmap_tune_time *sum, int sizes)
{
	for (int i = 0; i <= it->choices->said; i++)
		it->time[i] = (struct tmap_tune_time){ exp(sum[i].seconds / sizes),
						       exp(sum[i].low / sizes),
						       exp(sum[i].high / sizes) };
}

/* One choice for all sizes: the best by the means. */
static int list_search_one(struct tmap_tune_list *list, const struct timing *it, int64_t most,
			   struct tmap_error *err)
{
	int said = it->choices->said;
	bool is_barrier = it->choices->collective == TMAP_BARRIER;
	int64_t first = next_size(it, true, -1, is_barrier ? 0 : most);
	struct tmap_tune_time *sum = tmap_alloc((size_t)said + 1, sizeof *sum, err);
	int status = sum ? 0 : -1, sizes = 0;

	for (int64_t bytes = first != TMAP_NONE ? first :
		     is_barrier                 ? 0 :
						  it->choices->element;
	     bytes != TMAP_NONE && status == 0; sizes++) {
		for (int i = 0; i < said; i++)
			it->rest[i] = 0; /* each counts at each size */
		status = timing_fill(it, bytes, err);
		for (int i = 0; i <= said && status == 0; i++)
			add_logarithms(&sum[i], &it->time[i]);
		bytes = is_barrier ? TMAP_NONE : next_size(it, first != TMAP_NONE, bytes, most);
	}
	if (status == 0) {
		timing_mean(it, sum, sizes);
		status = list_add(list, it->choices->element, timing_best(it), err);
	}
	free(sum);
	return status;
}

/* The size behind @p size at which a step is looked at: a power of two elements, or, where times were
 * measured, one of their sizes. */
static int64_t next_shown(const struct timing *it, int64_t size, bool measured)
{
	int64_t power = it->choices->element;

	if (measured)
		return tmap_tune_times_next(&it->measured, size);
	while (power <= size)
		power *= 2;
	return power;
}

/* *bytes = the size of a step from @p first to @p last, of those that are looked at, the first and the
 * one in the middle, where most is gained; of the library's own the one in the middle, or the measured
 * one nearest to it. */
static int find_shown(int64_t *bytes, const struct tmap_tune_step *step, const struct timing *it,
		      int64_t first, int64_t last, struct tmap_error *err)
{
	int64_t element = it->choices->element, size = first;
	double middle = sqrt((double)first * (double)last), most = 0, near = INFINITY;
	bool measured = tmap_tune_times_cover(&it->measured, first);

	*bytes = (int64_t)middle - (int64_t)middle % element;
	*bytes = *bytes < first ? first : *bytes;
	if (measured && !tmap_tune_times_have(&it->measured, step->choice, size) &&
	    next_shown(it, size, true) <= last)
		size = next_shown(it, size, true);
	for (; size <= last; size = next_shown(it, size, measured)) {
		struct tmap_tune_time own, chosen;
		double distance = fabs(log((double)size / middle));

		if (measured && !tmap_tune_times_cover(&it->measured, size))
			continue;
		if (step->choice == TMAP_NONE) {
			if (measured && distance < near) {
				near = distance;
				*bytes = size;
			}
			continue;
		}
		if (timing_ask(&own, it, TMAP_NONE, size, err) < 0 ||
		    timing_ask(&chosen, it, step->choice, size, err) < 0)
			return -1;
		if (!isfinite(own.seconds) || own.seconds <= most * chosen.seconds)
			continue;
		most = own.seconds / chosen.seconds;
		*bytes = size;
	}
	return 0;
}

static int step_fill_itself(struct tmap_tune_step *step, const struct timing *it,
			    struct tmap_error *err)
{
	struct tmap_tune_time time;

	if (step->source == TMAP_TUNE_PREDICTED)
		return tmap_tune_own_cost(&step->itself_s, NULL, it->choices, true, it->place,
					  it->place_count, step->shown, err);
	step->itself_s = tmap_tune_times_itself(&time, &it->measured, step->shown) ? time.seconds :
										     INFINITY;
	return 0;
}

/* Is what was measured as the library's own another thing for sure than what the fixed rules are known to
 * take, where that was measured, too? */
static bool step_is_other(const struct tmap_tune_step *step, const struct timing *it,
			  const struct tmap_tune_time *own)
{
	int named = step->own[0] ? tmap_tune_choices_find(it->choices, step->own, true) : TMAP_NONE;
	struct tmap_tune_time time;

	return step->source != TMAP_TUNE_PREDICTED && named != TMAP_NONE &&
		tmap_tune_times_choice(&time, &it->measured, named, step->shown) &&
		(time_is_slower(own, &time) || time_is_slower(&time, own));
}

/* What is said of a step. */
static int step_fill(struct tmap_tune_step *step, const struct timing *it, int64_t first,
		     int64_t last, struct tmap_error *err)
{
	const struct tmap_tune_choices *choices = it->choices;
	struct tmap_tune_time chosen, own, other;

	step->shown = 0;
	if ((choices->collective != TMAP_BARRIER &&
	     find_shown(&step->shown, step, it, first, last, err) < 0) ||
	    timing_ask(&chosen, it, step->choice, step->shown, err) < 0 ||
	    timing_ask(&own, it, TMAP_NONE, step->shown, err) < 0 ||
	    tmap_tune_own_cost(&step->own_s, step->own, choices, false, it->place, it->place_count,
			       step->shown, err) < 0)
		return -1;
	step->seconds = chosen.seconds;
	step->own_s = own.seconds;
	if (!tmap_tune_times_cover(&it->measured, step->shown))
		step->source = TMAP_TUNE_PREDICTED;
	else if (tmap_tune_times_have(&it->measured, step->choice, step->shown))
		step->source = TMAP_TUNE_MEASURED;
	else
		step->source = TMAP_TUNE_BETWEEN;
	if (step_is_other(step, it, &own))
		step->own[0] = '\0';
	step->best_s = INFINITY;
	for (int i = choices->said; i < choices->count; i++) {
		if (timing_ask(&other, it, i, step->shown, err) < 0)
			return -1;
		if (other.seconds >= step->best_s || !time_is_slower(&chosen, &other))
			continue;
		step->best_s = other.seconds;
		step->best = i;
	}
	return step_fill_itself(step, it, err);
}

static int list_fill(struct tmap_tune_list *list, const struct timing *it, int64_t most,
		     struct tmap_error *err)
{
	bool is_one = list->unit != TMAP_RULE_VECTOR && list->unit != TMAP_RULE_TOTAL;
	int64_t measured = is_one ? next_size(it, true, -1, most) : TMAP_NONE;
	int status = (is_one ? list_search_one : list_search)(list, it, most, err);

	for (int i = 0; i < list->count && status == 0; i++) {
		int64_t first = measured == TMAP_NONE ? list->step[i].bytes : measured;
		int64_t last =
			i + 1 < list->count ? list->step[i + 1].bytes - it->choices->element : most;

		status = step_fill(&list->step[i], it, first, last, err);
	}
	list->measured = tmap_tune_times_count(&it->measured);
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

	if (tmap_tune_times_init(&timing.measured, choices, place, list->place_count, err) < 0)
		return -1;
	timing.time = tmap_alloc((size_t)choices->said + 1, sizeof *timing.time, err);
	timing.rest = tmap_alloc((size_t)choices->said, sizeof *timing.rest, err);
	if (timing.time && timing.rest)
		status = list_fill(list, &timing, most, err);
	free(timing.time);
	free(timing.rest);
	tmap_tune_times_fini(&timing.measured);
	return status;
}
