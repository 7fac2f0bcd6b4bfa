/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: Algorithm 1 as the paper prints it (literal.c), over a matrix of the metric's own
 * distances; the paper's machines have the figures that its text and figures state.
 */
#include "core/tree/tree.h"

#include "core/cost/merge.h"
#include "tests/support/literal.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>

static struct tmap_error err;

static void metric_of(struct tmap_metric *metric, const struct tmap_placement *p)
{
	ck_assert_int_eq(tmap_metric_init(metric, p, TMAP_SCALE_PROCESS, &err), 0);
}

/* Any scale; now and then with distances merged, so that the first sets span nodes. */
static void any_metric_of(struct tmap_metric *metric, const struct tmap_placement *p,
			  struct dice *dice)
{
	enum tmap_scale scale = dice_roll(dice, 2) ? TMAP_SCALE_PROCESS : TMAP_SCALE_LEVEL;
	bool drop[64] = { false };

	ck_assert_int_eq(tmap_metric_init(metric, p, scale, &err), 0);
	ck_assert_int_lt(metric->step_count, 64);
	if (dice_roll(dice, 3))
		return;
	for (int s = 0; s < metric->step_count; s++)
		drop[s] = dice_roll(dice, 2);
	tmap_metric_drop(metric, drop);
}

static double *matrix_of(const struct tmap_metric *metric)
{
	int p = metric->placement->size;
	double *matrix = malloc((size_t)(p * p) * sizeof *matrix);

	for (int a = 0; a < p; a++)
		for (int b = 0; b < p; b++)
			matrix[a * p + b] = tmap_metric_distance(metric, a, b);
	return matrix;
}

static void is_literal_tree(const struct tmap_metric *metric, int root)
{
	int p = metric->placement->size, *parent = malloc((size_t)p * sizeof *parent);
	double *matrix = matrix_of(metric);
	struct tmap_tree tree;

	literal_tree(matrix, p, root, parent);
	ck_assert_int_eq(tmap_tree_init(&tree, metric, root, &err), 0);
	ck_assert_int_eq(tree.size, p);
	ck_assert_int_eq(tree.root, root);
	for (int r = 0; r < p; r++) {
		if (tree.parent[r] != parent[r])
			ck_abort_msg("parent of %d of %d ranks from root %d: %d, literally %d", r,
				     p, root, tree.parent[r], parent[r]);
		hold(tree.distance[r] == (r == root ? 0 : matrix[r * p + parent[r]]));
	}
	tmap_tree_fini(&tree);
	free(parent);
	free(matrix);
}

static void shape_is(const struct tmap_placement *p, int root, const char *expected)
{
	struct tmap_tree_shape shape;
	struct tmap_metric metric;
	struct tmap_tree tree;
	char text[256];
	int length;

	metric_of(&metric, p);
	is_literal_tree(&metric, root);
	ck_assert_int_eq(tmap_tree_init(&tree, &metric, root, &err), 0);
	ck_assert_int_eq(tmap_tree_measure(&tree, &shape, &err), 0);
	length = snprintf(text, sizeof text, "weight %g depth %d fanout %d edges", shape.weight,
			  shape.depth, shape.fanout);
	for (int i = 0; i < shape.count; i++)
		length += snprintf(text + length, sizeof text - (size_t)length, " %g:%d",
				   shape.edges[i].distance, (int)shape.edges[i].edges);
	ck_assert_str_eq(text, expected);
	tmap_tree_shape_fini(&shape);
	tmap_tree_fini(&tree);
	tmap_metric_fini(&metric);
}

