/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what srun 22.05 and 24.11 printed with --cpu-bind=verbose on imitated nodes, recorded
 * (tests/policies/slurm.sh compares many others where Slurm is installed).
 */
#include "core/place/slurm.h"
#include "formats/machine/machine_spec.h"
#include "tests/support/usable_text.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static int place(struct tmap_placement *p, const char *const *lines, size_t count,
		 const struct tmap_slurm_request *rq)
{
	struct tmap_machine *machine = tmap_machine_read_specs(lines, count, &err);
	int rc;

	ck_assert_msg(machine != NULL, "%s", err.text);
	rc = tmap_slurm_place(p, machine, rq, &err);
	tmap_machine_free(machine);
	return rc;
}

#define A(n) "node:" #n " package:2 core:4 pu:2"

static const struct recorded {
	const char *lines[2];
	int tasks, cpus; /* TMAP_NONE: without -c */
	const char *distribution;
	enum tmap_slurm_bind bind;
	const char *seats;
} recorded[] = {
	{ { A(3) },
	  12,
	  TMAP_NONE,
	  "cyclic:block",
	  TMAP_SLURM_CORES,
	  "0:0-1 1:0-1 2:0-1 0:2-3 1:2-3 2:2-3 0:4-5 1:4-5 2:4-5 0:6-7 1:6-7 2:6-7" },
	{ { A(3) },
	  7,
	  3,
	  "block:fcyclic",
	  TMAP_SLURM_THREADS,
	  "0:0-1,8 0:2,9-10 0:3-4,11 1:0-1,8 1:2,9-10 2:0-1,8 2:2,9-10" },
	{ { A(2) },
	  7,
	  TMAP_NONE,
	  "block:cyclic",
	  TMAP_SLURM_CORES,
	  "0:0-1 0:8-9 0:2-3 0:10-11 1:0-1 1:8-9 1:2-3" },
	{ { A(3) }, 7, 2, "plane=2", TMAP_SLURM_CORES, "0:0-1 0:2-3 1:0-1 1:8-9 2:0-1 2:8-9 0:8-9" },
	{ { A(3) },
	  20,
	  TMAP_NONE,
	  "block,Pack",
	  TMAP_SLURM_THREADS,
	  "0:0 0:8 0:1 0:9 0:2 0:10 0:3 0:11 0:4 0:12 0:5 0:13 0:6 0:14 0:7 0:15 1:0 1:8 1:1 2:0" },
	{ { A(2) }, 4, TMAP_NONE, "block", TMAP_SLURM_SOCKETS, "0:0-7 0:8-15 1:0-7 1:8-15" },
	{ { A(2) }, 4, TMAP_NONE, "block", TMAP_SLURM_AUTO, "0:0-7 0:8-15 1:0-7 1:8-15" },
	{ { A(2) }, 6, TMAP_NONE, "cyclic", TMAP_SLURM_AUTO, "0:* 1:* 0:* 1:* 0:* 1:*" },
	{ { A(2) }, 5, 1, "block:block", TMAP_SLURM_NONE, "0:0-3 0:0-3 0:0-3 1:0-1 1:0-1" },
	{ { "node:1 package:4 core:3 pu:1", "node:1 package:1 core:6 pu:2" },
	  9,
	  TMAP_NONE,
	  "plane=3",
	  TMAP_SLURM_THREADS,
	  "0:0 0:1 0:2 1:0 1:1 1:2 0:3 0:4 0:5" },
	{ { A(2) }, 5, 3, "block", TMAP_SLURM_CORES, "0:0-3 0:8-11 0:4-7 1:0-3 1:8-11" },
	{ { A(1) },
	  12,
	  1,
	  "*",
	  TMAP_SLURM_THREADS,
	  "0:0 0:8 0:1 0:9 0:2 0:10 0:3 0:11 0:4 0:5 0:6 0:7" },
};

/* What 24.11 does otherwise. */
static const struct recorded recorded_24_11[] = {
	{ { A(1) },
	  12,
	  1,
	  "*",
	  TMAP_SLURM_THREADS,
	  "0:0 0:8 0:1 0:9 0:2 0:10 0:3 0:11 0:4 0:12 0:5 0:13" },
	{ { A(1) }, 3, 3, "block:fcyclic", TMAP_SLURM_THREADS, "0:0-1,8 0:2,9-10 0:3-4,11" },
	{ { A(1) }, 3, 3, "block:fcyclic", TMAP_SLURM_SOCKETS, "0:0-5,8-11 0:0-5,8-11 0:0-5,8-11" },
	{ { A(1) }, 5, 3, "block:cyclic", TMAP_SLURM_THREADS, "0:0-2 0:8-10 0:3-5 0:11-13 0:6-7,14" },
};

