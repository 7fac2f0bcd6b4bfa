/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: each cell is what a score of that part of the placement, made by itself, puts first.
 */
#include "core/score/sweep.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <string.h>

static struct tmap_error err;
static const struct tmap_sweep_axes preset_axes;

static struct tmap_placement job(int nodes)
{
	static const struct test_level node_levels[] = { { TMAP_CORE, 4 }, { 0 } };
	struct tmap_placement placement;

	placement_block_take(&placement, machine_regular(nodes, node_levels));
	return placement;
}

START_TEST(every_cell_is_the_best_of_its_own_score)
{
	struct tmap_score_request request = { .collective = TMAP_ALLGATHER, .bytes = 5000 };
	static const int ranks[] = { 2, 4, 8, 16, 20 },
			 all[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
				   10, 11, 12, 13, 14, 15, 16, 17, 18, 19 };
	static const int64_t bytes[] = { 1, 4, 16, 64, 256, 1024, 4096 };
	struct tmap_placement placement = job(5), part;
	struct tmap_score score;
	struct tmap_sweep sweep;

	ck_assert_msg(tmap_sweep_init(&sweep, &placement, &request, &preset_axes, &err) == 0, "%s",
		      err.text);
	ck_assert_int_eq(sweep.rank_count, 5);
	ck_assert_int_eq(sweep.size_count, 7);
	for (int r = 0; r < 5; r++)
		for (int s = 0; s < 7; s++) {
			const struct tmap_sweep_cell *cell = tmap_sweep_at(&sweep, r, s);

			ck_assert_int_eq(sweep.ranks[r], ranks[r]);
			ck_assert_int_eq(sweep.bytes[s], bytes[s]);
			request.bytes = bytes[s];
			ck_assert_int_eq(
				tmap_placement_select(&part, &placement, all, ranks[r], &err), 0);
			ck_assert_int_eq(tmap_score_init(&score, &part, &request, &err), 0);
			ck_assert_str_eq(sweep.name[cell->name], score.row[0].name);
			ck_assert_double_eq(cell->seconds, score.row[0].seconds);
			tmap_score_fini(&score);
			tmap_placement_fini(&part);
		}
	ck_assert_int_gt(sweep.name_count, 1);
	tmap_sweep_fini(&sweep);
	tmap_placement_fini(&placement);
}
END_TEST

/* Oracle: each cell scored by each profile, and what is best by the first timed by the other. */
START_TEST(cells_are_counted_that_other_profiles_choose_otherwise)
{
	struct tmap_score_request request = { .collective = TMAP_ALLREDUCE, .bytes = 70000 };
	const struct tmap_sweep_axes axes = { .asks_others = true };
	struct tmap_placement placement = job(4), part;
	int all[16], turned = 0, counted = 0;
	struct tmap_score own, other;
	struct tmap_sweep sweep;

	for (int r = 0; r < 16; r++)
		all[r] = r;
	ck_assert_int_eq(tmap_sweep_init(&sweep, &placement, &request, &axes, &err), 0);
	ck_assert_int_eq(sweep.asked, sweep.rank_count * sweep.size_count);
	for (int r = 0; r < sweep.rank_count; r++)
		for (int s = 0; s < sweep.size_count; s++) {
			request.bytes = sweep.bytes[s];
			hold(tmap_placement_select(&part, &placement, all, sweep.ranks[r], &err) ==
			     0);
			request.profile = tmap_profile_at(0);
			hold(tmap_score_init(&own, &part, &request, &err) == 0);
			for (int i = 1; tmap_keywords_at(&tmap_profiles, (size_t)i); i++) {
				request.profile = tmap_profile_at(i);
				hold(tmap_score_init(&other, &part, &request, &err) == 0);
				for (int a = 0; a < other.applicable; a++)
					if (strcmp(other.row[a].name, own.row[0].name) == 0)
						turned += other.row[a].seconds >
							1.02 * other.row[0].seconds;
				tmap_score_fini(&other);
			}
			tmap_score_fini(&own);
			tmap_placement_fini(&part);
		}
	ck_assert_int_eq(sweep.turned[0], 0);
	for (int i = 1; tmap_keywords_at(&tmap_profiles, (size_t)i); i++)
		counted += sweep.turned[i];
	ck_assert_int_eq(counted, turned);
	ck_assert_int_gt(counted, 0);
	tmap_sweep_fini(&sweep);
	tmap_placement_fini(&placement);
}
END_TEST