START_TEST(random_machines_give_the_literal_tree)
{
	struct dice dice = { .state = (uint64_t)_i };

	for (int run = 0; run < 500; run++) {
		struct tmap_placement p;
		struct tmap_metric metric;

		placement_random_take(&p, machine_random(&dice, 6), 1 + dice_roll(&dice, 40),
				      &dice);
		any_metric_of(&metric, &p, &dice);
		for (int i = 0; i < 3; i++)
			is_literal_tree(&metric, dice_roll(&dice, p.size));
		tmap_metric_fini(&metric);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(random_metrics_are_ultrametric)
{
	struct dice dice = { .state = 99 };

	for (int run = 0; run < 200; run++) {
		struct tmap_placement p;
		struct tmap_metric metric;
		double *d;

		placement_random_take(&p, machine_random(&dice, 5), 2 + dice_roll(&dice, 18),
				      &dice);
		any_metric_of(&metric, &p, &dice);
		d = matrix_of(&metric);
		for (int a = 0; a < p.size; a++)
			for (int b = 0; b < p.size; b++)
				for (int c = 0; c < p.size; c++) {
					double ab = d[a * p.size + b], bc = d[b * p.size + c];

					hold(d[a * p.size + c] <= (ab > bc ? ab : bc));
				}
		free(d);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(every_root_of_a_subset_gives_the_literal_tree)
{
	struct dice dice = { .state = 7 };
	struct tmap_placement all, some;
	struct tmap_metric metric;
	int list[96];

	placement_random_take(&all, machine_random(&dice, 8), 96, &dice);
	for (int r = 0; r < 96; r++)
		list[r] = r;
	for (int run = 0; run < 20; run++) {
		dice_shuffle(&dice, list, 96);
		ck_assert_int_eq(tmap_placement_select(&some, &all, list, 17, &err), 0);
		any_metric_of(&metric, &some, &dice);
		for (int root = 0; root < 17; root++)
			is_literal_tree(&metric, root);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&some);
	}
	tmap_placement_fini(&all);
}
END_TEST

START_TEST(zoot_has_8_4_3_edges_at_1_2_3)
{
	struct tmap_placement p;

	placement_block_take(&p, machine_zoot());
	shape_is(&p, 0, "weight 25 depth 3 fanout 5 edges 1:8 2:4 3:3");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(ig_has_40_6_1_edges_at_1_5_6)
{
	struct tmap_placement p;

	placement_block_take(&p, machine_ig());
	shape_is(&p, 0, "weight 76 depth 3 fanout 9 edges 1:40 5:6 6:1");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(ig_across_sockets_has_the_same_edges)
{
	struct tmap_placement p;
	int seat[48];

	for (int r = 0; r < 48; r++)
		seat[r] = r % 8 * 6 + r / 8;
	placement_seats_take(&p, machine_ig(), seat, 48);
	shape_is(&p, 0, "weight 76 depth 3 fanout 9 edges 1:40 5:6 6:1");
	tmap_placement_fini(&p);
}
END_TEST

/* Figure 4: any binding of the 12 ranks gives 8, 2, 1 edges at 2, 5, 6. */
START_TEST(twelve_ranks_from_root_5_have_8_2_1_edges_at_2_5_6)
{
	struct dice dice = { .state = 12 };
	struct tmap_tree_shape shape;
	struct tmap_metric metric;
	struct tmap_placement p;
	struct tmap_tree tree;
	int seat[12];

	for (int r = 0; r < 12; r++)
		seat[r] = r;
	for (int run = 0; run < 200; run++) {
		dice_shuffle(&dice, seat, 12);
		placement_seats_take(&p, machine_twelve(), seat, 12);
		metric_of(&metric, &p);
		is_literal_tree(&metric, 5);
		ck_assert_int_eq(tmap_tree_init(&tree, &metric, 5, &err), 0);
		ck_assert_int_eq(tmap_tree_measure(&tree, &shape, &err), 0);
		ck_assert_int_eq(shape.count, 3);
		ck_assert(shape.edges[0].distance == 2 && shape.edges[0].edges == 8);
		ck_assert(shape.edges[1].distance == 5 && shape.edges[1].edges == 2);
		ck_assert(shape.edges[2].distance == 6 && shape.edges[2].edges == 1);
		ck_assert(shape.weight == 32 && shape.depth <= 3);
		tmap_tree_shape_fini(&shape);
		tmap_tree_fini(&tree);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(one_rank_is_a_tree_without_edges)
{
	struct tmap_placement p;
	const int seat[] = { 3 };

	placement_seats_take(&p, machine_zoot(), seat, 1);
	shape_is(&p, 0, "weight 0 depth 0 fanout 0 edges");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(two_ranks_are_one_edge_from_either_root)
{
	struct tmap_placement p;
	const int seat[] = { 0, 15 };

	placement_seats_take(&p, machine_zoot(), seat, 2);
	shape_is(&p, 0, "weight 3 depth 1 fanout 1 edges 3:1");
	shape_is(&p, 1, "weight 3 depth 1 fanout 1 edges 3:1");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_root_outside_the_ranks_is_refused)
{
	struct tmap_metric metric;
	struct tmap_placement p;
	struct tmap_tree tree;

	placement_block_take(&p, machine_zoot());
	metric_of(&metric, &p);
	ck_assert_int_eq(tmap_tree_init(&tree, &metric, 16, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, "root 16 is not one of the 16 ranks (0 to 15)");
	ck_assert_int_eq(tmap_tree_init(&tree, &metric, -1, &err), -1);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

/* Oracle: the definition, one rank at a time. */
START_TEST(random_trees_are_measured_as_counted_by_hand)
{
	struct dice dice = { .state = 5 };

	for (int run = 0; run < 300; run++) {
		int size = 1 + dice_roll(&dice, 30), label[30], deepest = 0, widest = 0;
		int *first, *child, *depth;
		struct tmap_tree_shape shape;
		struct tmap_tree tree;

		for (int i = 0; i < size; i++)
			label[i] = i;
		dice_shuffle(&dice, label, size);
		ck_assert_int_eq(tmap_tree_alloc(&tree, size, label[0], &err), 0);
		for (int i = 1; i < size; i++) {
			tree.parent[label[i]] = label[dice_roll(&dice, i)];
			tree.distance[label[i]] = 1 + dice_roll(&dice, 4);
		}
		ck_assert_int_eq(tmap_tree_measure(&tree, &shape, &err), 0);
		ck_assert_int_eq(tmap_tree_children(&tree, &first, &child, &err), 0);
		depth = tmap_tree_depths(&tree, &err);
		ck_assert_ptr_nonnull(depth);
		for (int r = 0; r < size; r++) {
			int climbed = 0, found = first[r];

			for (int at = r; at != tree.root; at = tree.parent[at])
				climbed++;
			ck_assert_int_eq(depth[r], climbed);
			for (int c = 0; c < size; c++)
				if (c != tree.root && tree.parent[c] == r)
					ck_assert_int_eq(child[found++], c);
			ck_assert_int_eq(found, first[r + 1]);
			deepest = climbed > deepest ? climbed : deepest;
			widest = found - first[r] > widest ? found - first[r] : widest;
		}
		ck_assert_int_eq(shape.depth, deepest);
		ck_assert_int_eq(shape.fanout, widest);
		for (int i = 0; i < shape.count; i++) {
			int edges = 0;

			for (int r = 0; r < size; r++)
				edges += tree.distance[r] == shape.edges[i].distance;
			ck_assert_int_eq(shape.edges[i].edges, edges);
			shape.weight -= edges * shape.edges[i].distance;
			ck_assert(!i || shape.edges[i].distance > shape.edges[i - 1].distance);
		}
		ck_assert_double_eq(shape.weight, 0);
		free(depth);
		free(first);
		free(child);
		tmap_tree_shape_fini(&shape);
		tmap_tree_fini(&tree);
	}
}
END_TEST

/* Closed form at a size where the literal greedy cannot run: blocks of 252 ranks on 1000 equal
 * nodes, 21 in each of 12 L3. Every leader's children are known by arithmetic. */
START_TEST(blocks_on_many_nodes_have_the_closed_form)
{
	struct tmap_machine *machine =
		machine_regular(1000,
				(const struct test_level[]){ { TMAP_PACKAGE, 2 },
							     { TMAP_NUMA, 2 },
							     { TMAP_L3, 3 },
							     { TMAP_CORE, 21 },
							     { 0 } });
	struct tmap_metric metric;
	struct tmap_placement p;
	struct tmap_tree tree;
	static const int widths[] = { 21, 63, 126, 252 };

	placement_block_take(&p, machine);
	metric_of(&metric, &p);
	ck_assert_int_eq(tmap_tree_init(&tree, &metric, 0, &err), 0);
	for (int r = 1; r < p.size; r++) {
		int parent = 0;

		for (int i = 3; i >= 0; i--)
			if (r % widths[i])
				parent = r - r % widths[i];
		hold(tree.parent[r] == parent);
	}
	tmap_tree_fini(&tree);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("tree");
	TCase *tcase = tcase_create("tree");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, random_machines_give_the_literal_tree, 0, 8);
	tcase_add_test(tcase, random_metrics_are_ultrametric);
	tcase_add_test(tcase, every_root_of_a_subset_gives_the_literal_tree);
	tcase_add_test(tcase, zoot_has_8_4_3_edges_at_1_2_3);
	tcase_add_test(tcase, ig_has_40_6_1_edges_at_1_5_6);
	tcase_add_test(tcase, ig_across_sockets_has_the_same_edges);
	tcase_add_test(tcase, twelve_ranks_from_root_5_have_8_2_1_edges_at_2_5_6);
	tcase_add_test(tcase, one_rank_is_a_tree_without_edges);
	tcase_add_test(tcase, two_ranks_are_one_edge_from_either_root);
	tcase_add_test(tcase, a_root_outside_the_ranks_is_refused);
	tcase_add_test(tcase, random_trees_are_measured_as_counted_by_hand);
	tcase_add_test(tcase, blocks_on_many_nodes_have_the_closed_form);
	suite_add_tcase(suite, tcase);
	return suite;
}
