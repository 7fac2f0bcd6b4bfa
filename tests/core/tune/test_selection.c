/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what core/library says that MPICH selects by itself, by another table, which is held to the library's own
 * messages (tests/mpi/defaults.sh); what it makes of a file is asked there, too (tests/mpi/selections.sh).
 */
#include "core/tune/selection_lint.h"
#include "core/tune/selection_prune.h"
#include "core/tune/selection_tuning.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;
static struct tmap_placement job;
static struct tmap_tune_places places;

static void job_init(int nodes, int cores)
{
	int *place = malloc((size_t)(nodes * cores) * sizeof *place);

	for (int r = 0; r < nodes * cores; r++)
		place[r] = r;
	placement_seats_take(&job,
			     machine_regular(nodes,
					     (const struct test_level[]){ { TMAP_CORE, cores },
									  { TMAP_CORE, 0 } }),
			     place, nodes * cores);
	free(place);
	ck_assert_int_eq(tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err), 0);
}

static void job_fini(void)
{
	tmap_tune_places_fini(&places);
	tmap_placement_fini(&job);
}

static const char *const libraries[] = { "mpich", "mpich41", "mpich5" };

enum { LIBRARIES = sizeof libraries / sizeof *libraries };

static int library_of(int i)
{
	return tmap_keywords_find(&tmap_libraries, libraries[i], &err);
}

static void own_init(struct tmap_selection *selection, int release)
{
	*selection = (struct tmap_selection){ 0 };
	for (int row = 0; tmap_mpich_collective_at(row); row++)
		ck_assert_int_eq(tmap_selection_add_collective(selection, row, release, &err), 0);
}

/* On one rank a node, where it composes nothing. */
START_TEST(the_tree_of_the_library_selects_what_it_takes_by_itself)
{
	struct tmap_selection own;
	int seen = 0, library = library_of(_i);

	own_init(&own, tmap_library_releases(library).first);
	for (int nodes = 2; nodes <= 20; nodes++) {
		struct tmap_order order;

		job_init(nodes, 1);
		ck_assert_int_eq(tmap_order_find(&order, &job, &err), 0);
		for (int row = 0; tmap_mpich_collective_at(row); row++)
			for (int64_t bytes = 8; bytes < 1 << 21; bytes += 8 * (bytes / 64 + 1)) {
				int collective = tmap_mpich_collective_at(row)->collective;
				struct tmap_library_call call = {
					.collective = (enum tmap_collective)collective,
					.size = nodes,
					.bytes = bytes,
					.order = &order
				};
				const struct tmap_selection_node *leaf;
				struct tmap_mpich_choice choice;
				const char *name;

				if (collective == TMAP_NONE)
					continue;
				call.element = tmap_collective_rows[collective].reduces ? 8 : 1;
				leaf = tmap_selection_find(&own, &call);
				ck_assert(leaf);
				ck_assert_int_eq(leaf->collective, row);
				choice = tmap_selection_choice(&own, leaf);
				name = tmap_mpich_choice_ours(row, &choice, nodes);
				ck_assert(name);
				ck_assert_str_eq(name,
						 tmap_library_choose(library, &call).algorithm);
				seen++;
			}
		job_fini();
	}
	ck_assert_int_gt(seen, 1000);
	tmap_selection_fini(&own);
}
END_TEST

