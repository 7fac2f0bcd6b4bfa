/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what mpirun 4.1.4 did with the same files (accepted, refused, or accepted and
 * misread: then the reader refuses), and write-then-read.
 */
#include "core/base/mem.h"
#include "formats/launchers/launchers.h"
#include "formats/launchers/openmpi/rankfile.h"
#include "formats/machine/hwloc.h"
#include "tests/support/launches.h"
#include "tests/support/printed.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct tmap_error err;
static struct tmap_machine *machine;
static char path[] = "/tmp/topomap-rankfile-XXXXXX";

/* Two nodes of 2 packages x 4 cores x 2 threads, n0 and n1, and one of 3 cores, n2. */
static void setup(void)
{
	static const char *const lines[] = { "package:2 core:4 pu:2", "core:3 pu:1" };

	machine = tmap_machine_new(&err);
	for (int i = 0; i < 2; i++) {
		struct tmap_topology topo;

		ck_assert_int_eq(tmap_hwloc_read_synthetic(&topo, lines[i], &err), 0);
		ck_assert_int_eq(tmap_machine_add_topology_take(machine, &topo, &err), i);
	}
	ck_assert_int_eq(tmap_machine_add_node(machine, "n0", 0, &err), 0);
	ck_assert_int_eq(tmap_machine_add_node(machine, "n1", 0, &err), 0);
	ck_assert_int_eq(tmap_machine_add_node(machine, "n2", 1, &err), 0);
	strcpy(path + strlen(path) - 6, "XXXXXX");
	ck_assert_int_ge(close(mkstemp(path)), 0);
}

static void teardown(void)
{
	tmap_machine_free(machine);
	unlink(path);
}

static int read_text(struct tmap_placement *p, const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
	return tmap_launcher_read(p, machine, tmap_launcher_find("openmpi4"), path, TMAP_NONE,
				  &err);
}

static void expect_rank(const struct tmap_placement *p, int rank, const char *host, const char *pus,
			bool bound)
{
	const struct tmap_place *place = &p->places[p->place[rank]];
	char *text = tmap_idset_print(&place->pus, &err);

	ck_assert_str_eq(p->machine->node_name[p->node[rank]], host);
	ck_assert_str_eq(text, pus);
	ck_assert_int_eq(place->bound, bound);
	free(text);
}

