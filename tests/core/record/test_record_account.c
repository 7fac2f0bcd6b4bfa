/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: numbers computed by hand from small records, which are written down beside them.
 */
#include "core/cost/cost.h"
#include "core/record/record_account.h"
#include "core/record/record_traffic.h"
#include "tests/support/records.h"
#include "tests/unit.h"

#include <string.h>

static struct tmap_error err;

START_TEST(totals_are_those_that_a_hand_adds_up)
{
	struct sent sent = { .size = 4 };
	struct tmap_record_totals totals;
	struct tmap_record record;

	sent_add(&sent, 0, 1, 2, 400);
	sent_add(&sent, 1, 0, 1, 100);
	sent_add(&sent, 1, 1, 1, 10);
	sent_add(&sent, 3, 2, 1, 0);
	record_make(&record, &sent);
	record_add_communicator(&record, 4, NULL, "");
	/* 10 calls x 4 ranks x 8 bytes; 4 ranks x 4 blocks x 5 bytes; a sum */
	record_add_call(&record,
			(struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLREDUCE,
						     .bytes = 8,
						     .element = 8,
						     .calls = 10,
						     .seconds_sum = 1.5 });
	record_add_call(&record,
			(struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLTOALL,
						     .bytes = 5,
						     .calls = 1,
						     .seconds_sum = 0.5 });
	record_add_call(&record,
			(struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLTOALLV,
						     .bytes = 5,
						     .calls = 1,
						     .total_bytes = 77 });
	ck_assert_int_eq(tmap_record_totals_find(&totals, &record, &err), 0);
	ck_assert_int_eq(totals.sent[TMAP_WAY_MESSAGES].messages, 4);
	ck_assert_int_eq(totals.bytes, 900);
	ck_assert_int_eq(totals.sent[TMAP_WAY_MESSAGES].own_messages, 1);
	ck_assert_int_eq(totals.sent[TMAP_WAY_MESSAGES].own_bytes, 10);
	ck_assert_int_eq(totals.pairs, 3);
	ck_assert_int_eq(totals.most_rank, 0);
	ck_assert_int_eq(totals.most_bytes, 800);
	ck_assert_double_eq_tol(tmap_record_imbalance(&totals, &record), 800.0 / 225, 1e-12);
	ck_assert_int_eq(totals.sizes[0], 1); /* 0 */
	ck_assert_int_eq(totals.sizes[4], 1); /* 8 to 15 */
	ck_assert_int_eq(totals.sizes[7], 1); /* 64 to 127 */
	ck_assert_int_eq(totals.sizes[9], 2); /* 256 to 511 */
	ck_assert_int_eq(totals.calls, 12);
	ck_assert_int_eq(totals.call_bytes, 320 + 80 + 77);
	ck_assert_double_eq(totals.call_seconds, 2);
	tmap_record_fini(&record);
}
END_TEST

START_TEST(bytes_by_level_are_those_of_messages_and_of_recursive_doubling)
{
	struct sent sent = { .size = 8 };
	struct tmap_record_account account;
	struct tmap_record record;
	struct tmap_levels levels;

	sent_add(&sent, 0, 1, 1, 100); /* of node 0 */
	sent_add(&sent, 3, 4, 1, 30);  /* to node 1 */
	sent_add(&sent, 2, 2, 1, 7);   /* to itself: over no level */
	record_make(&record, &sent);
	record_add_communicator(&record, 8, NULL, "");
	record_add_communicator(&record, 2, (const int[]){ 0, 4 }, "");
	record_add_call(&record,
			(struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLREDUCE,
						     .bytes = 8,
						     .element = 8,
						     .calls = 10,
						     .seconds_max = 2 });
	/* of two ranks, whatever the algorithm: one block each way */
	record_add_call(&record,
			(struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLTOALL,
						     .communicator = 1,
						     .bytes = 5,
						     .calls = 1 });
	ck_assert_int_eq(tmap_levels_init(&levels, record.placement.machine, &err), 0);
	ck_assert_int_eq(tmap_record_account_init(
				 &account, &record,
				 &(struct tmap_record_costs){
					 tmap_record_library(TMAP_NONE, &record, &record.placement),
					 tmap_profile_at(0), &levels },
				 &err),
			 0);
	ck_assert_int_eq(account.costs.library.why, TMAP_LIBRARY_OF_RECORD);
	ck_assert_str_eq(account.longest[0].algorithm, "recursive_doubling");
	ck_assert_int_eq(account.levels.count, 3);
	ck_assert(account.levels.is_counted && account.levels.has_calls);
	ck_assert_int_eq(account.levels.left_out, 0);
	ck_assert_str_eq(account.levels.level[0].name, "core");
	ck_assert_double_eq(account.levels.level[0].bytes, 0);
	ck_assert_double_eq(account.levels.level[0].all_bytes, 0);
	ck_assert_str_eq(account.levels.level[1].name, "node");
	ck_assert_double_eq(account.levels.level[1].bytes, 100);
	/* two of three rounds with ranks of the same node, 8 ranks x 8 bytes x 10 calls each */
	ck_assert_double_eq(account.levels.level[1].all_bytes, 100 + 2 * 640);
	ck_assert_ptr_null(account.levels.level[2].name);
	ck_assert_double_eq(account.levels.level[2].bytes, 30);
	ck_assert_double_eq(account.levels.level[2].all_bytes, 30 + 640 + 2 * 5);
	tmap_record_account_fini(&account);
	tmap_levels_fini(&levels);
	tmap_record_fini(&record);
}
END_TEST