/* Sizes at which the search took another one, and their neighbors. */
START_TEST(a_tree_selects_what_the_search_found_to_the_element)
{
	static const struct tmap_tune_request request = { .most = 1 << 18 };
	int changes = 0;

	for (int nodes = 5; nodes <= 8; nodes++) {
		struct tmap_tune_request mine = request;
		struct tmap_tuning tuning;
		struct tmap_selection selection;
		struct tmap_rule_findings findings;

		job_init(nodes, 1);
		mine.library = library_of(_i);
		ck_assert_int_eq(tmap_tuning_init(&tuning, &places, &mine, &err), 0);
		ck_assert_int_eq(tmap_selection_init(&selection, &tuning, &err), 0);
		ck_assert_int_eq(
			tmap_selection_lint(&findings, &selection, mine.library, NULL, 0, &err), 0);
		ck_assert_int_eq(findings.count, 0);
		tmap_rule_findings_fini(&findings);
		for (int c = 0; c < tuning.count; c++) {
			const struct tmap_tune_collective *it = &tuning.collective[c];
			const struct tmap_tune_list *list = &it->list[0];
			int row = tmap_mpich_collective_of(it->choices.collective);

			for (int i = 0; it->count && i < list->count; i++)
				for (int before = 0; before < (i ? 2 : 1); before++) {
					const struct tmap_tune_step *step = &list->step[i - before];
					const struct tmap_library_call call = {
						.collective = it->choices.collective,
						.size = nodes,
						.bytes = list->step[i].bytes -
							before * it->choices.element,
						.element = it->choices.element,
						.order = &places.place[0]->order
					};
					const struct tmap_selection_node *leaf =
						tmap_selection_find(&selection, &call);
					const char *name = step->choice == TMAP_NONE ?
						NULL :
						it->choices.choice[step->choice].name;

					ck_assert(leaf);
					if (!name)
						continue;
					changes++;
					ck_assert_int_eq(
						leaf->value,
						it->choices.choice[step->choice].rule.algorithm);
					ck_assert_int_eq(leaf->collective, row);
				}
		}
		tmap_selection_fini(&selection);
		tmap_tuning_fini(&tuning);
		job_fini();
	}
	ck_assert_int_gt(changes, 10);
}
END_TEST

/* Each as the first one of the collective. */
START_TEST(tests_pass_as_the_library_makes_them)
{
	static const struct {
		const char *test;
		int ranks;
		int64_t bytes;
		bool passes;
	} tests[] = {
		{ "comm_size<6", 6, 1, false },       { "comm_size<6", 5, 1, true },
		{ "comm_size<=6", 6, 1, true },       { "comm_size=pow2", 6, 1, false },
		{ "comm_size=pow2", 8, 1, true },     { "total_msg_size<12", 6, 2, false },
		{ "total_msg_size<=12", 6, 2, true }, { "total_msg_size<13", 6, 2, true },
		{ "count<=7", 6, 7, true },           { "count<=7", 6, 8, false },
		{ "count<pow2", 6, 3, true },         { "count<pow2", 6, 4, false },
		{ "comm_type=inter", 6, 1, false },   { "comm_size=any", 6, 1, true },
	};

	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
		const struct tmap_library_call call = { .collective = TMAP_ALLGATHER,
							.size = tests[i].ranks,
							.bytes = tests[i].bytes,
							.element = 1 };
		struct tmap_selection selection = { 0 };
		int node = tmap_selection_add_text(&selection, 0, "collective=allgather", &err);

		node = tmap_selection_add_text(&selection, node, tests[i].test, &err);
		ck_assert_int_ge(node, 0);
		ck_assert_int_gt(tmap_selection_add_text(&selection, node,
							 "algorithm=MPIR_Allgather_intra_ring",
							 &err),
				 0);
		ck_assert_msg((tmap_selection_find(&selection, &call) != NULL) == tests[i].passes,
			      "%s, %d ranks", tests[i].test, tests[i].ranks);
		tmap_selection_fini(&selection);
	}
}
END_TEST

/* Behind a test of the call comm_size<6 is for 6 ranks, too. */
START_TEST(below_a_test_of_the_call_ranks_are_taken_otherwise)
{
	for (int ranks = 5; ranks < 8; ranks++)
		for (int late = 0; late < 2; late++) {
			const struct tmap_library_call call = { .collective = TMAP_ALLGATHER,
								.size = ranks,
								.bytes = 1,
								.element = 1 };
			struct tmap_selection it = { 0 };
			int node = tmap_selection_add_text(&it, 0, "collective=allgather", &err);

			node = tmap_selection_add_text(
				&it, node, late ? "total_msg_size<100" : "comm_hierarchy=any",
				&err);
			node = tmap_selection_add_text(&it, node, "comm_size<6", &err);
			ck_assert_int_gt(
				tmap_selection_add_text(
					&it, node, "algorithm=MPIR_Allgather_intra_ring", &err),
				0);
			ck_assert_int_eq(tmap_selection_find(&it, &call) != NULL, ranks < 6 + late);
			tmap_selection_fini(&it);
		}
}
END_TEST

