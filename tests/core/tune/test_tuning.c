/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: topomap score, which times what was chosen and everything else by another way through the
 * code, at sizes that the search did not time. Both have one model of times, so that this says what the
 * search misses, not whether the times are right: that is held to literal clocks (tests/core/cost) and
 * a simulator (tests/smpi), and what the library does with a rule to the library (tests/mpi/rules.sh).
 */
#include "core/score/score.h"
#include "core/tune/tune_gain.h"
#include "core/tune/tuned_entry.h"
#include "core/tune/tuning.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;
static struct tmap_placement job;

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
}

/* Every rule that is written says, read again, the algorithm that it was written for. */
START_TEST(an_algorithm_as_a_rule_and_back_is_the_same)
{
	int seen = 0;

	for (int library = 0; library < 2; library++)
		for (int c = 0; c < TMAP_BARRIER; c++) {
			struct tmap_tune_choices choices;

			ck_assert_int_eq(tmap_tune_choices_init(&choices, library,
								(enum tmap_collective)c, 1, &err),
					 0);
			for (int i = 0; i < choices.said; i++, seen++) {
				const struct tmap_library_call call = { .collective =
										choices.collective,
									.size = 16,
									.bytes = 1 << 22,
									.element = 1 };
				struct tmap_call back = { .size = 16 };
				char *name, *printed;

				ck_assert_int_eq(tmap_tuned_entry_name(&name, library,
								       &choices.choice[i].rule,
								       &call, &err),
						 0);
				ck_assert_ptr_nonnull(name);
				ck_assert_int_eq(
					tmap_call_parse(&back, choices.collective, name, &err), 0);
				printed = tmap_spec_print(&back.choice, &err);
				ck_assert_str_eq(printed, choices.choice[i].name);
				free(printed);
				free(name);
			}
			ck_assert_int_gt(choices.said, 1);
			tmap_tune_choices_fini(&choices);
		}
	ck_assert_int_gt(seen, 100);
}
END_TEST

START_TEST(what_a_file_cannot_say_is_no_rule)
{
	static const struct {
		enum tmap_collective collective;
		const char *name;
		bool is_said;
	} names[] = {
		{ TMAP_BCAST, "knomial", true },
		{ TMAP_BCAST, "knomial,radix=8", false },
		{ TMAP_BCAST, "distance_tree", false },
		{ TMAP_BCAST, "hierarchical", false },
		{ TMAP_ALLGATHER, "linear", false },
		{ TMAP_ALLGATHER, "sparbit_blocks", false }, /* from 5 on */
		{ TMAP_ALLREDUCE, "reduce_bcast", false },
		{ TMAP_ALLREDUCE, "reduce_bcast,reduce=flat,bcast=flat", true },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct tmap_call call = { .size = 8 };
		struct tmap_rule rule;
		bool is_said;

		ck_assert_int_eq(tmap_call_parse(&call, names[i].collective, names[i].name, &err),
				 0);
		ck_assert_int_eq(tmap_tuned_entry_of(&rule, &is_said, 0, names[i].collective,
						     &call.choice, &err),
				 0);
		ck_assert_msg(is_said == names[i].is_said, "%s", names[i].name);
	}
}
END_TEST

static double score_of(const struct tmap_score *score, const char *name)
{
	for (int i = 0; i < score->applicable; i++)
		if (strcmp(score->row[i].name, name) == 0)
			return score->row[i].seconds;
	ck_abort_msg("%s is no row", name);
	return 0;
}

/* Of a list, the step of so many bytes. */
static const struct tmap_tune_step *step_at(const struct tmap_tune_list *list, int64_t bytes)
{
	int at = 0;

	while (at + 1 < list->count && list->step[at + 1].bytes <= bytes)
		at++;
	return &list->step[at];
}

/* For all ranks: what was chosen, by its name, against all rows with preset values that the library
 * can be set to, and against its own. */
