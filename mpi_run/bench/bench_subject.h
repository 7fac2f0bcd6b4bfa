/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_subject.h - one collective that is about to be timed: ours, the library's or a mock-up of the
 * library's, in one mode, on data of its own.
 */
#ifndef TMAP_MPI_RUN_BENCH_BENCH_SUBJECT_H
#define TMAP_MPI_RUN_BENCH_BENCH_SUBJECT_H

#include "mpi_probe/job.h"
#include "mpi_run/bench/candidate.h"
#include "mpi_run/bench/knob.h"
#include "mpi_run/bench/lane_exchange.h"
#include "mpi_run/bench/mockup.h"
#include "mpi_run/bench/native.h"
#include "mpi_run/bench/virtual_run.h"
#include "mpi_run/operation/operation.h"

struct tmap_bench_subject {
	struct tmap_bench_data data;
	enum tmap_mode mode;
	struct tmap_operation *operation; /**< ours; NULL: the library's */
	struct tmap_mockup_call mockup;   /**< of the library's, where it has a row */
	struct tmap_knob knob;
	struct tmap_channel own; /**< a communicator that was made with the knob */
	MPI_Comm neighbors;      /**< the library's, on a neighborhood */
	struct tmap_native native;
	struct tmap_lane_exchange exchange;  /**< instead of all that, where it has exchanges */
	struct tmap_virtual_run virtual_run; /**< or this, where it has a call */
	bool is_idle;                        /**< this rank has no part in it */
};

/** Collective over the job: on all ranks alike it is ready, or -1 with the reason, TMAP_INPUT where
 *  this call cannot be made so. @p call has the candidate's choice. *subject must not move;
 *  tmap_bench_subject_fini() it in any case. */
int tmap_bench_subject_init(struct tmap_bench_subject *subject, struct tmap_job *job,
			    struct tmap_channel *channel, const struct tmap_candidate *candidate,
			    const struct tmap_call *call, enum tmap_mode mode,
			    struct tmap_error *err);
void tmap_bench_subject_fini(struct tmap_bench_subject *subject);

/** Collective over the job: @p exchange, which is taken, or NULL where the rank has none. */
void tmap_bench_subject_init_exchange_take(struct tmap_bench_subject *subject,
					   struct tmap_lane_exchange *exchange);

/** Collective over the job: the library's own of @p call on @p comm, of which this is rank
 *  @p rank; MPI_COMM_NULL: this rank is in none. */
int tmap_bench_subject_init_native(struct tmap_bench_subject *subject, struct tmap_job *job,
				   MPI_Comm comm, int rank, const struct tmap_call *call,
				   struct tmap_error *err);

/** Collective over the job: a call on a virtual topology. tmap_bench_subject_fini() it in any case. */
int tmap_bench_subject_init_virtual(struct tmap_bench_subject *subject, struct tmap_job *job,
				    const struct tmap_virtual_key *key, int64_t bytes,
				    struct tmap_error *err);

/** New data; are the results of these right, else the first fault. */
void tmap_bench_subject_fill(struct tmap_bench_subject *subject, uint64_t round);
bool tmap_bench_subject_check(struct tmap_bench_subject *subject, struct tmap_bench_fault *fault);

/** Once, to its end. */
int tmap_bench_subject_call(struct tmap_bench_subject *subject, struct tmap_error *err);

/** Collective: what a call leaves is put away, after its time has been taken and its result has been
 *  looked at. */
int tmap_bench_subject_rest(struct tmap_bench_subject *subject, struct tmap_error *err);

#endif
