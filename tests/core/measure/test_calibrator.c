/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: a made-up machine that says how long each trial takes, whose figures are known, and which is
 * made odd on purpose: a slow pair, a rank that is interrupted, a clock that jumps, noise.
 */
#include "core/measure/calibrated_profile.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* Latency and seconds a byte within a node and between nodes, and a byte of an adapter. */
static const double near_latency = 1e-6, near_byte = 1e-10, far_latency = 5e-6, far_byte = 2e-10,
		    adapter_byte = 1.25e-10, overhead = 2e-7;
enum { EAGER = 16384, WAVE_TRIALS = 30 };

struct world {
	struct tmap_placement placement;
	struct tmap_metric metric;
	struct tmap_levels levels;
	struct tmap_calibrator calibrator;
	struct tmap_calibrated_profile made;
	struct tmap_random random;
	double spent_s;
	int64_t trials;
	double level; /* of the wave, -1 to 1 */
	/* what is odd */
	double scatter;
	int slow_rank, interrupted_rank, jumping_rank;
	int slow_node;        /* whose adapter is four times as slow as messages elsewhere */
	bool has_half_duplex; /* messages of a rank that begin when both are ready wait for each other */
	bool copies_twice; /* messages of a rank within its node wait for each other */
	int jumps_each;    /* one of so many of its trials is odd; 0: all */
	double wave;       /* all is longer or shorter by up to that part, for many trials on end */
	double each_s;     /* what a trial takes besides */
	double waits;      /* that part of all times is ten milliseconds longer */
	double factor;     /* of all times; 0: 1 */
};

static double uniform(struct tmap_random *random)
{
	return (double)(tmap_random_next(random) >> 11) / 9007199254740992.0;
}

static bool is_far(const struct world *world, int a, int b)
{
	return world->placement.node[a] != world->placement.node[b];
}

/* A byte between two nodes. */
static double far_byte_of(const struct world *world, int a, int b)
{
	bool slow = world->placement.node[a] == world->slow_node ||
		world->placement.node[b] == world->slow_node;

	return slow ? 4 * far_byte : far_byte;
}

static double alone(const struct world *world, int a, int b, int64_t bytes)
{
	double seconds = is_far(world, a, b) ?
		far_latency + (double)bytes * far_byte_of(world, a, b) :
		near_latency + (double)bytes * near_byte;

	return a == world->slow_rank || b == world->slow_rank ? 3 * seconds : seconds;
}

/* All messages at once: the longest by itself, or the busiest adapter. */
static double at_once(const struct world *world, const struct tmap_trial *trial)
{
	double longest = 0, answer = 0;

	for (int i = 0; i < trial->count; i++) {
		int out = 0, in = 0, of_a = 0, of_b = 0, a = trial->from[i], b = trial->to[i];
		double start = alone(world, a, b, 0);

		for (int k = 0; k < trial->count && world->copies_twice && !is_far(world, a, b);
		     k++) {
			of_a += trial->from[k] == a || trial->to[k] == a;
			of_b += trial->from[k] == b || trial->to[k] == b;
			longest = fmax(longest,
				       start +
					       (of_a > of_b ? of_a : of_b) * (double)trial->bytes *
						       near_byte);
		}
		for (int k = 0; k < trial->count && is_far(world, a, b); k++) {
			bool far = is_far(world, trial->from[k], trial->to[k]);

			out += far &&
				world->placement.node[trial->from[k]] == world->placement.node[a];
			in += far &&
				world->placement.node[trial->to[k]] == world->placement.node[b];
			of_a += trial->from[k] == a || trial->to[k] == a;
			of_b += trial->from[k] == b || trial->to[k] == b;
		}
		if (world->has_half_duplex && trial->bytes >= EAGER)
			longest = fmax(longest,
				       start +
					       (of_a > of_b ? of_a : of_b) * (double)trial->bytes *
						       far_byte);
		if (far_byte_of(world, a, b) > far_byte)
			longest = fmax(longest,
				       start +
					       (out > in ? out : in) * (double)trial->bytes *
						       far_byte_of(world, a, b));
		answer = fmax(answer, start);
		longest = fmax(longest,
			       alone(world, a, b, trial->bytes) + (trial->window - 1) * overhead);
		longest = fmax(longest,
			       start + (out > in ? out : in) * (double)trial->bytes * adapter_byte);
	}
	return longest + answer;
}

