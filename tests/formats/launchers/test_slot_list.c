/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what mpirun 4.1.4 --display-map printed for the same lists on the same synthetic
 * machines (2 packages x 2 L3 x 4 cores x 2 threads, and others); the round trip; and
 * counting by hand for nodes of which the job may use a part.
 */
#include "core/base/mem.h"
#include "formats/launchers/openmpi/slot_list.h"
#include "formats/machine/hwloc.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;
static struct tmap_topology smt;

static void make(struct tmap_topology *topo, const char *line)
{
	ck_assert_int_eq(tmap_hwloc_read_synthetic(topo, line, &err), 0);
}

static void setup(void)
{
	make(&smt, "package:2 l3:2 core:4 pu:2");
}

static void teardown(void)
{
	tmap_topology_fini(&smt);
}

static char *parse(const struct tmap_topology *topo, const char *list, bool hwthreads,
		   bool physical)
{
	const struct tmap_slot_rules rules = { .hwthreads = hwthreads, .physical = physical };
	struct tmap_idset pus = { 0 };
	char *text = NULL;

	if (tmap_slot_list_parse(&pus, list, topo, &rules, &err) == 0)
		text = tmap_idset_print(&pus, &err);
	tmap_idset_fini(&pus);
	return text;
}

struct reading {
	const char *list, *pus;
};

static void check_readings(const struct reading *reading, bool hwthreads, bool physical)
{
	for (; reading->list; reading++) {
		char *pus = parse(&smt, reading->list, hwthreads, physical);

		ck_assert_msg(pus != NULL, "%s: %s", reading->list, err.text);
		ck_assert_str_eq(pus, reading->pus);
		free(pus);
	}
}

START_TEST(lists_count_logical_cores)
{
	static const struct reading readings[] = {
		{ "15", "30-31" },
		{ "0,2-3", "0-1,4-7" },
		{ "1;3", "2-3,6-7" },
		{ "2,", "4-5" },
		{ "0;;3", "0-1,6-7" },
		{ "1:2", "20-21" },
		{ "1:2-3;0:1", "2-3,20-23" },
		{ "0:0,1:2", "0-1,20-21" },
		{ "s1", "16-31" },
		{ "S1", "16-31" },
		{ "s0,1", "0-31" },
		{ "s0-1", "0-31" },
		{ "s*", "0-31" },
		{ "0:*", "0-15" },
		{ "0:c3", "6-7" },
		{ "S1:C*", "16-31" },
		{ "s1;0", "0-1,16-31" },
		{ "1:0:2-3", "16-17,20-23" },
		{ "007", "14-15" },
		{ NULL, NULL },
	};

	check_readings(readings, false, false);
}
END_TEST

START_TEST(with_hwthreads_plain_numbers_count_threads_and_pairs_still_cores)
{
	static const struct reading readings[] = {
		{ "15", "15" },    { "0,2-3", "0,2-3" }, { "1:2", "20-21" },
		{ "s1", "16-31" }, { NULL, NULL },
	};

	check_readings(readings, true, false);
}
END_TEST

START_TEST(physical_numbers_name_the_core_around_a_pu)
{
	static const struct reading cores[] = {
		{ "1", "0-1" },    { "31", "30-31" }, { "1:2", "20-21" },
		{ "s1", "16-31" }, { NULL, NULL },
	};
	static const struct reading threads[] = { { "31", "31" },
						  { "0-2", "0-2" },
						  { NULL, NULL } };

	check_readings(cores, false, true);
	check_readings(threads, true, true);
}
END_TEST

START_TEST(what_open_mpi_misreads_or_refuses_is_refused)
{
	static const struct reading refusals[] = {
		{ "1:0,3",
		  "slot list '1:0,3': '3' stands beside a package:core pair and Open MPI "
		  "reads it as a package without cores; write 0:0-1, 0:0;0:1 or plain core numbers" },
		{ "S0:1,S1:2", "slot list 'S0:1,S1:2': 'S1' is neither a number nor a range" },
		{ "s0,s1", "slot list 's0,s1': 's1' is neither a number nor a range" },
		{ "*",
		  "slot list '*': '*' needs a package, as in 0:* or s* (Open MPI reads it as 0)" },
		{ "5-3", "slot list '5-3': the range 5-3 runs backwards" },
		{ "0,99",
		  "slot list '0,99': core 99 does not exist: the node has 16 that the job may "
		  "use" },
		{ "0:8",
		  "slot list '0:8': core 8 does not exist: the package has 8 that the job may "
		  "use" },
		{ "s2",
		  "slot list 's2': package 2 does not exist: the node has 2 that the job may use" },
		{ "0,abc", "slot list '0,abc': 'abc' is neither a number nor a range" },
		{ "-3", "slot list '-3': '-3' is neither a number nor a range" },
		{ "1-", "slot list '1-': '1-' is neither a number nor a range" },
		{ "0-1-2", "slot list '0-1-2': '0-1-2' is neither a number nor a range" },
		{ "0-1:2", "slot list '0-1:2': a range of packages cannot take ':'" },
		{ "s", "slot list 's': 's' names nothing (Open MPI dies of it)" },
		{ "0;,,", "slot list '0;,,': ',,' names nothing (Open MPI dies of it)" },
		{ "s,", "slot list 's,': 's,' names nothing (Open MPI dies of it)" },
		{ ";", "slot list ';' names nothing" },
		{ "99999999999",
		  "slot list '99999999999': '99999999999' is neither a number nor a "
		  "range" },
		{ "0-2147483647",
		  "slot list '0-2147483647': core 2147483647 does not exist: the node "
		  "has 16 that the job may use" },
		{ NULL, NULL },
	};

	for (const struct reading *r = refusals; r->list; r++) {
		ck_assert_ptr_null(parse(&smt, r->list, false, false));
		ck_assert_int_eq(err.kind, TMAP_INPUT);
		ck_assert_str_eq(err.text, r->pus);
	}
}
END_TEST

