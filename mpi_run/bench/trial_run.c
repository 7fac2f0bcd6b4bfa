/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/trial_run.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DATA_TAG = 1, ANSWER_TAG, BARRIER_TAG };

/* Blocks of a derived datatype, and how far apart they begin. */
enum { TYPE_BLOCK = 64, TYPE_STRIDE = 128 };

static bool is_first_time(int repetition)
{
	return repetition < 0;
}

bool tmap_trial_has(const struct tmap_trial *trial, int rank)
{
	for (int i = 0; i < trial->count; i++)
		if (trial->from[i] == rank || trial->to[i] == rank)
			return true;
	return false;
}

/* Memory that has been written is there when it is timed. */
static int room_grow(unsigned char **memory, size_t *capacity, size_t need, struct tmap_error *err)
{
	unsigned char *made;

	if (need <= *capacity)
		return 0;
	made = tmap_alloc_raw(need, 1, err);
	if (!made)
		return -1;
	memset(made, 1, need);
	free(*memory);
	*memory = made;
	*capacity = need;
	return 0;
}

int tmap_trial_room_make(struct tmap_trial_room *room, const struct tmap_trial *trial, int rank,
			 struct tmap_error *err)
{
	size_t bytes = (size_t)trial->bytes, receives = 0;
	bool is_spread = trial->kind == TMAP_TRIAL_TYPED;

	for (int i = 0; i < trial->count; i++)
		receives += trial->to[i] == rank;
	if (trial->kind != TMAP_TRIAL_AT_ONCE)
		receives = 1;
	else
		receives *= (size_t)trial->window;
	if (is_spread)
		bytes = bytes / TYPE_BLOCK * TYPE_STRIDE;
	if (trial->kind == TMAP_TRIAL_AT_ONCE &&
	    tmap_grow(&room->request, &room->request_capacity,
		      2 * (size_t)trial->count * (size_t)(trial->window + 1), sizeof *room->request,
		      err) < 0)
		return -1;
	if (room_grow(&room->send, &room->send_capacity, bytes, err) < 0)
		return -1;
	return room_grow(&room->recv, &room->recv_capacity, receives * bytes, err);
}

void tmap_trial_room_fini(struct tmap_trial_room *room)
{
	free(room->send);
	free(room->recv);
	free(room->request);
	*room = (struct tmap_trial_room){ 0 };
}

/* Half a round trip, window of them after one another. */
static int round_trip_run(const struct tmap_trial *trial, const struct tmap_channel *channel,
			  struct tmap_trial_room *room, MPI_Datatype type, int count,
			  double *seconds, struct tmap_error *err)
{
	bool begins = trial->from[0] == channel->rank;
	int other = begins ? trial->to[0] : trial->from[0];

	for (int r = -1; r < trial->repetitions; r++) {
		double start = MPI_Wtime();
		int code = MPI_SUCCESS;

		for (int i = 0; i < trial->window && code == MPI_SUCCESS; i++) {
			if (begins)
				code = MPI_Send(room->send, count, type, other, DATA_TAG,
						channel->comm);
			if (code == MPI_SUCCESS)
				code = MPI_Recv(room->recv, count, type, other, DATA_TAG,
						channel->comm, MPI_STATUS_IGNORE);
			if (!begins && code == MPI_SUCCESS)
				code = MPI_Send(room->send, count, type, other, DATA_TAG,
						channel->comm);
		}
		if (tmap_mpi_check(code, "MPI_Send", err) < 0)
			return -1;
		if (!is_first_time(r))
			seconds[r] = begins ? (MPI_Wtime() - start) / (2 * trial->window) : 0;
	}
	return 0;
}

static int typed_run(const struct tmap_trial *trial, const struct tmap_channel *channel,
		     struct tmap_trial_room *room, double *seconds, struct tmap_error *err)
{
	MPI_Datatype type;
	int status = tmap_mpi_check(MPI_Type_vector((int)(trial->bytes / TYPE_BLOCK), TYPE_BLOCK,
						    TYPE_STRIDE, MPI_BYTE, &type),
				    "MPI_Type_vector", err);

