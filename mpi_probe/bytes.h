/*
 * bytes.h - values as a row of bytes, and back: what ranks send each other.
 *
 * Integers are little-endian whatever the machine, so nodes of different kinds
 * understand each other. The writer remembers a refusal of memory and the reader
 * the first thing that does not fit, so both are asked once, at the end.
 */
#ifndef TM_BYTES_H
#define TM_BYTES_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_bytes {
	unsigned char *data;
	size_t length;
	size_t capacity;
	bool failed;     /**< memory was refused: the bytes are incomplete */
};

void tm_bytes_add(struct tm_bytes *bytes, const void *data, size_t length);
void tm_bytes_add_int(struct tm_bytes *bytes, int value);
void tm_bytes_add_int64(struct tm_bytes *bytes, int64_t value);
/** The length, then the characters. */
void tm_bytes_add_text(struct tm_bytes *bytes, const char *text);

/** -1 with *err set if memory was refused on the way. */
int tm_bytes_check(const struct tm_bytes *bytes, struct tm_error *err);
void tm_bytes_fini(struct tm_bytes *bytes);

/** Reads bytes from the front; what is missing reads as 0 and is remembered. */
struct tm_cursor {
	const unsigned char *at; /**< borrowed */
	size_t left;
	bool failed;
};

int tm_cursor_int(struct tm_cursor *cursor);
int64_t tm_cursor_int64(struct tm_cursor *cursor);
void tm_cursor_raw(struct tm_cursor *cursor, void *data, size_t length);
/** A count of things of at least @p size bytes each; fails if so many cannot follow. */
int tm_cursor_count(struct tm_cursor *cursor, size_t size);
/** A text into @p text of @p size bytes, terminated; fails if it is longer. */
void tm_cursor_text(struct tm_cursor *cursor, char *text, size_t size);

/** Everything was there and nothing is left over; else -1: "<what> that came from another
 *  rank is damaged: ..." */
int tm_cursor_end(const struct tm_cursor *cursor, const char *what, struct tm_error *err);

#endif
