/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/phase.h"

#include "core/algorithms/phase_interleave.h"
#include "core/algorithms/phase_units.h"
#include "core/base/mem.h"
#include "core/schedule/collect.h"

#include <stdlib.h>

/* The schedule of all teams that make the same call. */
struct team_class {
	struct tmap_call call;
	bool exact; /* its messages have units, from which their bytes are computed */
	struct tmap_collection schedule;
	size_t at, end; /* its messages of the round at hand */
};

struct phase_work {
	struct tmap_emit *emit;
	struct tmap_phase_units units;
	int64_t begin, end;        /* rounds of the phase */
	struct tmap_shares shares; /* of the team whose call was made last */

	/* a team that is alone is emitted as its schedule is made */
	int team;
	struct tmap_call call;
	bool exact;

	/* several teams: the schedules of their classes, recorded */
	int *class_of; /* [teams]; TMAP_NONE: it has nothing to do */
	struct team_class *class;
	int class_count;
	size_t class_capacity;
};

int64_t tmap_piece_a_byte(const struct tmap_call *call)
{
	return call->bytes ? call->bytes : 1;
}

int tmap_phase_check(const struct tmap_phase *phase, struct tmap_error *err)
{
	const struct tmap_comms *teams = &phase->teams;
	struct tmap_call call = { .choice = phase->choice };

	for (int t = 0; t < teams->count; t++) {
		int size = teams->start[t + 1] - teams->start[t];

		if (size == call.size || size == 0)
			continue;
		call.size = size;
		if (tmap_call_check(&call, err) < 0)
			return tmap_wrap(err, "inner algorithm");
	}
	return 0;
}

/* A message of an inner schedule, by the ranks and units of the call. */
static int phase_emit_inner(struct phase_work *work, int team, const struct tmap_call *call,
			    bool exact, const struct tmap_message *message, struct tmap_error *err)
{
	const struct tmap_comms *teams = &work->units.phase->teams;
	const int *member = teams->member + teams->start[team];
	bool folded = work->emit->visitor->folded;
	bool token = tmap_call_algorithm(work->emit->call)->collective == TMAP_BARRIER;
	struct tmap_message outer = *message;
	bool is_foreign;

	outer.round += work->begin;
	outer.from = member[message->from];
	outer.to = member[message->to];
	is_foreign = tmap_emit_is_foreign(work->emit, outer.from, outer.to);
	if (token) {
		outer.bytes = 0;
		outer.combine = true; /* what came before is kept */
	} else if (exact && is_foreign) {
		outer.bytes = tmap_phase_units_have_bytes(&work->units, team, call, message);
	} else if (exact) {
		outer.bytes = tmap_phase_units_weigh(&work->units, team, call, message);
	}
	if (outer.bytes == 0 && !token)
		return 0;
	outer.run = NULL;
	outer.run_count = 0;
	if (!folded && !is_foreign) {
		if (tmap_phase_units_map(&work->units, team, call, message, err) < 0)
			return -1;
		outer.run = work->units.run;
		outer.run_count = work->units.run_count;
	}
	return tmap_emit_message(work->emit, &outer);
}

static int phase_visit_message(void *context, const struct tmap_message *message,
			       struct tmap_error *err)
{
	struct phase_work *work = context;
	int64_t end = work->begin + message->round + message->span;

	if (end > work->end)
		work->end = end;
	return phase_emit_inner(work, work->team, &work->call, work->exact, message, err);
}

static int phase_visit_all_pairs(void *context, const struct tmap_all_pairs *pairs,
				 struct tmap_error *err)
{
	struct phase_work *work = context;

	return tmap_all_pairs_emit(pairs, work->call.size,
				   tmap_collective_rows[work->units.inner].reduces,
				   phase_visit_message, work, err);
}

