/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: two objects share a gate where each link that is crossed between all nodes has them in one object. */
#include "core/cost/node_gates.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

enum { SWITCHES = 2 };

static struct tmap_error err;

static const struct tmap_profile_row rows[] = { { .distance = 1, .below_bytes = INT64_MAX } };
static const struct tmap_profile_link links[] = {
	{ .level = "package", .byte_s = 1e-9 },
	{ .level = "switch1", .byte_s = 1e-9 },
};

/* Have all links but those of switches two objects in one of theirs? */
static bool share_links(const struct tmap_cost_model *model, int a, int b)
{
	for (int l = 0; l < model->link_count; l++)
		if (model->link[l].local[a] != model->link[l].local[b])
			return false;
	return true;
}

static void compare(const struct tmap_node_gates *gates, const struct tmap_cost_model *model)
{
	int found = 0;

	for (int a = 0; a < model->kinds.object_count; a++) {
		bool is_first = true;

		for (int b = 0; b < model->kinds.object_count; b++) {
			ck_assert(share_links(model, a, b) == (gates->of[a] == gates->of[b]));
			is_first = is_first && (b >= a || !share_links(model, a, b));
		}
		found += is_first;
	}
	ck_assert_int_eq(gates->count, found);
	for (int g = 0; g < gates->count; g++)
		for (int l = 0; l < model->link_count; l++)
			ck_assert((gates->behind[g * model->link_count + l] == TMAP_NONE) ==
				  (model->link[l].count == SWITCHES));
}

/* Are there gates on nodes with a rank on each core, by a profile? */
static bool has_gates(const struct tmap_profile *profile, int cores)
{
	const struct test_level node[] = {
		{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 2 }, { TMAP_CORE, cores }, { 0 }
	};
	struct tmap_machine *machine = machine_regular(3 * SWITCHES, node);
	struct tmap_placement placement;
	struct tmap_metric metric;
	struct tmap_levels levels;
	struct tmap_cost_model model;
	struct tmap_node_gates gates;
	bool has;

	machine_add_switches(machine, 3);
	placement_block_take(&placement, machine);
	ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_levels_init(&levels, placement.machine, &err), 0);
	ck_assert_int_eq(tmap_cost_model_init(&model, &placement, &metric, &levels, profile, &err),
			 0);
	ck_assert_int_eq(tmap_node_gates_init(&gates, &model, &err), 0);
	has = gates.count > 0;
	if (has)
		compare(&gates, &model);
	tmap_node_gates_fini(&gates);
	tmap_cost_model_fini(&model);
	tmap_levels_fini(&levels);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&placement);
	return has;
}

START_TEST(objects_behind_the_same_links_share_a_gate)
{
	struct tmap_profile profile = { .word = { "gates", "" },
					.source = "",
					.row_count = 1,
					.row = rows,
					.adapter_byte_s = 1e-9,
					.link_count = 2,
					.link = links };

	ck_assert(has_gates(&profile, 4));
	profile.memory_byte_s = 1e-9;
	ck_assert(has_gates(&profile, 4));
}
END_TEST

START_TEST(there_are_none_where_they_save_nothing)
{
	static const struct tmap_profile_link core = { .level = "core", .byte_s = 1e-9 };
	struct tmap_profile profile = { .word = { "gates", "" },
					.source = "",
					.row_count = 1,
					.row = rows,
					.adapter_byte_s = 1e-9 };

	ck_assert(!has_gates(&profile, 4)); /* only one link */
	profile.link_count = 1;
	profile.link = &core;
	ck_assert(has_gates(&profile, 4));
	ck_assert(!has_gates(&profile, 17)); /* 68 cores */
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("node_gates");
	TCase *tests = tcase_create("node_gates");

	tcase_add_test(tests, objects_behind_the_same_links_share_a_gate);
	tcase_add_test(tests, there_are_none_where_they_save_nothing);
	suite_add_tcase(suite, tests);
	return suite;
}
