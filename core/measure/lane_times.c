/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/lane_times.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

void tmap_lane_times_fini(struct tmap_lane_times *times)
{
	for (int i = 0; i < times->count; i++)
		free(times->experiment[i].time);
	free(times->experiment);
	*times = (struct tmap_lane_times){ 0 };
}

int tmap_lane_times_add_take(struct tmap_lane_times *times, int64_t bytes, int lanes,
			     struct tmap_experiment *from, struct tmap_error *err)
{
	if (tmap_grow(&times->experiment, &times->capacity, (size_t)times->count + 1,
		      sizeof *times->experiment, err) < 0)
		return -1;
	times->experiment[times->count++] =
		(struct tmap_lane_experiment){ .bytes = bytes,
					       .lanes = lanes,
					       .repetitions = from->repetitions,
					       .is_correct = from->is_correct,
					       .seconds = from->seconds,
					       .time = from->raw };
	from->raw = NULL;
	return 0;
}

static int time_compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* The median of a sample with the ends of its interval of 97.5 %. */
struct median {
	double median, low, high;
	bool has_interval;
};

static int median_init(struct median *it, const double *time, size_t count, struct tmap_error *err)
{
	size_t k = tmap_interval_rank_of(count, 0.0125);
	double *sorted = tmap_alloc_raw(count, sizeof *sorted, err);

	if (!sorted)
		return -1;
	memcpy(sorted, time, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, time_compare);
	*it = (struct median){ .median = tmap_quantile(sorted, count, 0.5) };
	it->has_interval = k > 0 && sorted[k - 1] > 0;
	if (it->has_interval) {
		it->low = sorted[k - 1];
		it->high = sorted[count - k];
	}
	free(sorted);
	return 0;
}

int tmap_speedup_init(struct tmap_speedup *speedup, const double *one, size_t one_count,
		      const double *other, size_t other_count, double work, struct tmap_error *err)
{
	struct median a, b;

	if (median_init(&a, one, one_count, err) < 0 ||
	    median_init(&b, other, other_count, err) < 0)
		return -1;
	*speedup = (struct tmap_speedup){ .ratio = work * a.median / b.median };
	speedup->has_interval = a.has_interval && b.has_interval;
	if (speedup->has_interval) {
		speedup->low = work * a.low / b.high;
		speedup->high = work * a.high / b.low;
	}
	return 0;
}

static int experiment_compare(const void *a, const void *b)
{
	const struct tmap_lane_experiment *left = a, *right = b;

	if (left->bytes != right->bytes)
		return left->bytes < right->bytes ? -1 : 1;
	return (left->lanes > right->lanes) - (left->lanes < right->lanes);
}

void tmap_lane_times_sort(struct tmap_lane_times *times)
{
	qsort(times->experiment, (size_t)times->count, sizeof *times->experiment,
	      experiment_compare);
}

int tmap_lane_times_finish(struct tmap_lane_times *times, struct tmap_error *err)
{
	const struct tmap_lane_experiment *one = NULL;

	tmap_lane_times_sort(times);
	for (int i = 0; i < times->count; i++) {
		struct tmap_lane_experiment *it = &times->experiment[i];

		if (it->lanes == 1)
			one = it;
		it->has_speedup = one && one->bytes == it->bytes && it->seconds.median > 0;
		if (it == one)
			it->speedup.ratio = 1; /* of itself: there is nothing to be unsure of */
		else if (it->has_speedup &&
			 tmap_speedup_init(&it->speedup, one->time, (size_t)one->repetitions,
					   it->time, (size_t)it->repetitions,
					   times->has_collective ? it->lanes : 1, err) < 0)
			return -1;
	}
	return 0;
}
