/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: both times of every call, asked one by one: what the library takes by itself, by its name, and what the
 * rules of the search say, by the name of that.
 */
#include "core/tune/han_tuning.h"
#include "core/tune/tune_gain.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>

static struct tmap_error err;
static struct tmap_placement job;
static struct tmap_tune_places places;
static struct tmap_tuning tuning;
static struct tmap_han_tuning han;

static void start(int nodes, int cores)
{
	struct tmap_tune_request request = { .library = 1, .most = 1 << 17 };
	int *place = malloc((size_t)(nodes * cores) * sizeof *place);

	for (int r = 0; r < nodes * cores; r++)
		place[r] = r;
	placement_seats_take(&job,
			     machine_regular(nodes,
					     (const struct test_level[]){ { TMAP_CORE, cores },
									  { TMAP_CORE, 0 } }),
			     place, nodes * cores);
	free(place);
	ck_assert_str_eq(tmap_keywords_at(&tmap_libraries, 1)->name, "openmpi5");
	ck_assert_int_eq(tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err), 0);
	ck_assert_int_eq(tmap_tuning_init(&tuning, &places, &request, &err), 0);
	ck_assert_int_eq(tmap_han_tuning_init(&han, &tuning, &err), 0);
}

static void stop(void)
{
	tmap_han_tuning_fini(&han);
	tmap_tuning_fini(&tuning);
	tmap_tune_places_fini(&places);
	tmap_placement_fini(&job);
}

/* Of a call: by coll/han, and by the rules of coll/tuned. */
static void times_of(double seconds[2], const struct tmap_han_list *list, int64_t bytes)
{
	const struct tmap_tune_choices *choices = &list->collective->choices;
	struct tmap_tune_place *place = list->place[0];
	const struct tmap_library_call call = { .collective = choices->collective,
						.size = place->placement.size,
						.bytes = bytes,
						.element = choices->element,
						.order = &place->order };
	const struct tmap_library_choice own[] = { tmap_library_choose(1, &call),
						   tmap_library_tuned_own(&call) };
	int at = 0;

	for (int k = 0; k < 2; k++) {
		seconds[k] = INFINITY;
		if (own[k].algorithm[0])
			ck_assert_int_eq(tmap_tune_name_cost(&seconds[k], choices, own[k].algorithm,
							     list->place, 1, bytes, &err),
					 0);
	}
	while (at + 1 < list->list->count && list->list->step[at + 1].bytes <= bytes)
		at++;
	if (list->list->step[at].choice != TMAP_NONE)
		ck_assert_int_eq(tmap_tune_choice_cost(&seconds[1], choices,
						       list->list->step[at].choice, list->place, 1,
						       bytes, &err),
				 0);
}

static bool is_slower(const struct tmap_han_list *list, bool is_tuned, int64_t bytes)
{
	double seconds[2];

	times_of(seconds, list, bytes);
	return isfinite(seconds[0]) && isfinite(seconds[1]) &&
		seconds[is_tuned] > TMAP_TUNE_TOLERANCE * seconds[!is_tuned];
}

START_TEST(who_has_a_call_is_not_slower_than_the_other)
{
	int checked = 0, kept = 0;

	start(4, 4);
	ck_assert(tmap_han_is_there(&tuning));
	ck_assert_int_eq(han.count,
			 7); /* all ranks: those of a node, or of one each, are not HAN's */
	for (int l = 0; l < han.count; l++) {
		const struct tmap_han_list *list = &han.list[l];
		int64_t element = list->collective->choices.element, most = list->collective->most;

		ck_assert_int_eq(list->place_count, 1);
		ck_assert_int_eq(list->step[0].bytes, 0);
		if (list->collective->choices.collective == TMAP_BARRIER) {
			ck_assert(!is_slower(list, list->step[0].is_tuned, 0));
			continue;
		}
		for (int64_t bytes = element; bytes <= most; bytes *= 2, checked++) {
			bool keeps = tmap_han_keeps(&han, list->collective, list->place[0], bytes);

			kept += keeps;
			ck_assert_msg(!is_slower(list, !keeps, bytes), "%s of %lld bytes",
				      tmap_rule_collective_row(list->collective->number)->word.name,
				      (long long)bytes);
		}
		ck_assert(tmap_han_keeps(&han, list->collective, list->place[0], most + 1));
	}
	ck_assert_int_gt(checked, 90);
	ck_assert_int_gt(kept, 0);
	ck_assert_int_lt(kept, checked);
	stop();
}
END_TEST