static void check_size(const struct tmap_tune_collective *it, const struct tmap_tune_list *list,
		       int64_t bytes)
{
	const struct tmap_tune_step *step = step_at(list, bytes);
	const char *name = step->choice == TMAP_NONE ? NULL : it->choices.choice[step->choice].name;
	struct tmap_score_request request = { .collective = it->choices.collective,
					      .bytes = bytes,
					      .element = it->choices.element,
					      .has_library = true,
					      .defaults = TMAP_SCORE_DEFAULTS_PICKED };
	struct tmap_score all, one;
	double chosen, best = INFINITY;

	ck_assert_int_eq(tmap_score_init(&all, &job, &request, &err), 0);
	for (int i = 0; i < all.applicable; i++) {
		struct tmap_rule rule;
		bool is_said;

		ck_assert_int_eq(tmap_tuned_entry_of(&rule, &is_said, 0, request.collective,
						     &all.row[i].call.choice, &err),
				 0);
		if (is_said && tmap_score_knob(&all.row[i], 0))
			best = fmin(best, all.row[i].seconds);
	}
	if (all.defaults[0].name)
		best = fmin(best, all.defaults[0].seconds);
	chosen = all.defaults[0].name ? all.defaults[0].seconds : INFINITY;
	if (name) {
		request.algorithm = &name;
		request.algorithm_count = 1;
		ck_assert_int_eq(tmap_score_init(&one, &job, &request, &err), 0);
		chosen = score_of(&one, name);
		tmap_score_fini(&one);
	}
	ck_assert_msg(chosen <= 1.1 * best, "%s of %lld bytes: %s takes %g s, %g s are possible",
		      tmap_collective_rows[request.collective].word.name, (long long)bytes,
		      name ? name : "own", chosen, best);
	tmap_score_fini(&all);
}

/* The library is not set to what it hands over. Between doublings a third one may be the fastest for a
 * while, so a tenth is allowed there; at doublings 2 %, and what was hopeless before is not asked. */
START_TEST(what_is_chosen_is_among_the_fastest_between_the_sizes_that_were_timed)
{
	struct tmap_tune_request request = { .most = 1 << 20 };
	struct tmap_tune_places places;
	struct tmap_tuning tuning;
	int checked = 0;

	job_init(4, 4);
	ck_assert_int_eq(tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err), 0);
	ck_assert_int_eq(places.count, 3);
	ck_assert_int_eq(tmap_tuning_init(&tuning, &places, &request, &err), 0);
	for (int c = 0; c < tuning.count; c++) {
		const struct tmap_tune_collective *it = &tuning.collective[c];
		const struct tmap_tune_list *list = &it->list[it->count - 1];

		ck_assert_int_eq(list->ranks, 16);
		if (list->unit == TMAP_RULE_ELEMENT || list->unit == TMAP_RULE_NOTHING) {
			ck_assert_int_eq(list->count, 1);
			continue;
		}
		for (int64_t n = it->choices.element; n < request.most; n = 3 * n, checked++)
			check_size(it, list, n);
		for (int i = 1; i < list->count; i++) {
			check_size(it, list, list->step[i].bytes - it->choices.element);
			check_size(it, list, list->step[i].bytes);
		}
	}
	ck_assert_int_gt(checked, 80);
	tmap_tuning_fini(&tuning);
	tmap_tune_places_fini(&places);
	tmap_placement_fini(&job);
}
END_TEST

