/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/error.h"

#include "core/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* the functions themselves */
#undef tmap_fail
#undef tmap_fail_at
#undef tmap_fail_in_spec
#undef tmap_unfinished
#undef tmap_at
#undef tmap_wrap

const struct tmap_error_row tmap_error_rows[] = {
	{ TMAP_OK, "success" },
	{ TMAP_INPUT, "the input is malformed, or the request is impossible on it" },
	{ TMAP_USAGE, "the command line is wrong" },
	{ TMAP_SYSTEM, "the system refused: a file, memory or MPI" },
	{ TMAP_FINDINGS, "a check was asked for, and there are findings" },
	{ TMAP_OK, NULL },
};

enum {
	PATH_SHOWN = 256, /* of a printed path: about three lines of a terminal */
	WORDS_LEAST = 64, /* of what is put in front of a long text */
	SPEC_BEFORE = 40, /* of a long specification before the caret, and in all */
	SPEC_WIDTH = 72,
};

static bool is_inside_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Marks a text that did not fit, so that its end is not taken for the end of the sentence. */
static void mark_if_cut(char *text, size_t size, size_t length)
{
	size_t at = strlen(text);

	if (length < size)
		return;
	if (at > size - 4)
		at = size - 4;
	while (at && is_inside_character(text[at]))
		at--;
	memcpy(text + at, "...", 4);
}

/* What the text quotes may come from anywhere, and the reader may be a terminal. Returns the length
 * that it would have. */
static size_t text_print(char *text, size_t size, const char *format, va_list args)
{
	char raw[2 * sizeof((struct tmap_error *)NULL)->text];
	int length = vsnprintf(raw, sizeof raw, format, args);
	size_t shown = length < 0 ? 0 : tmap_utf8_print(text, size, raw);

	if (length < 0)
		*text = '\0';
	return length >= (int)sizeof raw ? (size_t)length : shown;
}

static int error_set(struct tmap_error *err, enum tmap_error_kind kind, const char *format,
		     va_list args)
{
	err->kind = kind;
	err->is_in_spec = err->is_unfinished = false;
	err->line = err->column = 0;
	*err->context = *err->path = '\0';
	mark_if_cut(err->text, sizeof err->text,
		    text_print(err->text, sizeof err->text, format, args));
	return -1;
}

int tmap_fail(struct tmap_error *err, enum tmap_error_kind kind, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	error_set(err, kind, format, args);
	va_end(args);
	return -1;
}

int tmap_fail_at(struct tmap_error *err, enum tmap_error_kind kind, int line, int column,
		 const char *format, ...)
{
	va_list args;

	va_start(args, format);
	error_set(err, kind, format, args);
	va_end(args);
	err->line = line;
	err->column = column;
	return -1;
}

int tmap_unfinished(struct tmap_error *err)
{
	err->is_unfinished = true;
	return -1;
}

/* "<words>: <text>"; where not both fit, the words are cut, for the reason is in the text. */
static void text_prepend(char *text, size_t size, const char *format, va_list args)
{
	char words[sizeof((struct tmap_error *)NULL)->text];
	char inner[sizeof((struct tmap_error *)NULL)->text];
	size_t needed = *text ? strlen(text) + 2 : 0;
	size_t room = size > needed + WORDS_LEAST ? size - needed : WORDS_LEAST;

	snprintf(inner, sizeof inner, "%s%s", *text ? ": " : "", text);
	mark_if_cut(words, room, text_print(words, room, format, args));
	mark_if_cut(text, size, (size_t)snprintf(text, size, "%s%s", words, inner));
}

int tmap_wrap(struct tmap_error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (*err->path)
		text_prepend(err->context, sizeof err->context, format, args);
	else
		text_prepend(err->text, sizeof err->text, format, args);
	va_end(args);
	return -1;
}