static double trial_seconds(const struct world *world, const struct tmap_trial *trial)
{
	switch (trial->kind) {
	case TMAP_TRIAL_AT_ONCE:
		return at_once(world, trial);
	case TMAP_TRIAL_LATE:
		return trial->bytes < EAGER ? 1e-6 : trial->window * 1e-6;
	case TMAP_TRIAL_COPY:
	case TMAP_TRIAL_REDUCE:
		return (double)trial->bytes * (trial->kind == TMAP_TRIAL_COPY ? 1e-10 : 3e-10);
	case TMAP_TRIAL_TYPED:
		return alone(world, trial->from[0], trial->to[0], trial->bytes) +
			2 * (double)trial->bytes * 5e-11;
	case TMAP_TRIAL_ROUND_TRIP:
		break;
	}
	return alone(world, trial->from[0], trial->to[0], trial->bytes);
}

static bool has(const struct tmap_trial *trial, int rank)
{
	for (int i = 0; i < trial->count; i++)
		if (trial->from[i] == rank || trial->to[i] == rank)
			return true;
	return false;
}

static int run(void *data, const struct tmap_trial *trial, struct tmap_trial_result *result,
	       struct tmap_error *unused)
{
	struct world *world = data;
	double seconds = trial_seconds(world, trial);

	(void)unused;
	ck_assert_int_le(trial->count, TMAP_TRIAL_MESSAGES_MAX);
	ck_assert_int_le(trial->repetitions, TMAP_TRIAL_REPETITIONS_MAX);
	ck_assert(trial->bytes >= 0 && trial->bytes <= TMAP_CALIBRATION_BYTES_MAX);
	*result = (struct tmap_trial_result){ .count = trial->repetitions, .odd_rank = TMAP_NONE };
	world->spent_s += world->each_s;
	if (world->trials % WAVE_TRIALS == 0)
		world->level = uniform(&world->random) + uniform(&world->random) - 1;
	for (int r = 0; r < trial->repetitions; r++) {
		double factor = 1 +
			world->scatter * (uniform(&world->random) + uniform(&world->random) - 1);

		factor *= 1 + world->wave * world->level;
		factor *= world->factor > 0 ? world->factor : 1;
		if (has(trial, world->interrupted_rank) && uniform(&world->random) < 0.3)
			factor *= 4;
		result->seconds[r] = seconds * factor +
			(world->waits > 0 && uniform(&world->random) < world->waits ? 0.01 : 0);
		world->spent_s += result->seconds[r] *
			(trial->kind == TMAP_TRIAL_ROUND_TRIP ? 2 * trial->window : 1);
	}
	if (has(trial, world->jumping_rank) &&
	    (!world->jumps_each ||
	     tmap_random_below(&world->random, (uint64_t)world->jumps_each) == 0))
		result->odd_rank = world->jumping_rank;
	world->trials++;
	return 0;
}

static double spent(void *data)
{
	return ((struct world *)data)->spent_s;
}

static const struct test_level levels_of_four[] = { { TMAP_CORE, 4 }, { 0 } };

static const struct test_level levels_of_one[] = { { TMAP_CORE, 1 }, { 0 } };

