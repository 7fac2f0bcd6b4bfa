/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: figures of small machines worked out by hand; on random placements the crossings
 * are counted edge by edge with the levels' own numbers; the time of a ring is computed from
 * the profile's row for each of its steps.
 */
#include "core/cost/totals.h"
#include "core/score/baselines.h"
#include "core/tree/shapes.h"

#include "tests/support/literal_clock.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

struct job {
	struct tmap_placement placement;
	struct tmap_metric metric;
	struct tmap_levels levels;
	struct tmap_cost_model model;
	struct tmap_load load;
};

/* The job takes the placement that stands in it. */
static void job_init(struct job *job, int64_t bytes)
{
	ck_assert_int_eq(tmap_metric_init(&job->metric, &job->placement, TMAP_SCALE_PROCESS, &err),
			 0);
	ck_assert_int_eq(tmap_levels_init(&job->levels, job->placement.machine, &err), 0);
	ck_assert_int_eq(tmap_cost_model_init(&job->model, &job->placement, &job->metric,
					      &job->levels, tmap_profile_at(0), &err),
			 0);
	job->load = (struct tmap_load){ .process = &job->metric,
					.levels = &job->levels,
					.model = bytes == TMAP_NONE ? NULL : &job->model,
					.bytes = bytes };
}

static void job_fini(struct job *job)
{
	tmap_cost_model_fini(&job->model);
	tmap_metric_fini(&job->metric);
	tmap_levels_fini(&job->levels);
	tmap_placement_fini(&job->placement);
}

static const struct test_level two_packages[] = {
	{ TMAP_PACKAGE, 2 }, { TMAP_L3, 1 }, { TMAP_CORE, 4 }, { TMAP_NODE, 0 }
};

START_TEST(a_tree_sends_one_message_an_edge)
{
	struct job job;
	struct tmap_tree tree;
	struct tmap_totals totals;
	int node;

	placement_block_take(&job.placement, machine_regular(4, two_packages));
	job_init(&job, 1000);
	ck_assert_int_eq(tmap_tree_init(&tree, &job.metric, 0, &err), 0);
	ck_assert_int_eq(tmap_totals_of_tree(&totals, &tree, &job.load, &err), 0);
	node = tmap_levels_find(&job.levels, "node");
	ck_assert_int_eq(totals.crossing[node].messages, 3);
	ck_assert_int_eq(totals.crossing[node].bytes, 3000);
	ck_assert_int_eq(totals.crossing[node + 1].messages, 7);
	ck_assert_int_eq(totals.depth, 3);
	ck_assert_int_eq(totals.fanout, 7);
	ck_assert(totals.has_cost && totals.cost.seconds > 0);
	ck_assert_int_eq(totals.cost.chunks, 1);
	tmap_totals_fini(&totals);
	tmap_tree_fini(&tree);
	job_fini(&job);
}
END_TEST

START_TEST(a_ring_sends_a_block_a_step_and_round)
{
	struct job job;
	struct tmap_ring ring;
	struct tmap_totals totals;
	int node;

	placement_block_take(&job.placement, machine_regular(4, two_packages));
	job_init(&job, 1000);
	ck_assert_int_eq(tmap_ring_init(&ring, &job.metric, &err), 0);
	ck_assert_int_eq(tmap_totals_of_ring(&totals, &ring, &job.load, &err), 0);
	node = tmap_levels_find(&job.levels, "node");
	ck_assert_int_eq(totals.crossing[node].messages, 4 * 31);
	ck_assert_int_eq(totals.crossing[node].bytes, 4 * 31 * 1000);
	ck_assert_int_eq(totals.depth, 0);
	tmap_totals_fini(&totals);
	tmap_ring_fini(&ring);
	job_fini(&job);
}
END_TEST

