/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/json_cursor.h"

#include "core/base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 16 };

char tmap_json_cursor_peek(struct tmap_json_cursor *it)
{
	for (; *it->at && strchr(" \t\r\n", *it->at); it->at++)
		it->line += *it->at == '\n';
	return *it->at;
}

bool tmap_json_cursor_passes(struct tmap_json_cursor *it, char wanted)
{
	if (tmap_json_cursor_peek(it) != wanted)
		return false;
	it->at++;
	return true;
}

int tmap_json_cursor_expect(struct tmap_json_cursor *it, char wanted, const char *what,
			    struct tmap_error *err)
{
	if (tmap_json_cursor_passes(it, wanted))
		return 0;
	return tmap_fail_at(err, TMAP_INPUT, it->line, 0,
			    *it->at ? "'%c' is expected %s" :
				      "the file ends where '%c' is expected %s",
			    wanted, what);
}

/* Bytes up to the quote that ends a string; -1: it has no end in its line. */
static int string_length(const char *at)
{
	int length = 0;

	while (at[length] != '"') {
		if (at[length] == '\\' && at[length + 1])
			length++;
		if (!at[length] || at[length] == '\n')
			return -1;
		length++;
	}
	return length;
}

char *tmap_json_cursor_string(struct tmap_json_cursor *it, const char *what, struct tmap_error *err)
{
	int length;
	char *text;

	if (tmap_json_cursor_expect(it, '"', what, err) < 0)
		return NULL;
	length = string_length(it->at);
	if (length < 0) {
		tmap_fail_at(err, TMAP_INPUT, it->line, 0, "a string has no end in its line");
		return NULL;
	}
	text = tmap_format(err, "%.*s", length, it->at);
	it->at += length + 1;
	return text;
}

int tmap_json_cursor_integer(struct tmap_json_cursor *it, int64_t *value, const char *what,
			     struct tmap_error *err)
{
	int length, shown;
	char *end;

	tmap_json_cursor_peek(it);
	length = (int)strcspn(it->at, " \t\r\n,:{}[]\"");
	shown = length > 40 ? 40 : length;
	errno = 0;
	*value = strtoll(it->at, &end, 10);
	if (!length || end != it->at + length ||
	    !isdigit((unsigned char)it->at[*it->at == '-'])) /* "+1", "1e3" and "0x1" are none */
		return tmap_fail_at(err, TMAP_INPUT, it->line, 0,
				    "'%.*s' is no whole number for %s", length ? shown : 1, it->at,
				    what);
	if (errno)
		return tmap_fail_at(err, TMAP_INPUT, it->line, 0, "%.*s is too large for %s", shown,
				    it->at, what);
	it->at = end;
	return 0;
}

static int pass_value(struct tmap_json_cursor *it, int depth, struct tmap_error *err);

/* The members of an object, or the elements of an array, past its bracket. */
static int pass_container(struct tmap_json_cursor *it, char close, int depth,
			  struct tmap_error *err)
{
	if (depth >= DEPTH_MOST)
		return tmap_fail_at(err, TMAP_INPUT, it->line, 0, "more than %d values in others",
				    (int)DEPTH_MOST);
	if (tmap_json_cursor_passes(it, close))
		return 0;
	do {
		if (close == '}') {
			char *name = tmap_json_cursor_string(it, "before a name", err);

			free(name);
			if (!name || tmap_json_cursor_expect(it, ':', "behind a name", err) < 0)
				return -1;
		}
		if (pass_value(it, depth + 1, err) < 0)
			return -1;
	} while (tmap_json_cursor_passes(it, ','));
	return tmap_json_cursor_expect(it, close, "at the end", err);
}

/* "true", "-1.5e3". */
static int pass_word(struct tmap_json_cursor *it, struct tmap_error *err)
{
	int length = (int)strcspn(it->at, " \t\r\n,:{}[]\"");
	char *end;

	strtod(it->at, &end);
	if (!length ||
	    !((length == 4 && (memcmp(it->at, "true", 4) == 0 || memcmp(it->at, "null", 4) == 0)) ||
	      (length == 5 && memcmp(it->at, "false", 5) == 0) ||
	      (end == it->at + length && isdigit((unsigned char)it->at[*it->at == '-']))))
		return tmap_fail_at(err, TMAP_INPUT, it->line, 0,
				    *it->at ? "'%.*s' is no value of JSON" :
					      "the file ends where a value is expected",
				    length > 40    ? 40 :
					    length ? length :
						     1,
				    it->at);
	it->at += length;
	return 0;
}

static int pass_value(struct tmap_json_cursor *it, int depth, struct tmap_error *err)
{
	char first = tmap_json_cursor_peek(it), *text;

	if (first == '{' || first == '[') {
		it->at++;
		return pass_container(it, first == '{' ? '}' : ']', depth, err);
	}
	if (first != '"')
		return pass_word(it, err);
	text = tmap_json_cursor_string(it, "for a string", err);
	free(text);
	return text ? 0 : -1;
}

int tmap_json_cursor_pass_value(struct tmap_json_cursor *it, struct tmap_error *err)
{
	return pass_value(it, 0, err);
}
