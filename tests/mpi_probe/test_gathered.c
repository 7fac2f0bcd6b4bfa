/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job as its leaders tell it, without MPI. Oracle: the placement that the messages were
 * made from, and nodes and bindings written down by hand.
 */
#include "formats/machine/hwloc.h"
#include "mpi_probe/gathered.h"
#include "mpi_probe/node.h"
#include "mpi_probe/rebind.h"
#include "tests/support/printed.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 4, RANKS = 10 };

static struct tmap_error err;

/* Node 2 is of another kind; nodes 0, 1 and 3 are alike, 3 is filled otherwise. */
static const char *const host[NODES] = { "a", "b", "c", "b" };
static const char *const line[NODES] = { "package:2 core:2 pu:1", "package:2 core:2 pu:1",
					 "package:1 core:3 pu:2", "package:2 core:2 pu:1" };
static const int node_of[RANKS] = { 0, 1, 2, 3, 0, 1, 2, 3, 2, 2 };
static const char *const pus_of[RANKS] = { "0",   "0",   "0-1", "0-3", "2-3",
					   "2-3", "2-3", "2-3", "4-5", "0-5" };
static const bool bound[RANKS] = { true, true, true, false, true, true, true, true, true, false };

static struct tmap_bytes description[NODES], table[NODES], roster[NODES];
static struct tmap_part description_part[2], table_part[3], roster_part[NODES];
static const int topology_of[3] = { 0, 1, 0 }, table_of[NODES] = { 0, 0, 1, 2 };
static struct tmap_gathered job;

static bool is_imitated[NODES];

/* Two programs; the last rank has threads of its own. Of node 2 alone the limits are known. */
static struct tmap_setting setting_of(int rank)
{
	struct tmap_setting setting = { .part = rank >= 4, .environment = true };

	setting.program = (char *)(rank >= 4 ? "air" : "ocean");
	setting.variable[TMAP_OMP_NUM_THREADS] = rank == RANKS - 1 ? (char *)"8" : NULL;
	return setting;
}

/* Two racks; nobody says anything else of switches in other tests. */
static struct tmap_topology_addr addr[NODES];

static void tell(int node)
{
	struct tmap_probed_location location[RANKS];
	struct tmap_topology topo;
	struct tmap_setting setting[RANKS];
	struct tmap_node told;
	int rank[RANKS], count = 0;

	ck_assert_int_eq(tmap_hwloc_read_synthetic(&topo, line[node], &err), 0);
	for (int r = 0; r < RANKS; r++) {
		if (node_of[r] != node)
			continue;
		location[count] = (struct tmap_probed_location){ .last_pu = r % 3 };
		ck_assert_int_eq(tmap_idset_parse(&location[count].pus, pus_of[r], 63, &err), 0);
		setting[count] = setting_of(r);
		rank[count++] = r;
	}
	ck_assert_int_eq(tmap_node_init(&told, &topo, !is_imitated[node], location, count, &err),
			 0);
	ck_assert_int_eq(tmap_node_share_settings(&told, setting, &err), 0);
	told.has_system = node == 2;
	told.system.cpu_quota_thousandths = 2500;
	tmap_node_pack_description(&description[node], &told);
	tmap_node_pack_table(&table[node], &told, &description[node]);
	tmap_node_pack_roster(&roster[node], &told, &addr[node], rank);
	tmap_node_fini(&told);
	for (int i = 0; i < count; i++)
		tmap_probed_location_fini(&location[i]);
}

static struct tmap_part part_of(const struct tmap_bytes *bytes)
{
	return (struct tmap_part){ bytes->data, bytes->length };
}

static void setup(void)
{
	for (int n = 0; n < NODES; n++) {
		tell(n);
		roster_part[n] = part_of(&roster[n]);
	}
	description_part[0] = part_of(&description[0]);
	description_part[1] = part_of(&description[2]);
	table_part[0] = part_of(&table[0]);
	table_part[1] = part_of(&table[2]);
	table_part[2] = part_of(&table[3]);
	job = (struct tmap_gathered){
		.size = RANKS,
		.topology_count = 2,
		.table_count = 3,
		.node_count = NODES,
		.description = description_part,
		.table = table_part,
		.roster = roster_part,
		.topology_of = topology_of,
		.table_of = table_of,
	};
}

static void say_nothing(void)
{
	for (int n = 0; n < NODES; n++)
		addr[n] = (struct tmap_topology_addr){ host[n], "", "", "" };
}

static void setup_without_switches(void)
{
	say_nothing();
	setup();
}

static void teardown(void)
{
	for (int n = 0; n < NODES; n++) {
		tmap_bytes_fini(&description[n]);
		tmap_bytes_fini(&table[n]);
		tmap_bytes_fini(&roster[n]);
	}
}

static void expect_pus(const struct tmap_placement *p, int rank, const char *wanted)
{
	char *text = tmap_idset_print(&p->places[p->place[rank]].pus, &err);

	ck_assert_str_eq(text, wanted);
	free(text);
}