/* A barrier's algorithm has another name from 4.1 on, and a parameter. */
START_TEST(the_own_barrier_has_the_name_and_parameter_of_the_release)
{
	static const struct {
		int release;
		const char *leaf, *parameter;
	} releases[] = {
		{ 40, "algorithm=MPIR_Barrier_intra_dissemination", NULL },
		{ 41, "algorithm=MPIR_Barrier_intra_k_dissemination", "k=2" },
		{ 43, "algorithm=MPIR_Barrier_intra_k_dissemination", "k=2" },
		{ 50, "algorithm=MPIR_Barrier_intra_k_dissemination", "k=2" },
	};
	static const struct tmap_library_call call = { .collective = TMAP_BARRIER, .size = 6 };

	for (size_t i = 0; i < sizeof releases / sizeof *releases; i++) {
		const struct tmap_selection_node *leaf;
		struct tmap_mpich_choice choice;
		struct tmap_selection own;
		char *text;

		own_init(&own, releases[i].release);
		leaf = tmap_selection_find(&own, &call);
		text = tmap_selection_print(leaf, &err);
		ck_assert_str_eq(text, releases[i].leaf);
		free(text);
		ck_assert_int_eq(leaf->child != 0, releases[i].parameter != NULL);
		text = leaf->child ? tmap_selection_print(&own.node[leaf->child], &err) : NULL;
		ck_assert_pstr_eq(text, releases[i].parameter);
		free(text);
		choice = tmap_selection_choice(&own, leaf);
		ck_assert_str_eq(tmap_mpich_choice_ours(leaf->collective, &choice, 6),
				 "dissemination");
		tmap_selection_fini(&own);
	}
}
END_TEST

/* As rules for the communicators of a job: composed calls stay. */
START_TEST(a_tree_becomes_rules_for_a_job)
{
	static const struct tmap_rule_comm all = { 8, TMAP_SPREAD_ANY };
	struct tmap_selection own;
	struct tmap_rule_file rules;
	const struct tmap_rule *rule;

	own_init(&own, 40);
	job_init(2, 4);
	ck_assert_int_eq(tmap_selection_rules(&rules, &own, library_of(0), &places, 1 << 20, &err),
			 0);
	rule = tmap_rule_find(&rules, tmap_rule_collective_number(TMAP_ALLREDUCE), &all, 1024);
	ck_assert(rule && rule->algorithm == 0);
	for (int long_one = 0; long_one < 2; long_one++) {
		struct tmap_mpich_choice choice;

		rule = tmap_rule_find(&rules, tmap_rule_collective_number(TMAP_ALLGATHER), &all,
				      524287 + long_one);
		choice = (struct tmap_mpich_choice){ (int)rule->algorithm, (int)rule->fan };
		ck_assert_str_eq(tmap_mpich_choice_ours(tmap_mpich_collective_of(TMAP_ALLGATHER),
							&choice, 8),
				 long_one ? "ring" : "recursive_doubling");
	}
	tmap_rule_file_fini(&rules);
	tmap_selection_fini(&own);
	job_fini();
}
END_TEST

/* The whole tree of the library below tests of ranks and sizes. */
static void nested_init(struct tmap_selection *nested, int row)
{
	static const char *const above[] = { "comm_size<=4",   "comm_size<=5",      "comm_size<=8",
					     "comm_size<16",   "is_commutative=no", "comm_size<10",
					     "comm_size=pow2", "comm_size=any" };
	const char *size = tmap_selection_is_defined(row, TMAP_SELECT_BYTES) ?
		"avg_msg_size<=300" :
		"total_msg_size<2000";
	const struct tmap_selection_node top = { .value = row };
	int node;

	*nested = (struct tmap_selection){ 0 };
	node = tmap_selection_add(nested, 0, &top, &err);
	for (size_t i = 0; i < sizeof above / sizeof *above; i++) {
		int below = tmap_selection_add_text(nested, node, above[i], &err);
		int sized = tmap_selection_add_text(nested, below, size, &err);

		ck_assert_int_eq(tmap_selection_add_own(nested, sized, row, false, 40, &err), 0);
		sized = tmap_selection_add_text(nested, below, "comm_size=any", &err);
		ck_assert_int_eq(tmap_selection_add_own(nested, sized, row, false, 40, &err), 0);
	}
}

