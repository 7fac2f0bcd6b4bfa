/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: mpirun of Open MPI 4 or 5 on imitated machines. What it prints as the binding of each
 * rank (--display-map) must be what the reader says of the same file, whoever wrote it; and
 * the reader of these maps must find the same places in them.
 */
#include "core/base/mem.h"
#include "formats/launchers/launchers.h"
#include "formats/launchers/openmpi/slot_list.h"
#include "formats/machine/hwloc.h"
#include "tests/support/launches.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_RANKS = 24, PICTURE = 4096 };

static struct tmap_error err;
static const char *mpirun;   /* NULL: there is no Open MPI */
static const char *launcher; /* the row of its rankfiles */
static bool is_5;
static char host[64], path[] = "/tmp/topomap_rankfile_XXXXXX";
static char map_path[sizeof path + 4]; /* what mpirun printed */

static const char *find_mpirun(void)
{
	static const char *const names[] = { "mpirun.openmpi", "mpirun" };

	for (size_t i = 0; i < 2; i++) {
		for (int major = 4; major <= 5; major++) {
			char command[128];

			snprintf(command, sizeof command,
				 "%s --version 2>/dev/null | grep -q '(Open MPI) %d\\.'", names[i],
				 major);
			if (system(command) != 0)
				continue;
			is_5 = major == 5;
			launcher = is_5 ? "openmpi5" : "openmpi4";
			return names[i];
		}
	}
	return NULL;
}

static void setup(void)
{
	ck_assert_int_eq(gethostname(host, sizeof host - 1), 0);
	host[strcspn(host, ".")] = '\0';
	strcpy(path + strlen(path) - 6, "XXXXXX");
	ck_assert_int_ge(close(mkstemp(path)), 0);
	snprintf(map_path, sizeof map_path, "%s.map", path);
	setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
	setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
	setenv("HWLOC_THISSYSTEM", "0", 1);
}

static void teardown(void)
{
	unlink(path);
	unlink(map_path);
}

/* A job's only node, this host, as the file or the line @p what; Open MPI sees the same. */
static struct tmap_machine *imitate(const char *what)
{
	struct tmap_machine *machine = tmap_machine_new(&err);
	struct tmap_topology topo;
	bool is_file = access(what, R_OK) == 0;

	unsetenv("HWLOC_XMLFILE");
	unsetenv("HWLOC_SYNTHETIC");
	setenv(is_file ? "HWLOC_XMLFILE" : "HWLOC_SYNTHETIC", what, 1);
	if ((is_file ? tmap_hwloc_read_xml(&topo, NULL, what, &err) :
		       tmap_hwloc_read_synthetic(&topo, what, &err)) < 0) {
		tmap_machine_free(machine);
		return NULL;
	}
	ck_assert_int_eq(tmap_machine_add_topology_take(machine, &topo, &err), 0);
	ck_assert_int_eq(tmap_machine_add_node(machine, host, 0, &err), 0);
	return machine;
}

/* Open MPI draws no picture of a machine without packages.
 * One character a PU that the job may use, in logical order: 'B' where the rank may run. */
static void picture_of(char *picture, const struct tmap_placement *p, int rank)
{
	const struct tmap_topology *topo = tmap_placement_topology(p, rank);
	const struct tmap_place *place = &p->places[p->place[rank]];
	int length = 0;

	if (!place->bound) {
		strcpy(picture, "UNBOUND");
		return;
	}
	for (int i = 0; i < topo->pu_count && length < PICTURE - 1; i++)
		if (topo->pu[i].allowed)
			picture[length++] = tmap_idset_contains(&place->pus, topo->pu[i].os) ? 'B' :
											       '.';
	picture[length] = '\0';
}

/* What Open MPI 5 calls core or hwt @p number gets a 'B': it counts cores; hardware threads, and
 * cores where each has one, bear the operating system's numbers of PUs. */
static void picture_add(char *picture, const struct tmap_topology *topo, bool hwthreads, int number)
{
	int cores = 0, pus = 0, last = TMAP_NONE;
	static int core_of[PICTURE], os_of[PICTURE];

	for (int i = 0; i < topo->pu_count && pus < PICTURE; i++) {
		int core;

		if (!topo->pu[i].allowed)
			continue;
		core = tmap_topology_ancestor(topo, topo->pu[i].object, TMAP_CORE);
		cores += core != last;
		last = core;
		core_of[pus] = cores - 1;
		os_of[pus++] = topo->pu[i].os;
	}
	for (int i = 0; i < pus; i++)
		if ((hwthreads || cores == pus ? os_of[i] : core_of[i]) == number)
			picture[i] = 'B';
}