/* Ranks on all cores of nodes. */
static void world_init_of(struct world *world, int nodes, const struct test_level *levels)
{
	*world = (struct world){ .random = { 11 },
				 .slow_rank = TMAP_NONE,
				 .slow_node = TMAP_NONE,
				 .interrupted_rank = TMAP_NONE,
				 .jumping_rank = TMAP_NONE };
	placement_block_take(&world->placement, machine_regular(nodes, levels));
	ck_assert_int_eq(
		tmap_metric_init(&world->metric, &world->placement, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_levels_init(&world->levels, world->placement.machine, &err), 0);
}

static void world_init(struct world *world, int nodes)
{
	world_init_of(world, nodes, levels_of_four);
}

static int calibrate_in(struct world *world, double seconds, uint64_t seed)
{
	const struct tmap_trial_runner runner = { run, spent, world, NULL };

	ck_assert_int_eq(tmap_calibrator_init(&world->calibrator, &world->placement, &world->metric,
					      &world->levels, &runner, seconds, seed, &err),
			 0);
	if (tmap_calibrator_run_pairs(&world->calibrator, &err) < 0 ||
	    tmap_calibrator_run_shared(&world->calibrator, &err) < 0 ||
	    tmap_calibrator_run_own(&world->calibrator, &err) < 0)
		return -1;
	return tmap_calibrated_profile_init(&world->made, &world->calibrator, &err);
}

static int calibrate(struct world *world, uint64_t seed)
{
	return calibrate_in(world, 20, seed);
}

/* Its notes that have a word. */
static int notes_with(const struct world *world, const char *word)
{
	int count = 0;

	for (int i = 0; i < world->made.calibration.note_count; i++)
		count += strstr(world->made.calibration.note[i], word) != NULL;
	return count;
}

static void world_forget(struct world *world)
{
	tmap_calibrated_profile_fini(&world->made);
	tmap_calibrator_fini(&world->calibrator);
	world->spent_s = 0;
	world->trials = 0;
}

static void world_fini(struct world *world)
{
	world_forget(world);
	tmap_levels_fini(&world->levels);
	tmap_metric_fini(&world->metric);
	tmap_placement_fini(&world->placement);
}

static bool is_near(double value, double wanted, double part)
{
	return fabs(value - wanted) <= part * wanted;
}

/* All that is known of the machine, as its profile has it. */
static void check_truth(const struct world *world, double part)
{
	const struct tmap_profile *profile = &world->made.profile;

	for (int distance = 1; distance <= 7; distance += 6)
		for (int64_t bytes = 64; bytes <= 1 << 20; bytes <<= 14) {
			const struct tmap_profile_row *row =
				tmap_profile_find(profile, distance, bytes);
			bool far = distance == 7;

			/* the latency of a large message is lost in its scatter */
			if (bytes == 64)
				ck_assert(is_near(row->latency_s, far ? far_latency : near_latency,
						  part));
			ck_assert(bytes == 64 ||
				  is_near(row->byte_s, far ? far_byte : near_byte, part));
			ck_assert_int_eq(row->protocol,
					 bytes < EAGER ? TMAP_PROTOCOL_EAGER :
							 TMAP_PROTOCOL_RENDEZVOUS);
			ck_assert(is_near(row->overhead_s, overhead, 4 * part));
		}
	ck_assert_int_eq(profile->adapter_count, 1);
	ck_assert(is_near(profile->adapter[0].byte_s, adapter_byte, 2 * part));
	ck_assert_ptr_null(profile->adapter[0].nodes);
	ck_assert_int_eq(profile->link_count, 0);
	ck_assert_int_eq(profile->memory_count, 0);
	ck_assert(is_near(profile->copy_byte_s, 1e-10, part));
	ck_assert(is_near(profile->reduce_byte_s, 3e-10, part));
}

START_TEST(a_quiet_machine_is_found_as_it_is)
{
	struct world world;

	world_init(&world, 6);
	for (uint64_t seed = 1; seed <= 20; seed++) {
		ck_assert_int_eq(calibrate(&world, seed), 0);
		check_truth(&world, 0.002);
		ck_assert(is_near(world.made.profile.datatype_byte_s, 5e-11, 0.01));
		ck_assert(world.made.calibration.is_quiet);
		ck_assert_int_eq(world.made.calibration.note_count, 0);
		world_forget(&world);
	}
	world_fini(&world);
}
END_TEST

START_TEST(a_little_noise_costs_a_little_precision)
{
	struct world world;

	world_init(&world, 6);
	world.scatter = 0.04;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		ck_assert_int_eq(calibrate(&world, seed), 0);
		check_truth(&world, 0.05);
		ck_assert(world.made.calibration.is_quiet);
		world_forget(&world);
	}
	world_fini(&world);
}
END_TEST

START_TEST(a_machine_that_is_not_quiet_says_so)
{
	struct world world;
	int said = 0;

	world_init(&world, 6);
	world.scatter = 0.8;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		ck_assert_int_eq(calibrate(&world, seed), 0);
		said += !world.made.calibration.is_quiet && notes_with(&world, "not quiet") > 0;
		world_forget(&world);
	}
	ck_assert_int_ge(said, 38);
	world_fini(&world);
}
END_TEST

/* The slow rank is in a pair where there are few others. */
START_TEST(a_slow_pair_is_named_and_has_no_part_in_the_lines)
{
	struct world world;
	int named = 0;

	world_init(&world, 3);
	world.slow_rank = 5;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		ck_assert_int_eq(calibrate(&world, seed), 0);
		if (notes_with(&world, "are left out") > 0) {
			named++;
			check_truth(&world, 0.01);
		}
		world_forget(&world);
	}
	ck_assert_int_ge(named, 19);
	world_fini(&world);
}
END_TEST

