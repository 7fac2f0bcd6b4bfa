/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot.h - values over an axis as lines and boxes, one panel or several side by side.
 *
 *     1 ms |               .o ring         a band, or bars, from low to high around each point,
 *          |          ..o''                hatched, a marker at each, a ring around some,
 *    10 us |    o..o''                     dashes and hollow markers for what is predicted
 *          +--------------------
 *             8    1KiB   64KiB
 *
 *     1.2  |  T    T    |  T                a box from quartile to quartile with its median,
 *          | [=]  [=]   | [=]  -            whiskers, and a bar where only a median is known;
 *     1.0  |--1----2----|--1---2---         rules across at values that matter
 *             native      mock-up
 *
 * Lines differ in colour (Okabe and Ito's), in the shape of their markers and in the slope of what hatches
 * their bands (hatch.h), and their names stand beside them: they are told apart in grey, too. What has no
 * place on an axis is left out.
 */
#ifndef TMAP_FORMATS_DRAW_PLOT_H
#define TMAP_FORMATS_DRAW_PLOT_H

#include "core/base/error.h"
#include "formats/draw/axis.h"

#include <stdio.h>

struct tmap_plot_point {
	double x, y;
	double low, high; /**< of the band, or of the bar; both 0: none */
	bool is_ringed;
	bool is_hollow; /**< its marker */
};

struct tmap_plot_line {
	const char *name; /**< NULL: it is named by the line before it, whose colour it has, dashed */
	bool is_faint;    /**< thin and grey, below the others, without markers, bands and a name */
	bool has_bars;    /**< from low to high at each point, instead of a band; several such lines
			       stand side by side */
	bool is_scattered; /**< markers alone, small: what was measured */
	bool is_bare; /**< without markers; where it has no name, not dashed: what was fitted */
	int count;
	struct tmap_plot_point *point; /**< [count], x rising */
};

struct tmap_plot_box {
	int index; /**< boxes with one index look alike */
	double x, median;
	bool has_quartiles; /**< else there is only the median */
	double low, q1, q3, high;
};

/** Across the panel, below all. */
struct tmap_plot_rule {
	double y;
	const char *text; /**< above its right end; of boxes, behind it */
};

/** Instead of numbers at the x axis; at + half of span each way belongs to it. */
struct tmap_plot_group {
	double x;
	const char *text;
};

struct tmap_plot_panel {
	const char *title; /**< above the frame; NULL: none */
	int line_count, box_count, rule_count, group_count;
	struct tmap_plot_line *line;
	const struct tmap_plot_box *box;
	const struct tmap_plot_rule *rule;
	const struct tmap_plot_group *group;
};

struct tmap_plot {
	const char *title, *subtitle;  /**< subtitle NULL: none */
	const char *x_label, *y_label; /**< with their units */
	enum tmap_axis_kind x, y;
	const char *const *note; /**< below, of bands, rings and dashes; ends with NULL */
	int count;
	bool is_by_name; /**< lines of one name look alike in all panels; else they look alike by
			      their place in a panel */
	struct tmap_plot_panel *panel; /**< [count], at least 1; each has axes of its own */
};

/** Refuses (TMAP_INPUT) a plot without a point that has a place. O(points log points). */
int tmap_plot_write_svg(FILE *out, const struct tmap_plot *plot, struct tmap_error *err);

#endif
