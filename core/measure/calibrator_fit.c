/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator.h"

#include "core/base/mem.h"

#include <math.h>
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

/* How much longer the messages of a pair take than the lines say, in the middle, of those whose time is
 * mostly that of their bytes, or of the others; 1 without any. */
static double pair_factor(const struct tmap_calibration_distance *distance, int pair, bool is_large,
			  double *room)
{
	double start = 2 * tmap_calibration_time(distance, 0);
	int count = 0;

	for (int i = 0; i < distance->count; i++) {
		const struct tmap_calibration_point *point = &distance->point[i];
		double wanted = tmap_calibration_time(distance, point->bytes);

		if (point->pair == pair && (wanted > start) == is_large)
			room[count++] = point->seconds / wanted;
	}
	return count ? median(room, count) : 1;
}

static void pair_leave_out(struct tmap_calibration_distance *distance, int pair)
{
	for (int i = 0; i < distance->count; i++)
		distance->point[i].is_left_out |= distance->point[i].pair == pair;
}

/* Pairs whose large messages, or whose small ones, are unlike those of most pairs: of three pairs and more
 * they are left out, of two nobody knows which of them is the odd one. */
static int pairs_compare(struct tmap_calibrator *it, struct tmap_calibration_distance *distance,
			 bool is_large, bool *found, struct tmap_error *err)
{
	const struct tmap_distance_pairs *pairs = &distance->pairs;
	const char *size = is_large ? "large" : "small";
	double factor[TMAP_DISTANCE_PAIRS_MAX], sorted[TMAP_DISTANCE_PAIRS_MAX], usual;
	double most = fmax(log(unlike_factor), unlike_scatters * distance->fit.scatter);
	double *room = tmap_alloc_raw((size_t)distance->count, sizeof *room, err);
	int status = room ? 0 : -1;

	if (!room || pairs->count < 2) {
		free(room);
		return status;
	}
	for (int k = 0; k < pairs->count; k++)
		sorted[k] = factor[k] = pair_factor(distance, k, is_large, room);
	usual = median(sorted, pairs->count);
	if (pairs->count == 2 && fabs(log(factor[0] / factor[1])) > most)
		status = tmap_calibrator_note(
			it, err,
			"the two pairs of ranks at distance %d are unlike: %s messages of ranks %d "
			"and %d take %.2g times as long as those of ranks %d and %d",
			pairs->distance, size, pairs->a[0], pairs->b[0], factor[0] / factor[1],
			pairs->a[1], pairs->b[1]);
	for (int k = 0; k < pairs->count && pairs->count > 2 && status == 0; k++) {
		if (fabs(log(factor[k] / usual)) <= most)
			continue;
		*found = true;
		pair_leave_out(distance, k);
		status = tmap_calibrator_note(
			it, err,
			"ranks %d and %d are left out: their %s messages take %.2g times as long as "
			"those of other ranks at distance %d",
			pairs->a[k], pairs->b[k], size, factor[k] / usual, pairs->distance);
	}
	free(room);
	return status;
}

/* Is a rank's part in a pair? */
static bool point_has(const struct tmap_calibration_distance *distance,
		      const struct tmap_calibration_point *point, int rank)
{
	return distance->pairs.a[point->pair] == rank || distance->pairs.b[point->pair] == rank;
}

/* Messages of a rank, and how many of these take longer at one time than at another. */
static void rank_count(const struct tmap_calibrator *it, int rank, int *times, int *odd)
{
	*times = *odd = 0;
	for (int d = 0; d < it->distance_count; d++)
		for (int i = 0; i < it->distance[d].count; i++) {
			const struct tmap_calibration_point *point = &it->distance[d].point[i];

			if (!point_has(&it->distance[d], point, rank))
				continue;
			++*times;
			*odd += point->spread > quiet_spread;
		}
}

/* Ranks that are so in many of their messages, while others seldom are. */
static int ranks_note(struct tmap_calibrator *it, int all, int all_odd, struct tmap_error *err)
{
	for (int d = 0; d < it->distance_count; d++)
		for (int k = 0; k < 2 * it->distance[d].pairs.count; k++) {
			const struct tmap_distance_pairs *pairs = &it->distance[d].pairs;
			int rank = k % 2 ? pairs->b[k / 2] : pairs->a[k / 2];
			int times, odd;
			bool seen = false;

			for (int e = 0; e < d; e++)
				for (int j = 0; j < it->distance[e].pairs.count; j++)
					seen |= it->distance[e].pairs.a[j] == rank ||
						it->distance[e].pairs.b[j] == rank;
			if (seen)
				continue;
			rank_count(it, rank, &times, &odd);
			if (times < 8 || all == times || odd * 3 < times ||
			    (double)odd / times <
				    3 * (double)(all_odd - odd) / (double)(all - times))
				continue;
			if (tmap_calibrator_note(it, err,
						 "rank %d is interrupted: %d of its %d messages "
						 "take more than %g times as long at one time as "
						 "at another, of others %d of %d",
						 rank, odd, times, quiet_spread, all_odd - odd,
						 all - times) < 0)
				return -1;
		}
	return 0;
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
	return ranks_note(it, all, spread, err);
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
		bool found = false;

		qsort(distance->point, (size_t)distance->count, sizeof *distance->point,
		      compare_points);
		if (distance_fit(distance, err) < 0 ||
		    pairs_compare(it, distance, false, &found, err) < 0 ||
		    pairs_compare(it, distance, true, &found, err) < 0 ||
		    (found && distance_fit(distance, err) < 0))
			return -1;
	}
	return quiet_note(it, err) < 0 ? -1 : clocks_note(it, err);
}
