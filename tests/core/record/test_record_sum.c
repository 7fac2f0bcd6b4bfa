/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Phases and runs, added up. Oracle: matrices of messages and bytes and counts of calls, drawn for each
 * part and added cell by cell.
 */
#include "core/record/record_builder.h"
#include "core/record/record_sum.h"
#include "tests/support/machines.h"
#include "tests/support/records.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 8, PHASES = 3 };

static struct tmap_error err;

static void sent_draw(struct sent *sent, struct dice *dice)
{
	*sent = (struct sent){ .size = RANKS };
	for (int from = 0; from < RANKS; from++)
		for (int to = 0; to < RANKS; to++)
			if (dice_roll(dice, 2) == 0)
				sent_add(sent, from, to, 1 + dice_roll(dice, 4), 100);
}

static void sent_sum(struct sent *sum, const struct sent *other)
{
	for (int from = 0; from < RANKS; from++)
		for (int to = 0; to < RANKS; to++) {
			sum->messages[from][to] += other->messages[from][to];
			sum->bytes[from][to] += other->bytes[from][to];
		}
}

static void check_sent(const struct tmap_record *record, const struct sent *sent)
{
	struct sent found = { .size = RANKS };
	int64_t sized = 0, messages = 0;

	for (int r = 0; r < RANKS; r++) {
		const struct tmap_record_row *row =
			tmap_record_row_of(record, TMAP_WAY_MESSAGES, r);

		for (int i = 0; i < row->peers; i++) {
			int to = (r + row->offset[i]) % RANKS;

			ck_assert(i == 0 || row->offset[i] > row->offset[i - 1]);
			found.messages[r][to] = row->messages[i];
			found.bytes[r][to] = row->bytes[i];
			messages += row->messages[i];
		}
		for (int i = 0; i < TMAP_RECORD_SIZES; i++)
			sized += row->sizes[i];
	}
	ck_assert_int_eq(messages, sized);
	ck_assert_int_eq(memcmp(&found, sent, sizeof found), 0);
}

/* A record whose messages are these, with an allreduce of all ranks, so many times, and one of the even. */
static void made(struct tmap_record *record, const struct sent *sent, int calls)
{
	static const int even[] = { 0, 2, 4, 6 };

	record_make(record, sent);
	record_add_communicator(record, RANKS, NULL, "");
	record_add_communicator(record, RANKS / 2, even, "cart 4 periods 1");
	for (int c = 0; c < 2; c++)
		record_add_call(record,
				(struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLREDUCE,
							     .communicator = c,
							     .bytes = 8,
							     .element = 8,
							     .calls = calls + c,
							     .seconds_sum = 4 * calls,
							     .seconds_max = calls });
}

/* Phases 1, 3, 5, and the whole run is their sum. */
static void made_of_phases(struct tmap_record *record, struct sent *part, struct dice *dice)
{
	struct sent whole = { .size = RANKS };

	for (int k = 0; k < PHASES; k++) {
		sent_draw(&part[k], dice);
		sent_sum(&whole, &part[k]);
	}
	made(record, &whole, 6);
	record->phase = calloc(PHASES, sizeof *record->phase);
	record->phase_count = PHASES;
	for (int k = 0; k < PHASES; k++) {
		struct tmap_record alone = { 0 };

		made(&alone, &part[k], 1 + k);
		record->phase[k] = (struct tmap_record_part){ .number = 2 * k + 1,
							      .seconds = k + 1,
							      .call = alone.call,
							      .call_count = alone.call_count };
		memcpy(record->phase[k].sent, alone.sent, sizeof alone.sent);
		memset(alone.sent, 0, sizeof alone.sent);
		alone.call = NULL;
		tmap_record_fini(&alone);
	}
}

START_TEST(phases_that_are_chosen_add_up)
{
	static const char *const list[] = { "1", "3,5", "2-4", "1-5" };
	static const int first[] = { 0, 1, 1, 0 }, count[] = { 1, 2, 1, 3 };
	struct dice dice = { .state = (uint64_t)_i + 1 };
	struct sent part[PHASES], sum = { .size = RANKS };
	struct tmap_record record;
	int calls = 0, seconds = 0;

	made_of_phases(&record, part, &dice);
	ck_assert_int_eq(tmap_record_choose_phases(&record, list[_i], &err), 0);
	for (int k = first[_i]; k < first[_i] + count[_i]; k++) {
		sent_sum(&sum, &part[k]);
		calls += 1 + k;
		seconds += k + 1;
	}
	check_sent(&record, &sum);
	ck_assert_str_eq(record.chosen, list[_i]);
	ck_assert_int_eq(record.phase_count, 0);
	ck_assert_double_eq(record.seconds, seconds);
	ck_assert_int_eq(record.communicator_count, 2);
	ck_assert_str_eq(record.communicator[1].topology, "cart 4 periods 1");
	ck_assert_int_eq(record.call_count, 2);
	for (int c = 0; c < 2; c++) {
		ck_assert_int_eq(record.call[c].communicator, c);
		ck_assert_int_eq(record.call[c].calls, calls + c * count[_i]);
		ck_assert_double_eq(record.call[c].seconds_max, calls);
		ck_assert_double_eq(record.call[c].seconds_sum, 4 * calls);
	}
	tmap_record_fini(&record);
}
END_TEST

