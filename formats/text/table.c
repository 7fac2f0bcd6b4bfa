/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/text/table.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "formats/base/amount.h"
#include "formats/base/printable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool cell_is_empty(const struct tmap_column *column, const struct tmap_cell *cell)
{
	return cell->is_empty || (column->kind == TMAP_COLUMN_STRING && !cell->string);
}

static int64_t cell_count(const struct tmap_column *column, const struct tmap_cell *cell)
{
	if (!column->is_real)
		return cell->count;
	return cell->number < 9e18 ? (int64_t)(cell->number + 0.5) : INT64_MAX;
}

static void print_number(double number, int digits, char *room)
{
	if (digits > 0)
		snprintf(room, TMAP_CELL_ROOM, "%.*f", digits, number);
	else
		snprintf(room, TMAP_CELL_ROOM, "%.*g", digits ? -digits : 12, number);
}

/* "22.6%", and what is too small for it. */
static void print_share(double share, char *room)
{
	double percent = 100 * share;

	if (share > 0 && percent < 0.05)
		snprintf(room, TMAP_CELL_ROOM, "<0.1%%");
	else if (share < 1 && percent > 99.95)
		snprintf(room, TMAP_CELL_ROOM, ">99.9%%");
	else
		snprintf(room, TMAP_CELL_ROOM, "%.1f%%", percent);
}

static void print_span(const struct tmap_cell *cell, const char *between, char *room)
{
	if (cell->count == cell->most)
		snprintf(room, TMAP_CELL_ROOM, "%" PRId64, cell->count);
	else
		snprintf(room, TMAP_CELL_ROOM, "%" PRId64 "%s%" PRId64, cell->count, between,
			 cell->most);
}

const char *tmap_cell_print(const struct tmap_column *column, const struct tmap_cell *cell,
			    char room[TMAP_CELL_ROOM])
{
	if (cell_is_empty(column, cell))
		return "";
	switch (column->kind) {
	case TMAP_COLUMN_STRING:
		return cell->string;
	case TMAP_COLUMN_BOOL:
		return cell->is_true ? "yes" : "no";
	case TMAP_COLUMN_INT:
		snprintf(room, TMAP_CELL_ROOM, "%" PRId64, cell->count);
		return room;
	case TMAP_COLUMN_CHANGE:
		snprintf(room, TMAP_CELL_ROOM, cell->count ? "%+" PRId64 : "%" PRId64, cell->count);
		return room;
	case TMAP_COLUMN_AMOUNT:
	case TMAP_COLUMN_BYTES:
		return tmap_amount_print(cell_count(column, cell),
					 column->kind == TMAP_COLUMN_BYTES, room);
	case TMAP_COLUMN_SIZE:
		return tmap_units_print_bytes(cell->count, room);
	case TMAP_COLUMN_SPAN:
		print_span(cell, "..", room);
		return room;
	case TMAP_COLUMN_NUMBER:
		print_number(cell->number, column->digits, room);
		return room;
	case TMAP_COLUMN_SECONDS:
		return tmap_seconds_print(cell->number, room);
	case TMAP_COLUMN_LATENCY:
		print_number(cell->number * 1e6, 2, room);
		return room;
	case TMAP_COLUMN_SHARE:
		print_share(cell->number, room);
		return room;
	case TMAP_COLUMN_TITLE:
		break;
	}
	return "";
}

/* In quotes where it has a comma or a quote in it. */
static void write_csv_text(FILE *out, const char *text)
{
	const char *quote = text[strcspn(text, ",\"")] ? "\"" : "";

	fputs(quote, out);
	for (size_t length; *text; text += length) {
		fputs(*text == '"' ? "\"\"" : "", out);
		text += *text == '"';
		length = strcspn(text, "\"");
		tmap_printable_write(out, text, length);
	}
	fputs(quote, out);
}

