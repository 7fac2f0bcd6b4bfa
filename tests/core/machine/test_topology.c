/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: machines small enough to number by hand. */
#include "core/machine/topology.h"
#include "tests/unit.h"

static struct tmap_error err;

/* Two packages of 4 PUs, the first with two L2s of one 2-way core each. */
static struct tmap_topology build(void)
{
	struct tmap_topology topo;

	ck_assert_int_eq(tmap_topology_init(&topo, 8, &err), 0);
	ck_assert_int_eq(tmap_topology_add(&topo, TMAP_CORE, 2, 4, 1, 0, &err), 0);
	ck_assert_int_eq(tmap_topology_add(&topo, TMAP_CORE, 0, 2, 0, 0, &err), 0);
	ck_assert_int_eq(tmap_topology_add(&topo, TMAP_PACKAGE, 4, 8, 1, 0, &err), 0);
	ck_assert_int_eq(tmap_topology_add(&topo, TMAP_L2, 0, 2, TMAP_NONE, 1 << 20, &err), 0);
	ck_assert_int_eq(tmap_topology_add(&topo, TMAP_L2, 2, 4, TMAP_NONE, 1 << 20, &err), 0);
	ck_assert_int_eq(tmap_topology_add(&topo, TMAP_PACKAGE, 0, 4, 0, 0, &err), 0);
	return topo;
}

