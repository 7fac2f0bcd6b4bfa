/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: loops over all pairs of ranks with the distances and objects of the placements
 * themselves, exact schedules added up message by message, and small jobs worked out by hand.
 */
#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/mappers/suggestion.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;
static const struct tmap_slots_excluded none;

static int mapper(const char *name)
{
	return tmap_keywords_find(&tmap_mappers, name, &err);
}

static int slot_kind(const char *name)
{
	return tmap_keywords_find(&tmap_slot_kinds, name, &err);
}

static struct tmap_suggestion_request wish_of(const struct tmap_slots *slots,
					      const struct tmap_placement *before,
					      const struct tmap_traffic *traffic, const char *name,
					      enum tmap_goal goal)
{
	return (struct tmap_suggestion_request){ .slots = slots,
						 .before = before,
						 .traffic = traffic,
						 .criteria = { .goal = goal,
							       .profile = tmap_profile_at(0),
							       .scale = TMAP_SCALE_PROCESS },
						 .mapper = mapper(name),
						 .effort = 1000000,
						 .seed = 1,
						 .by = "test",
						 .request = "--mapper walk" };
}

/* Nobody knows what the ranks say. */
static void ask_ring(struct tmap_suggestion *s, const struct tmap_placement *p, const char *name)
{
	struct tmap_slots slots;
	struct tmap_suggestion_request request = wish_of(&slots, p, NULL, name, TMAP_GOAL_DISTANCE);

	ck_assert_int_eq(tmap_slots_init(&slots, p, 0, &none, &err), 0);
	ck_assert_msg(tmap_suggestion_init(s, &request, &err) == 0, "%s", err.text);
	tmap_slots_fini(&slots);
}

START_TEST(a_mapper_that_gains_nothing_moves_nobody)
{
	static const struct test_level node_levels[] = { { TMAP_CORE, 2 }, { TMAP_NODE, 0 } };
	const int seat[4] = { 2, 3, 0, 1 }; /* the second node first: as good as the walk */
	struct tmap_placement p;
	struct tmap_suggestion s;

	placement_seats_take(&p, machine_regular(2, node_levels), seat, 4);
	p.last_pu = calloc(4, sizeof *p.last_pu);
	p.origin.date = strdup("2026-11-21T00:00:00Z");
	ask_ring(&s, &p, "walk");
	ck_assert(s.is_kept);
	ck_assert_double_eq(s.gain, 0);
	for (int r = 0; r < 4; r++) {
		ck_assert_int_eq(s.place_of[r], r);
		ck_assert_int_eq(s.after.node[r], p.node[r]);
	}
	ck_assert_ptr_null(s.after.last_pu);
	ck_assert_ptr_null(s.after.origin.date);
	ck_assert_str_eq(s.after.origin.by, "test");
	ck_assert_str_eq(s.after.origin.request, "--mapper walk");
	tmap_suggestion_fini(&s);
	tmap_placement_fini(&p);
}
END_TEST

/* 4 nodes of 8 cores, rank r on node r mod 4. */
static void cyclic(struct tmap_placement *p)
{
	static const struct test_level node_levels[] = {
		{ TMAP_PACKAGE, 2 }, { TMAP_L3, 1 }, { TMAP_CORE, 4 }, { TMAP_NODE, 0 }
	};
	int seat[32];

	for (int r = 0; r < 32; r++)
		seat[r] = r % 4 * 8 + r / 4;
	placement_seats_take(p, machine_regular(4, node_levels), seat, 32);
}

START_TEST(the_suggested_places_are_those_of_place_of)
{
	struct tmap_placement p;
	struct tmap_suggestion s;

	cyclic(&p);
	ask_ring(&s, &p, "walk");
	ck_assert(!s.is_kept && !s.has_traffic);
	ck_assert_double_eq_tol(s.gain, (224.0 - 64) / 224, 1e-12);
	ck_assert_double_eq(s.state[TMAP_LAUNCHED].evaluation.byte_distance,
			    s.statistics_before.ring);
	ck_assert_double_eq(s.state[TMAP_SUGGESTED].evaluation.byte_distance,
			    s.statistics_after.ring);
	ck_assert_double_eq(s.state[TMAP_LAUNCHED].border[0].messages, 32);
	ck_assert_double_eq(s.state[TMAP_SUGGESTED].border[0].messages, 4); /* nodes */
	for (int r = 0; r < 32; r++) {
		ck_assert_int_eq(s.after.node[r], p.node[s.place_of[r]]);
		ck_assert_int_eq(tmap_placement_object(&s.after, r),
				 tmap_placement_object(&p, s.place_of[r]));
	}
	tmap_suggestion_fini(&s);
	tmap_placement_fini(&p);
}
END_TEST

