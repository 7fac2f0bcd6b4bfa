/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/common_clock.h"

#include "core/base/mem.h"
#include "mpi_run/bench/os_clock.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	TAG_EXCHANGE,
	TAG_MODEL,

	TRIES = 10,        /* exchanges, of which the shortest counts */
	FIRST_BURSTS = 16, /* so often when it begins, with a pause after each */
	FIRST_PAUSE_NS = 4000000,
	BURSTS = 4, /* and so often when it looks again */

	ROUNDING_NS = 2,
	SPIN_NS = 10000, /* the last of a wait is without MPI */
};

/* What a leader knows of the common clock, for those that learn from it. */
struct lesson {
	struct tmap_clock_model model;
	int64_t error_ns; /* of the one that was there before */
};

/* Whose ranks have one clock: the first rank of the node with the same, as a color. */
static int team_color(struct tmap_job *job, bool is_shared, int *color, struct tmap_error *err)
{
	uint64_t mine = is_shared ? tmap_os_clock_identity() : 0, *all;
	int rank, size, status;

	if (tmap_job_check(job, MPI_Comm_rank(job->node, &rank), "MPI_Comm_rank", err) < 0 ||
	    tmap_job_check(job, MPI_Comm_size(job->node, &size), "MPI_Comm_size", err) < 0)
		return -1;
	all = tmap_alloc((size_t)size, sizeof *all, err);
	if (tmap_job_agree(job, all ? 0 : -1, err) < 0) {
		free(all);
		return -1;
	}
	status = tmap_job_check(
		job, MPI_Allgather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, job->node),
		"MPI_Allgather", err);
	*color = rank;
	for (int i = 0; i < rank && mine && status == 0; i++)
		if (all[i] == mine) {
			*color = i;
			break;
		}
	free(all);
	return status;
}

static int teams_make(struct tmap_common_clock *it, bool is_shared, struct tmap_error *err)
{
	struct tmap_job *job = it->job;
	int color, rank;

	if (team_color(job, is_shared, &color, err) < 0 ||
	    tmap_job_check(job, MPI_Comm_split(job->node, color, job->rank, &it->team),
			   "MPI_Comm_split", err) < 0 ||
	    tmap_job_check(job, MPI_Comm_rank(it->team, &rank), "MPI_Comm_rank", err) < 0 ||
	    tmap_job_check(job,
			   MPI_Comm_split(job->world, rank == 0 ? 0 : MPI_UNDEFINED, job->rank,
					  &it->leaders),
			   "MPI_Comm_split", err) < 0)
		return -1;
	if (rank == 0 &&
	    (tmap_job_check(job, MPI_Comm_rank(it->leaders, &it->place), "MPI_Comm_rank", err) <
		     0 ||
	     tmap_job_check(job, MPI_Comm_size(it->leaders, &it->count), "MPI_Comm_size", err) < 0))
		return -1;
	return tmap_job_check(job, MPI_Bcast(&it->count, 1, MPI_INT, 0, job->world), "MPI_Bcast",
			      err);
}

/* The highest power of two that is no more than @p place. */
static int place_top(int place)
{
	int top = 1;

	while (top <= place / 2)
		top *= 2;
	return top;
}

/* The side that asks: the shortest of some exchanges. */
static int exchange_ask(struct tmap_common_clock *it, int whom, struct tmap_clock_exchange *best,
			struct tmap_error *err)
{
	struct tmap_clock_exchange tried[TRIES];

	for (int i = 0; i < TRIES; i++) {
		tried[i].sent_ns = tmap_os_clock_now();
		if (tmap_job_check(it->job,
				   MPI_Send(NULL, 0, MPI_BYTE, whom, TAG_EXCHANGE, it->leaders),
				   "MPI_Send", err) < 0 ||
		    tmap_job_check(it->job,
				   MPI_Recv(&tried[i].other_ns, 1, MPI_INT64_T, whom, TAG_EXCHANGE,
					    it->leaders, MPI_STATUS_IGNORE),
				   "MPI_Recv", err) < 0)
			return -1;
		tried[i].received_ns = tmap_os_clock_now();
	}
	*best = tmap_clock_shortest(tried, TRIES);
	return 0;
}

static int exchange_answer(struct tmap_common_clock *it, int whom, struct tmap_error *err)
{
	for (int i = 0; i < TRIES; i++) {
		int64_t now;

		if (tmap_job_check(it->job,
				   MPI_Recv(NULL, 0, MPI_BYTE, whom, TAG_EXCHANGE, it->leaders,
					    MPI_STATUS_IGNORE),
				   "MPI_Recv", err) < 0)
			return -1;
		now = tmap_os_clock_now();
		if (tmap_job_check(it->job,
				   MPI_Send(&now, 1, MPI_INT64_T, whom, TAG_EXCHANGE, it->leaders),
				   "MPI_Send", err) < 0)
			return -1;
	}
	return 0;
}

/* Once with each that this leader exchanges with; the oldest exchange makes room. */
static int leader_burst(struct tmap_common_clock *it, struct tmap_error *err)
{
	if (it->place > 0) {
		if (it->kept_count == TMAP_CLOCK_KEPT)
			memmove(it->kept, it->kept + 1,
				(size_t)--it->kept_count * sizeof *it->kept);
		if (exchange_ask(it, it->place - place_top(it->place), &it->kept[it->kept_count],
				 err) < 0)
			return -1;
		it->kept_count++;
	}
	for (int far = it->place > 0 ? 2 * place_top(it->place) : 1; it->place + far < it->count;
	     far *= 2)
		if (exchange_answer(it, it->place + far, err) < 0)
			return -1;
	return 0;
}

