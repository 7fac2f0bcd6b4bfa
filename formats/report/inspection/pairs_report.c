/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/inspection/pairs_report.h"

#include "core/base/mem.h"
#include "formats/base/meaning.h"
#include "formats/text/table.h"

#include <stdlib.h>

enum { DISTANCE, PAIRS, SHARE, MEANING };

static const struct tmap_column columns[] = {
	[DISTANCE] = { "distance", NULL, "distance", TMAP_COLUMN_NUMBER },
	[PAIRS] = { "pairs", NULL, "pairs", TMAP_COLUMN_INT },
	[SHARE] = { NULL, NULL, "share", TMAP_COLUMN_SHARE, 6 },
	[MEANING] = { "meaning", NULL, "between ranks with", TMAP_COLUMN_STRING,
		      .is_optional = true },
};

struct pair_rows {
	const struct tmap_pairs_report *report;
	int64_t all;
	int *step;     /* [rows]: those that some pairs are at */
	char *meaning; /* of the row at hand */
};

static int pairs_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct pair_rows *it = subject;
	const struct tmap_pairs_report *report = it->report;
	int step = it->step[i];

	(void)err;
	cell[DISTANCE].number = report->metric->step[step].value;
	cell[PAIRS].count = report->pairs[step];
	cell[SHARE].number = (double)report->pairs[step] / (double)it->all;
	if (report->has_meaning)
		cell[MEANING].string =
			tmap_meaning_print(report->metric->placement->machine, report->scale,
					   report->metric->step[step].value, it->meaning);
	return 0;
}

/* One of both: the text to @p out, or the member of @p w. */
static int write_pairs(const struct tmap_pairs_report *report, FILE *out,
		       struct tmap_json_writer *w, const char *name, struct tmap_error *err)
{
	int steps = report->metric->step_count, status = -1;
	char meaning[TMAP_MEANING_ROOM];
	struct pair_rows rows = { .report = report,
				  .step = tmap_alloc((size_t)steps, sizeof(int), err),
				  .meaning = meaning };
	struct tmap_table table = { .column = columns,
				    .columns = TMAP_COLUMNS(columns),
				    .row = pairs_row,
				    .subject = &rows,
				    .width = TMAP_TABLE_ANY_WIDTH };

	for (int s = 0; rows.step && s < steps; s++) {
		rows.all += report->pairs[s];
		if (report->pairs[s])
			rows.step[table.rows++] = s;
	}
	if (rows.step)
		status = out ? tmap_table_write_text(out, &table, err) :
			       tmap_table_put_json(w, name, &table, err);
	free(rows.step);
	return status;
}

int tmap_text_write_pairs_at(FILE *out, const struct tmap_pairs_report *report,
			     struct tmap_error *err)
{
	return write_pairs(report, out, NULL, NULL, err);
}

int tmap_json_put_pairs_at(struct tmap_json_writer *w, const char *name,
			   const struct tmap_pairs_report *report, struct tmap_error *err)
{
	return write_pairs(report, NULL, w, name, err);
}
