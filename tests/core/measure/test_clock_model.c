/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: simulated clocks, whose offset and drift are chosen here, and messages whose ways take what
 * is chosen here. The error of a model is what it says less what the simulated clock shows.
 */
#include "core/measure/clock_model.h"

#include "core/base/random.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>

enum { BURSTS = 16, TRIES = 10, CLOSING = 4, ROUNDING = 2 };

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)

/* What a clock shows at a true time, which nobody knows. */
struct sim_clock {
	int64_t offset_ns;
	double drift;
};

/* The ways of a message: at least, on average more, and sometimes a scheduler's slice. */
struct sim_link {
	int64_t there_ns, back_ns;
	double jitter_ns;
	int spike_in; /* one of so many messages takes a millisecond; 0: none */
};

static struct tmap_random random_state;

static int64_t clock_at(const struct sim_clock *it, int64_t now)
{
	return now + it->offset_ns + llround(it->drift * (double)now);
}

static double uniform(void)
{
	return ((double)(tmap_random_next(&random_state) >> 11) + 1) / 0x1p53;
}

static int64_t way(const struct sim_link *link, int64_t least)
{
	int64_t ns = least - (int64_t)(link->jitter_ns * log(uniform()));

	if (link->spike_in && tmap_random_below(&random_state, (uint64_t)link->spike_in) == 0)
		ns += MS;
	return ns;
}

/* One exchange after the other from *now on; the shortest of them. */
static struct tmap_clock_exchange burst(const struct sim_clock *own, const struct sim_clock *other,
					const struct sim_link *link, int64_t *now)
{
	struct tmap_clock_exchange all[TRIES];

	for (int i = 0; i < TRIES; i++) {
		all[i].sent_ns = clock_at(own, *now);
		*now += way(link, link->there_ns);
		all[i].other_ns = clock_at(other, *now);
		*now += way(link, link->back_ns);
		all[i].received_ns = clock_at(own, *now);
	}
	return tmap_clock_shortest(all, TRIES);
}

/* The largest error of a model between two true times, looked at 200 times. */
static int64_t true_error(const struct tmap_clock_model *model, const struct sim_clock *own,
			  const struct sim_clock *other, int64_t from, int64_t to)
{
	int64_t most = 0;

	for (int i = 0; i <= 200; i++) {
		int64_t now = from + (to - from) / 200 * i;
		int64_t off = tmap_clock_to_other(model, clock_at(own, now)) - clock_at(other, now);

		most = llabs(off) > most ? llabs(off) : most;
	}
	return most;
}

