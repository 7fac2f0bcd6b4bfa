/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: recorded_machines.h; for the rest, hwloc's documentation of its synthetic grammar.
 */
#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/distance/distance.h"
#include "formats/machine/hwloc.h"
#include "tests/support/printed.h"
#include "tests/support/recorded_machines.h"
#include "tests/unit.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RECORDED = sizeof recorded_machines / sizeof recorded_machines[0] };

static struct tmap_error err;

static void read_recorded(struct tmap_topology *topo, char **host, const char *file)
{
	char *path = tmap_format(&err, "%s/topologies/%s", test_data(), file);

	ck_assert_msg(tmap_hwloc_read_xml(topo, host, path, &err) == 0, "%s", printed(&err));
	free(path);
}

static void read_line(struct tmap_topology *topo, const char *line)
{
	ck_assert_msg(tmap_hwloc_read_synthetic(topo, line, &err) == 0, "%s", printed(&err));
}

static int count_allowed(const struct tmap_topology *topo)
{
	int count = 0;

	for (int i = 0; i < topo->pu_count; i++)
		count += topo->pu[i].allowed;
	return count;
}

/* "package 2 numa 2 core 8 pu 8" */
static char *print_counts(const struct tmap_topology *topo)
{
	struct tmap_str text = TMAP_STR_INIT;

	for (int type = TMAP_NODE + 1; type < TMAP_TYPE_COUNT; type++) {
		int count = tmap_topology_count(topo, (enum tmap_type)type);

		if (count && type != TMAP_GROUP)
			tmap_str_addf(&text, "%s%s %d", text.length ? " " : "",
				      tmap_type_name((enum tmap_type)type), count);
	}
	return tmap_str_take(&text, &err);
}

/* One rank on each core, whether this job may use it or not; the topology goes. */
static void seat_on_cores_take(struct tmap_placement *p, struct tmap_topology *topo)
{
	struct tmap_machine *machine = tmap_machine_new(&err);
	int rank = 0;

	ck_assert_int_eq(tmap_machine_add_topology_take(machine, topo, &err), 0);
	ck_assert_int_eq(tmap_machine_add_node(machine, "n0", 0, &err), 0);
	topo = &machine->topology[0];
	ck_assert_int_eq(
		tmap_placement_init(p, machine, tmap_topology_count(topo, TMAP_CORE), &err), 0);
	for (int i = 0; i < topo->object_count; i++) {
		struct tmap_idset pus = { 0 };

		if (topo->object[i].type != TMAP_CORE)
			continue;
		for (int pu = topo->object[i].first_pu; pu < topo->object[i].end_pu; pu++)
			ck_assert_int_eq(tmap_idset_add(&pus, topo->pu[pu].os, &err), 0);
		p->node[rank] = 0;
		p->place[rank] = tmap_placement_add_place(p, 0, &pus, NULL, true, &err);
		ck_assert_int_eq(p->place[rank], rank);
		rank++;
		tmap_idset_fini(&pus);
	}
	tmap_machine_free(machine);
}

/* "1:120 5:432 6:576" */
static char *print_pairs(const struct tmap_placement *p)
{
	struct tmap_metric metric;
	struct tmap_str text = TMAP_STR_INIT;
	int64_t *pairs;

	ck_assert_int_eq(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err), 0);
	pairs = tmap_metric_count_pairs(&metric, &err);
	ck_assert_ptr_nonnull(pairs);
	for (int s = 0; s < metric.step_count; s++)
		if (pairs[s])
			tmap_str_addf(&text, "%s%g:%lld", text.length ? " " : "",
				      metric.step[s].value, (long long)pairs[s]);
	free(pairs);
	tmap_metric_fini(&metric);
	return tmap_str_take(&text, &err);
}

