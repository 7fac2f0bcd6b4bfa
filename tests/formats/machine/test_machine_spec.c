/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: counts by hand, and the exact place of the caret in every bad line.
 */
#include "core/base/mem.h"
#include "formats/machine/machine_spec.h"
#include "tests/support/printed.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static struct tmap_machine *read_specs(const char *a, const char *b)
{
	const char *const specs[] = { a, b };
	struct tmap_machine *machine = tmap_machine_read_specs(specs, b ? 2 : 1, &err);

	ck_assert_msg(machine != NULL, "%s", printed(&err));
	return machine;
}

static const struct good_line {
	const char *line;
	int nodes, packages, numas, cores, pus; /* of one node, but for the first */
} good_lines[] = {
	{ "node:4 package:2 numa:2 l3:1 core:4 pu:1", 4, 2, 4, 16, 16 },
	{ "node:4 package:2 core:4", 4, 2, 1, 8, 8 },
	{ "node:1 package:2 core:4 pu:8", 1, 2, 1, 8, 64 },
	{ "node:2 l2:3", 2, 0, 1, 0, 3 },
	{ "node:3", 3, 0, 1, 0, 1 },
	{ "  node:3\tcore:2  ", 3, 0, 1, 2, 2 },
	{ "NODE:3 Package:2 CORE:2 PU:2", 3, 2, 1, 4, 8 },
	{ "node:2 pack:2 [numa] [numa(memory=16GB)] core:3", 2, 2, 2, 6, 6 },
	{ "node:2 (memory=4GB) pack:2 core:2", 2, 2, 1, 4, 4 },
	{ "node:2 board:2 package:2 numa:1 l3:1 core:2", 2, 4, 4, 8, 8 },
	{ "node:2 group:2 package:2 core:2", 2, 4, 1, 8, 8 },
	{ "node:2 package:2 die:2 l3cache:2 core:1", 2, 2, 1, 8, 8 },
	{ "node:2 4", 2, 0, 1, 0, 4 },
	{ "node:2 socket:2 core:2", 2, 2, 1, 4, 4 },
};

START_TEST(good_lines_give_their_objects)
{
	const struct good_line *want = &good_lines[_i];
	struct tmap_machine *machine = read_specs(want->line, NULL);
	const struct tmap_topology *topo = &machine->topology[0];

	ck_assert_int_eq(machine->node_count, want->nodes);
	ck_assert_int_eq(machine->topology_count, 1);
	ck_assert_int_eq(tmap_topology_count(topo, TMAP_PACKAGE), want->packages);
	ck_assert_int_eq(tmap_topology_count(topo, TMAP_NUMA), want->numas);
	ck_assert_int_eq(tmap_topology_count(topo, TMAP_CORE), want->cores);
	ck_assert_int_eq(topo->pu_count, want->pus);
	tmap_machine_free(machine);
}
END_TEST

static const struct {
	const char *line;
	int count;
	int64_t size_bytes[4];
} memories[] = {
	{ "node:1 core:2", 1, { 0 } },
	{ "node:1 (memory=4GiB) core:2", 1, { 0 } }, /* hwloc does not hand it on */
	{ "node:1 numa:2 core:2", 2, { 0, 0 } },
	{ "node:1 (memory=4GiB) numa:2 core:2", 2, { 0, 0 } },
	{ "node:1 numa:2(memory=1GiB) core:2", 2, { INT64_C(1) << 30, INT64_C(1) << 30 } },
	{ "node:1 package:2 [numa] core:2", 2, { 0, 0 } },
	{ "node:1 [numa] [numa(memory=16GiB)] core:2", 2, { 0, INT64_C(16) << 30 } },
};

