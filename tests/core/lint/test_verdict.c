/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: cores, packages and ranks counted by hand; and that a job which follows an advice gets the
 * same advice no more.
 */
#include "core/lint/verdict.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

static struct tmap_error err;
static const struct tmap_fix_words *const nobody[] = { NULL };

/* 2 packages of 4 cores. */
static const struct test_level node_levels[] = { { TMAP_PACKAGE, 2 }, { TMAP_CORE, 4 }, { 0 } };

struct judged {
	struct tmap_placement placement;
	struct tmap_inspection inspection;
	struct tmap_advice advice;
	struct tmap_lint lint;
	struct tmap_verdict verdict;
};

static void judge(struct judged *it, const struct tmap_profile *profile)
{
	const struct tmap_lint_request request = { .launchers = nobody };

	ck_assert_int_eq(
		tmap_inspection_init(&it->inspection, &it->placement, TMAP_SCALE_PROCESS, &err), 0);
	it->inspection.profile = profile;
	ck_assert_int_eq(tmap_advice_init(&it->advice, &it->inspection, &err), 0);
	it->inspection.advice = &it->advice;
	ck_assert_int_eq(tmap_lint_init(&it->lint, &it->inspection, &request, &err), 0);
	ck_assert_int_eq(
		tmap_verdict_init(&it->verdict, &it->inspection, &it->lint, &it->advice, &err), 0);
}

static void judged_fini(struct judged *it)
{
	tmap_lint_fini(&it->lint);
	tmap_advice_fini(&it->advice);
	tmap_inspection_fini(&it->inspection);
	tmap_placement_fini(&it->placement);
}

/* So many ranks a node on nodes of 8 cores, each on one. */
static void seat(struct judged *it, int nodes, int each, bool by_turns)
{
	placement_on_take(&it->placement, machine_regular(nodes, node_levels), nodes * each);
	for (int r = 0; r < nodes * each; r++)
		placement_seat_pu(&it->placement, r, by_turns ? r % nodes : r / each,
				  (by_turns ? r / nodes : r % each) % 8);
}

START_TEST(a_full_job_is_bound_well_and_nothing_is_idle)
{
	struct judged it;

	seat(&it, 4, 8, false);
	judge(&it, NULL);
	ck_assert(it.verdict.is_bound_well && it.verdict.is_counted);
	ck_assert_int_eq(it.verdict.unbound, 0);
	ck_assert_int_eq(it.verdict.threads, 32);
	ck_assert_double_eq(it.verdict.ranks_per_core, 1);
	ck_assert_int_eq(it.verdict.cores.objects, 32);
	ck_assert_int_eq(it.verdict.cores.idle, 0);
	ck_assert_int_eq(it.verdict.packages.objects, 8);
	ck_assert_int_eq(it.verdict.packages.idle, 0);
	ck_assert_int_eq(it.advice.order, TMAP_NONE);
	judged_fini(&it);
}
END_TEST

START_TEST(idle_cores_and_packages_are_counted)
{
	struct judged it;

	seat(&it, 3, 2, false);
	judge(&it, NULL);
	ck_assert_int_eq(it.verdict.cores.objects, 24);
	ck_assert_int_eq(it.verdict.cores.idle, 18);
	ck_assert_int_eq(it.verdict.packages.objects, 6);
	ck_assert_int_eq(it.verdict.packages.idle, 3);
	ck_assert_double_eq(it.verdict.ranks_per_core, 0.25);
	judged_fini(&it);
}
END_TEST

START_TEST(unbound_crowded_ranks_are_not_bound_well)
{
	struct judged it;

	placement_on_take(&it.placement, machine_regular(1, node_levels), 24);
	for (int r = 0; r < 24; r++)
		placement_seat(&it.placement, r, 0, 0);
	judge(&it, NULL);
	ck_assert(!it.verdict.is_bound_well);
	ck_assert_int_eq(it.verdict.unbound, 24);
	ck_assert_double_eq(it.verdict.ranks_per_core, 3);
	judged_fini(&it);
}
END_TEST