START_TEST(steps_begin_at_the_element_from_which_on_the_other_is_faster)
{
	int steps = 0;

	start(4, 4);
	for (int l = 0; l < han.count; l++)
		for (int i = 1; i < han.list[l].count; i++, steps++) {
			const struct tmap_han_list *list = &han.list[l];
			const struct tmap_han_step *step = &list->step[i];

			ck_assert(step->is_tuned != list->step[i - 1].is_tuned);
			ck_assert(is_slower(list, !step->is_tuned, step->bytes));
			ck_assert(!is_slower(list, !step->is_tuned,
					     step->bytes - list->collective->choices.element));
		}
	ck_assert_int_gt(steps, 2);
	stop();
}
END_TEST

/* A program that makes a call of each size once: whoever has it, by the times of that. */
START_TEST(what_a_program_gains_is_by_whoever_has_a_call)
{
	static const int64_t bytes[] = { 8, 64, 600, 2000, 1 << 16 };
	enum { CALLS = sizeof bytes / sizeof *bytes };
	struct tmap_recorded_call call[CALLS];
	struct tmap_recorded_communicator world = { .size = 16 };
	struct tmap_record record = {
		.communicator_count = 1, .communicator = &world, .call_count = CALLS, .call = call
	};
	double wanted[2] = { 0 };
	struct tmap_tune_gain gain;
	const struct tmap_han_list *scatter;
	int kept = 0;

	start(4, 4);
	scatter = &han.list[han.count - 1];
	ck_assert_int_eq(scatter->collective->choices.collective, TMAP_SCATTER);
	scatter->place[0]->communicator = 0;
	for (int i = 0; i < CALLS; i++) {
		bool keeps = tmap_han_keeps(&han, scatter->collective, scatter->place[0], bytes[i]);
		double seconds[2];

		call[i] = (struct tmap_recorded_call){ .collective = TMAP_RECORDED_SCATTER,
						       .bytes = bytes[i],
						       .calls = 1 };
		times_of(seconds, scatter, bytes[i]);
		wanted[0] += seconds[0];
		wanted[1] += seconds[!keeps];
		kept += keeps;
	}
	ck_assert_int_gt(kept, 0);
	ck_assert_int_lt(kept, CALLS);
	ck_assert_int_eq(tmap_tune_gain_find(&gain, &tuning, &han, &record, &err), 0);
	ck_assert_int_eq(gain.calls, CALLS);
	ck_assert_double_eq_tol(gain.own_s, wanted[0], 1e-12);
	ck_assert_double_eq_tol(gain.seconds, wanted[1], 1e-12);
	stop();
}
END_TEST

START_TEST(on_one_node_there_is_no_han)
{
	start(1, 4);
	ck_assert(!tmap_han_is_there(&tuning));
	ck_assert_int_eq(han.count, 0);
	stop();
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("what coll/han keeps");
	TCase *search = tcase_create("search");

	tcase_set_timeout(search, 120);
	tcase_add_test(search, who_has_a_call_is_not_slower_than_the_other);
	tcase_add_test(search, steps_begin_at_the_element_from_which_on_the_other_is_faster);
	tcase_add_test(search, what_a_program_gains_is_by_whoever_has_a_call);
	tcase_add_test(search, on_one_node_there_is_no_han);
	suite_add_tcase(suite, search);
	return suite;
}
