/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * correction.h - many tests at once: what a p is worth among them.
 *
 *     1000 tests at p <= 0.001, nothing slower anywhere: one of them says so all the same, by chance
 *
 *     p in order         0.0004   0.0009   0.02    0.5
 *     Holm               0.0016   0.0027   0.04    0.5      p_i (m - i + 1), and no less than before
 *     Benjamini-Hochberg 0.0016   0.0018   0.0267  0.5      p_i m / i, and no more than behind
 *
 * An adjusted p is compared with the threshold instead. By Holm's (1979), chance makes any false
 * violation at all with no more than that; by Benjamini and Hochberg's (1995), no more than that part
 * of the violations is expected to be false. Luebbe 2017 corrects nothing.
 */
#ifndef TMAP_CORE_MEASURE_CORRECTION_H
#define TMAP_CORE_MEASURE_CORRECTION_H

#include "core/base/error.h"
#include "core/base/keyword.h"

enum tmap_correction {
	TMAP_CORRECT_NONE,
	TMAP_CORRECT_HOLM,
	TMAP_CORRECT_BH,
};

extern const struct tmap_keywords tmap_corrections; /**< by name, in the order of the enum */

/** adjusted[@p count] = what corresponds to each p. It rises with every p. O(count log count). */
int tmap_p_adjust(double *adjusted, const double *p, int count, enum tmap_correction correction,
		  struct tmap_error *err);

#endif
