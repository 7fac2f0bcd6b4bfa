/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/traffic/readers.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool separates(char c)
{
	return c == ' ' || c == '\t' || c == ',' || c == ';';
}

/* A line that is not begun yet has no text. */
static void skip(struct tmap_line *line, size_t count)
{
	if (!line->length)
		return;
	line->text += count;
	line->length -= count;
	while (line->length && separates(*line->text)) {
		line->text++;
		line->length--;
	}
}

static size_t width(const struct tmap_line *line)
{
	size_t count = 0;

	while (count < line->length && !separates(line->text[count]))
		count++;
	return count;
}

size_t tmap_field_length(struct tmap_line *line)
{
	skip(line, 0);
	return width(line);
}

void tmap_field_skip(struct tmap_line *line)
{
	skip(line, 0);
	skip(line, width(line));
}

static int refuse(const struct tmap_line *line, const char *wanted, struct tmap_error *err)
{
	size_t count = width(line);

	return tmap_fail_at(err, TMAP_INPUT, line->number, 0, "'%.*s' is not %s",
			    (int)(count < 40 ? count : 40), line->text, wanted);
}

/* The number that is all of the field; false where the field is none. */
static bool read_double(const struct tmap_line *line, double *number)
{
	size_t count = width(line);
	char *end;

	for (size_t i = 0; i < count; i++)
		if (!isdigit((unsigned char)line->text[i]) && !strchr("+-.eE", line->text[i]))
			return false;
	*number = strtod(line->text, &end);
	return count > 0 && end == line->text + count;
}

int tmap_field_bytes(struct tmap_line *line, double *bytes, struct tmap_error *err)
{
	double number;

	skip(line, 0);
	if (!line->length)
		return 0;
	if (!read_double(line, &number) || !isfinite(number) || number < 0)
		return refuse(line, "a number of bytes, at least 0", err);
	*bytes = number;
	skip(line, width(line));
	return 1;
}

int tmap_field_need_bytes(struct tmap_line *line, double *bytes, struct tmap_error *err)
{
	int found = tmap_field_bytes(line, bytes, err);

	return found ?
		(found > 0 ? 0 : -1) :
		tmap_fail_at(err, TMAP_INPUT, line->number, 0, "it ends where bytes are expected");
}

int tmap_field_int(struct tmap_line *line, const char *what, int64_t least, int64_t *number,
		   struct tmap_error *err)
{
	size_t count;
	int64_t value = 0;

	skip(line, 0);
	if (!line->length)
		return 0;
	count = width(line);
	for (size_t i = 0; i < count; i++) {
		if (!isdigit((unsigned char)line->text[i]) || value > INT64_MAX / 16)
			return refuse(line, what, err);
		value = 10 * value + (line->text[i] - '0');
	}
	if (value < least)
		return refuse(line, what, err);
	*number = value;
	skip(line, count);
	return 1;
}

int tmap_field_need(struct tmap_line *line, const char *what, int64_t least, int64_t *number,
		    struct tmap_error *err)
{
	int found = tmap_field_int(line, what, least, number, err);

	return found ? (found > 0 ? 0 : -1) :
		       tmap_fail_at(err, TMAP_INPUT, line->number, 0,
				    "it ends where %s is expected", what);
}

int tmap_field_stream(struct tmap_line *line, const char **text, const char *what, int64_t least,
		      int64_t *number, struct tmap_error *err)
{
	int found;

	while ((found = tmap_field_int(line, what, least, number, err)) == 0)
		if (!tmap_line_next(line, text))
			return tmap_fail(err, TMAP_INPUT, "it ends where %s is expected", what);
	return found > 0 ? 0 : -1;
}

bool tmap_traffic_line(struct tmap_line *line, const char **text, char mark)
{
	while (tmap_line_next(line, text)) {
		tmap_line_cut(line, mark);
		skip(line, 0);
		if (line->length)
			return true;
	}
	return false;
}

int tmap_traffic_count_fields(struct tmap_line line)
{
	double number;
	int count = 0;

	for (skip(&line, 0); line.length; skip(&line, width(&line)), count++)
		if (!read_double(&line, &number))
			return TMAP_NONE;
	return count;
}

int tmap_traffic_add(struct tmap_pattern_builder *b, int64_t from, int64_t to, double bytes,
		     int line, struct tmap_error *err)
{
	bool is_outside = from >= b->size || to >= b->size;

	b->given++;
	if (is_outside && !b->is_cut)
		return tmap_fail_at(err, TMAP_INPUT, line, 0,
				    "rank %" PRId64 " is not one of the %d ranks",
				    from >= b->size ? from : to, b->size);
	if (from != to && b->bytes + b->cut + bytes >= 0x1p63)
		return tmap_fail_at(err, TMAP_INPUT, line, 0,
				    "with %g bytes the sum is more than 2^63 - 1", bytes);
	if (is_outside) {
		b->cut += from != to ? bytes : 0;
		return 0;
	}
	b->inside++;
	if (bytes <= 0) /* nothing is sent */
		return 0;
	return tmap_pattern_add(b, (int)from, (int)to, bytes, err);
}

int tmap_traffic_add_cell(struct tmap_pattern_builder *b, int64_t from, int64_t to, double bytes,
			  int line, struct tmap_error *err)
{
	bool is_outside = from >= b->size || to >= b->size;

	return is_outside && !b->is_cut ? 0 : tmap_traffic_add(b, from, to, bytes, line, err);
}

void tmap_traffic_add_nothing(struct tmap_pattern_builder *b)
{
	b->given++;
	b->inside++;
}

int tmap_traffic_check_size(const struct tmap_pattern_builder *b, int64_t ranks,
			    struct tmap_error *err)
{
	if (ranks == b->size || (b->is_cut && ranks > b->size))
		return 0;
	return tmap_fail(err, TMAP_INPUT, "it is of %" PRId64 " ranks, but the job has %d", ranks,
			 b->size);
}
