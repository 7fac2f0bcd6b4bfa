/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mem.h - checked allocation.
 *
 * Counts come from users (jobs of 11 million ranks, documents that lie), so every
 * size is multiplied with an overflow check and every refusal becomes an error value.
 */
#ifndef TMAP_CORE_BASE_MEM_H
#define TMAP_CORE_BASE_MEM_H

#include "core/base/error.h"

#include <stddef.h>

/** Zeroed array of @p count elements of @p size bytes; count 0 gives a valid, empty array.
 *  NULL with *err set (TMAP_SYSTEM) where memory is refused. Free with free(). */
void *tmap_alloc(size_t count, size_t size, struct tmap_error *err);

/** The same for an array whose every element the caller will set. */
void *tmap_alloc_raw(size_t count, size_t size, struct tmap_error *err);

/** A copy of @p text; NULL with *err set. The caller frees it. */
char *tmap_strdup(const char *text, struct tmap_error *err);

/** A copy of the first @p length bytes of @p text, terminated. */
char *tmap_strndup(const char *text, size_t length, struct tmap_error *err);

/** A formatted string; NULL with *err set. The caller frees it. */
char *tmap_format(struct tmap_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Make room for @p need elements in the array at *array, at least doubling *capacity.
 *  New elements are not initialised. On failure the array is as it was. */
int tmap_grow(void *array, size_t *capacity, size_t need, size_t size, struct tmap_error *err);

/** Give back what an array that grew has beyond @p count elements. */
void tmap_shrink(void *array, size_t count, size_t size);

#endif
