/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: straight lines in logarithms, written down here, and sizes and choices that follow from
 * the times by hand.
 */
#include "core/tune/tune_times.h"
#include "core/tune/tune_uses.h"
#include "core/tune/tuning.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KIB = 1024 };

static struct tmap_error err;
static struct tmap_placement job;
static struct tmap_tune_places places;
static struct tmap_times measured;

/* Of 8 ranks on two nodes, nothing measured yet. */
static void setup(void)
{
	int place[8];

	for (int r = 0; r < 8; r++)
		place[r] = r;
	for (int i = 0; i < 2; i++)
		placement_seats_take(i ? &measured.placement : &job,
				     machine_regular(2,
						     (const struct test_level[]){
							     { TMAP_CORE, 4 }, { TMAP_CORE, 0 } }),
				     place, 8);
	measured.mpi = strdup("Open MPI v4.1.4");
	measured.date = strdup("2026-11-01T00:00:00Z");
	measured.sync = strdup("barrier");
	ck_assert_int_eq(tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err), 0);
}

static void teardown(void)
{
	tmap_tune_places_fini(&places);
	tmap_placement_fini(&job);
	tmap_times_fini(&measured);
	measured = (struct tmap_times){ 0 };
}

/* A bcast of one launch, whose median is known to be within a part of it. */
static void measure(const char *algorithm, int64_t bytes, double seconds, double within)
{
	struct tmap_experiment one = { .collective = TMAP_BCAST,
				       .on = { .call = TMAP_NO_VIRTUAL },
				       .algorithm = strdup(algorithm),
				       .bytes = bytes,
				       .repetitions = 9,
				       .is_correct = true,
				       .run_count = 1 };

	one.seconds.median = seconds;
	one.seconds.min = one.seconds.low = seconds * (1 - within);
	one.seconds.max = one.seconds.high = seconds * (1 + within);
	one.seconds.has_interval = true;
	one.run = calloc(1, sizeof *one.run);
	one.run[0] = seconds;
	ck_assert_int_eq(tmap_times_add_take(&measured, &one, &err), 0);
}

/* The last one, once alone: nothing is known of how far other times are from it. */
static void once(void)
{
	struct tmap_experiment *last = &measured.experiment[measured.count - 1];

	last->repetitions = 1;
	last->seconds.has_interval = false;
}

static const struct tmap_tune_list *list_of_all(const struct tmap_tuning *tuning)
{
	const struct tmap_tune_collective *it = &tuning->collective[0];

	ck_assert_int_eq(it->list[it->count - 1].ranks, 8);
	return &it->list[it->count - 1];
}

static void tune(struct tmap_tuning *tuning, int64_t most)
{
	const struct tmap_tune_request request = { .collectives = UINT64_C(1) << TMAP_BCAST,
						   .most = most };

	ck_assert_int_eq(tmap_tune_places_measure(&places, &measured, 0, &err), 0);
	ck_assert_int_eq(tmap_tuning_init(tuning, &places, &request, &err), 0);
}

/* "" of the library's own. */
static const char *name_at(const struct tmap_tuning *tuning, int64_t bytes,
			   enum tmap_tune_source *source)
{
	const struct tmap_tune_list *list = list_of_all(tuning);
	const struct tmap_tune_step *step = &list->step[0];

	for (int i = 0; i < list->count && list->step[i].bytes <= bytes; i++)
		step = &list->step[i];
	*source = step->source;
	return step->choice == TMAP_NONE ? "" :
					   tuning->collective[0].choices.choice[step->choice].name;
}

/* Own: 10 us at 1 KiB, 40 us at 4 KiB: with the size. Pipeline: 20 us at both. The line of the one is 2 %
 * above that of the other at 2 KiB x 1.02, as the pipeline is flat. */
START_TEST(a_crossover_between_two_sizes_is_where_the_lines_cross)
{
	struct tmap_tuning tuning;
	enum tmap_tune_source source;
	int64_t from = (int64_t)ceil(2 * KIB * TMAP_TUNE_TOLERANCE);

	measure("native", KIB, 1e-5, 1e-6);
	measure("native", 4 * KIB, 4e-5, 1e-6);
	measure("native:pipeline,segment=512", KIB, 2e-5, 1e-6);
	measure("native:pipeline,segment=512", 4 * KIB, 2e-5, 1e-6);
	tune(&tuning, 1 << 16);
	ck_assert_str_eq(name_at(&tuning, from - 2, &source), "");
	ck_assert_int_eq(source, TMAP_TUNE_MEASURED);
	ck_assert_str_eq(name_at(&tuning, from + 1, &source), "pipeline,segment=512");
	ck_assert_str_eq(name_at(&tuning, 4 * KIB, &source), "pipeline,segment=512");
	ck_assert_int_eq(source, TMAP_TUNE_MEASURED);
	name_at(&tuning, 4 * KIB + 1, &source);
	ck_assert_int_eq(source, TMAP_TUNE_PREDICTED);
	name_at(&tuning, KIB - 1, &source);
	ck_assert_int_eq(source, TMAP_TUNE_PREDICTED);
	ck_assert_int_eq(list_of_all(&tuning)->measured, 1);
	tmap_tuning_fini(&tuning);
}
END_TEST

