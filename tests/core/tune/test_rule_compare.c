/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what each file makes of a call, looked up size by size, and score's times.
 */
#include "core/score/score.h"
#include "core/tune/rule_compare.h"
#include "core/tune/tuned_entry.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 5000, BCAST = 7 };

static struct tmap_error err;
static struct tmap_placement job;
static struct tmap_tune_places places;
static struct tmap_rule_file file[2], none;

static void add(struct tmap_rule_file *to, const int (*rule)[3], int count)
{
	struct tmap_rule_collective *collective = tmap_rule_file_add(to, BCAST, &err);
	struct tmap_rule_size *size = tmap_rule_collective_add(collective, 0, &err);

	for (int i = 0; i < count; i++)
		ck_assert_int_eq(tmap_rule_size_add(size,
						    &(struct tmap_rule){ .bytes = rule[i][0],
									 .algorithm = rule[i][1],
									 .segment = rule[i][2],
									 .requests = TMAP_NONE },
						    &err),
				 0);
}

/* 8 ranks on two nodes, and rules that are narrow between doublings. */
static void setup(void)
{
	static const int first[][3] = { { 0, 6, 0 }, { 37, 0, 0 }, { 1100, 5, 0 }, { 1107, 1, 0 } };
	static const int second[][3] = { { 0, 6, 0 }, { 40, 1, 0 }, { 900, 5, 128 } };
	int place[8];

	for (int r = 0; r < 8; r++)
		place[r] = r;
	placement_seats_take(
		&job,
		machine_regular(2,
				(const struct test_level[]){ { TMAP_CORE, 4 }, { TMAP_CORE, 0 } }),
		place, 8);
	ck_assert_int_eq(tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err), 0);
	add(&file[0], first, 4);
	add(&file[1], second, 3);
}

static void teardown(void)
{
	tmap_rule_file_fini(&file[0]);
	tmap_rule_file_fini(&file[1]);
	tmap_tune_places_fini(&places);
	tmap_placement_fini(&job);
}

/* The caller's to free. */
static char *name_of(const struct tmap_rule_file *rules, int ranks, int64_t bytes)
{
	const struct tmap_library_call call = {
		.collective = TMAP_BCAST, .size = ranks, .bytes = bytes, .element = 1
	};
	const struct tmap_rule_comm comm = { ranks, TMAP_SPREAD_ANY };
	const struct tmap_rule *rule = tmap_rule_find(rules, BCAST, &comm, bytes);
	char *name;

	if (!rule || !rule->algorithm)
		return strdup(tmap_library_tuned_own(&call).algorithm);
	ck_assert_int_eq(tmap_tuned_entry_name(&name, 0, rule, &call, &err), 0);
	return name;
}

static const struct tmap_rule_range *range_at(const struct tmap_rule_comparison *it, int ranks,
					      int64_t bytes)
{
	const struct tmap_rule_range *found = NULL;

	for (int i = 0; i < it->count; i++) {
		const struct tmap_rule_range *range = &it->range[i];

		if (places.place[range->first_place]->placement.size != ranks ||
		    bytes < range->from || bytes > range->to)
			continue;
		ck_assert_ptr_null(found);
		found = range;
	}
	return found;
}

START_TEST(every_size_is_in_a_range_where_both_do_other_things_and_in_no_other)
{
	const struct tmap_rule_file *second = _i ? &none : &file[1];
	struct tmap_rule_comparison comparison;
	int differing = 0;

	ck_assert_int_eq(
		tmap_rule_comparison_init(&comparison, &file[0], second, 0, 0, &places, MOST, &err),
		0);
	for (int p = 0; p < places.count; p++)
		for (int64_t bytes = 1; bytes <= MOST; bytes++) {
			int ranks = places.place[p]->placement.size;
			const struct tmap_rule_range *range = range_at(&comparison, ranks, bytes);
			char *a = name_of(&file[0], ranks, bytes);
			char *b = name_of(second, ranks, bytes);

			ck_assert_msg((strcmp(a, b) != 0) == (range != NULL),
				      "%lld bytes, %d ranks: %s and %s", (long long)bytes, ranks, a,
				      b);
			if (range) {
				ck_assert_str_eq(range->a.name, a);
				ck_assert_str_eq(range->b.name, b);
				differing++;
			}
			free(a);
			free(b);
		}
	ck_assert_int_gt(differing, MOST);
	ck_assert_int_gt(comparison.same, 0);
	tmap_rule_comparison_fini(&comparison);
}
END_TEST

START_TEST(times_are_those_of_score)
{
	struct tmap_rule_comparison comparison;

	ck_assert_int_eq(tmap_rule_comparison_init(&comparison, &file[0], &file[1], 0, 0, &places,
						   MOST, &err),
			 0);
	for (int i = 0; i < comparison.count; i++) {
		const struct tmap_rule_range *range = &comparison.range[i];
		const char *name[] = { range->a.name, range->b.name };
		const struct tmap_score_request request = { .collective = TMAP_BCAST,
							    .bytes = range->shown,
							    .algorithm = name,
							    .algorithm_count = 2 };
		struct tmap_score score;

		ck_assert(!range->is_measured);
		ck_assert_int_ge(range->shown, range->from);
		ck_assert_int_le(range->shown, range->to);
		if (places.place[range->first_place]->placement.size != 8)
			continue;
		ck_assert_int_eq(tmap_score_init(&score, &job, &request, &err), 0);
		for (int r = 0; r < 2; r++)
			ck_assert_double_eq_tol(score.row[r].seconds,
						strcmp(score.row[r].name, name[0]) == 0 ?
							range->a.seconds :
							range->b.seconds,
						1e-15);
		tmap_score_fini(&score);
	}
	tmap_rule_comparison_fini(&comparison);
}
END_TEST

START_TEST(what_is_not_asked_for_is_not_compared)
{
	struct tmap_rule_comparison comparison;

	ck_assert_int_eq(tmap_rule_comparison_init(&comparison, &file[0], &file[1],
						   UINT64_C(1) << TMAP_ALLGATHER, 0, &places, MOST,
						   &err),
			 0);
	ck_assert_int_eq(comparison.count, 0);
	ck_assert_int_eq(comparison.same, 0);
	tmap_rule_comparison_fini(&comparison);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("rule_compare");
	TCase *compare = tcase_create("rule_compare");

	tcase_add_checked_fixture(compare, setup, teardown);
	tcase_set_timeout(compare, 60);
	tcase_add_loop_test(
		compare, every_size_is_in_a_range_where_both_do_other_things_and_in_no_other, 0, 2);
	tcase_add_test(compare, times_are_those_of_score);
	tcase_add_test(compare, what_is_not_asked_for_is_not_compared);
	suite_add_tcase(suite, compare);
	return suite;
}
