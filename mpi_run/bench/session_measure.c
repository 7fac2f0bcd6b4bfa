/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/base/units.h"
#include "core/measure/left_out.h"
#include "mpi_run/bench/session.h"

#include <stdio.h>

/* How it is done, or on what: "ring", "on moore:1 2d fmaj adjacent". */
enum { WAY_ROOM = TMAP_VIRTUAL_ROOM + 3, WHAT_ROOM = 200 };

static const char *way_of(const struct tmap_experiment *it, char room[WAY_ROOM])
{
	char on[TMAP_VIRTUAL_ROOM];

	if (it->on.call == TMAP_NO_VIRTUAL)
		return it->algorithm;
	snprintf(room, WAY_ROOM, "on %s", tmap_virtual_print(&it->on.topology, on));
	return room;
}

/* "bcast ring (blocking, 8)". */
static void call_print(const struct tmap_experiment *it, char what[WHAT_ROOM])
{
	char size[TMAP_UNITS_ROOM], way[WAY_ROOM];

	snprintf(what, WHAT_ROOM, "%s %s (%s, %s)", tmap_experiment_call(it), way_of(it, way),
		 tmap_keywords_at(&tmap_modes, it->mode)->name,
		 tmap_units_print_bytes(it->bytes, size));
}

/* Collective: a call is left out for that reason, which rank 0 keeps; whoever has named it reads it,
 * and else where that is wanted. */
static int leave_out(struct tmap_session *session, const struct tmap_experiment *call,
		     bool is_named, const struct tmap_error *reason, struct tmap_error *err)
{
	char what[WHAT_ROOM];
	int status = 0;

	session->left_out = *reason;
	session->has_left_out = true;
	if (session->startup->job.rank == 0) {
		tmap_interrupt_lock(&session->interrupt);
		status = tmap_times_leave_out(&session->times, call, session->left_out.text, err);
		tmap_interrupt_unlock(&session->interrupt);
	}
	if (session->startup->job.rank == 0 && (is_named || session->speaks)) {
		tmap_progress_line_hide(&session->line);
		call_print(call, what);
		fprintf(stderr, "%s: left out: %s: %s\n", session->startup->program, what,
			session->left_out.text);
	}
	return tmap_job_agree(&session->startup->job, status, err);
}

static void note_progress(struct tmap_session *session, const struct tmap_experiment *it)
{
	char size[TMAP_UNITS_ROOM], next[WHAT_ROOM], way[WAY_ROOM];

	snprintf(next, sizeof next, "%s %s, %s, %s", tmap_experiment_call(it), way_of(it, way),
		 tmap_keywords_at(&tmap_modes, it->mode)->name,
		 tmap_units_print_bytes(it->bytes, size));
	tmap_session_note_next(session, next);
}

/* Refuse a mode that this is not called in: nobody asked for it, or there is no such thing. */
static int check_mode(const struct tmap_session *session, const struct tmap_candidate *candidate,
		      enum tmap_mode mode, struct tmap_error *err)
{
	if (!candidate->is_native)
		return 0;
	if (mode == TMAP_NAIVE || mode == TMAP_SCHEDULE)
		return tmap_fail(err, TMAP_INPUT, "what the library keeps is its own");
	if (!tmap_native_has(mode))
		return tmap_fail(err, TMAP_INPUT, "%s has no persistent collectives",
				 session->library);
	if (candidate->words && mode != TMAP_BLOCKING)
		return tmap_fail(err, TMAP_INPUT, "its variables are of blocking calls");
	if (candidate->mockup && mode != TMAP_BLOCKING)
		return tmap_fail(err, TMAP_INPUT, "a mock-up is of blocking calls");
	return 0;
}

struct addition {
	struct tmap_times *times;
	struct tmap_experiment *experiment;
};

static int experiment_add(void *data, struct tmap_error *err)
{
	const struct addition *it = data;

	return tmap_times_add_take(it->times, it->experiment, err);
}

/* Collective: *it, which names what it is, gets its times and is added. @p status: is the subject
 * ready? If it cannot be, it is left out: what the others measure would be lost. */
static int experiment_run(struct tmap_session *session, struct tmap_bench_subject *subject,
			  bool is_named, int status, struct tmap_experiment *it,
			  struct tmap_error *err)
{
	struct tmap_job *job = &session->startup->job;
	char what[WHAT_ROOM];
	struct tmap_session_addition addition = { what, it, experiment_add,
						  &(struct addition){ &session->times, it } };

	call_print(it, what);
	if (status < 0 && err->kind == TMAP_INPUT && !job->broken) {
		tmap_bench_subject_fini(subject);
		return leave_out(session, it, is_named, err, err);
	}
	if (status == 0)
		status = tmap_session_time(session, subject, &addition, err);
	if (!job->broken)
		tmap_bench_subject_fini(subject);
	return status < 0 && !session->timing.stopped_by ? tmap_wrap(err, "%s", what) : status;
}

