/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/library/rules.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* For fewer ranks, and at most so many bytes (of the call, or of all blocks together). */
struct cut {
	enum tmap_collective collective;
	enum { ALWAYS, POWER, NO_POWER } ranks; /* a power of two, or not */
	bool total;
	int below_size;
	int64_t most_bytes;
	const char *algorithm;
	bool wants_power; /* of two or more elements: at least the largest that is at most the
			     ranks */
};

#define ANY INT_MAX
#define ALL INT64_MAX

/* The cut-offs within a communicator, whatever device; the first that fits. */
static const struct cut cuts[] = {
	{ TMAP_BCAST, ALWAYS, false, 8, ALL, "binomial_far", false },
	{ TMAP_BCAST, ALWAYS, false, ANY, 12288, "binomial_far", false },
	{ TMAP_BCAST, POWER, false, ANY, 524288, "scatter_allgather", false },
	{ TMAP_BCAST, ALWAYS, false, ANY, ALL, "scatter_ring", false },
	{ TMAP_ALLGATHER, POWER, true, ANY, 524287, "recursive_doubling", false },
	{ TMAP_ALLGATHER, NO_POWER, true, ANY, 81919, "bruck", false },
	{ TMAP_ALLGATHER, ALWAYS, true, ANY, ALL, "ring", false },
	{ TMAP_ALLREDUCE, ALWAYS, false, ANY, 8, "recursive_doubling", false },
	{ TMAP_ALLREDUCE, ALWAYS, false, ANY, ALL, "rabenseifner,fold=mpich", true },
	{ TMAP_ALLREDUCE, ALWAYS, false, ANY, ALL, "recursive_doubling", false },
	{ TMAP_REDUCE, ALWAYS, false, ANY, 2048, "binomial_far", false },
	{ TMAP_REDUCE, ALWAYS, false, ANY, ALL, "rabenseifner,fold=mpich", true },
	{ TMAP_REDUCE, ALWAYS, false, ANY, ALL, "binomial_far", false },
	{ TMAP_REDUCE_SCATTER, ALWAYS, false, ANY, 524287, "recursive_halving", false },
	{ TMAP_REDUCE_SCATTER, ALWAYS, false, ANY, ALL, "pairwise", false },
	{ TMAP_REDUCE_SCATTER_BLOCK, ALWAYS, true, ANY, 524287, "recursive_halving", false },
	{ TMAP_REDUCE_SCATTER_BLOCK, ALWAYS, true, ANY, ALL, "pairwise", false },
	{ TMAP_GATHER, ALWAYS, false, ANY, ALL, "binomial_far", false },
	{ TMAP_SCATTER, ALWAYS, false, ANY, ALL, "binomial_far", false },
	{ TMAP_ALLTOALL, ALWAYS, false, 9, 32768, "spread", false },
	{ TMAP_ALLTOALL, POWER, false, 8, ALL, "pairwise_xor", false },
	{ TMAP_ALLTOALL, ALWAYS, false, 8, ALL, "pairwise", false },
	{ TMAP_ALLTOALL, ALWAYS, false, ANY, 256, "bruck", false },
	{ TMAP_ALLTOALL, ALWAYS, false, ANY, 32768, "spread", false },
	{ TMAP_ALLTOALL, POWER, false, ANY, ALL, "pairwise_xor", false },
	{ TMAP_ALLTOALL, ALWAYS, false, ANY, ALL, "pairwise", false },
	{ TMAP_EXSCAN, ALWAYS, false, ANY, ALL, "recursive_doubling", false },
	{ TMAP_SCAN, ALWAYS, false, ANY, ALL, "recursive_doubling", false },
	{ TMAP_BARRIER, ALWAYS, false, ANY, ALL, "dissemination", false },
};

static bool fits(const struct cut *cut, const struct tmap_library_call *call)
{
	bool power = (call->size & (call->size - 1)) == 0;
	int64_t bytes = call->bytes, least = 1;

	while (2 * least <= call->size)
		least *= 2;
	if (cut->wants_power && call->bytes / call->element < least)
		return false;
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
		return call->order->consecutive;
	default:
		return false;
	}
}

bool tmap_mpich_composes(enum tmap_collective collective, const struct tmap_order *order)
{
	const struct tmap_library_call call = { .collective = collective, .order = order };

	return is_composed(&call);
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

/* What the cut-offs say for a call in a part of the communicator; NULL: nothing. */
static const char *cut_name(enum tmap_collective collective, int size,
			    const struct tmap_library_call *call)
{
	const struct tmap_library_call part = { .collective = collective,
						.size = size,
						.bytes = call->bytes,
						.element = call->element };

	for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++)
		if (fits(&cuts[i], &part))
			return cuts[i].algorithm;
	return NULL;
}

