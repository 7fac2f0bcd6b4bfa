/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allgather: unit u is the block of rank u. Each generator is the round rule of its
 * source; what a rank sends in a round it held when the round began.
 */
#include "core/algorithms/arrival.h"
#include "core/algorithms/hierarchical.h"
#include "core/algorithms/lane.h"
#include "core/algorithms/swing.h"
#include "core/algorithms/tables.h"
#include "core/schedule/emit.h"
#include "core/tree/ring.h"

static int64_t allgather_least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Round i: r -> r + 1 with the block of r - i. */
static int allgather_ring(struct tmap_emit *emit)
{
	int p = emit->call->size;

	emit->single = true;
	if (emit->visitor->folded)
		return tmap_emit_ring(emit, 0, 1, 1);
	for (; emit->round < p - 1; emit->round++)
		if (tmap_emit_shift(emit, 1, -emit->round, 1, 1) < 0)
			return -1;
	return 0;
}

/* Even rounds pair (2i, 2i + 1), odd rounds (2i - 1, 2i). */
static int allgather_neighbour(int r, int64_t round, int p)
{
	return (int)tmap_mod(r % 2 == round % 2 ? r + 1 : r - 1, p);
}

/* Folded: this round, and every second one from here on: so many. */
static int neighbour_exchange_folded(struct tmap_emit *emit, int64_t times)
{
	int p = emit->call->size, odd = (int)(emit->round % 2);
	struct tmap_shift_pattern up = { .info = { .span = 2 * times - 1, .times = times },
					 .first = odd,
					 .run = 1,
					 .step = 2,
					 .count = p / 2,
					 .ahead = 1,
					 .bytes = 2 * times * emit->call->bytes };
	struct tmap_shift_pattern down = up;

	down.first = !odd;
	down.ahead = -1;
	if (tmap_emit_is_even(emit))
		return tmap_emit_stride(emit, &up) < 0 ? -1 : tmap_emit_stride(emit, &down);
	for (int r = 0; r < p; r++)
		if (tmap_emit_folded(emit, r, allgather_neighbour(r, emit->round, p), 2 * times - 1,
				     times, up.bytes) < 0)
			return -1;
	return 0;
}

/*
 * Round 0: own block. Round 1: own pair. Later: the pair received in the round before,
 * which has come 2, then 2, 4, 4, ... ranks from the other side.
 */
static int neighbour_exchange_round(struct tmap_emit *emit)
{
	int64_t round = emit->round;
	int p = emit->call->size, partner = allgather_neighbour(tmap_emit_rank(emit), round, p);

	for (int r = tmap_emit_next(emit, TMAP_NONE, partner); r < p;
	     r = tmap_emit_next(emit, r, partner)) {
		int64_t away = round / 2 * 2 * ((r + round) % 2 ? 1 : -1);

		if (tmap_emit_units(emit, r, allgather_neighbour(r, round, p),
				    round ? (r & ~1) + away : r, 1, round ? 2 : 1) < 0)
			return -1;
	}
	return 0;
}

static int neighbor_exchange(struct tmap_emit *emit)
{
	int64_t rounds = emit->call->size / 2;
	bool folded = emit->visitor->folded;

	emit->single = true;
	if (neighbour_exchange_round(emit) < 0)
		return -1;
	for (emit->round = 1; emit->round < (folded ? allgather_least(rounds, 3) : rounds);
	     emit->round++)
		if ((folded ? neighbour_exchange_folded(emit, (rounds - emit->round + 1) / 2) :
			      neighbour_exchange_round(emit)) < 0)
			return -1;
	return 0;
}