START_TEST(what_may_be_as_fast_changes_nothing)
{
	struct tmap_tuning tuning;
	enum tmap_tune_source source;

	measure("native", KIB, 1e-5, 0.1);
	measure("native", 2 * KIB, 2e-5, 0.1);
	measure("native:flat", KIB, 0.85e-5, 0.1);
	measure("native:flat", 2 * KIB, 1.5e-5, 0.1);
	tune(&tuning, 2 * KIB);
	ck_assert_str_eq(name_at(&tuning, KIB, &source), "");
	ck_assert_int_eq(source, TMAP_TUNE_MEASURED);
	ck_assert_str_eq(name_at(&tuning, 2 * KIB, &source), "flat");
	tmap_tuning_fini(&tuning);
}
END_TEST

START_TEST(sizes_that_are_farther_apart_say_nothing_of_those_between)
{
	struct tmap_tune_choices choices;
	struct tmap_tune_times times;
	struct tmap_tune_time time;
	struct tmap_tune_place **place = &places.place[places.count - 1];

	measure("native", KIB, 1e-5, 0.1);
	measure("native", 4 * KIB, 8e-5, 0.1);
	measure("native", 17 * KIB, 9e-5, 0.1);
	measure("native:flat", KIB, 1e-5, 0.1);
	ck_assert_int_eq(tmap_tune_places_measure(&places, &measured, 0, &err), 0);
	ck_assert_ptr_eq((*place)->times, &measured);
	ck_assert_int_eq(tmap_tune_choices_init(&choices, 0, TMAP_BCAST, 1, &err), 0);
	ck_assert_int_eq(tmap_tune_times_init(&times, &choices, place, 1, &err), 0);

	ck_assert(tmap_tune_times_itself(&time, &times, 2 * KIB));
	ck_assert_double_eq_tol(time.seconds, sqrt(1e-5 * 8e-5), 1e-12);
	ck_assert_double_eq_tol(time.low, 0.9 * sqrt(1e-5 * 8e-5), 1e-12);
	ck_assert_double_eq_tol(time.high, 1.1 * sqrt(1e-5 * 8e-5), 1e-12);
	ck_assert(tmap_tune_times_itself(&time, &times, 17 * KIB));
	ck_assert(!tmap_tune_times_itself(&time, &times, 8 * KIB));
	ck_assert(!tmap_tune_times_itself(&time, &times, KIB - 1));
	ck_assert(!tmap_tune_times_itself(&time, &times, 17 * KIB + 1));
	/* one thing alone is no choice */
	ck_assert(tmap_tune_times_cover(&times, KIB));
	ck_assert(!tmap_tune_times_cover(&times, 2 * KIB));
	ck_assert_int_eq(tmap_tune_times_next(&times, 0), KIB);
	ck_assert_int_eq(tmap_tune_times_next(&times, KIB), 4 * KIB);
	ck_assert_int_eq(tmap_tune_times_next(&times, 17 * KIB), INT64_MAX);
	ck_assert_int_eq(tmap_tune_times_count(&times), 1);
	tmap_tune_times_fini(&times);
	tmap_tune_choices_fini(&choices);
}
END_TEST

START_TEST(wrong_results_other_roots_and_no_time_do_not_count)
{
	struct tmap_tune_uses uses;
	struct tmap_tuning tuning;
	enum tmap_tune_source source;

	measure("native", KIB, 1e-5, 0.01);
	measure("native:flat", KIB, 1e-6, 0.01);
	measured.experiment[1].is_correct = false;
	measure("native:knomial", KIB, 1e-6, 0.01);
	measured.experiment[2].root = 3;
	measure("native:pipeline", KIB, 0, 0);
	measure("native:binary", KIB, 1e-6, 0.01);
	measured.experiment[4].mode = TMAP_NONBLOCKING;
	measure("mockup:scatter+allgather", KIB, 1e-6, 0.01);
	measure("flat", KIB, 1e-6, 0.01); /* topomap's */
	measure("native:knomial,radix=8", KIB, 1e-6, 0.01);
	tune(&tuning, 1 << 12);
	name_at(&tuning, KIB, &source);
	ck_assert_int_eq(source, TMAP_TUNE_PREDICTED);
	ck_assert_int_eq(list_of_all(&tuning)->measured, 0);
	uses = tmap_tune_uses_find(&tuning, places.count - 1);
	ck_assert(!uses.decides);
	ck_assert(!uses.apart);
	measure("native", 5 * KIB, 1e-5, 0.01);
	ck_assert(tmap_tune_uses_find(&tuning, places.count - 1).apart);
	measure("native", 4 * KIB, 1e-5, 0.01);
	ck_assert(!tmap_tune_uses_find(&tuning, places.count - 1).apart);
	ck_assert_int_eq(uses.count[TMAP_TUNE_WRONG], 1);
	ck_assert_int_eq(uses.count[TMAP_TUNE_ROOT], 1);
	ck_assert_int_eq(uses.count[TMAP_TUNE_MODE], 1);
	ck_assert_int_eq(uses.count[TMAP_TUNE_UNSAID], 1);
	ck_assert_int_eq(uses.count[TMAP_TUNE_USED], 4);
	ck_assert(!tmap_tune_uses_find(&tuning, 0).decides);
	tmap_tuning_fini(&tuning);
}
END_TEST

