/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: Algorithm 2 as the paper prints it (literal.c), over a matrix of the metric's own
 * distances. Borders are counted by the definition: a ring over K sets crosses K of their
 * borders at least, none where K is 1.
 */
#include "core/tree/ring.h"

#include "core/cost/merge.h"
#include "tests/support/literal.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>

static struct tmap_error err;

static void metric_of(struct tmap_metric *metric, const struct tmap_placement *p)
{
	ck_assert_int_eq(tmap_metric_init(metric, p, TMAP_SCALE_PROCESS, &err), 0);
}

/* Any scale; now and then with distances merged, so that the first sets span nodes. */
static void any_metric_of(struct tmap_metric *metric, const struct tmap_placement *p,
			  struct dice *dice)
{
	enum tmap_scale scale = dice_roll(dice, 2) ? TMAP_SCALE_PROCESS : TMAP_SCALE_LEVEL;
	bool drop[64] = { false };

	ck_assert_int_eq(tmap_metric_init(metric, p, scale, &err), 0);
	ck_assert_int_lt(metric->step_count, 64);
	if (dice_roll(dice, 3))
		return;
	for (int s = 0; s < metric->step_count; s++)
		drop[s] = dice_roll(dice, 2);
	tmap_metric_drop(metric, drop);
}

static double *matrix_of(const struct tmap_metric *metric)
{
	int p = metric->placement->size;
	double *matrix = malloc((size_t)(p * p) * sizeof *matrix);

	for (int a = 0; a < p; a++)
		for (int b = 0; b < p; b++)
			matrix[a * p + b] = tmap_metric_distance(metric, a, b);
	return matrix;
}

static void crosses_no_border_too_often(const struct tmap_ring *ring,
					const struct tmap_metric *metric)
{
	for (int s = 0; s < metric->step_count; s++) {
		int sets = 0, crossings = 0;
		bool *seen = calloc((size_t)metric->step[s].sets.count + 1, sizeof *seen);

		for (int r = 0; r < ring->size; r++) {
			int set = tmap_metric_set(metric, s, r);

			sets += set == TMAP_NONE || !seen[set];
			if (set != TMAP_NONE)
				seen[set] = true;
		}
		for (int i = 0; i < tmap_ring_steps(ring); i++)
			crossings += ring->distance[i] > metric->step[s].value;
		ck_assert_int_eq(crossings, sets > 1 ? sets : 0);
		free(seen);
	}
}

static void is_literal_ring(const struct tmap_metric *metric)
{
	int p = metric->placement->size, *order = malloc((size_t)p * sizeof *order);
	double *matrix = matrix_of(metric);
	struct tmap_ring ring;

	literal_ring(matrix, p, order);
	ck_assert_int_eq(tmap_ring_init(&ring, metric, &err), 0);
	ck_assert_int_eq(ring.size, p);
	for (int i = 0; i < p; i++) {
		if (ring.order[i] != order[i])
			ck_abort_msg("%d of %d ranks: %d, literally %d", i, p, ring.order[i],
				     order[i]);
		hold(ring.distance[i] == matrix[order[i] * p + order[(i + 1) % p]]);
	}
	crosses_no_border_too_often(&ring, metric);
	tmap_ring_fini(&ring);
	free(order);
	free(matrix);
}

static void ring_is(const struct tmap_placement *p, const char *expected)
{
	struct tmap_edge_count *edges;
	struct tmap_metric metric;
	struct tmap_ring ring;
	char text[256];
	double weight;
	int length, count;

	metric_of(&metric, p);
	is_literal_ring(&metric);
	ck_assert_int_eq(tmap_ring_init(&ring, &metric, &err), 0);
	ck_assert_int_eq(tmap_ring_measure(&ring, &weight, &edges, &count, &err), 0);
	length = snprintf(text, sizeof text, "weight %g edges", weight);
	for (int i = 0; i < count; i++)
		length += snprintf(text + length, sizeof text - (size_t)length, " %g:%d",
				   edges[i].distance, (int)edges[i].edges);
	ck_assert_str_eq(text, expected);
	free(edges);
	tmap_ring_fini(&ring);
	tmap_metric_fini(&metric);
}

