/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the broadcast played message by message (tests/support/literal_clock.h): rounds of pieces by
 * the rule of the header, worked out from parents and turns alone.
 */
#include "core/cost/tree_cost.h"

#include "core/tree/shapes.h"
#include "tests/support/literal_clock.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>

static struct tmap_error err;

static const struct tmap_profile *summit(void)
{
	return tmap_profile_at(0);
}

struct stage {
	struct tmap_placement placement;
	struct tmap_metric metric;
	struct tmap_levels levels;
	struct tmap_cost_model model;
};

/* The placement stands. */
static void set_up(struct stage *stage, const struct tmap_profile *profile)
{
	hold(tmap_metric_init(&stage->metric, &stage->placement, TMAP_SCALE_PROCESS, &err) == 0);
	hold(tmap_levels_init(&stage->levels, stage->placement.machine, &err) == 0);
	hold(tmap_cost_model_init(&stage->model, &stage->placement, &stage->metric, &stage->levels,
				  profile, &err) == 0);
}

static void tear_down(struct stage *stage)
{
	tmap_cost_model_fini(&stage->model);
	tmap_levels_fini(&stage->levels);
	tmap_metric_fini(&stage->metric);
	tmap_placement_fini(&stage->placement);
}

/* How many siblings of a rank are served before it: by the tree's turns, or the farthest and then the
 * smallest first. Those that share a turn: of one digit, or all. */
static int turn_of(const struct tmap_tree *tree, int rank)
{
	int before = 0;

	for (int r = 0; r < tree->size; r++)
		if (r != rank && r != tree->root && tree->parent[r] == tree->parent[rank])
			before += tree->distance[r] > tree->distance[rank] ||
				(tree->distance[r] == tree->distance[rank] && r < rank);
	return tree->turn ? tree->turn[rank] : before;
}

static int arrival_of(const struct tmap_tree *tree, int rank)
{
	return rank == tree->root ? -1 :
				    arrival_of(tree, tree->parent[rank]) + 1 + turn_of(tree, rank);
}

static double play(const struct stage *stage, const struct tmap_tree *tree, int64_t bytes,
		   int64_t chunk_bytes)
{
	int64_t pieces = chunk_bytes && bytes ? (bytes + chunk_bytes - 1) / chunk_bytes : 1;
	int period = 1, last = 0, arrival[64];
	struct literal_clock clock;

	literal_clock_init(&clock, &stage->placement, &stage->metric, &stage->levels,
			   stage->model.profile);
	for (int r = 0; r < tree->size; r++) {
		arrival[r] = arrival_of(tree, r);
		last = arrival[r] > last ? arrival[r] : last;
		if (r != tree->root && turn_of(tree, r) >= period)
			period = turn_of(tree, r) + 1;
	}
	for (int64_t round = 0; round <= last + (pieces - 1) * period; round++)
		for (int64_t piece = 0; piece < pieces && bytes; piece++)
			for (int r = 0; r < tree->size; r++)
				if (r != tree->root && arrival[r] + piece * period == round)
					literal_clock_add(
						&clock,
						&(struct tmap_message){
							.round = round,
							.from = tree->parent[r],
							.to = r,
							.bytes = bytes / pieces +
								(piece < bytes % pieces) });
	return literal_clock_end(&clock);
}

START_TEST(random_broadcasts_end_when_played_ones_do)
{
	static const char *const names[] = { "binomial_far", "binomial_near", "chain,fanout=3",
					     "kary" };
	struct dice dice = { .state = 51 };

	for (int run = 0; run < 200; run++) {
		int64_t bytes = dice_roll(&dice, 3) ? dice_roll(&dice, 300000) : 0;
		int64_t chunk = dice_roll(&dice, 2) ? 1 + dice_roll(&dice, 40000) : 0;
		struct tmap_tree_cost cost;
		struct stage stage;
		struct tmap_tree tree;
		double end;
		int root;

		if (chunk && bytes / chunk > 20)
			chunk = bytes / 20;
		placement_random_take(&stage.placement, machine_random(&dice, 6),
				      1 + dice_roll(&dice, 30), &dice);
		set_up(&stage, tmap_profile_at(run % 2));
		root = dice_roll(&dice, stage.placement.size);
		if (dice_roll(&dice, 2))
			hold(tmap_tree_init(&tree, &stage.metric, root, &err) == 0);
		else
			hold(tmap_shape_tree_called(&tree, names[dice_roll(&dice, 4)],
						    &stage.metric, root, &err) == 0);
		hold(tmap_tree_cost(&cost, &tree, &stage.model, bytes, chunk, &err) == 0);
		end = play(&stage, &tree, bytes, chunk);
		hold(fabs(cost.path_s - end) <= 1e-9 * end);
		hold(cost.seconds == cost.path_s && cost.seconds >= cost.controller_s &&
		     cost.seconds >= cost.adapter_s);
		tmap_tree_fini(&tree);
		tear_down(&stage);
	}
}
END_TEST

