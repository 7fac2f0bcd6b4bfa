/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * svg.h - a picture of boxes and words, written as it comes.
 *
 * Lengths are pixels from the top left. Text is escaped; the width of words is estimated
 * for any usual sans-serif font, since the viewer chooses it.
 */
#ifndef TMAP_FORMATS_DRAW_SVG_H
#define TMAP_FORMATS_DRAW_SVG_H

#include <stdbool.h>
#include <stdio.h>

/** Begin a picture of this size on white; @p title is its tooltip and what screen readers read. */
void tmap_svg_begin(FILE *out, double width, double height, const char *title);
void tmap_svg_end(FILE *out);

/** What follows is moved by this, until the end. */
void tmap_svg_move(FILE *out, double x, double y);
void tmap_svg_move_end(FILE *out);

struct tmap_svg_box {
	double x, y, width, height;
	const char *fill;   /**< NULL: not filled */
	const char *stroke; /**< NULL: no line */
	double round;       /**< radius of the corners */
	const char *tip;    /**< tooltip; NULL: none */
};

void tmap_svg_box(FILE *out, const struct tmap_svg_box *box);

struct tmap_svg_point {
	double x, y;
};

struct tmap_svg_stroke {
	const char *color;
	double width;
	bool is_dashed;
};

/** From point to point; nothing of fewer than two. */
void tmap_svg_line(FILE *out, const struct tmap_svg_point *point, int count,
		   const struct tmap_svg_stroke *stroke);

/** Within <defs>: an area filled with "url(#name)" has lines so many degrees from upright, @p apart. */
void tmap_svg_hatch(FILE *out, const char *name, int degrees, int apart, const char *color);

/** What the points enclose, @p opacity from 0 to 1. */
void tmap_svg_area(FILE *out, const struct tmap_svg_point *point, int count, const char *fill,
		   double opacity);

enum tmap_svg_anchor { TMAP_SVG_START, TMAP_SVG_MIDDLE, TMAP_SVG_END };

struct tmap_svg_text {
	double x, y; /**< of the base line, where the text starts, or its middle or end */
	double size;
	enum tmap_svg_anchor anchor;
	bool bold;
	const char *color; /**< NULL: black */
};

void tmap_svg_text(FILE *out, const struct tmap_svg_text *how, const char *text);

/** Width that @p text is not likely to exceed at this size. */
double tmap_svg_text_width(const char *text, double size);

#endif
