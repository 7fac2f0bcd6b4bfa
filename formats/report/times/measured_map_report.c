/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/measured_map_report.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "formats/base/amount.h"
#include "formats/draw/map.h"
#include "formats/json/json_write.h"
#include "formats/report/times/times_caveats.h"
#include "formats/report/times/times_report.h"
#include "formats/text/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	RANKS,
	STENCIL,
	CART,
	PERIODS,
	ORDER,
	BYTES,
	ALGORITHM,
	SECONDS,
	SECOND,
	SECOND_SECONDS,
	GAIN,
	TIES
};

static const struct tmap_column columns[] = {
	[RANKS] = { "ranks", "ranks", NULL, TMAP_COLUMN_INT },
	[STENCIL] = { NULL, "stencil", NULL, TMAP_COLUMN_STRING },
	[CART] = { "cart", "cart", NULL, TMAP_COLUMN_STRING, .is_optional = true },
	[PERIODS] = { NULL, "periods", NULL, TMAP_COLUMN_STRING },
	[ORDER] = { NULL, "order", NULL, TMAP_COLUMN_STRING },
	[BYTES] = { "bytes", "bytes", NULL, TMAP_COLUMN_SIZE },
	[ALGORITHM] = { "algorithm", "algorithm", NULL, TMAP_COLUMN_STRING },
	[SECONDS] = { "seconds", "seconds", NULL, TMAP_COLUMN_SECONDS },
	[SECOND] = { "second", "second", NULL, TMAP_COLUMN_STRING },
	[SECOND_SECONDS] = { "second_seconds", "second_seconds", NULL, TMAP_COLUMN_SECONDS },
	[GAIN] = { "gain", "gain", NULL, TMAP_COLUMN_NUMBER },
	[TIES] = { "ties", "ties", NULL, TMAP_COLUMN_INT },
};

static const char *name_of(const struct tmap_measured_map *map, int name)
{
	return name == TMAP_NONE ? NULL : map->name[name];
}

static int cell_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_measured_map *map = subject;
	const struct tmap_measured_cell *it = &map->cell[i];
	const struct tmap_times_neighborhood *on = map->neighborhood[i / map->size_count];

	(void)err;
	cell[RANKS].count = map->ranks[i / map->size_count];
	if (on) {
		cell[STENCIL].string = on->stencil;
		cell[CART].string = on->cart;
		cell[PERIODS].string = on->periods;
		cell[ORDER].string = on->order;
	}
	cell[BYTES].count = map->bytes[i % map->size_count];
	cell[ALGORITHM].string = name_of(map, it->best);
	cell[SECONDS].number = it->best_s;
	cell[SECONDS].is_empty = !it->count;
	cell[SECOND].string = name_of(map, it->second);
	cell[SECOND_SECONDS].number = it->second_s;
	cell[SECOND_SECONDS].is_empty = it->second == TMAP_NONE;
	cell[GAIN].number = it->gain;
	cell[GAIN].is_empty = it->second == TMAP_NONE || isinf(it->gain);
	cell[TIES].count = it->ties;
	cell[TIES].is_empty = !it->count;
	return 0;
}

static struct tmap_table table_of(const struct tmap_measured_map *map)
{
	return (struct tmap_table){ .column = columns,
				    .columns = TMAP_COLUMNS(columns),
				    .rows = map->rank_count * map->size_count,
				    .row = cell_row,
				    .subject = map };
}

int tmap_csv_write_measured_map(FILE *out, const struct tmap_measured_map *map,
				struct tmap_error *err)
{
	struct tmap_column column[TMAP_COLUMNS(columns)];
	struct tmap_table table = table_of(map);

	memcpy(column, columns, sizeof columns);
	for (int c = STENCIL; c <= ORDER && !tmap_measured_map_neighbors(map); c++)
		column[c].field = NULL;
	table.column = column;
	return tmap_table_write_csv(out, &table, err);
}

/* Who the neighbors are in all rows: of several each has its own grid. */
static struct tmap_times_neighborhood neighbors_of_all(const struct tmap_measured_map *map)
{
	const struct tmap_times_neighborhood *on = tmap_measured_map_neighbors(map);
	struct tmap_times_neighborhood all = { 0 };

	if (on)
		all = *on;
	if (map->rank_count > 1)
		all.cart = NULL;
	return all;
}

/* *text = that as a line, the caller's, or NULL: there are none. */
static int neighbors_print(const struct tmap_measured_map *map, char **text, struct tmap_error *err)
{
	const struct tmap_times_neighborhood all = neighbors_of_all(map);

	*text = all.stencil ? tmap_neighbors_print(&all, err) : NULL;
	return all.stencil && !*text ? -1 : 0;
}

