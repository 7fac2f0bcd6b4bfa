#include "formats/text/text_table.h"

#include "core/base/mem.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, GAP = 2 };

static char **cell_at(const struct tmap_table *table, int row, int column)
{
	return &table->cell[row * table->columns + column];
}

static const char *text_at(const struct tmap_table *table, int row, int column)
{
	return *cell_at(table, row, column) ? *cell_at(table, row, column) : "";
}

int tmap_table_init(struct tmap_table *table, int rows, int columns, struct tmap_error *err)
{
	char **cell = tmap_alloc((size_t)rows * (size_t)columns, sizeof *cell, err);

	if (!cell)
		return -1;
	*table = (struct tmap_table){ .rows = rows, .columns = columns, .cell = cell };
	return 0;
}

void tmap_table_fini(struct tmap_table *table)
{
	for (int i = 0; i < table->rows * table->columns; i++)
		free(table->cell[i]);
	free(table->cell);
	*table = (struct tmap_table){ 0 };
}

void tmap_table_set(struct tmap_table *table, int row, int column, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (vasprintf(cell_at(table, row, column), format, args) < 0) {
		*cell_at(table, row, column) = NULL;
		table->failed = true;
	}
	va_end(args);
}

static int width_of(const struct tmap_table *table, int column)
{
	int width = 0;

	for (int row = 0; row < table->rows; row++) {
		int length = (int)strlen(text_at(table, row, column));

		width = length > width ? length : width;
	}
	return width;
}

/* Columns [from, to) behind the labels. */
static void write_block(FILE *out, const struct tmap_table *table, int from, int to)
{
	int labels = width_of(table, 0);

	for (int row = 0; row < table->rows; row++) {
		int pending = labels - fprintf(out, "%s", text_at(table, row, 0));

		for (int column = from; column < to; column++) {
			const char *text = text_at(table, row, column);
			int blank = width_of(table, column) - (int)strlen(text);

			pending += GAP + blank;
			if (!*text)
				continue;
			fprintf(out, "%*s%s", pending, "", text);
			pending = 0;
		}
		fputc('\n', out);
	}
}

int tmap_table_write(FILE *out, const struct tmap_table *table, struct tmap_error *err)
{
	if (table->failed)
		return tmap_fail(err, TMAP_SYSTEM, "out of memory for a table");
	for (int from = 1, to; from < table->columns; from = to) {
		int width = width_of(table, 0) + GAP + width_of(table, from);

		for (to = from + 1; to < table->columns; to++) {
			width += GAP + width_of(table, to);
			if (width > WIDTH)
				break;
		}
		if (from > 1)
			fputc('\n', out);
		write_block(out, table, from, to);
	}
	return 0;
}
