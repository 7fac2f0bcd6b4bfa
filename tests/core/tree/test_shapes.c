/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: the drawings in the libraries' own sources (Open MPI coll_base_topo.c, MPICH
 * treeutil.c) as parent tables; the rule of each tree the other way round, as a list of
 * children; and for any of them what makes a tree, at 1 to 70 ranks from every root.
 */
#include "core/tree/shapes.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* Ranks on the cores of one node: what rank arithmetic sees is their number. */
static void metric_over(struct tmap_metric *metric, struct tmap_placement *p, int size)
{
	placement_block_take(
		p, machine_regular(1, (const struct test_level[]){ { TMAP_CORE, size }, { 0 } }));
	ck_assert_int_eq(tmap_metric_init(metric, p, TMAP_SCALE_PROCESS, &err), 0);
}

static void build(struct tmap_tree *tree, const char *name, const struct tmap_metric *metric,
		  int root)
{
	struct tmap_spec choice;

	hold(tmap_spec_parse(&choice, &tmap_tree_shapes, name, &err) == 0);
	hold(tmap_shape_tree(tree, &choice, metric, root, &err) == 0);
}

/* Children of each rank in the order in which it serves them: "0:4,2,1 2:3 4:6,5 6:7". */
static char *describe(const struct tmap_tree *tree)
{
	char *text = calloc(1, 4096);
	size_t length = 0;

	for (int parent = 0; parent < tree->size; parent++)
		for (int turn = 0; turn < tree->size; turn++)
			for (int r = 0; r < tree->size; r++)
				if (tree->parent[r] == parent && tree->turn[r] == turn)
					length += (size_t)sprintf(text + length,
								  turn           ? ",%d" :
									  length ? " %d:%d" :
										   "%d:%d",
								  turn ? r : parent, r);
	return text;
}

static const struct {
	const char *name;
	int size, root;
	const char *tree;
} drawings[] = {
	/* coll_base_topo.c */
	{ "binary", 7, 0, "0:1,2 1:3,5 2:4,6" },
	{ "binary", 8, 3, "3:4,5 4:6,0 5:7,1 6:2" },
	{ "split_binary", 7, 0, "0:1,2 1:3,5 2:4,6" },
	{ "in_order_binary", 2, 0, "1:0" },
	{ "in_order_binary", 3, 0, "2:1,0" },
	{ "in_order_binary", 4, 0, "1:0 3:2,1" },
	{ "in_order_binary", 9, 4, "1:0 3:2,1 5:4 7:6,5 8:7,3" },
	{ "binomial_near", 8, 0, "0:1,2,4 1:3,5 2:6 3:7" },
	{ "binomial_near", 6, 4, "4:5,0,2 5:1,3" },
	{ "binomial_far", 8, 0, "0:4,2,1 2:3 4:6,5 6:7" },
	{ "binomial_far", 12, 0, "0:8,4,2,1 2:3 4:6,5 6:7 8:10,9 10:11" },
	{ "knomial,radix=2", 10, 0, "0:8,4,2,1 2:3 4:6,5 6:7 8:9" },
	{ "knomial,radix=3", 10, 0, "0:9,3,6,1,2 3:4,5 6:7,8" },
	{ "knomial", 10, 0, "0:4,8,1,2,3 4:5,6,7 8:9" },
	{ "chain", 5, 2, "0:1 2:3 3:4 4:0" },
	{ "chain,fanout=4", 11, 0, "0:1,4,7,9 1:2 2:3 4:5 5:6 7:8 9:10" },
	{ "chain,fanout=4", 9, 0, "0:1,3,5,7 1:2 3:4 5:6 7:8" },
	{ "chain,fanout=32", 4, 1, "1:2,3,0" },
	{ "pipeline", 4, 3, "0:1 1:2 3:0" },
	{ "flat", 5, 3, "3:0,1,2,4" },
	/* treeutil.c */
	{ "knomial_1", 4, 0, "0:1,3 1:2" },
	{ "knomial_1", 8, 0, "0:1,5,7 1:2,4 2:3 5:6" },
	{ "knomial_1,radix=3", 9, 0, "0:1,4,7,8 1:2,3 4:5,6" },
	{ "knomial_2", 4, 0, "0:2,1 2:3" },
	{ "knomial_2", 8, 0, "0:4,2,1 2:3 4:6,5 6:7" },
	{ "knomial_2,radix=3", 9, 0, "0:6,3,2,1 3:5,4 6:8,7" },
	{ "kary", 7, 0, "0:1,2 1:3,4 2:5,6" },
	{ "kary,radix=1", 4, 2, "0:1 2:3 3:0" },
	{ "kary,radix=3", 8, 6, "0:5 6:7,0,1 7:2,3,4" },
};

