/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/tune_times.h"

#include "core/base/mem.h"
#include "core/measure/times.h"
#include "core/tune/tune_uses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct point {
	int64_t bytes;
	struct tmap_tune_time time;
};

/* Times of one thing on one communicator. */
struct tmap_tune_curve {
	int count;
	size_t capacity;
	struct point *point; /* [count], bytes rising */
};

static struct tmap_tune_curve *curve_of(const struct tmap_tune_times *times, int place, int choice)
{
	return &times->curve[(size_t)place * ((size_t)times->choices->count + 1) + (size_t)choice];
}

/* Of one time alone it is not known how far it is from others. */
static struct tmap_tune_time time_of(const struct tmap_experiment *experiment)
{
	bool is_one = !experiment->seconds.has_interval && experiment->run_count == 1 &&
		experiment->repetitions < 2;

	return (struct tmap_tune_time){ experiment->seconds.median,
					is_one ? 0 : tmap_experiment_low(experiment),
					is_one ? INFINITY : tmap_experiment_high(experiment) };
}

static int curve_add(struct tmap_tune_curve *curve, const struct tmap_experiment *experiment,
		     struct tmap_error *err)
{
	struct point point = { .bytes = experiment->bytes, .time = time_of(experiment) };
	int at = curve->count;

	if (!(tmap_experiment_low(experiment) > 0))
		return 0; /* what takes no time cannot be told apart */
	if (tmap_grow(&curve->point, &curve->capacity, (size_t)curve->count + 1,
		      sizeof *curve->point, err) < 0)
		return -1;
	for (; at > 0 && curve->point[at - 1].bytes > point.bytes; at--)
		curve->point[at] = curve->point[at - 1];
	curve->point[at] = point;
	curve->count++;
	return 0;
}

/* Of 0 and of INFINITY nothing is left but these. */
static double between(double a, double b, double part)
{
	return a > 0 && isfinite(a) ? a * pow(b / a, part) : a;
}

static bool curve_at(struct tmap_tune_time *time, const struct tmap_tune_curve *curve,
		     int64_t bytes)
{
	const struct point *low, *high;
	double part;
	int at = 0;

	while (at < curve->count && curve->point[at].bytes < bytes)
		at++;
	if (at == curve->count)
		return false;
	high = &curve->point[at];
	low = at && high->bytes != bytes ? high - 1 : high;
	if (low == high && high->bytes != bytes)
		return false;
	if (low != high && (high->bytes - 1) / TMAP_TUNE_APART >= low->bytes)
		return false;
	part = low == high ? 0 :
			     log((double)bytes / (double)low->bytes) /
			log((double)high->bytes / (double)low->bytes);
	time->seconds = between(low->time.seconds, high->time.seconds, part);
	time->low = between(low->time.low, high->time.low, part);
	time->high = between(low->time.high, high->time.high, part);
	return true;
}

void tmap_tune_times_fini(struct tmap_tune_times *times)
{
	int count = times->curve ? times->place_count * (times->choices->count + 1) : 0;

	for (int i = 0; i < count; i++)
		free(times->curve[i].point);
	free(times->curve);
	*times = (struct tmap_tune_times){ 0 };
}

/* Which choice an experiment is of; choices->count: what the library takes by itself; TMAP_NONE. */
static int find_choice(const struct tmap_tune_choices *choices,
		       const struct tmap_experiment *experiment)
{
	bool is_native = tmap_experiment_is_native(experiment);
	const char *name = is_native ? tmap_experiment_native_name(experiment) :
				       experiment->algorithm;

	if (is_native && !name)
		return choices->count;
	return tmap_tune_choices_find(choices, name, is_native);
}

