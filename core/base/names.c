/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/names.h"

#include "core/base/hash.h"
#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The bucket that holds the name, or the empty one where it belongs. */
static size_t names_find_slot(const struct tmap_names *names, const char *text, size_t length)
{
	size_t at = (size_t)tmap_hash_bytes(text, length) & (names->bucket_count - 1);

	while (names->bucket[at] != TMAP_NONE) {
		const char *name = names->name[names->bucket[at]];

		if (strncmp(name, text, length) == 0 && name[length] == '\0')
			break;
		at = (at + 1) & (names->bucket_count - 1);
	}
	return at;
}

int tmap_names_find(const struct tmap_names *names, const char *text, size_t length)
{
	return names->bucket_count ? names->bucket[names_find_slot(names, text, length)] :
				     TMAP_NONE;
}

static int names_rehash(struct tmap_names *names, size_t bucket_count, struct tmap_error *err)
{
	int *bucket = tmap_alloc_raw(bucket_count, sizeof *bucket, err);

	if (!bucket)
		return -1;
	for (size_t i = 0; i < bucket_count; i++)
		bucket[i] = TMAP_NONE;
	free(names->bucket);
	names->bucket = bucket;
	names->bucket_count = bucket_count;
	for (int i = 0; i < names->count; i++)
		bucket[names_find_slot(names, names->name[i], strlen(names->name[i]))] = i;
	return 0;
}

int tmap_names_intern(struct tmap_names *names, const char *text, size_t length,
		      struct tmap_error *err)
{
	size_t need = (size_t)names->count + 1, at;
	char *copy;

	if (2 * need > names->bucket_count &&
	    names_rehash(names, names->bucket_count ? 2 * names->bucket_count : 16, err) < 0)
		return TMAP_NONE;
	at = names_find_slot(names, text, length);
	if (names->bucket[at] != TMAP_NONE)
		return names->bucket[at];
	if (tmap_grow(&names->name, &names->capacity, need, sizeof *names->name, err) < 0)
		return TMAP_NONE;
	copy = tmap_strndup(text, length, err);
	if (!copy)
		return TMAP_NONE;
	names->name[names->count] = copy;
	names->bucket[at] = names->count;
	return names->count++;
}

int tmap_host_name_check(const char *name, size_t length, struct tmap_error *err)
{
	if (length <= TMAP_HOST_NAME_MOST)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "the host's name that begins with '%.32s' has %zu bytes; the most are %d",
			 name, length, TMAP_HOST_NAME_MOST);
}

int tmap_names_intern_host(struct tmap_names *names, const char *text, size_t length,
			   struct tmap_error *err)
{
	return tmap_host_name_check(text, length, err) < 0 ?
		TMAP_NONE :
		tmap_names_intern(names, text, length, err);
}

void tmap_names_fini(struct tmap_names *names)
{
	for (int i = 0; i < names->count; i++)
		free(names->name[i]);
	free(names->name);
	free(names->bucket);
	*names = (struct tmap_names){ 0 };
}
