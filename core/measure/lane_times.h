/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lane_times.h - how many lanes a node has, as measured: the same bytes of each node over 1, 2, ... of
 * its ranks.
 *
 *     bytes of a node   lanes   median     speed-up
 *     1 MiB                 1   900 us     1
 *     1 MiB                 2   460 us     1.96   [1.93, 1.99]     two ranks use two adapters
 *     1 MiB                 4   455 us     1.98   [1.95, 2.01]     and there is no third
 *
 * Where each lane does a whole collective of its own, k lanes do k times as much, and the speed-up is
 * k times the median of one lane over that of k: again the lanes that there seem to be. The
 * interval holds the ratio of the true medians with at least 95 %, whatever the times are distributed
 * like: its ends are those of both medians' intervals of 97.5 %. (Traeff and Hunold, section II.)
 */
#ifndef TMAP_CORE_MEASURE_LANE_TIMES_H
#define TMAP_CORE_MEASURE_LANE_TIMES_H

#include "core/measure/times.h"

struct tmap_speedup {
	double ratio;
	bool has_interval; /**< seven times of both at least, none of them 0; not of one lane */
	double low, high;
};

struct tmap_lane_experiment {
	int64_t bytes;
	int lanes;
	int64_t repetitions;
	bool is_correct;
	struct tmap_sample_statistics seconds;
	double *time;                /**< [repetitions]; NULL: they were not kept */
	bool has_speedup;            /**< one lane was measured too, and took some time */
	struct tmap_speedup speedup; /**< over one lane */
};

struct tmap_lane_times {
	const struct tmap_times *job; /**< borrowed: placement, mpi, date, sync; no experiments */
	bool has_collective;          /**< else the lane pattern */
	enum tmap_collective collective;
	int64_t exchanges; /**< of a repetition; 1 of a collective */
	int count;
	size_t capacity;
	struct tmap_lane_experiment *experiment; /**< [count] */
};

void tmap_lane_times_fini(struct tmap_lane_times *times);

/** One more: *seconds, is_correct, repetitions and raw of @p from, which loses the last. */
int tmap_lane_times_add_take(struct tmap_lane_times *times, int64_t bytes, int lanes,
			     struct tmap_experiment *from, struct tmap_error *err);

/** By size, then by lanes. */
void tmap_lane_times_sort(struct tmap_lane_times *times);

/** All have been added: by size and lanes, with speed-ups. O(n log n + all times log of them). */
int tmap_lane_times_finish(struct tmap_lane_times *times, struct tmap_error *err);

/** The ratio of the medians of @p one and @p other, times @p work. Both have times; the median of
 *  @p other is above 0. */
int tmap_speedup_init(struct tmap_speedup *speedup, const double *one, size_t one_count,
		      const double *other, size_t other_count, double work, struct tmap_error *err);

#endif
