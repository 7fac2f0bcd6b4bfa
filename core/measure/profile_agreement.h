/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_agreement.h - do two calibrations of one machine say the same?
 *
 *     distance  bytes   a                    b                    within their intervals?
 *            1      0   310 ns (300-320)     325 ns (315-335)     yes: the intervals meet
 *            7   2MiB   190 us (188-192)     210 us (207-213)     no
 *            7      0   2 us (1-4)           3 us (2.9-3.1)       unknown: the first says nothing
 *
 * Times are compared at sizes a factor of 2 or more from where a piece of either begins, as that is
 * known no better; a row without intervals, which was not fitted, is as exact as 5 %. What ranks
 * share, or a rank does itself, has no intervals of its own, and agrees within 10 %, or within the
 * factor by which times differed from one time of its calibration to another. An interval that
 * meets almost any other says nothing. What only one of the two knows is not compared.
 */
#ifndef TMAP_CORE_MEASURE_PROFILE_AGREEMENT_H
#define TMAP_CORE_MEASURE_PROFILE_AGREEMENT_H

#include "core/cost/profile.h"

/** How near a time without an interval is to be, and two of what is shared: parts of it. */
#define TMAP_AGREEMENT_TIMES 0.05
#define TMAP_AGREEMENT_SHARED 0.10

/** An interval that reaches further than that factor from its value says nothing. */
#define TMAP_AGREEMENT_WIDEST 1.5

enum tmap_agreement_verdict {
	TMAP_AGREEMENT_DIFFERS,
	TMAP_AGREEMENT_AGREES,
	TMAP_AGREEMENT_UNKNOWN /**< they meet, as an interval says nothing */
};

/** A time, or a cost, of one of the two. */
struct tmap_agreement_value {
	double value, low, high;
};

struct tmap_agreement_row {
	int distance;     /**< of messages; 0: it is of what ranks share */
	int64_t bytes;    /**< of a message */
	const char *what; /**< "adapters", "memory", "copy", "reduce", "datatype", "shared core", or
				"link"; NULL: a message */
	const char *level; /**< of a link; borrowed */
	bool is_message;   /**< of what is shared: seconds a message, not a byte */
	struct tmap_agreement_value a, b;
	enum tmap_agreement_verdict verdict;
};

struct tmap_profile_agreement {
	const struct tmap_profile *a, *b; /**< borrowed */
	int count, differing, unknown;
	struct tmap_agreement_row *row; /**< messages by distance and size, then what is shared */
	size_t capacity;
	int alone; /**< distances that only one of the two has */
};

/** Compare them. TMAP_INPUT where they have no distance in common. O(rows x links). */
int tmap_profile_agreement_init(struct tmap_profile_agreement *it, const struct tmap_profile *a,
				const struct tmap_profile *b, struct tmap_error *err);
void tmap_profile_agreement_fini(struct tmap_profile_agreement *it);

#endif