/* What a team calls; false where it has nothing to do. */
static bool team_call(struct phase_work *work, int team, struct tmap_call *call, bool *exact)
{
	bool equal;

	if (work->units.phase->teams.start[team + 1] - work->units.phase->teams.start[team] < 2)
		return false;
	equal = tmap_phase_units_call(&work->units, team, call);
	*exact = !equal || !work->emit->visitor->folded;
	if (*exact && work->emit->visitor->folded && work->units.inner == TMAP_ALLTOALL) {
		work->shares = tmap_phase_units_shares(&work->units, team);
		call->shares = &work->shares;
		call->bytes = work->emit->call->bytes;
		*exact = false;
	}
	return call->bytes > 0 || work->units.inner == TMAP_BARRIER;
}

/* One team: each message as it is made. */
static int phase_emit_alone(struct phase_work *work)
{
	struct tmap_visitor visitor = { .message = phase_visit_message,
					.all_pairs = phase_visit_all_pairs,
					.context = work };

	if (!team_call(work, work->team, &work->call, &work->exact))
		return 0;
	visitor.folded = !work->exact;
	return tmap_schedule(&work->call, &visitor, work->emit->err);
}

static bool class_has_call(const struct team_class *class, const struct tmap_call *call, bool exact)
{
	return !class->call.shares && class->call.size == call->size &&
		class->call.root == call->root && class->call.bytes == call->bytes &&
		class->exact == exact;
}

/* Index of the class that has the call, made if there is none yet; TMAP_NONE with *err set. */
static int class_find(struct phase_work *work, const struct tmap_call *call, bool exact)
{
	struct tmap_error *err = work->emit->err;
	struct team_class made = { .call = *call, .exact = exact };

	for (int i = work->class_count - 1; i >= 0 && !call->shares; i--)
		if (class_has_call(&work->class[i], call, exact))
			return i;
	if (tmap_grow(&work->class, &work->class_capacity, (size_t)work->class_count + 1,
		      sizeof *work->class, err) < 0 ||
	    tmap_collection_record(&made.schedule, call, !exact, err) < 0)
		return TMAP_NONE;
	if (work->begin + made.schedule.rounds > work->end)
		work->end = work->begin + made.schedule.rounds;
	work->class[work->class_count] = made;
	return work->class_count++;
}

/* The next round in which any team has messages, and which of each class's; false: none. */
static bool classes_next_round(struct phase_work *work)
{
	int64_t round = INT64_MAX;

	for (int i = 0; i < work->class_count; i++) {
		struct team_class *class = &work->class[i];

		class->at = class->end;
		if (class->at < class->schedule.count &&
		    class->schedule.message[class->at].round < round)
			round = class->schedule.message[class->at].round;
	}
	for (int i = 0; i < work->class_count; i++) {
		struct team_class *class = &work->class[i];

		if (class->at < class->schedule.count &&
		    class->schedule.message[class->at].round == round)
			class->end = tmap_collection_end_of_round(&class->schedule, class->at);
	}
	return round < INT64_MAX;
}

/* The teams side by side, round by round. */
static int phase_emit_together(struct phase_work *work)
{
	int count = work->units.phase->teams.count, status = 0;
	struct tmap_call call;
	bool exact;

	work->class_of = tmap_alloc_raw((size_t)count, sizeof *work->class_of, work->emit->err);
	if (!work->class_of)
		return -1;
	for (int t = 0; t < count && status == 0; t++) {
		work->class_of[t] = TMAP_NONE;
		if (!team_call(work, t, &call, &exact))
			continue;
		work->class_of[t] = class_find(work, &call, exact);
		status = work->class_of[t] == TMAP_NONE ? -1 : 0;
	}
	while (status == 0 && classes_next_round(work))
		for (int t = 0; t < count && status == 0; t++) {
			const struct team_class *class = work->class_of[t] == TMAP_NONE ?
				NULL :
				&work->class[work->class_of[t]];

			for (size_t m = class ? class->at : 0;
			     class && m < class->end && status == 0; m++)
				status = phase_emit_inner(work, t, &class->call, class->exact,
							  &class->schedule.message[m],
							  work->emit->err);
		}
	for (int i = 0; i < work->class_count; i++)
		tmap_collection_fini(&work->class[i].schedule);
	free(work->class);
	free(work->class_of);
	return status;
}