/* A mapping found with all values, and again with the goal alone. */
START_TEST(values_that_nobody_asks_for_change_no_mapping)
{
	struct tmap_suggestion all, s;
	struct tmap_suggestion_request request;
	struct tmap_slots slots;
	struct tmap_placement p;

	cyclic(&p);
	ask_ring(&all, &p, "walk");
	ck_assert_int_eq(tmap_slots_init(&slots, &p, 0, &none, &err), 0);
	request = wish_of(&slots, &p, NULL, "walk", TMAP_GOAL_DISTANCE);
	request.criteria.only_goal = true;
	ck_assert_msg(tmap_suggestion_init(&s, &request, &err) == 0, "%s", err.text);
	ck_assert_mem_eq(s.place_of, all.place_of, 32 * sizeof *s.place_of);
	ck_assert_double_eq(s.gain, all.gain);
	for (int i = TMAP_LAUNCHED; i <= TMAP_SUGGESTED; i++) {
		ck_assert_double_eq(s.state[i].evaluation.byte_distance,
				    all.state[i].evaluation.byte_distance);
		ck_assert_double_gt(all.state[i].evaluation.seconds, 0);
		ck_assert_double_eq(s.state[i].evaluation.seconds, 0);
		ck_assert_ptr_nonnull(all.state[i].border);
		ck_assert_ptr_null(s.state[i].border);
	}
	tmap_suggestion_fini(&s);
	tmap_suggestion_fini(&all);
	tmap_slots_fini(&slots);
	tmap_placement_fini(&p);
}
END_TEST

/* Only the figures that are asked for. */
static int simple_of(double suggested, double block, double cyclic, double gain)
{
	struct tmap_suggestion s = { .goal = TMAP_GOAL_LINK, .gain = gain };

	s.state[TMAP_SUGGESTED].evaluation.link_s = suggested;
	s.state[TMAP_BLOCK].evaluation.link_s = block;
	s.state[TMAP_CYCLIC].evaluation.link_s = cyclic;
	s.state[TMAP_BLOCK].placement.size = s.state[TMAP_CYCLIC].placement.size = 4;
	return tmap_suggestion_simple(&s);
}

START_TEST(a_simple_order_within_three_percent_is_named)
{
	ck_assert_int_eq(simple_of(100, 103, 104, 0.5), TMAP_BLOCK);
	ck_assert_int_eq(simple_of(100, 102, 101, 0.5), TMAP_CYCLIC);
	ck_assert_int_eq(simple_of(100, 101, 101, 0.5), TMAP_BLOCK);
	ck_assert_int_eq(simple_of(100, 104, 104, 0.5), TMAP_NONE);
	ck_assert_int_eq(simple_of(100, 100, 100, 0.02), TMAP_NONE);
}
END_TEST

/* What rank a sends rank b, and how often. */
struct matrix {
	double bytes[24 * 24], messages[24 * 24];
};

static int add_exact(void *context, const struct tmap_message *message, struct tmap_error *unused)
{
	struct matrix *all = context;
	int at = 24 * message->from + message->to;

	(void)unused;
	all->bytes[at] += (double)message->bytes;
	all->messages[at]++;
	return 0;
}

/* A random pattern, and calls that have rings, trees and all pairs. */
struct talk {
	struct tmap_pattern pattern;
	struct tmap_call call[3];
	double weight[3];
	struct tmap_traffic traffic;
	struct matrix matrix;
};

