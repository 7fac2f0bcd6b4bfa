/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/rule_comparison_report.h"

#include "core/library/library.h"
#include "formats/base/input.h"
#include "formats/base/printable.h"
#include "formats/json/json_write.h"
#include "formats/text/table.h"
#include "formats/text/text_profile.h"

#include <math.h>
#include <string.h>

enum {
	COLLECTIVE,
	RANKS,
	FROM,
	TO,
	A,
	A_OWN,
	B,
	B_OWN,
	SIZE,
	A_SECONDS,
	B_SECONDS,
	RATIO,
	MEASURED,
	SOURCE,
	COLUMN_COUNT
};

static const struct tmap_column columns[COLUMN_COUNT] = {
	[COLLECTIVE] = { "collective", "collective", "collective", TMAP_COLUMN_STRING },
	[RANKS] = { "ranks", "ranks", "ranks", TMAP_COLUMN_INT },
	[FROM] = { "from_bytes", "from_bytes", "from", TMAP_COLUMN_SIZE },
	[TO] = { "to_bytes", "to_bytes", "to", TMAP_COLUMN_SIZE },
	[A] = { "a", "a", "first", TMAP_COLUMN_STRING, .most = 30 },
	[A_OWN] = { "a_own", "a_own", "own", TMAP_COLUMN_BOOL },
	[B] = { "b", "b", "second", TMAP_COLUMN_STRING, .most = 30 },
	[B_OWN] = { "b_own", "b_own", "own", TMAP_COLUMN_BOOL },
	[SIZE] = { "bytes", "bytes", "of", TMAP_COLUMN_SIZE },
	[A_SECONDS] = { "a_seconds", "a_seconds", "first", TMAP_COLUMN_SECONDS },
	[B_SECONDS] = { "b_seconds", "b_seconds", "second", TMAP_COLUMN_SECONDS },
	[RATIO] = { "ratio", "ratio", "ratio", TMAP_COLUMN_NUMBER, .digits = -3 },
	[MEASURED] = { "measured", "measured", NULL, TMAP_COLUMN_BOOL },
	[SOURCE] = { NULL, NULL, "times", TMAP_COLUMN_STRING },
};

static void put_deed(struct tmap_cell *cell, const struct tmap_rule_deed *deed, int name,
		     int seconds)
{
	cell[name].string = deed->name;
	cell[name].is_empty = !deed->name;
	cell[name + 1].is_true = deed->is_own;
	cell[seconds].number = deed->seconds;
	cell[seconds].is_empty = !isfinite(deed->seconds);
}

static int range_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_rule_comparison *comparison = subject;
	const struct tmap_rule_range *range = &comparison->range[i];

	(void)err;
	cell[COLLECTIVE].string = tmap_rule_collective_row(range->number)->word.name;
	cell[RANKS].count = comparison->places->place[range->first_place]->placement.size;
	cell[FROM].count = range->from;
	cell[TO].count = range->to;
	cell[SIZE].count = range->shown;
	put_deed(cell, &range->a, A, A_SECONDS);
	put_deed(cell, &range->b, B, B_SECONDS);
	cell[RATIO].is_empty = cell[A_SECONDS].is_empty || cell[B_SECONDS].is_empty ||
		range->b.seconds <= 0;
	cell[RATIO].number = cell[RATIO].is_empty ? 0 : range->a.seconds / range->b.seconds;
	cell[MEASURED].is_true = range->is_measured;
	cell[SOURCE].string = range->is_measured ? "measured" : "predicted";
	return 0;
}

/* For people there is something of what is not known, too. */
static int text_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	static const int side[] = { A, B };

	if (range_row(subject, i, cell, err) < 0)
		return -1;
	for (int s = 0; s < 2; s++)
		if (cell[side[s]].is_empty) {
			cell[side[s]].string = cell[side[s] + 1].is_true ? "own" : "not known";
			cell[side[s]].is_empty = false;
		}
	return 0;
}

static struct tmap_table table_of(const struct tmap_rule_comparison *comparison)
{
	return (struct tmap_table){ .column = columns,
				    .columns = COLUMN_COUNT,
				    .rows = comparison->count,
				    .row = range_row,
				    .subject = comparison,
				    .width = 160,
				    .blank = "-" };
}

/* "a.rules", or what there is without a file. */
static void write_name(FILE *out, const char *path)
{
	const char *name = path ? tmap_input_name(path) : "no file";

	tmap_printable_write(out, name, strlen(name));
}

static void write_head(FILE *out, const struct tmap_rule_comparison_report *report)
{
	const struct tmap_rule_comparison *it = report->comparison;
	const struct tmap_tune_places *places = it->places;

	fprintf(out, "rules for %s: first ",
		tmap_keywords_at(&tmap_libraries, (size_t)it->library)->summary);
	write_name(out, report->a);
	fputs(", second ", out);
	write_name(out, report->b);
	fputc('\n', out);
	for (int p = places->count - 1; p >= 0; p--)
		fprintf(out, "%d ranks: %s\n", places->place[p]->placement.size,
			places->place[p]->what);
	tmap_text_write_profile(out, places->profile);
	fprintf(out, "both do the same in %d range%s of sizes, and other things in %d\n", it->same,
		it->same == 1 ? "" : "s", it->count);
	if (it->unknown)
		fprintf(out, "collectives whose algorithms are not known, and not compared: %d\n",
			it->unknown);
}

int tmap_text_write_rule_comparison(FILE *out, const struct tmap_rule_comparison_report *report,
				    struct tmap_error *err)
{
	struct tmap_table table = table_of(report->comparison);

	table.row = text_row;
	write_head(out, report);
	if (!table.rows)
		return 0;
	fputc('\n', out);
	return tmap_table_write_text(out, &table, err);
}

int tmap_csv_write_rule_comparison(FILE *out, const struct tmap_rule_comparison_report *report,
				   struct tmap_error *err)
{
	const struct tmap_table table = table_of(report->comparison);

	return tmap_table_write_csv(out, &table, err);
}

int tmap_json_write_rule_comparison(FILE *out, const struct tmap_rule_comparison_report *report,
				    struct tmap_error *err)
{
	const struct tmap_rule_comparison *it = report->comparison;
	const struct tmap_table table = table_of(it);
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "rule_comparison");
	tmap_json_put_string(&w, "library",
			     tmap_keywords_at(&tmap_libraries, (size_t)it->library)->name);
	tmap_json_put_string(&w, "a", report->a ? tmap_input_name(report->a) : NULL);
	tmap_json_put_string(&w, "b", report->b ? tmap_input_name(report->b) : NULL);
	tmap_json_put_string(&w, "profile", it->places->profile->word.name);
	tmap_json_put_int(&w, "most_bytes", it->most);
	tmap_json_put_int(&w, "same", it->same);
	tmap_json_put_int(&w, "unknown_collectives", it->unknown);
	if (tmap_table_put_json(&w, "ranges", &table, err) < 0)
		return -1;
	return tmap_json_end(&w, err);
}
