/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/draw/hatch.h"

#include "formats/draw/palette.h"

/* Degrees from upright; none lies flat, which would not be seen in an area of little height. */
static const int slopes[] = { 45, -45, 0, 20, -20 };

enum { SLOPES = sizeof slopes / sizeof *slopes, APART = 6 };

/* The lines of a number are the same in all pictures, and so several may stand in one page. */
static void hatch_name(char name[static 16], int number)
{
	snprintf(name, 16, "hatch%d", number);
}

void tmap_hatch_define(FILE *out, int count)
{
	char name[16];

	if (count < 1)
		return;
	fputs("<defs>\n", out);
	for (int i = 0; i < count; i++) {
		hatch_name(name, i);
		tmap_svg_hatch(out, name, slopes[i % SLOPES], APART, tmap_palette_line(i));
	}
	fputs("</defs>\n", out);
}

void tmap_hatch_area(FILE *out, const struct tmap_svg_point *point, int count, int number)
{
	const struct tmap_svg_stroke edge = { tmap_palette_line(number), 0.6, false };
	char name[16], fill[24];

	hatch_name(name, number);
	snprintf(fill, sizeof fill, "url(#%s)", name);
	tmap_svg_area(out, point, count, tmap_palette_line(number), 0.08);
	tmap_svg_area(out, point, count, fill, 1);
	tmap_svg_line(out, point, count / 2, &edge);
	tmap_svg_line(out, point + count / 2, count - count / 2, &edge);
}
