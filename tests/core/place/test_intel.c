/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the definitions of Intel MPI's Developer Reference for Linux (2021.8 to 2021.15,
 * "Interoperability with OpenMP API"), applied by hand to the node whose CPUs it numbers under
 * "Process Pinning"; and tables that Intel MPI printed with I_MPI_DEBUG, as they were published
 * with their settings: Imperial College's HX1 (2 sockets of 32 cores, 2021), SuperMUC-NG (2 of 24
 * cores with 2 CPUs, 2019 update 8), a node of 32 CPUs (2021.12), and geopm's issue 614 (masks).
 *
 * Which rule is from where, in the Developer Reference unless another source is named:
 *
 *     core, socket, sock, numa: the CPUs that share one;    Interoperability with OpenMP API
 *     as many domains as there are of these
 *     domains do not overlap, one rank in each; the list    the same
 *     does not count beside a domain
 *     list: rank i on CPU i of it, by the system's          Environment Variables for Process
 *     numbers; I_MPI_PIN: enable, yes, on, 1, ...           Pinning (2021.15)
 *     without a variable: auto:compact, bunch, unit         Process Pinning (2021.10)
 *     from 2021.15 on that of I_MPI_HYDRA_TOPOLIB=hwloc     Process Pinning (2021.15)
 *     bunch: ranks / sockets on each socket, closest;       Reference Manual 5.1, -binding
 *     scatter: neighbours most remote; spread: in a row;
 *     cell: unit or core
 *     cache shapes, layouts, masks, range, compact          Interoperability with OpenMP API, of
 *                                                           which only the pictures are applied
 */
#include "core/place/intel.h"
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

static int place(struct tmap_placement *p, const char *line, const struct tmap_intel_request *rq)
{
	struct tmap_machine *machine = read_machine(line);
	int rc = tmap_intel_place(p, machine, rq, &err);

	tmap_machine_free(machine);
	return rc;
}

static void expect(const char *line, const struct tmap_intel_request *rq, const char *want)
{
	struct tmap_placement p;
	char *seats;

	ck_assert_msg(place(&p, line, rq) == 0, "%s", err.text);
	ck_assert_int_eq(tmap_placement_check(&p, &err), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, want);
	free(seats);
	tmap_placement_fini(&p);
}

/* An order of "" is not given. */
static struct tmap_intel_request request(int ranks, const char *domain, const char *order)
{
	struct tmap_intel_request rq = TMAP_INTEL_REQUEST_INIT;

	rq.ranks = ranks;
	if (*domain)
		ck_assert_msg(tmap_intel_parse_domain(&rq, domain, &err) == 0, "%s", err.text);
	rq.is_ordered = *order;
	if (rq.is_ordered)
		rq.order =
			(enum tmap_intel_order)tmap_keywords_find(&tmap_intel_orders, order, &err);
	rq.is_default = !*domain && !*order;
	return rq;
}

/* The reference's node: two sockets of two cores, whose second CPUs are 4 to 7. */
#define NODE "package:2 l2:2 core:1 pu:2(indexes=0,4,1,5,2,6,3,7)"

static const struct documented {
	int ranks;
	const char *domain, *seats;
} documented[] = {
	{ 2, "socket", "0:0-1,4-5 0:2-3,6-7" },
	{ 2, "sock", "0:0-1,4-5 0:2-3,6-7" },
	{ 4, "cache2", "0:0,4 0:1,5 0:2,6 0:3,7" },
	{ 2, "4:platform", "0:0-3 0:4-7" },
	{ 4, "omp:platform", "0:0-1 0:2-3 0:4-5 0:6-7" },
	{ 4, "core", "0:0,4 0:1,5 0:2,6 0:3,7" },
	{ 2, "numa", "0:0-1,4-5 0:2-3,6-7" },
	{ 1, "node", "0:*" },
	{ 4, "cache", "0:0,4 0:1,5 0:2,6 0:3,7" },
	{ 4, "auto", "0:0,4 0:1,5 0:2,6 0:3,7" },
	{ 2, "auto:platform", "0:0-3 0:4-7" },
	{ 8, "1:compact", "0:0 0:4 0:1 0:5 0:2 0:6 0:3 0:7" },
};

START_TEST(domains_are_those_of_the_reference)
{
	struct tmap_intel_request rq = request(documented[_i].ranks, documented[_i].domain, "");

	rq.threads = 2;
	rq.ppn = documented[_i].ranks;
	expect(_i == 6 ? "node:1 package:2 [numa] l2:2 core:1 pu:2(indexes=0,4,1,5,2,6,3,7)" :
			 "node:1 " NODE,
	       &rq, documented[_i].seats);
}
END_TEST

