/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/index.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* The number at *at or behind it, up to an empty bucket. */
static int index_find(const struct tmap_index *index, uint64_t hash, size_t *at)
{
	for (;; *at = (*at + 1) & (index->bucket_count - 1)) {
		int i = index->bucket[*at];

		if (i == TMAP_NONE || index->hash[i] == hash)
			return i;
	}
}

int tmap_index_first(const struct tmap_index *index, uint64_t hash, size_t *at)
{
	if (!index->bucket_count)
		return TMAP_NONE;
	*at = (size_t)hash & (index->bucket_count - 1);
	return index_find(index, hash, at);
}

int tmap_index_next(const struct tmap_index *index, uint64_t hash, size_t *at)
{
	*at = (*at + 1) & (index->bucket_count - 1);
	return index_find(index, hash, at);
}

static void index_put(struct tmap_index *index, int number)
{
	size_t at = (size_t)index->hash[number] & (index->bucket_count - 1);

	while (index->bucket[at] != TMAP_NONE)
		at = (at + 1) & (index->bucket_count - 1);
	index->bucket[at] = number;
}

static int index_rehash(struct tmap_index *index, size_t bucket_count, struct tmap_error *err)
{
	int *bucket = tmap_alloc_raw(bucket_count, sizeof *bucket, err);

	if (!bucket)
		return -1;
	for (size_t i = 0; i < bucket_count; i++)
		bucket[i] = TMAP_NONE;
	free(index->bucket);
	index->bucket = bucket;
	index->bucket_count = bucket_count;
	for (int i = 0; i < index->count; i++)
		index_put(index, i);
	return 0;
}

int tmap_index_add(struct tmap_index *index, uint64_t hash, struct tmap_error *err)
{
	size_t need = (size_t)index->count + 1;

	if (2 * need > index->bucket_count &&
	    index_rehash(index, index->bucket_count ? 2 * index->bucket_count : 16, err) < 0)
		return TMAP_NONE;
	if (tmap_grow(&index->hash, &index->capacity, need, sizeof *index->hash, err) < 0)
		return TMAP_NONE;
	index->hash[index->count] = hash;
	index_put(index, index->count);
	return index->count++;
}

void tmap_index_fini(struct tmap_index *index)
{
	free(index->hash);
	free(index->bucket);
	*index = (struct tmap_index){ 0 };
}