START_TEST(the_longest_calls_come_first_and_unknown_algorithms_are_not_named)
{
	struct sent sent = { .size = 8 };
	struct tmap_record_longest longest[TMAP_RECORD_LONGEST];
	struct tmap_record record;
	struct tmap_levels levels;
	struct tmap_record_costs costs;
	int count;

	sent_add(&sent, 0, 1, 1, 1);
	record_make(&record, &sent);
	record_add_communicator(&record, 8, NULL, "");
	for (int i = 0; i < 12; i++)
		record_add_call(&record,
				(struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLREDUCE,
							     .bytes = 8,
							     .element = 8,
							     .calls = i == 5 ? 20 : 10,
							     .seconds_max = i < 6 ? 1 + i : 0,
							     .mode = i < 6 ? TMAP_BLOCKING :
									     TMAP_NONBLOCKING });
	record.call[4].collective = TMAP_RECORDED_ALLGATHERV;
	record.call[7].bytes = 1000;
	ck_assert_int_eq(tmap_levels_init(&levels, record.placement.machine, &err), 0);
	costs = (struct tmap_record_costs){ tmap_record_library(TMAP_NONE, &record,
								&record.placement),
					    tmap_profile_at(0), &levels };
	ck_assert_int_eq(tmap_record_longest_find(longest, &count, &record, &costs, &err), 0);
	ck_assert_int_eq(count, TMAP_RECORD_LONGEST);
	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(longest[i].call, 5 - i);
	ck_assert_int_eq(longest[6].call, 7);
	ck_assert_int_eq(longest[7].call, 6);
	ck_assert_double_eq(longest[0].share, 0.6); /* 6 s of 10 s */
	ck_assert_str_eq(longest[0].algorithm, "recursive_doubling");
	ck_assert_str_eq(longest[1].algorithm, ""); /* a v form */
	ck_assert_double_lt(longest[1].predicted_s, 0);
	ck_assert_str_eq(longest[6].algorithm, ""); /* does not block */
	ck_assert_double_gt(longest[2].predicted_s, 0);
	ck_assert_double_eq_tol(longest[0].predicted_s, 2 * longest[2].predicted_s, 1e-12);
	for (int i = 0; i < count; i++)
		tmap_record_longest_fini(&longest[i]);
	tmap_levels_fini(&levels);
	tmap_record_fini(&record);
}
END_TEST

/* The time of so many calls of that algorithm on all ranks of the record. */
static double time_of(const struct tmap_record *record, const struct tmap_record_costs *costs,
		      const char *algorithm, int64_t bytes, int calls)
{
	struct tmap_metric metric = { 0 };
	struct tmap_cost_model model = { 0 };
	struct tmap_call call = {
		.size = record->placement.size, .bytes = bytes, .element = 4, .metric = &metric
	};
	double seconds = 0;

	ck_assert_int_eq(tmap_metric_init(&metric, &record->placement, TMAP_SCALE_PROCESS, &err),
			 0);
	ck_assert_int_eq(tmap_call_parse(&call, TMAP_SCAN, algorithm, &err), 0);
	ck_assert_int_eq(tmap_cost_model_init(&model, &record->placement, &metric, costs->levels,
					      costs->profile, &err),
			 0);
	ck_assert_int_eq(tmap_cost(&seconds, &model, &call, &err), 0);
	tmap_cost_model_fini(&model);
	tmap_metric_fini(&metric);
	return calls * seconds;
}