static void talk_init(struct talk *talk, int size, struct dice *dice)
{
	static const struct {
		enum tmap_collective collective;
		const char *algorithm;
	} calls[] = { { TMAP_ALLGATHER, "bruck" },
		      { TMAP_BCAST, "binomial_near" },
		      { TMAP_ALLTOALL, "linear" } };
	struct tmap_pattern_builder b;

	memset(talk, 0, sizeof *talk);
	ck_assert_int_eq(tmap_pattern_builder_init(&b, size, &err), 0);
	for (int i = 0; i < 3 * size; i++) {
		int from = dice_roll(dice, size), to = dice_roll(dice, size);
		double bytes = dice_roll(dice, 1000);

		ck_assert_int_eq(tmap_pattern_add(&b, from, to, bytes, &err), 0);
		if (from != to && bytes > 0) {
			talk->matrix.bytes[24 * from + to] += bytes;
			talk->matrix.messages[24 * from + to] = 1;
		}
	}
	ck_assert_int_eq(tmap_pattern_finish(&talk->pattern, &b, &err), 0);
	for (int c = 0; c < 3; c++) {
		static struct matrix of_call;
		struct tmap_visitor visitor = { .message = add_exact, .context = &of_call };

		memset(&of_call, 0, sizeof of_call);
		talk->call[c] = (struct tmap_call){ .size = size, .bytes = 96 };
		talk->weight[c] = 0.5 * (c + 1);
		ck_assert_int_eq(tmap_call_parse(&talk->call[c], calls[c].collective,
						 calls[c].algorithm, &err),
				 0);
		ck_assert_int_eq(tmap_schedule(&talk->call[c], &visitor, &err), 0);
		for (int i = 0; i < 24 * 24; i++) {
			talk->matrix.bytes[i] += talk->weight[c] * of_call.bytes[i];
			talk->matrix.messages[i] += talk->weight[c] * of_call.messages[i];
		}
	}
	talk->traffic = (struct tmap_traffic){ .pattern = &talk->pattern,
					       .call_count = 3,
					       .call = talk->call,
					       .weight = talk->weight };
}

static void check_borders(const struct tmap_border *border, const struct tmap_placement *p,
			  const struct tmap_levels *levels, const struct matrix *matrix)
{
	for (int l = 0; l < levels->count; l++) {
		struct tmap_border want = { 0 };

		for (int a = 0; a < p->size; a++)
			for (int b = 0; b < p->size; b++)
				if (tmap_levels_of_rank(levels, l, p, a) !=
				    tmap_levels_of_rank(levels, l, p, b)) {
					want.messages += matrix->messages[24 * a + b];
					want.bytes += matrix->bytes[24 * a + b];
				}
		ck_assert_double_eq_tol(border[l].messages, want.messages, 1e-6);
		ck_assert_double_eq_tol(border[l].bytes, want.bytes, 1e-6 * (1 + want.bytes));
	}
}

static double cost_of(const struct tmap_placement *p, const struct matrix *matrix)
{
	struct tmap_metric metric;
	double cost = 0;

	ck_assert_int_eq(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err), 0);
	for (int a = 0; a < p->size; a++)
		for (int b = 0; b < p->size; b++)
			cost += matrix->bytes[24 * a + b] * tmap_metric_distance(&metric, a, b);
	tmap_metric_fini(&metric);
	return cost;
}

/* The placements of a suggestion cost and cross what loops over all pairs say. */
START_TEST(costs_and_crossings_are_those_of_loops_over_all_pairs)
{
	struct dice dice = { 7 };

	for (int round = 0; round < 60; round++) {
		static struct talk talk;
		struct tmap_placement p;
		struct tmap_slots slots;
		struct tmap_suggestion s;
		struct tmap_suggestion_request request =
			wish_of(&slots, &p, &talk.traffic, "radix", (enum tmap_goal)(round % 3));
		int size = 2 + dice_roll(&dice, 22);

		placement_random_take(&p, machine_random(&dice, 5), size, &dice);
		talk_init(&talk, size, &dice);
		ck_assert_int_eq(tmap_slots_init(&slots, &p, 0, &none, &err), 0);
		ck_assert_msg(tmap_suggestion_init(&s, &request, &err) == 0, "%s", err.text);
		check_borders(s.state[TMAP_LAUNCHED].border, &p, &s.levels, &talk.matrix);
		check_borders(s.state[TMAP_SUGGESTED].border, &s.after, &s.levels, &talk.matrix);
		ck_assert_double_eq_tol(s.state[TMAP_LAUNCHED].evaluation.byte_distance /
						cost_of(&p, &talk.matrix),
					1, 1e-9);
		ck_assert_double_eq_tol(s.state[TMAP_SUGGESTED].evaluation.byte_distance /
						cost_of(&s.after, &talk.matrix),
					1, 1e-9);
		ck_assert(s.gain >= 0);
		ck_assert_ptr_nonnull(s.state[TMAP_BLOCK].border);
		ck_assert_ptr_nonnull(s.state[TMAP_CYCLIC].border);
		tmap_suggestion_fini(&s);
		tmap_slots_fini(&slots);
		tmap_pattern_fini(&talk.pattern);
		tmap_placement_fini(&p);
	}
}
END_TEST

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

