/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: maps that mpirun of Open MPI 5.0.7 (PRRTE 3.0.8) made of imitated machines, recorded in
 * tests/data/openmpi5.maps by tests/policies/openmpi5.sh, which compares others where that mpirun
 * is installed.
 */
#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/place/prrte.h"
#include "formats/machine/machine_spec.h"
#include "tests/support/usable_text.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static struct tmap_machine *read_machine(const char *line)
{
	struct tmap_machine *machine = tmap_machine_read_specs(&line, 1, &err);

	ck_assert_msg(machine != NULL, "%s: %s", line, err.text);
	return machine;
}

enum { MOST_NODES = 8, MOST_PROGRAMS = 4, FIELDS = 7 };

/* A line of the file: machine;slots;ranks;map;rank;bind;result, "-" for what is not given. */
struct recorded {
	char *field[FIELDS];
	int slots[MOST_NODES], nodes;
};

static void recorded_parse(struct recorded *line, char *text)
{
	char *at = text;

	*line = (struct recorded){ 0 };
	for (int i = 0; i < FIELDS; i++) {
		line->field[i] = at;
		at += strcspn(at, ";\n");
		ck_assert_msg((*at == ';') == (i < FIELDS - 1), "%s", text);
		*at++ = '\0';
	}
	for (at = line->field[1]; line->nodes < MOST_NODES; at++) {
		line->slots[line->nodes++] = (int)strtol(at, &at, 10);
		if (*at != ':')
			break;
	}
}

/* The folder of recorded machines is not everywhere. */
static struct tmap_machine *recorded_machine(const struct recorded *line)
{
	const char *name = line->field[0], *folder = "";
	char text[512];

	if (*name == '@') {
		folder = test_data();
		if (!folder)
			return NULL;
		snprintf(text, sizeof text, "%d*%s/topologies/%s", line->nodes, folder, name + 1);
	} else if (strstr(name, ".xml")) {
		snprintf(text, sizeof text, "%d*%s", line->nodes, name);
	} else {
		snprintf(text, sizeof text, "node:%d %s", line->nodes, name);
	}
	return read_machine(text);
}

static bool is_given(const char *word)
{
	return strcmp(word, "-") != 0;
}

/* "3/-/2" */
static int programs_parse(struct tmap_program programs[MOST_PROGRAMS], const char *text)
{
	int count = 0;

	for (; count < MOST_PROGRAMS; text++) {
		programs[count++] = (struct tmap_program){
			.ranks = *text == '-' ? TMAP_NONE : (int)strtol(text, NULL, 10),
		};
		text += strcspn(text, "/");
		if (!*text)
			break;
	}
	return count;
}

/* What there is instead of the result; the caller's to free. */
static char *recorded_answer(const struct recorded *line, struct tmap_machine *machine)
{
	struct tmap_prrte_request rq = TMAP_PRRTE_REQUEST_INIT;
	struct tmap_placement p;
	struct tmap_program programs[MOST_PROGRAMS];
	char *seats;

	rq.node_slots = line->slots;
	if (strchr(line->field[2], '/'))
		rq.program_count = programs_parse(programs, line->field[2]);
	else if (is_given(line->field[2]))
		rq.ranks = (int)strtol(line->field[2], NULL, 10);
	rq.programs = rq.program_count ? programs : NULL;
	if ((is_given(line->field[3]) && tmap_prrte_parse_map_by(&rq, line->field[3], &err) < 0) ||
	    (is_given(line->field[4]) && tmap_prrte_parse_rank_by(&rq, line->field[4], &err) < 0) ||
	    (is_given(line->field[5]) && tmap_prrte_parse_bind_to(&rq, line->field[5], &err) < 0) ||
	    tmap_prrte_place(&p, machine, &rq, &err) < 0)
		return tmap_strdup("refused", &err);
	ck_assert_int_eq(tmap_placement_check(&p, &err), 0);
	seats = seats_print(&p);
	tmap_placement_fini(&p);
	return seats;
}

