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

static const char *tuned(enum tm_collective collective, int size, int64_t bytes)
{
	return tm_tuned(collective, size, bytes).name;
}

/* Gather, allgather among the leaders, broadcast of all. */
static void allgather(char *text, const struct levels *it)
{
	snprintf(text, TM_LIBRARY_ROOM, "hierarchical,levels=node,inner=%s,gather=%s,bcast=%s",
		 tuned(TM_ALLGATHER, it->up, it->low * it->bytes),
		 tuned(TM_GATHER, it->low, it->bytes),
		 tuned(TM_BCAST, it->low, it->low * it->up * it->bytes));
}

static void gather(char *text, const struct levels *it)
{
	snprintf(text, TM_LIBRARY_ROOM, "hierarchical,levels=node,inner=%s+%s",
		 tuned(TM_GATHER, it->up, it->low * it->bytes),
		 tuned(TM_GATHER, it->low, it->bytes));
}

static void scatter(char *text, const struct levels *it)
{
	snprintf(text, TM_LIBRARY_ROOM, "hierarchical,levels=node,inner=%s+%s",
		 tuned(TM_SCATTER, it->up, it->low * it->bytes),
		 tuned(TM_SCATTER, it->low, it->bytes));
}

static void bcast(char *text, const struct levels *it)
{
	snprintf(text, TM_LIBRARY_ROOM, "hierarchical,levels=node,inner=%s+%s",
		 tuned(TM_BCAST, it->up, it->bytes), tuned(TM_BCAST, it->low, it->bytes));
}

/* Between nodes it is libnbc's, by halves where the vector can be cut so. */
static void reduce(char *text, const struct levels *it)
{
	int power = 1;

	while (2 * power <= it->up)
		power *= 2;
	snprintf(text, TM_LIBRARY_ROOM, "hierarchical,levels=node,inner=%s+%s",
		 it->up > 2 && it->bytes >= power ? "rabenseifner" : "binomial_far",
		 tuned(TM_REDUCE, it->low, it->bytes));
}

static const struct {
	enum tm_collective collective;
	bool wants_regular;  /* equally many ranks on every node; else HAN hands over to tuned */
	int64_t most_bytes;  /* for which it is a row of the catalogue */
	void (*name)(char *text, const struct levels *it);
} rows[] = {
	{ TM_ALLGATHER, true, INT64_MAX, allgather }, { TM_GATHER, true, INT64_MAX, gather },
	{ TM_SCATTER, true, INT64_MAX, scatter }, { TM_BCAST, false, SEGMENT, bcast },
	{ TM_REDUCE, false, SEGMENT - 1, reduce }, { TM_ALLREDUCE, false, -1, NULL },
	{ TM_BARRIER, false, -1, NULL },
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static bool is_regular(const struct tm_library_question *question, struct levels *it)
{
	int64_t all;

	*it = (struct levels){ question->order->ranks_max, question->order->used_nodes,
			       question->bytes };
	return question->order->regular &&
	       !__builtin_mul_overflow(question->bytes, question->size, &all);
}

/* The row of what HAN takes by itself, else ROWS. */
static size_t find_row(enum tm_collective collective, const struct tm_order *order)
{
	size_t i = 0;

	while (i < ROWS && (rows[i].collective != collective ||
			    (rows[i].wants_regular && !order->regular)))
		i++;
	return order->used_nodes > 1 && order->ranks_max > 1 ? i : ROWS;
}

bool tm_has_han(enum tm_collective collective, const struct tm_order *order)
{
	return find_row(collective, order) < ROWS;
}

struct tm_library_answer tm_ask_openmpi5(const struct tm_library_question *question)
{
	struct tm_library_answer answer = tm_answer(NULL, "coll/han, by modules within and "
						    "between nodes", 0);
	size_t row = find_row(question->collective, question->order);
	struct levels levels;

	if (row == ROWS)
		return tm_ask_openmpi4(question);
	if (is_regular(question, &levels) && question->bytes <= rows[row].most_bytes)
		rows[row].name(answer.algorithm, &levels);
	return answer;
}