START_TEST(the_merge_gives_back_what_the_nodes_told)
{
	struct tmap_placement p;

	ck_assert_int_eq(tmap_gathered_place(&p, &job, &err), 0);
	ck_assert_int_eq(p.size, RANKS);
	ck_assert_int_eq(p.machine->node_count, NODES);
	ck_assert_int_eq(p.machine->topology_count, 2);
	for (int r = 0; r < RANKS; r++) {
		ck_assert_int_eq(p.node[r], node_of[r]);
		ck_assert_int_eq(p.last_pu[r], r % 3);
		ck_assert_int_eq(p.places[p.place[r]].bound, bound[r]);
		expect_pus(&p, r, pus_of[r]);
	}
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(what_ranks_were_started_as_and_nodes_allow_comes_along)
{
	struct tmap_placement p;

	ck_assert_int_eq(tmap_gathered_place(&p, &job, &err), 0);
	ck_assert_int_eq(p.setting_count, 3);
	for (int r = 0; r < RANKS; r++) {
		struct tmap_setting setting = setting_of(r);

		ck_assert_int_eq(tmap_setting_compare(tmap_placement_setting(&p, r), &setting), 0);
	}
	for (int n = 0; n < NODES; n++)
		ck_assert(!tmap_machine_system(p.machine, n) == (n != 2));
	ck_assert_int_eq(tmap_machine_system(p.machine, 2)->cpu_quota_thousandths, 2500);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(nodes_of_one_host_name_become_distinct)
{
	struct tmap_placement p;

	ck_assert_int_eq(tmap_gathered_place(&p, &job, &err), 0);
	ck_assert_str_eq(p.machine->node_name[0], "a");
	ck_assert_str_eq(p.machine->node_name[1], "b");
	ck_assert_str_eq(p.machine->node_name[2], "c");
	ck_assert_str_eq(p.machine->node_name[3], "b#2");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(equal_grants_of_different_tables_are_one_place)
{
	struct tmap_placement p;

	ck_assert_int_eq(tmap_gathered_place(&p, &job, &err), 0);
	/* kind 0: 0, 2-3, 0-3; kind 1: 0-1, 2-3, 4-5, 0-5 */
	ck_assert_int_eq(p.place_count, 7);
	ck_assert_int_eq(p.place[4], p.place[7]);
	ck_assert_int_ne(p.place[4], p.place[6]);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(where_one_node_is_imitated_no_last_pu_is_known)
{
	struct tmap_placement p;

	teardown();
	is_imitated[2] = true;
	setup();
	ck_assert_int_eq(tmap_gathered_place(&p, &job, &err), 0);
	ck_assert_ptr_null(p.last_pu);
	expect_pus(&p, 6, "0-5");
	expect_pus(&p, 7, "2-3");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_rank_that_nobody_tells_of_is_missed)
{
	struct tmap_placement p;

	job.size = RANKS + 1;
	ck_assert_int_eq(tmap_gathered_place(&p, &job, &err), -1);
	ck_assert_str_eq(printed(&err), "rank 10 has no node among the 4 nodes");
}
END_TEST

START_TEST(a_rank_that_two_nodes_tell_of_is_refused)
{
	struct tmap_placement p;

	roster_part[1] = roster_part[0];
	ck_assert_int_eq(tmap_gathered_place(&p, &job, &err), -1);
	ck_assert_str_eq(printed(&err),
			 "node 'a#2' lists rank 0 with affinity 0: no such rank or "
			 "affinity, or a rank of two nodes");
}
END_TEST

START_TEST(a_rank_beyond_the_job_is_refused)
{
	struct tmap_placement p;

	job.size = RANKS - 1;
	ck_assert_int_eq(tmap_gathered_place(&p, &job, &err), -1);
	ck_assert_ptr_nonnull(strstr(printed(&err), "lists rank 9"));
}
END_TEST

START_TEST(parts_that_are_cut_are_refused)
{
	struct tmap_part *part[] = { &description_part[1], &table_part[1], &roster_part[2] };
	struct tmap_placement p;
	size_t whole = part[_i]->length;

	for (size_t length = 0; length < whole; length++) {
		part[_i]->length = length;
		ck_assert_int_eq(tmap_gathered_place(&p, &job, &err), -1);
		ck_assert_int_ne(err.kind, TMAP_OK);
	}
}
END_TEST

START_TEST(switches_are_those_of_the_nodes_environment)
{
	static const char *const text[NODES] = { "root.s0.na", "root.s0.nb", "root.s1.n.c",
						 "root.s1.nd" };
	static const char *const name[NODES] = { "na", "", "n.c", "nd" };
	struct tmap_str note = TMAP_STR_INIT;
	struct tmap_placement p;

	teardown();
	for (int n = 0; n < NODES; n++)
		addr[n] = (struct tmap_topology_addr){ host[n], name[n], text[n],
						       "switch.switch.node" };
	setup();
	ck_assert_int_eq(tmap_gathered_place(&p, &job, &err), 0);
	ck_assert_int_eq(tmap_gathered_connect(&p, &job, &note, &err), 0);
	ck_assert_ptr_null(note.text);
	ck_assert_int_eq(p.machine->tier_count, 2);
	ck_assert_int_eq(p.machine->tier[0].switch_of[0], p.machine->tier[0].switch_of[1]);
	ck_assert_int_eq(p.machine->tier[0].switch_of[2], p.machine->tier[0].switch_of[3]);
	ck_assert_str_eq(p.machine->tier[0].switch_name[1], "s1");
	ck_assert_int_eq(p.machine->tier[1].switch_count, 1);
	tmap_placement_fini(&p);
	/* an environment that was handed on from the first node to all */
	teardown();
	for (int n = 0; n < NODES; n++)
		addr[n].addr = "root.s0.na";
	setup();
	ck_assert_int_eq(tmap_gathered_place(&p, &job, &err), 0);
	ck_assert_int_eq(tmap_gathered_connect(&p, &job, &note, &err), 0);
	ck_assert_str_eq(note.text,
			 "what it says of switches is left out (--network FILE gives "
			 "them): nodes 'a' and 'b' have the same address, "
			 "'root.s0.na'\n");
	ck_assert_int_eq(p.machine->tier_count, 0);
	tmap_placement_fini(&p);
	tmap_str_fini(&note);
}
END_TEST

/* The same ranks on the same nodes, each bound to PU @p pu. */
static void bind_all(struct tmap_placement *to, const struct tmap_placement *p, int ranks, int pu)
{
	struct tmap_idset pus = { 0 };

	ck_assert_int_eq(tmap_idset_add(&pus, pu, &err), 0);
	ck_assert_int_eq(tmap_placement_init(to, p->machine, ranks, &err), 0);
	for (int r = 0; r < ranks; r++) {
		to->node[r] = p->node[r];
		to->place[r] = tmap_placement_intern(to, p->machine->node_topology[p->node[r]],
						     &pus, NULL, true, &err);
	}
	tmap_idset_fini(&pus);
}

START_TEST(bindings_can_be_taken_from_elsewhere)
{
	struct tmap_placement p, other;

	ck_assert_int_eq(tmap_gathered_place(&p, &job, &err), 0);
	bind_all(&other, &p, RANKS, 3);
	p.origin.by = strdup("a test");
	ck_assert_int_eq(tmap_rebind_allowed(&p, &other, "job.rf", &err), 0);
	for (int r = 0; r < RANKS; r++) {
		ck_assert_int_eq(p.node[r], node_of[r]);
		ck_assert(p.places[p.place[r]].bound);
		expect_pus(&p, r, "3");
	}
	ck_assert_ptr_null(p.last_pu);
	ck_assert_str_eq(p.origin.by, "a test");
	ck_assert_str_eq(tmap_placement_setting(&p, 9)->variable[TMAP_OMP_NUM_THREADS], "8");
	tmap_placement_fini(&p);
	tmap_placement_fini(&other);
}
END_TEST

START_TEST(bindings_of_another_job_are_refused)
{
	struct tmap_placement p, other;

	ck_assert_int_eq(tmap_gathered_place(&p, &job, &err), 0);
	bind_all(&other, &p, RANKS - 1, 0);
	ck_assert_int_eq(tmap_rebind_allowed(&p, &other, "job.rf", &err), -1);
	ck_assert_str_eq(printed(&err), "job.rf: it places 9 ranks, but the job has 10");
	tmap_placement_fini(&other);
	bind_all(&other, &p, RANKS, 0);
	other.node[5] = 0;
	ck_assert_int_eq(tmap_rebind_allowed(&p, &other, "job.rf", &err), -1);
	ck_assert_str_eq(printed(&err),
			 "job.rf: it places rank 5 on 'a', but the rank runs on 'b'");
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	expect_pus(&p, 5, "2-3");
	tmap_placement_fini(&p);
	tmap_placement_fini(&other);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("job");
	TCase *tc = tcase_create("all");

	tcase_add_checked_fixture(tc, setup_without_switches, teardown);
	tcase_add_test(tc, the_merge_gives_back_what_the_nodes_told);
	tcase_add_test(tc, what_ranks_were_started_as_and_nodes_allow_comes_along);
	tcase_add_test(tc, nodes_of_one_host_name_become_distinct);
	tcase_add_test(tc, equal_grants_of_different_tables_are_one_place);
	tcase_add_test(tc, where_one_node_is_imitated_no_last_pu_is_known);
	tcase_add_test(tc, a_rank_that_nobody_tells_of_is_missed);
	tcase_add_test(tc, a_rank_that_two_nodes_tell_of_is_refused);
	tcase_add_test(tc, a_rank_beyond_the_job_is_refused);
	tcase_add_loop_test(tc, parts_that_are_cut_are_refused, 0, 3);
	tcase_add_test(tc, switches_are_those_of_the_nodes_environment);
	tcase_add_test(tc, bindings_can_be_taken_from_elsewhere);
	tcase_add_test(tc, bindings_of_another_job_are_refused);
	suite_add_tcase(suite, tc);
	return suite;
}
