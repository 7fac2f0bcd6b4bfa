/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: how Open MPI looks a rule up, written down here as a walk that ends at the first size that
 * is larger; tests/mpi/rules.sh asks the library itself.
 */
#include "core/tune/rule_collectives.h"
#include "core/tune/rule_file.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

static void add(struct tmap_rule_file *file, int64_t number, int64_t ranks, const int64_t *bytes,
		int count)
{
	struct tmap_rule_collective *c = file->count &&
			file->collective[file->count - 1].number == number ?
		&file->collective[file->count - 1] :
		tmap_rule_file_add(file, number, &err);
	struct tmap_rule_size *size = tmap_rule_collective_add(c, ranks, &err);

	ck_assert_ptr_nonnull(size);
	for (int i = 0; i < count; i++) {
		const struct tmap_rule rule = { .bytes = bytes[i], .algorithm = 100 * ranks + i };

		ck_assert_int_eq(tmap_rule_size_add(size, &rule, &err), 0);
	}
}

static const struct tmap_rule *find(const struct tmap_rule_file *file, int64_t number,
				    int64_t ranks, int64_t bytes)
{
	return tmap_rule_find(file, number, &(struct tmap_rule_comm){ .ranks = ranks }, bytes);
}

/* The last one of those that come before the first that is larger; else the first. */
static int walk(const int64_t *list, int count, int64_t wanted)
{
	int best = 0;

	for (int i = 0; i < count; i++) {
		if (list[i] > wanted)
			break;
		best = i;
	}
	return best;
}

START_TEST(rules_are_found_as_the_library_walks)
{
	static const int64_t sizes[] = { 8, 16, 4, 32 }; /* out of order */
	static const int64_t bytes[] = { 0, 100, 100, 5000, 700 };
	struct tmap_rule_file file = { .version = 1 };

	for (int s = 0; s < 4; s++)
		add(&file, 7, sizes[s], bytes, 5);
	for (int64_t ranks = 1; ranks < 40; ranks++)
		for (int64_t n = 0; n < 6000; n += 50) {
			const struct tmap_rule *rule = find(&file, 7, ranks, n);

			hold(rule);
			hold(rule->algorithm ==
			     100 * sizes[walk(sizes, 4, ranks)] + walk(bytes, 5, n));
		}
	ck_assert_ptr_null(find(&file, 0, 8, 0));
	tmap_rule_file_fini(&file);
}
END_TEST

START_TEST(rules_of_a_collective_that_stand_twice_are_the_last_ones)
{
	static const int64_t bytes[] = { 0 };
	struct tmap_rule_file file = { .version = 1 };

	add(&file, 7, 2, bytes, 1);
	add(&file, 0, 3, bytes, 1);
	add(&file, 7, 4, bytes, 1);
	ck_assert_int_eq(find(&file, 7, 2, 5)->algorithm, 400);
	tmap_rule_file_fini(&file);
}
END_TEST

START_TEST(a_list_without_rules_has_none)
{
	struct tmap_rule_file file = { .version = 1 };
	struct tmap_rule_collective *c = tmap_rule_file_add(&file, 7, &err);

	ck_assert_ptr_null(find(&file, 7, 2, 5));
	ck_assert_ptr_nonnull(tmap_rule_collective_add(c, 2, &err));
	ck_assert_ptr_null(find(&file, 7, 2, 5));
	tmap_rule_file_fini(&file);
}
END_TEST

START_TEST(the_least_call_that_reaches_a_rule_reaches_it_and_one_element_less_does_not)
{
	static const enum tmap_rule_unit units[] = { TMAP_RULE_VECTOR, TMAP_RULE_TOTAL };

	for (int u = 0; u < 2; u++)
		for (int64_t ranks = 2; ranks < 20; ranks++)
			for (int64_t element = 1; element <= 16; element *= 2)
				for (int64_t bytes = 1; bytes < 900; bytes += 7) {
					int64_t call = tmap_rule_unit_call(units[u], ranks, bytes,
									   element);

					hold(call % element == 0);
					hold(tmap_rule_unit_of(units[u], ranks, call, element) >=
					     bytes);
					hold(call < element ||
					     tmap_rule_unit_of(units[u], ranks, call - element,
							       element) < bytes);
				}
}
END_TEST

