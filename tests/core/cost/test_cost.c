/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the model of core/cost/cost.h played literally (tests/support/literal_clock.h), every round
 * of the exact schedule by itself; and figures worked out by hand.
 */
#include "core/cost/cost_model.h"

#include "core/algorithms/catalogue.h"
#include "core/cost/clock.h"
#include "core/cost/clock_fold.h"
#include "tests/support/literal_clock.h"
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

enum { MOST_LOADS = 1 << 14 };

static double literal(const struct stage *stage, const struct tmap_profile *profile,
		      const struct tmap_call *call)
{
	return literal_clock_of_call(&stage->placement, &stage->metric, &stage->levels, profile,
				     call);
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

/* 8 ranks on two nodes, 4 on each: of 7 rounds of a ring, eager messages take 7 edges in a row: two
 * between nodes (4 to 7 us), two between packages, three within; those for which both ranks must be
 * ready, and of which the sender awaits the end, take the slowest edge 7 times. */
START_TEST(a_ring_takes_its_edges_or_the_slowest_of_them)
{
	struct tmap_call call = call_of(TMAP_ALLGATHER, "ring", 8, 50);
	struct tmap_profile_row eager[6], awaited[6];
	struct tmap_profile profile = bare;
	struct stage stage;
	double seconds;

	for (int i = 0; i < 6; i++) {
		eager[i] = awaited[i] = rows[i];
		eager[i].protocol = TMAP_PROTOCOL_EAGER;
		awaited[i].protocol = TMAP_PROTOCOL_RENDEZVOUS;
	}
	profile.row = eager;
	set_up(&stage, 2, 8, false, &profile);
	ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
	ck_assert(is_near(seconds,
			  2 * (4 * US + 150 * NS) + 2 * (2 * US + 100 * NS) +
				  3 * (1 * US + 50 * NS)));
	tear_down(&stage);
	profile.row = awaited;
	set_up(&stage, 2, 8, false, &profile);
	ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
	ck_assert(is_near(seconds, 7 * (4 * US + 150 * NS)));
	tear_down(&stage);
}
END_TEST

/* 8 ranks, 4 of which leave each node in each round, through one adapter of 0.7 ns a byte, and
 * 4 x 0.7 > 1.5. */
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

/* What is sent by one rank after another pays the latency once, in one round or in several: the root
 * to 7 others on nodes of their own, as the tree of Algorithm 1 emits it and as flat does. The
 * adapter sends a message's 64 ns of bytes while the root is at work on the next one for 100 ns. */
START_TEST(messages_of_one_sender_pay_the_latency_once)
{
	static const struct test_level one[] = { { TMAP_CORE, 1 }, { 0 } };
	struct tmap_profile_row eager = { .distance = 1,
					  .below_bytes = INT64_MAX,
					  .latency_s = 10 * US,
					  .byte_s = 1 * NS,
					  .overhead_s = 0.1 * US,
					  .protocol = TMAP_PROTOCOL_EAGER };
	struct tmap_profile profile = {
		.word = { "one", "" }, .source = "", .row_count = 1, .row = &eager
	};
	static const char *const names[] = { "flat", "distance_tree" };
	const int seat[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

	for (int i = 0; i < 2; i++) {
		struct tmap_call call = call_of(TMAP_BCAST, names[i], 8, 64);
		struct stage stage;
		double seconds;

		set_up_on(&stage, machine_regular(8, one), seat, 8, &profile);
		call.metric = &stage.metric;
		ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
		ck_assert(is_near(seconds, 10 * US + 6 * 0.1 * US + 64 * NS));
		tear_down(&stage);
	}
}
END_TEST

/* A root that gets a byte of each of 128 ranks is as busy with them as one that sends them: in one
 * round of all, with nothing to send, the messages come after L and keep it 126 more times. */
START_TEST(a_root_has_overhead_of_what_it_receives)
{
	static const struct test_level one[] = { { TMAP_CORE, 128 }, { 0 } };
	struct tmap_profile_row eager = { .distance = 1,
					  .below_bytes = INT64_MAX,
					  .latency_s = 0.5 * US,
					  .byte_s = 0.1 * NS,
					  .overhead_s = 0.2 * US,
					  .protocol = TMAP_PROTOCOL_EAGER };
	struct tmap_profile profile = {
		.word = { "one", "" }, .source = "", .row_count = 1, .row = &eager
	};
	static const enum tmap_collective ways[] = { TMAP_SCATTER, TMAP_GATHER };
	int seat[128];

	for (int r = 0; r < 128; r++)
		seat[r] = r;
	for (int i = 0; i < 2; i++) {
		struct tmap_call call = call_of(ways[i], "linear", 128, 1);
		struct stage stage;
		double seconds;

		set_up_on(&stage, machine_regular(1, one), seat, 128, &profile);
		ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
		ck_assert(is_near(seconds, 0.5 * US + 126 * 0.2 * US + 127 * 0.1 * NS));
		tear_down(&stage);
	}
}
END_TEST

/* Six ranks on two cores of one node: each message waits for two others. */
START_TEST(messages_wait_for_those_who_share_the_core)
{
	struct tmap_call call = call_of(TMAP_BCAST, "chain", 6, 8);
	const int seat[] = { 0, 1, 0, 1, 0, 1 };
	struct tmap_profile profile = bare;
	struct stage stage;
	double alone, seconds;

	set_up_on(&stage, machine_regular(1, node_levels), seat, 6, &profile);
	ck_assert_int_eq(tmap_cost(&alone, &stage.model, &call, &err), 0);
	tear_down(&stage);
	profile.shared_core_s = 10 * US;
	set_up_on(&stage, machine_regular(1, node_levels), seat, 6, &profile);
	ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
	ck_assert(is_near(seconds - alone, 5 * 2 * 10 * US));
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

/* Sizes that are cut evenly, and sizes that are not, some smaller than there are ranks. */
static const int64_t sizes[] = { 0, 3, 77, 240, 5040 * 4, 5040 * 64 + 5, 5040 * 4096 };

/* The profile that is full in other ways: who copies, what is sent when, by distance and by size, and
 * messages a second. */
static void vary(struct tmap_profile *profile, struct tmap_profile_row *row, int way)
{
	static const struct tmap_profile_link both = {
		.level = "package", .byte_s = 0.4 * NS, .message_s = 30 * NS, .both_ways = true
	};
	static const struct tmap_profile_link backbone[] = {
		{ .level = "network", .byte_s = 0.9 * NS, .message_s = 50 * NS },
		{ .level = "package", .byte_s = 0.4 * NS },
	};

	*profile = full;
	for (int i = 0; i < full.row_count; i++) {
		row[i] = full.row[i];
		row[i].protocol = (enum tmap_protocol)((way + i * (way % 4 == 3)) % 3);
		row[i].copier = (enum tmap_copier)((way / 3 + (row[i].distance >= 7)) % 5);
	}
	profile->row = row;
	profile->shared_core_s = 7 * US;
	if (way % 2) {
		profile->link = &both;
		profile->adapter_message_s = 200 * NS;
	} else if (way % 4 == 2) {
		profile->link = backbone;
		profile->link_count = 2;
	}
}

START_TEST(every_algorithm_costs_what_its_messages_do)
{
	const struct tmap_keywords *words = tmap_algorithms((enum tmap_collective)_i);
	struct dice dice = { .state = 100 + (uint64_t)_i };

	for (size_t i = 0; tmap_keywords_at(words, i); i++)
		for (int trial = 0; trial < 40; trial += test_stride(5)) {
			struct tmap_profile_row row[6];
			struct tmap_profile profile = bare;
			int nodes = 1 + dice_roll(&dice, 4),
			    p = 2 + dice_roll(&dice, 4 * nodes - 1);
			int seat[16];
			struct tmap_call call = { .choice = tmap_spec_preset(words, (int)i),
						  .size = p,
						  .bytes = sizes[dice_roll(&dice, 7)] };
			struct stage stage;
			double seconds, exact;

			for (int r = 0; r < 16; r++)
				seat[r] = trial % 3 == 1 ? r % nodes * 4 + r / nodes : r;
			if (trial % 3 == 2)
				dice_shuffle(&dice, seat, 4 * nodes);
			if (trial)
				vary(&profile, row, trial);
			for (int r = 0; r < 16 && trial % 8 == 7; r++) /* two on a core */
				seat[r] = r / 2;
			set_up_on(&stage, machine_regular(nodes, node_levels), seat, p, &profile);
			call.metric = &stage.metric;
			if (tmap_collective_rows[_i].has_root)
				call.root = dice_roll(&dice, p);
			if (tmap_call_check(&call, &err) == 0 &&
			    !tmap_call_algorithm(&call)->copies) {
				exact = literal(&stage, &profile, &call);
				ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
				ck_assert_msg(
					is_near(seconds, exact),
					"%s of %d bytes, %d ranks, trial %d: %g instead of %g",
					tmap_call_algorithm(&call)->choice.word.name,
					(int)call.bytes, p, trial, seconds, exact);
			}
			tear_down(&stage);
		}
}
END_TEST

/* Without any round that is timed by itself, repetitions are estimated: never by more than so many
 * times from the exact schedule, also where a vector has fewer elements than there are ranks. Rows
 * without repetitions are exact. */
START_TEST(folded_rounds_are_near_their_messages)
{
	const struct tmap_keywords *words = tmap_algorithms((enum tmap_collective)_i);
	struct dice dice = { .state = 700 + (uint64_t)_i };

	for (size_t i = 0; tmap_keywords_at(words, i); i++)
		for (int trial = 0; trial < 40; trial += test_stride(5)) {
			struct tmap_profile_row row[6];
			struct tmap_profile profile;
			int nodes = 2 + dice_roll(&dice, 11), p = 4 * nodes, seat[64];
			struct tmap_call call = { .choice = tmap_spec_preset(words, (int)i),
						  .size = p,
						  .bytes = trial % 5 ?
							  sizes[3 + dice_roll(&dice, 4)] :
							  8 << dice_roll(&dice, 4) };
			struct stage stage;
			double seconds, exact;

			for (int r = 0; r < p; r++)
				seat[r] = trial % 3 == 1 ? r % nodes * 4 + r / nodes : r;
			if (trial % 3 == 2)
				dice_shuffle(&dice, seat, p);
			vary(&profile, row, trial);
			set_up_on(&stage, machine_regular(nodes, node_levels), seat, p, &profile);
			call.metric = &stage.metric;
			if (tmap_call_check(&call, &err) == 0) {
				ck_assert_int_eq(
					tmap_cost_by_rounds(&exact, &stage.model, &call, &err), 0);
				stage.model.most_exact = 0;
				ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
				ck_assert_msg(
					seconds <= 2 * exact && seconds >= 0.5 * exact,
					"%s of %d bytes, %d ranks, trial %d: %g instead of %g",
					tmap_call_algorithm(&call)->choice.word.name,
					(int)call.bytes, p, trial, seconds, exact);
			}
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

/* What passed the links in the last round, and when they are free. */
struct passed {
	double bytes, messages, first, end;
};

static void look_at_loads(const struct tmap_cost_model *model, bool of_one_node,
			  struct passed *passed, int *count)
{
	*count = 0;
	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];
		int objects = of_one_node ? link->local_count : link->count;

		for (int o = 0; o < objects * (link->is_sum ? 1 : 2); o++) {
			const struct tmap_cost_load *load = &link->load[o];

			hold(*count < MOST_LOADS);
			passed[(*count)++] = load->round != model->stamp ?
				(struct passed){ 0, 0, 0, 0 } :
				(struct passed){ load->bytes, load->messages, load->first_s,
						 link->end_s[o] };
		}
	}
}

static bool are_alike(const struct passed *a, const struct passed *b, int count)
{
	for (int i = 0; i < count; i++)
		if (!is_near(a[i].bytes, b[i].bytes) || !is_near(a[i].messages, b[i].messages) ||
		    !is_near(a[i].first, b[i].first) || !is_near(a[i].end, b[i].end))
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
	bool of_one_node = tmap_fold_period(&stage->model) > 0; /* which may stand for all */
	int loads;

	ck_assert_int_eq(tmap_cost_and_moved(&seconds, &moved, &stage->model, call, &err), 0);
	look_at_loads(&stage->model, of_one_node, passed, &loads);
	stage->model.kinds.distribution = TMAP_DISTRIBUTION_OTHER;
	ck_assert_int_eq(tmap_cost_and_moved(&plain, &plain_moved, &stage->model, call, &err), 0);
	look_at_loads(&stage->model, of_one_node, plain_passed, &loads);
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

/* Node after node; one on each node in turn; node after node, and then all nodes again. */
enum order { BLOCK, CYCLIC, AGAIN };

/* p ranks, so many a node, under two tiers of switches, or on nodes that are all alike. */
static void compare_rows(const struct tmap_keywords *words, int p, int ppn, enum order order,
			 bool switched, const struct tmap_profile *profile)
{
	static const struct test_level wide[] = {
		{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 2 }, { TMAP_CORE, 4 }, { 0 }
	};
	int nodes = (p + ppn - 1) / ppn, seat[1024];
	struct tmap_machine *machine = machine_regular(nodes, wide);
	struct stage stage;

	if (switched) {
		machine_add_switches(machine, 3);
		machine_add_switches(machine, 4);
	}
	for (int r = 0; r < p; r++)
		seat[r] = order == CYCLIC ? r % nodes * 16 + r / nodes :
			order == BLOCK    ? r / ppn * 16 + r % ppn :
					    r / ppn % ((nodes + 1) / 2) * 16 + r % ppn;
	set_up_on(&stage, machine, seat, p, profile);
	if (p > 1 && order != AGAIN)
		ck_assert_int_eq(stage.model.kinds.distribution,
				 order == CYCLIC && nodes < p && nodes > 1 ?
					 TMAP_DISTRIBUTION_CYCLIC :
					 TMAP_DISTRIBUTION_BLOCK);
	if (!switched && order == BLOCK && p > ppn)
		ck_assert_int_eq(tmap_fold_period(&stage.model), p % ppn ? 0 : ppn);
	stage.model.most_exact = 0;
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
	struct tmap_profile_row eager_rows[7];
	struct tmap_profile eager = far;
	const struct tmap_profile *const profiles[] = { &far, &eager, &memory_only, &package_only };

	memcpy(eager_rows, far_rows, sizeof far_rows);
	for (int i = 0; i < 7; i++)
		eager_rows[i].protocol = i % 3 == 1 ? TMAP_PROTOCOL_RENDEZVOUS :
						      TMAP_PROTOCOL_EAGER;
	eager.row = eager_rows;
	for (int p = 1; p <= 70; p += test_step(p, 7))
		compare_rows(words, p, 1 + p % 16, (enum order)(p % 3), p % 5 < 3, profiles[p % 4]);
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		for (int trial = 0; trial < 8; trial += test_stride(2)) {
			compare_rows(words, more[i], 4 << i % 3, (enum order)(trial % 3), true,
				     profiles[trial / 2]);
			compare_rows(words, more[i], 4 << i % 3, BLOCK, false, profiles[trial / 2]);
		}
}
END_TEST

/* Ranks in no order, so many that rounds whose messages all add the same are counted (clock_even.h): some
 * within nodes, under switches that not all others cross, and on a link of the whole network. */
START_TEST(counted_rounds_cost_what_their_messages_do)
{
	static const char *const names[] = { "sparbit", "pat", "recursive_doubling_any" };
	static const struct test_level wide[] = {
		{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 2 }, { TMAP_CORE, 8 }, { 0 }
	};
	struct dice dice = { .state = 12 };

	for (int trial = 0; trial < 12; trial++) {
		struct tmap_machine *machine = machine_regular(6, wide);
		struct tmap_profile_row row[6];
		struct tmap_profile profile = far;
		struct stage stage;
		int seat[192];

		for (int r = 0; r < 192; r++)
			seat[r] = r;
		dice_shuffle(&dice, seat, 192);
		if (trial % 3)
			vary(&profile, row, trial);
		else
			machine_add_switches(machine, 3);
		profile.shared_core_s = 0;
		set_up_on(&stage, machine, seat, 192, &profile);
		for (int i = 0; i < 3; i++) {
			struct tmap_call call = call_of(TMAP_ALLGATHER, names[i], 192, 3000);
			double seconds, exact = literal(&stage, &profile, &call);

			ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
			ck_assert_ptr_nonnull(stage.model.room->even);
			ck_assert_msg(is_near(seconds, exact), "%s, trial %d: %g instead of %g",
				      names[i], trial, seconds, exact);
		}
		tear_down(&stage);
	}
}
END_TEST

/* The same bits, where messages stay on nodes that are no longer alike (clock_inside.h). */
START_TEST(rounds_inside_nodes_cost_what_their_messages_do)
{
	static const struct test_level wide[] = {
		{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 2 }, { TMAP_CORE, 4 }, { 0 }
	};
	static const enum tmap_collective collectives[] = { TMAP_ALLREDUCE, TMAP_BCAST,
							    TMAP_REDUCE_SCATTER, TMAP_SCAN,
							    TMAP_EXSCAN };
	int seat[192];

	for (int r = 0; r < 192; r++)
		seat[r] = r;
	for (int i = 0; i < 40; i++) {
		struct tmap_call call = call_of(collectives[i % 5], "lane", 192, 500 + 377 * i);
		struct tmap_machine *machine = machine_regular(12, wide);
		double seconds, plain;
		struct stage stage;

		if (i % 2)
			machine_add_switches(machine, 5);
		set_up_on(&stage, machine, seat, 192, i % 4 < 2 ? &far : &memory_only);
		stage.model.most_exact = 0;
		call.metric = &stage.metric;
		ck_assert_int_eq(tmap_cost(&seconds, &stage.model, &call, &err), 0);
		stage.model.kinds.distribution = TMAP_DISTRIBUTION_OTHER;
		ck_assert_int_eq(tmap_cost(&plain, &stage.model, &call, &err), 0);
		ck_assert_double_eq(seconds, plain);
		tear_down(&stage);
	}
}
END_TEST

/* Three rounds to the clock, in which most ranks send equally far: so many messages at a time. */
static double take_rounds(struct tmap_cost_model *model, struct tmap_moved *moved, int at_a_time)
{
	static const int ahead[] = { 5, 313, 64 };
	int p = model->kinds.size, from[512], to[512], last;
	int64_t bytes[512];
	struct tmap_clock clock;
	double seconds;

	ck_assert_int_eq(tmap_clock_init(&clock, model, &err), 0);
	for (int round = 0; round < 3; round++) {
		const struct tmap_round_info info = { round, 1, 1, round == 1, round != 2 };
		int count = 0;

		for (int r = 0; r < p; r++) {
			if (r % 150 == 7)
				continue;
			from[count] = r;
			to[count] = (r + ahead[round]) % p;
			bytes[count++] = r < 220 ? 5000 : 77;
		}
		for (int i = 0; i < count; i += at_a_time)
			ck_assert_int_eq(
				tmap_clock_take(&clock, &info, from + i, to + i, bytes + i,
						count - i < at_a_time ? count - i : at_a_time,
						&err),
				0);
		if (at_a_time == p) /* all but a few are one shift or several */
			ck_assert_uint_lt(clock.message_count, 100);
	}
	ck_assert_int_eq(tmap_clock_end(&clock, &err), 0);
	seconds = tmap_clock_last(&clock, &last);
	*moved = clock.moved;
	clock.moved = (struct tmap_moved){ 0 };
	tmap_clock_fini(&clock);
	return seconds;
}

START_TEST(messages_taken_together_cost_what_they_do_one_by_one)
{
	static const struct test_level wide[] = {
		{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 2 }, { TMAP_CORE, 4 }, { 0 }
	};
	static const int at_a_time[] = { 320, 100 };
	struct dice dice = { .state = 5 };
	int seat[320];

	for (int r = 0; r < 320; r++)
		seat[r] = r;
	for (int shuffled = 0; shuffled < 2; shuffled++) {
		struct tmap_moved one, all;
		struct stage stage;
		double seconds;

		if (shuffled)
			dice_shuffle(&dice, seat, 320);
		set_up_on(&stage, machine_regular(20, wide), seat, 320, &far);
		seconds = take_rounds(&stage.model, &one, 1);
		for (int i = 0; i < 2; i++) {
			size_t kinds = (size_t)stage.model.kinds.count;

			ck_assert_double_eq(take_rounds(&stage.model, &all, at_a_time[i]), seconds);
			ck_assert_mem_eq(all.messages, one.messages, kinds * 8);
			ck_assert_mem_eq(all.bytes, one.bytes, kinds * 8);
			tmap_moved_fini(&all);
		}
		tmap_moved_fini(&one);
		tear_down(&stage);
	}
}
END_TEST

/* Two rounds of the same messages, three to each partner one after another; @p alone: it is said that ranks
 * have no other partner, so that they need no sides. */
static double take_partners(struct tmap_cost_model *model, const int *seat, bool alone)
{
	int p = model->kinds.size, from[64], to[64], last;
	int64_t bytes[64];
	struct tmap_clock clock;
	double seconds;

	ck_assert_int_eq(tmap_clock_init(&clock, model, &err), 0);
	for (int round = 0; round < 2; round++) {
		const struct tmap_round_info info = { round, 1, 3, round == 1, alone };

		for (int r = 0; r < p; r++) {
			from[r] = seat[r];
			to[r] = seat[(r + 1 + 4 * round) % p];
			bytes[r] = r % 5 ? 3000 : 3 * 70000;
		}
		ck_assert_int_eq(
			tmap_clock_take(&clock, &info, from, to, bytes, p - 3 * round, &err), 0);
	}
	ck_assert_int_eq(tmap_clock_end(&clock, &err), 0);
	ck_assert_uint_eq(clock.side_count == 0, alone);
	seconds = tmap_clock_last(&clock, &last);
	tmap_clock_fini(&clock);
	return seconds;
}

/* Oracle: what ranks with several partners take. */
START_TEST(messages_to_one_partner_cost_what_they_do_among_others)
{
	struct dice dice = { .state = 11 };

	for (int trial = 0; trial < 40; trial++) {
		struct tmap_profile_row row[6];
		struct tmap_profile profile;
		struct stage stage;
		int seat[64], order[64];

		for (int r = 0; r < 64; r++)
			seat[r] = order[r] = r;
		dice_shuffle(&dice, seat, 64);
		dice_shuffle(&dice, order, 64);
		vary(&profile, row, trial);
		set_up_on(&stage, machine_regular(16, node_levels), seat, 64, &profile);
		ck_assert_double_eq(take_partners(&stage.model, order, true),
				    take_partners(&stage.model, order, false));
		tear_down(&stage);
	}
}
END_TEST

START_TEST(a_model_that_has_rested_takes_the_same_time)
{
	static const char *const names[] = { "linear", "ring", "lane", "bruck,radix=4" };
	struct stage stage;

	set_up(&stage, 8, 32, true, &full);
	stage.model.most_exact = 0;
	tmap_cost_model_rest(&stage.model); /* nothing is there yet */
	for (int i = 0; i < 4; i++) {
		struct tmap_call call = call_of(TMAP_ALLGATHER, names[i], 32, 5000);
		double before, after;

		call.metric = &stage.metric;
		ck_assert_int_eq(tmap_cost(&before, &stage.model, &call, &err), 0);
		tmap_cost_model_rest(&stage.model);
		ck_assert_ptr_null(stage.model.room);
		ck_assert_int_eq(tmap_cost_model_doze(&stage.model, &err), 0); /* nor here */
		ck_assert_int_eq(tmap_cost(&after, &stage.model, &call, &err), 0);
		ck_assert_double_eq(before, after);
		ck_assert_int_eq(tmap_cost_model_doze(&stage.model, &err), 0);
		ck_assert_ptr_nonnull(stage.model.room);
		ck_assert_int_eq(tmap_cost(&after, &stage.model, &call, &err), 0);
		ck_assert_double_eq(before, after);
	}
	tear_down(&stage);
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
	tcase_add_test(tests, a_ring_takes_its_edges_or_the_slowest_of_them);
	tcase_add_test(tests, messages_of_one_sender_pay_the_latency_once);
	tcase_add_test(tests, a_root_has_overhead_of_what_it_receives);
	tcase_add_test(tests, messages_wait_for_those_who_share_the_core);
	tcase_add_test(tests, ranks_that_send_at_once_share_the_adapter);
	tcase_add_test(tests, the_rotation_is_paid);
	tcase_add_loop_test(tests, every_algorithm_costs_what_its_messages_do, 0,
			    TMAP_COLLECTIVE_COUNT);
	tcase_add_loop_test(tests, folded_rounds_are_near_their_messages, 0, TMAP_COLLECTIVE_COUNT);
	tcase_add_loop_test(tests, whole_nodes_cost_what_their_ranks_do, 0, TMAP_COLLECTIVE_COUNT);
	tcase_add_test(tests, counted_rounds_cost_what_their_messages_do);
	tcase_add_test(tests, rounds_inside_nodes_cost_what_their_messages_do);
	tcase_add_test(tests, messages_taken_together_cost_what_they_do_one_by_one);
	tcase_add_test(tests, messages_to_one_partner_cost_what_they_do_among_others);
	tcase_add_test(tests, a_model_that_has_rested_takes_the_same_time);
	tcase_add_test(tests, one_rank_takes_no_time);
	suite_add_tcase(suite, tests);
	return suite;
}
