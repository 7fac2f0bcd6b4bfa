#include "core/algorithms/phase.h"

#include "core/algorithms/phase_interleave.h"
#include "core/algorithms/phase_units.h"
#include "core/base/mem.h"
#include "core/schedule/collect.h"

#include <stdlib.h>

/* The schedule of all teams that call the same. */
struct part {
	struct tmap_call call;
	bool exact; /* its messages have units, from which their bytes are found */
	struct tmap_collection schedule;
	size_t at, end; /* its messages of the round at hand */
};

struct work {
	struct tmap_emit *emit;
	struct tmap_phase_units units;
	int team;              /* the one that is told as it is made */
	struct tmap_call call; /* what it calls */
	bool exact;
	struct tmap_shares shares; /* of the team whose call was found last */
	int64_t begin, end;        /* rounds of the phase */
	int *part_of;              /* [teams]; TMAP_NONE: it has nothing to do */
	struct part *part;
	int part_count;
	size_t part_capacity;
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
static int tell(struct work *work, int team, const struct tmap_call *call, bool exact,
		const struct tmap_message *message, struct tmap_error *err)
{
	const struct tmap_comms *teams = &work->units.phase->teams;
	const int *member = teams->member + teams->start[team];
	bool folded = work->emit->visitor->folded;
	bool token = tmap_call_algorithm(work->emit->call)->collective == TMAP_BARRIER;
	struct tmap_message told = *message;

	told.round += work->begin;
	told.from = member[message->from];
	told.to = member[message->to];
	if (token) {
		told.bytes = 0;
		told.combine = true; /* whoever came is not forgotten */
	} else if (exact) {
		told.bytes = tmap_phase_units_weigh(&work->units, team, call, message);
	}
	if (told.bytes == 0 && !token)
		return 0;
	if (!folded && tmap_phase_units_map(&work->units, team, call, message, err) < 0)
		return -1;
	told.run = folded ? NULL : work->units.run;
	told.run_count = folded ? 0 : work->units.run_count;
	return tmap_emit_message(work->emit, &told);
}

static int take_message(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	struct work *work = context;
	int64_t end = work->begin + message->round + message->span;

	if (end > work->end)
		work->end = end;
	return tell(work, work->team, &work->call, work->exact, message, err);
}

static int take_all_pairs(void *context, const struct tmap_all_pairs *pairs, struct tmap_error *err)
{
	struct work *work = context;

	return tmap_all_pairs_emit(pairs, work->call.size,
				   tmap_collective_rows[work->units.inner].reduces, take_message,
				   work, err);
}

/* What a team calls; false where it has nothing to do. */
static bool find_call(struct work *work, int team, struct tmap_call *call, bool *exact)
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

/* As it is made. */
static int tell_one(struct work *work)
{
	struct tmap_visitor visitor = { .message = take_message,
					.all_pairs = take_all_pairs,
					.context = work };

	if (!find_call(work, work->team, &work->call, &work->exact))
		return 0;
	visitor.folded = !work->exact;
	return tmap_schedule(&work->call, &visitor, work->emit->err);
}

static bool is_alike(const struct part *part, const struct tmap_call *call, bool exact)
{
	return !part->call.shares && part->call.size == call->size &&
		part->call.root == call->root && part->call.bytes == call->bytes &&
		part->exact == exact;
}

/* Index of the part that has the call, made if there is none yet; TMAP_NONE with *err set. */
static int find_part(struct work *work, const struct tmap_call *call, bool exact)
{
	struct tmap_error *err = work->emit->err;
	struct part made = { .call = *call, .exact = exact };

	for (int i = work->part_count - 1; i >= 0 && !call->shares; i--)
		if (is_alike(&work->part[i], call, exact))
			return i;
	if (tmap_grow(&work->part, &work->part_capacity, (size_t)work->part_count + 1,
		      sizeof *work->part, err) < 0 ||
	    tmap_collection_record(&made.schedule, call, !exact, err) < 0)
		return TMAP_NONE;
	if (work->begin + made.schedule.rounds > work->end)
		work->end = work->begin + made.schedule.rounds;
	work->part[work->part_count] = made;
	return work->part_count++;
}

static int find_parts(struct work *work)
{
	int count = work->units.phase->teams.count;
	struct tmap_call call;
	bool exact;

	work->part_of = tmap_alloc_raw((size_t)count, sizeof *work->part_of, work->emit->err);
	if (!work->part_of)
		return -1;
	for (int t = 0; t < count; t++) {
		work->part_of[t] = TMAP_NONE;
		if (!find_call(work, t, &call, &exact))
			continue;
		work->part_of[t] = find_part(work, &call, exact);
		if (work->part_of[t] == TMAP_NONE)
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
			part->end = tmap_collection_end_of_round(&part->schedule, part->at);
	}
	return round < INT64_MAX;
}

static int tell_round(struct work *work)
{
	for (int t = 0; t < work->units.phase->teams.count; t++) {
		const struct part *part =
			work->part_of[t] == TMAP_NONE ? NULL : &work->part[work->part_of[t]];

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
		tmap_collection_fini(&work->part[i].schedule);
	free(work->part);
	free(work->part_of);
	return status;
}

int tmap_phase_emit(struct tmap_emit *emit, const struct tmap_phase *phase)
{
	struct work work = { .emit = emit, .begin = emit->round, .end = emit->round };
	int status = tmap_phase_units_init(&work.units, emit->call, phase, emit->err);

	if (status == 0 && phase->teams.count > 1) {
		status = tmap_phase_interleave(emit, &work.units);
		if (status == 1)
			status = tell_many(&work);
		else
			work.end = emit->round;
	} else if (status == 0 && phase->teams.count == 1) {
		status = tell_one(&work);
	}
	tmap_phase_units_fini(&work.units);
	emit->round = work.end;
	return status;
}
