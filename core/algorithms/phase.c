#include "core/algorithms/phase.h"

#include "core/algorithms/phase_units.h"
#include "core/algorithms/phase_weave.h"
#include "core/base/mem.h"
#include "core/schedule/collect.h"

#include <stdlib.h>

/* The schedule of all teams that call the same. */
struct part {
	struct tm_call call;
	bool exact;          /* its messages have units, from which their bytes are found */
	struct tm_collection schedule;
	size_t at, end;      /* its messages of the round at hand */
};

struct work {
	struct tm_emit *emit;
	struct tm_phase_units units;
	int team;            /* the one that is told as it is made */
	struct tm_call call; /* what it calls */
	bool exact;
	struct tm_shares shares; /* of the team whose call was found last */
	int64_t begin, end;  /* rounds of the phase */
	int *part_of;        /* [teams]; TM_NONE: it has nothing to do */
	struct part *part;
	int part_count;
	size_t part_capacity;
};

int64_t tm_piece_a_byte(const struct tm_call *call)
{
	return call->bytes ? call->bytes : 1;
}

int tm_phase_check(const struct tm_phase *phase, struct tm_error *err)
{
	const struct tm_teams *teams = &phase->teams;
	struct tm_call call = { .choice = phase->choice };

	for (int t = 0; t < teams->count; t++) {
		int size = teams->start[t + 1] - teams->start[t];

		if (size == call.size || size == 0)
			continue;
		call.size = size;
		if (tm_call_check(&call, err) < 0)
			return tm_wrap(err, "inner algorithm");
	}
	return 0;
}

/* A message of an inner schedule, by the ranks and units of the call. */
static int tell(struct work *work, int team, const struct tm_call *call, bool exact,
		const struct tm_message *message, struct tm_error *err)
{
	const struct tm_teams *teams = &work->units.phase->teams;
	const int *member = teams->member + teams->start[team];
	bool folded = work->emit->sink->folded;
	bool token = tm_call_algorithm(work->emit->call)->collective == TM_BARRIER;
	struct tm_message told = *message;

	told.round += work->begin;
	told.from = member[message->from];
	told.to = member[message->to];
	if (token) {
		told.bytes = 0;
		told.combine = true; /* whoever came is not forgotten */
	} else if (exact) {
		told.bytes = tm_phase_units_weigh(&work->units, team, call, message);
	}
	if (told.bytes == 0 && !token)
		return 0;
	if (!folded && tm_phase_units_map(&work->units, team, call, message, err) < 0)
		return -1;
	told.run = folded ? NULL : work->units.run;
	told.run_count = folded ? 0 : work->units.run_count;
	return tm_emit_message(work->emit, &told);
}

static int take_message(void *context, const struct tm_message *message, struct tm_error *err)
{
	struct work *work = context;
	int64_t end = work->begin + message->round + message->span;

	if (end > work->end)
		work->end = end;
	return tell(work, work->team, &work->call, work->exact, message, err);
}

static int take_all_pairs(void *context, const struct tm_all_pairs *pairs, struct tm_error *err)
{
	struct work *work = context;

	return tm_all_pairs_tell(pairs, work->call.size,
				 tm_collective_rows[work->units.inner].reduces, take_message,
				 work, err);
}

/* What a team calls; false where it has nothing to do. */
static bool find_call(struct work *work, int team, struct tm_call *call, bool *exact)
{
	bool equal;

	if (work->units.phase->teams.start[team + 1] - work->units.phase->teams.start[team] < 2)
		return false;
	equal = tm_phase_units_call(&work->units, team, call);
	*exact = !equal || !work->emit->sink->folded;
	if (*exact && work->emit->sink->folded && work->units.inner == TM_ALLTOALL) {
		work->shares = tm_phase_units_shares(&work->units, team);
		call->shares = &work->shares;
		call->bytes = work->emit->call->bytes;
		*exact = false;
	}
	return call->bytes > 0 || work->units.inner == TM_BARRIER;
}

