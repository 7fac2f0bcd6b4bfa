#include "core/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct tmap_error_row tmap_error_rows[] = {
	{ TMAP_OK, "success" },
	{ TMAP_INPUT, "the input is malformed, or the request is impossible on it" },
	{ TMAP_USAGE, "the command line is wrong" },
	{ TMAP_SYSTEM, "the system refused: a file, memory or MPI" },
	{ TMAP_FINDINGS, "judgement was asked for, and there are findings" },
	{ TMAP_OK, NULL },
};

/* Marks a text that did not fit, so that nobody takes its end for the end of the sentence. */
static void mark_if_cut(char *text, size_t size, size_t length)
{
	if (length >= size)
		memcpy(text + size - 4, "...", 4);
}

/* What the text quotes may come from anywhere, and the reader may be a terminal. */
static void hide_controls(char *text)
{
	for (; *text; text++)
		if (((unsigned char)*text < ' ' && *text != '\n') || *text == '\x7f')
			*text = '?';
}

static size_t put(char *text, size_t size, const char *format, va_list args)
{
	int length = vsnprintf(text, size, format, args);

	hide_controls(text);
	return length < 0 ? 0 : (size_t)length;
}

int tmap_fail(struct tmap_error *err, enum tmap_error_kind kind, const char *format, ...)
{
	va_list args;

	err->kind = kind;
	va_start(args, format);
	mark_if_cut(err->text, sizeof err->text, put(err->text, sizeof err->text, format, args));
	va_end(args);
	return -1;
}

int tmap_wrap(struct tmap_error *err, const char *format, ...)
{
	char inner[sizeof err->text];
	size_t length;
	va_list args;

	memcpy(inner, err->text, sizeof inner);
	va_start(args, format);
	length = put(err->text, sizeof err->text, format, args);
	va_end(args);
	if (length < sizeof err->text)
		length += (size_t)snprintf(err->text + length, sizeof err->text - length, ": %s",
					   inner);
	mark_if_cut(err->text, sizeof err->text, length);
	return -1;
}
