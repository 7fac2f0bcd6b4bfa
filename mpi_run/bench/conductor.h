/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conductor.h - rank 0 has trials run, one after another, by the ranks that have a part in them.
 *
 *     rank 0     order ─► each of them ◄─ ready     go ─►  its own part, if it has one  ◄─ times
 *     others     wait for orders ──────────────────────────────────── until there are no more
 *
 * So it costs a rank nothing that others measure, and rank 0 alone decides what comes next: how many
 * trials there are does not follow from how many ranks there are. A rank that waits and shares its
 * core with others sleeps between looks, so that it does not take that from those who measure.
 */
#ifndef TMAP_MPI_RUN_BENCH_CONDUCTOR_H
#define TMAP_MPI_RUN_BENCH_CONDUCTOR_H

#include "core/machine/placement.h"
#include "mpi_probe/job.h"
#include "mpi_run/bench/interrupt.h"
#include "mpi_run/bench/trial_run.h"

struct tmap_conductor {
	struct tmap_job *job;                   /**< borrowed */
	const struct tmap_channel *channel;     /**< borrowed */
	const struct tmap_interrupt *interrupt; /**< borrowed */
	bool sleeps;                            /**< while it waits */
	struct tmap_trial_room room;
	double begin_s; /**< by rank 0's clock */
	int stopped_by; /**< a signal that came to rank 0 or to one that has measured; or 0 */
};

/** Collective. Ranks of @p placement that share cores sleep while they wait. */
int tmap_conductor_init(struct tmap_conductor *it, struct tmap_job *job,
			const struct tmap_channel *channel, const struct tmap_interrupt *interrupt,
			const struct tmap_placement *placement, struct tmap_error *err);
void tmap_conductor_fini(struct tmap_conductor *it);

/** Of the other ranks: take part until rank 0 ends it. */
int tmap_conductor_follow(struct tmap_conductor *it, struct tmap_error *err);

/** Of rank 0: a trial; each time is that of the slowest. TMAP_SYSTEM if memory is refused
 *  somewhere, and after a signal. */
int tmap_conductor_run(struct tmap_conductor *it, const struct tmap_trial *trial,
		       struct tmap_trial_result *result, struct tmap_error *err);

/** Of rank 0: no more trials; once, whatever came before. */
int tmap_conductor_end(struct tmap_conductor *it, struct tmap_error *err);

/** Of rank 0: seconds since the beginning. */
double tmap_conductor_spent(const struct tmap_conductor *it);

#endif