START_TEST(the_pairs_listed_are_those_that_save_most)
{
	struct dice dice = { 8 };

	for (int round = 0; round < 60; round++) {
		static struct talk talk;
		int size = 2 + dice_roll(&dice, 22), list[24], savings = 0;
		double saving[24 * 24], closer = 0, further = 0, same = 0;
		struct tmap_placement p, q;
		struct tmap_metric before, after;
		struct tmap_moves moves;

		placement_random_take(&p, machine_random(&dice, 5), size, &dice);
		for (int r = 0; r < size; r++)
			list[r] = r;
		dice_shuffle(&dice, list, size);
		ck_assert_int_eq(tmap_placement_select(&q, &p, list, size, &err), 0);
		talk_init(&talk, size, &dice);
		talk.traffic.call_count = 2; /* not the one with all pairs */
		memset(&talk.matrix, 0, sizeof talk.matrix);
		for (int c = 0; c < 2; c++) {
			struct tmap_visitor visitor = { .message = add_exact,
							.context = &talk.matrix };

			talk.weight[c] = 1;
			ck_assert_int_eq(tmap_schedule(&talk.call[c], &visitor, &err), 0);
		}
		for (int r = 0; r < size; r++)
			for (int64_t i = talk.pattern.start[r]; i < talk.pattern.start[r + 1]; i++)
				talk.matrix.bytes[24 * r + talk.pattern.peer[i]] +=
					talk.pattern.sent[i];
		ck_assert_int_eq(tmap_metric_init(&before, &p, TMAP_SCALE_PROCESS, &err), 0);
		ck_assert_int_eq(tmap_metric_init(&after, &q, TMAP_SCALE_PROCESS, &err), 0);
		for (int a = 0; a < size; a++)
			for (int b = a + 1; b < size; b++) {
				double bytes = talk.matrix.bytes[24 * a + b] +
					talk.matrix.bytes[24 * b + a];
				double gain = tmap_metric_distance(&before, a, b) -
					tmap_metric_distance(&after, a, b);

				*(gain > 0 ? &closer : gain < 0 ? &further : &same) += bytes;
				if (gain * bytes > 0)
					saving[savings++] = gain * bytes;
			}
		qsort(saving, (size_t)savings, sizeof *saving, compare_doubles);
		ck_assert_int_eq(tmap_moves_find(&moves, &p, &q, &talk.traffic, &err), 0);
		ck_assert(moves.is_known);
		ck_assert_double_eq_tol(moves.closer, closer, 1e-6);
		ck_assert_double_eq_tol(moves.further, further, 1e-6);
		ck_assert_double_eq_tol(moves.same, same, 1e-6);
		for (int i = 0; i < moves.count && i < savings; i++)
			ck_assert_double_eq_tol(moves.top[i].bytes *
							(moves.top[i].before - moves.top[i].after),
						saving[i], 1e-6);
		ck_assert_int_eq(moves.count, savings < TMAP_MOVES_TOP ? savings : TMAP_MOVES_TOP);
		tmap_metric_fini(&before);
		tmap_metric_fini(&after);
		tmap_pattern_fini(&talk.pattern);
		tmap_placement_fini(&p);
		tmap_placement_fini(&q);
	}
}
END_TEST

/* Ranks 0 and 2 talk, 1 and 3 talk; two nodes of two cores of two PUs. */
static void two_pairs(struct tmap_pattern *pattern)
{
	struct tmap_pattern_builder b;

	ck_assert_int_eq(tmap_pattern_builder_init(&b, 4, &err), 0);
	ck_assert_int_eq(tmap_pattern_add(&b, 0, 2, 1e6, &err), 0);
	ck_assert_int_eq(tmap_pattern_add(&b, 1, 3, 1e6, &err), 0);
	ck_assert_int_eq(tmap_pattern_finish(pattern, &b, &err), 0);
}

