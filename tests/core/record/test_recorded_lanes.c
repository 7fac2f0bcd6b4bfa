/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: for times the cost of each algorithm by itself, and what the account of the same record predicts; for
 * the rest small records whose answer is written down beside them.
 */
#include "core/cost/cost.h"
#include "core/record/record_account.h"
#include "core/record/record_traffic.h"
#include "core/record/recorded_lanes.h"
#include "core/record/recorded_part.h"
#include "tests/support/records.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static struct tmap_error err;

static struct tmap_recorded_lanes_request request_for(const struct tmap_record *record)
{
	return (struct tmap_recorded_lanes_request){
		.collective = TMAP_NONE,
		.lanes = TMAP_NONE,
		.adapters = TMAP_NONE,
		.library = tmap_record_library(TMAP_NONE, record, &record->placement),
		.profile = tmap_profile_at(0),
	};
}

/* Eight ranks on two nodes: communicators of all, of the first node, and of a rank of each. */
static void eight_make(struct tmap_record *record)
{
	struct sent sent = { .size = 8 };

	sent_add(&sent, 0, 1, 1, 8);
	record_make(record, &sent);
	record_add_communicator(record, 8, NULL, "");
	record_add_communicator(record, 4, (const int[]){ 0, 1, 2, 3 }, "");
	record_add_communicator(record, 2, (const int[]){ 0, 4 }, "");
	record_add_communicator(record, 1, (const int[]){ 5 }, "");
}

/* One call by an algorithm. */
static double cost_of(const struct tmap_record *record, const struct tmap_recorded_call *recorded,
		      const char *algorithm)
{
	struct tmap_recorded_part part;
	struct tmap_levels levels = { 0 };
	struct tmap_cost_model model = { 0 };
	struct tmap_call call = { .root = recorded->root,
				  .bytes = recorded->bytes,
				  .element = recorded->element };
	double seconds;

	ck_assert_int_eq(tmap_recorded_part_init(&part, record, recorded->communicator, &err), 0);
	call.size = part.placement.size;
	call.metric = &part.metric;
	ck_assert_int_eq(tmap_call_parse(&call, tmap_recorded_rows[recorded->collective].like,
					 algorithm, &err),
			 0);
	ck_assert_int_eq(tmap_levels_init(&levels, part.placement.machine, &err), 0);
	ck_assert_int_eq(tmap_cost_model_init(&model, &part.placement, &part.metric, &levels,
					      tmap_profile_at(0), &err),
			 0);
	ck_assert_int_eq(tmap_cost(&seconds, &model, &call, &err), 0);
	tmap_cost_model_fini(&model);
	tmap_levels_fini(&levels);
	tmap_recorded_part_fini(&part);
	return seconds;
}

/* Every collective that moves data, of a size that has whole elements. */
START_TEST(times_are_those_of_the_library_and_of_the_fastest_lanes)
{
	const struct tmap_recorded_row *row = &tmap_recorded_rows[_i];
	struct tmap_record record;
	struct tmap_recorded_lanes lanes;
	struct tmap_recorded_lanes_request request;

	if (row->like == TMAP_BARRIER || row->is_irregular)
		return;
	for (int64_t bytes = 8; bytes <= 1 << 20; bytes *= 512) {
		eight_make(&record);
		record_add_call(&record,
				(struct tmap_recorded_call){ .collective = (enum tmap_recorded)_i,
							     .bytes = bytes,
							     .element = 8,
							     .calls = 10 });
		request = request_for(&record);
		ck_assert_int_eq(tmap_recorded_lanes_init(&lanes, &record, &request, &err), 0);
		if (lanes.count == 1) {
			double lane = cost_of(&record, record.call, "lane");
			double one = cost_of(&record, record.call, "lane,lanes=1");
			bool all = lane <= one;

			ck_assert_str_eq(lanes.call[0].form, all ? "lane" : "lane,lanes=1");
			ck_assert_double_eq_tol(lanes.call[0].lane_s, 10 * (all ? lane : one),
						1e-15);
			ck_assert_double_eq_tol(
				lanes.call[0].own_s,
				10 * cost_of(&record, record.call, lanes.call[0].algorithm), 1e-15);
			ck_assert_int_eq(lanes.gaining, lanes.call[0].lane_s < lanes.call[0].own_s);
		} else { /* what the library takes is not known */
			ck_assert_int_eq(lanes.left_count, 1);
			ck_assert_int_eq(lanes.left[0].calls, 10);
		}
		tmap_recorded_lanes_fini(&lanes);
		tmap_record_fini(&record);
	}
}
END_TEST

