/*
 * Oracle: the model of core/score/cost.h played literally, every round of the exact schedule by
 * itself, with sums over all ranks and objects; and figures worked out by hand.
 */
#include "core/score/cost.h"

#include "core/trees/access.h"
#include "tests/core/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct tm_error err;

#define US 1e-6
#define NS 1e-9

/* Short below 100 bytes; twice as far costs twice as much. */
static const struct tm_profile_row rows[] = {
	{ 1, 100, 1 * US, 1 * NS }, { 1, INT64_MAX, 3 * US, 0.5 * NS },
	{ 5, 100, 2 * US, 2 * NS }, { 5, INT64_MAX, 6 * US, 1 * NS },
	{ 7, 100, 4 * US, 3 * NS }, { 7, INT64_MAX, 9 * US, 1.5 * NS },
};

static const struct tm_profile_link package_link = { "package", 0.4 * NS };

static const struct tm_profile bare = { { "bare", "" }, "", 6, rows, 0, 0, 0, 0, 0, 0, NULL };
static const struct tm_profile full = { { "full", "" }, "", 6, rows, 0.3 * NS, 0.7 * NS, 0.1 * US,
					0.2 * NS, 0.25 * NS, 1, &package_link };

struct stage {
	struct tm_placement placement;
	struct tm_metric metric;
	struct tm_levels levels;
	struct tm_cost_model model;
};

/* Nodes of 2 packages of 2 cores, by slot or dealt out over the nodes. */
static void set_up(struct stage *stage, int nodes, int p, bool cyclic,
		   const struct tm_profile *profile)
{
	static const struct rung rungs[] = { { TM_PACKAGE, 2 }, { TM_NUMA, 1 }, { TM_CORE, 2 },
					     { 0 } };
	int *seat = calloc((size_t)p, sizeof *seat);

	for (int r = 0; r < p; r++)
		seat[r] = cyclic ? r % nodes * 4 + r / nodes : r;
	placement_seats_take(&stage->placement, machine_regular(nodes, rungs), seat, p);
	free(seat);
	ck_assert_int_eq(tm_metric_init(&stage->metric, &stage->placement, TM_SCALE_PROCESS, &err),
			 0);
	ck_assert_int_eq(tm_levels_init(&stage->levels, stage->placement.machine, &err), 0);
	ck_assert_msg(tm_cost_model_init(&stage->model, &stage->placement, &stage->metric,
					 &stage->levels, profile, &err) == 0, "%s", err.text);
}

static void tear_down(struct stage *stage)
{
	tm_cost_model_fini(&stage->model);
	tm_levels_fini(&stage->levels);
	tm_metric_fini(&stage->metric);
	tm_placement_fini(&stage->placement);
}

static struct tm_call call_of(enum tm_collective collective, const char *name, int p,
			      int64_t bytes)
{
	struct tm_call call = { .size = p, .bytes = bytes };

	ck_assert_msg(tm_call_parse(&call, collective, name, &err) == 0, "%s", err.text);
	return call;
}

enum { MOST = 64, MOST_ROUNDS = 256 };

struct play {
	const struct stage *stage;
	const struct tm_profile *profile;
	struct tm_controllers controllers;
	int64_t round;
	double sends[MOST], receives[MOST], latency_out[MOST], latency_in[MOST];
	double node_out[MOST], node_in[MOST], package_out[MOST], package_in[MOST], memory[MOST];
	double longest, seconds;
};

static void end_round(struct play *play)
{
	play->seconds += play->longest;
	play->longest = 0;
	memset(play->sends, 0, sizeof play->sends);
	memset(play->receives, 0, sizeof play->receives);
	memset(play->latency_out, 0, sizeof play->latency_out);
	memset(play->latency_in, 0, sizeof play->latency_in);
	memset(play->node_out, 0, sizeof play->node_out);
	memset(play->node_in, 0, sizeof play->node_in);
	memset(play->package_out, 0, sizeof play->package_out);
	memset(play->package_in, 0, sizeof play->package_in);
	memset(play->memory, 0, sizeof play->memory);
}

static void most(double *value, double other)
{
	*value = fmax(*value, other);
}

