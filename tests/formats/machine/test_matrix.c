/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: small matrices written down by hand, the member that the placement writer writes,
 * and the NUMA distances of a recorded machine as its XML says them.
 */
#include "formats/machine/hwloc.h"
#include "formats/machine/hwloc_distances.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/matrix_read.h"

#include "tests/support/machines.h"
#include "tests/support/printed.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static void four_ranks(struct tmap_placement *p)
{
	placement_block_take(p,
			     machine_regular(2,
					     (const struct test_level[]){ { TMAP_L3, 1 },
									  { TMAP_CORE, 2 },
									  { TMAP_NODE, 0 } }));
}

static int parse(struct tmap_matrix *matrix, const struct tmap_placement *p, const char *text)
{
	return tmap_matrix_parse(matrix, text, strlen(text), "m.csv", p, &err);
}

START_TEST(any_usual_separator_will_do)
{
	static const char *const texts[] = {
		"0,1,2,3\n1,0,4,5\n2,4,0,6\n3,5,6,0\n",
		"0 1 2 3\n1 0 4 5\n2 4 0 6\n3 5 6 0",
		"# measured\n\n0;1;2;3\r\n1;0;4;5\r\n2;4;0;6\r\n3;5;6;0\r\n",
		"\t0,\t1.0,\t2e0, 3\n 1 , 0 , 4 , 5 \n  # half\n2,4,0,6,\n3,5,6,0\n\n",
	};
	const double expected[4][4] = {
		{ 0, 1, 2, 3 }, { 1, 0, 4, 5 }, { 2, 4, 0, 6 }, { 3, 5, 6, 0 }
	};
	struct tmap_placement p;
	struct tmap_matrix matrix;

	four_ranks(&p);
	ck_assert_msg(parse(&matrix, &p, texts[_i]) == 0, "%s", printed(&err));
	for (int a = 0; a < 4; a++)
		for (int b = 0; b < 4; b++)
			ck_assert_double_eq(tmap_matrix_distance(&matrix, a, b), expected[a][b]);
	tmap_matrix_fini(&matrix);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(the_mean_of_both_ways_counts)
{
	struct tmap_placement p;
	struct tmap_matrix matrix;

	four_ranks(&p);
	ck_assert_int_eq(parse(&matrix, &p, "9 1 2 3\n2 9 4 5\n4 4 9 6\n3 5 8 9\n"), 0);
	ck_assert_double_eq(tmap_matrix_distance(&matrix, 0, 1), 1.5);
	ck_assert_double_eq(tmap_matrix_distance(&matrix, 1, 0), 1.5);
	ck_assert_double_eq(tmap_matrix_distance(&matrix, 0, 2), 3);
	ck_assert_double_eq(tmap_matrix_distance(&matrix, 3, 2), 7);
	ck_assert_int_eq(tmap_matrix_check(&matrix, &err), 0);
	tmap_matrix_fini(&matrix);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_bad_text_is_refused_with_its_line)
{
	static const char *const cases[][2] = {
		{ "0 1 2 3\n1 0 4 5\n2 4 0 6\n",
		  "m.csv: it has 3 lines of numbers, but there are 4 ranks" },
		{ "0 1 2 3\n1 0 4 5\n2 4 0 6\n3 5 6 0\n1 2 3 4\n",
		  "m.csv: it has 5 lines of numbers, but there are 4 ranks" },
		{ "", "m.csv: it has 0 lines of numbers, but there are 4 ranks" },
		{ "0 1 2 3\n1 0 4\n2 4 0 6\n3 5 6 0\n",
		  "m.csv:2: there are 3 numbers, but 4 ranks" },
		{ "0 1 2 3\n\n1 0 4 5 6\n2 4 0 6\n3 5 6 0\n",
		  "m.csv:3: there are 5 numbers, but 4 ranks" },
		{ "0 1 -2 3\n",
		  "m.csv:1: '-2 3' does not begin with a distance, which is a "
		  "number of at least 0" },
		{ "0 1 nan 3\n",
		  "m.csv:1: 'nan 3' does not begin with a distance, which is a "
		  "number of at least 0" },
		{ "0 1 1e999 3\n",
		  "m.csv:1: '1e999 3' does not begin with a distance, which "
		  "is a number of at least 0" },
		{ "0 1x 2 3\n",
		  "m.csv:1: '1x 2 3' does not begin with a distance, which is a "
		  "number of at least 0" },
		{ "0,,1,2\n",
		  "m.csv:1: ',1,2' does not begin with a distance, which is a "
		  "number of at least 0" },
		{ "0 1 2 3\n1 0 4 1e308\n2 4 0 6\n3 1e308 6 0\n",
		  "m.csv: the distance of the ranks 1 and 3 is 1e+308: so long distances of 4 ranks "
		  "cannot be added up" },
		{ "{\"kind\": \"tree\"}",
		  "m.csv: a placement document is expected, this is a tree document" },
		{ "{\"kind\": \"placement\", \"format\": 1, \"distances\": {}}",
		  "m.csv: distances: the member 'matrix' is missing" },
		{ "{\"kind\": \"placement\", \"format\": 1, \"distances\": {\"matrix\": [[0]]}}",
		  "m.csv: distances.matrix: it has 1 rows, but there are 4 ranks" },
	};
	struct tmap_placement p;
	struct tmap_matrix matrix;

	four_ranks(&p);
	ck_assert_int_eq(parse(&matrix, &p, cases[_i][0]), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(printed(&err), cases[_i][1]);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(the_matrix_of_a_placement_document_is_read)
{
	const struct tmap_placement_json_options options = { .matrix = true };
	struct tmap_placement p;
	struct tmap_matrix matrix;
	struct tmap_metric metric;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	four_ranks(&p);
	ck_assert_int_eq(tmap_placement_write_json(&p, out, &options, &err), 0);
	fclose(out);
	ck_assert_msg(parse(&matrix, &p, text) == 0, "%s", printed(&err));
	ck_assert_int_eq(tmap_metric_init(&metric, &p, TMAP_SCALE_PROCESS, &err), 0);
	for (int a = 0; a < 4; a++)
		for (int b = 0; b < 4; b++)
			ck_assert_double_eq(tmap_matrix_distance(&matrix, a, b),
					    tmap_metric_distance(&metric, a, b));
	free(text);
	tmap_metric_fini(&metric);
	tmap_matrix_fini(&matrix);
	tmap_placement_fini(&p);
}
END_TEST

/* Two NUMA nodes of two cores each, 10 within and 21 between them. */
static const char xml[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
	"<topology version=\"2.0\">\n"
	" <object type=\"Machine\" os_index=\"0\" cpuset=\"0x0000000f\" complete_cpuset=\"0xf\" "
	"allowed_cpuset=\"0xf\" nodeset=\"0x3\" complete_nodeset=\"0x3\" allowed_nodeset=\"0x3\" "
	"gp_index=\"1\">\n"
	"  <object type=\"Group\" cpuset=\"0x3\" complete_cpuset=\"0x3\" nodeset=\"0x1\" "
	"complete_nodeset=\"0x1\" gp_index=\"20\">\n"
	"   <object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x3\" complete_cpuset=\"0x3\" "
	"nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"2\" local_memory=\"1024\"/>\n"
	"   <object type=\"PU\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" "
	"nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"3\"/>\n"
	"   <object type=\"PU\" os_index=\"1\" cpuset=\"0x2\" complete_cpuset=\"0x2\" "
	"nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"4\"/>\n"
	"  </object>\n"
	"  <object type=\"Group\" cpuset=\"0xc\" complete_cpuset=\"0xc\" nodeset=\"0x2\" "
	"complete_nodeset=\"0x2\" gp_index=\"21\">\n"
	"   <object type=\"NUMANode\" os_index=\"1\" cpuset=\"0xc\" complete_cpuset=\"0xc\" "
	"nodeset=\"0x2\" complete_nodeset=\"0x2\" gp_index=\"5\" local_memory=\"1024\"/>\n"
	"   <object type=\"PU\" os_index=\"2\" cpuset=\"0x4\" complete_cpuset=\"0x4\" "
	"nodeset=\"0x2\" complete_nodeset=\"0x2\" gp_index=\"6\"/>\n"
	"   <object type=\"PU\" os_index=\"3\" cpuset=\"0x8\" complete_cpuset=\"0x8\" "
	"nodeset=\"0x2\" complete_nodeset=\"0x2\" gp_index=\"7\"/>\n"
	"  </object>\n"
	" </object>\n"
	"%s"
	"</topology>\n";

static const char latencies[] =
	" <distances2 type=\"NUMANode\" nbobjs=\"2\" kind=\"5\" indexing=\"os\">\n"
	"  <indexes length=\"4\">0 1 </indexes>\n"
	"  <u64values length=\"12\">10 21 21 10 </u64values>\n"
	" </distances2>\n";

static char *with_distances(const char *distances)
{
	char *text = malloc(sizeof xml + strlen(distances));

	sprintf(text, xml, distances);
	return text;
}

/* As many nodes of that kind as @p nodes; rank r on PU r. */
static void numa_ranks(struct tmap_placement *p, const char *text, int nodes)
{
	struct tmap_machine *machine = tmap_machine_new(&err);
	struct tmap_topology topo;
	int seat[4] = { 0, 1, 2, 3 };

	ck_assert_msg(tmap_hwloc_read_xml_buffer(&topo, NULL, text, strlen(text), &err) == 0, "%s",
		      printed(&err));
	ck_assert_int_eq(tmap_machine_add_topology_take(machine, &topo, &err), 0);
	ck_assert_int_eq(tmap_machine_add_node(machine, "one", 0, &err), 0);
	if (nodes > 1)
		ck_assert_int_eq(tmap_machine_add_node(machine, "two", 0, &err), 0);
	for (int r = 0; nodes > 1 && r < 4; r++)
		seat[r] = 2 * r;
	placement_seats_take(p, machine, seat, 4);
}

START_TEST(hwloc_says_how_far_numa_nodes_are_apart)
{
	const double expected[4][4] = {
		{ 0, 10, 21, 21 }, { 10, 0, 21, 21 }, { 21, 21, 0, 10 }, { 21, 21, 10, 0 }
	};
	char *text = with_distances(latencies);
	struct tmap_placement p;
	struct tmap_matrix matrix;

	numa_ranks(&p, text, 1);
	ck_assert_msg(parse(&matrix, &p, text) == 0, "%s", printed(&err));
	for (int a = 0; a < 4; a++)
		for (int b = 0; b < 4; b++)
			ck_assert_double_eq(tmap_matrix_distance(&matrix, a, b), expected[a][b]);
	free(text);
	tmap_matrix_fini(&matrix);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(xml_that_does_not_fit_is_refused)
{
	char *with = with_distances(latencies), *without = with_distances("");
	struct tmap_placement p;
	struct tmap_matrix matrix;

	numa_ranks(&p, without, 1);
	ck_assert_int_eq(parse(&matrix, &p, without), -1);
	ck_assert_str_eq(printed(&err), "m.csv: it records no distances between NUMA nodes");
	ck_assert_int_eq(parse(&matrix, &p, "<html/>"), -1);
	ck_assert_ptr_nonnull(strstr(printed(&err), "refuses it: it is not XML of a topology"));
	ck_assert_int_eq(parse(&matrix, &p, "<topology version=\"3.0\"/>"), -1);
	ck_assert_int_eq(strstr(printed(&err), "--export-xml-flags 2") != NULL,
			 strcmp(tmap_hwloc_version(), "3") < 0);
	tmap_placement_fini(&p);
	numa_ranks(&p, with, 2);
	ck_assert_int_eq(parse(&matrix, &p, with), -1);
	ck_assert_str_eq(printed(&err),
			 "m.csv: hwloc's distances are those of one node, but rank 2 is "
			 "on two and rank 0 on one");
	tmap_placement_fini(&p);
	free(with);
	free(without);
}
END_TEST

START_TEST(a_part_of_a_matrix_keeps_its_distances)
{
	const int rank[] = { 3, 0, 2 };
	struct tmap_placement p;
	struct tmap_matrix matrix, part;

	four_ranks(&p);
	ck_assert_int_eq(parse(&matrix, &p, "0 1 2 3\n1 0 4 5\n2 4 0 6\n3 5 6 0\n"), 0);
	ck_assert_int_eq(tmap_matrix_select(&part, &matrix, rank, 3, &err), 0);
	ck_assert_int_eq(part.size, 3);
	ck_assert_double_eq(tmap_matrix_distance(&part, 0, 1), 3);
	ck_assert_double_eq(tmap_matrix_distance(&part, 0, 2), 6);
	ck_assert_double_eq(tmap_matrix_distance(&part, 1, 2), 2);
	tmap_matrix_fini(&part);
	tmap_matrix_fini(&matrix);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("matrix");
	TCase *c = tcase_create("matrix");

	tcase_add_loop_test(c, any_usual_separator_will_do, 0, 4);
	tcase_add_test(c, the_mean_of_both_ways_counts);
	tcase_add_loop_test(c, a_bad_text_is_refused_with_its_line, 0, 14);
	tcase_add_test(c, the_matrix_of_a_placement_document_is_read);
	tcase_add_test(c, hwloc_says_how_far_numa_nodes_are_apart);
	tcase_add_test(c, xml_that_does_not_fit_is_refused);
	tcase_add_test(c, a_part_of_a_matrix_keeps_its_distances);
	suite_add_tcase(suite, c);
	return suite;
}