START_TEST(phases_that_are_not_there_are_refused)
{
	static const struct {
		const char *list, *text;
		enum tmap_error_kind kind;
	} wrong[] = {
		{ "6", "6 is not one of the phases 1,3,5", TMAP_INPUT },
		{ "1-9", "9 is not one of the phases 1,3,5", TMAP_INPUT },
		{ "2,4", "none of 2,4 is one of the phases 1,3,5", TMAP_INPUT },
		{ "", "the list is empty", TMAP_USAGE },
	};
	struct dice dice = { .state = 9 };
	struct sent part[PHASES], whole = { .size = RANKS };
	struct tmap_record record;

	made_of_phases(&record, part, &dice);
	ck_assert_int_eq(tmap_record_choose_phases(&record, wrong[_i].list, &err), -1);
	ck_assert_str_eq(err.text, wrong[_i].text);
	ck_assert_int_eq(err.kind, wrong[_i].kind);
	for (int k = 0; k < PHASES; k++)
		sent_sum(&whole, &part[k]);
	check_sent(&record, &whole);
	ck_assert_int_eq(record.phase_count, PHASES);
	tmap_record_fini(&record);
}
END_TEST

START_TEST(a_run_that_was_not_parted_has_no_phases)
{
	struct dice dice = { .state = 9 };
	struct tmap_record record;
	struct sent sent;

	sent_draw(&sent, &dice);
	made(&record, &sent, 1);
	ck_assert_int_eq(tmap_record_choose_phases(&record, "1", &err), -1);
	ck_assert_str_eq(err.text,
			 "the record has no phases: TOPOMAP_RECORD_INTERVAL=SECONDS parts the next "
			 "one by time, and MPI_Pcontrol marks them in the program");
	tmap_record_fini(&record);
}
END_TEST

/* Also of communicators that only one of them has; on the even ranks 3 calls and 4. */
START_TEST(two_runs_add_up)
{
	static const int odd[] = { 1, 3, 5, 7 };
	struct dice dice = { .state = (uint64_t)_i + 1 };
	struct sent one, two;
	struct tmap_record a, b;

	sent_draw(&one, &dice);
	sent_draw(&two, &dice);
	made(&a, &one, 2);
	made(&b, &two, 3);
	record_add_communicator(&b, RANKS / 2, odd, "");
	record_add_call(&b,
			(struct tmap_recorded_call){ .collective = TMAP_RECORDED_BARRIER,
						     .communicator = 2,
						     .calls = 7 });
	a.seconds = 10;
	b.seconds = 2;
	ck_assert_int_eq(tmap_record_add(&a, &b, &err), 0);
	sent_sum(&one, &two);
	check_sent(&a, &one);
	ck_assert_double_eq(a.seconds, 12);
	ck_assert_int_eq(a.communicator_count, 3);
	ck_assert_int_eq(a.call_count, 3);
	ck_assert_int_eq(a.call[0].calls, 5);
	for (int i = 1; i < 3; i++) {
		int c = a.call[i].communicator;
		bool is_odd = a.communicator[c].rank[0] == 1;

		ck_assert_int_eq(a.call[i].calls, 7);
		ck_assert_int_eq(a.call[i].collective,
				 is_odd ? TMAP_RECORDED_BARRIER : TMAP_RECORDED_ALLREDUCE);
	}
	tmap_record_fini(&a);
	tmap_record_fini(&b);
}
END_TEST

START_TEST(runs_of_different_sizes_do_not_add_up)
{
	struct sent one = { .size = RANKS }, two = { .size = RANKS - 2 };
	struct tmap_record a, b;

	sent_add(&one, 0, 1, 1, 1);
	sent_add(&two, 0, 1, 1, 1);
	record_make(&a, &one);
	record_make(&b, &two);
	ck_assert_int_eq(tmap_record_add(&a, &b, &err), -1);
	ck_assert_str_eq(err.text,
			 "it is of 6 ranks, and the record before it of 8: runs of "
			 "different sizes do not add up");
	tmap_record_fini(&a);
	tmap_record_fini(&b);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("record_sum");
	TCase *tcase = tcase_create("record_sum");

	tcase_add_loop_test(tcase, phases_that_are_chosen_add_up, 0, 4);
	tcase_add_loop_test(tcase, phases_that_are_not_there_are_refused, 0, 4);
	tcase_add_test(tcase, a_run_that_was_not_parted_has_no_phases);
	tcase_add_loop_test(tcase, two_runs_add_up, 0, 5);
	tcase_add_test(tcase, runs_of_different_sizes_do_not_add_up);
	suite_add_tcase(suite, tcase);
	return suite;
}