static int play_message(void *context, const struct tm_message *message, struct tm_error *e)
{
	struct play *play = context;
	const struct tm_profile *profile = play->profile;
	const struct tm_placement *placement = &play->stage->placement;
	int from = message->from, to = message->to;
	int package = tm_levels_find(&play->stage->levels, "package");
	double bytes = (double)message->bytes;
	double distance = tm_metric_distance(&play->stage->metric, from, to);
	const struct tm_profile_row *row = &rows[distance >= 7 ? 4 : distance >= 5 ? 2 : 0];

	(void)e;
	if (message->bytes >= 100)
		row++;
	if (message->round != play->round)
		end_round(play);
	play->round = message->round;
	play->sends[from] += bytes * row->byte_s +
			     (play->latency_out[from] > 0 ? profile->overhead_s : 0);
	play->receives[to] += bytes * row->byte_s +
			      (message->combine ? bytes * profile->reduce_byte_s : 0) +
			      (play->latency_in[to] > 0 ? profile->overhead_s : 0);
	most(&play->latency_out[from], row->latency_s);
	most(&play->latency_in[to], row->latency_s);
	most(&play->longest, play->latency_out[from] + play->sends[from]);
	most(&play->longest, play->latency_in[to] + play->receives[to]);
	if (placement->node[from] != placement->node[to]) {
		play->node_out[placement->node[from]] += bytes;
		play->node_in[placement->node[to]] += bytes;
		most(&play->longest, row->latency_s + profile->adapter_byte_s *
		     fmax(play->node_out[placement->node[from]], play->node_in[placement->node[to]]));
	}
	int a = tm_levels_of_rank(&play->stage->levels, package, placement, from);
	int b = tm_levels_of_rank(&play->stage->levels, package, placement, to);
	if (a != b && profile->link_count) {
		play->package_out[a] += bytes;
		play->package_in[b] += bytes;
		most(&play->longest, row->latency_s + profile->link[0].byte_s *
		     fmax(play->package_out[a], play->package_in[b]));
	}
	a = tm_controllers_of_rank(&play->controllers, placement, from);
	b = tm_controllers_of_rank(&play->controllers, placement, to);
	play->memory[a] += bytes;
	play->memory[b] += bytes;
	most(&play->longest, row->latency_s + profile->memory_byte_s *
	     fmax(play->memory[a], play->memory[b]));
	return 0;
}

