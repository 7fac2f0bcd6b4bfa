/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what a mapping costs, edge by edge, and groups of ranks that were planted in the graph and
 * send each other most.
 */
#include "core/mappers/pairs.h"
#include "tests/support/graphs.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* Slots of as many nodes as there are, one after the other. */
static void slots_init(struct tmap_placement *slots, struct tmap_machine *machine, int each)
{
	placement_on_take(slots, machine, machine->node_count * each);
	for (int r = 0; r < slots->size; r++)
		placement_seat_pu(slots, r, r / each, r % each);
}

/* What the edges cost in the sets of all layers. */
static double cost_of(const int *at, const struct tmap_graph *graph, const struct tmap_nest *nest)
{
	int *of = calloc((size_t)nest->count, sizeof *of);
	double cost = 0;

	for (int x = 0; x < nest->count; x++)
		of[at[x]] = x;
	for (int v = 0; v < graph->count; v++)
		for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++)
			cost += graph->weight[i] *
				tmap_nest_cost(nest, of[v], of[tmap_graph_peer(graph, v, i)]);
	free(of);
	return cost / 2;
}

static bool is_permutation(const int *at, int count)
{
	bool *seen = calloc((size_t)count, sizeof *seen), whole = true;

	for (int x = 0; x < count; x++) {
		whole = whole && at[x] >= 0 && at[x] < count && !seen[at[x]];
		if (whole)
			seen[at[x]] = true;
	}
	free(seen);
	return whole;
}

/* Only nodes cost: the ranks of a node are alike. */
static void nest_of_nodes(struct tmap_nest *nest, struct tmap_placement *slots,
			  struct tmap_levels *levels)
{
	static const double costs[] = { 8, 3, 0 }; /* racks, nodes, cores */

	hold(tmap_levels_init(levels, slots->machine, &err) == 0);
	hold(levels->count == 2 || levels->count == 3);
	hold(tmap_nest_init_levels(nest, slots, levels, costs + 3 - levels->count, levels->count,
				   &err) == 0);
}

static const struct test_level node_levels[] = { { TMAP_CORE, 8 }, { 0 } };

START_TEST(a_refinement_never_costs_more_and_keeps_every_rank)
{
	static const char *const names[] = { "shuffled:1:8x8",  "rgg:64",
					     "rmat:64",         "transpose:8x8",
					     "allreduce:4x4x4", "shuffled:9:torus:8x8" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct tmap_placement slots;
		struct tmap_pattern pattern;
		struct tmap_levels levels;
		struct tmap_graph graph;
		struct tmap_nest nest;
		int at[64];

		slots_init(&slots, machine_regular(8, node_levels), 8);
		nest_of_nodes(&nest, &slots, &levels);
		hold(graph_generate(&pattern, names[i], &err) == 0);
		hold(tmap_graph_init(&graph, &pattern, 64, &err) == 0);
		for (int seed = 1; seed <= 20; seed++) {
			struct dice dice = { (uint64_t)seed };
			struct tmap_random random = { (uint64_t)seed };
			int64_t left = INT64_C(1) << 40, before = left;
			double cost;

			for (int x = 0; x < 64; x++)
				at[x] = x;
			dice_shuffle(&dice, at, 64);
			cost = cost_of(at, &graph, &nest);
			hold(tmap_pairs_refine(at, &graph, &nest, nest.cost, 0, &random, &left,
					       &err) == 0);
			hold(is_permutation(at, 64) && left < before);
			ck_assert_msg(cost_of(at, &graph, &nest) <= cost * (1 + 1e-12),
				      "%s: %g, was %g", names[i], cost_of(at, &graph, &nest), cost);
		}
		tmap_nest_fini(&nest);
		tmap_levels_fini(&levels);
		tmap_graph_fini(&graph);
		tmap_pattern_fini(&pattern);
		tmap_placement_fini(&slots);
	}
}
END_TEST

/* Groups of eight send each other much, and a little to the next group. */
static void groups_init(struct tmap_graph *graph, int groups, const int *name)
{
	struct tmap_pattern_builder b;
	struct tmap_pattern pattern;

	hold(tmap_pattern_builder_init(&b, 8 * groups, &err) == 0);
	for (int g = 0; g < groups; g++)
		for (int i = 0; i < 8; i++) {
			for (int j = 0; j < 8; j++)
				if (i != j)
					hold(tmap_pattern_add(&b, name[8 * g + i], name[8 * g + j],
							      1000, &err) == 0);
			hold(tmap_pattern_add(&b, name[8 * g + i], name[8 * ((g + 1) % groups) + i],
					      10, &err) == 0);
		}
	hold(tmap_pattern_finish(&pattern, &b, &err) == 0);
	hold(tmap_graph_init(graph, &pattern, 8 * groups, &err) == 0);
	tmap_pattern_fini(&pattern);
	tmap_pattern_builder_fini(&b);
}

