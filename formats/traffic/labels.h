/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * labels.h - the names of ranks above a matrix and before its lines.
 *
 *     rank,r2,r0,r1         labels that count, in any order: r1 is rank 1
 *     "Rank 1";"Rank 2"     from 1 on as well: "Rank 1" is rank 0
 *     n0-c0 n0-c1 n1-c0     names: what stands before their last number is not the same
 */
#ifndef TMAP_FORMATS_TRAFFIC_LABELS_H
#define TMAP_FORMATS_TRAFFIC_LABELS_H

#include "formats/base/lines.h"

#include <stdbool.h>
#include <stdint.h>

struct tmap_label {
	const char *text; /**< borrowed, without quotes */
	size_t length;
	size_t prefix;  /**< bytes before its number */
	int64_t number; /**< that it is or ends with; TMAP_NONE: with none below 2^31 */
	int line;
	bool is_word; /**< else it has to be a number */
};

/** The next field of the line, which moves behind it; blanks may be in one with quotes. False at the end
 *  of the line. */
bool tmap_label_next(struct tmap_label *label, struct tmap_line *line);

/** What labels have in common, one after the other. */
struct tmap_label_series {
	int count, words;
	bool differ; /**< no number, or something else before it than the first has */
	struct tmap_label first;
	int64_t least, most, sum; /**< of the numbers */
};

void tmap_label_series_add(struct tmap_label_series *series, const struct tmap_label *label);

/** Do they begin alike, and their numbers at 0 or 1? There may be gaps. */
bool tmap_label_series_begins(const struct tmap_label_series *series);

/** The same without gaps, as far as the least, the most and the sum tell. */
bool tmap_label_series_counts(const struct tmap_label_series *series);

#endif