/* "package[0][core:0-1,3] package[1][core:8]", or hwt for core */
static void read_lists(const char *text, const struct tmap_topology *topo, char *picture)
{
	int length = 0;

	for (int i = 0; i < topo->pu_count && length < PICTURE - 1; i++)
		if (topo->pu[i].allowed)
			picture[length++] = '.';
	picture[length] = '\0';
	while ((text = strchr(text, ':'))) {
		bool hwthreads = strncmp(text - 3, "hwt", 3) == 0;

		do {
			char *end;
			long first = strtol(text + 1, &end, 10), last = first;

			if (*end == '-')
				last = strtol(end + 1, &end, 10);
			for (long number = first; number <= last; number++)
				picture_add(picture, topo, hwthreads, (int)number);
			text = end;
		} while (*text == ',');
	}
	if (!strchr(picture, '.')) /* Open MPI 4 says so */
		strcpy(picture, "UNBOUND");
}

/* "... Process rank: 3 Bound: socket 0[core 1[hwt 0-1]]:[../BB]" gives the same picture. */
static bool read_line(const char *line, const struct tmap_topology *topo, int *rank, char *picture)
{
	const char *bound = strstr(line, "Bound: "), *start = strstr(line, "Process rank: ");
	int length = 0;

	if (!start || !bound || sscanf(start, "Process rank: %d", rank) != 1)
		return false;
	if (strncmp(bound, "Bound: UNBOUND", 14) == 0) {
		strcpy(picture, "UNBOUND");
		return true;
	}
	if (is_5) {
		read_lists(bound + strlen("Bound: "), topo, picture);
		return true;
	}
	bound = strstr(bound, ":[");
	if (!bound)
		return false;
	for (; *bound; bound++)
		if ((*bound == 'B' || *bound == '.') && length < PICTURE - 1)
			picture[length++] = *bound;
	picture[length] = '\0';
	return true;
}

/* Asks mpirun where the ranks of the file would be; how many it reported. */
static int ask_mpirun(char (*picture)[PICTURE], const struct tmap_topology *topo,
		      const char *command)
{
	static char line[1 << 16];
	int reported = 0, rank;
	FILE *out = popen(command, "r"), *copy = fopen(map_path, "w");

	ck_assert(out && copy);
	while (fgets(line, sizeof line, out)) {
		static char read[PICTURE];

		ck_assert_int_ge(fputs(line, copy), 0);
		if (!read_line(line, topo, &rank, read))
			continue;
		ck_assert(rank >= 0 && rank < MOST_RANKS);
		strcpy(picture[rank], read);
		reported++;
	}
	ck_assert_int_eq(fclose(copy), 0);
	ck_assert_msg(pclose(out) == 0, "%s fails", command);
	return reported;
}

/* mpirun with these words shows its map; of Open MPI 5 that is all that it does: it binds no job to
 * PUs that are not there. */
static char *show_map(const char *words)
{
	return tmap_format(&err, "timeout 60 %s %s%s true 2>&1", mpirun, words,
			   is_5 ? " --display map --runtime-options donotlaunch" :
				  " --display-map");
}

/* The launcher's own command line, with true in the place of PROGRAM. */
static char *to_command(const struct tmap_placement *p)
{
	char *line = launch_command(launcher, p, path, &err);
	char *command, *words = strchr(line, ' '), *program = strstr(line, " PROGRAM");

	ck_assert_ptr_nonnull(program);
	*program = '\0';
	command = show_map(words + 1);
	free(line);
	return command;
}

/* The same of a file that somebody else wrote, for this many ranks. */
static char *command_of_file(int ranks, const struct tmap_slot_rules *rules)
{
	char *words, *command;

	if (is_5)
		words = tmap_format(&err,
				    "-np %d --host %s:%d --map-by rankfile:file=%s%s "
				    "--bind-to :overload-allowed",
				    ranks, host, ranks, path, rules->hwthreads ? ":hwtcpus" : "");
	else
		words = tmap_format(&err,
				    "--mca hwloc_base_use_hwthreads_as_cpus %d "
				    "--mca rmaps_rank_file_physical %d --rankfile %s",
				    rules->hwthreads, rules->physical, path);
	command = show_map(words);
	free(words);
	return command;
}

static void expect_same_report(const struct tmap_placement *p, const char *what)
{
	struct tmap_placement reported;

	ck_assert_msg(tmap_launcher_read(&reported, p->machine,
					 tmap_launcher_find("report-bindings"), map_path, TMAP_NONE,
					 &err) == 0,
		      "%s: %s", what, err.text);
	ck_assert_int_eq(reported.size, p->size);
	for (int r = 0; r < p->size; r++) {
		const struct tmap_place *expected = &p->places[p->place[r]];
		const struct tmap_place *place = &reported.places[reported.place[r]];

		ck_assert_int_eq(reported.node[r], p->node[r]);
		ck_assert_msg(place->bound == expected->bound &&
				      tmap_idset_equal(&place->pus, &expected->pus),
			      "%s: rank %d", what, r);
	}
	tmap_placement_fini(&reported);
}

