/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session.h - measurements on the ranks of a job, from the first to the document that has them all.
 *
 *     tmap_session_init(&session, startup, &args->common, &rule, err)     places, communicators
 *     tmap_session_candidates_add(&session, &candidates, collective, words, count, err)
 *     tmap_session_measure(&session, &candidates.item[i], collective, bytes, root, mode, err)
 *     tmap_session_end(&session, err)                                     written
 *     tmap_session_fini(&session)
 *
 * All ranks do the same in the same order.
 */
#ifndef TMAP_MPI_RUN_BENCH_SESSION_H
#define TMAP_MPI_RUN_BENCH_SESSION_H

#include "formats/base/output.h"
#include "mpi_probe/startup.h"
#include "mpi_run/bench/bench_options.h"
#include "mpi_run/bench/times_write.h"
#include "mpi_run/bench/timing.h"

struct tmap_session {
	struct tmap_startup *startup;       /**< borrowed */
	const struct tmap_bench_args *args; /**< borrowed */
	struct tmap_output out;             /**< of rank 0 */
	tmap_times_write_text *write_text; /**< tmap_text_write_times(), unless a verb changes it */
	struct tmap_metric metric;
	struct tmap_order order;
	char *library; /**< its name and version */
	struct tmap_channel channel;
	struct tmap_timing timing;
	struct tmap_times times;    /**< on rank 0; the placement on all */
	struct tmap_error left_out; /**< why the last call that could not be made was not */
	bool has_left_out, speaks;
	int done, wrong; /**< experiments */
	char first_wrong[256];
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

/** Collective: one experiment; @p root where the collective has one. What cannot be made here is
 *  left out, and said where that is wanted; an error where the candidate was named. */
int tmap_session_measure(struct tmap_session *session, const struct tmap_candidate *candidate,
			 enum tmap_collective collective, int64_t bytes, int root,
			 enum tmap_mode mode, struct tmap_error *err);

/** Collective: *order = [@p count] their numbers in random order, that of @p seed or (TMAP_NONE) of
 *  this moment: what comes before an experiment can favour it. The caller's to free. */
int tmap_session_order(struct tmap_session *session, int64_t seed, int count, int **order,
		       struct tmap_error *err);

/** Of an experiment of lanes that is no call of the catalogue: that it is measured, where that is
 *  wanted, and that a result was wrong. */
void tmap_session_note_lanes(const struct tmap_session *session, const char *what, int lanes,
			     int64_t bytes);
void tmap_session_wrong_lanes(struct tmap_session *session, const char *what, int lanes,
			      int64_t bytes, const struct tmap_wrong *wrong);

/** Fails if there is no experiment, with the reason why the last one was left out. */
int tmap_session_check_done(const struct tmap_session *session, struct tmap_error *err);

/** Fails (TMAP_FINDINGS) if a result was wrong. */
int tmap_session_check_right(const struct tmap_session *session, struct tmap_error *err);

/** Collective: the document is written. Fails if there is no experiment, and (TMAP_FINDINGS,
 *  written all the same) if a result was wrong. */
int tmap_session_end(struct tmap_session *session, struct tmap_error *err);

#endif
