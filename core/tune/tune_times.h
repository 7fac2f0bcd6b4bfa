/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_times.h - measured times of what can be chosen, on the communicators of one size.
 *
 *     bytes            8     1KiB    4KiB               64KiB
 *     native         2 us    4 us    9 us               90 us
 *     native:ring    9 us    9 us   10 us               60 us
 *     covered         |--------------|                    |
 *
 * Between two sizes that were measured, the larger at most four times the smaller, times are on the
 * straight line between them, both ways in logarithms. Farther apart, and beyond, nothing is known of
 * them. Times on several communicators are the geometric mean, where all of them were measured.
 */
#ifndef TMAP_CORE_TUNE_TUNE_TIMES_H
#define TMAP_CORE_TUNE_TUNE_TIMES_H

#include "core/tune/tune_choices.h"

/** Sizes that are farther apart say nothing of those between. */
enum { TMAP_TUNE_APART = 4 };

/** With what is known of the median; a predicted time is all three, and one that was measured once is
 *  between 0 and INFINITY. */
struct tmap_tune_time {
	double seconds, low, high;
};

struct tmap_tune_curve;

struct tmap_tune_times {
	const struct tmap_tune_choices *choices; /**< borrowed, as the next */
	struct tmap_tune_place *const *place;
	int place_count;
	struct tmap_tune_curve *curve; /**< [place_count][choices->count + 1]: of each choice, and
					    behind them of what the library takes by itself */
};

/** Of blocking calls with right results, with root 0. O(choices x experiments). */
int tmap_tune_times_init(struct tmap_tune_times *times, const struct tmap_tune_choices *choices,
			 struct tmap_tune_place *const *place, int place_count,
			 struct tmap_error *err);
void tmap_tune_times_fini(struct tmap_tune_times *times);

/** *time = that of choice @p i, at a size that was measured or lies between two; false: it is not
 *  known. */
bool tmap_tune_times_choice(struct tmap_tune_time *time, const struct tmap_tune_times *times, int i,
			    int64_t bytes);

/** The same of what the library takes by itself: as that was measured, or, where coll/han does not come
 *  first, as the algorithm that its fixed rules are known to take, by its name. */
bool tmap_tune_times_itself(struct tmap_tune_time *time, const struct tmap_tune_times *times,
			    int64_t bytes);

/** The same of what the fixed rules of coll/tuned take: as by itself, or, where coll/han comes first, as
 *  the algorithm by its name. */
bool tmap_tune_times_own(struct tmap_tune_time *time, const struct tmap_tune_times *times,
			 int64_t bytes);

/** Are the times of the fixed rules known, and of something else that a rule can say? */
bool tmap_tune_times_cover(const struct tmap_tune_times *times, int64_t bytes);

/** The least size above @p bytes at which anything was measured; INT64_MAX: there is none. */
int64_t tmap_tune_times_next(const struct tmap_tune_times *times, int64_t bytes);

/** Was choice @p i measured at this size, on all communicators? TMAP_NONE: anything on any. */
bool tmap_tune_times_have(const struct tmap_tune_times *times, int i, int64_t bytes);

/** Choices that a rule can say and that were measured, at any size, on all communicators. */
int tmap_tune_times_count(const struct tmap_tune_times *times);

/** What is taken where rules leave a call as it is. */
enum tmap_tune_left { TMAP_LEFT_TO_LIBRARY, TMAP_LEFT_TO_FIXED_RULES };

/** *seconds = of a call by the library itself, and by a choice (TMAP_NONE: as @p left says), measured where
 *  both are, else predicted; INFINITY: not known. */
int tmap_tune_times_both(double seconds[2], bool *is_measured, const struct tmap_tune_times *times,
			 int choice, enum tmap_tune_left left, int64_t bytes,
			 struct tmap_error *err);

#endif