static void expect_same(const struct tmap_placement *p, const char *command, const char *what)
{
	static char reported[MOST_RANKS][PICTURE], expected[PICTURE];

	ck_assert_int_eq(ask_mpirun(reported, &p->machine->topology[0], command), p->size);
	for (int r = 0; r < p->size; r++) {
		picture_of(expected, p, r);
		ck_assert_msg(strcmp(reported[r], expected) == 0,
			      "%s: rank %d: Open MPI says %s, topomap %s\n%s", what, r, reported[r],
			      expected, command);
	}
	expect_same_report(p, what);
}

/* Random places: whole cores, or any PUs, that the job may use; one rank may use all. */
static void random_places(struct tmap_placement *p, struct dice *dice, bool threads)
{
	const struct tmap_topology *topo = &p->machine->topology[0];

	for (int r = 0; r < p->size; r++) {
		struct tmap_idset pus = { 0 };
		int wanted = 1 + dice_roll(dice, 3), all = 0;

		for (int tries = 0; wanted > 0; tries++) {
			int pu = dice_roll(dice, topo->pu_count);
			int core = tmap_topology_ancestor(topo, topo->pu[pu].object, TMAP_CORE);
			const struct tmap_object *object =
				&topo->object[threads || core == TMAP_NONE ? topo->pu[pu].object :
									     core];

			for (int i = object->first_pu; i < object->end_pu; i++)
				if (topo->pu[i].allowed)
					ck_assert_int_eq(tmap_idset_add(&pus, topo->pu[i].os, &err),
							 0);
			wanted -= pus.count > 0;
		}
		for (int i = 0; i < topo->pu_count; i++)
			all += topo->pu[i].allowed;
		p->node[r] = 0;
		p->place[r] =
			tmap_placement_intern(p, 0, &pus, NULL, tmap_idset_size(&pus) < all, &err);
		tmap_idset_fini(&pus);
	}
}

static void check_written(const char *what, bool threads, uint64_t seed)
{
	struct tmap_machine *machine = imitate(what);
	struct tmap_placement p, again;
	struct dice dice = { seed };
	FILE *file = fopen(path, "w");
	char *command;

	ck_assert_msg(machine != NULL, "%s: %s", what, err.text);
	ck_assert_int_eq(tmap_placement_init(&p, machine, 8, &err), 0);
	random_places(&p, &dice, threads);
	ck_assert_msg(write_launch(file, launcher, &p, 0, &err) == 0, "%s", err.text);
	ck_assert_int_eq(fclose(file), 0);
	command = to_command(&p);
	expect_same(&p, command, what);
	ck_assert_msg(tmap_launcher_read(&again, machine, tmap_launcher_find(launcher), path,
					 TMAP_NONE, &err) == 0,
		      "%s", err.text);
	expect_same(&again, command, what);
	free(command);
	tmap_placement_fini(&again);
	tmap_placement_fini(&p);
	tmap_machine_free(machine);
}

static const char *const machines[] = {
	"package:2 l3:2 core:4 pu:2",   "package:2 numa:2 l3:1 core:4 pu:1",
	"package:4 l2:2 core:2 pu:1",   "package:1 core:6 pu:4",
	"numa:2 package:2 core:3 pu:2", "package:1 core:5 pu:1",
};

START_TEST(mpirun_puts_ranks_where_the_file_was_meant_to)
{
	check_written(machines[_i], false, 1);
	check_written(machines[_i], true, 2);
}
END_TEST

/* Real machines: SMT, hybrid cores, holes in the numbers, parts that the job may not use. */
START_TEST(mpirun_puts_ranks_where_it_was_meant_to_on_recorded_machines)
{
	const char *data = test_data();
	char *folder = tmap_format(&err, "%s/topologies", data);
	struct dirent **entry;
	int count = scandir(folder, &entry, NULL, alphasort), checked = 0;

	ck_assert_int_gt(count, 0);
	for (int i = 0; i < count; i++) {
		char *xml = tmap_format(&err, "%s/%s", folder, entry[i]->d_name);
		struct tmap_machine *machine;

		if (strstr(xml, ".xml") && (machine = imitate(xml))) {
			tmap_machine_free(machine);
			check_written(xml, false, (uint64_t)i);
			check_written(xml, true, (uint64_t)i);
			checked++;
		}
		free(xml);
		free(entry[i]);
	}
	free(entry);
	free(folder);
	ck_assert_int_gt(checked, 10);
}
END_TEST

