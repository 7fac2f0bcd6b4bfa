/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcast in n pieces over the circulant graph: every rank v sends to v + skip and
 * receives from v - skip in every round, where the skips are halves of p, rounded up:
 *
 *     p = 17     skip 1 2 3 5 9
 *
 * v is a sum of different skips, taken greedily; its base is the index of the smallest, and
 * that is the new piece that it gets in the first q = log2 p rounds. In round k it
 * receives the largest base, not had yet, of the ranks between v - skip[k + 1] and
 * v - skip[k]; counted from -q, a piece that came in the period before. Empty pieces are none, and
 * have no rounds. (Traff 2025.)
 */
#include "core/algorithms/tables.h"
#include "core/base/mem.h"
#include "core/schedule/emit.h"

#include <stdlib.h>

enum { MOST_SKIPS = 32 };

struct graph {
	int64_t p;
	int q;
	int64_t skip[MOST_SKIPS + 1]; /* [q + 1]; the last is p */
};

static struct graph circulant_make_graph(int64_t p)
{
	struct graph graph = { .p = p, .q = tmap_log2_ceil(p) };

	graph.skip[graph.q] = p;
	for (int k = graph.q - 1; k >= 0; k--)
		graph.skip[k] = (graph.skip[k + 1] + 1) / 2;
	return graph;
}

static int base_of(const struct graph *graph, int64_t v)
{
	int k = graph->q;

	while (v > 0) {
		k--;
		if (v >= graph->skip[k])
			v -= graph->skip[k];
	}
	return k;
}

/* The search for what one rank receives, over sums of falling skips. */
struct search {
	const struct graph *graph;
	int64_t rank; /* plus p, so that nothing is negative */
	int64_t last; /* the sum found last: the next is smaller */
	int round;
	bool had[MOST_SKIPS + 1]; /* bases that are taken */
	int found[MOST_SKIPS];
};

static bool circulant_is_open(const struct search *search)
{
	return search->round < search->graph->q;
}

/* Not nearer than the round's skip, and below what was found last. */
static bool circulant_is_in_reach(const struct search *search, int64_t sum)
{
	return circulant_is_open(search) && sum < search->last &&
		sum <= search->rank - search->graph->skip[search->round];
}

/* Sums of @p sum and skips below @p skip, the larger first; the longest sums come first, so
 * each round takes the largest base that it can reach. */
static void circulant_find(struct search *search, int64_t sum, int skip)
{
	for (skip--; skip >= 0; skip--) {
		int64_t next = sum + search->graph->skip[skip];

		if (search->had[skip] || !circulant_is_in_reach(search, next))
			continue;
		circulant_find(search, next, skip);
		if (!circulant_is_open(search) ||
		    sum > search->rank - search->graph->skip[search->round + 1])
			return;
		if (!circulant_is_in_reach(search, next))
			continue;
		search->last = next;
		search->had[skip] = true;
		search->found[search->round++] = skip;
	}
}

/* What shifted rank v receives in each of q rounds, to receive[k x p + v]: a piece, counted from -q. */
static void circulant_find_schedule(const struct graph *graph, int64_t v, signed char *receive)
{
	struct search search = { .graph = graph, .rank = v + graph->p, .last = 2 * graph->p };
	int base = base_of(graph, v);

	search.had[base] = true;
	circulant_find(&search, 0, graph->q + 1);
	for (int k = 0; k < graph->q; k++)
		receive[k * graph->p + v] = (signed char)(search.found[k] == graph->q ?
								  base :
								  search.found[k] - graph->q);
}

int64_t tmap_circulant_pieces(const struct tmap_call *call)
{
	return call->choice.value[0];
}

/* How many have bytes, and those of the last of them. */
struct pieces {
	int64_t filled, last_bytes;
};

/* Pieces beyond the last one are the last one; those before the first are none. */
static int circulant_send_piece(struct tmap_emit *emit, int from, int to, int64_t piece,
				const struct pieces *of)
{
	if (piece < 0)
		return 0;
	return tmap_emit_units(emit, from, to, piece < of->filled ? piece : of->filled - 1, 1, 1);
}

/* Pieces first, first + q, ... of so many periods, as send_piece() would send them. */
static int circulant_send_folded(struct tmap_emit *emit, int from, int to, int64_t first,
				 int64_t periods, int64_t q, const struct pieces *of)
{
	int64_t skipped = first < 0 ? (-first + q - 1) / q : 0, within;
	int64_t span = (periods - 1) * q + 1;
	struct tmap_run run = { first + skipped * q, 0, q };

	periods -= skipped;
	if (periods <= 0)
		return 0;
	within = run.first < of->filled ? (of->filled - 1 - run.first) / q + 1 : 0;
	run.count = within < periods ? within : periods;
	if (run.count && tmap_emit_pieces(emit, from, to, span, &run) < 0)
		return -1;
	if (run.count == periods)
		return 0;
	return tmap_emit_folded(emit, from, to, span, periods - run.count,
				(periods - run.count) * of->last_bytes);
}

/* The round has this place in its period, and so many periods (folded) begin with it. */
static int circulant_send_round(struct tmap_emit *emit, const struct graph *graph,
				const signed char *receive, const struct pieces *of, int64_t turn,
				int64_t before, int64_t periods)
{
	int64_t q = graph->q, k = turn % q;

	for (int64_t v = 1; v < graph->p; v++) {
		int from = (int)tmap_mod(v - graph->skip[k], graph->p);
		int64_t piece = receive[k * graph->p + v] - before + turn / q * q;
		int status = periods ?
			circulant_send_folded(emit, from, (int)v, piece, periods, q, of) :
			circulant_send_piece(emit, from, (int)v, piece, of);

		if (status < 0)
			return -1;
	}
	return 0;
}

/* The last round ends a period, so the first may stand within one: `before` are not run. */
static int circulant_send_rounds(struct tmap_emit *emit, const struct graph *graph,
				 const signed char *receive)
{
	struct pieces of = { .filled = tmap_emit_filled_units(emit) };
	int64_t q = graph->q, rounds = of.filled - 1 + q;
	int64_t before = tmap_mod(-rounds, q), end = rounds + before;

	if (rounds < q) /* no piece at all */
		return 0;
	of.last_bytes = tmap_unit_bytes(emit->call, of.filled - 1);
	emit->shift = emit->call->root;
	for (int64_t turn = before; turn < end; turn++, emit->round++) {
		int64_t periods = emit->visitor->folded ? (end - turn + q - 1) / q : 0;

		if (emit->visitor->folded && turn >= before + q)
			break;
		if (circulant_send_round(emit, graph, receive, &of, turn, before, periods) < 0)
			return -1;
	}
	return 0;
}

int tmap_circulant(struct tmap_emit *emit)
{
	struct graph graph = circulant_make_graph(emit->call->size);
	signed char *receive = tmap_alloc_raw((size_t)(graph.p * graph.q), 1, emit->err);
	int status = -1;

	if (receive) {
		for (int64_t v = 1; v < graph.p; v++)
			circulant_find_schedule(&graph, v, receive);
		status = circulant_send_rounds(emit, &graph, receive);
	}
	free(receive);
	return status;
}
