/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: lists of levels worked out by hand from the definition for regular machines,
 * given as (type, PUs per object); on random lopsided machines, the definition itself,
 * looked up object by object.
 */
#include "core/machine/levels.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "formats/machine/hwloc.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
	enum tmap_type type;
	int width;
};

/* A node of @p pus PUs, cut into equal pieces for each row; width 0 ends the rows. */
static struct tmap_topology make(int pus, const struct row *row)
{
	struct tmap_topology topo = { 0 };
	struct tmap_error err;

	ck_assert_int_eq(tmap_topology_init(&topo, pus, &err), 0);
	for (; row->width; row++)
		for (int at = 0; at < pus; at += row->width)
			ck_assert_int_eq(tmap_topology_add(&topo, row->type, at, at + row->width,
							   TMAP_NONE, 0, &err),
					 0);
	ck_assert_msg(tmap_topology_finish(&topo, &err) == 0, "%s", err.text);
	return topo;
}

static void add_nodes(struct tmap_machine *machine, struct tmap_topology *topo, int count)
{
	struct tmap_error err;
	int t = tmap_machine_add_topology_take(machine, topo, &err);
	char name[16];

	ck_assert_int_ge(t, 0);
	for (int i = 0; i < count; i++) {
		snprintf(name, sizeof name, "n%d", machine->node_count);
		ck_assert_int_eq(tmap_machine_add_node(machine, name, t, &err), 0);
	}
}

static void add_tier(struct tmap_machine *machine, const char *name, int switches, const int *of)
{
	struct tmap_tier tier = { .name = strdup(name), .switch_count = switches };
	struct tmap_error err;
	size_t size = (size_t)machine->node_count * sizeof *of;

	tier.switch_name = calloc((size_t)switches, sizeof *tier.switch_name);
	for (int s = 0; s < switches; s++)
		tier.switch_name[s] = strdup("s");
	tier.switch_of = malloc(size);
	memcpy(tier.switch_of, of, size);
	ck_assert_msg(tmap_machine_add_tier_take(machine, &tier, &err) == 0, "%s", err.text);
}

/* "node:4 numa:8 core:64" */
static char *describe(const struct tmap_levels *levels)
{
	struct tmap_str text = TMAP_STR_INIT;
	struct tmap_error err;

	for (int i = 0; i < levels->count; i++)
		tmap_str_addf(&text, "%s%s:%d", i ? " " : "", levels->level[i].name,
			      levels->level[i].object_count);
	return tmap_str_take(&text, &err);
}

static void check_levels(const struct tmap_machine *machine, const char *expected)
{
	struct tmap_levels levels;
	struct tmap_error err;
	char *text;

	ck_assert_msg(tmap_levels_init(&levels, machine, &err) == 0, "%s", err.text);
	text = describe(&levels);
	ck_assert_str_eq(text, expected);
	free(text);
	tmap_levels_fini(&levels);
}

