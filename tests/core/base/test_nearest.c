/* SPDX-License-Identifier: BSD-3-Clause */
/* "Did you mean". Oracle: literal slips of the fingers, and a plain recursive edit distance. */
#include "core/base/nearest.h"

#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[] = { "inspect", "tree", "ring", "place", "suggest-rankfile", NULL };

static const char *nearest(const char *typed)
{
	struct tmap_nearest n;

	tmap_nearest_init(&n, typed, strlen(typed));
	for (size_t i = 0; words[i]; i++)
		tmap_nearest_add(&n, words[i]);
	return n.best;
}

START_TEST(a_slip_finds_the_word_that_was_meant)
{
	static const struct {
		const char *typed, *meant;
	} slips[] = {
		{ "tere", "tree" },
		{ "tre", "tree" },
		{ "treee", "tree" },
		{ "trae", "tree" },
		{ "inpsect", "inspect" },
		{ "inspct", "inspect" },
		{ "plcae", "place" },
		{ "sugest-rankfile", "suggest-rankfile" },
		{ "suggest_rankfiles", "suggest-rankfile" },
		{ "rin", "ring" },
	};

	for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++)
		ck_assert_str_eq(nearest(slips[i].typed), slips[i].meant);
}
END_TEST

START_TEST(a_strange_word_finds_none)
{
	static const char *const strange[] = {
		"",
		"x",
		"help",
		"rankfile",
		"wing-commander",
		"a-word-that-is-far-longer-than-any-name-of-a-command-or-an-option"
	};

	for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++)
		ck_assert_ptr_null(nearest(strange[i]));
}
END_TEST

/* The definition, term by term: optimal string alignment. */
static size_t plain(const char *a, size_t m, const char *b, size_t n)
{
	size_t best, other;

	if (m == 0 || n == 0)
		return m + n;
	best = plain(a, m - 1, b, n - 1) + (a[m - 1] != b[n - 1]);
	other = plain(a, m - 1, b, n) + 1;
	best = other < best ? other : best;
	other = plain(a, m, b, n - 1) + 1;
	best = other < best ? other : best;
	if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1]) {
		other = plain(a, m - 2, b, n - 2) + 1;
		best = other < best ? other : best;
	}
	return best;
}

START_TEST(the_distance_is_that_of_the_definition)
{
	srand(7);
	for (int i = 0; i < 300; i++) {
		char a[8] = "", b[8] = "";
		size_t m = (size_t)(rand() % 6), n = (size_t)(1 + rand() % 6), want;
		struct tmap_nearest nearest_to;

		for (size_t j = 0; j < m && j + 1 < sizeof a; j++)
			a[j] = (char)('a' + rand() % 3);
		for (size_t j = 0; j < n && j + 1 < sizeof b; j++)
			b[j] = (char)('a' + rand() % 3);
		want = plain(a, m, b, n);
		tmap_nearest_init(&nearest_to, a, m);
		nearest_to.distance = 99;
		tmap_nearest_add(&nearest_to, b);
		if (want < n)
			ck_assert_uint_eq(nearest_to.distance, want);
		else
			ck_assert_ptr_null(nearest_to.best);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("nearest");
	TCase *tcase = tcase_create("nearest");

	tcase_add_test(tcase, a_slip_finds_the_word_that_was_meant);
	tcase_add_test(tcase, a_strange_word_finds_none);
	tcase_add_test(tcase, the_distance_is_that_of_the_definition);
	suite_add_tcase(suite, tcase);
	return suite;
}
