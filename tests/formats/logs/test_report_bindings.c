/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what was asked of Open MPI when the recorded reports were printed, and literal
 * places. tests/mpi/test_rankfile.c reads back what mpirun prints on imitated machines.
 */
#include "formats/launchers/launchers.h"
#include "formats/logs/binding_words.h"
#include "tests/support/printed.h"
#include "tests/support/rank_files.h"

static int read_file(const char *spec, const char *file)
{
	struct tmap_machine *machine = machine_of(spec);
	int status;

	tmap_placement_fini(&p);
	status = tmap_launcher_read(&p, machine, tmap_launcher_find("report-bindings"), file,
				    TMAP_NONE, &err);
	tmap_machine_free(machine);
	return status;
}

static int read_text(const char *spec, const char *text)
{
	write_text(text);
	return read_file(spec, path);
}

static void expect_refused(const char *spec, const char *text, const char *message)
{
	ck_assert_int_eq(read_text(spec, text), -1);
	expect_message(message);
}

START_TEST(reports_of_version_4_are_read_in_any_order_among_other_output)
{
	ck_assert_msg(
		read_text(
			"node:2 package:2 core:2 pu:2",
			"$ mpirun --report-bindings ./a.out\n"
			"Hello from Rank 7 bound to nothing\n"
			"[b:12] MCW rank 3 is not bound (or bound to all available processors) \n"
			"[b:12] MCW rank 2 bound to socket 0[core 1[hwt 0-1]], socket 1[core 2[hwt 1]]: "
			"[../BB][.B/..]\n"
			"[1,0]<stderr>:[a:11] MCW rank 0 bound to socket 0[core 0[hwt 0-1]]: [BB/..][../..]\r\n"
			"[a:11] MCW rank 1 bound to socket 1[core 3[hwt 0]]\n"
			"[a:11] MCW rank one\n"
			"[a b:11] MCW rank 0 is not bound\n") == 0,
		"%s", printed(&err));
	ck_assert_int_eq(p.size, 4);
	ck_assert_int_eq(tmap_placement_check(&p, &err), 0);
	expect_rank(0, "a", "0-1", true);
	expect_rank(1, "a", "6", true);
	expect_rank(2, "b", "2-3,5", true);
	expect_rank(3, "b", "0-7", false);
}
END_TEST

/* As in Open MPI's issue 9773 and in the manual of mpirun 5. */
START_TEST(a_host_that_was_masked_with_its_process_is_one)
{
	ck_assert_msg(read_text("node:1 package:2 core:2",
				"[X] MCW rank 0 bound to socket 0[core 0[hwt 0]]: [B/.][./.]\n"
				"[X] MCW rank 1 bound to socket 1[core 2[hwt 0]]: [./.][B/.]\n") ==
			      0,
		      "%s", printed(&err));
	expect_rank(1, p.machine->node_name[0], "2", true);
	ck_assert_msg(read_text("node:1 package:2 core:2",
				"   [...] Rank 0 bound to package[0][core:0]\n"
				"   [...] Rank 1 bound to package[0][core:1]\n") == 0,
		      "%s", printed(&err));
	expect_rank(1, p.machine->node_name[0], "1", true);
	expect_refused("node:1 core:2", "as shown in [2] Rank 0 is not bound\n",
		       ": no line gives a rank its place");
	expect_refused("node:2 package:2 core:2", "[X] MCW rank 0 is not bound\n",
		       ":1: host '[X]' stands for another name, and perhaps for several of the "
		       "machine's 2 nodes: write names in its place, or describe one node");
}
END_TEST

/* As mail programs wrap what is posted to lists. */
START_TEST(a_wrapped_list_of_cores_is_named)
{
	expect_refused("node:1 package:2 core:2",
		       "[a:1] MCW rank 0 bound to socket 0[core 0[hwt 0]],\nsocket 0[core 1[hwt "
		       "0]]: [B/B][./.]\n",
		       ":1: the binding ends with a comma: it goes on in the next line, and has to "
		       "stand in one");
}
END_TEST

START_TEST(ranks_that_share_a_line_are_not_lost)
{
	ck_assert_msg(read_text("node:1 core:2",
				"[a:1] MCW rank 0 is not bound (or bound to all available "
				"processors)[a:1] MCW rank 1 is not bound (or bound to all\n") == 0,
		      "%s", printed(&err));
	ck_assert_int_eq(p.size, 2);
	expect_refused("node:1 core:2",
		       "[a:1] Rank 0 bound to package[0][core:0][a:1] Rank 1 bound to "
		       "package[0][core:1]\n",
		       ":1: the binding has '[a:1] Rank 1 bound t' where the end of the line is "
		       "expected");
}
END_TEST

