/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: all ways to divide up to 12 vertices, tried one by one; sorting by insertion; sums over
 * the original graph; the picture in core/mappers/grid_parts.h.
 */
#include "core/map/heap.h"
#include "core/mappers/bisect.h"
#include "core/mappers/coarsen.h"
#include "core/mappers/grid_parts.h"
#include "core/mappers/grouping.h"
#include "core/pattern/calls.h"
#include "core/pattern/grid.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

static struct tmap_error err;

START_TEST(a_heap_gives_the_largest_key_first_whatever_changes)
{
	struct dice dice = { 1 };

	for (int round = 0; round < 200; round++) {
		enum { MOST = 30 };
		struct tmap_heap heap;
		double key[MOST];
		bool in[MOST] = { false };

		hold(tmap_heap_init(&heap, MOST, &err) == 0);
		for (int step = 0; step < 100; step++) {
			int item = dice_roll(&dice, MOST), first = TMAP_NONE;

			if (dice_roll(&dice, 3)) {
				tmap_heap_set(&heap, item, key[item] = dice_roll(&dice, 8));
				in[item] = true;
			} else {
				tmap_heap_remove(&heap, item);
				in[item] = false;
			}
			for (int i = 0; i < MOST; i++)
				if (in[i] && (first == TMAP_NONE || key[i] > key[first]))
					first = i;
			hold(tmap_heap_first(&heap) == first);
		}
		tmap_heap_clear(&heap);
		hold(tmap_heap_first(&heap) == TMAP_NONE && heap.count == 0);
		tmap_heap_fini(&heap);
	}
}
END_TEST

static void random_graph(struct tmap_graph *graph, int size, int count, struct dice *dice)
{
	struct tmap_pattern_builder b;
	struct tmap_pattern pattern;

	hold(tmap_pattern_builder_init(&b, size, &err) == 0);
	for (int i = dice_roll(dice, 4) * size; i > 0; i--)
		hold(tmap_pattern_add(&b, dice_roll(dice, size), dice_roll(dice, size),
				      dice_roll(dice, 50), &err) == 0);
	hold(tmap_pattern_finish(&pattern, &b, &err) == 0);
	hold(tmap_graph_init(graph, &pattern, count, &err) == 0);
	tmap_pattern_fini(&pattern);
}

static double weight(const struct tmap_graph *graph, int a, int b)
{
	double sum = 0;

	for (int64_t i = tmap_graph_begin(graph, a); i < tmap_graph_end(graph, a); i++)
		sum += tmap_graph_peer(graph, a, i) == b ? graph->weight[i] : 0;
	return sum;
}

static double cut_of(const struct tmap_graph *graph, const bool *right)
{
	double cut = 0;

	for (int a = 0; a < graph->count; a++)
		for (int b = 0; b < a; b++)
			cut += right[a] != right[b] ? weight(graph, a, b) : 0;
	return cut;
}

static double least_cut(const struct tmap_graph *graph, int wanted)
{
	double least = 1e300;
	bool right[12];

	for (unsigned set = 0; set < 1u << graph->count; set++) {
		int left = 0;
		double cut;

		for (int v = 0; v < graph->count; v++) {
			right[v] = set >> v & 1;
			left += !right[v];
		}
		if (left != wanted)
			continue;
		cut = cut_of(graph, right);
		least = cut < least ? cut : least;
	}
	return least;
}

START_TEST(few_vertices_are_divided_by_the_least_cut)
{
	struct dice dice = { 2 };
	struct tmap_random random = { 1 };

	for (int round = 0; round < 40; round++) {
		int count = 2 + dice_roll(&dice, 8), wanted = 1 + dice_roll(&dice, count - 1);
		struct tmap_graph graph;
		int64_t steps = 0;
		bool right[12];

		random_graph(&graph, 1 + dice_roll(&dice, count), count, &dice);
		hold(tmap_bisect(right, &graph, wanted, 20, &random, &steps, &err) == 0);
		ck_assert_double_eq_tol(cut_of(&graph, right), least_cut(&graph, wanted), 1e-9);
		tmap_graph_fini(&graph);
	}
}
END_TEST