START_TEST(the_library_takes_what_the_account_predicts)
{
	struct tmap_record record;
	struct tmap_record_account account;
	struct tmap_recorded_lanes lanes;
	struct tmap_recorded_lanes_request request;
	struct tmap_levels levels;

	eight_make(&record);
	record_add_call(&record,
			(struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLREDUCE,
						     .bytes = 65536,
						     .element = 4,
						     .calls = 3,
						     .seconds_sum = 16,
						     .seconds_max = 2 });
	request = request_for(&record);
	ck_assert_int_eq(tmap_levels_init(&levels, record.placement.machine, &err), 0);
	ck_assert_int_eq(
		tmap_record_account_init(
			&account, &record,
			&(struct tmap_record_costs){ request.library, request.profile, &levels },
			&err),
		0);
	ck_assert_int_eq(tmap_recorded_lanes_init(&lanes, &record, &request, &err), 0);
	ck_assert_int_eq(lanes.count, 1);
	ck_assert_str_eq(lanes.call[0].algorithm, account.longest[0].algorithm);
	ck_assert_double_eq_tol(lanes.call[0].own_s, account.longest[0].predicted_s, 1e-15);
	ck_assert_double_eq(lanes.call[0].share, 0.2); /* 2 of 10 s */
	ck_assert_double_eq(lanes.seconds, 2);         /* 16 s of 8 ranks */
	tmap_recorded_lanes_fini(&lanes);
	tmap_record_account_fini(&account);
	tmap_levels_fini(&levels);
	tmap_record_fini(&record);
}
END_TEST

START_TEST(communicators_are_in_nodes_and_lanes)
{
	struct tmap_record record;
	struct tmap_recorded_lanes lanes;
	struct tmap_recorded_lanes_request request;
	static const struct {
		int nodes, most;
		bool works;
	} expected[] = { { 2, 4, true }, { 1, 4, false }, { 2, 1, true } };

	eight_make(&record);
	for (int c = 0; c < 3; c++)
		record_add_call(&record,
				(struct tmap_recorded_call){ .collective = TMAP_RECORDED_BCAST,
							     .communicator = c,
							     .bytes = 8,
							     .calls = 1 });
	request = request_for(&record);
	ck_assert_int_eq(tmap_recorded_lanes_init(&lanes, &record, &request, &err), 0);
	ck_assert_int_eq(lanes.place_count, 3); /* nothing is called on the fourth */
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(lanes.place[i].communicator, i);
		ck_assert_int_eq(lanes.place[i].nodes, expected[i].nodes);
		ck_assert_int_eq(lanes.place[i].ranks_min, expected[i].most);
		ck_assert_int_eq(lanes.place[i].ranks_max, expected[i].most);
		ck_assert_int_eq(!lanes.place[i].reason, expected[i].works);
		ck_assert_int_eq(lanes.place[i].adapters, 1);
		ck_assert(!lanes.place[i].adapters_known);
	}
	ck_assert_int_eq(lanes.count, 1);
	ck_assert_int_eq(lanes.call[0].call, 0);
	tmap_recorded_lanes_fini(&lanes);
	tmap_record_fini(&record);
}
END_TEST

START_TEST(what_is_not_compared_is_said_with_the_reason)
{
	static const struct {
		enum tmap_recorded collective;
		enum tmap_mode mode;
		int communicator;
		const char *reason;
	} cases[] = {
		{ TMAP_RECORDED_BCAST, TMAP_BLOCKING, 3, "one rank alone" },
		{ TMAP_RECORDED_BARRIER, TMAP_BLOCKING, 0, "a barrier moves nothing over lanes" },
		{ TMAP_RECORDED_BCAST, TMAP_NONBLOCKING, 0,
		  "calls that do not block have algorithms of their own" },
		{ TMAP_RECORDED_GATHERV, TMAP_BLOCKING, 0,
		  "v and w forms have algorithms of their own" },
		{ TMAP_RECORDED_BCAST, TMAP_BLOCKING, 1, "all ranks are on one node" },
		{ TMAP_RECORDED_BCAST, TMAP_BLOCKING, 2,
		  "each node has one rank, and so one lane" },
	};
	struct tmap_record record;
	struct tmap_recorded_lanes lanes;
	struct tmap_recorded_lanes_request request;

	eight_make(&record);
	for (int i = 0; i < 2; i++) /* two kinds */
		record_add_call(&record,
				(struct tmap_recorded_call){ .collective = cases[_i].collective,
							     .mode = cases[_i].mode,
							     .communicator = cases[_i].communicator,
							     .bytes = 8 * (i + 1),
							     .calls = 5,
							     .seconds_sum = 4 });
	request = request_for(&record);
	ck_assert_int_eq(tmap_recorded_lanes_init(&lanes, &record, &request, &err), 0);
	ck_assert_int_eq(lanes.count, 0);
	ck_assert_int_eq(lanes.left_count, 1);
	ck_assert_str_eq(lanes.left[0].reason, cases[_i].reason);
	ck_assert_int_eq(lanes.left[0].kinds, 2);
	ck_assert_int_eq(lanes.left[0].calls, 10);
	ck_assert_double_eq(lanes.left[0].seconds, 1); /* 8 s of 8 ranks */
	tmap_recorded_lanes_fini(&lanes);
	tmap_record_fini(&record);
}
END_TEST