START_TEST(the_whole_grammar_is_read)
{
	struct tmap_placement p;

	ck_assert_msg(read_text(&p,
				"# comment\n"
				"// another\n"
				"\n"
				"rank 0=n0 slot=0-1\n"
				"\trank 2 = me@n1.cluster.org slots = 1:0;0:3 # tail\n"
				"/* rank 9=a slot=1\n"
				"   */ rank 1=+n2 slot=2 /* x */ rank 3=n0 slot=s1\n"
				"rank 4=n2 slot=0-2 // all of it\n"
				"rank 5=n0 slot=0-1") == 0,
		      "%s", printed(&err));
	ck_assert_int_eq(p.size, 6);
	ck_assert_int_eq(tmap_placement_check(&p, &err), 0);
	expect_rank(&p, 0, "n0", "0-3", true);
	expect_rank(&p, 1, "n2", "2", true);
	expect_rank(&p, 2, "n1", "6-9", true);
	expect_rank(&p, 3, "n0", "8-15", true);
	expect_rank(&p, 4, "n2", "0-2", false);
	ck_assert_int_eq(p.place[5], p.place[0]);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_comment_with_the_option_makes_numbers_count_threads)
{
	struct tmap_placement p;

	ck_assert_int_eq(read_text(&p,
				   "# mpirun --mca hwloc_base_use_hwthreads_as_cpus 1 x\n"
				   "rank 0=n0 slot=3\n"),
			 0);
	expect_rank(&p, 0, "n0", "3", true);
	tmap_placement_fini(&p);
	ck_assert_int_eq(read_text(&p, "rank 0=n0 slot=3\n"), 0);
	expect_rank(&p, 0, "n0", "6-7", true);
	tmap_placement_fini(&p);
	ck_assert_int_eq(read_text(&p,
				   "# --mca rmaps_rank_file_physical 1\n"
				   "rank 0=n0 slot=3\n"),
			 0);
	expect_rank(&p, 0, "n0", "2-3", true);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(unknown_names_are_taken_in_order_of_first_appearance)
{
	struct tmap_placement p;

	ck_assert_msg(read_text(&p,
				"rank 0=bb slot=0\nrank 1=aa.x.org slot=0\nrank 2=bb slot=1\n"
				"rank 3=+n2 slot=1\n") == 0,
		      "%s", printed(&err));
	expect_rank(&p, 0, "bb", "0-1", true);
	expect_rank(&p, 1, "aa", "0-1", true);
	expect_rank(&p, 3, "n2", "1", true);
	ck_assert_int_eq(p.node[0], 0);
	ck_assert_int_eq(p.node[1], 1);
	ck_assert_str_eq(machine->node_name[0], "bb");
	ck_assert_str_eq(machine->node_name[2], "n2");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(short_and_full_names_mean_one_node)
{
	struct tmap_placement p;
	char *const names[] = { (char *)"a.x.org", (char *)"b", (char *)"10.0.0.1" };

	ck_assert_int_eq(tmap_machine_rename(machine, names, 3, &err), 0);
	ck_assert_msg(read_text(&p,
				"rank 0=a slot=0\nrank 1=b.x.org slot=0\n"
				"rank 2=u@10.0.0.1 slot=0\n") == 0,
		      "%s", printed(&err));
	for (int r = 0; r < 3; r++)
		ck_assert_int_eq(p.node[r], r);
	ck_assert_str_eq(machine->node_name[0], "a.x.org");
	tmap_placement_fini(&p);
}
END_TEST

struct refusal {
	const char *text, *message;
};

START_TEST(a_bad_file_gets_its_sentence_and_line)
{
	static const char long_line[] =
		"rank 0=n0 slot=0\nrank 1=n1 slot="
		"0,2,4,6,0,2,4,6,0,2,4,6,0,2,4,6,0,2,4,6,0,2,4,6,0,2,4,66\n";
	const struct refusal refusals[] = {
		{ "", ": no line gives a rank its place" },
		{ "# only\n", ": no line gives a rank its place" },
		{ "rank 1=n0 slot=0\nrank 0=n0 slot=1\n",
		  ":1: rank 1 comes before rank 0, and Open "
		  "MPI then refuses the file: rank 0 must stand first" },
		{ "rank 0=n0 slot=0\nrank 1=n0 slot=1\n\nrank 1=n1 slot=2\n",
		  ":4: rank 1 already stands in line 2" },
		{ "rank 0=n0 slot=0\nrank 3=n0 slot=1\nrank 2=n0 slot=2\n",
		  ": rank 1 is missing: there are 3 entries, and line 2 is for rank 3" },
		{ "rank 0=n0 slot=0\nrank 2000000000=n0 slot=1\n",
		  ": rank 1 is missing: there are 2 "
		  "entries, and line 2 is for rank 2000000000" },
		{ "rank 0=n0 slot=0\nrank 1=q slot=1\n",
		  ":2: host 'q' is not a node of the machine, though others are" },
		{ "rank 0=a slot=0\nrank 1=b slot=0\nrank 2=c slot=0\nrank 3=a slot=1\n"
		  "rank 4=d slot=0\n",
		  ":5: host 'd' is one too many: the machine has 3 nodes and none "
		  "of these names" },
		{ "rank 0=+n3 slot=0\n", ":1: host '+n3': the nodes are +n0 to +n2" },
		{ "rank 0=n0 slot=0\nrank 1=n2 slot=3\n",
		  ":2: slot list '3': core 3 does not exist: the "
		  "node has 3 that the job may use" },
		{ "rank 0=n0 slot=0:0,1\n",
		  ":1: slot list '0:0,1': '1' stands beside a package:core "
		  "pair and Open MPI reads it as a package without cores; write 0:0-1, 0:0;0:1 or plain "
		  "core numbers" },
		{ long_line,
		  ":2: host 'n1' and its slot list have 58 characters; Open MPI breaks above "
		  "57" },
		{ "rank 0=n0 slot=0, 1\n", ":1:19: '1' where the end of the line is expected" },
		{ "rank 0=n0 slot=0 rank 1=n0 slot=1\n",
		  ":1:18: 'rank' where the end of the line is expected" },
		{ "rank 0=n0\n", ":1:10: the line ends where slot is expected" },
		{ "rank 0=n0 /* a */ slot=1\n", ":1:11: the line ends where slot is expected" },
		{ "rank 0=n0 slot=\n", ":1:16: the line ends where a slot list is expected" },
		{ "rank 0=n0 slot=\"2\"\n", ":1:16: quoted strings have no place in a rankfile" },
		{ "rank 0=n0 slot=2\r\n",
		  ":1:17: a carriage return: Open MPI refuses DOS line ends" },
		{ "rank 0=n0 slot=2\n# end",
		  ":2: the file ends in a comment: Open MPI needs a newline "
		  "there" },
		{ "rank 0=n0 slot=2\n/* end\n", ":2: the comment that begins here does not end" },
		{ "RANK 0=n0 slot=2\n", ":1:1: 'RANK' where rank is expected" },
		{ "rank x=n0 slot=2\n", ":1:6: 'x' where a rank is expected" },
		{ "rank 2147483648=n0 slot=2\n",
		  ":1:6: '2147483648' where a rank below 2^31 is expected" },
		{ "rank 0 n0 slot=2\n", ":1:8: 'n0' where = is expected" },
		{ "rank 0=username slot=2\n",
		  ":1:8: 'username' where a host (NAME, USER@NAME or +nK) is expected" },
		{ "rank 0=a@b@c slot=2\n",
		  ":1:8: 'a@b@c' where a host (NAME, USER@NAME or +nK) is expected" },
		{ "rank 0=n0 slot=1.5\n", ":1:16: '1.5' where a slot list is expected" },
		{ "rank 0=n0 slot=\x01\n", ":1:16: byte 0x01 where a slot list is expected" },
		{ "rank 0=n0 / slot=1\n", ":1:11: '/' where slot is expected" },
	};

	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		struct tmap_placement p;

		ck_assert_msg(read_text(&p, refusals[i].text) < 0, "%s", refusals[i].text);
		ck_assert_int_eq(err.kind, TMAP_INPUT);
		ck_assert_msg(strncmp(printed(&err), path, strlen(path)) == 0, "%s", printed(&err));
		ck_assert_str_eq(printed(&err) + strlen(path), refusals[i].message);
		ck_assert_str_eq(machine->node_name[0], "n0");
	}
}
END_TEST

START_TEST(a_file_that_is_not_there_is_a_system_error)
{
	struct tmap_placement p;

	ck_assert_int_lt(tmap_launcher_read(&p, machine, tmap_launcher_find("openmpi4"),
					    "/nowhere/rankfile", TMAP_NONE, &err),
			 0);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
}
END_TEST

/* Writes; returns what was written, or NULL. */
static char *written(const struct tmap_placement *p)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int status = write_launch(out, "openmpi4", p, 0, &err);

	ck_assert_int_eq(fclose(out), 0);
	if (status == 0)
		return text;
	ck_assert_msg(size == 0, "something was written before the refusal");
	free(text);
	return NULL;
}

