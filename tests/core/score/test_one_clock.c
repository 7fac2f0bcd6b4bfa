/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What several commands time is timed once: the same schedule takes the same time as an algorithm of
 * the catalogue (score, guidelines, lanes, lint, suggest-rankfile) and as a tree or a ring (tree,
 * ring). Every tree and ring that has an algorithm of its name is compared; and what a library takes
 * with the row of that name.
 */
#include "core/algorithms/catalogue.h"
#include "core/cost/tree_cost.h"
#include "core/score/score.h"
#include "core/tree/shapes.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
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

static int compare_trees(struct stage *stage)
{
	const struct tmap_keyword *word;
	int compared = 0;

	for (size_t i = 0; (word = tmap_keywords_at(&tmap_tree_shapes, i)); i++) {
		struct tmap_spec choice = tmap_spec_preset(&tmap_tree_shapes, (int)i);
		char *name = tmap_spec_print(&choice, &err);
		struct tmap_tree_cost cost;
		struct tmap_tree tree;

		/* split_binary sends halves, and then swaps them */
		if (scored(&stage->score, name) >= 0 && strcmp(name, "split_binary") != 0) {
			hold(tmap_shape_tree(&tree, &choice, &stage->score.metric, stage->root,
					     &err) == 0);
			hold(tmap_tree_cost(&cost, &tree, &stage->score.model, stage->bytes, 0,
					    &err) == 0);
			same(name, scored(&stage->score, name), cost.seconds, stage);
			tmap_tree_fini(&tree);
			compared++;
		}
		free(name);
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

static void set_up(struct stage *stage, enum tmap_collective collective, struct dice *dice)
{
	struct tmap_score_request request = { .collective = collective,
					      .profile = tmap_profile_at(dice_roll(dice, 2)) };

	placement_random_take(&stage->placement, machine_random(dice, 6), 2 + dice_roll(dice, 60),
			      dice);
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
	ck_assert_int_ge(compare_trees(&stage), 6);
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
	tcase_add_loop_test(tests, large_rings_and_trees_agree_too, TMAP_ALLGATHER, TMAP_BCAST + 1);
	suite_add_tcase(suite, tests);
	return suite;
}
