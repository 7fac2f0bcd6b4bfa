/*
 * distance_matrix.h - the distances of some ranks, each with each: numbers, CSV, a picture.
 *
 *            0  1  2  3
 *         0  0  1  5  5
 *         1  1  0  5  5
 */
#ifndef TM_DISTANCE_MATRIX_H
#define TM_DISTANCE_MATRIX_H

#include "core/distance/distance.h"
#include "formats/json/json_write.h"

#include <stdio.h>

/** The most ranks of a matrix as text, as CSV or JSON, and as a picture. */
enum { TM_MATRIX_MOST_TEXT = 512, TM_MATRIX_MOST_CSV = 8192, TM_MATRIX_MOST_SVG = 512 };

/** Write the matrix of @p count ranks in the order given. More ranks than the limit are refused
 *  (TM_INPUT). O(count^2 x steps). */
int tm_text_write_matrix(FILE *out, const struct tm_metric *metric, const int *rank, int count,
			 struct tm_error *err);
int tm_csv_write_matrix(FILE *out, const struct tm_metric *metric, const int *rank, int count,
			struct tm_error *err);
int tm_json_put_matrix(struct tm_json_writer *w, const char *name, const struct tm_metric *metric,
		       const int *rank, int count, struct tm_error *err);

/** The same as a picture with a legend; @p scale is enum tm_scale. */
int tm_svg_write_matrix(FILE *out, const struct tm_metric *metric, int scale, const int *rank,
			int count, struct tm_error *err);

#endif
