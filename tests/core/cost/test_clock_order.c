/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/catalogue.h"
#include "core/cost/clock_order.h"
#include "core/cost/cost_model.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <string.h>

enum { NODES = 12, NODE_RANKS = 16 };

static struct tmap_error err;

struct stage {
	struct tmap_placement placement;
	struct tmap_metric metric;
	struct tmap_levels levels;
	struct tmap_cost_model model;
};

/* So many ranks anywhere on nodes below switches. */
static void set_up(struct stage *stage, struct dice *dice, int size, int profile)
{
	static const struct test_level levels[] = {
		{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 2 }, { TMAP_CORE, 4 }, { 0 }
	};
	struct tmap_machine *machine = machine_regular(NODES, levels);
	int seat[NODES * NODE_RANKS];

	for (int r = 0; r < NODES * NODE_RANKS; r++)
		seat[r] = r;
	dice_shuffle(dice, seat, NODES * NODE_RANKS);
	machine_add_switches(machine, 5);
	placement_seats_take(&stage->placement, machine, seat, size);
	ck_assert_int_eq(
		tmap_metric_init(&stage->metric, &stage->placement, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_levels_init(&stage->levels, stage->placement.machine, &err), 0);
	ck_assert_msg(tmap_cost_model_init(&stage->model, &stage->placement, &stage->metric,
					   &stage->levels, tmap_profile_at((size_t)profile),
					   &err) == 0,
		      "%s", err.text);
	ck_assert_int_eq(stage->model.kinds.distribution, TMAP_DISTRIBUTION_OTHER);
}

static void tear_down(struct stage *stage)
{
	tmap_cost_model_fini(&stage->model);
	tmap_levels_fini(&stage->levels);
	tmap_metric_fini(&stage->metric);
	tmap_placement_fini(&stage->placement);
}

static int visit_message(void *context, const struct tmap_message *message, struct tmap_error *why)
{
	const struct tmap_round_info info = { message->round, message->span, message->times,
					      message->combine, false };

	return tmap_clock_take_ranks(context, &info, &message->from, &message->to, &message->bytes,
				     1, why);
}

static int visit_batch(void *context, const struct tmap_messages *batch, struct tmap_error *why)
{
	return tmap_clock_take_ranks(context, &batch->info, batch->from, batch->to, batch->bytes,
				     batch->count, why);
}

static int visit_shift(void *context, const struct tmap_shift_pattern *shift,
		       struct tmap_error *why)
{
	return tmap_clock_shift_ranks(context, shift, why);
}

static int visit_all_pairs(void *context, const struct tmap_all_pairs *pairs,
			   struct tmap_error *why)
{
	double seconds;

	return tmap_cost_all_pairs(&seconds, ((struct tmap_clock *)context)->model, pairs, why) <
			0 ?
		-1 :
		tmap_clock_together(context, seconds, why);
}

/* The clocks of all ranks after a call, by rank, in order of the nodes or not; true: they were in order. */
static bool clocks_after(double *at, struct stage *stage, const struct tmap_call *call, bool folded,
			 bool in_order)
{
	struct tmap_clock clock;
	struct tmap_visitor visitor = { .folded = folded,
					.no_units = true,
					.message = visit_message,
					.all_pairs = visit_all_pairs,
					.context = &clock };
	bool is_ordered;

	if (folded) {
		visitor.batch = visit_batch;
		visitor.shift = visit_shift;
	}
	ck_assert_int_eq(tmap_clock_init(&clock, &stage->model, &err), 0);
	if (in_order)
		ck_assert_int_eq(tmap_clock_order(&clock, &err), 0);
	is_ordered = clock.place != NULL;
	ck_assert_msg(tmap_schedule(call, &visitor, &err) == 0, "%s", err.text);
	ck_assert_int_eq(tmap_clock_end(&clock, &err), 0);
	for (int r = 0; r < call->size; r++)
		at[r] = clock.at[tmap_clock_place(&clock, r)];
	tmap_clock_fini(&clock);
	return is_ordered;
}

/* Every algorithm, of ranks that are anywhere. */
START_TEST(clocks_in_order_of_nodes_come_to_the_same_bits)
{
	struct dice dice = { .state = 5 };
	int ordered = 0;

	for (int trial = 0; trial < 12; trial++) {
		int size = trial % 2 ? NODES * NODE_RANKS : 40 + 12 * trial;
		uint32_t before[NODES * NODE_RANKS];
		struct stage stage;

		set_up(&stage, &dice, size, trial % 5);
		memcpy(before, stage.model.kinds.packed, (size_t)size * sizeof *before);
		for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++) {
			const struct tmap_keywords *words =
				tmap_algorithms((enum tmap_collective)c);
			const struct tmap_keyword *word;

			for (size_t i = 0; (word = tmap_keywords_at(words, i)); i++) {
				struct tmap_call call = { .size = size,
							  .bytes = c == TMAP_BARRIER ?
								  0 :
								  1 << trial * 2 };
				double by_rank[NODES * NODE_RANKS], by_node[NODES * NODE_RANKS];

				if (tmap_collective_rows[c].has_neighbors)
					continue;
				ck_assert_int_eq(tmap_call_parse(&call, (enum tmap_collective)c,
								 word->name, &err),
						 0);
				call.metric = &stage.metric;
				if (tmap_call_check(&call, &err) < 0)
					continue;
				for (int folded = 0; folded < 2; folded++) {
					ck_assert(!clocks_after(by_rank, &stage, &call, folded,
								false));
					ordered +=
						clocks_after(by_node, &stage, &call, folded, true);
					ck_assert_msg(memcmp(by_rank, by_node,
							     (size_t)size * sizeof *by_rank) == 0,
						      "%s %s of %d ranks, trial %d",
						      tmap_collective_rows[c].word.name, word->name,
						      size, trial);
					ck_assert_mem_eq(before, stage.model.kinds.packed,
							 (size_t)size * sizeof *before);
				}
			}
		}
		tear_down(&stage);
	}
	ck_assert_int_gt(ordered, 1000);
}
END_TEST

/* Nodes with 1, 2, 3, ... ranks, one node after the other. */
START_TEST(ranks_that_lie_node_by_node_have_their_own_order)
{
	static const int seat[] = { 16, 32, 33, 0, 1, 2, 48, 49, 50, 51 };
	struct stage stage;
	struct tmap_clock clock;

	placement_seats_take(
		&stage.placement,
		machine_regular(NODES, (const struct test_level[]){ { TMAP_CORE, 16 }, { 0 } }),
		seat, 10);
	ck_assert_int_eq(
		tmap_metric_init(&stage.metric, &stage.placement, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_levels_init(&stage.levels, stage.placement.machine, &err), 0);
	ck_assert_int_eq(tmap_cost_model_init(&stage.model, &stage.placement, &stage.metric,
					      &stage.levels, tmap_profile_at(0), &err),
			 0);
	ck_assert_int_eq(stage.model.kinds.distribution, TMAP_DISTRIBUTION_OTHER);
	ck_assert_int_eq(tmap_clock_init(&clock, &stage.model, &err), 0);
	ck_assert_int_eq(tmap_clock_order(&clock, &err), 0);
	ck_assert_ptr_null(clock.place);
	tmap_clock_fini(&clock);
	tear_down(&stage);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("clock_order");
	TCase *tests = tcase_create("clock_order");

	tcase_set_timeout(tests, 120);
	tcase_add_test(tests, clocks_in_order_of_nodes_come_to_the_same_bits);
	tcase_add_test(tests, ranks_that_lie_node_by_node_have_their_own_order);
	suite_add_tcase(suite, tests);
	return suite;
}
