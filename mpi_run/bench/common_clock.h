/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common_clock.h - one clock for all ranks of a job, that of rank 0, and how well it is known.
 *
 *     node      (0 1 2 3)   (4 5 6 7)   (8 9 ..      one clock each, which its ranks share
 *     leaders    0           4           8   12
 *                0 ----------1
 *                0 ----------------------2           HCA3: in round k leader i + 2^k learns from
 *                            1 --------------3       leader i < 2^k, as whose clock the common one
 *                                                    already counts
 *
 * Ranks of a node in different time namespaces do not share a clock, nor do those whose system does
 * not say which it is; each of these sets has a leader. The models (core/measure/clock_model.h) are
 * renewed by tmap_common_clock_sync(): with the exchanges that were made before, so that the drift
 * becomes known over a longer and longer time. What the clock was wrong by since the last time is
 * bounded by the exchanges before and after: the error of a leader is at most the sum of those of
 * the models between it and rank 0.
 */
#ifndef TMAP_MPI_RUN_BENCH_COMMON_CLOCK_H
#define TMAP_MPI_RUN_BENCH_COMMON_CLOCK_H

#include "core/measure/clock_model.h"
#include "mpi_probe/job.h"

enum { TMAP_CLOCK_KEPT = 64 };

struct tmap_common_clock {
	struct tmap_job *job; /**< borrowed */
	MPI_Comm team;    /**< the ranks that share this one's clock; its rank 0 is the leader */
	MPI_Comm leaders; /**< MPI_COMM_NULL but on these */
	int count, place; /**< clocks, on all; which one this is, on its leader */
	struct tmap_clock_model model; /**< of the common clock, by this one */

	/* of leaders but rank 0 */
	struct tmap_clock_model above; /**< of the common clock, by that of whom it learns from */
	struct tmap_clock_exchange kept[TMAP_CLOCK_KEPT]; /**< with whom it learns from, in order */
	int kept_count, recent; /**< so many; of these, of the last sync */

	int64_t begun_ns, synced_ns; /**< by itself: when it was looked at first, and last */
	int64_t late;     /**< on rank 0: repetitions that did not count, for those who time */
	int64_t error_ns; /**< on rank 0: the largest error until the last sync; 0 of one clock */
};

/** Collective over the job: the clock runs. @p is_shared: ranks of a node share theirs where they can;
 *  else each has its own (tests). tmap_common_clock_fini() it in any case. */
int tmap_common_clock_init(struct tmap_common_clock *clock, struct tmap_job *job, bool is_shared,
			   struct tmap_error *err);
void tmap_common_clock_fini(struct tmap_common_clock *clock);

/** Collective over the job: look again. Before times are taken no longer than seconds ago, and after,
 *  for the error of what was between. No messages where there is one clock. */
int tmap_common_clock_sync(struct tmap_common_clock *clock, struct tmap_error *err);

/** Nanoseconds of the common clock. */
int64_t tmap_common_clock_now(const struct tmap_common_clock *clock);

/** Return when the common clock shows @p start_ns, *late_s seconds after, but for its error. MPI's
 *  messages go on meanwhile, until shortly before. */
int tmap_common_clock_await(const struct tmap_common_clock *clock, int64_t start_ns, double *late_s,
			    struct tmap_error *err);

#endif
