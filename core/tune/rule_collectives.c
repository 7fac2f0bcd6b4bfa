/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/rule_collectives.h"

#include "core/base/sum.h"

#include <stddef.h>

static const struct tmap_rule_collective_row rows[] = {
	{ { "allgather", "MPI_Allgather" }, TMAP_ALLGATHER, TMAP_RULE_TOTAL, 6, 8, 6 },
	{ { "allgatherv", "MPI_Allgatherv" }, TMAP_NONE, TMAP_RULE_TOTAL, 5, 6, 5 },
	{ { "allreduce", "MPI_Allreduce" }, TMAP_ALLREDUCE, TMAP_RULE_VECTOR, 6, 7, 0 },
	{ { "alltoall", "MPI_Alltoall" }, TMAP_ALLTOALL, TMAP_RULE_TOTAL, 5, 5, 5 },
	{ { "alltoallv", "MPI_Alltoallv" }, TMAP_NONE, TMAP_RULE_NOTHING, 2, 2, 0 },
	{ { "alltoallw", "MPI_Alltoallw" }, TMAP_NONE, TMAP_RULE_NOTHING, 0, 0, 0 },
	{ { "barrier", "MPI_Barrier" }, TMAP_BARRIER, TMAP_RULE_NOTHING, 6, 6, 5 },
	{ { "bcast", "MPI_Bcast" }, TMAP_BCAST, TMAP_RULE_VECTOR, 9, 9, 0 },
	{ { "exscan", "MPI_Exscan" }, TMAP_EXSCAN, TMAP_RULE_ELEMENT, 2, 2, 0 },
	{ { "gather", "MPI_Gather" }, TMAP_GATHER, TMAP_RULE_TOTAL, 3, 3, 0 },
	{ { "gatherv", "MPI_Gatherv" }, TMAP_NONE, TMAP_RULE_NOTHING, 0, 0, 0 },
	{ { "reduce", "MPI_Reduce" }, TMAP_REDUCE, TMAP_RULE_VECTOR, 7, 8, 0 },
	{ { "reduce_scatter", "MPI_Reduce_scatter" },
	  TMAP_REDUCE_SCATTER,
	  TMAP_RULE_VECTOR,
	  4,
	  4,
	  0 },
	{ { "reduce_scatter_block", "MPI_Reduce_scatter_block" },
	  TMAP_REDUCE_SCATTER_BLOCK,
	  TMAP_RULE_TOTAL,
	  4,
	  4,
	  0 },
	{ { "scan", "MPI_Scan" }, TMAP_SCAN, TMAP_RULE_ELEMENT, 2, 2, 0 },
	{ { "scatter", "MPI_Scatter" }, TMAP_SCATTER, TMAP_RULE_TOTAL, 3, 3, 0 },
	{ { "scatterv", "MPI_Scatterv" }, TMAP_NONE, TMAP_RULE_NOTHING, 0, 0, 0 },
	{ { NULL, NULL }, TMAP_NONE, TMAP_RULE_NOTHING, 0, 0, 0 },
};

_Static_assert(sizeof rows / sizeof rows[0] == TMAP_RULE_COLLECTIVES + 1, "a row each");

const struct tmap_keywords tmap_rule_collectives = TMAP_KEYWORDS("collective", rows);

const struct tmap_rule_collective_row *tmap_rule_collective_row(int64_t number)
{
	return number >= 0 && number < TMAP_RULE_COLLECTIVES ? &rows[number] : NULL;
}

int tmap_rule_collective_number(enum tmap_collective collective)
{
	for (int i = 0; i < TMAP_RULE_COLLECTIVES; i++)
		if (rows[i].collective == (int)collective)
			return i;
	return TMAP_NONE;
}

const char *tmap_rule_unit_print(enum tmap_rule_unit unit)
{
	static const char *const words[] = {
		[TMAP_RULE_VECTOR] = "the vector",
		[TMAP_RULE_TOTAL] = "the blocks of all ranks together",
		[TMAP_RULE_ELEMENT] = "one element of all ranks together, whatever the count",
		[TMAP_RULE_NOTHING] = "always 0",
	};

	return words[unit];
}

int64_t tmap_rule_unit_of(enum tmap_rule_unit unit, int64_t ranks, int64_t bytes, int64_t element)
{
	switch (unit) {
	case TMAP_RULE_VECTOR:
		return bytes;
	case TMAP_RULE_TOTAL:
		return tmap_sum_product(ranks, bytes);
	case TMAP_RULE_ELEMENT:
		return tmap_sum_product(ranks, element);
	default:
		return 0;
	}
}

int64_t tmap_rule_unit_call(enum tmap_rule_unit unit, int64_t ranks, int64_t bytes, int64_t element)
{
	int64_t each = bytes, rest;

	if (unit == TMAP_RULE_ELEMENT || unit == TMAP_RULE_NOTHING)
		return 0;
	if (unit == TMAP_RULE_TOTAL)
		each = bytes / ranks + (bytes % ranks != 0);
	rest = each % element;
	if (rest && !tmap_sum_add(&each, element - rest))
		each -= each % element;
	return each;
}
