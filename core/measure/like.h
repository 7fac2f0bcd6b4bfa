/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * like.h - what the loops of other benchmarks say of a call.
 *
 *     osu          barrier  (call  barrier) (call  barrier) (call  barrier) ...
 *                            ----            ----            ----            timed
 *     imb          barrier barrier  (call  barrier) (call  barrier) ...
 *                                    ----            ----
 *     imb-nosync   barrier barrier  (call) (call) (call) ...
 *                                    ----   ----   ----
 *
 * Each rank adds up its own times, from when it comes to a call until it leaves it, and divides the
 * sum by their number; of these means, one a rank, a benchmark shows the smallest, the largest and
 * the mean. The barriers are the library's. Facts are those of OSU Micro-Benchmarks 7.4 and Intel
 * MPI Benchmarks 2021.
 */
#ifndef TMAP_CORE_MEASURE_LIKE_H
#define TMAP_CORE_MEASURE_LIKE_H

#include "core/schedule/call.h"

enum tmap_like {
	TMAP_LIKE_OSU,
	TMAP_LIKE_IMB,
	TMAP_LIKE_IMB_NOSYNC,
	TMAP_LIKES,
};

struct tmap_like_row {
	struct tmap_keyword word;
	const char *title; /**< of the benchmarks */
	const char *sizes; /**< that they measure by themselves, as of --bytes */
	int barriers;      /**< before the first call */
	bool is_restarted; /**< they are passed between the warm-up and the calls that count, too */
	bool is_apart; /**< a barrier, not timed, follows each call, but of MPI_Barrier itself */
	int calls, warm_up; /**< of a size up to small_bytes */
	int64_t small_bytes;
	int large_calls, large_warm_up; /**< of larger ones */
	int64_t volume_bytes; /**< calls times bytes is no more, but for one call; 0: any */
	double limit_s;       /**< no more calls than fit into that by the warm-up; 0: any number */
	bool is_imb;          /**< it has the columns of IMB; else of OSU */
};

extern const struct tmap_like_row tmap_like_rows[TMAP_LIKES];
extern const struct tmap_keywords tmap_likes; /**< by name, in the order of the enum */

/** What is asked for: TMAP_NONE and 0 where the benchmark's own counts. */
struct tmap_like_request {
	uint64_t ways; /**< bit i: enum tmap_like i */
	int64_t repetitions, warm_up;
	double limit_s; /**< of a way that has one */
};

/** The result; repetitions is 0 where a call was not measured so. */
struct tmap_like_times {
	int64_t warm_up, repetitions;
	double min_s, avg_s, max_s; /**< of the ranks' own means */
};

/** The calls before and those that count, of @p bytes as MPI counts them. */
void tmap_like_plan(const struct tmap_like_request *request, enum tmap_like way, int64_t bytes,
		    struct tmap_like_times *plan);

/** Fewer calls where those, each as long as the mean of the warm-up on the slowest rank, would
 *  take longer than the limit; one at least. */
void tmap_like_limit(const struct tmap_like_request *request, enum tmap_like way, double warm_up_s,
		     struct tmap_like_times *plan);

/** Does the library's barrier follow each call? */
bool tmap_like_is_apart(enum tmap_like way, enum tmap_collective collective);

#endif
