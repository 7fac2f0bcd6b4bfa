/*
 * svg.h - a picture of boxes and words, written as it comes.
 *
 * Lengths are pixels from the top left. Text is escaped; the width of words is estimated
 * for any usual sans-serif font, since who draws the picture chooses it.
 */
#ifndef TMAP_FORMATS_DRAW_SVG_H
#define TMAP_FORMATS_DRAW_SVG_H

#include <stdbool.h>
#include <stdio.h>

/** Begin a picture of this size on white; @p title is what a mouse shows and readers read. */
void tmap_svg_begin(FILE *out, double width, double height, const char *title);
void tmap_svg_end(FILE *out);

struct tmap_svg_box {
	double x, y, width, height;
	const char *fill;   /**< NULL: not filled */
	const char *stroke; /**< NULL: no line */
	double round;       /**< radius of the corners */
	const char *tip;    /**< what a mouse shows; NULL: nothing */
};

void tmap_svg_box(FILE *out, const struct tmap_svg_box *box);

struct tmap_svg_text {
	double x, y; /**< of the base line's beginning, or middle if centred */
	double size;
	bool bold, centred;
	const char *color; /**< NULL: black */
};

void tmap_svg_text(FILE *out, const struct tmap_svg_text *how, const char *text);

/** Width that @p text is not likely to exceed at this size. */
double tmap_svg_text_width(const char *text, double size);

#endif
