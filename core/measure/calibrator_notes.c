/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator.h"

#include "core/base/mem.h"

#include <stdio.h>
#include <stdlib.h>

/* A machine is not quiet where times of a distance scatter by more than that, where of all times
 * more than that are outliers, or where times of one message, one right after another, differ so often
 * by the factor. */
static const double quiet_scatter = 0.12, quiet_outliers = 0.12, quiet_spread = 1.5,
		    quiet_spread_part = 0.25, steady_rise = 1.05;

/* Outliers of noise: where several that follow each other lie on one side of the lines, and mostly take the
 * same time, though one of several may be interrupted, the lines are too few. */
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
		if (point->is_outlier && point->rise > steady_rise) {
			outliers++;
			run = 0;
			continue;
		}
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
		it->is_noisy = true;
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
	return 0;
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

int tmap_calibrator_note_machine(struct tmap_calibrator *it, struct tmap_error *err)
{
	if (quiet_note(it, err) < 0 || ranks_note(it, err) < 0)
		return -1;
	return clocks_note(it, err);
}
