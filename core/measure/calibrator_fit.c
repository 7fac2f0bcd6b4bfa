/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A pair is unlike others whose times it takes by so much, and by so many times their scatter. */
static const double unlike_factor = 1.15, unlike_scatters = 4;

/* A machine is not quiet where times of a distance scatter by more than that, where of all times
 * more than that are outliers, or where times of one message, one right after another, differ so often
 * by the factor. */
static const double quiet_scatter = 0.12, quiet_outliers = 0.12, quiet_spread = 1.5,
		    quiet_spread_part = 0.25;

static int compare_points(const void *a, const void *b)
{
	const struct tmap_calibration_point *x = a, *y = b;

	return x->bytes != y->bytes ? (x->bytes > y->bytes) - (x->bytes < y->bytes) :
		x->pair != y->pair  ? (x->pair > y->pair) - (x->pair < y->pair) :
				      (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *number, int count)
{
	qsort(number, (size_t)count, sizeof *number, compare_numbers);
	return (number[(count - 1) / 2] + number[count / 2]) / 2;
}

/* A piece begins where messages become rendezvous, unless that leaves too few for other borders; as many
 * numbers may be chosen for nothing. */
static int points_fit(struct tmap_piecewise *fit, struct tmap_fit_point *point, int count,
		      int64_t border, struct tmap_error *err)
{
	struct tmap_piecewise free_fit;

	if (tmap_piecewise_fit(&free_fit, point, count, 0, err) < 0)
		return -1;
	if (border > 0 && tmap_piecewise_fit(fit, point, count, border, err) < 0)
		return -1;
	if (border > 0 && fit->criterion <= free_fit.criterion + 6 * log(count))
		return 0;
	return tmap_piecewise_fit(fit, point, count, 0, err);
}

/* Through the points that are not left out. */
static int distance_fit(struct tmap_calibration_distance *distance, struct tmap_error *err)
{
	struct tmap_fit_point *point = tmap_alloc((size_t)distance->count, sizeof *point, err);
	int64_t border = distance->eager_before < INT64_MAX ? distance->eager_before : 0;
	int count = 0, status = point ? 0 : -1;

	for (int i = 0; point && i < distance->count; i++)
		if (!distance->point[i].is_left_out && count < TMAP_FIT_POINTS_MAX)
			point[count++] = (struct tmap_fit_point){ distance->point[i].bytes,
								  distance->point[i].seconds,
								  false };
	if (status == 0)
		status = points_fit(&distance->fit, point, count, border, err);
	if (status == 0)
		count = 0;
	for (int i = 0; status == 0 && i < distance->count; i++) {
		struct tmap_calibration_point *it = &distance->point[i];

		it->is_outlier = it->is_left_out || point[count++].is_outlier;
	}
	free(point);
	return status;
}

/* Outliers that come one by one: where several that follow each other lie on one side of the lines, the
 * lines are too few, which is no noise. */
static int outliers_count(const struct tmap_calibration_distance *distance)
{
	enum { RUN = 3 };
	int outliers = 0, run = 0;
	bool was_above = false;

	for (int i = 0; i < distance->count; i++) {
		const struct tmap_calibration_point *point = &distance->point[i];
		bool above = point->seconds > tmap_calibration_time(distance, point->bytes);

		if (point->is_left_out)
			continue;
		run = !point->is_outlier ? 0 : run > 0 && above == was_above ? run + 1 : 1;
		was_above = above;
		outliers += run > 0;
		if (run == RUN)
			outliers -= RUN;
		else if (run > RUN)
			outliers--;
	}
	return outliers;
}

/* How much longer the messages of a pair take than the lines say. */
struct pair_factor {
	double factor;  /* in the middle; 1 without any */
	double scatter; /* around it, of the logarithms, as for a normal distribution */
};

/* Of those messages whose time is mostly that of their bytes, or of the others. */
static struct pair_factor pair_compare(const struct tmap_calibration_distance *distance, int pair,
				       bool is_large, double *room)
{
	double start = 2 * tmap_calibration_time(distance, 0);
	struct pair_factor found = { 1, 0 };
	int count = 0;

	for (int i = 0; i < distance->count; i++) {
		const struct tmap_calibration_point *point = &distance->point[i];
		double wanted = tmap_calibration_time(distance, point->bytes);

		if (point->pair == pair && (wanted > start) == is_large)
			room[count++] = point->seconds / wanted;
	}
	if (!count)
		return found;
	found.factor = median(room, count);
	for (int i = 0; i < count; i++)
		room[i] = fabs(log(room[i] / found.factor));
	found.scatter = 1.4826 * median(room, count);
	return found;
}

static bool pair_is_left_out(const struct tmap_calibration_distance *distance, int pair)
{
	for (int i = 0; i < distance->count; i++)
		if (distance->point[i].pair == pair)
			return distance->point[i].is_left_out;
	return false;
}

static void pair_leave_out(struct tmap_calibration_distance *distance, int pair)
{
	for (int i = 0; i < distance->count; i++)
		distance->point[i].is_left_out |= distance->point[i].pair == pair;
}

/* How unlike the others a pair is. */
struct unlike {
	int pair; /* TMAP_NONE: none is */
	bool is_large;
	double ratio; /* of its messages to those of the pair in the middle */
	double off;   /* its logarithm, in units of the most that is alike */
};

/* The pair that is most unlike those that are left, by its large messages or by its small ones. */
static void pairs_find_unlike(struct unlike *worst,
			      const struct tmap_calibration_distance *distance, bool is_large,
			      double *room)
{
	double factor[TMAP_DISTANCE_PAIRS_MAX], sorted[TMAP_DISTANCE_PAIRS_MAX], most;
	double scatter[TMAP_DISTANCE_PAIRS_MAX];
	int pair[TMAP_DISTANCE_PAIRS_MAX], count = 0;

	for (int k = 0; k < distance->pairs.count; k++) {
		struct pair_factor its = pair_compare(distance, k, is_large, room);

		if (pair_is_left_out(distance, k))
			continue;
		sorted[count] = factor[count] = its.factor;
		scatter[count] = its.scatter;
		pair[count++] = k;
	}
	if (count < 2)
		return;
	most = fmax(log(unlike_factor), unlike_scatters * median(scatter, count));
	for (int i = 0; i < count; i++) {
		double usual = count == 2 ? factor[1 - i] : median(sorted, count);
		double off = fabs(log(factor[i] / usual)) / most;

		if (off > worst->off)
			*worst = (struct unlike){ pair[i], is_large, factor[i] / usual, off };
	}
}

/* Are its small messages unlike those of others, too? Then a rank is slow, and no adapter. */
static bool pair_is_slow(const struct tmap_calibration_distance *distance,
			 const struct unlike *worst, double *room)
{
	struct pair_factor small = pair_compare(distance, worst->pair, false, room);

	return !worst->is_large || fabs(log(small.factor)) > log(unlike_factor);
}

static int pairs_left(const struct tmap_calibration_distance *distance)
{
	int count = 0;

	for (int k = 0; k < distance->pairs.count; k++)
		count += !pair_is_left_out(distance, k);
	return count;
}

static int pair_note(struct tmap_calibrator *it, const struct tmap_calibration_distance *distance,
		     const struct unlike *worst, bool is_left_out, struct tmap_error *err)
{
	const struct tmap_distance_pairs *pairs = &distance->pairs;
	const char *size = worst->is_large ? "large" : "small";
	int k = worst->pair;

	if (is_left_out)
		return tmap_calibrator_note(
			it, err,
			"ranks %d and %d are left out: their %s messages take %.2g times as long as "
			"those of other ranks at distance %d",
			pairs->a[k], pairs->b[k], size, worst->ratio, pairs->distance);
	return tmap_calibrator_note(
		it, err,
		"the two pairs of ranks at distance %d are unlike: %s messages of "
		"ranks %d and %d take %.2g times as long as those of the others",
		pairs->distance, size, pairs->a[k], pairs->b[k], worst->ratio);
}

/* As long as there are three pairs, the one that is most unlike the others is left out, and the lines
 * are made anew; of two nobody knows which is the odd one. */
static int pairs_compare(struct tmap_calibrator *it, struct tmap_calibration_distance *distance,
			 struct tmap_error *err)
{
	const struct tmap_distance_pairs *pairs = &distance->pairs;
	double *room = tmap_alloc_raw((size_t)distance->count, sizeof *room, err);
	int status = room ? 0 : -1;

	while (status == 0) {
		struct unlike worst = { TMAP_NONE, false, 1, 1 };
		bool is_left_out = pairs_left(distance) > 2;

		pairs_find_unlike(&worst, distance, false, room);
		pairs_find_unlike(&worst, distance, true, room);
		if (worst.pair == TMAP_NONE)
			break;
		status = pair_note(it, distance, &worst, is_left_out, err);
		if (!is_left_out)
			break;
		pair_leave_out(distance, worst.pair);
		if (pair_is_slow(distance, &worst, room)) {
			it->is_slow[pairs->a[worst.pair]] = true;
			it->is_slow[pairs->b[worst.pair]] = true;
		}
		if (status == 0)
			status = distance_fit(distance, err);
	}
	free(room);
	return status;
}

/* Messages of a rank, and how many of these take longer at one time than at another. */
struct rank_times {
	int times, odd;
};

static bool point_is_odd(const struct tmap_calibration_point *point)
{
	return point->spread > quiet_spread;
}

/* Of all ranks: [size]; pairs with one that is @p known to be odd do not count. *all: of all pairs. */
static void ranks_count(const struct tmap_calibrator *it, const bool *known,
			struct rank_times *rank, struct rank_times *all)
{
	*all = (struct rank_times){ 0, 0 };
	for (int r = 0; r < it->placement->size; r++)
		rank[r] = *all;
	for (int d = 0; d < it->distance_count; d++)
		for (int i = 0; i < it->distance[d].count; i++) {
			const struct tmap_distance_pairs *pairs = &it->distance[d].pairs;
			const struct tmap_calibration_point *point = &it->distance[d].point[i];
			int a = pairs->a[point->pair], b = pairs->b[point->pair];

			if (known[a] || known[b])
				continue;
			rank[a].times++;
			rank[b].times++;
			all->times++;
			rank[a].odd += point_is_odd(point);
			rank[b].odd += point_is_odd(point);
			all->odd += point_is_odd(point);
		}
}

/* It is so in a third of its messages, and the others are seldom. */
static bool rank_is_odd(const struct rank_times *rank, const struct rank_times *all)
{
	int others = all->times - rank->times;

	return rank->times >= 8 && others > 0 && 3 * rank->odd >= rank->times &&
		(double)rank->odd / rank->times > 3 * (double)(all->odd - rank->odd) / others;
}

/* The rank of a pair with it of which the same can be said; TMAP_NONE: there is none. */
static int rank_find_like(const struct tmap_calibrator *it, const struct rank_times *rank,
			  int worst)
{
	for (int d = 0; d < it->distance_count; d++)
		for (int k = 0; k < it->distance[d].pairs.count; k++) {
			int a = it->distance[d].pairs.a[k], b = it->distance[d].pairs.b[k];
			int other = a == worst ? b : a;

			if ((a == worst || b == worst) && rank[other].odd == rank[worst].odd &&
			    rank[other].times == rank[worst].times)
				return other;
		}
	return TMAP_NONE;
}

/* The one that is most often odd, then the one that is so of the rest, and so on: a pair does not tell
 * which of its ranks it is, but other pairs do. */
static int ranks_note(struct tmap_calibrator *it, struct tmap_error *err)
{
	size_t size = (size_t)it->placement->size;
	struct rank_times *rank = tmap_alloc(size, sizeof *rank, err), all;
	bool *known = tmap_alloc(size, sizeof *known, err);
	int status = rank && known ? 0 : -1;
	char or_other[32];

	while (status == 0) {
		int worst = 0, other;

		ranks_count(it, known, rank, &all);
		for (int r = 1; r < it->placement->size; r++)
			if (rank[r].odd > rank[worst].odd ||
			    (rank[r].odd == rank[worst].odd && rank[r].times < rank[worst].times))
				worst = r;
		if (!rank_is_odd(&rank[worst], &all))
			break;
		known[worst] = true;
		other = rank_find_like(it, rank, worst);
		or_other[0] = '\0';
		if (other != TMAP_NONE)
			snprintf(or_other, sizeof or_other, " or rank %d", other);
		status = tmap_calibrator_note(
			it, err,
			"rank %d%s is interrupted: %d of its %d messages take more than %g times as "
			"long at one time as at another, of others %d of %d",
			worst, or_other, rank[worst].odd, rank[worst].times, quiet_spread,
			all.odd - rank[worst].odd, all.times - rank[worst].times);
	}
	free(rank);
	free(known);
	return status;
}

/* Was the machine quiet? */
static int quiet_note(struct tmap_calibrator *it, struct tmap_error *err)
{
	int all = 0, outliers = 0, spread = 0;
	double widest = 0;
	int at = 0;

	for (int d = 0; d < it->distance_count; d++) {
		const struct tmap_calibration_distance *distance = &it->distance[d];

		if (distance->fit.scatter > widest) {
			widest = distance->fit.scatter;
			at = distance->pairs.distance;
		}
		outliers += outliers_count(distance);
		for (int i = 0; i < distance->count; i++) {
			const struct tmap_calibration_point *point = &distance->point[i];

			all++;
			spread += point->spread > quiet_spread;
		}
	}
	if (widest > quiet_scatter &&
	    tmap_calibrator_note(
		    it, err, "the machine was not quiet: times at distance %d scatter by %.0f %%",
		    at, 100 * widest) < 0)
		return -1;
	if (outliers > quiet_outliers * all &&
	    tmap_calibrator_note(it, err, "the machine was not quiet: %d of %d times are outliers",
				 outliers, all) < 0)
		return -1;
	if (spread > quiet_spread_part * all &&
	    tmap_calibrator_note(it, err,
				 "the machine was not quiet: %d of %d messages take more than %g "
				 "times as long at one time as at another",
				 spread, all, quiet_spread) < 0)
		return -1;
	it->is_noisy = widest > quiet_scatter || outliers > quiet_outliers * all ||
		spread > quiet_spread_part * all;
	return ranks_note(it, err);
}

static int clocks_note(struct tmap_calibrator *it, struct tmap_error *err)
{
	for (int r = 0; r < it->placement->size; r++)
		if (it->odd_clock[r] &&
		    tmap_calibrator_note(it, err,
					 "the clock of rank %d jumped: %d of %lld trials were "
					 "dropped for it",
					 r, it->odd_clock[r], (long long)it->trials) < 0)
			return -1;
	return 0;
}

int tmap_calibrator_fit(struct tmap_calibrator *it, struct tmap_error *err)
{
	for (int d = 0; d < it->distance_count; d++) {
		struct tmap_calibration_distance *distance = &it->distance[d];

		qsort(distance->point, (size_t)distance->count, sizeof *distance->point,
		      compare_points);
		if (distance_fit(distance, err) < 0 || pairs_compare(it, distance, err) < 0)
			return -1;
	}
	return quiet_note(it, err) < 0 ? -1 : clocks_note(it, err);
}
