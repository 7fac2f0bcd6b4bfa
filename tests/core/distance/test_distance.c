/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the definitions of the distances, asked of every pair of ranks by looking at all
 * objects of the node (Ma et al., section IV-A; the figures of its two machines).
 */
#include "core/distance/distance.h"
#include "core/machine/level_order.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>

enum { MACHINES = 120, MOST_RANKS = 32 };

static struct tmap_error err;

static bool has(const struct tmap_topology *topo, enum tmap_type type)
{
	return tmap_topology_count(topo, type) > 0;
}

/* Does one object of this type hold the PUs of both objects? */
static bool holds(const struct tmap_topology *topo, enum tmap_type type, int nest, int a, int b)
{
	const struct tmap_object *x = &topo->object[a], *y = &topo->object[b];

	for (int o = 0; o < topo->object_count; o++) {
		const struct tmap_object *it = &topo->object[o];

		if (it->type == type && it->nest >= nest && it->first_pu <= x->first_pu &&
		    it->first_pu <= y->first_pu && it->end_pu >= x->end_pu &&
		    it->end_pu >= y->end_pu)
			return true;
	}
	return false;
}

static bool one(const struct tmap_topology *topo, enum tmap_type type, int a, int b)
{
	return !has(topo, type) || holds(topo, type, 0, a, b);
}

static double literal_process(const struct tmap_topology *topo, int a, int b)
{
	bool package = one(topo, TMAP_PACKAGE, a, b), controller = one(topo, TMAP_NUMA, a, b);

	for (int type = TMAP_L5; type <= TMAP_PU; type++)
		if (holds(topo, (enum tmap_type)type, 0, a, b))
			return 1;
	if (package && controller)
		return 2;
	if (controller)
		return 3;
	if (package)
		return 4;
	return one(topo, TMAP_BOARD, a, b) ? 5 : 6;
}

static double literal_level(const struct tmap_topology *topo, int a, int b)
{
	struct tmap_level_order order = { 0 };
	double differ = 0;

	ck_assert_int_eq(tmap_level_order_of(&order, topo, &err), 0);
	for (int k = 0; k < order.count; k++)
		differ += !holds(topo, order.kind[k].type, order.kind[k].nest, a, b);
	tmap_level_order_fini(&order);
	return differ;
}

/* The lowest tier that has both nodes under one switch; tier_count if none has. */
static int common_tier(const struct tmap_machine *machine, int a, int b)
{
	for (int t = 0; t < machine->tier_count; t++) {
		int s = machine->tier[t].switch_of[a];

		if (s != TMAP_NONE && s == machine->tier[t].switch_of[b])
			return t;
	}
	return machine->tier_count;
}

static double literal_between(const struct tmap_machine *machine, int a, int b)
{
	return 7 + common_tier(machine, a, b);
}

static void check_process(const struct tmap_placement *p)
{
	struct tmap_metric metric;

	ck_assert_int_eq(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err), 0);
	for (int a = 0; a < p->size; a++)
		for (int b = 0; b < p->size; b++) {
			double expected = literal_between(p->machine, p->node[a], p->node[b]);

			if (p->node[a] == p->node[b])
				expected = literal_process(tmap_placement_topology(p, a),
							   tmap_placement_object(p, a),
							   tmap_placement_object(p, b));
			if (a == b)
				expected = 0;
			ck_assert_double_eq(tmap_metric_distance(&metric, a, b), expected);
		}
	tmap_metric_fini(&metric);
}

static void check_level(const struct tmap_placement *p)
{
	struct tmap_metric metric;

	ck_assert_int_eq(tmap_metric_init(&metric, p, TMAP_SCALE_LEVEL, &err), 0);
	for (int a = 0; a < p->size; a++)
		for (int b = 0; b < a; b++) {
			double height_a = literal_level(tmap_placement_topology(p, a), 0, 0);
			double height_b = literal_level(tmap_placement_topology(p, b), 0, 0);
			double found = tmap_metric_distance(&metric, a, b);
			int tier = common_tier(p->machine, p->node[a], p->node[b]);

			if (p->node[a] == p->node[b])
				ck_assert_double_eq(found,
						    literal_level(tmap_placement_topology(p, a),
								  tmap_placement_object(p, a),
								  tmap_placement_object(p, b)));
			else if (tier == 0)
				ck_assert_double_eq(found, 1 + fmax(height_a, height_b));
			else
				ck_assert_double_ge(found, 1 + tier + fmax(height_a, height_b));
		}
	tmap_metric_fini(&metric);
}

static void check_ultrametric(const struct tmap_placement *p, enum tmap_scale scale)
{
	struct tmap_metric m;

	ck_assert_int_eq(tmap_metric_init(&m, p, scale, &err), 0);
	for (int a = 0; a < p->size; a++)
		for (int b = 0; b < p->size; b++)
			for (int c = 0; c < b; c++)
				ck_assert_double_le(tmap_metric_distance(&m, b, c),
						    fmax(tmap_metric_distance(&m, b, a),
							 tmap_metric_distance(&m, a, c)));
	tmap_metric_fini(&m);
}

