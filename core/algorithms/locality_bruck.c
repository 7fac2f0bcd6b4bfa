/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allgather by Bruck that minds the nodes. Of N nodes with the same number of ranks, ppn:
 *
 *     within each node      Bruck over the blocks of its ranks
 *     held = 1, ppn, ...    rank l > 0 of node n sends the blocks of the nodes n .. n + held - 1
 *                           to rank l of node n - l x held, then Bruck within the node over
 *                           what its ranks have received
 *
 * so that every block enters every node once. (Bienz, Gautam, Kharel 2022; there N is a power
 * of ppn, here the last groups of nodes are clipped to N.)
 */
#include "core/algorithms/tables.h"
#include "core/base/mem.h"
#include "core/schedule/emit.h"

#include <assert.h>
#include <stdlib.h>

enum { RADIX, PPN };

const struct tmap_param tmap_locality_bruck_params[] = {
	{ .key = "radix",
	  .summary = "of Bruck within nodes",
	  .preset = 2,
	  .least = 2,
	  .most = 1 << 20 },
	{ .key = "ppn",
	  .summary = "ranks a node, which are consecutive; 0: those of the "
		     "placement",
	  .preset = 0,
	  .least = 0,
	  .most = INT32_MAX },
	{ .key = NULL },
};

/* How ranks follow each other: n x ppn + l, l x N + n, or otherwise. */
enum order { BLOCK, CYCLIC, ANY_ORDER };

/* Nodes, each with the same number of ranks. */
struct nodes {
	int count, ppn;
	int *rank; /* [count x ppn]: rank l of node n */
	enum order order;
	int64_t *before; /* [ppn + 1]: blocks of the items of Bruck below this one */
	struct tmap_emit *emit;
	struct tmap_run *run; /* [p] room for one message; NULL where folded */
	int run_count;
};

/* Ranks of the first node, if all that have any have as many; else 0. */
static int common_count(const int *ranks, int nodes)
{
	int common = 0;

	for (int n = 0; n < nodes; n++) {
		if (!ranks[n])
			continue;
		if (common && ranks[n] != common)
			return 0;
		common = ranks[n];
	}
	return common;
}

static int locality_check_placement(const struct tmap_call *call, struct tmap_error *err)
{
	const struct tmap_placement *placement = call->metric ? call->metric->placement : NULL;
	int *ranks, ppn;

	if (!placement)
		return tmap_fail(err, TMAP_INPUT,
				 "locality_bruck needs to know the nodes: a placement, "
				 "or ppn=K");
	ranks = tmap_placement_count_ranks(placement, err);
	if (!ranks)
		return -1;
	ppn = common_count(ranks, placement->machine->node_count);
	free(ranks);
	if (ppn < 2)
		return tmap_fail(
			err, TMAP_INPUT,
			ppn ? "locality_bruck needs at least 2 ranks a node" :
			      "locality_bruck needs the same number of ranks on every node");
	return 0;
}

int tmap_locality_bruck_check(const struct tmap_call *call, struct tmap_error *err)
{
	int64_t ppn = call->choice.value[PPN];

	if (call->size == 1)
		return 0;
	if (!ppn)
		return locality_check_placement(call, err);
	if (ppn < 2 || call->size % ppn)
		return tmap_fail(err, TMAP_INPUT,
				 "locality_bruck needs ppn to be at least 2 and to "
				 "divide the %d ranks; it is %d",
				 call->size, (int)ppn);
	return 0;
}

/* Nodes in the order of their first ranks. */
static int locality_by_placement(struct nodes *nodes, const struct tmap_placement *p,
				 struct tmap_error *err)
{
	int node_count = p->machine->node_count;
	int *ranks = tmap_placement_count_ranks(p, err);
	int *next = tmap_alloc((size_t)node_count, sizeof *next, err); /* free place, plus 1 */
	int status = ranks && next ? 0 : -1;

	if (status == 0) {
		nodes->ppn = common_count(ranks, node_count);
		assert(nodes->ppn >= 2); /* locality_check_placement() */
		nodes->count = p->size / nodes->ppn;
	}
	for (int r = 0, first = 0; r < p->size && status == 0; r++) {
		int *free_place = &next[p->node[r]];

		if (!*free_place) {
			*free_place = first + 1;
			first += nodes->ppn;
		}
		nodes->rank[(*free_place)++ - 1] = r;
	}
	free(ranks);
	free(next);
	return status;
}

static enum order locality_find_order(const struct nodes *nodes)
{
	bool is_block = true, is_cyclic = true;

	for (int i = 0; i < nodes->count * nodes->ppn; i++) {
		is_block = is_block && nodes->rank[i] == i;
		is_cyclic = is_cyclic &&
			nodes->rank[i] == i % nodes->ppn * nodes->count + i / nodes->ppn;
	}
	return is_block ? BLOCK : is_cyclic ? CYCLIC : ANY_ORDER;
}

