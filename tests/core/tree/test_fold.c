/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: folds numbered by hand on regular machines; on random machines a canonical text
 * of every subtree, built by recursion from the definition (distance, kind of node, the
 * children's texts sorted), which must be equal exactly where the fold says so, and every
 * rank is found again in the items, once.
 */
#include "core/tree/fold.h"

#include "core/base/string.h"
#include "core/tree/subtree.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static void tree_of(struct tmap_tree *tree, const struct tmap_placement *p, int root)
{
	struct tmap_metric metric;

	ck_assert_int_eq(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_tree_init(tree, &metric, root, &err), 0);
	tmap_metric_fini(&metric);
}

static int by_text(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* "(7 0(1 0)(1 0))": distance, kind, sorted children */
static char *text_of(const struct tmap_placement *p, const struct tmap_tree *tree, int rank)
{
	char **child = calloc((size_t)tree->size, sizeof *child);
	struct tmap_str text = TMAP_STR_INIT;
	size_t count = 0;

	for (int r = 0; r < tree->size; r++)
		if (tree->parent[r] == rank)
			child[count++] = text_of(p, tree, r);
	qsort(child, count, sizeof *child, by_text);
	tmap_str_addf(&text, "(%g %d", tree->distance[rank],
		      p->machine->node_topology[p->node[rank]]);
	for (size_t i = 0; i < count; i++) {
		tmap_str_add(&text, child[i]);
		free(child[i]);
	}
	free(child);
	tmap_str_addc(&text, ')');
	return tmap_str_take(&text, &err);
}

/* "0 / 1*3 / 4 / 5*3 / 8 / ... 16*2~8": rank, copies, like; one word an item */
static char *describe(const struct tmap_fold *fold)
{
	struct tmap_str text = TMAP_STR_INIT;

	for (int i = 0; i < fold->count; i++) {
		const struct tmap_fold_item *item = &fold->item[i];

		tmap_str_addf(&text, "%s%d:%d", i ? " " : "", item->depth, item->rank);
		if (item->copies > 1)
			tmap_str_addf(&text, "*%d", item->copies);
		if (item->like != TMAP_NONE)
			tmap_str_addf(&text, "~%d", item->like);
		if (item->is_rest)
			tmap_str_addc(&text, '+');
		if (item->last)
			tmap_str_addc(&text, '.');
	}
	return tmap_str_take(&text, &err);
}

static void check_fold(const struct tmap_placement *p, int root, int least, int most,
		       const char *expected)
{
	struct tmap_tree tree;
	struct tmap_fold fold;
	char *text;

	tree_of(&tree, p, root);
	ck_assert_int_eq(tmap_fold_init(&fold, p, &tree, least, most, &err), 0);
	text = describe(&fold);
	ck_assert_str_eq(text, expected);
	free(text);
	tmap_fold_fini(&fold);
	tmap_tree_fini(&tree);
}

static const struct test_level two_packages[] = {
	{ TMAP_PACKAGE, 2 }, { TMAP_L3, 1 }, { TMAP_CORE, 4 }, { TMAP_NODE, 0 }
};

START_TEST(equal_nodes_and_leaves_are_one_item)
{
	struct tmap_placement p;

	placement_block_take(&p, machine_regular(4, two_packages));
	check_fold(&p, 0, 2, TMAP_NONE, "0:0. 1:1*3 1:4 2:5*3. 1:8 2:9*3 2:12. 3:13*3. 1:16*2~8.");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(another_root_moves_the_fold)
{
	struct tmap_placement p;

	placement_block_take(&p, machine_regular(4, two_packages));
	check_fold(&p, 17, 2, TMAP_NONE,
		   "0:17. 1:16*3 1:20 2:21*3. 1:0 2:1*3 2:4. 3:5*3. 1:8*2~0.");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(fewer_than_the_least_stay_apart)
{
	struct tmap_placement p;

	placement_block_take(&p,
			     machine_regular(2,
					     (const struct test_level[]){ { TMAP_L3, 1 },
									  { TMAP_CORE, 2 },
									  { TMAP_NODE, 0 } }));
	check_fold(&p, 0, 2, TMAP_NONE, "0:0. 1:1 1:2. 2:3.");
	check_fold(&p, 0, TMAP_NONE, TMAP_NONE, "0:0. 1:1 1:2. 2:3.");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(without_folding_every_rank_is_an_item)
{
	struct tmap_placement p;

	placement_block_take(&p, machine_regular(2, two_packages));
	check_fold(&p, 0, TMAP_NONE, TMAP_NONE,
		   "0:0. 1:1 1:2 1:3 1:4 2:5 2:6 2:7. 1:8. 2:9 2:10 2:11 2:12. 3:13 3:14 3:15.");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(children_beyond_the_most_are_the_rest)
{
	struct tmap_placement p;

	placement_block_take(&p, machine_regular(4, two_packages));
	check_fold(&p, 0, 2, 3, "0:0. 1:1*3 1:4 2:5*3. 1:8*3+.");
	check_fold(&p, 0, TMAP_NONE, 2, "0:0. 1:1 1:2*6+.");
	check_fold(&p, 0, 2, 4, "0:0. 1:1*3 1:4 2:5*3. 1:8 2:9*3 2:12. 3:13*3. 1:16*2~8.");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(nodes_of_two_kinds_are_not_alike)
{
	struct tmap_machine *machine = machine_regular(2, two_packages);
	struct tmap_machine *other = machine_regular(
		1,
		(const struct test_level[]){
			{ TMAP_PACKAGE, 1 }, { TMAP_L3, 2 }, { TMAP_CORE, 4 }, { TMAP_NODE, 0 } });
	struct tmap_topology topo;
	struct tmap_placement p;
	int seat[12];

	/* four ranks on one L3 of each of three nodes, the last of another kind */
	ck_assert_int_eq(tmap_topology_copy(&topo, &other->topology[0], &err), 0);
	ck_assert_int_eq(tmap_machine_add_topology_take(machine, &topo, &err), 1);
	ck_assert_int_eq(tmap_machine_add_node(machine, "odd", 1, &err), 0);
	tmap_machine_free(other);
	for (int r = 0; r < 12; r++)
		seat[r] = r / 4 * 8 + r % 4;
	placement_seats_take(&p, machine, seat, 12);
	check_fold(&p, 0, 2, TMAP_NONE, "0:0. 1:1*3 1:4 2:5*3. 1:8. 2:9*3.");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(one_rank_is_one_item)
{
	struct tmap_placement p;

	placement_block_take(
		&p,
		machine_regular(1,
				(const struct test_level[]){ { TMAP_CORE, 1 }, { TMAP_NODE, 0 } }));
	check_fold(&p, 0, 2, TMAP_NONE, "0:0.");
	tmap_placement_fini(&p);
}
END_TEST

/* Marks the ranks of a subtree, each of which must be unmarked. */
static void mark(const struct tmap_tree *tree, int rank, char *seen)
{
	ck_assert(!seen[rank]);
	seen[rank] = 1;
	for (int r = 0; r < tree->size; r++)
		if (tree->parent[r] == rank)
			mark(tree, r, seen);
}

static void check_items(const struct tmap_placement *p, const struct tmap_tree *tree,
			const struct tmap_fold *fold, char *const *text)
{
	char *seen = calloc((size_t)tree->size, 1);

	for (int i = 0; i < fold->count; i++) {
		const struct tmap_fold_item *item = &fold->item[i];
		const int *member = fold->member + item->member;

		ck_assert_int_eq(member[0], item->rank);
		for (int c = 0; c < item->copies; c++) {
			ck_assert(!c || member[c] > member[c - 1]);
			if (item->like != TMAP_NONE) {
				ck_assert_str_eq(text[member[c]], text[item->like]);
				mark(tree, member[c], seen);
			} else {
				ck_assert(!seen[member[c]]);
				seen[member[c]] = 1;
				ck_assert_str_eq(text[member[c]], text[member[0]]);
			}
			if (item->parent != TMAP_NONE)
				ck_assert_int_eq(tree->parent[member[c]],
						 fold->item[item->parent].rank);
		}
	}
	for (int r = 0; r < p->size; r++)
		ck_assert_msg(seen[r], "rank %d is in no item", r);
	free(seen);
}

START_TEST(random_folds_hold_equal_subtrees_and_every_rank_once)
{
	struct dice dice = { 4242 + (uint64_t)_i };
	struct tmap_placement p;
	struct tmap_tree tree;
	struct tmap_fold fold;
	int size = 1 + dice_roll(&dice, 60);
	char **text = calloc((size_t)size, sizeof *text);

	placement_random_take(&p, machine_random(&dice, 12), size, &dice);
	tree_of(&tree, &p, dice_roll(&dice, size));
	for (int r = 0; r < size; r++)
		text[r] = text_of(&p, &tree, r);
	for (int least = 2; least <= 4; least++) {
		ck_assert_int_eq(tmap_fold_init(&fold, &p, &tree, least, TMAP_NONE, &err), 0);
		check_items(&p, &tree, &fold, text);
		tmap_fold_fini(&fold);
	}
	for (int r = 0; r < size; r++)
		free(text[r]);
	free(text);
	tmap_tree_fini(&tree);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(classes_are_equal_where_the_subtrees_are)
{
	struct dice dice = { 77 + (uint64_t)_i };
	struct tmap_placement p;
	struct tmap_tree tree;
	int size = 2 + dice_roll(&dice, 60), *first, *child, *class_of;
	char **text = calloc((size_t)size, sizeof *text);

	placement_random_take(&p, machine_random(&dice, 6), size, &dice);
	tree_of(&tree, &p, 0);
	ck_assert_int_eq(tmap_tree_children(&tree, &first, &child, &err), 0);
	class_of = tmap_subtree_classes(&p, &tree, first, child, &err);
	ck_assert_ptr_nonnull(class_of);
	for (int r = 0; r < size; r++)
		text[r] = text_of(&p, &tree, r);
	for (int a = 0; a < size; a++)
		for (int b = 0; b < size; b++)
			ck_assert_int_eq(class_of[a] == class_of[b], strcmp(text[a], text[b]) == 0);
	for (int r = 0; r < size; r++)
		free(text[r]);
	free(text);
	free(first);
	free(child);
	free(class_of);
	tmap_tree_fini(&tree);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_big_job_folds_into_a_page)
{
	struct tmap_placement p;
	struct tmap_tree tree;
	struct tmap_fold fold;

	placement_block_take(&p,
			     machine_regular(3000,
					     (const struct test_level[]){ { TMAP_PACKAGE, 2 },
									  { TMAP_NUMA, 2 },
									  { TMAP_L3, 3 },
									  { TMAP_CORE, 7 },
									  { TMAP_NODE, 0 } }));
	tree_of(&tree, &p, 0);
	ck_assert_int_eq(tmap_fold_init(&fold, &p, &tree, 2, TMAP_NONE, &err), 0);
	ck_assert_int_le(fold.count, 50);
	ck_assert_int_eq(fold.item[fold.count - 1].copies, 2998);
	tmap_fold_fini(&fold);
	tmap_tree_fini(&tree);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("fold");
	TCase *c = tcase_create("fold");

	tcase_add_test(c, equal_nodes_and_leaves_are_one_item);
	tcase_add_test(c, another_root_moves_the_fold);
	tcase_add_test(c, fewer_than_the_least_stay_apart);
	tcase_add_test(c, without_folding_every_rank_is_an_item);
	tcase_add_test(c, children_beyond_the_most_are_the_rest);
	tcase_add_test(c, nodes_of_two_kinds_are_not_alike);
	tcase_add_test(c, one_rank_is_one_item);
	tcase_add_loop_test(c, random_folds_hold_equal_subtrees_and_every_rank_once, 0,
			    test_cases(300));
	tcase_add_loop_test(c, classes_are_equal_where_the_subtrees_are, 0, test_cases(200));
	tcase_add_test(c, a_big_job_folds_into_a_page);
	suite_add_tcase(suite, c);
	return suite;
}