START_TEST(a_rank_of_a_map_has_its_binding)
{
	const char *node = " Data for node: a\tNum slots: 2\n",
		   *process = "  Process OMPI jobid: [9,1] App: 0 Process rank: ";
	char text[512];

	snprintf(text, sizeof text, "%s%s0 Bound: N/A\n%s1 Bou", node, process, process);
	expect_refused("node:1 core:2", text,
		       ":3: rank 1 has no 'Bound:', as Open MPI 2 and later print it");
	snprintf(text, sizeof text,
		 "%s%s0\n[a:1] MCW rank 0 bound to socket 0[core 0[hwt 0]]: [B/.]\n", node,
		 process);
	ck_assert_msg(read_text("node:1 package:1 core:2", text) == 0, "%s", printed(&err));
}
END_TEST

START_TEST(cores_of_version_5_are_logical_where_they_have_several_threads)
{
	ck_assert_msg(
		read_text("node:1 package:2 core:2 pu:2",
			  "[h:1] Rank 0 bound to package[0][core:0-1]\n"
			  "[h:1] Rank 1 bound to package[0][core:1] package[1][core:L2]\n"
			  "[h:1] Rank 2 bound to package[1][hwt:5,7]\n"
			  "[h:1] Rank 3 bound to package[1][hwt:L4-5]\n"
			  "[h:1] Rank 4 is not bound (or bound to all available processors)\n") ==
			0,
		"%s", printed(&err));
	expect_rank(0, "h", "0-3", true);
	expect_rank(1, "h", "2-5", true);
	expect_rank(2, "h", "5,7", true);
	expect_rank(3, "h", "4-5", true);
	expect_rank(4, "h", "0-7", false);
}
END_TEST

/* PUs 0 2 | 1 3: what stands without a letter is the operating system's number. */
START_TEST(cores_of_version_5_are_os_numbers_where_they_are_threads)
{
	const char *spec = "node:1 package:2 core:2 pu:1(indexes=0,2,1,3)";

	ck_assert_msg(read_text(spec,
				"[h:1] Rank 0 bound to package[0][core:2]\n"
				"[h:1] Rank 1 bound to package[1][core:1]\n"
				"[h:1] Rank 2 bound to package[0][core:L1]\n"
				"[h:1] Rank 3 bound to package[1][core:L2]\n") == 0,
		      "%s", printed(&err));
	expect_rank(0, "h", "2", true);
	expect_rank(1, "h", "1", true);
	expect_rank(2, "h", "2", true);
	expect_rank(3, "h", "1", true);
	expect_refused(spec, "[h:1] Rank 0 bound to package[0][core:1]\n",
		       ":1: hardware thread P1 is not in package 0 of the node");
}
END_TEST