START_TEST(trees_are_those_of_the_libraries_drawings)
{
	for (size_t i = 0; i < sizeof drawings / sizeof *drawings; i++) {
		struct tmap_placement p;
		struct tmap_metric metric;
		struct tmap_tree tree;
		char *text;

		metric_over(&metric, &p, drawings[i].size);
		build(&tree, drawings[i].name, &metric, drawings[i].root);
		text = describe(&tree);
		ck_assert_msg(strcmp(text, drawings[i].tree) == 0, "%s: %s, drawn %s",
			      drawings[i].name, text, drawings[i].tree);
		free(text);
		tmap_tree_fini(&tree);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&p);
	}
}
END_TEST

/* The same trees by their children, as the libraries' senders count them (shifted ranks). */
static bool is_near_child(int64_t rank, int64_t child, int64_t radix)
{
	(void)radix;
	for (int64_t bit = 1; bit <= child; bit *= 2)
		if (rank < bit && rank + bit == child)
			return true;
	return false;
}

static bool is_far_child(int64_t rank, int64_t child, int64_t radix)
{
	for (int64_t d = 1; d <= child; d *= radix)
		for (int64_t j = 1; j < radix; j++)
			if (rank % (radix * d) == 0 && rank + j * d == child)
				return true;
	return false;
}

static bool is_kary_child(int64_t rank, int64_t child, int64_t radix)
{
	return child > rank * radix && child <= rank * radix + radix;
}

static bool is_binary_child(int64_t rank, int64_t child, int64_t radix)
{
	int64_t delta = 1;

	(void)radix;
	while (2 * delta - 1 <= rank)
		delta *= 2;
	return child == rank + delta || child == rank + 2 * delta;
}

/* A subtree of a digit's width begins at each child: add up the widths before it. */
static bool is_knomial_1_child(int64_t rank, int64_t child, int64_t radix, int64_t size)
{
	int64_t at = 0, begin = 1, width = 1, level;

	while (width < size)
		width *= radix;
	for (level = width / radix; at != rank; level /= radix)
		for (int64_t j = 1; j < radix; j++) {
			if (rank >= begin && rank < begin + level) {
				at = begin++;
				break;
			}
			begin += level;
		}
	for (begin = rank + 1; level > 0; level /= radix)
		for (int64_t j = 1; j < radix; j++, begin += level)
			if (begin == child)
				return true;
	return false;
}

START_TEST(every_parent_knows_its_children)
{
	static const struct {
		const char *name;
		bool (*is_child)(int64_t, int64_t, int64_t);
		int radix;
	} rules[] = {
		{ "binomial_near", is_near_child, 2 },
		{ "binomial_far", is_far_child, 2 },
		{ "knomial", is_far_child, 4 },
		{ "knomial,radix=3", is_far_child, 3 },
		{ "knomial_2,radix=5", is_far_child, 5 },
		{ "kary", is_kary_child, 2 },
		{ "kary,radix=7", is_kary_child, 7 },
		{ "binary", is_binary_child, 2 },
		{ "knomial_1", NULL, 2 },
		{ "knomial_1,radix=3", NULL, 3 },
		{ "knomial_1,radix=6", NULL, 6 },
	};

	for (int size = 1; size <= 70; size++) {
		struct tmap_placement p;
		struct tmap_metric metric;
		struct tmap_tree tree;

		metric_over(&metric, &p, size);
		for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
			build(&tree, rules[i].name, &metric, 0);
			for (int r = 0; r < size; r++)
				for (int c = 1; c < size; c++)
					hold(rules[i].is_child ? (tree.parent[c] == r) ==
							     rules[i].is_child(r, c,
									       rules[i].radix) :
								 (tree.parent[c] == r) ==
							     is_knomial_1_child(r, c,
										rules[i].radix,
										size));
			tmap_tree_fini(&tree);
		}
		tmap_metric_fini(&metric);
		tmap_placement_fini(&p);
	}
}
END_TEST

