/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/fold.h"

#include "core/base/mem.h"
#include "core/tree/subtree.h"

#include <stdlib.h>

struct fold_child {
	double distance;
	int class, rank;
};

struct folder {
	/* what is given */
	const struct tmap_tree *tree;
	const int *first, *child;
	const int *class_of; /* NULL: nothing is folded */
	int least, most;
	struct tmap_fold *fold; /* the result */
	/* scratch: items that wait to be emitted, the next one on top; children of one rank */
	struct tmap_fold_item *stack;
	int height;
	size_t stack_capacity;
	struct fold_child *children;
	size_t child_capacity;
};

static int children_by_class(const void *left, const void *right)
{
	const struct fold_child *a = left, *b = right;

	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

static int children_by_distance(const void *left, const void *right)
{
	const struct fold_child *a = left, *b = right;

	if (a->distance < b->distance || a->distance > b->distance)
		return a->distance < b->distance ? -1 : 1;
	return children_by_class(left, right);
}

static int folder_push(struct folder *f, const struct tmap_fold_item *item, struct tmap_error *err)
{
	if (tmap_grow(&f->stack, &f->stack_capacity, (size_t)f->height + 1, sizeof *f->stack, err) <
	    0)
		return -1;
	f->stack[f->height++] = *item;
	return 0;
}

/* Notes the top ranks of children [from, to) as members; returns where they begin. */
static int fold_add_members(struct tmap_fold *fold, const struct fold_child *children, int from,
			    int to, struct tmap_error *err)
{
	int begin = fold->member_count;

	if (tmap_grow(&fold->member, &fold->member_capacity, (size_t)(begin + to - from),
		      sizeof *fold->member, err) < 0)
		return TMAP_NONE;
	for (int i = from; i < to; i++)
		fold->member[fold->member_count++] = children[i].rank;
	return begin;
}

/* Children [from, to) as one item; @p like as in struct tmap_fold_item. */
static int folder_push_item(struct folder *f, int from, int to, int like, struct tmap_error *err)
{
	struct tmap_fold_item item = { .rank = f->children[from].rank,
				       .like = like,
				       .copies = to - from,
				       .member = fold_add_members(f->fold, f->children, from, to,
								  err) };

	return item.member == TMAP_NONE ? -1 : folder_push(f, &item, err);
}

/* Equal children [from, to): few are an item each; many leaves are one item, of many subtrees
 * the first is shown and the others are one item. */
static int folder_push_equals(struct folder *f, int from, int to, struct tmap_error *err)
{
	int first = f->children[from].rank;
	bool leaf = f->first[first] == f->first[first + 1], few = to - from < f->least;
	int alone = few ? to : from + !leaf;

	for (int i = from; i < alone; i++)
		if (folder_push_item(f, i, i + 1, TMAP_NONE, err) < 0)
			return -1;
	return alone == to ? 0 : folder_push_item(f, alone, to, leaf ? TMAP_NONE : first, err);
}

/* Children of a rank, equal ones side by side, each class where its first rank belongs among
 * the children sorted by distance and rank. */
static int folder_collect_children(struct folder *f, int rank, struct tmap_error *err)
{
	int count = f->first[rank + 1] - f->first[rank], class = TMAP_NONE, leader = TMAP_NONE;
	struct fold_child *children;

	if (!count)
		return 0;
	if (tmap_grow(&f->children, &f->child_capacity, (size_t)count, sizeof *f->children, err) <
	    0)
		return -1;
	children = f->children;
	for (int i = 0; i < count; i++) {
		int below = f->child[f->first[rank] + i];

		children[i] =
			(struct fold_child){ .distance = f->tree->distance[below],
					     .rank = below,
					     .class = f->class_of ? f->class_of[below] : below };
	}
	qsort(children, (size_t)count, sizeof *children, children_by_class);
	for (int i = 0; i < count; i++) {
		if (!i || children[i].class != class)
			leader = children[i].rank;
		class = children[i].class;
		children[i].class =
			leader; /* from here on a class is called after its first rank */
	}
	qsort(children, (size_t)count, sizeof *children, children_by_distance);
	return count;
}

static int ranks_rising(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return (a > b) - (a < b);
}

/* The items on the stack from @p first on become one. Their members stand in a row, because
 * they were the last to be noted. */
static void folder_merge_rest(struct folder *f, int first)
{
	struct tmap_fold *fold = f->fold;
	struct tmap_fold_item *rest = &f->stack[first];

	for (int i = first + 1; i < f->height; i++)
		rest->copies += f->stack[i].copies;
	qsort(fold->member + rest->member, (size_t)rest->copies, sizeof *fold->member,
	      ranks_rising);
	rest->rank = fold->member[rest->member];
	rest->like = TMAP_NONE;
	rest->is_rest = true;
	f->height = first + 1;
}

static void items_reverse(struct tmap_fold_item *item, int count)
{
	for (int i = 0, j = count - 1; i < j; i++, j--) {
		struct tmap_fold_item swap = item[i];

		item[i] = item[j];
		item[j] = swap;
	}
}

/* Push what is below item @p parent, so that the first child ends up on top. */
static int folder_push_children(struct folder *f, int parent, struct tmap_error *err)
{
	const struct tmap_fold_item above = f->fold->item[parent];
	int count = folder_collect_children(f, above.rank, err), bottom = f->height;

	if (count < 0)
		return -1;
	for (int from = 0, to; from < count; from = to) {
		for (to = from + 1; to < count && f->children[to].class == f->children[from].class;)
			to++;
		if (folder_push_equals(f, from, to, err) < 0)
			return -1;
	}
	if (f->most != TMAP_NONE && f->height - bottom > f->most)
		folder_merge_rest(f, bottom + f->most - 1);
	for (int i = bottom; i < f->height; i++) {
		f->stack[i].parent = parent;
		f->stack[i].depth = above.depth + 1;
		f->stack[i].last = i == f->height - 1;
	}
	if (f->height > bottom)
		items_reverse(f->stack + bottom, f->height - bottom);
	return 0;
}

static int folder_emit(struct folder *f, struct tmap_error *err)
{
	struct tmap_fold *fold = f->fold;

	while (f->height) {
		struct tmap_fold_item item = f->stack[--f->height];

		if (tmap_grow(&fold->item, &fold->item_capacity, (size_t)fold->count + 1,
			      sizeof *fold->item, err) < 0)
			return -1;
		fold->item[fold->count++] = item;
		if (item.copies == 1 && item.like == TMAP_NONE && !item.is_rest &&
		    folder_push_children(f, fold->count - 1, err) < 0)
			return -1;
	}
	return 0;
}

/* The root is an item of its own, its children wait behind it. */
static int folder_run(struct folder *f, struct tmap_error *err)
{
	const struct fold_child root = { .rank = f->tree->root };
	struct tmap_fold_item item = {
		.rank = root.rank, .parent = TMAP_NONE, .like = TMAP_NONE, .copies = 1, .last = true
	};

	item.member = fold_add_members(f->fold, &root, 0, 1, err);
	if (item.member == TMAP_NONE || folder_push(f, &item, err) < 0)
		return -1;
	return folder_emit(f, err);
}

int tmap_fold_init(struct tmap_fold *fold, const struct tmap_placement *placement,
		   const struct tmap_tree *tree, int least, int most, struct tmap_error *err)
{
	struct tmap_fold made = { 0 };
	struct folder f = { .fold = &made, .tree = tree, .least = least, .most = most };
	int *first = NULL, *child = NULL, *class_of = NULL, status = -1;

	if (tmap_tree_children(tree, &first, &child, err) < 0)
		goto out;
	if (least != TMAP_NONE &&
	    !(class_of = tmap_subtree_classes(placement, tree, first, child, err)))
		goto out;
	f.first = first;
	f.child = child;
	f.class_of = class_of;
	status = folder_run(&f, err);
out:
	free(first);
	free(child);
	free(class_of);
	free(f.stack);
	free(f.children);
	if (status < 0)
		tmap_fold_fini(&made);
	else
		*fold = made;
	return status;
}

void tmap_fold_fini(struct tmap_fold *fold)
{
	free(fold->item);
	free(fold->member);
	*fold = (struct tmap_fold){ 0 };
}