/* Distance d = 1, 2, 4, ...: r <-> r ^ d with the d blocks that r has. */
static int allgather_recursive_doubling(struct tmap_emit *emit)
{
	bool is_even = tmap_emit_is_even(emit);
	int p = emit->call->size;

	emit->single = true;
	for (int64_t d = 1; d < p; d *= 2, emit->round++) {
		int64_t partner = tmap_emit_rank(emit) ^ d;

		if (is_even && tmap_emit_exchange(emit, p, d, d) < 0)
			return -1;
		for (int r = tmap_emit_next(emit, TMAP_NONE, partner); r < p && !is_even;
		     r = tmap_emit_next(emit, r, partner))
			if (tmap_emit_units(emit, r, (int)(r ^ d), r & ~(d - 1), 1, d) < 0)
				return -1;
	}
	return 0;
}

/* What the subtree of r at distance d has: the blocks from its first rank on. */
static int allgather_send_subtree(struct tmap_emit *emit, int64_t r, int64_t d)
{
	int64_t p = emit->call->size, first = r & ~(d - 1);

	return tmap_emit_units(emit, (int)r, (int)(r ^ d), first, 1, allgather_least(d, p - first));
}

/*
 * The d ranks from t on met fewer than d ranks beyond: those that met none get the blocks
 * from t + d on of those that have, at half the distance each round.
 */
static int allgather_repair(struct tmap_emit *emit, int64_t t, int64_t d)
{
	int64_t p = emit->call->size, done = p - t - d;
	bool has_bytes = t + d < tmap_emit_filled_units(emit);

	for (int64_t half = d / 2; half; half /= 2) {
		bool sent = false;

		for (int64_t x = t; x < t + d && (has_bytes || !sent); x++) {
			int64_t complete = (x & ~(2 * half - 1)) + done;

			if (x >= complete || (x ^ half) < complete)
				continue;
			if (tmap_emit_units(emit, (int)x, (int)(x ^ half), t + d, 1, done) < 0)
				return -1;
			sent = true;
		}
		emit->round += sent;
	}
	return 0;
}

/* r <-> r ^ d; the subtree that the last rank is in may be cut off, and is emitted by itself. */
static int exchange_subtrees(struct tmap_emit *emit, int64_t d)
{
	int64_t p = emit->call->size, begin = 0, filled = tmap_emit_filled_units(emit);

	if (tmap_emit_is_even(emit)) {
		begin = p - p % (2 * d);
		if (tmap_emit_exchange(emit, begin, d, d) < 0)
			return -1;
	}
	for (int64_t r = begin; r < p && (r & ~(d - 1)) < filled; r++)
		if ((r ^ d) < p && allgather_send_subtree(emit, r, d) < 0)
			return -1;
	return 0;
}

/* Distance d = 1, 2, 4, ...: r <-> r ^ d with all that their subtrees have, and repairs. */
int tmap_recursive_doubling_any(struct tmap_emit *emit)
{
	int64_t p = emit->call->size;

	for (int64_t d = 1; d < p; d *= 2) {
		int64_t t = p - 1 - (p - 1) % (2 * d);

		emit->single = true;
		if (exchange_subtrees(emit, d) < 0)
			return -1;
		emit->round++;
		if (t + d < p && t + 2 * d > p && allgather_repair(emit, t, d) < 0)
			return -1;
	}
	return 0;
}

/* Round d = 1, k, k^2, ...: r -> r - j d for j = 1 .. k - 1, the next blocks from r on. */
static int allgather_bruck(struct tmap_emit *emit)
{
	int64_t p = emit->call->size, k = emit->call->choice.value[0];

	for (int64_t d = 1; d < p; d *= k, emit->round++) {
		emit->single = k == 2 || 2 * d >= p;
		for (int64_t j = 1; j < k && d * j < p; j++)
			if (tmap_emit_shift(emit, -d * j, 0, 1, allgather_least(d, p - d * j)) < 0)
				return -1;
	}
	return 0;
}

/* The rotation: all blocks but rank 0's own come one place further. */
static int allgather_rotation(const struct tmap_call *call, int64_t *bytes, struct tmap_error *err)
{
	(void)err;
	if (__builtin_mul_overflow(call->size, call->bytes, bytes))
		*bytes = INT64_MAX;
	return 0;
}