/* Half of all pairs have it, and messages elsewhere are what a distance lets through. */
START_TEST(a_slow_adapter_is_its_nodes_and_not_the_distances)
{
	struct world world;

	world_init_of(&world, 4, levels_of_one);
	for (int node = 0; node < 4; node++) {
		world.slow_node = node;
		for (uint64_t seed = 1; seed <= 20; seed++) {
			const struct tmap_profile *profile = &world.made.profile;
			const struct tmap_profile_row *row;

			ck_assert_int_eq(calibrate(&world, seed), 0);
			row = tmap_profile_find(profile, 7, 1 << 20);
			ck_assert(is_near(row->byte_s, far_byte, 0.02));
			ck_assert_int_eq(profile->adapter_count, 1);
			ck_assert_ptr_nonnull(profile->adapter[0].nodes);
			ck_assert_str_eq(profile->adapter[0].nodes,
					 world.placement.machine->node_name[node]);
			ck_assert(is_near(profile->adapter[0].byte_s, 4 * far_byte, 0.02));
			ck_assert_int_ge(notes_with(&world, "are left out"), 1);
			world_forget(&world);
		}
	}
	world_fini(&world);
}
END_TEST

/* As of TCP, where the handshake of one direction waits behind the bytes of the other. */
START_TEST(messages_that_wait_for_each_other_have_a_copier_of_their_own)
{
	struct world world;

	world_init_of(&world, 4, levels_of_one);
	for (int half = 0; half < 2; half++)
		for (uint64_t seed = 1; seed <= 20; seed++) {
			const struct tmap_profile *profile = &world.made.profile;

			world.has_half_duplex = half;
			ck_assert_int_eq(calibrate(&world, seed), 0);
			ck_assert_int_ne(tmap_profile_find(profile, 7, EAGER - 1)->copier,
					 TMAP_COPIER_SHARED);
			ck_assert_int_eq(tmap_profile_find(profile, 7, EAGER)->copier ==
						 TMAP_COPIER_SHARED,
					 half);
			world_forget(&world);
		}
	world_fini(&world);
}
END_TEST

/* Two ranks have no third one to ask. */
START_TEST(of_two_ranks_of_a_node_it_is_seen_where_both_copy)
{
	static const struct test_level two_cores[] = { { TMAP_CORE, 2 }, { 0 } };
	struct world world;

	world_init_of(&world, 1, two_cores);
	for (int twice = 0; twice < 2; twice++)
		for (uint64_t seed = 1; seed <= 20; seed++) {
			const struct tmap_profile_row *row;

			world.copies_twice = twice;
			ck_assert_int_eq(calibrate(&world, seed), 0);
			row = tmap_profile_find(&world.made.profile, 1, INT64_MAX);
			ck_assert_int_eq(row->copier,
					 twice ? TMAP_COPIER_SHARED : TMAP_COPIER_UNKNOWN);
			world_forget(&world);
		}
	world_fini(&world);
}
END_TEST

/* Some pairs have no message then, and others one or two. */
START_TEST(few_messages_of_a_noisy_machine_name_nobody)
{
	struct world world;
	int named = 0;

	world_init(&world, 4);
	world.scatter = 0.3;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		world.spent_s = 1e6; /* the time is up, and one pass is made all the same */
		ck_assert_int_eq(calibrate(&world, seed), 0);
		named += notes_with(&world, "are left out") > 0;
		world_forget(&world);
	}
	ck_assert_int_le(named, 60);
	world_fini(&world);
}
END_TEST

START_TEST(a_rank_that_is_interrupted_is_named)
{
	struct world world;
	int named = 0;

	world_init(&world, 3);
	world.interrupted_rank = 5;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		ck_assert_int_eq(calibrate(&world, seed), 0);
		named += notes_with(&world, "rank 5") == 1;
		ck_assert_int_eq(notes_with(&world, "is interrupted"),
				 notes_with(&world, "rank 5"));
		ck_assert(!world.made.calibration.is_quiet ||
			  !notes_with(&world, "is interrupted"));
		world_forget(&world);
	}
	ck_assert_int_ge(named, 19);
	world_fini(&world);
}
END_TEST

