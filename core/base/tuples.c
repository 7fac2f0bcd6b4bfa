/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/tuples.h"

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/base/names.h"

#include <stdlib.h>
#include <string.h>

void tmap_tuples_fini(struct tmap_tuples *tuples)
{
	free(tuples->value);
	free(tuples->begin);
	free(tuples->hash);
	free(tuples->bucket);
	*tuples = (struct tmap_tuples){ 0 };
}

void tmap_tuples_clear(struct tmap_tuples *tuples)
{
	if (tuples->bucket)
		memset(tuples->bucket, 0, tuples->bucket_count * sizeof *tuples->bucket);
	tuples->count = 0;
}

static void tuples_fill_buckets(struct tmap_tuples *tuples)
{
	for (int i = 0; i < tuples->count; i++) {
		size_t at = tuples->hash[i] & (tuples->bucket_count - 1);

		while (tuples->bucket[at])
			at = (at + 1) & (tuples->bucket_count - 1);
		tuples->bucket[at] = i + 1;
	}
}

/* Room for one tuple more. */
static int tuples_grow(struct tmap_tuples *tuples, size_t length, struct tmap_error *err)
{
	size_t count = (size_t)tuples->count, had = count ? tuples->begin[count] : 0;
	size_t buckets = tuples->bucket_count ? 2 * tuples->bucket_count : 64;

	if (tmap_grow(&tuples->value, &tuples->value_capacity, had + length, sizeof *tuples->value,
		      err) < 0 ||
	    tmap_grow(&tuples->begin, &tuples->begin_capacity, count + 2, sizeof *tuples->begin,
		      err) < 0 ||
	    tmap_grow(&tuples->hash, &tuples->hash_capacity, count + 1, sizeof *tuples->hash, err) <
		    0)
		return -1;
	if (2 * (count + 1) > tuples->bucket_count) {
		int *bucket = tmap_alloc(buckets, sizeof *bucket, err);

		if (!bucket)
			return -1;
		free(tuples->bucket);
		tuples->bucket = bucket;
		tuples->bucket_count = buckets;
		tuples_fill_buckets(tuples);
	}
	return 0;
}

static bool tuple_is(const struct tmap_tuples *tuples, int i, const int64_t *tuple, size_t length)
{
	size_t begin = tuples->begin[i];

	return tuples->begin[i + 1] - begin == length &&
		memcmp(tuples->value + begin, tuple, length * sizeof *tuple) == 0;
}

int tmap_tuples_intern(struct tmap_tuples *tuples, const int64_t *tuple, size_t length,
		       struct tmap_error *err)
{
	uint64_t hash = TMAP_HASH;
	size_t at;

	for (size_t i = 0; i < length; i++)
		hash = tmap_hash_add(hash, (uint64_t)tuple[i]);
	if (tuples_grow(tuples, length, err) < 0)
		return TMAP_NONE;
	for (at = hash & (tuples->bucket_count - 1); tuples->bucket[at];
	     at = (at + 1) & (tuples->bucket_count - 1)) {
		int i = tuples->bucket[at] - 1;

		if (tuples->hash[i] == hash && tuple_is(tuples, i, tuple, length))
			return i;
	}
	if (!tuples->count)
		tuples->begin[0] = 0;
	memcpy(tuples->value + tuples->begin[tuples->count], tuple, length * sizeof *tuple);
	tuples->begin[tuples->count + 1] = tuples->begin[tuples->count] + length;
	tuples->hash[tuples->count] = hash;
	tuples->bucket[at] = ++tuples->count;
	return tuples->count - 1;
}
