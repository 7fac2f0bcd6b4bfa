/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * distance_matrix.h - the distances of some ranks, each with each: numbers, CSV, a picture.
 *
 *            0  1  2  3
 *         0  0  1  5  5
 *         1  1  0  5  5
 */
#ifndef TMAP_FORMATS_MACHINE_DISTANCE_MATRIX_H
#define TMAP_FORMATS_MACHINE_DISTANCE_MATRIX_H

#include "core/distance/distance.h"
#include "formats/json/json_write.h"

#include <stdio.h>

/** The most ranks of a matrix as text, as CSV or JSON, and as a picture. */
enum { TMAP_MATRIX_MOST_TEXT = 512, TMAP_MATRIX_MOST_CSV = 8192, TMAP_MATRIX_MOST_SVG = 512 };

/** Write the matrix of @p count ranks in the order given. More ranks than the limit are refused
 *  (TMAP_INPUT). O(count^2 x steps). */
int tmap_text_write_matrix(FILE *out, const struct tmap_metric *metric, const int *rank, int count,
			   struct tmap_error *err);
int tmap_csv_write_matrix(FILE *out, const struct tmap_metric *metric, const int *rank, int count,
			  struct tmap_error *err);
int tmap_json_put_matrix(struct tmap_json_writer *w, const char *name,
			 const struct tmap_metric *metric, const int *rank, int count,
			 struct tmap_error *err);

/** The same as a picture with a legend; @p scale is enum tmap_scale. */
int tmap_svg_write_matrix(FILE *out, const struct tmap_metric *metric, int scale, const int *rank,
			  int count, struct tmap_error *err);

#endif
