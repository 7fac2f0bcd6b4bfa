/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/traffic/npy.h"

#include "core/base/mem.h"
#include "formats/traffic/readers.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 6, VERSION = 2, RANKS_DIGITS = 10, HEADER_MOST = 65535, AT_A_TIME = 65536 };

static const unsigned char magic[MAGIC] = { 0x93, 'N', 'U', 'M', 'P', 'Y' };

/* What the header says, and how far it is read. */
struct array {
	char kind; /* f, i, u or b */
	int width; /* bytes of a number */
	bool is_big, is_fortran;
	int64_t ranks;
	int64_t line, place; /* the next number: of so many lines, and so many on each */
};

bool tmap_npy_is(struct tmap_input *in)
{
	return tmap_input_begins(in, magic, MAGIC);
}

static int refuse(const char *what, struct tmap_error *err)
{
	return tmap_fail(err, TMAP_INPUT, "the header of the NumPy array %s", what);
}

/* What follows "'descr':" in the header; NULL where that is not there. */
static const char *header_find(const char *header, const char *key)
{
	const char *at = strstr(header, key);

	if (!at)
		return NULL;
	at += strlen(key);
	at += strspn(at, "'\" ");
	return *at == ':' ? at + 1 + strspn(at + 1, " ") : NULL;
}

/* "'<f8'" */
static int read_type(struct array *array, const char *header, struct tmap_error *err)
{
	const char *at = header_find(header, "descr");

	if (!at || (*at != '\'' && *at != '"') || !strchr("<>|=", at[1]) || !at[1])
		return refuse("does not say the type of its numbers", err);
	array->is_big = at[1] == '>';
	array->kind = at[2];
	array->width = at[2] && isdigit((unsigned char)at[3]) && at[4] == at[0] ? at[3] - '0' : 0;
	if ((array->kind == 'f' && (array->width == 4 || array->width == 8)) ||
	    ((array->kind == 'i' || array->kind == 'u') &&
	     (array->width == 1 || array->width == 2 || array->width == 4 || array->width == 8)) ||
	    (array->kind == 'b' && array->width == 1))
		return 0;
	return tmap_fail(
		err, TMAP_INPUT,
		"the NumPy array is of the type %.*s: integers, and floats of 4 or 8 bytes, "
		"are read",
		(int)strcspn(at + 1, "'\""), at + 1);
}

/* "(4, 4)" */
static int read_shape(struct array *array, const char *header, struct tmap_error *err)
{
	const char *at = header_find(header, "shape"), *end;
	int64_t size[2] = { 0, 0 };
	int count = 0;

	if (!at || *at != '(')
		return refuse("does not say its shape", err);
	end = at + strcspn(at, ")");
	for (at++; at < end && count < 3; count++) {
		size_t digits = strspn(at, "0123456789");

		if (!digits || digits > RANKS_DIGITS)
			break;
		if (count < 2)
			size[count] = strtoll(at, NULL, 10);
		at += digits;
		at += strspn(at, ", ");
	}
	if (at != end || *end != ')')
		return refuse("has a shape that is none", err);
	if (count != 2 || size[0] != size[1])
		return tmap_fail(err, TMAP_INPUT,
				 "the NumPy array has the shape %.*s): there must be a row and a "
				 "column for each rank",
				 (int)(end - header_find(header, "shape")),
				 header_find(header, "shape"));
	array->ranks = size[0];
	return 0;
}

/* So many bytes; false where there are not as many. */
static bool take(struct tmap_input *in, void *bytes, size_t count)
{
	size_t length = 0, got = 1;

	for (; length < count && got; length += got)
		got = tmap_input_take(in, (char *)bytes + length, count - length);
	return length == count;
}

/* The bytes of the header: after the version 1 two say how many, after later ones four. */
static char *take_header(struct tmap_input *in, struct tmap_error *err)
{
	unsigned char begin[MAGIC + VERSION], size[4];
	size_t width = 0, digits = 0;
	char *header;

	if (take(in, begin, sizeof begin))
		digits = begin[MAGIC] >= 2 ? 4 : 2;
	if (!digits || !take(in, size, digits)) {
		if (tmap_input_check(in, err) == 0)
			refuse("is cut off", err);
		return NULL;
	}
	for (size_t i = 0; i < digits; i++)
		width |= (size_t)size[i] << 8 * i;
	if (width > HEADER_MOST) {
		tmap_fail(err, TMAP_INPUT,
			  "the header of the NumPy array has %zu bytes, and %d are the most", width,
			  HEADER_MOST);
		return NULL;
	}
	header = tmap_alloc(width + 1, 1, err);
	if (header && !take(in, header, width)) {
		if (tmap_input_check(in, err) == 0)
			refuse("is cut off", err);
		free(header);
		return NULL;
	}
	return header;
}