START_TEST(objects_are_sorted_into_preorder_whatever_the_order_they_come_in)
{
	static const enum tmap_type expected[] = {
		TMAP_NODE,    TMAP_PACKAGE, TMAP_L2,   TMAP_CORE, TMAP_PU,
		TMAP_PU,      TMAP_L2,      TMAP_CORE, TMAP_PU,   TMAP_PU,
		TMAP_PACKAGE, TMAP_PU,      TMAP_PU,   TMAP_PU,   TMAP_PU,
	};
	static const int parent[] = { -1, 0, 1, 2, 3, 3, 1, 6, 7, 7, 0, 10, 10, 10, 10 };
	struct tmap_topology topo = build();

	ck_assert_int_eq(tmap_topology_finish(&topo, &err), 0);
	ck_assert_int_eq(topo.object_count, 15);
	for (int i = 0; i < topo.object_count; i++) {
		ck_assert_int_eq(topo.object[i].type, expected[i]);
		ck_assert_int_eq(topo.object[i].parent, parent[i]);
	}
	ck_assert_int_eq(topo.object[10].logical, 1);
	ck_assert_int_eq(topo.pu[7].object, 14);
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(equal_sets_nest_in_the_order_of_the_types)
{
	struct tmap_topology topo;
	static const enum tmap_type given[] = { TMAP_L3, TMAP_NUMA, TMAP_BOARD, TMAP_PACKAGE,
						TMAP_CORE };

	ck_assert_int_eq(tmap_topology_init(&topo, 1, &err), 0);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(tmap_topology_add(&topo, given[i], 0, 1, 0, 0, &err), 0);
	ck_assert_int_eq(tmap_topology_finish(&topo, &err), 0);
	for (int i = 1; i < topo.object_count; i++) {
		ck_assert_int_lt(topo.object[i - 1].type, topo.object[i].type);
		ck_assert_int_eq(topo.object[i].parent, i - 1);
	}
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(the_smallest_object_over_some_pus_is_the_deepest)
{
	struct tmap_topology topo = build();

	ck_assert_int_eq(tmap_topology_finish(&topo, &err), 0);
	ck_assert_int_eq(tmap_topology_cover(&topo, 0, 1), 4);
	ck_assert_int_eq(tmap_topology_cover(&topo, 0, 2), 3);
	ck_assert_int_eq(tmap_topology_cover(&topo, 1, 3), 1);
	ck_assert_int_eq(tmap_topology_cover(&topo, 3, 5), 0);
	ck_assert_int_eq(tmap_topology_ancestor(&topo, 4, TMAP_PACKAGE), 1);
	ck_assert_int_eq(tmap_topology_ancestor(&topo, 4, TMAP_NUMA), TMAP_NONE);
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(intervals_that_cross_are_refused)
{
	struct tmap_topology topo = build();

	ck_assert_int_eq(tmap_topology_add(&topo, TMAP_L3, 2, 6, 0, 0, &err), 0);
	ck_assert_int_eq(tmap_topology_finish(&topo, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, "a l3 over the PUs 2 to 5 crosses a package over 0 to 3");
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(an_object_outside_the_node_is_refused)
{
	struct tmap_topology topo;

	ck_assert_int_eq(tmap_topology_init(&topo, 4, &err), 0);
	ck_assert_int_eq(tmap_topology_add(&topo, TMAP_CORE, 3, 5, 0, 0, &err), -1);
	ck_assert_int_eq(tmap_topology_add(&topo, TMAP_CORE, 2, 2, 0, 0, &err), -1);
	ck_assert_int_eq(tmap_topology_add(&topo, TMAP_CORE, -1, 2, 0, 0, &err), -1);
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(two_caches_over_the_same_pus_are_refused_and_two_groups_are_one)
{
	struct tmap_topology topo = build();

	ck_assert_int_eq(tmap_topology_add(&topo, TMAP_GROUP, 0, 4, 0, 0, &err), 0);
	ck_assert_int_eq(tmap_topology_add(&topo, TMAP_GROUP, 0, 4, 1, 0, &err), 0);
	ck_assert_int_eq(tmap_topology_finish(&topo, &err), 0);
	ck_assert_int_eq(tmap_topology_count(&topo, TMAP_GROUP), 1);
	tmap_topology_fini(&topo);
	topo = build();
	ck_assert_int_eq(tmap_topology_add(&topo, TMAP_L2, 0, 2, 0, 0, &err), 0);
	ck_assert_int_eq(tmap_topology_finish(&topo, &err), -1);
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(an_os_index_that_two_pus_have_is_refused)
{
	struct tmap_topology topo = build();

	topo.pu[5].os = 2;
	ck_assert_int_eq(tmap_topology_finish(&topo, &err), -1);
	ck_assert_str_eq(err.text, "two PUs have the OS index 2");
	tmap_topology_fini(&topo);
}
END_TEST

/* OS indexes 5 3 8 0 7 2 9 4; the job may not use 3 and 2. */
static struct tmap_topology numbered(void)
{
	static const int os[8] = { 5, 3, 8, 0, 7, 2, 9, 4 };
	struct tmap_topology topo = build();

	for (int i = 0; i < 8; i++)
		topo.pu[i].os = os[i];
	ck_assert_int_eq(tmap_topology_finish(&topo, &err), 0);
	topo.pu[1].allowed = topo.pu[5].allowed = false;
	return topo;
}

START_TEST(pus_are_found_by_their_os_indexes_in_whatever_order_these_are)
{
	static const int by_os[8] = { 3, 5, 1, 7, 0, 4, 2, 6 };
	struct tmap_topology topo = numbered(), copy;

	ck_assert_mem_eq(topo.by_os, by_os, sizeof by_os);
	ck_assert_int_eq(tmap_topology_copy(&copy, &topo, &err), 0);
	for (int os = -1; os < 12; os++) {
		int expected = TMAP_NONE;

		for (int i = 0; i < 8; i++)
			if (topo.pu[i].os == os)
				expected = i;
		ck_assert_int_eq(tmap_topology_find_pu(&topo, os), expected);
		ck_assert_int_eq(tmap_topology_find_pu(&copy, os), expected);
	}
	tmap_topology_fini(&copy);
	for (int i = 0; i < 8; i++)
		topo.pu[i].os = 10 - i;
	ck_assert_int_eq(tmap_topology_sort_pus(&topo, &err), 0);
	ck_assert_int_eq(tmap_topology_find_pu(&topo, 10), 0);
	ck_assert_int_eq(tmap_topology_find_pu(&topo, 3), 7);
	topo.pu[0].os = 3;
	ck_assert_int_eq(tmap_topology_sort_pus(&topo, &err), -1);
	ck_assert_str_eq(err.text, "two PUs have the OS index 3");
	tmap_topology_fini(&topo);
}
END_TEST

static const struct checked {
	const char *pus;
	bool is_all;
	const char *reason; /* "": none */
} checked[] = {
	{ "", false, "" },
	{ "0,4-5,7-9", true, "" },
	{ "0,4-5,7-8", false, "" },
	{ "4-5,7-9", false, "" },
	{ "0,2,4", false, "the job may not use PU 2 of a node" },
	{ "0-1", false, "a node has no PU 1" },
	{ "0,4-5,7-16777215", true, "a node has no PU 10" },
};

START_TEST(sets_are_checked_against_what_the_job_may_use)
{
	struct tmap_topology topo = numbered();
	struct tmap_idset pus = { 0 };

	ck_assert_int_eq(tmap_idset_parse(&pus, checked[_i].pus, 16777215, &err), 0);
	ck_assert_int_eq(tmap_topology_is_all(&topo, &pus), checked[_i].is_all);
	ck_assert_int_eq(tmap_topology_check_allowed(&topo, &pus, &err),
			 *checked[_i].reason ? -1 : 0);
	if (*checked[_i].reason)
		ck_assert_str_eq(err.text, checked[_i].reason);
	tmap_idset_fini(&pus);
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(the_allowed_pus_of_an_object_are_counted_and_listed)
{
	struct tmap_topology topo = numbered();
	struct tmap_idset pus = { 0 };
	int package = tmap_topology_find(&topo, TMAP_PACKAGE, 0);

	ck_assert_int_eq(tmap_topology_allowed_of(&topo, 0), 6);
	ck_assert_int_eq(tmap_topology_allowed_of(&topo, package), 3);
	ck_assert_int_eq(tmap_topology_allowed_of(&topo, topo.pu[1].object), 0);
	ck_assert_int_eq(tmap_topology_add_allowed_of(&pus, &topo, package, &err), 0);
	ck_assert_int_eq(tmap_idset_size(&pus), 3);
	ck_assert(tmap_idset_contains(&pus, 0) && tmap_idset_contains(&pus, 5) &&
		  tmap_idset_contains(&pus, 8));
	tmap_idset_fini(&pus);
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(a_copy_is_equal_until_anything_differs)
{
	struct tmap_topology topo = build(), copy;
	struct tmap_device ib0 = { .type = TMAP_NETWORK, .name = "ib0", .object = 1 };
	struct tmap_memory dram = { 0, 1, 1 << 30, "DRAM", false, 0 };

	ck_assert_int_eq(tmap_topology_finish(&topo, &err), 0);
	ck_assert_int_eq(tmap_topology_add_device(&topo, &ib0, &err), 0);
	ck_assert_int_eq(tmap_topology_add_memory(&topo, &dram, &err), 0);
	ck_assert_int_eq(tmap_topology_copy(&copy, &topo, &err), 0);
	ck_assert(tmap_topology_equal(&topo, &copy));
	copy.device[0].object = 10;
	ck_assert(!tmap_topology_equal(&topo, &copy));
	copy.device[0].object = 1;
	copy.pu[3].allowed = false;
	ck_assert(!tmap_topology_equal(&topo, &copy));
	copy.pu[3].allowed = true;
	copy.object[2].size_bytes++;
	ck_assert(!tmap_topology_equal(&topo, &copy));
	tmap_topology_fini(&copy);
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(only_cores_with_an_allowed_pu_count)
{
	struct tmap_topology topo = build();

	topo.pu[0].allowed = topo.pu[1].allowed = topo.pu[2].allowed = false;
	ck_assert_int_eq(tmap_topology_finish(&topo, &err), 0);
	ck_assert_int_eq(tmap_topology_allowed_cores(&topo), 1);
	ck_assert_int_eq(tmap_topology_allowed_pus(&topo), 5);
	tmap_topology_fini(&topo);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("topology");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, objects_are_sorted_into_preorder_whatever_the_order_they_come_in);
	tcase_add_test(tc, equal_sets_nest_in_the_order_of_the_types);
	tcase_add_test(tc, the_smallest_object_over_some_pus_is_the_deepest);
	tcase_add_test(tc, intervals_that_cross_are_refused);
	tcase_add_test(tc, an_object_outside_the_node_is_refused);
	tcase_add_test(tc, two_caches_over_the_same_pus_are_refused_and_two_groups_are_one);
	tcase_add_test(tc, an_os_index_that_two_pus_have_is_refused);
	tcase_add_test(tc, pus_are_found_by_their_os_indexes_in_whatever_order_these_are);
	tcase_add_loop_test(tc, sets_are_checked_against_what_the_job_may_use, 0,
			    sizeof checked / sizeof *checked);
	tcase_add_test(tc, the_allowed_pus_of_an_object_are_counted_and_listed);
	tcase_add_test(tc, a_copy_is_equal_until_anything_differs);
	tcase_add_test(tc, only_cores_with_an_allowed_pu_count);
	suite_add_tcase(suite, tc);
	return suite;
}
