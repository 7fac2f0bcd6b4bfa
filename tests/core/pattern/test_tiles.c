/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: a full matrix, of which each cell is added to the tile in which its ranks are. */
#include "core/pattern/tiles.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>

enum { RANKS_MOST = 40 };

static struct tmap_error err;

static void pattern_draw(struct tmap_pattern *pattern, double sent[RANKS_MOST][RANKS_MOST],
			 int size, struct dice *dice)
{
	struct tmap_pattern_builder b;

	ck_assert_int_eq(tmap_pattern_builder_init(&b, size, &err), 0);
	b.everyone = dice_roll(dice, 3);
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++)
			sent[i][j] = i == j ? 0 : b.everyone;
	for (int i = dice_roll(dice, 4 * size); i > 0; i--) {
		int from = dice_roll(dice, size), to = dice_roll(dice, size);
		int bytes = dice_roll(dice, 1000);

		ck_assert_int_eq(tmap_pattern_add(&b, from, to, bytes, &err), 0);
		sent[from][to] += from == to ? 0 : bytes;
	}
	ck_assert_int_eq(tmap_pattern_finish(pattern, &b, &err), 0);
	tmap_pattern_builder_fini(&b);
}

START_TEST(a_tile_is_the_sum_of_its_cells)
{
	struct dice dice = { .state = (uint64_t)_i + 1 };
	int size = 1 + dice_roll(&dice, RANKS_MOST), most = 1 + dice_roll(&dice, RANKS_MOST);
	double sent[RANKS_MOST][RANKS_MOST], sum[RANKS_MOST][RANKS_MOST] = { { 0 } };
	int order[RANKS_MOST];
	struct tmap_pattern pattern;
	struct tmap_tiles tiles;

	pattern_draw(&pattern, sent, size, &dice);
	for (int i = 0; i < size; i++)
		order[i] = i;
	dice_shuffle(&dice, order, size);
	ck_assert_int_eq(tmap_tiles_init(&tiles, &pattern, order, most, &err), 0);
	ck_assert_int_le(tiles.count, most);
	ck_assert(tiles.ranks == 1 || (tiles.ranks - 1) * most < size);
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++)
			sum[i / tiles.ranks][j / tiles.ranks] += sent[order[i]][order[j]];
	for (int i = 0; i < tiles.count; i++)
		for (int j = 0; j < tiles.count; j++)
			ck_assert_double_eq(tiles.bytes[i * tiles.count + j], sum[i][j]);
	tmap_tiles_fini(&tiles);
	tmap_pattern_fini(&pattern);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("tiles");
	TCase *tests = tcase_create("tiles");

	tcase_add_loop_test(tests, a_tile_is_the_sum_of_its_cells, 0, test_cases(200));
	suite_add_tcase(suite, tests);
	return suite;
}