/* PUs 2, 4 and 5 of 8 are left: Open MPI sees cores 0 (one thread) and 1. */
START_TEST(numbers_count_what_the_job_may_use)
{
	const char *spec = "node:1 package:2 core:2 pu:2";
	struct tmap_machine *machine = machine_of(spec);

	for (int i = 0; i < 8; i++)
		machine->topology[0].pu[i].allowed = i == 2 || i == 4 || i == 5;
	write_text("[h:1] MCW rank 0 bound to socket 0[core 0[hwt 0]], socket 1[core 1[hwt 1]]: "
		   "[B][.B]\n"
		   "[h:1] Rank 1 bound to package[1][core:1]\n");
	ck_assert_msg(tmap_launcher_read(&p, machine, tmap_launcher_find("report-bindings"), path,
					 TMAP_NONE, &err) == 0,
		      "%s", err.text);
	expect_rank(0, "h", "2,5", true);
	expect_rank(1, "h", "4-5", true);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(maps_of_versions_4_and_5_are_read)
{
	ck_assert_msg(
		read_text(
			"node:2 package:2 core:2 pu:2",
			" Data for JOB [953,1] offset 0 Total slots allocated 4\n\n"
			" Data for node: a\tNum slots: 2\tMax slots: 0\tNum procs: 1\n"
			" \tProcess OMPI jobid: [953,1] App: 0 Process rank: 0 Bound: "
			"socket 1[core 3[hwt 0-1]]:[../..][../BB]\n"
			" Data for node: b\tNum slots: 2\n"
			" \tProcess OMPI jobid: [953,1] App: 0 Process rank: 2 Bound: N/A\n"
			" \tProcess OMPI jobid: [953,1] App: 0 Process rank: 1 Bound: UNBOUND\n") ==
			0,
		"%s", printed(&err));
	expect_rank(0, "a", "6-7", true);
	expect_rank(1, "b", "0-7", false);
	expect_rank(2, "b", "0-7", false);
	ck_assert_msg(
		read_text("node:1 package:2 core:2",
			  "Data for node: h\tNum slots: 2\tMax slots: 0\tNum procs: 2\n"
			  "        Process jobid: prterun-h-1@1 App: 0 Process rank: 0 Bound: "
			  "package[0][core:0]\n"
			  "        Process jobid: prterun-h-1@1 App: 0 Process rank: 1 Bound: "
			  "package[1][core:3]\n") == 0,
		"%s", printed(&err));
	expect_rank(0, "h", "0", true);
	expect_rank(1, "h", "3", true);
}
END_TEST

/* As mpirun 4.1.4 --display-devel-map and 5.0.7 --display map-devel print them. */
START_TEST(devel_maps_of_versions_4_and_5_are_read)
{
	ck_assert_msg(read_text("node:2 package:2 core:2 pu:2",
				" Binding policy: CORE  Cpu set: NULL  PPR: NULL\n"
				" Data for node: a\tState: 3\tFlags: 18\n"
				" \tDaemon: [[29468,0],1]\tDaemon launched: False\n"
				" \tData for proc: [[29468,1],2]\n"
				" \t\tPid: 0\tLocal rank: 0\tNode rank: 0\tApp rank: 0\n"
				" \t\tLocale:  [BB/BB][../..]\n"
				" \t\tBinding: [../BB][.B/..]\n"
				" Data for node: b\tState: 3\tFlags: 18\n"
				" \tData for proc: [[29468,1],0]\n"
				" \t\tBinding: UNBOUND\n"
				" \tData for proc: [[29468,1],1]\n"
				" \t\tBinding: [BB/..][../..]\n") == 0,
		      "%s", printed(&err));
	ck_assert_int_eq(p.size, 3);
	expect_rank(0, "b", "0-7", false);
	expect_rank(1, "b", "0-1", true);
	expect_rank(2, "a", "2-3,5", true);
	ck_assert_msg(read_text("node:1 package:2 core:2",
				"Data for node: h\tState: 3\tFlags: MAPPED:SLOTS_GIVEN\n"
				"        Data for proc: [prterun-vm-7@1,0]\n"
				"                State: INITIALIZED\tApp_context: 0\n"
				"        \tBinding: package[1][core:3]\n") == 0,
		      "%s", printed(&err));
	expect_rank(0, "h", "3", true);
}
END_TEST

/* As the source of PRRTE prints them (prte_dt_print_fns.c). */
START_TEST(devices_behind_a_binding_are_passed_over)
{
	ck_assert_msg(read_text("node:1 package:2 core:2",
				"Data for node: h\tNum slots: 2\n"
				" Process jobid: prterun-h-1@1 App: 0 Process rank: 0 Bound: "
				"package[1][core:2-3] Device: mlx5_0,gpu1\n"
				" Process jobid: prterun-h-1@1 App: 0 Process rank: 1 Bound: N/A "
				"Device: gpu0\n") == 0,
		      "%s", printed(&err));
	expect_rank(0, "h", "2-3", true);
	expect_rank(1, "h", "0-3", false);
}
END_TEST

/* Open MPI 4.1.4 with --map-by slot:PE=40 on 2 packages of 64 cores: its list has 1023
 * characters. */
START_TEST(a_list_that_was_cut_is_read_by_the_map_beside_it)
{
	struct tmap_str text = TMAP_STR_INIT;
	size_t start;

	tmap_str_add(&text, "[a:1] MCW rank 0 bound to ");
	start = text.length;
	for (int core = 30; core < 70; core++)
		tmap_str_addf(&text, "%ssocket %d[core %d[hwt 0]]", core > 30 ? ", " : "",
			      core / 64, core);
	ck_assert_uint_gt(text.length, start + 1023);
	text.length = start + 1023;
	text.text[text.length] = '\0';
	expect_refused("node:1 package:2 core:64", text.text,
		       ":1: Open MPI cuts a list of cores that is so long, and no map such as "
		       "[B./..] follows it");
	tmap_str_add(&text, ": [");
	for (int core = 0; core < 128; core++)
		tmap_str_addf(&text, "%s%c",
			      core == 64   ? "][" :
				      core ? "/" :
					     "",
			      core >= 30 && core < 70 ? 'B' : '.');
	tmap_str_add(&text, "]\n");
	ck_assert_msg(read_text("node:1 package:2 core:64", text.text) == 0, "%s", printed(&err));
	expect_rank(0, "a", "30-69", true);
	ck_assert_int_eq(read_text("node:1 package:2 core:32 pu:2", text.text), -1);
	tmap_str_fini(&text);
}
END_TEST

/* Names that were made unreadable before the report was posted. */
START_TEST(masked_hosts_are_one_node)
{
	const char *text = "[[HOST]:12] MCW rank 0 bound to socket 0[core 0[hwt 0]]\n"
			   "[[HOST]:12] MCW rank 1 bound to socket 0[core 1[hwt 0]]\n";

	ck_assert_msg(read_text("node:1 package:1 core:2", text) == 0, "%s", printed(&err));
	expect_rank(1, "n0", "1", true);
	expect_refused("node:2 package:1 core:2", text,
		       ":1: host '[HOST]' stands for another name, and perhaps for several of the "
		       "machine's 2 nodes: write names in its place, or describe one node");
}
END_TEST

START_TEST(reports_are_believed_before_maps)
{
	ck_assert_msg(read_text("node:2 core:2",
				" Data for node: a\tNum slots: 2\n"
				" \tProcess OMPI jobid: [1,1] App: 0 Process rank: 0 Bound: N/A\n"
				"[a:7] MCW rank 0 bound to socket 0[core 1[hwt 0]]: [./B]\n") == 0,
		      "%s", printed(&err));
	expect_rank(0, "a", "1", true);
}
END_TEST

START_TEST(malformed_and_contradictory_reports_are_refused)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "[a:1] MCW rank 1 bound t[a:1] MCW rank 0 is not bound\n",
		  ":1: rank 1: ' bound t[a:1] MCW rank 0 is not bound' stands where 'bound to' or 'is not "
		  "bound' is expected" },
		{ "[a:1] MCW rank 0 is not bound\n[a:1] Rank 1 bou",
		  ":2: rank 1: ' bou' stands where 'bound to' or 'is not bound' is expected" },
		{ "[a:1] MCW rank 0 is not bound\n[a:1] MCW rank 1",
		  ":2: rank 1: the line ends where 'bound to' or 'is not bound' is expected" },
		{ " Data for node: a\n Process OMPI jobid: [1,1] App: 0 Process ra",
		  ":2: a process of the map has no 'Process rank: N' in its line" },
		{ " Data for node: a\n Process OMPI jobid: [1,1] App: 0 Process rank: 0 Bound: ",
		  ":2: rank 0: the line ends where a binding is expected" },
		{ " Data for node: a\n Data for proc: [[1,1],0\n Binding: N/A\n",
		  ":2: 'Data for proc:' has no name of a process such as [[953,1],3]" },
		{ "hello\n", ": no line gives a rank its place" },
		{ "[a:1] MCW rank 1 is not bound\n[a:1] MCW rank 2 is not bound\n",
		  ": rank 0 is missing: there are 2 entries, and line 2 is for rank 2" },
		{ "[a:1] MCW rank 0 is not bound\n\n[a:1] MCW rank 0 is not bound\n",
		  ": there are 2 jobs, of which topomap place --job N takes one: 1 of 1 rank (from line 1 on), 2 of "
		  "1 rank (from line 3 on)" },
		{ "[a:1] MCW rank 0 is not bound\n[b:1] MCW rank 1 is not bound\n"
		  "[c:1] MCW rank 2 is not bound\n",
		  ":3: host 'c' is one too many: the machine has 2 nodes and none of these names" },
		{ "[+:1] MCW rank 0 is not bound\n[n1:1] MCW rank 1 is not bound\n",
		  ":1: host '+' is not a node of the machine, though others are" },
		{ "[a:1] MCW rank 0 is not bound\n[n1:1] MCW rank 1 is not bound\n",
		  ":1: host 'a' is not a node of the machine, though others are" },
		{ "x\n[a:1] MCW rank 0 bound to socket 0[core 2[hwt 0]]: [.][.]\n",
		  ":2: core 2 is not in package 0 of the node" },
		{ "[a:1] MCW rank 0 bound to socket 2[core 2[hwt 0]]\n",
		  ":1: package 2 does not exist: the node has 2 that the job may use" },
		{ "[a:1] MCW rank 0 bound to socket 1[core 4[hwt 0]]\n",
		  ":1: core 4 does not exist: the node has 4 that the job may use" },
		{ "[a:1] MCW rank 0 bound to socket 1[core 3[hwt 2]]\n",
		  ":1: hwt 2 does not exist: core 3 has 2 that the job may use" },
		{ "[a:1] MCW rank 0 bound to socket 0[core 0[hwt 0-1]]: [BB/../..][../../..]\n",
		  ":1: the map's packages, cores and hardware threads are 2, 6 and 12, but the job "
		  "may use 2, 4 and 8 of the node" },
		{ "[a:1] MCW rank 0 bound to socket 0[core 0[hwt 0-1]]: [../BB][../..]\n",
		  ":1: the map [../BB][../..] is not that of the node, which would be "
		  "[BB/..][../..]" },
		{ "[a:1] MCW rank 0 bound to socket 0[core 0[hwt 0-1]]: [B",
		  ":1: the binding has '[B' where a map such as [B./..] is expected" },
		{ "[a:1] MCW rank 0 bound to socket 0[core 0",
		  ":1: the binding ends where [hwt  is "
		  "expected" },
		{ "[a:1] MCW rank 0 bound to \n", ":1: the line ends where a binding is expected" },
		{ " Data for node: a\n Process OMPI jobid: [1,1] App: 0 Process rank: INVALID Bound: "
		  "N/A\n",
		  ":2: the process has no rank (INVALID): mpirun could not number the ranks" },
		{ " Data for node: a\n Data for proc: [[1,1],INVALID]\n Binding: UNBOUND\n",
		  ":2: the process has no rank (INVALID): mpirun could not number the ranks" },
		{ " Data for node: a\n Data for proc: [[1,1],0]\n Data for proc: [[1,1],1]\n",
		  ":2: rank 0 has no 'Binding:' below its 'Data for proc:'" },
		{ " Data for node: a\n Data for proc: [[1,1],3]\n",
		  ":2: rank 3 has no 'Binding:' below its 'Data for proc:'" },
		{ " Data for proc: [[1,1],3]\n Binding: UNBOUND\n",
		  ":2: rank 3 stands under no 'Data for node:'" },
		{ " Data for node: a\n Data for proc: [[1,1],0]\n Binding: [BB/BB][BB/B]\n",
		  ":2: the map's packages, cores and hardware threads are 2, 4 and 7, but the job "
		  "may use 2, 4 and 8 of the node" },
		{ " Data for node: a\n Data for proc: [[1,1],0]\n Binding: [../..][../..]\n",
		  ":2: the map [../..][../..] binds to nothing" },
		{ " Data for node: a\n Data for proc: [[1,1],0]\n Binding: [B\n",
		  ":2: the binding has '[B' where a map such as [B./..] is expected" },
		{ "[a:1] Rank 0 bound to package[0][cpu:1]\n",
		  ":1: the binding has 'cpu:1]' where core: or hwt: is expected" },
		{ "[a:1] Rank 0 bound to package[0][core:1] socket\n",
		  ":1: the binding has 'socket' where package[ is expected" },
		{ "[a:1] Rank 0 bound to package[0][core:4]\n",
		  ":1: core 4 does not exist: the node has 4 that the job may use" },
		{ "[a:1] Rank 0 bound to package[0][hwt:9]\n",
		  ":1: hardware thread P9 is none that the job may use there" },
		{ "[a:1] Rank 0 bound to package[0][core:99999999]\n",
		  ":1: the binding: '99999999': a number is above 16777216" },
		{ " \tProcess OMPI jobid: [1,1] App: 0 Process rank: 0 Bound: N/A\n",
		  ":1: rank 0 stands under no 'Data for node:'" },
	};

	expect_refused("node:2 package:2 core:2 pu:2", cases[_i].text, cases[_i].message);
}
END_TEST

