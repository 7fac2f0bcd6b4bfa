/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap.h - the items 0 .. n-1, some of them in a queue by their key, the largest first.
 *
 * Of equal keys the smaller item comes first, so that the order is the same everywhere.
 */
#ifndef TMAP_CORE_MAP_HEAP_H
#define TMAP_CORE_MAP_HEAP_H

#include "core/base/error.h"

#include <stdbool.h>

struct tmap_heap {
	int count;   /**< items that are in it */
	int *item;   /**< [count], a binary heap */
	int *where;  /**< [n]: index in item; TMAP_NONE: not in it */
	double *key; /**< [n] */
};

/** Empty, for items below @p items. */
int tmap_heap_init(struct tmap_heap *heap, int items, struct tmap_error *err);
void tmap_heap_fini(struct tmap_heap *heap);

/** Put an item in, or give it another key. O(log n). */
void tmap_heap_set(struct tmap_heap *heap, int item, double key);

/** Take an item out, if it is in. O(log n). */
void tmap_heap_remove(struct tmap_heap *heap, int item);

/** The first item, which stays in; TMAP_NONE where there is none. O(1). */
int tmap_heap_first(const struct tmap_heap *heap);

/** Take out all. O(count). */
void tmap_heap_clear(struct tmap_heap *heap);

#endif