static int place_fill(struct tmap_tune_times *times, int p, struct tmap_error *err)
{
	const struct tmap_times *from = times->place[p]->times;

	for (int i = 0; from && i < from->count; i++) {
		const struct tmap_experiment *it = &from->experiment[i];
		int choice;

		if (it->collective != times->choices->collective ||
		    tmap_tune_use_of(times->choices, it) != TMAP_TUNE_USED)
			continue;
		choice = find_choice(times->choices, it);
		if (choice != TMAP_NONE && curve_add(curve_of(times, p, choice), it, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_tune_times_init(struct tmap_tune_times *times, const struct tmap_tune_choices *choices,
			 struct tmap_tune_place *const *place, int place_count,
			 struct tmap_error *err)
{
	int status = 0;

	*times = (struct tmap_tune_times){ .choices = choices,
					   .place = place,
					   .place_count = place_count };
	times->curve = tmap_alloc((size_t)place_count * ((size_t)choices->count + 1),
				  sizeof *times->curve, err);
	if (!times->curve)
		return -1;
	for (int p = 0; p < place_count && status == 0; p++)
		status = place_fill(times, p, err);
	if (status < 0)
		tmap_tune_times_fini(times);
	return status;
}

/* Part of a geometric mean. */
static void time_multiply(struct tmap_tune_time *time, const struct tmap_tune_time *by,
			  double share)
{
	time->seconds *= pow(by->seconds, share);
	time->low *= pow(by->low, share);
	time->high *= pow(by->high, share);
}

static double times_share(const struct tmap_tune_times *times, int p)
{
	return tmap_tune_share(times->place, times->place_count, p, times->choices->collective);
}

bool tmap_tune_times_choice(struct tmap_tune_time *time, const struct tmap_tune_times *times, int i,
			    int64_t bytes)
{
	struct tmap_tune_time product = { 1, 1, 1 }, one;

	for (int p = 0; p < times->place_count; p++) {
		double share = times_share(times, p);

		if (share > 0 && !curve_at(&one, curve_of(times, p, i), bytes))
			return false;
		if (share > 0)
			time_multiply(&product, &one, share);
	}
	*time = product;
	return true;
}

/* Which choice the fixed rules take on a communicator; TMAP_NONE: it is not known. */
static int own_choice(const struct tmap_tune_times *times, int p, int64_t bytes)
{
	const struct tmap_tune_choices *choices = times->choices;
	const struct tmap_library_choice own = tmap_library_rules_own(
		choices->library,
		&(struct tmap_library_call){ .collective = choices->collective,
					     .size = times->place[p]->placement.size,
					     .bytes = bytes,
					     .element = choices->element,
					     .order = &times->place[p]->order });

	return own.algorithm[0] ? tmap_tune_choices_find(choices, own.algorithm, true) : TMAP_NONE;
}

/* What the fixed rules take, or, with @p by_itself, the library: what was measured as that comes first. */
static bool times_own(struct tmap_tune_time *time, const struct tmap_tune_times *times,
		      bool by_itself, int64_t bytes)
{
	struct tmap_tune_time product = { 1, 1, 1 }, one;

	for (int p = 0; p < times->place_count; p++) {
		double share = times_share(times, p);
		int own = own_choice(times, p, bytes);
		bool is_same =
			!tmap_library_levels(times->choices->library, &times->place[p]->order)
				 .takes[times->choices->collective];

		if (share <= 0)
			continue;
		if (!((by_itself || is_same) &&
		      curve_at(&one, curve_of(times, p, times->choices->count), bytes)) &&
		    !((!by_itself || is_same) && own != TMAP_NONE &&
		      curve_at(&one, curve_of(times, p, own), bytes)))
			return false;
		time_multiply(&product, &one, share);
	}
	*time = product;
	return true;
}

bool tmap_tune_times_own(struct tmap_tune_time *time, const struct tmap_tune_times *times,
			 int64_t bytes)
{
	return times_own(time, times, false, bytes);
}

bool tmap_tune_times_itself(struct tmap_tune_time *time, const struct tmap_tune_times *times,
			    int64_t bytes)
{
	return times_own(time, times, true, bytes);
}

bool tmap_tune_times_cover(const struct tmap_tune_times *times, int64_t bytes)
{
	struct tmap_tune_time ignored;

	if (!tmap_tune_times_own(&ignored, times, bytes))
		return false;
	for (int i = 0; i < times->choices->said; i++)
		if (tmap_tune_times_choice(&ignored, times, i, bytes))
			return true;
	return false;
}

int64_t tmap_tune_times_next(const struct tmap_tune_times *times, int64_t bytes)
{
	int64_t next = INT64_MAX;

	for (int p = 0; p < times->place_count; p++)
		for (int i = 0; i <= times->choices->count; i++) {
			const struct tmap_tune_curve *curve = curve_of(times, p, i);

			for (int k = 0; k < curve->count; k++)
				if (curve->point[k].bytes > bytes && curve->point[k].bytes < next)
					next = curve->point[k].bytes;
		}
	return next;
}

static bool curve_has(const struct tmap_tune_curve *curve, int64_t bytes)
{
	for (int k = 0; k < curve->count; k++)
		if (curve->point[k].bytes == bytes)
			return true;
	return false;
}

bool tmap_tune_times_have(const struct tmap_tune_times *times, int i, int64_t bytes)
{
	if (i == TMAP_NONE)
		return tmap_tune_times_next(times, bytes - 1) == bytes;
	for (int p = 0; p < times->place_count; p++)
		if (times_share(times, p) > 0 && !curve_has(curve_of(times, p, i), bytes))
			return false;
	return true;
}

int tmap_tune_times_count(const struct tmap_tune_times *times)
{
	int measured = 0;

	for (int i = 0; i < times->choices->said; i++) {
		bool everywhere = true;

		for (int p = 0; p < times->place_count; p++)
			everywhere &= times_share(times, p) <= 0 ||
				curve_of(times, p, i)->count > 0;
		measured += everywhere;
	}
	return measured;
}

int tmap_tune_times_both(double seconds[2], bool *is_measured, const struct tmap_tune_times *times,
			 int choice, enum tmap_tune_left left, int64_t bytes,
			 struct tmap_error *err)
{
	struct tmap_tune_time own, chosen;

	*is_measured = tmap_tune_times_itself(&own, times, bytes) &&
		(choice != TMAP_NONE ? tmap_tune_times_choice(&chosen, times, choice, bytes) :
			 left == TMAP_LEFT_TO_FIXED_RULES ?
				       tmap_tune_times_own(&chosen, times, bytes) :
				       tmap_tune_times_itself(&chosen, times, bytes));
	if (*is_measured) {
		seconds[0] = own.seconds;
		seconds[1] = chosen.seconds;
		return 0;
	}
	if (tmap_tune_own_cost(&seconds[0], NULL, times->choices, true, times->place,
			       times->place_count, bytes, err) < 0)
		return -1;
	if (choice != TMAP_NONE)
		return tmap_tune_choice_cost(&seconds[1], times->choices, choice, times->place,
					     times->place_count, bytes, err);
	return tmap_tune_own_cost(&seconds[1], NULL, times->choices, left == TMAP_LEFT_TO_LIBRARY,
				  times->place, times->place_count, bytes, err);
}
