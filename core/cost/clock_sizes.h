/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_sizes.h - the bytes of each message of a list, in as little memory as they all take.
 *
 *     bytes   65536  65536  65537  65536         first 65536
 *     apart       0      0      1      0         as long as all are 0 they take no memory; then 2 bytes each,
 *                                                4, or 8, once one of them needs these
 */
#ifndef TMAP_CORE_COST_CLOCK_SIZES_H
#define TMAP_CORE_COST_CLOCK_SIZES_H

#include "core/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct tmap_message_sizes {
	int64_t first;
	int width; /**< bytes that a number of apart takes; 0: all messages are like the first */
	void *apart;
	size_t capacity; /**< of apart, in bytes */
};

/** @p count more behind the first @p had; those behind these are forgotten. O(count), and O(had) where all
 *  become wider. */
int tmap_message_sizes_add(struct tmap_message_sizes *sizes, size_t had, const int64_t *bytes,
			   int count, struct tmap_error *err);
void tmap_message_sizes_fini(struct tmap_message_sizes *sizes);

/** The bytes of message i. */
static inline int64_t tmap_message_sizes_at(const struct tmap_message_sizes *sizes, size_t i)
{
	switch (sizes->width) {
	case 2:
		return sizes->first + ((const int16_t *)sizes->apart)[i];
	case 4:
		return sizes->first + ((const int32_t *)sizes->apart)[i];
	case 8:
		return sizes->first + ((const int64_t *)sizes->apart)[i];
	default:
		return sizes->first;
	}
}

#endif