	if (status < 0)
		return -1;
	status = tmap_mpi_check(MPI_Type_commit(&type), "MPI_Type_commit", err);
	if (status == 0)
		status = round_trip_run(trial, channel, room, type, 1, seconds, err);
	MPI_Type_free(&type);
	return status;
}

/* The ranks of a trial, rising. */
struct crew {
	int count, place; /* this rank's */
	int rank[2 * TMAP_TRIAL_MESSAGES_MAX];
};

static int compare_ints(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static void crew_find(struct crew *crew, const struct tmap_trial *trial, int rank)
{
	int n = 0;

	crew->count = crew->place = 0;
	for (int i = 0; i < trial->count; i++) {
		crew->rank[n++] = trial->from[i];
		crew->rank[n++] = trial->to[i];
	}
	qsort(crew->rank, (size_t)n, sizeof crew->rank[0], compare_ints);
	for (int i = 0; i < n; i++)
		if (i == 0 || crew->rank[i] != crew->rank[i - 1])
			crew->rank[crew->count++] = crew->rank[i];
	while (crew->rank[crew->place] != rank)
		crew->place++;
}

/* Round k: to the one 2^k ahead. */
static int crew_barrier(const struct crew *crew, const struct tmap_channel *channel)
{
	int code = MPI_SUCCESS;

	for (int away = 1; away < crew->count && code == MPI_SUCCESS; away *= 2) {
		int to = crew->rank[(crew->place + away) % crew->count];
		int from = crew->rank[(crew->place + crew->count - away) % crew->count];

		code = MPI_Sendrecv(NULL, 0, MPI_BYTE, to, BARRIER_TAG, NULL, 0, MPI_BYTE, from,
				    BARRIER_TAG, channel->comm, MPI_STATUS_IGNORE);
	}
	return code;
}

/* What is under way at this rank: requests of messages that come, and of those that leave with their
 * answers. */
struct flight {
	int come_count, leave_count;
	MPI_Request *come, *leave;
};

static int flight_begin_receives(struct flight *flight, const struct tmap_trial *trial,
				 const struct tmap_channel *channel,
				 const struct tmap_trial_room *room)
{
	int code = MPI_SUCCESS;

	flight->come_count = flight->leave_count = 0;
	for (int i = 0; i < trial->count; i++) {
		for (int w = 0; trial->to[i] == channel->rank && w < trial->window; w++) {
			if (code == MPI_SUCCESS)
				code = MPI_Irecv(
					room->recv +
						(size_t)flight->come_count * (size_t)trial->bytes,
					(int)trial->bytes, MPI_BYTE, trial->from[i], DATA_TAG,
					channel->comm, &flight->come[flight->come_count]);
			flight->come_count++;
		}
		if (trial->from[i] == channel->rank && code == MPI_SUCCESS)
			code = MPI_Irecv(NULL, 0, MPI_BYTE, trial->to[i], ANSWER_TAG, channel->comm,
					 &flight->leave[flight->leave_count++]);
	}
	return code;
}

/* To the end of all messages of this rank. */
static int flight_run(struct flight *flight, const struct tmap_trial *trial,
		      const struct tmap_channel *channel, const struct tmap_trial_room *room)
{
	int code = MPI_SUCCESS;

	for (int i = 0; i < trial->count; i++)
		for (int w = 0; trial->from[i] == channel->rank && w < trial->window; w++)
			if (code == MPI_SUCCESS)
				code = MPI_Isend(room->send, (int)trial->bytes, MPI_BYTE,
						 trial->to[i], DATA_TAG, channel->comm,
						 &flight->leave[flight->leave_count++]);
	if (code == MPI_SUCCESS)
		code = MPI_Waitall(flight->come_count, flight->come, MPI_STATUSES_IGNORE);
	for (int i = 0; i < trial->count && code == MPI_SUCCESS; i++)
		if (trial->to[i] == channel->rank)
			code = MPI_Send(NULL, 0, MPI_BYTE, trial->from[i], ANSWER_TAG,
					channel->comm);
	return code == MPI_SUCCESS ?
		MPI_Waitall(flight->leave_count, flight->leave, MPI_STATUSES_IGNORE) :
		code;
}

static int at_once_run(const struct tmap_trial *trial, const struct tmap_channel *channel,
		       struct tmap_trial_room *room, double *seconds, struct tmap_error *err)
{
	struct flight flight = { .come = room->request,
				 .leave = room->request +
					 (size_t)trial->count * (size_t)(trial->window + 1) };
	bool sends = false;
	int status = 0;
	struct crew crew;

	crew_find(&crew, trial, channel->rank);
	for (int i = 0; i < trial->count; i++)
		sends |= trial->from[i] == channel->rank;
	for (int r = -1; r < trial->repetitions && status == 0; r++) {
		int code = flight_begin_receives(&flight, trial, channel, room);
		double start;

		if (code == MPI_SUCCESS)
			code = crew_barrier(&crew, channel);
		start = MPI_Wtime();
		if (code == MPI_SUCCESS)
			code = flight_run(&flight, trial, channel, room);
		if (!is_first_time(r))
			seconds[r] = sends ? MPI_Wtime() - start : 0;
		status = tmap_mpi_check(code, "MPI_Waitall", err);
	}
	return status;
}

static void sleep_us(int us)
{
	struct timespec pause = { us / 1000000, us % 1000000 * 1000L };

	nanosleep(&pause, NULL);
}

static int late_run(const struct tmap_trial *trial, const struct tmap_channel *channel,
		    struct tmap_trial_room *room, double *seconds, struct tmap_error *err)
{
	bool sends = trial->from[0] == channel->rank;
	struct crew crew;

	crew_find(&crew, trial, channel->rank);
	for (int r = -1; r < trial->repetitions; r++) {
		int code = crew_barrier(&crew, channel);
		double start = MPI_Wtime();

		if (!sends)
			sleep_us(trial->window);
		if (code == MPI_SUCCESS)
			code = sends ?
				MPI_Send(room->send, (int)trial->bytes, MPI_BYTE, trial->to[0],
					 DATA_TAG, channel->comm) :
				MPI_Recv(room->recv, (int)trial->bytes, MPI_BYTE, trial->from[0],
					 DATA_TAG, channel->comm, MPI_STATUS_IGNORE);
		if (!is_first_time(r))
			seconds[r] = sends ? MPI_Wtime() - start : 0;
		if (tmap_mpi_check(code, "MPI_Send", err) < 0)
			return -1;
	}
	return 0;
}

/* Within this rank's memory: of doubles that are 0, so that nothing overflows. */
static int own_run(const struct tmap_trial *trial, struct tmap_trial_room *room, double *seconds,
		   struct tmap_error *err)
{
	size_t bytes = (size_t)trial->bytes;

	memset(room->send, 0, bytes);
	memset(room->recv, 0, bytes);
	for (int r = -1; r < trial->repetitions; r++) {
		double start = MPI_Wtime();

		for (int i = 0; i < trial->window; i++) {
			if (trial->kind == TMAP_TRIAL_COPY)
				memcpy(room->recv, room->send, bytes);
			else if (tmap_mpi_check(MPI_Reduce_local(room->send, room->recv,
								 (int)(bytes / sizeof(double)),
								 MPI_DOUBLE, MPI_SUM),
						"MPI_Reduce_local", err) < 0)
				return -1;
			/* the compiler does not know that nobody reads it */
			__asm__ volatile("" : : "r"(room->recv) : "memory");
		}
		if (!is_first_time(r))
			seconds[r] = (MPI_Wtime() - start) / trial->window;
	}
	return 0;
}

int tmap_trial_run(const struct tmap_trial *trial, const struct tmap_channel *channel,
		   struct tmap_trial_room *room, double *seconds, struct tmap_error *err)
{
	switch (trial->kind) {
	case TMAP_TRIAL_ROUND_TRIP:
		return round_trip_run(trial, channel, room, MPI_BYTE, (int)trial->bytes, seconds,
				      err);
	case TMAP_TRIAL_TYPED:
		return typed_run(trial, channel, room, seconds, err);
	case TMAP_TRIAL_AT_ONCE:
		return at_once_run(trial, channel, room, seconds, err);
	case TMAP_TRIAL_LATE:
		return late_run(trial, channel, room, seconds, err);
	case TMAP_TRIAL_COPY:
	case TMAP_TRIAL_REDUCE:
		return own_run(trial, room, seconds, err);
	}
	return 0;
}
