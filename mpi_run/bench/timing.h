/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timing.h - a collective timed again and again: the time of its slowest rank, each time.
 *
 *     once         fill, call, look at the result
 *     repetition   barrier   |clock  call  clock|        the largest difference of all ranks
 *
 * The barrier is a dissemination barrier over point-to-point, alike under every library; ranks
 * leave it at different times, by as much as a message takes. How many repetitions come next is
 * rank 0's to say (core/measure/repetition.h), for several at once, and their times are gathered
 * after the last of these.
 */
#ifndef TMAP_MPI_RUN_BENCH_TIMING_H
#define TMAP_MPI_RUN_BENCH_TIMING_H

#include "core/measure/repetition.h"
#include "mpi_run/bench/bench_subject.h"

struct tmap_timing {
	struct tmap_job *job;
	struct tmap_channel sync; /**< of the barriers */
	struct tmap_repetition_rule rule;
	bool checks_all; /**< the results of all repetitions are looked at, not only the first call's */
	bool keeps_raw;
	bool drops_outliers; /**< from the launch's median, not from the statistics */
};

/** The first result that was wrong. */
struct tmap_wrong {
	int rank; /**< TMAP_NONE: none was */
	struct tmap_bench_fault fault;
};

/** Collective: the times of a subject. Rank 0 has the numbers of *experiment that follow from them
 *  (repetitions, is_correct, seconds, run, raw), and all have *wrong. */
int tmap_timing_run(const struct tmap_timing *timing, struct tmap_bench_subject *subject,
		    struct tmap_experiment *experiment, struct tmap_wrong *wrong,
		    struct tmap_error *err);

#endif
