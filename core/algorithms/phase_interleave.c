/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/phase_interleave.h"

#include "core/base/mem.h"

#include <stdlib.h>

enum { CLASSES_MAX = 8 };

/* Neighbouring teams with equal schedules. */
struct team_class {
	struct tmap_call call;
	bool exact;             /* its messages have units, from which their bytes are computed */
	int first, end;         /* teams */
	size_t begin, at, stop; /* its shifts; those of the round at hand end at stop */
};

struct interleaving {
	struct tmap_emit *emit;
	struct tmap_phase_units *units;
	int size, base, member_step,
		team_step; /* member s of team t is rank base + s x .. + t x .. */
	int count;
	struct team_class class[CLASSES_MAX];
	int64_t begin, rounds;
	size_t shift_count, capacity;
	struct tmap_shift_pattern *shift; /* of members, modulo the size of a team */
};

/* Are the ranks of all teams at these steps? */
static bool interleaving_find_steps(struct interleaving *all, const struct tmap_comms *teams)
{
	const int *member = teams->member + teams->start[0];
	int size = teams->start[1] - teams->start[0];

	if (size < 2)
		return false;
	all->size = size;
	all->base = member[0];
	all->member_step = member[1] - member[0];
	all->team_step = teams->member[teams->start[1]] - member[0];
	if (all->member_step < 1 || all->team_step < 1)
		return false;
	for (int t = 0; t < teams->count; t++) {
		const int *at = teams->member + teams->start[t];

		if (teams->start[t + 1] - teams->start[t] != size)
			return false;
		for (int s = 0; s < size; s++)
			if (at[s] !=
			    all->base + (int64_t)s * all->member_step + (int64_t)t * all->team_step)
				return false;
	}
	return true;
}

static bool class_has_team(const struct interleaving *all, const struct team_class *class,
			   const struct tmap_call *call, bool exact, int team)
{
	return class->call.root == call->root && class->call.bytes == call->bytes &&
		class->exact == exact &&
		(!exact || tmap_phase_units_are_alike(all->units, class->first, team));
}

/* The classes; false where there are too many, or a team is of another kind. */
static bool interleaving_find_classes(struct interleaving *all, int teams)
{
	for (int t = 0; t < teams; t++) {
		struct team_class *last = all->count ? &all->class[all->count - 1] : NULL;
		struct tmap_call call;
		bool exact = !tmap_phase_units_call(all->units, t, &call);

		if (exact && all->units->inner == TMAP_ALLTOALL)
			return false;
		if (last && class_has_team(all, last, &call, exact, t)) {
			last->end++;
			continue;
		}
		if (all->count == CLASSES_MAX)
			return false;
		all->class[all->count++] = (struct team_class){ call, exact, t, t + 1, 0, 0, 0 };
	}
	return true;
}

/* Does a shift of one message go on where a run ends, or may both be a run, with a gap between them? */
static bool run_goes_on(const struct tmap_shift_pattern *run,
			const struct tmap_shift_pattern *shift)
{
	int64_t apart = (int64_t)shift->first - run->first;

	return run->info.round == shift->info.round && run->info.span == shift->info.span &&
		run->info.times == shift->info.times && run->info.combine == shift->info.combine &&
		run->ahead == shift->ahead && run->bytes == shift->bytes && shift->count == 1 &&
		run->count == run->run &&
		(run->run == 1 ? apart > 0 : apart == run->run * ((int64_t)run->gap + 1));
}

/* One more shift of the inner schedule; it joins the one before if it goes on there. */
static int interleaving_add(struct interleaving *all, const struct tmap_shift_pattern *shift,
			    struct tmap_error *err)
{
	struct team_class *class = &all->class[all->count];
	struct tmap_shift_pattern *last =
		all->shift_count > class->begin ? &all->shift[all->shift_count - 1] : NULL;

	if (shift->info.round + shift->info.span > all->rounds)
		all->rounds = shift->info.round + shift->info.span;
	if (last && run_goes_on(last, shift)) {
		if (last->run == 1)
			last->gap = shift->first - last->first - 1;
		last->step = shift->first - last->first + 1;
		last->count = ++last->run;
		last->info.single = last->info.single && shift->info.single;
		return 0;
	}
	if (tmap_grow(&all->shift, &all->capacity, all->shift_count + 1, sizeof *all->shift, err) <
	    0)
		return -1;
	all->shift[all->shift_count++] = *shift;
	return 0;
}

