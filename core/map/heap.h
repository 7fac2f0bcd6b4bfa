/*
 * heap.h - the items 0 .. n-1, some of them in a queue by their key, the largest first.
 *
 * Of equal keys the smaller item comes first, so that the order is the same everywhere.
 */
#ifndef TM_HEAP_H
#define TM_HEAP_H

#include "core/base/error.h"

#include <stdbool.h>

struct tm_heap {
	int count;           /**< items that are in it */
	int *item;           /**< [count], a binary heap */
	int *where;          /**< [n]: index in item; TM_NONE: not in it */
	double *key;         /**< [n] */
};

/** Empty, for items below @p items. */
int tm_heap_init(struct tm_heap *heap, int items, struct tm_error *err);
void tm_heap_fini(struct tm_heap *heap);

/** Put an item in, or give it another key. O(log n). */
void tm_heap_set(struct tm_heap *heap, int item, double key);

/** Take an item out, if it is in. O(log n). */
void tm_heap_remove(struct tm_heap *heap, int item);

/** The first item, which stays in; TM_NONE where there is none. O(1). */
int tm_heap_first(const struct tm_heap *heap);

/** Take out all. O(count). */
void tm_heap_clear(struct tm_heap *heap);

#endif
