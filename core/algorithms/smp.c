/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/smp.h"

#include "core/algorithms/smp_work.h"
#include "core/algorithms/tables.h"

enum { WORD_BYTES = 4, RELEASE_BYTES = 1 }; /* of a scan, and of a bcast that ends a barrier */

static int smp_steps_check(struct tmap_smp_work *work, struct tmap_error *err)
{
	for (const struct tmap_smp_step *step = work->plan->step; step->where != TMAP_SMP_END;
	     step++)
		for (int64_t segment = 0; segment < 2 && tmap_smp_is_phase(step); segment++) {
			const struct tmap_phase phase = {
				.choice = tmap_smp_inner(work->call, step, segment),
				.teams = tmap_smp_teams(work, step, segment)
			};

			if (tmap_phase_check(&phase, err) < 0)
				return -1;
		}
	return 0;
}

int tmap_smp_check(const struct tmap_call *call, struct tmap_error *err)
{
	const char *name = call->choice.row->word.name;
	struct tmap_smp_work work;
	int status = 0;

	if (!call->metric || !call->metric->placement)
		return tmap_fail(err, TMAP_INPUT,
				 "%s splits the ranks by their nodes: it needs a placement", name);
	if (tmap_smp_work_init(&work, call, err) < 0)
		return tmap_wrap(err, "%s", name);
	if ((work.lead == TMAP_SMP_COLUMN || work.lead == TMAP_SMP_SWAPPED) &&
	    !work.nodes.order.regular)
		status = tmap_fail(
			err, TMAP_INPUT,
			"a column of leaders needs equally many ranks on each node; there "
			"are %d to %d",
			work.nodes.order.ranks_min, work.nodes.order.ranks_max);
	else if (tmap_call_algorithm(call)->collective == TMAP_SCAN &&
		 !work.nodes.order.consecutive)
		status = tmap_fail(err, TMAP_INPUT,
				   "scans need the ranks of each node to be consecutive");
	if (status == 0)
		status = smp_steps_check(&work, err);
	tmap_smp_work_fini(&work);
	return status < 0 ? tmap_wrap(err, "%s", name) : 0;
}

int64_t tmap_smp_pieces(const struct tmap_call *call)
{
	int64_t segment = tmap_smp_value(call, "segment");
	struct tmap_call inner = { .size = call->size, .bytes = call->bytes };

	if ((segment && segment < call->bytes) || tmap_smp_value(call, "piece"))
		return tmap_piece_a_byte(call);
	for (const struct tmap_smp_step *step = tmap_smp_plan(call)->step;
	     step->where != TMAP_SMP_END; step++) {
		if (!tmap_smp_is_phase(step))
			continue;
		inner.choice = tmap_smp_inner(call, step, 0);
		if (tmap_unit_count(&inner) > 1)
			return tmap_piece_a_byte(call);
	}
	return 1;
}

/* A vector from a rank to another in a round of its own. */
static int whole_emit(struct tmap_smp_work *work, struct tmap_emit *emit, int from, int to)
{
	if (from == to)
		return 0;
	if (tmap_emit_units(emit, from, to, 0, 1, tmap_unit_count(work->call)) < 0)
		return -1;
	emit->round++;
	return 0;
}

/* From the last rank of each node to its leader, or from each leader to the next one, all in one
 * round. The latter bears no units: what it says that one can tell from what it has got. */
static int hand_over(struct tmap_smp_work *work, struct tmap_emit *emit, bool to_next)
{
	int64_t units = tmap_unit_count(work->call);
	struct tmap_message message = { .round = emit->round, .span = 1, .times = 1 };

	message.bytes = tmap_run_bytes(work->call, &(struct tmap_run){ 0, units, 1 });
	for (int i = 0; i < work->nodes.node_count - to_next; i++) {
		message.from = work->nodes.rank[work->nodes.first[i + 1] - 1];
		message.to = work->leader[i];
		if (to_next) {
			message.from = work->leader[i];
			message.to = work->leader[i + 1];
		}
		if (message.from == message.to || !message.bytes)
			continue;
		if ((to_next ? tmap_emit_message(emit, &message) :
			       tmap_emit_units(emit, message.from, message.to, 0, 1, units)) < 0)
			return -1;
	}
	emit->round++;
	return 0;
}

/* A phase whose messages stand for others: a word instead of a vector, or for as many segments,
 * each so many rounds after the one before. */
struct stand_in {
	struct tmap_emit *emit;
	int64_t word_bytes; /* 0: it is no word */
	int64_t times, period;
};

static int stand_in_emit(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	const struct stand_in *it = context;
	struct tmap_message made = *message;

	(void)err;
	made.span += (it->times - 1) * it->period;
	made.times *= it->times;
	made.bytes *= it->times;
	if (it->word_bytes) {
		made.is_word = true;
		made.bytes = it->word_bytes;
	}
	if (it->word_bytes == WORD_BYTES)
		made.run_count = 0;
	return tmap_emit_message(it->emit, &made);
}

static int stand_in_phase(struct stand_in *it, const struct tmap_phase *phase)
{
	struct tmap_emit *outer = it->emit;
	struct tmap_visitor visitor = { .folded = outer->visitor->folded,
					.message = stand_in_emit,
					.context = it };
	struct tmap_emit emit = { .call = outer->call,
				  .visitor = &visitor,
				  .err = outer->err,
				  .round = outer->round,
				  .filled_end = outer->round,
				  .on = outer->on };
	int status = tmap_phase_emit(&emit, phase);

	outer->round = emit.round;
	return status;
}

