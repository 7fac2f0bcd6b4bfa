/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.h - what the recorder of this process has so far.
 *
 *     communicator ──► of its rank 3, peer 17    peer 17 ──► world rank 40, 12 messages, 9600 bytes
 *         └► known: its number in the builder, once it called a collective
 *     request ──► what each start of it counts
 *
 * Memory is O(peers), and that of the ranks of communicators on which this rank is the first.
 *
 * Where threads call at once, they share it under a lock, which no thread holds in a call of MPI: a
 * library may hold its own while it calls back.
 */
#ifndef TMAP_MPI_RUN_RECORD_STATE_H
#define TMAP_MPI_RUN_RECORD_STATE_H

#include "core/record/record_builder.h"
#include "mpi_run/record/handle_map.h"

#include <mpi.h>
#include <sys/types.h>

/** Compilers make a name of Fortran a symbol in so many ways. */
enum { TMAP_FORTRAN_NAMES = 4 };

/** What went to a peer. */
struct tmap_peer_sums {
	struct tmap_peer_sum {
		int64_t messages, bytes;
	} sent[TMAP_WAYS];
};

/** What was sent in a phase; its calls are in the builder. */
struct tmap_recorded_phase {
	int number;
	int64_t spent;               /**< in it before */
	int64_t since;               /**< when it was entered last; TMAP_NONE: it does not go on */
	struct tmap_peer_sums *peer; /**< [peers]: zeros from those on that it has not met */
	size_t peers;
	int64_t sizes[TMAP_WAYS][TMAP_RECORD_SIZES];
};

/** A communicator, or a window. */
struct tmap_recorded_handle {
	MPI_Comm comm; /**< MPI_COMM_NULL: a window */
	bool is_world, is_inter;
	MPI_Group group;              /**< of those whom its ranks name; not of MPI_COMM_WORLD */
	struct tmap_handle_map peers; /**< by rank in it, into the recorder's */
	int known;                    /**< in the builder; TMAP_NONE: not yet */
	int neighbors; /**< to whom neighborhood collectives send; TMAP_NONE: not asked yet */
	int *neighbor; /**< [neighbors] ranks in it, in MPI's order; MPI_PROC_NULL: none */
	int next_free; /**< of the list of free ones */
};

/** What a start of a persistent request counts: a message, a collective, or blocks to neighbors. */
struct tmap_recorded_request {
	int peer; /**< TMAP_NONE: it is no message */
	int64_t bytes;
	struct tmap_recorded_call call;
	int edges; /**< of a neighborhood collective; else 0 */
	struct tmap_recorded_edge {
		int peer;
		int64_t bytes;
	} * edge; /**< [edges], owned */
	int next_free;
};

struct tmap_recorder {
	bool is_active;            /**< between MPI_Init and MPI_Finalize */
	_Atomic bool is_recording; /**< and not paused; one thread may say so while another calls */
	bool has_threads;          /**< several may call at once */
	bool has_seen_init, has_seen_session;
	bool is_spawned; /**< it had a parent at MPI_Init, from which it may have parted */
	pid_t pid;
	char *folder; /**< rank 0: where it was at MPI_Init; NULL: it is not known */
	int rank, size;
	int keyval, window_keyval; /**< their delete callbacks see communicators and windows go */
	MPI_Group world;
	const void *in_place[TMAP_FORTRAN_NAMES]; /**< what may be MPI_IN_PLACE in Fortran */
	int64_t began;

	int peer_count;
	int *peer; /**< [peer_count] ranks of MPI_COMM_WORLD to whom this one sends; TMAP_NONE: all outside */
	size_t peer_capacity;
	struct tmap_handle_map peer_of; /**< by rank in MPI_COMM_WORLD */

	int64_t interval;       /**< nanoseconds of a phase; 0: phases are what the program marks */
	int64_t interval_ends;  /**< where there are intervals, that which goes on */
	int phase_count, phase; /**< how many, and which one is going on */
	struct tmap_recorded_phase *recorded; /**< [phase_count], those of the builder */
	size_t phase_capacity;

	int handle_count, free_handle;
	struct tmap_recorded_handle *handle; /**< [handle_count] */
	size_t handle_capacity;
	struct tmap_handle_map handle_of; /**< by communicator or window */
	int latest; /**< programs mostly use one many times in a row; TMAP_NONE: it was released */
	uint64_t latest_key;

	int request_count, free_request;
	struct tmap_recorded_request *request; /**< [request_count] */
	size_t request_capacity;
	struct tmap_handle_map request_of;

	struct tmap_record_builder builder; /**< also what was left out */
	bool has_failed;
	struct tmap_error err; /**< what failed first */
};

extern struct tmap_recorder tmap_recorder;

void tmap_recorder_lock(void);
void tmap_recorder_unlock(void);

/** What cannot be recorded any more: the record is refused in the end. */
void tmap_recorder_fail(const struct tmap_error *err);

/** The number of the communicator, TMAP_NONE where that failed; the caller has no lock, and then has
 *  it. */
int tmap_recorder_lock_comm(MPI_Comm comm);

/** As that, of a window. */
int tmap_recorder_lock_window(MPI_Win window);

/** Of a communicator that is locked, its number in the builder; TMAP_NONE where that failed, or not all in it
 *  are of this job, or it is an intercommunicator. It may unlock in between. */
int tmap_recorder_know(int handle);

/** Of a communicator that is locked, those to whom its neighborhood collectives send are known from now
 *  on: how many, TMAP_NONE where that failed. It may unlock in between. */
int tmap_recorder_know_neighbors(int handle);

/** The delete callbacks of the keyvals. */
int tmap_recorder_comm_deleted(MPI_Comm comm, int keyval, void *value, void *extra);
int tmap_recorder_window_deleted(MPI_Win window, int keyval, void *value, void *extra);

/** Bytes of a datatype, 0 where it has no size. Not locked. */
int64_t tmap_recorder_type_size(intptr_t type);

/** The first phase begins; false where memory is refused. */
bool tmap_recorder_begin_phases(int64_t now);

/** Where phases are intervals, the caller has seen to that: that of this moment goes on from now on.
 *  Locked. */
void tmap_recorder_follow_clock(void);

/** The phase that goes on was there until now. */
void tmap_recorder_end_phase(int64_t now);

/** The peer that is rank @p dest of a handle; TMAP_NONE where memory is refused. Locked; it may unlock
 *  in between. */
int tmap_recorder_find_peer(int handle, int dest);

/** A number for a persistent request, which is new, and takes over its edges. Locked. */
void tmap_recorder_keep(const void *request, const struct tmap_recorded_request *kept);

/** One more message, or what is one in another way; one more collective, communicator TMAP_NONE: between two
 *  groups, or with processes that are none of this job. Locked. */
void tmap_recorder_count_message(enum tmap_way way, int peer, int64_t bytes);
void tmap_recorder_count_call(const struct tmap_recorded_call *call);

/** What a start of that request counts. Locked. */
void tmap_recorder_count_request(const struct tmap_recorded_request *kept);

#endif