START_TEST(a_node_takes_a_rank_for_each_core_or_each_cpu)
{
	struct tmap_intel_request rq = request(TMAP_NONE, "1", "compact");

	expect("node:1 core:2 pu:2", &rq, "0:0 0:1");
	rq.per_pu = true; /* I_MPI_PERHOST=all */
	expect("node:1 core:2 pu:2", &rq, "0:0 0:1 0:2 0:3");
	rq.ranks = 6;
	expect("node:2 core:2 pu:2", &rq, "0:0 0:1 0:2 0:3 1:0 1:1");
	rq.ranks = TMAP_NONE;
	rq.ppn = 1; /* -ppn goes before it */
	expect("node:2 core:2 pu:2", &rq, "0:0 1:0");
}
END_TEST

static void add_pus(struct tmap_idset *set, const char *text)
{
	ck_assert_int_eq(tmap_idset_parse(set, text, 1000, &err), 0);
}

START_TEST(masks_are_domains_and_the_rest_is_one)
{
	struct tmap_idset set[2] = { { 0 } };
	struct tmap_intel_request rq = request(2, "", "");

	rq.domain = TMAP_INTEL_MASKS;
	rq.set = set;
	rq.set_count = 2;
	add_pus(&set[0], "0,2,4,6"); /* [55,aa] */
	add_pus(&set[1], "1,3,5,7");
	expect("node:1 " NODE, &rq, "0:0,2,4,6 0:1,3,5,7");
	tmap_idset_fini(&set[0]);
	tmap_idset_fini(&set[1]);
	add_pus(&set[0], "1"); /* [0x2,0xf0000000000000] */
	add_pus(&set[1], "52-55");
	expect("node:1 package:2 core:64 pu:2", &rq, "0:1 0:52-55");
	rq.ranks = 3;
	rq.ppn = 3;
	tmap_idset_fini(&set[1]);
	add_pus(&set[1], "2-3");
	expect("node:1 core:3 pu:2", &rq, "0:1 0:2-3 0:0,4-5");
	for (int i = 0; i < 2; i++)
		tmap_idset_fini(&set[i]);
}
END_TEST

static void expect_rank(const struct tmap_placement *p, int rank, int node, const char *pus)
{
	char *text = tmap_idset_print(&p->places[p->place[rank]].pus, &err);

	ck_assert_int_eq(p->node[rank], node);
	ck_assert_str_eq(text, pus);
	free(text);
}

#define HX1 "node:1 package:2 core:32"

static const struct printed {
	const char *line;
	int ranks, ppn, threads;
	const char *domain, *order;
	struct {
		int rank;
		const char *pus; /* NULL ends */
	} row[6];
} printed[] = {
	{ HX1,
	  16,
	  0,
	  4,
	  "omp",
	  "bunch",
	  { { 0, "0-3" },
	    { 1, "4-7" },
	    { 2, "8-11" },
	    { 3, "12-15" },
	    { 14, "56-59" },
	    { 15, "60-63" } } },
	{ HX1,
	  16,
	  0,
	  4,
	  "omp",
	  "scatter",
	  { { 0, "0-3" },
	    { 1, "32-35" },
	    { 2, "4-7" },
	    { 3, "36-39" },
	    { 14, "28-31" },
	    { 15, "60-63" } } },
	{ HX1, 2, 0, 32, "socket", "", { { 0, "0-31" }, { 1, "32-63" } } },
	{ HX1,
	  64,
	  0,
	  1,
	  "core",
	  "",
	  { { 0, "0" }, { 1, "1" }, { 2, "2" }, { 3, "3" }, { 62, "62" }, { 63, "63" } } },
	{ HX1,
	  64,
	  0,
	  1,
	  "core",
	  "scatter",
	  { { 0, "0" }, { 1, "32" }, { 2, "1" }, { 3, "33" }, { 62, "31" }, { 63, "63" } } },
	{ "node:2 package:2 core:8 pu:2",
	  16,
	  32,
	  0,
	  "",
	  "",
	  { { 0, "0-1" }, { 1, "2-3" }, { 2, "4-5" }, { 14, "28-29" }, { 15, "30-31" } } },
	{ "node:1 package:2 core:24", 2, 0, 0, "socket", "", { { 0, "0-23" }, { 1, "24-47" } } },
	{ "node:1 package:2 core:24", 1, 0, 0, "", "", { { 0, "0-47" } } },
};

