/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the structure that the messages were made of, with its ranks numbered anew, and shares computed
 * by hand.
 */
#include "core/record/record_structure.h"
#include "tests/support/machines.h"
#include "tests/support/records.h"
#include "tests/unit.h"

static struct tmap_error err;

static struct tmap_record_structure structure_of(const struct tmap_record *record)
{
	struct tmap_record_structure structure;
	struct tmap_record_totals totals;

	ck_assert_int_eq(tmap_record_totals_find(&totals, record, &err), 0);
	ck_assert_int_eq(tmap_record_structure_find(&structure, record, &totals, &err), 0);
	return structure;
}

START_TEST(rings_and_chains_are_told_apart)
{
	for (int closed = 0; closed < 2; closed++) {
		struct sent sent = { .size = 8 };
		struct tmap_record_structure structure;
		struct tmap_record record;

		for (int r = 0; r < 7 + closed; r++)
			sent_add(&sent, r, (r + 1) % 8, 1, 100);
		sent_add(&sent, 0, 4, 1, 100);
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
				sent_add(sent, rank[6 * i + j], rank[6 * ((i + 1) % 5) + j], 1,
					 bytes);
			if (j + 1 < 6 || is_torus)
				sent_add(sent, rank[6 * i + j], rank[6 * i + (j + 1) % 6], 1,
					 bytes);
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
		sent_add(&sent, rank[0], rank[18], 1, 500); /* two rows away, or three */
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
	sent_add(&sent, rank[0], rank[18], 1, 4000); /* heavier than the grid's, so they spoil it */
	record_make(&record, &sent);
	structure = structure_of(&record);
	ck_assert_int_eq(structure.kind, TMAP_STRUCTURE_NONE);
	record_add_communicator(&record, 30, NULL, "cart 5x6 periods 0,0"); /* not the one */
	record_add_communicator(&record, 30, rank, "cart 5x6 periods 0,0");
	record_add_communicator(&record, 16, rank, "cart 4x4 periods 0,0");
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
			sent_add(&sent, r, 5, 1, 100);
			sent_add(&sent, 5, r, 1, 100);
		}
		for (int to = 0; to < 8; to++)
			if (to != r)
				sent_add(&all, r, to, 1, r == 0 && to == 1 ? 5600 : 100);
	}
	for (int r = 0; r < 16; r++)
		sent_add(&none, r, r ^ 8, 1, 100);
	sent_add(&sent, 0, 3, 1, 200);
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

Suite *test_suite(void)
{
	Suite *suite = suite_create("record_structure");
	TCase *tcase = tcase_create("record_structure");

	tcase_add_test(tcase, rings_and_chains_are_told_apart);
	tcase_add_test(tcase, a_grid_is_found_whatever_its_ranks_are_called);
	tcase_add_test(tcase, the_grid_that_a_program_made_is_tried_where_none_is_found);
	tcase_add_test(tcase, a_master_and_all_to_all_are_told_apart);
	tcase_add_test(tcase, topologies_that_are_no_grid_of_so_many_ranks_are_none);
	suite_add_tcase(suite, tcase);
	return suite;
}
