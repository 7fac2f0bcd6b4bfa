/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What several commands time is timed once: the same schedule takes the same time as an algorithm of
 * the catalogue (score, guidelines, lanes, lint, suggest-rankfile) and as a tree or a ring (tree,
 * ring). Every tree and ring that has an algorithm of its name is compared; what a library takes
 * with the row of that name; and the forms of lanes, on nodes with several network adapters, whose
 * figures may be a node's or each one's.
 */
#include "core/algorithms/catalogue.h"
#include "core/cost/tree_cost.h"
#include "core/guidelines/forms.h"
#include "core/score/score.h"
#include "core/tree/shapes.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

struct stage {
	struct tmap_placement placement;
	struct tmap_score score;
	int64_t bytes;
	int root;
};

/* Every row, by name: seconds; negative where it has none. */
static double scored(const struct tmap_score *score, const char *name)
{
	for (int i = 0; i < score->applicable; i++)
		if (strcmp(score->row[i].name, name) == 0)
			return score->row[i].seconds;
	return -1;
}

static void same(const char *name, double of_score, double of_other, const struct stage *stage)
{
	ck_assert_msg(fabs(of_score - of_other) <= 1e-9 * of_score,
		      "%s of %d bytes, %d ranks, root %d: %g and %g", name, (int)stage->bytes,
		      stage->placement.size, stage->root, of_score, of_other);
}

/* As an algorithm of that name and by its schedule, and as tree says it; is there one? */
static bool compare_tree(const struct stage *stage, const struct tmap_spec *choice)
{
	const struct tmap_load load = { &stage->score.metric, &stage->score.levels,
					(struct tmap_cost_model *)&stage->score.model, stage->bytes,
					0 };
	struct tmap_call call = { .size = stage->placement.size,
				  .root = stage->root,
				  .bytes = stage->bytes,
				  .metric = &stage->score.metric };
	struct tmap_baselines trees = { .load = &load };
	char *name = tmap_spec_print(choice, &err);
	struct tmap_tree tree;
	double seconds;
	bool has_algorithm = tmap_call_parse(&call, TMAP_BCAST, name, &err) == 0;

	if (has_algorithm) {
		hold(tmap_cost(&seconds, load.model, &call, &err) == 0);
		hold(tmap_shape_tree(&tree, choice, load.process, stage->root, &err) == 0);
		hold(tmap_baselines_add(&trees, name, choice, &tree, NULL, &err) == 0);
		same(name, seconds, trees.row[0].totals.cost.seconds, stage);
		if (scored(&stage->score, name) >= 0)
			same(name, scored(&stage->score, name), seconds, stage);
		tmap_baselines_fini(&trees);
		tmap_tree_fini(&tree);
	}
	free(name);
	return has_algorithm;
}

static int compare_trees(struct stage *stage)
{
	int compared = 0;

	for (size_t i = 0; tmap_keywords_at(&tmap_tree_shapes, i); i++) {
		struct tmap_spec choice = tmap_spec_preset(&tmap_tree_shapes, (int)i);
		const struct tmap_param *first = choice.row->params;

		compared += compare_tree(stage, &choice);
		if (!first || strcmp(first->key, "segment") != 0)
			continue;
		choice.value[0] = 1 + stage->bytes / 5;
		compared += compare_tree(stage, &choice);
	}
	return compared;
}

static void compare_distance_tree(struct stage *stage)
{
	struct tmap_tree_cost cost;
	struct tmap_tree tree;

	hold(tmap_tree_init(&tree, &stage->score.metric, stage->root, &err) == 0);
	hold(tmap_tree_cost(&cost, &tree, &stage->score.model, stage->bytes, 0, &err) == 0);
	same("distance_tree", scored(&stage->score, "distance_tree"), cost.seconds, stage);
	tmap_tree_fini(&tree);
}

static void compare_rings(struct stage *stage)
{
	struct tmap_tree_cost cost;
	struct tmap_ring ring;

	hold(tmap_ring_init(&ring, &stage->score.metric, &err) == 0);
	hold(tmap_ring_cost(&cost, &ring, &stage->score.model, stage->bytes, &err) == 0);
	same("distance_ring", scored(&stage->score, "distance_ring"), cost.seconds, stage);
	tmap_ring_fini(&ring);
	hold(tmap_shape_ring_called(&ring, "ring", &stage->score.metric, &err) == 0);
	hold(tmap_ring_cost(&cost, &ring, &stage->score.model, stage->bytes, &err) == 0);
	same("ring", scored(&stage->score, "ring"), cost.seconds, stage);
	tmap_ring_fini(&ring);
}

static void compare_defaults(const struct stage *stage)
{
	for (int i = 0; i < stage->score.default_count; i++) {
		const struct tmap_score_default *it = &stage->score.defaults[i];

		if (it->name && scored(&stage->score, it->name) >= 0)
			same(it->name, scored(&stage->score, it->name), it->seconds, stage);
	}
}

static void compare_forms(const struct stage *stage)
{
	struct tmap_forms_request request = { .collective = stage->score.collective,
					      .bytes = stage->bytes,
					      .root = stage->root,
					      .lanes = TMAP_NONE,
					      .adapters = TMAP_NONE,
					      .profile = stage->score.profile };
	struct tmap_forms forms;
	int compared = 0;

	hold(tmap_forms_init(&forms, &stage->placement, &request, &err) == 0);
	for (int i = 0; i < forms.applicable; i++) {
		double seconds = scored(&stage->score, forms.form[i].name);

		if (seconds >= 0) {
			same(forms.form[i].name, seconds, forms.form[i].lane_seconds, stage);
			compared++;
		}
	}
	ck_assert_int_ge(compared, 3);
	tmap_forms_fini(&forms);
}

