#include "core/algorithms/phase_interleave.h"

#include "core/base/mem.h"

#include <stdlib.h>

enum { MOST_STRANDS = 8 };

/* Neighbouring teams that do the same. */
struct strand {
	struct tmap_call call;
	bool exact;             /* its messages have units, from which their bytes are found */
	int first, end;         /* teams */
	size_t begin, at, stop; /* its shifts; those of the round at hand end at stop */
};

struct weave {
	struct tmap_emit *emit;
	struct tmap_phase_units *units;
	int size, base, seat_step, team_step; /* seat s of team t is rank base + s x .. + t x .. */
	int count;
	struct strand strand[MOST_STRANDS];
	int64_t begin, rounds;
	size_t shift_count, capacity;
	struct tmap_shift_pattern *shift; /* of seats, modulo the size of a team */
};

/* Do the teams stand like this? */
static bool find_steps(struct weave *weave, const struct tmap_comms *teams)
{
	const int *member = teams->member + teams->start[0];
	int size = teams->start[1] - teams->start[0];

	if (size < 2)
		return false;
	weave->size = size;
	weave->base = member[0];
	weave->seat_step = member[1] - member[0];
	weave->team_step = teams->member[teams->start[1]] - member[0];
	if (weave->seat_step < 1 || weave->team_step < 1)
		return false;
	for (int t = 0; t < teams->count; t++) {
		const int *at = teams->member + teams->start[t];

		if (teams->start[t + 1] - teams->start[t] != size)
			return false;
		for (int s = 0; s < size; s++)
			if (at[s] !=
			    weave->base + (int64_t)s * weave->seat_step +
				    (int64_t)t * weave->team_step)
				return false;
	}
	return true;
}

static bool is_alike(const struct weave *weave, const struct strand *strand,
		     const struct tmap_call *call, bool exact, int team)
{
	return strand->call.root == call->root && strand->call.bytes == call->bytes &&
		strand->exact == exact &&
		(!exact || tmap_phase_units_are_alike(weave->units, strand->first, team));
}

/* The strands; false where there are too many, or a team is of another kind. */
static bool find_strands(struct weave *weave, int teams)
{
	for (int t = 0; t < teams; t++) {
		struct strand *last = weave->count ? &weave->strand[weave->count - 1] : NULL;
		struct tmap_call call;
		bool exact = !tmap_phase_units_call(weave->units, t, &call);

		if (exact && weave->units->inner == TMAP_ALLTOALL)
			return false;
		if (last && is_alike(weave, last, &call, exact, t)) {
			last->end++;
			continue;
		}
		if (weave->count == MOST_STRANDS)
			return false;
		weave->strand[weave->count++] = (struct strand){ call, exact, t, t + 1, 0, 0, 0 };
	}
	return true;
}

/* One more shift of the inner schedule; it joins the one before if it goes on where that ends. */
static int push(struct weave *weave, const struct tmap_shift_pattern *shift, struct tmap_error *err)
{
	struct strand *strand = &weave->strand[weave->count];
	struct tmap_shift_pattern *last =
		weave->shift_count > strand->begin ? &weave->shift[weave->shift_count - 1] : NULL;

	if (shift->info.round + shift->info.span > weave->rounds)
		weave->rounds = shift->info.round + shift->info.span;
	if (last && last->info.round == shift->info.round && last->info.span == shift->info.span &&
	    last->info.times == shift->info.times && last->info.combine == shift->info.combine &&
	    last->ahead == shift->ahead && last->bytes == shift->bytes && shift->count == 1 &&
	    last->count == last->run && last->first + last->count == shift->first) {
		last->run++;
		last->step++;
		last->count++;
		last->info.single = last->info.single && shift->info.single;
		return 0;
	}
	if (tmap_grow(&weave->shift, &weave->capacity, weave->shift_count + 1, sizeof *weave->shift,
		      err) < 0)
		return -1;
	weave->shift[weave->shift_count++] = *shift;
	return 0;
}

