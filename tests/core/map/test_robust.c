/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: times of whole placements, evaluated one by one by every published profile and every
 * plausible variation of it; what a suggestion says of itself is not asked. The model of these times
 * is the program's own: tests/core/cost holds it to literal clocks, tests/smpi to a simulator.
 */
#include "core/mappers/robust.h"

#include "core/algorithms/catalogue.h"
#include "core/cost/profile_choice.h"
#include "core/cost/profile_vary.h"
#include "core/mappers/suggestion.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <string.h>

static struct tmap_error err;
static const struct tmap_slots_excluded none;

static double seconds_of(const struct tmap_placement *p, const struct tmap_traffic *traffic,
			 const struct tmap_profile *profile)
{
	struct tmap_criteria criteria = { .goal = TMAP_GOAL_SECONDS,
					  .profile = profile,
					  .scale = TMAP_SCALE_PROCESS };
	struct tmap_evaluation e = { 0 };

	ck_assert_int_eq(tmap_objective_evaluate_placement(&e, p, traffic, &criteria, &err), 0);
	return e.seconds;
}

static void suggest(struct tmap_suggestion *s, const struct tmap_slots *slots,
		    const struct tmap_placement *p, const struct tmap_traffic *traffic,
		    const struct tmap_profile *profile, const char *mapper, double minimum)
{
	struct tmap_suggestion_request request = {
		.slots = slots,
		.before = p,
		.traffic = traffic,
		.criteria = { TMAP_GOAL_SECONDS, profile, TMAP_SCALE_PROCESS, NULL, 0, false },
		.mapper = tmap_keywords_find(&tmap_mappers, mapper, &err),
		.effort = 300000,
		.seed = 1,
		.minimum_gain = minimum,
		.by = "test",
		.request = "",
	};

	ck_assert_msg(tmap_suggestion_init(s, &request, &err) == 0, "%s", err.text);
}

/* By every profile, and every variation that is asked. */
static void check_harmless(const struct tmap_suggestion *s, const struct tmap_placement *p,
			   const struct tmap_traffic *traffic)
{
	int costs = 0;
	double mean = 0;

	for (int n = 0; n < tmap_profile_variations(); n++)
		for (int i = 0; i < s->robust.machines; i++) {
			struct tmap_profile_varied varied;
			double before, after;

			ck_assert_int_eq(tmap_profile_vary(&varied, tmap_profile_at(i), n, &err),
					 0);
			if (tmap_profile_varied_is_plausible(&varied, tmap_profile_at(i))) {
				before = seconds_of(p, traffic, &varied.profile);
				after = seconds_of(&s->after, traffic, &varied.profile);
				ck_assert_double_le(after, before * (n ? 1.05 : 1.02) * 1.000001);
				if (n == 0 && before > 0)
					mean += (before - after) / before / s->robust.machines;
				costs++;
			}
			tmap_profile_varied_fini(&varied);
		}
	ck_assert_int_eq(s->robust.costs, costs);
	if (!s->is_kept)
		ck_assert_double_eq_tol(s->robust.mean, mean, 1e-9);
}

/* What is said against block, cyclic: by these costs they take so much longer. */
static void check_loss(const struct tmap_suggestion *s, const struct tmap_passed *it,
		       const struct tmap_placement *p, const struct tmap_traffic *traffic)
{
	const struct tmap_placement *beside = it->reason == TMAP_PASSED_WORSE ? &s->after : p;
	struct tmap_profile_varied varied;
	double other, own;

	ck_assert_int_eq(tmap_profile_vary(&varied, tmap_profile_at(it->loss.machine),
					   it->loss.variation, &err),
			 0);
	other = seconds_of(beside, traffic, &varied.profile);
	own = seconds_of(&s->state[it->name].placement, traffic, &varied.profile);
	ck_assert_double_gt(it->loss.part, 0);
	ck_assert_double_eq_tol((own - other) / other, it->loss.part, 1e-9);
	tmap_profile_varied_fini(&varied);
}

