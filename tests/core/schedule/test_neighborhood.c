/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: lists written out from the definitions (Manhattan distance at most R; coordinates at
 * most R apart), and grids that MPICH 4.0 gives, or by hand where it leaves the rule.
 */
#include "core/schedule/neighborhood.h"
#include "tests/unit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static struct tmap_neighborhood make(int size, const char *stencil, const char *cart,
				     const char *periods, const char *order)
{
	struct tmap_neighborhood neighborhood;

	ck_assert_msg(tmap_neighborhood_init(&neighborhood, size, stencil, cart, periods, order,
					     &err) == 0,
		      "%s", err.text);
	return neighborhood;
}

static void lists(int size, const char *stencil, const char *cart, const char *periods,
		  const char *order, int rank, const int *want, int count)
{
	struct tmap_neighborhood neighborhood = make(size, stencil, cart, periods, order);
	int list[64];

	ck_assert_int_eq(neighborhood.degree, count);
	tmap_neighborhood_list(&neighborhood, rank, list);
	for (int k = 0; k < count; k++)
		ck_assert_msg(list[k] == want[k], "%s: neighbor %d is %d, not %d", stencil, k,
			      list[k], want[k]);
	tmap_neighborhood_fini(&neighborhood);
}

#define LISTS(size, stencil, cart, periods, order, rank, ...) \
	lists(size, stencil, cart, periods, order, rank, (const int[]){ __VA_ARGS__ }, \
	      (int)(sizeof(const int[]){ __VA_ARGS__ } / sizeof(int)))

/* Ranks of a 3 x 4 grid:   0 1 2 3 / 4 5 6 7 / 8 9 10 11 */
START_TEST(neighbours_are_those_of_the_definitions)
{
	LISTS(12, "cart", "3x4", NULL, NULL, 5, 1, 9, 4, 6);
	LISTS(12, "cart", "3x4", NULL, NULL, 0, TMAP_NONE, 4, TMAP_NONE, 1);
	LISTS(12, "cart", "3x4", "1,1", NULL, 0, 8, 4, 3, 1);
	LISTS(12, "cart", "3x4", "0,1", NULL, 0, TMAP_NONE, 4, 3, 1);
	LISTS(12, "vonneumann", "3x4", NULL, "fmaj", 5, 1, 4, 6, 9);
	LISTS(12, "vonneumann:1", "3x4", NULL, "lmaj", 5, 4, 1, 9, 6);
	LISTS(12, "moore:1", "3x4", NULL, NULL, 5, 0, 1, 2, 4, 6, 8, 9, 10);
	LISTS(12, "moore:1", "3x4", NULL, "lmaj", 5, 0, 4, 8, 1, 9, 2, 6, 10);
	LISTS(12, "moore:1", "3x4", "1,0", NULL, 3, 10, 11, TMAP_NONE, 2, TMAP_NONE, 6, 7,
	      TMAP_NONE);
	LISTS(25, "vonneumann:2", "5x5", NULL, NULL, 12, 2, 6, 7, 8, 10, 11, 13, 14, 16, 17, 18,
	      22);
	LISTS(5, "full", NULL, NULL, NULL, 2, 1, 0, 4, 3);
	LISTS(2, "cart", "2", "1", NULL, 0, 1, 1);
	LISTS(12, "offsets:0,1;-1,0;2,-2@3", "3x4", NULL, NULL, 2, 3, TMAP_NONE, 8);
	LISTS(12, "offsets:0,1;-1,0", "3x4", "1,1", NULL, 3, 0, 11);
	LISTS(1, "cart", "1", "1", NULL, 0, 0, 0);
}
END_TEST

START_TEST(random_orders_are_permutations_that_differ_by_rank_and_seed)
{
	struct tmap_neighborhood plain = make(512, "moore:1", "8x8x8", "1,1,1", NULL);
	struct tmap_neighborhood random = make(512, "moore:1", "8x8x8", "1,1,1", "rand:7");
	struct tmap_neighborhood other = make(512, "moore:1", "8x8x8", "1,1,1", "rand:8");
	int a[26], b[26], c[26];
	int moved = 0, differ = 0;

	for (int r = 0; r < 512; r++) {
		int64_t sum_a = 0, sum_b = 0;

		tmap_neighborhood_list(&plain, r, a);
		tmap_neighborhood_list(&random, r, b);
		tmap_neighborhood_list(&other, r, c);
		for (int k = 0; k < 26; k++) {
			sum_a += (int64_t)a[k] * a[k] * a[k];
			sum_b += (int64_t)b[k] * b[k] * b[k];
		}
		hold(sum_a == sum_b);
		moved += memcmp(a, b, sizeof a) != 0;
		differ += memcmp(b, c, sizeof b) != 0;
	}
	ck_assert_int_eq(moved, 512);
	ck_assert_int_eq(differ, 512);
	tmap_neighborhood_fini(&plain);
	tmap_neighborhood_fini(&random);
	tmap_neighborhood_fini(&other);
}
END_TEST

static void chooses(int size, int dimensions, const int *want)
{
	int dim[TMAP_DIMENSIONS_MAX] = { 0 };

	ck_assert_int_eq(tmap_dimensions_choose(dim, dimensions, size, &err), 0);
	for (int i = 0; i < dimensions; i++)
		ck_assert_msg(dim[i] == want[i], "%d in %d: dimension %d is %d", size, dimensions,
			      i, dim[i]);
}

#define CHOOSES(size, ...) \
	chooses(size, (int)(sizeof(const int[]){ __VA_ARGS__ } / sizeof(int)), \
		(const int[]){ __VA_ARGS__ })

