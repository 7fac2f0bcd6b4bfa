/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/phase.h"

#include "core/algorithms/catalogue.h"

#include <stddef.h>

/* Row @p index of those that may be a phase, the first phase before the others; TMAP_NONE past the
 * last one. */
static int find_row(enum tmap_collective collective, int64_t index)
{
	const struct tmap_keywords *words = tmap_algorithms(collective);
	enum tmap_phase_use use = index == 0 ? TMAP_FIRST_PHASE : TMAP_PHASE;
	const struct tmap_algorithm *row;

	index -= index > 0;
	for (size_t i = 0; (row = (const void *)tmap_keywords_at(words, i)); i++)
		if (row->phase == use && index-- == 0)
			return (int)i;
	return TMAP_NONE;
}

const char *tmap_phase_name(enum tmap_collective collective, int64_t index)
{
	int row = find_row(collective, index);

	return row == TMAP_NONE ? NULL :
				  tmap_keywords_at(tmap_algorithms(collective), (size_t)row)->name;
}

struct tmap_spec tmap_phase_spec(enum tmap_collective collective, int64_t index)
{
	return tmap_spec_preset(tmap_algorithms(collective), find_row(collective, index));
}

#define WORDS(name, collective) \
	const char *tmap_##name##_phases(int64_t index) \
	{ \
		return tmap_phase_name(collective, index); \
	}

WORDS(allgather, TMAP_ALLGATHER)
WORDS(bcast, TMAP_BCAST)
WORDS(reduce, TMAP_REDUCE)
WORDS(allreduce, TMAP_ALLREDUCE)
WORDS(gather, TMAP_GATHER)
WORDS(scatter, TMAP_SCATTER)
WORDS(reduce_scatter, TMAP_REDUCE_SCATTER)
WORDS(alltoall, TMAP_ALLTOALL)
WORDS(scan, TMAP_SCAN)
WORDS(barrier, TMAP_BARRIER)
