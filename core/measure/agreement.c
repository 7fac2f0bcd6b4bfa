/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/agreement.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void *a, const void *b, void *values)
{
	const double *value = values;
	double left = value[*(const int *)a], right = value[*(const int *)b];

	return (left > right) - (left < right);
}

/* rank[i]: how many are smaller than value i, and half of its equals. */
static int ranks_fill(double *rank, const double *value, int count, struct tmap_error *err)
{
	int *order = tmap_alloc_raw((size_t)count, sizeof *order, err);

	if (!order)
		return -1;
	for (int i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order, (size_t)count, sizeof *order, compare_numbers, (void *)value);
	for (int first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count && value[order[end]] <= value[order[first]];)
			end++;
		for (int i = first; i < end; i++)
			rank[order[i]] = (first + end - 1) / 2.0;
	}
	free(order);
	return 0;
}

/* The correlation of two lists whose means are alike: those of ranks. */
static bool correlate(const double *a, const double *b, int count, double *rho)
{
	double mean = (count - 1) / 2.0, both = 0, left = 0, right = 0;

	for (int i = 0; i < count; i++) {
		both += (a[i] - mean) * (b[i] - mean);
		left += (a[i] - mean) * (a[i] - mean);
		right += (b[i] - mean) * (b[i] - mean);
	}
	if (left <= 0 || right <= 0)
		return false;
	*rho = both / sqrt(left * right);
	return true;
}

/* Is a median within the interval of another? */
static bool interval_has(const struct tmap_measured_interval *interval, double median)
{
	return interval->low <= median && median <= interval->high;
}

/* By their intervals: is each within that of the other? */
static bool intervals_tie(const double *measured, const struct tmap_measured_interval *interval,
			  int a, int b)
{
	return interval && interval_has(&interval[a], measured[b]) &&
		interval_has(&interval[b], measured[a]);
}

/* Time i is not shorter than time first. */
static bool is_alike(const double *measured, const struct tmap_measured_interval *interval,
		     int first, int i)
{
	return measured[i] <= measured[first] * (1 + TMAP_AGREEMENT_TIE) ||
		intervals_tie(measured, interval, first, i);
}

bool tmap_agreement_is_even(const double *measured, const struct tmap_measured_interval *interval,
			    int count)
{
	int first = 0;

	for (int i = 1; i < count; i++)
		if (measured[i] < measured[first])
			first = i;
	for (int i = 0; i < count; i++)
		if (!is_alike(measured, interval, first, i))
			return false;
	return true;
}

int tmap_agreement_init(struct tmap_agreement *agreement, const double *predicted,
			const double *measured, const struct tmap_measured_interval *interval,
			int count, struct tmap_error *err)
{
	double *rank = tmap_alloc_raw((size_t)count, 2 * sizeof *rank, err);
	struct tmap_agreement made = { .ratio = 1 };

	if (!rank || ranks_fill(rank, predicted, count, err) < 0 ||
	    ranks_fill(rank + count, measured, count, err) < 0) {
		free(rank);
		return -1;
	}
	made.has_rho = count >= 3 && correlate(rank, rank + count, count, &made.rho);
	free(rank);
	for (int i = 0; i < count; i++) {
		double ratio = measured[i] / predicted[i];

		/* of equals the slowest: whoever goes by the prediction may take that one */
		if (predicted[i] < predicted[made.first_choice] ||
		    (predicted[i] == predicted[made.first_choice] &&
		     measured[i] > measured[made.first_choice]))
			made.first_choice = i;
		if (measured[i] < measured[made.best])
			made.best = i;
		made.ratio = fmax(made.ratio, fmax(ratio, 1 / ratio));
	}
	made.regret = measured[made.first_choice] / measured[made.best];
	made.is_tied = made.first_choice != made.best &&
		intervals_tie(measured, interval, made.best, made.first_choice);
	*agreement = made;
	return 0;
}

/* Both lists of ranks have the mean of theirs where measured times are alike; false: all are. */
static bool ranks_even_out(double *left, double *right, const double *measured,
			   const struct tmap_measured_interval *interval, const int *order,
			   int count)
{
	int first = 0, end = 0;

	for (; first < count; first = end) {
		double a = 0, b = 0;

		for (end = first;
		     end < count && is_alike(measured, interval, order[first], order[end]); end++) {
			a += left[order[end]];
			b += right[order[end]];
		}
		if (first == 0 && end == count)
			return false;
		for (int i = first; i < end; i++) {
			left[order[i]] = a / (end - first);
			right[order[i]] = b / (end - first);
		}
	}
	return true;
}

int tmap_agreement_even(double *rho, const double *predicted, const double *measured,
			const struct tmap_measured_interval *interval, int count,
			struct tmap_error *err)
{
	double *rank = tmap_alloc_raw((size_t)count, 2 * sizeof *rank, err), found = 0;
	int *order = rank ? tmap_alloc_raw((size_t)count, sizeof *order, err) : NULL;
	int status = order ? 0 : -1;

	if (status == 0 &&
	    (ranks_fill(rank, predicted, count, err) < 0 ||
	     ranks_fill(rank + count, measured, count, err) < 0))
		status = -1;
	for (int i = 0; i < count && status == 0; i++)
		order[i] = i;
	if (status == 0) {
		qsort_r(order, (size_t)count, sizeof *order, compare_numbers, (void *)measured);
		if (!ranks_even_out(rank, rank + count, measured, interval, order, count))
			found = 1;
		else
			correlate(rank, rank + count, count, &found);
		*rho = found;
	}
	free(order);
	free(rank);
	return status;
}
