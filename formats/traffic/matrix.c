/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/traffic/labels.h"
#include "formats/traffic/matrix_order.h"
#include "formats/traffic/readers.h"

/* A row of the matrix, behind its label; *columns is set by the first one. */
static int read_row(struct tmap_pattern_builder *b, const struct tmap_matrix_order *order, int row,
		    int *columns, struct tmap_line line, struct tmap_error *err)
{
	double bytes;
	int column = 0, found, from = tmap_matrix_order_at(order, order->row, row);

	for (; (found = tmap_field_bytes(&line, &bytes, err)) > 0; column++) {
		int to = tmap_matrix_order_at(order, order->column, column);

		if (tmap_traffic_add_cell(b, from, to, bytes, line.number, err) < 0)
			return -1;
	}
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

static int read_rows(struct tmap_pattern_builder *b, const struct tmap_matrix_shape *shape,
		     const struct tmap_matrix_order *order, const char *text,
		     struct tmap_error *err)
{
	struct tmap_line line = { 0 };
	struct tmap_label label;
	int rows = 0, columns = 0;

	if (shape->has_heading)
		tmap_traffic_line(&line, &text, '#');
	for (; tmap_traffic_line(&line, &text, '#'); rows++) {
		if (shape->has_labels)
			tmap_label_next(&label, &line);
		if (read_row(b, order, rows, &columns, line, err) < 0)
			return -1;
	}
	if (rows != columns)
		return tmap_fail(err, TMAP_INPUT,
				 "it has %d lines of %d numbers: there must be a number "
				 "for each rank on a line for each rank",
				 rows, columns);
	return tmap_traffic_check_size(b, rows, err);
}

int tmap_traffic_matrix(struct tmap_pattern_builder *b, const char *text, struct tmap_error *err)
{
	struct tmap_matrix_shape shape;
	struct tmap_matrix_order order = { 0 };
	int status = 0;

	if (tmap_matrix_shape_find(&shape, text))
		status = tmap_matrix_order_init(&order, &shape, text, err);
	if (status == 0)
		status = read_rows(b, &shape, &order, text, err);
	tmap_matrix_order_fini(&order);
	return status;
}

/* As many numbers as there are lines, without heading and labels; three lines of three could be a
 * list, and so could what is under other names than those of a list. */
bool tmap_traffic_is_matrix(const char *text)
{
	const char *at = text;
	struct tmap_line line = { 0 };
	struct tmap_matrix_shape shape;
	int rows = 0, columns = 0;

	if (tmap_traffic_is_headed_list(text))
		return false;
	if (tmap_matrix_shape_find(&shape, text))
		return !shape.may_be_list;
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
	struct tmap_matrix_shape shape;

	return !tmap_traffic_is_headed_list(text) && tmap_matrix_shape_find(&shape, text) &&
		shape.has_heading;
}

bool tmap_traffic_is_nearly_matrix(const char *text)
{
	struct tmap_line line = { 0 };
	struct tmap_error unused;
	double bytes;

	return tmap_traffic_line(&line, &text, '#') &&
		tmap_field_bytes(&line, &bytes, &unused) > 0 && tmap_field_length(&line) > 0;
}
