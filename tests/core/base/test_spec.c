/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: the words of the command line's contract, NAME[,key=value]..., written out. */
#include "core/base/spec.h"

#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static const struct tmap_param params[] = {
	{ "radix", "children", 4, 2, 100, false, NULL, false, NULL, NULL },
	{ "segment", "bytes", 0, 0, INT64_MAX, true, NULL, false, NULL, NULL },
	{ .key = NULL },
};

static const char *const folds[] = { "openmpi", "mpich", NULL };

static const struct tmap_param fold[] = {
	{ "fold", "how", 0, 0, 1, false, folds, false, NULL, NULL },
	{ .key = NULL },
};

static const char *const levels[] = { "all", "node", "numa", NULL };

static const struct tmap_param list[] = {
	{ "levels", "where", 0, 0, INT64_MAX, false, levels, true, NULL, NULL },
	{ .key = NULL },
};

static const struct tmap_spec_row rows[] = {
	{ { "knomial", "a tree" },
	  params,
	  { "--radix {radix} {unknown} {segment}", NULL, "{radix" } },
	{ { "flat", "another" }, NULL, { NULL, NULL, NULL } },
	{ { "folded", "with a word" }, fold, { "--fold {fold}", NULL, NULL } },
	{ { "split", "with words" }, list, { "{levels=node}--split {levels}", NULL, NULL } },
	{ { NULL, NULL }, NULL, { NULL, NULL, NULL } },
};

static const struct tmap_keywords words = TMAP_KEYWORDS("tree", rows);

static void parses(const char *text, int row, int64_t radix, int64_t segment, const char *printed)
{
	struct tmap_error err;
	struct tmap_spec choice;
	char *again;

	ck_assert_int_eq(tmap_spec_parse(&choice, &words, text, &err), 0);
	ck_assert_ptr_eq(choice.row, &rows[row]);
	ck_assert_int_eq(choice.value[0], radix);
	ck_assert_int_eq(choice.value[1], segment);
	again = tmap_spec_print(&choice, &err);
	ck_assert_str_eq(again, printed);
	free(again);
}

