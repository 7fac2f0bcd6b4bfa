/* SPDX-License-Identifier: BSD-3-Clause */
/* When a calibration is poor, noisy or of another placement; the oracle is the rules, case by
 * case. */
#include "core/cost/profile_trust.h"
#include "core/machine/placement_digest.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

START_TEST(a_poor_calibration_is_called_so)
{
	static const struct {
		double rho; /* 0: it has none */
		int choices, near, tied;
		double regret;
		bool poor_rho, poor_choices, poor_regret, few, few_telling;
	} rows[] = {
		{ 0.9, 0, 0, 0, 0, false, false, false, false, false },
		{ 0.8999, 0, 0, 0, 0, true, false, false, false, false },
		{ -1, 4, 4, 0, 1, true, false, false, false, false },
		{ 0.97, 4, 3, 0, 1, false, false, false, false, false },
		{ 0.97, 4, 2, 0, 1, false, true, false, false, false },
		{ 0.97, 20, 15, 0, 1, false, false, false, false, false },
		{ 0.97, 20, 14, 0, 1, false, true, false, false, false },
		{ 0, 0, 0, 0, 0, false, false, false, false, false },
		{ 0, 4, 3, 0, 1, false, false, false, false, false },
		{ 0.5, 1, 0, 0, 9, false, false, false, true, false },
		{ 0.5, 3, 1, 0, 9, false, false, false, true, false },
		{ 0.5, 4, 1, 0, 1, true, true, false, false, false },
		/* of those that are not tied */
		{ 0.97, 20, 14, 2, 1, false, false, false, false, false },
		{ 0.97, 20, 13, 2, 1, false, true, false, false, false },
		{ 0.97, 20, 4, 16, 1, false, false, false, false, false },
		{ 0.97, 20, 2, 16, 1, false, true, false, false, false },
		{ 0.97, 20, 3, 17, 1, false, false, false, false, true },
		{ 0.5, 20, 0, 17, 1, true, false, false, false, true },
		{ 0.97, 4, 3, 1, 1, false, false, false, false, true },
		{ 0.97, 3, 1, 1, 1, false, false, false, true, false },
		{ 0.95, 20, 0, 20, 2.1, false, false, true, false, true },
		{ 0.97, 20, 15, 0, 1.2, false, false, false, false, false },
		{ 0.97, 20, 15, 0, 1.21, false, false, true, false, false },
		{ 0.97, 0, 0, 0, 1.21, false, false, true, false, false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct tmap_calibration calibration = { .has_rho = rows[i].rho != 0,
							      .rho = rows[i].rho,
							      .regret = rows[i].regret,
							      .choices = rows[i].choices,
							      .choices_near = rows[i].near,
							      .choices_tied = rows[i].tied };
		const struct tmap_profile profile = { .calibration = &calibration };

		ck_assert(tmap_profile_is_poor_rho(&profile) == rows[i].poor_rho);
		ck_assert(tmap_profile_is_poor_choices(&profile) == rows[i].poor_choices);
		ck_assert(tmap_profile_is_poor_regret(&profile) == rows[i].poor_regret);
		ck_assert(tmap_profile_is_poor(&profile) ==
			  (rows[i].poor_rho || rows[i].poor_choices || rows[i].poor_regret));
		ck_assert(tmap_calibration_has_few_choices(&calibration) == rows[i].few);
		ck_assert(tmap_calibration_has_few_telling(&calibration) == rows[i].few_telling);
		ck_assert((tmap_calibration_doubt(&calibration) != NULL) ==
			  tmap_calibration_is_unjudged(&calibration));
		ck_assert(tmap_calibration_is_unjudged(&calibration) ==
			  (rows[i].few || rows[i].few_telling ||
			   (rows[i].rho == 0 && rows[i].choices == 0)));
	}
	ck_assert(!tmap_profile_is_poor(tmap_profile_at(0)));
	ck_assert(!tmap_profile_is_noisy(tmap_profile_at(0)));
}
END_TEST

START_TEST(only_a_calibration_that_knows_it_is_noisy)
{
	struct tmap_calibration calibration = { .rho = 1 };
	const struct tmap_profile profile = { .calibration = &calibration };

	ck_assert(!tmap_profile_is_noisy(&profile));
	calibration.knows_quiet = true;
	ck_assert(tmap_profile_is_noisy(&profile));
	calibration.is_quiet = true;
	ck_assert(!tmap_profile_is_noisy(&profile));
}
END_TEST

START_TEST(the_placement_is_compared_where_that_says_something)
{
	char digest[TMAP_PLACEMENT_DIGEST_ROOM];
	struct tmap_calibration calibration = { .rho = 1 };
	struct tmap_profile profile = { .calibration = &calibration };
	struct tmap_placement p;

	placement_block_take(&p, machine_ig());
	ck_assert_int_eq(tmap_placement_digest(&p, digest, &err), 0);
	ck_assert_int_eq(tmap_profile_compare_placement(&profile, &p, &err), 0);
	ck_assert(!profile.knows_placement);
	calibration.placement = "3f2a";
	ck_assert_int_eq(tmap_profile_compare_placement(&profile, &p, &err), 0);
	ck_assert(profile.knows_placement && !profile.is_same_placement);
	calibration.placement = digest;
	ck_assert_int_eq(tmap_profile_compare_placement(&profile, &p, &err), 0);
	ck_assert(profile.knows_placement && profile.is_same_placement);
	p.world = calloc((size_t)p.size, sizeof *p.world);
	ck_assert_int_eq(tmap_profile_compare_placement(&profile, &p, &err), 0);
	ck_assert(!profile.knows_placement);
	profile.calibration = NULL;
	ck_assert_int_eq(tmap_profile_compare_placement(&profile, &p, &err), 0);
	ck_assert(!profile.knows_placement);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("profile_trust");
	TCase *c = tcase_create("profile_trust");

	tcase_add_test(c, a_poor_calibration_is_called_so);
	tcase_add_test(c, only_a_calibration_that_knows_it_is_noisy);
	tcase_add_test(c, the_placement_is_compared_where_that_says_something);
	suite_add_tcase(suite, c);
	return suite;
}