/* One element before a step nothing is gained by it, at the step something is. */
START_TEST(steps_begin_at_the_element_from_which_on_they_are_faster)
{
	struct tmap_tune_request request = { .most = 1 << 20 };
	struct tmap_tune_places places;
	struct tmap_tuning tuning;
	int checked = 0;

	job_init(2, 4);
	ck_assert_int_eq(tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err), 0);
	ck_assert_int_eq(tmap_tuning_init(&tuning, &places, &request, &err), 0);
	for (int c = 0; c < tuning.count; c++)
		for (int l = 0; l < tuning.collective[c].count; l++) {
			const struct tmap_tune_collective *it = &tuning.collective[c];
			const struct tmap_tune_list *list = &it->list[l];

			for (int i = 1; i < list->count; i++, checked++) {
				int one = list->step[i - 1].choice, other = list->step[i].choice;

				for (int before = 0; before < 2; before++) {
					double seconds[2];

					for (int k = 0; k < 2; k++) {
						struct tmap_tune_place *const *place =
							&places.place[list->first_place];
						int64_t bytes = list->step[i].bytes -
							before * it->choices.element;
						int which = k ? other : one;

						ck_assert_int_eq(
							which == TMAP_NONE ?
								tmap_tune_own_cost(
									&seconds[k], NULL,
									&it->choices, false, place,
									list->place_count, bytes,
									&err) :
								tmap_tune_choice_cost(
									&seconds[k], &it->choices,
									which, place,
									list->place_count, bytes,
									&err),
							0);
					}
					ck_assert_int_eq(seconds[0] >
								 TMAP_TUNE_TOLERANCE * seconds[1],
							 !before);
				}
			}
		}
	ck_assert_int_gt(checked, 20);
	tmap_tuning_fini(&tuning);
	tmap_tune_places_fini(&places);
	tmap_placement_fini(&job);
}
END_TEST

/* In full segments and a rest, by elements also where these are bytes: three equal pieces of 500000 bytes
 * would be eager messages. */
START_TEST(vectors_are_timed_as_the_library_cuts_them)
{
	static const char *const names[] = { "pipeline,segment=16384",
					     "split_binary,segment=16384" };
	struct tmap_tune_places places;

	job_init(2, 2);
	ck_assert_int_eq(tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct tmap_tune_choices choices = { .collective = TMAP_BCAST, .element = 1 };
		struct tmap_score_request request = { .collective = TMAP_BCAST,
						      .bytes = 500000,
						      .element = 1,
						      .algorithm = &names[i],
						      .algorithm_count = 1 };
		struct tmap_score score;
		double seconds;

		ck_assert_int_eq(tmap_score_init(&score, &job, &request, &err), 0);
		ck_assert_int_eq(tmap_tune_name_cost(&seconds, &choices, names[i],
						     &places.place[places.count - 1], 1,
						     request.bytes, &err),
				 0);
		ck_assert_double_eq_tol(seconds, score.row[0].seconds, 1e-12);
		tmap_score_fini(&score);
	}
	tmap_tune_places_fini(&places);
	tmap_placement_fini(&job);
}
END_TEST

START_TEST(communicators_of_a_job_are_each_there_once)
{
	static const int row[] = { 0, 1, 2, 3 }, other[] = { 4, 5 };
	struct tmap_tune_places places;

	job_init(2, 4);
	ck_assert_int_eq(tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err), 0);
	ck_assert_int_eq(places.count, 3);
	ck_assert_int_eq(places.place[0]->placement.size, 2);
	ck_assert_int_eq(places.place[1]->placement.size, 4);
	ck_assert_int_eq(places.place[2]->placement.size, 8);
	ck_assert_int_eq(tmap_tune_places_add(&places, "row:4", row, 4, &err), 0);
	ck_assert_int_eq(places.count, 3); /* the node */
	ck_assert_int_eq(tmap_tune_places_add(&places, "4-5", other, 2, &err), 0);
	ck_assert_int_eq(places.count, 4);
	ck_assert_str_eq(places.place[1]->what, "4-5");
	tmap_tune_places_fini(&places);
	tmap_placement_fini(&job);

	job_init(4, 1); /* all of them are one rank of each node */
	ck_assert_int_eq(tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err), 0);
	ck_assert_int_eq(places.count, 1);
	tmap_tune_places_fini(&places);
	tmap_placement_fini(&job);

	job_init(1, 1);
	ck_assert_int_eq(tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err), 0);
	ck_assert_int_eq(places.count, 0);
	tmap_tune_places_fini(&places);
	tmap_placement_fini(&job);
}
END_TEST

