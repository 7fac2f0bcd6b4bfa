/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/score/sweep_report.h"

#include "core/base/string.h"
#include "core/base/units.h"
#include "formats/base/amount.h"
#include "formats/base/wrap.h"
#include "formats/draw/svg.h"
#include "formats/json/json_write.h"
#include "formats/machine/json_placement.h"
#include "formats/text/table.h"
#include "formats/text/text_others.h"
#include "formats/text/text_profile.h"

/* Columns of a letter on the screen; pixels of the picture. */
enum { CELL = 7, BOX_WIDTH = 58, BOX_HEIGHT = 30, BASE_LINE = 20, TEXT = 13, LEFT = 90, TOP = 60 };

enum { COLORS = 12 };

/* After Paul Tol: distinct for colour-blind readers, and light enough for letters. */
static const char *const colors[COLORS] = { "#88CCEE", "#DDCC77", "#CC6677", "#44AA99",
					    "#77BB88", "#999933", "#AA4499", "#CC99BB",
					    "#6699CC", "#EEDD88", "#FFAABB", "#BBCC33" };

static const char *collective_of(const struct tmap_sweep *sweep)
{
	return tmap_collective_rows[sweep->collective].word.name;
}

static char letter_of(int name)
{
	return name == TMAP_NONE ? '-' : name < 26 ? (char)('a' + name) : '?';
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
			fprintf(out, "%*c", CELL, letter_of(tmap_sweep_at(sweep, r, s)->name));
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
		fprintf(out, "  %c  %s\n", letter_of(i), sweep->name[i]);
	return write_others(out, sweep, err);
}

/* A box of an algorithm's colour with its letter in the middle; @p tip under the pointer. */
static void draw_box(FILE *out, int x, int y, int name, const char *tip)
{
	const char letter[] = { letter_of(name), '\0' };

	tmap_svg_box(out,
		     &(struct tmap_svg_box){ .x = x,
					     .y = y,
					     .width = BOX_WIDTH,
					     .height = BOX_HEIGHT,
					     .fill = name == TMAP_NONE ? "#DDDDDD" :
									 colors[name % COLORS],
					     .stroke = "#FFFFFF",
					     .tip = tip });
	tmap_svg_text(out,
		      &(struct tmap_svg_text){ .x = x + BOX_WIDTH / 2.0,
					       .y = y + BASE_LINE,
					       .size = TEXT,
					       .anchor = TMAP_SVG_MIDDLE },
		      letter);
}

static void draw_row(FILE *out, const struct tmap_sweep *sweep, int r)
{
	int y = TOP + r * BOX_HEIGHT;
	char text[120], seconds[TMAP_SECONDS_ROOM];

	snprintf(text, sizeof text, "%d ranks", sweep->ranks[r]);
	tmap_svg_text(
		out,
		&(struct tmap_svg_text){
			.x = LEFT - 8, .y = y + BASE_LINE, .size = TEXT, .anchor = TMAP_SVG_END },
		text);
	for (int s = 0; s < sweep->size_count; s++) {
		const struct tmap_sweep_cell *cell = tmap_sweep_at(sweep, r, s);

		snprintf(text, sizeof text, "%s: %s", name_of(sweep, cell),
			 tmap_seconds_print(cell->seconds, seconds));
		draw_box(out, LEFT + s * BOX_WIDTH, y, cell->name, text);
	}
}

int tmap_svg_write_sweep(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err)
{
	int width = LEFT + (sweep->size_count > 8 ? sweep->size_count : 8) * BOX_WIDTH + 20;
	int legend = TOP + sweep->rank_count * BOX_HEIGHT + 20;
	char title[160], bytes[TMAP_UNITS_ROOM];

	(void)err;
	snprintf(title, sizeof title,
		 "%s: the fastest algorithm by bytes and ranks%s%s (%s costs of %.40s)",
		 collective_of(sweep), sweep->has_library ? " with " : "",
		 sweep->has_library ? library_of(sweep) : "", tmap_profile_kind(sweep->profile),
		 sweep->profile->word.name);
	tmap_svg_begin(out, width, legend + sweep->shown_count * BOX_HEIGHT + 20, title);
	tmap_svg_text(out, &(struct tmap_svg_text){ .x = LEFT, .y = 24, .size = 16 }, title);
	for (int s = 0; s < sweep->size_count; s++)
		tmap_svg_text(out,
			      &(struct tmap_svg_text){ .x = LEFT + (s + 0.5) * BOX_WIDTH,
						       .y = TOP - 8,
						       .size = TEXT,
						       .anchor = TMAP_SVG_MIDDLE },
			      tmap_units_print_bytes(sweep->bytes[s], bytes));
	for (int r = 0; r < sweep->rank_count; r++)
		draw_row(out, sweep, r);
	for (int i = 0; i < sweep->shown_count; i++) {
		int y = legend + i * BOX_HEIGHT;

		draw_box(out, LEFT, y, i, sweep->name[i]);
		tmap_svg_text(out,
			      &(struct tmap_svg_text){ .x = LEFT + BOX_WIDTH + 10,
						       .y = y + BASE_LINE,
						       .size = TEXT },
			      sweep->name[i]);
	}
	tmap_svg_end(out);
	return 0;
}
