/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the output of examples in ALCF's user guides, "Running Jobs on Aurora" (2 sockets of 52
 * cores with 2 CPUs, cores 0 and 52 are not for users), and in its GettingStarted examples Polaris,
 * Crux, and Aurora before cores were reserved, of August 2026; what NCAR's placement check says of
 * a captured run of Derecho (--ppn 8 --cpu-bind core -d 16, 2 x 64 cores); the description of the
 * methods in LUMI's training material on Cray MPICH of 2024.
 */
#include "core/place/cray.h"
#include "formats/machine/machine_spec.h"
#include "tests/support/usable_text.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* Sockets of cores whose second CPUs have the indexes after all first ones. */
static struct tmap_machine *machine_of(int nodes, int sockets, int cores, bool reserved)
{
	char line[8192];
	const char *spec = line;
	int length = snprintf(line, sizeof line, "node:%d package:%d core:%d pu:2(indexes=", nodes,
			      sockets, cores);
	struct tmap_machine *machine;

	for (int c = 0; c < sockets * cores; c++)
		length += snprintf(line + length, sizeof line - (size_t)length, "%s%d,%d",
				   c ? "," : "", c, c + sockets * cores);
	snprintf(line + length, sizeof line - (size_t)length, ")");
	machine = tmap_machine_read_specs(&spec, 1, &err);
	ck_assert_msg(machine != NULL, "%s", err.text);
	for (int u = 0; u < machine->topology[0].pu_count && reserved; u++)
		if (machine->topology[0].pu[u].os % cores == 0)
			machine->topology[0].pu[u].allowed = false;
	return machine;
}

static int place(struct tmap_placement *p, struct tmap_machine *machine,
		 const struct tmap_cray_request *rq)
{
	int rc = tmap_cray_place(p, machine, rq, &err);

	tmap_machine_free(machine);
	return rc;
}

static void expect(struct tmap_machine *machine, const struct tmap_cray_request *rq,
		   const char *want)
{
	struct tmap_placement p;
	char *seats;

	ck_assert_msg(place(&p, machine, rq) == 0, "%s", err.text);
	ck_assert_int_eq(tmap_placement_check(&p, &err), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, want);
	free(seats);
	tmap_placement_fini(&p);
}

#define RQ(...) \
	(struct tmap_cray_request) \
	{ \
		.method = TMAP_CRAY_SMP, __VA_ARGS__ \
	}
#define DEPTH(n_, ppn_, depth_) \
	RQ(.ranks = n_, .ppn = ppn_, .depth = depth_, .bind = TMAP_CRAY_DEPTH)

START_TEST(depth_takes_cpus_by_their_index_as_on_aurora)
{
	expect(machine_of(2, 2, 52, true), &DEPTH(8, 4, 1), "0:1 0:2 0:3 0:4 1:1 1:2 1:3 1:4");
	expect(machine_of(2, 2, 52, true), &DEPTH(4, 2, 2), "0:1-2 0:3-4 1:1-2 1:3-4");
	expect(machine_of(1, 2, 52, true), &DEPTH(12, 12, 8),
	       "0:1-8 0:9-16 0:17-24 0:25-32 0:33-40 0:41-48 0:49-51,53-57 0:58-65 0:66-73 "
	       "0:74-81 0:82-89 0:90-97");
}
END_TEST

static void expect_rank(const struct tmap_placement *p, int rank, int node, const char *pus)
{
	char *text = tmap_idset_print(&p->places[p->place[rank]].pus, &err);

	ck_assert_int_eq(p->node[rank], node);
	ck_assert_str_eq(text, pus);
	free(text);
}

