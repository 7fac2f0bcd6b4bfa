/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.h - distinct strings, numbered in order of first appearance.
 *
 * What a long file repeats (a host, a slot list) is stored once and
 * called by its number.
 *
 *     "b", "a", "b", "c"   ->   0, 1, 0, 2       name[]: b a c
 */
#ifndef TMAP_CORE_BASE_NAMES_H
#define TMAP_CORE_BASE_NAMES_H

#include "core/base/error.h"

#include <stddef.h>

struct tmap_names {
	int count;
	char **name; /**< [count], distinct */
	size_t capacity;
	int *bucket;         /**< open addressing: a number, or TMAP_NONE */
	size_t bucket_count; /**< a power of two, at least twice the count; 0 while empty */
};

/** The number of the first @p length bytes of @p text, which is added if it is new;
 *  TMAP_NONE with *err set where memory is refused. O(length) expected. */
int tmap_names_intern(struct tmap_names *names, const char *text, size_t length,
		      struct tmap_error *err);

/** The longest name of a host, in bytes; DNS ends at 253. */
#define TMAP_HOST_NAME_MOST 255

/** TMAP_INPUT if so many bytes are more than a host's name may have. Every name of a host that is read
 *  comes by here. */
int tmap_host_name_check(const char *name, size_t length, struct tmap_error *err);

/** tmap_names_intern() of a host's name, which is checked. */
int tmap_names_intern_host(struct tmap_names *names, const char *text, size_t length,
			   struct tmap_error *err);

/** The number of those bytes, or TMAP_NONE. O(length) expected. */
int tmap_names_find(const struct tmap_names *names, const char *text, size_t length);

void tmap_names_fini(struct tmap_names *names);

#endif