static int push_one(struct weave *weave, const struct tmap_round_info *info, int from, int to,
		    int64_t bytes, struct tmap_error *err)
{
	return push(weave,
		    &(struct tmap_shift_pattern){ .info = *info,
						  .first = from,
						  .run = 1,
						  .step = 1,
						  .count = 1,
						  .ahead = to > from ? to - from :
								       to - from + weave->size,
						  .bytes = bytes },
		    err);
}

static int take_message(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	struct weave *weave = context;
	const struct strand *strand = &weave->strand[weave->count];
	const struct tmap_round_info info = { message->round, message->span, message->times,
					      message->combine, false };
	int64_t bytes = strand->exact ?
		tmap_phase_units_weigh(weave->units, strand->first, &strand->call, message) :
		message->bytes;

	return push_one(weave, &info, message->from, message->to, bytes, err);
}

static int take_batch(void *context, const struct tmap_messages *batch, struct tmap_error *err)
{
	for (int i = 0; i < batch->count; i++)
		if (push_one(context, &batch->info, batch->from[i], batch->to[i], batch->bytes[i],
			     err) < 0)
			return -1;
	return 0;
}

static int take_shift(void *context, const struct tmap_shift_pattern *shift, struct tmap_error *err)
{
	return push(context, shift, err);
}

/* For each distance those to the first ranks, which may be a byte larger, and the others. */
static int take_all_pairs(void *context, const struct tmap_all_pairs *pairs, struct tmap_error *err)
{
	struct weave *weave = context;
	struct tmap_shift_pattern shift = {
		.info = { pairs->round, pairs->rounds, 1,
			  tmap_collective_rows[weave->units->inner].reduces, false }
	};
	int larger = (int)pairs->larger;

	for (shift.ahead = 1; shift.ahead < weave->size; shift.ahead++) {
		shift.first = weave->size - shift.ahead;
		shift.run = shift.step = shift.count = larger;
		shift.bytes = pairs->bytes + 1;
		if (larger && push(weave, &shift, err) < 0)
			return -1;
		shift.first = (shift.first + larger) % weave->size;
		shift.run = shift.step = shift.count = weave->size - larger;
		shift.bytes = pairs->bytes;
		if (pairs->bytes && push(weave, &shift, err) < 0)
			return -1;
	}
	return 0;
}

/* The inner schedule of each strand; weave->count is the one at hand. */
static int record(struct weave *weave, int strands, struct tmap_error *err)
{
	int status = 0;

	for (weave->count = 0; weave->count < strands && status == 0; weave->count++) {
		struct strand *strand = &weave->strand[weave->count];
		struct tmap_visitor visitor = { .folded = !strand->exact,
						.message = take_message,
						.all_pairs = take_all_pairs,
						.context = weave };

		if (!strand->exact) {
			visitor.batch = take_batch;
			visitor.shift = take_shift;
		}
		strand->begin = strand->stop = weave->shift_count;
		if (strand->call.bytes > 0 || weave->units->inner == TMAP_BARRIER)
			status = tmap_schedule(&strand->call, &visitor, err);
	}
	weave->count = strands;
	return status;
}

/* Seats begin .. end - 1 of the strand's teams, none of which passes the last one. */
static int tell_seats(const struct weave *weave, const struct strand *strand,
		      const struct tmap_shift_pattern *shift, int begin, int end, int ahead)
{
	int teams = strand->end - strand->first;
	struct tmap_shift_pattern told = { .info = shift->info,
					   .bytes = shift->bytes,
					   .ahead = ahead * weave->seat_step,
					   .first = weave->base + strand->first * weave->team_step +
						   begin * weave->seat_step,
					   .run = 1,
					   .step = weave->team_step,
					   .count = teams };

	if (begin >= end)
		return 0;
	if (weave->seat_step == 1 && weave->team_step >= end - begin) {
		told.run = end - begin;
		told.count = told.run * teams;
	} else if (weave->team_step == 1 && weave->seat_step >= teams) {
		told.run = teams;
		told.step = weave->seat_step;
		told.count = (end - begin) * teams;
	} else {
		for (int s = begin; s < end; s++, told.first += weave->seat_step)
			if (tmap_emit_stride(weave->emit, &told) < 0)
				return -1;
		return 0;
	}
	return tmap_emit_stride(weave->emit, &told);
}

