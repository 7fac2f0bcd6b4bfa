/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/keyword.h"
#include "formats/traffic/readers.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* What stands around the numbers. */
struct shape {
	bool has_heading, has_labels;
	bool counts; /* labels are numbers, or end with one, from first on */
	int64_t first;
};

/* The next field, which may be quoted with blanks in it; its length, 0 at the end of the line. */
static size_t label_length(struct tmap_line *line)
{
	size_t length = tmap_field_length(line);
	const char *end;

	if (!length || *line->text != '"')
		return length;
	end = memchr(line->text + 1, '"', line->length - 1);
	return end ? (size_t)(end - line->text) + 1 : length;
}

static void label_skip(struct tmap_line *line)
{
	size_t length = label_length(line);

	line->text += length;
	line->length -= length;
	tmap_field_length(line); /* the separators */
}

/* The number that a label is or ends with: "3", "rank3", "\"Rank 3\"". */
static bool label_number(const struct tmap_line *line, size_t length, int64_t *number)
{
	size_t from;

	while (length && line->text[length - 1] == '"')
		length--;
	for (from = length; from && isdigit((unsigned char)line->text[from - 1]);)
		from--;
	if (from == length || length - from > 18)
		return false;
	*number = 0;
	for (; from < length; from++)
		*number = 10 * *number + (line->text[from] - '0');
	return true;
}

/* Is it a name? What is nearly a number is a mistake. */
static bool is_word(const struct tmap_line *line, size_t length)
{
	static const char *const none[] = { "nan", "inf", "infinity", NULL };

	if (!isalpha((unsigned char)*line->text) && *line->text != '"' && *line->text != '_')
		return false;
	for (int i = 0; none[i]; i++)
		if (tmap_keyword_is(line->text, length, none[i]))
			return false;
	return true;
}

/* Fields of a line, labels as one; *words of them are names. TMAP_NONE: one is neither that nor a
 * number. */
static int count_fields(struct tmap_line line, int *words)
{
	int count = 0;

	*words = 0;
	for (size_t length; (length = label_length(&line)) > 0; label_skip(&line), count++) {
		struct tmap_line field = line;

		field.length = length;
		if (is_word(&line, length))
			(*words)++;
		else if (tmap_traffic_count_fields(field) != 1)
			return TMAP_NONE;
	}
	return count;
}

/* Does a line, or the first column, count from 0 or 1 on? */
static bool line_counts(struct tmap_line line)
{
	int64_t number, expected = TMAP_NONE;
	struct tmap_error unused;

	while (tmap_field_int(&line, "a rank", 0, &number, &unused) > 0) {
		if (expected == TMAP_NONE ? number > 1 : number != expected)
			return false;
		expected = number + 1;
	}
	return tmap_field_length(&line) == 0;
}

static bool column_counts(const char *text)
{
	struct tmap_line line = { 0 };
	int64_t number, expected = TMAP_NONE;

	tmap_traffic_line(&line, &text, '#'); /* the heading */
	while (tmap_traffic_line(&line, &text, '#')) {
		size_t length = label_length(&line);

		if (!label_number(&line, length, &number) ||
		    (expected == TMAP_NONE ? number > 1 : number != expected))
			return false;
		expected = number + 1;
	}
	return true;
}

/* A heading and labels, as the numbers of lines and fields have room for them, of names; of numbers
 * only where an empty corner tells the heading from the rest, and both count. False: it has neither. */
static bool shape_find(struct shape *shape, const char *text)
{
	struct tmap_line line = { 0 };
	const char *at = text;
	int lines = 0, first = 0, first_words = 0, others = 0, words = 0;
	bool counts = false, is_label = false;

	*shape = (struct shape){ 0 };
	for (; tmap_traffic_line(&line, &at, '#'); lines++) {
		if (lines == 0) {
			first = count_fields(line, &first_words);
			counts = line_counts(line) && column_counts(text);
		} else if (lines == 1) {
			others = count_fields(line, &words);
			is_label = is_word(&line, label_length(&line));
		}
	}
	if (lines < 2 || first == TMAP_NONE || others == TMAP_NONE || words != is_label)
		return false;
	if (first + 1 == others && lines == others) /* the corner is empty */
		shape->has_heading = shape->has_labels = first_words || counts;
	else if (first == others && lines == others && first_words)
		shape->has_heading = shape->has_labels = true;
	else if (first == others && lines == others + 1)
		shape->has_heading = !words && first_words;
	else if (first == others && lines == others - 1)
		shape->has_labels = words && first_words == words;
	return shape->has_heading || shape->has_labels;
}