/* As it is made. */
static int tell_one(struct work *work)
{
	struct tm_sink sink = { .message = take_message, .all_pairs = take_all_pairs,
				.context = work };

	if (!find_call(work, work->team, &work->call, &work->exact))
		return 0;
	sink.folded = !work->exact;
	return tm_schedule(&work->call, &sink, work->emit->err);
}

static bool is_alike(const struct part *part, const struct tm_call *call, bool exact)
{
	return !part->call.shares && part->call.size == call->size && part->call.root == call->root &&
	       part->call.bytes == call->bytes && part->exact == exact;
}

/* Index of the part that has the call, made if there is none yet; TM_NONE with *err set. */
static int find_part(struct work *work, const struct tm_call *call, bool exact)
{
	struct tm_error *err = work->emit->err;
	struct part made = { .call = *call, .exact = exact };

	for (int i = work->part_count - 1; i >= 0 && !call->shares; i--)
		if (is_alike(&work->part[i], call, exact))
			return i;
	if (tm_grow(&work->part, &work->part_capacity, (size_t)work->part_count + 1,
		    sizeof *work->part, err) < 0 ||
	    tm_collection_record(&made.schedule, call, !exact, err) < 0)
		return TM_NONE;
	if (work->begin + made.schedule.rounds > work->end)
		work->end = work->begin + made.schedule.rounds;
	work->part[work->part_count] = made;
	return work->part_count++;
}

static int find_parts(struct work *work)
{
	int count = work->units.phase->teams.count;
	struct tm_call call;
	bool exact;

	work->part_of = tm_alloc_raw((size_t)count, sizeof *work->part_of, work->emit->err);
	if (!work->part_of)
		return -1;
	for (int t = 0; t < count; t++) {
		work->part_of[t] = TM_NONE;
		if (!find_call(work, t, &call, &exact))
			continue;
		work->part_of[t] = find_part(work, &call, exact);
		if (work->part_of[t] == TM_NONE)
			return -1;
	}
	return 0;
}

/* The next round in which any team has messages, and which of each part's; false: none. */
static bool next_round(struct work *work)
{
	int64_t round = INT64_MAX;

	for (int i = 0; i < work->part_count; i++) {
		struct part *part = &work->part[i];

		part->at = part->end;
		if (part->at < part->schedule.count &&
		    part->schedule.message[part->at].round < round)
			round = part->schedule.message[part->at].round;
	}
	for (int i = 0; i < work->part_count; i++) {
		struct part *part = &work->part[i];

		if (part->at < part->schedule.count &&
		    part->schedule.message[part->at].round == round)
			part->end = tm_collection_end_of_round(&part->schedule, part->at);
	}
	return round < INT64_MAX;
}

static int tell_round(struct work *work)
{
	for (int t = 0; t < work->units.phase->teams.count; t++) {
		const struct part *part = work->part_of[t] == TM_NONE ? NULL :
					  &work->part[work->part_of[t]];

		for (size_t m = part ? part->at : 0; part && m < part->end; m++)
			if (tell(work, t, &part->call, part->exact, &part->schedule.message[m],
				 work->emit->err) < 0)
				return -1;
	}
	return 0;
}

/* Side by side, round by round. */
static int tell_many(struct work *work)
{
	int status = find_parts(work);

	while (status == 0 && next_round(work))
		status = tell_round(work);
	for (int i = 0; i < work->part_count; i++)
		tm_collection_fini(&work->part[i].schedule);
	free(work->part);
	free(work->part_of);
	return status;
}

int tm_phase_emit(struct tm_emit *emit, const struct tm_phase *phase)
{
	struct work work = { .emit = emit, .begin = emit->round, .end = emit->round };
	int status = tm_phase_units_init(&work.units, emit->call, phase, emit->err);

	if (status == 0 && phase->teams.count > 1) {
		status = tm_phase_weave(emit, &work.units);
		if (status == 1)
			status = tell_many(&work);
		else
			work.end = emit->round;
	} else if (status == 0 && phase->teams.count == 1) {
		status = tell_one(&work);
	}
	tm_phase_units_fini(&work.units);
	emit->round = work.end;
	return status;
}
