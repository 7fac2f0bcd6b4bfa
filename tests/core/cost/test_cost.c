/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the model of core/cost/cost.h played literally, every round of the exact schedule by
 * itself, with sums over all ranks and objects; and figures worked out by hand.
 */
#include "core/cost/cost_model.h"

#include "core/algorithms/catalogue.h"
#include "core/tree/access.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

#define US 1e-6
#define NS 1e-9

/* Short below 100 bytes; twice as far costs twice as much. */
#define ROW(distance_, below_, latency_us_, byte_ns_, overhead_us_) \
	{ \
		.distance = (distance_), .below_bytes = (below_), .latency_s = (latency_us_)*US, \
		.byte_s = (byte_ns_)*NS, .overhead_s = (overhead_us_)*US \
	}
#define ROWS(overhead_us_) \
	ROW(1, 100, 1, 1, overhead_us_), ROW(1, INT64_MAX, 3, 0.5, overhead_us_), \
		ROW(5, 100, 2, 2, overhead_us_), ROW(5, INT64_MAX, 6, 1, overhead_us_), \
		ROW(7, 100, 4, 3, overhead_us_), ROW(7, INT64_MAX, 9, 1.5, overhead_us_)

static const struct tmap_profile_row rows[] = { ROWS(0) };
static const struct tmap_profile_row full_rows[] = { ROWS(0.1) };

static const struct tmap_profile_link package_link = { .level = "package", .byte_s = 0.4 * NS };

static const struct tmap_profile bare = {
	.word = { "bare", "" }, .source = "", .row_count = 6, .row = rows
};
static const struct tmap_profile full = { .word = { "full", "" },
					  .source = "",
					  .row_count = 6,
					  .row = full_rows,
					  .memory_byte_s = 0.3 * NS,
					  .adapter_byte_s = 0.7 * NS,
					  .copy_byte_s = 0.2 * NS,
					  .reduce_byte_s = 0.25 * NS,
					  .link_count = 1,
					  .link = &package_link };

struct stage {
	struct tmap_placement placement;
	struct tmap_metric metric;
	struct tmap_levels levels;
	struct tmap_cost_model model;
};

static const struct test_level node_levels[] = {
	{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 1 }, { TMAP_CORE, 2 }, { 0 }
};