/* Block and cyclic are passed over with a reason where, by the costs that are shown, they save more, and
 * nowhere else; returns how often. */
static int check_passed(const struct tmap_suggestion *s, const struct tmap_placement *p,
			const struct tmap_traffic *traffic, double minimum)
{
	struct tmap_passed passed[TMAP_PASSED_MOST];
	int count = tmap_suggestion_find_passed(passed, s), found = 0;
	double before = seconds_of(p, traffic, s->profile);
	double after = seconds_of(&s->after, traffic, s->profile);

	for (int name = TMAP_BLOCK; name <= TMAP_CYCLIC; name++) {
		double own = seconds_of(&s->state[name].placement, traffic, s->profile);
		const struct tmap_passed *it = NULL;

		for (int i = 0; i < count; i++)
			if ((int)passed[i].name == name)
				it = &passed[i];
		ck_assert_int_eq(it != NULL,
				 before > 0 && (after - own) / before > fmax(minimum, 1e-9));
		if (!it)
			continue;
		found++;
		ck_assert_double_eq_tol(it->gain, (before - own) / before, 1e-9);
		if (it->reason == TMAP_PASSED_HARMFUL || it->reason == TMAP_PASSED_WORSE)
			check_loss(s, it, p, traffic);
		else if (it->reason == TMAP_PASSED_MAPPER)
			ck_assert(tmap_mapper_at(s->mapper)->map != NULL);
	}
	return found;
}

static struct tmap_profile guessed(const struct tmap_placement *p)
{
	struct tmap_profile profile = tmap_profile_for(p->machine);

	ck_assert(tmap_profile_is_guessed(&profile));
	return profile;
}

START_TEST(no_published_costs_call_a_suggestion_slower_than_as_launched)
{
	static const char *const mappers[] = { "best", "walk", "radix", "cyclic" };
	struct dice dice = { 11 };
	int changed = 0, passed = 0;

	for (int round = 0; round < 48; round++) {
		int size = 2 + dice_roll(&dice, 22);
		struct tmap_traffic traffic = { 0 };
		struct tmap_pattern_builder b;
		struct tmap_pattern pattern;
		struct tmap_slots slots;
		struct tmap_suggestion s;
		struct tmap_placement p;
		struct tmap_profile profile;

		placement_random_take(&p, machine_random(&dice, 5), size, &dice);
		profile = guessed(&p);
		ck_assert_int_eq(tmap_pattern_builder_init(&b, size, &err), 0);
		for (int i = 0; i < 3 * size; i++)
			ck_assert_int_eq(
				tmap_pattern_add(&b, dice_roll(&dice, size), dice_roll(&dice, size),
						 dice_roll(&dice, 1 << (round % 24)), &err),
				0);
		ck_assert_int_eq(tmap_pattern_finish(&pattern, &b, &err), 0);
		traffic.pattern = &pattern;
		ck_assert_int_eq(tmap_slots_init(&slots, &p, 0, &none, &err), 0);
		suggest(&s, &slots, &p, &traffic, &profile, mappers[round % 4], TMAP_LEAST_GAIN);
		check_harmless(&s, &p, &traffic);
		passed += check_passed(&s, &p, &traffic, TMAP_LEAST_GAIN);
		changed += !s.is_kept;
		tmap_suggestion_fini(&s);
		tmap_slots_fini(&slots);
		tmap_pattern_fini(&pattern);
		tmap_placement_fini(&p);
	}
	ck_assert_int_gt(changed, 5); /* of 48 random ones, many of which cannot gain */
	ck_assert_int_gt(passed, 5);
}
END_TEST

/* 4 nodes of 2 packages of 4 cores, block; a call of the ranks. */
struct job {
	struct tmap_placement p;
	struct tmap_slots slots;
	struct tmap_call call;
	double weight;
	struct tmap_traffic traffic;
	struct tmap_profile profile;
};

