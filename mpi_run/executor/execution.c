/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/executor/execution.h"

#include "core/base/mem.h"

#include <stdlib.h>

int tmap_execution_init(struct tmap_execution *execution, const struct tmap_steps *steps,
			char *const area[TMAP_AREAS], const struct tmap_transport *transport,
			struct tmap_error *err)
{
	struct tmap_execution made = { .steps = steps, .transport = transport };

	for (enum tmap_area a = 0; a < TMAP_AREAS; a++)
		made.area[a] = area[a];
	made.waits = tmap_alloc_raw(steps->step_count, sizeof *made.waits, err);
	made.ready = tmap_alloc_raw(steps->step_count, sizeof *made.ready, err);
	if (!made.waits || !made.ready) {
		tmap_execution_fini(&made);
		return -1;
	}
	*execution = made;
	return 0;
}

void tmap_execution_fini(struct tmap_execution *execution)
{
	free(execution->waits);
	free(execution->ready);
	*execution = (struct tmap_execution){ 0 };
}

static int transfer(struct tmap_execution *execution, const struct tmap_transfer *it,
		    struct tmap_error *err)
{
	const struct tmap_transport *transport = execution->transport;

	if (!it->is_reduction)
		return transport->copy(transport->context, &it->source, &it->target,
				       execution->area, err);
	if (it->is_lower || transport->is_commutative)
		return transport->reduce(transport->context, &it->source, &it->target,
					 execution->area, err);
	/* target op source, which takes the place of the source */
	return transport->reduce(transport->context, &it->target, &it->source, execution->area,
				 err) < 0 ?
		-1 :
		transport->copy(transport->context, &it->source, &it->target, execution->area, err);
}

static int transfers(struct tmap_execution *execution, size_t first, size_t end,
		     struct tmap_error *err)
{
	for (size_t i = first; i < end; i++)
		if (transfer(execution, &execution->steps->move[i], err) < 0)
			return -1;
	return 0;
}

/* Those that waited for a step to begin, or to end, wait for one less. */
static void step_done(struct tmap_execution *execution, size_t step, bool has_begun)
{
	const struct tmap_steps *steps = execution->steps;
	const struct tmap_step *it = &steps->step[step];

	for (size_t i = it->next; i < it->next + it->next_count; i++)
		if (steps->edge[i].is_begin == has_begun &&
		    --execution->waits[steps->edge[i].step] == 0)
			execution->ready[execution->ready_end++] = steps->edge[i].step;
	execution->left -= !has_begun;
}

/* All that may begin, and what may because of that. */
static int begin_ready(struct tmap_execution *execution, struct tmap_error *err)
{
	const struct tmap_transport *transport = execution->transport;
	const struct tmap_steps *steps = execution->steps;

	while (execution->ready_first < execution->ready_end) {
		size_t step = execution->ready[execution->ready_first++];
		const struct tmap_step *it = &steps->step[step];

		if (it->kind != TMAP_STEP_LOCAL) {
			if (transport->begin(transport->context, steps, step, execution->area,
					     err) < 0)
				return -1;
			step_done(execution, step, true);
			continue;
		}
		if (transfers(execution, it->first, it->first + it->count, err) < 0)
			return -1;
		step_done(execution, step, false);
	}
	return 0;
}

static int finish(struct tmap_execution *execution, struct tmap_error *err)
{
	execution->is_started = false;
	return transfers(execution, execution->steps->after, execution->steps->move_count, err);
}

int tmap_execution_start(struct tmap_execution *execution, struct tmap_error *err)
{
	const struct tmap_steps *steps = execution->steps;

	execution->ready_first = execution->ready_end = 0;
	execution->left = steps->step_count;
	for (size_t i = 0; i < steps->step_count; i++) {
		execution->waits[i] = steps->step[i].waits;
		if (!steps->step[i].waits)
			execution->ready[execution->ready_end++] = i;
	}
	execution->is_started = true;
	if (transfers(execution, 0, steps->before, err) < 0 || begin_ready(execution, err) < 0)
		return -1;
	return execution->left ? 0 : finish(execution, err);
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
		for (size_t i = 0; i < count; i++)
			step_done(execution, list[i], false);
		if (begin_ready(execution, err) < 0)
			return -1;
		if (!execution->left && finish(execution, err) < 0)
			return -1;
		if (!count && !waits)
			break;
	}
	*ended = !execution->is_started;
	return 0;
}
