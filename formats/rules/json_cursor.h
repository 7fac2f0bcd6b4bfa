/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_cursor.h - JSON as it stands in a file, of which each value has a line.
 *
 *     {"alg": "ring",      "{" is expected, a string, ":", a string, "," is passed
 *      "reqs": 0}          a string in line 2, ":", an integer, "}"
 */
#ifndef TMAP_FORMATS_RULES_JSON_CURSOR_H
#define TMAP_FORMATS_RULES_JSON_CURSOR_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct tmap_json_cursor {
	const char *at;
	int line;
};

/** Past what is white; the byte that follows, 0 at the end. */
char tmap_json_cursor_peek(struct tmap_json_cursor *it);

/** Past this byte, if it follows. */
bool tmap_json_cursor_passes(struct tmap_json_cursor *it, char wanted);

/** Past a byte that must be there: "'{' is expected for a rule". */
int tmap_json_cursor_expect(struct tmap_json_cursor *it, char wanted, const char *what,
			    struct tmap_error *err);

/** A string, the caller's to free; what is escaped in it is left as it is. NULL with *err set. */
char *tmap_json_cursor_string(struct tmap_json_cursor *it, const char *what,
			      struct tmap_error *err);

/** A whole number of 64 bits. */
int tmap_json_cursor_integer(struct tmap_json_cursor *it, int64_t *value, const char *what,
			     struct tmap_error *err);

/** Past any value, which has no more than some ten levels. */
int tmap_json_cursor_pass_value(struct tmap_json_cursor *it, struct tmap_error *err);

#endif
