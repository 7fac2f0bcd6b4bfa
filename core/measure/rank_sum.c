/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/rank_sum.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct mark {
	double value;
	bool is_a;
	int64_t rank; /* twice, so that a mean of two is whole */
};

static int mark_compare(const void *a, const void *b)
{
	double left = ((const struct mark *)a)->value, right = ((const struct mark *)b)->value;

	return (left > right) - (left < right);
}

/* *ties = the sum of t^3 - t over groups of t equal numbers. */
static void marks_rank(struct mark *mark, int count, double *ties)
{
	*ties = 0;
	for (int begin = 0, end; begin < count; begin = end) {
		double t;

		for (end = begin; end < count && mark[end].value <= mark[begin].value; end++)
			;
		for (int i = begin; i < end; i++)
			mark[i].rank = (int64_t)begin + end + 1;
		t = end - begin;
		*ties += t * t * t - t;
	}
}

static struct mark *marks_new(const double *a, int a_count, const double *b, int b_count,
			      struct tmap_error *err)
{
	struct mark *mark = tmap_alloc((size_t)a_count + (size_t)b_count, sizeof *mark, err);

	for (int i = 0; mark && i < a_count; i++)
		mark[i] = (struct mark){ .value = a[i], .is_a = true };
	for (int i = 0; mark && i < b_count; i++)
		mark[a_count + i] = (struct mark){ .value = b[i] };
	return mark;
}

/* The part of the choices of @p chosen ranks whose sum is @p least or more. ways[k][s]: choices of
 * k of the ranks so far, which are @p sum together. */
static int choices_count(double *part, const struct mark *mark, int count, int chosen,
			 int64_t least, struct tmap_error *err)
{
	size_t row = (size_t)count * ((size_t)count + 1) + 1;
	double *ways = tmap_alloc((size_t)chosen + 1, row * sizeof *ways, err), all = 0, tail = 0;
	int64_t sum = 0;

	if (!ways)
		return -1;
	ways[0] = 1;
	for (int i = 0; i < count; i++) {
		sum += mark[i].rank;
		for (int k = chosen < i + 1 ? chosen : i + 1; k > 0; k--) {
			double *with = ways + (size_t)k * row, *without = with - row;

			for (int64_t s = sum; s >= mark[i].rank; s--)
				with[s] += without[s - mark[i].rank];
		}
	}
	for (int64_t s = 0; s <= sum; s++) {
		double here = ways[(size_t)chosen * row + (size_t)s];

		all += here;
		tail += s >= least ? here : 0;
	}
	free(ways);
	*part = tail / all;
	return 0;
}

static double normal_tail(double u, double a_count, double b_count, double ties)
{
	double n = a_count + b_count, product = a_count * b_count;
	double variance = product / 12 * (n + 1 - ties / (n * (n - 1)));

	return variance > 0 ? erfc((u - product / 2 - 0.5) / sqrt(2 * variance)) / 2 : 1;
}

int tmap_rank_sum_test(struct tmap_rank_sum *test, const double *a, int a_count, const double *b,
		       int b_count, struct tmap_error *err)
{
	int count = a_count + b_count, status = 0;
	struct mark *mark = marks_new(a, a_count, b, b_count, err);
	struct tmap_rank_sum made = { .is_exact = count <= TMAP_RANK_SUM_EXACT };
	int64_t sum = 0;
	double ties;

	if (!mark)
		return -1;
	qsort(mark, (size_t)count, sizeof *mark, mark_compare);
	marks_rank(mark, count, &ties);
	for (int i = 0; i < count; i++)
		sum += mark[i].is_a ? mark[i].rank : 0;
	made.u = (double)sum / 2 - (double)a_count * (a_count + 1) / 2;
	if (made.is_exact)
		status = choices_count(&made.p, mark, count, a_count, sum, err);
	else
		made.p = normal_tail(made.u, a_count, b_count, ties);
	free(mark);
	if (status == 0)
		*test = made;
	return status;
}
