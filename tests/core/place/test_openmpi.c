/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what mpirun 4.1.4 said for the same requests, recorded (tests/policies/openmpi.sh
 * compares thousands of others where mpirun is installed).
 */
#include "core/base/random.h"
#include "core/place/openmpi.h"
#include "core/place/permute.h"
#include "formats/machine/machine_spec.h"
#include "tests/support/usable_text.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static struct tmap_machine *read_machine(const char *line)
{
	struct tmap_machine *machine = tmap_machine_read_specs(&line, 1, &err);

	ck_assert_msg(machine != NULL, "%s", err.text);
	return machine;
}

static int parse(struct tmap_ompi_request *rq, const char *map, const char *rank, const char *bind)
{
	if (tmap_ompi_parse_map_by(rq, map, &err) < 0 ||
	    tmap_ompi_parse_bind_to(rq, bind, &err) < 0)
		return -1;
	return strcmp(rank, "-") == 0 ? 0 : tmap_ompi_parse_rank_by(rq, rank, &err);
}

static const char *or_default(const char *word)
{
	return strcmp(word, "-") == 0 ? "default" : word;
}

static const struct recorded {
	int nodes, slots, ranks;
	const char *map_by, *rank_by, *bind_to;
	const char *seats;
} recorded[] = {
	{ 2, 8, 5, "core", "-", "core", "0:0-1 0:2-3 0:4-5 0:6-7 0:8-9" },
	{ 2, 4, 8, "core", "-", "core", "0:0-1 0:2-3 0:4-5 0:6-7 1:0-1 1:2-3 1:4-5 1:6-7" },
	{ 2, 8, 6, "node", "-", "core", "0:0-1 1:0-1 0:2-3 1:2-3 0:4-5 1:4-5" },
	{ 2, 8, 8, "slot", "-", "core", "0:0-1 0:2-3 0:4-5 0:6-7 0:8-9 0:10-11 0:12-13 0:14-15" },
	{ 2, 4, 7, "socket", "-", "core", "0:0-1 0:16-17 0:2-3 0:18-19 1:0-1 1:16-17 1:2-3" },
	{ 1, 8, 8, "socket", "-", "socket",
	  "0:0-15 0:16-31 0:0-15 0:16-31 0:0-15 0:16-31 0:0-15 0:16-31" },
	{ 1, 8, 8, "numa", "-", "numa",
	  "0:0-7 0:8-15 0:16-23 0:24-31 0:0-7 0:8-15 0:16-23 0:24-31" },
	{ 1, 8, 8, "numa", "slot", "numa",
	  "0:0-7 0:8-15 0:16-23 0:24-31 0:0-7 0:8-15 0:16-23 0:24-31" },
	{ 1, 8, 6, "numa", "core", "core", "0:0-1 0:2-3 0:8-9 0:10-11 0:16-17 0:24-25" },
	{ 2, 4, 8, "l2cache", "socket", "core",
	  "0:0-1 0:4-5 0:8-9 0:12-13 1:0-1 1:4-5 1:8-9 1:12-13" },
	{ 2, 4, 8, "l2cache", "socket:SPAN", "core",
	  "0:0-1 1:0-1 0:4-5 1:4-5 0:8-9 1:8-9 0:12-13 1:12-13" },
	{ 2, 4, 8, "l2cache", "socket:FILL", "core",
	  "0:0-1 0:4-5 0:8-9 0:12-13 1:0-1 1:4-5 1:8-9 1:12-13" },
	{ 2, 4, 7, "core", "numa:FILL", "core", "0:0-1 0:2-3 0:4-5 0:6-7 1:0-1 1:2-3 1:4-5" },
	{ 1, 16, 6, "hwthread", "-", "core", "0:0-1 0:0-1 0:2-3 0:2-3 0:4-5 0:4-5" },
	{ 1, 8, 4, "socket:PE=2", "-", "-", "0:0-3 0:16-19 0:4-7 0:20-23" },
	{ 1, 8, 4, "numa:PE=2", "socket", "core", "0:0-3 0:16-19 0:8-11 0:24-27" },
	{ 2, 8, 8, "ppr:2:socket", "-", "core",
	  "0:0-1 0:2-3 0:16-17 0:18-19 1:0-1 1:2-3 1:16-17 1:18-19" },
	{ 2, 8, 4, "ppr:1:numa", "socket", "core", "0:0-1 0:16-17 0:8-9 0:24-25" },
	{ 2, 2, 7, "slot:OVERSUBSCRIBE", "-", "none", "0:* 0:* 0:* 0:* 1:* 1:* 1:*" },
	{ 2, 2, 7, "node:OVERSUBSCRIBE", "-", "none", "0:* 1:* 0:* 1:* 0:* 1:* 0:*" },
	{ 2, 2, 9, "socket:OVERSUBSCRIBE", "-", "-", "0:* 0:* 0:* 0:* 0:* 1:* 1:* 1:* 1:*" },
	{ 1, 4, 10, "core:OVERSUBSCRIBE", "-", "core:overload-allowed",
	  "0:0-1 0:2-3 0:4-5 0:6-7 0:8-9 0:10-11 0:12-13 0:14-15 0:16-17 0:18-19" },
	{ 1, 8, 2, "-", "-", "-", "0:0-1 0:2-3" },
	{ 1, 8, 4, "-", "-", "-", "0:0-7 0:8-15 0:16-23 0:24-31" },
	{ 1, 8, 2, "slot", "-", "-", "0:0-1 0:2-3" },
	{ 1, 8, 3, "slot", "-", "-", "0:0-7 0:8-15 0:16-23" },
	{ 2, 8, 4, "node", "board", "l2cache", "0:0-3 1:0-3 0:4-7 1:4-7" },
	{ 2, 8, 4, "socket:SPAN", "-", "core", "0:0-1 0:16-17 1:0-1 1:16-17" },
	{ 1, 8, 6, "socket:SPAN", "-", "core", "0:0-1 0:16-17 0:2-3 0:18-19 0:4-5 0:20-21" },
	{ 1, 8, 8, "socket", "-", "none", "0:* 0:* 0:* 0:* 0:* 0:* 0:* 0:*" },
};

