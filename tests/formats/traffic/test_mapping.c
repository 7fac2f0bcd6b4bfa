/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How good mappings of recorded jobs are: 64 ranks on 4 nodes of 2 packages of 2 NUMA nodes of
 * 4 cores, where a byte costs 100 between nodes, 20 between packages, 10 between NUMA nodes, 1
 * between cores. Oracle: the costs, as ratios to the block mapping, of the best mappings that are
 * known from other partitioners; each must be reached.
 */
#include "core/base/mem.h"
#include "core/mappers/mapper.h"
#include "formats/traffic/traffic.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

static const struct {
	const char *file;
	double reference;
	int64_t effort;
} jobs[] = {
	{ "amg.64.size.csv", 0.7085, 4000000 },
	{ "lulesh.64.size.csv", 0.7085, 4000000 },
	{ "btmz.64.size.csv", 0.852, 4000000 },
	{ "cg.64.size.csv", 1, 1000000 },
	{ "npb-bt.64.graphStats.txt", 0.862, 30000000 },
	{ "miniAMR.64.graphStats.txt", 1, 1000000 },
};

static void read_pattern(struct tmap_pattern *pattern, const char *file)
{
	char *path = tmap_format(&err, "%s/comm/%s", test_data(), file);
	struct tmap_pattern_builder builder;

	ck_assert_int_eq(tmap_pattern_builder_init(&builder, 64, &err), 0);
	ck_assert_msg(tmap_traffic_read(&builder, path, TMAP_NONE, &err) == 0, "%s", err.text);
	ck_assert_int_eq(tmap_pattern_finish(pattern, &builder, &err), 0);
	tmap_pattern_builder_fini(&builder);
	free(path);
}

static double map(struct tmap_objective *objective, const char *mapper, int64_t effort)
{
	struct tmap_mapping mapping;
	double cost;

	ck_assert_int_eq(tmap_map(&mapping, objective,
				  tmap_keywords_find(&tmap_mappers, mapper, &err), effort, 1, NULL,
				  &err),
			 0);
	ck_assert_int_eq(tmap_slots_check(objective->slots, mapping.slot_of, &err), 0);
	cost = mapping.evaluation.byte_distance;
	tmap_mapping_fini(&mapping);
	return cost;
}

START_TEST(recorded_jobs_are_mapped_as_well_as_others_map_them)
{
	static const double level_cost[] = { 100, 20, 10, 1 };
	static const struct tmap_slots_excluded none;
	const struct tmap_criteria criteria = { .goal = TMAP_GOAL_DISTANCE,
						.profile = tmap_profile_at(0),
						.scale = TMAP_SCALE_PROCESS,
						.level_cost = level_cost,
						.level_cost_count = 4 };
	struct tmap_pattern pattern;
	struct tmap_traffic traffic = { .pattern = &pattern };
	struct tmap_objective objective;
	struct tmap_placement p;
	struct tmap_slots slots;
	double block;

	read_pattern(&pattern, jobs[_i].file);
	placement_block_take(&p,
			     machine_regular(4,
					     (const struct test_level[]){ { TMAP_PACKAGE, 2 },
									  { TMAP_NUMA, 2 },
									  { TMAP_CORE, 4 },
									  { TMAP_NODE, 0 } }));
	ck_assert_int_eq(tmap_slots_init(&slots, &p, 0, &none, &err), 0);
	ck_assert_int_eq(tmap_objective_init(&objective, &slots, &traffic, &criteria, &err), 0);
	block = map(&objective, "block", 0);
	ck_assert_double_le(map(&objective, "best", jobs[_i].effort) / block, jobs[_i].reference);
	tmap_objective_fini(&objective);
	tmap_slots_fini(&slots);
	tmap_placement_fini(&p);
	tmap_pattern_fini(&pattern);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("mapping");
	TCase *tests = tcase_create("mapping");

	if (test_data())
		tcase_add_loop_test(tests, recorded_jobs_are_mapped_as_well_as_others_map_them, 0,
				    sizeof jobs / sizeof *jobs);
	else
		test_skip("the recorded jobs (TOPOMAP_DATA or ../shared/data) are not there");
	tcase_set_timeout(tests, 60);
	suite_add_tcase(suite, tests);
	return suite;
}