static void check_recorded(const struct recorded *want, enum tmap_slurm_release release)
{
	struct tmap_slurm_request rq = TMAP_SLURM_REQUEST_INIT;
	struct tmap_placement p;
	char *seats;

	rq.release = release;
	rq.ranks = want->tasks;
	rq.exact = want->cpus != TMAP_NONE;
	rq.cpus_per_task = rq.exact ? want->cpus : 1;
	rq.bind = want->bind;
	ck_assert_int_eq(tmap_slurm_parse_distribution(&rq, want->distribution, &err), 0);
	ck_assert_msg(place(&p, want->lines, want->lines[1] ? 2 : 1, &rq) == 0, "%s", err.text);
	ck_assert_int_eq(tmap_placement_check(&p, &err), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, want->seats);
	free(seats);
	tmap_placement_fini(&p);
}

START_TEST(tasks_sit_where_srun_puts_them)
{
	check_recorded(&recorded[_i], TMAP_SLURM_22_05);
}
END_TEST

START_TEST(later_releases_pick_other_cores)
{
	check_recorded(&recorded_24_11[_i], TMAP_SLURM_23_11);
}
END_TEST

START_TEST(tasks_that_fit_no_node_are_refused_by_later_releases)
{
	const char *const line = "node:3 core:8 pu:2";
	struct tmap_slurm_request rq = TMAP_SLURM_REQUEST_INIT;
	struct tmap_placement p;

	rq.ranks = 16;
	rq.exact = true;
	rq.cpus_per_task = 3;
	ck_assert_int_eq(place(&p, &line, 1, &rq), 0);
	tmap_placement_fini(&p);
	rq.release = TMAP_SLURM_23_11;
	ck_assert_int_eq(place(&p, &line, 1, &rq), -1);
	ck_assert_ptr_nonnull(
		strstr(err.text, "16 tasks of 3 CPUs do not fit: a task runs on one node"));
}
END_TEST

