/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: tmap_slots_check(), which knows nothing of mappers; all mappings of up to 7 ranks, tried
 * one by one; tmap_radix_place() for orders of levels.
 */
#include "core/algorithms/catalogue.h"
#include "core/mappers/mapper.h"
#include "core/pattern/grid.h"
#include "core/place/radix.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;
static const struct tmap_slots_excluded none;

static int row(const char *name)
{
	return tmap_keywords_find(&tmap_mappers, name, &err);
}

/* A job with all that mappers are asked about. */
struct quest {
	struct tmap_placement p;
	struct tmap_slots slots;
	struct tmap_pattern pattern;
	struct tmap_call call;
	double weight;
	struct tmap_traffic traffic;
	struct tmap_criteria criteria;
	struct tmap_objective objective;
};

static void random_pattern(struct tmap_pattern *pattern, int size, int entries, struct dice *dice)
{
	struct tmap_pattern_builder b;

	hold(tmap_pattern_builder_init(&b, size, &err) == 0);
	for (int i = 0; i < entries; i++)
		hold(tmap_pattern_add(&b, dice_roll(dice, size), dice_roll(dice, size),
				      dice_roll(dice, 1000), &err) == 0);
	hold(tmap_pattern_finish(pattern, &b, &err) == 0);
}

/* Some ranks pinned to slots of their own, some in groups; as far as that can be. */
static void add_wishes(struct tmap_slots *slots, struct dice *dice)
{
	int slots_count = slots->placement->size;
	struct tmap_idset ranks = { 0 };
	int first = dice_roll(dice, slots->rank_count), count = dice_roll(dice, 4);

	for (int k = dice_roll(dice, 3); k > 0; k--)
		(void)tmap_slots_pin(slots, dice_roll(dice, slots->rank_count),
				     dice_roll(dice, slots_count), &err);
	for (int r = first; r < first + count && r < slots->rank_count; r++)
		hold(tmap_idset_add(&ranks, r, &err) == 0);
	if (tmap_idset_size(&ranks) > 0)
		(void)tmap_slots_join(slots, &ranks, &err);
	tmap_idset_fini(&ranks);
}

static const struct {
	enum tmap_collective collective;
	const char *name;
} calls[] = {
	{ TMAP_ALLGATHER, "ring" },      { TMAP_ALLGATHER, "bruck" },
	{ TMAP_BCAST, "binomial_far" },  { TMAP_ALLTOALL, "pairwise" },
	{ TMAP_GATHER, "binomial_far" }, { TMAP_ALLGATHER, "distance_ring" },
};

/* False where what is asked cannot be. */
static bool quest_init(struct quest *q, struct dice *dice, int ranks)
{
	int size = 1 + dice_roll(dice, ranks), wide = dice_roll(dice, 2);
	struct tmap_machine *machine = machine_random(dice, 6);
	bool can_be;

	memset(q, 0, sizeof *q);
	placement_random_take(&q->p, machine, size, dice);
	can_be = tmap_slots_init(&q->slots, &q->p,
				 wide ? tmap_keywords_find(&tmap_slot_kinds, "hwthread", &err) : 0,
				 &none, &err) == 0;
	if (!can_be) {
		tmap_placement_fini(&q->p);
		return false;
	}
	if (dice_roll(dice, 2))
		add_wishes(&q->slots, dice);
	if (tmap_slots_resolve(&q->slots, &err) < 0) {
		tmap_slots_fini(&q->slots);
		tmap_placement_fini(&q->p);
		return false;
	}
	random_pattern(&q->pattern, size, dice_roll(dice, 5) * size, dice);
	q->traffic.pattern = dice_roll(dice, 2) ? &q->pattern : NULL;
	if (!q->traffic.pattern || dice_roll(dice, 2)) {
		int k = dice_roll(dice, 6);

		q->call = (struct tmap_call){ .size = size, .bytes = 1 + dice_roll(dice, 100000) };
		hold(tmap_call_parse(&q->call, calls[k].collective, calls[k].name, &err) == 0);
		if (tmap_collective_rows[calls[k].collective].has_root)
			q->call.root = dice_roll(dice, size);
		q->weight = 0.5;
		q->traffic.call = &q->call;
		q->traffic.weight = &q->weight;
		q->traffic.call_count = 1;
	}
	q->criteria = (struct tmap_criteria){ .goal = (enum tmap_goal)dice_roll(dice, 3),
					      .profile = tmap_profile_at(0),
					      .scale = (enum tmap_scale)dice_roll(dice, 2) };
	hold(tmap_objective_init(&q->objective, &q->slots, &q->traffic, &q->criteria, &err) == 0);
	return true;
}

