/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/library/rules.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NUMBERS = 10, CHAIN = 2 /* of bcast and reduce */ };

/* Our rows for Open MPI's numbers, as the fixed rules call them: segments of size 0, so chain
 * and pipeline are one; no limit of requests, so linear_sync is linear. */
static const char *const names[TMAP_COLLECTIVE_COUNT][MOST_NUMBERS] = {
	[TMAP_ALLGATHER] = { NULL, "linear", "bruck", "recursive_doubling", "ring",
			     "neighbor_exchange", "recursive_doubling", "sparbit_blocks" },
	[TMAP_BCAST] = { NULL, "flat", "pipeline", "pipeline", "split_binary", "binary",
			 "binomial_near", "knomial", "scatter_allgather", "scatter_ring" },
	[TMAP_REDUCE] = { NULL, "flat", "pipeline", "pipeline", "binary", "binomial_far",
			  "in_order_binary", "rabenseifner" },
	[TMAP_ALLREDUCE] = { NULL, "reduce_bcast,reduce=flat,bcast=flat", NULL,
			     "recursive_doubling", "ring", "segmented_ring", "rabenseifner" },
	[TMAP_REDUCE_SCATTER] = { NULL, NULL, "recursive_halving", "ring", "butterfly" },
	[TMAP_REDUCE_SCATTER_BLOCK] = { NULL, NULL, "recursive_doubling", "recursive_halving",
					"butterfly" },
	[TMAP_GATHER] = { NULL, "linear", "binomial_far", "linear" },
	[TMAP_SCATTER] = { NULL, "linear", "binomial_far", "linear" },
	[TMAP_ALLTOALL] = { NULL, "linear", "pairwise", "bruck", "linear", "pairwise" },
	[TMAP_SCAN] = { NULL, "linear", "recursive_doubling" },
	[TMAP_EXSCAN] = { NULL, "linear", "recursive_doubling" },
	[TMAP_BARRIER] = { NULL, "linear", "double_ring", "recursive_doubling", "dissemination",
			   "recursive_doubling", "tree" },
};

static bool is_no_power(int size, int64_t count)
{
	(void)count;
	return (size & (size - 1)) != 0;
}

static bool is_odd(int size, int64_t count)
{
	(void)count;
	return size % 2;
}

static bool has_few_elements(int size, int64_t count)
{
	return count < size;
}

/* Fewer than the largest power of two that is at most the ranks. */
static bool has_too_few_to_halve(int size, int64_t count)
{
	int64_t power = 1;

	while (2 * power <= size)
		power *= 2;
	return count < power;
}

/* Some algorithms hand over to another one, for a reason. */
static const struct {
	enum tmap_collective collective;
	int first, last;                       /* numbers */
	bool (*does)(int size, int64_t count); /* of elements */
	const char *name, *how;
} hand_overs[] = {
	{ TMAP_ALLGATHER, 3, 3, is_no_power, "bruck",
	  "recursive doubling by the fixed rules; Bruck, as ranks are no power of two" },
	{ TMAP_ALLGATHER, 5, 5, is_odd, "ring",
	  "neighbor exchange by the fixed rules; ring, as ranks are odd" },
	{ TMAP_ALLREDUCE, 4, 5, has_few_elements, "recursive_doubling",
	  "ring by the fixed rules; recursive doubling for fewer elements than ranks" },
	{ TMAP_ALLREDUCE, 6, 6, has_too_few_to_halve, "reduce_bcast,reduce=flat,bcast=flat",
	  "Rabenseifner's by the fixed rules; linear for too few elements to halve" },
	{ TMAP_REDUCE, 7, 7, has_too_few_to_halve, "flat",
	  "Rabenseifner's by the fixed rules; flat for too few elements to halve" },
	{ TMAP_REDUCE_SCATTER_BLOCK, 2, 2, is_no_power, NULL,
	  "recursive doubling that forwards what it receives, as ranks are no power of two" },
	{ TMAP_BCAST, 8, 9, has_few_elements, "flat",
	  "scatter and allgather by the fixed rules; flat for fewer elements than ranks" },
};

