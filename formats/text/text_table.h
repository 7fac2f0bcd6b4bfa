/*
 * text_table.h - a table for people, as wide as a terminal.
 *
 *     edges at distance     1    3    7  weight        labels at the left, the rest at the
 *     distance_tree        24    4    3      57        right of its column
 *
 * Where it would become wider than 80 columns, the columns that do not fit stand in another
 * block below, with the labels again.
 */
#ifndef TMAP_FORMATS_TEXT_TEXT_TABLE_H
#define TMAP_FORMATS_TEXT_TEXT_TABLE_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stdio.h>

struct tmap_table {
	int rows, columns; /**< the headings are row 0, the labels column 0 */
	char **cell;       /**< [rows x columns], row by row; NULL: empty */
	bool failed;       /**< memory was refused */
};

/** A table of empty cells. */
int tmap_table_init(struct tmap_table *table, int rows, int columns, struct tmap_error *err);
void tmap_table_fini(struct tmap_table *table);

/** Set a cell, once. Where memory is refused, table->failed is set. */
void tmap_table_set(struct tmap_table *table, int row, int column, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/** Write it. TMAP_SYSTEM where a cell is missing for want of memory. */
int tmap_table_write(FILE *out, const struct tmap_table *table, struct tmap_error *err);

#endif