START_TEST(ranks_sit_where_mpirun_puts_them)
{
	FILE *file = fopen("tests/data/openmpi5.maps", "r");
	char text[65536], *answer;
	int compared = 0, placed = 0;

	ck_assert(file != NULL);
	while (fgets(text, sizeof text, file)) {
		struct tmap_machine *machine;
		struct recorded line;

		if (text[0] == '#')
			continue;
		recorded_parse(&line, text);
		machine = recorded_machine(&line);
		if (!machine)
			continue;
		answer = recorded_answer(&line, machine);
		ck_assert_msg(strcmp(answer, line.field[6]) == 0,
			      "%s;%s;%s;%s;%s;%s\nwant %s\nhave %s", line.field[0], line.field[1],
			      line.field[2], line.field[3], line.field[4], line.field[5],
			      line.field[6], answer);
		compared++;
		placed += strcmp(answer, "refused") != 0;
		free(answer);
		tmap_machine_free(machine);
	}
	fclose(file);
	ck_assert_int_gt(compared, 50);
	ck_assert_int_gt(placed, 30);
}
END_TEST

static const struct refused {
	const char *line;
	int slots, ranks;
	const char *map_by, *rank_by, *bind_to;
	const char *reason;
} refused[] = {
	{ "node:2 core:4", 4, 9, "core", "-", "core",
	  "9 ranks do not fit on the 8 slots of 2 nodes" },
	{ "node:1 package:2 core:4", 8, 4, "core", "-", "package",
	  "mapped to a core cannot be bound to the package" },
	{ "node:2 package:2 core:4", 8, 9, "slot", "node", "core", "numbers by node with gaps" },
	{ "node:1 package:2 core:4", 8, 3, "slot", "fill", "-", "only where they are mapped by" },
	{ "node:1 package:2 core:4 pu:2", 8, 3, "core:PE=2", "-", "-", "not by core" },
	{ "node:1 package:2 core:4 pu:2", 8, 3, "package:PE=3", "-", "-",
	  "1 of 3 ranks is mapped to no node: the first package of node 'n0' has 1 free cpu, and a "
	  "rank needs 3" },
	{ "node:1 package:2 core:4 pu:2", 9, 3, "slot:PE=3", "-", "-",
	  "1 of 3 ranks is mapped to no node: node 'n0' has 2 free cpus, and a rank needs 3" },
	{ "node:1 package:2 core:4 pu:2", 8, 2, "slot:PE=5", "-", "-",
	  "no package of node 'n0' has 5 free cpus" },
	{ "node:1 package:2 core:2 pu:2", 8, 1, "slot:PE=3", "-", "-",
	  "no package of node 'n0' has 3 free cpus" },
	{ "node:1 package:2 core:4 pu:2", 8, 3, "package:PE=2", "-", "numa",
	  "--bind-to can be core or hwthread" },
	{ "node:1 package:2 core:4 pu:2", 8, 3, "package:ORDERED", "-", "package",
	  "ORDERED binds to cpus, which excludes --bind-to package" },
	{ "node:1 package:2 core:4 pu:2", 8, 3, "pe-list=3,2", "-", "-",
	  "1 of 3 ranks is mapped to no node: pe-list=3,2 has 2 items, and a node takes one rank for "
	  "each" },
	{ "node:1 package:2 core:4 pu:2", 8, 2, "pe-list=0-1:ORDERED", "-", "-",
	  "pe-list=0-1 has 1 item, and a node takes one rank for each; a range is one item" },
	{ "node:1 package:2 core:4 pu:2", 8, 3, "pe-list=0,1:ORDERED", "-", "core:overload-allowed",
	  "pe-list=0,1 has 2 items, and a node takes one rank for each" },
	{ "node:1 package:2 core:4", 8, 4, "ppr:3:node", "-", "-",
	  "1 of 4 ranks is mapped to no node: ppr:3:node gives node 'n0' 3 ranks and no more" },
	{ "node:1 core:4", 4, 2, "-", "-", "l2cache", "node 'n0' has no l2cache to bind to" },
	{ "node:1 core:4", 4, 2, "l2cache", "-", "-", "node 'n0' has no l2cache to map to" },
	{ "node:1 package:2 core:4", 9, 9, "package", "-", "-",
	  "the first package of node 'n0' has 0 free cpus, and a rank needs 1; --bind-to "
	  "package:overload-allowed allows ranks to share cpus" },
	{ "node:1 package:2 core:4", 9, 9, "package", "-", "package:overload-allowed", NULL },
	{ "node:1 package:2 core:4", 10, 10, "ppr:5:package", "-", "core:overload-allowed",
	  "node 'n0' has no free cpu for one more rank" },
	{ "node:2 core:4", 4, 2, "slot:PE=3", "-", "-",
	  "PE=3 takes cpus of one package where ranks are mapped to whole nodes, and node 'n1' has "
	  "no package" },
	{ "node:1 package:2 core:4 pu:2", 8, 2, "pe-list=3,4", "-", "-", "not in one package" },
	{ "node:1 package:2 core:4 pu:2", 8, 2, "pe-list=3,2,9:ORDERED", "-", "-", NULL },
	{ "node:1 package:2 core:4 pu:2", 8, 2, "pe-list=9,2,3:ORDERED", "-", "-", "lacks a cpu" },
	{ "node:1 package:2 core:4", 8, 3, "core", "-", "l3cache",
	  "mapped to a core cannot be bound to the l3cache" },
	{ "node:1 package:2 core:4", 8, 3, "slot", "-", "l3cache", "has no l3cache to bind to" },
	{ "node:1 package:2 core:4", 8, 3, "ppr:2:package", "span", "-",
	  "ppr:2:package starts 4 processes" },
	{ "node:1 package:2 core:4", 9, 9, "ppr:9:node", "-", "core", "no free cpu" },
	{ "node:2 package:2 core:4", 1, 3, "seq:OVERSUBSCRIBE", "-", "-",
	  "one rank to each node of the list, which has 2 for 3 ranks" },
	{ "node:2 package:2 core:4", 1, 2, "seq:NOLOCAL", "-", "-", "fails with seq:NOLOCAL" },
	{ "node:1 package:2 core:4", 1, 1, "slot:NOLOCAL", "-", "-", "no node is left" },
};

