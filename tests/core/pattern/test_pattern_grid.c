/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: loops over all pairs of ranks and the differences of their coordinates.
 */
#include "core/pattern/grid.h"
#include "core/pattern/rows.h"
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
	/* with ranks far from every border */
	{ "vonneumann:2", "0,0,0", { 5, 6, 7 }, of_vonneumann },
	{ "moore:1", "0,1,0", { 4, 3, 5 }, of_moore },
	{ "offsets:2,0,0@0.25;0,-1,1@8", "0,0,1", { 6, 4, 5 }, of_offsets },
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

/* Bytes of one rank to another, as they are computed: row by row. */
static void rows_check(struct tmap_pattern_rows *rows, const struct grid *grid, int size)
{
	int64_t entries = 0;

	for (int r = 0; tmap_pattern_rows_next(rows); r++) {
		const int *d = grid->dim;
		int x[] = { r / d[2] / d[1], r / d[2] % d[1], r % d[2] }, offset[3], next = 0;

		entries += rows->count;
		for (int to = 0; to < size; to++) {
			int y[] = { to / d[2] / d[1], to / d[2] % d[1], to % d[2] };
			double there = r == to ? 0 : 100 * total(grid, x, y, 0, offset);
			double back = r == to ? 0 : 100 * total(grid, y, x, 0, offset);
			bool is_listed = next < rows->count && rows->peer[next] == to;

			ck_assert_int_eq(is_listed, there > 0 || back > 0);
			ck_assert(!is_listed ||
				  (fabs(rows->sent[next] - there) < 1e-9 &&
				   fabs(rows->received[next] - back) < 1e-9));
			next += is_listed;
		}
		ck_assert_int_eq(next, rows->count);
	}
	ck_assert_int_eq(rows->rank, size);
	ck_assert_int_eq(entries, rows->pattern->entries);
}

START_TEST(rows_that_are_computed_are_those_of_loops_over_all_pairs)
{
	const struct grid *grid = &grids[_i];
	int size = grid->dim[0] * grid->dim[1] * grid->dim[2];
	struct tmap_neighborhood it;
	struct tmap_pattern_builder b;
	struct tmap_pattern computed, stored;
	struct tmap_pattern_rows rows;
	char cart[32];

	snprintf(cart, sizeof cart, "%dx%dx%d", grid->dim[0], grid->dim[1], grid->dim[2]);
	ck_assert_int_eq(
		tmap_neighborhood_init(&it, size, grid->stencil, cart, grid->periods, NULL, &err),
		0);
	ck_assert_int_eq(tmap_pattern_of_grid(&computed, &it, 100, &err), 0);
	ck_assert_int_eq(tmap_pattern_rows_init(&rows, &computed, NULL, true, &err), 0);
	rows_check(&rows, grid, size);
	tmap_pattern_rows_fini(&rows);
	tmap_pattern_fini(&computed);
	/* and of stored ones, where what is received is looked up */
	ck_assert_int_eq(tmap_pattern_builder_init(&b, size, &err), 0);
	ck_assert_int_eq(tmap_pattern_add_grid(&b, &it, 100, &err), 0);
	ck_assert_int_eq(tmap_pattern_finish(&stored, &b, &err), 0);
	ck_assert_int_eq(tmap_pattern_rows_init(&rows, &stored, NULL, true, &err), 0);
	rows_check(&rows, grid, size);
	tmap_pattern_rows_fini(&rows);
	tmap_pattern_fini(&stored);
	tmap_neighborhood_fini(&it);
}
END_TEST

/* Oracle: the list of neighbours, each once. */
static void order_check(struct tmap_pattern_rows *rows, const struct tmap_neighborhood *grid)
{
	int list[27], placed;

	for (int r = 0; tmap_pattern_rows_next(rows); r++) {
		ck_assert_int_le(grid->degree, 27);
		tmap_neighborhood_list(grid, r, list);
		placed = 0;
		for (int k = 0; k < grid->degree; k++) {
			bool is_new = list[k] != TMAP_NONE && list[k] != r;

			for (int i = 0; i < k; i++)
				is_new = is_new && list[i] != list[k];
			if (is_new)
				ck_assert_int_eq(rows->peer[rows->turn[placed++]], list[k]);
		}
		for (int i = placed; i < rows->count; i++)
			ck_assert(rows->sent[rows->turn[i]] == 0);
	}
}

START_TEST(neighbours_are_sent_to_in_the_order_of_the_grid)
{
	const struct grid *grid = &grids[_i];
	int size = grid->dim[0] * grid->dim[1] * grid->dim[2];
	struct tmap_neighborhood it;
	struct tmap_pattern_builder b;
	struct tmap_pattern pattern;
	struct tmap_pattern_rows rows;
	char cart[32];

	snprintf(cart, sizeof cart, "%dx%dx%d", grid->dim[0], grid->dim[1], grid->dim[2]);
	for (int is_stored = 0; is_stored < 2; is_stored++) {
		ck_assert_int_eq(
			tmap_neighborhood_init(&it, size, grid->stencil, cart, grid->periods,
					       grid->stencil[0] == 'o' ? NULL : "lmaj", &err),
			0);
		ck_assert_int_eq(tmap_pattern_builder_init(&b, size, &err), 0);
		if (is_stored) {
			ck_assert_int_eq(tmap_pattern_add_grid(&b, &it, 100, &err), 0);
			ck_assert_int_eq(tmap_pattern_finish(&pattern, &b, &err), 0);
		} else {
			ck_assert_int_eq(tmap_pattern_of_grid(&pattern, &it, 100, &err), 0);
		}
		ck_assert_int_eq(tmap_pattern_rows_init(&rows, &pattern, &it, false, &err), 0);
		order_check(&rows, &it);
		tmap_pattern_rows_fini(&rows);
		tmap_pattern_fini(&pattern);
		tmap_neighborhood_fini(&it);
	}
}
END_TEST

START_TEST(what_is_not_computed_goes_to_a_builder)
{
	static const struct {
		const char *stencil;
		double bytes;
	} rows[] = { { "full", 1 },
		     { "moore:2", 1 },
		     { "cart", 1e308 },
		     { "cart", INFINITY },
		     { "cart", -1 } };
	struct tmap_neighborhood it;
	struct tmap_pattern pattern;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		ck_assert_int_eq(tmap_neighborhood_init(&it, 60, rows[i].stencil,
							i ? "3x4x5" : NULL, NULL, NULL, &err),
				 0);
		ck_assert_int_eq(tmap_pattern_of_grid(&pattern, &it, rows[i].bytes, &err), 1);
		tmap_neighborhood_fini(&it);
	}
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
	tcase_add_loop_test(tests, rows_that_are_computed_are_those_of_loops_over_all_pairs, 0,
			    sizeof grids / sizeof grids[0]);
	tcase_add_loop_test(tests, neighbours_are_sent_to_in_the_order_of_the_grid, 0,
			    sizeof grids / sizeof grids[0]);
	tcase_add_test(tests, what_is_not_computed_goes_to_a_builder);
	tcase_add_test(tests, full_is_everyone_to_everyone);
	suite_add_tcase(suite, tests);
	return suite;
}
