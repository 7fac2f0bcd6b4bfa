/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every launcher of the table: what its writer accepts its reader returns, for random jobs on many
 * machines. Oracle: the placement itself, held against what comes back rank by rank; and command
 * lines written down by hand from the launchers' manuals.
 */
#include "formats/launchers/launch.h"

#include "core/base/random.h"
#include "core/place/openmpi.h"
#include "core/place/permute.h"
#include "core/place/radix.h"
#include "formats/launchers/without_file.h"
#include "tests/support/launches.h"
#include "tests/support/rank_files.h"

enum { JOBS = 30 };

static const char *const specs[] = {
	"node:3 package:2 numa:2 core:4 pu:2",
	"node:5 package:2 core:3",
	"node:1 core:8 pu:2",
	"node:2 [numa] core:2 pu:4",
	"node:4 numa:2 l3:2 core:2 pu:1(indexes=3,1,0,2,7,5,4,6)",
	"node:7 core:1",
};

enum shape { CORES, THREADS, SETS, UNBOUND, MIXED, SHAPES };

static void add_pu(struct tmap_idset *pus, const struct tmap_topology *topo, int pu)
{
	if (topo->pu[pu].allowed)
		ck_assert_int_eq(tmap_idset_add(pus, topo->pu[pu].os, &err), 0);
}

static void add_all(struct tmap_idset *pus, const struct tmap_topology *topo)
{
	for (int i = 0; i < topo->pu_count; i++)
		add_pu(pus, topo, i);
}

/* PUs of a random place; "whole" makes them whole cores. */
static void choose_pus(struct tmap_idset *pus, const struct tmap_topology *topo, enum shape shape,
		       struct tmap_random *dice)
{
	int tries = shape == SETS || shape == MIXED ? 1 + (int)tmap_random_below(dice, 4) : 1;

	for (int i = 0; i < tries || pus->count == 0; i++) {
		int pu = (int)tmap_random_below(dice, (uint64_t)topo->pu_count);
		int core = tmap_topology_ancestor(topo, topo->pu[pu].object, TMAP_CORE);

		if (shape == THREADS || (shape == MIXED && tmap_random_below(dice, 2)) ||
		    core == TMAP_NONE)
			add_pu(pus, topo, pu);
		else
			for (int u = topo->object[core].first_pu; u < topo->object[core].end_pu;
			     u++)
				add_pu(pus, topo, u);
	}
}

static int random_place(struct tmap_placement *q, int topology, enum shape shape,
			struct tmap_random *dice)
{
	const struct tmap_topology *topo = &q->machine->topology[topology];
	bool bound = shape != UNBOUND && !(shape == MIXED && tmap_random_below(dice, 4) == 0);
	struct tmap_idset pus = { 0 };
	int place;

	if (bound)
		choose_pus(&pus, topo, shape, dice);
	else
		add_all(&pus, topo);
	place = tmap_placement_intern(q, topology, &pus, NULL, bound, &err);
	ck_assert_int_ne(place, TMAP_NONE);
	tmap_idset_fini(&pus);
	return place;
}

/* Every node has @p count ranks; the same number has the same place on all of one kind if
 * @p uniform, and they come node by node, one of each in turn, or in a random order. */
static void random_job(struct tmap_placement *q, struct tmap_machine *machine, enum shape shape,
		       bool uniform, int order, struct tmap_random *dice)
{
	int nodes = machine->node_count, count = 1 + (int)tmap_random_below(dice, 6);
	int place[6];

	ck_assert_int_eq(tmap_placement_init(q, machine, nodes * count, &err), 0);
	for (int k = 0; k < count; k++)
		place[k] = random_place(q, 0, shape, dice);
	for (int r = 0; r < q->size; r++) {
		int node = order == 1 ? r % nodes : r / count,
		    k = order == 1 ? r / nodes : r % count;
		int topology = machine->node_topology[node];

		if (order == 2)
			node = (int)tmap_random_below(dice, (uint64_t)nodes);
		topology = machine->node_topology[node];
		q->node[r] = node;
		q->place[r] = uniform && topology == 0 ? place[k] :
							 random_place(q, topology, shape, dice);
	}
}