/* A list of random tokens of the grammar. */
static void random_list(char *list, struct dice *dice)
{
	static const char *const tokens[] = { "0", "1", "2",   "3",     "4",  "7",  "9", "15",
					      ",", ",", ";",   ":",     ":",  "-",  "s", "S",
					      "*", "c", "0:1", "1:0-1", "s1", "0-3" };
	int count = 1 + dice_roll(dice, 5);

	*list = '\0';
	while (count--)
		strcat(list, tokens[dice_roll(dice, (int)(sizeof tokens / sizeof *tokens))]);
}

/* What the reader accepts, Open MPI understands in the same way. Loop index: what numbers
 * count. */
START_TEST(mpirun_means_what_the_reader_says)
{
	const struct tmap_slot_rules rules = { .hwthreads = _i & 1,
					       .physical = _i & 2,
					       .prrte = is_5 };
	struct dice dice = { 7 + (uint64_t)_i };

	for (size_t m = 0; m < 5; m++) {
		struct tmap_machine *machine = imitate(machines[m]);
		FILE *file = fopen(path, "w");
		struct tmap_placement p;
		char *command;

		fprintf(file, "# %s %s\n",
			!rules.hwthreads ? "" :
				is_5     ? "--map-by rankfile:file=F:hwtcpus" :
					   "--mca hwloc_base_use_hwthreads_as_cpus 1",
			rules.physical ? "--mca rmaps_rank_file_physical 1" : "");
		for (int rank = 0; rank < MOST_RANKS;) {
			struct tmap_idset pus = { 0 };
			char list[64];

			random_list(list, &dice);
			if (tmap_slot_list_parse(&pus, list, &machine->topology[0], &rules, &err) ==
			    0)
				fprintf(file, "rank %d=%s slot=%s\n", rank++, host, list);
			tmap_idset_fini(&pus);
		}
		ck_assert_int_eq(fclose(file), 0);
		ck_assert_msg(tmap_launcher_read(&p, machine, tmap_launcher_find(launcher), path,
						 TMAP_NONE, &err) == 0,
			      "%s", err.text);
		command = command_of_file(MOST_RANKS, &rules);
		expect_same(&p, command, machines[m]);
		free(command);
		tmap_placement_fini(&p);
		tmap_machine_free(machine);
	}
}
END_TEST

START_TEST(mpirun_takes_57_characters_of_host_and_list)
{
	struct tmap_machine *machine = imitate("package:1 core:64 pu:1");
	FILE *file = fopen(path, "w");
	struct tmap_placement p;
	char list[64] = "0", *command;

	while (strlen(list) < 57 - strlen(host))
		strcat(list, strlen(list) % 2 ? "," : "0");
	list[57 - strlen(host)] = '\0';
	fprintf(file, "rank 0=%s slot=%s\n", host, list);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_msg(tmap_launcher_read(&p, machine, tmap_launcher_find(launcher), path, TMAP_NONE,
					 &err) == 0,
		      "%s", err.text);
	command = to_command(&p);
	expect_same(&p, command, "57");
	free(command);
	tmap_placement_fini(&p);
	tmap_machine_free(machine);
}
END_TEST

/* Why the reader and the writer put rank 0 first. */
START_TEST(mpirun_refuses_rank_0_behind_another)
{
	struct tmap_machine *machine = imitate("core:4 pu:1");
	const struct tmap_slot_rules rules = { .prrte = is_5 };
	FILE *file = fopen(path, "w");
	char *command, *quiet;
	int status;

	fprintf(file, "rank 1=%s slot=1\nrank 0=%s slot=0\n", host, host);
	ck_assert_int_eq(fclose(file), 0);
	command = command_of_file(2, &rules);
	quiet = tmap_format(&err, "{ %s; } >/dev/null", command);
	status = system(quiet);
	ck_assert_int_ne(status, 0);
	free(quiet);
	free(command);
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("mpirun_rankfile");
	TCase *tc = tcase_create("mpirun_rankfile");

	mpirun = find_mpirun();
	if (!mpirun) {
		test_skip("no mpirun of Open MPI");
		return suite;
	}
	tcase_set_timeout(tc, 300);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, mpirun_puts_ranks_where_the_file_was_meant_to, 0,
			    (int)(sizeof machines / sizeof *machines));
	if (test_data())
		tcase_add_test(tc, mpirun_puts_ranks_where_it_was_meant_to_on_recorded_machines);
	else
		test_skip("no recorded machines");
	/* Open MPI 5 has no physical numbers */
	tcase_add_loop_test(tc, mpirun_means_what_the_reader_says, 0, is_5 ? 2 : 4);
	tcase_add_test(tc, mpirun_takes_57_characters_of_host_and_list);
	tcase_add_test(tc, mpirun_refuses_rank_0_behind_another);
	suite_add_tcase(suite, tc);
	return suite;
}
