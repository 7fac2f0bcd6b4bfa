/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the grid that the graph was made of before its vertices were numbered anew. Each of its
 * edges joins neighbours in the grid that is found, and there are as many ranks and edges.
 */
#include "core/mappers/lattice.h"
#include "core/pattern/calls.h"
#include "tests/support/graphs.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* The dimensions in which two vertices differ by one step; 9 for more than a step. */
static int steps_between(const struct tmap_neighborhood *grid, int a, int b)
{
	int steps = 0;

	for (int d = grid->dimensions - 1; d >= 0; d--) {
		int side = grid->dim[d], off = abs(a % side - b % side);

		if (grid->periodic[d] && side - off < off)
			off = side - off;
		steps += off > 1 ? 9 : off;
		a /= side;
		b /= side;
	}
	return steps;
}

static int find(struct tmap_lattice *lattice, struct tmap_graph *graph, const char *name)
{
	struct tmap_pattern pattern;
	int64_t steps = 0;
	int status;

	ck_assert_int_eq(graph_generate(&pattern, name, &err), 0);
	ck_assert_int_eq(tmap_graph_init(graph, &pattern, pattern.size, &err), 0);
	status = tmap_lattice_find(lattice, graph, pattern.size, &steps, &err);
	ck_assert(steps > 0);
	tmap_pattern_fini(&pattern);
	return status;
}

START_TEST(a_grid_is_found_whatever_its_ranks_are_called)
{
	static const struct {
		const char *name;
		double grid_weight; /* of its edges; lighter ones are others */
		int sides;          /* their sum */
	} cases[] = {
		{ "4x4", 2048, 8 },
		{ "shuffled:1:7x3", 2048, 10 },
		{ "shuffled:2:5x6x7", 2048, 18 },
		{ "shuffled:3:2x3x4x5", 2048, 14 },
		{ "shuffled:4:torus:5x7", 2048, 12 },
		{ "shuffled:5:torus:3x6x8", 2048, 17 },
		{ "shuffled:6:moore:9x6", 2048, 15 },
		{ "shuffled:7:multigrid:16x16", 2048, 32 },
		{ "shuffled:8:amg:6x7x8", 131072, 21 },
		{ "shuffled:9:allreduce:8x8x4", 2048, 20 },
	};

	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct tmap_lattice lattice;
		struct tmap_graph graph;
		int sides = 0;

		ck_assert_int_eq(find(&lattice, &graph, cases[k].name), 0);
		ck_assert_int_eq(lattice.grid.size, graph.count);
		for (int d = 0; d < lattice.grid.dimensions; d++)
			sides += lattice.grid.dim[d];
		ck_assert_int_eq(sides, cases[k].sides);
		for (int v = 0; v < graph.count; v++)
			for (int64_t i = tmap_graph_begin(&graph, v); i < tmap_graph_end(&graph, v);
			     i++)
				if (graph.weight[i] >= cases[k].grid_weight)
					hold(steps_between(&lattice.grid, lattice.number[v],
							   lattice.number[tmap_graph_peer(
								   &graph, v, i)]) == 1);
		tmap_lattice_fini(&lattice);
		tmap_graph_fini(&graph);
	}
}
END_TEST

/* More offsets than are kept: those of the grid are among them, whichever rank comes first. */
START_TEST(of_many_offsets_the_heaviest_are_kept)
{
	enum { SIDE = 16, SIZE = SIDE * SIDE };

	for (unsigned seed = 1; seed <= 4; seed++) {
		struct dice dice = { seed };
		struct tmap_lattice lattice = { .number = NULL };
		struct tmap_pattern_builder b;
		struct tmap_pattern pattern;
		struct tmap_graph graph;
		int name[SIZE], found = 0;
		int64_t steps = 0;

		for (int i = 0; i < SIZE; i++)
			name[i] = i;
		dice_shuffle(&dice, name, SIZE);
		ck_assert_int_eq(tmap_pattern_builder_init(&b, SIZE, &err), 0);
		for (int x = 0; x < SIZE; x++)
			for (int y = 0; y < SIZE; y++) {
				bool beside = abs(x / SIDE - y / SIDE) + abs(x % SIDE - y % SIDE) ==
					1;

				if (x != y)
					ck_assert_int_eq(tmap_pattern_add(&b, name[x], name[y],
									  beside ? 1000 : 1, &err),
							 0);
			}
		ck_assert_int_eq(tmap_pattern_finish(&pattern, &b, &err), 0);
		ck_assert_int_eq(tmap_graph_init(&graph, &pattern, SIZE, &err), 0);
		ck_assert_int_eq(tmap_lattice_find(&lattice, &graph, SIZE, &steps, &err), 0);
		for (int k = 0; k < lattice.grid.degree; k++) {
			const int *offset = &lattice.grid.offset[2 * k];

			if (abs(offset[0]) + abs(offset[1]) != 1)
				continue;
			/* 2 x 1000 bytes each edge, and 15 of 16 vertices have one */
			ck_assert_double_eq_tol(lattice.grid.weight[k], 2000.0 * 15 / 16, 1e-6);
			found++;
		}
		ck_assert_int_eq(found, 2);
		tmap_lattice_fini(&lattice);
		tmap_graph_fini(&graph);
		tmap_pattern_fini(&pattern);
	}
}
END_TEST

