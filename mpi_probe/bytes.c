/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/bytes.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void tmap_bytes_add(struct tmap_bytes *bytes, const void *data, size_t length)
{
	struct tmap_error ignored;

	if (bytes->failed || length == 0)
		return;
	if (tmap_grow(&bytes->data, &bytes->capacity, bytes->length + length, 1, &ignored) < 0) {
		bytes->failed = true;
		return;
	}
	memcpy(bytes->data + bytes->length, data, length);
	bytes->length += length;
}

static void bytes_add_little_endian(struct tmap_bytes *bytes, uint64_t value, size_t length)
{
	unsigned char byte[8];

	for (size_t i = 0; i < length; i++)
		byte[i] = (unsigned char)(value >> 8 * i);
	tmap_bytes_add(bytes, byte, length);
}

void tmap_bytes_add_int(struct tmap_bytes *bytes, int value)
{
	bytes_add_little_endian(bytes, (uint32_t)value, 4);
}

void tmap_bytes_add_int64(struct tmap_bytes *bytes, int64_t value)
{
	bytes_add_little_endian(bytes, (uint64_t)value, 8);
}

void tmap_bytes_add_text(struct tmap_bytes *bytes, const char *text)
{
	size_t length = strnlen(text, INT_MAX);

	tmap_bytes_add_int(bytes, (int)length);
	tmap_bytes_add(bytes, text, length);
}

void tmap_bytes_add_error(struct tmap_bytes *bytes, const struct tmap_error *err)
{
	tmap_bytes_add_int(bytes, (int)err->kind);
	tmap_bytes_add_int(bytes, err->is_in_spec);
	tmap_bytes_add_int(bytes, err->line);
	tmap_bytes_add_int(bytes, err->column);
	tmap_bytes_add_text(bytes, err->text);
	tmap_bytes_add_text(bytes, err->context);
	tmap_bytes_add_text(bytes, err->path);
}

int tmap_bytes_check(const struct tmap_bytes *bytes, struct tmap_error *err)
{
	if (!bytes->failed)
		return 0;
	return tmap_fail(err, TMAP_SYSTEM, "out of memory for a message of more than %zu bytes",
			 bytes->length);
}

void tmap_bytes_fini(struct tmap_bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct tmap_bytes){ 0 };
}

void tmap_cursor_raw(struct tmap_cursor *cursor, void *data, size_t length)
{
	if (cursor->failed || length > cursor->left) {
		cursor->failed = true;
		memset(data, 0, length);
		return;
	}
	if (length)
		memcpy(data, cursor->at, length);
	cursor->at += length;
	cursor->left -= length;
}

static uint64_t cursor_little_endian(struct tmap_cursor *cursor, size_t length)
{
	unsigned char byte[8];
	uint64_t value = 0;

	tmap_cursor_raw(cursor, byte, length);
	for (size_t i = 0; i < length; i++)
		value |= (uint64_t)byte[i] << 8 * i;
	return value;
}

int tmap_cursor_int(struct tmap_cursor *cursor)
{
	return (int)(int32_t)(uint32_t)cursor_little_endian(cursor, 4);
}

int64_t tmap_cursor_int64(struct tmap_cursor *cursor)
{
	return (int64_t)cursor_little_endian(cursor, 8);
}

int tmap_cursor_count(struct tmap_cursor *cursor, size_t size)
{
	int count = tmap_cursor_int(cursor);

	if (count < 0 || (size_t)count > cursor->left / size)
		cursor->failed = true;
	return cursor->failed ? 0 : count;
}

void tmap_cursor_text(struct tmap_cursor *cursor, char *text, size_t size)
{
	int length = tmap_cursor_count(cursor, 1);

	if ((size_t)length >= size)
		cursor->failed = true;
	if (cursor->failed)
		length = 0;
	tmap_cursor_raw(cursor, text, (size_t)length);
	text[length] = '\0';
}

void tmap_cursor_error(struct tmap_cursor *cursor, struct tmap_error *err)
{
	err->kind = (enum tmap_error_kind)tmap_cursor_int(cursor);
	err->is_in_spec = tmap_cursor_int(cursor) != 0;
	err->line = tmap_cursor_int(cursor);
	err->column = tmap_cursor_int(cursor);
	tmap_cursor_text(cursor, err->text, sizeof err->text);
	tmap_cursor_text(cursor, err->context, sizeof err->context);
	tmap_cursor_text(cursor, err->path, sizeof err->path);
}

int tmap_cursor_end(const struct tmap_cursor *cursor, const char *what, struct tmap_error *err)
{
	if (cursor->failed)
		return tmap_fail(err, TMAP_SYSTEM, "%s that came from another rank is damaged: %s",
				 what, "it ends too early or holds an impossible count");
	if (cursor->left)
		return tmap_fail(err, TMAP_SYSTEM,
				 "%s that came from another rank is damaged: %zu bytes too long",
				 what, cursor->left);
	return 0;
}
