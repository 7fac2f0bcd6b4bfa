/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * JSON arrays:
 *
 *     [[0, 5], [5, 0]]                                a number for each rank, for each rank
 *     [[0, 1, 5], [1, 0, 5]]                          from, to, bytes: where they are no square
 *     [{"from": 0, "to": 1, "bytes": 5}, ...]         the same by name
 *     {"ranks": 2, "matrix": [[0, 5], [5, 0]]}        any of them in an object
 */
#include "formats/json/json.h"
#include "formats/traffic/readers.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { TRIPLE = 3 };

static int get_bytes(const struct tmap_json *at, double *bytes, struct tmap_error *err)
{
	if (!tmap_json_is(at, TMAP_JSON_NUMBER))
		return tmap_json_fail_type(at, "a number of bytes", err);
	*bytes = tmap_json_number(at);
	return isfinite(*bytes) && *bytes >= 0 ?
		0 :
		tmap_json_fail(at, err, "%g is not a number of bytes, at least 0", *bytes);
}

static int add(struct tmap_pattern_builder *b, const struct tmap_json *at, int64_t from, int64_t to,
	       double bytes, struct tmap_error *err)
{
	return tmap_traffic_add(b, from, to, bytes, 0, err) < 0 ? tmap_json_wrap(at, err) : 0;
}

/* Row @p row of a square. */
static int add_row(struct tmap_pattern_builder *b, const struct tmap_json *line, int row, int ranks,
		   struct tmap_error *err)
{
	struct tmap_json at;
	double bytes;

	if (tmap_json_count(line) != ranks)
		return tmap_json_fail(line, err, "there are %d numbers in %d arrays",
				      tmap_json_count(line), ranks);
	for (int c = 0; c < ranks; c++)
		if (tmap_json_element(line, c, TMAP_JSON_NUMBER, &at, err) < 0 ||
		    get_bytes(&at, &bytes, err) < 0)
			return -1;
		else if (tmap_traffic_add_cell(b, row, c, bytes, 0, err) < 0)
			return tmap_json_wrap(&at, err);
	return 0;
}

/* "[0, 1, 5]" */
static int add_triple(struct tmap_pattern_builder *b, const struct tmap_json *line,
		      struct tmap_error *err)
{
	int64_t rank[2];
	struct tmap_json at;
	double bytes;

	if (tmap_json_count(line) != TRIPLE)
		return tmap_json_fail(line, err,
				      "there are %d numbers: from, to and bytes are expected",
				      tmap_json_count(line));
	for (int i = 0; i < 2; i++)
		if (tmap_json_element(line, i, TMAP_JSON_INTEGER, &at, err) < 0 ||
		    tmap_json_integer(&at, 0, INT_MAX, &rank[i], err) < 0)
			return -1;
	if (tmap_json_element(line, 2, TMAP_JSON_NUMBER, &at, err) < 0 ||
	    get_bytes(&at, &bytes, err) < 0)
		return -1;
	return add(b, line, rank[0], rank[1], bytes, err);
}

/* {"from": 0, "to": 1, "bytes": 5} */
static int add_named(struct tmap_pattern_builder *b, const struct tmap_json *message,
		     struct tmap_error *err)
{
	int from, to;
	struct tmap_json at;
	double bytes;

	if (tmap_json_get_int(message, "from", 0, INT_MAX, &from, err) < 0 ||
	    tmap_json_get_int(message, "to", 0, INT_MAX, &to, err) < 0 ||
	    tmap_json_get(message, "bytes", TMAP_JSON_NUMBER, &at, err) < 0 ||
	    get_bytes(&at, &bytes, err) < 0)
		return -1;
	return add(b, message, from, to, bytes, err);
}

static int add_all(struct tmap_pattern_builder *b, const struct tmap_json *array,
		   struct tmap_error *err)
{
	int count = tmap_json_count(array);
	struct tmap_json line;
	bool is_square = false;

	for (int i = 0; i < count; i++) {
		if (tmap_json_element(array, i, TMAP_JSON_ANY, &line, err) < 0)
			return -1;
		if (tmap_json_is(&line, TMAP_JSON_OBJECT)) {
			if (add_named(b, &line, err) < 0)
				return -1;
			continue;
		}
		if (!tmap_json_is(&line, TMAP_JSON_ARRAY))
			return tmap_json_fail_type(&line, "an array or an object", err);
		if (i == 0) {
			is_square = tmap_json_count(&line) == count &&
				(count != TRIPLE || b->size == TRIPLE);
			if (is_square && count == TRIPLE)
				return tmap_json_fail(
					array, err,
					"three arrays of three numbers may be a matrix or "
					"messages: objects with from, to and bytes are "
					"messages, and a line a rank is a matrix");
		}
		if (is_square ? add_row(b, &line, i, count, err) < 0 :
				add_triple(b, &line, err) < 0)
			return -1;
	}
	return is_square ? tmap_traffic_check_size(b, count, err) : 0;
}

int tmap_traffic_arrays(struct tmap_pattern_builder *b, const char *text, struct tmap_error *err)
{
	struct tmap_json doc = { 0 }, matrix;
	int ranks = b->size, status;

	if (tmap_json_parse(&doc, text, strlen(text), "", err) < 0)
		return -1;
	if (tmap_json_is(&doc, TMAP_JSON_ARRAY)) {
		status = add_all(b, &doc, err);
	} else {
		status = tmap_json_find_int(&doc, "ranks", 1, INT_MAX, &ranks, err);
		if (status == 0)
			status = tmap_traffic_check_size(b, ranks, err);
		if (status == 0)
			status = tmap_json_get(&doc, "matrix", TMAP_JSON_ARRAY, &matrix, err);
		if (status == 0)
			status = add_all(b, &matrix, err);
	}
	tmap_json_fini(&doc);
	return status;
}

/* The first sign is a bracket; or it is an object with a matrix, which topomap's own documents are not. */
bool tmap_traffic_is_arrays(const char *text)
{
	text += strspn(text, " \t\r\n");
	return *text == '[' ||
		(*text == '{' && strstr(text, "\"matrix\"") && !strstr(text, "\"kind\""));
}
