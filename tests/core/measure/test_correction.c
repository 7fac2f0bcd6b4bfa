/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracles: the rejections that the procedures' own words give at any threshold, by counting; the table
 * of the header. */
#include "core/measure/correction.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>

static struct tmap_error err;

enum { MOST = 12 };

/* Holm: walk up the ordered p while p <= level / (those that are left). */
static int holm_rejects(const double *p, int count, int which, double level)
{
	int below = 0;

	for (int i = 0; i < count; i++)
		if (p[i] < p[which]) {
			if (!holm_rejects(p, count, i, level))
				return 0;
			below++;
		}
	return p[which] <= level / (count - below);
}

/* Benjamini and Hochberg: all up to the largest p with p <= level * (how many are no larger) / count. */
static int bh_rejects(const double *p, int count, int which, double level)
{
	for (int i = 0; i < count; i++) {
		int up_to = 0;

		for (int k = 0; k < count; k++)
			up_to += p[k] <= p[i];
		if (p[i] >= p[which] && p[i] <= level * up_to / count)
			return 1;
	}
	return 0;
}

START_TEST(an_adjusted_p_is_the_level_from_which_on_it_is_rejected)
{
	struct dice dice = { (uint64_t)_i };

	for (int round = 0; round < 40; round++) {
		double p[MOST], adjusted[MOST];
		int count = 1 + dice_roll(&dice, MOST);

		for (int i = 0; i < count; i++)
			p[i] = (1 + dice_roll(&dice, 20)) / 400.0; /* with ties */
		for (int c = TMAP_CORRECT_HOLM; c <= TMAP_CORRECT_BH; c++) {
			int (*rejects)(const double *, int, int, double) =
				c == TMAP_CORRECT_HOLM ? holm_rejects : bh_rejects;

			ck_assert_int_eq(
				tmap_p_adjust(adjusted, p, count, (enum tmap_correction)c, &err),
				0);
			for (int i = 0; i < count; i++) {
				ck_assert(adjusted[i] >= p[i] && adjusted[i] <= 1);
				ck_assert(adjusted[i] == 1 ||
					  rejects(p, count, i, adjusted[i] * (1 + 1e-9)));
				ck_assert(!rejects(p, count, i, adjusted[i] * (1 - 1e-9)));
			}
		}
	}
}
END_TEST

START_TEST(the_table_of_the_header_is_right)
{
	static const double p[] = { 0.5, 0.0009, 0.0004, 0.02 };
	static const double wanted[][4] = { { 0.5, 0.0009, 0.0004, 0.02 },
					    { 0.5, 0.0027, 0.0016, 0.04 },
					    { 0.5, 0.0018, 0.0016, 0.08 / 3 } };
	double adjusted[4];

	for (int c = TMAP_CORRECT_NONE; c <= TMAP_CORRECT_BH; c++) {
		ck_assert_int_eq(tmap_p_adjust(adjusted, p, 4, (enum tmap_correction)c, &err), 0);
		for (int i = 0; i < 4; i++)
			ck_assert_double_eq_tol(adjusted[i], wanted[c][i], 1e-15);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("correction");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, an_adjusted_p_is_the_level_from_which_on_it_is_rejected, 0, 50);
	tcase_add_test(tc, the_table_of_the_header_is_right);
	suite_add_tcase(suite, tc);
	return suite;
}