/* The kept exchanges from @p first on, as with the common clock by @p above. */
static int exchanges_translate(const struct tmap_common_clock *it, int first,
			       const struct tmap_clock_model *above, struct tmap_clock_exchange *to)
{
	for (int i = first; i < it->kept_count; i++) {
		to[i - first] = it->kept[i];
		to[i - first].other_ns = tmap_clock_to_other(above, it->kept[i].other_ns);
	}
	return it->kept_count - first;
}

/* After @p bursts new exchanges: by how much was the old model wrong, and what is the new one? */
static void leader_learn(struct tmap_common_clock *it, int bursts, struct lesson *lesson)
{
	struct tmap_clock_exchange list[TMAP_CLOCK_KEPT];
	int count, first = it->kept_count - it->recent - bursts;

	if (it->recent) {
		count = exchanges_translate(it, first > 0 ? first : 0, &it->above, list);
		lesson->error_ns += tmap_clock_error(&it->model, list, (size_t)count) + ROUNDING_NS;
	}
	it->above = lesson->model;
	count = exchanges_translate(it, 0, &it->above, list);
	it->model = tmap_clock_fit(list, (size_t)count);
	it->recent = bursts;
	lesson->model = it->model;
}

/* From rank 0 outward; the largest error is rank 0's to know. */
static int leader_model(struct tmap_common_clock *it, int bursts, struct tmap_error *err)
{
	struct lesson lesson = { 0 };
	int64_t worst = 0;

	if (it->place > 0) {
		if (tmap_job_check(it->job,
				   MPI_Recv(&lesson, (int)sizeof lesson, MPI_BYTE,
					    it->place - place_top(it->place), TAG_MODEL,
					    it->leaders, MPI_STATUS_IGNORE),
				   "MPI_Recv", err) < 0)
			return -1;
		leader_learn(it, bursts, &lesson);
	}
	for (int far = it->place > 0 ? 2 * place_top(it->place) : 1; it->place + far < it->count;
	     far *= 2)
		if (tmap_job_check(it->job,
				   MPI_Send(&lesson, (int)sizeof lesson, MPI_BYTE, it->place + far,
					    TAG_MODEL, it->leaders),
				   "MPI_Send", err) < 0)
			return -1;
	if (tmap_job_check(
		    it->job,
		    MPI_Reduce(&lesson.error_ns, &worst, 1, MPI_INT64_T, MPI_MAX, 0, it->leaders),
		    "MPI_Reduce", err) < 0)
		return -1;
	it->error_ns = worst > it->error_ns ? worst : it->error_ns;
	return 0;
}

static int clock_learn(struct tmap_common_clock *it, int bursts, long pause_ns,
		       struct tmap_error *err)
{
	const struct timespec pause = { .tv_nsec = pause_ns };

	if (it->count == 1) {
		it->synced_ns = tmap_common_clock_now(it);
		return 0;
	}
	if (it->leaders != MPI_COMM_NULL) {
		for (int i = 0; i < bursts; i++) {
			if (leader_burst(it, err) < 0)
				return -1;
			if (pause_ns)
				nanosleep(&pause, NULL);
		}
		if (leader_model(it, bursts, err) < 0)
			return -1;
	}
	if (tmap_job_check(it->job,
			   MPI_Bcast(&it->model, (int)sizeof it->model, MPI_BYTE, 0, it->team),
			   "MPI_Bcast", err) < 0)
		return -1;
	it->synced_ns = tmap_common_clock_now(it);
	return 0;
}

int tmap_common_clock_init(struct tmap_common_clock *clock, struct tmap_job *job, bool is_shared,
			   struct tmap_error *err)
{
	*clock = (struct tmap_common_clock){ .job = job,
					     .team = MPI_COMM_NULL,
					     .leaders = MPI_COMM_NULL };
	if (teams_make(clock, is_shared, err) < 0 ||
	    clock_learn(clock, FIRST_BURSTS, FIRST_PAUSE_NS, err) < 0)
		return -1;
	clock->begun_ns = clock->synced_ns;
	return 0;
}

void tmap_common_clock_fini(struct tmap_common_clock *clock)
{
	if (!clock->job || clock->job->broken)
		return;
	if (clock->leaders != MPI_COMM_NULL)
		MPI_Comm_free(&clock->leaders);
	if (clock->team != MPI_COMM_NULL)
		MPI_Comm_free(&clock->team);
	clock->job = NULL;
}

int tmap_common_clock_sync(struct tmap_common_clock *clock, struct tmap_error *err)
{
	return clock_learn(clock, BURSTS, 0, err);
}

int64_t tmap_common_clock_now(const struct tmap_common_clock *clock)
{
	return tmap_clock_to_other(&clock->model, tmap_os_clock_now());
}

int tmap_common_clock_await(const struct tmap_common_clock *clock, int64_t start_ns, double *late_s,
			    struct tmap_error *err)
{
	const int64_t start = tmap_clock_to_own(&clock->model, start_ns);
	int64_t now = tmap_os_clock_now();
	int flag;

	for (; now < start - SPIN_NS; now = tmap_os_clock_now())
		if (tmap_job_check(clock->job,
				   MPI_Iprobe(MPI_ANY_SOURCE, TAG_EXCHANGE, clock->team, &flag,
					      MPI_STATUS_IGNORE),
				   "MPI_Iprobe", err) < 0)
			return -1;
	while (now < start)
		now = tmap_os_clock_now();
	*late_s = (double)(now - start) * 1e-9;
	return 0;
}