START_TEST(random_machines_give_the_literal_ring)
{
	struct dice dice = { .state = (uint64_t)_i + 1000 };

	for (int run = 0; run < 500; run++) {
		struct tmap_placement p;
		struct tmap_metric metric;

		placement_random_take(&p, machine_random(&dice, 6), 1 + dice_roll(&dice, 40),
				      &dice);
		any_metric_of(&metric, &p, &dice);
		is_literal_ring(&metric);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(subsets_give_the_literal_ring)
{
	struct dice dice = { .state = 77 };
	struct tmap_placement all, some;
	struct tmap_metric metric;
	int list[96];

	placement_random_take(&all, machine_random(&dice, 8), 96, &dice);
	for (int r = 0; r < 96; r++)
		list[r] = r;
	for (int size = 1; size <= 96; size++) {
		dice_shuffle(&dice, list, 96);
		ck_assert_int_eq(tmap_placement_select(&some, &all, list, size, &err), 0);
		any_metric_of(&metric, &some, &dice);
		is_literal_ring(&metric);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&some);
	}
	tmap_placement_fini(&all);
}
END_TEST

START_TEST(ig_visits_the_sets_0_2_6_4_5_7_3_1)
{
	static const int sets[] = { 0, 2, 6, 4, 5, 7, 3, 1 };
	struct tmap_metric metric;
	struct tmap_placement p;
	struct tmap_ring ring;
	int visited = 1;

	placement_block_take(&p, machine_ig());
	ring_is(&p, "weight 82 edges 1:40 5:6 6:2");
	metric_of(&metric, &p);
	ck_assert_int_eq(tmap_ring_init(&ring, &metric, &err), 0);
	for (int i = 1; i < 48; i++)
		if (ring.order[i] / 6 != ring.order[i - 1] / 6 && visited < 8)
			ck_assert_int_eq(ring.order[i] / 6, sets[visited++]);
	ck_assert_int_eq(visited, 8);
	tmap_ring_fini(&ring);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(ig_across_sockets_has_the_same_edges)
{
	struct tmap_placement p;
	int seat[48];

	for (int r = 0; r < 48; r++)
		seat[r] = r % 8 * 6 + r / 8;
	placement_seats_take(&p, machine_ig(), seat, 48);
	ring_is(&p, "weight 82 edges 1:40 5:6 6:2");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(zoot_has_8_4_4_edges_at_1_2_3)
{
	struct tmap_placement p;

	placement_block_take(&p, machine_zoot());
	ring_is(&p, "weight 28 edges 1:8 2:4 3:4");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(one_rank_has_no_steps)
{
	struct tmap_metric metric;
	struct tmap_placement p;
	struct tmap_ring ring;
	const int seat[] = { 3 };

	placement_seats_take(&p, machine_zoot(), seat, 1);
	ring_is(&p, "weight 0 edges");
	metric_of(&metric, &p);
	ck_assert_int_eq(tmap_ring_init(&ring, &metric, &err), 0);
	ck_assert_int_eq(tmap_ring_steps(&ring), 0);
	ck_assert_int_eq(ring.order[0], 0);
	tmap_ring_fini(&ring);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(two_ranks_have_both_steps)
{
	struct tmap_metric metric;
	struct tmap_placement p;
	struct tmap_ring ring;
	const int seat[] = { 15, 0 };

	placement_seats_take(&p, machine_zoot(), seat, 2);
	ring_is(&p, "weight 6 edges 3:2");
	metric_of(&metric, &p);
	ck_assert_int_eq(tmap_ring_init(&ring, &metric, &err), 0);
	ck_assert_int_eq(tmap_ring_steps(&ring), 2);
	ck_assert(ring.order[0] == 0 && ring.order[1] == 1);
	tmap_ring_fini(&ring);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(three_ranks_go_first_to_the_smaller_neighbour)
{
	struct tmap_placement p;
	struct tmap_metric metric;
	struct tmap_ring ring;
	const int seat[] = { 0, 15, 1 };

	placement_seats_take(&p, machine_zoot(), seat, 3);
	ring_is(&p, "weight 7 edges 1:1 3:2");
	metric_of(&metric, &p);
	ck_assert_int_eq(tmap_ring_init(&ring, &metric, &err), 0);
	ck_assert_int_eq(ring.order[1], 1);
	tmap_ring_fini(&ring);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

/* Too large for the literal greedy: a ring is a permutation that crosses no border too often. */
START_TEST(many_nodes_are_visited_once_across_few_borders)
{
	struct tmap_machine *machine =
		machine_regular(500,
				(const struct test_level[]){ { TMAP_PACKAGE, 2 },
							     { TMAP_NUMA, 2 },
							     { TMAP_L3, 3 },
							     { TMAP_CORE, 21 },
							     { 0 } });
	struct dice dice = { .state = 3 };
	struct tmap_metric metric;
	struct tmap_placement p;
	struct tmap_ring ring;
	bool *seen;

	machine_add_switches(machine, 18);
	placement_random_take(&p, machine, 100000, &dice);
	seen = calloc((size_t)p.size, sizeof *seen);
	metric_of(&metric, &p);
	ck_assert_int_eq(tmap_ring_init(&ring, &metric, &err), 0);
	for (int i = 0; i < p.size; i++) {
		hold(!seen[ring.order[i]]);
		seen[ring.order[i]] = true;
	}
	crosses_no_border_too_often(&ring, &metric);
	free(seen);
	tmap_ring_fini(&ring);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("ring");
	TCase *tcase = tcase_create("ring");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, random_machines_give_the_literal_ring, 0, 8);
	tcase_add_test(tcase, subsets_give_the_literal_ring);
	tcase_add_test(tcase, ig_visits_the_sets_0_2_6_4_5_7_3_1);
	tcase_add_test(tcase, ig_across_sockets_has_the_same_edges);
	tcase_add_test(tcase, zoot_has_8_4_4_edges_at_1_2_3);
	tcase_add_test(tcase, one_rank_has_no_steps);
	tcase_add_test(tcase, two_ranks_have_both_steps);
	tcase_add_test(tcase, three_ranks_go_first_to_the_smaller_neighbour);
	tcase_add_test(tcase, many_nodes_are_visited_once_across_few_borders);
	suite_add_tcase(suite, tcase);
	return suite;
}