/* A collective that is called 3 s on the one and 1 s on the other communicator of 4 ranks. */
START_TEST(communicators_of_a_program_count_by_the_seconds_in_them)
{
	static int node[] = { 0, 1, 2, 3 }, column[] = { 0, 2, 4, 6 }, alone[] = { 5 };
	struct tmap_recorded_communicator communicator[] = {
		{ 4, node, (char *)"", (char *)"" },
		{ 4, column, (char *)"x\ny", (char *)"" },
		{ 1, alone, (char *)"", (char *)"" },
	};
	struct tmap_recorded_call call[] = {
		{ .collective = TMAP_RECORDED_BCAST,
		  .communicator = 0,
		  .bytes = 4096,
		  .calls = 10,
		  .seconds_max = 1 },
		{ .collective = TMAP_RECORDED_BCAST,
		  .communicator = 1,
		  .root = 3,
		  .bytes = 4096,
		  .calls = 20,
		  .seconds_max = 3 },
		{ .collective = TMAP_RECORDED_REDUCE,
		  .communicator = 1,
		  .bytes = 64,
		  .element = 8,
		  .calls = 5 },
		{ .collective = TMAP_RECORDED_ALLGATHERV,
		  .communicator = 1,
		  .bytes = 64,
		  .calls = 5,
		  .seconds_max = 9 },
		{ .collective = TMAP_RECORDED_SCAN,
		  .communicator = 1,
		  .mode = TMAP_NONBLOCKING,
		  .bytes = 64,
		  .calls = 5 },
		{ .collective = TMAP_RECORDED_SCAN,
		  .communicator = 2,
		  .bytes = 64,
		  .calls = 5,
		  .seconds_max = 9 },
	};
	struct tmap_tune_request request = { .most = 4096 };
	struct tmap_record record = {
		.communicator_count = 3, .communicator = communicator, .call_count = 6, .call = call
	};
	double one[2], both, own = 0, with = 0;
	struct tmap_tune_choices choices;
	struct tmap_tune_places places;
	struct tmap_tune_gain gain;
	struct tmap_tuning tuning;

	job_init(2, 4);
	record.placement = job;
	ck_assert_int_eq(tmap_tune_places_init_record(&places, &record, tmap_profile_at(0), &err),
			 0);
	ck_assert_int_eq(places.count, 2);
	ck_assert_ptr_null(strchr(places.place[0]->what, '\n'));
	ck_assert_int_eq(tmap_tune_choices_init(&choices, 0, TMAP_BCAST, 1, &err), 0);
	for (int p = 0; p < 2; p++) {
		double share = places.place[p]->communicator ? 0.75 : 0.25;

		ck_assert_double_eq_tol(tmap_tune_share(places.place, 2, p, TMAP_BCAST), share,
					1e-9);
		ck_assert_double_eq_tol(tmap_tune_share(places.place, 2, p, TMAP_REDUCE),
					places.place[p]->communicator, 1e-9);
		ck_assert_double_eq_tol(tmap_tune_share(places.place, 2, p, TMAP_SCAN), 0, 1e-9);
		ck_assert_int_eq(tmap_tune_choice_cost(&one[p], &choices, 0, &places.place[p], 1,
						       4096, &err),
				 0);
		one[p] = pow(one[p], share);
	}
	ck_assert_int_eq(tmap_tune_choice_cost(&both, &choices, 0, places.place, 2, 4096, &err), 0);
	ck_assert_double_eq_tol(both, one[0] * one[1], 1e-12);

	ck_assert_int_eq(tmap_tuning_init(&tuning, &places, &request, &err), 0);
	ck_assert_int_eq(tuning.count, 2); /* bcast and reduce */
	ck_assert_int_eq(tmap_tune_gain_find(&gain, &tuning, NULL, &record, &err), 0);
	ck_assert_int_eq(gain.calls, 35);
	ck_assert_int_eq(gain.measured, 0);
	ck_assert_int_eq(gain.others, 5); /* of allgatherv */
	for (int i = 0; i < 3; i++) {
		const struct tmap_tune_collective *it = &tuning.collective[i == 2];
		const struct tmap_tune_step *step = step_at(&it->list[0], call[i].bytes);
		struct tmap_tune_choices rooted = it->choices;
		int p = places.place[0]->communicator == call[i].communicator ? 0 : 1;
		double seconds;

		rooted.root = call[i].root;
		ck_assert_int_eq(tmap_tune_own_cost(&seconds, NULL, &rooted, false,
						    &places.place[p], 1, call[i].bytes, &err),
				 0);
		own += seconds * (double)call[i].calls;
		if (step->choice != TMAP_NONE)
			ck_assert_int_eq(tmap_tune_choice_cost(&seconds, &rooted, step->choice,
							       &places.place[p], 1, call[i].bytes,
							       &err),
					 0);
		with += seconds * (double)call[i].calls;
	}
	ck_assert_double_eq_tol(gain.own_s, own, 1e-12);
	ck_assert_double_eq_tol(gain.seconds, with, 1e-12);
	tmap_tuning_fini(&tuning);
	tmap_tune_choices_fini(&choices);
	tmap_tune_places_fini(&places);
	tmap_placement_fini(&job);
}
END_TEST

