/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/library/rules.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

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
	return tmap_tuned_find(collective, size, bytes, it->element).name;
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
