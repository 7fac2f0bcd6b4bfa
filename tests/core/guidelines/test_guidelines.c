/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: each side of a guideline is timed again by itself, literally: what the library is said
 * to take (core/library/library.h) for the sizes that the mock-up needs, by the cost model; the
 * list itself is that of Hunold and Carpen-Amarie's catalogue, and lanes for all collectives that
 * Traeff and Hunold decompose.
 */
#include "core/algorithms/catalogue.h"
#include "core/guidelines/guidelines.h"
#include "core/library/library.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

enum { BYTES = 5000 };

static struct tmap_placement job(bool cyclic)
{
	struct tmap_machine *machine = machine_regular(
		4, (const struct test_level[]){ { TMAP_PACKAGE, 2 }, { TMAP_CORE, 3 }, { 0 } });
	struct tmap_placement p;
	int seat[24];

	for (int r = 0; r < 24; r++)
		seat[r] = cyclic ? r % 4 * 6 + r / 4 : r;
	placement_seats_take(&p, machine, seat, 24);
	return p;
}

static const struct tmap_guideline *find(const struct tmap_guidelines *it, const char *name)
{
	for (int i = 0; i < it->count; i++)
		if (strcmp(it->guideline[i].name, name) == 0)
			return &it->guideline[i];
	return NULL;
}

/* What Open MPI 4.1 takes, or the algorithm named, and its seconds. */
static double literal_seconds(const struct tmap_placement *p, enum tmap_collective collective,
			      int64_t bytes, const char *algorithm, const char *said)
{
	struct tmap_metric metric;
	struct tmap_levels levels;
	struct tmap_order order;
	struct tmap_cost_model model;
	struct tmap_call call = { .size = p->size, .bytes = bytes, .metric = &metric };
	struct tmap_library_choice answer;
	double seconds = -1;
	char *name;

	ck_assert_int_eq(tmap_order_find(&order, p, &err), 0);
	answer = tmap_library_choose(
		0, &(struct tmap_library_call){ collective, p->size, bytes, 0, 0, &order });
	ck_assert_int_eq(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_levels_init(&levels, p->machine, &err), 0);
	ck_assert_int_eq(
		tmap_cost_model_init(&model, p, &metric, &levels, tmap_profile_at(0), &err), 0);
	ck_assert_int_eq(
		tmap_call_parse(&call, collective, algorithm ? algorithm : answer.algorithm, &err),
		0);
	name = tmap_spec_print(&call.choice, &err);
	ck_assert_str_eq(name, said);
	free(name);
	if (tmap_collective_rows[collective].has_root)
		call.root = 7;
	ck_assert_int_eq(tmap_cost(&seconds, &model, &call, &err), 0);
	tmap_cost_model_fini(&model);
	tmap_levels_fini(&levels);
	tmap_metric_fini(&metric);
	return seconds;
}

/* The parts of the mock-ups; of a vector of 5000 bytes a rank has 209, rounded up. */
static const struct {
	const char *name;
	enum tmap_collective native;
	struct {
		enum tmap_collective collective;
		int64_t bytes;
		const char *algorithm;
	} part[TMAP_MOCKUP_MOST];
	int count;
} list[] = {
	{ "bcast <= scatter + allgather",
	  TMAP_BCAST,
	  { { TMAP_SCATTER, 209, NULL }, { TMAP_ALLGATHER, 209, NULL } },
	  2 },
	{ "gather <= allgather", TMAP_GATHER, { { TMAP_ALLGATHER, BYTES, NULL } }, 1 },
	{ "gather <= reduce", TMAP_GATHER, { { TMAP_REDUCE, 24 * BYTES, NULL } }, 1 },
	{ "scatter <= bcast", TMAP_SCATTER, { { TMAP_BCAST, 24 * BYTES, NULL } }, 1 },
	{ "allgather <= gather + bcast",
	  TMAP_ALLGATHER,
	  { { TMAP_GATHER, BYTES, NULL }, { TMAP_BCAST, 24 * BYTES, NULL } },
	  2 },
	{ "allgather <= alltoall", TMAP_ALLGATHER, { { TMAP_ALLTOALL, BYTES, NULL } }, 1 },
	{ "allgather <= allreduce", TMAP_ALLGATHER, { { TMAP_ALLREDUCE, 24 * BYTES, NULL } }, 1 },
	{ "reduce <= allreduce", TMAP_REDUCE, { { TMAP_ALLREDUCE, BYTES, NULL } }, 1 },
	{ "reduce <= reduce_scatter_block + gather",
	  TMAP_REDUCE,
	  { { TMAP_REDUCE_SCATTER_BLOCK, 209, NULL }, { TMAP_GATHER, 209, NULL } },
	  2 },
	{ "allreduce <= reduce + bcast",
	  TMAP_ALLREDUCE,
	  { { TMAP_REDUCE, BYTES, NULL }, { TMAP_BCAST, BYTES, NULL } },
	  2 },
	{ "allreduce <= reduce_scatter_block + allgather",
	  TMAP_ALLREDUCE,
	  { { TMAP_REDUCE_SCATTER_BLOCK, 209, NULL }, { TMAP_ALLGATHER, 209, NULL } },
	  2 },
	{ "reduce_scatter <= allreduce",
	  TMAP_REDUCE_SCATTER,
	  { { TMAP_ALLREDUCE, BYTES, NULL } },
	  1 },
	{ "reduce_scatter <= reduce + scatter",
	  TMAP_REDUCE_SCATTER,
	  { { TMAP_REDUCE, BYTES, NULL }, { TMAP_SCATTER, 209, NULL } },
	  2 },
	{ "reduce_scatter_block <= reduce + scatter",
	  TMAP_REDUCE_SCATTER_BLOCK,
	  { { TMAP_REDUCE, 24 * BYTES, NULL }, { TMAP_SCATTER, BYTES, NULL } },
	  2 },
	{ "scan <= exscan", TMAP_SCAN, { { TMAP_EXSCAN, BYTES, NULL } }, 1 },
	{ "bcast <= lane", TMAP_BCAST, { { TMAP_BCAST, BYTES, "lane" } }, 1 },
	{ "exscan <= lane,lanes=1", TMAP_EXSCAN, { { TMAP_EXSCAN, BYTES, "lane,lanes=1" } }, 1 },
};

