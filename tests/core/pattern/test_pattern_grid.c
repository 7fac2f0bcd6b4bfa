/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: loops over all pairs of ranks and the differences of their coordinates.
 */
#include "core/pattern/grid.h"
#include "tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static double sent(const struct tmap_pattern *pattern, int from, int to)
{
	for (int64_t i = pattern->start[from]; i < pattern->start[from + 1]; i++)
		if (pattern->peer[i] == to)
			return pattern->sent[i] + pattern->everyone;
	return pattern->everyone;
}

struct grid {
	const char *stencil, *periods;
	int dim[3];
	double (*weight)(const int *offset); /* of one pair of ranks so far apart */
};

static double of_vonneumann(const int *o)
{
	return abs(o[0]) + abs(o[1]) + abs(o[2]) <= 2 ? 1 : 0;
}

static double of_moore(const int *o)
{
	return abs(o[0]) <= 1 && abs(o[1]) <= 1 && abs(o[2]) <= 1 ? 1 : 0;
}

static double of_offsets(const int *o)
{
	return o[0] == 2 && !o[1] && !o[2] ? 0.25 : !o[0] && o[1] == -1 && o[2] == 1 ? 8 : 0;
}

static const struct grid grids[] = {
	{ "vonneumann:2", "0,0,0", { 2, 3, 5 }, of_vonneumann },
	{ "vonneumann:2", "1,0,1", { 5, 3, 2 }, of_vonneumann },
	{ "moore:1", "0,1,0", { 3, 4, 2 }, of_moore },
	{ "moore:1", "1,1,1", { 2, 2, 3 }, of_moore },
	{ "offsets:2,0,0@0.25;0,-1,1@8", "1,0,0", { 5, 3, 2 }, of_offsets },
};

/* All the ways from one coordinate to another: once, or round and round where it is periodic. */
static double total(const struct grid *grid, const int *a, const int *b, int dimension, int *offset)
{
	double sum = 0;

	if (dimension == 3)
		return offset[0] || offset[1] || offset[2] ? grid->weight(offset) : 0;
	for (int turn = -3; turn <= 3; turn++) {
		if (turn && grid->periods[2 * dimension] == '0')
			continue;
		offset[dimension] = b[dimension] - a[dimension] + turn * grid->dim[dimension];
		sum += total(grid, a, b, dimension + 1, offset);
	}
	return sum;
}

START_TEST(the_pattern_of_a_grid_is_that_of_loops_over_all_pairs)
{
	const struct grid *grid = &grids[_i];
	int size = grid->dim[0] * grid->dim[1] * grid->dim[2], offset[3];
	struct tmap_neighborhood it;
	struct tmap_pattern_builder b;
	struct tmap_pattern pattern;
	char cart[32];

	snprintf(cart, sizeof cart, "%dx%dx%d", grid->dim[0], grid->dim[1], grid->dim[2]);
	ck_assert_msg(tmap_neighborhood_init(&it, size, grid->stencil, cart, grid->periods, NULL,
					     &err) == 0,
		      "%s", err.text);
	ck_assert_int_eq(tmap_pattern_builder_init(&b, size, &err), 0);
	ck_assert_int_eq(tmap_pattern_add_grid(&b, &it, 100, &err), 0);
	ck_assert_int_eq(tmap_pattern_finish(&pattern, &b, &err), 0);
	for (int from = 0; from < size; from++)
		for (int to = 0; to < size; to++) {
			const int *d = grid->dim;
			int x[] = { from / d[2] / d[1], from / d[2] % d[1], from % d[2] };
			int y[] = { to / d[2] / d[1], to / d[2] % d[1], to % d[2] };

			ck_assert(from == to ||
				  fabs(sent(&pattern, from, to) -
				       100 * total(grid, x, y, 0, offset)) < 1e-9);
		}
	tmap_pattern_fini(&pattern);
	tmap_neighborhood_fini(&it);
}
END_TEST

START_TEST(full_is_everyone_to_everyone)
{
	struct tmap_neighborhood it;
	struct tmap_pattern_builder b;

	ck_assert_int_eq(tmap_neighborhood_init(&it, 1000000, "full", NULL, NULL, NULL, &err), 0);
	ck_assert_int_eq(tmap_pattern_builder_init(&b, 1000000, &err), 0);
	ck_assert_int_eq(tmap_pattern_add_grid(&b, &it, 100, &err), 0);
	ck_assert(b.everyone == 100 && b.count == 0);
	tmap_pattern_builder_fini(&b);
	tmap_neighborhood_fini(&it);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("pattern_grid");
	TCase *tests = tcase_create("pattern_grid");

	tcase_add_loop_test(tests, the_pattern_of_a_grid_is_that_of_loops_over_all_pairs, 0,
			    sizeof grids / sizeof grids[0]);
	tcase_add_test(tests, full_is_everyone_to_everyone);
	suite_add_tcase(suite, tests);
	return suite;
}
