/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/traffic/readers.h"

#include <inttypes.h>
#include <string.h>

static const char banner[] = "%%MatrixMarket";

/* What the first line says. */
struct header {
	bool is_array, is_pattern, is_symmetric;
};

struct name {
	const char *text;
	int value;
};

/* The next word of the banner must be one of @p names. */
static int read_word(struct tmap_line *line, const struct name *names, int *value,
		     struct tmap_error *err)
{
	const char *word;
	size_t length;

	if (!tmap_line_word(line, &word, &length))
		return tmap_fail_at(err, TMAP_INPUT, 1, 0, "it ends where '%s' is expected",
				    names->text);
	for (; names->text; names++)
		if (tmap_keyword_is(word, length, names->text)) {
			*value = names->value;
			return 0;
		}
	return tmap_fail_at(err, TMAP_INPUT, 1, 0, "'%.*s' says nothing of bytes between ranks",
			    (int)(length < 40 ? length : 40), word);
}

static int read_header(struct header *header, struct tmap_line line, struct tmap_error *err)
{
	static const struct name object[] = { { "matrix", 0 }, { NULL, 0 } };
	static const struct name layout[] = { { "coordinate", 0 }, { "array", 1 }, { NULL, 0 } };
	static const struct name field[] = {
		{ "real", 0 }, { "integer", 0 }, { "double", 0 }, { "pattern", 1 }, { NULL, 0 }
	};
	static const struct name symmetry[] = { { "general", 0 }, { "symmetric", 1 }, { NULL, 0 } };
	int is_matrix, is_array = 0, is_pattern = 0, is_symmetric = 0;

	line.text += strlen(banner);
	line.length -= strlen(banner);
	if (read_word(&line, object, &is_matrix, err) < 0 ||
	    read_word(&line, layout, &is_array, err) < 0 ||
	    read_word(&line, field, &is_pattern, err) < 0 ||
	    read_word(&line, symmetry, &is_symmetric, err) < 0)
		return -1;
	if (is_array && is_pattern)
		return tmap_fail_at(err, TMAP_INPUT, 1, 0, "an array is no pattern");
	*header = (struct header){ is_array, is_pattern, is_symmetric };
	return 0;
}

static int add(struct tmap_pattern_builder *b, const struct header *header, int64_t row,
	       int64_t column, double bytes, int line, struct tmap_error *err)
{
	if (tmap_traffic_add(b, row, column, bytes, line, err) < 0)
		return -1;
	return header->is_symmetric && row != column ?
		tmap_traffic_add(b, column, row, bytes, line, err) :
		0;
}

/* "row column bytes", from 1. */
static int read_entries(struct tmap_pattern_builder *b, const struct header *header, int64_t count,
			struct tmap_line line, const char *text, struct tmap_error *err)
{
	int64_t row, column, seen = 0;

	for (; tmap_traffic_line(&line, &text, '%'); seen++) {
		double bytes = 1;

		if (tmap_field_need(&line, "a row, from 1", 1, &row, err) < 0 ||
		    tmap_field_need(&line, "a column, from 1", 1, &column, err) < 0 ||
		    (!header->is_pattern && tmap_field_need_bytes(&line, &bytes, err) < 0) ||
		    add(b, header, row - 1, column - 1, bytes, line.number, err) < 0)
			return -1;
	}
	if (seen != count)
		return tmap_fail(err, TMAP_INPUT, "it has %" PRId64 " entries, but says %" PRId64,
				 seen, count);
	if (!seen)
		tmap_traffic_add_nothing(b);
	return 0;
}

/* Column by column; of a symmetric one from the diagonal down. */
static int read_array(struct tmap_pattern_builder *b, const struct header *header, int64_t size,
		      struct tmap_line line, const char *text, struct tmap_error *err)
{
	int64_t row = 0, column = 0;
	double bytes;
	int found = 0;

	while (tmap_traffic_line(&line, &text, '%'))
		while ((found = tmap_field_bytes(&line, &bytes, err)) != 0) {
			if (found < 0)
				return -1;
			if (column == size)
				return tmap_fail_at(err, TMAP_INPUT, line.number, 0,
						    "there are more than %" PRId64 " columns",
						    size);
			if (add(b, header, row, column, bytes, line.number, err) < 0)
				return -1;
			if (++row == size)
				row = header->is_symmetric ? ++column : (column++, 0);
		}
	if (column != size)
		return tmap_fail(err, TMAP_INPUT, "it ends in column %" PRId64 " of %" PRId64,
				 column + 1, size);
	return 0;
}

int tmap_traffic_mtx(struct tmap_pattern_builder *b, const char *text, struct tmap_error *err)
{
	struct tmap_line line = { 0 };
	struct header header = { 0 };
	int64_t rows, columns, entries = 0;

	if (!tmap_traffic_is_mtx(text))
		return tmap_fail_at(err, TMAP_INPUT, 1, 0, "the first line begins with %s", banner);
	tmap_line_next(&line, &text);
	if (read_header(&header, line, err) < 0)
		return -1;
	if (!tmap_traffic_line(&line, &text, '%'))
		return tmap_fail(err, TMAP_INPUT, "it ends where its size is expected");
	if (tmap_field_need(&line, "a number of rows", 1, &rows, err) < 0 ||
	    tmap_field_need(&line, "a number of columns", 1, &columns, err) < 0 ||
	    (!header.is_array &&
	     tmap_field_need(&line, "a number of entries", 0, &entries, err) < 0))
		return -1;
	if (rows != columns)
		return tmap_fail_at(err, TMAP_INPUT, line.number, 0,
				    "%" PRId64 " rows and %" PRId64 " columns: "
				    "both are ranks",
				    rows, columns);
	if (tmap_traffic_check_size(b, rows, err) < 0)
		return -1;
	return header.is_array ? read_array(b, &header, rows, line, text, err) :
				 read_entries(b, &header, entries, line, text, err);
}

bool tmap_traffic_is_mtx(const char *text)
{
	return strncmp(text, banner, strlen(banner)) == 0;
}
