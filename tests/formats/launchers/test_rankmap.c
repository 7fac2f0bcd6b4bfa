/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: by hand, from the grammar that MPICH's Hydra documents. */
#include "core/machine/most_ranks.h"
#include "formats/launchers/common/rankmap.h"
#include "formats/launchers/launchers.h"
#include "tests/support/rank_files.h"

static void expect_nodes(const char *text, const char *nodes)
{
	struct tmap_rankmap map = { 0 };

	ck_assert_msg(tmap_rankmap_parse(&map, text, TMAP_MOST_RANKS, &err) == 0, "%s: %s", text,
		      err.text);
	ck_assert_int_eq(map.count, (int)strlen(nodes));
	for (int r = 0; r < map.count; r++)
		ck_assert_int_eq(map.node[r], nodes[r] - '0');
	tmap_rankmap_fini(&map);
}

START_TEST(lists_and_vectors_are_read)
{
	expect_nodes("0", "0");
	expect_nodes("0, 0,1,1", "0011");
	expect_nodes("(vector,(0,2,4))", "00001111");
	expect_nodes("( vector, (1,2,1), (0,3,1) )", "12012");
	expect_nodes("(vector,[(0,1,2),(1,1,1)]x3)", "001001001");
	expect_nodes("(vector,(3,1,1),[(0,2,1)]x2,(2,1,1))", "301012");
}
END_TEST

START_TEST(malformed_maps_are_refused)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "the rank map ends where a number is expected" },
		{ "0,,1", "column 3: ',1' where a number is expected" },
		{ "0 1", "column 3: '1' where the end is expected" },
		{ "(vector)", "column 8: ')' where , and a block (START,NODES,RANKS) is expected" },
		{ "(block,(0,1,1))", "column 2: 'block,(0,1,1))' where vector is expected" },
		{ "(vector,(0,2,4)", "the rank map ends where ) is expected" },
		{ "(vector,(0,0,4))", "column 12: '0,4))' where a number from 1 on is expected" },
		{ "(vector,(0,2))", "column 13: '))' where , is expected" },
		{ "(vector,[(0,2,1)])", "column 18: ')' where x and a number is expected" },
		{ "(vector,(0,2,1))x", "column 17: 'x' where the end is expected" },
		{ "(vector,(0,99999,99999))", "there are more than 134217728 ranks" },
		{ "(vector,[(0,2,1)]x134217728)", "there are more than 134217728 ranks" },
		{ "99999999999999999999",
		  "column 1: '99999999999999999999' where a number is expected" },
	};
	struct tmap_rankmap map;

	ck_assert_int_eq(tmap_rankmap_parse(&map, cases[_i].text, TMAP_MOST_RANKS, &err), -1);
	ck_assert_str_eq(err.text, cases[_i].message);
}
END_TEST

START_TEST(ranks_take_the_cores_of_their_nodes_in_order)
{
	const struct tmap_launcher *map = tmap_launcher_find("hydra-rankmap");
	struct tmap_machine *machine = machine_of("node:2 core:2 pu:2");

	ck_assert_int_eq(tmap_launcher_read(&p, machine, map, "1,0,1", TMAP_NONE, &err), 0);
	expect_rank(0, "n1", "0-1", true);
	expect_rank(1, "n0", "0-1", true);
	expect_rank(2, "n1", "2-3", true);
	tmap_placement_fini(&p);
	ck_assert_int_eq(tmap_launcher_read(&p, machine, map, "0,2", TMAP_NONE, &err), -1);
	ck_assert_str_eq(err.text, "host '+n2': the nodes are +n0 to +n1");
	ck_assert_int_eq(tmap_launcher_read(&p, machine, map, "0,1,0,0", TMAP_NONE, &err), -1);
	ck_assert_str_eq(err.text,
			 "rank 3 finds no core on node +n0: all 2 that may be used have a "
			 "rank");
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("rankmap");
	TCase *tc = tcase_create("rankmap");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, lists_and_vectors_are_read);
	tcase_add_loop_test(tc, malformed_maps_are_refused, 0, 13);
	tcase_add_test(tc, ranks_take_the_cores_of_their_nodes_in_order);
	suite_add_tcase(suite, tc);
	return suite;
}