/* What mpirun 4.1.4 printed with --bind-to hwthread on such a machine (HWLOC_XMLFILE), of every rank. */
START_TEST(a_report_of_nodes_without_cores_says_nothing)
{
	expect_refused(
		"node:1 package:2 pu:4",
		"[vm:23996] MCW rank 1 bound to : [][]\n"
		"[vm:23996] MCW rank 0 bound to : [][]\n",
		":1: ': [][]' names nothing: Open MPI 4 prints cores, and nodes such as this "
		"one have none; topomap-probe says where the ranks are, and topomap place "
		"with the options of mpirun where they would be");
}
END_TEST

/* The recorded reports on machines of the sizes that they tell of. */
static char *sample(const char *name)
{
	return tmap_format(&err, "%s/bindings/%s", test_data(), name);
}

START_TEST(the_recorded_reports_are_read)
{
	static const struct {
		const char *name, *spec;
		int size, rank;
		const char *host, *pus;
		bool bound;
	} cases[] = {
		{ "v2-v3-4node-map-by-node.txt", "node:4 package:1 core:4", 4, 3, "n3", "0", true },
		{ "v4-unbound-dgx.txt", "node:2 package:2 core:2", 6, 5, "prm-dgx-31", "0-3",
		  false },
		{ "v5-mi300a-4apu-bind-package.txt", "node:1 package:4 core:24", 4, 2, "hostname",
		  "48-71", true },
		{ "v5-mi300a-4apu-bind-package.txt", "node:1 package:4 core:24 pu:2", 4, 2,
		  "hostname", "96-143", true },
		{ "v5-oci-e5-192core-ppr2-l3.txt", "node:1 package:2 l3:12 core:8", 48, 47,
		  "inst-e5-ol95-nps1", "185", true },
		{ "v5.0.9-hydra-cgroup-cores.txt", "node:1 package:1 core:16", 8, 6,
		  "node701.hydra.os", "12", true },
	};
	char *file = sample(cases[_i].name);

	ck_assert_msg(read_file(cases[_i].spec, file) == 0, "%s", printed(&err));
	ck_assert_int_eq(p.size, cases[_i].size);
	expect_rank(cases[_i].rank, cases[_i].host, cases[_i].pus, cases[_i].bound);
	free(file);
}
END_TEST

