/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/calibration_check.h"

#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "mpi_run/bench/check_entry.h"
#include "mpi_run/bench/check_plan.h"
#include "mpi_run/bench/session_clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = TMAP_CHECK_ROUNDS, FIRST_REPETITIONS = 3, REPETITIONS = 50, LATE_MOST = 4 };

struct checking {
	struct tmap_session *session;
	struct tmap_check *check;
	struct tmap_random random; /* the same on all ranks */
	double begin, seconds;     /* by rank 0's clock */
	int count;
	struct tmap_check_entry *entry; /* [count], by case */
	int *order;                     /* [count] */
	int late;                       /* experiments that ranks began late again and again */
};

/* An experiment for each row of each case. */
static int checking_init(struct checking *it, struct tmap_error *err)
{
	int count = 0;

	for (int c = 0; c < it->check->count; c++)
		count += it->check->item[c].count;
	it->entry = tmap_alloc((size_t)count, sizeof *it->entry, err);
	it->order = tmap_alloc((size_t)count, sizeof *it->order, err);
	if (!it->entry || !it->order)
		return -1;
	it->session->times.by_rounds = it->session->times.says_rounds = true;
	for (int c = 0; c < it->check->count; c++)
		for (int i = 0; i < it->check->item[c].count; i++) {
			struct tmap_check_entry *entry = &it->entry[it->count++];
			struct tmap_call call;

			*entry = (struct tmap_check_entry){ .item = c, .row = i };
			call = tmap_check_entry_call(entry, it->check, it->session);
			entry->candidate.name = it->check->item[c].row[i].algorithm;
			entry->candidate.by_rounds = true;
			if (tmap_call_parse(&call, it->check->item[c].collective,
					    entry->candidate.name, err) < 0)
				return -1;
			entry->candidate.choice = call.choice;
		}
	return 0;
}

static void checking_fini(struct checking *it)
{
	for (int i = 0; i < it->count; i++)
		free(it->entry[i].time);
	free(it->entry);
	free(it->order);
}

/* Case after case, in random order, and in each its rows: what changes slowly is the same for all
 * algorithms that are compared. */
static void checking_shuffle(struct checking *it)
{
	int order[TMAP_CHECK_CASES], at = 0;

	for (int c = 0; c < it->check->count; c++)
		order[c] = c;
	tmap_random_shuffle(&it->random, order, it->check->count);
	for (int c = 0; c < it->check->count; c++) {
		int begin = at;

		for (int i = 0; i < it->count; i++)
			if (it->entry[i].item == order[c])
				it->order[at++] = i;
		tmap_random_shuffle(&it->random, it->order + begin, at - begin);
	}
}

static double checking_left(const struct checking *it)
{
	return it->seconds - (MPI_Wtime() - it->begin);
}

/* Collective: what rank 0 says. */
static int checking_follow(struct checking *it, int *says, struct tmap_error *err)
{
	struct tmap_job *job = &it->session->startup->job;

	return tmap_job_check(job, MPI_Bcast(says, 1, MPI_INT, 0, job->world), "MPI_Bcast", err);
}

/* Collective: by the common clock as long as that is of use. */
static int subject_time(struct checking *it, struct tmap_bench_subject *subject,
			const struct tmap_session_addition *addition, struct tmap_error *err)
{
	struct tmap_session *session = it->session;
	int status = tmap_session_time(session, subject, addition, err);

	while (status < 0 && session->timing.clock && !session->timing.stopped_by &&
	       !session->startup->job.broken) {
		if (++it->late == LATE_MOST && tmap_session_leave_clock(session, err) < 0)
			return -1;
		status = tmap_session_time(session, subject, addition, err);
	}
	return status;
}

/* Rank 0: what is measured next; the time is what ends the check. */
static void note_progress(const struct checking *it, const char *what)
{
	const double parts = 1000;
	struct tmap_session *session = it->session;
	double done = parts * (MPI_Wtime() - it->begin) / it->seconds;

	if (session->startup->job.rank != 0)
		return;
	session->line.next = what;
	tmap_progress_report(&session->line.progress, (int64_t)fmin(done, parts), (int64_t)parts,
			     NULL);
	session->line.next = NULL;
}

/* Collective: one experiment once more, for so many seconds. */
static int entry_measure(struct checking *it, struct tmap_check_entry *entry, int round,
			 double seconds, struct tmap_error *err)
{
	struct tmap_session *session = it->session;
	struct tmap_job *job = &session->startup->job;
	const struct tmap_check_case *of = &it->check->item[entry->item];
	const struct tmap_call call = tmap_check_entry_call(entry, it->check, it->session);
	struct tmap_experiment experiment = { .collective = of->collective,
					      .mode = TMAP_BLOCKING,
					      .bytes = of->bytes };
	char what[200], size[TMAP_UNITS_ROOM];
	struct tmap_session_addition addition = { what, &experiment, tmap_check_entry_add,
						  &(struct tmap_check_addition){ entry,
										 &experiment } };
	struct tmap_bench_subject subject;
	int status;

	snprintf(what, sizeof what, "%s %s (%s)", tmap_collective_rows[of->collective].word.name,
		 entry->candidate.name, tmap_units_print_bytes(of->bytes, size));
	note_progress(it, what);
	session->timing.rule = (struct tmap_repetition_rule){ .repetitions = round ?
								      REPETITIONS :
								      FIRST_REPETITIONS,
							      .seconds = !round   ? 0 :
								      seconds > 0 ? seconds :
										    1e-9,
							      .precision = round ? 0.01 : 0 };
	status = tmap_bench_subject_init(&subject, job, &session->channel, &entry->candidate, &call,
					 TMAP_BLOCKING, err);
	entry->cannot = status < 0 && err->kind == TMAP_INPUT && !job->broken;
	if (entry->cannot)
		status = 0;
	else if (status == 0)
		status = subject_time(it, &subject, &addition, err);
	if (!job->broken)
		tmap_bench_subject_fini(&subject);
	tmap_experiment_fini(&experiment);
	return status < 0 && !session->timing.stopped_by ? tmap_wrap(err, "%s", what) : status;
}

