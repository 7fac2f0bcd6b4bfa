/*
 * str.h - a string that grows.
 *
 * The first refusal of memory is remembered, so a writer appends without looking
 * and asks once, in tm_str_take().
 */
#ifndef TM_STR_H
#define TM_STR_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct tm_str {
	char *text;      /**< NULL while empty; else terminated */
	size_t length;
	size_t capacity;
	bool failed;     /**< memory was refused: the text is incomplete */
};

#define TM_STR_INIT { 0 }

/** Append formatted text, a string, or a byte. */
void tm_str_addf(struct tm_str *str, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void tm_str_add(struct tm_str *str, const char *text);
void tm_str_addc(struct tm_str *str, char c);

/** The text, now the caller's to free ("" where nothing was added); NULL with *err set
 *  if memory was refused on the way. The builder is empty afterwards. */
char *tm_str_take(struct tm_str *str, struct tm_error *err);

void tm_str_fini(struct tm_str *str);

#endif
