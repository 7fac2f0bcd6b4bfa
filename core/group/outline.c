/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/group/outline.h"

#include "core/base/mem.h"
#include "core/base/names.h"
#include "core/base/string.h"
#include "core/group/statistics.h"

#include <stdlib.h>
#include <string.h>

static int compare_ints(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return (a > b) - (a < b);
}

/* The class of the last communicator of one level and size that is not split is kept: it saves
 * spelling the next. */
struct classification {
	const struct tmap_hierarchy *h;
	int *classes;
	int *below; /* [size]: room for the classes below one */
	struct tmap_str key;
	struct tmap_names names;
	int leaf_level, leaf_size, leaf_class;
};

static int classes_below(const struct classification *s, int comm)
{
	const struct tmap_hierarchy *h = s->h;
	int count = 0;

	for (int64_t i = h->group_first[comm]; i < h->group_first[comm + 1]; i++) {
		int below = tmap_hierarchy_below(h, comm, h->group[i]);

		if (below != TMAP_NONE)
			s->below[count++] = s->classes[below];
	}
	qsort(s->below, (size_t)count, sizeof *s->below, compare_ints);
	return count;
}

/* The level, the sizes, then the classes below, rising, and how often each. */
static void class_spell(struct classification *s, int comm, int level)
{
	const struct tmap_hierarchy *h = s->h;
	int count = classes_below(s, comm);

	s->key.length = 0;
	tmap_str_addf(&s->key, "%d %d %d %d", level, h->split[comm], tmap_comm_size(h, comm),
		      h->group_first[comm + 1] - h->group_first[comm]);
	for (int i = 0, end; i < count; i = end) {
		for (end = i; end < count && s->below[end] == s->below[i];)
			end++;
		tmap_str_addf(&s->key, " %dx%d", s->below[i], end - i);
	}
}

static int class_of(struct classification *s, int comm, int level, struct tmap_error *err)
{
	bool is_leaf = s->h->split[comm] == TMAP_NONE;
	int found;

	if (is_leaf && level == s->leaf_level && tmap_comm_size(s->h, comm) == s->leaf_size)
		return s->leaf_class;
	class_spell(s, comm, level);
	if (s->key.failed) {
		tmap_fail(err, TMAP_SYSTEM, "out of memory for a text of %zu bytes", s->key.length);
		return TMAP_NONE;
	}
	found = tmap_names_intern(&s->names, s->key.text, s->key.length, err);
	if (is_leaf) {
		s->leaf_level = level;
		s->leaf_size = tmap_comm_size(s->h, comm);
		s->leaf_class = found;
	}
	return found;
}

/* Innermost first, so the classes below are known. */
static int classes_find(struct classification *s, struct tmap_error *err)
{
	for (int l = s->h->level_count - 1; l >= -1; l--) {
		int first = l < 0 ? 0 : s->h->level[l].first, end = l < 0 ? 1 : s->h->level[l].end;

		for (int c = first; c < end; c++) {
			s->classes[c] = class_of(s, c, l, err);
			if (s->classes[c] == TMAP_NONE)
				return -1;
		}
	}
	return 0;
}

int *tmap_hierarchy_classes(const struct tmap_hierarchy *h, struct tmap_error *err)
{
	struct classification s = { .h = h, .key = TMAP_STR_INIT, .leaf_level = TMAP_NONE };
	bool found = false;

	s.classes = tmap_alloc_raw((size_t)h->comm_count, sizeof *s.classes, err);
	s.below = tmap_alloc_raw((size_t)h->size, sizeof *s.below, err);
	if (s.classes && s.below)
		found = classes_find(&s, err) == 0;
	tmap_names_fini(&s.names);
	tmap_str_fini(&s.key);
	free(s.below);
	if (found)
		return s.classes;
	free(s.classes);
	return NULL;
}

/* A communicator and its class; without folding each has a class of its own. */
struct child {
	int comm, class, first;
};

struct work {
	struct tmap_outline *outline;
	const struct tmap_hierarchy *h;
	int *classes; /* NULL: nothing is folded */
	int most;
};

void tmap_outline_fini(struct tmap_outline *outline)
{
	free(outline->item);
	free(outline->copies);
	*outline = (struct tmap_outline){ 0 };
}

static int compare_comms(const void *left, const void *right)
{
	const struct child *a = left, *b = right;

	return (a->comm > b->comm) - (a->comm < b->comm);
}

static int compare_classes(const void *left, const void *right)
{
	const struct child *a = left, *b = right;

	return a->class != b->class ? (a->class > b->class) - (a->class < b->class) :
				      compare_comms(left, right);
}

/* By the first of their class, then by number. */
static int compare_firsts(const void *left, const void *right)
{
	const struct child *a = left, *b = right;

	return a->first != b->first ? (a->first > b->first) - (a->first < b->first) :
				      compare_comms(left, right);
}

/* Those of several ranks that are split from @p comm, classes together. */
static struct child *children_find(const struct work *w, int comm, int *count,
				   struct tmap_error *err)
{
	const struct tmap_hierarchy *h = w->h;
	int64_t first = h->group_first[comm], end = h->group_first[comm + 1];
	struct child *child = tmap_alloc_raw((size_t)(end - first), sizeof *child, err);
	int found = 0;

