/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/subtree.h"

#include "core/base/hash.h"
#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Classes found so far: an open hash table of the ranks that were first of their class. */
struct subtree_classes {
	const struct tmap_placement *placement;
	const struct tmap_tree *tree;
	const int *first; /* children of rank r: first[r] .. first[r + 1] - 1 */
	int *below;       /* at those indexes the children's classes, sorted */
	int count;
	int leaf, leaf_class; /* the leaf that was asked for last; TMAP_NONE: none yet */
	int *model;           /* [count]: a rank of the class */
	uint64_t *hash;       /* [count] */
	size_t model_capacity, hash_capacity;
	int *slot; /* [slot_count]: class or TMAP_NONE; a power of two */
	size_t slot_count;
};

static int rank_node_kind(const struct subtree_classes *c, int rank)
{
	return c->placement->machine->node_topology[c->placement->node[rank]];
}

static uint64_t subtree_hash(const struct subtree_classes *c, int rank)
{
	uint64_t hash, distance;

	memcpy(&distance, &c->tree->distance[rank], sizeof distance);
	hash = tmap_hash_add(tmap_hash_add(TMAP_HASH, distance), (uint64_t)rank_node_kind(c, rank));
	for (int i = c->first[rank]; i < c->first[rank + 1]; i++)
		hash = tmap_hash_add(hash, (uint64_t)c->below[i]);
	return hash;
}

static bool subtree_is_equal(const struct subtree_classes *c, int a, int b)
{
	int count = c->first[a + 1] - c->first[a];

	/* Leaves, nearly all ranks, first: a masked load of no byte from a page that was never
	   touched, as some libraries' memcmp does, costs 200 ns. */
	return c->tree->distance[a] <= c->tree->distance[b] &&
		c->tree->distance[b] <= c->tree->distance[a] &&
		rank_node_kind(c, a) == rank_node_kind(c, b) &&
		count == c->first[b + 1] - c->first[b] &&
		(count == 0 ||
		 memcmp(c->below + c->first[a], c->below + c->first[b],
			(size_t)count * sizeof *c->below) == 0);
}

static size_t slots_probe(const struct subtree_classes *c, uint64_t hash, int rank)
{
	size_t at = (size_t)hash & (c->slot_count - 1);

	while (c->slot[at] != TMAP_NONE &&
	       (c->hash[c->slot[at]] != hash || !subtree_is_equal(c, c->model[c->slot[at]], rank)))
		at = (at + 1) & (c->slot_count - 1);
	return at;
}

static int slots_grow(struct subtree_classes *c, struct tmap_error *err)
{
	size_t count = c->slot_count ? 2 * c->slot_count : 64;
	int *slot = tmap_alloc_raw(count, sizeof *slot, err);

	if (!slot)
		return -1;
	for (size_t i = 0; i < count; i++)
		slot[i] = TMAP_NONE;
	for (int class = 0; class < c->count; class ++) {
		size_t at = (size_t)c->hash[class] & (count - 1);

		while (slot[at] != TMAP_NONE)
			at = (at + 1) & (count - 1);
		slot[at] = class;
	}
	free(c->slot);
	c->slot = slot;
	c->slot_count = count;
	return 0;
}

static bool is_leaf(const int *first, int rank)
{
	return first[rank] == first[rank + 1];
}

/* Class of a rank whose children's classes are in place; a new one if it is like none before. */
static int subtree_class(struct subtree_classes *c, int rank, struct tmap_error *err)
{
	bool has_none = is_leaf(c->first, rank);
	size_t at, need = (size_t)c->count + 1;
	uint64_t hash;

	if (has_none && c->leaf != TMAP_NONE && subtree_is_equal(c, c->leaf, rank))
		return c->leaf_class;
	hash = subtree_hash(c, rank);

	if (2 * need > c->slot_count && slots_grow(c, err) < 0)
		return TMAP_NONE;
	at = slots_probe(c, hash, rank);
	if (has_none) {
		c->leaf = rank;
		c->leaf_class = c->slot[at] == TMAP_NONE ? c->count : c->slot[at];
	}
	if (c->slot[at] != TMAP_NONE)
		return c->slot[at];
	if (tmap_grow(&c->model, &c->model_capacity, need, sizeof *c->model, err) < 0 ||
	    tmap_grow(&c->hash, &c->hash_capacity, need, sizeof *c->hash, err) < 0)
		return TMAP_NONE;
	c->model[c->count] = rank;
	c->hash[c->count] = hash;
	c->slot[at] = c->count;
	return c->count++;
}

static int classes_rising(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return (a > b) - (a < b);
}

/* Mostly they are sorted, or there are none. */
static void classes_sort(int *class, int count)
{
	for (int i = 1; i < count; i++)
		if (class[i] < class[i - 1]) {
			qsort(class, (size_t)count, sizeof *class, classes_rising);
			return;
		}
}

/* Children lie anywhere where ranks are shuffled: so many of them are looked for before they are needed. */
enum { AHEAD = 16 };

/* Ranks that have children, every parent before its children; [*count]. */
static int *parents_from_root(const struct tmap_tree *tree, const int *first, const int *child,
			      int *count, struct tmap_error *err)
{
	int *order = tmap_alloc_raw((size_t)tree->size, sizeof *order, err);
	int end = 0;

	if (!order)
		return NULL;
	if (!is_leaf(first, tree->root))
		order[end++] = tree->root;
	for (int at = 0; at < end; at++)
		for (int i = first[order[at]], last = first[order[at] + 1] - 1; i <= last; i++) {
			__builtin_prefetch(&first[child[i + AHEAD < last ? i + AHEAD : last]]);
			if (!is_leaf(first, child[i]))
				order[end++] = child[i];
		}
	*count = end;
	return order;
}

/* The leaves first, which are nearly all ranks, in their order. */
static int subtrees_classify(struct subtree_classes *c, int *class_of, const int *order, int count,
			     const int *child, struct tmap_error *err)
{
	for (int rank = 0; rank < c->tree->size; rank++)
		if (is_leaf(c->first, rank) &&
		    (class_of[rank] = subtree_class(c, rank, err)) == TMAP_NONE)
			return -1;
	for (int at = count - 1; at >= 0; at--) {
		int rank = order[at], first = c->first[rank], end = c->first[rank + 1];

		for (int i = first; i < end; i++)
			c->below[i] = class_of[child[i]];
		classes_sort(c->below + first, end - first);
		class_of[rank] = subtree_class(c, rank, err);
		if (class_of[rank] == TMAP_NONE)
			return -1;
	}
	return 0;
}

int *tmap_subtree_classes(const struct tmap_placement *placement, const struct tmap_tree *tree,
			  const int *first, const int *child, struct tmap_error *err)
{
	struct subtree_classes c = {
		.placement = placement, .tree = tree, .first = first, .leaf = TMAP_NONE
	};
	int *class_of = tmap_alloc_raw((size_t)tree->size, sizeof *class_of, err);
	int count, *order = parents_from_root(tree, first, child, &count, err);

	c.below = tmap_alloc_raw((size_t)tree->size, sizeof *c.below, err);
	if (!class_of || !order || !c.below ||
	    subtrees_classify(&c, class_of, order, count, child, err) < 0) {
		free(class_of);
		class_of = NULL;
	}
	free(order);
	free(c.below);
	free(c.model);
	free(c.hash);
	free(c.slot);
	return class_of;
}