START_TEST(ranks_sit_where_mpirun_puts_them)
{
	const struct recorded *want = &recorded[_i];
	struct tmap_machine *machine =
		read_machine(want->nodes == 1 ? "node:1 package:2 numa:2 l2:2 core:2 pu:2" :
						"node:2 package:2 numa:2 l2:2 core:2 pu:2");
	struct tmap_ompi_request rq = TMAP_OMPI_REQUEST_INIT;
	struct tmap_placement p;
	char *seats;

	rq.ranks = want->ranks;
	rq.slots = want->slots;
	ck_assert_int_eq(
		parse(&rq, or_default(want->map_by), want->rank_by, or_default(want->bind_to)), 0);
	ck_assert_msg(tmap_ompi_place(&p, machine, &rq, &err) == 0, "%s", err.text);
	ck_assert_int_eq(tmap_placement_check(&p, &err), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, want->seats);
	free(seats);
	tmap_placement_fini(&p);
	tmap_machine_free(machine);
}
END_TEST

static const struct refused {
	const char *line;
	int slots, ranks;
	const char *map_by, *rank_by, *bind_to;
	const char *reason;
} refused[] = {
	{ "node:2 core:4", TMAP_NONE, 9, "core", "-", "core",
	  "9 ranks do not fit on the 8 slots of 2 nodes" },
	{ "node:1 core:4", TMAP_NONE, 5, "core:OVERSUBSCRIBE", "-", "core",
	  "core 0 would get 2 ranks" },
	{ "node:1 core:4", 8, 6, "slot", "-", "core", "core 0 would get 2 ranks for its 1 cpu" },
	{ "node:1 package:2 core:2", TMAP_NONE, 2, "core:PE=2", "-", "core", "not by core" },
	{ "node:1 package:2 core:2", TMAP_NONE, 2, "socket:PE=3", "-", "core",
	  "socket 0 of node 'n0' has 2 cpus" },
	{ "node:1 package:2 core:2", TMAP_NONE, 2, "socket:PE=2", "-", "socket",
	  "excludes --bind-to socket" },
	{ "node:1 package:2 core:4", TMAP_NONE, 4, "socket", "l3cache", "core",
	  "no l3cache to rank by" },
	{ "node:1 package:2 core:4", TMAP_NONE, 4, "socket", "-", "l3cache",
	  "no l3cache to bind to" },
	{ "node:1 package:2 core:4", TMAP_NONE, 4, "ppr:1:l3cache", "-", "core",
	  "ppr:1:l3cache gives no ranks: the nodes have no l3cache" },
	{ "node:1 package:2 core:4", TMAP_NONE, TMAP_NONE, "ppr:1:l3cache", "-", "core",
	  "ppr:1:l3cache gives no ranks: the nodes have no l3cache" },
	{ "node:1 package:2 core:4", TMAP_NONE, TMAP_NONE, "ppr:9:node", "-", "none",
	  "9 ranks for its 8 slots" },
};