/* What has been reported of a search. */
struct reports {
	struct tmap_progress progress;
	int count;
	int64_t done, all;
	double first; /* part of the whole */
};

static void reports_add(struct tmap_progress *progress, int64_t done, int64_t all,
			const char *parts)
{
	struct reports *reports = (struct reports *)progress;

	ck_assert_ptr_null(parts);
	ck_assert_int_gt(done, reports->done);
	if (!reports->count++)
		reports->first = (double)done / (double)all;
	reports->done = done;
	reports->all = all;
}

/* The first communicator has two of the 128 + 64 + 2 ranks. */
START_TEST(progress_counts_ranks_and_not_communicators)
{
	struct reports reports = { .progress = { .report = reports_add } };
	const struct tmap_tune_request request = { .collectives = UINT64_C(1) << TMAP_BCAST,
						   .most = 64,
						   .progress = &reports.progress };
	struct tmap_tune_places places;
	struct tmap_tuning tuning;

	job_init(2, 64);
	ck_assert_int_eq(tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err), 0);
	ck_assert_int_eq(tmap_tuning_init(&tuning, &places, &request, &err), 0);
	ck_assert_int_eq(reports.count, 3);
	ck_assert_int_eq(reports.done, reports.all);
	ck_assert_double_eq_tol(reports.first, 2.0 / 194, 1e-9);
	tmap_tuning_fini(&tuning);
	tmap_tune_places_fini(&places);
	tmap_placement_fini(&job);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("tuning");
	TCase *tuning = tcase_create("tuning");

	tcase_set_timeout(tuning, 120);
	tcase_add_test(tuning, an_algorithm_as_a_rule_and_back_is_the_same);
	tcase_add_test(tuning, what_a_file_cannot_say_is_no_rule);
	tcase_add_test(tuning,
		       what_is_chosen_is_among_the_fastest_between_the_sizes_that_were_timed);
	tcase_add_test(tuning, steps_begin_at_the_element_from_which_on_they_are_faster);
	tcase_add_test(tuning, vectors_are_timed_as_the_library_cuts_them);
	tcase_add_test(tuning, communicators_of_a_job_are_each_there_once);
	tcase_add_test(tuning, communicators_of_a_program_count_by_the_seconds_in_them);
	tcase_add_test(tuning, progress_counts_ranks_and_not_communicators);
	suite_add_tcase(suite, tuning);
	return suite;
}