/* One tree on all ranks; every parent serves its children in turns 0, 1, 2 ... */
static void is_a_tree(const struct tmap_tree *tree, const struct tmap_metric *metric)
{
	int *depth = tmap_tree_depths(tree, &err);
	int *children = calloc((size_t)tree->size, sizeof *children);
	bool *taken = calloc((size_t)(tree->size * tree->size), sizeof *taken);

	ck_assert_ptr_nonnull(depth);
	hold(tree->parent[tree->root] == TMAP_NONE);
	for (int r = 0; r < tree->size; r++) {
		int parent = tree->parent[r];

		if (r == tree->root) {
			hold(depth[r] == 0 && tree->distance[r] == 0);
			continue;
		}
		hold(parent >= 0 && parent < tree->size);
		hold(depth[r] == depth[parent] + 1);
		hold(tree->distance[r] == tmap_metric_distance(metric, r, parent));
		hold(tree->turn[r] >= 0 && tree->turn[r] < tree->size);
		hold(!taken[parent * tree->size + tree->turn[r]]);
		taken[parent * tree->size + tree->turn[r]] = true;
		children[parent]++;
	}
	for (int r = 0; r < tree->size; r++)
		for (int turn = 0; turn < children[r]; turn++)
			hold(taken[r * tree->size + turn]);
	free(taken);
	free(children);
	free(depth);
}

static void every_row_is_a_tree(int size)
{
	const struct tmap_keyword *word;
	struct tmap_placement p;
	struct tmap_metric metric;
	struct tmap_tree tree, zero;

	metric_over(&metric, &p, size);
	for (size_t i = 0; (word = tmap_keywords_at(&tmap_tree_shapes, i)); i++) {
		const struct tmap_tree_row *row = (const void *)word;

		if (!row->parent)
			continue;
		build(&zero, word->name, &metric, 0);
		for (int root = 0; root < size; root++) {
			build(&tree, word->name, &metric, root);
			hold(tree.root == (row->is_last_rooted ? size - 1 : root));
			is_a_tree(&tree, &metric);
			for (int r = 1; r < size && !row->is_last_rooted; r++)
				ck_assert_int_eq(tree.parent[(r + root) % size],
						 (zero.parent[r] + root) % size);
			tmap_tree_fini(&tree);
		}
		tmap_tree_fini(&zero);
	}
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}

START_TEST(every_row_is_a_tree_at_any_size_from_any_root)
{
	for (int size = 1; size <= 70; size++)
		every_row_is_a_tree(size);
}
END_TEST

START_TEST(depths_and_fanouts_are_the_known_ones)
{
	static const struct {
		const char *name;
		int size, depth, fanout;
	} known[] = {
		{ "binomial_near", 64, 6, 6 },
		{ "binomial_far", 64, 6, 6 },
		{ "knomial", 64, 3, 9 },
		{ "knomial_1,radix=4", 64, 3, 9 },
		{ "knomial_2,radix=4", 64, 3, 9 },
		{ "kary", 63, 5, 2 },
		{ "binary", 63, 5, 2 },
		{ "chain,fanout=4", 65, 16, 4 },
		{ "pipeline", 64, 63, 1 },
		{ "flat", 64, 1, 63 },
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct tmap_placement p;
		struct tmap_metric metric;
		struct tmap_tree tree;
		struct tmap_tree_shape shape;

		metric_over(&metric, &p, known[i].size);
		build(&tree, known[i].name, &metric, 5);
		ck_assert_int_eq(tmap_tree_measure(&tree, &shape, &err), 0);
		ck_assert_int_eq(shape.depth, known[i].depth);
		ck_assert_int_eq(shape.fanout, known[i].fanout);
		tmap_tree_shape_fini(&shape);
		tmap_tree_fini(&tree);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&p);
	}
}
END_TEST

