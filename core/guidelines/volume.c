/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/guidelines/volume.h"

#include "core/base/mem.h"
#include "core/schedule/emit.h"

#include <assert.h>
#include <stdlib.h>

/* What goes out of something, and into it. */
struct flow {
	int64_t out, in;
};

struct scale {
	const struct tmap_placement *placement;
	const struct tmap_drive *drive;
	int64_t rounds;
	bool over;                /* some flow is more than 2^63 - 1 bytes */
	struct flow *rank, *lane; /* [size] */
	struct flow *node;        /* [node_count] */
	struct flow *adapter;     /* [drive->count] */
};

static void scale_fini(struct scale *scale)
{
	free(scale->rank);
	free(scale->lane);
	free(scale->node);
	free(scale->adapter);
}

static int scale_init(struct scale *scale, struct tmap_error *err)
{
	size_t size = (size_t)scale->placement->size;

	scale->rank = tmap_alloc(size, sizeof *scale->rank, err);
	scale->lane = tmap_alloc(size, sizeof *scale->lane, err);
	scale->node =
		tmap_alloc((size_t)scale->placement->machine->node_count, sizeof *scale->node, err);
	scale->adapter = tmap_alloc((size_t)scale->drive->count, sizeof *scale->adapter, err);
	if (scale->rank && scale->lane && scale->node && scale->adapter)
		return 0;
	scale_fini(scale);
	return -1;
}

static void flow_add(struct scale *scale, struct flow *flow, int64_t out, int64_t in)
{
	scale->over |= __builtin_add_overflow(flow->out, out, &flow->out);
	scale->over |= __builtin_add_overflow(flow->in, in, &flow->in);
}

/* A rank sends over the border of its node, or receives. */
static void scale_add_crossing(struct scale *scale, int rank, int64_t out, int64_t in)
{
	int adapter = scale->drive->of_rank[rank], node = scale->placement->node[rank];

	flow_add(scale, &scale->lane[rank], out, in);
	flow_add(scale, &scale->node[node], out, in);
	if (adapter != TMAP_NONE)
		flow_add(scale, &scale->adapter[adapter], out, in);
}

static void scale_add_message(struct scale *scale, int from, int to, int64_t bytes)
{
	const int *node = scale->placement->node;

	flow_add(scale, &scale->rank[from], bytes, 0);
	flow_add(scale, &scale->rank[to], 0, bytes);
	if (node[from] != node[to]) {
		scale_add_crossing(scale, from, bytes, 0);
		scale_add_crossing(scale, to, 0, bytes);
	}
}

static void scale_add_rounds(struct scale *scale, int64_t round, int64_t span)
{
	if (round + span > scale->rounds)
		scale->rounds = round + span;
}

static int scale_visit_message(void *context, const struct tmap_message *message,
			       struct tmap_error *err)
{
	(void)err;
	scale_add_rounds(context, message->round, message->span);
	scale_add_message(context, message->from, message->to, message->bytes);
	return 0;
}

static int scale_visit_batch(void *context, const struct tmap_messages *batch,
			     struct tmap_error *err)
{
	(void)err;
	scale_add_rounds(context, batch->info.round, batch->info.span);
	for (int i = 0; i < batch->count; i++)
		scale_add_message(context, batch->from[i], batch->to[i], batch->bytes[i]);
	return 0;
}

static int scale_visit_shift(void *context, const struct tmap_shift_pattern *shift,
			     struct tmap_error *err)
{
	const struct scale *scale = context;
	int64_t size = scale->placement->size;

	(void)err;
	scale_add_rounds(context, shift->info.round, shift->info.span);
	for (int first = 0; first < shift->count; first += shift->run) {
		int64_t from = tmap_shift_pattern_sender(shift, first) % size;
		int64_t to = (from + shift->ahead) % size;

		for (int i = first; i < shift->count && i < first + shift->run; i++) {
			scale_add_message(context, (int)from, (int)to, shift->bytes);
			from = (from + shift->gap + 1) % size;
			to = (to + shift->gap + 1) % size;
		}
	}
	return 0;
}

/* Messages of so many bytes, @p larger of them with one more. */
static int64_t scale_sum(struct scale *scale, int64_t messages, int64_t bytes, int64_t larger,
			 int64_t more)
{
	int64_t sum;

	scale->over |= __builtin_mul_overflow(messages, bytes, &sum);
	scale->over |= __builtin_mul_overflow(larger, more, &larger);
	scale->over |= __builtin_add_overflow(sum, larger, &sum);
	return sum;
}

/* Every rank to every other; those to the first ranks are an element larger. */
static int scale_visit_all_pairs(void *context, const struct tmap_all_pairs *pairs,
				 struct tmap_error *err)
{
	struct scale *scale = context;
	const struct tmap_placement *p = scale->placement;
	int *ranks = tmap_placement_count_ranks(p, err);
	int64_t *larger = tmap_alloc((size_t)p->machine->node_count, sizeof *larger, err);

