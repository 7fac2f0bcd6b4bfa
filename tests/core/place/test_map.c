/*
 * Oracles: tm_slots_check(), which knows nothing of mappers; all mappings of up to 7 ranks, tried
 * one by one; tm_radix_place() for orders of levels.
 */
#include "core/mappers/mapper.h"
#include "core/pattern/grid.h"
#include "core/place/radix.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tm_error err;
static const struct tm_slots_spared none;

static int row(const char *name)
{
	return tm_words_find(&tm_mappers, name, &err);
}

/* A job with all that mappers are asked about. */
struct quest {
	struct tm_placement p;
	struct tm_slots slots;
	struct tm_pattern pattern;
	struct tm_call call;
	double weight;
	struct tm_traffic traffic;
	struct tm_aim aim;
	struct tm_objective objective;
};

static void random_pattern(struct tm_pattern *pattern, int size, int entries, struct dice *dice)
{
	struct tm_pattern_builder b;

	hold(tm_pattern_builder_init(&b, size, &err) == 0);
	for (int i = 0; i < entries; i++)
		hold(tm_pattern_add(&b, dice_roll(dice, size), dice_roll(dice, size),
				    dice_roll(dice, 1000), &err) == 0);
	hold(tm_pattern_finish(pattern, &b, &err) == 0);
}

/* Some ranks pinned to slots of their own, some in groups; as far as that can be. */
static void add_wishes(struct tm_slots *slots, struct dice *dice)
{
	int slots_count = slots->seats->size;
	struct tm_idset ranks = { 0 };
	int first = dice_roll(dice, slots->rank_count), count = dice_roll(dice, 4);

	for (int k = dice_roll(dice, 3); k > 0; k--)
		(void)tm_slots_pin(slots, dice_roll(dice, slots->rank_count),
				   dice_roll(dice, slots_count), &err);
	for (int r = first; r < first + count && r < slots->rank_count; r++)
		hold(tm_idset_add(&ranks, r, &err) == 0);
	if (tm_idset_size(&ranks) > 0)
		(void)tm_slots_join(slots, &ranks, &err);
	tm_idset_fini(&ranks);
}

static const struct {
	enum tm_collective collective;
	const char *name;
} calls[] = {
	{ TM_ALLGATHER, "ring" }, { TM_ALLGATHER, "bruck" }, { TM_BCAST, "binomial_far" },
	{ TM_ALLTOALL, "pairwise" }, { TM_GATHER, "binomial_far" },
	{ TM_ALLGATHER, "distance_ring" },
};

/* False where what is asked cannot be. */
static bool quest_init(struct quest *q, struct dice *dice, int ranks)
{
	int size = 1 + dice_roll(dice, ranks), wide = dice_roll(dice, 2);
	struct tm_machine *machine = machine_random(dice, 6);
	bool can_be;

	memset(q, 0, sizeof *q);
	placement_random_take(&q->p, machine, size, dice);
	can_be = tm_slots_init(&q->slots, &q->p, wide ? tm_words_find(&tm_slot_kinds, "hwthread",
			       &err) : 0, &none, &err) == 0;
	if (!can_be) {
		tm_placement_fini(&q->p);
		return false;
	}
	if (dice_roll(dice, 2))
		add_wishes(&q->slots, dice);
	if (tm_slots_settle(&q->slots, &err) < 0) {
		tm_slots_fini(&q->slots);
		tm_placement_fini(&q->p);
		return false;
	}
	random_pattern(&q->pattern, size, dice_roll(dice, 5) * size, dice);
	q->traffic.pattern = dice_roll(dice, 2) ? &q->pattern : NULL;
	if (!q->traffic.pattern || dice_roll(dice, 2)) {
		int k = dice_roll(dice, 6);

		q->call = (struct tm_call){ .size = size, .bytes = 1 + dice_roll(dice, 100000) };
		hold(tm_call_parse(&q->call, calls[k].collective, calls[k].name, &err) == 0);
		if (tm_collective_rows[calls[k].collective].has_root)
			q->call.root = dice_roll(dice, size);
		q->weight = 0.5;
		q->traffic.call = &q->call;
		q->traffic.weight = &q->weight;
		q->traffic.call_count = 1;
	}
	q->aim = (struct tm_aim){ (enum tm_goal)dice_roll(dice, 3), tm_profile_at(0),
				  (enum tm_scale)dice_roll(dice, 2), NULL, 0 };
	hold(tm_objective_init(&q->objective, &q->slots, &q->traffic, &q->aim, &err) == 0);
	return true;
}

static void quest_fini(struct quest *q)
{
	tm_objective_fini(&q->objective);
	tm_pattern_fini(&q->pattern);
	tm_slots_fini(&q->slots);
	tm_placement_fini(&q->p);
}

static bool is_same(const struct tm_measures *a, const struct tm_measures *b)
{
	return a->seconds == b->seconds && a->byte_distance == b->byte_distance &&
	       a->link_s == b->link_s;
}