/* What the library takes by itself at 1 KiB is another thing than this release is known to take. */
START_TEST(what_was_measured_as_the_own_choice_is_the_own_choice)
{
	const struct tmap_tune_step *step;
	struct tmap_tuning tuning;
	enum tmap_tune_source source;

	measure("native", KIB, 5e-6, 0.01);
	measure("native:binary", KIB, 2e-5, 0.01);
	measure("native:knomial", KIB, 2e-5, 0.01);
	measure("native:binomial_near", KIB, 2e-5, 0.01);
	measure("native:split_binary", KIB, 2e-5, 0.01);
	measure("native:flat", KIB, 8e-6, 0.01);
	tune(&tuning, 2 * KIB);
	ck_assert_str_eq(name_at(&tuning, KIB, &source), "");
	ck_assert_int_eq(source, TMAP_TUNE_MEASURED);
	for (int i = 0; i < list_of_all(&tuning)->count; i++) {
		step = &list_of_all(&tuning)->step[i];
		if (step->source != TMAP_TUNE_MEASURED)
			continue;
		ck_assert_double_eq_tol(step->own_s, 5e-6, 1e-12);
		ck_assert_str_eq(step->own, "");
	}
	tmap_tuning_fini(&tuning);
}
END_TEST

START_TEST(what_was_measured_once_decides_nothing)
{
	struct tmap_tuning tuning;
	enum tmap_tune_source source;

	measure("native", KIB, 1e-5, 0);
	once();
	measure("native:flat", KIB, 2e-6, 0.01);
	measure("native", 2 * KIB, 1e-5, 0.01);
	measure("native:flat", 2 * KIB, 2e-6, 0);
	once();
	tune(&tuning, 2 * KIB);
	ck_assert_str_eq(name_at(&tuning, KIB, &source), "");
	ck_assert_str_eq(name_at(&tuning, KIB + KIB / 2, &source), "");
	ck_assert_str_eq(name_at(&tuning, 2 * KIB, &source), "");
	ck_assert_int_eq(source, TMAP_TUNE_MEASURED);
	tmap_tuning_fini(&tuning);
}
END_TEST

/* One choice for all sizes: of scans the same holds. */
START_TEST(what_was_measured_once_decides_nothing_of_scans)
{
	const struct tmap_tune_request request = { .collectives = UINT64_C(1) << TMAP_SCAN,
						   .most = KIB };
	struct tmap_tuning tuning;

	for (int sure = 0; sure < 2; sure++) {
		measure("native", 8 << sure, 1e-5, 0.01);
		measure("native:recursive_doubling", 8 << sure, 2e-6, 0.01);
		if (!sure)
			once();
	}
	for (int i = 0; i < measured.count; i++)
		measured.experiment[i].collective = TMAP_SCAN;
	ck_assert_int_eq(tmap_tune_places_measure(&places, &measured, 0, &err), 0);
	ck_assert_int_eq(tmap_tuning_init(&tuning, &places, &request, &err), 0);
	ck_assert_int_eq(list_of_all(&tuning)->step[0].choice, TMAP_NONE);
	tmap_tuning_fini(&tuning);
	measured.experiment[1].repetitions = 9;
	measured.experiment[1].seconds.has_interval = true;
	ck_assert_int_eq(tmap_tuning_init(&tuning, &places, &request, &err), 0);
	ck_assert_str_eq(
		tuning.collective[0].choices.choice[list_of_all(&tuning)->step[0].choice].name,
		"recursive_doubling");
	tmap_tuning_fini(&tuning);
}
END_TEST

/* From 4 bytes on binomial_near is slower than flat for sure, while of the library's own, whose times are
 * scattered, that is not known. */
