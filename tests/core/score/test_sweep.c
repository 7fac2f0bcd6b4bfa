/*
 * Oracle: each cell is what a score of that part of the placement, made by itself, puts first.
 */
#include "core/score/sweep.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <string.h>

static struct tm_error err;

static struct tm_placement job(int nodes)
{
	static const struct rung rungs[] = { { TM_CORE, 4 }, { 0 } };
	struct tm_placement placement;

	placement_block_take(&placement, machine_regular(nodes, rungs));
	return placement;
}

START_TEST(every_cell_is_the_best_of_its_own_score)
{
	struct tm_score_request request = { .collective = TM_ALLGATHER, .bytes = 5000 };
	static const int ranks[] = { 2, 4, 8, 16, 20 }, all[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
		10, 11, 12, 13, 14, 15, 16, 17, 18, 19 };
	static const int64_t bytes[] = { 1, 4, 16, 64, 256, 1024, 4096 };
	struct tm_placement placement = job(5), part;
	struct tm_score score;
	struct tm_sweep sweep;

	ck_assert_msg(tm_sweep_init(&sweep, &placement, &request, &err) == 0, "%s", err.text);
	ck_assert_int_eq(sweep.rank_count, 5);
	ck_assert_int_eq(sweep.size_count, 7);
	for (int r = 0; r < 5; r++)
		for (int s = 0; s < 7; s++) {
			const struct tm_sweep_cell *cell = tm_sweep_at(&sweep, r, s);

			ck_assert_int_eq(sweep.ranks[r], ranks[r]);
			ck_assert_int_eq(sweep.bytes[s], bytes[s]);
			request.bytes = bytes[s];
			ck_assert_int_eq(tm_placement_select(&part, &placement, all, ranks[r], &err), 0);
			ck_assert_int_eq(tm_score_init(&score, &part, &request, &err), 0);
			ck_assert_str_eq(sweep.name[cell->name], score.row[0].name);
			ck_assert_double_eq(cell->seconds, score.row[0].seconds);
			tm_score_fini(&score);
			tm_placement_fini(&part);
		}
	ck_assert_int_gt(sweep.name_count, 1);
	tm_sweep_fini(&sweep);
	tm_placement_fini(&placement);
}
END_TEST

/* Recursive doubling alone cannot run with 12 ranks. */
START_TEST(a_cell_may_have_no_algorithm)
{
	const char *const name = "recursive_doubling";
	const struct tm_score_request request = {
		.collective = TM_ALLGATHER, .bytes = 1, .algorithm = &name, .algorithm_count = 1 };
	struct tm_placement placement = job(3);
	struct tm_sweep sweep;

	ck_assert_int_eq(tm_sweep_init(&sweep, &placement, &request, &err), 0);
	ck_assert_int_eq(sweep.rank_count, 4);
	ck_assert_int_eq(tm_sweep_at(&sweep, 2, 0)->name, 0);
	ck_assert_int_eq(tm_sweep_at(&sweep, 3, 0)->name, TM_NONE);
	tm_sweep_fini(&sweep);
	tm_placement_fini(&placement);
}
END_TEST

START_TEST(a_barrier_has_one_column)
{
	const struct tm_score_request request = { .collective = TM_BARRIER };
	struct tm_placement placement = job(2);
	struct tm_sweep sweep;

	ck_assert_int_eq(tm_sweep_init(&sweep, &placement, &request, &err), 0);
	ck_assert_int_eq(sweep.size_count, 1);
	ck_assert_int_eq(sweep.rank_count, 3);
	tm_sweep_fini(&sweep);
	tm_placement_fini(&placement);
}
END_TEST

START_TEST(the_largest_size_ends_in_time)
{
	const char *const name = "flat";
	const struct tm_score_request request = {
		.collective = TM_BCAST, .bytes = INT64_MAX, .algorithm = &name, .algorithm_count = 1 };
	struct tm_placement placement = job(1), two;
	struct tm_sweep sweep;

	ck_assert_int_eq(tm_placement_select(&two, &placement, (const int[]){ 0, 1 }, 2, &err), 0);
	ck_assert_msg(tm_sweep_init(&sweep, &two, &request, &err) == 0, "%s", err.text);
	ck_assert_int_eq(sweep.size_count, 32);
	ck_assert(sweep.bytes[31] == (int64_t)1 << 62);
	tm_sweep_fini(&sweep);
	tm_placement_fini(&two);
	tm_placement_fini(&placement);
}
END_TEST

START_TEST(a_root_beyond_the_first_two_is_refused)
{
	const struct tm_score_request request = { .collective = TM_BCAST, .bytes = 8, .root = 2 };
	struct tm_placement placement = job(2);
	struct tm_sweep sweep;

	ck_assert_int_eq(tm_sweep_init(&sweep, &placement, &request, &err), -1);
	ck_assert_str_eq(err.text, "a sweep begins with two ranks; its root is one of them, not 2");
	tm_placement_fini(&placement);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("sweep");
	TCase *tests = tcase_create("sweep");

	tcase_add_test(tests, every_cell_is_the_best_of_its_own_score);
	tcase_add_test(tests, a_cell_may_have_no_algorithm);
	tcase_add_test(tests, a_barrier_has_one_column);
	tcase_add_test(tests, the_largest_size_ends_in_time);
	tcase_add_test(tests, a_root_beyond_the_first_two_is_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
