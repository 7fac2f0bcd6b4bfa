/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: the matrix of what is sent, to which messages of recursive doubling are added by hand. */
#include "core/library/library.h"
#include "core/record/record_pattern.h"
#include "tests/support/machines.h"
#include "tests/support/records.h"
#include "tests/unit.h"

#include <stdlib.h>

enum { RANKS = 8 };

static struct tmap_error err;

static int openmpi(void)
{
	return tmap_library_of("Open MPI v4.1.4");
}

static double sent_to(const struct tmap_pattern *pattern, int from, int to)
{
	for (int64_t i = pattern->start[from]; i < pattern->start[from + 1]; i++)
		if (pattern->peer[i] == to)
			return pattern->sent[i] + pattern->everyone;
	return from == to ? 0 : pattern->everyone;
}

START_TEST(messages_and_collectives_are_one_matrix)
{
	struct dice dice = { .state = (uint64_t)_i + 1 };
	struct sent sent = { .size = RANKS };
	struct tmap_record_pattern made;
	struct tmap_record record;
	double bytes = 0, within = 0;

	for (int from = 0; from < RANKS; from++)
		for (int to = 0; to < RANKS; to++)
			if (dice_roll(&dice, 2))
				sent_add(&sent, from, to, 1 + dice_roll(&dice, 4), 100);
	record_make(&record, &sent);
	record_add_communicator(&record, RANKS, NULL, "");
	/* by recursive doubling: a block, two and four to the ranks that differ in this bit */
	record_add_call(&record,
			(struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLGATHER,
						     .bytes = 1 << 20,
						     .calls = 3 });
	ck_assert_int_eq(tmap_record_pattern_init(&made, &record, openmpi(), &err), 0);
	ck_assert_int_eq(made.left_out, 0);
	for (int from = 0; from < RANKS; from++)
		for (int to = 0; to < RANKS; to++) {
			int differ = from ^ to;
			double wanted = from == to ? 0 : (double)sent.bytes[from][to];

			if (differ == 1 || differ == 2 || differ == 4)
				wanted += 3.0 * differ * (1 << 20);
			ck_assert_double_eq(sent_to(&made.pattern, from, to), wanted);
			bytes += wanted;
			within += record.placement.node[from] == record.placement.node[to] ?
				wanted :
				0;
		}
	ck_assert_double_eq(made.bytes, bytes);
	ck_assert_double_eq(tmap_record_pattern_within(&made, record.placement.node,
						       record.placement.machine->node_count, &err),
			    within);
	tmap_record_pattern_fini(&made);
	tmap_record_fini(&record);
}
END_TEST

START_TEST(a_record_without_bytes_is_refused)
{
	struct sent sent = { .size = RANKS };
	struct tmap_record_pattern made;
	struct tmap_record record;

	sent_add(&sent, 3, 3, 5, 100);
	sent_add(&sent, 3, 4, 5, 0);
	record_make(&record, &sent);
	ck_assert_int_eq(tmap_record_pattern_init(&made, &record, openmpi(), &err), -1);
	ck_assert_str_eq(err.text, "no rank sent any bytes to another one");
	tmap_record_fini(&record);
}
END_TEST

START_TEST(bytes_beyond_the_largest_number_are_refused)
{
	struct sent sent = { .size = RANKS };
	struct tmap_record_pattern made;
	struct tmap_record record;

	record_make(&record, &sent);
	record_add_communicator(&record, RANKS, NULL, "");
	record_add_call(&record,
			(struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLGATHER,
						     .bytes = INT64_MAX / 8,
						     .calls = 3 });
	ck_assert_int_eq(tmap_record_pattern_init(&made, &record, openmpi(), &err), -1);
	ck_assert_str_eq(err.text, "ranks send more than 2^63 - 1 bytes to each other");
	tmap_record_fini(&record);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("record_pattern");
	TCase *tests = tcase_create("record_pattern");

	tcase_add_loop_test(tests, messages_and_collectives_are_one_matrix, 0, test_cases(40));
	tcase_add_test(tests, a_record_without_bytes_is_refused);
	tcase_add_test(tests, bytes_beyond_the_largest_number_are_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
