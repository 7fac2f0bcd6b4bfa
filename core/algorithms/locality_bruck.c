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
#include "core/mem.h"
#include "core/schedule/emit.h"

#include <stdlib.h>

enum { RADIX, PPN };

const struct tm_param tm_locality_bruck_params[] = {
	{ .key = "radix", .summary = "of Bruck within nodes", .preset = 2, .least = 2,
	  .most = 1 << 20 },
	{ .key = "ppn", .summary = "ranks a node, which are consecutive; 0: those of the "
	  "placement", .preset = 0, .least = 0, .most = INT32_MAX },
	{ .key = NULL },
};

/* Nodes, each with the same number of ranks. */
struct nodes {
	int count, ppn;
	int *seat;           /* [count x ppn]: rank l of node n */
	struct tm_emit *emit;
	struct tm_run *run;  /* [p] room for one message; NULL where folded */
	int run_count;
	int64_t blocks;      /* of the message */
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

static int check_placement(const struct tm_call *call, struct tm_error *err)
{
	const struct tm_placement *placement = call->metric ? call->metric->placement : NULL;
	int *ranks, ppn;

	if (!placement)
		return tm_fail(err, TM_INPUT, "locality_bruck needs to know the nodes: a placement, "
			       "or ppn=K");
	ranks = tm_placement_count_ranks(placement, err);
	if (!ranks)
		return -1;
	ppn = common_count(ranks, placement->machine->node_count);
	free(ranks);
	if (ppn < 2)
		return tm_fail(err, TM_INPUT, ppn ? "locality_bruck needs at least 2 ranks a node" :
			       "locality_bruck needs the same number of ranks on every node");
	return 0;
}

int tm_locality_bruck_check(const struct tm_call *call, struct tm_error *err)
{
	int64_t ppn = call->choice.value[PPN];

	if (call->size == 1)
		return 0;
	if (!ppn)
		return check_placement(call, err);
	if (ppn < 2 || call->size % ppn)
		return tm_fail(err, TM_INPUT, "locality_bruck needs ppn to be at least 2 and to "
			       "divide the %d ranks; it is %d", call->size, (int)ppn);
	return 0;
}

/* Nodes in the order of their first ranks. */
static int seat_by_placement(struct nodes *nodes, const struct tm_placement *p,
			     struct tm_error *err)
{
	int node_count = p->machine->node_count;
	int *ranks = tm_placement_count_ranks(p, err);
	int *next = tm_alloc((size_t)node_count, sizeof *next, err); /* free seat, plus 1 */
	int status = ranks && next ? 0 : -1;

