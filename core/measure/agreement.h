/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * agreement.h - do predicted times order things as measured ones do?
 *
 *     predicted   1  2  3  4        rho      0.8: Spearman's, of the ranks of both; ties share
 *     measured    2  1  3  5                 their mean rank
 *                 ^  ^              regret   2: what the first choice takes over what the best does
 *            first  best            ratio    2: the largest of measured / predicted and its inverse
 *
 * Measured times are alike that are within 2 % of one another, or where the interval of each (of 95 %,
 * sample_statistics.h) has the other: which is the shorter is not known then. Of such any order is right.
 */
#ifndef TMAP_CORE_MEASURE_AGREEMENT_H
#define TMAP_CORE_MEASURE_AGREEMENT_H

#include "core/base/error.h"

#include <stdbool.h>

/** Where the true median of a measured time is with 95 % probability; 0 and 0: not known. */
struct tmap_measured_interval {
	double low, high;
};

struct tmap_agreement {
	bool has_rho; /**< three pairs at least, and neither side all alike */
	double rho;
	int first_choice; /**< the shortest predicted; of equals the slowest measured */
	int best;         /**< the shortest measured; of equals the first */
	double regret;    /**< 1: the first choice is the best */
	bool is_tied;     /**< by their intervals the first choice may be as good as the best */
	double ratio;
};

/** Measured times that are no further apart are alike, whatever their intervals: 2 %. */
#define TMAP_AGREEMENT_TIE 0.02

/** Of @p count > 0 pairs of positive times; the intervals are those of the measured ones, NULL: none is
 *  known. rho is of the times as they are. O(count log count). */
int tmap_agreement_init(struct tmap_agreement *agreement, const double *predicted,
			const double *measured, const struct tmap_measured_interval *interval,
			int count, struct tmap_error *err);

/** Are all measured times alike, each with the shortest? O(count). */
bool tmap_agreement_is_even(const double *measured, const struct tmap_measured_interval *interval,
			    int count);

/** *rho = Spearman's, where neighbours in the order of the measured times that are alike with the first
 *  of them have the mean rank of theirs on both sides: as many as
 *  may be, from the shortest on. 1 where all are so, as any order agrees with that; 0 where, of others,
 *  all predicted ranks are alike. O(count log count). */
int tmap_agreement_even(double *rho, const double *predicted, const double *measured,
			const struct tmap_measured_interval *interval, int count,
			struct tmap_error *err);

#endif