START_TEST(ranks_get_back_from_sets_far_away)
{
	enum { GROUPS = 6, RANKS = 8 * GROUPS };

	for (int seed = 1; seed <= 20; seed++) {
		struct dice dice = { (uint64_t)seed };
		struct tmap_random random = { (uint64_t)seed };
		int64_t left = INT64_C(1) << 40;
		struct tmap_placement slots;
		struct tmap_levels levels;
		struct tmap_graph graph;
		struct tmap_nest nest;
		int at[RANKS], name[RANKS];

		for (int r = 0; r < RANKS; r++)
			name[r] = r;
		dice_shuffle(&dice, name, RANKS);
		slots_init(&slots, machine_regular(GROUPS, node_levels), 8);
		nest_of_nodes(&nest, &slots, &levels);
		groups_init(&graph, GROUPS, name);
		memcpy(at, name, sizeof at);
		for (int k = 0; k < 8; k++) { /* two of each set go elsewhere */
			int x = dice_roll(&dice, RANKS), y = dice_roll(&dice, RANKS), held = at[x];

			at[x] = at[y];
			at[y] = held;
		}
		hold(tmap_pairs_refine(at, &graph, &nest, nest.cost, 0, &random, &left, &err) == 0);
		ck_assert_double_eq(cost_of(at, &graph, &nest), RANKS * 10 * nest.cost[0]);
		tmap_graph_fini(&graph);
		tmap_nest_fini(&nest);
		tmap_levels_fini(&levels);
		tmap_placement_fini(&slots);
	}
}
END_TEST

/* Two racks of two nodes; ranks 1 and 6 are each in the other's rack. */
START_TEST(ranks_of_nodes_in_two_racks_change_places)
{
	struct tmap_machine *machine =
		machine_regular(4, (struct test_level[]){ { TMAP_CORE, 2 }, { 0 } });
	struct tmap_random random = { 1 };
	int64_t left = INT64_C(1) << 40;
	struct tmap_pattern_builder b;
	struct tmap_placement slots;
	struct tmap_pattern pattern;
	struct tmap_levels levels;
	struct tmap_graph graph;
	struct tmap_nest nest;
	int at[8] = { 0, 6, 2, 3, 4, 5, 1, 7 };
	double before;

	machine_add_switches(machine, 2);
	slots_init(&slots, machine, 2);
	nest_of_nodes(&nest, &slots, &levels);
	hold(nest.set_count[0] == 2 && nest.set_count[1] == 4);
	hold(tmap_pattern_builder_init(&b, 8, &err) == 0);
	for (int r = 0; r < 8; r += 2)
		hold(tmap_pattern_add(&b, r, r + 1, 100, &err) == 0);
	hold(tmap_pattern_finish(&pattern, &b, &err) == 0);
	hold(tmap_graph_init(&graph, &pattern, 8, &err) == 0);
	before = cost_of(at, &graph, &nest);
	hold(tmap_pairs_refine(at, &graph, &nest, nest.cost, 1, &random, &left, &err) == 0);
	hold(is_permutation(at, 8));
	ck_assert_double_eq(before, 2 * 100 * nest.cost[0]);
	ck_assert_double_eq(cost_of(at, &graph, &nest), 0);

	tmap_pattern_fini(&pattern);
	tmap_pattern_builder_fini(&b);
	tmap_graph_fini(&graph);
	tmap_nest_fini(&nest);
	tmap_levels_fini(&levels);
	tmap_placement_fini(&slots);
}
END_TEST

START_TEST(without_steps_everything_stays)
{
	struct tmap_random random = { 1 };
	int64_t left = 0;
	struct tmap_placement slots;
	struct tmap_levels levels;
	struct tmap_graph graph;
	struct tmap_nest nest;
	int at[16], before[16];

	for (int x = 0; x < 16; x++)
		before[x] = at[x] = x * 5 % 16;
	slots_init(&slots, machine_regular(2, node_levels), 8);
	nest_of_nodes(&nest, &slots, &levels);
	groups_init(&graph, 2,
		    (const int[]){ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 });
	hold(tmap_pairs_refine(at, &graph, &nest, nest.cost, 0, &random, &left, &err) == 0);
	hold(memcmp(at, before, sizeof at) == 0);
	tmap_graph_fini(&graph);
	tmap_nest_fini(&nest);
	tmap_levels_fini(&levels);
	tmap_placement_fini(&slots);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("pairs");
	TCase *tests = tcase_create("pairs");

	tcase_add_test(tests, a_refinement_never_costs_more_and_keeps_every_rank);
	tcase_add_test(tests, ranks_get_back_from_sets_far_away);
	tcase_add_test(tests, ranks_of_nodes_in_two_racks_change_places);
	tcase_add_test(tests, without_steps_everything_stays);
	suite_add_tcase(suite, tests);
	return suite;
}