	for (int64_t i = first; child && i < end; i++) {
		int below = tmap_hierarchy_below(h, comm, h->group[i]);

		if (below != TMAP_NONE && tmap_comm_size(h, below) > 1)
			child[found++] = (struct child){ below,
							 w->classes ? w->classes[below] : below,
							 below };
	}
	if (!child)
		return NULL;
	qsort(child, (size_t)found, sizeof *child, compare_classes);
	for (int i = 1; i < found; i++)
		if (child[i].class == child[i - 1].class)
			child[i].first = child[i - 1].first;
	qsort(child, (size_t)found, sizeof *child, compare_firsts);
	*count = found;
	return child;
}

static int outline_add_copies(struct tmap_outline *outline, const struct child *child, int count,
			      struct tmap_error *err)
{
	if (tmap_grow(&outline->copies, &outline->copy_capacity,
		      (size_t)outline->copy_count + (size_t)count, sizeof *outline->copies,
		      err) < 0)
		return -1;
	for (int i = 0; i < count; i++)
		outline->copies[outline->copy_count + i] = child[i].comm;
	outline->copy_count += count;
	return 0;
}

/* Returns the item's index, or TMAP_NONE. */
static int outline_add_item(struct tmap_outline *outline, int parent, int level,
			    const struct child *child, int count, struct tmap_error *err)
{
	struct tmap_outline_item item = { .comm = child->comm,
					  .parent = parent,
					  .level = level,
					  .like = TMAP_NONE,
					  .depth = parent == TMAP_NONE ?
						  0 :
						  outline->item[parent].depth + 1,
					  .copies = count,
					  .copy = outline->copy_count };

	if (tmap_grow(&outline->item, &outline->item_capacity, (size_t)outline->count + 1,
		      sizeof item, err) < 0 ||
	    outline_add_copies(outline, child, count, err) < 0)
		return TMAP_NONE;
	outline->item[outline->count] = item;
	return outline->count++;
}

static int outline_add_whole(struct work *w, int parent, int level, const struct child *child,
			     struct tmap_error *err);

static int outline_add_rest(struct work *w, int parent, int level, struct child *child, int count,
			    struct tmap_error *err)
{
	int item;

	qsort(child, (size_t)count, sizeof *child, compare_comms);
	item = outline_add_item(w->outline, parent, level, child, count, err);
	if (item == TMAP_NONE)
		return -1;
	w->outline->item[item].is_rest = true;
	return 0;
}

/* The communicator that holds the root goes to the front. */
static void children_put_root_first(const struct work *w, struct child *child, int count)
{
	for (int i = 0; i < count; i++)
		if (w->h->conduit[child[i].comm] == w->h->root) {
			struct child root = child[i];

			memmove(child + 1, child, (size_t)i * sizeof *child);
			*child = root;
		}
}

/* A class: one of it, and the others as one item. Returns how many items, or -1. */
static int outline_add_class(struct work *w, int parent, int level, struct child *child, int count,
			     struct tmap_error *err)
{
	int first = w->outline->count, item;

	children_put_root_first(w, child, count);
	if (outline_add_whole(w, parent, level, child, err) < 0)
		return -1;
	if (count == 1)
		return 1;
	item = outline_add_item(w->outline, parent, level, child + 1, count - 1, err);
	if (item == TMAP_NONE)
		return -1;
	w->outline->item[item].like = first;
	return 2;
}

static int outline_add_children(struct work *w, int parent, struct child *child, int count,
				struct tmap_error *err)
{
	int level = w->h->split[w->outline->item[parent].comm], items = 0;

	for (int i = 0, end; i < count; i = end) {
		int added;

		for (end = i; end < count && child[end].class == child[i].class;)
			end++;
		if (w->most != TMAP_NONE && items + 2 >= w->most && end < count)
			return outline_add_rest(w, parent, level, child + i, count - i, err);
		added = outline_add_class(w, parent, level, child + i, end - i, err);
		if (added < 0)
			return -1;
		items += added;
	}
	return 0;
}

static int outline_add_whole(struct work *w, int parent, int level, const struct child *child,
			     struct tmap_error *err)
{
	int item = outline_add_item(w->outline, parent, level, child, 1, err), count, status;
	struct child *below;

	if (item == TMAP_NONE)
		return -1;
	below = children_find(w, child->comm, &count, err);
	if (!below)
		return -1;
	status = outline_add_children(w, item, below, count, err);
	free(below);
	return status;
}

int tmap_outline_init(struct tmap_outline *outline, const struct tmap_hierarchy *h, bool fold,
		      int most, struct tmap_error *err)
{
	struct tmap_outline made = { 0 };
	struct work w = { .outline = &made, .h = h, .most = fold ? most : TMAP_NONE };
	int status;

	if (fold) {
		w.classes = tmap_hierarchy_classes(h, err);
		if (!w.classes)
			return -1;
	}
	status = outline_add_whole(&w, TMAP_NONE, TMAP_NONE, &(struct child){ 0, 0, 0 }, err);
	free(w.classes);
	if (status < 0)
		tmap_outline_fini(&made);
	else
		*outline = made;
	return status;
}