static void quest_fini(struct quest *q)
{
	tmap_objective_fini(&q->objective);
	tmap_pattern_fini(&q->pattern);
	tmap_slots_fini(&q->slots);
	tmap_placement_fini(&q->p);
}

static bool is_same(const struct tmap_evaluation *a, const struct tmap_evaluation *b)
{
	return a->seconds == b->seconds && a->byte_distance == b->byte_distance &&
		a->link_s == b->link_s;
}

static void check_mapper(struct quest *q, int mapper)
{
	struct tmap_mapping mapping, again;
	struct tmap_evaluation evaluation;

	if (tmap_map(&mapping, &q->objective, mapper, 20000, 5, NULL, &err) < 0) {
		/* groups may fit in no way that is found; nothing else may fail */
		hold(q->slots.group && strstr(err.text, "group"));
		return;
	}
	hold(mapping.size == q->slots.rank_count);
	hold(tmap_slots_check(&q->slots, mapping.slot_of, &err) == 0);
	hold(tmap_objective_evaluate(&evaluation, &q->objective, mapping.slot_of, &err) == 0);
	hold(is_same(&evaluation, &mapping.evaluation));
	hold(tmap_map(&again, &q->objective, mapper, 20000, 5, NULL, &err) == 0);
	hold(memcmp(again.slot_of, mapping.slot_of,
		    (size_t)mapping.size * sizeof *mapping.slot_of) == 0);
	hold(again.mapper == mapping.mapper && again.steps == mapping.steps);
	tmap_mapping_fini(&mapping);
	tmap_mapping_fini(&again);
}

START_TEST(every_mapper_gives_each_rank_a_slot_of_its_own_and_respects_what_is_asked)
{
	struct dice dice = { 1 };
	int held = 0;

	for (int round = 0; round < 90; round++) {
		struct quest q;

		if (!quest_init(&q, &dice, 40))
			continue;
		held++;
		for (int i = 0; tmap_keywords_at(&tmap_mappers, (size_t)i); i++)
			check_mapper(&q, i);
		quest_fini(&q);
	}
	ck_assert_int_gt(held, 40);
}
END_TEST

START_TEST(the_best_is_no_worse_than_any_mapper_that_keeps_its_budget)
{
	static const char *const names[] = { "identity", "block", "walk", "cyclic" };
	struct dice dice = { 2 };

	for (int round = 0; round < 25; round++) {
		struct tmap_mapping best, other;
		struct quest q;

		if (!quest_init(&q, &dice, 30))
			continue;
		if (tmap_map(&best, &q.objective, row("best"), 400000, 1, NULL, &err) == 0) {
			for (int i = 0; i < 4; i++) {
				hold(tmap_map(&other, &q.objective, row(names[i]), 20000, 1, NULL,
					      &err) == 0);
				hold(!tmap_objective_prefers(&q.objective, &other.evaluation,
							     &best.evaluation));
				tmap_mapping_fini(&other);
			}
			tmap_mapping_fini(&best);
		}
		quest_fini(&q);
	}
}
END_TEST

/* 1024 ranks and a budget of one step. */
static void map_long(struct tmap_mapping *mapping, struct tmap_traffic *traffic,
		     enum tmap_goal goal)
{
	struct tmap_criteria criteria = { .goal = goal,
					  .profile = tmap_profile_at(0),
					  .scale = TMAP_SCALE_PROCESS };
	struct tmap_objective objective;
	struct tmap_mapping launched;
	struct tmap_placement p;
	struct tmap_slots slots;

	placement_block_take(&p,
			     machine_regular(16,
					     (const struct test_level[]){ { TMAP_PACKAGE, 2 },
									  { TMAP_NUMA, 2 },
									  { TMAP_CORE, 16 },
									  { TMAP_NODE, 0 } }));
	hold(tmap_slots_init(&slots, &p, 0, &none, &err) == 0);
	hold(tmap_objective_init(&objective, &slots, traffic, &criteria, &err) == 0);
	hold(tmap_map(&launched, &objective, row("identity"), 1, 1, NULL, &err) == 0);
	hold(tmap_map(mapping, &objective, row("best"), 1, 1, NULL, &err) == 0);
	ck_assert_double_lt(tmap_objective_value(&objective, &mapping->evaluation),
			    tmap_objective_value(&objective, &launched.evaluation));
	tmap_mapping_fini(&launched);
	tmap_objective_fini(&objective);
	tmap_slots_fini(&slots);
	tmap_placement_fini(&p);
}