START_TEST(memory_that_a_line_does_not_name_is_unknown)
{
	struct tmap_machine *machine = read_specs(memories[_i].line, NULL);
	const struct tmap_topology *topo = &machine->topology[0];

	ck_assert_int_eq(topo->memory_count, memories[_i].count);
	for (int m = 0; m < topo->memory_count; m++)
		ck_assert_int_eq(topo->memory[m].size_bytes, memories[_i].size_bytes[m]);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(board_is_a_level)
{
	struct tmap_machine *machine = read_specs("node:1 board:2 package:4 core:6", NULL);

	ck_assert_int_eq(tmap_topology_count(&machine->topology[0], TMAP_BOARD), 2);
	tmap_machine_free(machine);
}
END_TEST

static const struct bad_line {
	const char *line;
	int column;         /* of the caret */
	const char *reason; /* part of what is said below the line */
} bad_lines[] = {
	{ "node:4 pak:2", 7, "unknown level 'pak'" },
	{ "node:4 package:2 node:2", 17, "for NUMA nodes write 'numa'" },
	{ "node:4 NODE:2", 7, "for NUMA nodes write 'numa'" },
	{ "node:4 machine:1 core:2", 7, "unknown level 'machine'" },
	{ "node:0 core:1", 5, "at least 1" },
	{ "node:4 core:0", 12, "at least 1" },
	{ "node:99999999999999999999 core:2", 5, "the most nodes of a job are 4194304" },
	{ "node:4194305 core:2", 5, "the most nodes of a job are 4194304" },
	{ "node:-1 core:2", 5, "a number is missing" },
	{ "node:", 5, "a number is missing" },
	{ "node:4x core:2", 6, "a blank is missing" },
	{ "node:2 core:", 12, "a number is missing" },
	{ "node:2 core", 7, "NAME:NUMBER" },
	{ "node:2 core:4x pu:2", 13, "a blank is missing" },
	{ "node:2 core:4,pu:2", 13, "a blank is missing" },
	{ "node:2 core:5000", 12, "the most of one level is 4096" },
	{ "node:2 package:8 l3:16 core:100 pu:8", 32, "the most is 16384" },
	{ "node:2 [node] core:2", 8, "only 'numa' can stand in brackets" },
	{ "node:2 [core:2]", 8, "only 'numa' can stand in brackets" },
	{ "node:2 [numa core:2", 12, "']' is missing" },
	{ "node:2 core:2(size=3", 13, "parenthesis is not closed" },
	{ "node:2 core:4(si=3)", 14,
	  "unknown attribute 'si' (one of: memory, memorysidecachesize" },
	{ "node:2 core:4(indexes)", 14, "unknown attribute 'indexes'" },
	{ "node:2 core:4(memory=1GB  indexes=0)", 25, "unknown attribute ''" },
	{ "node:2 core:4(size=3MB)", 14, "unknown attribute 'size'" },
	{ "node:2 l3:4(indexes=0 memory=3MB)", 22, "(one of: size, memorysidecachesize, indexes)" },
	{ "node:2 core:2 core:2", 7, "several core levels" },
	{ "node:2 pu:2 core:2", 7, "PU" },
	{ "package:2 core:4", 0, "begins with 'node:'" },
};

START_TEST(bad_lines_get_a_caret)
{
	const struct bad_line *bad = &bad_lines[_i];
	char *want = tmap_format(&err, "not a machine:\n%s\n%*s^ ", bad->line, bad->column, "");

	ck_assert_ptr_null(tmap_machine_read_specs(&bad->line, 1, &err));
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_msg(strncmp(printed(&err), want, strlen(want)) == 0, "%s", printed(&err));
	ck_assert_msg(strstr(printed(&err) + strlen(want), bad->reason) != NULL, "%s",
		      printed(&err));
	free(want);
}
END_TEST

START_TEST(a_long_line_is_cut_around_the_mistake)
{
	char line[2000] = "node:1";
	const char *spec = line, *shown, *below;

	for (int i = 0; i < 150; i++)
		strcat(line, i == 100 ? " oops:1" : " group:1");
	ck_assert_ptr_null(tmap_machine_read_specs(&spec, 1, &err));
	shown = strchr(printed(&err), '\n') + 1;
	below = strchr(shown, '\n') + 1;
	ck_assert_int_le(below - shown, 80);
	ck_assert_int_eq(strstr(shown, "oops:1") - shown, strchr(below, '^') - below);
	ck_assert_ptr_nonnull(strstr(below, "unknown level 'oops'"));
}
END_TEST

START_TEST(several_operands_number_their_nodes_through)
{
	struct tmap_machine *machine = read_specs("node:2 core:4", "node:3 core:2 pu:2");

	ck_assert_int_eq(machine->node_count, 5);
	ck_assert_int_eq(machine->topology_count, 2);
	ck_assert_str_eq(machine->node_name[0], "n0");
	ck_assert_str_eq(machine->node_name[4], "n4");
	ck_assert_int_eq(machine->node_topology[1], 0);
	ck_assert_int_eq(machine->node_topology[2], 1);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(equal_lines_share_one_description)
{
	struct tmap_machine *machine =
		read_specs("node:2 package:1 core:4", "node:3 pack:1 core:4 pu:1");

	ck_assert_int_eq(machine->node_count, 5);
	ck_assert_int_eq(machine->topology_count, 1);
	tmap_machine_free(machine);
}
END_TEST

static char *recorded(const char *count, const char *file)
{
	return tmap_format(&err, "%s%s/topologies/%s", count, test_data(), file);
}

START_TEST(one_file_gives_its_host_name)
{
	char *a = recorded("", "plafrim2-miriel063.xml"), *b = recorded("1*", "avakas-node002.xml");
	struct tmap_machine *machine = read_specs(a, b);

	ck_assert_str_eq(machine->node_name[0], "miriel063");
	ck_assert_str_eq(machine->node_name[1], "node002");
	tmap_machine_free(machine);
	machine = read_specs(a, a);
	ck_assert_str_eq(machine->node_name[0], "miriel063");
	ck_assert_str_eq(machine->node_name[1], "n1");
	ck_assert_int_eq(machine->topology_count, 1);
	tmap_machine_free(machine);
	free(a);
	free(b);
}
END_TEST

START_TEST(several_nodes_of_a_file_are_numbered)
{
	char *a = recorded("3*", "plafrim2-miriel063.xml");
	struct tmap_machine *machine = read_specs(a, "node:1 core:2");

	ck_assert_int_eq(machine->node_count, 4);
	ck_assert_str_eq(machine->node_name[0], "n0");
	ck_assert_str_eq(machine->node_name[3], "n3");
	tmap_machine_free(machine);
	free(a);
}
END_TEST

START_TEST(a_count_of_files_has_limits)
{
	static const char *const specs[] = { "0*x.xml", "4194305*x.xml",
					     "99999999999999999*x.xml" };

	for (int i = 0; i < 3; i++) {
		ck_assert_ptr_null(tmap_machine_read_specs(&specs[i], 1, &err));
		ck_assert_int_eq(err.kind, TMAP_INPUT);
		ck_assert_ptr_nonnull(strstr(printed(&err), "1 to 4194304 nodes"));
	}
}
END_TEST

START_TEST(what_is_neither_file_nor_line_is_told)
{
	static const char *const specs[] = { "", "oops", "4*oops" };

	for (int i = 0; i < 3; i++) {
		ck_assert_ptr_null(tmap_machine_read_specs(&specs[i], 1, &err));
		ck_assert_int_eq(err.kind, TMAP_INPUT);
		ck_assert_ptr_nonnull(strstr(printed(&err), "neither a file nor a line"));
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("machine_spec");
	TCase *tcase = tcase_create("operands");

	tcase_add_loop_test(tcase, good_lines_give_their_objects, 0,
			    sizeof good_lines / sizeof good_lines[0]);
	tcase_add_loop_test(tcase, bad_lines_get_a_caret, 0,
			    sizeof bad_lines / sizeof bad_lines[0]);
	tcase_add_loop_test(tcase, memory_that_a_line_does_not_name_is_unknown, 0,
			    sizeof memories / sizeof memories[0]);
	tcase_add_test(tcase, board_is_a_level);
	tcase_add_test(tcase, a_long_line_is_cut_around_the_mistake);
	tcase_add_test(tcase, several_operands_number_their_nodes_through);
	tcase_add_test(tcase, equal_lines_share_one_description);
	tcase_add_test(tcase, a_count_of_files_has_limits);
	tcase_add_test(tcase, what_is_neither_file_nor_line_is_told);
	if (test_data()) {
		tcase_add_test(tcase, one_file_gives_its_host_name);
		tcase_add_test(tcase, several_nodes_of_a_file_are_numbered);
	} else {
		test_skip("the recorded machines (TOPOMAP_DATA or ../shared/data) are not there");
	}
	suite_add_tcase(suite, tcase);
	return suite;
}
