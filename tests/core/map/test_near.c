/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: machines whose devices are known by hand; and all mappings of a small job, the best of which
 * has the device close where that weighs more than what the ranks send each other.
 */
#include "core/cost/profile.h"
#include "core/map/near.h"
#include "core/mappers/mapper.h"
#include "core/pattern/pattern.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* Two packages of four cores, each a memory controller; the second one has a GPU. */
static void job_init(struct tmap_placement *p, int nodes)
{
	static const struct test_level levels[] = {
		{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 1 }, { TMAP_CORE, 4 }, { 0 }
	};
	struct tmap_machine *machine = machine_regular(nodes, levels);
	struct tmap_topology *topo = &machine->topology[0];
	struct tmap_device gpu = { .type = TMAP_GPU,
				   .object = tmap_topology_find(topo, TMAP_PACKAGE, 1) };

	snprintf(gpu.name, sizeof gpu.name, "cuda0");
	hold(tmap_topology_add_device(topo, &gpu, &err) == 0);
	placement_on_take(p, machine, 8 * nodes);
	for (int r = 0; r < 8 * nodes; r++)
		placement_seat_pu(p, r, r / 8, r % 8);
}

START_TEST(distances_are_those_of_the_object_that_holds_both)
{
	struct tmap_placement p;
	double distance[16];

	job_init(&p, 2);
	hold(tmap_near_distances(distance, &p, TMAP_GPU, &err) == 0);
	for (int r = 0; r < 16; r++)
		ck_assert_double_eq(distance[r], r % 8 < 4 ? 5 : 0);
	hold(tmap_near_distances(distance, &p, TMAP_NETWORK, &err) == -1);
	hold(err.kind == TMAP_INPUT);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(text_names_a_device_ranks_and_bytes)
{
	static const char *const bad[] = { "",      "gpu",      "gpu=",   "disk=0",  "gpu=0@",
					   "gpu=x", "gpu=0@-1", "@1=gpu", "gpu=3-1", "=0" };
	struct tmap_near near;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		hold(tmap_near_parse(&near, bad[i], &err) == -1);
		ck_assert_msg(err.kind == TMAP_USAGE, "%s: %s", bad[i], err.text);
	}
	hold(tmap_near_parse(&near, "gpu=0-2,7@4KiB", &err) == 0);
	hold(near.type == TMAP_GPU && near.bytes == 4096 && tmap_idset_size(&near.ranks) == 4);
	tmap_near_fini(&near);
	hold(tmap_near_parse(&near, "adapter=5", &err) == 0);
	hold(near.type == TMAP_NETWORK && near.bytes == TMAP_NEAR_BYTES);
	tmap_near_fini(&near);
}
END_TEST

/* Rank 0 sends so much to rank 1, and that to rank 2, ...; ranks 0 to 2 need the GPU. */
static void map(int *close, double bytes, enum tmap_goal goal)
{
	static const struct tmap_slots_excluded none;
	struct tmap_pattern_builder b;
	struct tmap_near near;
	struct tmap_traffic traffic = { 0 };
	struct tmap_pattern pattern;
	struct tmap_placement p, after;
	struct tmap_slots slots;
	struct tmap_objective objective;
	struct tmap_mapping mapping = { 0 };
	struct tmap_criteria criteria = {
		.goal = goal, .profile = tmap_profile_at(0), .near = &near, .near_count = 1
	};
	int all;

	job_init(&p, 1);
	hold(tmap_near_parse(&near, "gpu=0-2@1000", &err) == 0);
	hold(tmap_pattern_builder_init(&b, 8, &err) == 0);
	for (int r = 0; r < 3; r++)
		hold(tmap_pattern_add(&b, r, r + 1, bytes, &err) == 0);
	for (int r = 4; r < 7; r++)
		hold(tmap_pattern_add(&b, r, r + 1, bytes, &err) == 0);
	hold(tmap_pattern_finish(&pattern, &b, &err) == 0);
	tmap_pattern_builder_fini(&b);
	traffic.pattern = &pattern;
	hold(tmap_slots_init(&slots, &p, 0, &none, &err) == 0);
	hold(tmap_objective_init(&objective, &slots, &traffic, &criteria, &err) == 0);
	hold(tmap_map(&mapping, &objective, 0, 2000000, 1, NULL, &err) == 0);
	hold(tmap_placement_select(&after, &p, mapping.slot_of, 8, &err) == 0);
	hold(tmap_near_count(close, &all, &near, &after, &err) == 0);
	hold(all == 3);
	/* ranks 0 to 3 stay together: both fit into the package of the GPU */
	if (bytes > 0)
		for (int r = 1; r < 4; r++)
			hold(mapping.slot_of[r] / 4 == mapping.slot_of[0] / 4);
	tmap_placement_fini(&after);
	tmap_mapping_fini(&mapping);
	tmap_objective_fini(&objective);
	tmap_slots_fini(&slots);
	tmap_pattern_fini(&pattern);
	tmap_near_fini(&near);
	tmap_placement_fini(&p);
}

START_TEST(ranks_come_to_their_device_with_those_they_send_to)
{
	static const enum tmap_goal goals[] = { TMAP_GOAL_SECONDS, TMAP_GOAL_DISTANCE };

	for (size_t g = 0; g < sizeof goals / sizeof *goals; g++) {
		int close;

		map(&close, 100, goals[g]);
		ck_assert_int_eq(close, 3);
		map(&close, 1000000, goals[g]);
		ck_assert_int_eq(close, 3);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("near");
	TCase *tests = tcase_create("near");

	tcase_add_test(tests, distances_are_those_of_the_object_that_holds_both);
	tcase_add_test(tests, text_names_a_device_ranks_and_bytes);
	tcase_add_test(tests, ranks_come_to_their_device_with_those_they_send_to);
	suite_add_tcase(suite, tests);
	return suite;
}
