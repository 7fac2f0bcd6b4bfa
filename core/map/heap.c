/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/heap.h"

#include "core/base/mem.h"

#include <stdlib.h>

int tmap_heap_init(struct tmap_heap *heap, int items, struct tmap_error *err)
{
	struct tmap_heap made = { 0 };

	made.item = tmap_alloc_raw((size_t)items, sizeof *made.item, err);
	made.where = tmap_alloc_raw((size_t)items, sizeof *made.where, err);
	made.key = tmap_alloc_raw((size_t)items, sizeof *made.key, err);
	if (!made.item || !made.where || !made.key) {
		tmap_heap_fini(&made);
		return -1;
	}
	for (int i = 0; i < items; i++)
		made.where[i] = TMAP_NONE;
	*heap = made;
	return 0;
}

void tmap_heap_fini(struct tmap_heap *heap)
{
	free(heap->item);
	free(heap->where);
	free(heap->key);
	*heap = (struct tmap_heap){ 0 };
}

static bool heap_is_before(const struct tmap_heap *heap, int a, int b)
{
	return heap->key[a] != heap->key[b] ? heap->key[a] > heap->key[b] : a < b;
}

static void heap_put(struct tmap_heap *heap, int at, int item)
{
	heap->item[at] = item;
	heap->where[item] = at;
}

static void heap_rise(struct tmap_heap *heap, int at)
{
	int item = heap->item[at];

	while (at > 0 && heap_is_before(heap, item, heap->item[(at - 1) / 2])) {
		heap_put(heap, at, heap->item[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	heap_put(heap, at, item);
}

static void heap_sink(struct tmap_heap *heap, int at)
{
	int item = heap->item[at];

	for (int child = 2 * at + 1; child < heap->count; child = 2 * at + 1) {
		if (child + 1 < heap->count &&
		    heap_is_before(heap, heap->item[child + 1], heap->item[child]))
			child++;
		if (!heap_is_before(heap, heap->item[child], item))
			break;
		heap_put(heap, at, heap->item[child]);
		at = child;
	}
	heap_put(heap, at, item);
}

void tmap_heap_set(struct tmap_heap *heap, int item, double key)
{
	heap->key[item] = key;
	if (heap->where[item] == TMAP_NONE)
		heap_put(heap, heap->count++, item);
	heap_rise(heap, heap->where[item]);
	heap_sink(heap, heap->where[item]);
}

void tmap_heap_remove(struct tmap_heap *heap, int item)
{
	int at = heap->where[item], last;

	if (at == TMAP_NONE)
		return;
	heap->where[item] = TMAP_NONE;
	last = heap->item[--heap->count];
	if (last == item)
		return;
	heap_put(heap, at, last);
	heap_rise(heap, at);
	heap_sink(heap, heap->where[last]);
}

int tmap_heap_first(const struct tmap_heap *heap)
{
	return heap->count ? heap->item[0] : TMAP_NONE;
}

void tmap_heap_clear(struct tmap_heap *heap)
{
	while (heap->count)
		heap->where[heap->item[--heap->count]] = TMAP_NONE;
}
