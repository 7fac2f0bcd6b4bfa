/* SPDX-License-Identifier: BSD-3-Clause */
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
	[TMAP_REDUCE_SCATTER_BLOCK] = { NULL, NULL, "recursive_doubling", "recursive_halving",
					"butterfly" },
	[TMAP_GATHER] = { NULL, "linear", "binomial_far", "linear" },
	[TMAP_SCATTER] = { NULL, "linear", "binomial_far", "linear" },
	[TMAP_ALLTOALL] = { NULL, "linear", "pairwise", "bruck", "linear", "pairwise" },
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

/* What the fixed rules come to, after algorithms that hand over to others. */
struct tuned {
	int number;       /* of the rule */
	const char *name; /* of our row; NULL where there is none */
	const char *how;
};

static struct tuned tuned_find(enum tmap_collective collective, int size, int64_t bytes,
			       int64_t element)
{
	struct tuned tuned = { .number = tmap_tuned_number(collective, size, bytes),
			       .how = "the fixed rules of coll/tuned" };

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

/* A reduce to rank 0, then a broadcast, each as the rules have it for this size. */
static struct tmap_library_choice reduce_then_bcast(int size, int64_t bytes, int64_t element)
{
	const char *up = tuned_find(TMAP_REDUCE, size, bytes, element).name;
	struct tmap_library_choice made =
		tmap_library_choice_of(NULL,
				       "reduce, then bcast, each by the fixed "
				       "rules of coll/tuned",
				       2);

	if (strcmp(up, "in_order_binary") != 0) /* its root is another rank */
		snprintf(made.algorithm, sizeof made.algorithm, "reduce_bcast,reduce=%s,bcast=%s",
			 up, tuned_find(TMAP_BCAST, size, bytes, element).name);
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
	snprintf(made.algorithm, sizeof made.algorithm, "reduce_and_scatter,reduce=%s,scatter=%s",
		 tuned_find(TMAP_REDUCE, call->size, all, call->element).name,
		 is_block ? tuned_find(TMAP_SCATTER, call->size, call->bytes, call->element).name :
			    "linear");
	return made;
}

struct tmap_library_choice tmap_openmpi4_choose(const struct tmap_library_call *call)
{
	struct tuned tuned = tuned_find(call->collective, call->size, call->bytes, call->element);

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

/* coll/han of Open MPI 5.0 where nothing is set: two levels, among the ranks of a node (low) and
 * among those of equal number on their nodes (up). What it does within both by coll/tuned has
 * the fixed rules for as many ranks and bytes. */

enum { HAN_SEGMENT = 65536 }; /* of broadcasts and reductions; longer ones are pipelined */

/* One job for HAN: so many nodes with so many ranks each. */
struct han_levels {
	int low, up;
	int64_t bytes, element;
};

static const char *tuned_name(const struct han_levels *it, enum tmap_collective collective,
			      int size, int64_t bytes)
{
	return tuned_find(collective, size, bytes, it->element).name;
}

/* Gather, allgather among the leaders, broadcast of all. */
static void han_allgather(char *text, const struct han_levels *it)
{
	snprintf(text, TMAP_LIBRARY_ROOM, "hierarchical,levels=node,inner=%s,gather=%s,bcast=%s",
		 tuned_name(it, TMAP_ALLGATHER, it->up, it->low * it->bytes),
		 tuned_name(it, TMAP_GATHER, it->low, it->bytes),
		 tuned_name(it, TMAP_BCAST, it->low, it->low * it->up * it->bytes));
}

static void han_gather(char *text, const struct han_levels *it)
{
	snprintf(text, TMAP_LIBRARY_ROOM, "hierarchical,levels=node,inner=%s+%s",
		 tuned_name(it, TMAP_GATHER, it->up, it->low * it->bytes),
		 tuned_name(it, TMAP_GATHER, it->low, it->bytes));
}

static void han_scatter(char *text, const struct han_levels *it)
{
	snprintf(text, TMAP_LIBRARY_ROOM, "hierarchical,levels=node,inner=%s+%s",
		 tuned_name(it, TMAP_SCATTER, it->up, it->low * it->bytes),
		 tuned_name(it, TMAP_SCATTER, it->low, it->bytes));
}

static void han_bcast(char *text, const struct han_levels *it)
{
	snprintf(text, TMAP_LIBRARY_ROOM, "hierarchical,levels=node,inner=%s+%s",
		 tuned_name(it, TMAP_BCAST, it->up, it->bytes),
		 tuned_name(it, TMAP_BCAST, it->low, it->bytes));
}

/* Between nodes it is libnbc's, by halves where the vector can be cut so. */
static void han_reduce(char *text, const struct han_levels *it)
{
	int power = 1;

	while (2 * power <= it->up)
		power *= 2;
	snprintf(text, TMAP_LIBRARY_ROOM, "hierarchical,levels=node,inner=%s+%s",
		 it->up > 2 && it->bytes / it->element >= power ? "rabenseifner" : "binomial_far",
		 tuned_name(it, TMAP_REDUCE, it->low, it->bytes));
}

static const struct {
	enum tmap_collective collective;
	bool wants_regular; /* equally many ranks on every node; else HAN hands over to tuned */
	int64_t most_bytes; /* for which it is a row of the catalogue */
	void (*name)(char *text, const struct han_levels *it);
} han_rows[] = {
	{ TMAP_ALLGATHER, true, INT64_MAX, han_allgather },
	{ TMAP_GATHER, true, INT64_MAX, han_gather },
	{ TMAP_SCATTER, true, INT64_MAX, han_scatter },
	{ TMAP_BCAST, false, HAN_SEGMENT, han_bcast },
	{ TMAP_REDUCE, false, HAN_SEGMENT - 1, han_reduce },
	{ TMAP_ALLREDUCE, false, -1, NULL },
	{ TMAP_BARRIER, false, -1, NULL },
};

enum { HAN_ROWS = sizeof han_rows / sizeof han_rows[0] };

static bool is_regular_job(const struct tmap_library_call *call, struct han_levels *it)
{
	int64_t all;

	*it = (struct han_levels){ call->order->ranks_max, call->order->used_nodes, call->bytes,
				   call->element };
	return call->order->regular && !__builtin_mul_overflow(call->bytes, call->size, &all);
}

/* The row of what HAN takes by itself, else HAN_ROWS. */
static size_t han_find_row(enum tmap_collective collective, const struct tmap_order *order)
{
	size_t i = 0;

	while (i < HAN_ROWS &&
	       (han_rows[i].collective != collective ||
		(han_rows[i].wants_regular && !order->regular)))
		i++;
	return order->used_nodes > 1 && order->ranks_max > 1 ? i : HAN_ROWS;
}

bool tmap_has_han(enum tmap_collective collective, const struct tmap_order *order)
{
	return han_find_row(collective, order) < HAN_ROWS;
}

struct tmap_library_choice tmap_openmpi5_choose(const struct tmap_library_call *call)
{
	struct tmap_library_choice choice =
		tmap_library_choice_of(NULL,
				       "coll/han, by modules within and "
				       "between nodes",
				       0);
	size_t row = han_find_row(call->collective, call->order);
	struct han_levels levels;

	if (row == HAN_ROWS)
		return tmap_openmpi4_choose(call);
	if (is_regular_job(call, &levels) && call->bytes <= han_rows[row].most_bytes)
		han_rows[row].name(choice.algorithm, &levels);
	return choice;
}