/* Senders begin .. end - 1, parted where what they send to passes the last seat. */
static int tell_run(const struct weave *weave, const struct strand *strand,
		    const struct tmap_shift_pattern *shift, int begin, int end)
{
	int part = weave->size - shift->ahead;

	if (tell_seats(weave, strand, shift, begin, end < part ? end : part, shift->ahead) < 0)
		return -1;
	return tell_seats(weave, strand, shift, begin > part ? begin : part, end,
			  shift->ahead - weave->size);
}

static int tell_shift(const struct weave *weave, const struct strand *strand,
		      const struct tmap_shift_pattern *shift)
{
	for (int told = 0; told < shift->count; told += shift->run) {
		int length = shift->count - told < shift->run ? shift->count - told : shift->run;
		int begin = (int)(tmap_shift_pattern_sender(shift, told) % weave->size),
		    end = begin + length;
		int left = end > weave->size ? end - weave->size : 0;

		if (tell_run(weave, strand, shift, begin, end - left) < 0 ||
		    (left && tell_run(weave, strand, shift, 0, left) < 0))
			return -1;
	}
	return 0;
}

/* Where the shifts of a strand end; the strands' own begin where those before end. */
static size_t end_of(const struct weave *weave, int strand)
{
	return strand + 1 < weave->count ? weave->strand[strand + 1].begin : weave->shift_count;
}

/* The next round in which any strand has shifts, and which; false: none. */
static bool next_round(struct weave *weave, int64_t *round)
{
	*round = INT64_MAX;
	for (int i = 0; i < weave->count; i++) {
		struct strand *strand = &weave->strand[i];

		strand->at = strand->stop;
		if (strand->at < end_of(weave, i) && weave->shift[strand->at].info.round < *round)
			*round = weave->shift[strand->at].info.round;
	}
	for (int i = 0; i < weave->count; i++) {
		struct strand *strand = &weave->strand[i];

		while (strand->stop < end_of(weave, i) &&
		       weave->shift[strand->stop].info.round == *round)
			strand->stop++;
	}
	return *round < INT64_MAX;
}

static int tell_all(struct weave *weave)
{
	struct tmap_emit *emit = weave->emit;
	bool token = tmap_call_algorithm(emit->call)->collective == TMAP_BARRIER;
	int64_t round;
	int status = 0;

	while (status == 0 && next_round(weave, &round)) {
		emit->round = weave->begin + round;
		for (int i = 0; i < weave->count && status == 0; i++) {
			struct strand *strand = &weave->strand[i];

			for (size_t s = strand->at; s < strand->stop && status == 0; s++) {
				struct tmap_shift_pattern shift = weave->shift[s];

				shift.bytes = token ? 0 : shift.bytes;
				emit->combine = token || shift.info.combine;
				emit->single = shift.info.single;
				status = tell_shift(weave, strand, &shift);
			}
		}
	}
	return status;
}

int tmap_phase_interleave(struct tmap_emit *emit, struct tmap_phase_units *units)
{
	struct weave weave = { .emit = emit, .units = units, .begin = emit->round };
	const struct tmap_comms *teams = &units->phase->teams;
	bool combine = emit->combine, single = emit->single;
	int status;

	if (!emit->visitor->folded || !emit->visitor->shift || emit->shift ||
	    !find_steps(&weave, teams) || !find_strands(&weave, teams->count))
		return 1;
	status = record(&weave, weave.count, emit->err);
	if (status == 0)
		status = tell_all(&weave);
	emit->round = weave.begin + weave.rounds;
	emit->combine = combine;
	emit->single = single;
	free(weave.shift);
	return status;
}
