/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/conductor.h"

#include "core/machine/overlap.h"
#include "formats/base/signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ORDER_TAG = 11, READY_TAG, GO_TAG, TIMES_TAG };

/* An order: these, then from and to of each message. Without messages it is the last one. */
enum { KIND, BYTES, WINDOW, REPETITIONS, COUNT, HEAD };
enum { ORDER_MAX = HEAD + 2 * TMAP_TRIAL_MESSAGES_MAX };

/* Times of a rank: how long it took in all by its own clock, what other clocks of it make of that, the
 * signal that came, then each. */
enum { SPENT, APART, SIGNAL, FIRST_TIME, TIMES_MAX = FIRST_TIME + TMAP_TRIAL_REPETITIONS_MAX };

/* A clock jumped that went on for longer than that, and by so much, while rank 0's did for the same; or that
 * is so far apart from another one of the system. */
static const double clock_factor = 1.5, clock_slack_s = 0.005, apart_s = 0.002;

static int order_pack(int64_t order[ORDER_MAX], const struct tmap_trial *trial)
{
	order[KIND] = trial->kind;
	order[BYTES] = trial->bytes;
	order[WINDOW] = trial->window;
	order[REPETITIONS] = trial->repetitions;
	order[COUNT] = trial->count;
	for (int i = 0; i < trial->count; i++) {
		order[HEAD + 2 * i] = trial->from[i];
		order[HEAD + 2 * i + 1] = trial->to[i];
	}
	return HEAD + 2 * trial->count;
}

static void order_unpack(struct tmap_trial *trial, const int64_t order[ORDER_MAX])
{
	*trial = (struct tmap_trial){ .kind = (enum tmap_trial_kind)order[KIND],
				      .bytes = order[BYTES],
				      .window = (int)order[WINDOW],
				      .repetitions = (int)order[REPETITIONS],
				      .count = (int)order[COUNT] };
	for (int i = 0; i < trial->count; i++) {
		trial->from[i] = (int)order[HEAD + 2 * i];
		trial->to[i] = (int)order[HEAD + 2 * i + 1];
	}
}

int tmap_conductor_init(struct tmap_conductor *it, struct tmap_job *job,
			const struct tmap_channel *channel, const struct tmap_interrupt *interrupt,
			const struct tmap_placement *placement, struct tmap_error *err)
{
	int sharing = 0, status = tmap_overlap_count(&sharing, placement, err);

	*it = (struct tmap_conductor){ .job = job,
				       .channel = channel,
				       .interrupt = interrupt,
				       .sleeps = sharing > 0,
				       .begin_s = MPI_Wtime() };
	return tmap_job_agree(job, status, err);
}

void tmap_conductor_fini(struct tmap_conductor *it)
{
	tmap_trial_room_fini(&it->room);
}

double tmap_conductor_spent(const struct tmap_conductor *it)
{
	return MPI_Wtime() - it->begin_s;
}

/* A failed call of MPI leaves the others waiting: the job is broken. */
static int conductor_check(struct tmap_conductor *it, int code, const char *function,
			   struct tmap_error *err)
{
	return tmap_job_check(it->job, code, function, err);
}

/* Until a message from a rank with that tag is there. */
static int message_await(struct tmap_conductor *it, int from, int tag, struct tmap_error *err)
{
	const long most_ns = 2000000;
	struct timespec pause = {
		0, 0
	}; /* no compound literal: a simulator's nanosleep() is a macro */
	long ns = 20000;
	int there = 0;

	while (it->sleeps && !there) {
		if (conductor_check(
			    it, MPI_Iprobe(from, tag, it->channel->comm, &there, MPI_STATUS_IGNORE),
			    "MPI_Iprobe", err) < 0)
			return -1;
		if (there)
			break;
		pause.tv_nsec = ns;
		nanosleep(&pause, NULL);
		ns = 2 * ns < most_ns ? 2 * ns : most_ns;
	}
	return 0;
}

/* What the clock of MPI_Wtime() and others of the system show at one moment. */
struct clocks {
	double mpi, system[2];
	double width_s; /* between the first look and the last: so far from each other may the moments be */
};

