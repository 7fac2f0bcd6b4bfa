/* Oracle: machines small enough to number by hand. */
#include "core/machine/topology.h"
#include "tests/unit.h"

static struct tm_error err;

/* Two packages of 4 PUs, the first with two L2s of one 2-way core each. */
static struct tm_topology build(void)
{
	struct tm_topology topo;

	ck_assert_int_eq(tm_topology_init(&topo, 8, &err), 0);
	ck_assert_int_eq(tm_topology_add(&topo, TM_CORE, 2, 4, 1, 0, &err), 0);
	ck_assert_int_eq(tm_topology_add(&topo, TM_CORE, 0, 2, 0, 0, &err), 0);
	ck_assert_int_eq(tm_topology_add(&topo, TM_PACKAGE, 4, 8, 1, 0, &err), 0);
	ck_assert_int_eq(tm_topology_add(&topo, TM_L2, 0, 2, TM_NONE, 1 << 20, &err), 0);
	ck_assert_int_eq(tm_topology_add(&topo, TM_L2, 2, 4, TM_NONE, 1 << 20, &err), 0);
	ck_assert_int_eq(tm_topology_add(&topo, TM_PACKAGE, 0, 4, 0, 0, &err), 0);
	return topo;
}

START_TEST(objects_are_sorted_into_preorder_whatever_the_order_they_come_in)
{
	static const enum tm_type expected[] = {
		TM_NODE, TM_PACKAGE, TM_L2, TM_CORE, TM_PU, TM_PU, TM_L2, TM_CORE, TM_PU, TM_PU,
		TM_PACKAGE, TM_PU, TM_PU, TM_PU, TM_PU,
	};
	static const int parent[] = { -1, 0, 1, 2, 3, 3, 1, 6, 7, 7, 0, 10, 10, 10, 10 };
	struct tm_topology topo = build();

	ck_assert_int_eq(tm_topology_finish(&topo, &err), 0);
	ck_assert_int_eq(topo.object_count, 15);
	for (int i = 0; i < topo.object_count; i++) {
		ck_assert_int_eq(topo.object[i].type, expected[i]);
		ck_assert_int_eq(topo.object[i].parent, parent[i]);
	}
	ck_assert_int_eq(topo.object[10].logical, 1);
	ck_assert_int_eq(topo.pu[7].object, 14);
	tm_topology_fini(&topo);
}
END_TEST

START_TEST(equal_sets_nest_in_the_order_of_the_types)
{
	struct tm_topology topo;
	static const enum tm_type given[] = { TM_L3, TM_NUMA, TM_BOARD, TM_PACKAGE, TM_CORE };

	ck_assert_int_eq(tm_topology_init(&topo, 1, &err), 0);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(tm_topology_add(&topo, given[i], 0, 1, 0, 0, &err), 0);
	ck_assert_int_eq(tm_topology_finish(&topo, &err), 0);
	for (int i = 1; i < topo.object_count; i++) {
		ck_assert_int_lt(topo.object[i - 1].type, topo.object[i].type);
		ck_assert_int_eq(topo.object[i].parent, i - 1);
	}
	tm_topology_fini(&topo);
}
END_TEST

START_TEST(the_smallest_object_over_some_pus_is_the_deepest)
{
	struct tm_topology topo = build();

	ck_assert_int_eq(tm_topology_finish(&topo, &err), 0);
	ck_assert_int_eq(tm_topology_cover(&topo, 0, 1), 4);
	ck_assert_int_eq(tm_topology_cover(&topo, 0, 2), 3);
	ck_assert_int_eq(tm_topology_cover(&topo, 1, 3), 1);
	ck_assert_int_eq(tm_topology_cover(&topo, 3, 5), 0);
	ck_assert_int_eq(tm_topology_ancestor(&topo, 4, TM_PACKAGE), 1);
	ck_assert_int_eq(tm_topology_ancestor(&topo, 4, TM_NUMA), TM_NONE);
	tm_topology_fini(&topo);
}
END_TEST