START_TEST(what_is_slower_for_sure_is_not_kept)
{
	struct tmap_tuning tuning;
	enum tmap_tune_source source;

	for (int64_t bytes = 1; bytes <= 2; bytes *= 2) {
		measure("native", bytes, 1e-5, 0.01);
		measure("native:binomial_near", bytes, 5e-6, 0.01);
		measure("native:flat", bytes, 9e-6, 0.01);
	}
	for (int64_t bytes = 4; bytes <= 64; bytes *= 2) {
		measure("native", bytes, 9e-6, 0.5);
		measure("native:binomial_near", bytes, 1.2e-5, 0.01);
		measure("native:flat", bytes, 5e-6, 0.1);
	}
	tune(&tuning, 64);
	ck_assert_str_eq(name_at(&tuning, 2, &source), "binomial_near");
	ck_assert_str_eq(name_at(&tuning, 4, &source), "");
	ck_assert_str_eq(name_at(&tuning, 64, &source), "");
	tmap_tuning_fini(&tuning);
}
END_TEST

/* The fastest is not known to be faster than the own choice, but the next one is. */
START_TEST(what_is_faster_for_sure_comes_before_what_may_be)
{
	struct tmap_tuning tuning;
	enum tmap_tune_source source;

	measure("native", KIB, 1e-5, 0.05);
	measure("native:flat", KIB, 5e-6, 0.95);
	measure("native:binomial_near", KIB, 6e-6, 0.01);
	tune(&tuning, KIB);
	ck_assert_str_eq(name_at(&tuning, KIB, &source), "binomial_near");
	tmap_tuning_fini(&tuning);
}
END_TEST

START_TEST(of_no_bytes_and_of_some_nothing_between_is_known)
{
	struct tmap_tune_choices choices;
	struct tmap_tune_times times;
	struct tmap_tune_time time;
	struct tmap_tune_place **place = &places.place[places.count - 1];

	measure("native", 0, 1e-5, 0.1);
	measure("native", 2, 2e-5, 0.1);
	measure("native", 9, 2e-5, 0.1);
	ck_assert_int_eq(tmap_tune_places_measure(&places, &measured, 0, &err), 0);
	ck_assert_int_eq(tmap_tune_choices_init(&choices, 0, TMAP_BCAST, 1, &err), 0);
	ck_assert_int_eq(tmap_tune_times_init(&times, &choices, place, 1, &err), 0);
	ck_assert(tmap_tune_times_itself(&time, &times, 0));
	ck_assert(!tmap_tune_times_itself(&time, &times, 1));
	ck_assert(tmap_tune_times_itself(&time, &times, 2));
	ck_assert(!tmap_tune_times_itself(&time, &times, 4)); /* 9 is more than four times 2 */
	tmap_tune_times_fini(&times);
	tmap_tune_choices_fini(&choices);
}
END_TEST

START_TEST(times_of_somebody_else_are_refused)
{
	struct tmap_tune_places fewer;
	struct tmap_placement node;
	const int ranks[] = { 0, 1, 4 };

	ck_assert_int_eq(tmap_tune_places_measure(&places, &measured, 1, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_int_eq(tmap_tune_places_measure(&places, &measured, 0, &err), 0);
	ck_assert_int_eq(tmap_tune_places_measure(&places, &measured, 0, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert(tmap_tune_places_are_measured(&places));

	ck_assert_int_eq(tmap_placement_subset(&node, &job, ranks, 3, &err), 0);
	ck_assert_int_eq(tmap_tune_places_init(&fewer, &node, tmap_profile_at(0), &err), 0);
	ck_assert_int_eq(tmap_tune_places_measure(&fewer, &measured, 0, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert(!tmap_tune_places_are_measured(&fewer));
	tmap_tune_places_fini(&fewer);
	tmap_placement_fini(&node);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("tune_times");
	TCase *times = tcase_create("tune_times");

	tcase_add_checked_fixture(times, setup, teardown);
	tcase_add_test(times, a_crossover_between_two_sizes_is_where_the_lines_cross);
	tcase_add_test(times, what_may_be_as_fast_changes_nothing);
	tcase_add_test(times, sizes_that_are_farther_apart_say_nothing_of_those_between);
	tcase_add_test(times, wrong_results_other_roots_and_no_time_do_not_count);
	tcase_add_test(times, what_was_measured_as_the_own_choice_is_the_own_choice);
	tcase_add_test(times, what_was_measured_once_decides_nothing);
	tcase_add_test(times, what_was_measured_once_decides_nothing_of_scans);
	tcase_add_test(times, what_is_slower_for_sure_is_not_kept);
	tcase_add_test(times, what_is_faster_for_sure_comes_before_what_may_be);
	tcase_add_test(times, of_no_bytes_and_of_some_nothing_between_is_known);
	tcase_add_test(times, times_of_somebody_else_are_refused);
	suite_add_tcase(suite, times);
	return suite;
}
