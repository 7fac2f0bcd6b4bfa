/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: findings worked out by hand, a placement for each rule that must find something, and
 * one beside it that is well.
 */
#include "core/lint/lint.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* fixes without a launcher's words */
static const struct tmap_fix_words *const nobody[] = { NULL };
static const struct tmap_lint_request nobody_asked = { .launchers = nobody };

/* Two nodes of 2 packages, a NUMA node each, 2 cores of 2 PUs; PU numbers are logical. */
static const struct test_level node_levels[] = {
	{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 1 }, { TMAP_CORE, 2 }, { TMAP_PU, 2 }, { 0 },
};

struct seat {
	int node;
	const char *pus; /* "unbound 0-7" for a rank that is not bound */
};

enum { MOST = 9 };

struct job {
	const char *what;
	int nodes;
	struct seat seat[MOST + 1];
	const char *findings; /* "name ranks; name ranks" */
};

static int place(struct tmap_placement *p, const char *text, const char *memory)
{
	bool bound = strncmp(text, "unbound ", 8) != 0;
	struct tmap_idset pus = { 0 }, mem = { 0 };
	int index;

	ck_assert_int_eq(tmap_idset_parse(&pus, bound ? text : text + 8, 100, &err), 0);
	ck_assert_int_eq(tmap_idset_parse(&mem, memory, 100, &err), 0);
	index = tmap_placement_intern(p, 0, &pus, &mem, bound, &err);
	ck_assert_int_ne(index, TMAP_NONE);
	tmap_idset_fini(&pus);
	tmap_idset_fini(&mem);
	return index;
}

static struct tmap_placement seat_ranks(struct tmap_machine *machine, const struct seat *seat,
					const char *memory)
{
	struct tmap_placement p;
	int size = 0;

	while (seat[size].pus)
		size++;
	ck_assert_int_eq(tmap_placement_init(&p, machine, size, &err), 0);
	tmap_machine_free(machine);
	for (int r = 0; r < size; r++) {
		p.node[r] = seat[r].node;
		p.place[r] = place(&p, seat[r].pus, memory);
	}
	return p;
}