START_TEST(depth_fills_nodes_as_on_polaris_and_crux)
{
	struct tmap_placement p;

	ck_assert_int_eq(place(&p, machine_of(2, 1, 32, false), &DEPTH(32, 16, 4)), 0);
	expect_rank(&p, 0, 0, "0-3");
	expect_rank(&p, 1, 0, "4-7");
	expect_rank(&p, 15, 0, "60-63");
	expect_rank(&p, 16, 1, "0-3");
	expect_rank(&p, 31, 1, "60-63");
	tmap_placement_fini(&p);
	ck_assert_int_eq(place(&p, machine_of(2, 2, 64, false), &DEPTH(256, 128, 1)), 0);
	expect_rank(&p, 127, 0, "127");
	expect_rank(&p, 128, 1, "0");
	tmap_placement_fini(&p);
	ck_assert_int_eq(place(&p, machine_of(2, 2, 52, false), &DEPTH(52, 26, 4)), 0);
	expect_rank(&p, 25, 0, "100-103");
	expect_rank(&p, 51, 1, "100-103");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(core_takes_whole_cores_as_on_derecho)
{
	struct tmap_cray_request rq = DEPTH(16, 8, 16);
	struct tmap_placement p;

	rq.bind = TMAP_CRAY_CORE;
	ck_assert_int_eq(place(&p, machine_of(2, 2, 64, false), &rq), 0);
	expect_rank(&p, 0, 0, "0-15,128-143");
	expect_rank(&p, 7, 0, "112-127,240-255");
	expect_rank(&p, 8, 1, "0-15,128-143");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_list_has_a_set_for_each_rank_of_a_node)
{
	struct tmap_idset list[2] = { { 0 } };
	struct tmap_cray_request rq = RQ(.ranks = 4, .ppn = 2, .depth = 1, .bind = TMAP_CRAY_LIST,
					 .list = list, .list_count = 2);
	struct tmap_placement p;

	ck_assert_int_eq(tmap_idset_add(&list[0], 1, &err), 0);
	ck_assert_int_eq(tmap_idset_add(&list[1], 105, &err), 0);
	expect(machine_of(2, 2, 52, true), &rq, "0:1 0:105 1:1 1:105");
	rq.ranks = 6;
	rq.ppn = 3;
	ck_assert_int_eq(place(&p, machine_of(2, 2, 52, true), &rq), -1);
	ck_assert_str_eq(err.text,
			 "a list of 2 sets for 3 ranks on a node: what PALS does without one for "
			 "each is not known here");
	ck_assert_int_eq(tmap_idset_add(&list[1], 52, &err), 0);
	rq.ppn = 2;
	rq.ranks = 4;
	ck_assert_int_eq(place(&p, machine_of(2, 2, 52, true), &rq), -1);
	ck_assert_str_eq(err.text, "set 1 of the list: the job may not use PU 52 of a node");
	for (int i = 0; i < 2; i++)
		tmap_idset_fini(&list[i]);
}
END_TEST

START_TEST(methods_number_the_slots)
{
	struct tmap_cray_request rq = DEPTH(9, 3, 1);

	rq.method = TMAP_CRAY_ROUND_ROBIN;
	expect(machine_of(3, 1, 4, false), &rq, "0:0 1:0 2:0 0:1 1:1 2:1 0:2 1:2 2:2");
	rq.method = TMAP_CRAY_FOLDED;
	expect(machine_of(3, 1, 4, false), &rq, "0:0 1:0 2:0 2:1 1:1 0:1 0:2 1:2 2:2");
}
END_TEST

static const struct refused {
	int nodes, ranks, ppn, depth;
	enum tmap_cray_method method;
	enum tmap_error_kind kind;
	const char *reason;
} refused[] = {
	{ 2, 4, 0, 1, TMAP_CRAY_SMP, TMAP_USAGE,
	  "--slots is needed, which is PALS's --ppn: how mpiexec fills 2 nodes without it is not "
	  "known here" },
	{ 2, 9, 4, 1, TMAP_CRAY_SMP, TMAP_INPUT,
	  "9 ranks, and 4 on each node (--slots, PALS's --ppn): 2 nodes take 8" },
	{ 2, 8, 4, 3, TMAP_CRAY_SMP, TMAP_INPUT,
	  "4 ranks on a node with a depth of 3 CPUs need 12, and it has 8" },
	{ 2, 7, 4, 1, TMAP_CRAY_ROUND_ROBIN, TMAP_INPUT,
	  "MPICH_RANK_REORDER_METHOD=0 with nodes that have different numbers of ranks: where it goes "
	  "on then is not known here" },
};

START_TEST(what_is_not_known_is_refused_with_the_reason)
{
	struct tmap_cray_request rq = DEPTH(refused[_i].ranks, refused[_i].ppn, refused[_i].depth);
	struct tmap_placement p;

	rq.method = refused[_i].method;
	ck_assert_int_eq(place(&p, machine_of(refused[_i].nodes, 1, 4, false), &rq), -1);
	ck_assert_str_eq(err.text, refused[_i].reason);
	ck_assert_int_eq(err.kind, refused[_i].kind);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("cray");
	TCase *tcase = tcase_create("placements");

	tcase_add_test(tcase, depth_takes_cpus_by_their_index_as_on_aurora);
	tcase_add_test(tcase, depth_fills_nodes_as_on_polaris_and_crux);
	tcase_add_test(tcase, core_takes_whole_cores_as_on_derecho);
	tcase_add_test(tcase, a_list_has_a_set_for_each_rank_of_a_node);
	tcase_add_test(tcase, methods_number_the_slots);
	tcase_add_loop_test(tcase, what_is_not_known_is_refused_with_the_reason, 0,
			    sizeof refused / sizeof refused[0]);
	suite_add_tcase(suite, tcase);
	return suite;
}