static int locality_take_places(struct nodes *nodes)
{
	const struct tmap_call *call = nodes->emit->call;

	if (!call->choice.value[PPN])
		return locality_by_placement(nodes, call->metric->placement, nodes->emit->err);
	nodes->ppn = (int)call->choice.value[PPN];
	nodes->count = call->size / nodes->ppn;
	for (int r = 0; r < call->size; r++)
		nodes->rank[r] = r;
	return 0;
}

static int nodes_init(struct nodes *nodes, struct tmap_emit *emit)
{
	const struct tmap_call *call = emit->call;
	size_t size = (size_t)call->size;

	*nodes = (struct nodes){ .emit = emit };
	nodes->rank = tmap_alloc_raw(size, sizeof *nodes->rank, emit->err);
	nodes->run = emit->visitor->folded ? NULL :
					     tmap_alloc_raw(size, sizeof *nodes->run, emit->err);
	if (!nodes->rank || (!emit->visitor->folded && !nodes->run) ||
	    locality_take_places(nodes) < 0)
		return -1;
	nodes->order = tmap_emit_is_even(emit) ? locality_find_order(nodes) : ANY_ORDER;
	nodes->before = tmap_alloc_raw((size_t)nodes->ppn + 1, sizeof *nodes->before, emit->err);
	return nodes->before ? 0 : -1;
}

static int locality_rank(const struct nodes *nodes, int64_t node, int64_t local)
{
	return nodes->rank[tmap_mod(node, nodes->count) * nodes->ppn + local];
}

static void locality_add_block(struct nodes *nodes, int rank)
{
	struct tmap_run *last = nodes->run_count ? &nodes->run[nodes->run_count - 1] : NULL;

	if (last && last->first + last->count == rank)
		last->count++;
	else
		nodes->run[nodes->run_count++] = (struct tmap_run){ rank, 1, 1 };
}

/* The blocks of so many nodes join the message. */
static void locality_add_nodes(struct nodes *nodes, int64_t first, int64_t count)
{
	for (int64_t n = first; n < first + count; n++)
		for (int l = 0; l < nodes->ppn; l++)
			locality_add_block(nodes, locality_rank(nodes, n, l));
}

/* Is it wanted, of a message between these ranks, which blocks it has? */
static bool locality_wants_blocks(const struct nodes *nodes, int from, int to)
{
	return nodes->run && !tmap_emit_is_foreign(nodes->emit, from, to);
}

/* A message of so many blocks goes, if there are any: where they are wanted, those that were
 * added. */
static int locality_send(struct nodes *nodes, int from, int to, int64_t blocks)
{
	int status = locality_wants_blocks(nodes, from, to) ?
		tmap_emit_runs(nodes->emit, from, to, nodes->run, nodes->run_count) :
		tmap_emit_folded(nodes->emit, from, to, 1, 1, blocks * nodes->emit->call->bytes);

	nodes->run_count = 0;
	return status;
}

/* The ranks begin .. end - 1 of every node send so many blocks each to rank l - away of the node
 * that is so many before theirs. */
static int locality_send_alike(struct nodes *nodes, int64_t begin, int64_t end, int64_t away,
			       int64_t back, int64_t blocks)
{
	int64_t count = nodes->count, ppn = nodes->ppn, size = count * ppn;
	struct tmap_shift_pattern shift = { .info = { .span = 1, .times = 1 },
					    .first = (int)begin,
					    .run = (int)(end - begin),
					    .step = (int)ppn,
					    .count = (int)((end - begin) * count),
					    .ahead = (int)-tmap_mod(away + back * ppn, size),
					    .bytes = blocks * nodes->emit->call->bytes };

	if (nodes->order == BLOCK)
		return tmap_emit_stride(nodes->emit, &shift);
	back = tmap_mod(back, count);
	shift.step = (int)count;
	shift.first = (int)(begin * count + back);
	shift.run = (int)(count - back);
	shift.count = (int)((end - begin) * (count - back));
	shift.ahead = (int)-tmap_mod(away * count + back, size);
	if (tmap_emit_stride(nodes->emit, &shift) < 0)
		return -1;
	shift.first = (int)(begin * count);
	shift.run = (int)back;
	shift.count = (int)((end - begin) * back);
	shift.ahead = (int)-tmap_mod(away * count + back - count, size);
	return tmap_emit_stride(nodes->emit, &shift);
}

/* Nodes that are clipped to N in group l of so many. */
static int64_t group_count(const struct nodes *nodes, int64_t held, int64_t l)
{
	int64_t left = nodes->count - l * held;

	return left < 0 ? 0 : left < held ? left : held;
}

