/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles that come and go. Oracle: an array of all keys. */
#include "mpi_run/record/handle_map.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

enum { KEYS = 300 };

static struct tmap_error err;

START_TEST(a_key_has_its_number_until_it_is_removed)
{
	struct dice dice = { .state = (uint64_t)_i + 1 };
	struct tmap_handle_map map = { 0 };
	int value[KEYS], count = 0;

	for (int k = 0; k < KEYS; k++)
		value[k] = TMAP_NONE;
	for (int turn = 0; turn < 20000; turn++) {
		int k = dice_roll(&dice, KEYS);
		/* pointers, small numbers, and what is negative as an int */
		uint64_t key = _i == 0 ? (uint64_t)k * 64 + 0x7f0000000000 :
			_i == 1        ? (uint64_t)k :
					 (uint64_t)(int64_t)(0x44000000 + k) << 32;

		hold(tmap_handle_map_find(&map, key) == value[k]);
		if (value[k] == TMAP_NONE) {
			value[k] = turn;
			count++;
			hold(tmap_handle_map_add(&map, key, turn, &err) == 0);
		} else if (dice_roll(&dice, 2)) {
			hold(tmap_handle_map_remove(&map, key) == value[k]);
			hold(tmap_handle_map_remove(&map, key) == TMAP_NONE);
			value[k] = TMAP_NONE;
			count--;
		}
		hold(map.count == (size_t)count);
	}
	tmap_handle_map_fini(&map);
}
END_TEST

START_TEST(an_empty_map_has_nothing)
{
	struct tmap_handle_map map = { 0 };

	ck_assert_int_eq(tmap_handle_map_find(&map, 0), TMAP_NONE);
	ck_assert_int_eq(tmap_handle_map_remove(&map, 0), TMAP_NONE);
	tmap_handle_map_fini(&map);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("handle_map");
	TCase *all = tcase_create("handle_map");

	tcase_add_loop_test(all, a_key_has_its_number_until_it_is_removed, 0, 3);
	tcase_add_test(all, an_empty_map_has_nothing);
	suite_add_tcase(suite, all);
	return suite;
}
