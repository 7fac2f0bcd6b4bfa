/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/draw/map.h"

#include "core/base/keyword.h"
#include "formats/draw/svg.h"

#include <math.h>
#include <stdlib.h>

enum {
	BOX_WIDTH = 58,
	BOX_HEIGHT = 30,
	BASE_LINE = 20,
	TEXT = 13,
	TITLE = 16,
	LEFT = 90,
	TOP = 60,
	NOTE = 18,
	LEAST_COLUMNS = 8,
};

enum { COLORS = 12 };

/* After Paul Tol: distinct for colour-blind readers, and light enough for letters. */
static const char *const colors[COLORS] = { "#88CCEE", "#DDCC77", "#CC6677", "#44AA99",
					    "#77BB88", "#999933", "#AA4499", "#CC99BB",
					    "#6699CC", "#EEDD88", "#FFAABB", "#BBCC33" };

char tmap_map_letter(int name)
{
	return name == TMAP_NONE ? '-' : name < 26 ? (char)('a' + name) : '?';
}

/* The colour of a name, mixed with white. */
static const char *fill_of(int name, double strength, char room[8])
{
	unsigned long rgb;
	unsigned part[3];

	if (name == TMAP_NONE)
		return "#DDDDDD";
	rgb = strtoul(colors[name % COLORS] + 1, NULL, 16);
	for (int i = 0; i < 3; i++) {
		double full = (double)(rgb >> (16 - 8 * i) & 255);

		part[i] = (unsigned)lround(255 - strength * (255 - full));
	}
	snprintf(room, 8, "#%02X%02X%02X", part[0] & 255, part[1] & 255, part[2] & 255);
	return room;
}

/* A box of a name's colour with a text in the middle; @p tip under the pointer. */
static void draw_box(FILE *out, int x, int y, const struct tmap_map_cell *cell, const char *tip)
{
	char room[8];

	tmap_svg_box(out,
		     &(struct tmap_svg_box){ .x = x,
					     .y = y,
					     .width = BOX_WIDTH,
					     .height = BOX_HEIGHT,
					     .fill = fill_of(cell->name, cell->strength, room),
					     .stroke = "#FFFFFF",
					     .tip = tip });
	tmap_svg_text(out,
		      &(struct tmap_svg_text){ .x = x + BOX_WIDTH / 2.0,
					       .y = y + BASE_LINE,
					       .size = TEXT,
					       .anchor = TMAP_SVG_MIDDLE },
		      cell->text);
}

static void draw_rows(FILE *out, const struct tmap_map *map, int top)
{
	for (int r = 0; r < map->rows; r++) {
		int y = top + r * BOX_HEIGHT;
		char text[TMAP_MAP_ROOM];

		map->row_heading(map->subject, r, text);
		tmap_svg_text(out,
			      &(struct tmap_svg_text){ .x = LEFT - 8,
						       .y = y + BASE_LINE,
						       .size = TEXT,
						       .anchor = TMAP_SVG_END },
			      text);
		for (int c = 0; c < map->columns; c++) {
			struct tmap_map_cell cell = { .name = TMAP_NONE, .strength = 1 };

			map->cell(map->subject, r, c, &cell);
			draw_box(out, LEFT + c * BOX_WIDTH, y, &cell, cell.tip);
		}
	}
}

static void draw_names(FILE *out, const struct tmap_map *map, int top)
{
	for (int i = 0; i < map->names; i++) {
		const struct tmap_map_cell cell = { .name = i,
						    .strength = 1,
						    .text = { tmap_map_letter(i) } };
		int y = top + i * BOX_HEIGHT;

		draw_box(out, LEFT, y, &cell, map->name(map->subject, i));
		tmap_svg_text(out,
			      &(struct tmap_svg_text){ .x = LEFT + BOX_WIDTH + 10,
						       .y = y + BASE_LINE,
						       .size = TEXT },
			      map->name(map->subject, i));
	}
}

/* Those of titles that were never longer than the map stay where they were. */
static double width_of(const struct tmap_map *map, int notes)
{
	int columns = map->columns > LEAST_COLUMNS ? map->columns : LEAST_COLUMNS;
	double width = LEFT + columns * BOX_WIDTH + 20;

	for (int i = 0; i < notes; i++)
		width = fmax(width, LEFT + tmap_svg_text_width(map->note[i], TEXT) + 20);
	return notes ? fmax(width, LEFT + tmap_svg_text_width(map->title, TITLE) + 20) : width;
}

void tmap_map_write_svg(FILE *out, const struct tmap_map *map)
{
	int notes = 0, top, legend;
	char text[TMAP_MAP_ROOM];

	while (map->note && map->note[notes])
		notes++;
	top = TOP + notes * NOTE;
	legend = top + map->rows * BOX_HEIGHT + 20;
	tmap_svg_begin(out, width_of(map, notes), legend + map->names * BOX_HEIGHT + 20,
		       map->title);
	tmap_svg_text(out, &(struct tmap_svg_text){ .x = LEFT, .y = 24, .size = TITLE },
		      map->title);
	for (int i = 0; i < notes; i++)
		tmap_svg_text(out,
			      &(struct tmap_svg_text){
				      .x = LEFT, .y = 24 + (i + 1) * NOTE, .size = TEXT },
			      map->note[i]);
	for (int c = 0; c < map->columns; c++) {
		map->column_heading(map->subject, c, text);
		tmap_svg_text(out,
			      &(struct tmap_svg_text){ .x = LEFT + (c + 0.5) * BOX_WIDTH,
						       .y = top - 8,
						       .size = TEXT,
						       .anchor = TMAP_SVG_MIDDLE },
			      text);
	}
	draw_rows(out, map, top);
	draw_names(out, map, legend);
	tmap_svg_end(out);
}
