/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bytes.h - values as a row of bytes, and back: what ranks send each other.
 *
 * Integers are little-endian whatever the machine, so nodes of different kinds
 * understand each other. The writer remembers a refusal of memory and the reader
 * the first thing that does not fit, so both are asked once, at the end.
 */
#ifndef TMAP_MPI_PROBE_BYTES_H
#define TMAP_MPI_PROBE_BYTES_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tmap_bytes {
	unsigned char *data;
	size_t length;
	size_t capacity;
	bool failed; /**< memory was refused: the bytes are incomplete */
};

void tmap_bytes_add(struct tmap_bytes *bytes, const void *data, size_t length);
void tmap_bytes_add_int(struct tmap_bytes *bytes, int value);
void tmap_bytes_add_int64(struct tmap_bytes *bytes, int64_t value);
/** The length, then the characters. */
void tmap_bytes_add_text(struct tmap_bytes *bytes, const char *text);
/** Every member, of texts no more than they have. */
void tmap_bytes_add_error(struct tmap_bytes *bytes, const struct tmap_error *err);

/** -1 with *err set if memory was refused on the way. */
int tmap_bytes_check(const struct tmap_bytes *bytes, struct tmap_error *err);
void tmap_bytes_fini(struct tmap_bytes *bytes);

/** Reads bytes from the front; what is missing reads as 0 and is remembered. */
struct tmap_cursor {
	const unsigned char *at; /**< borrowed */
	size_t left;
	bool failed;
};

int tmap_cursor_int(struct tmap_cursor *cursor);
int64_t tmap_cursor_int64(struct tmap_cursor *cursor);
void tmap_cursor_raw(struct tmap_cursor *cursor, void *data, size_t length);
/** A count of things of at least @p size bytes each; fails if so many cannot follow. */
int tmap_cursor_count(struct tmap_cursor *cursor, size_t size);
/** A text into @p text of @p size bytes, terminated; fails if it is longer. */
void tmap_cursor_text(struct tmap_cursor *cursor, char *text, size_t size);
void tmap_cursor_error(struct tmap_cursor *cursor, struct tmap_error *err);

/** Everything was there and nothing is left over; else -1: "<what> that came from another
 *  rank is damaged: ..." */
int tmap_cursor_end(const struct tmap_cursor *cursor, const char *what, struct tmap_error *err);

#endif