/* (depth + S - 1)(a + b): the formula of a pipeline of equal hops. */
START_TEST(a_pipeline_takes_depth_plus_chunks_minus_one_hops)
{
	struct tmap_tree_cost cost;
	struct stage stage;
	struct tmap_tree tree;

	placement_block_take(
		&stage.placement,
		machine_regular(12, (const struct test_level[]){ { TMAP_CORE, 1 }, { 0 } }));
	set_up(&stage, summit());
	ck_assert_int_eq(tmap_shape_tree_called(&tree, "pipeline", &stage.metric, 3, &err), 0);
	ck_assert_int_eq(tmap_tree_cost(&cost, &tree, &stage.model, 1 << 20, 1 << 16, &err), 0);
	ck_assert_int_eq(cost.chunks, 16);
	ck_assert_int_eq(cost.in_flight, 11);
	ck_assert_int_eq(cost.last, 2);
	ck_assert_double_eq_tol(cost.path_s, (11 + 15) * (6.2e-6 + 65536 * 0.0905e-9), 1e-12);
	ck_assert_double_eq_tol(cost.adapter_s, (1 << 20) / 23e9, 1e-12);
	ck_assert_int_eq(tmap_tree_cost(&cost, &tree, &stage.model, 1 << 20, 1 << 18, &err), 0);
	ck_assert(cost.chunks == 4 && cost.in_flight == 4);
	ck_assert_int_eq(tmap_tree_cost(&cost, &tree, &stage.model, 1 << 20, 0, &err), 0);
	ck_assert(cost.chunks == 1 && cost.in_flight == 1);
	ck_assert_double_eq_tol(cost.path_s, 11 * (6.2e-6 + (1 << 20) * 0.0905e-9), 1e-12);
	tmap_tree_fini(&tree);
	tear_down(&stage);
}
END_TEST

START_TEST(the_busiest_controller_and_adapter_are_found)
{
	struct tmap_tree_cost cost;
	struct stage stage;
	struct tmap_tree tree;

	placement_block_take(&stage.placement,
			     machine_regular(3,
					     (const struct test_level[]){ { TMAP_PACKAGE, 2 },
									  { TMAP_NUMA, 1 },
									  { TMAP_CORE, 4 },
									  { 0 } }));
	set_up(&stage, summit());
	ck_assert_int_eq(tmap_shape_tree_called(&tree, "flat", &stage.metric, 0, &err), 0);
	ck_assert_int_eq(tmap_tree_cost(&cost, &tree, &stage.model, 1000000, 0, &err), 0);
	/* the root's: 23 reads and 3 writes; 16 messages leave its node */
	ck_assert_double_eq_tol(cost.controller_s, 26 * 1e6 / 170.6e9, 1e-12);
	ck_assert_double_eq_tol(cost.adapter_s, 16 * 1e6 / 23e9, 1e-12);
	ck_assert_double_eq(cost.seconds, fmax(cost.path_s, cost.adapter_s));
	tmap_tree_fini(&tree);
	tear_down(&stage);
}
END_TEST

START_TEST(one_rank_costs_nothing)
{
	struct tmap_tree_cost cost;
	struct stage stage;
	struct tmap_tree tree;
	const int seat[] = { 0 };

	placement_seats_take(&stage.placement, machine_zoot(), seat, 1);
	set_up(&stage, summit());
	ck_assert_int_eq(tmap_tree_init(&tree, &stage.metric, 0, &err), 0);
	ck_assert_int_eq(tmap_tree_cost(&cost, &tree, &stage.model, 1 << 30, 4096, &err), 0);
	ck_assert_double_eq(cost.seconds, 0);
	ck_assert_int_eq(cost.in_flight, 0);
	ck_assert_int_eq(tmap_tree_cost(&cost, &tree, &stage.model, -1, 0, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_int_eq(tmap_tree_cost(&cost, &tree, &stage.model, 1, -1, &err), -1);
	tmap_tree_fini(&tree);
	tear_down(&stage);
}
END_TEST

START_TEST(chunks_are_counted_without_overflow)
{
	ck_assert_int_eq(tmap_chunk_count(0, 10), 1);
	ck_assert_int_eq(tmap_chunk_count(10, 10), 1);
	ck_assert_int_eq(tmap_chunk_count(11, 10), 2);
	ck_assert_int_eq(tmap_chunk_count(11, 0), 1);
	ck_assert_int_eq(tmap_chunk_count(INT64_MAX, 1), INT64_MAX);
	ck_assert_int_eq(tmap_chunk_count(INT64_MAX, INT64_MAX - 1), 2);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("tree_cost");
	TCase *tcase = tcase_create("tree_cost");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, random_broadcasts_end_when_played_ones_do);
	tcase_add_test(tcase, a_pipeline_takes_depth_plus_chunks_minus_one_hops);
	tcase_add_test(tcase, the_busiest_controller_and_adapter_are_found);
	tcase_add_test(tcase, one_rank_costs_nothing);
	tcase_add_test(tcase, chunks_are_counted_without_overflow);
	suite_add_tcase(suite, tcase);
	return suite;
}