/* What item l of Bruck within a node is: the block of rank l, or group l if some are held;
 * group 0 everyone has. */
static void size_items(struct nodes *nodes, int64_t held)
{
	nodes->before[0] = 0;
	for (int64_t l = 0; l < nodes->ppn; l++)
		nodes->before[l + 1] = nodes->before[l] +
			(held == 0      ? 1 :
				 l == 0 ? 0 :
					  group_count(nodes, held, l) * nodes->ppn);
}

static void locality_add_item(struct nodes *nodes, int64_t node, int64_t held, int64_t l)
{
	if (!held)
		locality_add_block(nodes, locality_rank(nodes, node, l));
	else if (l)
		locality_add_nodes(nodes, node + l * held, group_count(nodes, held, l));
}

/* Blocks of the items l .. l + count - 1, modulo ppn. */
static int64_t locality_count_blocks(const struct nodes *nodes, int64_t l, int64_t count)
{
	const int64_t *before = nodes->before;
	int64_t ppn = nodes->ppn, end = l + count;

	return end <= ppn ? before[end] - before[l] : before[ppn] - before[l] + before[end - ppn];
}

/* Rank l of every node sends the items l .. l + count - 1 to rank l - away: neighbours that send
 * as much, and as far, together. */
static int locality_send_together(struct nodes *nodes, int64_t away, int64_t count)
{
	int64_t ppn = nodes->ppn;

	for (int64_t l = 0, end; l < ppn; l = end) {
		int64_t blocks = locality_count_blocks(nodes, l, count),
			stop = l < away ? away : ppn;

		for (end = l + 1; end < stop && locality_count_blocks(nodes, end, count) == blocks;
		     end++)
			;
		if (locality_send_alike(nodes, l, end, l < away ? away - ppn : away, 0, blocks) < 0)
			return -1;
	}
	return 0;
}

static int locality_send_items(struct nodes *nodes, int64_t held, int64_t away, int64_t count)
{
	int64_t ppn = nodes->ppn;

	if (nodes->order != ANY_ORDER)
		return locality_send_together(nodes, away, count);
	for (int64_t n = 0; n < nodes->count; n++)
		for (int64_t l = 0; l < ppn; l++) {
			int from = locality_rank(nodes, n, l),
			    to = locality_rank(nodes, n, tmap_mod(l - away, ppn));

			if (locality_wants_blocks(nodes, from, to))
				for (int64_t i = l; i < l + count; i++)
					locality_add_item(nodes, n, held, i % ppn);
			if (locality_send(nodes, from, to, locality_count_blocks(nodes, l, count)) <
			    0)
				return -1;
		}
	return 0;
}

/* Bruck within every node: rounds of distance d = 1, k, k^2, ... */
static int bruck_within(struct nodes *nodes, int64_t held)
{
	int64_t ppn = nodes->ppn, k = nodes->emit->call->choice.value[RADIX];

	size_items(nodes, held);
	for (int64_t d = 1; d < ppn; d *= k, nodes->emit->round++) {
		nodes->emit->single = k == 2 || 2 * d >= ppn;
		for (int64_t away = d; away < d * k && away < ppn; away += d)
			if (locality_send_items(nodes, held, away,
						d < ppn - away ? d : ppn - away) < 0)
				return -1;
	}
	return 0;
}

/* One round: rank l of node n to rank l of node n - l x held. */
static int locality_send_between(struct nodes *nodes, int64_t held)
{
	bool alike = nodes->order != ANY_ORDER;

	nodes->emit->single = true;
	for (int64_t n = 0; n < (alike ? 1 : nodes->count); n++)
		for (int64_t l = 1; l < nodes->ppn && l * held < nodes->count; l++) {
			int64_t count = group_count(nodes, held, l), blocks = count * nodes->ppn;
			int from = locality_rank(nodes, n, l),
			    to = locality_rank(nodes, n - l * held, l);

			if (locality_wants_blocks(nodes, from, to))
				locality_add_nodes(nodes, n, count);
			if ((alike ? locality_send_alike(nodes, l, l + 1, 0, l * held, blocks) :
				     locality_send(nodes, from, to, blocks)) < 0)
				return -1;
		}
	nodes->emit->round++;
	return 0;
}

int tmap_locality_bruck(struct tmap_emit *emit)
{
	struct nodes nodes;
	int status = nodes_init(&nodes, emit);

	if (status == 0)
		status = bruck_within(&nodes, 0);
	for (int64_t held = 1; status == 0 && held < nodes.count; held *= nodes.ppn) {
		status = locality_send_between(&nodes, held);
		if (status == 0)
			status = bruck_within(&nodes, held);
	}
	free(nodes.rank);
	free(nodes.run);
	free(nodes.before);
	return status;
}
