/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: the words of Open MPI 4.1's, Hydra's and Slurm's manuals, and hwloc's names. */
#include "core/machine/types.h"
#include "tests/unit.h"

#include <string.h>

START_TEST(every_level_has_its_row)
{
	for (int type = 0; type < TMAP_TYPE_COUNT; type++) {
		const struct tmap_type_row *row = &tmap_types[type];

		ck_assert_msg(row->resource.word.name && row->resource.word.summary && row->label &&
				      row->resource.hwloc,
			      "level %d", type);
		ck_assert_int_eq((int)row->resource.type, type);
		ck_assert_int_eq(tmap_type_find(row->resource.word.name), type);
	}
	ck_assert_int_eq(tmap_type_find("pak"), TMAP_NONE);
}
END_TEST

START_TEST(a_word_stands_for_one_level)
{
	for (unsigned of = 1; of <= TMAP_SLOT_WORDS; of *= 2) {
		const struct tmap_keyword *word;
		enum tmap_type type;

		for (size_t i = 0; (word = tmap_type_words_at(of, i, &type)); i++)
			ck_assert_int_eq(tmap_type_word_find(of, word->name, strlen(word->name)),
					 (int)type);
	}
}
END_TEST

START_TEST(launchers_have_their_own_words)
{
	static const struct {
		enum tmap_vocabulary of;
		const char *word;
		int type;
	} cases[] = {
		{ TMAP_OPENMPI_WORDS, "socket", TMAP_PACKAGE },
		{ TMAP_OPENMPI_WORDS, "package", TMAP_PACKAGE },
		{ TMAP_OPENMPI_WORDS, "l3cache", TMAP_L3 },
		{ TMAP_OPENMPI_WORDS, "l4cache", TMAP_NONE },
		{ TMAP_OPENMPI_WORDS, "sockets", TMAP_NONE },
		{ TMAP_HYDRA_WORDS, "l4cache", TMAP_L4 },
		{ TMAP_HYDRA_WORDS, "machine", TMAP_NODE },
		{ TMAP_HYDRA_WORDS, "hwthread", TMAP_PU },
		{ TMAP_SLURM_WORDS, "sockets", TMAP_PACKAGE },
		{ TMAP_SLURM_WORDS, "ldoms", TMAP_NUMA },
		{ TMAP_SLURM_WORDS, "core", TMAP_NONE },
		{ TMAP_ORDER_WORDS, "socket", TMAP_PACKAGE },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		ck_assert_msg(tmap_type_word_find(cases[i].of, cases[i].word,
						  strlen(cases[i].word)) == cases[i].type,
			      "%s", cases[i].word);
	ck_assert_str_eq(tmap_type_word(TMAP_OPENMPI_WORDS, TMAP_PACKAGE), "socket");
	ck_assert_ptr_null(tmap_type_word(TMAP_SLURM_WORDS, TMAP_L3));
}
END_TEST

START_TEST(bindings_are_tried_one_after_another)
{
	int order[TMAP_TYPE_COUNT + 1] = { 0 };

	for (int type = 0; type < TMAP_TYPE_COUNT; type++)
		order[tmap_types[type].binding.preference]++;
	for (int i = 1; i < TMAP_TYPE_COUNT; i++)
		ck_assert_msg(order[i] <= 1 && (order[i] || !order[i + 1]), "preference %d", i);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("types");
	TCase *tests = tcase_create("types");

	tcase_add_test(tests, every_level_has_its_row);
	tcase_add_test(tests, a_word_stands_for_one_level);
	tcase_add_test(tests, launchers_have_their_own_words);
	tcase_add_test(tests, bindings_are_tried_one_after_another);
	suite_add_tcase(suite, tests);
	return suite;
}