static void check_pairs(const struct tmap_placement *p, enum tmap_scale scale)
{
	struct tmap_metric metric;
	int64_t *pairs, *literal;

	ck_assert_int_eq(tmap_metric_init(&metric, p, scale, &err), 0);
	literal = calloc((size_t)metric.step_count, sizeof *literal);
	pairs = tmap_metric_count_pairs(&metric, &err);
	for (int a = 0; a < p->size; a++)
		for (int b = 0; b < a; b++)
			literal[tmap_metric_step_of(&metric, a, b)]++;
	for (int s = 0; s < metric.step_count; s++)
		ck_assert_int_eq(pairs[s], literal[s]);
	free(pairs);
	free(literal);
	tmap_metric_fini(&metric);
}

static void on_random_machines(void (*check)(const struct tmap_placement *p), uint64_t seed)
{
	struct dice dice = { seed };

	for (int i = 0; i < MACHINES; i++) {
		struct tmap_placement p;

		placement_random_take(&p, machine_random(&dice, 6),
				      1 + dice_roll(&dice, MOST_RANKS), &dice);
		check(&p);
		tmap_placement_fini(&p);
	}
}

static void check_both_scales(const struct tmap_placement *p)
{
	check_ultrametric(p, TMAP_SCALE_PROCESS);
	check_ultrametric(p, TMAP_SCALE_LEVEL);
	check_pairs(p, TMAP_SCALE_PROCESS);
	check_pairs(p, TMAP_SCALE_LEVEL);
}

START_TEST(the_process_distance_of_every_pair_is_the_definition)
{
	on_random_machines(check_process, 1);
}
END_TEST

START_TEST(the_level_distance_of_every_pair_is_the_number_of_levels_that_differ)
{
	on_random_machines(check_level, 2);
}
END_TEST

START_TEST(every_scale_is_an_ultrametric_and_counts_its_pairs)
{
	on_random_machines(check_both_scales, 3);
}
END_TEST

static void expect_pairs(struct tmap_machine *machine, const double *value, const int64_t *expected,
			 int count)
{
	struct tmap_placement p;
	struct tmap_metric metric;
	int64_t *pairs;

	placement_block_take(&p, machine);
	ck_assert_int_eq(tmap_metric_init(&metric, &p, TMAP_SCALE_PROCESS, &err), 0);
	pairs = tmap_metric_count_pairs(&metric, &err);
	ck_assert_int_eq(metric.step_count, count);
	for (int s = 0; s < count; s++) {
		ck_assert_double_eq(metric.step[s].value, value[s]);
		ck_assert_int_eq(pairs[s], expected[s]);
	}
	free(pairs);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}

START_TEST(zoot_and_ig_have_the_papers_distances)
{
	static const double zoot[] = { 1, 2, 3 }, ig[] = { 1, 5, 6 };
	static const int64_t zoot_pairs[] = { 8, 16, 96 }, ig_pairs[] = { 120, 432, 576 };

	expect_pairs(machine_zoot(), zoot, zoot_pairs, 3);
	expect_pairs(machine_ig(), ig, ig_pairs, 3);
}
END_TEST

START_TEST(two_unbound_ranks_are_as_far_apart_as_the_node_is_wide)
{
	struct tmap_placement p;
	struct tmap_metric metric;

	placement_on_take(&p, machine_ig(), 3);
	placement_seat(&p, 0, 0, 0);
	placement_seat(&p, 1, 0, 0);
	placement_seat_pu(&p, 2, 0, 5);
	ck_assert_int_eq(tmap_metric_init(&metric, &p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_double_eq(tmap_metric_distance(&metric, 0, 1), 6);
	ck_assert_double_eq(tmap_metric_distance(&metric, 0, 2), 6);
	ck_assert_double_eq(tmap_metric_distance(&metric, 0, 0), 0);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_job_of_one_rank_has_a_last_step_that_holds_it)
{
	struct tmap_placement p;
	struct tmap_metric metric;

	placement_on_take(&p, machine_zoot(), 1);
	placement_seat_pu(&p, 0, 0, 15);
	ck_assert_int_eq(tmap_metric_init(&metric, &p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(metric.step[metric.step_count - 1].sets.count, 1);
	ck_assert_int_eq(tmap_metric_set(&metric, metric.step_count - 1, 0), 0);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("distance");
	TCase *tc = tcase_create("all");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, the_process_distance_of_every_pair_is_the_definition);
	tcase_add_test(tc, the_level_distance_of_every_pair_is_the_number_of_levels_that_differ);
	tcase_add_test(tc, every_scale_is_an_ultrametric_and_counts_its_pairs);
	tcase_add_test(tc, zoot_and_ig_have_the_papers_distances);
	tcase_add_test(tc, two_unbound_ranks_are_as_far_apart_as_the_node_is_wide);
	tcase_add_test(tc, a_job_of_one_rank_has_a_last_step_that_holds_it);
	suite_add_tcase(suite, tc);
	return suite;
}
