/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * npy.h - a matrix as NumPy saves an array: the one format of traffic that is no text.
 *
 *     \x93NUMPY  version  length  {'descr': '<f8', 'fortran_order': False, 'shape': (4, 4), }  numbers
 *
 * Row i, column j is what rank i sends rank j: integers of 1 to 8 bytes, with or without sign, floats of
 * 4 or 8, and booleans, in either byte order.
 */
#ifndef TMAP_FORMATS_TRAFFIC_NPY_H
#define TMAP_FORMATS_TRAFFIC_NPY_H

#include "core/pattern/pattern.h"
#include "formats/base/input.h"

#include <stdbool.h>

/** Bytes of numbers that are read of one array at most, 2^40: the job has a rank for each row, or the array
 *  is cut to those that it has. */
#define TMAP_NPY_MOST ((int64_t)1 << 40)

/** Does it begin like one? */
bool tmap_npy_is(struct tmap_input *in);

/** Add the matrix that *in holds, whose ends of lines and zeros stay. Refuses (TMAP_INPUT) other arrays,
 *  numbers below 0 or not finite, and a matrix that is cut off; messages have no file. O(length of the
 *  numbers), of which a few are kept. */
int tmap_npy_read(struct tmap_pattern_builder *b, struct tmap_input *in, struct tmap_error *err);

#endif