static void two_nodes(struct tmap_placement *p, const int *seat, int size)
{
	static const struct test_level node_levels[] = { { TMAP_CORE, 2 },
							 { TMAP_PU, 2 },
							 { TMAP_NODE, 0 } };

	placement_seats_take(p, machine_regular(2, node_levels), seat, size);
}

START_TEST(ranks_that_move_to_free_places_have_no_place_of)
{
	struct tmap_placement p;
	struct tmap_pattern pattern;
	struct tmap_slots slots;
	struct tmap_suggestion s;
	struct tmap_traffic traffic = { .pattern = &pattern };
	struct tmap_suggestion_request request =
		wish_of(&slots, &p, &traffic, "radix", TMAP_GOAL_DISTANCE);

	two_nodes(&p, (const int[]){ 0, 1, 4, 5 }, 4);
	two_pairs(&pattern);
	ck_assert_int_eq(tmap_slots_init(&slots, &p, slot_kind("core"), &none, &err), 0);
	ck_assert_int_eq(tmap_suggestion_init(&s, &request, &err), 0);
	ck_assert_ptr_null(s.place_of);
	ck_assert_int_eq(s.moves.silent, 0);
	ck_assert_int_eq(s.after.node[0], s.after.node[2]);
	ck_assert_int_eq(s.after.node[1], s.after.node[3]);
	ck_assert(s.state[TMAP_SUGGESTED].border[0].bytes < 1);
	tmap_suggestion_fini(&s);
	tmap_slots_fini(&slots);

	ck_assert_int_eq(tmap_slots_init(&slots, &p, slot_kind("given"), &none, &err), 0);
	ck_assert_int_eq(tmap_suggestion_init(&s, &request, &err), 0);
	ck_assert_ptr_nonnull(s.place_of);
	ck_assert_int_eq(s.after.node[0], s.after.node[2]);
	tmap_suggestion_fini(&s);
	tmap_slots_fini(&slots);
	tmap_pattern_fini(&pattern);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(who_must_move_moves_even_where_nothing_is_gained)
{
	struct tmap_placement p;
	struct tmap_pattern pattern;
	struct tmap_slots slots;
	struct tmap_suggestion s;
	struct tmap_idset strangers = { 0 };
	struct tmap_traffic traffic = { .pattern = &pattern };
	struct tmap_suggestion_request request =
		wish_of(&slots, &p, &traffic, "radix", TMAP_GOAL_DISTANCE);

	two_nodes(&p, (const int[]){ 0, 4, 2, 6 }, 4); /* as good as it can be */
	two_pairs(&pattern);
	ck_assert_int_eq(tmap_idset_add_range(&strangers, 0, 1, &err), 0);
	ck_assert_int_eq(tmap_slots_init(&slots, &p, 0, &none, &err), 0);
	ck_assert_int_eq(tmap_suggestion_init(&s, &request, &err), 0);
	ck_assert(s.is_kept);
	tmap_suggestion_fini(&s);
	ck_assert_int_eq(tmap_slots_join(&slots, &strangers, &err), 0);
	ck_assert_int_eq(tmap_suggestion_init(&s, &request, &err), 0);
	ck_assert(!s.is_kept && s.must_move);
	ck_assert(s.gain < 0);
	ck_assert_int_eq(s.after.node[0], s.after.node[1]);
	tmap_suggestion_fini(&s);
	tmap_slots_fini(&slots);
	tmap_idset_fini(&strangers);
	tmap_pattern_fini(&pattern);
	tmap_placement_fini(&p);
}
END_TEST

/* Some ranks pinned to slots of their own, and some others to be together, on one node's slots. */
static void bind_some(struct tmap_slots *slots, struct dice *dice)
{
	int size = slots->rank_count, count = slots->placement->size, next = 0, most;
	int *rank = tmap_alloc((size_t)size, sizeof *rank, &err);
	int *slot = tmap_alloc((size_t)count, sizeof *slot, &err);
	int *on_node = tmap_placement_count_ranks(slots->placement, &err);
	struct tmap_idset together = { 0 };

	for (int i = 0; i < size; i++)
		rank[i] = i;
	for (int i = 0; i < count; i++)
		slot[i] = i;
	dice_shuffle(dice, rank, size);
	dice_shuffle(dice, slot, count);
	for (int n = dice_roll(dice, size); next < n; next++)
		ck_assert_int_eq(tmap_slots_pin(slots, rank[next], slot[next], &err), 0);
	for (int i = 0; i < next; i++)
		on_node[slots->placement->node[slot[i]]]--;
	most = on_node[slots->placement->node[slot[count - 1]]];
	for (; next < size && most > 0; next++, most--)
		ck_assert_int_eq(tmap_idset_add(&together, rank[next], &err), 0);
	if (together.count)
		ck_assert_int_eq(tmap_slots_join(slots, &together, &err), 0);
	ck_assert_int_eq(tmap_slots_resolve(slots, &err), 0);
	tmap_idset_fini(&together);
	free(rank);
	free(slot);
	free(on_node);
}

START_TEST(every_mapper_respects_slots_pins_and_groups_on_every_kind_of_machine)
{
	static const char *const kinds[] = { "given", "core", "hwthread" };
	struct dice dice = { 9 };
	int made = 0, rows = 0;

	while (tmap_keywords_at(&tmap_mappers, (size_t)rows))
		rows++;
	for (int round = 0; round < 150; round++) {
		static struct talk talk;
		int size = 2 + dice_roll(&dice, 12);
		struct tmap_slots_excluded excluded = { .ranks = dice_roll(&dice, 2) };
		struct tmap_placement p, part;
		struct tmap_slots slots;
		struct tmap_suggestion s;
		struct tmap_suggestion_request request =
			wish_of(&slots, &part, &talk.traffic, "best", (enum tmap_goal)(round % 3));
		int all[24];

		placement_random_take(&p, machine_random(&dice, 5), size, &dice);
		if (tmap_slots_init(&slots, &p, slot_kind(kinds[round % 3]), &excluded, &err) ==
		    0) {
			for (int r = 0; r < size; r++)
				all[r] = r;
			ck_assert_int_eq(
				tmap_placement_select(&part, &p, all, slots.rank_count, &err), 0);
			bind_some(&slots, &dice);
			talk_init(&talk, slots.rank_count, &dice);
			request.mapper = round % rows;
			request.effort = 20000;
			ck_assert_msg(tmap_suggestion_init(&s, &request, &err) == 0,
				      "round %d, %s: %s", round,
				      tmap_keywords_at(&tmap_mappers, (size_t)(round % rows))->name,
				      err.text);
			ck_assert_int_eq(s.after.size, slots.rank_count);
			for (int r = 0; r < s.after.size; r++)
				if (slots.fixed[r] != TMAP_NONE)
					ck_assert_int_eq(s.after.node[r],
							 slots.placement->node[slots.fixed[r]]);
			for (int r = 0; r < s.after.size && slots.group; r++)
				for (int q = 0; q < r; q++)
					ck_assert(slots.group[r] != slots.group[q] ||
						  slots.group[r] == TMAP_NONE ||
						  s.after.node[r] == s.after.node[q]);
			made++;
			tmap_suggestion_fini(&s);
			tmap_pattern_fini(&talk.pattern);
			tmap_placement_fini(&part);
			tmap_slots_fini(&slots);
		}
		tmap_placement_fini(&p);
	}
	ck_assert_int_gt(made, 100);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("suggestion");
	TCase *tests = tcase_create("suggestion");

	tcase_add_test(tests, a_mapper_that_gains_nothing_moves_nobody);
	tcase_add_test(tests, a_simple_order_within_three_percent_is_named);
	tcase_add_test(tests, the_suggested_places_are_those_of_place_of);
	tcase_add_test(tests, values_that_nobody_asks_for_change_no_mapping);
	tcase_add_test(tests, costs_and_crossings_are_those_of_loops_over_all_pairs);
	tcase_add_test(tests, the_pairs_listed_are_those_that_save_most);
	tcase_add_test(tests, ranks_that_move_to_free_places_have_no_place_of);
	tcase_add_test(tests, who_must_move_moves_even_where_nothing_is_gained);
	tcase_add_test(tests, every_mapper_respects_slots_pins_and_groups_on_every_kind_of_machine);
	suite_add_tcase(suite, tests);
	return suite;
}
