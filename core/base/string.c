#include "core/base/string.h"

#include "core/base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct tm_str *str, size_t more)
{
	struct tm_error err;

	if (!str->failed &&
	    tm_grow(&str->text, &str->capacity, str->length + more + 1, 1, &err) < 0)
		str->failed = true;
	return !str->failed;
}

static void append(struct tm_str *str, const char *text, size_t length)
{
	if (!reserve(str, length))
		return;
	memcpy(str->text + str->length, text, length);
	str->length += length;
	str->text[str->length] = '\0';
}

void tm_str_add(struct tm_str *str, const char *text)
{
	append(str, text, strlen(text));
}

void tm_str_addc(struct tm_str *str, char c)
{
	append(str, &c, 1);
}

void tm_str_addf(struct tm_str *str, const char *format, ...)
{
	va_list args, again;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	if (length < 0) {
		str->failed = true;
	} else if (reserve(str, (size_t)length)) {
		vsnprintf(str->text + str->length, (size_t)length + 1, format, again);
		str->length += (size_t)length;
	}
	va_end(again);
	va_end(args);
}

char *tm_str_take(struct tm_str *str, struct tm_error *err)
{
	char *text;

	if (str->failed) {
		tm_fail(err, TM_SYSTEM, "out of memory for a text of %zu bytes", str->length);
		tm_str_fini(str);
		return NULL;
	}
	text = str->text ? str->text : tm_strdup("", err);
	*str = (struct tm_str)TM_STR_INIT;
	return text;
}

void tm_str_fini(struct tm_str *str)
{
	free(str->text);
	*str = (struct tm_str)TM_STR_INIT;
}