START_TEST(grids_are_balanced_and_do_not_increase)
{
	CHOOSES(1, 1, 1, 1);
	CHOOSES(7, 7, 1);
	CHOOSES(12, 4, 3);
	CHOOSES(60, 5, 4, 3);
	CHOOSES(72, 9, 8);
	CHOOSES(180, 15, 12);
	CHOOSES(360, 9, 8, 5);
	CHOOSES(512, 8, 8, 8);
	CHOOSES(1024, 8, 8, 4, 4);
	CHOOSES(11039616, 3552, 3108);
}
END_TEST

START_TEST(given_dimensions_stay)
{
	int some[] = { 0, 4, 0 }, wrong[] = { 5, 0 }, all[] = { 3, 4 }, nines[] = { 9, 9 },
	    large[] = { INT_MAX, INT_MAX, INT_MAX };

	ck_assert_int_eq(tmap_dimensions_choose(some, 3, 48, &err), 0);
	ck_assert_int_eq(some[0], 4);
	ck_assert_int_eq(some[1], 4);
	ck_assert_int_eq(some[2], 3);
	ck_assert_int_eq(tmap_dimensions_choose(wrong, 2, 12, &err), -1);
	ck_assert_str_eq(
		err.text,
		"the product of the dimensions that are no 0 is 5, which does not divide 12 ranks");
	ck_assert_int_eq(tmap_dimensions_choose(nines, 2, 72, &err), -1);
	ck_assert_str_eq(
		err.text,
		"the grid has 81 places for 72 ranks: the product of its dimensions must be 72");
	ck_assert_int_eq(tmap_dimensions_choose(large, 3, 72, &err), -1);
	ck_assert_str_eq(
		err.text,
		"the grid has 2147483647 places or more for 72 ranks: the product of its dimensions must be 72");
	ck_assert_int_eq(tmap_dimensions_choose(all, 2, 24, &err), -1);
	ck_assert_str_eq(
		err.text,
		"the grid has 12 places for 24 ranks: the product of its dimensions must be 24");
}
END_TEST

static void refuses(const char *stencil, const char *cart, const char *periods, const char *order,
		    const char *message)
{
	struct tmap_neighborhood neighborhood;

	ck_assert_int_eq(
		tmap_neighborhood_init(&neighborhood, 12, stencil, cart, periods, order, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_USAGE);
	ck_assert_str_eq(err.text, message);
}

START_TEST(malformed_words_are_refused)
{
	refuses("hexagon", "3x4", NULL, NULL,
		"unknown neighborhood 'hexagon' (one of: cart, "
		"vonneumann:R, moore:R, full, offsets:LIST)");
	refuses("cart:2", "3x4", NULL, NULL, "cart has no radius");
	refuses("moore:0", "3x4", NULL, NULL, "'moore:0': a radius is 1 to 1000");
	refuses("moore", NULL, NULL, NULL, "moore needs a grid, such as 8x8 (0x0: chosen)");
	refuses("full", "3x4", NULL, NULL, "full has no grid");
	refuses("moore", "3x", NULL, NULL, "grid: '3x' does not go on with 'x' and a number");
	refuses("moore", "3,4", NULL, NULL, "grid: '3,4' does not go on with 'x' and a number");
	refuses("moore", "x4", NULL, NULL, "grid: a number is missing at 'x4'");
	refuses("moore", "", NULL, NULL, "a grid has at least one dimension");
	refuses("moore", "3x4", "1", NULL,
		"periods has not one number for each of the 2 dimensions");
	refuses("moore", "3x4", "1,0,1", NULL,
		"periods has not one number for each of the 2 dimensions");
	refuses("moore", "3x4", "2,0", NULL, "periods: 2 is more than 1");
	refuses("moore", "3x4", NULL, "linear",
		"unknown order 'linear' of neighbors (one of: fmaj, lmaj, rand:SEED)");
	refuses("cart", "3x4", NULL, "fmaj", "the order of cart's neighbors is MPI's own");
	refuses("full", NULL, NULL, "fmaj",
		"unknown order 'fmaj' of neighbors (one of: linear, rand:SEED)");
	refuses("offsets:1,0,0", "3x4", NULL, NULL,
		"',0' does not go on with ';' and an offset of 2 coordinates");
	refuses("offsets:1", "3x4", NULL, NULL,
		"an offset has 2 coordinates, one a dimension; '1' has fewer");
	refuses("offsets:", "3x4", NULL, NULL,
		"'' does not begin with a coordinate of an offset, of which there are 2");
	refuses("offsets:0,0", "3x4", NULL, NULL, "offset 0 is a rank itself, not a neighbor");
	refuses("offsets:0,1;0,1@2", "3x4", NULL, NULL, "offsets 0 and 1 are the same");
	refuses("offsets:0,1@-2", "3x4", NULL, NULL,
		"'-2' is no weight of an offset, a number above 0");
	refuses("offsets:0,1", "3x4", NULL, "fmaj", "offsets are in the order given");
	refuses("moore:500", "1x1x1x12", NULL, NULL, "radius 500 is too much in 4 dimensions");
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("neighborhood");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, neighbours_are_those_of_the_definitions);
	tcase_add_test(tc, random_orders_are_permutations_that_differ_by_rank_and_seed);
	tcase_add_test(tc, grids_are_balanced_and_do_not_increase);
	tcase_add_test(tc, given_dimensions_stay);
	tcase_add_test(tc, malformed_words_are_refused);
	suite_add_tcase(suite, tc);
	return suite;
}
