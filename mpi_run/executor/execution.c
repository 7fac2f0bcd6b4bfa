/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/executor/execution.h"

#include "core/base/mem.h"
#include "core/base/rare.h"

#include <stdlib.h>
#include <string.h>

void tmap_execution_fini(struct tmap_execution *execution)
{
	free(execution->waits);
	free(execution->receives.step);
	free(execution->others.step);
	free(execution->line);
	free(execution->copy);
	*execution = (struct tmap_execution){ 0 };
}

/* Target op source, which takes the place of the source. */
static TMAP_RARE int transfer_other_way(const struct tmap_execution *execution,
					const struct tmap_transfer *it, struct tmap_error *err)
{
	const struct tmap_transport *transport = execution->transport;

	return transport->reduce(transport->context, &it->target, &it->source, execution->area,
				 err) < 0 ?
		-1 :
		transport->copy(transport->context, &it->source, &it->target, execution->area, err);
}

static inline int transfer(const struct tmap_execution *execution, const struct tmap_transfer *it,
			   struct tmap_error *err)
{
	const struct tmap_transport *transport = execution->transport;

	if (!it->is_reduction)
		return transport->copy(transport->context, &it->source, &it->target,
				       execution->area, err);
	if (it->is_lower || transport->is_commutative)
		return transport->reduce(transport->context, &it->source, &it->target,
					 execution->area, err);
	return transfer_other_way(execution, it, err);
}

static inline int transfers(const struct tmap_execution *execution, size_t first, size_t end,
			    struct tmap_error *err)
{
	const struct tmap_transfer *it = execution->steps->move + first;

	for (const struct tmap_transfer *last = execution->steps->move + end; it < last; it++)
		if (transfer(execution, it, err) < 0)
			return -1;
	return 0;
}

static void step_add_ready(struct tmap_execution *execution, size_t step)
{
	struct tmap_ready *ready = execution->steps->step[step].kind == TMAP_STEP_RECV ?
		&execution->receives :
		&execution->others;

	ready->step[ready->end++] = step;
}

static bool has_ready(const struct tmap_execution *execution)
{
	return execution->receives.first < execution->receives.end ||
		execution->others.first < execution->others.end;
}

/* They wait for one less. */
static void steps_wake(struct tmap_execution *execution, const size_t *edge, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (--execution->waits[edge[i]] == 0)
			step_add_ready(execution, edge[i]);
}

static void step_begun(struct tmap_execution *execution, const struct tmap_step *step)
{
	steps_wake(execution, &execution->steps->edge[step->next], step->begin_count);
}

static void step_ended(struct tmap_execution *execution, const struct tmap_step *step)
{
	steps_wake(execution, &execution->steps->edge[step->next + step->begin_count],
		   step->end_count);
	execution->left--;
}

/* A message, which is waited for at once if it is to be and nothing could overtake it: it is the only
 * one under way and no other step may begin, or no other one will begin any more. */
static int message_begin(struct tmap_execution *execution, size_t step, bool waits,
			 struct tmap_error *err)
{
	const struct tmap_transport *transport = execution->transport;
	const struct tmap_step *it = &execution->steps->step[step];

	/* what waits for its beginning is ready now, and comes behind it */
	step_begun(execution, it);
	if ((--execution->to_begin == 0 || (!execution->under_way && !has_ready(execution))) &&
	    waits) {
		const struct tmap_line_part alone = { TMAP_LINE_MESSAGE, step, step, 1 };

		if (transport->run(transport->context, execution->steps, &alone, 1, execution->area,
				   err) < 0)
			return -1;
		step_ended(execution, it);
		return 0;
	}
	execution->under_way++;
	return transport->begin(transport->context, execution->steps, step, execution->area, err);
}