/* @p path in at most @p size - 1 bytes, cut in its middle, between two UTF-8 characters. */
static void path_print(char *out, size_t size, const char *path)
{
	size_t length = strlen(path), head, tail;

	if (length < size) {
		memcpy(out, path, length + 1);
		return;
	}
	head = (size - 4) / 2;
	tail = length - (size - 4 - head);
	while (head && is_inside_character(path[head]))
		head--;
	while (is_inside_character(path[tail]))
		tail++;
	snprintf(out, size, "%.*s...%s", (int)head, path, path + tail);
}

/* A place around the one that is known is context. */
static int wrap_place(struct tmap_error *err, const char *path, int line)
{
	char shown[sizeof err->context / 2];

	path_print(shown, sizeof shown, path);
	return !line  ? tmap_wrap(err, "%s", shown) :
		*path ? tmap_wrap(err, "%s:%d", shown, line) :
			tmap_wrap(err, "line %d", line);
}

int tmap_at(struct tmap_error *err, const char *path, int line)
{
	char own[TMAP_PATH_SIZE] = "", escaped[4 * TMAP_PATH_SIZE];

	if (path) {
		tmap_utf8_print(escaped, sizeof escaped, path);
		path_print(own, sizeof own, escaped);
	}
	if (*err->path && strcmp(err->path, own) != 0)
		return wrap_place(err, own, line);
	memcpy(err->path, own, strlen(own) + 1);
	if (!err->line)
		err->line = line;
	return -1;
}

/* Of the first @p count bytes of @p text, which may end inside a character. */
static size_t escaped_length(const char *text, size_t count)
{
	char escape[TMAP_ESCAPE_ROOM];
	size_t length = 0;

	for (const char *end = text + count; text < end;) {
		int taken = tmap_utf8_escape(text, escape);

		length += *escape ? strlen(escape) : (size_t)taken;
		text += taken;
	}
	return length;
}

int tmap_fail_in_spec(struct tmap_error *err, enum tmap_error_kind kind, const char *context,
		      const char *spec, size_t offset, const char *format, ...)
{
	size_t length = strlen(spec), room = sizeof err->path - 1;
	size_t from = length <= room || offset < room / 2 ? 0 : offset - room / 2;
	va_list args;

	va_start(args, format);
	error_set(err, kind, format, args);
	va_end(args);
	tmap_utf8_print(err->context, sizeof err->context, context);
	tmap_utf8_print(err->path, sizeof err->path, spec + from);
	err->is_in_spec = true;
	err->column = (int)escaped_length(spec + from, offset - from) + 1;
	return -1;
}

/* The specification, and below the mistake a caret and the text; a long one is cut around the
 * mistake. */
static void spec_print(const struct tmap_error *err, char *out, size_t size)
{
	size_t length = strlen(err->path), offset = (size_t)err->column - 1;
	size_t from = length > SPEC_WIDTH && offset > SPEC_BEFORE ? offset - SPEC_BEFORE : 0;
	const char *before = from ? "..." : "", *after = from + SPEC_WIDTH < length ? "..." : "";

	snprintf(out, size, "%s%.*s%s\n%*s^ %s", before, SPEC_WIDTH, err->path + from, after,
		 (int)(offset - from + strlen(before)), "", err->text);
}

const char *tmap_error_print(const struct tmap_error *err, char *out)
{
	const char *colon = *err->context ? ": " : "";
	char path[PATH_SHOWN], line[24] = "", column[24] = "";

	if (err->is_in_spec) {
		int length = snprintf(out, TMAP_ERROR_SIZE, "%s:\n", err->context);

		spec_print(err, out + length, TMAP_ERROR_SIZE - (size_t)length);
		return out;
	}
	path_print(path, sizeof path, err->path);
	if (err->line)
		snprintf(line, sizeof line, *path ? ":%d" : "line %d", err->line);
	if (err->line && err->column)
		snprintf(column, sizeof column, *path ? ":%d" : ", column %d", err->column);
	snprintf(out, TMAP_ERROR_SIZE, "%s%s%s%s%s%s%s", err->context, colon, path, line, column,
		 *path || err->line ? ": " : "", err->text);
	return out;
}