	if (pairs->round + pairs->rounds > scale->rounds)
		scale->rounds = pairs->round + pairs->rounds;
	for (int r = 0; ranks && larger && r < pairs->larger; r++)
		larger[p->node[r]]++;
	for (int r = 0; ranks && larger && r < p->size; r++) {
		int64_t all = p->size - 1, others = p->size - ranks[p->node[r]];
		bool is_larger = r < pairs->larger;

		flow_add(
			scale, &scale->rank[r],
			scale_sum(scale, all, pairs->bytes, pairs->larger - is_larger, pairs->more),
			scale_sum(scale, all, pairs->bytes, is_larger ? all : 0, pairs->more));
		scale_add_crossing(scale, r,
				   scale_sum(scale, others, pairs->bytes,
					     pairs->larger - larger[p->node[r]], pairs->more),
				   scale_sum(scale, others, pairs->bytes, is_larger ? others : 0,
					     pairs->more));
	}
	free(larger);
	free(ranks);
	return ranks && larger ? 0 : -1;
}

static int64_t flow_busiest(const struct flow *flow, int count)
{
	int64_t most = 0;

	for (int i = 0; i < count; i++) {
		most = flow[i].out > most ? flow[i].out : most;
		most = flow[i].in > most ? flow[i].in : most;
	}
	return most;
}

int tmap_volume_find(struct tmap_volume *volume, const struct tmap_call *call,
		     const struct tmap_placement *placement, const struct tmap_drive *drive,
		     struct tmap_error *err)
{
	struct scale scale = { .placement = placement, .drive = drive };
	struct tmap_visitor visitor = { .folded = true,
					.message = scale_visit_message,
					.all_pairs = scale_visit_all_pairs,
					.context = &scale,
					.batch = scale_visit_batch,
					.shift = scale_visit_shift };
	int status;

	if (scale_init(&scale, err) < 0)
		return -1;
	status = tmap_schedule(call, &visitor, err);
	if (status == 0 && scale.over)
		status = tmap_fail(err, TMAP_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	if (status == 0)
		*volume = (struct tmap_volume){
			scale.rounds, flow_busiest(scale.rank, placement->size),
			flow_busiest(scale.node, placement->machine->node_count),
			flow_busiest(scale.lane, placement->size),
			flow_busiest(scale.adapter, drive->count)
		};
	scale_fini(&scale);
	return status;
}

/* Ranks on nodes: what the least depends on. */
struct crowd {
	int64_t p, nodes, fullest, emptiest, of_root; /* ranks of the fullest ... node */
	int64_t products;                             /* largest k (p - k) */
};

static int crowd_find(struct crowd *crowd, const struct tmap_call *call,
		      const struct tmap_placement *placement, struct tmap_error *err)
{
	int *ranks = tmap_placement_count_ranks(placement, err);

	if (!ranks)
		return -1;
	*crowd = (struct crowd){ .p = call->size,
				 .emptiest = call->size,
				 .of_root = ranks[placement->node[call->root]] };
	for (int n = 0; n < placement->machine->node_count; n++) {
		int64_t k = ranks[n];

		if (!k)
			continue;
		crowd->nodes++;
		crowd->fullest = k > crowd->fullest ? k : crowd->fullest;
		crowd->emptiest = k < crowd->emptiest ? k : crowd->emptiest;
		if (k * (crowd->p - k) > crowd->products)
			crowd->products = k * (crowd->p - k);
	}
	free(ranks);
	return 0;
}

/* A product that is too large is the largest number. */
static int64_t bytes_times(int64_t bytes, int64_t count)
{
	int64_t all;

	return __builtin_mul_overflow(bytes, count, &all) ? INT64_MAX : all;
}

/* count / parts of the bytes, rounded up. */
static int64_t bytes_share(int64_t bytes, int64_t count, int64_t parts)
{
	int64_t whole = bytes_times(bytes / parts, count), all;

	return __builtin_add_overflow(whole, (bytes % parts * count + parts - 1) / parts, &all) ?
		INT64_MAX :
		all;
}

static int64_t larger_of(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int tmap_volume_least(struct tmap_volume *least, const struct tmap_call *call,
		      const struct tmap_placement *placement, struct tmap_error *err)
{
	enum tmap_collective collective = tmap_call_algorithm(call)->collective;
	int64_t bytes = call->bytes, rank = bytes, node = bytes, p, n;
	struct crowd crowd;

	if (crowd_find(&crowd, call, placement, err) < 0)
		return -1;
	p = crowd.p;
	n = crowd.nodes;
	assert(n > 0); /* that of the root */
	switch (collective) {
	case TMAP_ALLGATHER:
	case TMAP_GATHER:
	case TMAP_SCATTER:
	case TMAP_ALLTOALL:
		rank = bytes_times(bytes, p - 1);
		node = bytes_times(bytes,
				   collective == TMAP_ALLTOALL ?
					   crowd.products :
					   collective == TMAP_ALLGATHER ?
					   larger_of(p - crowd.emptiest, crowd.fullest) :
					   p - crowd.of_root);
		break;
	case TMAP_ALLREDUCE:
		rank = bytes_share(bytes, 2 * (p - 1), p);
		node = bytes_share(bytes, 2 * (n - 1), n);
		break;
	case TMAP_REDUCE_SCATTER:
		rank = bytes_share(bytes, p - 1, p);
		node = bytes_share(bytes, n - 1, n);
		break;
	case TMAP_REDUCE_SCATTER_BLOCK:
		rank = bytes_times(bytes, p - 1);
		node = bytes_share(bytes_times(bytes, p), n - 1, n);
		break;
	default:
		break;
	}
	*least = (struct tmap_volume){ .rounds = tmap_log2_ceil(p),
				       .rank_bytes = p > 1 ? rank : 0,
				       .node_bytes = n > 1 ? node : 0 };
	return 0;
}
