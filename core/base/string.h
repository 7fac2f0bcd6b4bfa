/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * string.h - a string that grows.
 *
 * The first refusal of memory is remembered, so a writer appends without looking
 * and asks once, in tmap_str_take().
 */
#ifndef TMAP_CORE_BASE_STRING_H
#define TMAP_CORE_BASE_STRING_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct tmap_str {
	char *text; /**< NULL while empty; else terminated */
	size_t length;
	size_t capacity;
	bool failed; /**< memory was refused: the text is incomplete */
};

#define TMAP_STR_INIT \
	{ \
		0 \
	}

/** Append formatted text, a string, or a byte. */
void tmap_str_addf(struct tmap_str *str, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void tmap_str_add(struct tmap_str *str, const char *text);
void tmap_str_addc(struct tmap_str *str, char c);

/** Append a string of others, with the escapes of utf8.h. */
void tmap_str_add_printable(struct tmap_str *str, const char *text);

/** Was nothing appended? What memory was refused for was. */
bool tmap_str_is_empty(const struct tmap_str *str);

/** The text, now the caller's to free ("" where nothing was added); NULL with *err set
 *  if memory was refused on the way. The builder is empty afterwards. */
char *tmap_str_take(struct tmap_str *str, struct tmap_error *err);

void tmap_str_fini(struct tmap_str *str);

#endif
