/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: numbers computed by hand from small records, which are written down beside them; for grids
 * the grid that the messages were made of, with its ranks numbered anew.
 */
#include "core/record/record_account.h"
#include "core/record/record_builder.h"
#include "core/record/record_traffic.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* What ranks send, as a matrix; made a record by the builder. */
enum { RANKS_MOST = 64 };

struct sent {
	int size;
	int64_t messages[RANKS_MOST][RANKS_MOST], bytes[RANKS_MOST][RANKS_MOST];
};

static void send(struct sent *sent, int from, int to, int64_t messages, int64_t size)
{
	sent->messages[from][to] += messages;
	sent->bytes[from][to] += messages * size;
}

static void add_rank(struct tmap_record_builder *b, const struct sent *sent, int rank)
{
	struct tmap_record_row row = { 0 };
	int number;

	row.offset = calloc(RANKS_MOST, sizeof *row.offset);
	row.messages = calloc(RANKS_MOST, sizeof *row.messages);
	row.bytes = calloc(RANKS_MOST, sizeof *row.bytes);
	for (int offset = 0; offset < sent->size; offset++) {
		int peer = (rank + offset) % sent->size;
		int64_t messages = sent->messages[rank][peer];

		if (!messages)
			continue;
		row.offset[row.peers] = offset;
		row.messages[row.peers] = messages;
		row.bytes[row.peers++] = sent->bytes[rank][peer];
		row.sizes[tmap_record_size_class(sent->bytes[rank][peer] / messages)] += messages;
	}
	number = tmap_record_intern_row_take(b, &row, &err);
	ck_assert_int_ne(number, TMAP_NONE);
	ck_assert_int_eq(tmap_record_add_rank(b, rank, number, &err), 0);
}

/* The record of ranks on two nodes, half on each, a core for each. */
static void record_make(struct tmap_record *record, const struct sent *sent)
{
	const struct test_level node[] = { { TMAP_CORE, sent->size / 2 }, { TMAP_CORE, 0 } };
	struct tmap_record_builder b = { 0 };
	int64_t lost;

	for (int r = 0; r < sent->size; r++)
		add_rank(&b, sent, r);
	*record = (struct tmap_record){ 0 };
	placement_block_take(&record->placement, machine_regular(2, node));
	ck_assert_int_eq(tmap_record_builder_finish(record, &lost, &b, sent->size, &err), 0);
	tmap_record_builder_fini(&b);
	record->mpi = strdup("Open MPI v4.1.4");
	record->seconds = 10;
}

/* One more communicator: of all ranks in the order rank[] (NULL: theirs), or of some. */
static void add_communicator(struct tmap_record *record, int size, const int *rank,
			     const char *topology)
{
	int c = record->communicator_count++;
	struct tmap_recorded_communicator *it;

	record->communicator =
		realloc(record->communicator, ((size_t)c + 1) * sizeof *record->communicator);
	it = &record->communicator[c];
	*it = (struct tmap_recorded_communicator){ .size = size,
						   .rank = calloc((size_t)size, sizeof *it->rank),
						   .name = strdup(""),
						   .topology = strdup(topology) };
	for (int i = 0; i < size; i++)
		it->rank[i] = rank ? rank[i] : i;
}

static void add_call(struct tmap_record *record, struct tmap_recorded_call call)
{
	int c = record->call_count++;

	record->call = realloc(record->call, ((size_t)c + 1) * sizeof *record->call);
	record->call[c] = call;
}

static struct tmap_record_structure structure_of(const struct tmap_record *record)
{
	struct tmap_record_structure structure;
	struct tmap_record_totals totals;

	ck_assert_int_eq(tmap_record_totals_find(&totals, record, &err), 0);
	ck_assert_int_eq(tmap_record_structure_find(&structure, record, &totals, &err), 0);
	return structure;
}