START_TEST(a_job_beyond_the_budget_still_gets_the_mapper_that_is_made_for_it)
{
	const double weight = 1;
	struct tmap_call call = { .size = 1024, .bytes = 65536 };
	struct tmap_traffic of_call = { .call_count = 1, .call = &call, .weight = &weight };
	struct tmap_traffic of_grid = { .pattern = NULL };
	struct tmap_neighborhood grid;
	struct tmap_pattern_builder b;
	struct tmap_pattern pattern;
	struct tmap_mapping mapping;

	hold(tmap_call_parse(&call, TMAP_ALLGATHER, "recursive_doubling", &err) == 0);
	map_long(&mapping, &of_call, TMAP_GOAL_SECONDS);
	ck_assert_int_eq(mapping.mapper, row("greedy_doubling"));
	tmap_mapping_fini(&mapping);

	hold(tmap_neighborhood_init(&grid, 1024, "vonneumann", "16x16x4", NULL, NULL, &err) == 0);
	hold(tmap_pattern_builder_init(&b, 1024, &err) == 0);
	hold(tmap_pattern_add_grid(&b, &grid, 1, &err) == 0);
	hold(tmap_pattern_finish(&pattern, &b, &err) == 0);
	of_grid = (struct tmap_traffic){ .pattern = &pattern, .grid = &grid };
	map_long(&mapping, &of_grid, TMAP_GOAL_DISTANCE);
	ck_assert_int_eq(mapping.mapper, row("grid"));
	ck_assert_str_eq(mapping.how, "boxes");
	tmap_mapping_fini(&mapping);
	tmap_pattern_fini(&pattern);
	tmap_neighborhood_fini(&grid);
}
END_TEST

/* The least byte distance of all mappings that respect what is asked. */
static void try_all(const struct quest *q, const double *apart, int *slot_of, bool *taken, int rank,
		    double *least)
{
	const struct tmap_pattern *pattern = &q->pattern;
	int slots = q->slots.placement->size;
	double sum = 0;

	for (int s = 0; rank < q->slots.rank_count && s < slots; s++) {
		if (taken[s])
			continue;
		taken[s] = true;
		slot_of[rank] = s;
		try_all(q, apart, slot_of, taken, rank + 1, least);
		taken[s] = false;
	}
	if (rank < q->slots.rank_count || tmap_slots_check(&q->slots, slot_of, &err) < 0)
		return;
	for (int r = 0; r < pattern->size; r++)
		for (int64_t i = pattern->start[r]; i < pattern->start[r + 1]; i++)
			sum += pattern->sent[i] *
				apart[slot_of[r] * slots + slot_of[pattern->peer[i]]];
	*least = sum < *least ? sum : *least;
}

static double find_least(const struct quest *q)
{
	int slots = q->slots.placement->size, slot_of[8];
	double *apart = malloc((size_t)(slots * slots) * sizeof *apart), least = 1e300;
	bool *taken = calloc((size_t)slots, sizeof *taken);
	struct tmap_metric metric;

	hold(tmap_metric_init(&metric, q->slots.placement, q->criteria.scale, &err) == 0);
	for (int a = 0; a < slots; a++)
		for (int b = 0; b < slots; b++)
			apart[a * slots + b] = tmap_metric_distance(&metric, a, b);
	try_all(q, apart, slot_of, taken, 0, &least);
	tmap_metric_fini(&metric);
	free(apart);
	free(taken);
	return least;
}

START_TEST(few_ranks_get_the_best_of_all_mappings)
{
	struct dice dice = { 3 };
	int held = 0;

	for (int round = 0; round < 200; round++) {
		struct tmap_mapping best;
		struct quest q;

		if (!quest_init(&q, &dice, 6))
			continue;
		if (q.slots.placement->size <= 8 && q.traffic.pattern && !q.traffic.call_count) {
			q.criteria.goal = TMAP_GOAL_DISTANCE;
			hold(tmap_map(&best, &q.objective, row("best"), 300000, 1, NULL, &err) ==
			     0);
			ck_assert_double_eq_tol(best.evaluation.byte_distance, find_least(&q),
						1e-6);
			tmap_mapping_fini(&best);
			held++;
		}
		quest_fini(&q);
	}
	ck_assert_int_gt(held, 20);
}
END_TEST

