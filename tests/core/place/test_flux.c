/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what flux run of flux-core 0.88 said with -o cpu-affinity=dry-run on imitated nodes,
 * recorded (tests/policies/flux.sh compares many others where Flux is installed); flux-core's own
 * test of affinity over an imitated machine (t2604, sierra.xml).
 */
#include "core/place/flux.h"
#include "formats/machine/machine_spec.h"
#include "tests/support/usable_text.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

static int place(struct tmap_placement *p, const char *line, const struct tmap_flux_request *rq)
{
	struct tmap_machine *machine = tmap_machine_read_specs(&line, 1, &err);
	int rc;

	ck_assert_msg(machine != NULL, "%s", err.text);
	rc = tmap_flux_place(p, machine, rq, &err);
	tmap_machine_free(machine);
	return rc;
}

#define NUMBERED \
	"package:2 numa:2 core:3 pu:2(indexes=0,12,4,16,8,20,2,14,6,18,10,22,1,13,5,17,9,21,3,15," \
	"7,19,11,23)"

static const struct recorded {
	const char *line;
	struct tmap_flux_request rq;
	const char *seats;
} recorded[] = {
#define RQ(...) \
	{ \
		__VA_ARGS__ \
	}
	{ "node:2 " NUMBERED, RQ(.ranks = 3, .cores_per_task = 2, .affinity = TMAP_FLUX_PER_TASK),
	  "0:0,4,12,16 0:2,8,14,20 1:0,4,12,16" },
	{ "node:2 " NUMBERED, RQ(.ranks = 3, .cores_per_task = 2),
	  "0:0,2,4,8,12,14,16,20 0:0,2,4,8,12,14,16,20 1:0,4,12,16" },
	{ "node:2 " NUMBERED, RQ(.ranks = 3, .affinity = TMAP_FLUX_OFF), "0:* 0:* 1:*" },
	{ "node:2 " NUMBERED, RQ(.ranks = 4, .exclusive = true, .affinity = TMAP_FLUX_PER_TASK),
	  "0:0,2,4,6,8,10,12,14,16,18,20,22 0:1,3,5,7,9,11,13,15,17,19,21,23 "
	  "1:0,2,4,6,8,10,12,14,16,18,20,22 1:1,3,5,7,9,11,13,15,17,19,21,23" },
	{ "node:2 " NUMBERED,
	  RQ(.ranks = 5, .exclusive = true, .cores_per_task = 7, .affinity = TMAP_FLUX_PER_TASK),
	  "0:0,2,4,8,12,14,16,20 0:1,5-6,10,13,17-18,22 0:3,7,9,11,15,19,21,23 "
	  "1:0,2,4,6,8,10,12,14,16,18,20,22 1:1,3,5,7,9,11,13,15,17,19,21,23" },
	{ "node:2 " NUMBERED, RQ(.ranks = 5, .stride = 2, .affinity = TMAP_FLUX_PER_TASK),
	  "0:0,12 0:4,16 1:0,12 1:4,16 0:8,20" },
	{ "node:1 " NUMBERED,
	  RQ(.ranks = TMAP_NONE, .tasks_per_node = 14, .affinity = TMAP_FLUX_PER_TASK),
	  "0:0,12 0:0,12 0:4,16 0:8,20 0:2,14 0:6,18 0:10,22 0:1,13 0:1,13 0:5,17 0:9,21 0:3,15 "
	  "0:7,19 0:11,23" },
	/* by resources, and by a hostfile; -N 2 with --cores=6, --tasks-per-core=2, both, ... */
	{ "node:2 core:8", RQ(.ranks = TMAP_NONE, .cores = 6, .affinity = TMAP_FLUX_PER_TASK),
	  "0:0-2 1:0-2" },
	{ "node:2 core:2", RQ(.ranks = TMAP_NONE, .tasks_per_core = 2),
	  "0:* 0:* 0:* 0:* 1:* 1:* 1:* 1:*" },
	{ "node:2 core:8", RQ(.ranks = TMAP_NONE, .cores = 4, .tasks_per_core = 2),
	  "0:0-1 0:0-1 0:0-1 0:0-1 1:0-1 1:0-1 1:0-1 1:0-1" },
	{ "node:2 core:8",
	  RQ(.ranks = TMAP_NONE, .cores = 6, .tasks_per_node = 2, .stride = 1,
	     .affinity = TMAP_FLUX_PER_TASK),
	  "0:0 1:0 0:1-2 1:1-2" },
	{ "node:2 core:2", RQ(.ranks = TMAP_NONE, .cores = 64, .exclusive = true), "0:* 1:*" },
	{ "node:2 core:8",
	  RQ(.ranks = 5, .task_node = (const int[]){ 1, 0, 1 }, .task_count = 3,
	     .is_repeated = true, .affinity = TMAP_FLUX_PER_TASK),
	  "1:0 0:0 1:1 1:2 0:1" },
	/* sierra.xml has 44 cores of 4 PUs */
	{ "node:1 package:2 core:22 pu:4", RQ(.ranks = 1), "0:0-3" },
	{ "node:1 package:2 core:22 pu:4", RQ(.ranks = 2, .affinity = TMAP_FLUX_PER_TASK),
	  "0:0-3 0:4-7" },
};