/* Collective: a round; *goes_on: is there time left? */
static int round_measure(struct checking *it, int round, int *goes_on, struct tmap_error *err)
{
	int later = round ? ROUNDS - 1 - round : 0;

	checking_shuffle(it);
	for (int i = 0; i < it->count; i++) {
		struct tmap_check_entry *entry = &it->entry[it->order[i]];
		double left = checking_left(it);

		*goes_on = left > 0;
		if (checking_follow(it, goes_on, err) < 0)
			return -1;
		if (!*goes_on)
			return 0;
		if (!entry->cannot &&
		    entry_measure(it, entry, round, left / (it->count - i + later * it->count),
				  err) < 0)
			return -1;
	}
	return 0;
}

/* Rank 0: are the times of most experiments the same? Ranks leave a barrier one after another, which
 * some take differently each time. */
static bool checking_is_even(const struct checking *it)
{
	int even = 0;

	for (int i = 0; i < it->count; i++)
		even += tmap_check_entry_is_even(&it->entry[i]);
	return even >= it->count - it->count / 4;
}

/* Collective: rounds, until there are enough or the time is over. */
static int rounds_measure(struct checking *it, struct tmap_error *err)
{
	int goes_on = it->count > 0;

	for (int round = 0; round < ROUNDS && goes_on; round++) {
		if (round_measure(it, round, &goes_on, err) < 0)
			return -1;
		if (round == 0) {
			goes_on = goes_on && !checking_is_even(it);
			if (checking_follow(it, &goes_on, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* Were all of its algorithms measured that can be? */
static bool case_is_whole(const struct checking *it, int item)
{
	int measured = 0;

	for (int i = 0; i < it->count; i++) {
		if (it->entry[i].item != item || it->entry[i].cannot)
			continue;
		if (it->entry[i].count < FIRST_REPETITIONS)
			return false;
		measured++;
	}
	return measured >= 2;
}

/* Rank 0: measured times get into the check, and those of whole cases into what is written; what cannot be
 * measured leaves it. */
static int checking_end(struct checking *it, struct tmap_error *err)
{
	struct tmap_sample_statistics seconds;

	for (int i = 0; i < it->count; i++) {
		const struct tmap_check_entry *entry = &it->entry[i];
		struct tmap_check_row *row = &it->check->item[entry->item].row[entry->row];

		/* one time, or two, may be of something that came between */
		if (entry->count < FIRST_REPETITIONS)
			continue;
		if (tmap_sample_statistics_init(&seconds, entry->time, entry->count, err) < 0 ||
		    (case_is_whole(it, entry->item) &&
		     tmap_check_entry_keep(entry, it->check, it->session, err) < 0))
			return -1;
		row->measured_s = fmax(seconds.median, 0);
		row->interval = (struct tmap_measured_interval){ seconds.low, seconds.high };
		row->drift = tmap_check_entry_drift(entry);
	}
	for (int i = it->count - 1; i >= 0; i--)
		if (it->entry[i].cannot)
			tmap_check_remove_row(&it->check->item[it->entry[i].item],
					      it->entry[i].row);
	return 0;
}

/* Collective: the check with its measured times, on rank 0. */
static int check_measure(struct checking *it, struct tmap_error *err)
{
	struct tmap_session *session = it->session;
	struct tmap_job *job = &session->startup->job;
	const struct tmap_timing timing = session->timing;
	int status = tmap_job_agree(job, checking_init(it, err), err);
	struct tmap_error ignored; /* a signal is what is said */

	if (status == 0) {
		session->timing.keeps_raw = true;
		session->timing.like = NULL;
		status = tmap_session_begin_clock(session, err);
		if (status == 0)
			status = rounds_measure(it, err);
		session->timing.rule = timing.rule;
		session->timing.keeps_raw = timing.keeps_raw;
		session->timing.like = timing.like;
	}
	if (job->rank == 0 && (status == 0 || (session->timing.stopped_by && !job->broken))) {
		struct tmap_error *end = status == 0 ? err : &ignored;

		status |= checking_end(it, end);
	}
	checking_fini(it);
	return job->broken || session->timing.stopped_by ? -1 : tmap_job_agree(job, status, err);
}

int tmap_calibration_check(struct tmap_session *session, const struct tmap_profile *profile,
			   double seconds, uint64_t seed, struct tmap_check *check,
			   struct tmap_check_verdict *verdict, struct tmap_error *err)
{
	struct tmap_job *job = &session->startup->job;
	struct tmap_check_request request = { profile, seconds, seed, 0 };
	struct checking it = { .session = session,
			       .check = check,
			       .random.state = seed,
			       .begin = MPI_Wtime(), /* making the plan takes a part of the time */
			       .seconds = seconds };
	int status = 0;

	if (job->rank == 0)
		tmap_progress_line_restart(&session->line);
	*check = (struct tmap_check){ 0 };
	*verdict = (struct tmap_check_verdict){ .worst = TMAP_NONE };
	if (tmap_check_plan_spread(check, job, &session->times.placement, &request, err) < 0 ||
	    check_measure(&it, err) < 0)
		return -1;
	if (job->rank == 0)
		status = tmap_check_judge(check, verdict, err);
	return tmap_job_agree(job, status, err);
}
