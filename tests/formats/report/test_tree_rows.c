/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: rows of small trees written down by hand, and properties of the rows of any tree,
 * counted from the root.
 */
#include "formats/report/tree/tree_rows.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

struct scene {
	struct tmap_placement placement;
	struct tmap_tree tree;
	struct tmap_fold fold;
	struct tmap_tree_rows rows;
	int *row; /* [fold.count]: from the root's, which is 0 */
};

/* The scene takes the placement that stands in it. */
static void scene_init(struct scene *scene, int root)
{
	struct tmap_metric metric;

	ck_assert_int_eq(tmap_metric_init(&metric, &scene->placement, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_tree_init(&scene->tree, &metric, root, &err), 0);
	ck_assert_int_eq(tmap_fold_init(&scene->fold, &scene->placement, &scene->tree, TMAP_NONE,
					TMAP_NONE, &err),
			 0);
	ck_assert_int_eq(tmap_tree_rows_init(&scene->rows, &scene->fold, &scene->tree, &err), 0);
	scene->row = calloc((size_t)scene->fold.count, sizeof *scene->row);
	for (int i = 1; i < scene->fold.count; i++)
		scene->row[i] = scene->row[scene->fold.item[i].parent] + scene->rows.below[i];
	tmap_metric_fini(&metric);
}

static void scene_fini(struct scene *scene)
{
	free(scene->row);
	tmap_tree_rows_fini(&scene->rows);
	tmap_fold_fini(&scene->fold);
	tmap_tree_fini(&scene->tree);
	tmap_placement_fini(&scene->placement);
}

START_TEST(a_small_tree_needs_no_more_rows)
{
	struct scene scene;

	placement_block_take(&scene.placement,
			     machine_regular(3,
					     (const struct test_level[]){ { TMAP_L3, 1 },
									  { TMAP_CORE, 4 },
									  { TMAP_NODE, 0 } }));
	scene_init(&scene, 0);
	for (int i = 1; i < scene.fold.count; i++) {
		ck_assert_int_eq(scene.rows.below[i], 1);
		ck_assert_int_eq(scene.rows.under[i], TMAP_NONE);
	}
	scene_fini(&scene);
}
END_TEST

START_TEST(leaves_of_one_parent_stand_in_rows)
{
	struct scene scene;
	int row[8] = { 0 };

	placement_block_take(&scene.placement,
			     machine_regular(1,
					     (const struct test_level[]){ { TMAP_L3, 1 },
									  { TMAP_CORE, 64 },
									  { TMAP_NODE, 0 } }));
	scene_init(&scene, 0);
	for (int i = 1; i < 64; i++) {
		ck_assert_int_lt(scene.rows.below[i], 8);
		row[scene.rows.below[i]]++;
	}
	/* 63 leaves: with r rows, 4 r r must reach 63 */
	for (int r = 1; r <= 4; r++)
		ck_assert_int_ge(row[r], 15);
	ck_assert_int_eq(row[1] + row[2] + row[3] + row[4], 63);
	scene_fini(&scene);
}
END_TEST

START_TEST(many_nodes_stand_under_each_other)
{
	struct scene scene;
	int rows = 0, pulled = 0, widest = 0;

	placement_block_take(
		&scene.placement,
		machine_regular(64,
				(const struct test_level[]){ { TMAP_CORE, 4 }, { TMAP_NODE, 0 } }));
	scene_init(&scene, 0);
	for (int i = 0; i < scene.fold.count; i++) {
		rows = scene.row[i] > rows ? scene.row[i] : rows;
		pulled += scene.rows.under[i] != TMAP_NONE;
	}
	for (int r = 0; r <= rows; r++) {
		int width = 0;

		for (int i = 0; i < scene.fold.count; i++)
			width += scene.row[i] == r;
		widest = width > widest ? width : widest;
	}
	ck_assert_int_ge(pulled, 31);
	ck_assert_int_lt(widest, 40);
	scene_fini(&scene);
}
END_TEST

START_TEST(random_rows_are_below_what_is_above)
{
	struct dice dice = { 900 + (uint64_t)_i };
	int size = 1 + dice_roll(&dice, 150);
	struct scene scene;

	placement_random_take(&scene.placement, machine_random(&dice, 40), size, &dice);
	scene_init(&scene, dice_roll(&dice, size));
	for (int i = 1; i < scene.fold.count; i++) {
		int under = scene.rows.under[i], parent = scene.fold.item[i].parent;

		ck_assert_int_ge(scene.rows.below[i], 1);
		if (under == TMAP_NONE)
			continue;
		ck_assert_int_gt(scene.row[i], scene.row[under]);
		/* it is in the subtree of a sibling */
		while (scene.fold.item[under].parent != parent)
			under = scene.fold.item[under].parent;
		ck_assert_int_ne(under, i);
	}
	scene_fini(&scene);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("tree_rows");
	TCase *c = tcase_create("tree_rows");

	tcase_add_test(c, a_small_tree_needs_no_more_rows);
	tcase_add_test(c, leaves_of_one_parent_stand_in_rows);
	tcase_add_test(c, many_nodes_stand_under_each_other);
	tcase_add_loop_test(c, random_rows_are_below_what_is_above, 0, 200);
	suite_add_tcase(suite, c);
	return suite;
}
