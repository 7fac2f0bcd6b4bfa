/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions over the circulant graph: at any number of ranks in as many rounds as halving takes at
 * a power of two, and with the fewest bytes. The skips are halves of p, rounded up:
 *
 *     p = 5     5 -> 3     r sends r + 3 the units r + 3, r + 4
 *               3 -> 2     r sends r + 2 the unit  r + 2
 *               2 -> 1     r sends r + 1 the unit  r + 1
 *
 * A rank stands for as many units from its own on as the last skip says, and hands on what is
 * beyond the next one. Backwards, with what is reduced, this is an allgather. (Traff 2025, arXiv
 * 2410.14234.)
 */
#include "core/algorithms/tables.h"
#include "core/schedule/emit.h"

int tmap_circulant_reduce_scatter(struct tmap_emit *emit)
{
	emit->combine = true;
	emit->single = true;
	for (int64_t skip = emit->call->size, next; skip > 1; skip = next, emit->round++) {
		next = (skip + 1) / 2;
		if (tmap_emit_shift(emit, next, next, 1, skip - next) < 0)
			return -1;
	}
	return 0;
}

int tmap_circulant_allreduce(struct tmap_emit *emit)
{
	int64_t skip[33] = { emit->call->size };
	int rounds = tmap_log2_ceil(emit->call->size);

	if (tmap_circulant_reduce_scatter(emit) < 0)
		return -1;
	for (int k = 0; k < rounds; k++)
		skip[k + 1] = (skip[k] + 1) / 2;
	emit->combine = false;
	for (int k = rounds; k > 0; k--, emit->round++)
		if (tmap_emit_shift(emit, -skip[k], 0, 1, skip[k - 1] - skip[k]) < 0)
			return -1;
	return 0;
}
