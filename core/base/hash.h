/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hash.h - the one hash: what hash tables here begin with.
 *
 *     hash = tmap_hash_add(tmap_hash_add(TMAP_HASH, a), b)       numbers, in this order
 *     hash = tmap_hash_bytes(text, length)                       FNV-1a of bytes
 *     hash = tmap_hash_add(TMAP_HASH, a) + tmap_hash_add(TMAP_HASH, b)      in any order
 *
 * Equal ones hash alike on every machine; all bits are good, so that a power of two of them is
 * taken by a mask. It is no digest: two things of one hash are easy to find.
 */
#ifndef TMAP_CORE_BASE_HASH_H
#define TMAP_CORE_BASE_HASH_H

#include "core/base/wraps.h"

#include <stddef.h>
#include <stdint.h>

/** Of nothing yet. */
#define TMAP_HASH UINT64_C(14695981039346656037)

/** One number more: the finaliser of splitmix64. */
TMAP_WRAPS static inline uint64_t tmap_hash_add(uint64_t hash, uint64_t value)
{
	uint64_t x = (hash ^ value) + UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/** FNV-1a, folded. O(length). */
uint64_t tmap_hash_bytes(const void *bytes, size_t length);

/** Of count numbers, in their order. O(count). */
uint64_t tmap_hash_ints(const int *list, int count);

#endif
