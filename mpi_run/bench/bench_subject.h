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
#include "mpi_run/bench/mockup.h"
#include "mpi_run/bench/native.h"
#include "mpi_run/operation/operation.h"

struct tmap_bench_subject {
	struct tmap_bench_data data;
	enum tmap_mode mode;
	struct tmap_operation *operation; /**< ours; NULL: the library's */
	struct tmap_mockup_call mockup;   /**< of the library's, where it has a row */
	struct tmap_knob knob;
	struct tmap_channel own; /**< a communicator that was made with the knob */
	struct tmap_native native;
};

/** Collective over the job: on all ranks alike it is ready, or -1 with the reason, TMAP_INPUT where
 *  this call cannot be made so. @p call has the candidate's choice. *subject must not move;
 *  tmap_bench_subject_fini() it in any case. */
int tmap_bench_subject_init(struct tmap_bench_subject *subject, struct tmap_job *job,
			    struct tmap_channel *channel, const struct tmap_candidate *candidate,
			    const struct tmap_call *call, enum tmap_mode mode,
			    struct tmap_error *err);
void tmap_bench_subject_fini(struct tmap_bench_subject *subject);

/** Once, to its end. */
int tmap_bench_subject_call(struct tmap_bench_subject *subject, struct tmap_error *err);

#endif
