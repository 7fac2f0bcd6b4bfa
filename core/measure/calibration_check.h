/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibration_check.h - does a cost profile predict what it was not fitted to?
 *
 *     case              algorithm      predicted   measured
 *     allgather 640 B   bruck              9 us     10 us     its first choice, and the best
 *                       sparbit           10 us     11 us
 *                       ring              31 us     33 us     rho 1, regret 1, ratio 1.11
 *     ... 20 of them: five collectives, four sizes each
 *
 * Of each case the algorithms that are predicted best are measured, and some of the others, so that
 * one which is better than predicted is met. Algorithms whose measured times are alike
 * (agreement.h) are as good as one another.
 */
#ifndef TMAP_CORE_MEASURE_CALIBRATION_CHECK_H
#define TMAP_CORE_MEASURE_CALIBRATION_CHECK_H

#include "core/measure/agreement.h"
#include "core/score/score.h"

enum {
	TMAP_CHECK_COLLECTIVES = 5,
	TMAP_CHECK_SIZES = 4,
	TMAP_CHECK_CASES = TMAP_CHECK_COLLECTIVES * TMAP_CHECK_SIZES,
	TMAP_CHECK_BEST = 5,   /**< algorithms of a case that are predicted best */
	TMAP_CHECK_OTHERS = 3, /**< and others */
	TMAP_CHECK_ROWS = TMAP_CHECK_BEST + TMAP_CHECK_OTHERS
};

/** A first choice is good that takes no longer than so many times what the best takes. */
#define TMAP_CHECK_NEAR 1.05

/** Times of the same thing are further apart only where a machine is not quiet. */
#define TMAP_CHECK_DRIFT 0.1

struct tmap_check_request {
	const struct tmap_profile *profile;
	double seconds;       /**< for all of it */
	uint64_t seed;        /**< of the sizes and of the others */
	int64_t memory_bytes; /**< that a rank may have for what it sends and receives */
};

struct tmap_check_row {
	char *algorithm; /**< with its parameters */
	double predicted_s;
	double measured_s;                      /**< 0: it was not */
	struct tmap_measured_interval interval; /**< of the measured median */
	double drift; /**< the longest over the shortest median of the rounds that it was measured
				in, less 1; 0 with one round */
};

struct tmap_check_case {
	enum tmap_collective collective;
	int64_t bytes;
	int count;
	struct tmap_check_row row[TMAP_CHECK_ROWS]; /**< [count], the shortest prediction first */
	/* by tmap_check_judge(): */
	bool counts;     /**< two rows at least, and all were measured */
	bool has_rho;    /**< three at least */
	double rho;      /**< tmap_agreement_even() */
	int first, best; /**< rows, as of struct tmap_agreement */
	bool is_tied;
	double regret, ratio;
};

struct tmap_check {
	int count;
	struct tmap_check_case item[TMAP_CHECK_CASES]; /**< [count] */
};

struct tmap_check_verdict {
	int cases;      /**< those that count; 0: nothing else is known */
	int algorithms; /**< of all of these together */
	int rho_cases;  /**< cases that have rho */
	double rho;     /**< mean of these; 0 without any */
	double rho_all; /**< of all algorithms of all cases in one list, where sizes have their part */
	double regret; /**< geometric mean */
	double worst_regret;
	int worst;    /**< the case that has it */
	int near;     /**< cases whose first choice is within TMAP_CHECK_NEAR of the best */
	int tied;     /**< and others, whose intervals do not tell it from the best */
	double ratio; /**< largest of measured / predicted and its inverse */
	int drifting; /**< algorithms whose drift is above TMAP_CHECK_DRIFT */
};

/** The cases, and of each the algorithms that are to be measured, by prediction: sizes from 64 bytes
 *  to 1 MiB, as far as memory goes, and as far as the predicted time does. The same for the same seed.
 *  None on one rank. Time of tmap_score_init() of five collectives, and again for each size. */
int tmap_check_plan(struct tmap_check *check, const struct tmap_placement *placement,
		    const struct tmap_check_request *request, struct tmap_error *err);
void tmap_check_fini(struct tmap_check *check);

/** The most bytes, as of a call, of which a rank sends and receives no more than that together. */
int64_t tmap_check_most_bytes(enum tmap_collective collective, int ranks, int64_t memory_bytes);

/** What came of it, of each case and of all; rows that were left out are to be removed before. */
int tmap_check_judge(struct tmap_check *check, struct tmap_check_verdict *verdict,
		     struct tmap_error *err);

/** Row @p i of a case goes: it cannot be measured. */
void tmap_check_remove_row(struct tmap_check_case *it, int i);

#endif
