/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: sentences written down by hand. */
#include "core/lint/fix.h"

#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

static const struct tmap_fix_words one = {
	.launcher = "One",
	.word = { [TMAP_FIX_BIND] = "--bind", [TMAP_FIX_EVEN] = "-n $1 -each $2 -nodes $3 $9 $" },
};
static const struct tmap_fix_words two = {
	.launcher = "Two",
	.word = { [TMAP_FIX_BIND] = "--bind", [TMAP_FIX_BLOCK] = "-m block" },
};
static const struct tmap_fix_words three = {
	.launcher = "Three",
	.word = { [TMAP_FIX_BIND] = "bind=yes", [TMAP_FIX_SPREAD] = "-s[:$1] -p $4" },
};
static const struct tmap_fix_words four = {
	.launcher = "Four",
	.word = { [TMAP_FIX_APART] = "-m $m -b $u" },
	.pu = "pu -x",
};
static const struct tmap_fix_words five = {
	.launcher = "Five",
	.word = { [TMAP_FIX_APART] = "-m=$m -b=$u" },
};
static const struct tmap_fix_nodes usual = { true, true }, bare = { false, true };
static const struct tmap_fix_nodes hybrid = { true, false };
static const struct tmap_fix_words *const units[] = { &four, &five, NULL };
static const struct tmap_fix_words *const all[] = { &one, &two, &three, NULL };
static const struct tmap_fix_words *const second[] = { &two, NULL };
static const struct tmap_fix_words *const none[] = { NULL };

static const struct {
	const char *text;
	const struct tmap_fix_words *const *launchers;
	const char *printed;
} fixes[] = {
	{ "bind them", all, "bind them" },
	{ "bind them{: |bind|}; so", second, "bind them: --bind (Two); so" },
	{ "bind them{: |bind|}; so", none, "bind them; so" },
	{ "bind{: |bind|}", all, "bind: --bind (One), bind=yes (Three)" },
	{ "by node{ (|block|)}", all, "by node (-m block (Two))" },
	{ "{|cyclic|!}", all, "" },
	{ "4 each{: |even 8 4 2|.}", all, "4 each: -n 8 -each 4 -nodes 2 $9 $ (One)." },
	{ "{|spread 2 3 4 5|}, {|spread 1 3 4 5|}, {|spread 12 3 4 5|}", all,
	  "-s:2 -p 5 (Three), -s -p 5 (Three), -s:12 -p 5 (Three)" },
	{ "4 each{: |even 8 -1 2|.}", all, "4 each" },
	{ "{|spread 2 3 4 -1|}, {|spread 2 3 -1 5|}, {|spread -1 3 4 5|}", all,
	  ", -s:2 -p 5 (Three), " },
	{ "{|bind|} or {|block|}", second, "--bind (Two) or -m block (Two)" },
};

START_TEST(braces_have_the_words_of_the_launchers)
{
	char *printed = tmap_fix_print(fixes[_i].text, fixes[_i].launchers, &usual, &err);

	ck_assert_str_eq(printed, fixes[_i].printed);
	free(printed);
}
END_TEST

START_TEST(who_counts_pus_has_no_words_where_cores_have_not_as_many)
{
	static const struct tmap_fix_words counts = { .launcher = "Six",
						      .counts_pus = true,
						      .word = { [TMAP_FIX_BIND] = "--six" } };
	static const struct tmap_fix_words *const both[] = { &one, &counts, NULL };
	char *equal = tmap_fix_print("by{ |bind|}", both, &usual, &err);
	char *other = tmap_fix_print("by{ |bind|}", both, &hybrid, &err);

	ck_assert_str_eq(equal, "by --bind (One), --six (Six)");
	ck_assert_str_eq(other, "by --bind (One)");
	free(equal);
	free(other);
}
END_TEST

START_TEST(where_nodes_have_no_cores_hardware_threads_stand_for_them)
{
	char *cores = tmap_fix_print("by{ |apart|}", units, &usual, &err);
	char *pus = tmap_fix_print("by{ |apart|}", units, &bare, &err);

	ck_assert_str_eq(cores, "by -m core -b core (Four), -m=core -b=core (Five)");
	ck_assert_str_eq(pus, "by -m hwthread -b pu -x (Four), -m=hwthread -b=hwthread (Five)");
	free(cores);
	free(pus);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("fix");
	TCase *tcase = tcase_create("texts");

	tcase_add_loop_test(tcase, braces_have_the_words_of_the_launchers, 0,
			    sizeof fixes / sizeof fixes[0]);
	tcase_add_test(tcase, who_counts_pus_has_no_words_where_cores_have_not_as_many);
	tcase_add_test(tcase, where_nodes_have_no_cores_hardware_threads_stand_for_them);
	suite_add_tcase(suite, tcase);
	return suite;
}
