/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * repetition.h - how often something is timed: until there are enough, or the time is used up, or
 * the median is known well enough.
 *
 *     rule     repetitions 1000      seconds 1        precision 2 %
 *              at most               all of them      the interval is as narrow as that part of
 *                                    together         the median
 *
 * The interval (sample_statistics.h) is looked at when there are six times, and then whenever there are
 * an eighth more: whoever looked at it after each time would stop at the first that is narrow by
 * chance, and sort for longer than he measures.
 */
#ifndef TMAP_CORE_MEASURE_REPETITION_H
#define TMAP_CORE_MEASURE_REPETITION_H

#include "core/measure/sample_statistics.h"

/** 0: that does not end it. One of the first two is not 0. */
struct tmap_repetition_rule {
	int64_t repetitions;
	double seconds;
	double precision; /**< 0.02: the interval's length over the median */
};

struct tmap_repetition {
	struct tmap_repetition_rule rule;
	double *time; /**< [count] */
	size_t count, capacity;
	size_t look; /**< at the interval when there are as many */
	double spent_s;
	bool is_precise;
};

void tmap_repetition_init(struct tmap_repetition *it, const struct tmap_repetition_rule *rule);
void tmap_repetition_fini(struct tmap_repetition *it);

/** How many are to be timed before the next call; 0: it has ended. At first one, then no more than
 *  a quarter of those that are there, and at most @p most; never past the rule's number, nor, as
 *  far as the mean tells, its seconds. */
size_t tmap_repetition_next(const struct tmap_repetition *it, size_t most);

/** So many have been timed, perhaps none; @p spent_s: since the beginning, with all that is between them. */
int tmap_repetition_add(struct tmap_repetition *it, const double *time, size_t count,
			double spent_s, struct tmap_error *err);

#endif