START_TEST(totals_are_those_that_a_hand_adds_up)
{
	struct sent sent = { .size = 4 };
	struct tmap_record_totals totals;
	struct tmap_record record;

	send(&sent, 0, 1, 2, 400);
	send(&sent, 1, 0, 1, 100);
	send(&sent, 1, 1, 1, 10);
	send(&sent, 3, 2, 1, 0);
	record_make(&record, &sent);
	add_communicator(&record, 4, NULL, "");
	/* 10 calls x 4 ranks x 8 bytes; 4 ranks x 4 blocks x 5 bytes; a sum */
	add_call(&record,
		 (struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLREDUCE,
					      .bytes = 8,
					      .element = 8,
					      .calls = 10,
					      .seconds_sum = 1.5 });
	add_call(&record,
		 (struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLTOALL,
					      .bytes = 5,
					      .calls = 1,
					      .seconds_sum = 0.5 });
	add_call(&record,
		 (struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLTOALLV,
					      .bytes = 5,
					      .calls = 1,
					      .total_bytes = 77 });
	ck_assert_int_eq(tmap_record_totals_find(&totals, &record, &err), 0);
	ck_assert_int_eq(totals.messages, 4);
	ck_assert_int_eq(totals.bytes, 900);
	ck_assert_int_eq(totals.own_messages, 1);
	ck_assert_int_eq(totals.own_bytes, 10);
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

	send(&sent, 0, 1, 1, 100); /* of node 0 */
	send(&sent, 3, 4, 1, 30);  /* to node 1 */
	send(&sent, 2, 2, 1, 7);   /* to itself: over no level */
	record_make(&record, &sent);
	add_communicator(&record, 8, NULL, "");
	add_communicator(&record, 2, (const int[]){ 0, 4 }, "");
	add_call(&record,
		 (struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLREDUCE,
					      .bytes = 8,
					      .element = 8,
					      .calls = 10,
					      .seconds_max = 2 });
	/* of two ranks, whatever the algorithm: one block each way */
	add_call(&record,
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

	send(&sent, 0, 1, 1, 1);
	record_make(&record, &sent);
	add_communicator(&record, 8, NULL, "");
	for (int i = 0; i < 12; i++)
		add_call(&record,
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
	tmap_levels_fini(&levels);
	tmap_record_fini(&record);
}
END_TEST

START_TEST(rings_and_chains_are_told_apart)
{
	for (int closed = 0; closed < 2; closed++) {
		struct sent sent = { .size = 8 };
		struct tmap_record_structure structure;
		struct tmap_record record;

		for (int r = 0; r < 7 + closed; r++)
			send(&sent, r, (r + 1) % 8, 1, 100);
		send(&sent, 0, 4, 1, 100);
		record_make(&record, &sent);
		structure = structure_of(&record);
		ck_assert_int_eq(structure.kind, TMAP_STRUCTURE_RING);
		ck_assert_int_eq(structure.periodic[0], closed);
		ck_assert_double_eq_tol(structure.share, (7.0 + closed) / (8 + closed), 1e-12);
		tmap_record_fini(&record);
	}
}
END_TEST

/* The messages of a grid of 5 x 6, one a neighbor, with the rank of each of its places. */
static void send_grid(struct sent *sent, const int *rank, bool is_torus, int64_t bytes)
{
	for (int i = 0; i < 5; i++)
		for (int j = 0; j < 6; j++) {
			if (i + 1 < 5 || is_torus)
				send(sent, rank[6 * i + j], rank[6 * ((i + 1) % 5) + j], 1, bytes);
			if (j + 1 < 6 || is_torus)
				send(sent, rank[6 * i + j], rank[6 * i + (j + 1) % 6], 1, bytes);
		}
}

START_TEST(a_grid_is_found_whatever_its_ranks_are_called)
{
	for (int torus = 0; torus < 2; torus++) {
		struct dice dice = { .state = 7 };
		struct sent sent = { .size = 30 };
		struct tmap_record_structure structure;
		struct tmap_record record;
		int rank[30], edges = torus ? 60 : 4 * 6 + 5 * 5;

		for (int i = 0; i < 30; i++)
			rank[i] = i;
		dice_shuffle(&dice, rank, 30);
		send_grid(&sent, rank, torus, 1000);
		send(&sent, rank[0], rank[18], 1, 500); /* two rows away, or three */
		record_make(&record, &sent);
		structure = structure_of(&record);
		ck_assert_int_eq(structure.kind, TMAP_STRUCTURE_GRID);
		ck_assert_int_eq(structure.communicator, TMAP_NONE);
		ck_assert_int_eq(structure.dimensions, 2);
		ck_assert_int_eq(structure.dim[0] * structure.dim[1], 30);
		ck_assert_int_eq(structure.dim[0] + structure.dim[1], 11);
		ck_assert_int_eq(structure.periodic[0], torus);
		ck_assert_int_eq(structure.periodic[1], torus);
		ck_assert_double_eq_tol(structure.share, edges / (edges + 0.5), 1e-12);
		tmap_record_fini(&record);
	}
}
END_TEST

START_TEST(the_grid_that_a_program_made_is_tried_where_none_is_found)
{
	struct dice dice = { .state = 9 };
	struct sent sent = { .size = 30 };
	struct tmap_record_structure structure;
	struct tmap_record record;
	int rank[30];

	for (int i = 0; i < 30; i++)
		rank[i] = i;
	dice_shuffle(&dice, rank, 30);
	send_grid(&sent, rank, false, 1000);
	send(&sent, rank[0], rank[18], 1, 4000); /* heavier than the grid's, so they spoil it */
	record_make(&record, &sent);
	structure = structure_of(&record);
	ck_assert_int_eq(structure.kind, TMAP_STRUCTURE_NONE);
	add_communicator(&record, 30, NULL, "cart 5x6 periods 0,0"); /* not the one */
	add_communicator(&record, 30, rank, "cart 5x6 periods 0,0");
	add_communicator(&record, 16, rank, "cart 4x4 periods 0,0");
	structure = structure_of(&record);
	ck_assert_int_eq(structure.kind, TMAP_STRUCTURE_GRID);
	ck_assert_int_eq(structure.communicator, 1);
	ck_assert_double_eq_tol(structure.share, 49.0 / 53, 1e-12);
	tmap_record_fini(&record);
}
END_TEST

START_TEST(a_master_and_all_to_all_are_told_apart)
{
	struct sent sent = { .size = 8 }, all = { .size = 8 }, none = { .size = 16 };
	struct tmap_record_structure structure;
	struct tmap_record record;

	for (int r = 0; r < 8; r++) {
		if (r != 5) {
			send(&sent, r, 5, 1, 100);
			send(&sent, 5, r, 1, 100);
		}
		for (int to = 0; to < 8; to++)
			if (to != r)
				send(&all, r, to, 1, r == 0 && to == 1 ? 5600 : 100);
	}
	for (int r = 0; r < 16; r++)
		send(&none, r, r ^ 8, 1, 100);
	send(&sent, 0, 3, 1, 200);
	record_make(&record, &sent);
	structure = structure_of(&record);
	ck_assert_int_eq(structure.kind, TMAP_STRUCTURE_MASTER);
	ck_assert_int_eq(structure.master, 5);
	ck_assert_double_eq_tol(structure.share, 14.0 / 16, 1e-12);
	tmap_record_fini(&record);
	/* one pair has as much as all others, 56 pairs in all: the mean is 11100 / 56 = 198.2 */
	record_make(&record, &all);
	structure = structure_of(&record);
	ck_assert_int_ne(structure.kind, TMAP_STRUCTURE_ALL_TO_ALL);
	tmap_record_fini(&record);
	all.bytes[0][1] = 156; /* of 5656 bytes, the mean is 101 */
	record_make(&record, &all);
	structure = structure_of(&record);
	ck_assert_int_eq(structure.kind, TMAP_STRUCTURE_ALL_TO_ALL);
	ck_assert_double_eq_tol(structure.share, (5500.0 + 101) / 5656, 1e-12);
	tmap_record_fini(&record);
	record_make(&record, &none);
	structure = structure_of(&record);
	ck_assert_int_eq(structure.kind, TMAP_STRUCTURE_NONE);
	ck_assert_double_eq(structure.share, 0);
	tmap_record_fini(&record);
}
END_TEST

START_TEST(topologies_that_are_no_grid_of_so_many_ranks_are_none)
{
	static const char *const others[] = {
		"",
		"graph",
		"cart",
		"cart 4x8",
		"cart 4x8 periods 0",
		"cart 4x8 periods 0,0,0",
		"cart 4x8 periods 0,2",
		"cart 4x7 periods 0,0",
		"cart 4x0 periods 0,0",
		"cart -4x-8 periods 0,0",
		"cart 99999999999999999999x8 periods 0,0",
		"cart 1x1x1x1x1x1x1x1x32 periods 0,0,0,0,0,0,0,0,0",
	};
	struct tmap_record_structure grid;

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ck_assert_msg(!tmap_recorded_grid(&grid, others[i], 32), "%s", others[i]);
	ck_assert(tmap_recorded_grid(&grid, "cart 4x1x8 periods 1,0,1", 32));
	ck_assert_int_eq(grid.dimensions, 3);
	ck_assert_int_eq(grid.dim[2], 8);
	ck_assert(grid.periodic[0] && !grid.periodic[1] && grid.periodic[2]);
}
END_TEST

START_TEST(sums_end_where_numbers_do)
{
	struct sent sent = { .size = 4 };
	struct tmap_record_totals totals;
	struct tmap_record record;

	for (int r = 0; r < 4; r++)
		send(&sent, r, (r + 1) % 4, 2, INT64_MAX / 4);
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
	tcase_add_test(tcase, rings_and_chains_are_told_apart);
	tcase_add_test(tcase, a_grid_is_found_whatever_its_ranks_are_called);
	tcase_add_test(tcase, the_grid_that_a_program_made_is_tried_where_none_is_found);
	tcase_add_test(tcase, a_master_and_all_to_all_are_told_apart);
	tcase_add_test(tcase, topologies_that_are_no_grid_of_so_many_ranks_are_none);
	tcase_add_test(tcase, sums_end_where_numbers_do);
	suite_add_tcase(suite, tcase);
	return suite;
}