START_TEST(what_mpirun_refuses_is_refused_with_the_reason)
{
	const struct refused *want = &refused[_i];
	struct tmap_machine *machine = read_machine(want->line);
	struct tmap_ompi_request rq = TMAP_OMPI_REQUEST_INIT;
	struct tmap_placement p;

	rq.ranks = want->ranks;
	rq.slots = want->slots;
	ck_assert_int_eq(parse(&rq, want->map_by, want->rank_by, want->bind_to), 0);
	ck_assert_int_eq(tmap_ompi_place(&p, machine, &rq, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_msg(strstr(err.text, want->reason) != NULL, "%s", err.text);
	tmap_machine_free(machine);
}
END_TEST

static const struct bad_word {
	int (*parse)(struct tmap_ompi_request *, const char *, struct tmap_error *);
	const char *word, *reason;
} bad_words[] = {
	{ tmap_ompi_parse_map_by, "", "unknown object ''" },
	{ tmap_ompi_parse_map_by, "cores", "unknown object 'cores'" },
	{ tmap_ompi_parse_map_by, "board", "unknown object 'board'" },
	/* mpirun of 4.1.4 crashes on these four, and takes "core:" of --bind-to */
	{ tmap_ompi_parse_map_by, ":", "':' ends with a colon" },
	{ tmap_ompi_parse_map_by, "core:", "'core:' ends with a colon" },
	{ tmap_ompi_parse_map_by, "ppr:2:node:", "ends with a colon" },
	{ tmap_ompi_parse_bind_to, ":", "':' ends with a colon" },
	{ tmap_ompi_parse_bind_to, "core:", NULL },
	{ tmap_ompi_parse_map_by, "core:PE", "unknown modifier 'PE'" },
	{ tmap_ompi_parse_map_by, "core:PE=", "unknown modifier 'PE='" },
	{ tmap_ompi_parse_map_by, "core:PE=0", "PE: " },
	{ tmap_ompi_parse_map_by, "core:PE=2x", "PE: " },
	{ tmap_ompi_parse_map_by, "core:wide", "unknown modifier 'wide'" },
	{ tmap_ompi_parse_map_by, "ppr", "unknown object 'ppr'" },
	{ tmap_ompi_parse_map_by, "ppr:2", "ppr:N:OBJECT" },
	{ tmap_ompi_parse_map_by, "ppr:0:core", "ppr: " },
	{ tmap_ompi_parse_map_by, "ppr:x:core", "ppr: " },
	{ tmap_ompi_parse_map_by, "ppr:2:slot", "unknown object 'slot'" },
	{ tmap_ompi_parse_map_by, "ppr:4:node,1:core", "several levels" },
	{ tmap_ompi_parse_map_by, "averyveryveryveryverylongwordindeed", "unknown object" },
	{ tmap_ompi_parse_rank_by, "core:WIDE", "unknown modifier 'WIDE'" },
	{ tmap_ompi_parse_rank_by, "none", "unknown object 'none'" },
	{ tmap_ompi_parse_bind_to, "cor", "unknown object 'cor'" },
	{ tmap_ompi_parse_bind_to, "slot", "unknown object 'slot'" },
	{ tmap_ompi_parse_bind_to, "core:always", "unknown qualifier 'always'" },
};

START_TEST(bad_words_are_refused)
{
	const struct bad_word *bad = &bad_words[_i];
	struct tmap_ompi_request rq = TMAP_OMPI_REQUEST_INIT;

	ck_assert_int_eq(bad->parse(&rq, bad->word, &err), bad->reason ? -1 : 0);
	if (bad->reason)
		ck_assert_msg(strstr(err.text, bad->reason) != NULL, "%s", err.text);
}
END_TEST

START_TEST(words_are_cut_and_written_as_mpirun_takes_them)
{
	struct tmap_ompi_request rq = TMAP_OMPI_REQUEST_INIT;

	ck_assert_int_eq(tmap_ompi_parse_map_by(&rq, "NU:pe=4,s,OVER", &err), 0);
	ck_assert_int_eq(rq.map_by, TMAP_OMPI_NUMA);
	ck_assert_int_eq(rq.pe, 4);
	ck_assert(rq.span && rq.oversubscribe);
	ck_assert_int_eq(tmap_ompi_parse_map_by(&rq, "s", &err), 0);
	ck_assert_int_eq(rq.map_by, TMAP_OMPI_SLOT);
	ck_assert(!rq.pe && !rq.span && !rq.oversubscribe);
	ck_assert_int_eq(tmap_ompi_parse_map_by(&rq, "pack", &err), 0);
	ck_assert_int_eq(rq.map_by, TMAP_OMPI_SOCKET);
	ck_assert_int_eq(tmap_ompi_parse_map_by(&rq, ":PE=2", &err), 0);
	ck_assert_int_eq(rq.map_by, TMAP_OMPI_DEFAULT);
	ck_assert_int_eq(tmap_ompi_parse_map_by(&rq, ":SPAN", &err), 0);
	ck_assert_int_eq(rq.map_by, TMAP_OMPI_SOCKET);
	ck_assert_int_eq(tmap_ompi_parse_map_by(&rq, "ppr:3:l3:OVERSUBSCRIBE", &err), 0);
	ck_assert_int_eq(rq.ppr, 3);
	ck_assert_int_eq(rq.map_by, TMAP_OMPI_L3);
	ck_assert_int_eq(tmap_ompi_parse_rank_by(&rq, "Core:f", &err), 0);
	ck_assert_int_eq(rq.ranking, TMAP_OMPI_FILL);
	ck_assert_int_eq(tmap_ompi_parse_bind_to(&rq, ":overload-allowed", &err), 0);
	ck_assert(rq.overload && rq.bind_to == TMAP_OMPI_DEFAULT);
}
END_TEST

static char *place_and_print(const char *line, int ranks, const char *map, const char *bind)
{
	struct tmap_machine *machine = read_machine(line);
	struct tmap_ompi_request rq = TMAP_OMPI_REQUEST_INIT;
	struct tmap_placement p;
	char *seats;

	rq.ranks = ranks;
	ck_assert_int_eq(parse(&rq, map, "-", bind), 0);
	ck_assert_msg(tmap_ompi_place(&p, machine, &rq, &err) == 0, "%s", err.text);
	seats = seats_print(&p);
	tmap_placement_fini(&p);
	tmap_machine_free(machine);
	return seats;
}

START_TEST(without_a_number_every_slot_gets_a_rank)
{
	char *seats = place_and_print("node:2 core:2 pu:2", TMAP_NONE, "core", "core");

	ck_assert_str_eq(seats, "0:0-1 0:2-3 1:0-1 1:2-3");
	free(seats);
	seats = place_and_print("node:1 core:2 pu:2", TMAP_NONE, "hwthread", "hwthread");
	ck_assert_str_eq(seats, "0:0 0:1 0:2 0:3");
	free(seats);
	seats = place_and_print("node:2 package:2 core:3", TMAP_NONE, "ppr:1:socket", "core");
	ck_assert_str_eq(seats, "0:0 0:3 1:0 1:3");
	free(seats);
}
END_TEST

START_TEST(a_node_without_cores_gives_its_pus_as_slots)
{
	char *seats = place_and_print("node:2 package:2 pu:2", TMAP_NONE, "node", "hwthread");

	ck_assert_str_eq(seats, "0:0 1:0 0:1 1:1 0:2 1:2 0:3 1:3");
	free(seats);
}
END_TEST

/* mpirun --use-hwthread-cpus --map-by core --bind-to core, without --host. */
START_TEST(hardware_threads_that_are_cpus_are_slots)
{
	struct tmap_machine *machine = read_machine("node:1 package:1 core:2 pu:2");
	struct tmap_ompi_request rq = TMAP_OMPI_REQUEST_INIT;
	const int unknown = TMAP_NONE;
	struct tmap_placement p;
	char *seats;

	rq.hwthreads = true;
	rq.node_slots = &unknown;
	ck_assert_int_eq(parse(&rq, "core", "-", "core"), 0);
	ck_assert_int_eq(tmap_ompi_place(&p, machine, &rq, &err), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, "0:0-1 0:2-3 0:0-1 0:2-3");
	free(seats);
	tmap_placement_fini(&p);
	rq.ranks = 5;
	ck_assert_int_eq(tmap_ompi_place(&p, machine, &rq, &err), -1);
	ck_assert_str_eq(err.text, "5 ranks do not fit on the 4 slots of 1 node");
	tmap_machine_free(machine);
}
END_TEST

START_TEST(pus_that_are_not_allowed_are_not_used)
{
	struct tmap_machine *machine = read_machine("node:2 package:2 core:2 pu:2");
	struct tmap_ompi_request rq = TMAP_OMPI_REQUEST_INIT;
	struct tmap_placement p;
	char *seats;

	for (int pu = 0; pu < 3; pu++)
		machine->topology[0].pu[pu].allowed = false;
	ck_assert_int_eq(parse(&rq, "core", "-", "core"), 0);
	ck_assert_int_eq(tmap_ompi_place(&p, machine, &rq, &err), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, "0:3 0:4-5 0:6-7 1:3 1:4-5 1:6-7");
	free(seats);
	tmap_placement_fini(&p);
	for (int pu = 3; pu < 8; pu++)
		machine->topology[0].pu[pu].allowed = false;
	ck_assert_int_eq(tmap_ompi_place(&p, machine, &rq, &err), -1);
	ck_assert_str_eq(err.text, "no core of the machine may be used");
	tmap_machine_free(machine);
}
END_TEST

START_TEST(nodes_of_several_kinds_fill_in_turn)
{
	static const char *const lines[] = { "node:1 core:1", "node:1 core:3 pu:2" };
	struct tmap_machine *machine = tmap_machine_read_specs(lines, 2, &err);
	struct tmap_ompi_request rq = TMAP_OMPI_REQUEST_INIT;
	struct tmap_placement p;
	char *seats;

	ck_assert_int_eq(parse(&rq, "node", "-", "core"), 0);
	ck_assert_int_eq(tmap_ompi_place(&p, machine, &rq, &err), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, "0:* 1:0-1 1:2-3 1:4-5");
	free(seats);
	tmap_placement_fini(&p);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(a_shuffle_deals_the_same_seats)
{
	struct tmap_machine *machine = read_machine("node:2 core:4");
	struct tmap_ompi_request rq = TMAP_OMPI_REQUEST_INIT;
	struct tmap_random random = { .state = 99 };
	struct tmap_placement p, q;
	int order[8];

	ck_assert_int_eq(parse(&rq, "node", "-", "core"), 0);
	ck_assert_int_eq(tmap_ompi_place(&p, machine, &rq, &err), 0);
	ck_assert_int_eq(tmap_ompi_place(&q, machine, &rq, &err), 0);
	ck_assert_int_eq(tmap_shuffle_place(&q, 99, &err), 0);
	for (int i = 0; i < 8; i++)
		order[i] = i;
	tmap_random_shuffle(&random, order, 8);
	for (int r = 0; r < 8; r++) {
		ck_assert_int_eq(q.node[r], p.node[order[r]]);
		ck_assert_int_eq(q.place[r], p.place[order[r]]);
	}
	tmap_placement_fini(&p);
	tmap_placement_fini(&q);
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("openmpi");
	TCase *tcase = tcase_create("placements");

	tcase_add_loop_test(tcase, ranks_sit_where_mpirun_puts_them, 0,
			    sizeof recorded / sizeof recorded[0]);
	tcase_add_loop_test(tcase, what_mpirun_refuses_is_refused_with_the_reason, 0,
			    sizeof refused / sizeof refused[0]);
	tcase_add_loop_test(tcase, bad_words_are_refused, 0,
			    sizeof bad_words / sizeof bad_words[0]);
	tcase_add_test(tcase, words_are_cut_and_written_as_mpirun_takes_them);
	tcase_add_test(tcase, without_a_number_every_slot_gets_a_rank);
	tcase_add_test(tcase, a_node_without_cores_gives_its_pus_as_slots);
	tcase_add_test(tcase, hardware_threads_that_are_cpus_are_slots);
	tcase_add_test(tcase, pus_that_are_not_allowed_are_not_used);
	tcase_add_test(tcase, nodes_of_several_kinds_fill_in_turn);
	tcase_add_test(tcase, a_shuffle_deals_the_same_seats);
	suite_add_tcase(suite, tcase);
	return suite;
}
