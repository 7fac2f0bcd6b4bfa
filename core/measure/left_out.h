/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * left_out.h - calls that were asked for and are not among measured times, each with the reason.
 *
 *     allgather recursive_doubling, blocking, 8    "3 ranks: it needs a power of two"
 *
 * Whoever asks for all algorithms, or for a list of sizes, knows by them what is missing, and why.
 */
#ifndef TMAP_CORE_MEASURE_LEFT_OUT_H
#define TMAP_CORE_MEASURE_LEFT_OUT_H

#include "core/measure/times.h"

void tmap_left_out_fini(struct tmap_left_out *it);

/** One more of that call: its collective, topology, algorithm, mode, bytes and root are copied. On
 *  failure *times is as it was. */
int tmap_times_leave_out(struct tmap_times *times, const struct tmap_experiment *call,
			 const char *reason, struct tmap_error *err);

/** Those of another launch, too, by call and each once. O(n log n) for n of them. */
int tmap_left_out_join(struct tmap_times *times, const struct tmap_times *other,
		       struct tmap_error *err);

#endif