START_TEST(a_pruned_tree_selects_the_same)
{
	int smaller = 0;

	for (int row = 0; tmap_mpich_collective_at(row); row++) {
		int collective = tmap_mpich_collective_at(row)->collective;
		struct tmap_selection nested, pruned;

		if (collective == TMAP_NONE)
			continue;
		nested_init(&nested, row);
		ck_assert_int_eq(tmap_selection_prune(&pruned, &nested, &err), 0);
		smaller += pruned.count < nested.count;
		for (int ranks = 1; ranks <= 20; ranks++)
			for (int64_t bytes = 8; bytes < 1 << 21; bytes += 8 * (bytes / 64 + 1)) {
				const struct tmap_library_call call = {
					.collective = (enum tmap_collective)collective,
					.size = ranks,
					.bytes = bytes,
					.element = 8
				};
				const struct tmap_selection_node *one = tmap_selection_find(&nested,
											    &call),
								 *other = tmap_selection_find(
									 &pruned, &call);

				ck_assert(one && other);
				ck_assert_int_eq(one->value, other->value);
				ck_assert_int_eq(one->collective, other->collective);
			}
		tmap_selection_fini(&pruned);
		tmap_selection_fini(&nested);
	}
	ck_assert_int_gt(smaller, 5);
}
END_TEST

/* Most communicators of jobs have fewer ranks than the library's own tests are for. */
START_TEST(trees_of_searches_have_no_mistakes)
{
	static const int jobs[][2] = { { 1, 2 }, { 1, 4 }, { 1, 5 }, { 5, 1 }, { 7, 1 },
				       { 2, 8 }, { 7, 3 }, { 9, 1 }, { 3, 4 }, { 16, 1 } };

	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
		const struct tmap_tune_request request = { .library = library_of(0),
							   .most = 1 << 18 };
		struct tmap_rule_findings findings;
		struct tmap_selection selection;
		struct tmap_tuning tuning;

		job_init(jobs[i][0], jobs[i][1]);
		ck_assert_int_eq(tmap_tuning_init(&tuning, &places, &request, &err), 0);
		ck_assert_int_eq(tmap_selection_init(&selection, &tuning, &err), 0);
		ck_assert_int_eq(
			tmap_selection_lint(&findings, &selection, library_of(0), NULL, 0, &err),
			0);
		ck_assert_msg(findings.count == 0, "%d x %d: %s", jobs[i][0], jobs[i][1],
			      findings.count ? findings.finding[0].text : "");
		tmap_rule_findings_fini(&findings);
		tmap_selection_fini(&selection);
		tmap_tuning_fini(&tuning);
		job_fini();
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("selection");
	TCase *selection = tcase_create("selection");

	tcase_set_timeout(selection, 120);
	tcase_add_loop_test(selection, the_tree_of_the_library_selects_what_it_takes_by_itself, 0,
			    LIBRARIES);
	tcase_add_loop_test(selection, a_tree_selects_what_the_search_found_to_the_element, 0,
			    LIBRARIES);
	tcase_add_test(selection, tests_pass_as_the_library_makes_them);
	tcase_add_test(selection, below_a_test_of_the_call_ranks_are_taken_otherwise);
	tcase_add_test(selection, the_own_barrier_has_the_name_and_parameter_of_the_release);
	tcase_add_test(selection, a_tree_becomes_rules_for_a_job);
	tcase_add_test(selection, a_pruned_tree_selects_the_same);
	tcase_add_test(selection, trees_of_searches_have_no_mistakes);
	suite_add_tcase(suite, selection);
	return suite;
}
