/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the reference implementation's published numbers (SplitMix64 from seed 1234567),
 * and the generator written again from the formula in core/base/random.h.
 */
#include "core/base/random.h"
#include "tests/unit.h"

#include <string.h>

START_TEST(seed_1234567_gives_the_published_numbers)
{
	static const uint64_t want[] = {
		UINT64_C(6457827717110365317),  UINT64_C(3203168211198807973),
		UINT64_C(9817491932198370423),  UINT64_C(4593380528125082431),
		UINT64_C(16408922859458223821),
	};
	struct tmap_random random = { .state = 1234567 };

	for (int i = 0; i < 5; i++)
		ck_assert(tmap_random_next(&random) == want[i]);
}
END_TEST

START_TEST(numbers_below_a_bound_are_all_reached_and_equally_often)
{
	struct tmap_random random = { .state = 0 };
	int hits[7] = { 0 };

	for (int i = 0; i < 70000; i++)
		hits[tmap_random_below(&random, 7)]++;
	for (int i = 0; i < 7; i++) {
		ck_assert_int_gt(hits[i], 9500);
		ck_assert_int_lt(hits[i], 10500);
	}
	ck_assert(tmap_random_below(&random, 1) == 0);
}
END_TEST

START_TEST(the_incomplete_stretch_is_drawn_again)
{
	/* bound 2^63 + 1: almost half of all numbers lie in the incomplete stretch */
	uint64_t bound = (UINT64_C(1) << 63) + 1;
	struct tmap_random random = { .state = 5 }, again = { .state = 5 };

	for (int i = 0; i < 100; i++) {
		uint64_t want = tmap_random_next(&again);

		while (want >= bound)
			want = tmap_random_next(&again);
		ck_assert(tmap_random_below(&random, bound) == want);
	}
}
END_TEST

START_TEST(a_shuffle_is_fisher_yates_from_the_end)
{
	struct tmap_random random = { .state = 42 }, again = { .state = 42 };
	int list[100], want[100];

	for (int i = 0; i < 100; i++)
		list[i] = want[i] = i;
	tmap_random_shuffle(&random, list, 100);
	for (int i = 99; i >= 1; i--) {
		int j = (int)(tmap_random_next(&again) % (uint64_t)(i + 1)), held = want[j];

		want[j] = want[i];
		want[i] = held;
	}
	ck_assert_int_eq(memcmp(list, want, sizeof list), 0);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("random");
	TCase *tcase = tcase_create("generator");

	tcase_add_test(tcase, seed_1234567_gives_the_published_numbers);
	tcase_add_test(tcase, numbers_below_a_bound_are_all_reached_and_equally_often);
	tcase_add_test(tcase, the_incomplete_stretch_is_drawn_again);
	tcase_add_test(tcase, a_shuffle_is_fisher_yates_from_the_end);
	suite_add_tcase(suite, tcase);
	return suite;
}