START_TEST(trials_in_which_a_clock_jumped_are_made_again)
{
	struct world world;

	world_init(&world, 3);
	world.jumping_rank = 5;
	world.jumps_each = 10;
	ck_assert_int_eq(calibrate(&world, 1), 0);
	check_truth(&world, 0.002);
	ck_assert_int_eq(notes_with(&world, "the clock of rank 5 jumped"), 1);
	world_fini(&world);
}
END_TEST

START_TEST(a_clock_that_always_jumps_is_refused)
{
	struct world world;

	world_init(&world, 3);
	world.jumping_rank = 5;
	ck_assert_int_eq(calibrate(&world, 1), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "the clock of rank 5 jumps"));
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	world_fini(&world);
}
END_TEST

START_TEST(there_are_as_many_trials_for_many_ranks_as_for_few)
{
	static const int nodes[] = { 4, 64, 256, 16384 };
	int64_t most = 0;

	for (int i = 0; i < 4; i++) {
		struct world world;

		world_init(&world, nodes[i]);
		ck_assert_int_eq(calibrate(&world, 1), 0);
		check_truth(&world, 0.002);
		if (i == 0)
			most = world.trials;
		ck_assert_int_le(world.trials, most + most / 4);
		world_fini(&world);
	}
}
END_TEST

START_TEST(the_same_seed_asks_for_the_same)
{
	struct world a, b;

	world_init(&a, 4);
	world_init(&b, 4);
	ck_assert_int_eq(calibrate(&a, 3), 0);
	ck_assert_int_eq(calibrate(&b, 3), 0);
	ck_assert_int_eq(a.made.profile.point_count, b.made.profile.point_count);
	ck_assert_mem_eq(a.made.profile.point, b.made.profile.point,
			 (size_t)a.made.profile.point_count * sizeof *a.made.profile.point);
	world_fini(&a);
	world_fini(&b);
}
END_TEST

/* Each trial takes ten milliseconds of its ranks' way to it. */
START_TEST(the_seconds_that_are_given_are_kept_and_what_had_no_time_is_said)
{
	static const double seconds[] = { 5, 10, 40, 400 };
	struct world world;

	world_init(&world, 6);
	world.scatter = 0.04;
	world.each_s = 0.01;
	for (int i = 0; i < 4; i++) {
		bool is_enough = seconds[i] >= 40;

		ck_assert_int_eq(calibrate_in(&world, seconds[i], 1), 0);
		ck_assert_double_le(world.spent_s, 0.75 * seconds[i]);
		ck_assert_int_eq(notes_with(&world, "there was no time") == 0, is_enough);
		if (is_enough)
			check_truth(&world, 0.05);
		ck_assert_int_eq(tmap_calibrator_run_again(&world.calibrator, &err), 0);
		ck_assert_double_le(world.spent_s, seconds[i] + 0.5);
		world_forget(&world);
	}
	world_fini(&world);
}
END_TEST

static bool is_in(double value, double low, double high)
{
	return value >= low && value <= high;
}

/* Means of a few hundred messages would be far more exact than the machine is the same. */
START_TEST(intervals_have_what_changes_from_time_to_time)
{
	struct world world;
	int right = 0, all = 0;

	world_init(&world, 6);
	world.scatter = 0.02;
	world.wave = 0.2;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		const struct tmap_profile *profile = &world.made.profile;

		ck_assert_int_eq(calibrate(&world, seed), 0);
		ck_assert_double_ge(world.made.calibration.variation, 1.01);
		ck_assert_double_le(world.made.calibration.variation, 1.3);
		for (int far = 0; far < 2; far++) {
			const struct tmap_profile_row *small =
				tmap_profile_find(profile, 1 + 6 * far, 64);
			const struct tmap_profile_row *large =
				tmap_profile_find(profile, 1 + 6 * far, 1 << 20);

			right += is_in(far ? far_latency : near_latency, small->latency_low_s,
				       small->latency_high_s);
			right += is_in(far ? far_byte : near_byte, large->byte_low_s,
				       large->byte_high_s);
			all += 2;
		}
		world_forget(&world);
	}
	ck_assert_int_ge(100 * right, 95 * all);
	world_fini(&world);
}
END_TEST