static double literal(const struct stage *stage, const struct tm_profile *profile,
		      const struct tm_call *call)
{
	struct play play = { .stage = stage, .profile = profile };
	struct tm_sink sink = { .message = play_message, .context = &play };

	ck_assert_int_eq(tm_controllers_init(&play.controllers, stage->placement.machine, &err), 0);
	ck_assert_int_eq(tm_schedule(call, &sink, &err), 0);
	end_round(&play);
	tm_controllers_fini(&play.controllers);
	return play.seconds;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/* Two ranks, then four of two packages: nothing is shared, figures by hand. */
START_TEST(single_messages_cost_latency_and_bandwidth)
{
	struct tm_call call = call_of(TM_ALLGATHER, "spread", 2, 10);
	struct stage stage;
	double seconds;

	set_up(&stage, 1, 2, false, &bare);
	ck_assert_int_eq(tm_cost(&seconds, &stage.model, &call, &err), 0);
	ck_assert(is_near(seconds, 1 * US + 10 * NS));
	call.bytes = 99;
	ck_assert_int_eq(tm_cost(&seconds, &stage.model, &call, &err), 0);
	ck_assert(is_near(seconds, 1 * US + 99 * NS));
	call.bytes = 100; /* the next protocol */
	ck_assert_int_eq(tm_cost(&seconds, &stage.model, &call, &err), 0);
	ck_assert(is_near(seconds, 3 * US + 50 * NS));
	tear_down(&stage);
}
END_TEST

/* 8 ranks on two nodes: 7 rounds of a ring, each as long as the step between the nodes. */
START_TEST(a_ring_waits_for_its_slowest_step)
{
	struct tm_call call = call_of(TM_ALLGATHER, "ring", 8, 1000);
	struct stage stage;
	double seconds;

	set_up(&stage, 2, 8, false, &bare);
	ck_assert_int_eq(tm_cost(&seconds, &stage.model, &call, &err), 0);
	ck_assert(is_near(seconds, 7 * (9 * US + 1.5 * US)));
	tear_down(&stage);
}
END_TEST

/* 8 ranks dealt out over two nodes: in each round of a ring 4 leave each node, through one
 * adapter of 0.7 ns a byte, 4 x 0.7 > 1.5. */
START_TEST(ranks_that_send_at_once_share_the_adapter)
{
	struct tm_call call = call_of(TM_ALLGATHER, "ring", 8, 100000);
	struct tm_profile profile = bare;
	struct stage stage;
	double seconds;

	profile.adapter_byte_s = 0.7 * NS;
	set_up(&stage, 2, 8, true, &profile);
	ck_assert_int_eq(tm_cost(&seconds, &stage.model, &call, &err), 0);
	ck_assert(is_near(seconds, 7 * (9 * US + 400000 * 0.7 * NS)));
	tear_down(&stage);
}
END_TEST

/* Bruck's rotation: 8 blocks of 1000 bytes at 0.2 ns come on top. */
START_TEST(the_rotation_is_paid)
{
	struct tm_call call = call_of(TM_ALLGATHER, "bruck", 8, 1000);
	struct tm_profile profile = bare;
	struct stage stage;
	double without, with;

	set_up(&stage, 2, 8, false, &bare);
	ck_assert_int_eq(tm_cost(&without, &stage.model, &call, &err), 0);
	tear_down(&stage);
	profile.copy_byte_s = 0.2 * NS;
	set_up(&stage, 2, 8, false, &profile);
	ck_assert_int_eq(tm_cost(&with, &stage.model, &call, &err), 0);
	ck_assert(is_near(with - without, 8000 * 0.2 * NS));
	tear_down(&stage);
}
END_TEST

/* What is told in all pairs, or copied besides, is not the literal model's; nor are rounds told
 * as one of which some are empty, as the circulant's first ones. */
static bool is_literal(const struct tm_call *call)
{
	static const char *const estimated[] = {
		"pairwise", "pairwise_xor", "linear", "spread", NULL };
	const struct tm_algorithm *algorithm = tm_call_algorithm(call);

	if (algorithm->copies || strcmp(algorithm->choice.word.name, "circulant") == 0)
		return false;
	for (int i = 0; estimated[i]; i++)
		if (strcmp(algorithm->choice.word.name, estimated[i]) == 0 &&
		    (algorithm->collective == TM_ALLTOALL || algorithm->collective == TM_ALLGATHER ||
		     algorithm->collective == TM_REDUCE_SCATTER ||
		     algorithm->collective == TM_REDUCE_SCATTER_BLOCK))
			return false;
	return true;
}

/* Sizes that no number of pieces leaves a rest of; so folded rounds are alike. */
static const int64_t sizes[] = { 0, 240, 5040 * 64, 5040 * 4096 };

START_TEST(every_algorithm_costs_what_its_rounds_do)
{
	const struct tm_words *words = tm_algorithms((enum tm_collective)_i);
	const struct tm_profile *profiles[] = { &bare, &full };
	static const struct { int nodes, p; } shapes[] = { { 1, 4 }, { 3, 12 }, { 4, 16 } };

	for (size_t i = 0; tm_words_at(words, i); i++)
		for (int trial = 0; trial < 3 * 2 * 2 * 4; trial++) {
			const struct tm_profile *profile = profiles[trial / 3 % 2];
			int p = shapes[trial % 3].p;
			struct tm_call call = { .choice = tm_choice_preset(words, (int)i),
						.size = p, .bytes = sizes[trial / 12] };
			struct stage stage;
			double seconds, exact;

			set_up(&stage, shapes[trial % 3].nodes, p, trial / 6 % 2, profile);
			call.metric = &stage.metric;
			if (tm_call_check(&call, &err) == 0 && is_literal(&call)) {
				exact = literal(&stage, profile, &call);
				if (tm_call_algorithm(&call)->gathers) /* in the end, by the root */
					exact += (double)((p - 1) * call.bytes) *
						 profile->reduce_byte_s;
				ck_assert_int_eq(tm_cost(&seconds, &stage.model, &call, &err), 0);
				ck_assert_msg(is_near(seconds, exact), "%s of %d bytes, %d ranks: "
					      "%g instead of %g",
					      tm_call_algorithm(&call)->choice.word.name,
					      (int)call.bytes, p, seconds, exact);
			}
			tear_down(&stage);
		}
}
END_TEST

/* One message from everyone to everyone in a round is no estimate but for the order in which
 * a rank meets the others: the literal rounds are between half of it and all of it. */
START_TEST(all_pairs_are_near_their_rounds)
{
	static const struct {
		enum tm_collective collective;
		const char *name;
	} algorithms[] = { { TM_ALLTOALL, "pairwise" }, { TM_ALLTOALL, "linear" },
			   { TM_ALLTOALL, "spread,batch=3" }, { TM_ALLGATHER, "spread" } };
	const struct tm_profile *profiles[] = { &bare, &full };

	for (int trial = 0; trial < 4 * 2 * 2; trial++) {
		struct tm_call call = call_of(algorithms[_i].collective, algorithms[_i].name, 16,
					      sizes[trial / 4]);
		const struct tm_profile *profile = profiles[trial % 2];
		struct stage stage;
		double seconds, exact;

		set_up(&stage, 4, 16, trial / 2 % 2, profile);
		exact = literal(&stage, profile, &call);
		ck_assert_int_eq(tm_cost(&seconds, &stage.model, &call, &err), 0);
		ck_assert_msg(seconds >= 0.5 * exact && seconds <= 2 * exact,
			      "%s of %d bytes: %g instead of %g", algorithms[_i].name,
			      (int)call.bytes, seconds, exact);
		tear_down(&stage);
	}
}
END_TEST

START_TEST(one_rank_takes_no_time)
{
	struct tm_call call = call_of(TM_ALLGATHER, "bruck", 1, 1 << 20);
	struct stage stage;
	double seconds = 1;

	set_up(&stage, 1, 1, false, &full);
	ck_assert_int_eq(tm_cost(&seconds, &stage.model, &call, &err), 0);
	ck_assert_double_eq(seconds, 0);
	tear_down(&stage);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("cost");
	TCase *tests = tcase_create("cost");

	tcase_add_test(tests, single_messages_cost_latency_and_bandwidth);
	tcase_add_test(tests, a_ring_waits_for_its_slowest_step);
	tcase_add_test(tests, ranks_that_send_at_once_share_the_adapter);
	tcase_add_test(tests, the_rotation_is_paid);
	tcase_add_loop_test(tests, every_algorithm_costs_what_its_rounds_do, 0,
			    TM_COLLECTIVE_COUNT);
	tcase_add_loop_test(tests, all_pairs_are_near_their_rounds, 0, 4);
	tcase_add_test(tests, one_rank_takes_no_time);
	suite_add_tcase(suite, tests);
	return suite;
}
