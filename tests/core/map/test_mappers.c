/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle of the walk: all orders of up to 7 ranks, tried one by one, on random machines and
 * placements. Oracle of the trees and figures: sums over the metric's own distances along
 * edges that are listed by hand or by the other formula of the same tree.
 */
#include "core/base/mem.h"
#include "core/map/statistics.h"
#include "core/mappers/walk.h"
#include "core/tree/shapes.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static int *walk(const struct tmap_placement *p)
{
	int *place_of = malloc((size_t)p->size * sizeof *place_of);

	ck_assert_int_eq(tmap_walk(place_of, p, &err), 0);
	return place_of;
}

struct costs {
	double path, ring;
};

static struct costs costs_of(const struct tmap_metric *metric, const int *place_of)
{
	int size = metric->placement->size;
	struct costs costs = { 0 };

	ck_assert_int_gt(size, 0);
	for (int r = 0; r + 1 < size; r++)
		costs.path += tmap_metric_distance(metric, place_of[r], place_of[r + 1]);
	costs.ring = costs.path + tmap_metric_distance(metric, place_of[size - 1], place_of[0]);
	return costs;
}

static void swap(int *a, int *b)
{
	int old = *a;

	*a = *b;
	*b = old;
}

/* The least of all orders of order[from ..]. */
static void try_all(const struct tmap_metric *metric, int *order, int from, struct costs *least)
{
	int size = metric->placement->size;

	if (from == size) {
		struct costs costs = costs_of(metric, order);

		least->path = costs.path < least->path ? costs.path : least->path;
		least->ring = costs.ring < least->ring ? costs.ring : least->ring;
	}
	for (int i = from; i < size; i++) {
		swap(&order[from], &order[i]);
		try_all(metric, order, from + 1, least);
		swap(&order[from], &order[i]);
	}
}

START_TEST(no_order_brings_neighbours_closer_than_the_walk)
{
	struct dice dice = { 3 };

	for (int round = 0; round < 150; round++) {
		int size = 1 + dice_roll(&dice, 7), order[7] = { 0, 1, 2, 3, 4, 5, 6 };
		struct tmap_placement p;
		int *place_of;

		placement_random_take(&p, machine_random(&dice, 4), size, &dice);
		place_of = walk(&p);
		for (int scale = 0; scale < TMAP_SCALE_LATENCY; scale++) {
			struct costs least = { 1e9, 1e9 }, walk;
			struct tmap_metric metric;

			if (scale != TMAP_SCALE_PROCESS && p.machine->topology_count > 1)
				continue;
			ck_assert_int_eq(
				tmap_metric_init(&metric, &p, (enum tmap_scale)scale, &err), 0);
			walk = costs_of(&metric, place_of);
			try_all(&metric, order, 0, &least);
			ck_assert_double_eq(walk.path, least.path);
			ck_assert_double_eq(walk.ring, least.ring);
			tmap_metric_fini(&metric);
		}
		free(place_of);
		tmap_placement_fini(&p);
	}
}
END_TEST