/* As the word of an inner algorithm in parts of so many ranks: its fold is one for powers of two
 * only, where elements that divide evenly are cut alike. */
static const char *inner_word(const char *name, int least, int most,
			      const struct tmap_library_call *call)
{
	bool folds = least != most || (most & (most - 1)) != 0;

	if (!name || !strchr(name, ','))
		return name;
	return folds || call->bytes / call->element % most ? "rabenseifner_mpich" : "rabenseifner";
}

static const char *up_name(const struct tmap_library_call *call)
{
	int size = call->order->used_nodes;

	return inner_word(cut_name(call->collective, size, call), size, size, call);
}

/* The same on all nodes, whatever their sizes; NULL: it differs. A rank that is alone on its node
 * has none to call. */
static const char *low_name(enum tmap_collective collective, const struct tmap_library_call *call)
{
	int most = call->order->ranks_max, least = call->order->ranks_min;
	const char *name = cut_name(collective, most, call);

	for (int size = most - 1; name && size >= least && size > 1; size--) {
		const char *other = cut_name(collective, size, call);

		if (!other || strcmp(other, name) != 0)
			return NULL;
	}
	return inner_word(name, least, most, call);
}

/* Of short vectors the root's node comes last. */
static bool is_late_reduce(const struct tmap_library_call *call)
{
	return call->collective == TMAP_REDUCE && call->bytes <= 2048;
}

/* Within nodes, among the first ranks of these, and back: each as the cut-offs have it for so many
 * ranks. A root other than rank 0 gets and gives the vector besides. */
static struct tmap_library_choice choose_composed(const struct tmap_library_call *call)
{
	struct tmap_library_choice made = tmap_library_choice_of(
		NULL, "a composition: the cut-offs of MPIR within nodes and among their leaders",
		0);
	enum tmap_collective within = call->collective == TMAP_ALLREDUCE ? TMAP_REDUCE :
									   call->collective;
	const char *up = up_name(call);
	const char *low = low_name(within, call), *down = "binomial_far"; /* of a byte */
	const size_t room = sizeof made.algorithm;

	if (call->collective == TMAP_ALLREDUCE || call->collective == TMAP_SCAN)
		down = low_name(TMAP_BCAST, call);
	if (!up || !low || !down) {
		made.how = "a composition, by other algorithms on nodes of other sizes";
		return made;
	}
	switch (call->collective) {
	case TMAP_ALLREDUCE:
		snprintf(made.algorithm, room,
			 "hierarchical,levels=node,inner=%s,reduce=%s,bcast=%s", up, low, down);
		break;
	case TMAP_BARRIER:
		snprintf(made.algorithm, room, "smp,between=%s,within=%s,release=%s", up, low,
			 down);
		break;
	case TMAP_SCAN:
		snprintf(made.algorithm, room, "smp,between=%s,within=%s,bcast=%s", up, low, down);
		break;
	default:
		if (call->root)
			made.how = "a composition: the cut-offs of MPIR within nodes and among "
				   "their leaders, by way of rank 0 or the first rank of a node";
		snprintf(made.algorithm, room, "%s=%s%s%s",
			 !call->root                  ? "hierarchical,levels=node,inner" :
				 is_late_reduce(call) ? "smp,lead=late,between" :
							"smp,between",
			 up, call->root ? ",within=" : "+", low);
	}
	return made;
}

/* On one node the composition is one algorithm; but what is long goes to rank 0 first, and from
 * there to another root, or from that root. */
static bool is_one_algorithm(const struct tmap_library_call *call, const char *name)
{
	switch (call->collective) {
	case TMAP_REDUCE:
		return !call->root || (name && strcmp(name, "binomial_far") == 0);
	case TMAP_BCAST:
		return !call->root;
	default:
		return call->collective == TMAP_ALLREDUCE;
	}
}

struct tmap_library_choice tmap_mpich_choose(const struct tmap_library_call *call)
{
	struct tmap_library_choice made;
	const char *name = cut_name(call->collective, call->size, call);

	if (is_composed(call) && (call->order->used_nodes > 1 || !is_one_algorithm(call, name)))
		return choose_composed(call);
	made = tmap_library_choice_of(
		name, name ? "the cut-offs of MPIR, by ranks and bytes" : "no rule of it is known",
		0);
	/* its broadcasts cut bytes, whatever the elements */
	made.cuts_bytes = call->collective == TMAP_BCAST;
	return made;
}
