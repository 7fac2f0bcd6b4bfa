/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder.h - what the wrappers of MPI's functions call: the recorder of this process.
 *
 *     program ── MPI_Send ──► wrapper ── the next MPI_Send ──► library
 *                               └► tmap_record_sent()              once it has returned well
 *
 * Of calls inside calls (a library's Fortran calls its C, a gather of ours sends) only the outermost
 * counts: each thread has a depth. Nothing here is reported to the program; what fails is remembered
 * and said at MPI_Finalize.
 *
 * A process has one recorder, as it has one MPI. Handles are passed as they came (wrappers.awk), requests
 * as pointers to them.
 */
#ifndef TMAP_MPI_RUN_RECORD_RECORDER_H
#define TMAP_MPI_RUN_RECORD_RECORDER_H

#include "core/record/record.h"

#include <stdbool.h>
#include <stdint.h>

/** In front of all that it says. */
#define TMAP_RECORDER_NAME "topomap-record"

/** The function of that name behind ours; *function is a pointer to one of its type. */
void tmap_record_find(const char *name, void *function);

/** A call begins, and ends. Is it the outermost, and is anything recorded? always: is it the
 *  outermost? */
bool tmap_record_enter(void);
bool tmap_record_enter_always(void);
void tmap_record_leave(void);

/** Nanoseconds of a clock that only runs on. */
int64_t tmap_record_now(void);

/* The program's start and end. */
void tmap_record_begin(void);
void tmap_record_session(void);
void tmap_record_finish(void);
void tmap_record_abort(void);
/** MPI_Pcontrol: 0 pauses; 1 behind that goes on, and else others go to the phase of that number. */
void tmap_record_control(int level);

/* Messages, of a persistent request whenever it is started; of a partitioned one all parts are one. */
void tmap_record_sent(int64_t count, intptr_t type, int dest, intptr_t comm);
void tmap_record_kept(int64_t count, intptr_t type, int dest, intptr_t comm, const void *request);
void tmap_record_kept_parts(int partitions, int64_t count, intptr_t type, int dest, intptr_t comm,
			    const void *request);
void tmap_record_started(const void *request);
void tmap_record_all_started(int count, const void *requests);
void tmap_record_forgotten(const void *request);

/* One-sided calls, whichever way their bytes go: what is put, got or accumulated; what is accumulated and
 * got; an element of either; and one that is compared and swapped. */
void tmap_record_one_sided(int64_t count, intptr_t type, int target, intptr_t window);
void tmap_record_exchanged(int64_t count, intptr_t type, intptr_t op, int target, intptr_t window);
void tmap_record_fetched(intptr_t type, intptr_t op, int target, intptr_t window);
void tmap_record_compared(intptr_t type, int target, intptr_t window);

/* What is read from files and written to them. began: of tmap_record_now(), of a call that blocks; else 0. */
void tmap_record_file(enum tmap_file_way way, int64_t began, int64_t count, intptr_t type);

/** A collective: how it is called. */
struct tmap_record_call {
	enum tmap_recorded collective;
	enum tmap_mode mode;
	int64_t began;       /**< blocking: of tmap_record_now() */
	const void *request; /**< persistent; else NULL */
};

/** A list of counts, of a call's plain form or of that for large counts. */
struct tmap_record_counts {
	const int *plain;
	const int64_t *large; /**< NULL: it is a plain one */
};

/* What it moves: nothing; a vector; a vector scattered by counts; a block for each
 * rank, of which the second description counts where the buffer is MPI_IN_PLACE; this rank's share of
 * blocks that differ, of which the list has this rank's; shares for each rank, of one type or of several. */
void tmap_record_nothing(const struct tmap_record_call *call, intptr_t comm);
void tmap_record_vector(const struct tmap_record_call *call, int64_t count, intptr_t type, int root,
			intptr_t comm);
void tmap_record_vectors(const struct tmap_record_call *call, struct tmap_record_counts counts,
			 intptr_t type, intptr_t comm);
void tmap_record_block(const struct tmap_record_call *call, const void *buffer, int64_t count,
		       intptr_t type, int64_t other_count, intptr_t other_type, int root,
		       intptr_t comm);
void tmap_record_share(const struct tmap_record_call *call, const void *buffer, int64_t count,
		       intptr_t type, struct tmap_record_counts counts, intptr_t other_type,
		       int root, intptr_t comm);
void tmap_record_shares(const struct tmap_record_call *call, const void *buffer,
			struct tmap_record_counts counts, intptr_t type,
			struct tmap_record_counts other_counts, intptr_t other_type, intptr_t comm);
void tmap_record_typed_shares(const struct tmap_record_call *call, const void *buffer,
			      struct tmap_record_counts counts, const void *types,
			      struct tmap_record_counts other_counts, const void *other_types,
			      intptr_t comm);

/* Neighborhood collectives: a block for each neighbor to whom this rank sends, all alike, of counts or of
 * counts and types; of a persistent request whenever it is started. */
void tmap_record_neighbors(int64_t count, intptr_t type, intptr_t comm);
void tmap_record_neighbors_shares(struct tmap_record_counts counts, intptr_t type, intptr_t comm);
void tmap_record_neighbors_typed(struct tmap_record_counts counts, const void *types,
				 intptr_t comm);
void tmap_record_kept_neighbors(int64_t count, intptr_t type, intptr_t comm, const void *request);
void tmap_record_kept_neighbors_shares(struct tmap_record_counts counts, intptr_t type,
				       intptr_t comm, const void *request);
void tmap_record_kept_neighbors_typed(struct tmap_record_counts counts, const void *types,
				      intptr_t comm, const void *request);
/** To how many ranks those of a communicator send. */
int tmap_record_neighbor_count(intptr_t comm);

#endif
