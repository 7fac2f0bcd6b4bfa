/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the score of a job that is launched in that order, which plans every algorithm for it.
 */
#include "core/map/planned.h"
#include "core/score/score.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MOST = 9, CORES = 4, RANKS_MOST = NODES_MOST * CORES, ROWS_MOST = 64 };

static struct tmap_error err;
static const struct tmap_slots_excluded none;
static const double once = 1;

/* A job, and the mappings of it. */
struct job {
	struct tmap_placement p;
	struct tmap_slots slots;
	struct tmap_metric metric;
	struct tmap_order order;
	int mapping[3][RANKS_MOST]; /* block, cyclic, shuffled */
};

/* Equal nodes, or the later the fewer ranks. */
static void job_init(struct job *job, int nodes, bool is_equal, struct dice *dice)
{
	const struct test_level levels[] = { { TMAP_PACKAGE, 2 }, { TMAP_CORE, CORES / 2 }, { 0 } };
	int seat[RANKS_MOST], size = 0, at = 0;

	for (int n = 0; n < nodes; n++)
		for (int c = 0; c < (is_equal ? CORES : CORES - n % CORES); c++)
			seat[size++] = n * CORES + c;
	placement_seats_take(&job->p, machine_regular(nodes, levels), seat, size);
	hold(tmap_slots_init(&job->slots, &job->p, 0, &none, &err) == 0);
	hold(tmap_metric_init(&job->metric, &job->p, TMAP_SCALE_PROCESS, &err) == 0);
	hold(tmap_order_find(&job->order, &job->p, &err) == 0);
	for (int r = 0; r < size; r++)
		job->mapping[0][r] = job->mapping[2][r] = r;
	for (int c = 0; c < CORES; c++)
		for (int s = 0; s < size; s++)
			if (seat[s] % CORES == c)
				job->mapping[1][at++] = s;
	dice_shuffle(dice, job->mapping[2], size);
}

static void job_fini(struct job *job)
{
	tmap_metric_fini(&job->metric);
	tmap_slots_fini(&job->slots);
	tmap_placement_fini(&job->p);
}

static double evaluate(struct job *job, const struct tmap_call *call,
		       const struct tmap_library_own *own, const int *slot_of)
{
	const struct tmap_criteria criteria = { .profile = tmap_profile_at(0) };
	const struct tmap_traffic traffic = {
		.call_count = 1, .call = call, .weight = &once, .own = own
	};
	struct tmap_evaluation evaluation;
	struct tmap_objective objective;

	hold(tmap_objective_init(&objective, &job->slots, &traffic, &criteria, &err) == 0);
	hold(tmap_objective_evaluate(&evaluation, &objective, slot_of, &err) == 0);
	tmap_objective_fini(&objective);
	return evaluation.seconds;
}

static bool is_near(double a, double b)
{
	return a == b || fabs(a - b) <= 1e-9 * b;
}

/* What the score says of the row; infinite where it cannot run. */
static double row_seconds(const struct tmap_score *score, const char *name)
{
	for (int i = 0; i < score->count; i++)
		if (strcmp(score->row[i].call.choice.row->word.name, name) == 0)
			return score->row[i].reason ? INFINITY : score->row[i].seconds;
	ck_abort_msg("no row %s", name);
}

/* All pairs are costed otherwise, of which the objective says how. */
static bool row_is_compared(const struct tmap_call *call)
{
	return !(tmap_call_algorithm(call)->pattern & TMAP_PATTERN_ALL_PAIRS) &&
		tmap_call_check(call, &err) == 0;
}

static int compare_rows(struct job *job, enum tmap_collective collective, int64_t bytes)
{
	const struct tmap_keywords *words = tmap_algorithms(collective);
	const char *name[ROWS_MOST];
	int count = 0, impossible = 0;

	while (tmap_keywords_at(words, (size_t)count)) {
		hold(count < ROWS_MOST);
		name[count] = tmap_keywords_at(words, (size_t)count)->name;
		count++;
	}
	for (int m = 0; m < 3; m++) {
		const struct tmap_score_request request = { .collective = collective,
							    .bytes = bytes,
							    .algorithm = name,
							    .algorithm_count = (size_t)count,
							    .profile = tmap_profile_at(0) };
		struct tmap_placement after;
		struct tmap_score score;

		hold(tmap_placement_select(&after, &job->p, job->mapping[m], job->p.size, &err) ==
		     0);
		hold(tmap_score_init(&score, &after, &request, &err) == 0);
		for (int i = 0; i < count; i++) {
			const struct tmap_call call = { .choice = tmap_spec_preset(words, i),
							.size = job->p.size,
							.bytes = bytes,
							.metric = &job->metric };
			double seconds, expected;

			if (!row_is_compared(&call))
				continue;
			seconds = evaluate(job, &call, NULL, job->mapping[m]);
			expected = row_seconds(&score, name[i]);
			impossible += isinf(seconds) != 0;
			ck_assert_msg(is_near(seconds, expected),
				      "%s of %d ranks, mapping %d: %g, not %g", name[i],
				      job->p.size, m, seconds, expected);
		}
		tmap_score_fini(&score);
		tmap_placement_fini(&after);
	}
	return impossible;
}