START_TEST(tasks_sit_where_flux_puts_them)
{
	struct tmap_placement p;
	char *seats;

	ck_assert_msg(place(&p, recorded[_i].line, &recorded[_i].rq) == 0, "%s", err.text);
	ck_assert_int_eq(tmap_placement_check(&p, &err), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, recorded[_i].seats);
	free(seats);
	tmap_placement_fini(&p);
}
END_TEST

/* Four of five tasks on the second node, which has three slots. */
START_TEST(a_manual_map_takes_cores_from_a_node_and_gives_none)
{
	static const int node[] = { 1, 1, 1, 1, 0 };
	const struct tmap_flux_request rq =
		RQ(.ranks = 5, .task_node = node, .task_count = 5, .affinity = TMAP_FLUX_PER_TASK);
	struct tmap_placement p;
	char *seats;

	ck_assert_msg(place(&p, "node:2 " NUMBERED, &rq) == 0, "%s", err.text);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, "1:0,12 1:0,12 1:4,16 1:8,20 0:0,12");
	free(seats);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_map_of_pus_begins_anew_after_its_last_set)
{
	struct tmap_idset map[3] = { { 0 } };
	struct tmap_flux_request rq =
		RQ(.ranks = 7, .affinity = TMAP_FLUX_MAP, .map = map, .map_count = 3);
	struct tmap_placement p;
	char *seats;

	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(tmap_idset_add(&map[i], i, &err), 0);
	ck_assert_msg(place(&p, "node:2 " NUMBERED, &rq) == 0, "%s", err.text);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, "0:0 0:1 0:2 0:0 1:0 1:1 1:2");
	free(seats);
	tmap_placement_fini(&p);
	ck_assert_int_eq(tmap_idset_add(&map[2], 99, &err), 0);
	ck_assert_int_eq(place(&p, "node:2 " NUMBERED, &rq), -1);
	ck_assert_str_eq(err.text, "set 2 of the map: a node has no PU 99");
	for (int i = 0; i < 3; i++)
		tmap_idset_fini(&map[i]);
}
END_TEST

