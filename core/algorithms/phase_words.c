/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/phase.h"

#include "core/algorithms/catalogue.h"
#include "core/algorithms/pairing.h"

#include <stddef.h>
#include <string.h>

/* Rows that may be a phase with other than preset values, as words of their own behind the rows. */
static const struct {
	enum tmap_collective collective;
	const char *word, *row;
	int64_t value; /* of the first parameter */
} variants[] = {
	{ TMAP_REDUCE, "rabenseifner_mpich", "rabenseifner", TMAP_FOLD_MPICH },
	{ TMAP_ALLREDUCE, "rabenseifner_mpich", "rabenseifner", TMAP_FOLD_MPICH },
};

enum { VARIANTS = sizeof variants / sizeof *variants };

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

static int count_rows(enum tmap_collective collective)
{
	int count = 0;

	while (find_row(collective, count) != TMAP_NONE)
		count++;
	return count;
}

/* Number @p index of the variants of a collective; VARIANTS past the last one. */
static size_t find_variant(enum tmap_collective collective, int64_t index)
{
	size_t i = 0;

	while (i < VARIANTS && (variants[i].collective != collective || index-- > 0))
		i++;
	return i;
}

const char *tmap_phase_name(enum tmap_collective collective, int64_t index)
{
	int row = find_row(collective, index);
	size_t variant;

	if (row != TMAP_NONE)
		return tmap_keywords_at(tmap_algorithms(collective), (size_t)row)->name;
	variant = find_variant(collective, index - count_rows(collective));
	return variant < VARIANTS ? variants[variant].word : NULL;
}

struct tmap_spec tmap_phase_spec(enum tmap_collective collective, int64_t index)
{
	const struct tmap_keywords *words = tmap_algorithms(collective);
	int row = find_row(collective, index);
	struct tmap_spec choice;
	size_t variant;

	if (row != TMAP_NONE)
		return tmap_spec_preset(words, row);
	variant = find_variant(collective, index - count_rows(collective));
	for (row = 0; strcmp(tmap_keywords_at(words, (size_t)row)->name, variants[variant].row);)
		row++;
	choice = tmap_spec_preset(words, row);
	choice.value[0] = variants[variant].value;
	return choice;
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
