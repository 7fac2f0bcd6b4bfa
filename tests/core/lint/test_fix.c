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
	.word = { [TMAP_FIX_APART] = "-m=$m -b=$u",
		  [TMAP_FIX_SETS] = "-d $[$1$]",
		  [TMAP_FIX_EVEN] = "-n $4[# -d $1]",
		  [TMAP_FIX_SPREAD] = "#-d $1" },
};
static const struct tmap_fix_nodes usual = { true, true, true }, bare = { false, true, true };
static const struct tmap_fix_nodes hybrid = { true, false, true };
static const struct tmap_fix_words *const units[] = { &four, &five, NULL };
static const struct tmap_fix_nodes alternating = { true, true, false };
static const struct tmap_fix_words *const fifth[] = { &five, NULL };
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
	{ "on a{{b{: |block|}, {{{{", second, "on a{b: -m block (Two), {{" },
};

START_TEST(words_that_rest_on_the_order_of_cores_are_left_out)
{
	static const char text[] =
		"{|spread 2|};{|even 2 0 0 8|};{|even 1 0 0 8|};{|sets 0x3,0xc|}";
	char *usually = tmap_fix_print(text, fifth, &usual, NULL, &err);
	char *here = tmap_fix_print(text, fifth, &alternating, NULL, &err);

	ck_assert_str_eq(usually, "-d 2 (Five);-n 8 -d 2 (Five);-n 8 (Five);-d [0x3,0xc] (Five)");
	ck_assert_str_eq(here, ";;-n 8 (Five);-d [0x3,0xc] (Five)");
	free(usually);
	free(here);
}
END_TEST

START_TEST(braces_have_the_words_of_the_launchers)
{
	char *printed = tmap_fix_print(fixes[_i].text, fixes[_i].launchers, &usual, NULL, &err);

	ck_assert_str_eq(printed, fixes[_i].printed);
	free(printed);
}
END_TEST

static const struct tmap_job_words job = {
	.job = "'my job.json'", .comm = "0-7", .library = "mpich", .profile = "own.json"
};

START_TEST(commands_are_of_the_job_and_have_its_options)
{
	static const char text[] = "do {topomap lanes --fix}{, |bind|} or {topomap score -c bcast}";
	char *named = tmap_fix_print(text, second, &usual, &job, &err);
	char *unnamed = tmap_fix_print(text, none, &usual, NULL, &err);

	ck_assert_str_eq(
		named,
		"do topomap lanes --fix --comm 0-7 'my job.json', --bind (Two) or topomap "
		"score -c bcast --library mpich --profile own.json --comm 0-7 'my job.json'");
	ck_assert_str_eq(unnamed, "do topomap lanes --fix JOB or topomap score -c bcast JOB");
	free(named);
	free(unnamed);
}
END_TEST

START_TEST(what_is_escaped_stays_as_it_is)
{
	static const char *const texts[] = { "", "n0", "a{b", "{: |bind|}", "{{", "x}|$1{" };

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		char *escaped = tmap_fix_escape(texts[i], &err);
		char *printed = tmap_fix_print(escaped, all, &usual, NULL, &err);

		ck_assert_str_eq(printed, texts[i]);
		free(printed);
		free(escaped);
	}
}
END_TEST

START_TEST(who_counts_pus_has_no_words_where_cores_have_not_as_many)
{
	static const struct tmap_fix_words counts = { .launcher = "Six",
						      .counts_pus = true,
						      .word = { [TMAP_FIX_BIND] = "--six" } };
	static const struct tmap_fix_words *const both[] = { &one, &counts, NULL };
	char *equal = tmap_fix_print("by{ |bind|}", both, &usual, NULL, &err);
	char *other = tmap_fix_print("by{ |bind|}", both, &hybrid, NULL, &err);

	ck_assert_str_eq(equal, "by --bind (One), --six (Six)");
	ck_assert_str_eq(other, "by --bind (One)");
	free(equal);
	free(other);
}
END_TEST

START_TEST(where_nodes_have_no_cores_hardware_threads_stand_for_them)
{
	char *cores = tmap_fix_print("by{ |apart|}", units, &usual, NULL, &err);
	char *pus = tmap_fix_print("by{ |apart|}", units, &bare, NULL, &err);

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

	tcase_add_test(tcase, words_that_rest_on_the_order_of_cores_are_left_out);
	tcase_add_loop_test(tcase, braces_have_the_words_of_the_launchers, 0,
			    sizeof fixes / sizeof fixes[0]);
	tcase_add_test(tcase, commands_are_of_the_job_and_have_its_options);
	tcase_add_test(tcase, what_is_escaped_stays_as_it_is);
	tcase_add_test(tcase, who_counts_pus_has_no_words_where_cores_have_not_as_many);
	tcase_add_test(tcase, where_nodes_have_no_cores_hardware_threads_stand_for_them);
	suite_add_tcase(suite, tcase);
	return suite;
}
