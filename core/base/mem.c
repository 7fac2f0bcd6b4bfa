/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An empty array takes memory, too. */
static void *fail_memory(size_t count, size_t size, struct tmap_error *err)
{
	if (count && size == 1)
		tmap_fail(err, TMAP_SYSTEM, "out of memory for %zu bytes", count);
	else if (count)
		tmap_fail(err, TMAP_SYSTEM, "out of memory for %zu elements of %zu bytes", count,
			  size);
	else
		tmap_fail(err, TMAP_SYSTEM, "out of memory");
	return NULL;
}

void *tmap_alloc(size_t count, size_t size, struct tmap_error *err)
{
	void *array = calloc(count ? count : 1, size);

	return array ? array : fail_memory(count, size, err);
}

void *tmap_alloc_raw(size_t count, size_t size, struct tmap_error *err)
{
	void *array;

	if (size && count > SIZE_MAX / size)
		return fail_memory(count, size, err);
	array = malloc(count && size ? count * size : 1);
	return array ? array : fail_memory(count, size, err);
}

char *tmap_strndup(const char *text, size_t length, struct tmap_error *err)
{
	char *copy = tmap_alloc_raw(length + 1, 1, err);

	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *tmap_strdup(const char *text, struct tmap_error *err)
{
	return tmap_strndup(text, strlen(text), err);
}

char *tmap_format(struct tmap_error *err, const char *format, ...)
{
	va_list args, again;
	char *text = NULL;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	if (length >= 0)
		text = tmap_alloc_raw((size_t)length + 1, 1, err);
	else
		tmap_fail(err, TMAP_SYSTEM, "a text could not be formatted");
	if (text)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	va_end(args);
	return text;
}

int tmap_grow(void *array, size_t *capacity, size_t need, size_t size, struct tmap_error *err)
{
	size_t room = *capacity;
	void *old, *grown;

	if (need <= room)
		return 0;
	room = room < 8 ? 8 : room;
	while (room < need)
		room = room > SIZE_MAX / 2 ? need : 2 * room;
	memcpy(&old, array, sizeof old);
	grown = room > SIZE_MAX / size ? NULL : realloc(old, room * size);
	if (!grown) {
		fail_memory(room, size, err);
		return -1;
	}
	memcpy(array, &grown, sizeof grown);
	*capacity = room;
	return 0;
}

void tmap_shrink(void *array, size_t count, size_t size)
{
	void *old, *left;

	memcpy(&old, array, sizeof old);
	left = realloc(old, (count ? count : 1) * size);
	if (left) /* else it stays as large as it was */
		memcpy(array, &left, sizeof left);
}