/* A step for the units from @p first on, for so many segments alike. */
static int phase_run(struct tmap_smp_work *work, struct tmap_emit *emit,
		     const struct tmap_smp_step *step, int64_t segment, struct tmap_run slice,
		     struct stand_in *instead)
{
	const struct tmap_phase phase = { .choice = tmap_smp_inner(work->call, step, segment),
					  .teams = tmap_smp_teams(work, step, segment),
					  .slice = work->slice };

	for (int i = 0; i < work->nodes.node_count; i++)
		work->slice[i] = slice;
	return instead ? stand_in_phase(instead, &phase) : tmap_phase_emit(emit, &phase);
}

/* A step for one segment, a part after another where a whole one is cut. */
static int segment_run(struct tmap_smp_work *work, struct tmap_emit *emit,
		       const struct tmap_smp_step *step, int64_t segment, struct stand_in *instead)
{
	int64_t units = tmap_unit_count(work->call), length, part;
	int64_t size = tmap_smp_value(work->call, "segment");
	struct tmap_run slice = { 0, units, 1 };

	size = size && size < units ? size : units;
	slice.first = segment * size;
	length = slice.first + size <= units ? size : units - slice.first;
	part = step->where == TMAP_SMP_BETWEEN && step->collective == TMAP_REDUCE &&
			length == size ?
		tmap_smp_value(work->call, "piece") :
		0;
	for (int64_t at = 0; at < length; at += slice.count) {
		slice.first = segment * size + at;
		slice.count = part && part < length - at ? part : length - at;
		if (phase_run(work, emit, step, segment, slice, instead) < 0)
			return -1;
	}
	return 0;
}

/* Task @p task: each step for the segment that has come to it, the last step first. */
static int task_run(struct tmap_smp_work *work, struct tmap_emit *emit, int64_t task,
		    int64_t segments, struct stand_in *instead)
{
	const struct tmap_smp_plan *plan = work->plan;

	for (int i = plan->end - 1; i >= plan->first; i--) {
		int64_t segment = task - (i - plan->first);

		if (segment >= 0 && segment < segments &&
		    segment_run(work, emit, &plan->step[i], segment, instead) < 0)
			return -1;
	}
	return 0;
}

enum { FEW_TASKS = 4 };

/* Up to now, but for empty ones. */
static int64_t rounds_emitted(const struct tmap_emit *emit)
{
	return emit->filled_end - emit->empty;
}

/* All segments through all steps. Folded, the tasks that do the same are one, but for the first. */
static int tasks_run(struct tmap_smp_work *work, struct tmap_emit *emit)
{
	int64_t steps = work->plan->end - work->plan->first;
	int64_t segments =
		tmap_segments(tmap_unit_count(work->call), tmap_smp_value(work->call, "segment"));
	/* those with all steps, none of them for the last segment, and not for the first, which may
	 * go another way */
	int64_t first = steps, end = segments - 1;

	for (int64_t task = 0; task < segments + steps - 1; task++) {
		int64_t before = rounds_emitted(emit);

		if (task_run(work, emit, task, segments, NULL) < 0)
			return -1;
		if (emit->visitor->folded && task == first && end - task > FEW_TASKS) {
			struct stand_in rest = { .emit = emit,
						 .times = end - 1 - task,
						 .period = rounds_emitted(emit) - before };

			if (task_run(work, emit, task + 1, segments, &rest) < 0)
				return -1;
			emit->round = emit->filled_end;
			task = end - 1;
		}
	}
	return 0;
}

/* A step that segments do not go through, or one that is no phase. */
static int step_run(struct tmap_smp_work *work, struct tmap_emit *emit,
		    const struct tmap_smp_step *step)
{
	struct stand_in word = { .emit = emit, .word_bytes = WORD_BYTES, .times = 1 };
	struct stand_in release = { .emit = emit, .word_bytes = RELEASE_BYTES, .times = 1 };
	const struct tmap_run all = { 0, tmap_unit_count(work->call), 1 };

	switch (step->where) {
	case TMAP_SMP_FROM_ROOT:
		return whole_emit(work, emit, work->call->root, work->root_leader);
	case TMAP_SMP_TO_ROOT:
		return work->lead == TMAP_SMP_FIRST ?
			whole_emit(work, emit, work->leader[0], work->call->root) :
			0;
	case TMAP_SMP_WITHIN_LATE:
		return work->others ? phase_run(work, emit, step, 0, all, NULL) : 0;
	case TMAP_SMP_LAST_TO_LEADER:
	case TMAP_SMP_TO_NEXT:
		return hand_over(work, emit, step->where == TMAP_SMP_TO_NEXT);
	case TMAP_SMP_WORD:
		return phase_run(work, emit, step, 0, all, &word);
	default:
		return phase_run(work, emit, step, 0, all,
				 step->where == TMAP_SMP_RELEASE &&
						 tmap_smp_value(work->call, step->param) ?
					 &release :
					 NULL);
	}
}

int tmap_smp(struct tmap_emit *emit)
{
	struct tmap_smp_work work;
	const struct tmap_smp_plan *plan;
	int status = tmap_smp_work_init(&work, emit->call, emit->err);

	if (status < 0)
		return -1;
	plan = work.plan;
	for (int i = 0; plan->step[i].where != TMAP_SMP_END && status == 0; i++) {
		emit->on = plan->step[i].on;
		emit->combine = false;
		if (i < plan->first || i >= plan->end)
			status = step_run(&work, emit, &plan->step[i]);
		else if (i == plan->first)
			status = tasks_run(&work, emit);
	}
	emit->on = TMAP_VECTOR;
	tmap_smp_work_fini(&work);
	return status;
}
