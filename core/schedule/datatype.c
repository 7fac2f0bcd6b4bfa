/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/schedule/datatype.h"

#include "core/base/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct row {
	struct tmap_keyword word;
	int64_t bytes;
};

static const struct row rows[] = {
	{ { "byte", "MPI_BYTE" }, 1 },
	{ { "char", "MPI_CHAR" }, 1 },
	{ { "unsigned_char", "MPI_UNSIGNED_CHAR" }, 1 },
	{ { "short", "MPI_SHORT" }, 2 },
	{ { "int", "MPI_INT" }, 4 },
	{ { "unsigned", "MPI_UNSIGNED" }, 4 },
	{ { "long", "MPI_LONG" }, 8 },
	{ { "unsigned_long", "MPI_UNSIGNED_LONG" }, 8 },
	{ { "long_long", "MPI_LONG_LONG" }, 8 },
	{ { "int8_t", "MPI_INT8_T" }, 1 },
	{ { "int16_t", "MPI_INT16_T" }, 2 },
	{ { "int32_t", "MPI_INT32_T" }, 4 },
	{ { "int64_t", "MPI_INT64_T" }, 8 },
	{ { "uint8_t", "MPI_UINT8_T" }, 1 },
	{ { "uint16_t", "MPI_UINT16_T" }, 2 },
	{ { "uint32_t", "MPI_UINT32_T" }, 4 },
	{ { "uint64_t", "MPI_UINT64_T" }, 8 },
	{ { "float", "MPI_FLOAT" }, 4 },
	{ { "double", "MPI_DOUBLE" }, 8 },
	{ { "long_double", "MPI_LONG_DOUBLE" }, 16 },
	{ { "c_float_complex", "MPI_C_FLOAT_COMPLEX" }, 8 },
	{ { "c_double_complex", "MPI_C_DOUBLE_COMPLEX" }, 16 },
	{ { "integer", "MPI_INTEGER" }, 4 },
	{ { "real", "MPI_REAL" }, 4 },
	{ { "double_precision", "MPI_DOUBLE_PRECISION" }, 8 },
	{ { "complex", "MPI_COMPLEX" }, 8 },
	{ { "double_complex", "MPI_DOUBLE_COMPLEX" }, 16 },
	{ { "2int", "MPI_2INT" }, 8 },
	{ { "float_int", "MPI_FLOAT_INT" }, 8 },
	{ { "double_int", "MPI_DOUBLE_INT" }, 12 },
	{ { "aint", "MPI_AINT" }, 8 },
	{ { NULL, NULL }, 0 },
};

const struct tmap_keywords tmap_datatypes = TMAP_KEYWORDS("datatype", rows);

enum { MOST_NAME = 30, MOST_BYTES = 65536 };

int tmap_datatype_parse(const char *text, int64_t *element, struct tmap_error *err)
{
	const char *name = strncasecmp(text, "MPI_", 4) == 0 ? text + 4 : text;
	char lower[MOST_NAME + 1];
	int found;

	for (int i = 0; rows[i].word.name; i++)
		if (strcasecmp(rows[i].word.name, name) == 0) {
			*element = rows[i].bytes;
			return 0;
		}
	if (isdigit((unsigned char)*text)) {
		int64_t bytes;

		if (tmap_units_parse_bytes(text, &bytes, err) < 0) {
			err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
			return -1;
		}
		if (bytes < 1 || bytes > MOST_BYTES)
			return tmap_fail(err, TMAP_USAGE,
					 "an element has 1 to %d bytes, not %" PRId64, MOST_BYTES,
					 bytes);
		*element = bytes;
		return 0;
	}
	snprintf(lower, sizeof lower, "%s", name);
	for (char *c = lower; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	found = tmap_keywords_find(&tmap_datatypes, lower, err);
	err->kind = found == TMAP_NONE && err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
	return -1;
}

int tmap_datatype_check(int64_t element, int64_t bytes, struct tmap_error *err)
{
	if (element < 2 || bytes % element == 0)
		return 0;
	return tmap_fail(err, TMAP_USAGE,
			 "%" PRId64 " bytes are no whole number of elements of %" PRId64 " bytes",
			 bytes, element);
}