static void put(struct tmap_placement *p, int rank, int node, const char *pus, bool bound)
{
	struct tmap_idset set = { 0 };

	ck_assert_int_eq(tmap_idset_parse(&set, pus, 1000, &err), 0);
	p->node[rank] = node;
	p->place[rank] =
		tmap_placement_intern(p, machine->node_topology[node], &set, NULL, bound, &err);
	ck_assert_int_ne(p->place[rank], TMAP_NONE);
	tmap_idset_fini(&set);
}

START_TEST(whole_cores_are_written_as_cores)
{
	struct tmap_placement p;
	char *text, *command;

	ck_assert_int_eq(tmap_placement_init(&p, machine, 4, &err), 0);
	put(&p, 0, 1, "2-3", true);
	put(&p, 1, 0, "0-5,14-15", true);
	put(&p, 2, 0, "0-15", false);
	put(&p, 3, 2, "2", true);
	text = written(&p);
	ck_assert_str_eq(text,
			 "rank 0=n1 slot=1\nrank 1=n0 slot=0-2,7\nrank 2=n0 slot=0-7\n"
			 "rank 3=n2 slot=2\n");
	command = launch_command("openmpi4", &p, "my file", &err);
	ck_assert_str_eq(command, "mpirun -np 4 --rankfile 'my file' PROGRAM");
	free(command);
	free(text);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(one_part_of_a_core_makes_all_lists_count_threads)
{
	struct tmap_placement p, again;
	char *text, *command;

	ck_assert_int_eq(tmap_placement_init(&p, machine, 3, &err), 0);
	put(&p, 0, 0, "4-7", true);
	put(&p, 1, 2, "2", true);
	put(&p, 2, 1, "9", true);
	ck_assert(tmap_rankfile_needs_hwthreads(&p));
	text = written(&p);
	ck_assert_str_eq(text,
			 "# hardware threads: mpirun --mca hwloc_base_use_hwthreads_as_cpus 1\n"
			 "rank 0=n0 slot=4-7\nrank 1=n2 slot=2\nrank 2=n1 slot=9\n");
	ck_assert_int_eq(read_text(&again, text), 0);
	expect_rank(&again, 0, "n0", "4-7", true);
	expect_rank(&again, 2, "n1", "9", true);
	command = launch_command("openmpi4", &p, "F", &err);
	ck_assert_str_eq(command,
			 "mpirun -np 3 --mca hwloc_base_use_hwthreads_as_cpus 1 "
			 "--rankfile F PROGRAM");
	free(command);
	free(text);
	tmap_placement_fini(&p);
	tmap_placement_fini(&again);
}
END_TEST

static void name_nodes(const char *a, const char *b)
{
	char *names[] = { (char *)a, (char *)b, (char *)"n2" };

	ck_assert_int_eq(tmap_machine_rename(machine, names, 3, &err), 0);
}

START_TEST(host_and_list_of_57_characters_are_written_and_58_refused)
{
	static const char fifty_six[] = "a2345678901234567890123456789012345678901234567890123456";
	struct tmap_placement p;
	char name[80];
	char *text;

	ck_assert_uint_eq(strlen(fifty_six), 56);
	ck_assert_int_eq(tmap_placement_init(&p, machine, 1, &err), 0);
	put(&p, 0, 0, "6-7", true);
	name_nodes(fifty_six, "b");
	text = written(&p);
	ck_assert_ptr_nonnull(text);
	free(text);
	snprintf(name, sizeof name, "%s.cluster.org", fifty_six); /* cut at the dot: fits */
	name_nodes(name, "b");
	text = written(&p);
	ck_assert_ptr_nonnull(text);
	ck_assert_ptr_null(strstr(text, "cluster"));
	free(text);
	snprintf(name, sizeof name, "%sx", fifty_six);
	name_nodes(name, "b");
	ck_assert_ptr_null(written(&p));
	ck_assert_str_eq(
		printed(&err),
		"rank 0: host 'a2345678901234567890123456789012345678901234567"
		"890123456x' and slot list '3' have 58 characters together; Open MPI 4 takes "
		"57");
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_host_name_that_no_rankfile_holds_is_refused)
{
	static const char *const names[] = { "slot", "rank", "a b", "a,b",
					     "+n0",  "a@b",  ".x",  "n\xc3\xa4" };
	struct tmap_placement p;

	ck_assert_int_eq(tmap_placement_init(&p, machine, 1, &err), 0);
	put(&p, 0, 0, "0-1", true);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		name_nodes(names[i], "b");
		ck_assert_msg(written(&p) == NULL, "%s", names[i]);
		ck_assert_ptr_nonnull(strstr(printed(&err), "no rankfile can hold the host name"));
	}
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(hosts_that_differ_behind_the_dot_only_are_refused)
{
	struct tmap_placement p;

	ck_assert_int_eq(tmap_placement_init(&p, machine, 2, &err), 0);
	name_nodes("a.x", "a.y");
	put(&p, 0, 0, "0-1", true);
	put(&p, 1, 1, "0-1", true);
	ck_assert_ptr_null(written(&p));
	ck_assert_str_eq(printed(&err),
			 "for Open MPI the hosts 'a.x' and 'a.y' are one: it cuts "
			 "names at the first dot");
	put(&p, 1, 0, "2-3", true); /* a.y has no rank: nothing to confuse */
	free(written(&p));
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_place_that_the_job_may_not_use_is_refused)
{
	struct tmap_placement p;

	ck_assert_int_eq(tmap_placement_init(&p, machine, 1, &err), 0);
	put(&p, 0, 0, "0-1", true);
	machine->topology[0].pu[1].allowed = false;
	ck_assert_ptr_null(written(&p));
	ck_assert_str_eq(printed(&err),
			 "rank 0 on host 'n0': some of the PUs are none that the job may use");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(random_placements_are_read_back_as_written)
{
	uint64_t seed = 1;

	for (int round = 0; round < 500; round++) {
		struct tmap_placement p, again;
		int size = 1 + (int)(seed >> 16) % 20;
		char *text;

		ck_assert_int_eq(tmap_placement_init(&p, machine, size, &err), 0);
		for (int r = 0; r < size; r++) {
			char pus[64];
			int node, limit, first, last;

			seed = (seed * UINT64_C(1103515245) + 12345) & UINT32_MAX;
			node = (int)(seed >> 16) % 3;
			limit = machine->topology[machine->node_topology[node]].pu_count;
			first = (int)(seed >> 20) % limit;
			last = first + (int)(seed >> 24) % (limit - first);
			if (round % 2 && node < 2) {
				first &= ~1;
				last |= 1;
			}
			snprintf(pus, sizeof pus, "%d-%d", first, last);
			put(&p, r, node, pus, last - first + 1 < limit);
		}
		text = written(&p);
		ck_assert_msg(text != NULL, "%s", printed(&err));
		ck_assert_msg(read_text(&again, text) == 0, "%s", printed(&err));
		ck_assert_int_eq(again.size, size);
		for (int r = 0; r < size; r++) {
			const struct tmap_place *a = &p.places[p.place[r]];
			const struct tmap_place *b = &again.places[again.place[r]];

			ck_assert_int_eq(p.node[r], again.node[r]);
			ck_assert(tmap_idset_equal(&a->pus, &b->pus));
			ck_assert_int_eq(a->bound, b->bound);
			ck_assert_int_eq(a->object, b->object);
		}
		free(text);
		tmap_placement_fini(&p);
		tmap_placement_fini(&again);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("rankfile");
	TCase *tc = tcase_create("rankfile");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, the_whole_grammar_is_read);
	tcase_add_test(tc, a_comment_with_the_option_makes_numbers_count_threads);
	tcase_add_test(tc, unknown_names_are_taken_in_order_of_first_appearance);
	tcase_add_test(tc, short_and_full_names_mean_one_node);
	tcase_add_test(tc, a_bad_file_gets_its_sentence_and_line);
	tcase_add_test(tc, a_file_that_is_not_there_is_a_system_error);
	tcase_add_test(tc, whole_cores_are_written_as_cores);
	tcase_add_test(tc, one_part_of_a_core_makes_all_lists_count_threads);
	tcase_add_test(tc, host_and_list_of_57_characters_are_written_and_58_refused);
	tcase_add_test(tc, a_host_name_that_no_rankfile_holds_is_refused);
	tcase_add_test(tc, hosts_that_differ_behind_the_dot_only_are_refused);
	tcase_add_test(tc, a_place_that_the_job_may_not_use_is_refused);
	tcase_add_test(tc, random_placements_are_read_back_as_written);
	suite_add_tcase(suite, tc);
	return suite;
}
