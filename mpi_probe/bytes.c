#include "mpi_probe/bytes.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void tm_bytes_add(struct tm_bytes *bytes, const void *data, size_t length)
{
	struct tm_error ignored;

	if (bytes->failed || length == 0)
		return;
	if (tm_grow(&bytes->data, &bytes->capacity, bytes->length + length, 1, &ignored) < 0) {
		bytes->failed = true;
		return;
	}
	memcpy(bytes->data + bytes->length, data, length);
	bytes->length += length;
}

static void add_little_endian(struct tm_bytes *bytes, uint64_t value, size_t length)
{
	unsigned char byte[8];

	for (size_t i = 0; i < length; i++)
		byte[i] = (unsigned char)(value >> 8 * i);
	tm_bytes_add(bytes, byte, length);
}

void tm_bytes_add_int(struct tm_bytes *bytes, int value)
{
	add_little_endian(bytes, (uint32_t)value, 4);
}

void tm_bytes_add_int64(struct tm_bytes *bytes, int64_t value)
{
	add_little_endian(bytes, (uint64_t)value, 8);
}

void tm_bytes_add_text(struct tm_bytes *bytes, const char *text)
{
	size_t length = strnlen(text, INT_MAX);

	tm_bytes_add_int(bytes, (int)length);
	tm_bytes_add(bytes, text, length);
}

int tm_bytes_check(const struct tm_bytes *bytes, struct tm_error *err)
{
	if (!bytes->failed)
		return 0;
	return tm_fail(err, TM_SYSTEM, "out of memory for a message of more than %zu bytes",
		       bytes->length);
}

void tm_bytes_fini(struct tm_bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct tm_bytes){ 0 };
}

void tm_cursor_raw(struct tm_cursor *cursor, void *data, size_t length)
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

static uint64_t read_little_endian(struct tm_cursor *cursor, size_t length)
{
	unsigned char byte[8];
	uint64_t value = 0;

	tm_cursor_raw(cursor, byte, length);
	for (size_t i = 0; i < length; i++)
		value |= (uint64_t)byte[i] << 8 * i;
	return value;
}

int tm_cursor_int(struct tm_cursor *cursor)
{
	return (int)(int32_t)(uint32_t)read_little_endian(cursor, 4);
}

int64_t tm_cursor_int64(struct tm_cursor *cursor)
{
	return (int64_t)read_little_endian(cursor, 8);
}

int tm_cursor_count(struct tm_cursor *cursor, size_t size)
{
	int count = tm_cursor_int(cursor);

	if (count < 0 || (size_t)count > cursor->left / size)
		cursor->failed = true;
	return cursor->failed ? 0 : count;
}

void tm_cursor_text(struct tm_cursor *cursor, char *text, size_t size)
{
	int length = tm_cursor_count(cursor, 1);

	if ((size_t)length >= size)
		cursor->failed = true;
	if (cursor->failed)
		length = 0;
	tm_cursor_raw(cursor, text, (size_t)length);
	text[length] = '\0';
}

int tm_cursor_end(const struct tm_cursor *cursor, const char *what, struct tm_error *err)
{
	if (cursor->failed)
		return tm_fail(err, TM_SYSTEM, "%s that came from another rank is damaged: %s",
			       what, "it ends too early or holds an impossible count");
	if (cursor->left)
		return tm_fail(err, TM_SYSTEM,
			       "%s that came from another rank is damaged: %zu bytes too long",
			       what, cursor->left);
	return 0;
}
