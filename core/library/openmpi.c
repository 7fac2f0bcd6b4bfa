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

enum {
	HAN_SEGMENT = 65536, /* of broadcasts and reductions; longer ones are pipelined */
	NBC_SEGMENT = 8192   /* of libnbc's chain, which is for two nodes and whole segments */
};

/* One job for HAN: so many nodes with so many ranks each, but for allreduce and barrier, for which
 * some may have fewer. */
struct han_levels {
	int low, low_min, up, root;
	int64_t bytes, element;
	int64_t segment; /* bytes of a segment, in whole elements; of a shorter vector all of it */
	int64_t rest;    /* of the last one, where it is shorter */
};

static const char *tuned_name(const struct han_levels *it, enum tmap_collective collective,
			      int size, int64_t bytes)
{
	return tuned_find(collective, size, bytes, it->element).name;
}

/* Of all nodes, and of a last segment that is shorter; NULL: it differs. */
static const char *low_name(const struct han_levels *it, enum tmap_collective collective,
			    int64_t bytes, int64_t rest)
{
	const char *name = tuned_name(it, collective, it->low, bytes);

	for (int size = it->low; name && size >= it->low_min && size > 1; size--) {
		const char *whole = tuned_name(it, collective, size, bytes);
		const char *last = rest ? tuned_name(it, collective, size, rest) : name;

		if (!whole || !last || strcmp(whole, name) != 0 || strcmp(last, name) != 0)
			return NULL;
	}
	return name;
}

/* Libnbc's between the leaders, by halves where the vector can be cut so. */
static const char *nbc_reduce(const struct han_levels *it, int64_t bytes)
{
	int power = 1;

	while (2 * power <= it->up)
		power *= 2;
	return it->up > 2 && bytes / it->element >= power ? "rabenseifner" : "binomial_far";
}

static const char *nbc_bcast(const struct han_levels *it)
{
	return it->up > 4 ? "binomial_near" : "flat";
}

static const char *elected(const struct han_levels *it)
{
	return it->root ? ",elect=column" : "";
}

/* ",segment=65536" and the parts of a whole one, where there are such. */
struct han_cuts {
	char text[60];
};

static struct han_cuts han_cut(const struct han_levels *it, bool has_parts)
{
	struct han_cuts cuts = { "" };

	if (it->bytes > it->segment)
		snprintf(cuts.text, sizeof cuts.text, ",segment=%lld", (long long)it->segment);
	if (has_parts && it->up == 2 && it->segment >= HAN_SEGMENT)
		snprintf(cuts.text + strlen(cuts.text), sizeof cuts.text - strlen(cuts.text),
			 ",piece=%d", NBC_SEGMENT);
	return cuts;
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
	snprintf(text, TMAP_LIBRARY_ROOM, "hierarchical,levels=node%s,inner=%s+%s", elected(it),
		 tuned_name(it, TMAP_GATHER, it->up, it->low * it->bytes),
		 tuned_name(it, TMAP_GATHER, it->low, it->bytes));
}

static void han_scatter(char *text, const struct han_levels *it)
{
	snprintf(text, TMAP_LIBRARY_ROOM, "hierarchical,levels=node%s,inner=%s+%s", elected(it),
		 tuned_name(it, TMAP_SCATTER, it->up, it->low * it->bytes),
		 tuned_name(it, TMAP_SCATTER, it->low, it->bytes));
}

/* Between the nodes the first segment goes by tuned, later ones by libnbc. */
static void han_bcast(char *text, const struct han_levels *it)
{
	const char *up = tuned_name(it, TMAP_BCAST, it->up, it->segment);
	const char *low = low_name(it, TMAP_BCAST, it->segment, it->rest);

	if (!low)
		return;
	if (it->bytes > it->segment)
		snprintf(text, TMAP_LIBRARY_ROOM, "smp%s,between=%s,within=%s%s,later=%s",
			 it->root ? ",lead=swapped" : "", up, low, han_cut(it, false).text,
			 nbc_bcast(it));
	else
		snprintf(text, TMAP_LIBRARY_ROOM, "hierarchical,levels=node%s,inner=%s+%s",
			 elected(it), up, low);
}