START_TEST(what_mpirun_refuses_is_refused_with_the_reason)
{
	const struct refused *want = &refused[_i];
	struct tmap_machine *machine = read_machine(want->line);
	struct tmap_prrte_request rq = TMAP_PRRTE_REQUEST_INIT;
	struct tmap_placement p;

	rq.ranks = want->ranks;
	rq.slots = want->slots;
	if (is_given(want->map_by))
		ck_assert_int_eq(tmap_prrte_parse_map_by(&rq, want->map_by, &err), 0);
	if (is_given(want->rank_by))
		ck_assert_int_eq(tmap_prrte_parse_rank_by(&rq, want->rank_by, &err), 0);
	if (is_given(want->bind_to))
		ck_assert_int_eq(tmap_prrte_parse_bind_to(&rq, want->bind_to, &err), 0);
	ck_assert_int_eq(tmap_prrte_place(&p, machine, &rq, &err), want->reason ? -1 : 0);
	if (want->reason)
		ck_assert_msg(strstr(err.text, want->reason) != NULL, "%s", err.text);
	else
		tmap_placement_fini(&p);
	tmap_machine_free(machine);
}
END_TEST

static const struct word {
	int (*parse)(struct tmap_prrte_request *, const char *, struct tmap_error *);
	const char *word, *reason;
} words[] = {
	{ tmap_prrte_parse_map_by, "", "unknown object ''" },
	{ tmap_prrte_parse_map_by, ":", "unknown object ':'" },
	{ tmap_prrte_parse_map_by, "board", "unknown object 'board'" },
	{ tmap_prrte_parse_map_by, "dist", "unknown object 'dist'" },
	{ tmap_prrte_parse_map_by, "cores", NULL },
	{ tmap_prrte_parse_map_by, "socket:core", NULL },
	{ tmap_prrte_parse_map_by, "package:hwthread", "unknown modifier 'hwthread'" },
	{ tmap_prrte_parse_map_by, "core:PE=", "PE: " },
	{ tmap_prrte_parse_map_by, "core:PE=0", "PE: " },
	{ tmap_prrte_parse_map_by, "core:PE=2x", "PE: " },
	{ tmap_prrte_parse_map_by, "core:wide", "unknown modifier 'wide'" },
	{ tmap_prrte_parse_map_by, "core:HWTCPUS:CORECPUS", "corecpus excludes hwtcpus" },
	{ tmap_prrte_parse_map_by, "core:OVER:NOOVER", "nooversubscribe excludes oversubscribe" },
	{ tmap_prrte_parse_map_by, "ppr", "ppr:N:OBJECT" },
	{ tmap_prrte_parse_map_by, "ppr:2", "ppr:N:OBJECT" },
	{ tmap_prrte_parse_map_by, "ppr:0:core", "ppr: " },
	{ tmap_prrte_parse_map_by, "ppr:x:core", "ppr: " },
	{ tmap_prrte_parse_map_by, "ppr:2:slot", "unknown object 'slot'" },
	{ tmap_prrte_parse_map_by, "rankfile:file=x", "--from openmpi5:NAME" },
	{ tmap_prrte_parse_map_by, "seq:file=x", NULL },
	{ tmap_prrte_parse_map_by, "seq:file=a/b-c", "a hyphen in its path" },
	{ tmap_prrte_parse_map_by, "seq:file=", "seq:file=NAME" },
	{ tmap_prrte_parse_map_by, "seq:file", "seq:file=NAME" },
	{ tmap_prrte_parse_map_by, "slot:file=x", "file= goes with seq" },
	{ tmap_prrte_parse_map_by, "pe-list", "pe-list=0,2-3" },
	{ tmap_prrte_parse_map_by, "pe-list=", "pe-list=0,2-3" },
	{ tmap_prrte_parse_map_by, "pe-list=1,,2", "no list of cpus" },
	{ tmap_prrte_parse_map_by, "pe-list=1-2-3", "more than two ends" },
	{ tmap_prrte_parse_map_by, "pe-list=1234567", "at most 999999" },
	{ tmap_prrte_parse_map_by, "pe-list=1-1234567", "at most 999999" },
	{ tmap_prrte_parse_map_by, "averyveryveryveryverylongwordindeedwhichgoesonandon",
	  "unknown object 'averyveryveryveryverylongwordindeedwhich'" },
	{ tmap_prrte_parse_rank_by, "core", "unknown ranking 'core'" },
	{ tmap_prrte_parse_rank_by, "slot:fill", "unknown ranking 'slot:fill'" },
	{ tmap_prrte_parse_bind_to, "", "unknown object ''" },
	{ tmap_prrte_parse_bind_to, "slot", "unknown object 'slot'" },
	{ tmap_prrte_parse_bind_to, "board", "unknown object 'board'" },
	{ tmap_prrte_parse_bind_to, "core:always", "unknown qualifier 'always'" },
	{ tmap_prrte_parse_bind_to, "core:overload", "unknown qualifier 'overload'" },
	{ tmap_prrte_parse_bind_to, "core:", "unknown qualifier ':'" },
	{ tmap_prrte_parse_bind_to, "cor", NULL },
	{ tmap_prrte_parse_bind_to, "socket", NULL },
};