static int read_header(struct array *array, struct tmap_input *in, struct tmap_error *err)
{
	char *header = take_header(in, err);
	const char *order;
	int status;

	if (!header)
		return -1;
	order = header_find(header, "fortran_order");
	array->is_fortran = order && *order == 'T';
	status = read_type(array, header, err) < 0 || read_shape(array, header, err) < 0 ? -1 : 0;
	free(header);
	return status;
}

static double number_at(const struct array *array, const unsigned char *at)
{
	int bits = 8 * array->width;
	uint64_t raw = 0;
	double wide;
	float narrow;
	uint32_t half;

	for (int i = 0; i < array->width; i++)
		raw |= (uint64_t)at[array->is_big ? array->width - 1 - i : i] << 8 * i;
	if (array->kind == 'f' && array->width == 8) {
		memcpy(&wide, &raw, sizeof wide);
		return wide;
	}
	if (array->kind == 'f') {
		half = (uint32_t)raw;
		memcpy(&narrow, &half, sizeof narrow);
		return (double)narrow;
	}
	if (array->kind == 'i' && raw >> (bits - 1))
		return -1; /* whatever it is: it is refused */
	return (double)raw;
}

static int add_number(struct tmap_pattern_builder *b, struct array *array, const unsigned char *at,
		      struct tmap_error *err)
{
	int64_t row = array->is_fortran ? array->place : array->line;
	int64_t column = array->is_fortran ? array->line : array->place;
	double sent = number_at(array, at);

	if (++array->place == array->ranks) {
		array->place = 0;
		array->line++;
	}
	if (isfinite(sent) && sent >= 0)
		return tmap_traffic_add(b, row, column, sent, 0, err);
	return tmap_fail(err, TMAP_INPUT,
			 "row %" PRId64 ", column %" PRId64
			 " of the NumPy array is not a number of bytes, at least 0",
			 row, column);
}

/* The numbers end, and @p rest bytes of the next one are there. */
static int refuse_end(const struct array *array, size_t rest, struct tmap_error *err)
{
	int64_t count = array->line * array->ranks + array->place;

	return tmap_fail(err, TMAP_INPUT,
			 "the NumPy array is cut off: it has %" PRId64 " bytes of %" PRId64
			 " x %" PRId64 " numbers of %d bytes",
			 count * array->width + (int64_t)rest, array->ranks, array->ranks,
			 array->width);
}

static int read_numbers(struct tmap_pattern_builder *b, struct array *array, struct tmap_input *in,
			unsigned char *bytes, struct tmap_error *err)
{
	size_t width = (size_t)array->width, length = 0, got, at;

	while (array->line < array->ranks) {
		got = tmap_input_take(in, (char *)bytes + length, AT_A_TIME - length);
		if (!got)
			return tmap_input_check(in, err) < 0 ? -1 : refuse_end(array, length, err);
		length += got;
		for (at = 0; array->line < array->ranks && length - at >= width; at += width)
			if (add_number(b, array, bytes + at, err) < 0)
				return -1;
		length -= at;
		memmove(bytes, bytes + at, length);
	}
	return 0;
}

int tmap_npy_read(struct tmap_pattern_builder *b, struct tmap_input *in, struct tmap_error *err)
{
	struct array array = { 0 };
	unsigned char *bytes;
	int status;

	in->most = TMAP_NPY_MOST + HEADER_MOST;
	if (read_header(&array, in, err) < 0 || tmap_traffic_check_size(b, array.ranks, err) < 0)
		return -1;
	if (array.ranks && array.ranks > TMAP_NPY_MOST / array.width / array.ranks)
		return tmap_input_refuse_length(TMAP_NPY_MOST, err);
	bytes = tmap_alloc_raw(AT_A_TIME, 1, err);
	status = bytes ? read_numbers(b, &array, in, bytes, err) : -1;
	free(bytes);
	return status;
}