static void han_reduce(char *text, const struct han_levels *it)
{
	const char *up = nbc_reduce(it, it->segment);
	const char *low = low_name(it, TMAP_REDUCE, it->segment, it->rest);
	const struct han_cuts cuts = han_cut(it, true);
	bool is_cut = strcmp(up, "rabenseifner") == 0; /* by the ranks as they are */

	if (!low || (it->rest && strcmp(up, nbc_reduce(it, it->rest)) != 0))
		return;
	if (cuts.text[0] || (it->root && !is_cut))
		snprintf(text, TMAP_LIBRARY_ROOM, "smp%s,between=%s,within=%s%s",
			 !it->root      ? "" :
				 is_cut ? ",lead=column" :
					  ",lead=swapped",
			 up, low, cuts.text);
	else
		snprintf(text, TMAP_LIBRARY_ROOM, "hierarchical,levels=node%s,inner=%s+%s",
			 elected(it), up, low);
}

static void han_allreduce(char *text, const struct han_levels *it)
{
	const char *up = nbc_reduce(it, it->segment);
	const char *low = low_name(it, TMAP_REDUCE, it->segment, it->rest);
	const char *down = low_name(it, TMAP_BCAST, it->segment, it->rest);

	if (low && down && (!it->rest || strcmp(up, nbc_reduce(it, it->rest)) == 0))
		snprintf(text, TMAP_LIBRARY_ROOM, "smp,reduce=%s,up=%s,down=%s,bcast=%s%s", low, up,
			 nbc_bcast(it), down, han_cut(it, true).text);
}

static void han_barrier(char *text, const struct han_levels *it)
{
	const char *low = low_name(it, TMAP_BARRIER, 0, 0);

	if (low)
		snprintf(text, TMAP_LIBRARY_ROOM, "smp,between=%s,within=%s",
			 tuned_name(it, TMAP_BARRIER, it->up, 0), low);
}

static const struct {
	enum tmap_collective collective;
	bool wants_regular; /* equally many ranks on every node; else HAN hands over to tuned */
	void (*name)(char *text, const struct han_levels *it);
} han_rows[] = {
	{ TMAP_ALLGATHER, true, han_allgather }, { TMAP_GATHER, true, han_gather },
	{ TMAP_SCATTER, true, han_scatter },     { TMAP_BCAST, true, han_bcast },
	{ TMAP_REDUCE, true, han_reduce },       { TMAP_ALLREDUCE, false, han_allreduce },
	{ TMAP_BARRIER, false, han_barrier },
};

enum { HAN_ROWS = sizeof han_rows / sizeof han_rows[0] };

/* False where it is too large to count. */
static bool han_levels_find(struct han_levels *it, const struct tmap_library_call *call)
{
	int64_t elements = HAN_SEGMENT / call->element, all;

	elements += HAN_SEGMENT % call->element > call->element / 2;
	elements += elements == 0;
	*it = (struct han_levels){ call->order->ranks_max,
				   call->order->ranks_min,
				   call->order->used_nodes,
				   call->root,
				   call->bytes,
				   call->element,
				   elements * call->element,
				   0 };
	if (it->bytes <= it->segment)
		it->segment = it->bytes;
	else
		it->rest = it->bytes % it->segment;
	return !__builtin_mul_overflow(call->bytes, call->size, &all);
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

/* Its first algorithms of these call reduce and scatter of the communicator, which are HAN's. */
static bool is_made_of_han(const struct tmap_library_call *call)
{
	return (call->collective == TMAP_REDUCE_SCATTER ||
		call->collective == TMAP_REDUCE_SCATTER_BLOCK) &&
		tmap_has_han(TMAP_REDUCE, call->order) &&
		tmap_tuned_number(call->collective, call->size, call->bytes) == 1;
}

struct tmap_library_choice tmap_openmpi5_choose(const struct tmap_library_call *call)
{
	struct tmap_library_choice choice = tmap_library_choice_of(
		NULL, "coll/han: coll/tuned within nodes, coll/tuned and libnbc between them", 0);
	size_t row = han_find_row(call->collective, call->order);
	struct han_levels levels;

	if (is_made_of_han(call))
		return tmap_library_choice_of(NULL, "reduce and scatter, each by coll/han", 1);
	if (row == HAN_ROWS)
		return tmap_openmpi4_choose(call);
	if (han_levels_find(&levels, call))
		han_rows[row].name(choice.algorithm, &levels);
	if (!choice.algorithm[0])
		choice.how = "coll/han, by other algorithms on nodes of other sizes or for the "
			     "last segment";
	return choice;
}

/* The same rules, and the same tasks of coll/han; but that has an alltoall, which goes by shared
 * memory where processes may read each other's. */
struct tmap_library_choice tmap_openmpi6_choose(const struct tmap_library_call *call)
{
	if (call->collective == TMAP_ALLTOALL && tmap_has_han(TMAP_ALLREDUCE, call->order))
		return tmap_library_choice_of(
			NULL, "coll/han reads the memory of other processes, where it may", 0);
	return tmap_openmpi5_choose(call);
}
