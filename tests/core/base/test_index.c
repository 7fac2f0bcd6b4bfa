/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: linear search among all things seen so far, whose hashes meet often. */
#include "core/base/index.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

static struct tmap_error err;

static int find(const struct tmap_index *index, const int *thing, int wanted, uint64_t hash)
{
	size_t at;

	for (int i = tmap_index_first(index, hash, &at); i != TMAP_NONE;
	     i = tmap_index_next(index, hash, &at))
		if (thing[i] == wanted)
			return i;
	return TMAP_NONE;
}

static int find_literally(const int *thing, int count, int wanted)
{
	for (int i = 0; i < count; i++)
		if (thing[i] == wanted)
			return i;
	return TMAP_NONE;
}

START_TEST(things_are_found_whose_hashes_meet)
{
	struct dice dice = { .state = (uint64_t)_i + 1 };
	struct tmap_index index = { 0 };
	int thing[3000], count = 0;

	for (int turn = 0; turn < 3000; turn++) {
		int wanted = dice_roll(&dice, 2000);
		uint64_t hash = (uint64_t)(wanted % (_i ? 7 : 2000));
		int number = find(&index, thing, wanted, hash);

		hold(number == find_literally(thing, count, wanted));
		if (number != TMAP_NONE)
			continue;
		hold(tmap_index_add(&index, hash, &err) == count);
		thing[count++] = wanted;
	}
	ck_assert_int_eq(index.count, count);
	tmap_index_fini(&index);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("index");
	TCase *all = tcase_create("index");

	tcase_add_loop_test(all, things_are_found_whose_hashes_meet, 0, 2);
	suite_add_tcase(suite, all);
	return suite;
}
