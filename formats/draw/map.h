/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map.h - cells in rows and columns, each of the colour of a name, whose letters are below.
 *
 *                   8     1KiB    64KiB
 *      2 ranks   [a 1.3] [a 1.1] [b 2.0]
 *      4 ranks   [a=b  ] [b 1.2] [b 2.5]       the more, the stronger is the colour
 *
 *      [a] ring
 *      [b] bruck
 *
 * Cells have letters, and what the strength of the colour says as a number, so that grey will do.
 */
#ifndef TMAP_FORMATS_DRAW_MAP_H
#define TMAP_FORMATS_DRAW_MAP_H

#include <stdio.h>

enum { TMAP_MAP_ROOM = 200 };

struct tmap_map_cell {
	int name;                /**< TMAP_NONE: a grey one */
	double strength;         /**< of its colour, from 0 to 1 */
	char text[16];           /**< in it */
	char tip[TMAP_MAP_ROOM]; /**< under the pointer */
};

struct tmap_map {
	const char *title;
	const char *const *note; /**< below the title, of what rows and columns are; ends with NULL */
	int rows, columns, names;
	const void *subject;
	void (*row_heading)(const void *subject, int row, char text[TMAP_MAP_ROOM]);
	void (*column_heading)(const void *subject, int column, char text[TMAP_MAP_ROOM]);
	void (*cell)(const void *subject, int row, int column, struct tmap_map_cell *cell);
	const char *(*name)(const void *subject, int name);
};

/** The letter of a name: 'a', 'b', ... 'z', and '?' for more; '-' of TMAP_NONE. */
char tmap_map_letter(int name);

void tmap_map_write_svg(FILE *out, const struct tmap_map *map);

#endif
