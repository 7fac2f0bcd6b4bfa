/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/sample_statistics.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_times(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

void tmap_numbers_sort(double *value, size_t count)
{
	qsort(value, count, sizeof *value, compare_times);
}

double tmap_numbers_median(double *value, size_t count)
{
	tmap_numbers_sort(value, count);
	return (value[(count - 1) / 2] + value[count / 2]) / 2;
}

double tmap_quantile(const double *sorted, size_t count, double at)
{
	double place = (double)(count - 1) * at;
	size_t below = (size_t)place;
	double part = place - (double)below;

	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

/* Heads farther than nine standard deviations from the middle add nothing that a double sees. */
size_t tmap_interval_rank_of(size_t count, double tail)
{
	double n = (double)count, first = floor(n / 2 - 9 * sqrt(n) / 2), sum = 0, heads, chance;

	heads = first > 0 ? first : 0;
	chance = lgamma(n + 1) - lgamma(heads + 1) - lgamma(n - heads + 1) - n * log(2);
	for (; heads <= n / 2; heads++) {
		sum += exp(chance);
		if (sum > tail)
			break;
		chance += log((n - heads) / (heads + 1));
	}
	return (size_t)heads;
}

size_t tmap_interval_rank(size_t count)
{
	return tmap_interval_rank_of(count, (1 - TMAP_COVERAGE) / 2);
}

double tmap_range_coverage(size_t count)
{
	return 1 - exp2(1 - (double)count);
}

/* The ones within Tukey's fences, [first, first + their number). */
static size_t count_inliers(const double *sorted, size_t count, size_t *first)
{
	double q1 = tmap_quantile(sorted, count, 0.25), q3 = tmap_quantile(sorted, count, 0.75);
	double fence = 1.5 * (q3 - q1);
	size_t begin = 0, end = count;

	while (sorted[begin] < q1 - fence)
		begin++;
	while (sorted[end - 1] > q3 + fence)
		end--;
	*first = begin;
	return end - begin;
}

/* A copy that rises, the caller's to free. */
static double *sample_sort(const double *value, size_t count, struct tmap_error *err)
{
	double *sorted = tmap_alloc_raw(count, sizeof *sorted, err);

	if (!sorted)
		return NULL;
	memcpy(sorted, value, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, compare_times);
	return sorted;
}

int tmap_median_without_outliers(double *median, const double *value, size_t count,
				 struct tmap_error *err)
{
	double *sorted = sample_sort(value, count, err);
	size_t first, inliers;

	if (!sorted)
		return -1;
	inliers = count_inliers(sorted, count, &first);
	*median = tmap_quantile(sorted + first, inliers, 0.5);
	free(sorted);
	return 0;
}

int tmap_sample_statistics_init(struct tmap_sample_statistics *statistics, const double *value,
				size_t count, struct tmap_error *err)
{
	double *sorted = sample_sort(value, count, err);
	struct tmap_sample_statistics made = { 0 };
	size_t k = tmap_interval_rank(count), first;

	if (!sorted)
		return -1;
	made.min = sorted[0];
	made.q1 = tmap_quantile(sorted, count, 0.25);
	made.median = tmap_quantile(sorted, count, 0.5);
	made.q3 = tmap_quantile(sorted, count, 0.75);
	made.max = sorted[count - 1];
	for (size_t i = 0; i < count; i++)
		made.mean += (sorted[i] - made.mean) / (double)(i + 1);
	made.has_interval = k > 0;
	if (made.has_interval) {
		made.low = sorted[k - 1];
		made.high = sorted[count - k];
	}
	made.outliers = (int64_t)(count - count_inliers(sorted, count, &first));
	free(sorted);
	*statistics = made;
	return 0;
}
