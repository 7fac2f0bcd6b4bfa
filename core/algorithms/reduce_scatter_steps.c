/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduce-scatter as libraries do it where they have nothing better: whole vectors to rank 0, which
 * scatters them; and doubling, where each rank sends all that its partner may still need.
 */
#include "core/algorithms/phase.h"
#include "core/algorithms/tables.h"
#include "core/base/mem.h"

#include <stdlib.h>

enum { REDUCE, SCATTER };

const struct tmap_param tmap_reduce_and_scatter_params[] = {
	{ .key = "reduce",
	  .summary = "algorithm of the reduce",
	  .word_at = tmap_reduce_phases,
	  .most = 63 },
	{ .key = "scatter",
	  .summary = "algorithm of the scatter",
	  .word_at = tmap_scatter_phases,
	  .preset_word = "linear",
	  .most = 63 },
	{ .key = NULL },
};

/* All ranks are one team, whose root is rank 0. */
static struct tmap_phase steps_phase(const struct tmap_call *call, int which, const int *start,
				     const int *member)
{
	enum tmap_collective collective = which == REDUCE ? TMAP_REDUCE : TMAP_SCATTER;

	return (struct tmap_phase){ .choice =
					    tmap_phase_spec(collective, call->choice.value[which]),
				    .teams = { 1, start, member, NULL },
				    .block = { .kind = TMAP_LIST_OWN } };
}

int tmap_reduce_and_scatter_check(const struct tmap_call *call, struct tmap_error *err)
{
	const int start[] = { 0, call->size };
	const struct tmap_phase reduce = steps_phase(call, REDUCE, start, NULL);
	const struct tmap_phase scatter = steps_phase(call, SCATTER, start, NULL);

	return tmap_phase_check(&reduce, err) < 0 ? -1 : tmap_phase_check(&scatter, err);
}

int tmap_reduce_and_scatter(struct tmap_emit *emit)
{
	const int start[] = { 0, emit->call->size };
	int *member = tmap_alloc_raw((size_t)emit->call->size, sizeof *member, emit->err);
	int status = member ? 0 : -1;

	for (int i = 0; member && i < emit->call->size; i++)
		member[i] = i;
	for (int which = REDUCE; which <= SCATTER && status == 0; which++) {
		const struct tmap_phase phase = steps_phase(emit->call, which, start, member);

		status = tmap_phase_emit(emit, &phase);
	}
	free(member);
	return status;
}

/* r <-> r ^ d for d = 1, 2, 4, ...: all units but those of the d ranks that have had the same. What
 * libraries do for other numbers of ranks than powers of two is no schedule of ours: they forward
 * what came in, besides reducing it. */
int tmap_reduce_scatter_doubling(struct tmap_emit *emit)
{
	int64_t p = emit->call->size;

	emit->combine = true;
	emit->single = true;
	for (int64_t d = 1; d < p; d *= 2, emit->round++)
		for (int64_t r = 0; r < p; r++)
			if (tmap_emit_units(emit, (int)r, (int)(r ^ d), (r & ~(d - 1)) + d, 1,
					    p - d) < 0)
				return -1;
	return 0;
}