START_TEST(only_what_the_job_may_use_is_counted)
{
	struct tmap_topology topo;
	char *pus;

	make(&topo, "package:3 core:2 pu:2");
	for (int i = 0; i < 12; i++) {
		topo.pu[i].os = i % 2 * 6 + i / 2; /* as Linux numbers SMT siblings: 0 6 1 7 .. */
		topo.pu[i].allowed = i >= 5;       /* not package 0, and half of core 2 */
	}
	pus = parse(&topo, "0", false, false);
	ck_assert_str_eq(pus, "8");
	free(pus);
	pus = parse(&topo, "0:1", false, false);
	ck_assert_str_eq(pus, "3,9");
	free(pus);
	pus = parse(&topo, "3", false, false);
	ck_assert_ptr_nonnull(pus);
	free(pus);
	ck_assert_ptr_null(parse(&topo, "4", false, false));
	ck_assert_ptr_null(parse(&topo, "s2", false, false));
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(without_cores_pus_are_counted)
{
	struct tmap_topology topo;
	char *pus;

	ck_assert_int_eq(tmap_topology_init(&topo, 4, &err), 0);
	ck_assert_int_eq(tmap_topology_finish(&topo, &err), 0);
	pus = parse(&topo, "1-2", false, false);
	ck_assert_str_eq(pus, "1-2");
	free(pus);
	ck_assert_ptr_null(parse(&topo, "0:1", false, false));
	ck_assert_str_eq(err.text,
			 "slot list '0:1': package 0 does not exist: the node has 0 "
			 "(write plain core numbers)");
	tmap_topology_fini(&topo);
}
END_TEST

/* Every set of whole cores, or of threads, that a few machines have. */
static void check_round_trips(const char *line, bool hwthreads, unsigned step)
{
	struct tmap_topology topo;

	make(&topo, line);
	for (int i = 0; i < topo.pu_count; i++)
		topo.pu[i].os = topo.pu_count - 1 - i;
	topo.pu[1].allowed = false;
	for (unsigned mask = 1; mask < 1u << topo.pu_count; mask += step) {
		struct tmap_idset pus = { 0 }, again = { 0 };
		const struct tmap_slot_rules rules = { .hwthreads = hwthreads };
		char *list;

		for (int i = 0; i < topo.pu_count; i++)
			if (mask >> i & 1 && topo.pu[i].allowed)
				ck_assert_int_eq(tmap_idset_add(&pus, topo.pu[i].os, &err), 0);
		if (pus.count && (hwthreads || tmap_slot_list_is_cores(&pus, &topo))) {
			list = tmap_slot_list_print(&pus, &topo, hwthreads, &err);
			ck_assert_msg(list != NULL, "%s", err.text);
			ck_assert_int_eq(tmap_slot_list_parse(&again, list, &topo, &rules, &err),
					 0);
			ck_assert(tmap_idset_equal(&pus, &again));
			free(list);
		}
		tmap_idset_fini(&pus);
		tmap_idset_fini(&again);
	}
	tmap_topology_fini(&topo);
}

START_TEST(what_is_printed_is_read_back)
{
	check_round_trips("package:2 core:2 pu:3", false, 1);
	check_round_trips("package:2 core:2 pu:3", true, 1);
	check_round_trips("package:1 core:8 pu:2", false, 3);
	check_round_trips("pu:5", false, 1);
}
END_TEST

START_TEST(a_part_of_a_core_or_a_forbidden_pu_is_not_printed)
{
	struct tmap_idset pus = { 0 };

	ck_assert_int_eq(tmap_idset_parse(&pus, "0-2", 100, &err), 0);
	ck_assert(!tmap_slot_list_is_cores(&pus, &smt));
	ck_assert_ptr_null(tmap_slot_list_print(&pus, &smt, false, &err));
	ck_assert_str_eq(err.text, "part of a core cannot be given in cores");
	smt.pu[1].allowed = false;
	ck_assert_ptr_null(tmap_slot_list_print(&pus, &smt, true, &err));
	ck_assert_str_eq(err.text, "some of the PUs are none that the job may use");
	tmap_idset_fini(&pus);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("slot_list");
	TCase *tc = tcase_create("slot_list");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, lists_count_logical_cores);
	tcase_add_test(tc, with_hwthreads_plain_numbers_count_threads_and_pairs_still_cores);
	tcase_add_test(tc, physical_numbers_name_the_core_around_a_pu);
	tcase_add_test(tc, what_open_mpi_misreads_or_refuses_is_refused);
	tcase_add_test(tc, only_what_the_job_may_use_is_counted);
	tcase_add_test(tc, without_cores_pus_are_counted);
	tcase_add_test(tc, what_is_printed_is_read_back);
	tcase_add_test(tc, a_part_of_a_core_or_a_forbidden_pu_is_not_printed);
	suite_add_tcase(suite, tc);
	return suite;
}