static void job_init(struct job *job, enum tmap_collective collective, const char *algorithm,
		     int64_t bytes, bool is_cyclic)
{
	static const struct test_level node_levels[] = { { TMAP_PACKAGE, 2 },
							 { TMAP_CORE, 4 },
							 { TMAP_NODE, 0 } };
	int seat[32];

	for (int r = 0; r < 32; r++)
		seat[r] = is_cyclic ? r % 4 * 8 + r / 4 : r;
	memset(job, 0, sizeof *job);
	placement_seats_take(&job->p, machine_regular(4, node_levels), seat, 32);
	ck_assert_int_eq(tmap_slots_init(&job->slots, &job->p, 0, &none, &err), 0);
	job->call = (struct tmap_call){ .size = 32, .bytes = bytes };
	ck_assert_int_eq(tmap_call_parse(&job->call, collective, algorithm, &err), 0);
	job->weight = 1;
	job->traffic = (struct tmap_traffic){ .call_count = 1,
					      .call = &job->call,
					      .weight = &job->weight };
	job->profile = guessed(&job->p);
}

static void job_fini(struct job *job)
{
	tmap_slots_fini(&job->slots);
	tmap_placement_fini(&job->p);
}

/* What the whole placements say that a suggestion saves, in the mean of the profiles. */
static double mean_gain(const struct tmap_suggestion *s, const struct tmap_placement *p,
			const struct tmap_traffic *traffic)
{
	double mean = 0;

	for (int i = 0; i < s->robust.machines; i++) {
		double before = seconds_of(p, traffic, tmap_profile_at(i));

		mean += (before - seconds_of(&s->after, traffic, tmap_profile_at(i))) / before /
			s->robust.machines;
	}
	return mean;
}

START_TEST(a_small_gain_is_said_and_taken_where_so_little_is_asked_for)
{
	struct dice dice = { 5 };
	int small = 0;

	for (int round = 0; round < 40; round++) {
		struct tmap_traffic traffic = { 0 };
		struct tmap_pattern_builder b;
		struct tmap_pattern pattern;
		struct tmap_suggestion usual, any;
		struct job job;

		job_init(&job, TMAP_BARRIER, "dissemination", 0, false);
		ck_assert_int_eq(tmap_pattern_builder_init(&b, 32, &err), 0);
		for (int i = 0; i < 32; i++) {
			ck_assert_int_eq(tmap_pattern_add(&b, i, (i + 1) % 32, 10000, &err), 0);
			ck_assert_int_eq(tmap_pattern_add(&b, i, dice_roll(&dice, 32),
							  100 << dice_roll(&dice, 4), &err),
					 0);
		}
		ck_assert_int_eq(tmap_pattern_finish(&pattern, &b, &err), 0);
		traffic.pattern = &pattern;
		suggest(&usual, &job.slots, &job.p, &traffic, &job.profile, "best",
			TMAP_LEAST_GAIN);
		suggest(&any, &job.slots, &job.p, &traffic, &job.profile, "best", 0);
		check_harmless(&any, &job.p, &traffic);
		if (any.is_kept) /* the more so where more is asked for */
			ck_assert(usual.is_kept);
		if (!any.is_kept)
			ck_assert_double_gt(mean_gain(&any, &job.p, &traffic), 0);
		if (usual.is_kept && !any.is_kept) {
			ck_assert_double_gt(usual.vain_gain, 0);
			small += !any.robust.is_simple && any.robust.mean < TMAP_LEAST_GAIN;
		}
		tmap_suggestion_fini(&usual);
		tmap_suggestion_fini(&any);
		tmap_pattern_fini(&pattern);
		job_fini(&job);
	}
	ck_assert_int_gt(small, 0);
}
END_TEST

