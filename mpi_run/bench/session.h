/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session.h - measurements on the ranks of a job, from the first to the document that has them all.
 *
 *     tmap_session_init(&session, startup, &args->common, &rule, err)     places, communicators
 *     tmap_session_candidates_add(&session, &candidates, collective, words, count, err)
 *     tmap_session_measure(&session, &candidates.item[i], collective, bytes, root, mode, err)
 *     tmap_session_end(&session, status, err)                             written
 *     tmap_session_fini(&session)
 *
 * All ranks do the same in the same order. After a signal tmap_session_measure() fails, and what was
 * measured is written all the same (interrupt.h).
 */
#ifndef TMAP_MPI_RUN_BENCH_SESSION_H
#define TMAP_MPI_RUN_BENCH_SESSION_H

#include "formats/base/output.h"
#include "formats/base/progress_line.h"
#include "formats/report/times/times_caveats.h"
#include "mpi_probe/startup.h"
#include "mpi_run/bench/bench_options.h"
#include "mpi_run/bench/interrupt.h"
#include "mpi_run/bench/times_write.h"
#include "mpi_run/bench/timing.h"

struct tmap_session;

/** What is written at the end, and committed: tmap_times_write(), unless a verb changes it. */
typedef int tmap_session_write(struct tmap_session *session, struct tmap_error *err);

/** How an experiment gets into what is written. */
struct tmap_session_addition {
	const char *what; /**< it is of: "bcast ring (blocking, 8)" */
	struct tmap_experiment *experiment;
	int (*add)(void *data, struct tmap_error *err); /**< of rank 0 */
	void *data;
};

struct tmap_session {
	struct tmap_startup *startup;       /**< borrowed */
	const struct tmap_bench_args *args; /**< borrowed */
	struct tmap_output out;             /**< of rank 0 */
	tmap_session_write *write;
	void *write_data;                  /**< the verb's own */
	tmap_times_write_text *write_text; /**< tmap_text_write_times(), unless a verb changes it */
	struct tmap_interrupt interrupt;
	struct tmap_metric metric;
	const struct tmap_neighborhood *neighborhood; /**< of neighborhood collectives; borrowed */
	struct tmap_order order;
	const char *also; /**< words beside topomap's that a verb takes: TMAP_CANDIDATE_ANY */
	char *library;    /**< its name and version */
	struct tmap_channel channel;
	struct tmap_common_clock clock; /**< runs where repetitions begin by it */
	struct tmap_timing timing;
	struct tmap_times times;           /**< on rank 0; the placement on all */
	struct tmap_times_caveats caveats; /**< rank 0: of these times */
	struct tmap_error left_out;        /**< why the last call that could not be made was not */
	bool has_left_out, speaks;
	bool has_own;                   /**< is an algorithm that was added topomap's? */
	struct tmap_progress_line line; /**< of rank 0 */
	int planned, begun;             /**< experiments, with those that are left out */
	int done, wrong;
	const char *
		written; /**< instead of experiments: what is written after a signal; NULL: those */
	const struct tmap_session_addition *running; /**< on rank 0, with the interrupt's lock: of the
							  experiment under way */
	char first_wrong[400];
};

/** Collective: the output is opened, the ranks are placed. tmap_session_fini() it in any case; it
 *  must not move. */
int tmap_session_init(struct tmap_session *session, struct tmap_startup *startup,
		      const struct tmap_bench_args *args, const struct tmap_repetition_rule *rule,
		      struct tmap_error *err);
void tmap_session_fini(struct tmap_session *session);

/** Collective: tmap_candidates_add(). */
int tmap_session_candidates_add(struct tmap_session *session, struct tmap_candidates *candidates,
				enum tmap_collective collective, const char *const *word,
				size_t count, struct tmap_error *err);

/** Refuse (TMAP_USAGE) rounds where all that was added is the library's. */
int tmap_session_check_by_rounds(const struct tmap_session *session, struct tmap_error *err);

/** Refuse (TMAP_INPUT) an algorithm that was named and can run at none of these sizes: what is measured
 *  before it would be lost. */
int tmap_session_check_all(const struct tmap_session *session,
			   const struct tmap_candidates *candidates,
			   const struct tmap_bench_what *what, enum tmap_collective collective,
			   int root, struct tmap_error *err);

/** Collective: one experiment; @p root where the collective has one. What cannot be made here is
 *  left out (left_out.h), and said if the candidate was named, or where that is wanted. */
int tmap_session_measure(struct tmap_session *session, const struct tmap_candidate *candidate,
			 enum tmap_collective collective, int64_t bytes, int root,
			 enum tmap_mode mode, struct tmap_error *err);

/** Collective: the same of a call on a virtual topology. */
int tmap_session_measure_virtual(struct tmap_session *session, const struct tmap_virtual_key *key,
				 int64_t bytes, struct tmap_error *err);

/** Collective: *order = [@p count] their numbers in random order, that of @p seed or (TMAP_NONE) of
 *  this moment: what comes before an experiment can favour it. The caller's to free. */
int tmap_session_order(struct tmap_session *session, int64_t seed, int count, int **order,
		       struct tmap_error *err);

/** So many experiments are about to be measured, as those know who wait. */
void tmap_session_plan(struct tmap_session *session, int count);

/** That an experiment is the next one, "bcast ring, blocking, 8", where that is wanted. */
void tmap_session_note_next(struct tmap_session *session, const char *next);

/** Collective: the times of a subject, and on rank 0 an experiment that is added to what is written:
 *  all of it, or as many repetitions as there are when the job ends before. Fails if a signal came,
 *  then timing.stopped_by is not 0. */
int tmap_session_time(struct tmap_session *session, struct tmap_bench_subject *subject,
		      const struct tmap_session_addition *addition, struct tmap_error *err);

/** Collective: the document is written if @p status, what became of the experiments, is 0, or if a
 *  signal, a call of MPI that failed or the system ended them. Fails if that is so, or there is no experiment,
 *  and (TMAP_FINDINGS, written all the same) if a result was wrong. */
int tmap_session_end(struct tmap_session *session, int status, struct tmap_error *err);

#endif