/* A label that ends with a number is the row's. */
static int take_label(struct tmap_line *line, struct shape *shape, int row, struct tmap_error *err)
{
	size_t length = label_length(line);
	int64_t number;
	bool is_number = label_number(line, length, &number);

	if (row == 0) {
		shape->counts = is_number && number <= 1;
		shape->first = shape->counts ? number : 0;
	}
	if (shape->counts && (!is_number || number != shape->first + row))
		return tmap_fail_at(
			err, TMAP_INPUT, line->number, 0, "'%.*s' labels the line of rank %" PRId64,
			(int)(length < 40 ? length : 40), line->text, shape->first + row);
	label_skip(line);
	return 0;
}

/* A row of the matrix; *columns is set by the first one. */
static int read_row(struct tmap_pattern_builder *b, int row, int *columns, struct tmap_line line,
		    struct tmap_error *err)
{
	double bytes;
	int column = 0, found;

	for (; (found = tmap_field_bytes(&line, &bytes, err)) > 0; column++)
		if (row < b->size && column < b->size &&
		    tmap_traffic_add(b, row, column, bytes, line.number, err) < 0)
			return -1;
	if (found < 0)
		return -1;
	if (row == 0)
		*columns = column;
	if (column != *columns)
		return tmap_fail_at(err, TMAP_INPUT, line.number, 0,
				    "there are %d numbers, but the first line has %d", column,
				    *columns);
	return 0;
}

int tmap_traffic_matrix(struct tmap_pattern_builder *b, const char *text, struct tmap_error *err)
{
	struct tmap_line line = { 0 };
	struct shape shape;
	int rows = 0, columns = 0;
	bool heading;

	shape_find(&shape, text);
	for (heading = shape.has_heading; tmap_traffic_line(&line, &text, '#'); heading = false) {
		if (heading)
			continue;
		if (shape.has_labels && take_label(&line, &shape, rows, err) < 0)
			return -1;
		if (read_row(b, rows, &columns, line, err) < 0)
			return -1;
		rows++;
	}
	if (rows != columns)
		return tmap_fail(err, TMAP_INPUT,
				 "it has %d lines of %d numbers: there must be a number "
				 "for each rank on a line for each rank",
				 rows, columns);
	return tmap_traffic_check_size(b, rows, err);
}

/* As many numbers as there are lines, without heading and labels; three lines of three could be a
 * list. */
bool tmap_traffic_is_matrix(const char *text)
{
	const char *at = text;
	struct tmap_line line = { 0 };
	struct shape shape;
	int rows = 0, columns = 0;

	if (tmap_traffic_is_headed_list(text))
		return false;
	if (shape_find(&shape, text))
		return true;
	for (; tmap_traffic_line(&line, &at, '#'); rows++) {
		if (rows == 0)
			columns = tmap_traffic_count_fields(line);
		if (columns == TMAP_NONE)
			return false;
	}
	return rows > 0 && (rows == columns || columns > 4);
}

bool tmap_traffic_is_headed_matrix(const char *text)
{
	struct shape shape;

	return !tmap_traffic_is_headed_list(text) && shape_find(&shape, text) && shape.has_heading;
}

bool tmap_traffic_is_nearly_matrix(const char *text)
{
	struct tmap_line line = { 0 };
	struct tmap_error unused;
	double bytes;

	return tmap_traffic_line(&line, &text, '#') &&
		tmap_field_bytes(&line, &bytes, &unused) > 0 && tmap_field_length(&line) > 0;
}