START_TEST(sizes_beyond_all_numbers_do_not_wrap)
{
	ck_assert_int_eq(tmap_rule_unit_of(TMAP_RULE_TOTAL, 1 << 30, INT64_MAX / 2, 1), INT64_MAX);
	ck_assert_int_gt(tmap_rule_unit_call(TMAP_RULE_VECTOR, 2, INT64_MAX, 8), 0);
	ck_assert_int_gt(tmap_rule_unit_call(TMAP_RULE_TOTAL, 2, INT64_MAX, 8), 0);
}
END_TEST

/* What Open MPI's documentation says, collective by collective. */
START_TEST(collectives_have_the_numbers_and_units_of_the_documentation)
{
	ck_assert_int_eq(tmap_rule_collective_number(TMAP_ALLGATHER), 0);
	ck_assert_int_eq(tmap_rule_collective_number(TMAP_ALLREDUCE), 2);
	ck_assert_int_eq(tmap_rule_collective_number(TMAP_ALLTOALL), 3);
	ck_assert_int_eq(tmap_rule_collective_number(TMAP_BARRIER), 6);
	ck_assert_int_eq(tmap_rule_collective_number(TMAP_BCAST), 7);
	ck_assert_int_eq(tmap_rule_collective_number(TMAP_EXSCAN), 8);
	ck_assert_int_eq(tmap_rule_collective_number(TMAP_GATHER), 9);
	ck_assert_int_eq(tmap_rule_collective_number(TMAP_REDUCE), 11);
	ck_assert_int_eq(tmap_rule_collective_number(TMAP_REDUCE_SCATTER), 12);
	ck_assert_int_eq(tmap_rule_collective_number(TMAP_REDUCE_SCATTER_BLOCK), 13);
	ck_assert_int_eq(tmap_rule_collective_number(TMAP_SCAN), 14);
	ck_assert_int_eq(tmap_rule_collective_number(TMAP_SCATTER), 15);
	ck_assert_int_eq(tmap_rule_collective_number(TMAP_NEIGHBOR_ALLGATHER), TMAP_NONE);
	ck_assert_ptr_null(tmap_rule_collective_row(17));
	ck_assert_ptr_null(tmap_rule_collective_row(-1));
	/* 8 ranks, 100 ints each */
	ck_assert_int_eq(tmap_rule_unit_of(tmap_rule_collective_row(9)->unit, 8, 400, 4), 3200);
	ck_assert_int_eq(tmap_rule_unit_of(tmap_rule_collective_row(7)->unit, 8, 400, 4), 400);
	ck_assert_int_eq(tmap_rule_unit_of(tmap_rule_collective_row(14)->unit, 8, 400, 4), 32);
	ck_assert_int_eq(tmap_rule_unit_of(tmap_rule_collective_row(6)->unit, 8, 0, 1), 0);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("rule files");
	TCase *rules = tcase_create("rules");

	tcase_add_test(rules, rules_are_found_as_the_library_walks);
	tcase_add_test(rules, rules_of_a_collective_that_stand_twice_are_the_last_ones);
	tcase_add_test(rules, a_list_without_rules_has_none);
	tcase_add_test(rules,
		       the_least_call_that_reaches_a_rule_reaches_it_and_one_element_less_does_not);
	tcase_add_test(rules, sizes_beyond_all_numbers_do_not_wrap);
	tcase_add_test(rules, collectives_have_the_numbers_and_units_of_the_documentation);
	suite_add_tcase(suite, rules);
	return suite;
}