START_TEST(those_in_which_most_is_gained_come_first_and_shorter_ones_are_left_out)
{
	struct tmap_record record;
	struct tmap_recorded_lanes lanes;
	struct tmap_recorded_lanes_request request;
	double own = 0, lane = 0;

	eight_make(&record);
	for (int i = 0; i < TMAP_RECORDED_LANES_MOST + 5; i++)
		record_add_call(&record,
				(struct tmap_recorded_call){ .collective = TMAP_RECORDED_BCAST,
							     .bytes = INT64_C(1000) * (i + 1),
							     .calls = 1,
							     .seconds_max = i });
	request = request_for(&record);
	ck_assert_int_eq(tmap_recorded_lanes_init(&lanes, &record, &request, &err), 0);
	ck_assert_int_eq(lanes.count, TMAP_RECORDED_LANES_MOST);
	ck_assert_int_eq(lanes.calls, TMAP_RECORDED_LANES_MOST);
	ck_assert_int_eq(lanes.left_count, 1);
	ck_assert_str_eq(lanes.left[0].reason, "shorter than those that are compared");
	ck_assert_int_eq(lanes.left[0].kinds, 5);
	for (int i = 0; i < lanes.count; i++) {
		const struct tmap_recorded_lanes_call *it = &lanes.call[i];

		ck_assert_int_ge(it->call, 5); /* the first five are the shortest */
		own += it->own_s;
		lane += it->lane_s < it->own_s ? it->lane_s : it->own_s;
		if (i)
			ck_assert_double_le(it->own_s - it->lane_s, it[-1].own_s - it[-1].lane_s);
	}
	ck_assert_double_eq_tol(lanes.own_s, own, 1e-12);
	ck_assert_double_eq_tol(lanes.lane_s, lane, 1e-12);
	tmap_recorded_lanes_fini(&lanes);
	tmap_record_fini(&record);
}
END_TEST

START_TEST(assumed_adapters_make_lanes_faster_and_one_collective_can_be_asked_for)
{
	struct tmap_record record;
	struct tmap_recorded_lanes one, four;
	struct tmap_recorded_lanes_request request;

	eight_make(&record);
	record_add_call(&record,
			(struct tmap_recorded_call){
				.collective = TMAP_RECORDED_BCAST, .bytes = 1 << 20, .calls = 1 });
	record_add_call(&record,
			(struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLREDUCE,
						     .bytes = 1 << 20,
						     .element = 8,
						     .calls = 1 });
	request = request_for(&record);
	request.collective = TMAP_BCAST;
	ck_assert_int_eq(tmap_recorded_lanes_init(&one, &record, &request, &err), 0);
	request.adapters = 4;
	ck_assert_int_eq(tmap_recorded_lanes_init(&four, &record, &request, &err), 0);
	ck_assert_int_eq(one.count, 1);
	ck_assert_int_eq(one.left_count, 0);
	ck_assert_int_eq(four.place[0].adapters, 4);
	ck_assert(four.place[0].adapters_known);
	ck_assert_double_lt(four.call[0].lane_s, one.call[0].lane_s);
	tmap_recorded_lanes_fini(&four);
	tmap_recorded_lanes_fini(&one);
	tmap_record_fini(&record);
}
END_TEST

START_TEST(what_the_record_has_not_is_refused)
{
	struct tmap_record record;
	struct tmap_recorded_lanes lanes;
	struct tmap_recorded_lanes_request request;

	eight_make(&record);
	request = request_for(&record);
	ck_assert_int_eq(tmap_recorded_lanes_init(&lanes, &record, &request, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, "the record has no collectives");
	record_add_call(&record,
			(struct tmap_recorded_call){
				.collective = TMAP_RECORDED_BCAST, .bytes = 8, .calls = 1 });
	request.collective = TMAP_SCAN;
	ck_assert_int_eq(tmap_recorded_lanes_init(&lanes, &record, &request, &err), -1);
	ck_assert_str_eq(err.text, "the program makes no calls of scan");
	request.collective = TMAP_NONE;
	request.lanes = 5;
	ck_assert_int_eq(tmap_recorded_lanes_init(&lanes, &record, &request, &err), -1);
	ck_assert_str_eq(err.text,
			 "5 lanes are not possible: no communicator with collectives "
			 "has more than 4 ranks on a node");
	tmap_record_fini(&record);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("recorded_lanes");
	TCase *tcase = tcase_create("recorded_lanes");

	tcase_add_loop_test(tcase, times_are_those_of_the_library_and_of_the_fastest_lanes, 0,
			    TMAP_RECORDED_COUNT);
	tcase_add_test(tcase, the_library_takes_what_the_account_predicts);
	tcase_add_test(tcase, communicators_are_in_nodes_and_lanes);
	tcase_add_loop_test(tcase, what_is_not_compared_is_said_with_the_reason, 0, 6);
	tcase_add_test(tcase,
		       those_in_which_most_is_gained_come_first_and_shorter_ones_are_left_out);
	tcase_add_test(tcase,
		       assumed_adapters_make_lanes_faster_and_one_collective_can_be_asked_for);
	tcase_add_test(tcase, what_the_record_has_not_is_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
