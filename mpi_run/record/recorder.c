/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/record/recorder.h"

#include "core/base/mem.h"
#include "core/base/sum.h"
#include "mpi_run/record/state.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct tmap_recorder tmap_recorder;

static _Thread_local int depth __attribute__((tls_model("initial-exec")));
static atomic_flag taken = ATOMIC_FLAG_INIT;

void tmap_record_find(const char *name, void *function)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (!found) {
		fprintf(stderr, "topomap-record: there is no %s behind it in this process\n", name);
		abort();
	}
	memcpy(function, &found, sizeof found);
}

bool tmap_record_enter(void)
{
	return depth++ == 0 && tmap_recorder.is_recording;
}

bool tmap_record_enter_always(void)
{
	return depth++ == 0;
}

void tmap_record_leave(void)
{
	depth--;
}

int64_t tmap_record_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void tmap_recorder_lock(void)
{
	if (!tmap_recorder.has_threads)
		return;
	for (int turn = 0; atomic_flag_test_and_set_explicit(&taken, memory_order_acquire); turn++)
		if (turn > 100)
			sched_yield();
}

void tmap_recorder_unlock(void)
{
	if (tmap_recorder.has_threads)
		atomic_flag_clear_explicit(&taken, memory_order_release);
}

void tmap_recorder_fail(const struct tmap_error *err)
{
	if (!tmap_recorder.has_failed)
		tmap_recorder.err = *err;
	tmap_recorder.has_failed = true;
}

/* Room for a peer that the phase has not met; false where memory is refused. */
static bool phase_grow(struct tmap_recorded_phase *phase, int peer)
{
	size_t had = phase->peers;
	struct tmap_error err;

	if (tmap_grow(&phase->peer, &phase->peers, (size_t)peer + 1, sizeof *phase->peer, &err) <
	    0) {
		tmap_recorder_fail(&err);
		return false;
	}
	memset(phase->peer + had, 0, (phase->peers - had) * sizeof *phase->peer);
	return true;
}

void tmap_recorder_count_message(enum tmap_way way, int peer, int64_t bytes)
{
	struct tmap_recorded_phase *phase;
	struct tmap_peer_sum *sum;

	if (tmap_recorder.interval)
		tmap_recorder_follow_clock();
	phase = &tmap_recorder.recorded[tmap_recorder.phase];
	if ((size_t)peer >= phase->peers && !phase_grow(phase, peer))
		return;
	sum = &phase->peer[peer].sent[way];
	sum->messages++;
	tmap_sum_add(&sum->bytes, bytes);
	if (tmap_recorder.peer[peer] != TMAP_NONE)
		phase->sizes[way][tmap_record_size_class(bytes)]++;
}

void tmap_recorder_count_call(const struct tmap_recorded_call *call)
{
	struct tmap_error err;

	if (call->communicator == TMAP_NONE) {
		tmap_sum_add(&tmap_recorder.builder.left_out.outside_calls, 1);
		return;
	}
	if (tmap_recorder.interval)
		tmap_recorder_follow_clock();
	if (tmap_record_add_calls(&tmap_recorder.builder.phase[tmap_recorder.phase], call, &err) <
	    0)
		tmap_recorder_fail(&err);
}

void tmap_recorder_count_request(const struct tmap_recorded_request *kept)
{
	for (int i = 0; i < kept->edges; i++)
		tmap_recorder_count_message(TMAP_WAY_NEIGHBORS, kept->edge[i].peer,
					    kept->edge[i].bytes);
	if (kept->peer != TMAP_NONE)
		tmap_recorder_count_message(TMAP_WAY_MESSAGES, kept->peer, kept->bytes);
	else if (!kept->edge)
		tmap_recorder_count_call(&kept->call);
}

/* The peer that is rank @p rank of the job, TMAP_NONE: of another one. Locked; TMAP_NONE where memory
 * is refused. */
static int peer_find(int rank)
{
	struct tmap_recorder *it = &tmap_recorder;
	uint64_t key = (uint64_t)(rank + 1);
	int peer = tmap_handle_map_find(&it->peer_of, key);
	struct tmap_error err;

	if (peer != TMAP_NONE)
		return peer;
	if (tmap_grow(&it->peer, &it->peer_capacity, (size_t)it->peer_count + 1, sizeof *it->peer,
		      &err) < 0 ||
	    tmap_handle_map_add(&it->peer_of, key, it->peer_count, &err) < 0) {
		tmap_recorder_fail(&err);
		return TMAP_NONE;
	}
	it->peer[it->peer_count] = rank;
	return it->peer_count++;
}