START_TEST(ranks_sit_where_intel_mpi_printed_them)
{
	struct tmap_intel_request rq =
		request(printed[_i].ranks, printed[_i].domain, printed[_i].order);
	struct tmap_placement p;

	rq.ppn = printed[_i].ppn;
	rq.threads = printed[_i].threads;
	ck_assert_msg(place(&p, printed[_i].line, &rq) == 0, "%s", err.text);
	for (int i = 0; i < 6 && printed[_i].row[i].pus; i++)
		expect_rank(&p, printed[_i].row[i].rank, 0, printed[_i].row[i].pus);
	tmap_placement_fini(&p);
}
END_TEST

/* SuperMUC-NG: CPUs 48 to 95 are the second ones of the cores. */
START_TEST(sockets_have_both_hardware_threads_of_their_cores)
{
	struct tmap_machine *machine = read_machine("node:2 package:2 core:24 pu:2");
	struct tmap_intel_request rq = request(2, "socket", "");
	struct tmap_placement p;

	for (int u = 0; u < 96; u++)
		machine->topology[0].pu[u].os = u / 2 + u % 2 * 48;
	ck_assert_int_eq(tmap_topology_sort_pus(&machine->topology[0], &err), 0);
	ck_assert_int_eq(tmap_intel_place(&p, machine, &rq, &err), 0);
	expect_rank(&p, 0, 0, "0-23,48-71");
	expect_rank(&p, 1, 0, "24-47,72-95");
	tmap_placement_fini(&p);
	rq = request(2, "", "");
	rq.ppn = 1;
	ck_assert_int_eq(tmap_intel_place(&p, machine, &rq, &err), 0);
	expect_rank(&p, 0, 0, "0-95");
	expect_rank(&p, 1, 1, "0-95");
	tmap_placement_fini(&p);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(a_list_of_processors_has_one_for_each_rank)
{
	struct tmap_idset set[2] = { { 0 } };
	struct tmap_intel_request rq = request(2, "", "");

	rq.domain = TMAP_INTEL_LIST;
	rq.set = set;
	rq.set_count = 2;
	add_pus(&set[0], "0");
	add_pus(&set[1], "2");
	expect("node:1 package:2 core:24", &rq, "0:0 0:2");
	for (int i = 0; i < 2; i++)
		tmap_idset_fini(&set[i]);
}
END_TEST

/* The reference has these in words and pictures. */
static const struct ordered {
	const char *line;
	int ranks;
	const char *domain, *order, *seats;
} ordered[] = {
	{ "node:1 package:2 core:4", 4, "core", "compact", "0:0 0:1 0:2 0:3" },
	{ "node:1 package:2 core:4", 4, "core", "scatter", "0:0 0:4 0:1 0:5" },
	{ "node:1 package:2 core:4", 4, "core", "bunch", "0:0 0:1 0:4 0:5" },
	{ "node:1 package:2 core:4", 4, "core", "", "0:0 0:1 0:4 0:5" },
	{ "node:1 package:2 core:4", 4, "2", "spread", "0:0-1 0:2-3 0:4-5 0:6-7" },
	{ "node:1 package:2 core:4", 4, "2", "compact", "0:0-1 0:2-3 0:4-5 0:6-7" },
	{ "node:1 package:2 core:2 pu:1(indexes=0,2,1,3)", 4, "core", "range", "0:0 0:1 0:2 0:3" },
	{ "node:1 package:2 core:2 pu:1(indexes=0,2,1,3)", 4, "core", "compact",
	  "0:0 0:2 0:1 0:3" },
	{ "node:1 core:4", 2, "core", "", "0:0 0:1" },
};

START_TEST(ranks_take_domains_in_the_order_asked_for)
{
	const struct tmap_intel_request rq =
		request(ordered[_i].ranks, ordered[_i].domain, ordered[_i].order);

	expect(ordered[_i].line, &rq, ordered[_i].seats);
}
END_TEST

START_TEST(without_pinning_no_rank_is_bound)
{
	struct tmap_intel_request rq = request(3, "", "");

	rq.domain = TMAP_INTEL_OFF;
	rq.ppn = 2;
	expect("node:2 core:2", &rq, "0:* 0:* 1:*");
}
END_TEST

static const struct refused {
	const char *line;
	int ranks;
	const char *domain, *order, *reason;
} refused[] = {
	{ "node:1 package:2 core:4", 9, "core", "",
	  "9 ranks on a node that takes 8 (-ppn, which is --slots, or the cores): where the "
	  "others go is not documented" },
	{ "node:1 package:2 core:4", 3, "socket", "",
	  "I_MPI_PIN_DOMAIN, domains: 2 for 3 ranks of a node; Intel MPI gives each to one rank, and "
	  "what it does with the others is not documented" },
	{ "node:1 package:2 core:4", 3, "", "",
	  "I_MPI_PIN_DOMAIN=auto: 8 CPUs for 3 ranks of a node are no whole number each, and how Intel "
	  "MPI rounds is not documented" },
	{ "node:1 package:2 core:3", 3, "core", "bunch",
	  "I_MPI_PIN_ORDER=bunch: which of the 6 domains of a node its 3 ranks get is not documented, as "
	  "the sockets cannot have the same number" },
	{ "node:1 package:2 core:4", 2, "core", "spread",
	  "I_MPI_PIN_ORDER=spread: which of the 8 domains of a node its 2 ranks get is not documented" },
	{ "node:1 package:2 l3:2 core:2", 4, "core", "scatter",
	  "I_MPI_PIN_ORDER=scatter: which of the 8 domains of a node its 4 ranks get is not documented "
	  "where a socket has caches or memories that some share" },
	{ "node:1 package:2 core:3", 1, "4", "",
	  "I_MPI_PIN_DOMAIN: a domain of 4 CPUs would have parts of two sockets, and what Intel MPI "
	  "does then is not documented" },
	{ "node:1 package:2 core:3", 2, "9", "",
	  "I_MPI_PIN_DOMAIN: a domain of 9 CPUs is larger than a node, which has 6" },
	{ "node:1 package:2 core:3", 2, "cache3", "", "I_MPI_PIN_DOMAIN: a node has no l3" },
	{ "node:1 " NODE, 2, "4:platform", "bunch",
	  "I_MPI_PIN_ORDER=bunch: which of the 2 domains of a node its 2 ranks get is not documented "
	  "where they mix the sockets" },
};

START_TEST(what_is_not_documented_is_refused_with_the_reason)
{
	struct tmap_intel_request rq =
		request(refused[_i].ranks, refused[_i].domain, refused[_i].order);
	struct tmap_placement p;

	ck_assert_int_eq(place(&p, refused[_i].line, &rq), -1);
	ck_assert_str_eq(err.text, refused[_i].reason);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
}
END_TEST

START_TEST(more_ranks_than_cores_need_an_order)
{
	struct tmap_intel_request rq = request(8, "", "");
	struct tmap_placement p;

	rq.ppn = 8;
	ck_assert_int_eq(place(&p, "node:1 " NODE, &rq), -1);
	ck_assert_str_eq(err.text,
			 "8 ranks on a node of 4 cores without I_MPI_PIN_DOMAIN and "
			 "I_MPI_PIN_ORDER: Intel MPI spreads them then, in an order that "
			 "is not documented");
	rq = request(8, "", "compact");
	rq.ppn = 8;
	expect("node:1 " NODE, &rq, "0:0 0:4 0:1 0:5 0:2 0:6 0:3 0:7");
	rq.by_core = true;
	ck_assert_int_eq(place(&p, "node:1 " NODE, &rq), -1);
}
END_TEST

START_TEST(bad_domains_are_refused)
{
	static const char *const words[] = { "",        "cores", "core:compact", "0",
					     "-1",      "4:",    "4:scatter",    "4:platforms",
					     "cache4",  "auto:", "omp:x",        "99999999999",
					     "sockets", "4x",    "1:compact:1" };
	struct tmap_intel_request rq = TMAP_INTEL_REQUEST_INIT;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		ck_assert_msg(tmap_intel_parse_domain(&rq, words[i], &err) == -1, "%s", words[i]);
		ck_assert_int_eq(err.kind, TMAP_INPUT);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("intel");
	TCase *tcase = tcase_create("placements");

	tcase_add_loop_test(tcase, domains_are_those_of_the_reference, 0,
			    sizeof documented / sizeof documented[0]);
	tcase_add_test(tcase, a_node_takes_a_rank_for_each_core_or_each_cpu);
	tcase_add_test(tcase, masks_are_domains_and_the_rest_is_one);
	tcase_add_loop_test(tcase, ranks_sit_where_intel_mpi_printed_them, 0,
			    sizeof printed / sizeof printed[0]);
	tcase_add_test(tcase, sockets_have_both_hardware_threads_of_their_cores);
	tcase_add_test(tcase, a_list_of_processors_has_one_for_each_rank);
	tcase_add_loop_test(tcase, ranks_take_domains_in_the_order_asked_for, 0,
			    sizeof ordered / sizeof ordered[0]);
	tcase_add_test(tcase, without_pinning_no_rank_is_bound);
	tcase_add_loop_test(tcase, what_is_not_documented_is_refused_with_the_reason, 0,
			    sizeof refused / sizeof refused[0]);
	tcase_add_test(tcase, more_ranks_than_cores_need_an_order);
	tcase_add_test(tcase, bad_domains_are_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