/* The ranks on the seats of a machine, by a profile. */
static void set_up_on(struct stage *stage, struct tmap_machine *machine, const int *seat, int p,
		      const struct tmap_profile *profile)
{
	placement_seats_take(&stage->placement, machine, seat, p);
	ck_assert_int_eq(
		tmap_metric_init(&stage->metric, &stage->placement, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_levels_init(&stage->levels, stage->placement.machine, &err), 0);
	ck_assert_msg(tmap_cost_model_init(&stage->model, &stage->placement, &stage->metric,
					   &stage->levels, profile, &err) == 0,
		      "%s", err.text);
}

/* Nodes of 2 packages of 2 cores, by slot or dealt out over the nodes. */
static void set_up(struct stage *stage, int nodes, int p, bool cyclic,
		   const struct tmap_profile *profile)
{
	int *seat = calloc((size_t)p, sizeof *seat);

	for (int r = 0; r < p; r++)
		seat[r] = cyclic ? r % nodes * 4 + r / nodes : r;
	set_up_on(stage, machine_regular(nodes, node_levels), seat, p, profile);
	free(seat);
}

static void tear_down(struct stage *stage)
{
	tmap_cost_model_fini(&stage->model);
	tmap_levels_fini(&stage->levels);
	tmap_metric_fini(&stage->metric);
	tmap_placement_fini(&stage->placement);
}

static struct tmap_call call_of(enum tmap_collective collective, const char *name, int p,
				int64_t bytes)
{
	struct tmap_call call = { .size = p, .bytes = bytes };

	ck_assert_msg(tmap_call_parse(&call, collective, name, &err) == 0, "%s", err.text);
	return call;
}

enum { MOST = 64, MOST_LOADS = 4096 };

/* What passes the border of an object in a round. */
struct passed {
	double out, in, latency;
};

struct play {
	const struct stage *stage;
	const struct tmap_profile *profile;
	struct tmap_partition controllers;
	int64_t round;
	double sends[MOST], receives[MOST], latency_out[MOST], latency_in[MOST];
	struct passed node[MOST], package[MOST], memory[MOST];
	double longest, seconds;
};

static void most(double *value, double other)
{
	*value = fmax(*value, other);
}

static void pass(struct passed *from, struct passed *to, double bytes, double latency)
{
	from->out += bytes;
	to->in += bytes;
	most(&from->latency, latency);
	most(&to->latency, latency);
}

static void end_links(struct play *play, const struct passed *passed, double byte_s)
{
	for (int i = 0; i < MOST && byte_s > 0; i++)
		most(&play->longest,
		     passed[i].latency + fmax(passed[i].out, passed[i].in) * byte_s);
}

static void end_round(struct play *play)
{
	const struct tmap_profile *profile = play->profile;

	for (int r = 0; r < MOST; r++) {
		most(&play->longest, play->latency_out[r] + play->sends[r]);
		most(&play->longest, play->latency_in[r] + play->receives[r]);
		play->memory[r].out += play->memory[r].in; /* both go through the controller */
	}
	end_links(play, play->node, profile->adapter_byte_s);
	end_links(play, play->package, profile->link_count ? profile->link[0].byte_s : 0);
	end_links(play, play->memory, profile->memory_byte_s);
	play->seconds += play->longest;
	play->longest = 0;
	memset(play->sends, 0, sizeof play->sends);
	memset(play->receives, 0, sizeof play->receives);
	memset(play->latency_out, 0, sizeof play->latency_out);
	memset(play->latency_in, 0, sizeof play->latency_in);
	memset(play->node, 0, sizeof play->node);
	memset(play->package, 0, sizeof play->package);
	memset(play->memory, 0, sizeof play->memory);
}

static int play_message(void *context, const struct tmap_message *message, struct tmap_error *e)
{
	struct play *play = context;
	const struct tmap_profile *profile = play->profile;
	const struct tmap_placement *placement = &play->stage->placement;
	const struct tmap_levels *levels = &play->stage->levels;
	int from = message->from, to = message->to, package = tmap_levels_find(levels, "package");
	int a = tmap_levels_of_rank(levels, package, placement, from);
	int b = tmap_levels_of_rank(levels, package, placement, to);
	double bytes = (double)message->bytes;
	double distance = tmap_metric_distance(&play->stage->metric, from, to);
	const struct tmap_profile_row *row = &profile->row[distance >= 7         ? 4 :
								   distance >= 5 ? 2 :
										   0];

	(void)e;
	if (message->bytes >= 100)
		row++;
	if (message->round != play->round)
		end_round(play);
	play->round = message->round;
	play->sends[from] +=
		bytes * row->byte_s + (play->latency_out[from] > 0 ? row->overhead_s : 0);
	play->receives[to] += bytes * row->byte_s +
		(message->combine ? bytes * profile->reduce_byte_s : 0) +
		(play->latency_in[to] > 0 ? row->overhead_s : 0);
	most(&play->latency_out[from], row->latency_s);
	most(&play->latency_in[to], row->latency_s);
	if (placement->node[from] != placement->node[to])
		pass(&play->node[placement->node[from]], &play->node[placement->node[to]], bytes,
		     row->latency_s);
	if (a != b)
		pass(&play->package[a], &play->package[b], bytes, row->latency_s);
	a = tmap_partition_set(&play->controllers, placement, from);
	b = tmap_partition_set(&play->controllers, placement, to);
	ck_assert(a >= 0 && b >= 0);
	pass(&play->memory[a], &play->memory[b], bytes, row->latency_s);
	return 0;
}

static double literal(const struct stage *stage, const struct tmap_profile *profile,
		      const struct tmap_call *call)
{
	struct play play = { .stage = stage, .profile = profile };
	struct tmap_visitor visitor = { .message = play_message, .context = &play };

	ck_assert_int_eq(tmap_controllers_init(&play.controllers, stage->placement.machine, &err),
			 0);
	ck_assert_int_eq(tmap_schedule(call, &visitor, &err), 0);
	end_round(&play);
	tmap_partition_fini(&play.controllers);
	return play.seconds;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/* Two ranks, then four of two packages: nothing is shared, figures by hand. */
START_TEST(single_messages_cost_latency_and_bandwidth)
{
	struct tmap_call call = call_of(TMAP_ALLGATHER, "spread", 2, 10);
	struct stage stage;
	double seconds;

	set_up(&stage, 1, 2, false, &bare);
	ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
	ck_assert(is_near(seconds, 1 * US + 10 * NS));
	call.bytes = 99;
	ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
	ck_assert(is_near(seconds, 1 * US + 99 * NS));
	call.bytes = 100; /* the next protocol */
	ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
	ck_assert(is_near(seconds, 3 * US + 50 * NS));
	tear_down(&stage);
}
END_TEST

/* 8 ranks on two nodes: 7 rounds of a ring, each as long as the step between the nodes. */
START_TEST(a_ring_waits_for_its_slowest_step)
{
	struct tmap_call call = call_of(TMAP_ALLGATHER, "ring", 8, 1000);
	struct stage stage;
	double seconds;

	set_up(&stage, 2, 8, false, &bare);
	ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
	ck_assert(is_near(seconds, 7 * (9 * US + 1.5 * US)));
	tear_down(&stage);
}
END_TEST

/* 8 ranks dealt out over two nodes: in each round of a ring 4 leave each node, through one
 * adapter of 0.7 ns a byte, 4 x 0.7 > 1.5. */
START_TEST(ranks_that_send_at_once_share_the_adapter)
{
	struct tmap_call call = call_of(TMAP_ALLGATHER, "ring", 8, 100000);
	struct tmap_profile profile = bare;
	struct stage stage;
	double seconds;

	profile.adapter_byte_s = 0.7 * NS;
	set_up(&stage, 2, 8, true, &profile);
	ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
	ck_assert(is_near(seconds, 7 * (9 * US + 400000 * 0.7 * NS)));
	tear_down(&stage);
}
END_TEST

/* Bruck's rotation: 8 blocks of 1000 bytes at 0.2 ns come on top. */
START_TEST(the_rotation_is_paid)
{
	struct tmap_call call = call_of(TMAP_ALLGATHER, "bruck", 8, 1000);
	struct tmap_profile profile = bare;
	struct stage stage;
	double without, with;

	set_up(&stage, 2, 8, false, &bare);
	ck_assert_int_eq(tmap_cost(&without, &stage.model, &call, &err), 0);
	tear_down(&stage);
	profile.copy_byte_s = 0.2 * NS;
	set_up(&stage, 2, 8, false, &profile);
	ck_assert_int_eq(tmap_cost(&with, &stage.model, &call, &err), 0);
	ck_assert(is_near(with - without, 8000 * 0.2 * NS));
	tear_down(&stage);
}
END_TEST

/* All pairs in several rounds, or what is copied besides, are not the literal model's; nor are
 * rounds told as one of which some are empty, as the circulant's first ones. */
static bool is_literal(const struct tmap_call *call)
{
	static const char *const estimated[] = { "pairwise", "pairwise_xor", NULL };
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(call);

	if (algorithm->copies || strcmp(algorithm->choice.word.name, "circulant") == 0)
		return false;
	for (int i = 0; estimated[i]; i++)
		if (strcmp(algorithm->choice.word.name, estimated[i]) == 0)
			return false;
	return true;
}

/* Sizes that no number of pieces leaves a rest of; so folded rounds are alike. */
static const int64_t sizes[] = { 0, 240, 5040 * 64, 5040 * 4096 };

START_TEST(every_algorithm_costs_what_its_rounds_do)
{
	const struct tmap_keywords *words = tmap_algorithms((enum tmap_collective)_i);
	const struct tmap_profile *profiles[] = { &bare, &full };
	static const struct {
		int nodes, p;
	} shapes[] = { { 1, 4 }, { 3, 12 }, { 4, 16 } };

	for (size_t i = 0; tmap_keywords_at(words, i); i++)
		for (int trial = 0; trial < 3 * 2 * 2 * 4; trial++) {
			const struct tmap_profile *profile = profiles[trial / 3 % 2];
			int p = shapes[trial % 3].p;
			struct tmap_call call = { .choice = tmap_spec_preset(words, (int)i),
						  .size = p,
						  .bytes = sizes[trial / 12] };
			struct stage stage;
			double seconds, exact;

			set_up(&stage, shapes[trial % 3].nodes, p, trial / 6 % 2, profile);
			call.metric = &stage.metric;
			if (tmap_call_check(&call, &err) == 0 && is_literal(&call)) {
				exact = literal(&stage, profile, &call);
				if (tmap_call_algorithm(&call)->gathers) /* in the end, by the root */
					exact += (double)((p - 1) * call.bytes) *
						profile->reduce_byte_s;
				ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
				ck_assert_msg(is_near(seconds, exact),
					      "%s of %d bytes, %d ranks: "
					      "%g instead of %g",
					      tmap_call_algorithm(&call)->choice.word.name,
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
		enum tmap_collective collective;
		const char *name;
	} algorithms[] = { { TMAP_ALLTOALL, "pairwise" },
			   { TMAP_ALLTOALL, "linear" },
			   { TMAP_ALLTOALL, "spread,batch=3" },
			   { TMAP_ALLGATHER, "spread" } };
	const struct tmap_profile *profiles[] = { &bare, &full };

	for (int trial = 0; trial < 4 * 2 * 2; trial++) {
		struct tmap_call call = call_of(algorithms[_i].collective, algorithms[_i].name, 16,
						sizes[trial / 4]);
		const struct tmap_profile *profile = profiles[trial % 2];
		struct stage stage;
		double seconds, exact;

		set_up(&stage, 4, 16, trial / 2 % 2, profile);
		exact = literal(&stage, profile, &call);
		ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
		ck_assert_msg(seconds >= 0.5 * exact && seconds <= 2 * exact,
			      "%s of %d bytes: %g instead of %g", algorithms[_i].name,
			      (int)call.bytes, seconds, exact);
		tear_down(&stage);
	}
}
END_TEST

/* Beyond the leaf switches everything costs more, and these are shared. */
static const struct tmap_profile_row far_rows[] = {
	ROW(1, 100, 1, 1, 0.1),        ROW(1, INT64_MAX, 3, 0.5, 0.1), ROW(5, 100, 2, 2, 0.1),
	ROW(5, INT64_MAX, 6, 1, 0.1),  ROW(7, INT64_MAX, 4, 3, 0.1),   ROW(8, 3000, 5, 4, 0.1),
	ROW(8, INT64_MAX, 12, 5, 0.1),
};
static const struct tmap_profile_link far_links[] = {
	{ .level = "package", .byte_s = 0.4 * NS },
	{ .level = "switch1", .byte_s = 0.6 * NS },
};
static const struct tmap_profile far = { .word = { "far", "" },
					 .source = "",
					 .row_count = 7,
					 .row = far_rows,
					 .memory_byte_s = 0.3 * NS,
					 .adapter_byte_s = 0.7 * NS,
					 .copy_byte_s = 0.2 * NS,
					 .reduce_byte_s = 0.25 * NS,
					 .link_count = 2,
					 .link = far_links };

/* Only what is within nodes takes time: the memory, or what lies between packages. */
static const struct tmap_profile_row free_rows[] = { ROW(1, INT64_MAX, 0.001, 0, 0),
						     ROW(5, INT64_MAX, 0.002, 0, 0),
						     ROW(8, INT64_MAX, 0.005, 0, 0) };
static const struct tmap_profile_link slow_package = { .level = "package", .byte_s = 9 * NS };
static const struct tmap_profile memory_only = { .word = { "memory", "" },
						 .source = "",
						 .row_count = 3,
						 .row = free_rows,
						 .memory_byte_s = 9 * NS };
static const struct tmap_profile package_only = { .word = { "package", "" },
						  .source = "",
						  .row_count = 3,
						  .row = free_rows,
						  .link_count = 1,
						  .link = &slow_package };

/* What passed the links in the last round: the stamp of its counters is the one before the last. */
static void look_at_loads(const struct tmap_cost_model *model, struct passed *passed, int *count)
{
	*count = 0;
	for (int l = 0; l < model->link_count; l++)
		for (int o = 0; o < model->link[l].count; o++) {
			const struct tmap_cost_load *load = &model->link[l].load[o];

			hold(*count < MOST_LOADS);
			passed[(*count)++] = load->stamp != model->stamp - 1 ?
				(struct passed){ 0, 0, 0 } :
				(struct passed){ load->out, load->in, load->latency_s };
		}
}

static bool are_alike(const struct passed *a, const struct passed *b, int count)
{
	for (int i = 0; i < count; i++)
		if (!is_near(a[i].out, b[i].out) || !is_near(a[i].in, b[i].in) ||
		    !is_near(a[i].latency, b[i].latency))
			return false;
	return true;
}

static void compare_with_plain(struct stage *stage, const struct tmap_call *call)
{
	enum tmap_distribution distribution = stage->model.kinds.distribution;
	struct tmap_moved moved, plain_moved;
	double seconds, plain;
	size_t kinds = (size_t)stage->model.kinds.count;
	struct passed passed[MOST_LOADS], plain_passed[MOST_LOADS];
	int loads;

	ck_assert_int_eq(tmap_cost_and_moved(&seconds, &moved, &stage->model, call, &err), 0);
	look_at_loads(&stage->model, passed, &loads);
	stage->model.kinds.distribution = TMAP_DISTRIBUTION_OTHER;
	ck_assert_int_eq(tmap_cost_and_moved(&plain, &plain_moved, &stage->model, call, &err), 0);
	look_at_loads(&stage->model, plain_passed, &loads);
	stage->model.kinds.distribution = distribution;
	ck_assert_msg(are_alike(passed, plain_passed, loads), "%s, %d ranks: other loads",
		      tmap_call_algorithm(call)->choice.word.name, call->size);
	ck_assert_msg(
		is_near(seconds, plain) && moved.rounds == plain_moved.rounds &&
			memcmp(moved.messages, plain_moved.messages, kinds * 8) == 0 &&
			memcmp(moved.bytes, plain_moved.bytes, kinds * 8) == 0,
		"%s of %d bytes, %d ranks, distribution %d: %g instead of %g, or other messages",
		tmap_call_algorithm(call)->choice.word.name, (int)call->bytes, call->size,
		(int)distribution, seconds, plain);
	tmap_moved_fini(&moved);
	tmap_moved_fini(&plain_moved);
}

/* p ranks, so many a node, under two tiers of switches. */
static void compare_rows(const struct tmap_keywords *words, int p, int ppn, bool cyclic,
			 const struct tmap_profile *profile)
{
	static const struct test_level wide[] = {
		{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 2 }, { TMAP_CORE, 4 }, { 0 }
	};
	int nodes = (p + ppn - 1) / ppn, seat[1024];
	struct tmap_machine *machine = machine_regular(nodes, wide);
	struct stage stage;

	machine_add_switches(machine, 3);
	machine_add_switches(machine, 4);
	for (int r = 0; r < p; r++)
		seat[r] = cyclic ? r % nodes * 16 + r / nodes : r / ppn * 16 + r % ppn;
	set_up_on(&stage, machine, seat, p, profile);
	if (p > 1)
		ck_assert_int_eq(stage.model.kinds.distribution,
				 cyclic && nodes < p && nodes > 1 ? TMAP_DISTRIBUTION_CYCLIC :
								    TMAP_DISTRIBUTION_BLOCK);
	for (size_t i = 0; tmap_keywords_at(words, i); i++)
		for (int size = 0; size < 3; size++) {
			static const int64_t bytes[] = { 1, 37, 5040 };
			struct tmap_call call = { .choice = tmap_spec_preset(words, (int)i),
						  .size = p,
						  .bytes = bytes[size],
						  .metric = &stage.metric };

			if (tmap_collective_rows[tmap_call_algorithm(&call)->collective].has_root)
				call.root = p / 3;
			if (tmap_call_check(&call, &err) == 0)
				compare_with_plain(&stage, &call);
		}
	tear_down(&stage);
}

/* Oracle: the same clock without a distribution of the ranks, so that it counts every message. */
START_TEST(whole_nodes_cost_what_their_ranks_do)
{
	const struct tmap_keywords *words = tmap_algorithms((enum tmap_collective)_i);
	static const int more[] = { 128, 192, 252, 256, 301, 512, 768 };
	static const struct tmap_profile *const profiles[] = { &far, &memory_only, &package_only };

	for (int p = 1; p <= 70; p++)
		compare_rows(words, p, 1 + p % 16, p % 2, profiles[p % 3]);
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		for (int trial = 0; trial < 6; trial++)
			compare_rows(words, more[i], 4 << i % 3, trial % 2, profiles[trial / 2]);
}
END_TEST

START_TEST(one_rank_takes_no_time)
{
	struct tmap_call call = call_of(TMAP_ALLGATHER, "bruck", 1, 1 << 20);
	struct stage stage;
	double seconds = 1;

	set_up(&stage, 1, 1, false, &full);
	ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
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
			    TMAP_COLLECTIVE_COUNT);
	tcase_add_loop_test(tests, all_pairs_are_near_their_rounds, 0, 4);
	tcase_add_loop_test(tests, whole_nodes_cost_what_their_ranks_do, 0, TMAP_COLLECTIVE_COUNT);
	tcase_add_test(tests, one_rank_takes_no_time);
	suite_add_tcase(suite, tests);
	return suite;
}
