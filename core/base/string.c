/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/string.h"

#include "core/base/mem.h"
#include "core/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool str_reserve(struct tmap_str *str, size_t more)
{
	struct tmap_error err;

	if (!str->failed &&
	    tmap_grow(&str->text, &str->capacity, str->length + more + 1, 1, &err) < 0)
		str->failed = true;
	return !str->failed;
}

static void str_append(struct tmap_str *str, const char *text, size_t length)
{
	if (!str_reserve(str, length))
		return;
	memcpy(str->text + str->length, text, length);
	str->length += length;
	str->text[str->length] = '\0';
}

void tmap_str_add(struct tmap_str *str, const char *text)
{
	str_append(str, text, strlen(text));
}

void tmap_str_addc(struct tmap_str *str, char c)
{
	str_append(str, &c, 1);
}

void tmap_str_addf(struct tmap_str *str, const char *format, ...)
{
	va_list args, again;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	if (length < 0) {
		str->failed = true;
	} else if (str_reserve(str, (size_t)length)) {
		vsnprintf(str->text + str->length, (size_t)length + 1, format, again);
		str->length += (size_t)length;
	}
	va_end(again);
	va_end(args);
}

void tmap_str_add_printable(struct tmap_str *str, const char *text)
{
	char escape[TMAP_ESCAPE_ROOM];

	while (*text) {
		const char *from = text;

		text += tmap_utf8_escape(text, escape);
		if (*escape)
			tmap_str_add(str, escape);
		else
			tmap_str_addf(str, "%.*s", (int)(text - from), from);
	}
}

bool tmap_str_is_empty(const struct tmap_str *str)
{
	return !str->length && !str->failed;
}

char *tmap_str_take(struct tmap_str *str, struct tmap_error *err)
{
	char *text;

	if (str->failed) {
		tmap_fail(err, TMAP_SYSTEM, "out of memory for a text of %zu bytes", str->length);
		tmap_str_fini(str);
		return NULL;
	}
	text = str->text ? str->text : tmap_strdup("", err);
	*str = (struct tmap_str)TMAP_STR_INIT;
	return text;
}

void tmap_str_fini(struct tmap_str *str)
{
	free(str->text);
	*str = (struct tmap_str)TMAP_STR_INIT;
}