static const struct tmap_guidelines_request everything = { .collective = TMAP_NONE,
							   .bytes = BYTES,
							   .root = 7 };

START_TEST(both_sides_are_timed_as_the_library_does_them)
{
	struct tmap_guidelines_request request = everything;
	struct tmap_placement p = job(false);
	struct tmap_guidelines guidelines;

	request.profile = tmap_profile_at(0);
	ck_assert_int_eq(tmap_guidelines_init(&guidelines, &p, &request, &err), 0);
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		const struct tmap_guideline *it = find(&guidelines, list[i].name);
		double sum = 0;

		ck_assert_msg(it != NULL, "%s is missing", list[i].name);
		ck_assert_ptr_null(it->reason);
		ck_assert_double_eq(
			it->native.seconds,
			literal_seconds(&p, list[i].native, BYTES, NULL, it->native.algorithm));
		ck_assert_int_eq(it->part_count, list[i].count);
		for (int m = 0; m < it->part_count; m++) {
			ck_assert_int_eq(it->mockup[m].bytes, list[i].part[m].bytes);
			ck_assert_double_eq(it->mockup[m].seconds,
					    literal_seconds(&p, list[i].part[m].collective,
							    list[i].part[m].bytes,
							    list[i].part[m].algorithm,
							    it->mockup[m].algorithm));
			sum += it->mockup[m].seconds;
		}
		ck_assert_double_eq_tol(it->mockup_seconds, sum, 1e-15);
	}
	for (int c = 0; c < TMAP_BARRIER; c++) {
		char name[80];

		snprintf(name, sizeof name, "%s <= lane", tmap_collective_rows[c].word.name);
		ck_assert_msg(find(&guidelines, name) != NULL, "%s is missing", name);
	}
	ck_assert_int_eq(guidelines.count, 15 + 2 * TMAP_BARRIER);
	tmap_guidelines_fini(&guidelines);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(what_says_nothing_here_says_why)
{
	struct tmap_guidelines_request request = { .collective = TMAP_SCAN,
						   .bytes = BYTES,
						   .profile = tmap_profile_at(0) };
	struct tmap_placement p = job(true);
	struct tmap_guidelines guidelines;

	ck_assert_int_eq(tmap_guidelines_init(&guidelines, &p, &request, &err), 0);
	ck_assert_int_eq(guidelines.count, 3);
	ck_assert_str_eq(find(&guidelines, "scan <= lane")->reason,
			 "lanes of scan need nodes "
			 "that hold intervals of ranks, one after the other");
	ck_assert_ptr_null(find(&guidelines, "scan <= exscan")->reason);
	tmap_guidelines_fini(&guidelines);
	request = (struct tmap_guidelines_request){ .collective = TMAP_ALLGATHER,
						    .bytes = INT64_MAX / 2,
						    .profile = tmap_profile_at(0) };
	ck_assert_int_eq(tmap_guidelines_init(&guidelines, &p, &request, &err), 0);
	ck_assert_str_eq(find(&guidelines, "allgather <= allreduce")->reason,
			 "the schedule moves more than 2^63 - 1 bytes");
	tmap_guidelines_fini(&guidelines);
	request.collective = TMAP_BARRIER;
	ck_assert_int_eq(tmap_guidelines_init(&guidelines, &p, &request, &err), -1);
	ck_assert_str_eq(err.text, "there are no guidelines for barrier");
	request.root = 24;
	ck_assert_int_eq(tmap_guidelines_init(&guidelines, &p, &request, &err), -1);
	ck_assert_str_eq(err.text, "root 24 is not one of the 24 ranks");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_measured_run_violates_beyond_the_tolerance)
{
	struct tmap_guideline guideline = { .measured_native_s = 1.04, .measured_mockup_s = 1 };

	ck_assert(!tmap_guideline_is_violated(&guideline));
	guideline.is_measured = true;
	ck_assert(tmap_guideline_is_violated(&guideline));
	guideline.measured_native_s = 1.02;
	ck_assert(!tmap_guideline_is_violated(&guideline));
	ck_assert_double_eq(tmap_guideline_ratio(0, 0), 1);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("guidelines");
	TCase *tests = tcase_create("guidelines");

	tcase_add_test(tests, both_sides_are_timed_as_the_library_does_them);
	tcase_add_test(tests, what_says_nothing_here_says_why);
	tcase_add_test(tests, a_measured_run_violates_beyond_the_tolerance);
	suite_add_tcase(suite, tests);
	return suite;
}