/* All that may begin, and what may because of that. */
static int begin_ready(struct tmap_execution *execution, bool waits, struct tmap_error *err)
{
	while (has_ready(execution)) {
		struct tmap_ready *ready = execution->receives.first < execution->receives.end ?
			&execution->receives :
			&execution->others;
		size_t step = ready->step[ready->first++];
		const struct tmap_step *it = &execution->steps->step[step];

		if (it->kind != TMAP_STEP_LOCAL) {
			if (message_begin(execution, step, waits, err) < 0)
				return -1;
			continue;
		}
		if (transfers(execution, it->first, it->first + it->count, err) < 0)
			return -1;
		step_ended(execution, it);
	}
	return 0;
}

static int finish(struct tmap_execution *execution, struct tmap_error *err)
{
	execution->is_started = false;
	return transfers(execution, execution->steps->after, execution->steps->move_count, err);
}

static int start(struct tmap_execution *execution, bool waits, struct tmap_error *err)
{
	const struct tmap_steps *steps = execution->steps;

	execution->receives.first = execution->receives.end = 0;
	execution->others.first = execution->others.end = 0;
	execution->left = steps->step_count;
	execution->to_begin = execution->message_count;
	execution->under_way = 0;
	for (size_t i = 0; i < steps->step_count; i++) {
		execution->waits[i] = steps->step[i].waits;
		if (!steps->step[i].waits)
			step_add_ready(execution, i);
	}
	execution->is_started = true;
	if (transfers(execution, 0, steps->before, err) < 0 ||
	    begin_ready(execution, waits, err) < 0)
		return -1;
	return execution->left ? 0 : finish(execution, err);
}

int tmap_execution_start(struct tmap_execution *execution, struct tmap_error *err)
{
	return start(execution, false, err);
}

int tmap_execution_test(struct tmap_execution *execution, bool waits, bool *ended,
			struct tmap_error *err)
{
	const struct tmap_transport *transport = execution->transport;
	const size_t *list;
	size_t count;

	while (execution->is_started) {
		if (transport->ended(transport->context, waits, &list, &count, err) < 0)
			return -1;
		execution->under_way -= count;
		for (size_t i = 0; i < count; i++)
			step_ended(execution, &execution->steps->step[list[i]]);
		if (begin_ready(execution, waits, err) < 0)
			return -1;
		if (!execution->left && finish(execution, err) < 0)
			return -1;
		if (!count && !waits)
			break;
	}
	*ended = !execution->is_started;
	return 0;
}

static int line_messages_run(const struct tmap_execution *execution,
			     const struct tmap_line_part *part, size_t count,
			     struct tmap_error *err)
{
	const struct tmap_transport *transport = execution->transport;

	return transport->run(transport->context, execution->steps, part, count, execution->area,
			      err);
}

static int messages_run(struct tmap_execution *execution, struct tmap_error *err)
{
	return line_messages_run(execution, execution->line, execution->part_count, err);
}

/* Between copies, such as that of the rank's own block. */
static int copied_messages_run(struct tmap_execution *execution, struct tmap_error *err)
{
	const struct tmap_steps *steps = execution->steps;

	if ((steps->before && transfers(execution, 0, steps->before, err) < 0) ||
	    messages_run(execution, err) < 0)
		return -1;
	return steps->after == steps->move_count ?
		0 :
		transfers(execution, steps->after, steps->move_count, err);
}

static void copies_make(const struct tmap_plain_copy *copy, const struct tmap_plain_copy *end)
{
	for (; copy < end; copy++)
		memmove(copy->target, copy->source, copy->bytes);
}

/* As one would write it by hand: nothing is asked of the copies any more. */
static int plain_messages_run(struct tmap_execution *execution, struct tmap_error *err)
{
	copies_make(execution->copy, execution->copy_middle);
	if (messages_run(execution, err) < 0)
		return -1;
	copies_make(execution->copy_middle, execution->copy_end);
	return 0;
}

