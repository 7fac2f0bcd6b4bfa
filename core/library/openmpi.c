#include "core/library/rules.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NUMBERS = 10 };

/* Our rows for Open MPI's numbers, as the fixed rules call them: segments of size 0, so chain
 * and pipeline are one; no limit of requests, so linear_sync is linear. */
static const char *const names[TMAP_COLLECTIVE_COUNT][MOST_NUMBERS] = {
	[TMAP_ALLGATHER] = { NULL, "linear", "bruck", "recursive_doubling", "ring",
			     "neighbor_exchange", "recursive_doubling", "sparbit_blocks" },
	[TMAP_BCAST] = { NULL, "flat", "pipeline", "pipeline", "split_binary", "binary",
			 "binomial_near", "knomial", "scatter_allgather", "scatter_ring" },
	[TMAP_REDUCE] = { NULL, "flat", "pipeline", "pipeline", "binary", "binomial_far",
			  "in_order_binary", "rabenseifner" },
	[TMAP_ALLREDUCE] = { NULL, NULL, NULL, "recursive_doubling", "ring", "segmented_ring",
			     "rabenseifner" },
	[TMAP_REDUCE_SCATTER] = { NULL, NULL, "recursive_halving", "ring", "butterfly" },
	[TMAP_REDUCE_SCATTER_BLOCK] = { NULL, NULL, NULL, "recursive_halving", "butterfly" },
	[TMAP_GATHER] = { NULL, "linear", "binomial_far", "linear" },
	[TMAP_SCATTER] = { NULL, "linear", "binomial_far", "linear" },
	[TMAP_ALLTOALL] = { NULL, "linear", "pairwise", "bruck", "linear", "pairwise" },
	[TMAP_BARRIER] = { NULL, "linear", "double_ring", "recursive_doubling", "dissemination",
			   "recursive_doubling", "tree" },
};

static bool is_no_power(int size, int64_t bytes)
{
	(void)bytes;
	return (size & (size - 1)) != 0;
}

static bool is_odd(int size, int64_t bytes)
{
	(void)bytes;
	return size % 2;
}

static bool has_few_bytes(int size, int64_t bytes)
{
	return bytes < size;
}

/* Some algorithms hand over to another one, for a reason. */
static const struct {
	enum tmap_collective collective;
	int first, last; /* numbers */
	bool (*does)(int size, int64_t bytes);
	const char *name, *how;
} hand_overs[] = {
	{ TMAP_ALLGATHER, 3, 3, is_no_power, "bruck",
	  "recursive doubling by the fixed rules; Bruck, as ranks are no power of two" },
	{ TMAP_ALLGATHER, 5, 5, is_odd, "ring",
	  "neighbor exchange by the fixed rules; ring, as ranks are odd" },
	{ TMAP_ALLREDUCE, 4, 4, has_few_bytes, "recursive_doubling",
	  "ring by the fixed rules; recursive doubling for fewer elements than ranks" },
	{ TMAP_BCAST, 8, 9, has_few_bytes, "flat",
	  "scatter and allgather by the fixed rules; flat for fewer bytes than ranks" },
};

struct tmap_tuned tmap_tuned(enum tmap_collective collective, int size, int64_t bytes)
{
	struct tmap_tuned tuned = { .number = tmap_tuned_number(collective, size, bytes),
				    .how = "the fixed rules of coll/tuned" };

	tuned.name = names[collective][tuned.number];
	for (size_t i = 0; i < sizeof hand_overs / sizeof hand_overs[0]; i++) {
		if (hand_overs[i].collective != collective || tuned.number < hand_overs[i].first ||
		    tuned.number > hand_overs[i].last || !hand_overs[i].does(size, bytes))
			continue;
		tuned.name = hand_overs[i].name;
		tuned.how = hand_overs[i].how;
	}
	return tuned;
}

/* A reduce to rank 0, then a broadcast, each as the rules have it for this size. */
static struct tmap_library_choice reduce_then_bcast(int size, int64_t bytes)
{
	const char *up = tmap_tuned(TMAP_REDUCE, size, bytes).name;
	struct tmap_library_choice made = tmap_answer(NULL,
						      "reduce, then bcast, each by the fixed "
						      "rules of coll/tuned",
						      2);

	if (strcmp(up, "in_order_binary") != 0) /* its root is another rank */
		snprintf(made.algorithm, sizeof made.algorithm, "reduce_bcast,reduce=%s,bcast=%s",
			 up, tmap_tuned(TMAP_BCAST, size, bytes).name);
	return made;
}

struct tmap_library_choice tmap_openmpi4_choose(const struct tmap_library_call *question)
{
	struct tmap_tuned tuned = tmap_tuned(question->collective, question->size, question->bytes);

	if (question->collective == TMAP_SCAN || question->collective == TMAP_EXSCAN)
		return tmap_answer("linear", "coll/basic, as coll/tuned has no rules for it", 0);
	if (question->collective == TMAP_ALLREDUCE && tuned.number == 2)
		return reduce_then_bcast(question->size, question->bytes);
	if (!tuned.name)
		tuned.how = "tuned composes it of other collectives";
	return tmap_answer(tuned.name, tuned.how, tuned.number);
}