/* Each kind of node has up to four adapters of one network, or of several. */
static struct tmap_machine *with_adapters(struct tmap_machine *machine, struct dice *dice)
{
	static const char *const names[] = { "mlx5_%d", "hfi1_%d", "eth%d" };

	for (int t = 0; t < machine->topology_count; t++)
		for (int d = dice_roll(dice, 5); d > 0; d--) {
			struct tmap_device device = { .type = TMAP_NETWORK };

			snprintf(device.name, sizeof device.name, names[dice_roll(dice, 3)], d);
			device.object = dice_roll(dice, machine->topology[t].object_count);
			hold(tmap_topology_add_device(&machine->topology[t], &device, &err) == 0);
		}
	return machine;
}

/* A profile that names neither protocols nor who copies, as documents of one's own may. */
static const struct tmap_profile_row plain_rows[] = {
	{ .distance = 1,
	  .below_bytes = INT64_MAX,
	  .latency_s = 1e-6,
	  .byte_s = 2e-10,
	  .overhead_s = 2e-7 },
	{ .distance = 7,
	  .below_bytes = INT64_MAX,
	  .latency_s = 3e-6,
	  .byte_s = 1e-9,
	  .overhead_s = 2e-7 },
};
static const struct tmap_profile plain = {
	.word = { "plain", "" }, .source = "", .row_count = 2, .row = plain_rows
};

static void set_up(struct stage *stage, enum tmap_collective collective, struct dice *dice)
{
	int profiles = 0;
	struct tmap_score_request request = { .collective = collective };

	while (tmap_keywords_at(&tmap_profiles, (size_t)profiles))
		profiles++;
	profiles = dice_roll(dice, profiles + 1);
	request.profile = profiles ? tmap_profile_at(profiles - 1) : &plain;
	placement_random_take(&stage->placement, with_adapters(machine_random(dice, 6), dice),
			      2 + dice_roll(dice, 60), dice);
	stage->bytes = request.bytes = 1 + dice_roll(dice, 1 << dice_roll(dice, 22));
	if (collective == TMAP_BCAST) /* flat serves by rank, or from the root on */
		stage->root = request.root =
			dice_roll(dice, 2) ? 0 : dice_roll(dice, stage->placement.size);
	hold(tmap_score_init(&stage->score, &stage->placement, &request, &err) == 0);
}

static void tear_down(struct stage *stage)
{
	tmap_score_fini(&stage->score);
	tmap_placement_fini(&stage->placement);
}

START_TEST(trees_take_as_long_as_the_broadcasts_that_they_are)
{
	struct dice dice = { .state = 900 + (uint64_t)_i };
	struct stage stage = { 0 };

	set_up(&stage, TMAP_BCAST, &dice);
	ck_assert_int_eq(compare_trees(&stage), 11);
	compare_distance_tree(&stage);
	compare_defaults(&stage);
	tear_down(&stage);
}
END_TEST

START_TEST(rings_take_as_long_as_the_allgathers_that_they_are)
{
	struct dice dice = { .state = 1900 + (uint64_t)_i };
	struct stage stage = { 0 };

	set_up(&stage, TMAP_ALLGATHER, &dice);
	compare_rings(&stage);
	compare_defaults(&stage);
	tear_down(&stage);
}
END_TEST

START_TEST(forms_take_as_long_as_the_algorithms_that_they_are)
{
	static const enum tmap_collective collectives[] = { TMAP_ALLGATHER, TMAP_ALLREDUCE,
							    TMAP_BCAST, TMAP_ALLTOALL };
	struct dice dice = { .state = 2900 + (uint64_t)_i };
	struct stage stage = { 0 };

	set_up(&stage, collectives[_i % 4], &dice);
	compare_forms(&stage);
	tear_down(&stage);
}
END_TEST

/* So many ranks that repetitions are folded. */
START_TEST(large_rings_and_trees_agree_too)
{
	static const struct test_level node_levels[] = { { TMAP_PACKAGE, 2 },
							 { TMAP_CORE, 8 },
							 { 0 } };
	struct tmap_score_request request = { .collective = (enum tmap_collective)_i,
					      .bytes = 100000 };
	struct stage stage = { .bytes = request.bytes };

	placement_block_take(&stage.placement, machine_regular(300, node_levels));
	hold(tmap_score_init(&stage.score, &stage.placement, &request, &err) == 0);
	if (request.collective == TMAP_BCAST) {
		compare_trees(&stage);
		compare_distance_tree(&stage);
	} else {
		compare_rings(&stage);
	}
	tear_down(&stage);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("one_clock");
	TCase *tests = tcase_create("one_clock");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, trees_take_as_long_as_the_broadcasts_that_they_are, 0, 60);
	tcase_add_loop_test(tests, rings_take_as_long_as_the_allgathers_that_they_are, 0, 60);
	tcase_add_loop_test(tests, forms_take_as_long_as_the_algorithms_that_they_are, 0, 60);
	tcase_add_loop_test(tests, large_rings_and_trees_agree_too, TMAP_ALLGATHER, TMAP_BCAST + 1);
	suite_add_tcase(suite, tests);
	return suite;
}