static void check_mapper(struct quest *q, int mapper)
{
	struct tm_mapping mapping, again;
	struct tm_measures measures;

	if (tm_map(&mapping, &q->objective, mapper, 20000, 5, &err) < 0) {
		/* groups may fit in no way that is found; nothing else may fail */
		hold(q->slots.group && strstr(err.text, "group"));
		return;
	}
	hold(mapping.size == q->slots.rank_count);
	hold(tm_slots_check(&q->slots, mapping.slot_of, &err) == 0);
	hold(tm_objective_measure(&measures, &q->objective, mapping.slot_of, &err) == 0);
	hold(is_same(&measures, &mapping.measures));
	hold(tm_map(&again, &q->objective, mapper, 20000, 5, &err) == 0);
	hold(memcmp(again.slot_of, mapping.slot_of,
		    (size_t)mapping.size * sizeof *mapping.slot_of) == 0);
	hold(again.mapper == mapping.mapper && again.steps == mapping.steps);
	tm_mapping_fini(&mapping);
	tm_mapping_fini(&again);
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
		for (int i = 0; tm_words_at(&tm_mappers, (size_t)i); i++)
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
		struct tm_mapping best, other;
		struct quest q;

		if (!quest_init(&q, &dice, 30))
			continue;
		if (tm_map(&best, &q.objective, row("best"), 400000, 1, &err) == 0) {
			for (int i = 0; i < 4; i++) {
				hold(tm_map(&other, &q.objective, row(names[i]), 20000, 1,
					    &err) == 0);
				hold(!tm_objective_prefers(&q.objective, &other.measures,
							   &best.measures));
				tm_mapping_fini(&other);
			}
			tm_mapping_fini(&best);
		}
		quest_fini(&q);
	}
}
END_TEST

/* 1024 ranks and a budget of one step. */
static void map_long(struct tm_mapping *mapping, struct tm_traffic *traffic, enum tm_goal goal)
{
	struct tm_aim aim = { goal, tm_profile_at(0), TM_SCALE_PROCESS, NULL, 0 };
	struct tm_objective objective;
	struct tm_mapping launched;
	struct tm_placement p;
	struct tm_slots slots;

	placement_block_take(&p, machine_regular(16, (const struct rung[]){
		{ TM_PACKAGE, 2 }, { TM_NUMA, 2 }, { TM_CORE, 16 }, { TM_NODE, 0 } }));
	hold(tm_slots_init(&slots, &p, 0, &none, &err) == 0);
	hold(tm_objective_init(&objective, &slots, traffic, &aim, &err) == 0);
	hold(tm_map(&launched, &objective, row("identity"), 1, 1, &err) == 0);
	hold(tm_map(mapping, &objective, row("best"), 1, 1, &err) == 0);
	ck_assert_double_lt(tm_objective_value(&objective, &mapping->measures),
			    tm_objective_value(&objective, &launched.measures));
	tm_mapping_fini(&launched);
	tm_objective_fini(&objective);
	tm_slots_fini(&slots);
	tm_placement_fini(&p);
}

START_TEST(a_job_beyond_the_budget_still_gets_the_mapper_that_is_made_for_it)
{
	const double weight = 1;
	struct tm_call call = { .size = 1024, .bytes = 65536 };
	struct tm_traffic of_call = { .call_count = 1, .call = &call, .weight = &weight };
	struct tm_traffic of_grid = { .pattern = NULL };
	struct tm_neighborhood grid;
	struct tm_pattern_builder b;
	struct tm_pattern pattern;
	struct tm_mapping mapping;

	hold(tm_call_parse(&call, TM_ALLGATHER, "recursive_doubling", &err) == 0);
	map_long(&mapping, &of_call, TM_GOAL_SECONDS);
	ck_assert_int_eq(mapping.mapper, row("greedy_doubling"));
	tm_mapping_fini(&mapping);

	hold(tm_neighborhood_init(&grid, 1024, "vonneumann", "16x16x4", NULL, NULL, &err) == 0);
	hold(tm_pattern_builder_init(&b, 1024, &err) == 0);
	hold(tm_pattern_add_grid(&b, &grid, 1, &err) == 0);
	hold(tm_pattern_finish(&pattern, &b, &err) == 0);
	of_grid = (struct tm_traffic){ .pattern = &pattern, .grid = &grid };
	map_long(&mapping, &of_grid, TM_GOAL_DISTANCE);
	ck_assert_int_eq(mapping.mapper, row("grid"));
	ck_assert_str_eq(mapping.how, "boxes");
	tm_mapping_fini(&mapping);
	tm_pattern_fini(&pattern);
	tm_neighborhood_fini(&grid);
}
END_TEST

/* The least byte distance of all mappings that respect what is asked. */
static void try_all(const struct quest *q, const double *apart, int *slot_of, bool *taken, int rank,
		    double *least)
{
	const struct tm_pattern *pattern = &q->pattern;
	int slots = q->slots.seats->size;
	double sum = 0;

	for (int s = 0; rank < q->slots.rank_count && s < slots; s++) {
		if (taken[s])
			continue;
		taken[s] = true;
		slot_of[rank] = s;
		try_all(q, apart, slot_of, taken, rank + 1, least);
		taken[s] = false;
	}
	if (rank < q->slots.rank_count || tm_slots_check(&q->slots, slot_of, &err) < 0)
		return;
	for (int r = 0; r < pattern->size; r++)
		for (int64_t i = pattern->start[r]; i < pattern->start[r + 1]; i++)
			sum += pattern->sent[i] *
			       apart[slot_of[r] * slots + slot_of[pattern->peer[i]]];
	*least = sum < *least ? sum : *least;
}