static const struct refused {
	const char *line;
	struct tmap_flux_request rq;
	enum tmap_error_kind kind;
	const char *reason;
} refused[] = {
	{ "node:2 core:4", RQ(.ranks = 1), TMAP_INPUT,
	  "1 task on 2 nodes: flux run -N takes no more nodes than tasks" },
	{ "node:2 core:4", RQ(.ranks = 9), TMAP_INPUT,
	  "5 tasks of 1 core on each node need 5 cores, and node 'n0' has 4" },
	{ "node:2 core:4", RQ(.ranks = 2, .cores_per_task = 5), TMAP_INPUT,
	  "a task of 5 cores does not fit on node 'n0', which has 4" },
	{ "node:2 core:4", RQ(.ranks = 9, .exclusive = true), TMAP_INPUT,
	  "5 tasks on a node of 4 cores: with --exclusive, Flux takes no more tasks than cores" },
	{ "node:2 core:4", RQ(.ranks = 4, .tasks_per_node = 2), TMAP_USAGE,
	  "flux run takes --tasks-per-node (--slots) and -n (--ranks) only one without the other" },
	{ "node:2 core:4", RQ(.ranks = TMAP_NONE, .tasks_per_node = 2, .cores_per_task = 2),
	  TMAP_USAGE,
	  "flux run takes --tasks-per-node (--slots) and -c (--cpus-per-task) only one without the "
	  "other" },
	{ "node:2 core:4", RQ(.ranks = 5, .stride = 3), TMAP_INPUT,
	  "cyclic:3 with 2 tasks on a node: Flux fails where N is larger than the number of tasks of "
	  "a node" },
	{ "node:2 core:4", RQ(.ranks = 4, .cores = 4), TMAP_USAGE,
	  "flux run takes --cores and -n (--ranks) only one without the other" },
	{ "node:2 core:4", RQ(.ranks = TMAP_NONE, .tasks_per_core = 1, .cores_per_task = 2),
	  TMAP_USAGE,
	  "flux run takes --tasks-per-core and -c (--cpus-per-task) only one without the other" },
	{ "node:2 core:4", RQ(.ranks = TMAP_NONE, .tasks_per_core = 1, .tasks_per_node = 2),
	  TMAP_USAGE,
	  "flux run takes --tasks-per-node (--slots) and --tasks-per-core only one without the "
	  "other" },
	{ "node:2 core:4", RQ(.ranks = TMAP_NONE, .cores = 1), TMAP_INPUT,
	  "1 core is fewer than the 2 nodes" },
	{ "node:2 core:4", RQ(.ranks = TMAP_NONE, .cores = 5), TMAP_INPUT,
	  "5 cores of 2 nodes: flux run takes the same number of each" },
	{ "node:2 core:4", RQ(.ranks = TMAP_NONE, .cores = 10), TMAP_INPUT,
	  "5 cores of each node, and node 'n0' has 4" },
	{ "node:2 core:4", RQ(.ranks = TMAP_NONE, .cores = 4, .stride = 2), TMAP_INPUT,
	  "cyclic:2 with 1 task on a node: Flux fails where N is larger than the number of tasks of "
	  "a node" },
	{ "node:2 core:4", RQ(.ranks = TMAP_NONE, .tasks_per_core = 1 << 30), TMAP_INPUT,
	  "there are more than 32768 ranks: 4096 for each PU of the nodes" },
	{ "node:2 core:4",
	  RQ(.ranks = 4, .task_node = (const int[]){ 0, 1, TMAP_NONE }, .task_count = 3,
	     .is_repeated = true),
	  TMAP_INPUT, "host 3 of the hostfile, for task 2, is none of the nodes" },
	{ "node:2 core:4",
	  RQ(.ranks = 4, .task_node = (const int[]){ 1 }, .task_count = 1, .is_repeated = true),
	  TMAP_INPUT,
	  "the task map has no task on node 0, but every node of the allocation has one" },
	{ "node:1 pu:4", RQ(.ranks = 1), TMAP_INPUT,
	  "a node has no cores, by which Flux allocates nodes" },
};

START_TEST(what_flux_refuses_is_refused_with_the_reason)
{
	struct tmap_placement p;

	ck_assert_int_eq(place(&p, refused[_i].line, &refused[_i].rq), -1);
	ck_assert_str_eq(err.text, refused[_i].reason);
	ck_assert_int_eq(err.kind, refused[_i].kind);
}
END_TEST

START_TEST(without_a_number_every_core_gets_a_task)
{
	const struct tmap_flux_request rq = TMAP_FLUX_REQUEST_INIT;
	struct tmap_placement p;

	ck_assert_int_eq(place(&p, "node:3 core:4 pu:2", &rq), 0);
	ck_assert_int_eq(p.size, 12);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(bad_task_maps_are_refused)
{
	static const char *const words[] = { "",         "blocks",    "cyclic:",  "cyclic:0",
					     "cyclic:x", "cyclical",  "Cyclic",   "block:1",
					     "hostfile", "cyclic:-1", "cyclic:2 " };
	struct tmap_flux_request rq = TMAP_FLUX_REQUEST_INIT;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		ck_assert_msg(tmap_flux_parse_taskmap(&rq, words[i], &err) == -1, "%s", words[i]);
		ck_assert_int_eq(err.kind, TMAP_INPUT);
	}
	ck_assert_int_eq(tmap_flux_parse_taskmap(&rq, "cyclic", &err), 0);
	ck_assert_int_eq(rq.stride, 1);
	ck_assert_int_eq(tmap_flux_parse_taskmap(&rq, "block", &err), 0);
	ck_assert_int_eq(rq.stride, 0);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("flux");
	TCase *tcase = tcase_create("placements");

	tcase_add_loop_test(tcase, tasks_sit_where_flux_puts_them, 0,
			    sizeof recorded / sizeof recorded[0]);
	tcase_add_test(tcase, a_manual_map_takes_cores_from_a_node_and_gives_none);
	tcase_add_test(tcase, a_map_of_pus_begins_anew_after_its_last_set);
	tcase_add_loop_test(tcase, what_flux_refuses_is_refused_with_the_reason, 0,
			    sizeof refused / sizeof refused[0]);
	tcase_add_test(tcase, without_a_number_every_core_gets_a_task);
	tcase_add_test(tcase, bad_task_maps_are_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
