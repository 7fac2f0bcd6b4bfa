/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/logs/rank_table.h"

#include "core/base/string.h"
#include "formats/logs/line_pattern.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum column { RANK, HOST, CPUS, COLUMNS };

/* The words for each column, the first of which is the one that messages have. */
static const char *const names[COLUMNS][4] = {
	[RANK] = { "rank" },
	[HOST] = { "host", "node", "hostname" },
	[CPUS] = { "cpus", "cpu", "pus" },
};

const char *const tmap_rank_table_heads[] = {
	"^~rank host cpus%$", "^~rank node cpus%$", "^~rank hostname cpus%$",
	"^~host rank cpus%$", "^~node rank cpus%$", NULL,
};

struct cell {
	const char *text;
	size_t length;
};

static bool find_column(const struct cell *cell, int *column)
{
	for (*column = 0; *column < COLUMNS; ++*column)
		for (int i = 0; i < 4 && names[*column][i]; i++)
			if (tmap_keyword_is(cell->text, cell->length, names[*column][i]))
				return true;
	return false;
}

/* Is the line one of columns' names? Then at[column] is where each stands. */
static bool take_head(int at[COLUMNS], const struct cell *cells)
{
	bool found[COLUMNS] = { false };
	int made[COLUMNS] = { 0 }, column;

	for (int i = 0; i < COLUMNS; i++) {
		if (!find_column(&cells[i], &column) || found[column])
			return false;
		found[column] = true;
		made[column] = i;
	}
	memcpy(at, made, sizeof made);
	return true;
}

/* The cell by a pattern of line_pattern.h, all of it. */
static int read_cell(struct tmap_line_values *values, const struct cell *cell, const char *pattern,
		     struct tmap_error *err)
{
	struct tmap_line line = { cell->text, cell->length, 0 };

	return tmap_line_match(values, &line, pattern, err) == TMAP_LINE_FITS ? 0 : -1;
}

static bool is_mask(const struct cell *cell)
{
	return cell->length > 2 && strncasecmp(cell->text, "0x", 2) == 0;
}

static int row_add(struct tmap_entries *entries, const struct cell *cells, const int *at,
		   int number, struct tmap_error *err)
{
	const struct cell *host = &cells[at[HOST]], *cpus = &cells[at[CPUS]];
	struct tmap_line_values values;
	bool is_bound = cpus->length != 1 || *cpus->text != '-';
	char *pus = NULL;
	int rank, status;

	if (is_mask(cpus))
		return tmap_fail(err, TMAP_INPUT,
				 "'%.*s' is a mask: a list of PUs is expected, such as 0-3,8",
				 cpus->length > 64 ? 64 : (int)cpus->length, cpus->text);
	status = read_cell(&values, &cells[at[RANK]], "^|%r%$", err);
	rank = values.rank;
	tmap_str_fini(&values.pus);
	if (status == 0 && is_bound) {
		status = read_cell(&values, cpus, "^|%l%$", err);
		if (status == 0)
			pus = tmap_str_take(&values.pus, err);
		tmap_str_fini(&values.pus);
		status = pus ? status : -1;
	}
	if (status == 0)
		status = tmap_entries_add_text(entries, rank, number, host->text, host->length,
					       pus ? pus : "", pus ? strlen(pus) : 0, err);
	free(pus);
	return status;
}

int tmap_rank_table_parse(struct tmap_entries *entries, const struct tmap_launcher_file *file,
			  int *line, struct tmap_error *err)
{
	struct tmap_entries made = { 0 };
	struct tmap_line at = { 0 };
	int column[COLUMNS] = { RANK, HOST, CPUS }, status = 0;
	const char *text = file->text;

	while (status == 0 && tmap_line_next(&at, &text)) {
		struct cell cells[COLUMNS + 1];
		struct tmap_line rest = at;
		int count = 0;

		while (count <= COLUMNS &&
		       tmap_line_word(&rest, &cells[count].text, &cells[count].length))
			count++;
		if (count == 0 || *cells[0].text == '#')
			continue;
		if (count != COLUMNS)
			status = tmap_fail(err, TMAP_INPUT,
					   "a line of the table is a rank, its host and a list of "
					   "PUs, such as: 0 node01 0-3,8");
		else if (!take_head(column, cells))
			status = row_add(&made, cells, column, at.number, err);
	}
	if (status < 0) {
		*line = at.number;
		tmap_entries_fini(&made);
		return -1;
	}
	*entries = made;
	return 0;
}