static struct tmap_call call_of(const struct tmap_session *session,
				const struct tmap_candidate *candidate,
				enum tmap_collective collective, int64_t bytes, int root)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[collective];
	struct tmap_call call = { .choice = candidate->choice,
				  .size = session->times.placement.size,
				  .root = row->has_root ? root : 0,
				  .bytes = bytes,
				  .metric = &session->metric,
				  .neighborhood = row->has_neighbors ? session->neighborhood :
								       NULL };

	if (row->reduces && row->cuts_vector)
		call.element = tmap_library_element(collective, bytes);
	return call;
}

/* An algorithm that the library is set to, and takes only for larger calls. */
static int check_own(const struct tmap_session *session, const struct tmap_candidate *candidate,
		     const struct tmap_call *call, struct tmap_error *err)
{
	if (!candidate->words || !tmap_library_hands_over(tmap_library_of(session->library), call))
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "%s does so few bytes (%lld on %d ranks) by another algorithm",
			 session->library, (long long)call->bytes, call->size);
}

/* Refuse a named candidate that can run at none of the sizes, or that the library is not set to here. */
static int candidate_check(const struct tmap_session *session,
			   const struct tmap_candidate *candidate,
			   const struct tmap_bench_what *what, enum tmap_collective collective,
			   int root, struct tmap_error *err)
{
	int count = tmap_bench_what_sizes(what, collective), k = 0;
	struct tmap_knob knob;

	if (!candidate->is_named || (candidate->is_native && !candidate->words))
		return 0;
	for (; k < count; k++) {
		const struct tmap_call call = call_of(session, candidate, collective,
						      tmap_bench_what_bytes(what, collective, k),
						      root);

		if (tmap_call_check(&call, err) == 0 &&
		    check_own(session, candidate, &call, err) == 0)
			break;
	}
	if (k < count && !candidate->words)
		return 0;
	if (k < count && tmap_knob_set(&knob, collective, candidate->words, err) == 0) {
		tmap_knob_reset(&knob);
		return 0;
	}
	return tmap_wrap(err, "%s %s", tmap_collective_rows[collective].word.name, candidate->name);
}

int tmap_session_check_all(const struct tmap_session *session,
			   const struct tmap_candidates *candidates,
			   const struct tmap_bench_what *what, enum tmap_collective collective,
			   int root, struct tmap_error *err)
{
	for (int i = 0; i < candidates->count; i++)
		if (candidate_check(session, &candidates->item[i], what, collective, root, err) < 0)
			return -1;
	return 0;
}

int tmap_session_measure(struct tmap_session *session, const struct tmap_candidate *candidate,
			 enum tmap_collective collective, int64_t bytes, int root,
			 enum tmap_mode mode, struct tmap_error *err)
{
	const struct tmap_call call = call_of(session, candidate, collective, bytes, root);
	struct tmap_experiment it = {
		.collective = collective, .mode = mode, .bytes = bytes, .root = call.root
	};
	struct tmap_bench_subject subject;
	int status;

	it.algorithm = tmap_strdup(candidate->name, err);
	status = tmap_job_agree(&session->startup->job, it.algorithm ? 0 : -1, err);
	if (status == 0 &&
	    (check_own(session, candidate, &call, err) < 0 ||
	     check_mode(session, candidate, mode, err) < 0)) {
		session->begun++;
		status = leave_out(session, &it, candidate->is_named, err, err);
	} else if (status == 0) {
		note_progress(session, &it);
		status = tmap_bench_subject_init(&subject, &session->startup->job,
						 &session->channel, candidate, &call, mode, err);
		status = experiment_run(session, &subject, candidate->is_named, status, &it, err);
	}
	tmap_experiment_fini(&it);
	return status;
}

int tmap_session_measure_virtual(struct tmap_session *session, const struct tmap_virtual_key *key,
				 int64_t bytes, struct tmap_error *err)
{
	struct tmap_experiment it = { .collective = TMAP_COLLECTIVE_COUNT,
				      .on = *key,
				      .mode = TMAP_BLOCKING,
				      .bytes = bytes };
	struct tmap_bench_subject subject;
	int status;

	it.algorithm = tmap_strdup("native", err);
	status = tmap_job_agree(&session->startup->job, it.algorithm ? 0 : -1, err);
	if (status == 0) {
		note_progress(session, &it);
		status = tmap_bench_subject_init_virtual(&subject, &session->startup->job, key,
							 bytes, err);
		status = experiment_run(session, &subject, false, status, &it, err);
	}
	tmap_experiment_fini(&it);
	return status;
}
