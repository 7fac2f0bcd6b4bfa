/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rules that stand on what ranks were started as and what nodes leave to them. Oracle: a case for
 * each rule that must be found, worked out by hand, and a twin that differs from it in one fact and
 * must not.
 */
#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/lint/lint.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static const struct tmap_fix_words *const nobody[] = { NULL };

/* Few ranks leave much of a node idle: rules of which test_lint.c has the cases. */
static const char *const elsewhere[] = { "idle-memory", "idle-l3" };

/* 2 packages, a NUMA node each, 2 L3 caches with 2 cores of 2 PUs; logical and OS indexes agree. */
static const struct test_level node_levels[] = {
	{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 1 }, { TMAP_L3, 2 },
	{ TMAP_CORE, 2 },    { TMAP_PU, 2 },   { 0 },
};

enum { MOST = 8 };

struct scene {
	const char *what;
	const char *pus[MOST + 1]; /* of each rank; "unbound" for all 16 */
	const char *threads;       /* OMP_NUM_THREADS; NULL: not set */
	const char *places;        /* OMP_PLACES */
	const char *dynamic;       /* OMP_DYNAMIC */
	const char *cpus;          /* SLURM_CPUS_PER_TASK */
	int quota;                 /* thousandths */
	const char *isolated, *nohz;
	const char *slow; /* PUs of the slow kind; the others are of the fast one */
	int huge;         /* NUMA node with huge pages, from 1 */
	const char *found;
};

static const struct scene scenes[] = {
	{ "four threads on a core", { "0-1", "2-3" }, "4", .found = "many-threads 0-1" },
	{ "four threads on two cores",
	  { "0-3", "4-7" },
	  "4",
	  "cores",
	  .found = "sibling-threads 0-1" },
	{ "four threads, and OpenMP may take fewer",
	  { "0-1", "2-3" },
	  "4",
	  .dynamic = "true",
	  .found = "" },
	{ "two threads on a core of two PUs, the others idle",
	  { "0-1" },
	  "2",
	  .found = "sibling-threads 0" },
	{ "two threads on two cores", { "0-3" }, "2", .found = "" },
	{ "as many threads as PUs where all cores are taken",
	  { "0-3", "4-7", "8-11", "12-15" },
	  "4",
	  .found = "" },
	{ "unbound ranks with more threads than the node has PUs",
	  { "unbound", "unbound" },
	  "9",
	  .found = "many-threads 0-1; unbound 0-1" },
	{ "unbound ranks with as many", { "unbound", "unbound" }, "8", .found = "unbound 0-1" },
	{ "threads over two L3 caches", { "0-7", "8-15" }, "4", .found = "loose-threads 0-1" },
	{ "the same, bound", { "0-7", "8-15" }, "4", "cores", .found = "" },
	{ "one thread moves nowhere", { "0-7", "8-15" }, "1", .found = "" },
	{ "eight CPUs asked for, a core given", { "0-1" }, .cpus = "8", .found = "fewer-cpus 0" },
	{ "two asked for", { "0-1" }, .cpus = "2", .found = "" },
	{ "three ranks in the time of two",
	  { "0-1", "2-3", "4-5" },
	  .quota = 2000,
	  .found = "cpu-quota 0-2" },
	{ "three in the time of three", { "0-1", "2-3", "4-5" }, .quota = 3000, .found = "" },
	{ "threads count", { "0-3" }, "2", .quota = 1500, .found = "cpu-quota 0" },
	{ "on the system's core", { "0-1", "2-3" }, .isolated = "2-15", .found = "system-core 0" },
	{ "the same by nohz_full", { "0-1", "2-3" }, .nohz = "2-15", .found = "system-core 0" },
	{ "beside it", { "2-3", "4-5" }, .isolated = "2-15", .found = "" },
	{ "a few PUs are kept for something else",
	  { "0-1", "2-3" },
	  .isolated = "14-15",
	  .found = "" },
	{ "on slow cores while fast ones are idle",
	  { "0-1", "12-13" },
	  .slow = "8-15",
	  .found = "slow-cores 1" },
	{ "on fast ones", { "0-1", "2-3" }, .slow = "8-15", .found = "" },
	{ "on slow ones while all fast ones are taken",
	  { "0-1", "2-3", "4-5", "6-7", "8-9" },
	  .slow = "8-15",
	  .found = "unequal-cores 4" },
	{ "huge pages of the other NUMA node",
	  { "0-1", "8-9" },
	  .huge = 2,
	  .found = "huge-pages 0" },
	{ "of both", { "0-1", "8-9" }, .huge = 3, .found = "" },
};

static void set(struct tmap_idset *set, const char *text)
{
	if (text)
		ck_assert_int_eq(tmap_idset_parse(set, text, 100, &err), 0);
}