START_TEST(bad_words_are_refused)
{
	const struct word *word = &words[_i];
	struct tmap_prrte_request rq = TMAP_PRRTE_REQUEST_INIT;

	ck_assert_int_eq(word->parse(&rq, word->word, &err), word->reason ? -1 : 0);
	if (word->reason)
		ck_assert_msg(strstr(err.text, word->reason) != NULL, "%s", err.text);
}
END_TEST

START_TEST(words_are_cut_and_run_on_as_mpirun_takes_them)
{
	struct tmap_prrte_request rq = TMAP_PRRTE_REQUEST_INIT;

	ck_assert_int_eq(tmap_prrte_parse_map_by(&rq, "NU:pe=4:s:OVER", &err), 0);
	ck_assert_int_eq(rq.map_by, TMAP_PRRTE_MAP_OBJECT);
	ck_assert_int_eq(rq.map_object, TMAP_NUMA);
	ck_assert_int_eq(rq.pe, 4);
	ck_assert(rq.span && rq.oversubscribe);
	ck_assert_int_eq(tmap_prrte_parse_map_by(&rq, "n", &err), 0);
	ck_assert_int_eq(rq.map_by, TMAP_PRRTE_MAP_NODE);
	ck_assert_int_eq(tmap_prrte_parse_map_by(&rq, "socket:core", &err), 0);
	ck_assert_int_eq(rq.map_object, TMAP_PACKAGE);
	ck_assert(rq.corecpus && !rq.span);
	ck_assert_int_eq(tmap_prrte_parse_map_by(&rq, "hwthreads", &err), 0);
	ck_assert_int_eq(rq.map_object, TMAP_PU);
	ck_assert(rq.hwtcpus);
	ck_assert_int_eq(tmap_prrte_parse_map_by(&rq, "pe-list=3,1:ordered", &err), 0);
	ck_assert_int_eq(rq.map_by, TMAP_PRRTE_MAP_CPUS);
	ck_assert(rq.ordered && !rq.hwtcpus);
	ck_assert_int_eq(tmap_prrte_parse_rank_by(&rq, "sp", &err), 0);
	ck_assert_int_eq(rq.rank_by, TMAP_PRRTE_RANK_SPAN);
	ck_assert_int_eq(tmap_prrte_parse_bind_to(&rq, "L3:o-a:if-s", &err), 0);
	ck_assert_int_eq(rq.bind_to, TMAP_L3);
	ck_assert(rq.overload && rq.if_supported && rq.bind_given);
	ck_assert_int_eq(tmap_prrte_parse_bind_to(&rq, ":overload-allowed", &err), 0);
	ck_assert_int_eq(rq.bind_to, TMAP_NODE);
	ck_assert_int_eq(tmap_prrte_parse_bind_to(&rq, "default", &err), 0);
	ck_assert(!rq.bind_given);
}
END_TEST