/* It is translated once. */
int tmap_recorder_find_peer(int handle, int dest)
{
	struct tmap_recorder *it = &tmap_recorder;
	MPI_Group group = it->handle[handle].group;
	struct tmap_error err;
	int peer, rank = MPI_UNDEFINED;

	if (it->handle[handle].is_world)
		return peer_find(dest);
	peer = tmap_handle_map_find(&it->handle[handle].peers, (uint64_t)dest);
	if (peer != TMAP_NONE)
		return peer;
	tmap_recorder_unlock();
	PMPI_Group_translate_ranks(group, 1, &dest, it->world, &rank);
	tmap_recorder_lock();
	peer = peer_find(rank == MPI_UNDEFINED ? TMAP_NONE : rank);
	/* another thread may have been here */
	if (peer != TMAP_NONE &&
	    tmap_handle_map_find(&it->handle[handle].peers, (uint64_t)dest) == TMAP_NONE &&
	    tmap_handle_map_add(&it->handle[handle].peers, (uint64_t)dest, peer, &err) < 0)
		tmap_recorder_fail(&err);
	return peer;
}

int64_t tmap_recorder_type_size(intptr_t type)
{
	MPI_Count size = 0;

	PMPI_Type_size_x((MPI_Datatype)type, &size);
	return size > 0 ? size : 0;
}

static int64_t message_bytes(int64_t count, intptr_t type)
{
	return tmap_sum_product(count, tmap_recorder_type_size(type));
}

/* The peer of a message, which is locked then; TMAP_NONE: it goes nowhere, and nothing is locked. */
static int peer_lock(int dest, intptr_t comm)
{
	int handle, peer;

	if (dest == MPI_PROC_NULL)
		return TMAP_NONE;
	handle = tmap_recorder_lock_comm((MPI_Comm)comm);
	peer = handle == TMAP_NONE ? TMAP_NONE : tmap_recorder_find_peer(handle, dest);
	if (peer == TMAP_NONE)
		tmap_recorder_unlock();
	return peer;
}

void tmap_record_sent(int64_t count, intptr_t type, int dest, intptr_t comm)
{
	int64_t bytes = message_bytes(count, type);
	int peer = peer_lock(dest, comm);

	if (peer == TMAP_NONE)
		return;
	tmap_recorder_count_message(TMAP_WAY_MESSAGES, peer, bytes);
	tmap_recorder_unlock();
}

/* A handle as a key, whatever MPI makes it of. */
static uint64_t request_key(const void *request)
{
	return (uint64_t)(intptr_t) * (const MPI_Request *)request;
}

/* Locked. */
static void request_forget(const void *request)
{
	struct tmap_recorder *it = &tmap_recorder;
	int number = tmap_handle_map_remove(&it->request_of, request_key(request));

	if (number == TMAP_NONE)
		return;
	free(it->request[number].edge);
	it->request[number].edge = NULL;
	it->request[number].next_free = it->free_request;
	it->free_request = number;
}

void tmap_recorder_keep(const void *request, const struct tmap_recorded_request *kept)
{
	struct tmap_recorder *it = &tmap_recorder;
	struct tmap_error err;
	int number;

	/* one that was released unseen */
	request_forget(request);
	number = it->free_request;
	if (number != TMAP_NONE)
		it->free_request = it->request[number].next_free;
	else if (tmap_grow(&it->request, &it->request_capacity, (size_t)it->request_count + 1,
			   sizeof *it->request, &err) < 0)
		tmap_recorder_fail(&err);
	else
		number = it->request_count++;
	if (number == TMAP_NONE) {
		free(kept->edge);
		return;
	}
	it->request[number] = *kept;
	if (tmap_handle_map_add(&it->request_of, request_key(request), number, &err) < 0)
		tmap_recorder_fail(&err);
}

void tmap_record_kept(int64_t count, intptr_t type, int dest, intptr_t comm, const void *request)
{
	struct tmap_recorded_request kept = { .peer = TMAP_NONE };

	if (!tmap_recorder.is_active)
		return;
	kept.bytes = message_bytes(count, type);
	kept.peer = peer_lock(dest, comm);
	if (kept.peer == TMAP_NONE)
		return;
	tmap_recorder_keep(request, &kept);
	tmap_recorder_unlock();
}

void tmap_record_kept_parts(int partitions, int64_t count, intptr_t type, int dest, intptr_t comm,
			    const void *request)
{
	tmap_record_kept(tmap_sum_product(partitions, count), type, dest, comm, request);
}

void tmap_record_all_started(int count, const void *requests)
{
	const MPI_Request *request = requests;

	tmap_recorder_lock();
	for (int i = 0; i < count; i++) {
		int number =
			tmap_handle_map_find(&tmap_recorder.request_of, request_key(request + i));

		if (number != TMAP_NONE) /* else a receive */
			tmap_recorder_count_request(&tmap_recorder.request[number]);
	}
	tmap_recorder_unlock();
}

void tmap_record_started(const void *request)
{
	tmap_record_all_started(1, request);
}

void tmap_record_forgotten(const void *request)
{
	if (!tmap_recorder.is_active)
		return;
	tmap_recorder_lock();
	request_forget(request);
	tmap_recorder_unlock();
}
