/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator.h"

#include "core/base/mem.h"
#include "core/measure/sample_statistics.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A trial whose clocks do not go together is run again so often. */
enum { ATTEMPTS = 4, NOTES_MAX = TMAP_PROFILE_NOTES_MAX };

int tmap_calibrator_init(struct tmap_calibrator *it, const struct tmap_placement *placement,
			 const struct tmap_metric *process, const struct tmap_levels *levels,
			 const struct tmap_trial_runner *runner, double seconds, uint64_t seed,
			 struct tmap_error *err)
{
	struct tmap_calibrator made = { .placement = placement,
					.process = process,
					.levels = levels,
					.runner = *runner,
					.seconds = seconds,
					.random = { .state = seed } };
	struct tmap_distance_pairs *pairs;

	if (placement->size < 2)
		return tmap_fail(err, TMAP_INPUT,
				 "messages are between ranks, and there is one rank");
	made.odd_clock = tmap_alloc((size_t)placement->size, sizeof *made.odd_clock, err);
	made.is_slow = tmap_alloc((size_t)placement->size, sizeof *made.is_slow, err);
	if (!made.odd_clock || !made.is_slow ||
	    tmap_distance_pairs_find(&pairs, &made.distance_count, process, &made.random, err) <
		    0) {
		free(made.odd_clock);
		free(made.is_slow);
		return -1;
	}
	made.distance = tmap_alloc((size_t)made.distance_count, sizeof *made.distance, err);
	for (int d = 0; made.distance && d < made.distance_count; d++)
		made.distance[d].pairs = pairs[d];
	free(pairs);
	if (!made.distance) {
		free(made.odd_clock);
		free(made.is_slow);
		return -1;
	}
	*it = made;
	return 0;
}

static void link_fini(struct tmap_calibration_link *link)
{
	tmap_crowd_sets_fini(&link->sets);
	free(link->set_of);
	free(link->byte_s);
	free(link->message_s);
	free(link->measured);
}

void tmap_calibrator_fini(struct tmap_calibrator *it)
{
	for (int d = 0; d < it->distance_count; d++) {
		free(it->distance[d].point);
		free(it->distance[d].again);
	}
	for (int i = 0; i < it->link_count; i++)
		link_fini(&it->link[i]);
	for (int i = 0; i < it->note_count; i++)
		free(it->note[i]);
	free(it->distance);
	free(it->link);
	free(it->note);
	free(it->odd_clock);
	free(it->is_slow);
	*it = (struct tmap_calibrator){ 0 };
}

int tmap_calibrator_note(struct tmap_calibrator *it, struct tmap_error *err, const char *format,
			 ...)
{
	char text[400];
	va_list args;

	if (it->note_count == NOTES_MAX)
		return 0;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (tmap_grow(&it->note, &it->note_capacity, (size_t)it->note_count + 1, sizeof *it->note,
		      err) < 0)
		return -1;
	it->note[it->note_count] = tmap_strdup(text, err);
	return it->note[it->note_count] ? (it->note_count++, 0) : -1;
}

bool tmap_calibrator_is_late(const struct tmap_calibrator *it, double part)
{
	return it->runner.spent(it->runner.data) > part * it->seconds;
}

struct tmap_trial tmap_calibrator_pair_trial(const struct tmap_calibration_distance *distance,
					     int pair, enum tmap_trial_kind kind, int64_t bytes)
{
	struct tmap_trial trial = { .kind = kind, .bytes = bytes, .window = 1, .count = 1 };

	trial.from[0] = distance->pairs.a[pair];
	trial.to[0] = distance->pairs.b[pair];
	return trial;
}

int tmap_calibrator_random_pair(struct tmap_calibrator *it,
				const struct tmap_calibration_distance *distance)
{
	int pair;

	do
		pair = (int)tmap_random_below(&it->random, (uint64_t)distance->pairs.count);
	while (distance->is_left_out[pair]);
	return pair;
}

void tmap_trial_sort(struct tmap_trial_result *result)
{
	tmap_numbers_sort(result->seconds, (size_t)result->count);
}

int tmap_calibrator_run(struct tmap_calibrator *it, const struct tmap_trial *trial,
			struct tmap_trial_result *result, struct tmap_error *err)
{
	int odd = TMAP_NONE;

	for (int i = 0; i < ATTEMPTS; i++) {
		if (it->runner.run(it->runner.data, trial, result, err) < 0)
			return -1;
		it->trials++;
		tmap_trial_sort(result);
		if (result->odd_rank == TMAP_NONE)
			return 0;
		odd = result->odd_rank;
		it->odd_clock[odd]++;
	}
	return tmap_fail(err, TMAP_INPUT,
			 "the clock of rank %d jumps: %d times one after another a message took "
			 "longer by it than by that of rank 0, or less than nothing",
			 odd, ATTEMPTS);
}

int tmap_calibrator_time(struct tmap_calibrator *it, const struct tmap_trial *trial,
			 double *seconds, struct tmap_error *err)
{
	struct tmap_trial_result result;

	if (tmap_calibrator_run(it, trial, &result, err) < 0)
		return -1;
	*seconds = tmap_trial_median(&result);
	return 0;
}

double tmap_trial_median(const struct tmap_trial_result *result)
{
	int n = result->count;

	return (result->seconds[(n - 1) / 2] + result->seconds[n / 2]) / 2;
}

struct tmap_calibration_distance *tmap_calibrator_distance(struct tmap_calibrator *it, int a, int b)
{
	int distance = (int)tmap_metric_distance(it->process, a, b);

	for (int d = 0; d < it->distance_count; d++)
		if (it->distance[d].pairs.distance == distance)
			return &it->distance[d];
	return NULL;
}

double tmap_calibration_time(const struct tmap_calibration_distance *distance, int64_t bytes)
{
	return tmap_piecewise_at(&distance->fit, bytes);
}
