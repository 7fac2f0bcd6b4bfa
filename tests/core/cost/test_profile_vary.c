/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: what a message takes by a profile and by its variation, row by row, and tmap_profile_check(). */
#include "core/cost/profile_vary.h"

#include "core/cost/profile_same.h"
#include "tests/unit.h"

#include <math.h>
#include <string.h>

static struct tmap_error err;

static int variation_find(const char *words)
{
	for (int i = 0; i < tmap_profile_variations(); i++)
		if (strcmp(tmap_profile_variation(i), words) == 0)
			return i;
	ck_abort_msg("no variation is called %s", words);
	return 0;
}

static double seconds(const struct tmap_profile *p, int distance, int64_t bytes)
{
	const struct tmap_profile_row *row = tmap_profile_find(p, distance, bytes);

	return row->latency_s + (double)bytes * row->byte_s;
}

START_TEST(every_variation_of_every_published_profile_is_one_that_can_be_used)
{
	int same = 0;

	for (int i = 0; tmap_keywords_at(&tmap_profiles, (size_t)i); i++)
		for (int n = 0; n < tmap_profile_variations(); n++) {
			const struct tmap_profile *base = tmap_profile_at(i);
			struct tmap_profile_varied varied;

			ck_assert_int_eq(tmap_profile_vary(&varied, base, n, &err), 0);
			ck_assert_msg(tmap_profile_check(&varied.profile, &err) == 0, "%s, %s: %s",
				      base->word.name, tmap_profile_variation(n), err.text);
			if (n == 0)
				ck_assert(tmap_profile_is_same(&varied.profile, base) &&
					  tmap_profile_varied_is_plausible(&varied, base));
			else
				same += tmap_profile_is_same(&varied.profile, base);
			tmap_profile_varied_fini(&varied);
		}
	/* one that knows no packages, or has tapered switches already, has nothing to vary there */
	ck_assert_int_le(same, 8);
}
END_TEST

START_TEST(only_the_messages_that_are_named_cost_something_else)
{
	const struct tmap_profile *summit = tmap_profile_at(0);
	struct tmap_profile_varied varied;

	ck_assert_int_eq(tmap_profile_vary(&varied, summit,
					   variation_find("rate between nodes x 1/2"), &err),
			 0);
	for (int distance = 1; distance <= 9; distance++) {
		int64_t bytes = 1 << 20;
		double by = seconds(&varied.profile, distance, bytes) -
			seconds(summit, distance, bytes);
		double want = distance < 7 ?
			0 :
			(double)bytes * tmap_profile_find(summit, distance, bytes)->byte_s;

		ck_assert_double_eq_tol(by, want, 1e-15);
		ck_assert_double_eq(seconds(&varied.profile, distance, 0),
				    seconds(summit, distance, 0));
	}
	ck_assert_double_eq(varied.profile.adapter_byte_s, 2 * summit->adapter_byte_s);
	ck_assert_double_eq(varied.profile.memory_byte_s, summit->memory_byte_s);
	tmap_profile_varied_fini(&varied);
	ck_assert_int_eq(tmap_profile_vary(&varied, summit,
					   variation_find("latency between packages x 2"), &err),
			 0);
	ck_assert_double_eq(seconds(&varied.profile, 3, 0), 2 * seconds(summit, 3, 0));
	ck_assert_double_eq(seconds(&varied.profile, 4, 0), seconds(summit, 4, 0));
	ck_assert_double_eq(seconds(&varied.profile, 7, 0), seconds(summit, 7, 0));
	tmap_profile_varied_fini(&varied);
}
END_TEST

START_TEST(messages_below_64_kib_are_eager_and_cost_what_they_did)
{
	for (int i = 0; tmap_keywords_at(&tmap_profiles, (size_t)i); i++) {
		const struct tmap_profile *base = tmap_profile_at(i);
		struct tmap_profile_varied varied;

		ck_assert_int_eq(
			tmap_profile_vary(&varied, base,
					  variation_find("messages below 64 KiB are eager"), &err),
			0);
		for (int distance = 1; distance <= 9; distance++)
			for (int64_t bytes = 1; bytes < INT64_C(1) << 30; bytes *= 2) {
				const struct tmap_profile_row *row =
					tmap_profile_find(&varied.profile, distance, bytes);

				ck_assert_double_eq(seconds(&varied.profile, distance, bytes),
						    seconds(base, distance, bytes));
				ck_assert(bytes < 65536 ? row->protocol == TMAP_PROTOCOL_EAGER :
							  row->protocol ==
							  tmap_profile_find(base, distance, bytes)
								  ->protocol);
			}
		tmap_profile_varied_fini(&varied);
	}
}
END_TEST

START_TEST(a_machine_whose_network_is_faster_than_its_memory_is_not_made)
{
	int implausible = 0;

	for (int i = 0; tmap_keywords_at(&tmap_profiles, (size_t)i); i++)
		for (int n = 0; n < tmap_profile_variations(); n++) {
			const struct tmap_profile *base = tmap_profile_at(i);
			struct tmap_profile_varied varied;

			ck_assert_int_eq(tmap_profile_vary(&varied, base, n, &err), 0);
			if (tmap_profile_varied_is_plausible(&varied, base))
				for (int distance = 1; distance <= 3; distance += 2)
					ck_assert_double_le(
						seconds(&varied.profile, distance, 1 << 20),
						1.000001 *
							fmax(seconds(&varied.profile, 7, 1 << 20),
							     seconds(base, distance, 1 << 20) /
								     seconds(base, 7, 1 << 20) *
								     seconds(&varied.profile, 7,
									     1 << 20)));
			else
				implausible++;
			tmap_profile_varied_fini(&varied);
		}
	ck_assert_int_gt(implausible, 5);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("profile_vary");
	TCase *tests = tcase_create("profile_vary");

	tcase_add_test(tests, every_variation_of_every_published_profile_is_one_that_can_be_used);
	tcase_add_test(tests, only_the_messages_that_are_named_cost_something_else);
	tcase_add_test(tests, messages_below_64_kib_are_eager_and_cost_what_they_did);
	tcase_add_test(tests, a_machine_whose_network_is_faster_than_its_memory_is_not_made);
	suite_add_tcase(suite, tests);
	return suite;
}