static void write_field(FILE *out, const struct tmap_column *column, const struct tmap_cell *cell)
{
	if (cell_is_empty(column, cell))
		return;
	switch (column->kind) {
	case TMAP_COLUMN_STRING:
		write_csv_text(out, cell->string);
		break;
	case TMAP_COLUMN_BOOL:
		fputs(cell->is_true ? "true" : "false", out);
		break;
	case TMAP_COLUMN_INT:
	case TMAP_COLUMN_CHANGE:
	case TMAP_COLUMN_AMOUNT:
	case TMAP_COLUMN_BYTES:
	case TMAP_COLUMN_SIZE:
		if (column->is_real)
			fprintf(out, "%.17g", cell->number);
		else
			fprintf(out, "%" PRId64, cell->count);
		break;
	case TMAP_COLUMN_SPAN:
		fprintf(out, "%" PRId64 "-%" PRId64, cell->count, cell->most);
		break;
	case TMAP_COLUMN_SECONDS:
	case TMAP_COLUMN_LATENCY:
		fprintf(out, "%.9g", cell->number);
		break;
	case TMAP_COLUMN_NUMBER:
	case TMAP_COLUMN_SHARE:
		fprintf(out, "%.17g", cell->number);
		break;
	case TMAP_COLUMN_TITLE:
		break;
	}
}

static void put_member(struct tmap_json_writer *w, const struct tmap_column *column,
		       const struct tmap_cell *cell)
{
	if (cell_is_empty(column, cell)) {
		if (!column->is_optional)
			tmap_json_put_null(w, column->member);
		return;
	}
	switch (column->kind) {
	case TMAP_COLUMN_STRING:
		tmap_json_put_string(w, column->member, cell->string);
		break;
	case TMAP_COLUMN_BOOL:
		tmap_json_put_bool(w, column->member, cell->is_true);
		break;
	case TMAP_COLUMN_INT:
	case TMAP_COLUMN_CHANGE:
	case TMAP_COLUMN_AMOUNT:
	case TMAP_COLUMN_BYTES:
	case TMAP_COLUMN_SIZE:
		if (column->is_real)
			tmap_json_put_double(w, column->member, cell->number);
		else
			tmap_json_put_int(w, column->member, cell->count);
		break;
	case TMAP_COLUMN_SPAN:
		tmap_json_open_line(w, column->member, '{');
		tmap_json_put_int(w, "least", cell->count);
		tmap_json_put_int(w, "most", cell->most);
		tmap_json_close(w);
		break;
	case TMAP_COLUMN_NUMBER:
	case TMAP_COLUMN_SECONDS:
	case TMAP_COLUMN_LATENCY:
	case TMAP_COLUMN_SHARE:
		tmap_json_put_double(w, column->member, cell->number);
		break;
	case TMAP_COLUMN_TITLE:
		break;
	}
}

int tmap_table_get_row(const struct tmap_table *table, int row, struct tmap_cell *cell,
		       struct tmap_error *err)
{
	memset(cell, 0, (size_t)table->columns * sizeof *cell);
	return table->row(table->subject, row, cell, err);
}

int tmap_table_write_csv(FILE *out, const struct tmap_table *table, struct tmap_error *err)
{
	struct tmap_cell *cell = tmap_alloc_raw((size_t)table->columns, sizeof *cell, err);
	int status = cell ? 0 : -1;

	for (int row = -1; row < table->rows && status == 0; row++) {
		const char *comma = "";

		status = row < 0 ? 0 : tmap_table_get_row(table, row, cell, err);
		for (int c = 0; c < table->columns && status == 0; c++) {
			const struct tmap_column *column = &table->column[c];

			if (!column->field)
				continue;
			fputs(comma, out);
			comma = ",";
			if (row < 0)
				write_csv_text(out, column->field);
			else
				write_field(out, column, &cell[c]);
		}
		fputs(status == 0 ? "\n" : "", out);
	}
	free(cell);
	return status;
}

void tmap_cells_put_json(struct tmap_json_writer *w, const struct tmap_column *column,
			 const struct tmap_cell *cell, int count)
{
	for (int c = 0; c < count; c++)
		if (column[c].member)
			put_member(w, &column[c], &cell[c]);
}

int tmap_table_put_json(struct tmap_json_writer *w, const char *name,
			const struct tmap_table *table, struct tmap_error *err)
{
	struct tmap_cell *cell = tmap_alloc_raw((size_t)table->columns, sizeof *cell, err);
	int status = cell ? 0 : -1;

	tmap_json_open(w, name, '[');
	for (int row = 0; row < table->rows && status == 0; row++) {
		status = tmap_table_get_row(table, row, cell, err);
		if (table->is_tall)
			tmap_json_open(w, NULL, '{');
		else
			tmap_json_open_line(w, NULL, '{');
		if (status == 0)
			tmap_cells_put_json(w, table->column, cell, table->columns);
		tmap_json_close(w);
	}
	tmap_json_close(w);
	free(cell);
	return status;
}