START_TEST(without_a_size_there_is_no_cost)
{
	struct job job;
	struct tmap_tree tree;
	struct tmap_totals totals;

	placement_block_take(&job.placement, machine_zoot());
	job_init(&job, TMAP_NONE);
	ck_assert_int_eq(tmap_tree_init(&tree, &job.metric, 0, &err), 0);
	ck_assert_int_eq(tmap_totals_of_tree(&totals, &tree, &job.load, &err), 0);
	ck_assert(!totals.has_cost);
	for (int l = 0; l < totals.level_count; l++)
		ck_assert_int_eq(totals.crossing[l].bytes, TMAP_NONE);
	tmap_totals_fini(&totals);
	tmap_tree_fini(&tree);
	job_fini(&job);
}
END_TEST

START_TEST(more_bytes_than_can_be_counted_are_refused)
{
	struct job job;
	struct tmap_ring ring;
	struct tmap_totals totals;

	placement_block_take(&job.placement, machine_zoot());
	job_init(&job, INT64_MAX / 16);
	ck_assert_int_eq(tmap_ring_init(&ring, &job.metric, &err), 0);
	ck_assert_int_eq(tmap_totals_of_ring(&totals, &ring, &job.load, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_ptr_nonnull(strstr(err.text, "2^63-1"));
	tmap_ring_fini(&ring);
	job_fini(&job);
}
END_TEST

START_TEST(one_rank_sends_nothing)
{
	struct job job;
	struct tmap_tree tree;
	struct tmap_ring ring;
	struct tmap_totals totals;

	placement_block_take(
		&job.placement,
		machine_regular(1,
				(const struct test_level[]){ { TMAP_CORE, 1 }, { TMAP_NODE, 0 } }));
	job_init(&job, 1 << 20);
	ck_assert_int_eq(tmap_tree_init(&tree, &job.metric, 0, &err), 0);
	ck_assert_int_eq(tmap_ring_init(&ring, &job.metric, &err), 0);
	ck_assert_int_eq(tmap_totals_of_tree(&totals, &tree, &job.load, &err), 0);
	ck_assert_double_eq(totals.cost.path_s, 0);
	tmap_totals_fini(&totals);
	ck_assert_int_eq(tmap_totals_of_ring(&totals, &ring, &job.load, &err), 0);
	ck_assert_double_eq(totals.cost.path_s, 0);
	ck_assert_int_eq(totals.edge_count, 0);
	tmap_totals_fini(&totals);
	tmap_ring_fini(&ring);
	tmap_tree_fini(&tree);
	job_fini(&job);
}
END_TEST

/* Edges of a tree whose ends have different numbers at a level. */
static int64_t literal_crossings(const struct job *job, const struct tmap_tree *tree, int level)
{
	int64_t count = 0;

	for (int r = 0; r < tree->size; r++)
		if (r != tree->root)
			count += tmap_levels_of_rank(&job->levels, level, &job->placement, r) !=
				tmap_levels_of_rank(&job->levels, level, &job->placement,
						    tree->parent[r]);
	return count;
}

START_TEST(random_trees_cross_what_their_edges_cross)
{
	struct dice dice = { 11 + (uint64_t)_i };
	int size = 2 + dice_roll(&dice, 40);
	struct job job;
	struct tmap_tree tree;
	struct tmap_totals totals;

	placement_random_take(&job.placement, machine_random(&dice, 6), size, &dice);
	job_init(&job, 77);
	ck_assert_int_eq(tmap_shape_tree_called(&tree, _i % 2 ? "binomial_near" : "flat",
						&job.metric, dice_roll(&dice, size), &err),
			 0);
	ck_assert_int_eq(tmap_totals_of_tree(&totals, &tree, &job.load, &err), 0);
	for (int l = 0; l < job.levels.count; l++) {
		ck_assert_int_eq(totals.crossing[l].messages, literal_crossings(&job, &tree, l));
		ck_assert_int_eq(totals.crossing[l].bytes, 77 * totals.crossing[l].messages);
	}
	tmap_totals_fini(&totals);
	tmap_tree_fini(&tree);
	job_fini(&job);
}
END_TEST

START_TEST(random_rings_end_when_played_ones_do)
{
	struct dice dice = { 5000 + (uint64_t)_i };
	int size = 2 + dice_roll(&dice, 40);
	struct job job;
	struct tmap_ring ring;
	struct tmap_totals totals;
	struct literal_clock clock;

	placement_random_take(&job.placement, machine_random(&dice, 6), size, &dice);
	job_init(&job, 1 + dice_roll(&dice, 100000));
	ck_assert_int_eq(tmap_ring_init(&ring, &job.metric, &err), 0);
	ck_assert_int_eq(tmap_totals_of_ring(&totals, &ring, &job.load, &err), 0);
	literal_clock_init(&clock, &job.placement, &job.metric, &job.levels, tmap_profile_at(0));
	for (int round = 0; round < size - 1; round++)
		for (int i = 0; i < size; i++)
			literal_clock_add(&clock,
					  &(struct tmap_message){ .round = round,
								  .from = ring.order[i],
								  .to = ring.order[(i + 1) % size],
								  .bytes = job.load.bytes });
	ck_assert_double_eq_tol(totals.cost.path_s, literal_clock_end(&clock), 1e-12);
	ck_assert(totals.cost.seconds >= totals.cost.path_s &&
		  totals.cost.seconds >= totals.cost.adapter_s &&
		  totals.cost.seconds >= totals.cost.controller_s);
	tmap_totals_fini(&totals);
	tmap_ring_fini(&ring);
	job_fini(&job);
}
END_TEST

START_TEST(baselines_come_with_their_knobs_or_their_reason)
{
	struct tmap_spec choice;
	struct job job;
	struct tmap_tree tree;
	struct tmap_baselines baselines = { 0 };
	struct tmap_edge_count *edges;
	int count;

	placement_block_take(&job.placement, machine_regular(2, two_packages));
	job_init(&job, TMAP_NONE);
	baselines.load = &job.load;
	ck_assert_int_eq(tmap_tree_init(&tree, &job.metric, 0, &err), 0);
	ck_assert_int_eq(tmap_baselines_add(&baselines, "ours", NULL, &tree, NULL, &err), 0);
	tmap_tree_fini(&tree);
	ck_assert_int_eq(tmap_spec_parse(&choice, &tmap_tree_shapes, "knomial,radix=8", &err), 0);
	ck_assert_int_eq(tmap_shape_tree(&tree, &choice, &job.metric, 0, &err), 0);
	ck_assert_int_eq(
		tmap_baselines_add(&baselines, "knomial,radix=8", &choice, &tree, NULL, &err), 0);
	tmap_tree_fini(&tree);
	ck_assert_int_eq(tmap_baselines_add_absent(&baselines, "other", &choice, "why", &err), 0);
	ck_assert_ptr_null(baselines.row[0].knob.openmpi);
	ck_assert_ptr_nonnull(strstr(baselines.row[1].knob.openmpi, "knomial_radix 8"));
	ck_assert_ptr_null(baselines.row[1].knob.mpich);
	ck_assert_str_eq(baselines.row[2].reason, "why");
	/* 16 ranks: 12, 2, 1 edges of ours at 1, 3, 7; the union has each distance once */
	ck_assert_int_eq(tmap_baselines_distances(&baselines, &edges, &count, &err), 0);
	ck_assert_int_eq(count, 3);
	ck_assert_int_eq(edges[0].edges + edges[1].edges + edges[2].edges, 30);
	for (int e = 1; e < count; e++)
		ck_assert_double_gt(edges[e].distance, edges[e - 1].distance);
	free(edges);
	tmap_baselines_fini(&baselines);
	job_fini(&job);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("totals");
	TCase *c = tcase_create("totals");

	tcase_add_test(c, a_tree_sends_one_message_an_edge);
	tcase_add_test(c, a_ring_sends_a_block_a_step_and_round);
	tcase_add_test(c, without_a_size_there_is_no_cost);
	tcase_add_test(c, more_bytes_than_can_be_counted_are_refused);
	tcase_add_test(c, one_rank_sends_nothing);
	tcase_add_loop_test(c, random_trees_cross_what_their_edges_cross, 0, 100);
	tcase_add_loop_test(c, random_rings_end_when_played_ones_do, 0, 100);
	tcase_add_test(c, baselines_come_with_their_knobs_or_their_reason);
	suite_add_tcase(suite, c);
	return suite;
}