/* 3 nodes of 2 packages of 2 NUMA nodes of 3 cores. */
static void regular(struct tmap_placement *p)
{
	placement_block_take(p,
			     machine_regular(3,
					     (const struct test_level[]){ { TMAP_PACKAGE, 2 },
									  { TMAP_NUMA, 2 },
									  { TMAP_CORE, 3 },
									  { TMAP_NODE, 0 } }));
}

/* The traffic of a ring that runs through the machine in an order of levels: the radix mapper
 * must find an order as good as that one. */
START_TEST(orders_of_levels_are_those_of_the_policy)
{
	static const char *const orders[] = {
		"node,package,numa,core",
		"core,node,package,numa",
		"package,core,numa,node",
		"numa,node,core,package",
	};
	struct tmap_criteria criteria = { .goal = TMAP_GOAL_DISTANCE,
					  .profile = tmap_profile_at(0),
					  .scale = TMAP_SCALE_LEVEL };

	for (int k = 0; k < 4; k++) {
		struct tmap_pattern_builder b;
		struct tmap_pattern pattern;
		struct tmap_traffic traffic = { .pattern = &pattern };
		struct tmap_placement p, policy;
		struct tmap_objective objective;
		struct tmap_mapping mapping;
		struct tmap_slots slots;
		int next[36];

		regular(&p);
		hold(tmap_radix_place(&policy, p.machine, orders[k], TMAP_NONE, &err) == 0);
		for (int r = 0; r < 36; r++) { /* rank r is where block has next[r] */
			int core = tmap_topology_ancestor(tmap_placement_topology(&policy, r),
							  tmap_placement_object(&policy, r),
							  TMAP_CORE);

			next[r] = policy.node[r] * 12 +
				tmap_placement_topology(&policy, r)->object[core].logical;
		}
		/* ranks r and s talk as much as the block mapping makes cheap where the policy puts
		 * them: neighbours in the same NUMA node of the policy */
		hold(tmap_pattern_builder_init(&b, 36, &err) == 0);
		for (int r = 0; r < 36; r++)
			for (int s = 0; s < 36; s++)
				if (next[r] / 3 == next[s] / 3 && r != s)
					hold(tmap_pattern_add(&b, r, s, 100, &err) == 0);
				else if (next[r] / 6 == next[s] / 6 && r != s)
					hold(tmap_pattern_add(&b, r, s, 10, &err) == 0);
				else if (next[r] / 12 == next[s] / 12 && r != s)
					hold(tmap_pattern_add(&b, r, s, 1, &err) == 0);
		hold(tmap_pattern_finish(&pattern, &b, &err) == 0);
		hold(tmap_slots_init(&slots, &p, 0, &none, &err) == 0);
		hold(tmap_objective_init(&objective, &slots, &traffic, &criteria, &err) == 0);
		hold(tmap_map(&mapping, &objective, row("radix"), 10000000, 1, NULL, &err) == 0);
		for (int r = 0; r < 36; r++)
			ck_assert_int_eq(mapping.slot_of[r] / 3, next[r] / 3);
		tmap_mapping_fini(&mapping);
		tmap_objective_fini(&objective);
		tmap_slots_fini(&slots);
		tmap_pattern_fini(&pattern);
		tmap_placement_fini(&policy);
		tmap_placement_fini(&p);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("map");
	TCase *tests = tcase_create("map");

	tcase_add_test(tests,
		       every_mapper_gives_each_rank_a_slot_of_its_own_and_respects_what_is_asked);
	tcase_add_test(tests, the_best_is_no_worse_than_any_mapper_that_keeps_its_budget);
	tcase_add_test(tests, a_job_beyond_the_budget_still_gets_the_mapper_that_is_made_for_it);
	tcase_add_test(tests, few_ranks_get_the_best_of_all_mappings);
	tcase_add_test(tests, orders_of_levels_are_those_of_the_policy);
	suite_add_tcase(suite, tests);
	return suite;
}
