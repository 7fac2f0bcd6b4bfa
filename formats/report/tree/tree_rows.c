/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/tree/tree_rows.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Leaves that fit side by side, and about how wide and high an item
 * is drawn. */
#define FEW 16
#define WIDTH 0.5
#define HEIGHT 0.75
#define RATIO 2.2

/* What is known of each item while they are placed, from the leaves up. */
struct rows {
	const struct tmap_fold *fold;
	const struct tmap_tree *tree;
	int *first, *next;  /* first child, next sibling; TMAP_NONE: none */
	int *height;        /* rows of the subtree below the item */
	int *lowest;        /* an item in the lowest of them */
	int *size;          /* items of the subtree */
	int *below, *under; /* as struct tmap_tree_rows */
};

static int rows_init(struct rows *rows, struct tmap_error *err)
{
	size_t count = (size_t)rows->fold->count;

	rows->first = tmap_alloc_raw(count, sizeof *rows->first, err);
	rows->next = tmap_alloc_raw(count, sizeof *rows->next, err);
	rows->below = tmap_alloc(count, sizeof *rows->below, err);
	rows->under = tmap_alloc(count, sizeof *rows->under, err);
	rows->lowest = tmap_alloc(count, sizeof *rows->lowest, err);
	rows->height = tmap_alloc(count, sizeof *rows->height, err);
	rows->size = tmap_alloc(count, sizeof *rows->size, err);
	if (!rows->first || !rows->next || !rows->below || !rows->under || !rows->lowest ||
	    !rows->height || !rows->size)
		return -1;
	for (int i = 0; i < rows->fold->count; i++)
		rows->first[i] = rows->next[i] = rows->under[i] = TMAP_NONE;
	/* from the last on, so that lists are in the order of the items */
	for (int i = rows->fold->count - 1; i > 0; i--) {
		int parent = rows->fold->item[i].parent;

		rows->next[i] = rows->first[parent];
		rows->first[parent] = i;
	}
	return 0;
}

static void rows_fini(struct rows *rows)
{
	free(rows->first);
	free(rows->next);
	free(rows->height);
	free(rows->lowest);
	free(rows->size);
}

static bool is_leaf(const struct rows *rows, int item)
{
	return rows->first[item] == TMAP_NONE;
}

static double distance_of(const struct rows *rows, int item)
{
	return rows->tree->distance[rows->fold->item[item].rank];
}

/* Number of rows for the leaves of a parent: more where there are many, or many items. */
static int leaf_rows(int leaves, int items)
{
	int rows = 1;

	while (rows < leaves && (rows * rows * FEW < items || rows * rows * FEW / 4 < leaves))
		rows++;
	return rows;
}

/* Number of rows for @p count subtrees of @p items items in all and this height. */
static int subtree_rows(int count, int items, int height)
{
	double width = WIDTH * items / (height + 1), high = HEIGHT * (height + 1);
	int rows = 1;

	while (rows < count && width / rows > RATIO * rows * high)
		rows++;
	return rows;
}

/* Places the subtrees from sibling @p from on that hang on edges of one length; returns the
 * sibling behind them. Leaves among them are passed over. */
static int place_subtrees(const struct rows *rows, int from)
{
	int count = 0, items = 0, height = 0, end = from, row = 0, above = TMAP_NONE, each;

	for (; end != TMAP_NONE && !(distance_of(rows, end) > distance_of(rows, from));
	     end = rows->next[end]) {
		if (is_leaf(rows, end))
			continue;
		count++;
		items += rows->size[end];
		height = rows->height[end] > height ? rows->height[end] : height;
	}
	each = count ? subtree_rows(count, items, height) : 1;
	for (int i = from; i != end; i = rows->next[i]) {
		if (is_leaf(rows, i))
			continue;
		rows->below[i] = 1 + row * (height + 1);
		if (row)
			rows->under[i] = rows->lowest[above];
		above = i;
		row = (row + 1) % each;
	}
	return end;
}

static void place_leaves(const struct rows *rows, int parent)
{
	int leaves = 0, row = 0, each;

	for (int i = rows->first[parent]; i != TMAP_NONE; i = rows->next[i])
		leaves += is_leaf(rows, i);
	each = leaf_rows(leaves, rows->fold->count);
	for (int i = rows->first[parent]; i != TMAP_NONE; i = rows->next[i])
		if (is_leaf(rows, i))
			rows->below[i] = 1 + row++ % each;
}

/* The children of an item, whose own subtrees are placed already. */
static void place_children(const struct rows *rows, int parent)
{
	place_leaves(rows, parent);
	for (int i = rows->first[parent]; i != TMAP_NONE;)
		i = place_subtrees(rows, i);
	rows->size[parent] = 1;
	rows->lowest[parent] = parent;
	for (int i = rows->first[parent]; i != TMAP_NONE; i = rows->next[i]) {
		int reach = rows->below[i] + rows->height[i];

		rows->size[parent] += rows->size[i];
		if (reach <= rows->height[parent])
			continue;
		rows->height[parent] = reach;
		rows->lowest[parent] = rows->lowest[i];
	}
}

int tmap_tree_rows_init(struct tmap_tree_rows *made, const struct tmap_fold *fold,
			const struct tmap_tree *tree, struct tmap_error *err)
{
	struct rows rows = { .fold = fold, .tree = tree };
	int status = rows_init(&rows, err);

	for (int i = fold->count - 1; i >= 0 && status == 0; i--)
		place_children(&rows, i);
	rows_fini(&rows);
	if (status < 0) {
		free(rows.below);
		free(rows.under);
		return -1;
	}
	*made = (struct tmap_tree_rows){ .below = rows.below, .under = rows.under };
	return 0;
}

void tmap_tree_rows_fini(struct tmap_tree_rows *rows)
{
	free(rows->below);
	free(rows->under);
	*rows = (struct tmap_tree_rows){ 0 };
}