START_TEST(what_is_no_grid_is_none)
{
	static const char *const names[] = { "9",        "rgg:200",        "rmat:64",
					     "1x12",     "transpose:5x5",  "shuffled:1:rgg:400",
					     "torus:31", "shuffled:1:30x1" };

	for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
		struct tmap_lattice lattice = { .number = NULL };
		struct tmap_graph graph;

		ck_assert_int_eq(find(&lattice, &graph, names[k]), 1);
		hold(!lattice.number);
		tmap_graph_fini(&graph);
	}
}
END_TEST

START_TEST(one_edge_too_many_makes_it_no_grid)
{
	struct tmap_pattern_builder b;
	struct tmap_pattern pattern, wrong;
	struct tmap_lattice lattice;
	struct tmap_graph graph;
	int64_t steps = 0;

	ck_assert_int_eq(graph_generate(&pattern, "6x6", &err), 0);
	ck_assert_int_eq(tmap_pattern_builder_init(&b, 36, &err), 0);
	ck_assert_int_eq(tmap_pattern_add_pattern(&b, &pattern, &err), 0);
	ck_assert_int_eq(tmap_pattern_add(&b, 0, 35, 2048, &err), 0);
	ck_assert_int_eq(tmap_pattern_finish(&wrong, &b, &err), 0);
	ck_assert_int_eq(tmap_graph_init(&graph, &wrong, 36, &err), 0);
	ck_assert_int_eq(tmap_lattice_find(&lattice, &graph, 36, &steps, &err), 1);
	tmap_graph_fini(&graph);
	tmap_pattern_fini(&wrong);
	tmap_pattern_fini(&pattern);
	tmap_pattern_builder_fini(&b);
}
END_TEST

/* A walk along a dimension comes through one piece alone: the others' ranks have no coordinates. */
START_TEST(pieces_of_grids_are_no_grid)
{
	static const struct {
		int width, height, pieces, size;
	} cases[] = { { 4, 4, 2, 32 }, { 3, 5, 2, 30 }, { 2, 2, 2, 8 }, { 2, 1, 2, 4 } };

	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		int width = cases[k].width, piece = width * cases[k].height, size = cases[k].size;
		struct tmap_pattern_builder b;
		struct tmap_pattern pattern;
		struct tmap_lattice lattice = { .number = NULL };
		struct tmap_graph graph;
		int64_t steps = 0;

		ck_assert_int_eq(tmap_pattern_builder_init(&b, size, &err), 0);
		for (int v = 0; v < cases[k].pieces * piece; v++) {
			if (v % width + 1 < width)
				ck_assert_int_eq(tmap_pattern_add(&b, v, v + 1, 64, &err), 0);
			if (v % piece + width < piece)
				ck_assert_int_eq(tmap_pattern_add(&b, v, v + width, 64, &err), 0);
		}
		ck_assert_int_eq(tmap_pattern_finish(&pattern, &b, &err), 0);
		ck_assert_int_eq(tmap_graph_init(&graph, &pattern, size, &err), 0);
		ck_assert_int_eq(tmap_lattice_find(&lattice, &graph, size, &steps, &err), 1);
		hold(!lattice.number);
		tmap_graph_fini(&graph);
		tmap_pattern_fini(&pattern);
		tmap_pattern_builder_fini(&b);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("lattice");
	TCase *tests = tcase_create("lattice");

	tcase_add_test(tests, a_grid_is_found_whatever_its_ranks_are_called);
	tcase_add_test(tests, of_many_offsets_the_heaviest_are_kept);
	tcase_add_test(tests, what_is_no_grid_is_none);
	tcase_add_test(tests, one_edge_too_many_makes_it_no_grid);
	tcase_add_test(tests, pieces_of_grids_are_no_grid);
	suite_add_tcase(suite, tests);
	return suite;
}
