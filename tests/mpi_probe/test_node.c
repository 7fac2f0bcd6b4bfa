/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: bindings written down by hand on a node of 2 packages x 2 cores x 2 threads. */
#include "formats/machine/hwloc.h"
#include "mpi_probe/node.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

static struct tmap_error err;
static struct tmap_topology topo;
static struct tmap_probed_location location[MOST];
static struct tmap_node node;

static void setup(void)
{
	ck_assert_int_eq(tmap_hwloc_read_synthetic(&topo, "package:2 core:2 pu:2", &err), 0);
}

static void teardown(void)
{
	tmap_topology_fini(&topo);
	tmap_node_fini(&node);
	for (int i = 0; i < MOST; i++) {
		tmap_probed_location_fini(&location[i]);
		location[i] = (struct tmap_probed_location){ 0 };
	}
}

static void put(int i, const char *pus, int last_pu)
{
	ck_assert_int_eq(tmap_idset_parse(&location[i].pus, pus, 1023, &err), 0);
	ck_assert_int_eq(tmap_idset_parse(&location[i].memory, "0-1", 1023, &err), 0);
	location[i].last_pu = last_pu;
}

/* "0-1* 4" for each rank: its PUs, starred if bound. */
static void expect(const char *wanted)
{
	char text[256] = "";

	for (int i = 0; i < node.rank_count; i++) {
		const struct tmap_affinity *affinity = &node.affinity[node.affinity_of[i]];
		char *pus = tmap_idset_print(&affinity->pus, &err);

		ck_assert_int_lt(node.affinity_of[i], node.affinity_count);
		strcat(strcat(strcat(text, i ? " " : ""), pus), affinity->bound ? "*" : "");
		free(pus);
	}
	ck_assert_str_eq(text, wanted);
}

static void forbid(int first, int last)
{
	for (int i = first; i <= last; i++)
		topo.pu[i].allowed = false;
}

START_TEST(a_rank_that_may_use_all_of_the_node_is_not_bound)
{
	put(0, "0-7", 3);
	put(1, "0-6", 2);
	ck_assert_int_eq(tmap_node_init(&node, &topo, true, location, 2, &err), 0);
	expect("0-7 0-6*");
	ck_assert_int_eq(node.last_pu[0], 3);
	ck_assert_int_eq(node.last_pu[1], 2);
}
END_TEST

START_TEST(ranks_bound_alike_share_an_affinity)
{
	put(0, "2-3", 2);
	put(1, "0-1", 0);
	put(2, "2-3", 3);
	put(3, "0", 0);
	ck_assert_int_eq(tmap_node_init(&node, &topo, true, location, 4, &err), 0);
	expect("2-3* 0-1* 2-3* 0*");
	ck_assert_int_eq(node.affinity_count, 3);
	for (int i = 1; i < node.affinity_count; i++)
		ck_assert_int_lt(tmap_affinity_compare(&node.affinity[i - 1], &node.affinity[i]),
				 0);
}
END_TEST

START_TEST(a_cpuset_that_the_whole_job_is_in_is_no_binding)
{
	forbid(4, 7);
	put(0, "0-3", 1);
	put(1, "0-1", 1);
	ck_assert_int_eq(tmap_node_init(&node, &topo, true, location, 2, &err), 0);
	expect("0-3 0-1*");
}
END_TEST

START_TEST(ranks_in_cpusets_of_their_own_are_bound)
{
	forbid(2, 7); /* the first rank's cpuset */
	put(0, "0-1", 1);
	put(1, "2-3", 2);
	ck_assert_int_eq(tmap_node_init(&node, &topo, true, location, 2, &err), 0);
	expect("0-1* 2-3*");
	ck_assert(node.topo.pu[3].allowed);
	ck_assert(!node.topo.pu[4].allowed);
}
END_TEST

START_TEST(the_only_pu_of_a_job_is_no_binding)
{
	forbid(1, 7);
	put(0, "0", 0);
	put(1, "0", 0);
	ck_assert_int_eq(tmap_node_init(&node, &topo, true, location, 2, &err), 0);
	expect("0 0");
}
END_TEST

START_TEST(ranks_that_differ_in_memory_do_not_share)
{
	put(0, "0-1", 0);
	put(1, "0-1", 0);
	location[1].memory.range[0].last = 0;
	ck_assert_int_eq(tmap_node_init(&node, &topo, true, location, 2, &err), 0);
	ck_assert_int_eq(node.affinity_count, 2);
}
END_TEST

START_TEST(a_rank_on_a_pu_that_is_not_there_is_refused)
{
	put(0, "0-7", 0);
	put(1, "7-8", 7);
	ck_assert_int_eq(tmap_node_init(&node, &topo, true, location, 2, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_str_eq(err.text,
			 "a rank may run on PU 8, which hwloc does not find among the 8 "
			 "PUs of the node");
	ck_assert_int_eq(topo.pu_count, 8); /* still the caller's */
}
END_TEST

START_TEST(on_an_imitated_machine_nobody_is_bound)
{
	forbid(0, 0);
	put(0, "0", 0);
	put(1, "700", 700);
	ck_assert_int_eq(tmap_node_init(&node, &topo, false, location, 2, &err), 0);
	expect("1-7 1-7");
	ck_assert_int_eq(node.affinity_count, 1);
	ck_assert_int_eq(node.affinity[0].memory.count, 0);
	ck_assert_int_eq(node.last_pu[0], TMAP_NONE);
	ck_assert_int_eq(node.last_pu[1], TMAP_NONE);
}
END_TEST

START_TEST(nodes_that_are_filled_alike_have_equal_tables)
{
	const struct tmap_topology_addr addr = { "host", "", "", "" };
	const int rank[] = { 5, 9 };
	struct tmap_bytes table[2] = { { 0 }, { 0 } }, description = { 0 };

	for (int k = 0; k < 2; k++) {
		teardown();
		setup();
		put(k, "0-1", 0);
		put(!k, "2-3", 3);
		ck_assert_int_eq(tmap_node_init(&node, &topo, true, location, 2, &err), 0);
		tmap_bytes_fini(&description);
		tmap_node_pack_description(&description, &node);
		tmap_node_pack_table(&table[k], &node, &description);
	}
	ck_assert_uint_eq(table[0].length, table[1].length);
	ck_assert_mem_eq(table[0].data, table[1].data, table[0].length);
	tmap_bytes_fini(&description);
	tmap_node_pack_roster(&description, &node, &addr, rank);
	ck_assert_uint_eq(description.length, 4 + 4 + 3 * 4 + 4 + 2 * 12);
	tmap_bytes_fini(&description);
	tmap_bytes_fini(&table[0]);
	tmap_bytes_fini(&table[1]);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("node");
	TCase *tc = tcase_create("all");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_rank_that_may_use_all_of_the_node_is_not_bound);
	tcase_add_test(tc, ranks_bound_alike_share_an_affinity);
	tcase_add_test(tc, a_cpuset_that_the_whole_job_is_in_is_no_binding);
	tcase_add_test(tc, ranks_in_cpusets_of_their_own_are_bound);
	tcase_add_test(tc, the_only_pu_of_a_job_is_no_binding);
	tcase_add_test(tc, ranks_that_differ_in_memory_do_not_share);
	tcase_add_test(tc, a_rank_on_a_pu_that_is_not_there_is_refused);
	tcase_add_test(tc, on_an_imitated_machine_nobody_is_bound);
	tcase_add_test(tc, nodes_that_are_filled_alike_have_equal_tables);
	suite_add_tcase(suite, tc);
	return suite;
}