static const struct {
	const char *what;
	int nodes, pus;
	struct row row[12];
	const char *expected;
} regular[] = {
	{ "one PU", 1, 1, { { 0, 0 } }, "node:1" },
	{ "nodes of bare PUs", 3, 4, { { 0, 0 } }, "node:3 pu:12" },
	{ "a single NUMA node is the package, and a core its PU",
	  2,
	  8,
	  { { TMAP_PACKAGE, 4 }, { TMAP_NUMA, 4 }, { TMAP_L3, 4 }, { TMAP_CORE, 1 } },
	  "node:2 package:4 core:16" },
	{ "a single package is the node",
	  2,
	  8,
	  { { TMAP_PACKAGE, 8 }, { TMAP_L3, 4 }, { TMAP_CORE, 2 } },
	  "node:2 l3:4 core:8 pu:16" },
	{ "Zoot: one memory controller, L2 of two cores",
	  1,
	  16,
	  { { TMAP_NUMA, 16 },
	    { TMAP_PACKAGE, 4 },
	    { TMAP_L2, 2 },
	    { TMAP_L1, 1 },
	    { TMAP_CORE, 1 } },
	  "node:1 package:4 l2:8 l1:16" },
	{ "IG: two boards of four packages",
	  1,
	  48,
	  { { TMAP_BOARD, 24 },
	    { TMAP_PACKAGE, 6 },
	    { TMAP_NUMA, 6 },
	    { TMAP_L3, 6 },
	    { TMAP_CORE, 1 } },
	  "node:1 board:2 package:8 core:48" },
	{ "NUMA inside package",
	  2,
	  16,
	  { { TMAP_PACKAGE, 8 }, { TMAP_NUMA, 4 }, { TMAP_CORE, 1 } },
	  "node:2 package:4 numa:8 core:32" },
	{ "package inside NUMA",
	  2,
	  16,
	  { { TMAP_PACKAGE, 4 }, { TMAP_NUMA, 8 }, { TMAP_CORE, 1 } },
	  "node:2 numa:4 package:8 core:32" },
	{ "L3 across NUMA",
	  2,
	  16,
	  { { TMAP_PACKAGE, 8 }, { TMAP_NUMA, 4 }, { TMAP_L3, 8 }, { TMAP_CORE, 2 } },
	  "node:2 package:4 numa:8 core:16 pu:32" },
	{ "several L3 over several NUMA each",
	  2,
	  16,
	  { { TMAP_PACKAGE, 16 }, { TMAP_NUMA, 2 }, { TMAP_L3, 4 }, { TMAP_CORE, 1 } },
	  "node:2 l3:8 numa:16 core:32" },
	{ "groups inside groups",
	  1,
	  16,
	  { { TMAP_GROUP, 8 }, { TMAP_GROUP, 4 }, { TMAP_CORE, 1 } },
	  "node:1 group:2 group2:4 core:16" },
};