static bool is_all(const struct tmap_placement *q, int rank)
{
	const struct tmap_topology *topo = tmap_placement_topology(q, rank);
	const struct tmap_idset *pus = &q->places[q->place[rank]].pus;

	for (int i = 0; i < topo->pu_count; i++)
		if (topo->pu[i].allowed && !tmap_idset_contains(pus, topo->pu[i].os))
			return false;
	return true;
}

/* A rank that has all of its node is not bound, for most launchers. */
static void expect_same(const struct tmap_placement *want, const struct tmap_placement *have,
			const char *launcher)
{
	ck_assert_msg(want->size == have->size, "%s: %d ranks, not %d", launcher, have->size,
		      want->size);
	for (int r = 0; r < want->size; r++) {
		const struct tmap_place *a = &want->places[want->place[r]];
		const struct tmap_place *b = &have->places[have->place[r]];

		ck_assert_msg(strcmp(want->machine->node_name[want->node[r]],
				     have->machine->node_name[have->node[r]]) == 0,
			      "%s: rank %d is on another node", launcher, r);
		ck_assert_msg(tmap_idset_equal(&a->pus, &b->pus), "%s: rank %d has other PUs",
			      launcher, r);
		ck_assert_msg((a->bound && !is_all(want, r)) == (b->bound && !is_all(have, r)),
			      "%s: rank %d is bound or not", launcher, r);
	}
}

/* Files that only reorder ranks are applied to the job as it was. */
static void apply(struct tmap_placement *q, const struct tmap_placement *before,
		  const struct tmap_launcher *launcher)
{
	struct tmap_rank_list ranks = { 0 };
	int *list;

	list = tmap_alloc((size_t)before->size, sizeof *list, &err);
	for (int r = 0; r < before->size; r++)
		list[r] = r;
	ck_assert_int_eq(tmap_placement_select(q, before, list, before->size, &err), 0);
	free(list);
	ck_assert_msg(tmap_launcher_read_list(&ranks, launcher, path, NULL, &err) == 0, "%s",
		      err.text);
	ck_assert_int_eq(launcher->reorder(q, ranks.rank, ranks.count, &err), 0);
	tmap_rank_list_fini(&ranks);
}

/* Write, read, compare; false where the launcher cannot express the job. */
static bool goes_round(int launcher, const struct tmap_placement *before, struct tmap_random *dice)
{
	const struct tmap_launcher *row = tmap_launcher_at(launcher);
	struct tmap_placement after = { 0 }, again = { 0 };
	struct tmap_launch job = { 0 };
	int *place_of = tmap_alloc((size_t)before->size, sizeof *place_of, &err);
	bool written;

	for (int r = 0; r < before->size; r++)
		place_of[r] = r;
	if (!row->parse)
		tmap_random_shuffle(dice, place_of, before->size);
	ck_assert_int_eq(tmap_placement_select(&after, before, place_of, before->size, &err), 0);
	ck_assert_int_eq(tmap_launch_init(&job, launcher, &after, before, place_of, path, &err), 0);
	written = tmap_launch_check(&job, &err) == 0;
	if (written)
		ck_assert_msg(tmap_launch_write(&job, path, &err) == 0, "%s", err.text);
	if (written && row->reads) {
		if (row->parse)
			ck_assert_msg(tmap_launcher_read(&again, before->machine, row, path,
							 TMAP_NONE, &err) == 0,
				      "%s: %s", row->word.name, err.text);
		else
			apply(&again, before, row);
		expect_same(&after, &again, row->word.name);
	} else if (!written) {
		ck_assert_int_eq(err.kind, TMAP_INPUT);
	}
	tmap_launch_fini(&job);
	tmap_placement_fini(&again);
	tmap_placement_fini(&after);
	free(place_of);
	return written;
}

