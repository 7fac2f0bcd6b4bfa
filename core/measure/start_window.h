/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start_window.h - repetitions that begin when a common clock shows an agreed time.
 *
 *          |<---- length ---->|                  |
 *     lead start              start              start
 *     .....rank 0  ==call==...|==call==..........|==call===....
 *     .....rank 1  ==call===..|==call=============== late: that repetition does not count
 *
 * Who is still busy when a window begins, or was not running then, makes a repetition late. Windows
 * are half as long again as the ranks are busy in the middle of those that were tried together:
 * longer ones help nobody whom the system took the CPU from. The lead, until the ranks know of the
 * next ones, grows while the first of them is late.
 *
 * Slices (the round time of ReproMPI) are windows that are agreed on one at a time, when the one before is over
 * on all ranks: none is too short, and each has a lead of its own.
 */
#ifndef TMAP_CORE_MEASURE_START_WINDOW_H
#define TMAP_CORE_MEASURE_START_WINDOW_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TMAP_WINDOW_LATE_S 1e-6 /**< a rank that begins more than that after the start is late */

/** Or by that part of what the call takes, for those who would rather have some times that are too long than
 *  none: after a barrier all are, by a message or two. */
#define TMAP_WINDOW_LATE_PART 0.3

struct tmap_start_window {
	double length_s, lead_s;
	bool is_lenient; /**< whoever wants it sets it: the second way to be late; there is soon no
				    use in going on, either */
	int64_t late, counted; /**< repetitions */
	double spent_s;
};

/** What the slowest ranks were like: how late they began, when after the start they ended, and how
 *  long they were busy until they could wait for the next start. */
struct tmap_start_outcome {
	double late_s, took_s, busy_s;
};

void tmap_start_window_init(struct tmap_start_window *it);

/** So many repetitions were tried, until @p spent_s since the first: *took_s = what those that count
 *  took, returned is their number. Lengths of the next windows follow. O(count log count). */
size_t tmap_start_window_add(struct tmap_start_window *it, struct tmap_start_outcome *outcome,
			     size_t count, double spent_s, double *took_s);

/** How many to try for @p wanted that count, as it went so far: no more than @p most. */
size_t tmap_start_window_tries(const struct tmap_start_window *it, size_t wanted, size_t most);

/** Fails (TMAP_SYSTEM) where there is no use in going on, by a sentence about @p sync: after 5 seconds and
 *  200 that were late, 19 of 20 were; of a lenient one after a second and 50. */
int tmap_start_window_check(const struct tmap_start_window *it, const char *sync,
			    struct tmap_error *err);

#endif
