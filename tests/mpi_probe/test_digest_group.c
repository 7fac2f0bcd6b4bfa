/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: a literal search, for each digest, of the first equal one. */
#include "mpi_probe/digest_group.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 200 };

static struct tmap_error err;

static struct tmap_digest numbered(int number)
{
	struct tmap_digest digest = { { 0 } };

	digest.byte[31] = (unsigned char)number;
	return digest;
}

START_TEST(groups_are_numbered_as_they_first_appear)
{
	static const int content[] = { 9, 3, 9, 7, 3, 3 }, wanted[] = { 0, 1, 0, 2, 1, 1 };
	struct tmap_digest digest[6];
	int group[6], first[6];

	for (int i = 0; i < 6; i++)
		digest[i] = numbered(content[i]);
	ck_assert_int_eq(tmap_digest_group(digest, 6, group, first, &err), 3);
	ck_assert_mem_eq(group, wanted, sizeof wanted);
	ck_assert_int_eq(first[0], 0);
	ck_assert_int_eq(first[1], 1);
	ck_assert_int_eq(first[2], 3);
}
END_TEST

START_TEST(random_digests_group_as_the_literal_search_says)
{
	struct tmap_digest digest[MOST];
	int group[MOST], first[MOST], count, groups, kinds = 1 + _i * _i;

	srand((unsigned)_i);
	count = 1 + rand() % MOST;
	for (int i = 0; i < count; i++)
		digest[i] = numbered(rand() % kinds);
	groups = tmap_digest_group(digest, count, group, first, &err);
	for (int i = 0, seen = 0; i < count; i++) {
		int j = 0;

		while (memcmp(&digest[j], &digest[i], sizeof digest[i]) != 0)
			j++;
		ck_assert_int_lt(group[i], groups);
		ck_assert_int_eq(first[group[i]], j);
		if (j == i)
			ck_assert_int_eq(group[i], seen++);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("digest_group");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, groups_are_numbered_as_they_first_appear);
	tcase_add_loop_test(tc, random_digests_group_as_the_literal_search_says, 0, 16);
	suite_add_tcase(suite, tc);
	return suite;
}
