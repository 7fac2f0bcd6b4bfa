/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/hash.h"

TMAP_WRAPS uint64_t tmap_hash_bytes(const void *bytes, size_t length)
{
	const unsigned char *byte = bytes;
	uint64_t hash = TMAP_HASH;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
	return hash ^ hash >> 32;
}

uint64_t tmap_hash_ints(const int *list, int count)
{
	uint64_t hash = TMAP_HASH;
	int i = 0;

	for (; i + 1 < count; i += 2) /* each waits for the one before: two at a time */
		hash = tmap_hash_add(hash,
				     (uint64_t)(uint32_t)list[i] << 32 | (uint32_t)list[i + 1]);
	return i < count ? tmap_hash_add(hash, (uint64_t)list[i]) : hash;
}
