/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "formats/text/table.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 2 };

/* How a table is laid out: the columns that are shown, in their order. */
struct text_layout {
	const struct tmap_table *table;
	struct tmap_cell *cell; /* [table->columns]: of the row at hand */
	int *shown;             /* [count]: numbers of columns */
	int *width;             /* [count] */
	int count, heading_lines;
};

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

static const struct tmap_column *text_layout_column(const struct text_layout *layout, int i)
{
	return &layout->table->column[layout->shown[i]];
}

static bool column_is_right(const struct tmap_column *column)
{
	if (column->side != TMAP_SIDE_BY_KIND)
		return column->side == TMAP_SIDE_RIGHT;
	return column->kind != TMAP_COLUMN_STRING && column->kind != TMAP_COLUMN_BOOL;
}

static int heading_count_lines(const char *heading)
{
	int lines = 1;

	for (; *heading; heading++)
		lines += *heading == '\n';
	return lines;
}

/* Line @p line of a heading and its length; below 0: an empty one. */
static const char *heading_line(const char *heading, int line, int *length)
{
	for (int i = 0; i < line; i++)
		heading += strcspn(heading, "\n") + 1;
	*length = line < 0 ? 0 : (int)strcspn(heading, "\n");
	return heading;
}

static int heading_width(const char *heading)
{
	int width = 0, length;

	for (int line = heading_count_lines(heading) - 1; line >= 0; line--) {
		heading_line(heading, line, &length);
		width = max_int(width, length);
	}
	return width;
}

static void text_layout_fini(struct text_layout *layout)
{
	free(layout->cell);
	free(layout->shown);
	free(layout->width);
}

static int text_layout_init(struct text_layout *layout, const struct tmap_table *table,
			    struct tmap_error *err)
{
	size_t columns = (size_t)table->columns;
	char room[TMAP_CELL_ROOM];
	int kept = 0;

	*layout = (struct text_layout){ .table = table };
	layout->cell = tmap_alloc_raw(columns, sizeof *layout->cell, err);
	layout->shown = tmap_alloc(columns, sizeof *layout->shown, err);
	layout->width = tmap_alloc(columns, sizeof *layout->width, err);
	if (!layout->cell || !layout->shown || !layout->width)
		return -1;
	for (int c = 0; c < table->columns; c++)
		if (table->column[c].heading && !(c < 64 && table->hidden >> c & 1))
			layout->shown[layout->count++] = c;
	for (int row = 0; row < table->rows; row++) {
		if (tmap_table_get_row(table, row, layout->cell, err) < 0)
			return -1;
		for (int i = 0; i < layout->count; i++) {
			const struct tmap_column *column = text_layout_column(layout, i);
			int length = (int)strlen(
				tmap_cell_print(column, &layout->cell[layout->shown[i]], room));

			if (!column->most || length <= column->most)
				layout->width[i] = max_int(layout->width[i], length);
		}
	}
	for (int i = 0; i < layout->count; i++) {
		const struct tmap_column *column = text_layout_column(layout, i);

		if (column->is_optional && !layout->width[i])
			continue;
		layout->heading_lines =
			max_int(layout->heading_lines, heading_count_lines(column->heading));
		layout->width[kept] = max_int(max_int(layout->width[i], column->width),
					      heading_width(column->heading));
		if (table->blank)
			layout->width[kept] =
				max_int(layout->width[kept], (int)strlen(table->blank));
		layout->shown[kept++] = layout->shown[i];
	}
	layout->count = kept;
	return 0;
}

/* The text of a column's cell in the row at hand. */
static const char *text_layout_cell(const struct text_layout *layout, int column,
				    char room[TMAP_CELL_ROOM])
{
	const char *text =
		tmap_cell_print(&layout->table->column[column], &layout->cell[column], room);

	return *text || !layout->table->blank ? text : layout->table->blank;
}

/* A text of some length in its column; *pending are the blanks that come before it, and what the
 * text ends in: "0 s " stands over "1.00 us", and no line ends in blanks. */
static void write_text(FILE *out, const char *text, int length, int width, bool is_right,
		       int *pending)
{
	int blank = width > length ? width - length : 0, end = length;

	while (end > 0 && text[end - 1] == ' ')
		end--;
	if (length)
		fprintf(out, "%*s%.*s", *pending + (is_right ? blank : 0), "", end, text);
	*pending = length ? length - end + (is_right ? 0 : blank) : *pending + width;
}

static void write_headings(FILE *out, const struct text_layout *layout, int from, int to)
{
	for (int line = 0; line < layout->heading_lines; line++) {
		int pending = layout->table->indent;

		for (int i = 0; i < to; i = i < from ? from : i + 1) {
			const struct tmap_column *column = text_layout_column(layout, i);
			int skip = layout->heading_lines - heading_count_lines(column->heading);
			int length;
			const char *text = heading_line(column->heading, line - skip, &length);

			pending += i ? GAP : 0;
			write_text(out, text, length, layout->width[i], column_is_right(column),
				   &pending);
		}
		fputc('\n', out);
	}
}

