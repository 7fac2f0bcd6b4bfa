/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/traffic/npy.h"

#include "core/base/mem.h"
#include "formats/traffic/readers.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 6, HEAD_SHORT = 10, HEAD_LONG = 12, RANKS_DIGITS = 10 };

static const unsigned char magic[MAGIC] = { 0x93, 'N', 'U', 'M', 'P', 'Y' };

/* What the header says. */
struct array {
	char kind; /* f, i, u or b */
	int width; /* bytes of a number */
	bool is_big, is_fortran;
	int64_t ranks;
	const unsigned char *data;
};

bool tmap_npy_is(const unsigned char *bytes, size_t length)
{
	return length >= MAGIC && memcmp(bytes, magic, MAGIC) == 0;
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

static int read_header(struct array *array, const unsigned char *bytes, size_t length,
		       struct tmap_error *err)
{
	size_t head = length > MAGIC && bytes[MAGIC] >= 2 ? HEAD_LONG : HEAD_SHORT, width = 0;
	const char *order;
	char *header;
	int status;

	for (size_t i = 0; length >= head && i < head - MAGIC - 2; i++)
		width |= (size_t)bytes[MAGIC + 2 + i] << 8 * i;
	if (length < head || length - head < width)
		return refuse("is cut off", err);
	header = tmap_strndup((const char *)bytes + head, width, err);
	if (!header)
		return -1;
	order = header_find(header, "fortran_order");
	array->is_fortran = order && *order == 'T';
	array->data = bytes + head + width;
	status = read_type(array, header, err) < 0 || read_shape(array, header, err) < 0 ? -1 : 0;
	free(header);
	if (status == 0 &&
	    (length - head - width) / (size_t)array->width /
			    (size_t)(array->ranks ? array->ranks : 1) <
		    (size_t)array->ranks)
		return tmap_fail(err, TMAP_INPUT,
				 "the NumPy array is cut off: it has %zu bytes of %" PRId64
				 " x %" PRId64 " numbers of %d bytes",
				 length - head - width, array->ranks, array->ranks, array->width);
	return status;
}

static double number_at(const struct array *array, int64_t index)
{
	const unsigned char *at = array->data + (size_t)index * (size_t)array->width;
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

int tmap_npy_parse(struct tmap_pattern_builder *b, const unsigned char *bytes, size_t length,
		   struct tmap_error *err)
{
	struct array array = { 0 };

	if (read_header(&array, bytes, length, err) < 0 ||
	    tmap_traffic_check_size(b, array.ranks, err) < 0)
		return -1;
	for (int64_t row = 0; row < array.ranks; row++)
		for (int64_t column = 0; column < array.ranks; column++) {
			double sent = number_at(&array,
						array.is_fortran ? column * array.ranks + row :
								   row * array.ranks + column);

			if (!isfinite(sent) || sent < 0)
				return tmap_fail(err, TMAP_INPUT,
						 "row %" PRId64 ", column %" PRId64
						 " of the NumPy array is not a number of bytes, at "
						 "least 0",
						 row, column);
			if (tmap_traffic_add(b, row, column, sent, 0, err) < 0)
				return -1;
		}
	return 0;
}
