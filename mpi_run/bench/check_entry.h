/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_entry.h - an algorithm of a case of a check, measured in several rounds.
 *
 *     case, row ─► call ─► round 0   t t t         median ┐
 *                          round 1   t t t t t t   median ┴► how far apart they are: drift
 *                          all times together ─► an experiment that is written
 */
#ifndef TMAP_MPI_RUN_BENCH_CHECK_ENTRY_H
#define TMAP_MPI_RUN_BENCH_CHECK_ENTRY_H

#include "core/measure/calibration_check.h"
#include "mpi_run/bench/session.h"

enum { TMAP_CHECK_ROUNDS = 4 };

/** Times are on rank 0; the caller's to free. */
struct tmap_check_entry {
	int item, row; /**< in the check */
	struct tmap_candidate candidate;
	bool cannot; /**< this call cannot be made here */
	bool is_wrong;
	size_t count, capacity;
	double *time;                     /**< [count]: of all rounds */
	double median[TMAP_CHECK_ROUNDS]; /**< of each round that it was measured in */
	int rounds;
};

/** What rank 0 adds a round of an experiment to. */
struct tmap_check_addition {
	struct tmap_check_entry *entry;
	struct tmap_experiment *experiment;
};

/** A struct tmap_check_addition: the entry has the times of the experiment, too. */
int tmap_check_entry_add(void *data, struct tmap_error *err);

/** Its call on the ranks of a session. */
struct tmap_call tmap_check_entry_call(const struct tmap_check_entry *entry,
				       const struct tmap_check *check,
				       const struct tmap_session *session);

/** Are all its times the same? So they are in a simulation, as no machine is so even. */
bool tmap_check_entry_is_even(const struct tmap_check_entry *entry);

/** The longest over the shortest median of its rounds, less 1. */
double tmap_check_entry_drift(const struct tmap_check_entry *entry);

/** Rank 0: the times of the session have it, as an experiment with all its times. */
int tmap_check_entry_keep(const struct tmap_check_entry *entry, const struct tmap_check *check,
			  struct tmap_session *session, struct tmap_error *err);

#endif
