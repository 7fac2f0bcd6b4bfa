/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/utf8.h"

#include <stdio.h>
#include <string.h>

int tmap_utf8_length(const char *text)
{
	static const struct {
		unsigned char first, last, low, high; /* first byte; range of the second */
		int length;
	} rows[] = {
		{ 0x01, 0x7f, 0, 0, 1 },       { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};
	const unsigned char *at = (const unsigned char *)text;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (at[0] < rows[i].first || at[0] > rows[i].last)
			continue;
		if (rows[i].length > 1 && (at[1] < rows[i].low || at[1] > rows[i].high))
			return 0;
		for (int k = 2; k < rows[i].length; k++)
			if ((at[k] & 0xc0) != 0x80)
				return 0;
		return rows[i].length;
	}
	return 0;
}

const char *tmap_utf8_find_wrong(const char *text)
{
	while (*text) {
		int length = (unsigned char)*text < 0x80 ? 1 : tmap_utf8_length(text);

		if (!length)
			return text;
		text += length;
	}
	return NULL;
}

uint32_t tmap_utf8_character(const char *text, int length)
{
	static const unsigned char mask[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	uint32_t value = (unsigned char)*text & mask[length];

	for (int k = 1; k < length; k++)
		value = value << 6 | ((unsigned char)text[k] & 0x3f);
	return value;
}

/* What is above ASCII and is not to be printed raw. */
static bool is_hidden(uint32_t value)
{
	static const struct {
		uint32_t first, last;
	} rows[] = {
		{ 0x80, 0x9f },     /* C1: some terminals take 0x9b for escape [ */
		{ 0xad, 0xad },     /* soft hyphen */
		{ 0x61c, 0x61c },   /* Arabic letter mark */
		{ 0x180e, 0x180e }, /* Mongolian vowel separator */
		{ 0x200b, 0x200f }, /* zero width space, joiners, left-to-right and right-to-left */
		{ 0x2028, 0x202e }, /* ends of line and paragraph, embeddings, overrides */
		{ 0x2060, 0x206f }, /* word joiner, invisible operators, isolates */
		{ 0xfeff, 0xfeff }, /* byte order mark */
		{ 0xfff9, 0xfffb }, /* interlinear annotation */
		{ 0xe0000, 0xe007f }, /* tags */
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (value >= rows[i].first && value <= rows[i].last)
			return true;
	return false;
}

int tmap_utf8_escape(const char *text, char escape[TMAP_ESCAPE_ROOM])
{
	unsigned char byte = (unsigned char)*text;
	int length = tmap_utf8_length(text);
	uint32_t value;

	*escape = '\0';
	if (byte == '\n' || byte == '\t') {
		memcpy(escape, byte == '\n' ? "\\n" : "\\t", 3);
	} else if (!length || byte < ' ' || byte == 0x7f) {
		snprintf(escape, TMAP_ESCAPE_ROOM, "\\x%02x", byte);
	} else if (length > 1 && is_hidden(value = tmap_utf8_character(text, length))) {
		if (value > 0xffff) /* of all planes but the first there are tags only */
			snprintf(escape, TMAP_ESCAPE_ROOM, "\\u%05x", (unsigned)value & 0xfffff);
		else
			snprintf(escape, TMAP_ESCAPE_ROOM, "\\u%04x", (unsigned)value & 0xffff);
	}
	return length ? length : 1;
}

bool tmap_utf8_is_plain(const char *text)
{
	char escape[TMAP_ESCAPE_ROOM];

	while (*text) {
		text += tmap_utf8_escape(text, escape);
		if (*escape)
			return false;
	}
	return true;
}

size_t tmap_utf8_print(char *out, size_t size, const char *text)
{
	char escape[TMAP_ESCAPE_ROOM];
	size_t length = 0, room = size;

	while (*text) {
		const char *from = text;
		int taken = tmap_utf8_escape(text, escape);
		size_t more = *escape ? strlen(escape) : (size_t)taken;

		if (more < room) {
			memcpy(out + length, *escape ? escape : from, more);
			room -= more;
		} else if (room) {
			out[length] = '\0'; /* nothing behind what did not fit */
			room = 0;
		}
		length += more;
		text += taken;
	}
	if (room)
		out[length] = '\0';
	return length;
}
