/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/wrap.h"

#include "core/base/utf8.h"
#include "formats/base/printable.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80 };

/* Up to where a line may be broken: the next blank, in a list the next one behind a comma. */
static int unbroken_length(const char *text, bool is_list)
{
	size_t length = strcspn(text, " ");

	while (is_list && text[length] && (length == 0 || text[length - 1] != ','))
		length += 1 + strcspn(text + length + 1, " ");
	return (int)length;
}

/* Of a word with its escapes. */
static int word_width(const char *text, int length)
{
	char escape[TMAP_ESCAPE_ROOM];
	int width = 0;

	for (const char *end = text + length; text < end;) {
		int taken = tmap_utf8_escape(text, escape);

		width += *escape ? (int)strlen(escape) : taken;
		text += taken;
	}
	return width;
}

static bool is_broken_before(int at, int column, int width)
{
	return at > column && at + 1 + width > COLUMNS;
}

static void write_broken(FILE *out, int column, const char *label, const char *text, bool is_list)
{
	int at = column;

	fprintf(out, "%-*s", column, label);
	while (*text) {
		int length = unbroken_length(text, is_list);

		if (is_broken_before(at, column, word_width(text, length))) {
			fprintf(out, "\n%*s", column, "");
			at = column;
		} else if (at > column) {
			fputc(' ', out);
			at++;
		}
		at += (int)tmap_printable_write(out, text, (size_t)length);
		text += length + (text[length] == ' ');
	}
	fputc('\n', out);
}

size_t tmap_text_fit(int column, const char *text, int lines)
{
	const char *begin = text;
	int at = column;

	while (*text) {
		int length = unbroken_length(text, false), width = word_width(text, length);

		if (is_broken_before(at, column, width)) {
			if (--lines == 0)
				break;
			at = column;
		}
		at += (at > column) + width;
		text += length + (text[length] == ' ');
	}
	return (size_t)(text - begin);
}

void tmap_text_write_wrapped(FILE *out, int column, const char *label, const char *text)
{
	write_broken(out, column, label, text, false);
}

int tmap_text_write_wrapped_str(FILE *out, int column, const char *label, struct tmap_str *str,
				struct tmap_error *err)
{
	char *text = tmap_str_take(str, err);

	if (!text)
		return -1;
	tmap_text_write_wrapped(out, column, label, text);
	free(text);
	return 0;
}

int tmap_text_write_list_str(FILE *out, int column, const char *label, struct tmap_str *str,
			     struct tmap_error *err)
{
	char *text = tmap_str_take(str, err);

	if (!text)
		return -1;
	write_broken(out, column, label, text, true);
	free(text);
	return 0;
}