/* The blocks r, r - 2D, r - 4D, ... (count of them) one by one from r to r + D. */
static int allgather_send_one_by_one(struct tmap_emit *emit, int64_t d, int64_t count)
{
	int p = emit->call->size;
	int64_t bytes = count * emit->call->bytes, partner = tmap_mod(tmap_emit_rank(emit) - d, p);

	if (tmap_emit_is_even(emit))
		return tmap_emit_stride(
			emit,
			&(struct tmap_shift_pattern){ .info = { .span = 1, .times = count },
						      .run = p,
						      .step = p,
						      .count = p,
						      .ahead = (int)d,
						      .bytes = bytes });
	for (int r = tmap_emit_next(emit, TMAP_NONE, partner); r < p;
	     r = tmap_emit_next(emit, r, partner)) {
		int to = (int)tmap_mod(r + d, p);

		if (emit->visitor->folded && tmap_emit_folded(emit, r, to, 1, count, bytes) < 0)
			return -1;
		for (int64_t t = 0; t < count && !emit->visitor->folded; t++)
			if (tmap_emit_units(emit, r, to, r - 2 * t * d, 1, 1) < 0)
				return -1;
	}
	return 0;
}

/* Distance D = 2^(L-1), ..., 2, 1: r -> r + D, or r - D. */
static int halve_distance(struct tmap_emit *emit, int direction, bool one_by_one)
{
	int64_t p = emit->call->size;

	emit->single = true;
	for (int64_t d = (int64_t)1 << (tmap_log2_ceil(p) - 1); d; d /= 2, emit->round++) {
		int64_t count = (p - d - 1) / (2 * d) + 1;
		int status = one_by_one ?
			allgather_send_one_by_one(emit, direction * d, count) :
			tmap_emit_shift(emit, direction * d, 0, -2 * direction * d, count);

		if (status < 0)
			return -1;
	}
	return 0;
}

static int allgather_sparbit(struct tmap_emit *emit)
{
	return halve_distance(emit, 1, false);
}

static int sparbit_blocks(struct tmap_emit *emit)
{
	return halve_distance(emit, 1, true);
}

static int allgather_pat(struct tmap_emit *emit)
{
	return halve_distance(emit, -1, false);
}

/* One round: everyone's block to everyone. */
static int allgather_spread(struct tmap_emit *emit)
{
	int p = emit->call->size;

	if (emit->visitor->folded)
		return tmap_emit_all_pairs(emit, 1);
	for (int i = 1; i < p; i++)
		if (tmap_emit_shift(emit, i, 0, 1, 1) < 0)
			return -1;
	return 0;
}

/* All to rank 0, then rank 0 to all. */
static int allgather_linear(struct tmap_emit *emit)
{
	int p = emit->call->size;

	for (int r = 1; r < p; r++)
		if (tmap_emit_units(emit, r, 0, r, 1, 1) < 0)
			return -1;
	for (emit->round = 1; emit->round < 2; emit->round++)
		for (int r = 1; r < p; r++)
			if (tmap_emit_units(emit, 0, r, 0, 1, p) < 0)
				return -1;
	return 0;
}

static int allgather_swing(struct tmap_emit *emit)
{
	struct tmap_swing plan = { 0 };
	int status = tmap_swing_init(&plan, emit->call->size, emit->err);

	emit->single = true;
	for (int s = plan.steps - 1; s >= 0 && status == 0; s--, emit->round++)
		status = tmap_swing_step(emit, &plan, s, false);
	tmap_swing_fini(&plan);
	return status;
}

/* For loops over the senders of a ring: the place after @p i; where the part of the rank at place
 * @p own is wanted, that place and the one before it. */
static int along_ring_next(int i, int own, int p)
{
	int before = own ? own - 1 : p - 1, first = own < before ? own : before;

	if (own == TMAP_NONE)
		return i + 1;
	return i < first ? first : i < own + before - first ? own + before - first : p;
}

