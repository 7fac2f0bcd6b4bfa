/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: times that are made from lines, so that what the fit must find is known.
 */
#include "core/measure/piecewise.h"

#include "core/base/random.h"
#include "tests/unit.h"

#include <math.h>

static struct tmap_error err;

struct truth {
	int count;
	struct {
		int64_t from;
		double latency_s, byte_s;
	} piece[TMAP_PIECES_MAX];
};

static const struct truth one = { 1, { { 0, 1e-5, 1e-9 } } };
static const struct truth two = { 2, { { 0, 2e-6, 4e-10 }, { 65536, 1.2e-5, 1e-10 } } };
static const struct truth three = {
	3, { { 0, 1e-6, 2e-9 }, { 1024, 2.5e-6, 4e-10 }, { 131072, 9e-6, 2.2e-10 } }
};

static double truth_at(const struct truth *truth, int64_t bytes)
{
	int k = truth->count - 1;

	while (truth->piece[k].from > bytes)
		k--;
	return truth->piece[k].latency_s + (double)bytes * truth->piece[k].byte_s;
}

static double uniform(struct tmap_random *random)
{
	return (double)(tmap_random_next(random) >> 11) / 9007199254740992.0;
}

static double normal(struct tmap_random *random)
{
	return sqrt(-2 * log(1 - uniform(random))) * cos(2 * 3.14159265358979 * uniform(random));
}

/* Sizes from 0 to 4 MiB, even on a logarithmic scale, with jitter; of 100 times, outliers are 2 to 12
 * times as long. */
static int points_make(struct tmap_fit_point *point, int count, const struct truth *truth,
		       double scatter, double outliers, struct tmap_random *random)
{
	for (int i = 0; i < count; i++) {
		double at = 22 * (i - 1 + 0.9 * uniform(random)) / (count - 2);

		point[i].bytes = i == 0 ? 0 : (int64_t)exp2(at < 0 ? 0 : at);
		if (i > 0 && point[i].bytes < point[i - 1].bytes)
			point[i].bytes = point[i - 1].bytes;
		point[i].seconds = truth_at(truth, point[i].bytes) * (1 + scatter * normal(random));
		if (uniform(random) < outliers)
			point[i].seconds *= 2 + 10 * uniform(random);
	}
	return count;
}

static bool is_near(double value, double wanted, double part)
{
	return fabs(value - wanted) <= part * wanted;
}

/* Latency of the first piece and all bandwidths within 5 %, borders within a factor 2. */
static bool fit_is_right(const struct tmap_piecewise *fit, const struct truth *truth)
{
	bool right = fit->count == truth->count &&
		is_near(fit->piece[0].latency_s, truth->piece[0].latency_s, 0.05);

	for (int k = 0; k < fit->count && right; k++) {
		if (k > 0)
			right = fit->piece[k].from_bytes >= truth->piece[k].from / 2 &&
				fit->piece[k].from_bytes <= 2 * truth->piece[k].from;
		right = right && is_near(fit->piece[k].byte_s, truth->piece[k].byte_s, 0.05);
	}
	return right;
}

START_TEST(times_without_scatter_give_the_lines_that_they_were_made_from)
{
	static const struct truth *const all[] = { &one, &two, &three };
	struct tmap_fit_point point[60];
	struct tmap_random random = { 1 };
	struct tmap_piecewise fit;

	for (int t = 0; t < 3; t++) {
		points_make(point, 60, all[t], 0, 0, &random);
		ck_assert_int_eq(tmap_piecewise_fit(&fit, point, 60, 0, &err), 0);
		ck_assert_int_eq(fit.count, all[t]->count);
		ck_assert_int_eq(fit.outliers, 0);
		for (int k = 0; k < fit.count; k++) {
			ck_assert(
				is_near(fit.piece[k].latency_s, all[t]->piece[k].latency_s, 1e-6));
			ck_assert(is_near(fit.piece[k].byte_s, all[t]->piece[k].byte_s, 1e-6));
			ck_assert_int_eq(fit.piece[k].from_bytes, all[t]->piece[k].from);
			ck_assert_double_ge(fit.piece[k].r2, 0.999);
		}
	}
}
END_TEST

START_TEST(of_a_hundred_noisy_tables_with_outliers_ninety_five_are_found_right)
{
	static const struct truth *const all[] = { &one, &two, &three };
	struct tmap_fit_point point[100];
	struct tmap_random random = { 7 };
	struct tmap_piecewise fit;

	for (int t = 0; t < 3; t++) {
		int right = 0;

		for (int i = 0; i < 100; i++) {
			points_make(point, 100, all[t], 0.01, 0.08, &random);
			ck_assert_int_eq(tmap_piecewise_fit(&fit, point, 100, 0, &err), 0);
			right += fit_is_right(&fit, all[t]);
		}
		ck_assert_int_ge(right, 95);
	}
}
END_TEST