static int line_run(struct tmap_execution *execution, struct tmap_error *err)
{
	const struct tmap_steps *steps = execution->steps;
	const struct tmap_line_part *end = execution->line + execution->part_count, *next;

	if (transfers(execution, 0, steps->before, err) < 0)
		return -1;
	for (const struct tmap_line_part *part = execution->line; part < end; part = next) {
		const struct tmap_step *it = &steps->step[part->step];
		int status = part->messages ?
			line_messages_run(execution, part, part->messages, err) :
			transfers(execution, it->first, it->first + it->count, err);

		if (status < 0)
			return -1;
		next = part + (part->messages ? part->messages : 1);
	}
	return transfers(execution, steps->after, steps->move_count, err);
}

static int others_run(struct tmap_execution *execution, struct tmap_error *err)
{
	bool ended;

	if (start(execution, true, err) < 0)
		return -1;
	return execution->is_started ? tmap_execution_test(execution, true, &ended, err) : 0;
}

/* A line in which nothing is copied or reduced in between. */
static bool is_messages(const struct tmap_execution *execution)
{
	return execution->part_count && execution->line->messages == execution->part_count;
}

/* As a plain copy; its bytes are 0 if it is none. */
static struct tmap_plain_copy plain_copy(const struct tmap_execution *execution,
					 const struct tmap_transfer *it)
{
	const struct tmap_transport *transport = execution->transport;

	return (struct tmap_plain_copy){
		.target = execution->area[it->target.area] + it->target.offset,
		.source = execution->area[it->source.area] + it->source.offset,
		.bytes = it->is_reduction || !transport->plain ?
			0 :
			(size_t)transport->plain(transport->context, &it->source, &it->target),
	};
}

/* Where there is no local step all moves are at the ends; nothing is set unless all are plain. */
static int copies_init(struct tmap_execution *execution, struct tmap_error *err)
{
	const struct tmap_steps *steps = execution->steps;
	struct tmap_plain_copy *copy = tmap_alloc_raw(steps->move_count, sizeof *copy, err);

	if (!copy)
		return -1;
	for (size_t i = 0; i < steps->move_count; i++) {
		copy[i] = plain_copy(execution, &steps->move[i]);
		if (!copy[i].bytes) {
			free(copy);
			return 0;
		}
	}
	execution->copy = copy;
	execution->copy_middle = copy + steps->before;
	execution->copy_end = copy + steps->move_count;
	return 0;
}

int tmap_execution_init(struct tmap_execution *execution, const struct tmap_steps *steps,
			char *const area[TMAP_AREAS], const struct tmap_transport *transport,
			struct tmap_error *err)
{
	struct tmap_execution made = { .steps = steps, .transport = transport };

	for (enum tmap_area a = 0; a < TMAP_AREAS; a++)
		made.area[a] = area[a];
	made.waits = tmap_alloc_raw(steps->step_count, sizeof *made.waits, err);
	made.receives.step = tmap_alloc_raw(steps->step_count, sizeof *made.receives.step, err);
	made.others.step = tmap_alloc_raw(steps->step_count, sizeof *made.others.step, err);
	made.line = tmap_alloc_raw(steps->step_count, sizeof *made.line, err);
	if (!made.waits || !made.receives.step || !made.others.step || !made.line) {
		tmap_execution_fini(&made);
		return -1;
	}
	if (!tmap_line_fill(steps, made.line, &made.part_count)) {
		free(made.line);
		made.line = NULL;
	}
	if (made.line && is_messages(&made) && steps->move_count && copies_init(&made, err) < 0) {
		tmap_execution_fini(&made);
		return -1;
	}
	made.run = !made.line       ? others_run :
		!is_messages(&made) ? line_run :
		!steps->move_count  ? messages_run :
		made.copy           ? plain_messages_run :
				      copied_messages_run;
	for (size_t i = 0; i < steps->step_count; i++)
		made.message_count += steps->step[i].kind != TMAP_STEP_LOCAL;
	*execution = made;
	return 0;
}

int tmap_execution_run(struct tmap_execution *execution, struct tmap_error *err)
{
	return execution->run(execution, err);
}
