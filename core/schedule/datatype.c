/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/schedule/datatype.h"

#include "core/base/nearest.h"
#include "core/base/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The datatypes of MPI that are reduced, without "MPI_" and in lower case. */
static const struct {
	const char *name;
	int64_t bytes;
} rows[] = {
	{ "byte", 1 },
	{ "char", 1 },
	{ "unsigned_char", 1 },
	{ "short", 2 },
	{ "int", 4 },
	{ "unsigned", 4 },
	{ "long", 8 },
	{ "unsigned_long", 8 },
	{ "long_long", 8 },
	{ "int8_t", 1 },
	{ "int16_t", 2 },
	{ "int32_t", 4 },
	{ "int64_t", 8 },
	{ "uint8_t", 1 },
	{ "uint16_t", 2 },
	{ "uint32_t", 4 },
	{ "uint64_t", 8 },
	{ "float", 4 },
	{ "double", 8 },
	{ "long_double", 16 },
	{ "c_float_complex", 8 },
	{ "c_double_complex", 16 },
	{ "integer", 4 },
	{ "real", 4 },
	{ "double_precision", 8 },
	{ "complex", 8 },
	{ "double_complex", 16 },
	{ "2int", 8 },
	{ "float_int", 8 },
	{ "double_int", 12 },
	{ "aint", 8 },
	{ NULL, 0 },
};

enum { MOST_NAME = 30, MOST_BYTES = 65536 };

int tmap_datatype_parse(const char *text, int64_t *element, struct tmap_error *err)
{
	const char *name = strncasecmp(text, "MPI_", 4) == 0 ? text + 4 : text;
	struct tmap_nearest nearest;
	char lower[MOST_NAME + 1];

	for (int i = 0; rows[i].name; i++)
		if (strcasecmp(rows[i].name, name) == 0) {
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
	tmap_nearest_init(&nearest, lower, strlen(lower));
	for (int i = 0; rows[i].name; i++)
		tmap_nearest_add(&nearest, rows[i].name);
	return tmap_fail(err, TMAP_USAGE,
			 "unknown datatype '%.60s'%s%s%s; topomap-score(1) lists those known, "
			 "and the bytes of an element will do, too",
			 text, nearest.best ? " (did you mean '" : "",
			 nearest.best ? nearest.best : "", nearest.best ? "'?)" : "");
}

int tmap_datatype_check(int64_t element, int64_t bytes, struct tmap_error *err)
{
	if (element < 2 || bytes % element == 0)
		return 0;
	return tmap_fail(err, TMAP_USAGE,
			 "%" PRId64 " bytes are no whole number of elements of %" PRId64 " bytes",
			 bytes, element);
}
