/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/score/sweep_report.h"

#include "core/base/string.h"
#include "core/base/units.h"
#include "formats/base/amount.h"
#include "formats/base/wrap.h"
#include "formats/draw/map.h"
#include "formats/json/json_write.h"
#include "formats/machine/json_placement.h"
#include "formats/text/table.h"
#include "formats/text/text_others.h"
#include "formats/text/text_profile.h"

/* Columns of a letter on the screen. */
enum { CELL = 7 };

static const char *collective_of(const struct tmap_sweep *sweep)
{
	return tmap_collective_rows[sweep->collective].word.name;
}

static const char *name_of(const struct tmap_sweep *sweep, const struct tmap_sweep_cell *cell)
{
	return cell->name == TMAP_NONE ? "" : sweep->name[cell->name];
}

enum { RANKS, BYTES, ALGORITHM, SECONDS, KNOB, TAKEN, TAKEN_SECONDS };

static const struct tmap_column columns[] = {
	[RANKS] = { "ranks", "ranks", "ranks", TMAP_COLUMN_INT, 9 },
	[BYTES] = { "bytes", "bytes", "bytes", TMAP_COLUMN_SIZE },
	[ALGORITHM] = { "algorithm", "algorithm", "algorithm", TMAP_COLUMN_STRING },
	[SECONDS] = { "seconds", "seconds", "time", TMAP_COLUMN_SECONDS },
	/* where a library is asked about */
	[KNOB] = { "knob", "knob", NULL, TMAP_COLUMN_STRING, .is_optional = true },
	[TAKEN] = { "default", "default", NULL, TMAP_COLUMN_STRING, .is_optional = true },
	[TAKEN_SECONDS] = { "default_seconds", "default_seconds", NULL, TMAP_COLUMN_SECONDS,
			    .is_optional = true },
};

static int cell_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_sweep *sweep = subject;
	int r = i / sweep->size_count, s = i % sweep->size_count;
	const struct tmap_sweep_cell *best = tmap_sweep_at(sweep, r, s);

	(void)err;
	cell[RANKS].count = sweep->ranks[r];
	cell[BYTES].count = sweep->bytes[s];
	cell[ALGORITHM].string = name_of(sweep, best);
	cell[SECONDS].number = best->seconds;
	if (!sweep->has_library)
		return 0;
	cell[KNOB].string = best->knob;
	cell[KNOB].is_empty = !best->knob;
	cell[TAKEN].string = best->taken == TMAP_NONE ? NULL : sweep->name[best->taken];
	cell[TAKEN].is_empty = cell[TAKEN_SECONDS].is_empty = best->taken == TMAP_NONE;
	cell[TAKEN_SECONDS].number = best->taken_seconds;
	return 0;
}

static struct tmap_table cells_table(const struct tmap_sweep *sweep)
{
	return (struct tmap_table){ .column = columns,
				    .columns = sweep->has_library ? TMAP_COLUMNS(columns) : KNOB,
				    .rows = sweep->rank_count * sweep->size_count,
				    .row = cell_row,
				    .subject = sweep };
}

static const char *library_of(const struct tmap_sweep *sweep)
{
	return tmap_keywords_at(&tmap_libraries, (size_t)sweep->pick.library)->summary;
}

int tmap_json_write_sweep(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err)
{
	const struct tmap_table table = cells_table(sweep);
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "sweep");
	tmap_json_put_string(&w, "collective", collective_of(sweep));
	if (sweep->element)
		tmap_json_put_int(&w, "element_bytes", sweep->element);
	else
		tmap_json_put_null(&w, "element_bytes");
	if (sweep->has_library)
		tmap_json_put_string(
			&w, "library",
			tmap_keywords_at(&tmap_libraries, (size_t)sweep->pick.library)->name);
	else
		tmap_json_put_null(&w, "library");
	tmap_json_put_profile_choice(&w, sweep->profile);
	if (tmap_json_put_adapters_chosen(&w, sweep->placement->machine, err) < 0 ||
	    tmap_table_put_json(&w, "cells", &table, err) < 0)
		return -1;
	return tmap_json_end(&w, err);
}

int tmap_csv_write_sweep(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err)
{
	const struct tmap_table table = cells_table(sweep);

	return tmap_table_write_csv(out, &table, err);
}