START_TEST(recorded_machines_have_the_objects_that_hwloc_shows)
{
	const struct recorded *want = &recorded_machines[_i];
	struct tmap_topology topo;
	char *counts;

	read_recorded(&topo, NULL, want->file);
	counts = print_counts(&topo);
	ck_assert_msg(strcmp(counts, want->counts) == 0, "%s: %s", want->file, counts);
	ck_assert_msg(count_allowed(&topo) == want->allowed, "%s", want->file);
	free(counts);
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(cores_of_recorded_machines_are_as_far_apart_as_defined)
{
	const struct recorded *want = &recorded_machines[_i];
	struct tmap_topology topo;
	struct tmap_placement p;
	char *pairs;

	read_recorded(&topo, NULL, want->file);
	seat_on_cores_take(&p, &topo);
	pairs = print_pairs(&p);
	ck_assert_msg(strcmp(pairs, want->pairs) == 0, "%s: %s", want->file, pairs);
	free(pairs);
	tmap_placement_fini(&p);
}
END_TEST

static void expect_ultrametric(const struct tmap_placement *p, enum tmap_scale scale,
			       const char *file)
{
	int count = p->size < 40 ? p->size : 40;
	struct tmap_metric metric;

	ck_assert_int_eq(tmap_metric_init(&metric, p, scale, &err), 0);
	for (int i = 0; i < count * count * count; i++) {
		int a = i % count * p->size / count, b = i / count % count * p->size / count;
		int c = i / count / count * p->size / count;
		double ab = tmap_metric_distance(&metric, a, b);
		double bc = tmap_metric_distance(&metric, b, c);

		ck_assert_msg(tmap_metric_distance(&metric, a, c) <= (ab > bc ? ab : bc),
			      "%s: %d %d %d", file, a, b, c);
	}
	tmap_metric_fini(&metric);
}

START_TEST(distances_on_recorded_machines_are_ultrametric)
{
	struct tmap_topology topo;
	struct tmap_placement p;

	read_recorded(&topo, NULL, recorded_machines[_i].file);
	seat_on_cores_take(&p, &topo);
	expect_ultrametric(&p, TMAP_SCALE_PROCESS, recorded_machines[_i].file);
	expect_ultrametric(&p, TMAP_SCALE_LEVEL, recorded_machines[_i].file);
	tmap_placement_fini(&p);
}
END_TEST

/* The file is read by this hwloc, or refused with one sentence that says what to do. */
static void expect_read_or(bool is_read, const char *path, const char *counts, const char *cure)
{
	char *wanted = tmap_format(&err, "%s: hwloc %s reads no XML of hwloc %s", path,
				   tmap_hwloc_version(), cure);
	struct tmap_topology topo;
	int status = tmap_hwloc_read_xml(&topo, NULL, path, &err);

	if (is_read) {
		char *found;

		ck_assert_msg(status == 0, "%s", printed(&err));
		found = print_counts(&topo);
		ck_assert_str_eq(found, counts);
		free(found);
		tmap_topology_fini(&topo);
	} else {
		ck_assert_int_eq(status, -1);
		ck_assert_int_eq(err.kind, TMAP_INPUT);
		ck_assert_str_eq(printed(&err), wanted);
	}
	free(wanted);
}

#define EXPORT "3: export it again with hwloc 3's lstopo --export-xml-flags 2 FILE"
#define CONVERT "1: let lstopo of hwloc 2 convert it: lstopo -i OLD.xml NEW.xml"

/* 2.9 refuses XML of hwloc 3 and 2.12 reads it; of the releases between them the file is asked. */
static bool xml_3_is_read(const char *path)
{
	int major = 0, minor = 0;
	struct tmap_topology topo;

	ck_assert_int_eq(sscanf(tmap_hwloc_version(), "%d.%d", &major, &minor), 2);
	if (major != 2)
		return major > 2;
	if (minor <= 9 || minor >= 12)
		return minor >= 12;
	if (tmap_hwloc_read_xml(&topo, NULL, path, &err) < 0)
		return false;
	tmap_topology_fini(&topo);
	return true;
}

#define WRITTEN_BY_3 "tests/data/hwloc3-2package-2core.xml"

/* What lstopo 3.0 has written. */
START_TEST(xml_of_hwloc_3_is_read_or_refused_with_what_to_do)
{
	expect_read_or(xml_3_is_read(WRITTEN_BY_3), WRITTEN_BY_3, "package 2 numa 1 core 4 pu 4",
		       EXPORT);
}
END_TEST

START_TEST(xml_that_stands_in_for_the_machine_is_refused_likewise)
{
	struct tmap_hwloc *hw;

	/* with a list of components hwloc goes on with this machine where it cannot read a file */
	unsetenv("HWLOC_COMPONENTS");
	setenv("HWLOC_XMLFILE", WRITTEN_BY_3, 1);
	hw = tmap_hwloc_open(&err);
	unsetenv("HWLOC_XMLFILE");
	ck_assert_int_eq(hw != NULL, xml_3_is_read(WRITTEN_BY_3));
	if (!hw)
		ck_assert_ptr_nonnull(strstr(printed(&err), EXPORT));
	tmap_hwloc_close(hw);
}
END_TEST

START_TEST(recorded_xml_of_hwloc_3_is_read_or_refused_with_what_to_do)
{
	char *path = tmap_format(&err, "%s/topologies/unloadable-v3-64amd64-4p2n4ca2co.xml",
				 test_data());

	expect_read_or(xml_3_is_read(path), path, "package 4 numa 8 l3 8 l2 32 l1 64 core 64 pu 64",
		       EXPORT);
	free(path);
}
END_TEST

START_TEST(xml_of_hwloc_1_is_read_or_refused_with_what_to_do)
{
	char path[] = "/tmp/topomap-hwloc1-XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");

	ck_assert_ptr_nonnull(file);
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	      "<!DOCTYPE topology SYSTEM \"hwloc.dtd\">\n<topology>\n"
	      "<object type=\"Machine\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" "
	      "online_cpuset=\"0x1\" allowed_cpuset=\"0x1\">\n"
	      "<object type=\"PU\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" "
	      "online_cpuset=\"0x1\" allowed_cpuset=\"0x1\"/>\n</object>\n</topology>\n",
	      file);
	ck_assert_int_eq(fclose(file), 0);
	expect_read_or(strcmp(tmap_hwloc_version(), "3") < 0, path, "numa 1 pu 1", CONVERT);
	unlink(path);
}
END_TEST

