#include "core/library/rules.h"

#include <stdio.h>

/* coll/han of Open MPI 5.0 where nothing is set: two levels, among the ranks of a node (low) and
 * among those of equal number on their nodes (up). What it does within both by coll/tuned has
 * the fixed rules for as many ranks and bytes. */

enum { SEGMENT = 65536 }; /* of broadcasts and reductions; longer ones are pipelined */

/* One job for HAN: so many nodes with so many ranks each. */
struct levels {
	int low, up;
	int64_t bytes;
};

static const char *tuned(enum tmap_collective collective, int size, int64_t bytes)
{
	return tmap_tuned(collective, size, bytes).name;
}

/* Gather, allgather among the leaders, broadcast of all. */
static void allgather(char *text, const struct levels *it)
{
	snprintf(text, TMAP_LIBRARY_ROOM, "hierarchical,levels=node,inner=%s,gather=%s,bcast=%s",
		 tuned(TMAP_ALLGATHER, it->up, it->low * it->bytes),
		 tuned(TMAP_GATHER, it->low, it->bytes),
		 tuned(TMAP_BCAST, it->low, it->low * it->up * it->bytes));
}

static void gather(char *text, const struct levels *it)
{
	snprintf(text, TMAP_LIBRARY_ROOM, "hierarchical,levels=node,inner=%s+%s",
		 tuned(TMAP_GATHER, it->up, it->low * it->bytes),
		 tuned(TMAP_GATHER, it->low, it->bytes));
}

static void scatter(char *text, const struct levels *it)
{
	snprintf(text, TMAP_LIBRARY_ROOM, "hierarchical,levels=node,inner=%s+%s",
		 tuned(TMAP_SCATTER, it->up, it->low * it->bytes),
		 tuned(TMAP_SCATTER, it->low, it->bytes));
}

static void bcast(char *text, const struct levels *it)
{
	snprintf(text, TMAP_LIBRARY_ROOM, "hierarchical,levels=node,inner=%s+%s",
		 tuned(TMAP_BCAST, it->up, it->bytes), tuned(TMAP_BCAST, it->low, it->bytes));
}

/* Between nodes it is libnbc's, by halves where the vector can be cut so. */
static void reduce(char *text, const struct levels *it)
{
	int power = 1;

	while (2 * power <= it->up)
		power *= 2;
	snprintf(text, TMAP_LIBRARY_ROOM, "hierarchical,levels=node,inner=%s+%s",
		 it->up > 2 && it->bytes >= power ? "rabenseifner" : "binomial_far",
		 tuned(TMAP_REDUCE, it->low, it->bytes));
}

static const struct {
	enum tmap_collective collective;
	bool wants_regular; /* equally many ranks on every node; else HAN hands over to tuned */
	int64_t most_bytes; /* for which it is a row of the catalogue */
	void (*name)(char *text, const struct levels *it);
} rows[] = {
	{ TMAP_ALLGATHER, true, INT64_MAX, allgather },
	{ TMAP_GATHER, true, INT64_MAX, gather },
	{ TMAP_SCATTER, true, INT64_MAX, scatter },
	{ TMAP_BCAST, false, SEGMENT, bcast },
	{ TMAP_REDUCE, false, SEGMENT - 1, reduce },
	{ TMAP_ALLREDUCE, false, -1, NULL },
	{ TMAP_BARRIER, false, -1, NULL },
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static bool is_regular(const struct tmap_library_call *question, struct levels *it)
{
	int64_t all;

	*it = (struct levels){ question->order->ranks_max, question->order->used_nodes,
			       question->bytes };
	return question->order->regular &&
		!__builtin_mul_overflow(question->bytes, question->size, &all);
}

/* The row of what HAN takes by itself, else ROWS. */
static size_t find_row(enum tmap_collective collective, const struct tmap_order *order)
{
	size_t i = 0;

	while (i < ROWS &&
	       (rows[i].collective != collective || (rows[i].wants_regular && !order->regular)))
		i++;
	return order->used_nodes > 1 && order->ranks_max > 1 ? i : ROWS;
}

bool tmap_has_han(enum tmap_collective collective, const struct tmap_order *order)
{
	return find_row(collective, order) < ROWS;
}

struct tmap_library_choice tmap_openmpi5_choose(const struct tmap_library_call *question)
{
	struct tmap_library_choice answer = tmap_answer(NULL,
							"coll/han, by modules within and "
							"between nodes",
							0);
	size_t row = find_row(question->collective, question->order);
	struct levels levels;

	if (row == ROWS)
		return tmap_openmpi4_choose(question);
	if (is_regular(question, &levels) && question->bytes <= rows[row].most_bytes)
		rows[row].name(answer.algorithm, &levels);
	return answer;
}