START_TEST(a_cut_report_lacks_ranks)
{
	char *file = sample("v4.1.8-compute7-2node-slot-PE1.fragment.txt");
	char *expected = tmap_format(&err,
				     "%s: rank 0 is missing: there are 15 entries, and line 14 is "
				     "for rank 50",
				     file);

	ck_assert_int_eq(read_file("node:2 package:2 core:16 pu:2", file), -1);
	ck_assert_str_eq(printed(&err), expected);
	free(expected);
	free(file);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("report_bindings");
	TCase *tc = tcase_create("report_bindings");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, reports_of_version_4_are_read_in_any_order_among_other_output);
	tcase_add_test(tc, a_host_that_was_masked_with_its_process_is_one);
	tcase_add_test(tc, a_wrapped_list_of_cores_is_named);
	tcase_add_test(tc, ranks_that_share_a_line_are_not_lost);
	tcase_add_test(tc, a_rank_of_a_map_has_its_binding);
	tcase_add_test(tc, cores_of_version_5_are_logical_where_they_have_several_threads);
	tcase_add_test(tc, cores_of_version_5_are_os_numbers_where_they_are_threads);
	tcase_add_test(tc, numbers_count_what_the_job_may_use);
	tcase_add_test(tc, maps_of_versions_4_and_5_are_read);
	tcase_add_test(tc, devel_maps_of_versions_4_and_5_are_read);
	tcase_add_test(tc, devices_behind_a_binding_are_passed_over);
	tcase_add_test(tc, a_list_that_was_cut_is_read_by_the_map_beside_it);
	tcase_add_test(tc, masked_hosts_are_one_node);
	tcase_add_test(tc, reports_are_believed_before_maps);
	tcase_add_loop_test(tc, malformed_and_contradictory_reports_are_refused, 0, 35);
	tcase_add_test(tc, a_report_of_nodes_without_cores_says_nothing);
	if (test_data()) {
		tcase_add_loop_test(tc, the_recorded_reports_are_read, 0, 6);
		tcase_add_test(tc, a_cut_report_lacks_ranks);
	} else {
		test_skip("no recorded reports");
	}
	suite_add_tcase(suite, tc);
	return suite;
}