/* How many of some jobs on the machine the launcher could express. */
static int try_jobs(int launcher, struct tmap_machine *machine, int jobs, uint64_t seed)
{
	struct tmap_random dice = { seed };
	int written = 0;

	for (int i = 0; i < jobs; i++) {
		struct tmap_placement before = { 0 };

		random_job(&before, machine, (enum shape)(i % SHAPES), i / SHAPES % 2, i / 10 % 3,
			   &dice);
		written += goes_round(launcher, &before, &dice);
		tmap_placement_fini(&before);
	}
	return written;
}

START_TEST(what_a_launcher_takes_is_read_back)
{
	int written = 0;

	if (!tmap_launcher_at(_i)->write)
		return;
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		struct tmap_machine *machine = machine_of(specs[i]);

		written += try_jobs(_i, machine, JOBS, 31 * (uint64_t)_i + i);
		tmap_machine_free(machine);
	}
	ck_assert_int_gt(written, JOBS);
}
END_TEST

START_TEST(nodes_of_different_kinds_are_read_back)
{
	const char *const mixed[] = { "node:2 package:2 core:2 pu:2", "node:1 core:3 pu:1",
				      "node:2 numa:2 core:4 pu:1" };
	struct tmap_machine *machine;

	if (!tmap_launcher_at(_i)->write)
		return;
	machine = tmap_machine_read_specs(mixed, 3, &err);
	ck_assert_ptr_nonnull(machine);
	ck_assert_int_gt(try_jobs(_i, machine, JOBS, 7), 0);
	tmap_machine_free(machine);
}
END_TEST

/* Machines as they were recorded: cores that may not be used, numbers in any order, no packages. */
START_TEST(recorded_machines_are_read_back)
{
	static const char *const files[] = {
		"16em64t-4s2c2t-offlines.xml",
		"20em64t-hybrid-1p6c2t+2ca4co1t.xml",
		"20s390-2g6s4c.xml",
		"64intel64-3g2n+2n-irregulargroups+pci.xml",
		"8em64t-2s4c-asymcaches.xml",
		"coral-lassen.xml",
		"epyc-corona.xml",
		"knl-snc4-flat-hwloc1.xml",
		"offline-cpu0-node0.xml",
	};

	if (!tmap_launcher_at(_i)->write)
		return;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char *spec = tmap_format(&err, "3*%s/topologies/%s", test_data(), files[i]);
		struct tmap_machine *machine = machine_of(spec);

		ck_assert_int_gt(try_jobs(_i, machine, 10, i), 0);
		tmap_machine_free(machine);
		free(spec);
	}
}
END_TEST

/* Placed by a policy, the job has the options that make it: written down by hand from the manuals
 * of mpirun, srun and mpiexec.hydra, the simplest that do. */
static const struct {
	const char *spec, *map, *bind;
	int ranks;
	const char *launcher, *line;
} policies[] = {
	{ "node:4 package:2 core:3", "core", "core", 24, "openmpi4",
	  "mpirun -np 24 --map-by core --bind-to core PROGRAM" },
	{ "node:4 package:2 core:3", "node", "core", 24, "openmpi4",
	  "mpirun -np 24 --map-by node --bind-to core PROGRAM" },
	{ "node:4 package:2 core:3", "socket", "none", 24, "openmpi4",
	  "mpirun -np 24 --map-by core --bind-to none PROGRAM" },
	{ "node:4 package:2 core:3 pu:2", "socket", "socket", 24, "seq",
	  "mpirun -np 24 --map-by socket --bind-to socket PROGRAM" },
	{ "node:4 package:2 core:3", "ppr:1:socket", "core", TMAP_NONE, "openmpi4",
	  "mpirun -np 8 --map-by ppr:1:socket --bind-to core PROGRAM" },
	{ "node:4 package:2 core:3", "node", "core", 24, "slurm",
	  "srun -N 4 -n 24 --distribution=cyclic:block --cpu-bind=cores PROGRAM" },
	{ "node:4 package:2 core:3", "socket", "core", 24, "slurm",
	  "srun -N 4 -n 24 --distribution=block:cyclic --cpu-bind=cores PROGRAM" },
	{ "node:4 package:2 core:3", "socket", "core", 24, "hydra",
	  "mpiexec.hydra -ppn 6 -n 24 -bind-to core -map-by socket PROGRAM" },
};

