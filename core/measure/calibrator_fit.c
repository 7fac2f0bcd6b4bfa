/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator.h"

#include "core/base/mem.h"
#include "core/measure/sample_statistics.h"

#include <math.h>
#include <stdlib.h>

/* A pair is unlike others whose times it takes by so much, and by so many times their scatter. */
static const double unlike_factor = 1.15, unlike_scatters = 4;

/* So many of its messages are asked, at least. */
enum { LEAST_MESSAGES = 4 };

static int compare_points(const void *a, const void *b)
{
	const struct tmap_calibration_point *x = a, *y = b;

	return x->bytes != y->bytes ? (x->bytes > y->bytes) - (x->bytes < y->bytes) :
		x->pair != y->pair  ? (x->pair > y->pair) - (x->pair < y->pair) :
				      (x->seconds > y->seconds) - (x->seconds < y->seconds);
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

/* How much longer the messages of a pair take than the lines say. */
struct pair_factor {
	double factor;  /* in the middle; 1 without any */
	double scatter; /* around it, of the logarithms, as for a normal distribution */
	int count;
};

/* Of those messages whose time is mostly that of their bytes, or of the others. */
static struct pair_factor pair_compare(const struct tmap_calibration_distance *distance, int pair,
				       bool is_large, double *room)
{
	double start = 2 * tmap_calibration_time(distance, 0);
	struct pair_factor found = { 1, 0, 0 };
	int count = 0;

	for (int i = 0; i < distance->count; i++) {
		const struct tmap_calibration_point *point = &distance->point[i];
		double wanted = tmap_calibration_time(distance, point->bytes);

		if (point->pair == pair && (wanted > start) == is_large)
			room[count++] = point->seconds / wanted;
	}
	found.count = count;
	if (!count)
		return found;
	found.factor = tmap_numbers_median(room, (size_t)count);
	for (int i = 0; i < count; i++)
		room[i] = fabs(log(room[i] / found.factor));
	found.scatter = 1.4826 * tmap_numbers_median(room, (size_t)count);
	return found;
}

static void pair_leave_out(struct tmap_calibration_distance *distance, int pair)
{
	distance->is_left_out[pair] = true;
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

/* The pair that is most unlike those that are left, by its small messages, which take longer or shorter
 * than those of the pair in the middle; or by its large ones, which take longer than those of the fastest:
 * what a distance lets through is seen where nothing narrower is on the way, as a node's adapter is. */
static void pairs_find_unlike(struct unlike *worst,
			      const struct tmap_calibration_distance *distance, bool is_large,
			      double *room)
{
	double factor[TMAP_DISTANCE_PAIRS_MAX], sorted[TMAP_DISTANCE_PAIRS_MAX], most, middle,
		least;
	double scatter[TMAP_DISTANCE_PAIRS_MAX];
	int pair[TMAP_DISTANCE_PAIRS_MAX], count = 0;

	for (int k = 0; k < distance->pairs.count; k++) {
		struct pair_factor its = pair_compare(distance, k, is_large, room);

		if (distance->is_left_out[k] || its.count < LEAST_MESSAGES)
			continue;
		sorted[count] = factor[count] = its.factor;
		scatter[count] = its.scatter;
		pair[count++] = k;
	}
	if (count < 2)
		return;
	most = fmax(log(unlike_factor),
		    unlike_scatters * tmap_numbers_median(scatter, (size_t)count));
	middle = tmap_numbers_median(sorted, (size_t)count);
	least = sorted[0]; /* they rise now */
	for (int i = 0; i < count; i++) {
		double usual = is_large ? least : count == 2 ? factor[1 - i] : middle;
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

	return small.factor > unlike_factor;
}

static int pairs_left(const struct tmap_calibration_distance *distance)
{
	int count = 0;

	for (int k = 0; k < distance->pairs.count; k++)
		count += !distance->is_left_out[k];
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
 * are made anew; of two nobody knows which is the odd one, unless it is the slow one. */
static int pairs_compare(struct tmap_calibrator *it, struct tmap_calibration_distance *distance,
			 struct tmap_error *err)
{
	const struct tmap_distance_pairs *pairs = &distance->pairs;
	double *room = tmap_alloc_raw((size_t)distance->count, sizeof *room, err);
	int status = room ? 0 : -1;

	while (status == 0) {
		struct unlike worst = { TMAP_NONE, false, 1, 1 };
		bool is_left_out;

		pairs_find_unlike(&worst, distance, false, room);
		pairs_find_unlike(&worst, distance, true, room);
		if (worst.pair == TMAP_NONE)
			break;
		is_left_out = pairs_left(distance) > (worst.is_large ? 1 : 2);
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

int tmap_calibrator_fit(struct tmap_calibrator *it, struct tmap_error *err)
{
	for (int d = 0; d < it->distance_count; d++) {
		struct tmap_calibration_distance *distance = &it->distance[d];

		qsort(distance->point, (size_t)distance->count, sizeof *distance->point,
		      compare_points);
		if (distance_fit(distance, err) < 0)
			return -1;
		/* few messages name nobody */
		if (it->whole_passes && pairs_compare(it, distance, err) < 0)
			return -1;
	}
	return tmap_calibrator_note_machine(it, err) < 0 ? -1 : tmap_calibrator_vary(it, err);
}