/* Nodes that are alike are worked out once: the last of many is as the first. */
START_TEST(a_million_ranks_are_placed)
{
	struct tmap_machine *machine = read_machine("node:8192 package:2 core:64 pu:2");
	static const char *const maps[] = { "package", "package:SPAN", "slot", "ppr:64:package" };

	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		struct tmap_prrte_request rq = TMAP_PRRTE_REQUEST_INIT;
		struct tmap_placement p;

		ck_assert_int_eq(tmap_prrte_parse_map_by(&rq, maps[i], &err), 0);
		ck_assert_int_eq(tmap_prrte_parse_bind_to(&rq, "core", &err), 0);
		ck_assert_msg(tmap_prrte_place(&p, machine, &rq, &err) == 0, "%s", err.text);
		ck_assert_int_eq(p.size, 1 << 20);
		ck_assert_int_eq(p.place_count, 128);
		ck_assert_int_eq(p.node[p.size - 1], 8191);
		tmap_placement_fini(&p);
	}
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *s = suite_create("prrte");
	TCase *tc = tcase_create("place");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, ranks_sit_where_mpirun_puts_them);
	tcase_add_loop_test(tc, what_mpirun_refuses_is_refused_with_the_reason, 0,
			    sizeof refused / sizeof *refused);
	tcase_add_loop_test(tc, bad_words_are_refused, 0, sizeof words / sizeof *words);
	tcase_add_test(tc, words_are_cut_and_run_on_as_mpirun_takes_them);
	tcase_add_test(tc, a_million_ranks_are_placed);
	suite_add_tcase(s, tc);
	return s;
}