/* What a number comes to, after algorithms that hand over to others. */
static struct tmap_tuned tuned_of(int number, enum tmap_collective collective, int size,
				  int64_t bytes, int64_t element)
{
	struct tmap_tuned tuned = { .number = number, .how = "the fixed rules of coll/tuned" };

	tuned.name = names[collective][tuned.number];
	for (size_t i = 0; i < sizeof hand_overs / sizeof hand_overs[0]; i++) {
		if (hand_overs[i].collective != collective || tuned.number < hand_overs[i].first ||
		    tuned.number > hand_overs[i].last || !hand_overs[i].does(size, bytes / element))
			continue;
		tuned.name = hand_overs[i].name;
		tuned.how = hand_overs[i].how;
	}
	return tuned;
}

struct tmap_tuned tmap_tuned_find(enum tmap_collective collective, int size, int64_t bytes,
				  int64_t element)
{
	return tuned_of(tmap_tuned_number(collective, size, bytes), collective, size, bytes,
			element);
}

/* A reduce to rank 0, then a broadcast, each as the rules have it for this size. */
static struct tmap_library_choice reduce_then_bcast(int size, int64_t bytes, int64_t element)
{
	const char *up = tmap_tuned_find(TMAP_REDUCE, size, bytes, element).name;
	struct tmap_library_choice made =
		tmap_library_choice_of(NULL,
				       "reduce, then bcast, each by the fixed "
				       "rules of coll/tuned",
				       2);

	if (strcmp(up, "in_order_binary") != 0) /* its root is another rank */
		snprintf(made.algorithm, sizeof made.algorithm, "reduce_bcast,reduce=%s,bcast=%s",
			 up, tmap_tuned_find(TMAP_BCAST, size, bytes, element).name);
	return made;
}

/* The same, but that the vector is scattered, by coll/basic where blocks differ in size. */
static struct tmap_library_choice reduce_then_scatter(const struct tmap_library_call *call)
{
	bool is_block = call->collective == TMAP_REDUCE_SCATTER_BLOCK;
	struct tmap_library_choice made = tmap_library_choice_of(
		NULL, "reduce, then scatter, each by the fixed rules of coll/tuned", 1);
	int64_t all = call->bytes;

	if (is_block && __builtin_mul_overflow(all, call->size, &all))
		return made;
	snprintf(
		made.algorithm, sizeof made.algorithm, "reduce_and_scatter,reduce=%s,scatter=%s",
		tmap_tuned_find(TMAP_REDUCE, call->size, all, call->element).name,
		is_block ?
			tmap_tuned_find(TMAP_SCATTER, call->size, call->bytes, call->element).name :
			"linear");
	return made;
}

struct tmap_library_choice tmap_openmpi4_choose(const struct tmap_library_call *call)
{
	struct tmap_tuned tuned =
		tmap_tuned_find(call->collective, call->size, call->bytes, call->element);

	if (call->collective == TMAP_SCAN || call->collective == TMAP_EXSCAN)
		return tmap_library_choice_of("linear",
					      "coll/basic, as coll/tuned has no rules for it", 0);
	if (call->collective == TMAP_ALLREDUCE && tuned.number == 2)
		return reduce_then_bcast(call->size, call->bytes, call->element);
	if (tuned.number == 1 &&
	    (call->collective == TMAP_REDUCE_SCATTER ||
	     call->collective == TMAP_REDUCE_SCATTER_BLOCK))
		return reduce_then_scatter(call);
	if (!tuned.name && tuned.number != 2)
		tuned.how = "tuned composes it of other collectives";
	return tmap_library_choice_of(tuned.name, tuned.how, tuned.number);
}

struct tmap_library_choice tmap_library_tuned_own(const struct tmap_library_call *call)
{
	struct tmap_library_call made = *call;

	if (!made.element)
		made.element = tmap_library_element(call->collective, call->bytes);
	return call->size > 1 ? tmap_openmpi4_choose(&made) :
				tmap_library_choice_of(NULL, "one rank sends nothing", 0);
}

struct tmap_library_choice tmap_library_tuned_choice(const struct tmap_library_call *call,
						     int64_t number, int64_t fan)
{
	int64_t element = call->element ? call->element :
					  tmap_library_element(call->collective, call->bytes);
	struct tmap_tuned tuned = { 0 };

	if (number > 0 && number < MOST_NUMBERS && call->size > 1)
		tuned = tuned_of((int)number, call->collective, call->size, call->bytes, element);
	if (number == CHAIN && fan > 1 &&
	    (call->collective == TMAP_BCAST || call->collective == TMAP_REDUCE))
		tuned.name = "chain";
	return tmap_library_choice_of(tuned.name, tuned.how, tuned.number);
}
