/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the outermost layer that has two positions in different sets, found set by set.
 */
#include "core/mappers/prices.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

static struct tmap_error err;

/* The price of the outermost layer that divides two positions, by where its sets begin. */
static double literal_price(const struct tmap_search *search, int a, int b)
{
	const struct tmap_nest *nest = &search->objective->nest;

	for (int l = 0; l < nest->depth; l++)
		for (int s = 0; s < nest->set_count[l]; s++) {
			bool has_a = a >= nest->start[l][s] && a < nest->start[l][s + 1];
			bool has_b = b >= nest->start[l][s] && b < nest->start[l][s + 1];

			if (has_a != has_b)
				return search->price[l];
		}
	return 0;
}

static void check_prices(const struct tmap_search *search)
{
	struct tmap_prices prices;

	ck_assert_int_eq(tmap_prices_init(&prices, search, &err), 0);
	for (int a = 0; a < search->count; a++)
		for (int b = 0; b < search->count; b++) {
			double price = literal_price(search, a, b);

			hold(tmap_prices_of(&prices, a, b) == price);
			hold(tmap_prices_compute(&prices, a, b) == price);
		}
	tmap_prices_fini(&prices);
}

START_TEST(positions_cost_what_the_layer_between_them_does)
{
	struct tmap_criteria criteria = { .goal = TMAP_GOAL_DISTANCE };
	struct dice dice = { 3 };

	for (int k = 0; k < 60; k++) {
		struct tmap_machine *machine = machine_random(&dice, 6);
		struct tmap_objective objective = { .criteria = &criteria };
		struct tmap_search search = { .objective = &objective };
		struct tmap_placement slots;
		struct tmap_levels levels;
		double price[64];

		placement_random_take(&slots, machine, 1 + dice_roll(&dice, 40), &dice);
		ck_assert_int_eq(tmap_levels_init(&levels, slots.machine, &err), 0);
		ck_assert_int_eq(
			tmap_nest_init_levels(&objective.nest, &slots, &levels, NULL, 0, &err), 0);
		ck_assert_int_le(objective.nest.depth, 64);
		for (int l = 0; l < objective.nest.depth; l++)
			price[l] = 100.5 - l;
		search.price = price;
		search.count = slots.size;
		check_prices(&search);
		tmap_nest_fini(&objective.nest);
		tmap_levels_fini(&levels);
		tmap_placement_fini(&slots);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("prices");
	TCase *tests = tcase_create("prices");

	tcase_add_test(tests, positions_cost_what_the_layer_between_them_does);
	suite_add_tcase(suite, tests);
	return suite;
}
