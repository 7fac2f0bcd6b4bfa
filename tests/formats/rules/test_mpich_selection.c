/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: files written by hand in the form of the library's own. */
#include "core/tune/selection_lint.h"
#include "formats/rules/mpich_selection.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static const char *const libraries[] = { "mpich", "mpich41", "mpich5" };

enum { LIBRARIES = sizeof libraries / sizeof *libraries };

START_TEST(what_is_written_is_read_to_the_same_and_has_no_mistakes)
{
	struct tmap_selection whole = { 0 }, again;
	struct tmap_rule_findings findings;
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	int library = tmap_keywords_find(&tmap_libraries, libraries[_i], &err);
	int release = tmap_library_releases(library).first;

	for (int row = 0; tmap_mpich_collective_at(row); row++)
		ck_assert_int_eq(tmap_selection_add_collective(&whole, row, release, &err), 0);
	ck_assert_int_eq(tmap_mpich_selection_write(&whole, out, &err), 0);
	fclose(out);
	ck_assert_int_eq(tmap_mpich_selection_parse(&again, text, &err), 0);
	ck_assert(tmap_selection_is_equal(&whole, &again));
	ck_assert_int_eq(tmap_selection_lint(&findings, &again, library, NULL, 0, &err), 0);
	ck_assert_int_eq(findings.count, 0);
	tmap_rule_findings_fini(&findings);
	tmap_selection_fini(&again);
	tmap_selection_fini(&whole);
	free(text);
}
END_TEST

START_TEST(members_have_lines_and_parameters)
{
	static const char text[] =
		"{\"collective=ibcast\":\n{\"comm_type=intra\":{\n"
		"\"algorithm=MPIR_Ibcast_intra_tsp_tree\":\n"
		"{\"tree_type=knomial_1\":{},\"k=4\":{},\"chunk_size=4096\":{}}}}}";
	struct tmap_selection it;
	char *name;

	ck_assert_int_eq(tmap_mpich_selection_parse(&it, text, &err), 0);
	ck_assert_int_eq(it.count, 7);
	ck_assert_int_eq(it.node[3].line, 3);
	ck_assert_int_eq(it.node[5].line, 4);
	name = tmap_selection_print(&it.node[3], &err);
	ck_assert_str_eq(name, "algorithm=MPIR_Ibcast_intra_tsp_tree");
	free(name);
	name = tmap_selection_print(&it.node[5], &err);
	ck_assert_str_eq(name, "k=4");
	free(name);
	tmap_selection_fini(&it);
}
END_TEST

/* One sentence each, with the line. */
START_TEST(what_the_library_cannot_read_is_refused)
{
	static const struct {
		const char *text;
		int line;
		const char *reason;
	} bad[] = {
		{ "", 1, "the file ends where '{' is expected for an object" },
		{ "[]", 1, "objects in objects" },
		{ "{\"collective=bcast\":{}", 1, "the file ends where '}'" },
		{ "{\n\"collective=bcast\":1}", 2, "'{' is expected for an object" },
		{ "{\"collective=bkast\":{}}", 1, "did you mean 'bcast'" },
		{ "{\"comm_type=intra\":{}}", 1, "the first level has collectives" },
		{ "{\"collective=bcast\":{\"comm_size<x\":{}}}", 1, "needs a number" },
		{ "{\"collective=bcast\":{\"avg_msg_size<9999999999\":{}}}", 1, "2147483647" },
		{ "{\"collective=bcast\":{\n\"msg_size<4\":{}}}", 2, "does not know 'msg_size<4'" },
		{ "{\"collective=bcast\":{\"algorithm=MPIR_Bcast_intra_chain\":{}}}", 1,
		  "no algorithm 'MPIR_Bcast_intra_chain'" },
		{ "{\"collective=bcast\":{\"composition=MPIDI_Bcast_intra_composition_alpha\":{}}}",
		  1, "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE" },
		{ "{\"collective=bcast\":{\"k=2\":{}}}", 1, "below an algorithm, and only there" },
		{ "{\"collective=bcast\":{\"algorithm=MPIR_Bcast_allcomm_nb\":{\"comm_size=any\":{}}}}",
		  1, "below an algorithm, and only there" },
		{ "{\"collective=bcast\":{},\n\"collective=bcast\":{}}", 2,
		  "stands in line 1, too" },
		{ "{\"collective=b\\u0063ast\":{}}", 1, "backslash" },
		{ "{}}", 1, "behind the end" },
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct tmap_selection it;

		ck_assert_int_eq(tmap_mpich_selection_parse(&it, bad[i].text, &err), -1);
		ck_assert_int_eq(err.kind, TMAP_INPUT);
		ck_assert_int_eq(err.line, bad[i].line);
		ck_assert_msg(strstr(err.text, bad[i].reason), "%s: %s", bad[i].text, err.text);
	}
}
END_TEST