START_TEST(both_sides_are_exactly_as_large_as_wanted)
{
	struct dice dice = { 3 };
	struct tmap_random random = { 1 };

	for (int round = 0; round < 60; round++) {
		int count = 2 + dice_roll(&dice, 300), wanted = 1 + dice_roll(&dice, count - 1);
		int left = 0;
		struct tmap_graph graph;
		int64_t steps = 0;
		bool right[302];

		random_graph(&graph, 1 + dice_roll(&dice, count), count, &dice);
		hold(tmap_bisect(right, &graph, wanted, 2, &random, &steps, &err) == 0);
		for (int v = 0; v < count; v++)
			left += !right[v];
		hold(left == wanted && steps > 0);
		tmap_graph_fini(&graph);
	}
}
END_TEST

START_TEST(a_coarser_graph_has_the_edges_between_its_vertices)
{
	struct dice dice = { 4 };
	struct tmap_random random = { 1 };

	for (int round = 0; round < 60; round++) {
		int count = 2 + dice_roll(&dice, 30), of[32];
		struct tmap_graph fine, coarse;

		random_graph(&fine, count, count, &dice);
		hold(tmap_coarsen(&coarse, of, &fine, NULL, 2, &random, &err) == 0);
		for (int a = 0; a < coarse.count; a++) {
			int size = 0;

			for (int v = 0; v < count; v++)
				size += of[v] == a;
			hold(size == coarse.size[a] && size >= 1 && size <= 2);
			for (int b = 0; b < coarse.count; b++) {
				double sum = 0;

				for (int v = 0; v < count && a != b; v++)
					for (int w = 0; w < count; w++)
						sum += of[v] == a && of[w] == b ?
							weight(&fine, v, w) :
							0;
				hold(weight(&coarse, a, b) == sum);
			}
		}
		tmap_graph_fini(&coarse);
		tmap_graph_fini(&fine);
	}
}
END_TEST

/* Its rows are kept once; those of the same pattern as it is stored are each in their place. */
START_TEST(a_grid_has_the_graph_of_its_matrix)
{
	struct dice dice = { 12 };

	for (int round = 0; round < 200; round++) {
		int offset[4] = { 0, 1 + dice_roll(&dice, 2), 1 - dice_roll(&dice, 3), 1 };
		double weight[2] = { 1, 1 + dice_roll(&dice, 3) };
		struct tmap_neighborhood grid = {
			.stencil = TMAP_STENCIL_OFFSETS,
			.dimensions = 2,
			.dim = { 1 + dice_roll(&dice, 7), 1 + dice_roll(&dice, 7) },
			.periodic = { dice_roll(&dice, 2), dice_roll(&dice, 2) },
			.degree = 2,
			.offset = offset,
			.weight = weight,
		};
		struct tmap_pattern_builder b;
		struct tmap_pattern pattern, stored;
		struct tmap_graph graph, other;
		int count;

		grid.size = grid.dim[0] * grid.dim[1];
		count = grid.size + dice_roll(&dice, 3);
		hold(tmap_pattern_of_grid(&pattern, &grid, 8, &err) == 0);
		hold(tmap_pattern_builder_init(&b, grid.size, &err) == 0);
		hold(tmap_pattern_add_pattern(&b, &pattern, &err) == 0);
		hold(tmap_pattern_finish(&stored, &b, &err) == 0);
		hold(tmap_graph_init(&graph, &pattern, count, &err) == 0);
		hold(tmap_graph_init(&other, &stored, count, &err) == 0);
		ck_assert(graph.like && !other.like);
		ck_assert_int_eq(graph.edges, other.edges);
		for (int v = 0; v < count; v++) {
			int64_t i = tmap_graph_begin(&graph, v), k = tmap_graph_begin(&other, v);

			ck_assert_int_eq(tmap_graph_degree(&graph, v),
					 tmap_graph_degree(&other, v));
			for (; i < tmap_graph_end(&graph, v); i++, k++) {
				ck_assert_int_eq(tmap_graph_peer(&graph, v, i),
						 tmap_graph_peer(&other, v, k));
				ck_assert(graph.weight[i] == other.weight[k]);
			}
		}
		tmap_graph_fini(&graph);
		tmap_graph_fini(&other);
		tmap_pattern_fini(&stored);
		tmap_pattern_builder_fini(&b);
	}
}
END_TEST