START_TEST(what_follows_the_advice_gets_none_again)
{
	struct judged cyclic, block;

	seat(&cyclic, 4, 8, true);
	seat(&block, 4, 8, false);
	judge(&cyclic, NULL);
	judge(&block, NULL);
	ck_assert_int_ne(cyclic.advice.order, TMAP_NONE);
	ck_assert(!tmap_advice_order_at(cyclic.advice.order)->by_turns);
	ck_assert_int_eq(cyclic.advice.gain.against, 0);
	ck_assert_int_gt(cyclic.advice.gain.profiles, 0);
	ck_assert_int_eq(block.advice.order, TMAP_NONE);
	for (int i = 0; i < block.advice.count; i++)
		ck_assert_double_eq_tol(cyclic.advice.call[i].better_s, block.advice.call[i].here_s,
					1e-9 * block.advice.call[i].here_s);
	judged_fini(&cyclic);
	judged_fini(&block);
}
END_TEST

START_TEST(a_calibrated_profile_is_asked_alone)
{
	const struct tmap_calibration calibration = { .placement = "0",
						      .mpi = "Open MPI 4.1.4",
						      .has_rho = true,
						      .rho = 0.97,
						      .regret = 1.02,
						      .collectives = 20,
						      .choices = 20,
						      .choices_near = 19 };
	struct tmap_profile profile = *tmap_profile_at(0);
	struct judged it;

	profile.calibration = &calibration;
	seat(&it, 4, 8, true);
	judge(&it, &profile);
	ck_assert(it.advice.is_measured);
	ck_assert_int_ne(it.advice.order, TMAP_NONE);
	ck_assert_int_eq(it.advice.gain.profiles, 0);
	judged_fini(&it);
}
END_TEST

START_TEST(one_rank_gets_no_advice)
{
	struct judged it;

	seat(&it, 1, 1, false);
	judge(&it, NULL);
	ck_assert_int_eq(it.advice.order, TMAP_NONE);
	ck_assert_ptr_null(tmap_advice_find_knob(&it.advice));
	ck_assert_int_eq(it.verdict.cores.idle, 7);
	judged_fini(&it);
}
END_TEST

START_TEST(a_large_job_is_judged_by_its_first_nodes)
{
	struct judged it;

	seat(&it, 2048, 8, true);
	judge(&it, NULL);
	ck_assert_int_eq(it.advice.nodes, TMAP_ADVICE_MOST_RANKS / 8);
	ck_assert_int_ne(it.advice.order, TMAP_NONE);
	ck_assert_int_eq(it.verdict.cores.objects, 2048 * 8);
	judged_fini(&it);
}
END_TEST

START_TEST(a_crowd_on_few_nodes_is_not_timed)
{
	struct judged it;

	seat(&it, 2, TMAP_ADVICE_CROWD / 2, true);
	judge(&it, NULL);
	ck_assert_int_eq(it.advice.crowd, 0);
	ck_assert_int_gt(it.advice.count, 0);
	judged_fini(&it);
	seat(&it, 3, TMAP_ADVICE_CROWD / 2 + 1, true);
	judge(&it, NULL);
	ck_assert_int_eq(it.advice.crowd, TMAP_ADVICE_CROWD + 2);
	ck_assert_int_eq(it.advice.count, 0);
	ck_assert_int_eq(it.advice.order, TMAP_NONE);
	judged_fini(&it);
}
END_TEST

/* A name that is no rule's would make every finding one of bindings. */
START_TEST(rules_of_orders_are_rules)
{
	int count = 0;

	for (int i = 0; tmap_lint_rule_at(i) && tmap_lint_rule_at(i)->word.name; i++)
		count += tmap_verdict_is_of_order(tmap_lint_rule_at(i));
	ck_assert_int_eq(count, 7);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("verdict");
	TCase *tests = tcase_create("verdict");

	tcase_add_test(tests, a_full_job_is_bound_well_and_nothing_is_idle);
	tcase_add_test(tests, idle_cores_and_packages_are_counted);
	tcase_add_test(tests, unbound_crowded_ranks_are_not_bound_well);
	tcase_add_test(tests, what_follows_the_advice_gets_none_again);
	tcase_add_test(tests, a_calibrated_profile_is_asked_alone);
	tcase_add_test(tests, one_rank_gets_no_advice);
	tcase_add_test(tests, a_large_job_is_judged_by_its_first_nodes);
	tcase_add_test(tests, a_crowd_on_few_nodes_is_not_timed);
	tcase_add_test(tests, rules_of_orders_are_rules);
	suite_add_tcase(suite, tests);
	return suite;
}