START_TEST(options_without_a_file_are_found)
{
	struct tmap_ompi_request rq = TMAP_OMPI_REQUEST_INIT;
	struct tmap_machine *machine = machine_of(policies[_i].spec);
	struct tmap_launch job;
	char *line;

	rq.ranks = policies[_i].ranks;
	ck_assert_int_eq(tmap_ompi_parse_map_by(&rq, policies[_i].map, &err), 0);
	ck_assert_int_eq(tmap_ompi_parse_bind_to(&rq, policies[_i].bind, &err), 0);
	ck_assert_msg(tmap_ompi_place(&p, machine, &rq, &err) == 0, "%s", err.text);
	job = launch_of(policies[_i].launcher, &p, "-");
	ck_assert_int_eq(tmap_launch_without_file(&line, &job, &err), 0);
	ck_assert_ptr_nonnull(line);
	ck_assert_str_eq(line, policies[_i].line);
	free(line);
	launch_fini(&job);
	tmap_machine_free(machine);
}
END_TEST

/* More ranks than are tried at once, of which the last two change places. */
START_TEST(no_options_give_a_job_that_is_different_far_behind)
{
	struct tmap_machine *machine = machine_of("node:600 package:2 core:64");
	struct tmap_launch job;
	char *line;
	int place;

	ck_assert_int_eq(tmap_radix_place(&p, machine, "core,node", TMAP_NONE, &err), 0);
	job = launch_of("openmpi4", &p, "-");
	ck_assert_int_eq(tmap_launch_without_file(&line, &job, &err), 0);
	ck_assert_ptr_nonnull(line);
	free(line);
	launch_fini(&job);
	place = p.place[p.size - 1];
	p.place[p.size - 1] = p.place[p.size - 2];
	p.place[p.size - 2] = place;
	job = launch_of("openmpi4", &p, "-");
	ck_assert_int_eq(tmap_launch_without_file(&line, &job, &err), 0);
	ck_assert_ptr_null(line);
	launch_fini(&job);
	tmap_machine_free(machine);
}
END_TEST

static void remove_all(void)
{
	char *script = tmap_format(&err, "%s.sh", path);

	unlink(script);
	free(script);
	teardown();
}

/* srun and Open MPI's sequential mapper read 1023 characters of a line, and what is behind them as
 * the next line. */
static void expect_short_lines(const char *launcher)
{
	char line[4096];
	FILE *file = fopen(path, "r");

	while (fgets(line, sizeof line, file))
		ck_assert_msg(line[0] != '#' || strlen(line) < 1024, "%s: %zu characters", launcher,
			      strlen(line));
	fclose(file);
}

/* A rank on each core, bound or not: false where the launcher cannot express it. */
static bool is_written_in_short_lines(int launcher, const char *spec, const char *bind_to)
{
	struct tmap_machine *machine = machine_of(spec);
	struct tmap_ompi_request rq = TMAP_OMPI_REQUEST_INIT;
	struct tmap_random dice = { 1 };
	struct tmap_placement before = { 0 };
	bool written;

	ck_assert_int_eq(tmap_ompi_parse_map_by(&rq, "core", &err), 0);
	ck_assert_int_eq(tmap_ompi_parse_bind_to(&rq, bind_to, &err), 0);
	ck_assert_int_eq(tmap_ompi_place(&before, machine, &rq, &err), 0);
	written = goes_round(launcher, &before, &dice);
	if (written)
		expect_short_lines(tmap_launcher_at(launcher)->word.name);
	tmap_placement_fini(&before);
	tmap_machine_free(machine);
	return written;
}

/* The longest command lines bind every rank. A launcher that binds nothing, not even the ranks of
 * a small job, takes the large one unbound. */
START_TEST(comments_with_long_command_lines_have_short_lines)
{
	const char *small = "node:2 package:2 core:2", *large = "node:2 package:2 core:64 pu:2";
	bool binds;

	if (!tmap_launcher_at(_i)->write)
		return;
	binds = is_written_in_short_lines(_i, small, "core");
	ck_assert_msg(is_written_in_short_lines(_i, large, binds ? "core" : "none"),
		      "%s cannot express the large job", tmap_launcher_at(_i)->word.name);
}
END_TEST