START_TEST(groups_are_equally_large)
{
	struct dice dice = { 5 };

	for (int round = 0; round < 60; round++) {
		int size = 1 + dice_roll(&dice, 6), groups = 1 + dice_roll(&dice, 9);
		int of[60], members[9] = { 0 };
		struct tmap_graph graph;

		random_graph(&graph, size * groups, size * groups, &dice);
		hold(tmap_group_vertices(of, &graph, size, &err) == 0);
		for (int v = 0; v < size * groups; v++)
			members[of[v]]++;
		for (int g = 0; g < groups; g++)
			hold(members[g] == size);
		tmap_graph_fini(&graph);
	}
}
END_TEST

/* 8 x 4 ranks on 4 nodes of 2 packages of 4 cores. */
START_TEST(a_grid_is_cut_into_the_boxes_of_the_header)
{
	static const int package[4][8] = {
		{ 0, 0, 1, 1, 4, 4, 5, 5 },
		{ 0, 0, 1, 1, 4, 4, 5, 5 },
		{ 2, 2, 3, 3, 6, 6, 7, 7 },
		{ 2, 2, 3, 3, 6, 6, 7, 7 },
	};
	static const double price[] = { 100, 10, 1 };
	struct tmap_neighborhood grid;
	struct tmap_placement p;
	struct tmap_nest nest;
	int at[32], position[32];
	int64_t steps = 0;

	placement_block_take(&p,
			     machine_regular(4,
					     (const struct test_level[]){ { TMAP_PACKAGE, 2 },
									  { TMAP_CORE, 4 },
									  { TMAP_NODE, 0 } }));
	ck_assert_int_eq(tmap_nest_init_scale(&nest, &p, TMAP_SCALE_LEVEL, &err), 0);
	ck_assert_int_eq(nest.depth, 3);
	ck_assert_int_eq(tmap_neighborhood_init(&grid, 32, "vonneumann", "4x8", NULL, NULL, &err),
			 0);
	ck_assert_int_eq(tmap_grid_boxes(at, &grid, &nest, price, &steps, &err), 0);
	for (int x = 0; x < 32; x++)
		position[at[x]] = x;
	for (int a = 0; a < 32; a++)
		for (int b = 0; b < 32; b++) {
			int of_a = package[a / 8][a % 8], of_b = package[b / 8][b % 8];

			/* the same sets, however they are numbered */
			ck_assert_int_eq(position[a] / 4 == position[b] / 4, of_a == of_b);
		}
	tmap_neighborhood_fini(&grid);
	tmap_nest_fini(&nest);
	tmap_placement_fini(&p);
}
END_TEST

/* Halves of a row of 10 ranks on nodes of 4: any number of ranks will do. */
START_TEST(a_row_is_halved_where_the_nodes_are)
{
	struct tmap_neighborhood grid;
	struct tmap_placement p;
	struct tmap_nest nest;
	int64_t steps = 0;
	int at[12];

	placement_block_take(
		&p,
		machine_regular(3,
				(const struct test_level[]){ { TMAP_CORE, 4 }, { TMAP_NODE, 0 } }));
	ck_assert_int_eq(tmap_nest_init_scale(&nest, &p, TMAP_SCALE_LEVEL, &err), 0);
	ck_assert_int_eq(tmap_neighborhood_init(&grid, 10, "vonneumann", "10", NULL, NULL, &err),
			 0);
	ck_assert_int_eq(tmap_grid_boxes(at, &grid, &nest, (const double[]){ 2, 1 }, &steps, &err),
			 1);
	ck_assert_int_eq(tmap_grid_halves(at, &grid, &nest, &steps, &err), 0);
	for (int x = 0; x < 12; x++)
		ck_assert_int_eq(at[x], x);
	tmap_neighborhood_fini(&grid);
	tmap_nest_fini(&nest);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("mapping_parts");
	TCase *tests = tcase_create("mapping_parts");

	tcase_add_test(tests, a_heap_gives_the_largest_key_first_whatever_changes);
	tcase_add_test(tests, few_vertices_are_divided_by_the_least_cut);
	tcase_add_test(tests, both_sides_are_exactly_as_large_as_wanted);
	tcase_add_test(tests, a_coarser_graph_has_the_edges_between_its_vertices);
	tcase_add_test(tests, a_grid_has_the_graph_of_its_matrix);
	tcase_add_test(tests, groups_are_equally_large);
	tcase_add_test(tests, a_grid_is_cut_into_the_boxes_of_the_header);
	tcase_add_test(tests, a_row_is_halved_where_the_nodes_are);
	suite_add_tcase(suite, tests);
	return suite;
}