static double find_least(const struct quest *q)
{
	int slots = q->slots.seats->size, slot_of[8];
	double *apart = malloc((size_t)(slots * slots) * sizeof *apart), least = 1e300;
	bool *taken = calloc((size_t)slots, sizeof *taken);
	struct tm_metric metric;

	hold(tm_metric_init(&metric, q->slots.seats, q->aim.scale, &err) == 0);
	for (int a = 0; a < slots; a++)
		for (int b = 0; b < slots; b++)
			apart[a * slots + b] = tm_metric_distance(&metric, a, b);
	try_all(q, apart, slot_of, taken, 0, &least);
	tm_metric_fini(&metric);
	free(apart);
	free(taken);
	return least;
}

START_TEST(few_ranks_get_the_best_of_all_mappings)
{
	struct dice dice = { 3 };
	int held = 0;

	for (int round = 0; round < 200; round++) {
		struct tm_mapping best;
		struct quest q;

		if (!quest_init(&q, &dice, 6))
			continue;
		if (q.slots.seats->size <= 8 && q.traffic.pattern && !q.traffic.call_count) {
			q.aim.goal = TM_GOAL_DISTANCE;
			hold(tm_map(&best, &q.objective, row("best"), 300000, 1, &err) == 0);
			ck_assert_double_eq_tol(best.measures.byte_distance, find_least(&q), 1e-6);
			tm_mapping_fini(&best);
			held++;
		}
		quest_fini(&q);
	}
	ck_assert_int_gt(held, 20);
}
END_TEST

/* 3 nodes of 2 packages of 2 NUMA nodes of 3 cores. */
static void regular(struct tm_placement *p)
{
	placement_block_take(p, machine_regular(3, (const struct rung[]){
		{ TM_PACKAGE, 2 }, { TM_NUMA, 2 }, { TM_CORE, 3 }, { TM_NODE, 0 } }));
}

/* The traffic of a ring that runs through the machine in an order of levels: the radix mapper
 * must find an order as good as that one. */
START_TEST(orders_of_levels_are_those_of_the_policy)
{
	static const char *const orders[] = {
		"node,package,numa,core", "core,node,package,numa", "package,core,numa,node",
		"numa,node,core,package",
	};
	struct tm_aim aim = { TM_GOAL_DISTANCE, tm_profile_at(0), TM_SCALE_LEVEL, NULL, 0 };

	for (int k = 0; k < 4; k++) {
		struct tm_pattern_builder b;
		struct tm_pattern pattern;
		struct tm_traffic traffic = { .pattern = &pattern };
		struct tm_placement p, policy;
		struct tm_objective objective;
		struct tm_mapping mapping;
		struct tm_slots slots;
		int next[36];

		regular(&p);
		hold(tm_radix_place(&policy, p.machine, orders[k], TM_NONE, &err) == 0);
		for (int r = 0; r < 36; r++) { /* rank r is where block has next[r] */
			int core = tm_topology_ancestor(tm_placement_topology(&policy, r),
							tm_placement_object(&policy, r), TM_CORE);

			next[r] = policy.node[r] * 12 +
				  tm_placement_topology(&policy, r)->object[core].logical;
		}
		/* ranks r and s talk as much as the block mapping makes cheap where the policy puts
		 * them: neighbours in the same NUMA node of the policy */
		hold(tm_pattern_builder_init(&b, 36, &err) == 0);
		for (int r = 0; r < 36; r++)
			for (int s = 0; s < 36; s++)
				if (next[r] / 3 == next[s] / 3 && r != s)
					hold(tm_pattern_add(&b, r, s, 100, &err) == 0);
				else if (next[r] / 6 == next[s] / 6 && r != s)
					hold(tm_pattern_add(&b, r, s, 10, &err) == 0);
				else if (next[r] / 12 == next[s] / 12 && r != s)
					hold(tm_pattern_add(&b, r, s, 1, &err) == 0);
		hold(tm_pattern_finish(&pattern, &b, &err) == 0);
		hold(tm_slots_init(&slots, &p, 0, &none, &err) == 0);
		hold(tm_objective_init(&objective, &slots, &traffic, &aim, &err) == 0);
		hold(tm_map(&mapping, &objective, row("radix"), 10000000, 1, &err) == 0);
		for (int r = 0; r < 36; r++)
			ck_assert_int_eq(mapping.slot_of[r] / 3, next[r] / 3);
		tm_mapping_fini(&mapping);
		tm_objective_fini(&objective);
		tm_slots_fini(&slots);
		tm_pattern_fini(&pattern);
		tm_placement_fini(&policy);
		tm_placement_fini(&p);
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