/* collectives.md, trap 3: 32 ranks in blocks of 4 a node. */
START_TEST(near_and_far_binomials_cross_nodes_28_and_7_times)
{
	static const struct {
		const char *name;
		int crossings;
	} known[] = { { "binomial_near", 28 }, { "binomial_far", 7 }, { "knomial", 7 } };
	struct tmap_placement p;
	struct tmap_metric metric;

	placement_block_take(
		&p, machine_regular(8, (const struct test_level[]){ { TMAP_CORE, 4 }, { 0 } }));
	ck_assert_int_eq(tmap_metric_init(&metric, &p, TMAP_SCALE_PROCESS, &err), 0);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct tmap_tree tree;
		int crossings = 0;

		build(&tree, known[i].name, &metric, 0);
		for (int r = 1; r < 32; r++)
			crossings += tree.distance[r] == 7;
		ck_assert_int_eq(crossings, known[i].crossings);
		tmap_tree_fini(&tree);
	}
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_root_outside_the_ranks_is_refused)
{
	struct tmap_spec choice = tmap_spec_preset(&tmap_tree_shapes, 0);
	struct tmap_placement p;
	struct tmap_metric metric;
	struct tmap_tree tree;

	metric_over(&metric, &p, 4);
	ck_assert_int_eq(tmap_shape_tree(&tree, &choice, &metric, 4, &err), -1);
	ck_assert_str_eq(err.text, "root 4 is not one of the 4 ranks (0 to 3)");
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(large_radixes_and_sizes_do_not_overflow)
{
	struct tmap_spec choice;
	struct tmap_placement p;
	struct tmap_metric metric;
	const char *const names[] = { "binomial_near", "knomial,radix=1048576", "knomial_1",
				      "chain,fanout=32" };

	placement_block_take(
		&p, machine_regular(500, (const struct test_level[]){ { TMAP_CORE, 500 }, { 0 } }));
	ck_assert_int_eq(tmap_metric_init(&metric, &p, TMAP_SCALE_PROCESS, &err), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct tmap_tree_shape shape;
		struct tmap_tree tree;

		ck_assert_int_eq(tmap_spec_parse(&choice, &tmap_tree_shapes, names[i], &err), 0);
		ck_assert_int_eq(tmap_shape_tree(&tree, &choice, &metric, 249999, &err), 0);
		ck_assert_int_eq(tmap_tree_measure(&tree, &shape, &err), 0);
		ck_assert(shape.depth > 0);
		tmap_tree_shape_fini(&shape);
		tmap_tree_fini(&tree);
	}
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

static void ring_is(const struct tmap_placement *p, const char *name, const int *order)
{
	struct tmap_spec choice;
	struct tmap_metric metric;
	struct tmap_ring ring;

	ck_assert_int_eq(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_spec_parse(&choice, &tmap_ring_shapes, name, &err), 0);
	ck_assert_int_eq(tmap_shape_ring(&ring, &choice, &metric, &err), 0);
	for (int i = 0; i < p->size; i++) {
		ck_assert_int_eq(ring.order[i], order[i]);
		ck_assert_double_eq(
			ring.distance[i],
			tmap_metric_distance(&metric, order[i], order[(i + 1) % p->size]));
	}
	tmap_ring_fini(&ring);
	tmap_metric_fini(&metric);
}

static struct tmap_machine *two_nodes(void)
{
	return machine_regular(
		2,
		(const struct test_level[]){
			{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 2 }, { TMAP_CORE, 1 }, { 0 } });
}

START_TEST(ucc_leaves_ordered_ranks_alone)
{
	/* node 1 before node 0, but each in one piece and by rising package */
	static const int seat[] = { 4, 5, 6, 7, 0, 1, 2, 3 }, order[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	struct tmap_placement p;

	placement_seats_take(&p, two_nodes(), seat, 8);
	ring_is(&p, "ucc_reordered", order);
	ring_is(&p, "ring", order);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(ucc_sorts_scattered_ranks_by_node_package_and_numa)
{
	static const int seat[] = { 6, 0, 4, 3, 5, 2, 7, 1 }, order[] = { 0, 6, 1, 7, 5, 3, 2, 4 };
	static const int plain[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	struct tmap_placement p;

	placement_seats_take(&p, two_nodes(), seat, 8);
	ring_is(&p, "ucc_reordered", order);
	ring_is(&p, "ring", plain);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(ucc_puts_unbound_ranks_last_on_their_node)
{
	static const int order[] = { 0, 3, 1, 2 };
	struct tmap_placement p;

	placement_on_take(&p, two_nodes(), 4);
	placement_seat_pu(&p, 0, 1, 3);
	placement_seat(&p, 1, 1, 0);
	placement_seat_pu(&p, 2, 0, 0);
	placement_seat_pu(&p, 3, 1, 3);
	/* sorted: rank 2 on node 0, then 0, 3 and the unbound 1 on node 1; from 0 on */
	ring_is(&p, "ucc_reordered", order);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("shapes");
	TCase *tcase = tcase_create("shapes");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, trees_are_those_of_the_libraries_drawings);
	tcase_add_test(tcase, every_parent_knows_its_children);
	tcase_add_test(tcase, every_row_is_a_tree_at_any_size_from_any_root);
	tcase_add_test(tcase, depths_and_fanouts_are_the_known_ones);
	tcase_add_test(tcase, near_and_far_binomials_cross_nodes_28_and_7_times);
	tcase_add_test(tcase, a_root_outside_the_ranks_is_refused);
	tcase_add_test(tcase, large_radixes_and_sizes_do_not_overflow);
	tcase_add_test(tcase, ucc_leaves_ordered_ranks_alone);
	tcase_add_test(tcase, ucc_sorts_scattered_ranks_by_node_package_and_numa);
	tcase_add_test(tcase, ucc_puts_unbound_ranks_last_on_their_node);
	suite_add_tcase(suite, tcase);
	return suite;
}
