/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of exact times. Oracles: the lines from which they come, and all ways to cut them, each line fitted
 * by the normal equations. */
#include "core/measure/exact_lines.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>

static struct tmap_error err;

enum { COUNT = 40 };

/* Sizes 0, 1, 3, 7, ...: up to @p pieces lines of random costs, new ones at every cut but the first. */
static void make(struct dice *dice, struct tmap_fit_point *point, int *cut, int cuts,
		 double latency[], double byte[])
{
	for (int c = 0; c < cuts; c++) {
		latency[c] = 1e-6 * (1 + dice_roll(dice, 100));
		byte[c] = 1e-10 * (1 + dice_roll(dice, 100));
	}
	for (int i = 0, c = 0; i < COUNT; i++) {
		c += c + 1 < cuts && cut[c + 1] == i;
		point[i].bytes = (int64_t)pow(1.5, i);
		point[i].seconds = latency[c] + (double)point[i].bytes * byte[c];
	}
}

START_TEST(up_to_three_lines_are_found_as_they_are)
{
	int cut[] = { 0, 9, 21 };
	struct tmap_fit_point point[COUNT];
	double latency[3], byte[3];
	struct tmap_piecewise fit;
	struct dice dice = { 1 };

	for (int round = 0; round < 50; round++)
		for (int cuts = 1; cuts <= 3; cuts++) {
			make(&dice, point, cut, cuts, latency, byte);
			ck_assert_int_eq(tmap_exact_lines_fit(&fit, point, COUNT, cut, cuts, &err),
					 0);
			ck_assert_int_le(fit.count, cuts);
			for (int i = 0; i < COUNT; i++)
				ck_assert_msg(fabs(tmap_piecewise_at(&fit, point[i].bytes) /
							   point[i].seconds -
						   1) < 1e-4,
					      "%d lines, %lld bytes", cuts,
					      (long long)point[i].bytes);
		}
}
END_TEST

/* The least sum of squared relative differences of one line; none is negative. */
static double loss_of(const struct tmap_fit_point *point, int from, int to)
{
	double w = 0, x = 0, y = 0, xx = 0, xy = 0, a, b, loss = 0;

	for (int i = from; i < to; i++) {
		double weight = 1 / (point[i].seconds * point[i].seconds);

		w += weight;
		x += weight * (double)point[i].bytes;
		y += weight * point[i].seconds;
		xx += weight * (double)point[i].bytes * (double)point[i].bytes;
		xy += weight * (double)point[i].bytes * point[i].seconds;
	}
	b = to - from > 1 ? (w * xy - x * y) / (w * xx - x * x) : 0;
	b = fmax(b, 0);
	a = (y - b * x) / w;
	if (a < 0) {
		a = 0;
		b = xy / xx;
	}
	for (int i = from; i < to; i++) {
		double line = a + b * (double)point[i].bytes;

		loss += (line / point[i].seconds - 1) * (line / point[i].seconds - 1);
	}
	return loss;
}

START_TEST(of_more_lines_the_best_three_are_taken)
{
	int cut[] = { 0, 5, 11, 16, 22, 27, 33 };
	const int cuts = (int)(sizeof cut / sizeof *cut);
	struct tmap_fit_point point[COUNT];
	double latency[8], byte[8];
	struct tmap_piecewise fit;
	struct dice dice = { 2 };

	for (int round = 0; round < 50; round++) {
		double best = INFINITY, found = 0;

		make(&dice, point, cut, cuts, latency, byte);
		for (int a = 1; a < cuts; a++)
			for (int b = a; b < cuts; b++)
				best = fmin(best,
					    loss_of(point, 0, cut[a]) +
						    (a < b ? loss_of(point, cut[a], cut[b]) : 0) +
						    loss_of(point, cut[b], COUNT));
		ck_assert_int_eq(tmap_exact_lines_fit(&fit, point, COUNT, cut, cuts, &err), 0);
		for (int k = 0; k < fit.count; k++)
			found +=
				fit.piece[k].residual * fit.piece[k].residual * fit.piece[k].points;
		ck_assert_msg(found <= best * 1.001 + 1e-9, "%g, and %g can be had", found, best);
		ck_assert_int_eq(fit.piece[0].from_bytes, 0);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("exact_lines");
	TCase *c = tcase_create("exact_lines");

	tcase_add_test(c, up_to_three_lines_are_found_as_they_are);
	tcase_add_test(c, of_more_lines_the_best_three_are_taken);
	suite_add_tcase(suite, c);
	return suite;
}
