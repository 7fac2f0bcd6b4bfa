/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * agreement.h - do predicted times order things as measured ones do?
 *
 *     predicted   1  2  3  4        rho      0.8: Spearman's, of the ranks of both; ties share
 *     measured    2  1  3  5                 their mean rank
 *                 ^  ^              regret   2: what the first choice takes over what the best does
 *            first  best            ratio    2: the largest of measured / predicted and its inverse
 */
#ifndef TMAP_CORE_MEASURE_AGREEMENT_H
#define TMAP_CORE_MEASURE_AGREEMENT_H

#include "core/base/error.h"

#include <stdbool.h>

struct tmap_agreement {
	bool has_rho; /**< three pairs at least, and neither side all alike */
	double rho;
	int first_choice; /**< the shortest predicted; of equals the slowest measured */
	int best;         /**< the shortest measured; of equals the first */
	double regret;    /**< 1: the first choice is the best */
	double ratio;
};

/** Measured times that are no further apart are alike: 2 %. */
#define TMAP_AGREEMENT_TIE 0.02

/** Of @p count > 0 pairs of positive times. O(count log count). */
int tmap_agreement_init(struct tmap_agreement *agreement, const double *predicted,
			const double *measured, int count, struct tmap_error *err);

/** *rho = Spearman's, where neighbours in the order of the measured times that are within
 *  TMAP_AGREEMENT_TIE of the first of them have the mean rank of theirs on both sides: as many as
 *  may be, from the shortest on. 1 where all are so, as any order agrees with that; 0 where, of others,
 *  all predicted ranks are alike. O(count log count). */
int tmap_agreement_even(double *rho, const double *predicted, const double *measured, int count,
			struct tmap_error *err);

#endif