START_TEST(a_line_that_the_sequential_mapper_would_cut_is_refused)
{
	struct tmap_machine *machine = machine_of("node:1 core:600");
	struct tmap_idset pus = { 0 };
	struct tmap_placement q = { 0 };

	for (int pu = 0; pu < 600; pu += 2)
		ck_assert_int_eq(tmap_idset_add(&pus, pu, &err), 0);
	ck_assert_int_eq(tmap_placement_init(&q, machine, 1, &err), 0);
	q.node[0] = 0;
	q.place[0] = tmap_placement_intern(&q, 0, &pus, NULL, true, &err);
	ck_assert_int_eq(write_launch(NULL, "seq", &q, 0, &err), -1);
	ck_assert_str_eq(err.text,
			 "rank 0: host 'n0' and its cores have 1147 characters; Open MPI's "
			 "sequential mapper takes 1022");
	tmap_placement_fini(&q);
	tmap_idset_fini(&pus);
	tmap_machine_free(machine);
}
END_TEST

/* What is wrong with the other launchers that a row names; NULL: nothing. */
static const char *find_wrong_instead(const struct tmap_launcher *row)
{
	if (row->instead[TMAP_LAUNCH_OTHERS])
		return "no NULL at the end of instead";
	for (const char *const *name = row->instead; *name; name++) {
		const struct tmap_launcher *other = tmap_launcher_find(*name);

		if (!other || !other->write)
			return "a row in instead that is not there or is not written";
		if (strcmp(*name, row->word.name) == 0)
			return "itself in instead";
	}
	return row->instead[0] && !row->write ? "instead without write" : NULL;
}

/* What a row lacks of the groups of members that launcher.h names; NULL: nothing. */
static const char *find_lack(const struct tmap_launcher *row)
{
	bool reads = row->reads, writes = row->writes;
	const struct {
		bool is_wrong;
		const char *what;
	} rules[] = {
		{ !row->word.name || !row->word.summary, "word" },
		{ reads != (row->parse || row->parse_list), "reads, parse or parse_list" },
		{ row->parse && row->parse_list, "parse or parse_list, not both" },
		{ !row->parse != !row->resolve, "parse and resolve" },
		{ !row->parse_list != !row->reorder, "parse_list and reorder" },
		{ row->option && !reads, "option and reads" },
		{ row->is_argument && !reads, "is_argument and reads" },
		{ writes != (row->write != NULL), "writes and write" },
		{ writes != (row->command != NULL), "writes and command" },
		{ writes != (row->file != NULL), "writes and file" },
		{ row->note && !writes, "note and writes" },
		{ row->count_files && !writes, "count_files and writes" },
		{ row->count_files && !row->ending[1], "count_files and ending" },
		{ reads && writes && !row->form, "form" },
		{ row->lint && !(reads && writes), "lint, reads and writes" },
		{ row->places && !row->policy, "places and policy" },
		{ row->mark[0].launcher && !writes, "marks and writes" },
		{ row->mark[TMAP_LAUNCHER_MARKS].launcher, "the end of marks" },
		{ row->fixes && !row->mark[0].launcher, "fixes and marks" },
		{ row->writer && writes, "writer or writes, not both" },
		{ row->is_log && (writes || !row->parse), "is_log and only parse" },
		{ row->lines && !row->is_log, "lines and is_log" },
		{ row->lines && row->own_lines, "lines or own_lines, not both" },
		{ row->is_log && !row->lines && !row->own_lines, "lines or own_lines of a log" },
		{ !reads && !writes && !row->policy, "any use" },
	};

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].is_wrong)
			return rules[i].what;
	return find_wrong_instead(row);
}

START_TEST(rows_are_complete)
{
	const struct tmap_launcher *row = tmap_launcher_at(_i);
	const char *lack = find_lack(row);

	ck_assert_msg(!lack, "%s: %s", row->word.name, lack);
	ck_assert_msg(tmap_launcher_find(row->word.name) == row, "%s is there twice",
		      row->word.name);
}
END_TEST

