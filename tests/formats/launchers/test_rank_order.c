/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: by hand. Of two nodes of two slots, the order 0,2,3,1 gives the first node ranks 0
 * and 2; read the other way round, it would give it ranks 0 and 3.
 */
#include "core/place/permute.h"
#include "formats/launchers/launchers.h"
#include "tests/support/printed.h"
#include "tests/support/rank_files.h"

static struct tmap_rank_list order;

static int read_text(const char *text)
{
	write_text(text);
	tmap_rank_list_fini(&order);
	return tmap_launcher_read_list(&order, tmap_launcher_find("cray"), path, NULL, &err);
}

static void free_order(void)
{
	tmap_rank_list_fini(&order);
}

START_TEST(lists_comments_and_ranges_are_read)
{
	static const int expected[] = { 0, 1, 6, 2, 3, 4, 5, 7 };

	ck_assert_msg(read_text("# grid_order -R\n0,1, 6 # tail\n\n2-5,\r\n7") == 0, "%s",
		      printed(&err));
	ck_assert_int_eq(order.count, 8);
	for (int k = 0; k < 8; k++)
		ck_assert_int_eq(order.rank[k], expected[k]);
}
END_TEST

START_TEST(what_is_no_permutation_is_refused)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "# nothing\n", ": there is no rank" },
		{ "0,1\n2,1\n", ":2: rank 1 already stands in line 1" },
		{ "0,1\n3\n", ": rank 2 is missing: there are 3 ranks, and the largest is 3" },
		{ "0\nx\n", ":2: 'x' is neither a rank below 134217728 nor a range of such" },
		{ "0,-1\n", ":1: '-1' is neither a rank below 134217728 nor a range of such" },
		{ "3-1,0\n", ":1: '3-1' is neither a rank below 134217728 nor a range of such" },
		{ "134217728\n",
		  ":1: '134217728' is neither a rank below 134217728 nor a range of such" },
		{ "1;2\n", ":1: '1;2' is neither a rank below 134217728 nor a range of such" },
	};

	ck_assert_int_eq(read_text(cases[_i].text), -1);
	expect_message(cases[_i].message);
}
END_TEST

/* Four ranks on PUs 0 and 1 of two nodes, the even ones on the first if cyclic. */
static void seat_ranks(bool cyclic)
{
	struct tmap_machine *machine = machine_of("node:2 core:2");

	tmap_placement_fini(&p);
	ck_assert_int_eq(tmap_placement_init(&p, machine, 4, &err), 0);
	for (int r = 0; r < 4; r++) {
		struct tmap_idset pus = { 0 };

		ck_assert_int_eq(tmap_idset_add(&pus, cyclic ? r / 2 : r % 2, &err), 0);
		p.node[r] = cyclic ? r % 2 : r / 2;
		p.place[r] = tmap_placement_intern(&p, 0, &pus, NULL, true, &err);
		tmap_idset_fini(&pus);
	}
	tmap_machine_free(machine);
}

START_TEST(the_file_goes_from_slots_to_ranks)
{
	for (int cyclic = 0; cyclic < 2; cyclic++) {
		seat_ranks(cyclic);
		ck_assert_int_eq(read_text("0,2,3,1"), 0);
		ck_assert_int_eq(tmap_reorder_place(&p, order.rank, order.count, &err), 0);
		expect_rank(0, "n0", "0", true);
		expect_rank(2, "n0", "1", true);
		expect_rank(3, "n1", "0", true);
		expect_rank(1, "n1", "1", true);
	}
}
END_TEST

START_TEST(an_order_of_another_size_is_refused)
{
	seat_ranks(false);
	ck_assert_int_eq(read_text("0,2,1"), 0);
	ck_assert_int_eq(tmap_reorder_place(&p, order.rank, order.count, &err), -1);
	ck_assert_str_eq(printed(&err), "the order has 3 ranks, but the placement has 4");
	expect_rank(1, "n0", "1", true);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("rank_order");
	TCase *tc = tcase_create("rank_order");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_checked_fixture(tc, NULL, free_order);
	tcase_add_test(tc, lists_comments_and_ranges_are_read);
	tcase_add_loop_test(tc, what_is_no_permutation_is_refused, 0, 8);
	tcase_add_test(tc, the_file_goes_from_slots_to_ranks);
	tcase_add_test(tc, an_order_of_another_size_is_refused);
	suite_add_tcase(suite, tc);
	return suite;
}