/* "unbound 0-3; shared-pu 4,5" */
static char *findings_of(const struct tmap_placement *p)
{
	struct tmap_inspection inspection;
	struct tmap_str str = TMAP_STR_INIT;
	struct tmap_lint lint;

	ck_assert_int_eq(tmap_inspection_init(&inspection, p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_lint_init(&lint, &inspection, &nobody_asked, &err), 0);
	for (int i = 0; i < lint.count; i++) {
		char *ranks = tmap_idset_print(&lint.finding[i].ranks, &err);

		ck_assert(*lint.finding[i].reason && *lint.finding[i].fix);
		tmap_str_addf(&str, "%s%s %s", i ? "; " : "", lint.finding[i].rule->word.name,
			      ranks);
		free(ranks);
	}
	tmap_lint_fini(&lint);
	tmap_inspection_fini(&inspection);
	return tmap_str_take(&str, &err);
}

static void check(struct tmap_placement *p, const char *expected)
{
	char *found = findings_of(p);

	ck_assert_str_eq(found, expected);
	free(found);
	tmap_placement_fini(p);
}

static const struct job jobs[] = {
	{ "a core each", 2, { { 0, "0-1" }, { 0, "4-5" }, { 1, "0-1" }, { 1, "4-5" } }, "" },
	{ "a package crowded, the other idle",
	  2,
	  { { 0, "0-1" }, { 0, "2-3" }, { 1, "0-1" }, { 1, "2-3" } },
	  "idle-memory 0-3" },
	{ "half of a package's cores, the other idle",
	  1,
	  { { 0, "0-1" }, { 0, "0-1" } },
	  "idle-cores 0-1" },
	{ "nine unbound on eight PUs",
	  1,
	  { { 0, "unbound 0-7" },
	    { 0, "unbound 0-7" },
	    { 0, "unbound 0-7" },
	    { 0, "unbound 0-7" },
	    { 0, "unbound 0-7" },
	    { 0, "unbound 0-7" },
	    { 0, "0" },
	    { 0, "2" },
	    { 0, "4" } },
	  "oversubscribed 0-8" },
	{ "five unbound on four cores",
	  1,
	  { { 0, "unbound 0-7" },
	    { 0, "unbound 0-7" },
	    { 0, "unbound 0-7" },
	    { 0, "unbound 0-7" },
	    { 0, "unbound 0-7" } },
	  "shared-core 0-4" },
	{ "three unbound in a cpuset of two PUs",
	  1,
	  { { 0, "unbound 0,2" }, { 0, "unbound 0,2" }, { 0, "unbound 0,2" } },
	  "oversubscribed 0-2; idle-memory 0-2" },
	{ "one rank on one PU of one node", 1, { { 0, "7" } }, "" },
	{ "unbound",
	  1,
	  { { 0, "unbound 0-7" }, { 0, "2-3" }, { 0, "unbound 0-7" } },
	  "unbound 0,2" },
	{ "two on one PU", 1, { { 0, "4" }, { 0, "0" }, { 0, "4" } }, "shared-pu 0,2" },
	{ "three on the two PUs of a core",
	  1,
	  { { 0, "0-1" }, { 0, "0-1" }, { 0, "0" } },
	  "shared-pu 0-2" },
	{ "siblings while cores are idle",
	  1,
	  { { 0, "0" }, { 0, "1" }, { 0, "2" } },
	  "idle-cores 0-1; idle-memory 0-2" },
	{ "siblings, all cores taken",
	  1,
	  { { 0, "0" },
	    { 0, "1" },
	    { 0, "2" },
	    { 0, "3" },
	    { 0, "4" },
	    { 0, "5" },
	    { 0, "6" },
	    { 0, "7" } },
	  "shared-core 0-7" },
	{ "two on two cores have room", 1, { { 0, "0-3" }, { 0, "0-3" }, { 0, "4-7" } }, "" },
	{ "three on two cores have not",
	  1,
	  { { 0, "0-3" }, { 0, "0-3" }, { 0, "0-3" } },
	  "idle-cores 0-2; idle-memory 0-2" },
	{ "over packages", 1, { { 0, "0-7" }, { 0, "3-4" }, { 0, "0-3" } }, "two-packages 0-1" },
	{ "uneven",
	  2,
	  { { 0, "0-1" }, { 0, "2-3" }, { 0, "4-5" }, { 1, "0-1" } },
	  "uneven-nodes 3" },
	{ "cyclic",
	  2,
	  { { 0, "0-1" }, { 1, "0-1" }, { 0, "2-3" }, { 1, "2-3" } },
	  "idle-memory 0-3; not-consecutive 0-3" },
	{ "one node in the middle of another",
	  2,
	  { { 0, "0-1" }, { 1, "0-1" }, { 1, "2-3" }, { 0, "2-3" } },
	  "idle-memory 0-3; not-consecutive 0,3" },
};

START_TEST(each_mistake_is_found_and_nothing_else)
{
	struct tmap_placement p =
		seat_ranks(machine_regular(jobs[_i].nodes, node_levels), jobs[_i].seat, "");

	check(&p, jobs[_i].findings);
}
END_TEST

START_TEST(several_numa_nodes_of_a_package_are_told_apart_from_packages)
{
	static const struct test_level snc[] = {
		{ TMAP_PACKAGE, 2 },
		{ TMAP_NUMA, 2 },
		{ TMAP_CORE, 2 },
		{ 0 },
	};
	static const struct seat seat[] = { { 0, "1-2" }, { 0, "4-5" }, { 0, "3,6" }, { 0 } };
	struct tmap_placement p = seat_ranks(machine_regular(1, snc), seat, "");

	check(&p, "two-packages 2; two-numa 0");
}
END_TEST

START_TEST(memory_elsewhere_is_found_where_the_policy_is_known)
{
	static const struct seat seat[] = { { 0, "0-1" }, { 0, "4-5" }, { 0 } };
	static const char *const memory[] = { "", "0", "1", "0-1" };
	static const char *const expected[] = { "", "far-memory 1", "far-memory 0", "" };

	for (int i = 0; i < 4; i++) {
		struct tmap_machine *machine = machine_regular(1, node_levels);
		struct tmap_topology *topo = &machine->topology[0];
		struct tmap_placement p;

		for (int n = 0; n < 2; n++)
			tmap_topology_add_memory(
				topo,
				&(struct tmap_memory){
					.os = n, .object = tmap_topology_find(topo, TMAP_NUMA, n) },
				&err);
		p = seat_ranks(machine, seat, memory[i]);
		check(&p, expected[i]);
	}
}
END_TEST

static void add_device(struct tmap_machine *machine, enum tmap_device_type type, const char *name,
		       int package)
{
	struct tmap_topology *topo = &machine->topology[0];
	struct tmap_device device = {
		.type = type,
		.object = package == TMAP_NONE ? 0 :
						 tmap_topology_find(topo, TMAP_PACKAGE, package),
	};

	strcpy(device.name, name);
	ck_assert_int_eq(tmap_topology_add_device(topo, &device, &err), 0);
}

static const struct seat packed[] = {
	{ 0, "0-1" }, { 0, "2-3" }, { 0, "4-5" }, { 1, "0-1" }, { 1, "2-3" }, { 1, "4-5" }, { 0 },
};
static const struct seat scattered[] = {
	{ 0, "0-1" }, { 0, "4-5" }, { 1, "0-1" }, { 1, "4-5" }, { 0 },
};

/* The only rank of each node on its first package, and on its second one. */
static const struct seat one_side[2][3] = {
	{ { 0, "0-1" }, { 1, "0-1" }, { 0 } },
	{ { 0, "4-5" }, { 1, "4-5" }, { 0 } },
};

START_TEST(ranks_far_from_the_only_adapter_are_found)
{
	struct tmap_machine *machine = machine_regular(2, node_levels);
	struct tmap_placement p;

	add_device(machine, TMAP_NETWORK, "eth0", 1); /* does not count beside InfiniBand */
	add_device(machine, TMAP_NETWORK, "ib0", 0);
	add_device(machine, TMAP_NETWORK, "mlx5_0", 0);
	tmap_machine_ref(machine);
	p = seat_ranks(machine, packed, "");
	check(&p, ""); /* the cores near it are taken */
	tmap_machine_ref(machine);
	p = seat_ranks(machine, one_side[1], "");
	check(&p, "far-adapter 0-1");
	p = seat_ranks(machine, scattered, "");
	check(&p, ""); /* for the memory of both */
}
END_TEST

/* Of two on different memory controllers: 1 Gb/s beside 25, a port that is down, and both. */
START_TEST(only_adapters_that_messages_go_over_are_near)
{
	static const struct {
		int64_t bits_per_s[2];
		enum tmap_link link[2];
		const char *expected[2]; /* of ranks on either side */
	} cases[] = {
		{ { 25000000000, 1000000000 },
		  { TMAP_LINK_UP, TMAP_LINK_UP },
		  { "", "far-adapter 0-1" } },
		{ { 1000000000, 25000000000 },
		  { TMAP_LINK_UP, TMAP_LINK_UP },
		  { "far-adapter 0-1", "" } },
		{ { 25000000000, 0 }, { TMAP_LINK_UP, TMAP_LINK_DOWN }, { "", "far-adapter 0-1" } },
		{ { 25000000000, 25000000000 }, { TMAP_LINK_UP, TMAP_LINK_UP }, { "", "" } },
		{ { 1000000000, 1000000000 }, { TMAP_LINK_UP, TMAP_LINK_UNKNOWN }, { "", "" } },
		{ { 0, 0 }, { TMAP_LINK_DOWN, TMAP_LINK_DOWN }, { "", "" } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tmap_machine *machine = machine_regular(2, node_levels);
		struct tmap_placement p;

		for (int d = 0; d < 2; d++) {
			add_device(machine, TMAP_NETWORK, d ? "eno1" : "ens1", d);
			machine->topology[0].device[d].bits_per_s = cases[i].bits_per_s[d];
			machine->topology[0].device[d].link = cases[i].link[d];
		}
		tmap_machine_ref(machine);
		for (int side = 0; side < 2; side++) {
			p = seat_ranks(machine, one_side[side], "");
			check(&p, cases[i].expected[side]);
		}
	}
}
END_TEST

START_TEST(one_node_needs_no_adapter)
{
	struct tmap_machine *machine = machine_regular(1, node_levels);
	static const struct seat seat[] = { { 0, "4-5" }, { 0 } };
	struct tmap_placement p;

	add_device(machine, TMAP_NETWORK, "ib0", 0);
	p = seat_ranks(machine, seat, "");
	check(&p, "");
}
END_TEST

START_TEST(an_adapter_on_the_node_itself_is_near_to_all)
{
	struct tmap_machine *machine = machine_regular(2, node_levels);
	struct tmap_placement p;

	add_device(machine, TMAP_NETWORK, "ib0", TMAP_NONE);
	p = seat_ranks(machine, packed, "");
	check(&p, "");
}
END_TEST

START_TEST(two_adapters_are_used_by_the_first_ranks_or_not)
{
	for (int scatter = 0; scatter < 2; scatter++) {
		struct tmap_machine *machine = machine_regular(2, node_levels);
		struct tmap_placement p;

		add_device(machine, TMAP_NETWORK, "ib0", 0);
		add_device(machine, TMAP_NETWORK, "ib1", 1);
		p = seat_ranks(machine, scatter ? scattered : packed, "");
		check(&p, scatter ? "" : "one-adapter 0-1,3-4");
	}
}
END_TEST

START_TEST(ranks_without_a_gpu_nearby_are_found)
{
	struct tmap_machine *machine = machine_regular(1, node_levels);
	static const struct seat seat[] = { { 0, "0-1" }, { 0 } };
	static const struct seat both[] = { { 0, "0-1" }, { 0, "4-5" }, { 0 } };
	struct tmap_placement p;

	add_device(machine, TMAP_GPU, "cuda0", 1);
	tmap_machine_ref(machine);
	p = seat_ranks(machine, seat, "");
	check(&p, "far-gpu 0");
	p = seat_ranks(machine, both, "");
	check(&p, ""); /* of two ranks for one GPU, on all memory */
}
END_TEST

/* Every other node is skipped and comes later, two ranks here and one there: a block for each
 * run, "(n,1,k)", some 9 bytes. */
START_TEST(a_long_map_of_ranks_to_nodes_is_found)
{
	struct tmap_machine *machine =
		machine_regular(300, (const struct test_level[]){ { TMAP_CORE, 4 }, { 0 } });
	struct tmap_placement p;
	char *found;
	int r = 0;

	placement_on_take(&p, machine, 450);
	for (int n = 0; n < 300; n++)
		for (int i = 0; i < 1 + n % 2; i++)
			placement_seat_pu(&p, r++, n, i);
	found = findings_of(&p);
	ck_assert_ptr_nonnull(strstr(found, "long-mapping 0-449"));
	free(found);
	for (r = 0; r < 450; r++)
		placement_seat_pu(&p, r, r % 150, r / 150);
	check(&p, "idle-nodes 0-449; not-consecutive 0-449");
}
END_TEST

/* 32 ranks on four nodes of eight cores, in block order or dealt out. */
static struct tmap_placement seat_by(bool by_turns, const char *mpi)
{
	struct tmap_placement p;

	placement_on_take(
		&p, machine_regular(4, (const struct test_level[]){ { TMAP_CORE, 8 }, { 0 } }), 32);
	for (int r = 0; r < 32; r++)
		placement_seat_pu(&p, r, by_turns ? r % 4 : r / 8, by_turns ? r / 4 : r % 8);
	p.origin.mpi = mpi ? tmap_strdup(mpi, &err) : NULL;
	return p;
}

/* By the profile of Summit a round of the ring with 64 KiB lasts, in block order, 6.2 us and the
 * bytes that 8 ranks read and write at 170.6 GB/s, 12.35 us in all; dealt out, 6.2 us and 8
 * blocks over an adapter of 23 GB/s, 29.0 us: 2.35 times as long. MPICH's allreduce goes by nodes
 * and leaders, and takes as long in any order. */
START_TEST(an_order_that_is_slow_with_the_library_is_found)
{
	struct tmap_placement p = seat_by(true, "MPICH 4.0.2");
	struct tmap_inspection inspection;
	struct tmap_lint lint;

	ck_assert_int_eq(tmap_inspection_init(&inspection, &p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_lint_init(&lint, &inspection, &nobody_asked, &err), 0);
	ck_assert_int_eq(lint.count, 2);
	ck_assert_str_eq(lint.finding[1].rule->word.name, "slow-order");
	ck_assert_ptr_nonnull(strstr(
		lint.finding[1].reason,
		" times as long in this order of the ranks (cyclic) as in block order of the "
		"same places, on average: allgather of 64KiB (ring) 2.4 times as long, bcast of 1MiB "
		"(scatter_ring) "));
	/* what takes as long in both orders has no figure */
	ck_assert_ptr_nonnull(strstr(lint.finding[1].reason, ", the other one as long; by the "));
	ck_assert_ptr_null(strstr(lint.finding[1].reason, "1.0 times"));
	ck_assert_ptr_nonnull(strstr(lint.finding[1].fix, "--for "));
	tmap_lint_fini(&lint);
	tmap_inspection_fini(&inspection);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(orders_are_slow_only_with_libraries_of_which_it_is_known)
{
	static const struct {
		const char *mpi, *findings;
		bool by_turns;
	} cases[] = {
		{ "MPICH 4.0.2", "", false },
		{ NULL, "not-consecutive 0-31; slow-order 0-31", true },
		{ "Open MPI v4.1.4", "not-consecutive 0-31; slow-order 0-31", true },
		{ NULL, "", false },
		{ "Open MPI v5.0.3", "not-consecutive 0-31", true },
		{ "MPICH 3.4", "not-consecutive 0-31", true },
		{ "MVAPICH2 2.3.7", "not-consecutive 0-31", true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tmap_placement p = seat_by(cases[i].by_turns, cases[i].mpi);

		check(&p, cases[i].findings);
	}
}
END_TEST

/* 300 nodes of 256 ranks are more than it times: of these the first 256. */
START_TEST(large_jobs_are_timed_on_their_first_nodes)
{
	struct tmap_placement p;
	char *found;

	placement_on_take(
		&p, machine_regular(300, (const struct test_level[]){ { TMAP_CORE, 256 }, { 0 } }),
		300 * 256);
	for (int r = 0; r < p.size; r++)
		placement_seat_pu(&p, r, r % 300, r / 300);
	found = findings_of(&p);
	ck_assert_str_eq(found, "not-consecutive 0-76799; slow-order 0-76799");
	free(found);
	for (int r = 0; r < p.size; r++)
		placement_seat_pu(&p, r, r / 256, r % 256);
	check(&p, "");
}
END_TEST

START_TEST(nodes_that_no_switch_joins_are_found)
{
	struct tmap_machine *machine = machine_regular(4, node_levels);
	static const struct seat seat[] = {
		{ 0, "0-1" }, { 1, "0-1" }, { 2, "0-1" }, { 3, "0-1" }, { 0 }
	};
	struct tmap_placement p;

	machine_add_switches(machine, 2);
	p = seat_ranks(machine, seat, "");
	check(&p, "no-common-switch 2-3");
	machine = machine_regular(4, node_levels);
	machine_add_switches(machine, 2);
	machine_add_switches(machine, 2);
	p = seat_ranks(machine, seat, "");
	check(&p, "");
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("lint");
	TCase *tests = tcase_create("lint");

	tcase_add_loop_test(tests, each_mistake_is_found_and_nothing_else, 0,
			    (int)(sizeof jobs / sizeof jobs[0]));
	tcase_add_test(tests, several_numa_nodes_of_a_package_are_told_apart_from_packages);
	tcase_add_test(tests, memory_elsewhere_is_found_where_the_policy_is_known);
	tcase_add_test(tests, ranks_far_from_the_only_adapter_are_found);
	tcase_add_test(tests, only_adapters_that_messages_go_over_are_near);
	tcase_add_test(tests, one_node_needs_no_adapter);
	tcase_add_test(tests, an_adapter_on_the_node_itself_is_near_to_all);
	tcase_add_test(tests, two_adapters_are_used_by_the_first_ranks_or_not);
	tcase_add_test(tests, ranks_without_a_gpu_nearby_are_found);
	tcase_add_test(tests, a_long_map_of_ranks_to_nodes_is_found);
	tcase_add_test(tests, an_order_that_is_slow_with_the_library_is_found);
	tcase_add_test(tests, orders_are_slow_only_with_libraries_of_which_it_is_known);
	tcase_add_test(tests, large_jobs_are_timed_on_their_first_nodes);
	tcase_add_test(tests, nodes_that_no_switch_joins_are_found);
	suite_add_tcase(suite, tests);
	return suite;
}