START_TEST(the_confidence_interval_holds_the_truth_as_often_as_it_says)
{
	struct tmap_fit_point point[60];
	struct tmap_random random = { 3 };
	struct tmap_piecewise fit;
	int latency = 0, byte = 0, fits = test_cases(300);

	for (int i = 0; i < fits; i++) {
		points_make(point, 60, &one, 0.05, 0, &random);
		ck_assert_int_eq(tmap_piecewise_fit(&fit, point, 60, 0, &err), 0);
		latency += fit.piece[0].latency_low_s <= 1e-5 &&
			fit.piece[0].latency_high_s >= 1e-5;
		byte += fit.piece[0].byte_low_s <= 1e-9 && fit.piece[0].byte_high_s >= 1e-9;
	}
	ck_assert_int_ge(latency, fits * 9 / 10);
	ck_assert_int_ge(byte, fits * 9 / 10);
}
END_TEST

START_TEST(a_piece_begins_where_it_is_known_to)
{
	struct tmap_fit_point point[60];
	struct tmap_random random = { 5 };
	struct tmap_piecewise fit;

	points_make(point, 60, &two, 0, 0, &random);
	ck_assert_int_eq(tmap_piecewise_fit(&fit, point, 60, 65537, &err), 0);
	ck_assert_int_ge(fit.count, 2);
	ck_assert_int_eq(fit.piece[fit.count - 1].from_bytes, 65537);
}
END_TEST

START_TEST(outliers_are_marked_and_no_other_points)
{
	struct tmap_fit_point point[60];
	struct tmap_random random = { 9 };
	struct tmap_piecewise fit;

	points_make(point, 60, &two, 0.01, 0, &random);
	for (int i = 5; i < 60; i += 11)
		point[i].seconds *= 5;
	ck_assert_int_eq(tmap_piecewise_fit(&fit, point, 60, 0, &err), 0);
	for (int i = 0; i < 60; i++)
		ck_assert_int_eq(point[i].is_outlier, i % 11 == 5);
	ck_assert_int_eq(fit.outliers, 5);
}
END_TEST

/* Three lines, and a fourth that is far off: more than there may be. */
START_TEST(no_stretch_of_sizes_is_left_out_as_if_it_were_noise)
{
	struct tmap_fit_point point[100];
	struct tmap_random random = { 13 };
	struct tmap_piecewise fit;
	int off;

	for (int i = 0; i < test_cases(20); i++) {
		points_make(point, 100, &three, 0.02, 0, &random);
		for (int k = 0; k < 100; k++)
			if (point[k].bytes >= 1 << 20)
				point[k].seconds *= 39;
		ck_assert_int_eq(tmap_piecewise_fit(&fit, point, 100, 0, &err), 0);
		off = 0; /* one point beside a border may be */
		for (int k = 0; k < 100; k++)
			off += fabs(log(tmap_piecewise_at(&fit, point[k].bytes) /
					point[k].seconds)) > log(3);
		ck_assert_int_le(off, 1);
	}
}
END_TEST

START_TEST(no_line_is_negative_anywhere)
{
	struct tmap_fit_point point[8];
	struct tmap_piecewise fit;

	for (int i = 0; i < 8; i++)
		point[i] = (struct tmap_fit_point){ 1 << i, 1e-6 * (9 - i), false };
	ck_assert_int_eq(tmap_piecewise_fit(&fit, point, 8, 0, &err), 0);
	for (int i = 0; i < 8; i++)
		ck_assert_double_gt(tmap_piecewise_at(&fit, point[i].bytes), 0);
	for (int i = 0; i < 8; i++)
		point[i] =
			(struct tmap_fit_point){ 1000 << i, 1e-9 * (1000 << i) * (1 + i), false };
	ck_assert_int_eq(tmap_piecewise_fit(&fit, point, 8, 0, &err), 0);
	for (int k = 0; k < fit.count; k++)
		ck_assert_double_ge(fit.piece[k].latency_s, 0);
}
END_TEST

START_TEST(what_no_line_goes_through_is_refused)
{
	struct tmap_fit_point point[4] = {
		{ 8, 1e-6, false }, { 8, 1e-6, false }, { 8, 1e-6, false }, { 8, 1e-6, false }
	};
	struct tmap_piecewise fit;

	ck_assert_int_eq(tmap_piecewise_fit(&fit, point, 3, 0, &err), -1);
	ck_assert_str_eq(err.text, "lines are fitted through 4 to 400 times, and there are 3");
	ck_assert_int_eq(tmap_piecewise_fit(&fit, point, 4, 0, &err), -1);
	ck_assert_str_eq(err.text, "a line needs times of two sizes, and all are of 8 bytes");
	point[3] = (struct tmap_fit_point){ 16, 0, false };
	ck_assert_int_eq(tmap_piecewise_fit(&fit, point, 4, 0, &err), -1);
	ck_assert_str_eq(err.text, "0 seconds of 16 bytes are no time of a message");
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("piecewise");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, times_without_scatter_give_the_lines_that_they_were_made_from);
	tcase_add_test(tc, of_a_hundred_noisy_tables_with_outliers_ninety_five_are_found_right);
	tcase_add_test(tc, the_confidence_interval_holds_the_truth_as_often_as_it_says);
	tcase_add_test(tc, a_piece_begins_where_it_is_known_to);
	tcase_add_test(tc, outliers_are_marked_and_no_other_points);
	tcase_add_test(tc, no_stretch_of_sizes_is_left_out_as_if_it_were_noise);
	tcase_add_test(tc, no_line_is_negative_anywhere);
	tcase_add_test(tc, what_no_line_goes_through_is_refused);
	suite_add_tcase(suite, tc);
	return suite;
}