/* What the sources of 4.0.2, 4.1, 4.2.1, 4.3.0 and 5.0.1 say (csel.c, csel_container.c, coll_impl.c). */
START_TEST(what_is_of_another_release_is_found)
{
	static const struct {
		const char *collective, *text;
		const char *mistake[LIBRARIES], *reason;
		bool is_fatal[LIBRARIES];
	} words[] = {
		{ "barrier",
		  "{\"algorithm=MPIR_Barrier_intra_dissemination\":{}}",
		  { NULL, "algorithm", "algorithm" },
		  "MPIR_Barrier_intra_dissemination is of MPICH before 4.1: ",
		  { false, true, true } },
		{ "barrier",
		  "{\"algorithm=MPIR_Barrier_intra_k_dissemination\":{\"k=2\":{}}}",
		  { "algorithm", NULL, NULL },
		  "is of MPICH from 4.1 on: MPICH 4.0 ends the program when it starts",
		  { true, false, false } },
		{ "barrier",
		  "{\"algorithm=MPIR_Barrier_intra_k_dissemination\":{}}",
		  { "parameter", "parameter", "parameter" },
		  "has no k below it: MPICH takes what happens to be in memory",
		  { false, false, false } },
		{ "allgather",
		  "{\"algorithm=MPIR_Allgather_intra_recexch_doubling\":{\"k=2\":{},"
		  "\"single_phase_recv=0\":{}}}",
		  { "algorithm", "algorithm", NULL },
		  "is of MPICH from 4.2 on: ",
		  { true, false, false } },
		{ "allreduce",
		  "{\"algorithm=MPIR_Allreduce_intra_recursive_multiplying\":{\"k=2\":{}}}",
		  { "algorithm", "algorithm", NULL },
		  "is of MPICH from 4.3 on: ",
		  { true, false, false } },
		{ "allreduce",
		  "{\"algorithm=MPIR_Allreduce_intra_ccl\":{\"ccl=auto\":{}}}",
		  { "algorithm", "algorithm", NULL },
		  "is of MPICH from 5.0 on: ",
		  { true, true, false } },
		{ "allreduce",
		  "{\"comm_avg_ppn<4\":{\"algorithm=MPIR_Allreduce_intra_smp\":{}},\"any\":"
		  "{\"algorithm=MPIR_Allreduce_intra_smp\":{}}}",
		  { "member", "member", NULL },
		  "any is of MPICH from 4.2 on: ",
		  { true, false, false } },
		{ "allreduce",
		  "{\"algorithm=MPIR_Allreduce_intra_ring\":{\"k=2\":{}}}",
		  { "parameter", "parameter", "parameter" },
		  "MPIR_Allreduce_intra_ring reads no k",
		  { false, false, false } },
		{ "ibcast",
		  "{\"algorithm=MPIR_Ibcast_intra_tsp_tree\":{\"tree_type=knomial_1\":{},"
		  "\"k=2\":{},\"chunk_size=0\":{}}}",
		  { "parameter", "parameter", NULL },
		  "tree_type=knomial_1 is taken for tree_type=kary by MPICH before 4.3",
		  { false, false, false } },
		{ "ibcast",
		  "{\"algorithm=MPIR_Ibcast_intra_tsp_tree\":{\"tree_type=1\":{},"
		  "\"k=2\":{},\"chunk_size=0\":{}}}",
		  { NULL, "parameter", "parameter" },
		  "tree_type=1 is taken for tree_type=kary by MPICH from 4.3 on",
		  { false, false, false } },
		{ "allreduce",
		  "{\"comm_hierarchy=node\":{\"algorithm=MPIR_Allreduce_intra_ring\":{}}}",
		  { NULL, "unit", "unit" },
		  "is for all communicators without parts on nodes from MPICH 4.3 on",
		  { false, false, false } },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		for (int l = 0; l < LIBRARIES; l++) {
			int library = tmap_keywords_find(&tmap_libraries, libraries[l], &err);
			struct tmap_rule_findings findings;
			struct tmap_selection it;
			const struct tmap_rule_finding *found = NULL;
			char text[1000];

			snprintf(text, sizeof text, "{\"collective=%s\":{\"comm_type=intra\":%s}}",
				 words[i].collective, words[i].text);
			ck_assert_int_eq(tmap_mpich_selection_parse(&it, text, &err), 0);
			ck_assert_int_eq(
				tmap_selection_lint(&findings, &it, library, NULL, 0, &err), 0);
			for (int k = 0; k < findings.count; k++)
				if (strstr(findings.finding[k].text, words[i].reason))
					found = &findings.finding[k];
			ck_assert_msg((found != NULL) == (words[i].mistake[l] != NULL), "%s: %s",
				      libraries[l], text);
			if (found) {
				ck_assert_str_eq(tmap_keywords_at(&tmap_rule_mistakes,
								  (size_t)found->mistake)
							 ->name,
						 words[i].mistake[l]);
				ck_assert_int_eq(found->is_fatal, words[i].is_fatal[l]);
			}
			tmap_rule_findings_fini(&findings);
			tmap_selection_fini(&it);
		}
}
END_TEST

START_TEST(mistakes_are_found_by_line)
{
	static const struct {
		const char *text; /* of an allgather */
		int line;
		const char *mistake, *reason;
	} bad[] = {
		{ "{\"comm_type=intra\":{\"algorithm=MPIR_Allgather_intra_ring\":{}}}", 1, "end",
		  "none of the tests below" },
		{ "{\n\"comm_size<=9\":{}}", 2, "end", "nothing below" },
		{ "{\n\"comm_size=any\":{\"algorithm=MPIR_Allgather_intra_ring\":{}}}", 2,
		  "algorithm", "the other kind of communicators" },
		{ "{\n\"comm_type=intra\":{\n\"avg_msg_size<9\":{\"algorithm=MPIR_Allgather_intra_ring\":"
		  "{}},\"comm_size=any\":{\"algorithm=MPIR_Allgather_intra_ring\":{}}}}",
		  3, "unit", "cannot ask that of allgather" },
		{ "{\n\"comm_type=intra\":{\"total_msg_size<5\":{\n\"comm_size<9\":"
		  "{\"algorithm=MPIR_Allgather_intra_ring\":{}},"
		  "\"comm_size=any\":{\"algorithm=MPIR_Allgather_intra_ring\":{}}},"
		  "\"comm_size=any\":{\"algorithm=MPIR_Allgather_intra_ring\":{}}}}",
		  3, "unit", "is for 9 ranks, too" },
		{ "{\"comm_type=intra\":\n{\"algorithm=MPIR_Allgather_intra_recursive_doubling\":{}}}",
		  2, "algorithm", "powers of two" },
		{ "{\"comm_type=intra\":\n{\"algorithm=MPIR_Bcast_intra_binomial\":{}}}", 2,
		  "algorithm", "no algorithm of allgather" },
		{ "{\"comm_type=intra\":{\"comm_size=any\":{\"algorithm=MPIR_Allgather_intra_ring\":{}},\n"
		  "\"comm_size=pow2\":{\"algorithm=MPIR_Allgather_intra_ring\":{}}}}",
		  2, "order", "no call is left for comm_size=pow2" },
		{ "{\"comm_type=intra\":{\"total_msg_size<=9\":{\"algorithm=MPIR_Allgather_intra_ring\":"
		  "{}},\n\"total_msg_size<10\":{\"algorithm=MPIR_Allgather_intra_ring\":{}},"
		  "\"comm_size=any\":{\"algorithm=MPIR_Allgather_intra_ring\":{}}}}",
		  2, "order", "no call is left for total_msg_size<10" },
	};
	int library = tmap_keywords_find(&tmap_libraries, "mpich", &err);

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct tmap_rule_findings findings;
		struct tmap_selection it;
		char text[1000];
		bool found = false;

		snprintf(text, sizeof text, "{\"collective=allgather\":%s}", bad[i].text);
		ck_assert_int_eq(tmap_mpich_selection_parse(&it, text, &err), 0);
		ck_assert_int_eq(tmap_selection_lint(&findings, &it, library, NULL, 0, &err), 0);
		for (int k = 0; k < findings.count; k++)
			found |= findings.finding[k].line == bad[i].line &&
				strstr(findings.finding[k].text, bad[i].reason) &&
				strcmp(tmap_keywords_at(&tmap_rule_mistakes,
							(size_t)findings.finding[k].mistake)
					       ->name,
				       bad[i].mistake) == 0;
		ck_assert_msg(found, "%s", bad[i].text);
		tmap_rule_findings_fini(&findings);
		tmap_selection_fini(&it);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("mpich_selection");
	TCase *mpich_selection = tcase_create("mpich_selection");

	tcase_set_timeout(mpich_selection, 120);
	tcase_add_loop_test(mpich_selection,
			    what_is_written_is_read_to_the_same_and_has_no_mistakes, 0, LIBRARIES);
	tcase_add_test(mpich_selection, members_have_lines_and_parameters);
	tcase_add_test(mpich_selection, what_the_library_cannot_read_is_refused);
	tcase_add_test(mpich_selection, what_is_of_another_release_is_found);
	tcase_add_test(mpich_selection, mistakes_are_found_by_line);
	suite_add_tcase(suite, mpich_selection);
	return suite;
}
