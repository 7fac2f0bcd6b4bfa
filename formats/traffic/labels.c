/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/traffic/labels.h"

#include "core/base/keyword.h"
#include "formats/traffic/readers.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

/* The next field, which may be quoted with blanks in it; its length, 0 at the end of the line. */
static size_t field_length(struct tmap_line *line)
{
	size_t length = tmap_field_length(line);
	const char *end;

	if (!length || *line->text != '"')
		return length;
	end = memchr(line->text + 1, '"', line->length - 1);
	return end ? (size_t)(end - line->text) + 1 : length;
}

/* Is it a name? What is nearly a number is a mistake. */
static bool is_word(const char *text, size_t length)
{
	static const char *const none[] = { "nan", "inf", "infinity", NULL };

	if (!isalpha((unsigned char)*text) && *text != '"' && *text != '_')
		return false;
	for (int i = 0; none[i]; i++)
		if (tmap_keyword_is(text, length, none[i]))
			return false;
	return true;
}

/* "3", "rank3", "rank03" */
static void find_number(struct tmap_label *label)
{
	int64_t number = 0;

	label->prefix = label->length;
	while (label->prefix && isdigit((unsigned char)label->text[label->prefix - 1]))
		label->prefix--;
	for (size_t i = label->prefix; i < label->length && number <= INT_MAX; i++)
		number = 10 * number + (label->text[i] - '0');
	label->number = label->prefix < label->length && number <= INT_MAX ? number : TMAP_NONE;
}

bool tmap_label_next(struct tmap_label *label, struct tmap_line *line)
{
	size_t length = field_length(line);

	if (!length)
		return false;
	*label = (struct tmap_label){ .text = line->text,
				      .length = length,
				      .line = line->number,
				      .is_word = is_word(line->text, length) };
	line->text += length;
	line->length -= length;
	while (label->length && *label->text == '"') {
		label->text++;
		label->length--;
	}
	while (label->length && label->text[label->length - 1] == '"')
		label->length--;
	find_number(label);
	return true;
}

void tmap_label_series_add(struct tmap_label_series *series, const struct tmap_label *label)
{
	const struct tmap_label *first = &series->first;

	if (series->count++ == 0) {
		series->first = *label;
		series->least = series->most = label->number;
	}
	series->words += label->is_word;
	if (label->number == TMAP_NONE || label->prefix != first->prefix ||
	    memcmp(label->text, first->text, first->prefix) != 0)
		series->differ = true;
	series->sum += label->number;
	if (label->number < series->least)
		series->least = label->number;
	if (label->number > series->most)
		series->most = label->number;
}

bool tmap_label_series_begins(const struct tmap_label_series *series)
{
	return series->count && !series->differ && series->least <= 1 &&
		(series->words || !series->first.prefix);
}

bool tmap_label_series_counts(const struct tmap_label_series *series)
{
	int64_t count = series->count;

	return tmap_label_series_begins(series) && series->most == series->least + count - 1 &&
		series->sum == count * series->least + count * (count - 1) / 2;
}