int tmap_json_write_measured_map(FILE *out, const struct tmap_measured_map *map,
				 struct tmap_error *err)
{
	const struct tmap_table table = table_of(map);
	const struct tmap_times_neighborhood neighbors = neighbors_of_all(map);
	struct tmap_times_caveats caveats;
	struct tmap_json_writer w;

	if (tmap_times_caveats_find(&caveats, map->times, map->rank_count, err) < 0)
		return -1;
	tmap_json_begin(&w, out, "measured_map");
	tmap_json_put_string(&w, "collective", tmap_collective_rows[map->collective].word.name);
	tmap_json_put_int(&w, "root", map->root);
	tmap_json_put_string(&w, "mpi", map->times->mpi);
	tmap_json_put_neighborhood(&w, &neighbors);
	tmap_json_put_double(&w, "coverage", map->coverage);
	tmap_json_put_int(&w, "wrong", map->wrong);
	tmap_json_put_times_caveats(&w, &caveats);
	tmap_json_put_bool(&w, "mixes_by_rounds", map->mixes_rounds);
	tmap_json_put_bool(&w, "mixes_off_cache", map->mixes_cache);
	if (tmap_table_put_json(&w, "cells", &table, err) < 0)
		return -1;
	return tmap_json_end(&w, err);
}

static const char rounds_note[] =
	"Not measured alike: topomap's algorithms by rounds in some documents, not in others";
static const char cache_note[] = "Not measured alike: off_cache is not the same in all documents";

/* Those that cells name; of more than there are letters for those that are the best somewhere. */
static int names_to_show(const struct tmap_measured_map *map)
{
	int most = map->best_count > 26 ? map->best_count : 26;

	return map->shown_count < most ? map->shown_count : most;
}

/* "a=b" of two that are alike within noise, "a=" of more, "a 1.24" of a gain, "a" of one alone. */
static void cell_print(const struct tmap_measured_map *map, const struct tmap_measured_cell *it,
		       char text[16])
{
	char best = tmap_map_letter(it->best);

	if (it->ties == 1 && it->tied < names_to_show(map))
		snprintf(text, 16, "%c=%c", best, tmap_map_letter(it->tied));
	else if (it->ties)
		snprintf(text, 16, "%c=%d", best, it->ties);
	else if (it->count < 2)
		snprintf(text, 16, "%c", best);
	else if (it->gain < 10)
		snprintf(text, 16, "%c %.2f", best, it->gain);
	else
		snprintf(text, 16, it->gain < 1000 ? "%c %.0f" : "%c >999", best, it->gain);
}

/* Columns of a cell on the screen. */
enum { CELL = 8 };

/* The columns [first, end) of the map. */
static void write_cells(FILE *out, const struct tmap_measured_map *map, int first, int end)
{
	char text[16], bytes[TMAP_UNITS_ROOM];

	fprintf(out, "\n  %9s", "ranks");
	for (int s = first; s < end; s++)
		fprintf(out, "%*s", CELL, tmap_units_print_bytes(map->bytes[s], bytes));
	fputc('\n', out);
	for (int r = 0; r < map->rank_count; r++) {
		fprintf(out, "  %9d", map->ranks[r]);
		for (int s = first; s < end; s++) {
			cell_print(map, tmap_measured_map_at(map, r, s), text);
			fprintf(out, "%*s", CELL, text);
		}
		fputc('\n', out);
	}
}

/* What of root and library is above the map. */
static char *title_of(const struct tmap_measured_map *map, struct tmap_error *err)
{
	const struct tmap_collective_row *collective = &tmap_collective_rows[map->collective];
	char root[32] = "";

	if (collective->has_root)
		snprintf(root, sizeof root, ", root %d", map->root);
	return tmap_format(err, "%s%s: the best measured algorithm by bytes and ranks, %.80s",
			   collective->word.name, root, map->times->mpi);
}

/* "95 %", or "75 % or more" of few times. */
enum { COVERAGE_ROOM = 24 };

static const char *coverage_print(const struct tmap_measured_map *map, char room[COVERAGE_ROOM])
{
	bool is_low = map->coverage < TMAP_COVERAGE;

	snprintf(room, COVERAGE_ROOM, "%.3g %%%s", 100 * map->coverage, is_low ? " or more" : "");
	return room;
}

int tmap_text_write_measured_map(FILE *out, const struct tmap_measured_map *map,
				 struct tmap_error *err)
{
	int room = (79 - 11) / CELL;
	char *title = title_of(map, err), *neighbors, coverage[COVERAGE_ROOM];
	struct tmap_times_caveats caveats;

