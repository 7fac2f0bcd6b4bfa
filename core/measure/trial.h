/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trial.h - one thing that a calibration times: messages between a few ranks, while all others wait.
 *
 *     round trip   a <-> b          half of the time of a message there and one back; window of them
 *                                   one after another, of which the mean counts
 *     typed        a <-> b          the same with a derived datatype
 *     at once      a --> b  c --> d   after a barrier of those ranks, window messages each; the longest
 *                                   that a sender waits for an empty answer to all of them
 *     late         a --> b          how long MPI_Send takes that finds no receiver for window
 *                                   microseconds
 *     copy, reduce a                of bytes in its own memory, by memcpy() and MPI_Reduce_local()
 */
#ifndef TMAP_CORE_MEASURE_TRIAL_H
#define TMAP_CORE_MEASURE_TRIAL_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stdint.h>

/** Messages of a trial, and times of one, at most. */
enum { TMAP_TRIAL_MESSAGES_MAX = 256, TMAP_TRIAL_REPETITIONS_MAX = 16 };

enum tmap_trial_kind {
	TMAP_TRIAL_ROUND_TRIP,
	TMAP_TRIAL_TYPED,
	TMAP_TRIAL_AT_ONCE,
	TMAP_TRIAL_LATE,
	TMAP_TRIAL_COPY,
	TMAP_TRIAL_REDUCE
};

struct tmap_trial {
	enum tmap_trial_kind kind;
	int64_t bytes; /**< of a message */
	int window, repetitions;
	int count; /**< messages; 1 but for at once */
	int from[TMAP_TRIAL_MESSAGES_MAX], to[TMAP_TRIAL_MESSAGES_MAX]; /**< ranks; of copy and
									      reduce the same */
};

/** What came of one. */
struct tmap_trial_result {
	int count;
	double seconds[TMAP_TRIAL_REPETITIONS_MAX];
	int odd_rank; /**< whose clock does not go with that of rank 0; TMAP_NONE: none */
};

#endif