/* Open MPI 4.1 scans by a chain, and has one other algorithm. */
START_TEST(what_the_library_can_be_set_to_is_said_where_it_is_faster)
{
	struct sent sent = { .size = 8 };
	struct tmap_record_longest longest[TMAP_RECORD_LONGEST];
	struct tmap_record record;
	struct tmap_levels levels;
	struct tmap_record_costs costs;
	double chain, doubling;
	int count;

	sent_add(&sent, 0, 1, 1, 1);
	record_make(&record, &sent);
	record_add_communicator(&record, 8, NULL, "");
	record_add_call(&record,
			(struct tmap_recorded_call){ .collective = TMAP_RECORDED_SCAN,
						     .bytes = 16,
						     .element = 4,
						     .calls = 5,
						     .seconds_max = 1 });
	ck_assert_int_eq(tmap_levels_init(&levels, record.placement.machine, &err), 0);
	costs = (struct tmap_record_costs){ tmap_record_library(TMAP_NONE, &record,
								&record.placement),
					    tmap_profile_at(0), &levels };
	ck_assert_int_eq(tmap_record_longest_find(longest, &count, &record, &costs, &err), 0);
	chain = time_of(&record, &costs, "linear", 16, 5);
	doubling = time_of(&record, &costs, "recursive_doubling", 16, 5);
	ck_assert_double_lt(doubling, chain);
	ck_assert_str_eq(longest[0].algorithm, "linear");
	ck_assert_double_eq_tol(longest[0].predicted_s, chain, 1e-12);
	ck_assert_double_eq_tol(longest[0].possible_s, doubling, 1e-12);
	ck_assert_str_eq(longest[0].other, "recursive_doubling");
	ck_assert_ptr_nonnull(strstr(longest[0].knob, "coll_tuned_scan_algorithm 2"));
	ck_assert_ptr_nonnull(longest[0].scope);
	tmap_record_longest_fini(&longest[0]);
	tmap_levels_fini(&levels);
	tmap_record_fini(&record);
}
END_TEST

/* Short broadcasts want a tree, and long ones scatter first; the scan is alone. */
START_TEST(a_setting_is_contested_where_calls_of_a_collective_want_different_ones)
{
	static const struct tmap_recorded_call calls[] = {
		{ .collective = TMAP_RECORDED_BCAST, .bytes = 1 << 22, .seconds_max = 3 },
		{ .collective = TMAP_RECORDED_BCAST, .bytes = 16, .seconds_max = 2 },
		{ .collective = TMAP_RECORDED_SCAN, .bytes = 16, .element = 4, .seconds_max = 1 },
	};
	struct sent sent = { .size = 8 };
	struct tmap_record_longest longest[TMAP_RECORD_LONGEST];
	struct tmap_record record;
	struct tmap_levels levels;
	struct tmap_record_costs costs;
	int count;

	sent_add(&sent, 0, 1, 1, 1);
	record_make(&record, &sent);
	record_add_communicator(&record, 8, NULL, "");
	for (int i = 0; i < 3; i++) {
		struct tmap_recorded_call it = calls[i];

		it.calls = 5;
		record_add_call(&record, it);
	}
	ck_assert_int_eq(tmap_levels_init(&levels, record.placement.machine, &err), 0);
	costs = (struct tmap_record_costs){ tmap_record_library(TMAP_NONE, &record,
								&record.placement),
					    tmap_profile_at(0), &levels };
	ck_assert_int_eq(tmap_record_longest_find(longest, &count, &record, &costs, &err), 0);
	ck_assert_int_eq(count, 3);
	for (int i = 0; i < count; i++) {
		ck_assert_int_eq(longest[i].is_contested, i < 2);
		tmap_record_longest_fini(&longest[i]);
	}
	tmap_levels_fini(&levels);
	tmap_record_fini(&record);
}
END_TEST

START_TEST(sums_end_where_numbers_do)
{
	struct sent sent = { .size = 4 };
	struct tmap_record_totals totals;
	struct tmap_record record;

	for (int r = 0; r < 4; r++)
		sent_add(&sent, r, (r + 1) % 4, 2, INT64_MAX / 4);
	record_make(&record, &sent);
	ck_assert_int_eq(tmap_record_totals_find(&totals, &record, &err), 0);
	ck_assert_int_eq(totals.bytes, INT64_MAX);
	tmap_record_fini(&record);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("record_account");
	TCase *tcase = tcase_create("record_account");

	tcase_add_test(tcase, totals_are_those_that_a_hand_adds_up);
	tcase_add_test(tcase, bytes_by_level_are_those_of_messages_and_of_recursive_doubling);
	tcase_add_test(tcase, the_longest_calls_come_first_and_unknown_algorithms_are_not_named);
	tcase_add_test(tcase, what_the_library_can_be_set_to_is_said_where_it_is_faster);
	tcase_add_test(tcase,
		       a_setting_is_contested_where_calls_of_a_collective_want_different_ones);
	tcase_add_test(tcase, sums_end_where_numbers_do);
	suite_add_tcase(suite, tcase);
	return suite;
}
