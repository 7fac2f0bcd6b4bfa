/*
 * names.h - distinct strings, numbered in order of first appearance.
 *
 * What a long file says again and again (a host, a slot list) is stored once and
 * called by its number.
 *
 *     "b", "a", "b", "c"   ->   0, 1, 0, 2       name[]: b a c
 */
#ifndef TM_NAMES_H
#define TM_NAMES_H

#include "core/base/error.h"

#include <stddef.h>

struct tm_names {
	int count;
	char **name;        /**< [count], distinct */
	size_t capacity;
	int *bucket;        /**< open addressing: a number, or TM_NONE */
	size_t bucket_count; /**< a power of two, at least twice the count; 0 while empty */
};

/** The number of the first @p length bytes of @p text, which is added if it is new;
 *  TM_NONE with *err set where memory is refused. O(length) expected. */
int tm_names_intern(struct tm_names *names, const char *text, size_t length,
		    struct tm_error *err);

/** The number of those bytes, or TM_NONE. O(length) expected. */
int tm_names_find(const struct tm_names *names, const char *text, size_t length);

void tm_names_fini(struct tm_names *names);

#endif