/* ---- the part of one rank ---- */

/* Is every round of the inner schedule one of the phase's, whatever the ranks of a round send? Then nobody has
 * to see what the others do. */
static bool call_has_all_rounds(const struct phase_work *work, int team,
				const struct tmap_call *call)
{
	return tmap_call_algorithm(call)->by_rank &&
		(work->units.inner == TMAP_BARRIER ||
		 tmap_phase_units_are_filled(&work->units, team));
}

static int rounds_take(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	int64_t *rounds = context, end = message->round + message->span;

	(void)err;
	*rounds = end > *rounds ? end : *rounds;
	return 0;
}

static int rounds_take_pairs(void *context, const struct tmap_all_pairs *pairs,
			     struct tmap_error *err)
{
	int64_t *rounds = context, end = pairs->round + pairs->rounds;

	(void)err;
	*rounds = end > *rounds ? end : *rounds;
	return 0;
}

/* The rounds of all teams, *rounds, and which of them has the rank, as which member; 1: several have, or
 * somebody would have to look at all messages. */
static int find_part(struct phase_work *work, int64_t *rounds, int *team, int *member)
{
	const struct tmap_comms *teams = &work->units.phase->teams;
	struct tmap_visitor visitor = { .folded = true,
					.message = rounds_take,
					.all_pairs = rounds_take_pairs,
					.context = rounds };
	struct tmap_call call, last = { .size = 0 };
	bool exact;

	*rounds = 0;
	*team = *member = TMAP_NONE;
	for (int t = 0; t < teams->count; t++) {
		if (!team_call(work, t, &call, &exact))
			continue;
		for (int m = teams->start[t]; m < teams->start[t + 1]; m++)
			if (teams->member[m] == work->emit->rank) {
				if (*team != TMAP_NONE) /* lanes where nodes differ */
					return 1;
				*team = t;
				*member = m - teams->start[t];
			}
		if (call.size == last.size && call.root == last.root && call.bytes == last.bytes)
			continue;
		last = call;
		if (!call_has_all_rounds(work, t, &call))
			return 1;
		if (tmap_schedule(&call, &visitor, work->emit->err) < 0)
			return -1;
	}
	return 0;
}

/* What the rank does in its team. 1: nothing was emitted, and the teams have to be. */
static int phase_emit_part(struct phase_work *work)
{
	struct tmap_visitor visitor = { .message = phase_visit_message, .context = work };
	int64_t rounds;
	int team, member, status = find_part(work, &rounds, &team, &member);

	if (status)
		return status;
	tmap_emit_fill(work->emit, work->begin, rounds);
	work->end = work->begin + rounds;
	if (member == TMAP_NONE)
		return 0;
	work->team = team;
	team_call(work, team, &work->call, &work->exact);
	return tmap_schedule_rank(&work->call, member, &visitor, work->emit->err);
}

/* ---- the whole ---- */

/* Has no team several members? Then there is nothing to send. */
static bool comms_are_single(const struct tmap_comms *teams)
{
	for (int t = 0; t < teams->count; t++)
		if (teams->start[t + 1] - teams->start[t] > 1)
			return false;
	return true;
}

int tmap_phase_emit(struct tmap_emit *emit, const struct tmap_phase *phase)
{
	struct phase_work work = { .emit = emit, .begin = emit->round, .end = emit->round };
	int status;

	if (comms_are_single(&phase->teams))
		return 0;
	if (tmap_phase_units_init(&work.units, emit->call, phase, emit->err) < 0)
		return -1;
	status = emit->is_part ? phase_emit_part(&work) : 1;
	if (status == 1 && phase->teams.count > 1) {
		status = tmap_phase_interleave(emit, &work.units);
		if (status != 1)
			work.end = emit->round;
	}
	if (status == 1)
		status = phase->teams.count == 1 ? phase_emit_alone(&work) :
						   phase_emit_together(&work);
	tmap_phase_units_fini(&work.units);
	emit->round = work.end;
	return status;
}
