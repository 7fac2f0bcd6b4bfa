/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: machines small enough to count by hand: which nodes an entry fits, what each object
 * takes, and which level a name is.
 */
#include "core/cost/cost_model.h"
#include "core/cost/profile_choice.h"
#include "core/cost/profile_fit.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static const struct test_level two_packages[] = { { TMAP_PACKAGE, 2 }, { TMAP_CORE, 2 }, { 0 } };
static const struct test_level numa_in_package[] = {
	{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 1 }, { TMAP_CORE, 2 }, { 0 }
};

static const struct tmap_profile_row row = {
	.distance = 1, .below_bytes = INT64_MAX, .latency_s = 1e-6, .byte_s = 1e-9
};

struct stage {
	struct tmap_placement placement;
	struct tmap_metric metric;
	struct tmap_levels levels;
	struct tmap_cost_model model;
};

static void set_up(struct stage *stage, struct tmap_machine *machine,
		   const struct tmap_profile *profile)
{
	placement_block_take(&stage->placement, machine);
	ck_assert_int_eq(
		tmap_metric_init(&stage->metric, &stage->placement, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_levels_init(&stage->levels, machine, &err), 0);
	ck_assert_msg(tmap_cost_model_init(&stage->model, &stage->placement, &stage->metric,
					   &stage->levels, profile, &err) == 0,
		      "%s", err.text);
}

static void tear_down(struct stage *stage)
{
	tmap_cost_model_fini(&stage->model);
	tmap_levels_fini(&stage->levels);
	tmap_metric_fini(&stage->metric);
	tmap_placement_fini(&stage->placement);
}

static void add_adapters(struct tmap_machine *machine, int topology, const char *name, int count)
{
	struct tmap_device device = { .type = TMAP_NETWORK, .object = 0 };

	for (int i = 0; i < count; i++) {
		snprintf(device.name, sizeof device.name, "%s_%d", name, i);
		ck_assert_int_eq(
			tmap_topology_add_device(&machine->topology[topology], &device, &err), 0);
	}
}

/* Nodes n0 and n1 of one kind, n2 of another one with more cores. */
static struct tmap_machine *two_kinds(void)
{
	struct tmap_machine *machine = machine_regular(2, two_packages);
	struct tmap_machine *other = machine_regular(1, numa_in_package);
	struct tmap_topology copy;
	int kind;

	ck_assert_int_eq(tmap_topology_copy(&copy, &other->topology[0], &err), 0);
	kind = tmap_machine_add_topology_take(machine, &copy, &err);
	ck_assert_int_eq(tmap_machine_add_node(machine, "n2", kind, &err), 0);
	tmap_machine_free(other);
	return machine;
}

START_TEST(adapters_are_those_of_each_node)
{
	static const struct tmap_profile_link adapters[] = {
		{ .device = "mlx5", .is_each = true, .byte_s = 4e-9, .message_s = 8e-9 },
		{ .nodes = "login,n[1-9]", .byte_s = 7e-9, .both_ways = true },
	};
	static const struct tmap_profile profile = { .row_count = 1,
						     .row = &row,
						     .adapter_byte_s = 3e-9,
						     .adapter_message_s = 5e-9,
						     .adapter_count = 2,
						     .adapter = adapters };
	struct tmap_machine *machine = two_kinds();
	struct stage stage;

	add_adapters(machine, 1, "mlx5", 4);
	set_up(&stage, machine, &profile);
	ck_assert_int_eq(stage.model.link_count, 1);
	ck_assert_double_eq_tol(stage.model.link[0].rate[0].byte_s, 3e-9, 1e-24);
	ck_assert_double_eq_tol(stage.model.link[0].rate[0].message_s, 5e-9, 1e-24);
	ck_assert_double_eq_tol(stage.model.link[0].rate[1].byte_s, 7e-9, 1e-24);
	ck_assert_double_eq(stage.model.link[0].rate[1].message_s, 0);
	ck_assert_double_eq_tol(stage.model.link[0].rate[2].byte_s, 1e-9, 1e-24);
	ck_assert_double_eq_tol(stage.model.link[0].rate[2].message_s, 2e-9, 1e-24);
	ck_assert(stage.model.link[0].is_sum);
	/* bytes or messages, whichever takes longer */
	ck_assert_double_eq_tol(tmap_cost_busy(&stage.model.link[0], 2, 100, 3), 1e-7, 1e-18);
	ck_assert_double_eq_tol(tmap_cost_busy(&stage.model.link[0], 2, 100, 300), 6e-7, 1e-18);
	tear_down(&stage);
}
END_TEST

START_TEST(so_many_adapters_are_used_as_are_asked_for)
{
	static const struct tmap_profile_link adapters[] = {
		{ .device = "mlx5", .is_each = true, .byte_s = 4e-9 },
	};
	struct tmap_profile profile = { .row_count = 1,
					.row = &row,
					.adapter_byte_s = 3e-9,
					.adapter_count = 1,
					.adapter = adapters,
					.adapter_spread = 2 };
	struct tmap_machine *machine = two_kinds();
	struct stage stage;

	add_adapters(machine, 1, "mlx5", 4);
	set_up(&stage, machine, &profile);
	ck_assert_double_eq_tol(stage.model.link[0].rate[0].byte_s, 1.5e-9, 1e-24);
	ck_assert_double_eq_tol(stage.model.link[0].rate[2].byte_s, 2e-9, 1e-24);
	tear_down(&stage);
}
END_TEST

START_TEST(controllers_are_those_of_each_kind_of_node)
{
	static const struct tmap_profile_link memory[] = { { .nodes = "n1", .byte_s = 2e-9 } };
	static const struct tmap_profile profile = { .row_count = 1,
						     .row = &row,
						     .memory_byte_s = 1e-9,
						     .memory_count = 1,
						     .memory = memory };
	struct stage stage;

	set_up(&stage, machine_regular(3, numa_in_package), &profile);
	ck_assert_int_eq(stage.model.link_count, 1);
	ck_assert(stage.model.link[0].is_memory && stage.model.link[0].is_sum);
	for (int o = 0; o < stage.model.link[0].count; o++) {
		int node = 0;

		while (node < 2 && stage.model.link[0].base[node + 1] <= o)
			node++;
		ck_assert_double_eq_tol(stage.model.link[0].rate[o].byte_s, node == 1 ? 2e-9 : 1e-9,
					1e-24);
	}
	tear_down(&stage);
}
END_TEST

START_TEST(switches_are_oversubscribed_by_what_hangs_below)
{
	static const struct tmap_profile_link links[] = {
		{ .level = "switch1", .nodes = "n[0-1]", .oversubscription = 3 },
		{ .level = "switch1", .byte_s = 5e-9 },
	};
	static const struct tmap_profile profile = {
		.row_count = 1, .row = &row, .adapter_byte_s = 1e-9, .link_count = 2, .link = links
	};
	struct tmap_machine *machine = machine_regular(4, two_packages);
	struct stage stage;

	machine_add_switches(machine, 2);
	machine_add_switches(machine, 2);
	set_up(&stage, machine, &profile);
	ck_assert_int_eq(stage.model.link_count, 2);
	ck_assert_int_eq(stage.model.link[1].count, 2);
	/* two adapters of 1 GB/s, a third of which leaves */
	ck_assert_double_eq_tol(stage.model.link[1].rate[0].byte_s, 1.5e-9, 1e-24);
	ck_assert_double_eq_tol(stage.model.link[1].rate[1].byte_s, 5e-9, 1e-24);
	tear_down(&stage);
}
END_TEST

static int level_of(const struct tmap_levels *levels, const char *name)
{
	int index;

	ck_assert_int_eq(tmap_profile_find_level(&index, levels, name, &err), 0);
	return index;
}

START_TEST(a_level_that_is_another_is_that_one)
{
	struct tmap_machine *machine = machine_regular(4, numa_in_package);
	struct tmap_levels levels;

	machine_add_switches(machine, 2); /* switch1 */
	machine_add_switches(machine, 1); /* switch2: the same nodes */
	machine_add_switches(machine, 2); /* switch3: one for all */
	ck_assert_int_eq(tmap_levels_init(&levels, machine, &err), 0);
	ck_assert_int_eq(level_of(&levels, "switch1"), 0);
	ck_assert_int_eq(level_of(&levels, "switch2"), 0);
	ck_assert_int_eq(level_of(&levels, "switch3"), TMAP_NONE);
	ck_assert_int_eq(level_of(&levels, "switch4"), TMAP_NONE);
	ck_assert_int_eq(level_of(&levels, "numa"), level_of(&levels, "package"));
	ck_assert_int_ne(level_of(&levels, "package"), TMAP_NONE);
	ck_assert_int_eq(level_of(&levels, "l3"), TMAP_NONE);
	tmap_levels_fini(&levels);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(headings_are_names_and_numbers_hold_for_them)
{
	struct tmap_machine *machine = machine_regular(4, two_packages);
	struct tmap_levels levels;

	machine_add_switches(machine, 2);
	machine_add_switches(machine, 2);
	free(machine->tier[0].name);
	machine->tier[0].name = strdup("rack");
	ck_assert_int_eq(tmap_levels_init(&levels, machine, &err), 0);
	ck_assert_int_eq(level_of(&levels, "rack"), 0);
	ck_assert_int_eq(level_of(&levels, "switch1"), 0);
	ck_assert_int_eq(tmap_profile_tier("rack", machine), 0);
	ck_assert_int_eq(tmap_profile_tier("switch2", machine), 1);
	ck_assert(tmap_profile_knows_level("rack", machine));
	tmap_levels_fini(&levels);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(only_levels_that_some_machine_has_are_known)
{
	static const char *const known[] = { "node",   "package", "numa",    "l3",
					     "group2", "switch1", "switch12" };
	static const char *const unknown[] = {
		"Leaf",   "packge",   "Package", "switch", "switch0",
		"group1", "switch01", "",        "rack",   "switch1x"
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		ck_assert_msg(tmap_profile_knows_level(known[i], NULL), "%s", known[i]);
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
		ck_assert_msg(!tmap_profile_knows_level(unknown[i], NULL), "%s", unknown[i]);
}
END_TEST

START_TEST(the_profile_is_that_of_most_adapters)
{
	static const struct {
		const char *device, *profile;
		enum tmap_profile_reason reason;
	} cases[] = {
		{ "mlx5", "epyc-hdr", TMAP_PROFILE_BY_ADAPTER },
		{ "hfi1", "xeon-omnipath", TMAP_PROFILE_BY_ADAPTER },
		{ "cxi", "epyc-slingshot", TMAP_PROFILE_BY_ADAPTER },
		{ "eth", "gigabit", TMAP_PROFILE_BY_ADAPTER },
		{ "strange", "summit", TMAP_PROFILE_BY_DEFAULT },
		{ NULL, "summit", TMAP_PROFILE_BY_DEFAULT },
	};
	struct tmap_machine *machine = machine_regular(3, two_packages);
	char text[TMAP_PROFILE_ROOM];
	struct tmap_profile profile;

	if (cases[_i].device)
		add_adapters(machine, 0, cases[_i].device, 1);
	profile = tmap_profile_for(machine);
	ck_assert_str_eq(profile.word.name, cases[_i].profile);
	ck_assert_int_eq(profile.reason, cases[_i].reason);
	tmap_profile_print_reason(&profile, text);
	if (profile.reason == TMAP_PROFILE_BY_ADAPTER)
		ck_assert_ptr_nonnull(strstr(text, cases[_i].device));
	tmap_machine_free(machine);
}
END_TEST

START_TEST(adapters_of_most_nodes_and_made_for_messages_decide)
{
	struct tmap_machine *machine = two_kinds();

	add_adapters(machine, 0, "hfi1", 1);
	add_adapters(machine, 1, "mlx5", 4);
	ck_assert_str_eq(tmap_profile_for(machine).word.name, "xeon-omnipath");
	add_adapters(machine, 0, "eth", 4);
	ck_assert_str_eq(tmap_profile_for(machine).word.name, "xeon-omnipath");
	tmap_machine_free(machine);
}
END_TEST

/* Let all network adapters of a kind of node be of this speed and link layer. */
static void set_link(struct tmap_machine *machine, int kind, const char *name,
		     enum tmap_link_layer layer, int64_t bits_per_s)
{
	struct tmap_topology *topo = &machine->topology[kind];

	for (int d = 0; d < topo->device_count; d++) {
		if (strncmp(topo->device[d].name, name, strlen(name)) != 0)
			continue;
		topo->device[d].layer = layer;
		topo->device[d].bits_per_s = bits_per_s;
	}
}

START_TEST(a_network_that_all_nodes_have_comes_first)
{
	struct tmap_machine *machine = two_kinds();
	char text[TMAP_PROFILE_ROOM];
	struct tmap_profile profile;

	add_adapters(machine, 0, "mlx5", 1);
	add_adapters(machine, 1, "eth", 1);
	profile = tmap_profile_for(machine);
	ck_assert_ptr_nonnull(strstr(tmap_profile_print_reason(&profile, text), "nodes have"));
	ck_assert_ptr_nonnull(strstr(text, "no network of all is known"));
	add_adapters(machine, 0, "eth", 1);
	profile = tmap_profile_for(machine);
	ck_assert_str_eq(profile.word.name, "gigabit");
	ck_assert_ptr_nonnull(strstr(tmap_profile_print_reason(&profile, text), "such as eth"));
	add_adapters(machine, 1, "mlx5", 1);
	ck_assert_str_eq(tmap_profile_for(machine).word.name, "epyc-hdr");
	tmap_machine_free(machine);
}
END_TEST

START_TEST(names_of_interfaces_count_with_their_link_layer)
{
	struct tmap_machine *machine = machine_regular(3, two_packages);

	add_adapters(machine, 0, "hsi", 1);
	set_link(machine, 0, "hsi", TMAP_LAYER_ETHERNET, 0);
	ck_assert_str_eq(tmap_profile_for(machine).word.name, "epyc-slingshot");
	set_link(machine, 0, "hsi", TMAP_LAYER_INFINIBAND, 0);
	ck_assert_str_ne(tmap_profile_for(machine).word.name, "epyc-slingshot");
	tmap_machine_free(machine);
}
END_TEST

START_TEST(gigabit_is_not_of_a_faster_ethernet)
{
	struct tmap_machine *machine = machine_regular(3, two_packages);
	char text[TMAP_PROFILE_ROOM];
	struct tmap_profile profile;

	add_adapters(machine, 0, "eth", 1);
	set_link(machine, 0, "eth", TMAP_LAYER_ETHERNET, INT64_C(1000000000));
	ck_assert_str_eq(tmap_profile_for(machine).word.name, "gigabit");
	set_link(machine, 0, "eth", TMAP_LAYER_ETHERNET, INT64_C(25000000000));
	profile = tmap_profile_for(machine);
	ck_assert_int_eq(profile.reason, TMAP_PROFILE_BY_DEFAULT);
	ck_assert_ptr_nonnull(strstr(tmap_profile_print_reason(&profile, text), "that of eth"));
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("profile_fit");
	TCase *tcase = tcase_create("profile_fit");

	tcase_add_test(tcase, adapters_are_those_of_each_node);
	tcase_add_test(tcase, so_many_adapters_are_used_as_are_asked_for);
	tcase_add_test(tcase, controllers_are_those_of_each_kind_of_node);
	tcase_add_test(tcase, switches_are_oversubscribed_by_what_hangs_below);
	tcase_add_test(tcase, a_level_that_is_another_is_that_one);
	tcase_add_test(tcase, headings_are_names_and_numbers_hold_for_them);
	tcase_add_test(tcase, only_levels_that_some_machine_has_are_known);
	tcase_add_loop_test(tcase, the_profile_is_that_of_most_adapters, 0, 6);
	tcase_add_test(tcase, adapters_of_most_nodes_and_made_for_messages_decide);
	tcase_add_test(tcase, a_network_that_all_nodes_have_comes_first);
	tcase_add_test(tcase, names_of_interfaces_count_with_their_link_layer);
	tcase_add_test(tcase, gigabit_is_not_of_a_faster_ethernet);
	suite_add_tcase(suite, tcase);
	return suite;
}
