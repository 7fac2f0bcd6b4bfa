/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timing.h - a collective timed again and again: the time of its slowest rank, each time.
 *
 *     once                    fill, call, look at the result
 *     repetition, barrier     barrier   |clock  call  clock|    the largest difference of all ranks
 *                 clock       ...start  |call  common clock|    the last end less the start
 *
 * The barrier is a dissemination barrier over point-to-point, alike under every library; ranks
 * leave it at different times, by as much as a message takes. By a common clock all begin when it
 * shows an agreed time, and what a rank began late does not count (core/measure/start_window.h). How
 * many repetitions come next is rank 0's to say (core/measure/repetition.h), for several at once,
 * and their times are gathered after the last of these, with what signals there were.
 */
#ifndef TMAP_MPI_RUN_BENCH_TIMING_H
#define TMAP_MPI_RUN_BENCH_TIMING_H

#include "core/measure/like.h"
#include "core/measure/repetition.h"
#include "mpi_run/bench/bench_subject.h"
#include "mpi_run/bench/cache_sweep.h"
#include "mpi_run/bench/common_clock.h"
#include "mpi_run/bench/interrupt.h"

struct tmap_timing {
	struct tmap_job *job;
	struct tmap_channel sync;        /**< of the barriers */
	struct tmap_common_clock *clock; /**< borrowed; NULL: ranks begin after a barrier */
	bool one_by_one;                 /**< its windows are agreed on one at a time: slices */
	bool is_lenient;                 /**< with those that begin late by the common clock */
	double lead_s;                   /**< of its windows, as it was last; 0: not yet */
	struct tmap_repetition_rule rule;
	const struct tmap_like_request *like; /**< borrowed; NULL: in no other way */
	struct tmap_cache_sweep sweep;        /**< before each repetition */
	bool checks_all; /**< the results of all repetitions are looked at, not only the first call's */
	bool keeps_raw;
	bool drops_outliers;              /**< from the launch's median, not from the statistics */
	struct tmap_interrupt *interrupt; /**< borrowed: the signal that came to this rank */
	int stopped_by; /**< the signal that ended the last experiment early, on all ranks; or 0 */
	/** On rank 0, changed with the interrupt's lock: the repetitions of the experiment under way,
	 *  and has a result been wrong anywhere? */
	const struct tmap_repetition *running;
	bool running_is_wrong;
};

/** The first result that was wrong. */
struct tmap_wrong {
	int rank; /**< TMAP_NONE: none was */
	struct tmap_bench_fault fault;
};

/** Collective: the times of a subject, which after a signal are those that there are by then, one at
 *  least. Rank 0 has the numbers of *experiment that follow from them
 *  (repetitions, is_correct, seconds, run, raw, like), and all have *wrong. */
int tmap_timing_run(struct tmap_timing *timing, struct tmap_bench_subject *subject,
		    struct tmap_experiment *experiment, struct tmap_wrong *wrong,
		    struct tmap_error *err);

/** On rank 0, with the interrupt's lock, of a run that does not come to its end: the numbers of
 *  *experiment that follow from the repetitions so far; without any its run_count stays 0. */
int tmap_timing_cut(const struct tmap_timing *timing, struct tmap_experiment *experiment,
		    struct tmap_error *err);

#endif
