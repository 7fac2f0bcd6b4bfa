/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: each number is given to the first range that has it, one by one. */
#include "core/tune/rule_cover.h"

#include "core/base/random.h"
#include "tests/unit.h"

enum { NUMBERS = 24, RANGES = 12 };

static struct tmap_error err;

static bool has(const struct tmap_rule_span *span, int64_t number)
{
	return span->from <= number && number <= span->to;
}

static int taker_of(const struct tmap_rule_span *span, int count, int64_t number)
{
	for (int i = 0; i < count; i++)
		if (has(&span[i], number))
			return i;
	return -1;
}

static void check(const struct tmap_rule_span *span, int count)
{
	struct tmap_rule_cover cover;

	ck_assert_int_eq(tmap_rule_cover_init(&cover, span, count, &err), 0);
	for (int i = 0; i < count; i++) {
		int64_t next = INT64_MAX;
		int last = -1;

		if (span[i].to < span[i].from)
			continue;
		for (int64_t n = 2 * NUMBERS; n >= 0; n--) {
			int taker = taker_of(span, count, n);

			if (has(&span[i], n) && taker > last)
				last = taker;
			if (n > span[i].to && taker >= 0)
				next = n;
		}
		ck_assert_int_eq(tmap_rule_cover_last(&cover, &span[i]), last);
		ck_assert_int_eq(tmap_rule_cover_next(&cover, span[i].to), next);
	}
	tmap_rule_cover_fini(&cover);
}

START_TEST(each_number_is_of_the_first_range_that_has_it)
{
	struct tmap_rule_span span[RANGES];
	struct tmap_random random = { 1 };

	for (int round = 0; round < 20000; round++) {
		int count = (int)tmap_random_below(&random, RANGES + 1);

		for (int i = 0; i < count; i++) {
			span[i].from = (int64_t)tmap_random_below(&random, NUMBERS);
			span[i].to = span[i].from - 1 + (int64_t)tmap_random_below(&random, 9);
			if (tmap_random_below(&random, 20) == 0)
				span[i].to = INT64_MAX;
		}
		check(span, count);
	}
}
END_TEST

START_TEST(the_largest_numbers_do_not_wrap)
{
	const struct tmap_rule_span span[] = { { INT64_MAX - 1, INT64_MAX - 1 },
					       { INT64_MAX, INT64_MAX },
					       { INT64_MAX - 1, INT64_MAX } };
	struct tmap_rule_cover cover;

	ck_assert_int_eq(tmap_rule_cover_init(&cover, span, 3, &err), 0);
	ck_assert_int_eq(tmap_rule_cover_last(&cover, &span[2]), 1);
	ck_assert_int_eq(tmap_rule_cover_next(&cover, span[0].to), INT64_MAX);
	ck_assert_int_eq(tmap_rule_cover_next(&cover, span[1].to), INT64_MAX);
	tmap_rule_cover_fini(&cover);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("which range takes each number");
	TCase *cover = tcase_create("cover");

	tcase_add_test(cover, each_number_is_of_the_first_range_that_has_it);
	tcase_add_test(cover, the_largest_numbers_do_not_wrap);
	suite_add_tcase(suite, cover);
	return suite;
}