START_TEST(intervals_that_cross_are_refused)
{
	struct tm_topology topo = build();

	ck_assert_int_eq(tm_topology_add(&topo, TM_L3, 2, 6, 0, 0, &err), 0);
	ck_assert_int_eq(tm_topology_finish(&topo, &err), -1);
	ck_assert_int_eq(err.kind, TM_INPUT);
	ck_assert_str_eq(err.text, "a l3 over the PUs 2 to 5 crosses a package over 0 to 3");
	tm_topology_fini(&topo);
}
END_TEST

START_TEST(an_object_outside_the_node_is_refused)
{
	struct tm_topology topo;

	ck_assert_int_eq(tm_topology_init(&topo, 4, &err), 0);
	ck_assert_int_eq(tm_topology_add(&topo, TM_CORE, 3, 5, 0, 0, &err), -1);
	ck_assert_int_eq(tm_topology_add(&topo, TM_CORE, 2, 2, 0, 0, &err), -1);
	ck_assert_int_eq(tm_topology_add(&topo, TM_CORE, -1, 2, 0, 0, &err), -1);
	tm_topology_fini(&topo);
}
END_TEST

START_TEST(two_caches_over_the_same_pus_are_refused_and_two_groups_are_one)
{
	struct tm_topology topo = build();

	ck_assert_int_eq(tm_topology_add(&topo, TM_GROUP, 0, 4, 0, 0, &err), 0);
	ck_assert_int_eq(tm_topology_add(&topo, TM_GROUP, 0, 4, 1, 0, &err), 0);
	ck_assert_int_eq(tm_topology_finish(&topo, &err), 0);
	ck_assert_int_eq(tm_topology_count(&topo, TM_GROUP), 1);
	tm_topology_fini(&topo);
	topo = build();
	ck_assert_int_eq(tm_topology_add(&topo, TM_L2, 0, 2, 0, 0, &err), 0);
	ck_assert_int_eq(tm_topology_finish(&topo, &err), -1);
	tm_topology_fini(&topo);
}
END_TEST

START_TEST(an_os_index_that_two_pus_have_is_refused)
{
	struct tm_topology topo = build();

	topo.pu[5].os = 2;
	ck_assert_int_eq(tm_topology_finish(&topo, &err), -1);
	ck_assert_str_eq(err.text, "two PUs have the OS index 2");
	tm_topology_fini(&topo);
}
END_TEST

START_TEST(a_copy_is_equal_until_anything_differs)
{
	struct tm_topology topo = build(), copy;
	struct tm_device ib0 = { TM_NETWORK, "ib0", 1 };
	struct tm_memory dram = { 0, 1, 1 << 30, "DRAM" };

	ck_assert_int_eq(tm_topology_finish(&topo, &err), 0);
	ck_assert_int_eq(tm_topology_add_device(&topo, &ib0, &err), 0);
	ck_assert_int_eq(tm_topology_add_memory(&topo, &dram, &err), 0);
	ck_assert_int_eq(tm_topology_copy(&copy, &topo, &err), 0);
	ck_assert(tm_topology_equal(&topo, &copy));
	copy.device[0].object = 10;
	ck_assert(!tm_topology_equal(&topo, &copy));
	copy.device[0].object = 1;
	copy.pu[3].allowed = false;
	ck_assert(!tm_topology_equal(&topo, &copy));
	copy.pu[3].allowed = true;
	copy.object[2].size_bytes++;
	ck_assert(!tm_topology_equal(&topo, &copy));
	tm_topology_fini(&copy);
	tm_topology_fini(&topo);
}
END_TEST

START_TEST(only_cores_with_an_allowed_pu_count)
{
	struct tm_topology topo = build();

	topo.pu[0].allowed = topo.pu[1].allowed = topo.pu[2].allowed = false;
	ck_assert_int_eq(tm_topology_finish(&topo, &err), 0);
	ck_assert_int_eq(tm_topology_allowed_cores(&topo), 1);
	ck_assert_int_eq(tm_topology_allowed_pus(&topo), 5);
	tm_topology_fini(&topo);
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
