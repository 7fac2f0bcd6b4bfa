/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/lines.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

bool tmap_line_next(struct tmap_line *line, const char **text)
{
	size_t length = strcspn(*text, "\n");

	if (!**text)
		return false;
	line->text = *text;
	line->length = length;
	line->number += line->number < INT_MAX;
	*text += length + ((*text)[length] == '\n');
	if (length && line->text[length - 1] == '\r')
		line->length--;
	return true;
}

void tmap_line_cut(struct tmap_line *line, char mark)
{
	const char *end = memchr(line->text, mark, line->length);

	if (end)
		line->length = (size_t)(end - line->text);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool tmap_line_word(struct tmap_line *line, const char **word, size_t *length)
{
	while (line->length && is_blank(*line->text)) {
		line->text++;
		line->length--;
	}
	*word = line->text;
	while (line->length && !is_blank(*line->text)) {
		line->text++;
		line->length--;
	}
	*length = (size_t)(line->text - *word);
	return *length > 0;
}

bool tmap_text_is_empty(const char *text)
{
	return !text[strspn(text, " \t\r\n")];
}

bool tmap_keyword_is(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && strncasecmp(word, name, length) == 0;
}

bool tmap_line_begins(const struct tmap_line *line, const char *start)
{
	size_t length = strlen(start);

	return line->length >= length && strncmp(line->text, start, length) == 0;
}