static void refuses(const char *text, const char *message)
{
	struct tmap_spec choice = { .value = { 77 } };
	struct tmap_error err;

	ck_assert_int_eq(tmap_spec_parse(&choice, &words, text, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, message);
	ck_assert_int_eq(choice.value[0], 77);
}

START_TEST(names_and_values_are_read_and_printed)
{
	parses("knomial", 0, 4, 0, "knomial");
	parses("knomial,radix=4", 0, 4, 0, "knomial");
	parses("knomial,radix=8", 0, 8, 0, "knomial,radix=8");
	parses("knomial,segment=64KiB,radix=2", 0, 2, 65536, "knomial,radix=2,segment=65536");
	parses("flat", 1, 0, 0, "flat");
	parses("folded", 2, 0, 0, "folded");
	parses("folded,fold=mpich", 2, 1, 0, "folded,fold=mpich");
	parses("folded,fold=openmpi", 2, 0, 0, "folded");
}
END_TEST

START_TEST(malformed_choices_are_refused)
{
	refuses("binomial",
		"unknown tree 'binomial' (did you mean 'knomial'?); one of: knomial, flat, folded, "
		"split");
	refuses("", "unknown tree '' (one of: knomial, flat, folded, split)");
	refuses("flat,radix=2", "'flat' takes no parameters, but 'radix' is given");
	refuses("knomial,root=2", "'knomial' has no parameter 'root' (it has: radix, segment)");
	refuses("knomial,", "'knomial' has no parameter '' (it has: radix, segment)");
	refuses("knomial,radix", "the parameter 'radix' of 'knomial' has no value: write radix=N");
	refuses("folded,fold", "the parameter 'fold' of 'folded' has no value: write fold=WORD");
	refuses("folded,fold=1", "fold of folded: '1' is not one of openmpi, mpich");
	refuses("folded,fold=", "fold of folded: '' is not one of openmpi, mpich");
	refuses("split,levels=node+", "levels of split: '' is not one of all, node, numa");
	refuses("split,levels=numa+core", "levels of split: 'core' is not one of all, node, numa");
	refuses("split,levels=all+all+all+all+all+all+all+all+all",
		"levels of split: more than 8 "
		"words");
	refuses("knomial,radix=3,radix=3", "the parameter 'radix' of 'knomial' is given twice");
}
END_TEST

START_TEST(a_list_keeps_the_order_of_its_words)
{
	struct tmap_spec choice;
	struct tmap_error err;
	char *again;

	ck_assert_int_eq(tmap_spec_parse(&choice, &words, "split,levels=numa+all+node+numa", &err),
			 0);
	ck_assert_int_eq(tmap_param_word(choice.value[0], 0), 2);
	ck_assert_int_eq(tmap_param_word(choice.value[0], 1), 0);
	ck_assert_int_eq(tmap_param_word(choice.value[0], 2), 1);
	ck_assert_int_eq(tmap_param_word(choice.value[0], 3), 2);
	ck_assert_int_eq(tmap_param_word(choice.value[0], 4), TMAP_NONE);
	ck_assert_int_eq(tmap_param_word(choice.value[0], TMAP_PARAM_WORDS_MAX), TMAP_NONE);
	again = tmap_spec_print(&choice, &err);
	ck_assert_str_eq(again, "split,levels=numa+all+node+numa");
	free(again);
	parses("split,levels=node", 3, 1, 0, "split,levels=node");
	parses("split", 3, 0, 0, "split");
}
END_TEST

START_TEST(values_out_of_range_are_refused_with_their_key)
{
	struct tmap_spec choice;
	struct tmap_error err;

	ck_assert_int_eq(tmap_spec_parse(&choice, &words, "knomial,radix=1", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "radix of knomial: "));
	ck_assert_int_eq(tmap_spec_parse(&choice, &words, "knomial,radix=101", &err), -1);
	ck_assert_int_eq(tmap_spec_parse(&choice, &words, "knomial,radix=2x", &err), -1);
	ck_assert_int_eq(tmap_spec_parse(&choice, &words, "knomial,segment=-1", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "segment of knomial: "));
}
END_TEST

START_TEST(knobs_are_filled_with_the_values)
{
	struct tmap_spec choice = tmap_spec_preset(&words, 0);
	struct tmap_error err;
	char *text;

	choice.value[0] = 16;
	ck_assert_int_eq(tmap_spec_fill(&text, &choice, rows[0].knobs.openmpi, &err), 0);
	ck_assert_str_eq(text, "--radix 16 {unknown} 0");
	free(text);
	ck_assert_int_eq(tmap_spec_fill(&text, &choice, rows[0].knobs.ucc, &err), 0);
	ck_assert_str_eq(text, "{radix");
	free(text);
	choice = tmap_spec_preset(&words, 2);
	choice.value[0] = 1;
	ck_assert_int_eq(tmap_spec_fill(&text, &choice, rows[2].knobs.openmpi, &err), 0);
	ck_assert_str_eq(text, "--fold mpich");
	free(text);
	ck_assert_int_eq(tmap_spec_parse(&choice, &words, "split,levels=node", &err), 0);
	ck_assert_int_eq(tmap_spec_fill(&text, &choice, rows[3].knobs.openmpi, &err), 0);
	ck_assert_str_eq(text, "--split node");
	free(text);
	ck_assert_int_eq(tmap_spec_parse(&choice, &words, "split,levels=node+numa", &err), 0);
	ck_assert_int_eq(tmap_spec_fill(&text, &choice, rows[3].knobs.openmpi, &err), 0);
	ck_assert_ptr_null(text);
}
END_TEST

/* What a knob for one value is for that value, or NULL. */
static void fills(const char *knob, int row, int64_t value, const char *wanted)
{
	struct tmap_spec choice = tmap_spec_preset(&words, row);
	struct tmap_error err;
	char *text = (char *)&err;

	choice.value[0] = value;
	ck_assert_int_eq(tmap_spec_fill(&text, &choice, knob, &err), 0);
	ck_assert_pstr_eq(text, wanted);
	free(text);
}

START_TEST(knobs_for_one_value_are_none_for_another)
{
	fills("{radix=16}--radix16 {segment}", 0, 16, "--radix16 0");
	fills("{radix=16}--radix16", 0, 1, NULL);
	fills("{radix=1}--radix1", 0, 16, NULL);
	fills("{fold=mpich}--fold", 2, 1, "--fold");
	fills("{fold=mpi}--fold", 2, 1, NULL);
	fills("{fold=mpich}--fold", 2, 0, NULL);
	fills("{radix=16}{segment=0}", 0, 16, "");
	fills("{other=16}--other", 0, 16, "{other=16}--other");
	fills("{radix=16}--a|--b {radix}", 0, 16, "--a");
	fills("{radix=16}--a|--b {radix}", 0, 1, "--b 1");
	fills("--c {segment}{radix=16}--a|{radix=2}--b|{radix=3}--c", 0, 3, "--c");
	fills("{radix=16}--a|{radix=2}--b", 0, 1, NULL);
	fills(NULL, 0, 16, NULL);
}
END_TEST

START_TEST(values_are_those_that_a_knob_is_for)
{
	static const char knobs[] = "{radix=16}--a|--b {radix}|{segment=64KiB}{radix=2}--c {radix}";
	static const int64_t wanted[][2] = { { 16, 0 }, { 4, 0 }, { 2, 65536 } };
	struct tmap_spec choice = tmap_spec_preset(&words, 0);

	for (int i = 0; i < 3; i++) {
		ck_assert(tmap_spec_fit(&choice, knobs, i));
		ck_assert_int_eq(choice.value[0], wanted[i][0]);
		ck_assert_int_eq(choice.value[1], wanted[i][1]);
	}
	ck_assert(!tmap_spec_fit(&choice, knobs, 3));
	ck_assert(!tmap_spec_fit(&choice, NULL, 0));
	choice = tmap_spec_preset(&words, 2);
	ck_assert(tmap_spec_fit(&choice, "{fold=mpich}--fold", 0));
	ck_assert_int_eq(choice.value[0], 1);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("choice");
	TCase *tcase = tcase_create("choice");

	tcase_add_test(tcase, names_and_values_are_read_and_printed);
	tcase_add_test(tcase, malformed_choices_are_refused);
	tcase_add_test(tcase, a_list_keeps_the_order_of_its_words);
	tcase_add_test(tcase, values_out_of_range_are_refused_with_their_key);
	tcase_add_test(tcase, knobs_are_filled_with_the_values);
	tcase_add_test(tcase, knobs_for_one_value_are_none_for_another);
	tcase_add_test(tcase, values_are_those_that_a_knob_is_for);
	suite_add_tcase(suite, tcase);
	return suite;
}