static const int64_t offsets[] = { 0, 12345, -40 * SECOND, 3000000 * SECOND };
static const double drifts[] = { 0, 50e-6, -50e-6, 1e-6 };
static const struct sim_link links[] = {
	{ 1000, 1000, 0, 0 },      { 1000, 1000, 500, 0 },     { 1500, 500, 300, 0 },
	{ 2000, 2000, 2000, 100 }, { 20000, 20000, 5000, 50 }, { 30000, 10000, 5000, 50 },
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Measured for 80 ms, used for a second, measured again. */
START_TEST(no_error_is_larger_than_the_one_that_is_stated)
{
	const struct sim_link *link = &links[_i];
	const int64_t asymmetry = llabs(link->there_ns - link->back_ns) / 2;

	for (size_t a = 0; a < COUNT(offsets); a++)
		for (size_t b = 0; b < COUNT(drifts); b++)
			for (uint64_t seed = 0; seed < 50; seed++) {
				const struct sim_clock own = { offsets[a], drifts[b] };
				const struct sim_clock other = { 7 * SECOND, -drifts[b] / 2 };
				struct tmap_clock_exchange list[BURSTS + CLOSING];
				struct tmap_clock_model model;
				int64_t now = 500 * SECOND, begin = now, end, error, stated;

				random_state.state = seed;
				for (int i = 0; i < BURSTS; i++, now += 5 * MS)
					list[i] = burst(&own, &other, link, &now);
				model = tmap_clock_fit(list, BURSTS);
				/* while it was learnt */
				error = true_error(&model, &own, &other, begin + MS, now - 6 * MS);
				stated = tmap_clock_error(&model, list, BURSTS);
				ck_assert_int_le(error, stated + ROUNDING);
				if (link->jitter_ns <= 2000)
					ck_assert_int_le(error, asymmetry + 1000);
				/* while it was used */
				now += SECOND;
				for (int i = 0; i < CLOSING; i++)
					list[BURSTS + i] = burst(&own, &other, link, &now);
				end = now;
				error = true_error(&model, &own, &other, begin + MS, end);
				stated = tmap_clock_error(&model, list, BURSTS + CLOSING);
				ck_assert_int_le(error, stated + ROUNDING + MS / 1000);
				/* what is learnt over the second is true of the whole second */
				model = tmap_clock_fit(list, BURSTS + CLOSING);
				error = true_error(&model, &own, &other, begin + MS, end);
				if (link->jitter_ns <= 2000)
					ck_assert_int_le(error, asymmetry + 1000);
			}
}
END_TEST

/* Both ways of exactly the same length: the middle is right, and the drift is found. */
START_TEST(clocks_that_are_read_exactly_are_known_exactly)
{
	const struct sim_clock own = { 0, 0 }, other = { 1000 * SECOND, 50e-6 };
	const struct sim_link link = { 500, 500, 0, 0 };
	struct tmap_clock_exchange list[BURSTS];
	struct tmap_clock_model model;
	int64_t now = SECOND;

	for (int i = 0; i < BURSTS; i++, now += SECOND)
		list[i] = burst(&own, &other, &link, &now);
	model = tmap_clock_fit(list, BURSTS);
	ck_assert_double_eq_tol(model.drift, 50e-6, 1e-9);
	ck_assert_int_le(true_error(&model, &own, &other, SECOND, now), ROUNDING);
	ck_assert_int_le(tmap_clock_error(&model, list, BURSTS), 500 + ROUNDING);
	for (int64_t at = 0; at < 100 * SECOND; at += 7 * SECOND + 13)
		ck_assert_int_le(
			llabs(tmap_clock_to_own(&model, tmap_clock_to_other(&model, at)) - at), 1);
}
END_TEST

/* 1 to 4 exchanges within a millisecond prove no drift: the model stays near over a second. */
START_TEST(a_drift_that_is_not_proven_is_not_believed)
{
	const struct sim_clock own = { 5, 20e-6 }, other = { 99, 0 };
	const struct sim_link link = { 5000, 5000, 3000, 0 };

	for (size_t count = 1; count <= 4; count++)
		for (uint64_t seed = 0; seed < 200; seed++) {
			struct tmap_clock_exchange list[4];
			struct tmap_clock_model model;
			int64_t now = SECOND;

			random_state.state = seed;
			for (size_t i = 0; i < count; i++)
				list[i] = burst(&own, &other, &link, &now);
			model = tmap_clock_fit(list, count);
			ck_assert_double_lt(fabs(model.drift), 1e-4);
			ck_assert_int_le(true_error(&model, &own, &other, now, now + SECOND),
					 120000);
			if (count == 1)
				ck_assert_int_eq(tmap_clock_error(&model, list, 1),
						 (list[0].received_ns - list[0].sent_ns + 1) / 2);
		}
}
END_TEST

/* A slow exchange is there, and nothing moves. */
START_TEST(exchanges_that_took_long_do_not_spoil_the_others)
{
	const struct sim_clock own = { 0, 0 }, other = { 4 * SECOND, 10e-6 };
	const struct sim_link link = { 1000, 1000, 100, 0 }, slow = { 5 * MS, 1000, 0, 0 };
	struct tmap_clock_exchange list[BURSTS];
	struct tmap_clock_model model;
	int64_t now = SECOND;

	random_state.state = 1;
	for (int i = 0; i < BURSTS; i++, now += 20 * MS)
		list[i] = burst(&own, &other, i % 4 == 3 ? &slow : &link, &now);
	model = tmap_clock_fit(list, BURSTS);
	ck_assert_int_le(true_error(&model, &own, &other, SECOND, now), 1000);
}
END_TEST

/* The other clock is set forward by 3 us in between: that is no line, and is said. */
START_TEST(a_clock_that_was_set_is_seen)
{
	const struct sim_clock own = { 0, 0 };
	struct sim_clock other = { 0, 0 };
	const struct sim_link link = { 200, 200, 0, 0 };
	struct tmap_clock_exchange list[BURSTS + 1];
	struct tmap_clock_model model;
	int64_t now = SECOND;

	for (int i = 0; i < BURSTS; i++, now += 5 * MS)
		list[i] = burst(&own, &other, &link, &now);
	model = tmap_clock_fit(list, BURSTS);
	ck_assert_int_le(tmap_clock_error(&model, list, BURSTS), 200 + ROUNDING);
	other.offset_ns = 3000;
	list[BURSTS] = burst(&own, &other, &link, &now);
	ck_assert_int_ge(tmap_clock_error(&model, list, BURSTS + 1), 3000);
}
END_TEST

/* A tree of 64 nodes: each learns from the one whose highest bit is cleared, whose clock is itself a
 * model. The errors of at most six models add up. */
START_TEST(errors_of_a_tree_are_at_most_the_sum_of_those_on_the_way)
{
	enum { NODES = 64 };
	static const struct sim_link jittery = { 1000, 1000, 500, 200 };
	struct sim_clock clock[NODES];
	struct tmap_clock_exchange list[NODES][BURSTS];
	struct tmap_clock_model model[NODES] = { { 0, 0, 0 } };
	int64_t stated[NODES] = { 0 }, now = 500 * SECOND, begin = now;

	random_state.state = 7;
	for (int i = 0; i < NODES; i++) {
		clock[i].offset_ns = (int64_t)(1e12 * uniform());
		clock[i].drift = 100e-6 * (uniform() - 0.5);
	}
	for (int k = 0; k < BURSTS; k++, now += 5 * MS)
		for (int far = 1; far < NODES; far *= 2)
			for (int i = far; i < 2 * far; i++)
				list[i][k] = burst(&clock[i], &clock[i - far], &jittery, &now);
	for (int far = 1; far < NODES; far *= 2)
		for (int i = far; i < 2 * far; i++) {
			for (int k = 0; k < BURSTS; k++)
				list[i][k].other_ns =
					tmap_clock_to_other(&model[i - far], list[i][k].other_ns);
			model[i] = tmap_clock_fit(list[i], BURSTS);
			stated[i] = stated[i - far] + tmap_clock_error(&model[i], list[i], BURSTS) +
				ROUNDING;
		}
	for (int i = 0; i < NODES; i++) {
		int64_t error =
			true_error(&model[i], &clock[i], &clock[0], begin + 6 * MS, now - 11 * MS);

		ck_assert_int_le(error, stated[i]);
		ck_assert_int_le(error, 1000);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("clock model");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, no_error_is_larger_than_the_one_that_is_stated, 0, COUNT(links));
	tcase_add_test(tc, clocks_that_are_read_exactly_are_known_exactly);
	tcase_add_test(tc, a_drift_that_is_not_proven_is_not_believed);
	tcase_add_test(tc, exchanges_that_took_long_do_not_spoil_the_others);
	tcase_add_test(tc, a_clock_that_was_set_is_seen);
	tcase_add_test(tc, errors_of_a_tree_are_at_most_the_sum_of_those_on_the_way);
	suite_add_tcase(suite, tc);
	return suite;
}
