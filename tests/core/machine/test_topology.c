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
	tcase_add_test(tc, a_copy_is_equal_until_anything_differs);
	tcase_add_test(tc, only_cores_with_an_allowed_pu_count);
	suite_add_tcase(suite, tc);
	return suite;
}