static int interleaving_add_message(struct interleaving *all, const struct tmap_round_info *info,
				    int from, int to, int64_t bytes, struct tmap_error *err)
{
	return interleaving_add(all,
				&(struct tmap_shift_pattern){
					.info = *info,
					.first = from,
					.run = 1,
					.step = 1,
					.count = 1,
					.ahead = to > from ? to - from : to - from + all->size,
					.bytes = bytes },
				err);
}

static int interleaving_visit_message(void *context, const struct tmap_message *message,
				      struct tmap_error *err)
{
	struct interleaving *all = context;
	const struct team_class *class = &all->class[all->count];
	const struct tmap_round_info info = { message->round, message->span, message->times,
					      message->combine, false };
	int64_t bytes = class->exact ?
		tmap_phase_units_weigh(all->units, class->first, &class->call, message) :
		message->bytes;

	return interleaving_add_message(all, &info, message->from, message->to, bytes, err);
}

static int interleaving_visit_messages(void *context, const struct tmap_messages *batch,
				       struct tmap_error *err)
{
	for (int i = 0; i < batch->count; i++)
		if (interleaving_add_message(context, &batch->info, batch->from[i], batch->to[i],
					     batch->bytes[i], err) < 0)
			return -1;
	return 0;
}

static int interleaving_visit_shift(void *context, const struct tmap_shift_pattern *shift,
				    struct tmap_error *err)
{
	return interleaving_add(context, shift, err);
}

/* For each distance those to the first ranks, which may be an element larger, and the others. */
static int interleaving_visit_all_pairs(void *context, const struct tmap_all_pairs *pairs,
					struct tmap_error *err)
{
	struct interleaving *all = context;
	struct tmap_shift_pattern shift = {
		.info = { pairs->round, pairs->rounds, 1,
			  tmap_collective_rows[all->units->inner].reduces, false }
	};
	int larger = (int)pairs->larger;

	for (shift.ahead = 1; shift.ahead < all->size; shift.ahead++) {
		shift.first = all->size - shift.ahead;
		shift.run = shift.step = shift.count = larger;
		shift.bytes = pairs->bytes + pairs->more;
		if (larger && interleaving_add(all, &shift, err) < 0)
			return -1;
		shift.first = (shift.first + larger) % all->size;
		shift.run = shift.step = shift.count = all->size - larger;
		shift.bytes = pairs->bytes;
		if (pairs->bytes && interleaving_add(all, &shift, err) < 0)
			return -1;
	}
	return 0;
}

/* The inner schedule of each class; all->count is the one at hand. */
static int interleaving_record(struct interleaving *all, int classes, struct tmap_error *err)
{
	int status = 0;

	for (all->count = 0; all->count < classes && status == 0; all->count++) {
		struct team_class *class = &all->class[all->count];
		struct tmap_visitor visitor = { .folded = !class->exact,
						.message = interleaving_visit_message,
						.all_pairs = interleaving_visit_all_pairs,
						.context = all };

		if (!class->exact) {
			visitor.batch = interleaving_visit_messages;
			visitor.shift = interleaving_visit_shift;
		}
		class->begin = class->stop = all->shift_count;
		if (class->call.bytes > 0 || all->units->inner == TMAP_BARRIER)
			status = tmap_schedule(&class->call, &visitor, err);
	}
	all->count = classes;
	return status;
}

/* So many members of the class's teams from one on, with the gaps of the shift; none of them passes the last
 * one. */