START_TEST(incomplete_rows_are_found)
{
	struct tmap_launcher whole = *tmap_launcher_find("slurm"), row;

#define expect_lack(member, value, lack) \
	do { \
		row = whole; \
		row.member = value; \
		ck_assert_ptr_nonnull(find_lack(&row)); \
		ck_assert_str_eq(find_lack(&row), lack); \
	} while (0)
	expect_lack(reads, NULL, "reads, parse or parse_list");
	expect_lack(parse, NULL, "reads, parse or parse_list");
	expect_lack(resolve, NULL, "parse and resolve");
	expect_lack(reorder, tmap_launcher_find("permutation")->reorder, "parse_list and reorder");
	expect_lack(writes, NULL, "writes and write");
	expect_lack(write, NULL, "writes and write");
	expect_lack(command, NULL, "writes and command");
	expect_lack(file, NULL, "writes and file");
	expect_lack(ending[1], NULL, "count_files and ending");
	expect_lack(form, NULL, "form");
	expect_lack(policy, NULL, "places and policy");
	expect_lack(mark[0].launcher, NULL, "fixes and marks");
	expect_lack(mark[TMAP_LAUNCHER_MARKS].launcher, "srun", "the end of marks");
	expect_lack(writer, "slurm", "writer or writes, not both");
	expect_lack(is_log, true, "is_log and only parse");
	expect_lack(lines, tmap_launcher_find("xthi")->lines, "lines and is_log");
	expect_lack(instead[0], "slurm", "itself in instead");
	expect_lack(instead[0], "nonsense", "a row in instead that is not there or is not written");
	expect_lack(instead[0], "cpu-bind-verbose",
		    "a row in instead that is not there or is not written");
	expect_lack(instead[TMAP_LAUNCH_OTHERS], "hydra", "no NULL at the end of instead");
#undef expect_lack
}
END_TEST

/* Seeds name their row, so that a row without one would never be tried. */
START_TEST(readers_of_places_have_a_seed_for_fuzzing)
{
	const struct tmap_launcher *row = tmap_launcher_at(_i);
	char *seed, line[64] = "";
	FILE *file;

	if (!row->parse)
		return;
	seed = tmap_format(&err, "tests/fuzz/seeds/launchers/%s", row->word.name);
	file = fopen(seed, "r");
	ck_assert_msg(file != NULL, "there is no %s", seed);
	ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
	fclose(file);
	line[strcspn(line, "\n")] = '\0';
	ck_assert_str_eq(line, row->word.name);
	free(seed);
}
END_TEST

static int count_rows(void)
{
	int count = 0;

	while (tmap_keywords_at(&tmap_launchers, (size_t)count))
		count++;
	return count;
}

Suite *test_suite(void)
{
	Suite *suite = suite_create("launchers");
	TCase *tc = tcase_create("launchers");

	tcase_add_checked_fixture(tc, setup, remove_all);
	tcase_add_loop_test(tc, what_a_launcher_takes_is_read_back, 0, count_rows());
	tcase_add_loop_test(tc, nodes_of_different_kinds_are_read_back, 0, count_rows());
	tcase_add_loop_test(tc, comments_with_long_command_lines_have_short_lines, 0, count_rows());
	tcase_add_loop_test(tc, rows_are_complete, 0, count_rows());
	tcase_add_test(tc, incomplete_rows_are_found);
	tcase_add_loop_test(tc, readers_of_places_have_a_seed_for_fuzzing, 0, count_rows());
	tcase_add_test(tc, a_line_that_the_sequential_mapper_would_cut_is_refused);
	tcase_add_loop_test(tc, options_without_a_file_are_found, 0,
			    sizeof policies / sizeof *policies);
	tcase_add_test(tc, no_options_give_a_job_that_is_different_far_behind);
	if (test_data())
		tcase_add_loop_test(tc, recorded_machines_are_read_back, 0, count_rows());
	else
		test_skip("the recorded machines (TOPOMAP_DATA or ../shared/data) are not there");
	suite_add_tcase(suite, tc);
	return suite;
}