	if (!title || tmap_times_caveats_find(&caveats, map->times, map->rank_count, err) < 0 ||
	    neighbors_print(map, &neighbors, err) < 0) {
		free(title);
		return -1;
	}
	fprintf(out, "%s\n", title);
	if (neighbors)
		fprintf(out, "%s\n", neighbors);
	for (int i = 0; i < caveats.count; i++)
		fprintf(out, "%s\n", caveats.line[i]);
	free(neighbors);
	free(title);
	for (int s = 0; s < map->size_count; s += room)
		write_cells(out, map, s, s + room < map->size_count ? s + room : map->size_count);
	fputc('\n', out);
	for (int i = 0; i < names_to_show(map); i++)
		fprintf(out, "  %c  %s\n", tmap_map_letter(i), map->name[i]);
	fprintf(out,
		"\na 1.24  the second best takes 1.24 times as long\n"
		"a=b     their intervals of %s overlap: b may be as fast; a=3: so may 3 others\n"
		"        (topomap score --times of the document has the times of all)\n"
		"-       not measured\n",
		coverage_print(map, coverage));
	if (map->coverage < TMAP_COVERAGE)
		fputs("\nFewer than 6 times have no interval of 95 %: theirs is from the shortest to the\n"
		      "longest. Measure or launch more often.\n",
		      out);
	if (map->mixes_rounds)
		fprintf(out, "\n%s.\n", rounds_note);
	if (map->mixes_cache)
		fprintf(out, "\n%s.\n", cache_note);
	if (map->has_single)
		fputs("\nIntervals of one launch do not have in them what differs between launches:\n"
		      "launch again, and topomap-bench join the documents.\n",
		      out);
	if (map->wrong)
		fprintf(out, "\nLeft out, as a result was wrong: %d\n", map->wrong);
	return 0;
}

static void map_row(const void *subject, int row, char text[TMAP_MAP_ROOM])
{
	snprintf(text, TMAP_MAP_ROOM, "%d ranks",
		 ((const struct tmap_measured_map *)subject)->ranks[row]);
}

static void map_column(const void *subject, int column, char text[TMAP_MAP_ROOM])
{
	tmap_units_print_bytes(((const struct tmap_measured_map *)subject)->bytes[column], text);
}

/* The colour is full where the second best takes twice as long. */
static void map_cell(const void *subject, int row, int column, struct tmap_map_cell *cell)
{
	const struct tmap_measured_map *map = subject;
	const struct tmap_measured_cell *it = tmap_measured_map_at(map, row, column);
	char best[TMAP_SECONDS_ROOM], second[TMAP_SECONDS_ROOM];

	cell->name = it->best;
	cell->strength = it->ties || it->count < 2 ? 0.15 : 0.3 + 0.7 * fmin(log2(it->gain), 1);
	cell_print(map, it, cell->text);
	if (!it->count)
		snprintf(cell->tip, sizeof cell->tip, "not measured");
	else if (it->second == TMAP_NONE)
		snprintf(cell->tip, sizeof cell->tip, "%.60s: %s, measured alone",
			 map->name[it->best], tmap_seconds_print(it->best_s, best));
	else
		snprintf(cell->tip, sizeof cell->tip, "%.60s: %s; %.60s: %s%s", map->name[it->best],
			 tmap_seconds_print(it->best_s, best), map->name[it->second],
			 tmap_seconds_print(it->second_s, second),
			 it->ties ? "; within noise" : "");
}

static const char *map_name(const void *subject, int name)
{
	return ((const struct tmap_measured_map *)subject)->name[name];
}

int tmap_svg_write_measured_map(FILE *out, const struct tmap_measured_map *map,
				struct tmap_error *err)
{
	char overlap[120], coverage[COVERAGE_ROOM];
	const char *notes[7 + TMAP_CAVEATS_MOST] = {
		"a 1.24: the second best takes 1.24 times as long; from 2 on the colour is full",
		overlap, "columns: bytes, as MPI counts them; rows: ranks"
	};
	int count = 3;
	char *title = title_of(map, err), *neighbors;
	struct tmap_times_caveats caveats;

	if (!title || tmap_times_caveats_find(&caveats, map->times, map->rank_count, err) < 0 ||
	    neighbors_print(map, &neighbors, err) < 0) {
		free(title);
		return -1;
	}
	snprintf(overlap, sizeof overlap,
		 "a=b: their intervals of %s overlap, b may be as fast; a=3: so may 3 others",
		 coverage_print(map, coverage));
	count = tmap_note_times_caveats(notes, count, &caveats);
	if (neighbors)
		notes[count++] = neighbors;
	if (map->mixes_rounds)
		notes[count++] = rounds_note;
	if (map->mixes_cache)
		notes[count++] = cache_note;
	tmap_map_write_svg(out,
			   &(struct tmap_map){ .title = title,
					       .note = notes,
					       .rows = map->rank_count,
					       .columns = map->size_count,
					       .names = names_to_show(map),
					       .subject = map,
					       .row_heading = map_row,
					       .column_heading = map_column,
					       .cell = map_cell,
					       .name = map_name });
	free(neighbors);
	free(title);
	return 0;
}