static int class_emit_members(const struct interleaving *all, const struct team_class *class,
			      const struct tmap_shift_pattern *shift, int begin, int count,
			      int ahead)
{
	int teams = class->end - class->first, apart = shift->gap + 1;
	struct tmap_shift_pattern ranks = { .info = shift->info,
					    .bytes = shift->bytes,
					    .ahead = ahead * all->member_step,
					    .first = all->base + class->first * all->team_step +
						    begin * all->member_step,
					    .run = 1,
					    .step = all->team_step,
					    .count = teams };

	if (all->member_step == 1 && all->team_step > (count - 1) * apart) {
		ranks.run = count;
		ranks.gap = count > 1 ? shift->gap : 0;
		ranks.count = count * teams;
	} else if (all->team_step == 1 && all->member_step >= teams) {
		ranks.run = teams;
		ranks.step = all->member_step * apart;
		ranks.count = count * teams;
	} else {
		for (int i = 0; i < count; i++, ranks.first += all->member_step * apart)
			if (tmap_emit_stride(all->emit, &ranks) < 0)
				return -1;
		return 0;
	}
	return tmap_emit_stride(all->emit, &ranks);
}

/* So many senders from one on, parted where they pass the last member, and where what they send to does. */
static int class_emit_run(const struct interleaving *all, const struct team_class *class,
			  const struct tmap_shift_pattern *shift, int begin, int count)
{
	int part = all->size - shift->ahead, apart = shift->gap + 1;

	for (int some; count; count -= some, begin = (begin + some * apart) % all->size) {
		bool passes = begin >= part;
		int most = ((passes ? all->size : part) - begin - 1) / apart + 1;

		some = count < most ? count : most;
		if (class_emit_members(all, class, shift, begin, some,
				       passes ? shift->ahead - all->size : shift->ahead) < 0)
			return -1;
	}
	return 0;
}

static int class_emit_shift(const struct interleaving *all, const struct team_class *class,
			    const struct tmap_shift_pattern *shift)
{
	for (int done = 0; done < shift->count; done += shift->run) {
		int length = shift->count - done < shift->run ? shift->count - done : shift->run;
		int begin = (int)(tmap_shift_pattern_sender(shift, done) % all->size);

		if (class_emit_run(all, class, shift, begin, length) < 0)
			return -1;
	}
	return 0;
}

/* Where the shifts of a class end; the classes' own begin where those before end. */
static size_t class_end(const struct interleaving *all, int class)
{
	return class + 1 < all->count ? all->class[class + 1].begin : all->shift_count;
}

/* The next round in which any class has shifts, and which; false: none. */
static bool interleaving_next_round(struct interleaving *all, int64_t *round)
{
	*round = INT64_MAX;
	for (int i = 0; i < all->count; i++) {
		struct team_class *class = &all->class[i];

		class->at = class->stop;
		if (class->at < class_end(all, i) && all->shift[class->at].info.round < *round)
			*round = all->shift[class->at].info.round;
	}
	for (int i = 0; i < all->count; i++) {
		struct team_class *class = &all->class[i];

		while (class->stop < class_end(all, i) &&
		       all->shift[class->stop].info.round == *round)
			class->stop++;
	}
	return *round < INT64_MAX;
}

static int interleaving_emit(struct interleaving *all)
{
	struct tmap_emit *emit = all->emit;
	bool token = tmap_call_algorithm(emit->call)->collective == TMAP_BARRIER;
	int64_t round;
	int status = 0;

	while (status == 0 && interleaving_next_round(all, &round)) {
		emit->round = all->begin + round;
		for (int i = 0; i < all->count && status == 0; i++) {
			struct team_class *class = &all->class[i];

			for (size_t s = class->at; s < class->stop && status == 0; s++) {
				struct tmap_shift_pattern shift = all->shift[s];

				shift.bytes = token ? 0 : shift.bytes;
				emit->combine = token || shift.info.combine;
				emit->single = shift.info.single;
				status = class_emit_shift(all, class, &shift);
			}
		}
	}
	return status;
}

int tmap_phase_interleave(struct tmap_emit *emit, struct tmap_phase_units *units)
{
	struct interleaving all = { .emit = emit, .units = units, .begin = emit->round };
	const struct tmap_comms *teams = &units->phase->teams;
	bool combine = emit->combine, single = emit->single;
	int status;

	if (!emit->visitor->folded || !emit->visitor->shift || emit->shift ||
	    !interleaving_find_steps(&all, teams) || !interleaving_find_classes(&all, teams->count))
		return 1;
	status = interleaving_record(&all, all.count, emit->err);
	if (status == 0)
		status = interleaving_emit(&all);
	emit->round = all.begin + all.rounds;
	emit->combine = combine;
	emit->single = single;
	free(all.shift);
	return status;
}