START_TEST(a_ring_in_order_is_not_taken_apart_for_one_machine)
{
	struct job job;
	struct tmap_suggestion s;

	job_init(&job, TMAP_ALLGATHER, "ring", 65536, false);
	suggest(&s, &job.slots, &job.p, &job.traffic, &job.profile, "best", TMAP_LEAST_GAIN);
	ck_assert(s.is_kept && !s.robust.other[TMAP_ROBUST_SEARCHED].is_harmless);
	ck_assert_double_gt(s.robust.other[TMAP_ROBUST_SEARCHED].own_gain, 0.1);
	ck_assert_double_gt(s.robust.other[TMAP_ROBUST_SEARCHED].beside_launched.part,
			    TMAP_ROBUST_HARM);
	for (int r = 0; r < 32; r++)
		ck_assert_int_eq(s.place_of[r], r);
	tmap_suggestion_fini(&s);

	/* by costs that are asked for it is */
	job.profile.reason = TMAP_PROFILE_ASKED_FOR;
	suggest(&s, &job.slots, &job.p, &job.traffic, &job.profile, "best", TMAP_LEAST_GAIN);
	ck_assert(!s.is_kept && !s.robust.machines);
	ck_assert_double_gt(s.gain, 0.1);
	tmap_suggestion_fini(&s);
	job_fini(&job);
}
END_TEST

START_TEST(what_all_machines_gain_by_is_still_taken)
{
	static const struct {
		enum tmap_collective collective;
		const char *algorithm;
		int64_t bytes;
		bool is_cyclic;
	} gains[] = { { TMAP_ALLGATHER, "ring", 65536, true },
		      { TMAP_ALLGATHER, "bruck", 16384, false },
		      { TMAP_ALLGATHER, "recursive_doubling", 65536, false },
		      { TMAP_BCAST, "binomial_far", 1 << 20, true } };

	for (size_t i = 0; i < sizeof gains / sizeof gains[0]; i++) {
		struct job job;
		struct tmap_suggestion s;

		job_init(&job, gains[i].collective, gains[i].algorithm, gains[i].bytes,
			 gains[i].is_cyclic);
		suggest(&s, &job.slots, &job.p, &job.traffic, &job.profile, "best",
			TMAP_LEAST_GAIN);
		ck_assert(!s.is_kept);
		ck_assert_double_gt(s.robust.mean, 0.1);
		check_harmless(&s, &job.p, &job.traffic);
		tmap_suggestion_fini(&s);
		job_fini(&job);
	}
}
END_TEST

START_TEST(a_gain_below_the_minimum_moves_nobody)
{
	struct job job;
	struct tmap_suggestion s;
	struct tmap_suggestion_request request = {
		.mapper = 0, .effort = 300000, .seed = 1, .by = "test", .request = ""
	};

	job_init(&job, TMAP_ALLGATHER, "ring", 65536, true);
	job.profile.reason = TMAP_PROFILE_ASKED_FOR;
	request.slots = &job.slots;
	request.before = &job.p;
	request.traffic = &job.traffic;
	request.criteria = (struct tmap_criteria){ .goal = TMAP_GOAL_SECONDS,
						   .profile = &job.profile,
						   .scale = TMAP_SCALE_PROCESS };
	ck_assert_int_eq(tmap_suggestion_init(&s, &request, &err), 0);
	ck_assert(!s.is_kept);
	request.minimum_gain = s.gain + 0.9; /* neither time nor cost nor link gains so much */
	tmap_suggestion_fini(&s);
	ck_assert_int_eq(tmap_suggestion_init(&s, &request, &err), 0);
	ck_assert(s.is_kept);
	ck_assert_double_gt(s.vain_gain, 0.1);
	ck_assert_double_eq(s.gain, 0);
	for (int r = 0; r < 32; r++)
		ck_assert_int_eq(s.place_of[r], r);
	tmap_suggestion_fini(&s);
	job_fini(&job);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("robust");
	TCase *tests = tcase_create("robust");

	tcase_add_test(tests, no_published_costs_call_a_suggestion_slower_than_as_launched);
	tcase_add_test(tests, a_ring_in_order_is_not_taken_apart_for_one_machine);
	tcase_add_test(tests, what_all_machines_gain_by_is_still_taken);
	tcase_add_test(tests, a_small_gain_is_said_and_taken_where_so_little_is_asked_for);
	tcase_add_test(tests, a_gain_below_the_minimum_moves_nobody);
	suite_add_tcase(suite, tests);
	return suite;
}