/* Algorithm 2: as ring(), along the order of the distance-aware ring. */
static int along_ring(struct tmap_emit *emit, const struct tmap_ring *allgather_ring)
{
	int p = emit->call->size, own = TMAP_NONE;
	int64_t rounds = emit->visitor->folded ? 1 : p - 1;
	const int *order = allgather_ring->order;

	emit->single = true;
	for (int i = 0; i < p && emit->is_part; i++)
		own = order[i] == emit->rank ? i : own;
	for (; emit->round < rounds; emit->round++)
		for (int i = along_ring_next(-1, own, p); i < p; i = along_ring_next(i, own, p)) {
			int from = order[i], to = order[(i + 1) % p];
			int status = emit->visitor->folded ?
				tmap_emit_folded(emit, from, to, p - 1, p - 1,
						 (p - 1) * emit->call->bytes) :
				tmap_emit_units(emit, from, to, order[tmap_mod(i - emit->round, p)],
						1, 1);
			if (status < 0)
				return -1;
		}
	return 0;
}

static int distance_ring(struct tmap_emit *emit)
{
	struct tmap_metric merged = *emit->call->metric; /* borrows the steps */
	struct tmap_ring allgather_ring = { 0 };
	int status;

	tmap_metric_merge_below(&merged, (double)emit->call->choice.value[0]);
	status = tmap_ring_init(&allgather_ring, &merged, emit->err);
	if (status == 0)
		status = along_ring(emit, &allgather_ring);
	tmap_ring_fini(&allgather_ring);
	return status;
}

/* What all rows of this table share. */
#define ALLGATHER(name, summary) .choice.word = { name, summary }, .collective = TMAP_ALLGATHER
#define TUNED(n) "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_allgather_algorithm " n
#define INTRA(name) "MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=" name
#define UCP(name) "UCC_TL_UCP_TUNE=allgather:@" name