/* Recursive doubling alone cannot run with 12 ranks. */
START_TEST(a_cell_may_have_no_algorithm)
{
	const char *const name = "recursive_doubling";
	const struct tmap_score_request request = {
		.collective = TMAP_ALLGATHER, .bytes = 1, .algorithm = &name, .algorithm_count = 1
	};
	struct tmap_placement placement = job(3);
	struct tmap_sweep sweep;

	ck_assert_int_eq(tmap_sweep_init(&sweep, &placement, &request, &preset_axes, &err), 0);
	ck_assert_int_eq(sweep.rank_count, 4);
	ck_assert_int_eq(tmap_sweep_at(&sweep, 2, 0)->name, 0);
	ck_assert_int_eq(tmap_sweep_at(&sweep, 3, 0)->name, TMAP_NONE);
	tmap_sweep_fini(&sweep);
	tmap_placement_fini(&placement);
}
END_TEST

START_TEST(a_barrier_has_one_column)
{
	const struct tmap_score_request request = { .collective = TMAP_BARRIER };
	struct tmap_placement placement = job(2);
	struct tmap_sweep sweep;

	ck_assert_int_eq(tmap_sweep_init(&sweep, &placement, &request, &preset_axes, &err), 0);
	ck_assert_int_eq(sweep.size_count, 1);
	ck_assert_int_eq(sweep.rank_count, 3);
	tmap_sweep_fini(&sweep);
	tmap_placement_fini(&placement);
}
END_TEST

START_TEST(the_largest_size_ends_in_time)
{
	const char *const name = "flat";
	const struct tmap_score_request request = { .collective = TMAP_BCAST,
						    .bytes = INT64_MAX,
						    .algorithm = &name,
						    .algorithm_count = 1 };
	struct tmap_placement placement = job(1), two;
	struct tmap_sweep sweep;

	ck_assert_int_eq(tmap_placement_select(&two, &placement, (const int[]){ 0, 1 }, 2, &err),
			 0);
	ck_assert_msg(tmap_sweep_init(&sweep, &two, &request, &preset_axes, &err) == 0, "%s",
		      err.text);
	ck_assert_int_eq(sweep.size_count, 32);
	ck_assert(sweep.bytes[31] == (int64_t)1 << 62);
	tmap_sweep_fini(&sweep);
	tmap_placement_fini(&two);
	tmap_placement_fini(&placement);
}
END_TEST

START_TEST(a_root_beyond_the_first_two_is_refused)
{
	const struct tmap_score_request request = { .collective = TMAP_BCAST,
						    .bytes = 8,
						    .root = 2 };
	struct tmap_placement placement = job(2);
	struct tmap_sweep sweep;

	ck_assert_int_eq(tmap_sweep_init(&sweep, &placement, &request, &preset_axes, &err), -1);
	ck_assert_str_eq(err.text, "a sweep begins with two ranks; its root is one of them, not 2");
	tmap_placement_fini(&placement);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("sweep");
	TCase *tests = tcase_create("sweep");

	tcase_add_test(tests, every_cell_is_the_best_of_its_own_score);
	tcase_add_test(tests, cells_are_counted_that_other_profiles_choose_otherwise);
	tcase_add_test(tests, a_cell_may_have_no_algorithm);
	tcase_add_test(tests, a_barrier_has_one_column);
	tcase_add_test(tests, the_largest_size_ends_in_time);
	tcase_add_test(tests, a_root_beyond_the_first_two_is_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