START_TEST(what_no_longer_holds_is_said)
{
	struct world world;

	world_init(&world, 6);
	for (int k = 0; k < 3; k++) {
		static const double later[] = { 1, 1.3, 0.8 };
		bool holds = k == 0;
		int notes;
		double variation;

		world.scatter = 0.04;
		world.factor = 1;
		ck_assert_int_eq(calibrate(&world, 7), 0);
		world.factor = later[k];
		notes = world.calibrator.note_count;
		variation = world.calibrator.variation;
		ck_assert_int_eq(tmap_calibrator_run_again(&world.calibrator, &err), 0);
		/* a signal that comes meanwhile has the profile of before written */
		ck_assert_int_eq(world.calibrator.note_count, notes);
		ck_assert_double_eq(world.calibrator.variation, variation);
		ck_assert_int_eq(tmap_calibrator_vary(&world.calibrator, &err), 0);
		tmap_calibrated_profile_renew(&world.made, &world.calibrator);
		ck_assert_int_eq(world.made.calibration.is_quiet, holds);
		ck_assert_int_eq(notes_with(&world, "as long at the end as before") == 0, holds);
		if (!holds)
			ck_assert_double_ge(world.made.calibration.variation, 1.2);
		check_truth(&world, 0.05); /* the lines are those of before */
		world_forget(&world);
	}
	world_fini(&world);
}
END_TEST

/* A third of the messages waits until others leave the core, for longer than one may take. */
START_TEST(a_busy_machine_is_asked_again)
{
	struct world world;
	int found = 0;

	world_init(&world, 4);
	world.waits = 0.3;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		found += calibrate_in(&world, 3, seed) == 0;
		world_forget(&world);
	}
	ck_assert_int_ge(found, 18);
	world_fini(&world);
}
END_TEST

START_TEST(what_never_differs_is_not_measured_once_more)
{
	struct world world;
	int64_t trials;

	world_init(&world, 4);
	ck_assert_int_eq(calibrate(&world, 1), 0);
	trials = world.trials;
	ck_assert_int_eq(tmap_calibrator_run_again(&world.calibrator, &err), 0);
	ck_assert_int_eq(world.trials, trials);
	world_fini(&world);
}
END_TEST

START_TEST(one_rank_sends_nobody_anything)
{
	struct world world;
	const struct tmap_trial_runner runner = { run, spent, &world, NULL };

	world_init(&world, 1);
	world.placement.size = 1;
	ck_assert_int_eq(tmap_calibrator_init(&world.calibrator, &world.placement, &world.metric,
					      &world.levels, &runner, 20, 1, &err),
			 -1);
	ck_assert_str_eq(err.text, "messages are between ranks, and there is one rank");
	world.placement.size = 4;
	world_fini(&world);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("calibrator");
	TCase *tc = tcase_create("all");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, a_quiet_machine_is_found_as_it_is);
	tcase_add_test(tc, a_little_noise_costs_a_little_precision);
	tcase_add_test(tc, a_machine_that_is_not_quiet_says_so);
	tcase_add_test(tc, a_slow_pair_is_named_and_has_no_part_in_the_lines);
	tcase_add_test(tc, a_slow_adapter_is_its_nodes_and_not_the_distances);
	tcase_add_test(tc, messages_that_wait_for_each_other_have_a_copier_of_their_own);
	tcase_add_test(tc, of_two_ranks_of_a_node_it_is_seen_where_both_copy);
	tcase_add_test(tc, few_messages_of_a_noisy_machine_name_nobody);
	tcase_add_test(tc, a_rank_that_is_interrupted_is_named);
	tcase_add_test(tc, trials_in_which_a_clock_jumped_are_made_again);
	tcase_add_test(tc, a_clock_that_always_jumps_is_refused);
	tcase_add_test(tc, there_are_as_many_trials_for_many_ranks_as_for_few);
	tcase_add_test(tc, the_same_seed_asks_for_the_same);
	tcase_add_test(tc, the_seconds_that_are_given_are_kept_and_what_had_no_time_is_said);
	tcase_add_test(tc, intervals_have_what_changes_from_time_to_time);
	tcase_add_test(tc, what_no_longer_holds_is_said);
	tcase_add_test(tc, a_busy_machine_is_asked_again);
	tcase_add_test(tc, what_never_differs_is_not_measured_once_more);
	tcase_add_test(tc, one_rank_sends_nobody_anything);
	suite_add_tcase(suite, tc);
	return suite;
}