const struct tmap_algorithm tmap_allgather_algorithms[] = {
	{ ALLGATHER("ring", "p - 1 rounds round the ranks, one block each"),
	  .generate = allgather_ring, .pattern = TMAP_PATTERN_RING, .phase = TMAP_PHASE,
	  .by_rank = true, .source = "Open MPI, MPICH, UCC",
	  .choice.knobs = { TUNED("4"), INTRA("ring"), UCP("ring") } },
	{ ALLGATHER("neighbor_exchange", "p / 2 rounds between pairs, two blocks each"),
	  .sizes = TMAP_EVEN, .generate = neighbor_exchange, .pattern = TMAP_PATTERN_RING,
	  .phase = TMAP_PHASE, .by_rank = true, .source = "Open MPI, UCC",
	  .choice.knobs = { TUNED("5"), NULL, UCP("neighbor") } },
	{ ALLGATHER("recursive_doubling", "log p rounds, twice the distance and blocks each"),
	  .sizes = TMAP_POWER_OF_TWO, .generate = allgather_recursive_doubling,
	  .pattern = TMAP_PATTERN_DOUBLING, .phase = TMAP_PHASE, .by_rank = true,
	  .source = "Open MPI, MPICH",
	  .choice.knobs = { TUNED("3"), INTRA("recursive_doubling"), NULL } },
	{ ALLGATHER("recursive_doubling_any", "recursive doubling for any size, with repairs"),
	  .generate = tmap_recursive_doubling_any, .pattern = TMAP_PATTERN_DOUBLING,
	  .phase = TMAP_PHASE, .source = "MPICH; part of Open MPI's broadcast 8",
	  .choice.knobs = { NULL, NULL, NULL } },
	{ ALLGATHER("bruck", "log_k p rounds of growing distance, then a rotation"),
	  .choice.params = tmap_radix_2, .generate = allgather_bruck, .copies = allgather_rotation,
	  .pattern = TMAP_PATTERN_DOUBLING, .phase = TMAP_FIRST_PHASE, .by_rank = true,
	  .source = "Bruck et al. 1997; Open MPI, MPICH, UCC",
	  .choice.knobs = { "{radix=2}" TUNED("2"), "{radix=2}" INTRA("brucks"),
			    "{radix=2}" UCP("bruck") } },
	{ ALLGATHER("sparbit", "log p rounds of halving distance, one message each"),
	  .generate = allgather_sparbit, .pattern = TMAP_PATTERN_DOUBLING, .phase = TMAP_PHASE,
	  .by_rank = true, .source = "Loch and Koslovski 2021",
	  .choice.knobs = { NULL, NULL, UCP("sparbit") } },
	{ ALLGATHER("sparbit_blocks", "sparbit with one message a block, as Open MPI sends"),
	  .generate = sparbit_blocks, .pattern = TMAP_PATTERN_DOUBLING, .phase = TMAP_PHASE,
	  .by_rank = true, .source = "Open MPI 5", .openmpi_since = 5,
	  .choice.knobs = { TUNED("7"), NULL, NULL } },
	{ ALLGATHER("pat", "log p rounds of halving distance, the other way round"),
	  .generate = allgather_pat, .pattern = TMAP_PATTERN_DOUBLING, .phase = TMAP_PHASE,
	  .by_rank = true, .source = "NCCL 2.23", .choice.knobs = { NULL, NULL, NULL } },
	{ ALLGATHER("spread", "one round, everyone to everyone"), .generate = allgather_spread,
	  .pattern = TMAP_PATTERN_ALL_PAIRS, .phase = TMAP_PHASE, .by_rank = true,
	  .source = "Open MPI main (direct messaging)", .choice.knobs = { NULL, NULL, NULL } },
	{ ALLGATHER("swing", "log p rounds between partners on alternating sides"),
	  .sizes = TMAP_EVEN, .generate = allgather_swing, .pattern = TMAP_PATTERN_DOUBLING,
	  .phase = TMAP_PHASE, .source = "De Sensi et al. 2024, 2025 (Bine)",
	  .choice.knobs = { NULL, NULL, NULL } },
	{ ALLGATHER("locality_bruck", "Bruck within nodes, then one message a rank to other nodes"),
	  .choice.params = tmap_locality_bruck_params, .check = tmap_locality_bruck_check,
	  .generate = tmap_locality_bruck, .pattern = TMAP_PATTERN_DOUBLING | TMAP_PATTERN_PLACED,
	  .source = "Bienz, Gautam, Kharel 2022", .choice.knobs = { NULL, NULL, NULL } },
	{ ALLGATHER("distance_ring", "p - 1 rounds round the distance-aware ring"),
	  .needs_metric = true, .choice.params = tmap_merge_0, .generate = distance_ring,
	  .pattern = TMAP_PATTERN_RING, .source = "Ma et al. 2012, Algorithm 2",
	  .choice.knobs = { NULL, NULL, NULL } },
	{ ALLGATHER("linear", "gather to rank 0, broadcast from it"), .generate = allgather_linear,
	  .repeats = true, .pattern = TMAP_PATTERN_STAR, .phase = TMAP_PHASE, .source = "Open MPI",
	  .choice.knobs = { TUNED("1") " --mca coll_tuned_gather_algorithm 1"
				       " --mca coll_tuned_bcast_algorithm 1",
			    NULL, NULL } },
	{ ALLGATHER("hierarchical", "gather up the hierarchy, allgather at its top, bcast down"),
	  TMAP_HIERARCHICAL, .copies = tmap_arrival_copies,
	  .choice.params = tmap_hierarchical_allgather, .repeats = true,
	  .choice.knobs = { TMAP_HAN("allgather"), NULL, NULL } },
	{ ALLGATHER("lane", "on the lanes, then on the nodes"), TMAP_LANE,
	  .choice.params = tmap_lane_allgather, .repeats = true },
	{ .choice.word = { NULL, NULL } },
};
