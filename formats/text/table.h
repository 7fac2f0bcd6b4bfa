/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.h - a table described once: what its columns are called and what they hold.
 *
 *     static const struct tmap_column columns[] = {
 *         { "name",     "algorithm", "algorithm", TMAP_COLUMN_STRING },
 *         { "fits",     NULL,        NULL,        TMAP_COLUMN_BOOL },
 *         { "seconds",  "seconds",   "time",      TMAP_COLUMN_SECONDS },
 *     };
 *
 *     text               CSV                   JSON
 *     algorithm  time    algorithm,seconds     [{"name": "ring", "fits": true, "seconds": 0.0004},
 *     ring     400 us    ring,0.0004            {"name": "pat", "fits": true, "seconds": 0.0005}]
 *     pat      500 us    pat,0.0005
 *
 * A callback gives the cells of a row, so that a table as long as the job is never in memory.
 * Each format writes the columns that have a name in it; HTML would be one more name and writer.
 */
#ifndef TMAP_FORMATS_TEXT_TABLE_H
#define TMAP_FORMATS_TEXT_TABLE_H

#include "formats/json/json_write.h"

/** What a column holds, which member of a cell that is, and how people read it. */
enum tmap_column_kind {
	TMAP_COLUMN_STRING,  /**< string: as it is */
	TMAP_COLUMN_BOOL,    /**< is_true: yes, no */
	TMAP_COLUMN_INT,     /**< count: 1234567 */
	TMAP_COLUMN_CHANGE,  /**< count: +12, -3, 0 */
	TMAP_COLUMN_AMOUNT,  /**< count: 1.23M, three digits */
	TMAP_COLUMN_BYTES,   /**< count: 15.5Mi, three digits */
	TMAP_COLUMN_SIZE,    /**< count: 64KiB, exact */
	TMAP_COLUMN_SPAN,    /**< count to most: 2..3 */
	TMAP_COLUMN_NUMBER,  /**< number: 2.25 */
	TMAP_COLUMN_SECONDS, /**< number: 12.3 us */
	TMAP_COLUMN_LATENCY, /**< number, of seconds: 12.34, which are microseconds */
	TMAP_COLUMN_SHARE,   /**< number, from 0 to 1: 22.6% */
	TMAP_COLUMN_TITLE,   /**< nothing: in a table on its side, a heading over the lines below */
};

enum tmap_column_side {
	TMAP_SIDE_BY_KIND, /**< strings and truths at the left, numbers at the right */
	TMAP_SIDE_LEFT,
	TMAP_SIDE_RIGHT,
};

struct tmap_column {
	const char *member;  /**< of a JSON object; NULL: not in documents */
	const char *field;   /**< CSV's heading; NULL: not in CSV */
	const char *heading; /**< in text, '\n' between its lines; NULL: not in text */
	enum tmap_column_kind kind;
	int width;  /**< of the text, at least */
	int most;   /**< a longer text goes on to the end of its line; 0: none is too long */
	int digits; /**< of a NUMBER in text: behind the point; below 0: significant; 0: all */
	enum tmap_column_side side;
	bool is_real;     /**< AMOUNT, BYTES: number holds it, not count */
	bool is_optional; /**< JSON leaves an empty cell out, where others are null; text leaves
			       the column out where all its cells are empty */
	bool is_joined;   /**< in text, always next to the column before it */
	bool is_broken; /**< in text, what is longer than most is broken behind its commas where the
			       table ends */
};

struct tmap_cell {
	bool is_empty; /**< nothing in text and CSV */
	bool is_true;
	int64_t count, most;
	double number;
	const char *string; /**< borrowed until the next row; NULL: empty */
};

/** The cells of row @p row of @p subject, zeroed before: cell[i] is of column i. 0, or -1 with
 *  *err set. It is called more than once for a row. */
typedef int tmap_table_row(const void *subject, int row, struct tmap_cell *cell,
			   struct tmap_error *err);

/** In text a table has 80 columns: what does not fit goes below, with the first column again. */
enum { TMAP_TABLE_WIDTH = 80, TMAP_TABLE_ANY_WIDTH = 1 << 20 };

struct tmap_table {
	const struct tmap_column *column; /**< [columns] */
	int columns, rows;
	tmap_table_row *row;
	const void *subject;
	uint64_t hidden;   /**< bit i: column i is not in the text */
	int indent;        /**< of the text */
	int width;         /**< of the text; 0: TMAP_TABLE_WIDTH */
	const char *blank; /**< an empty cell of the text; NULL: nothing */
	bool is_tall;      /**< in JSON, a line for each member */
};

/** Number of elements of an array of columns. */
#define TMAP_COLUMNS(array) ((int)(sizeof(array) / sizeof(array)[0]))

/** Write it for people, headings above; O(rows x columns), twice or more for each row. */
int tmap_table_write_text(FILE *out, const struct tmap_table *table, struct tmap_error *err);

/** The same on its side: a line for each column, the headings at the left. For few rows. */
int tmap_table_write_text_sideways(FILE *out, const struct tmap_table *table,
				   struct tmap_error *err);

/** Write a line of fields' names and a line for each row (RFC 4180, but lines end in LF). */
int tmap_table_write_csv(FILE *out, const struct tmap_table *table, struct tmap_error *err);

/** Write the member @p name: an array with an object for each row. */
int tmap_table_put_json(struct tmap_json_writer *w, const char *name,
			const struct tmap_table *table, struct tmap_error *err);

/** Write cells as members of the object that is open. */
void tmap_cells_put_json(struct tmap_json_writer *w, const struct tmap_column *column,
			 const struct tmap_cell *cell, int count);

/** Zero cell[table->columns] and fill them with a row. */
int tmap_table_get_row(const struct tmap_table *table, int row, struct tmap_cell *cell,
		       struct tmap_error *err);

/** Room for the text of any cell that is no string. */
#define TMAP_CELL_ROOM 48

/** The text of a cell, "" where it is empty: a string itself, else @p room. */
const char *tmap_cell_print(const struct tmap_column *column, const struct tmap_cell *cell,
			    char room[TMAP_CELL_ROOM]);

#endif