static void machine_build(struct tmap_machine *machine, const struct scene *scene)
{
	struct tmap_topology *topo = &machine->topology[0];
	struct tmap_system system = { .cpu_quota_thousandths = scene->quota };
	struct tmap_idset slow = { 0 }, fast = { 0 };

	for (int n = 0; n < 2; n++) {
		const struct tmap_memory memory = { .os = n,
						    .object =
							    tmap_topology_find(topo, TMAP_NUMA, n),
						    .huge_bytes = scene->huge & (n + 1) };

		ck_assert_int_eq(tmap_topology_add_memory(topo, &memory, &err), 0);
	}
	if (scene->slow) {
		set(&slow, scene->slow);
		for (int os = 0; os < topo->pu_count; os++)
			if (!tmap_idset_contains(&slow, os))
				ck_assert_int_eq(tmap_idset_add(&fast, os, &err), 0);
		ck_assert_int_eq(tmap_topology_add_kind(topo, "small", &slow, &err), 0);
		ck_assert_int_eq(tmap_topology_add_kind(topo, "big", &fast, &err), 0);
	}
	set(&system.isolated, scene->isolated);
	set(&system.nohz_full, scene->nohz);
	ck_assert_int_eq(tmap_machine_add_system(machine, &system, &err), 0);
	ck_assert_int_eq(tmap_machine_set_system(machine, 0, 0, &err), 0);
	tmap_system_fini(&system);
	tmap_idset_fini(&slow);
	tmap_idset_fini(&fast);
}

static void scene_build(struct tmap_placement *p, const struct scene *scene, bool known)
{
	struct tmap_machine *machine = machine_regular(1, node_levels);
	struct tmap_setting setting = { .environment = true };
	int size = 0;

	while (scene->pus[size])
		size++;
	if (known)
		machine_build(machine, scene);
	ck_assert_int_eq(tmap_placement_init(p, machine, size, &err), 0);
	tmap_machine_free(machine);
	for (int r = 0; r < size; r++) {
		bool bound = strcmp(scene->pus[r], "unbound") != 0;
		struct tmap_idset pus = { 0 };

		set(&pus, bound ? scene->pus[r] : "0-15");
		p->node[r] = 0;
		p->place[r] = tmap_placement_intern(p, 0, &pus, NULL, bound, &err);
		tmap_idset_fini(&pus);
	}
	setting.variable[TMAP_OMP_NUM_THREADS] = (char *)scene->threads;
	setting.variable[TMAP_OMP_PLACES] = (char *)scene->places;
	setting.variable[TMAP_OMP_DYNAMIC] = (char *)scene->dynamic;
	setting.variable[TMAP_SLURM_CPUS_PER_TASK] = (char *)scene->cpus;
	if (known)
		ck_assert_int_eq(tmap_placement_add_setting(p, &setting, &err), 0);
}

/* "many-threads 0-1", and *skipped names those that gave no answer. */
static char *print(const struct tmap_placement *p, char **skipped)
{
	struct tmap_str found = TMAP_STR_INIT, other = TMAP_STR_INIT;
	struct tmap_lint_request request = { .launchers = nobody };
	struct tmap_inspection inspection;
	struct tmap_lint lint;

	for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
		request.ignored |=
			TMAP_KEYWORDS_BIT(tmap_keywords_find(&tmap_lint_rules, elsewhere[i], &err));
	ck_assert_int_eq(tmap_inspection_init(&inspection, p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_lint_init(&lint, &inspection, &request, &err), 0);
	tmap_str_add(&found, "");
	tmap_str_add(&other, "");
	for (int i = 0; i < lint.count; i++) {
		char *ranks = tmap_idset_print(&lint.finding[i].ranks, &err);

		tmap_str_addf(&found, "%s%s %s", i ? "; " : "", lint.finding[i].rule->word.name,
			      ranks);
		free(ranks);
	}
	for (int i = 0; i < lint.skipped_count; i++)
		tmap_str_addf(&other, "%s ", lint.skipped[i].rule->word.name);
	tmap_lint_fini(&lint);
	tmap_inspection_fini(&inspection);
	*skipped = tmap_str_take(&other, &err);
	return tmap_str_take(&found, &err);
}

START_TEST(each_fault_is_found_and_its_twin_is_not)
{
	char *found, *skipped;
	struct tmap_placement p;

	scene_build(&p, &scenes[_i], true);
	found = print(&p, &skipped);
	ck_assert_msg(strcmp(found, scenes[_i].found) == 0, "%s: '%s', not '%s'", scenes[_i].what,
		      found, scenes[_i].found);
	free(found);
	free(skipped);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(where_the_facts_are_not_known_the_rules_say_so)
{
	char *found, *skipped;
	struct tmap_placement p;

	scene_build(&p, &scenes[0], false);
	found = print(&p, &skipped);
	ck_assert_str_eq(found, "");
	for (const char *const *name =
		     (const char *const[]){ "many-threads ", "sibling-threads ", "loose-threads ",
					    "fewer-cpus ", "cpu-quota ", "system-core ", NULL };
	     *name; name++)
		ck_assert_msg(strstr(skipped, *name) != NULL, "%s is not in %s", *name, skipped);
	free(found);
	free(skipped);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("lint_facts");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, each_fault_is_found_and_its_twin_is_not, 0,
			    sizeof scenes / sizeof scenes[0]);
	tcase_add_test(tc, where_the_facts_are_not_known_the_rules_say_so);
	suite_add_tcase(suite, tc);
	return suite;
}
