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

#include <stdbool.h>
#include <stddef.h>

/** Does it begin like one? */
bool tmap_npy_is(const unsigned char *bytes, size_t length);

/** Add the matrix that @p length bytes hold. Refuses (TMAP_INPUT) other arrays, numbers below 0 or not
 *  finite, and a matrix that is cut off. O(length). */
int tmap_npy_parse(struct tmap_pattern_builder *b, const unsigned char *bytes, size_t length,
		   struct tmap_error *err);

#endif