/* A row whose schedule follows the places without saying so is found here, too. */
START_TEST(every_row_is_planned_for_the_mapping)
{
	struct dice dice = { 7 };
	int impossible = 0;

	for (int nodes = 2; nodes <= NODES_MOST; nodes++) {
		struct job job;

		job_init(&job, nodes, _i == 0, &dice);
		for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++)
			if (!tmap_collective_rows[c].has_neighbors) {
				int64_t bytes = c == TMAP_BARRIER ? 0 : nodes % 2 ? 8 : 65536;

				impossible += compare_rows(&job, (enum tmap_collective)c, bytes);
			}
		job_fini(&job);
	}
	ck_assert_int_gt(impossible, 0); /* scans, where nodes hold no intervals of ranks */
}
END_TEST

static int compare_libraries(struct job *job, enum tmap_collective collective, int64_t bytes)
{
	const struct tmap_keyword *library;
	int changed = 0;

	for (int m = 0; m < 3; m++) {
		const struct tmap_score_request request = { .collective = collective,
							    .bytes = bytes,
							    .profile = tmap_profile_at(0),
							    .defaults = TMAP_SCORE_DEFAULTS_ALL };
		struct tmap_placement after;
		struct tmap_score score;

		hold(tmap_placement_select(&after, &job->p, job->mapping[m], job->p.size, &err) ==
		     0);
		hold(tmap_score_init(&score, &after, &request, &err) == 0);
		for (int i = 0; (library = tmap_keywords_at(&tmap_libraries, (size_t)i)); i++) {
			const struct tmap_score_default *it = &score.defaults[i];
			struct tmap_call call = { .size = job->p.size, .metric = &job->metric };
			struct tmap_library_own own;
			char text[80], *name;
			double weight, seconds;

			snprintf(text, sizeof text, "%s:%s:%lld",
				 tmap_keywords_at(&tmap_collectives, collective)->name,
				 library->name, (long long)bytes);
			if (collective == TMAP_BARRIER)
				*strrchr(text, ':') = '\0';
			if (tmap_calls_parse(&call, &weight, &own, text, &job->order, 0, &err) <
				    0 ||
			    !row_is_compared(&call) || (it->name && strstr(it->name, "spread")))
				continue;
			name = tmap_spec_print(&call.choice, &err);
			changed += it->name && strcmp(name, it->name) != 0;
			free(name);
			seconds = evaluate(job, &call, &own, job->mapping[m]);
			ck_assert_msg(is_near(seconds, it->name ? it->seconds : INFINITY),
				      "%s of %d ranks, mapping %d: %g, not %g by %s", text,
				      job->p.size, m, seconds, it->seconds,
				      it->name ? it->name : "an unknown one");
		}
		tmap_score_fini(&score);
		tmap_placement_fini(&after);
	}
	return changed;
}

START_TEST(libraries_choose_for_the_mapping)
{
	struct dice dice = { 8 };
	int changed = 0;

	for (int nodes = 2; nodes <= NODES_MOST; nodes++) {
		struct job job;

		job_init(&job, nodes, _i == 0, &dice);
		for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++)
			if (!tmap_collective_rows[c].has_neighbors) {
				int64_t bytes = c == TMAP_BARRIER ? 0 : nodes % 2 ? 8 : 65536;

				changed += compare_libraries(&job, (enum tmap_collective)c, bytes);
			}
		job_fini(&job);
	}
	ck_assert_int_gt(changed, 0);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("planned");
	TCase *tests = tcase_create("planned");

	tcase_set_timeout(tests, 120);
	tcase_add_loop_test(tests, every_row_is_planned_for_the_mapping, 0, 2);
	tcase_add_loop_test(tests, libraries_choose_for_the_mapping, 0, 2);
	suite_add_tcase(suite, tests);
	return suite;
}