START_TEST(regular_machines_have_the_levels_of_the_definition)
{
	struct tmap_error err;
	struct tmap_machine *machine = tmap_machine_new(&err);
	struct tmap_topology topo = make(regular[_i].pus, regular[_i].row);

	add_nodes(machine, &topo, regular[_i].nodes);
	check_levels(machine, regular[_i].expected);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(one_kind_of_node_lists_its_own_levels)
{
	static const struct row row[] = {
		{ TMAP_PACKAGE, 16 }, { TMAP_NUMA, 4 }, { TMAP_L3, 8 }, { TMAP_L2, 1 },
		{ TMAP_L1, 1 },       { TMAP_CORE, 1 }, { 0, 0 },
	};
	static const enum tmap_type expected[] = { TMAP_NODE, TMAP_L3, TMAP_NUMA, TMAP_L2 };
	struct tmap_topology topo = make(16, row);
	struct tmap_level_order order;
	struct tmap_error err;

	ck_assert_int_eq(tmap_level_order_of(&order, &topo, &err), 0);
	ck_assert_int_eq(order.count, 4);
	for (int i = 0; i < order.count; i++)
		ck_assert_int_eq((int)order.kind[i].type, (int)expected[i]);
	tmap_level_order_fini(&order);
	tmap_topology_fini(&topo);
}
END_TEST

/* Packages are NUMA nodes on one kind only, so both levels stay; a node without packages is
 * one package; what has one L3 per package here and none there still has L3. */
START_TEST(kinds_of_nodes_share_one_list)
{
	static const struct row fat[] = {
		{ TMAP_PACKAGE, 8 }, { TMAP_NUMA, 8 }, { TMAP_L3, 8 }, { TMAP_CORE, 1 }, { 0, 0 },
	};
	static const struct row thin[] = { { TMAP_NUMA, 2 }, { TMAP_CORE, 1 }, { 0, 0 } };
	struct tmap_error err;
	struct tmap_machine *machine = tmap_machine_new(&err);
	struct tmap_topology a = make(16, fat), b = make(4, thin);

	add_nodes(machine, &a, 2);
	add_nodes(machine, &b, 1);
	check_levels(machine, "node:3 package:5 numa:6 l3:4 core:36");
	tmap_machine_free(machine);
}
END_TEST

START_TEST(tiers_come_first_and_only_where_they_say_something)
{
	static const int leaf[] = { 0, 0, 1, 1, 2, 2 }, row[] = { 0, 0, 0, 0, 1, 1 };
	static const int same[] = { 1, 1, 1, 1, 0, 0 }, root[] = { 0, 0, 0, 0, 0, 0 };
	struct tmap_error err;
	struct tmap_machine *machine = tmap_machine_new(&err);
	static const struct row bare[] = { { 0, 0 } };
	struct tmap_topology topo = make(2, bare);

	add_nodes(machine, &topo, 6);
	add_tier(machine, "switch1", 3, leaf);
	add_tier(machine, "row", 2, row);
	add_tier(machine, "hall", 2, same);
	add_tier(machine, "site", 1, root);
	check_levels(machine, "hall:2 switch1:3 node:6 pu:12");
	tmap_machine_free(machine);
}
END_TEST

START_TEST(a_node_without_a_switch_is_under_one_of_its_own)
{
	static const int leaf[] = { 4, TMAP_NONE, 4, TMAP_NONE };
	struct tmap_error err;
	struct tmap_machine *machine = tmap_machine_new(&err);
	static const struct row bare[] = { { 0, 0 } };
	struct tmap_topology topo = make(2, bare);
	struct tmap_levels levels;

	add_nodes(machine, &topo, 4);
	add_tier(machine, "switch1", 5, leaf);
	ck_assert_int_eq(tmap_levels_init(&levels, machine, &err), 0);
	ck_assert_int_eq(levels.level[0].sets.count, 3);
	ck_assert_int_eq(tmap_levels_number(&levels, 0, 0, 0),
			 tmap_levels_number(&levels, 0, 2, 0));
	ck_assert_int_ne(tmap_levels_number(&levels, 0, 1, 0),
			 tmap_levels_number(&levels, 0, 3, 0));
	ck_assert_int_ne(tmap_levels_number(&levels, 0, 1, 0),
			 tmap_levels_number(&levels, 0, 0, 0));
	tmap_levels_fini(&levels);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(ranks_above_a_level_share_an_object_of_their_own)
{
	static const struct row row[] = {
		{ TMAP_PACKAGE, 4 },
		{ TMAP_NUMA, 2 },
		{ TMAP_CORE, 1 },
		{ 0, 0 },
	};
	struct tmap_error err;
	struct tmap_machine *machine = tmap_machine_new(&err);
	struct tmap_topology topo = make(8, row);
	struct tmap_levels levels;
	int numa, package, pu;

	add_nodes(machine, &topo, 2);
	package = tmap_topology_find(machine->topology, TMAP_PACKAGE, 1);
	pu = machine->topology->pu[7].object;
	ck_assert_int_eq(tmap_levels_init(&levels, machine, &err), 0);
	numa = tmap_levels_find(&levels, "numa");
	ck_assert_int_eq(numa, 2);
	ck_assert_int_eq(tmap_levels_find(&levels, "l3"), TMAP_NONE);
	/* node, 2 packages and 4 NUMA nodes can stand for a rank at level numa */
	ck_assert_int_eq(levels.level[numa].sets.count, 2 * 7);
	ck_assert_int_eq(levels.level[numa].object_count, 2 * 4);
	ck_assert_int_ne(tmap_levels_number(&levels, numa, 1, package),
			 tmap_levels_number(&levels, numa, 1, pu));
	ck_assert_int_ne(tmap_levels_number(&levels, numa, 1, package),
			 tmap_levels_number(&levels, numa, 0, package));
	ck_assert_int_eq(tmap_levels_number(&levels, 1, 1, package),
			 tmap_levels_number(&levels, 1, 1, pu));
	tmap_levels_fini(&levels);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(a_level_that_nests_too_deep_is_refused)
{
	struct tmap_topology topo = { 0 };
	struct tmap_level_order order;
	struct tmap_error err;

	ck_assert_int_eq(tmap_topology_init(&topo, 80, &err), 0);
	for (int end = 2; end < 80; end++)
		ck_assert_int_eq(tmap_topology_add(&topo, TMAP_GROUP, 0, end, TMAP_NONE, 0, &err),
				 0);
	ck_assert_int_eq(tmap_topology_finish(&topo, &err), 0);
	ck_assert_int_eq(tmap_level_order_init(&order, &topo, 1, &err), -1);
	ck_assert_int_eq((int)err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, "the nodes have more than 64 levels (groups nested 64 deep)");
	tmap_topology_fini(&topo);
}
END_TEST

/* Cut [from, to) into pieces and give some of them an object of the next type. */
static void grow(struct tmap_topology *topo, const enum tmap_type *type, int depth, int from,
		 int to)
{
	struct tmap_error err;

	while (depth && from < to) {
		int end = from + 1 + rand() % (to - from);

		if (rand() % 5)
			ck_assert_int_eq(
				tmap_topology_add(topo, *type, from, end, TMAP_NONE, 0, &err), 0);
		grow(topo, type + 1, depth - 1, from, end);
		from = end;
	}
}

static struct tmap_topology random_topology(void)
{
	enum tmap_type type[] = { TMAP_BOARD, TMAP_PACKAGE, TMAP_NUMA, TMAP_L3, TMAP_L2, TMAP_CORE };
	struct tmap_topology topo = { 0 };
	struct tmap_error err;
	int pus = 1 + rand() % 40;

	for (int i = 5; i > 0; i--) {
		int j = rand() % (i + 1);
		enum tmap_type swap = type[i];

		type[i] = type[j];
		type[j] = swap;
	}
	ck_assert_int_eq(tmap_topology_init(&topo, pus, &err), 0);
	grow(&topo, type, 6, 0, pus);
	ck_assert_msg(tmap_topology_finish(&topo, &err) == 0, "%s", err.text);
	return topo;
}

/* Of the objects over the same PUs only the deepest is one that a rank can sit on. */
static bool is_seat(const struct tmap_topology *topo, int object)
{
	return tmap_topology_cover(topo, topo->object[object].first_pu,
				   topo->object[object].end_pu) == object;
}

/* Numbers are those of the level's objects where a rank is in one, and dense. */
static void check_numbers(const struct tmap_levels *levels, int at)
{
	const struct tmap_level *level = &levels->level[at];
	const struct tmap_topology *topo = levels->machine->topology;
	bool *seen = calloc((size_t)level->sets.count, sizeof *seen);

	for (int a = 0; a < topo->object_count; a++) {
		int in = tmap_level_object(topo, level->kind, a);
		int number = tmap_levels_number(levels, at, 0, a);

		if (!is_seat(topo, a))
			continue;
		ck_assert_int_ge(number, 0);
		ck_assert_int_lt(number, level->sets.count);
		seen[number] = true;
		if (in != TMAP_NONE)
			ck_assert_int_eq(number, tmap_levels_number(levels, at, 0, in));
		for (int b = 0; b < a && in != TMAP_NONE; b++)
			ck_assert(!is_seat(topo, b) ||
				  (tmap_level_object(topo, level->kind, b) == in) ==
					  (tmap_levels_number(levels, at, 0, b) == number));
	}
	for (int i = 0; i < level->sets.count; i++)
		ck_assert(seen[i]);
	free(seen);
}

static void check_nesting(const struct tmap_levels *levels, int at)
{
	const struct tmap_topology *topo = levels->machine->topology;

	for (int a = 0; a < topo->object_count; a++)
		for (int b = 0; b < a; b++)
			if (tmap_levels_number(levels, at, 0, a) ==
			    tmap_levels_number(levels, at, 0, b))
				ck_assert_int_eq(tmap_levels_number(levels, at - 1, 0, a),
						 tmap_levels_number(levels, at - 1, 0, b));
}

START_TEST(who_shares_an_object_of_a_level_shares_one_of_every_level_above)
{
	for (int round = 0; round < test_cases(400); round++) {
		struct tmap_error err;
		struct tmap_machine *machine = tmap_machine_new(&err);
		struct tmap_topology topo;
		struct tmap_levels levels;

		srand((unsigned)round);
		topo = random_topology();
		add_nodes(machine, &topo, 1);
		ck_assert_int_eq(tmap_levels_init(&levels, machine, &err), 0);
		for (int at = 1; at < levels.count; at++) {
			check_numbers(&levels, at);
			check_nesting(&levels, at);
		}
		tmap_levels_fini(&levels);
		tmap_machine_free(machine);
	}
}
END_TEST

START_TEST(switches_of_random_networks_nest)
{
	struct dice dice = { 11 };

	for (int round = 0; round < test_cases(400); round++) {
		struct tmap_machine *machine = machine_random(&dice, 12);
		struct tmap_levels levels;
		struct tmap_error err;

		ck_assert_int_eq(tmap_levels_init(&levels, machine, &err), 0);
		for (int at = 1; at <= tmap_levels_find(&levels, "node"); at++)
			for (int a = 0; a < machine->node_count; a++)
				for (int b = 0; b < a; b++)
					ck_assert(
						tmap_levels_number(&levels, at, a, 0) !=
							tmap_levels_number(&levels, at, b, 0) ||
						tmap_levels_number(&levels, at - 1, a, 0) ==
							tmap_levels_number(&levels, at - 1, b, 0));
		tmap_levels_fini(&levels);
		tmap_machine_free(machine);
	}
}
END_TEST

/* What one node of each recorded machine must have. Oracle: the definition, by a program of its
 * own over the cpusets that lstopo --disallowed prints. */
static const struct {
	const char *file, *expected;
} recorded[] = {
	{ "16amd64-8n2c.xml", "node:1 package:8 l2:16" },
	{ "16em64t-4s2c2t-offlines.xml", "node:1 package:4 l2:7 pu:12" },
	{ "192em64t-12gr2n8c2t.xml", "node:1 board:12 package:24 l2:192 pu:384" },
	{ "20em64t-hybrid-1p6c2t+2ca4co1t.xml", "node:1 l2:8 l1:14 pu:20" },
	{ "20s390-2g6s4c.xml", "node:1 group:2 board:4 package:8 core:20" },
	{ "256ia64-64n2s2c.xml", "node:1 board:4 group:16 numa:64 package:128 core:256" },
	{ "256ppc-8n8s4t.xml", "node:1 board:4 numa:8 package:64 pu:256" },
	{ "48amd64-4d2n6c.xml", "node:1 package:4 numa:8 l2:48" },
	{ "64amd64-4s2n4ca2co.xml", "node:1 package:4 numa:8 l2:32 l1:64" },
	{ "64intel64-3g2n+2n-irregulargroups+pci.xml", "node:1 board:3 package:8 l2:64" },
	{ "8em64t-2s2ca2c.xml", "node:1 package:2 l2:4 l1:8" },
	{ "8em64t-2s4c-asymcaches.xml", "node:1 package:2 l2:3 l1:5 core:8" },
	{ "96em64t-4no4pa3ca2co.xml", "node:1 board:4 package:16 l2:48 l1:96" },
	{ "AMD-19h-Zen3-2xEpyc-7763.xml", "node:1 package:2 l3:16 l2:128" },
	{ "AMD-K10-Istanbul-8xOpteron-8439SE.xml", "node:1 package:8 l2:48" },
	{ "Intel-Penryn-4xXeon-X7460.xml", "node:1 package:4 l2:12 l1:24" },
	{ "a64fx-4cmg-48core.synthetic.xml", "node:1 board:2 package:4 l1:48" },
	{ "arm64-ulna-hwloc1.xml", "node:1 package:2 l2:64 pu:256" },
	{ "avakas-node002.xml", "node:1 package:2 l2:12" },
	{ "azure-hbv4-176core-24l3.xml", "node:1 package:2 numa:4 l3:24 l2:176" },
	{ "coral-ea-hwloc1.xml", "node:1 package:2 l3:20 pu:160" },
	{ "coral-lassen.xml", "node:1 package:2 l3:20 l1:40 pu:160" },
	{ "cts1-quartz-smt1.xml", "node:1 package:2 l2:36" },
	{ "eas-tioga.xml", "node:1 numa:4 l3:8 l2:64 pu:128" },
	{ "epyc-corona-p2.xml", "node:1 package:2 l3:16 l2:48 pu:96" },
	{ "epyc-corona.xml", "node:1 package:2 numa:8 l3:16 l2:48 pu:96" },
	{ "ig-2board-8pkg-8numa-48core.synthetic.xml", "node:1 board:2 package:8 l2:48" },
	{ "knl-snc4-flat-hwloc1.xml", "node:1 numa:4 l2:34 l1:68 pu:272" },
	{ "memorysidecaches.xml", "node:1 package:2 numa:4 l2:40 pu:80" },
	{ "nvidia-dgx-gb10.xml", "node:1 l3:2 l2:20" },
	{ "offline-cpu0-node0.xml", "node:1 package:2 l2:17" },
	{ "plafrim-bonobo001.xml", "node:1 package:2 l2:4 l1:8" },
	{ "plafrim-dancharia.xml", "node:1 package:8 l2:48" },
	{ "plafrim-manumanu.xml", "node:1 board:10 package:20 l2:160" },
	{ "plafrim-mirage001.xml", "node:1 package:2 l2:12" },
	{ "plafrim-riri.xml", "node:1 package:4 l2:40" },
	{ "plafrim2-miriel063.xml", "node:1 package:2 numa:4 l2:24" },
	{ "plafrim2-miriel064.xml", "node:1 package:2 numa:4 l2:24" },
	{ "plafrim2-miriel065.xml", "node:1 package:2 numa:4 l2:24" },
	{ "plafrim2-souris.xml", "node:1 board:6 package:12 l2:96 pu:192" },
	{ "zoot-4pkg-2L2-2core.synthetic.xml", "node:1 package:4 l2:8 l1:16" },
};

START_TEST(recorded_machines_have_the_levels_of_the_definition)
{
	struct tmap_error err;
	struct tmap_machine *machine = tmap_machine_new(&err);
	char *path = tmap_format(&err, "%s/topologies/%s", test_data(), recorded[_i].file);
	struct tmap_topology topo;

	ck_assert_msg(tmap_hwloc_read_xml(&topo, NULL, path, &err) == 0, "%s", err.text);
	add_nodes(machine, &topo, 1);
	check_levels(machine, recorded[_i].expected);
	tmap_machine_free(machine);
	free(path);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("levels");
	TCase *tests = tcase_create("levels");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, regular_machines_have_the_levels_of_the_definition, 0,
			    (int)(sizeof regular / sizeof regular[0]));
	tcase_add_test(tests, one_kind_of_node_lists_its_own_levels);
	tcase_add_test(tests, kinds_of_nodes_share_one_list);
	tcase_add_test(tests, tiers_come_first_and_only_where_they_say_something);
	tcase_add_test(tests, a_node_without_a_switch_is_under_one_of_its_own);
	tcase_add_test(tests, ranks_above_a_level_share_an_object_of_their_own);
	tcase_add_test(tests, a_level_that_nests_too_deep_is_refused);
	tcase_add_test(tests, who_shares_an_object_of_a_level_shares_one_of_every_level_above);
	tcase_add_test(tests, switches_of_random_networks_nest);
	if (test_data())
		tcase_add_loop_test(tests, recorded_machines_have_the_levels_of_the_definition, 0,
				    (int)(sizeof recorded / sizeof recorded[0]));
	else
		test_skip("the recorded machines (TOPOMAP_DATA or ../shared/data) are not there");
	suite_add_tcase(suite, tests);
	return suite;
}
