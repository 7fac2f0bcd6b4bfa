/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/library/rules.h"

#include <limits.h>
#include <stddef.h>

/* For fewer ranks, and at most so many bytes (of the call, or of all blocks together). */
struct cut {
	enum tmap_collective collective;
	enum { ALWAYS, POWER, NO_POWER } ranks; /* a power of two, or not */
	bool total;
	int below_size;
	int64_t most_bytes;
	const char *algorithm;
};

#define ANY INT_MAX
#define ALL INT64_MAX

/* The cut-offs within a communicator, whatever device; the first that fits. */
static const struct cut cuts[] = {
	{ TMAP_BCAST, ALWAYS, false, 8, ALL, "binomial_far" },
	{ TMAP_BCAST, ALWAYS, false, ANY, 12288, "binomial_far" },
	{ TMAP_BCAST, POWER, false, ANY, 524288, "scatter_allgather" },
	{ TMAP_BCAST, ALWAYS, false, ANY, ALL, "scatter_ring" },
	{ TMAP_ALLGATHER, POWER, true, ANY, 524287, "recursive_doubling" },
	{ TMAP_ALLGATHER, NO_POWER, true, ANY, 81919, "bruck" },
	{ TMAP_ALLGATHER, ALWAYS, true, ANY, ALL, "ring" },
	{ TMAP_ALLREDUCE, ALWAYS, false, ANY, 8, "recursive_doubling" },
	{ TMAP_ALLREDUCE, ALWAYS, false, ANY, ALL, "rabenseifner,fold=mpich" },
	{ TMAP_REDUCE, ALWAYS, false, ANY, 2048, "binomial_far" },
	{ TMAP_REDUCE, ALWAYS, false, ANY, ALL, "rabenseifner,fold=mpich" },
	{ TMAP_REDUCE_SCATTER, ALWAYS, false, ANY, 524287, "recursive_halving" },
	{ TMAP_REDUCE_SCATTER, ALWAYS, false, ANY, ALL, "pairwise" },
	{ TMAP_REDUCE_SCATTER_BLOCK, ALWAYS, true, ANY, 524287, "recursive_halving" },
	{ TMAP_REDUCE_SCATTER_BLOCK, ALWAYS, true, ANY, ALL, "pairwise" },
	{ TMAP_GATHER, ALWAYS, false, ANY, ALL, "binomial_far" },
	{ TMAP_SCATTER, ALWAYS, false, ANY, ALL, "binomial_far" },
	{ TMAP_ALLTOALL, ALWAYS, false, 8, 32768, "spread" },
	{ TMAP_ALLTOALL, POWER, false, 8, ALL, "pairwise_xor" },
	{ TMAP_ALLTOALL, ALWAYS, false, 8, ALL, "pairwise" },
	{ TMAP_ALLTOALL, ALWAYS, false, ANY, 256, "bruck" },
	{ TMAP_ALLTOALL, ALWAYS, false, ANY, 32768, "spread" },
	{ TMAP_ALLTOALL, POWER, false, ANY, ALL, "pairwise_xor" },
	{ TMAP_ALLTOALL, ALWAYS, false, ANY, ALL, "pairwise" },
	{ TMAP_EXSCAN, ALWAYS, false, ANY, ALL, "recursive_doubling" },
	{ TMAP_SCAN, ALWAYS, false, ANY, ALL, "recursive_doubling" },
	{ TMAP_BARRIER, ALWAYS, false, ANY, ALL, "dissemination" },
};

static bool fits(const struct cut *cut, const struct tmap_library_call *call)
{
	bool power = (call->size & (call->size - 1)) == 0;
	int64_t bytes = call->bytes;

	if (cut->total && __builtin_mul_overflow(bytes, call->size, &bytes))
		bytes = INT64_MAX;
	return cut->collective == call->collective && bytes <= cut->most_bytes &&
		(call->size < cut->below_size || cut->below_size == ANY) &&
		(cut->ranks == ALWAYS || (cut->ranks == POWER) == power);
}

/* What goes through shared memory within nodes, and between leaders, where ranks share nodes. Of
 * broadcasts these are the short ones. */
static bool is_composed(const struct tmap_library_call *call)
{
	bool power = (call->size & (call->size - 1)) == 0;

	if (call->order->ranks_max == 1)
		return false;
	switch (call->collective) {
	case TMAP_REDUCE:
	case TMAP_ALLREDUCE:
	case TMAP_BARRIER:
		return true;
	case TMAP_BCAST:
		return call->size < 8 || call->bytes < (power ? 524288 : 12288);
	case TMAP_SCAN:
		return call->order->consecutive && call->order->used_nodes > 1;
	default:
		return false;
	}
}

const char *tmap_mpich_whole(enum tmap_collective collective, const struct tmap_order *order)
{
	static const char *const variables[TMAP_COLLECTIVE_COUNT] = {
		[TMAP_BCAST] = "MPIR_CVAR_BCAST_COMPOSITION=3",
		[TMAP_REDUCE] = "MPIR_CVAR_REDUCE_COMPOSITION=3",
		[TMAP_ALLREDUCE] = "MPIR_CVAR_ALLREDUCE_COMPOSITION=2",
		[TMAP_BARRIER] = "MPIR_CVAR_BARRIER_COMPOSITION=2",
	};

	return order->ranks_max > 1 ? variables[collective] : NULL;
}

struct tmap_library_choice tmap_mpich_choose(const struct tmap_library_call *call)
{
	if (is_composed(call))
		return tmap_library_choice_of(NULL, "a composition, by shared memory within nodes",
					      0);
	for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++)
		if (fits(&cuts[i], call))
			return tmap_library_choice_of(
				cuts[i].algorithm, "the cut-offs of MPIR, by ranks and bytes", 0);
	return tmap_library_choice_of(NULL, "no rule of it is known", 0);
}
