/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what a mapping costs, edge by edge, before and after each swap that a descent tries.
 */
#include "core/mappers/climb.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>

enum {
	TRIED = 16,    /* places of a set, all of which a descent tries if there are no more */
	DESCENTS = 40, /* each meets nearly all ranks: all of them do */
};

static struct tmap_error err;

static double cost_of(const struct tmap_climb *climb)
{
	const struct tmap_graph *graph = &climb->search->graph;
	double both = 0;

	for (int v = 0; v < graph->count; v++)
		for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++)
			both += graph->weight[i] *
				tmap_nest_cost(climb->nest, climb->of[v],
					       climb->of[tmap_graph_peer(graph, v, i)]);
	return both / 2;
}

static void swap(struct tmap_climb *climb, int a, int b)
{
	int held = climb->of[a];

	climb->of[a] = climb->of[b];
	climb->of[b] = held;
	climb->at[climb->of[a]] = a;
	climb->at[climb->of[b]] = b;
}

/* Nor with any rank in a set. */
static void check_set(struct tmap_climb *climb, int a, int layer, int set, double cost)
{
	const int *start = climb->nest->start[layer];

	for (int x = start[set]; x < start[set + 1] && start[set + 1] - start[set] <= TRIED; x++) {
		int b = climb->at[x];

		swap(climb, a, b);
		hold(cost_of(climb) >= cost - 1e-9 * cost);
		swap(climb, a, b);
	}
}

/* No swap of a rank with one in a set around a neighbour in the graph costs less. */
static void check_descended(struct tmap_climb *climb)
{
	const struct tmap_graph *graph = &climb->search->graph;
	const struct tmap_nest *nest = climb->nest;
	double cost = cost_of(climb);

	ck_assert_double_eq_tol(climb->cost, cost, 1e-9 * (1 + cost));
	for (int v = 0; v < graph->count; v++)
		for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++) {
			int to = climb->of[tmap_graph_peer(graph, v, i)];

			for (int l = tmap_nest_layer(nest, climb->of[v], to); l < nest->depth; l++)
				check_set(climb, v, l, tmap_nest_set(nest, l, to), cost);
		}
}

/* Each rank sends six others something: as many as a descent goes to. */
static void traffic_fill(struct tmap_pattern *pattern, int ranks, struct dice *dice)
{
	static const int apart[] = { 1, 4, 5 };
	struct tmap_pattern_builder builder;
	int *name = calloc((size_t)ranks, sizeof *name);

	for (int r = 0; r < ranks; r++)
		name[r] = r;
	dice_shuffle(dice, name, ranks);
	hold(tmap_pattern_builder_init(&builder, ranks, &err) == 0);
	for (int r = 0; r < ranks; r++)
		for (int k = 0; k < 3; k++)
			if (r + apart[k] < ranks)
				hold(tmap_pattern_add(&builder, name[r], name[r + apart[k]],
						      1 + dice_roll(dice, 99), &err) == 0);
	hold(tmap_pattern_finish(pattern, &builder, &err) == 0);
	tmap_pattern_builder_fini(&builder);
	free(name);
}

START_TEST(a_descent_ends_where_no_swap_near_a_neighbour_gains)
{
	static const struct tmap_slots_excluded none;
	struct dice dice = { 5 };

	for (int job = 0; job < 40; job++) {
		struct tmap_placement placement;
		struct tmap_pattern pattern;
		struct tmap_slots slots;
		struct tmap_traffic traffic = { .pattern = &pattern };
		struct tmap_criteria criteria = { .goal = TMAP_GOAL_DISTANCE,
						  .profile = tmap_profile_at(0),
						  .scale = TMAP_SCALE_PROCESS,
						  .only_goal = true };
		struct tmap_objective objective;
		struct tmap_search search;
		struct tmap_climb climb;

		placement_random_take(&placement, machine_random(&dice, 6),
				      8 + dice_roll(&dice, 40), &dice);
		traffic_fill(&pattern, placement.size, &dice);
		hold(tmap_slots_init(&slots, &placement, 0, &none, &err) == 0);
		hold(tmap_objective_init(&objective, &slots, &traffic, &criteria, &err) == 0);
		hold(tmap_search_init(&search, &objective, TMAP_SEARCH_GRAPH, INT64_MAX / 2, 1,
				      &err) == 0);
		hold(tmap_climb_init(&climb, &search, &err) == 0);
		tmap_climb_set(&climb, slots.now);
		for (int k = 0; k < DESCENTS; k++)
			tmap_climb_descend(&climb);
		check_descended(&climb);
		tmap_climb_fini(&climb);
		tmap_search_fini(&search);
		tmap_objective_fini(&objective);
		tmap_slots_fini(&slots);
		tmap_pattern_fini(&pattern);
		tmap_placement_fini(&placement);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("climb");
	TCase *tests = tcase_create("climb");

	tcase_add_test(tests, a_descent_ends_where_no_swap_near_a_neighbour_gains);
	suite_add_tcase(suite, tests);
	return suite;
}