/* How much of a text goes on a line of so many columns: up to a comma, at least to the first one. */
static int piece_length(const char *text, int room)
{
	int length = (int)strlen(text), kept = 0;

	if (length <= room)
		return length;
	for (int i = 0; i < length && (!kept || i < room); i++)
		if (text[i] == ',')
			kept = i + 1;
	return kept ? kept : length;
}

/* One that is too long for its column, to the end of its lines, which begin in column @p at. */
static void write_long(FILE *out, const struct tmap_table *table, const struct tmap_column *column,
		       const char *text, int at, int pending)
{
	int room = (table->width ? table->width : TMAP_TABLE_WIDTH) - at;

	while (*text) {
		int length = column->is_broken ? piece_length(text, room) : (int)strlen(text);

		fprintf(out, "%*s%.*s\n", pending, "", length, text);
		text += length;
		pending = at;
	}
}

static int write_row(FILE *out, const struct text_layout *layout, int row, int from, int to,
		     struct tmap_error *err)
{
	int pending = layout->table->indent, at = 0;
	char room[TMAP_CELL_ROOM];

	if (tmap_table_get_row(layout->table, row, layout->cell, err) < 0)
		return -1;
	for (int i = 0; i < to; i = i < from ? from : i + 1) {
		const struct tmap_column *column = text_layout_column(layout, i);
		const char *text = text_layout_cell(layout, layout->shown[i], room);
		int length = (int)strlen(text);

		pending += i ? GAP : 0;
		at += i ? GAP : layout->table->indent;
		if (column->most && length > layout->width[i]) {
			write_long(out, layout->table, column, text, at, pending);
			pending = at;
			length = 0;
		}
		write_text(out, text, length, layout->width[i], column_is_right(column), &pending);
		at += layout->width[i];
	}
	fputc('\n', out);
	return 0;
}

/* The end of the block of columns that begins at @p from, behind the first column. */
static int block_end(const struct text_layout *layout, int from)
{
	int room = layout->table->width ? layout->table->width : TMAP_TABLE_WIDTH;
	int width = layout->table->indent + layout->width[0], to;

	for (to = from; to < layout->count; to++) {
		width += GAP + layout->width[to];
		if (width > room && to > from)
			break;
	}
	while (to < layout->count && to > from + 1 && text_layout_column(layout, to)->is_joined)
		to--;
	return to;
}

int tmap_table_write_text(FILE *out, const struct tmap_table *table, struct tmap_error *err)
{
	struct text_layout layout;
	int status = text_layout_init(&layout, table, err), from = 1;

	while (status == 0 && layout.count) {
		int to = block_end(&layout, from);

		write_headings(out, &layout, from, to);
		for (int row = 0; row < table->rows && status == 0; row++)
			status = write_row(out, &layout, row, from, to, err);
		if (to >= layout.count)
			break;
		fputc('\n', out);
		from = to;
	}
	text_layout_fini(&layout);
	return status;
}

int tmap_table_write_text_sideways(FILE *out, const struct tmap_table *table,
				   struct tmap_error *err)
{
	struct text_layout layout;
	int status = text_layout_init(&layout, table, err), labels = 0, inset = 0;
	int *width = tmap_alloc((size_t)table->rows, sizeof *width, err);
	char room[TMAP_CELL_ROOM];

	/* the line of each column, once to measure and once to write */
	for (int i = 0; i < 2 * layout.count && width && status == 0; i++) {
		const struct tmap_column *column = text_layout_column(&layout, i % layout.count);
		bool is_measuring = i < layout.count;
		int label = (int)strlen(column->heading), pending;

		inset = i % layout.count ? inset : 0;
		labels = max_int(labels, inset + label);
		pending = table->indent + inset;
		if (!is_measuring)
			write_text(out, column->heading, label, labels - inset, false, &pending);
		for (int row = 0; row < table->rows && status == 0; row++) {
			const char *text;

			status = tmap_table_get_row(table, row, layout.cell, err);
			text = status < 0 ?
				"" :
				tmap_cell_print(column, &layout.cell[column - table->column], room);
			pending += GAP;
			if (is_measuring)
				width[row] = max_int(width[row], (int)strlen(text));
			else
				write_text(out, text, (int)strlen(text), width[row], true,
					   &pending);
		}
		if (column->kind == TMAP_COLUMN_TITLE)
			inset = GAP;
		fputs(is_measuring ? "" : "\n", out);
	}
	status = width ? status : -1;
	free(width);
	text_layout_fini(&layout);
	return status;
}
