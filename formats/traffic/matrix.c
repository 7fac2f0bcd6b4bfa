/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/traffic/readers.h"

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
	int rows = 0, columns = 0;

	for (; tmap_traffic_line(&line, &text, '#'); rows++)
		if (read_row(b, rows, &columns, line, err) < 0)
			return -1;
	if (rows != columns)
		return tmap_fail(err, TMAP_INPUT,
				 "it has %d lines of %d numbers: there must be a number "
				 "for each rank on a line for each rank",
				 rows, columns);
	return tmap_traffic_check_size(b, rows, err);
}

/* As many numbers as there are lines; three lines of three could be a list. */
bool tmap_traffic_is_matrix(const char *text)
{
	struct tmap_line line = { 0 };
	int rows = 0, columns = 0;

	for (; tmap_traffic_line(&line, &text, '#'); rows++) {
		if (rows == 0)
			columns = tmap_traffic_count_fields(line);
		if (columns == TMAP_NONE)
			return false;
	}
	return rows > 0 && (rows == columns || columns > 4);
}

bool tmap_traffic_is_nearly_matrix(const char *text)
{
	struct tmap_line line = { 0 };
	struct tmap_error unused;
	double bytes;

	return tmap_traffic_line(&line, &text, '#') &&
		tmap_field_bytes(&line, &bytes, &unused) > 0 && tmap_field_length(&line) > 0;
}