static double system_clock(clockid_t which)
{
	struct timespec now;

	clock_gettime(which, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The closest of a few looks: another process may run between, and some clocks take long to be read. */
static struct clocks clocks_read(void)
{
	enum { LOOKS = 8 };
	const double moment_s = 2e-5;
	struct clocks closest = { .width_s = INFINITY };

	for (int i = 0; i < LOOKS && closest.width_s > moment_s; i++) {
		struct clocks now = { .mpi = MPI_Wtime() };

		now.system[0] = system_clock(CLOCK_MONOTONIC);
		now.system[1] = system_clock(CLOCK_REALTIME);
		now.width_s = MPI_Wtime() - now.mpi;
		if (now.width_s >= 0 && now.width_s < closest.width_s)
			closest = now;
	}
	return closest;
}

/* By how much a clock went on longer than another one at least; 0 or less: maybe by nothing. */
static double clocks_apart(const struct clocks *start, const struct clocks *end)
{
	double spent = end->mpi - start->mpi;
	double first = end->system[0] - start->system[0], other = end->system[1] - start->system[1];

	return fmax(fabs(spent - first), fabs(spent - other)) - start->width_s - end->width_s;
}

/* This rank's part: how long all of it took, and what came of it. */
static int part_run(struct tmap_conductor *it, const struct tmap_trial *trial,
		    double times[TIMES_MAX], struct tmap_error *err)
{
	struct clocks start = clocks_read(), end;
	int status = tmap_trial_run(trial, it->channel, &it->room, &times[FIRST_TIME], err);

	end = clocks_read();
	times[SPENT] = end.mpi - start.mpi;
	times[APART] = clocks_apart(&start, &end);
	times[SIGNAL] = it->interrupt->number;
	it->job->broken = it->job->broken || status < 0;
	return status;
}

/* After an order: say whether there is memory for it, and begin if all have some. */
static int follow_order(struct tmap_conductor *it, const struct tmap_trial *trial,
			struct tmap_error *err)
{
	MPI_Comm comm = it->channel->comm;
	double times[TIMES_MAX] = { 0 };
	struct tmap_error none;
	int ready = tmap_trial_room_make(&it->room, trial, it->channel->rank, &none) == 0, go = 0;

	if (conductor_check(it, MPI_Send(&ready, 1, MPI_INT, 0, READY_TAG, comm), "MPI_Send", err) <
		    0 ||
	    conductor_check(it, MPI_Recv(&go, 1, MPI_INT, 0, GO_TAG, comm, MPI_STATUS_IGNORE),
			    "MPI_Recv", err) < 0)
		return -1;
	if (!go)
		return 0;
	if (part_run(it, trial, times, err) < 0)
		return -1;
	return conductor_check(
		it,
		MPI_Send(times, FIRST_TIME + trial->repetitions, MPI_DOUBLE, 0, TIMES_TAG, comm),
		"MPI_Send", err);
}

int tmap_conductor_follow(struct tmap_conductor *it, struct tmap_error *err)
{
	int64_t order[ORDER_MAX];
	struct tmap_trial trial;

	for (;;) {
		if (message_await(it, 0, ORDER_TAG, err) < 0 ||
		    conductor_check(it,
				    MPI_Recv(order, ORDER_MAX, MPI_INT64_T, 0, ORDER_TAG,
					     it->channel->comm, MPI_STATUS_IGNORE),
				    "MPI_Recv", err) < 0)
			return -1;
		if (!order[COUNT])
			return 0;
		order_unpack(&trial, order);
		if (follow_order(it, &trial, err) < 0)
			return -1;
	}
}

/* The other ranks of a trial, each once: [*count]. */
static void others_find(int *other, int *count, const struct tmap_trial *trial)
{
	*count = 0;
	for (int i = 0; i < 2 * trial->count; i++) {
		int rank = i % 2 ? trial->to[i / 2] : trial->from[i / 2], k = 0;

		while (k < *count && other[k] != rank)
			k++;
		if (rank != 0 && k == *count)
			other[(*count)++] = rank;
	}
}

/* Orders to all of them; *go: each has memory. */
static int orders_send(struct tmap_conductor *it, const struct tmap_trial *trial, const int *other,
		       int count, int *go, struct tmap_error *err)
{
	MPI_Comm comm = it->channel->comm;
	int64_t order[ORDER_MAX];
	struct tmap_error none;
	int length = order_pack(order, trial);

	*go = !tmap_trial_has(trial, 0) || tmap_trial_room_make(&it->room, trial, 0, &none) == 0;
	for (int i = 0; i < count; i++)
		if (conductor_check(it,
				    MPI_Send(order, length, MPI_INT64_T, other[i], ORDER_TAG, comm),
				    "MPI_Send", err) < 0)
			return -1;
	for (int i = 0; i < count; i++) {
		int ready;

		if (message_await(it, other[i], READY_TAG, err) < 0 ||
		    conductor_check(it,
				    MPI_Recv(&ready, 1, MPI_INT, other[i], READY_TAG, comm,
					     MPI_STATUS_IGNORE),
				    "MPI_Recv", err) < 0)
			return -1;
		*go = *go && ready;
	}
	for (int i = 0; i < count; i++)
		if (conductor_check(it, MPI_Send(go, 1, MPI_INT, other[i], GO_TAG, comm),
				    "MPI_Send", err) < 0)
			return -1;
	return 0;
}

/* A rank's times become part of the result; the clocks of both went on for about as long. */
static void result_add(struct tmap_trial_result *result, int rank, const double *times,
		       double spent_s)
{
	bool is_odd = times[SPENT] > clock_factor * spent_s + clock_slack_s ||
		times[APART] > apart_s + 0.01 * spent_s;

	for (int r = 0; r < result->count; r++) {
		double seconds = times[FIRST_TIME + r];

		is_odd |= seconds < 0;
		if (seconds > result->seconds[r])
			result->seconds[r] = seconds;
	}
	if (is_odd && result->odd_rank == TMAP_NONE)
		result->odd_rank = rank;
}

int tmap_conductor_run(struct tmap_conductor *it, const struct tmap_trial *trial,
		       struct tmap_trial_result *result, struct tmap_error *err)
{
	int other[2 * TMAP_TRIAL_MESSAGES_MAX], count, go;
	double own[TIMES_MAX] = { 0 }, times[TIMES_MAX], start;
	bool has_part = tmap_trial_has(trial, 0);

	others_find(other, &count, trial);
	*result = (struct tmap_trial_result){ .count = trial->repetitions, .odd_rank = TMAP_NONE };
	start = MPI_Wtime();
	if (orders_send(it, trial, other, count, &go, err) < 0)
		return -1;
	if (!go)
		return tmap_fail(err, TMAP_SYSTEM, "out of memory for messages of %lld bytes",
				 (long long)trial->bytes);
	if (has_part && part_run(it, trial, own, err) < 0)
		return -1;
	if (has_part)
		result_add(result, 0, own, own[SPENT]);
	for (int i = 0; i < count; i++) {
		if (message_await(it, other[i], TIMES_TAG, err) < 0 ||
		    conductor_check(it,
				    MPI_Recv(times, TIMES_MAX, MPI_DOUBLE, other[i], TIMES_TAG,
					     it->channel->comm, MPI_STATUS_IGNORE),
				    "MPI_Recv", err) < 0)
			return -1;
		result_add(result, other[i], times, MPI_Wtime() - start);
		if (times[SIGNAL] > 0)
			it->stopped_by = (int)times[SIGNAL];
	}
	if (it->interrupt->number)
		it->stopped_by = it->interrupt->number;
	return it->stopped_by ?
		tmap_fail(err, TMAP_SYSTEM,
			  "interrupted by %s before the profile was there: nothing is written",
			  tmap_signals_name(it->stopped_by)) :
		0;
}

int tmap_conductor_end(struct tmap_conductor *it, struct tmap_error *err)
{
	const int64_t last[HEAD] = { 0 };

	for (int r = 1; r < it->channel->size && !it->job->broken; r++)
		if (conductor_check(
			    it, MPI_Send(last, HEAD, MPI_INT64_T, r, ORDER_TAG, it->channel->comm),
			    "MPI_Send", err) < 0)
			return -1;
	return 0;
}