	if (status == 0) {
		nodes->ppn = common_count(ranks, node_count);
		nodes->count = p->size / nodes->ppn;
	}
	for (int r = 0, first = 0; r < p->size && status == 0; r++) {
		int *free_seat = &next[p->node[r]];

		if (!*free_seat) {
			*free_seat = first + 1;
			first += nodes->ppn;
		}
		nodes->seat[(*free_seat)++ - 1] = r;
	}
	free(ranks);
	free(next);
	return status;
}

static int nodes_init(struct nodes *nodes, struct tm_emit *emit)
{
	const struct tm_call *call = emit->call;
	size_t size = (size_t)call->size;

	*nodes = (struct nodes){ .emit = emit };
	nodes->seat = tm_alloc_raw(size, sizeof *nodes->seat, emit->err);
	nodes->run = emit->sink->folded ? NULL :
		     tm_alloc_raw(size, sizeof *nodes->run, emit->err);
	if (!nodes->seat || (!emit->sink->folded && !nodes->run))
		return -1;
	if (!call->choice.value[PPN])
		return seat_by_placement(nodes, call->metric->placement, emit->err);
	nodes->ppn = (int)call->choice.value[PPN];
	nodes->count = call->size / nodes->ppn;
	for (int r = 0; r < call->size; r++)
		nodes->seat[r] = r;
	return 0;
}

static int seat(const struct nodes *nodes, int64_t node, int64_t local)
{
	return nodes->seat[tm_mod(node, nodes->count) * nodes->ppn + local];
}

static void add_block(struct nodes *nodes, int rank)
{
	struct tm_run *last = nodes->run_count ? &nodes->run[nodes->run_count - 1] : NULL;

	if (last && last->first + last->count == rank)
		last->count++;
	else
		nodes->run[nodes->run_count++] = (struct tm_run){ rank, 1, 1 };
}

/* The blocks of so many nodes join the message. */
static void add_nodes(struct nodes *nodes, int64_t first, int64_t count)
{
	nodes->blocks += count * nodes->ppn;
	for (int64_t n = first; nodes->run && n < first + count; n++)
		for (int l = 0; l < nodes->ppn; l++)
			add_block(nodes, seat(nodes, n, l));
}

/* The message goes, if there is anything in it. */
static int send(struct nodes *nodes, int from, int to)
{
	int status = nodes->run ?
		tm_emit_runs(nodes->emit, from, to, nodes->run, nodes->run_count) :
		tm_emit_folded(nodes->emit, from, to, 1, 1,
			       nodes->blocks * nodes->emit->call->bytes);

	nodes->run_count = 0;
	nodes->blocks = 0;
	return status;
}

/* Nodes that are clipped to N in group l of so many. */
static int64_t group_count(const struct nodes *nodes, int64_t held, int64_t l)
{
	int64_t left = nodes->count - l * held;

	return left < 0 ? 0 : left < held ? left : held;
}

/* What item l of Bruck within a node is: the block of rank l, or group l if some are held;
 * group 0 everyone has. */
static void add_item(struct nodes *nodes, int64_t node, int64_t held, int64_t l)
{
	if (held && l)
		add_nodes(nodes, node + l * held, group_count(nodes, held, l));
	if (held)
		return;
	nodes->blocks++;
	if (nodes->run)
		add_block(nodes, seat(nodes, node, l));
}

/* Rank l of the node sends the items l .. l + count - 1 to rank l - away. */
static int send_items(struct nodes *nodes, int64_t node, int64_t held, int64_t l, int64_t away,
		      int64_t count)
{
	for (int64_t i = l; i < l + count; i++)
		add_item(nodes, node, held, i % nodes->ppn);
	return send(nodes, seat(nodes, node, l), seat(nodes, node, tm_mod(l - away, nodes->ppn)));
}

/* Bruck within every node: rounds of distance d = 1, k, k^2, ... */
static int bruck_within(struct nodes *nodes, int64_t held)
{
	int64_t ppn = nodes->ppn, k = nodes->emit->call->choice.value[RADIX];

	for (int64_t d = 1; d < ppn; d *= k, nodes->emit->round++)
		for (int64_t away = d; away < d * k && away < ppn; away += d)
			for (int64_t n = 0; n < nodes->count; n++)
				for (int64_t l = 0; l < ppn; l++)
					if (send_items(nodes, n, held, l, away,
						       d < ppn - away ? d : ppn - away) < 0)
						return -1;
	return 0;
}

/* One round: rank l of node n to rank l of node n - l x held. */
static int send_between(struct nodes *nodes, int64_t held)
{
	for (int64_t n = 0; n < nodes->count; n++)
		for (int64_t l = 1; l < nodes->ppn && l * held < nodes->count; l++) {
			add_nodes(nodes, n, group_count(nodes, held, l));
			if (send(nodes, seat(nodes, n, l), seat(nodes, n - l * held, l)) < 0)
				return -1;
		}
	nodes->emit->round++;
	return 0;
}

int tm_locality_bruck(struct tm_emit *emit)
{
	struct nodes nodes;
	int status = nodes_init(&nodes, emit);

	if (status == 0)
		status = bruck_within(&nodes, 0);
	for (int64_t held = 1; status == 0 && held < nodes.count; held *= nodes.ppn) {
		status = send_between(&nodes, held);
		if (status == 0)
			status = bruck_within(&nodes, held);
	}
	free(nodes.seat);
	free(nodes.run);
	return status;
}