/* On larger jobs: as cheap as the distance-aware ring (whose order knows all distances). */
START_TEST(the_walk_makes_the_ring_of_ranks_as_cheap_as_the_distance_aware_one)
{
	struct dice dice = { 4 };

	for (int round = 0; round < 100; round++) {
		struct tmap_placement p, after;
		struct tmap_metric metric;
		struct tmap_ring aware, walked;
		struct tmap_edge_count *edges;
		double best, weight;
		int *place_of, count, size = 1 + dice_roll(&dice, 200);

		placement_random_take(&p, machine_random(&dice, 9), size, &dice);
		place_of = walk(&p);
		ck_assert_int_eq(tmap_placement_select(&after, &p, place_of, size, &err), 0);
		ck_assert_int_eq(tmap_metric_init(&metric, &after, TMAP_SCALE_PROCESS, &err), 0);
		ck_assert_int_eq(tmap_ring_init(&aware, &metric, &err), 0);
		ck_assert_int_eq(tmap_shape_ring_called(&walked, "ring", &metric, &err), 0);
		ck_assert_int_eq(tmap_ring_measure(&aware, &best, &edges, &count, &err), 0);
		free(edges);
		ck_assert_int_eq(tmap_ring_measure(&walked, &weight, &edges, &count, &err), 0);
		free(edges);
		ck_assert_double_eq(weight, best);
		tmap_ring_fini(&aware);
		tmap_ring_fini(&walked);
		tmap_metric_fini(&metric);
		free(place_of);
		tmap_placement_fini(&after);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(the_walk_leaves_a_walked_job_as_it_is)
{
	struct dice dice = { 5 };
	struct tmap_placement p, after;
	int *place_of, *again;

	placement_random_take(&p, machine_random(&dice, 6), 50, &dice);
	place_of = walk(&p);
	ck_assert_int_eq(tmap_placement_select(&after, &p, place_of, 50, &err), 0);
	again = walk(&after);
	for (int r = 0; r < 50; r++)
		ck_assert_int_eq(again[r], r);
	free(place_of);
	free(again);
	tmap_placement_fini(&after);
	tmap_placement_fini(&p);
}
END_TEST

/* 4 nodes x 8 cores, ranks dealt out to the nodes one by one. */
static void cyclic(struct tmap_placement *p)
{
	static const struct test_level node_levels[] = {
		{ TMAP_PACKAGE, 2 }, { TMAP_L3, 1 }, { TMAP_CORE, 4 }, { TMAP_NODE, 0 }
	};
	int seat[32];

	for (int r = 0; r < 32; r++)
		seat[r] = r % 4 * 8 + r / 4;
	placement_seats_take(p, machine_regular(4, node_levels), seat, 32);
}

START_TEST(figures_of_a_cyclic_job_before_and_after_the_walk)
{
	struct tmap_placement p, after;
	struct tmap_statistics before, then;
	struct tmap_levels levels;
	int *place_of, node;

	cyclic(&p);
	ck_assert_int_eq(tmap_levels_init(&levels, p.machine, &err), 0);
	node = tmap_levels_find(&levels, "node");
	place_of = walk(&p);
	for (int r = 0; r < 32; r++)
		ck_assert_int_eq(place_of[r], r % 8 * 4 + r / 8);
	ck_assert_int_eq(tmap_placement_select(&after, &p, place_of, 32, &err), 0);
	ck_assert_int_eq(tmap_statistics_init(&before, &p, TMAP_SCALE_PROCESS, &levels, &err), 0);
	ck_assert_int_eq(tmap_statistics_init(&then, &after, TMAP_SCALE_PROCESS, &levels, &err), 0);
	/* all 32 steps go to another node (7); then 24 stay in an L3 (1), 4 change the package
	 * (3: one memory controller a node), 4 the node */
	ck_assert_double_eq(before.ring, 32 * 7);
	ck_assert_int_eq(tmap_statistics_edges(&before, 7), 32);
	ck_assert_int_eq(tmap_statistics_edges(&before, 1), 0);
	ck_assert_double_eq(then.ring, 24 * 1 + 4 * 3 + 4 * 7);
	ck_assert_int_eq(tmap_statistics_edges(&then, 1), 24);
	ck_assert_int_eq(tmap_statistics_edges(&then, 3), 4);
	ck_assert_int_eq(tmap_statistics_edges(&then, 7), 4);
	ck_assert_int_eq(before.crossings[node], 32);
	ck_assert_int_eq(then.crossings[node], 4);
	/* edges between nodes, spec: near-first 28, far-first 7 by block with 4 ranks a node; here
	 * with 8: near-first 24 (all ranks but the first node's), far-first 3 */
	ck_assert_double_eq(then.binomial_near, 24 * 7 + 4 * 3 + 3 * 1);
	ck_assert_double_eq(then.binomial_far, 3 * 7 + 4 * 3 + 24 * 1);
	tmap_statistics_fini(&before);
	tmap_statistics_fini(&then);
	tmap_levels_fini(&levels);
	free(place_of);
	tmap_placement_fini(&after);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(one_rank_has_no_neighbour_and_two_have_two_steps)
{
	static const struct test_level node_levels[] = { { TMAP_CORE, 1 }, { TMAP_NODE, 0 } };

	for (int size = 1; size <= 2; size++) {
		const int seat[2] = { 0, 1 };
		struct tmap_placement p;
		struct tmap_levels levels;
		struct tmap_statistics figures;

		placement_seats_take(&p, machine_regular(2, node_levels), seat, size);
		ck_assert_int_eq(tmap_levels_init(&levels, p.machine, &err), 0);
		ck_assert_int_eq(
			tmap_statistics_init(&figures, &p, TMAP_SCALE_PROCESS, &levels, &err), 0);
		ck_assert_double_eq(figures.ring, size == 1 ? 0 : 14);
		ck_assert_int_eq(figures.crossings[0], size == 1 ? 0 : 2);
		tmap_statistics_fini(&figures);
		tmap_levels_fini(&levels);
		tmap_placement_fini(&p);
	}
}
END_TEST

/* The other way to say the same trees: who sends to whom in round k. */
START_TEST(binomial_trees_are_those_of_the_rounds)
{
	static const struct test_level node_levels[] = { { TMAP_CORE, 33 }, { TMAP_NODE, 0 } };

	for (int size = 1; size <= 33; size++) {
		struct tmap_placement p;
		struct tmap_metric metric;
		int seat[33];

		for (int r = 0; r < size; r++)
			seat[r] = r;
		placement_seats_take(&p, machine_regular(1, node_levels), seat, size);
		ck_assert_int_eq(tmap_metric_init(&metric, &p, TMAP_SCALE_PROCESS, &err), 0);
		for (int root = 0; root < size; root += 5) {
			struct tmap_tree near_tree, far_tree;

			ck_assert_int_eq(tmap_shape_tree_called(&near_tree, "binomial_near",
								&metric, root, &err),
					 0);
			ck_assert_int_eq(tmap_shape_tree_called(&far_tree, "binomial_far", &metric,
								root, &err),
					 0);
			for (int step = 1; step < size; step *= 2)
				for (int v = 0; v < step && v + step < size; v++)
					ck_assert_int_eq(near_tree.parent[(v + step + root) % size],
							 (v + root) % size);
			for (int step = 1; step < size; step *= 2)
				for (int v = 0; v + step < size; v += 2 * step)
					ck_assert_int_eq(far_tree.parent[(v + step + root) % size],
							 (v + root) % size);
			ck_assert_int_eq(near_tree.parent[root], TMAP_NONE);
			ck_assert_int_eq(far_tree.parent[root], TMAP_NONE);
			tmap_tree_fini(&near_tree);
			tmap_tree_fini(&far_tree);
		}
		tmap_metric_fini(&metric);
		tmap_placement_fini(&p);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("mappers");
	TCase *tc = tcase_create("mappers");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, no_order_brings_neighbours_closer_than_the_walk);
	tcase_add_test(tc, the_walk_makes_the_ring_of_ranks_as_cheap_as_the_distance_aware_one);
	tcase_add_test(tc, the_walk_leaves_a_walked_job_as_it_is);
	tcase_add_test(tc, figures_of_a_cyclic_job_before_and_after_the_walk);
	tcase_add_test(tc, one_rank_has_no_neighbour_and_two_have_two_steps);
	tcase_add_test(tc, binomial_trees_are_those_of_the_rounds);
	suite_add_tcase(suite, tc);
	return suite;
}