START_TEST(without_a_number_every_core_gets_a_task)
{
	const char *const line = "node:2 package:1 core:2 pu:2";
	struct tmap_slurm_request rq = TMAP_SLURM_REQUEST_INIT;
	struct tmap_placement p;
	char *seats;

	ck_assert_int_eq(place(&p, &line, 1, &rq), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, "0:0-1 0:2-3 1:0-1 1:2-3");
	free(seats);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(ldoms_are_memory_controllers)
{
	const char *const line = "node:1 package:1 numa:2 core:2 pu:2";
	struct tmap_slurm_request rq = TMAP_SLURM_REQUEST_INIT;
	struct tmap_placement p;
	char *seats;

	rq.bind = TMAP_SLURM_LDOMS;
	rq.ranks = 6;
	ck_assert_int_eq(place(&p, &line, 1, &rq), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, "0:0-3 0:0-3 0:0-3 0:0-3 0:4-7 0:4-7");
	free(seats);
	tmap_placement_fini(&p);
}
END_TEST

static const struct refused {
	const char *line;
	int tasks, cpus;
	const char *reason;
} refused[] = {
	{ "node:2 core:4", 9, 1, "9 tasks of 1 CPU do not fit on the 8 CPUs of 2 nodes" },
	{ "node:2 core:4 pu:2", 3, 6, "3 tasks of 6 CPUs do not fit on the 16 CPUs of 2 nodes" },
	{ "node:2 core:8 pu:2", 6, 5, "3 tasks of 5 CPUs need 9 cores of a node that has 8" },
	{ "node:2 core:3", TMAP_NONE, 4,
	  "no node has the cores for a task of 4 CPUs: the largest, 'n0', has 3" },
};

START_TEST(what_srun_refuses_is_refused_with_the_reason)
{
	struct tmap_slurm_request rq = TMAP_SLURM_REQUEST_INIT;
	struct tmap_placement p;

	rq.ranks = refused[_i].tasks;
	rq.exact = true;
	rq.cpus_per_task = refused[_i].cpus;
	ck_assert_int_eq(place(&p, &refused[_i].line, 1, &rq), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_msg(strstr(err.text, refused[_i].reason) != NULL, "%s", err.text);
}
END_TEST

/* Masks of CPUs below 16, as srun printed them for the tasks of a node of A(2). */
static const struct listed {
	bool is_of_ldoms;
	int listed;
	unsigned mask[3];
	const char *seats; /* NULL: it is refused */
} listed[] = {
	{ false, 2, { 0x1, 0x10 }, "0:0 0:4 0:0 0:4 1:0 1:4 1:0" },
	{ false, 3, { 0xf, 0xf, 0xff00 }, "0:0-3 0:0-3 0:8-15 0:0-3 1:0-3 1:0-3 1:8-15" },
	{ false, 1, { 0xffff }, "0:* 0:* 0:* 0:* 1:* 1:* 1:*" },
	{ false, 2, { 0x1, 0x10001 }, NULL },
	/* a node without memory of its own packages has one */
	{ true, 1, { 0x1 }, "0:* 0:* 0:* 0:* 1:* 1:* 1:*" },
	{ true, 1, { 0x2 }, NULL },
};

START_TEST(lists_are_of_the_tasks_of_each_node)
{
	const struct listed *it = &listed[_i];
	static const char *const lines[] = { A(2) };
	struct tmap_idset sets[3] = { { 0 } };
	struct tmap_slurm_request rq = TMAP_SLURM_REQUEST_INIT;
	struct tmap_placement p;

	for (int i = 0; i < it->listed; i++)
		for (int id = 0; id < 32; id++)
			if (it->mask[i] >> id & 1)
				ck_assert_int_eq(tmap_idset_add(&sets[i], id, &err), 0);
	rq.ranks = 7;
	rq.list = sets;
	rq.listed = it->listed;
	rq.is_of_ldoms = it->is_of_ldoms;
	if (it->seats) {
		char *text;

		ck_assert_msg(place(&p, lines, 1, &rq) == 0, "%s", err.text);
		text = seats_print(&p);
		ck_assert_str_eq(text, it->seats);
		free(text);
		tmap_placement_fini(&p);
	} else {
		ck_assert_int_eq(place(&p, lines, 1, &rq), -1);
		ck_assert_int_eq(err.kind, TMAP_INPUT);
		ck_assert_ptr_nonnull(strstr(err.text, "is none of those"));
	}
	for (int i = 0; i < it->listed; i++)
		tmap_idset_fini(&sets[i]);
}
END_TEST

START_TEST(a_node_that_slurm_cannot_describe_is_refused)
{
	const char *const line = "node:1 package:2 core:2 pu:2";
	struct tmap_machine *machine = tmap_machine_read_specs(&line, 1, &err);
	struct tmap_slurm_request rq = TMAP_SLURM_REQUEST_INIT;
	struct tmap_placement p;

	machine->topology[0].pu[1].allowed = false;
	ck_assert_int_eq(tmap_slurm_place(&p, machine, &rq, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "sockets x cores x threads"));
	tmap_machine_free(machine);
}
END_TEST

START_TEST(bad_distributions_are_refused)
{
	static const char *const words[] = {
		"",
		"blocks",
		"arbitrary",
		"plane",
		"plane=",
		"plane=0",
		"plane=2:block",
		"plane=70000",
		"block:",
		"block:plane=2",
		"block:cyclic:fcyclic:block",
		"block,",
		"block,Pack,NoPack",
		"cyclic,Pack",
		":block",
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		struct tmap_slurm_request rq = TMAP_SLURM_REQUEST_INIT;

		ck_assert_msg(tmap_slurm_parse_distribution(&rq, words[i], &err) == -1, "%s",
			      words[i]);
		ck_assert_int_eq(err.kind, TMAP_INPUT);
	}
}
END_TEST

START_TEST(distributions_are_read_in_any_case)
{
	struct tmap_slurm_request rq = TMAP_SLURM_REQUEST_INIT;

	ck_assert_int_eq(tmap_slurm_parse_distribution(&rq, "Block:FCyclic:block,pack", &err), 0);
	ck_assert(!rq.cyclic && rq.pack && rq.plane == 0);
	ck_assert_int_eq(rq.sockets, TMAP_SLURM_FCYCLIC);
	ck_assert_int_eq(tmap_slurm_parse_distribution(&rq, "*:*", &err), 0);
	ck_assert(!rq.cyclic && !rq.pack);
	ck_assert_int_eq(rq.sockets, TMAP_SLURM_CYCLIC);
	ck_assert_int_eq(tmap_slurm_parse_distribution(&rq, "PLANE=12", &err), 0);
	ck_assert_int_eq(rq.plane, 12);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("slurm");
	TCase *tcase = tcase_create("placements");

	tcase_add_loop_test(tcase, tasks_sit_where_srun_puts_them, 0,
			    sizeof recorded / sizeof recorded[0]);
	tcase_add_loop_test(tcase, later_releases_pick_other_cores, 0,
			    sizeof recorded_24_11 / sizeof recorded_24_11[0]);
	tcase_add_test(tcase, tasks_that_fit_no_node_are_refused_by_later_releases);
	tcase_add_loop_test(tcase, what_srun_refuses_is_refused_with_the_reason, 0,
			    sizeof refused / sizeof refused[0]);
	tcase_add_test(tcase, without_a_number_every_core_gets_a_task);
	tcase_add_test(tcase, ldoms_are_memory_controllers);
	tcase_add_loop_test(tcase, lists_are_of_the_tasks_of_each_node, 0,
			    sizeof listed / sizeof listed[0]);
	tcase_add_test(tcase, a_node_that_slurm_cannot_describe_is_refused);
	tcase_add_test(tcase, bad_distributions_are_refused);
	tcase_add_test(tcase, distributions_are_read_in_any_case);
	suite_add_tcase(suite, tcase);
	return suite;
}