/* The columns [first, end) of the map. */
static void write_map(FILE *out, const struct tmap_sweep *sweep, int first, int end)
{
	char bytes[TMAP_UNITS_ROOM];

	fprintf(out, "\n  %9s", "ranks");
	for (int s = first; s < end; s++)
		fprintf(out, "%*s", CELL, tmap_units_print_bytes(sweep->bytes[s], bytes));
	fputc('\n', out);
	for (int r = 0; r < sweep->rank_count; r++) {
		fprintf(out, "  %9d", sweep->ranks[r]);
		for (int s = first; s < end; s++)
			fprintf(out, "%*c", CELL,
				tmap_map_letter(tmap_sweep_at(sweep, r, s)->name));
		fputc('\n', out);
	}
}

/* In how many cells other published costs choose something else. */
static int write_others(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	fputc('\n', out);
	if (sweep->has_library) {
		fputs("With --library, --profile NAME says what other published costs choose.\n",
		      out);
		return 0;
	}
	for (int i = 0; sweep->asked && tmap_keywords_at(&tmap_profiles, (size_t)i); i++)
		if (sweep->turned[i])
			tmap_str_addf(&text, "%s%s %d of %d", text.length ? ", " : "",
				      tmap_profile_at(i)->word.name, sweep->turned[i],
				      sweep->asked);
	if (!text.length)
		tmap_str_add(&text, "none");
	if (sweep->asked) {
		fputs("Cells for which other published costs choose something else\n", out);
		if (tmap_text_write_list_str(out, 2, "", &text, err) < 0)
			return -1;
	}
	tmap_str_fini(&text);
	if (sweep->rank_count && sweep->ranks[sweep->rank_count - 1] > TMAP_OTHERS_MOST_RANKS)
		tmap_text_write_others_limit(out, TMAP_OTHERS_MOST_RANKS, "choose");
	return 0;
}

int tmap_text_write_sweep(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err)
{
	int room = (79 - 11) / CELL;

	fprintf(out, "%s: the fastest algorithm by bytes and ranks%s%s\n", collective_of(sweep),
		sweep->has_library ? " with " : "", sweep->has_library ? library_of(sweep) : "");
	tmap_text_write_profile(out, sweep->profile);
	for (int s = 0; s < sweep->size_count; s += room)
		write_map(out, sweep, s,
			  s + room < sweep->size_count ? s + room : sweep->size_count);
	fputc('\n', out);
	for (int i = 0; i < sweep->shown_count; i++)
		fprintf(out, "  %c  %s\n", tmap_map_letter(i), sweep->name[i]);
	return write_others(out, sweep, err);
}

static void sweep_row(const void *subject, int row, char text[TMAP_MAP_ROOM])
{
	snprintf(text, TMAP_MAP_ROOM, "%d ranks", ((const struct tmap_sweep *)subject)->ranks[row]);
}

static void sweep_column(const void *subject, int column, char text[TMAP_MAP_ROOM])
{
	tmap_units_print_bytes(((const struct tmap_sweep *)subject)->bytes[column], text);
}

static void sweep_cell(const void *subject, int row, int column, struct tmap_map_cell *cell)
{
	const struct tmap_sweep *sweep = subject;
	const struct tmap_sweep_cell *it = tmap_sweep_at(sweep, row, column);
	char seconds[TMAP_SECONDS_ROOM];

	cell->name = it->name;
	cell->text[0] = tmap_map_letter(it->name);
	snprintf(cell->tip, 120, "%s: %s", name_of(sweep, it),
		 tmap_seconds_print(it->seconds, seconds));
}

static const char *sweep_name(const void *subject, int name)
{
	return ((const struct tmap_sweep *)subject)->name[name];
}

int tmap_svg_write_sweep(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err)
{
	char title[160];

	(void)err;
	snprintf(title, sizeof title,
		 "%s: the fastest algorithm by bytes and ranks%s%s (%scosts of %.40s)",
		 collective_of(sweep), sweep->has_library ? " with " : "",
		 sweep->has_library ? library_of(sweep) : "",
		 tmap_profile_adjective(sweep->profile), sweep->profile->word.name);
	tmap_map_write_svg(out,
			   &(struct tmap_map){ .title = title,
					       .rows = sweep->rank_count,
					       .columns = sweep->size_count,
					       .names = sweep->shown_count,
					       .subject = sweep,
					       .row_heading = sweep_row,
					       .column_heading = sweep_column,
					       .cell = sweep_cell,
					       .name = sweep_name });
	return 0;
}