static const struct tmap_device *find_device(const struct tmap_topology *topo, const char *name)
{
	for (int i = 0; i < topo->device_count; i++)
		if (strcmp(topo->device[i].name, name) == 0)
			return &topo->device[i];
	ck_abort_msg("no device %s", name);
}

START_TEST(adapters_hang_where_hwloc_hangs_them)
{
	static const struct {
		const char *name;
		enum tmap_device_type type;
		int package;
	} want[] = {
		{ "ib0", TMAP_NETWORK, 7 },
		{ "mlx4_0", TMAP_NETWORK, 6 },
		{ "mlx4_1", TMAP_NETWORK, 7 },
		{ "eth0", TMAP_NETWORK, 0 },
	};
	struct tmap_topology topo;
	char *host = NULL;

	read_recorded(&topo, &host, "plafrim-dancharia.xml");
	ck_assert_str_eq(host, "dancharia");
	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		const struct tmap_device *device = find_device(&topo, want[i].name);
		int package = tmap_topology_ancestor(&topo, device->object, TMAP_PACKAGE);

		ck_assert_int_eq(device->type, want[i].type);
		ck_assert_int_eq(topo.object[package].logical, want[i].package);
	}
	free(host);
	tmap_topology_fini(&topo);
	read_recorded(&topo, NULL, "eas-tioga.xml");
	ck_assert_int_eq(find_device(&topo, "rsmi4")->type, TMAP_GPU);
	ck_assert_int_eq(topo.object[find_device(&topo, "rsmi4")->object].type, TMAP_L3);
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(memories_on_one_controller_keep_their_kinds)
{
	struct tmap_topology topo;

	read_recorded(&topo, NULL, "knl-snc4-flat-hwloc1.xml");
	ck_assert_int_eq(topo.memory_count, 8);
	for (int i = 0; i < 8; i++) {
		ck_assert_str_eq(topo.memory[i].kind, topo.memory[i].os < 4 ? "" : "MCDRAM");
		ck_assert_int_eq(topo.object[topo.memory[i].object].type, TMAP_NUMA);
		ck_assert_int_eq(topo.object[topo.memory[i].object].os, topo.memory[i].os % 4);
		ck_assert_int_gt(topo.memory[i].size_bytes, 0);
	}
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(a_synthetic_line_becomes_its_objects)
{
	struct tmap_topology topo;
	char *counts;
	int l3;

	read_line(&topo, "package:2 [numa] l3:2(size=4MiB) core:3 pu:2");
	counts = print_counts(&topo);
	ck_assert_str_eq(counts, "package 2 numa 2 l3 4 core 12 pu 24");
	free(counts);
	l3 = tmap_topology_find(&topo, TMAP_L3, 3);
	ck_assert_int_eq(topo.object[l3].first_pu, 18);
	ck_assert_int_eq(topo.object[l3].end_pu, 24);
	ck_assert_int_eq(topo.object[l3].size_bytes, 4 << 20);
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(indexes_of_pus_are_the_operating_systems)
{
	struct tmap_topology topo;

	read_line(&topo, "package:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)");
	for (int i = 0; i < 8; i++) {
		static const int want[] = { 0, 4, 1, 5, 2, 6, 3, 7 };

		ck_assert_int_eq(topo.pu[i].os, want[i]);
		ck_assert(topo.pu[i].allowed);
	}
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(a_mistake_in_a_line_is_found)
{
	static const char line[] = "package:2 pak:3 core:2 pu:1";
	struct tmap_topology topo;

	ck_assert_int_eq(tmap_hwloc_read_synthetic(&topo, line, &err), -1);
	ck_assert_int_eq(err.column, sizeof "package:2 ");
	ck_assert_ptr_null(strstr(err.text, "pak:3"));
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_int_eq(tmap_hwloc_read_synthetic(&topo, "core:2 core:2 pu:1", &err), -1);
	ck_assert_int_eq(err.column, 0);
}
END_TEST

START_TEST(a_text_that_is_no_xml_is_refused)
{
	static const char *const texts[] = {
		"", "hello", "<topology", "<topology/>",
		"<?xml version=\"1.0\"?><topology version=\"2.0\"><object type=\"Machine\"/>"
	};
	struct tmap_topology topo;

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		ck_assert_msg(tmap_hwloc_read_xml_buffer(&topo, NULL, texts[i],
							 strlen(texts[i]) + 1, &err) == -1,
			      "%s", texts[i]);
		ck_assert_int_eq(err.kind, TMAP_INPUT);
		ck_assert_ptr_null(strchr(printed(&err), '\n'));
	}
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_the_systems_fault)
{
	struct tmap_topology topo;

	ck_assert_int_eq(tmap_hwloc_read_xml(&topo, NULL, "/nonexistent.xml", &err), -1);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_int_eq(tmap_hwloc_read_xml(&topo, NULL, "/", &err), -1);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_int_eq(tmap_hwloc_read_xml(&topo, NULL, "/dev/null", &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
}
END_TEST

START_TEST(this_machine_has_the_pus_that_the_thread_may_use)
{
	struct tmap_hwloc *hw = tmap_hwloc_open(&err);
	struct tmap_topology topo;
	cpu_set_t set;

	ck_assert_ptr_nonnull(hw);
	ck_assert_int_eq(tmap_hwloc_describe(hw, &topo, NULL, &err), 0);
	ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
	for (size_t os = 0; os < CPU_SETSIZE; os++) {
		int pu = tmap_topology_find_pu(&topo, (int)os);

		if (CPU_ISSET(os, &set)) {
			ck_assert_int_ne(pu, TMAP_NONE);
			ck_assert(topo.pu[pu].allowed);
		}
	}
	tmap_topology_fini(&topo);
	tmap_hwloc_close(hw);
}
END_TEST

/* Oracle: the cpukind elements of the file, and its frequencies. */
START_TEST(kinds_of_cores_are_known_from_slow_to_fast)
{
	struct tmap_topology topo;

	read_recorded(&topo, NULL, "20em64t-hybrid-1p6c2t+2ca4co1t.xml");
	ck_assert_int_eq(topo.kind_count, 2);
	for (int i = 0; i < topo.pu_count; i++)
		ck_assert_int_eq(topo.pu[i].kind, topo.pu[i].os < 12);
	tmap_topology_fini(&topo);
	read_recorded(&topo, NULL, "48amd64-4d2n6c.xml"); /* one kind is no difference */
	ck_assert_int_eq(topo.kind_count, 0);
	ck_assert_int_eq(topo.pu[0].kind, TMAP_NONE);
	tmap_topology_fini(&topo);
}
END_TEST

/* Oracle: Arm's names of the cores of a GB10, by the MIDR of each: ten Cortex-A725 and ten Cortex-X925,
 * of which Linux gives some a few percent more capacity. */
START_TEST(cores_that_are_nearly_as_fast_are_of_one_kind)
{
	struct tmap_topology topo;

	read_recorded(&topo, NULL, "nvidia-dgx-gb10.xml");
	ck_assert_int_eq(topo.kind_count, 2);
	for (int i = 0; i < topo.pu_count; i++)
		ck_assert_int_eq(topo.pu[i].kind, topo.pu[i].os % 10 >= 5);
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(huge_pages_are_those_beyond_the_usual_ones)
{
	static const char xml[] =
		"<?xml version=\"1.0\"?><!DOCTYPE topology SYSTEM \"hwloc2.dtd\">"
		"<topology version=\"2.0\"><object type=\"Machine\" os_index=\"0\" "
		"cpuset=\"0x1\" complete_cpuset=\"0x1\" allowed_cpuset=\"0x1\" nodeset=\"0x1\" "
		"complete_nodeset=\"0x1\" allowed_nodeset=\"0x1\" gp_index=\"1\">"
		"<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x1\" "
		"complete_cpuset=\"0x1\" nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"2\" "
		"local_memory=\"8589934592\"><page_type size=\"4096\" count=\"1000\"/>"
		"<page_type size=\"2097152\" count=\"3\"/>"
		"<page_type size=\"1073741824\" count=\"1\"/></object>"
		"<object type=\"PU\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" "
		"nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"3\"/></object></topology>";
	struct tmap_topology topo;

	ck_assert_msg(tmap_hwloc_read_xml_buffer(&topo, NULL, xml, sizeof xml, &err) == 0, "%s",
		      printed(&err));
	ck_assert_int_eq(topo.memory[0].huge_bytes, 3 * 2097152 + 1073741824);
	tmap_topology_fini(&topo);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("hwloc");
	TCase *plain = tcase_create("lines and this machine");
	TCase *files = tcase_create("recorded machines");

	tcase_add_test(plain, a_synthetic_line_becomes_its_objects);
	tcase_add_test(plain, indexes_of_pus_are_the_operating_systems);
	tcase_add_test(plain, a_mistake_in_a_line_is_found);
	tcase_add_test(plain, huge_pages_are_those_beyond_the_usual_ones);
	tcase_add_test(plain, a_text_that_is_no_xml_is_refused);
	tcase_add_test(plain, xml_of_hwloc_3_is_read_or_refused_with_what_to_do);
	tcase_add_test(plain, xml_that_stands_in_for_the_machine_is_refused_likewise);
	tcase_add_test(plain, xml_of_hwloc_1_is_read_or_refused_with_what_to_do);
	tcase_add_test(plain, a_file_that_cannot_be_read_is_the_systems_fault);
	tcase_add_test(plain, this_machine_has_the_pus_that_the_thread_may_use);
	suite_add_tcase(suite, plain);
	if (!test_data()) {
		test_skip("the recorded machines (TOPOMAP_DATA or ../shared/data) are not there");
	} else {
		tcase_add_test(files, kinds_of_cores_are_known_from_slow_to_fast);
		tcase_add_test(files, cores_that_are_nearly_as_fast_are_of_one_kind);
		tcase_add_loop_test(files, recorded_machines_have_the_objects_that_hwloc_shows, 0,
				    RECORDED);
		tcase_add_loop_test(files, cores_of_recorded_machines_are_as_far_apart_as_defined,
				    0, RECORDED);
		tcase_add_loop_test(files, distances_on_recorded_machines_are_ultrametric, 0,
				    RECORDED);
		tcase_add_test(files, recorded_xml_of_hwloc_3_is_read_or_refused_with_what_to_do);
		tcase_add_test(files, adapters_hang_where_hwloc_hangs_them);
		tcase_add_test(files, memories_on_one_controller_keep_their_kinds);
	}
	suite_add_tcase(suite, files);
	return suite;
}
