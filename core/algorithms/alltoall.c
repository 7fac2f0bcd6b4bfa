/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Alltoall: unit s * p + d is what rank s has for rank d.
 */
#include "core/algorithms/hierarchical.h"
#include "core/algorithms/lane.h"
#include "core/algorithms/tables.h"
#include "core/base/mem.h"
#include "core/schedule/emit.h"

#include <stdlib.h>

static int64_t share_of(const int64_t *share, int64_t rank)
{
	return share[rank + 1] - share[rank];
}

/* What the ranks from r - count + 1 to r have, modulo p. */
static int64_t shares_up_to(const int64_t *share, int64_t p, int64_t r, int64_t count)
{
	int64_t first = r - count + 1;

	return first >= 0 ? share[r + 1] - share[first] :
			    share[r + 1] + share[p] - share[first + p];
}

static int alltoall_send_own(struct tmap_emit *emit, int from, int to)
{
	const struct tmap_shares *shares = emit->call->shares;

	if (shares)
		return tmap_emit_folded(emit, from, to, 1, 1,
					share_of(shares->senders, from) *
						share_of(shares->receivers, to) *
						emit->call->bytes);
	return tmap_emit_units(emit, from, to, (int64_t)from * emit->call->size + to, 1, 1);
}

/* Round k: r -> r + k. */
static int alltoall_pairwise(struct tmap_emit *emit)
{
	int p = emit->call->size, own = tmap_emit_rank(emit);

	if (emit->visitor->folded && !emit->call->shares)
		return tmap_emit_all_pairs(emit, p - 1);
	for (int k = 1; k < p; k++, emit->round++)
		for (int r = tmap_emit_next(emit, TMAP_NONE, tmap_mod(own - k, p)); r < p;
		     r = tmap_emit_next(emit, r, tmap_mod(own - k, p)))
			if (alltoall_send_own(emit, r, (r + k) % p) < 0)
				return -1;
	return 0;
}

/* Round k: r <-> r ^ k. */
static int pairwise_xor(struct tmap_emit *emit)
{
	int p = emit->call->size, own = tmap_emit_rank(emit);

	if (emit->visitor->folded && !emit->call->shares)
		return tmap_emit_all_pairs(emit, p - 1);
	for (int k = 1; k < p; k++, emit->round++)
		for (int r = tmap_emit_next(emit, TMAP_NONE, own ^ k); r < p;
		     r = tmap_emit_next(emit, r, own ^ k))
			if (alltoall_send_own(emit, r, r ^ k) < 0)
				return -1;
	return 0;
}

/* So many partners r + 1, r + 2, ... a round. */
static int in_batches(struct tmap_emit *emit, int64_t batch)
{
	int p = emit->call->size, own = tmap_emit_rank(emit);

	if (emit->visitor->folded && !emit->call->shares)
		return tmap_emit_all_pairs(emit, (p - 2) / batch + 1);
	for (int k = 1; k < p; k++) {
		emit->round = (k - 1) / batch;
		for (int r = tmap_emit_next(emit, TMAP_NONE, tmap_mod(own - k, p)); r < p;
		     r = tmap_emit_next(emit, r, tmap_mod(own - k, p)))
			if (alltoall_send_own(emit, r, (r + k) % p) < 0)
				return -1;
	}
	return 0;
}

static int alltoall_linear(struct tmap_emit *emit)
{
	return in_batches(emit, emit->call->size);
}

static int alltoall_spread(struct tmap_emit *emit)
{
	return in_batches(emit, emit->call->choice.value[0]);
}

/* How many of the slots 1 .. p - 1 have this digit at the place of weight d, in base k. */
static int64_t alltoall_count_slots(int64_t p, int64_t d, int64_t k, int64_t digit)
{
	int64_t period = d * k, over = p % period - digit * d;

	return p / period * d + (over < 0 ? 0 : over < d ? over : d);
}

/* sums[x] = what x, x - period, x - 2 period, ... receive, modulo p, for 0 <= x < 2 p. */
static void sum_strided(int64_t *sums, const struct tmap_call *call, int64_t period)
{
	int64_t p = call->size;

	for (int64_t x = 0; x < 2 * p; x++)
		sums[x] = share_of(call->shares->receivers, x % p) +
			(x < period ? 0 : sums[x - period]);
}

/* The slots with a digit are stretches of d, the last may be cut: what goes to one rank each,
 * from the d ranks up to r. */
static int64_t weigh_slots(const struct tmap_call *call, int64_t r, int64_t d, int64_t digit,
			   const int64_t *sums)
{
	int64_t p = call->size, period = d * call->choice.value[0], base = digit * d, blocks = 0;
	int64_t full = p - base < d ? 0 : (p - base - d) / period + 1, cut = base + full * period;

	if (full)
		blocks = shares_up_to(call->shares->senders, p, r, d) *
			(sums[r + cut - period] -
			 (r + base < period ? 0 : sums[r + base - period]));
	if (cut < p)
		blocks += shares_up_to(call->shares->senders, p, r, p - cut) *
			share_of(call->shares->receivers, (r + cut) % p);
	return blocks * call->bytes;
}

/* Room for the units of one message; folded, for sums over shares. */
struct slots {
	struct tmap_run *run;
	int64_t *sums;
};

/* What r sends to r + digit x d: slot j holds what is to travel j ranks in all; it has come
 * j mod d of them. */
static int alltoall_send_slots(struct tmap_emit *emit, int64_t r, int64_t d, int64_t digit,
			       const struct slots *slots)
{
	int64_t p = emit->call->size, k = emit->call->choice.value[0];
	int to = (int)((r + digit * d) % p), count = 0;

	if (emit->visitor->folded || emit->visitor->no_units)
		return tmap_emit_folded(
			emit, (int)r, to, 1, 1,
			slots->sums ? weigh_slots(emit->call, r, d, digit, slots->sums) :
				      alltoall_count_slots(p, d, k, digit) * emit->call->bytes);
	for (int64_t j = digit * d; j < p; j++) {
		int64_t source = tmap_mod(r - j % d, p);

		if (j / d % k == digit)
			slots->run[count++] =
				(struct tmap_run){ source * p + (source + j) % p, 1, 1 };
	}
	return tmap_emit_runs(emit, (int)r, to, slots->run, count);
}

static int slots_init(struct slots *slots, const struct tmap_emit *emit)
{
	size_t p = (size_t)emit->call->size;

	*slots = (struct slots){ 0 };
	if (emit->call->shares)
		slots->sums = tmap_alloc_raw(2 * p, sizeof *slots->sums, emit->err);
	else
		slots->run = tmap_alloc_raw(p, sizeof *slots->run, emit->err);
	return slots->sums || slots->run ? 0 : -1;
}

static int alltoall_bruck(struct tmap_emit *emit)
{
	int64_t p = emit->call->size, k = emit->call->choice.value[0];
	int own = tmap_emit_rank(emit);
	struct slots slots;
	int status = slots_init(&slots, emit);

	for (int64_t d = 1; d < p && status == 0; d *= k, emit->round++) {
		if (slots.sums)
			sum_strided(slots.sums, emit->call, d * k);
		for (int64_t digit = 1; digit < k && digit * d < p; digit++)
			for (int r = tmap_emit_next(emit, TMAP_NONE, tmap_mod(own - digit * d, p));
			     r < p && status == 0;
			     r = tmap_emit_next(emit, r, tmap_mod(own - digit * d, p)))
				status = alltoall_send_slots(emit, r, d, digit, &slots);
	}
	free(slots.run);
	free(slots.sums);
	return status;
}

/* Two rotations, and into and out of each message. */
static int alltoall_packing(const struct tmap_call *call, int64_t *bytes, struct tmap_error *err)
{
	int64_t p = call->size, k = call->choice.value[0], blocks = 2 * p;

	(void)err;
	for (int64_t d = 1; d < p; d *= k)
		for (int64_t digit = 1; digit < k && digit * d < p; digit++)
			blocks += 2 * alltoall_count_slots(p, d, k, digit);
	if (__builtin_mul_overflow(blocks, call->bytes, bytes))
		*bytes = INT64_MAX;
	return 0;
}

static const struct tmap_param batch_32[] = {
	{ .key = "batch",
	  .summary = "partners a round",
	  .preset = 32,
	  .least = 1,
	  .most = INT32_MAX },
	{ .key = NULL },
};

#define ALLTOALL(name, summary) .choice.word = { name, summary }, .collective = TMAP_ALLTOALL
#define TUNED(n) "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_alltoall_algorithm " n
#define INTRA(name) "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM=" name

const struct tmap_algorithm tmap_alltoall_algorithms[] = {
	{ ALLTOALL("pairwise", "p - 1 rounds r -> r + k"), .generate = alltoall_pairwise,
	  .pattern = TMAP_PATTERN_ALL_PAIRS, .phase = TMAP_PHASE, .by_rank = true,
	  .source = "Open MPI, MPICH, UCC",
	  .choice.knobs = { TUNED("2"), INTRA("pairwise"), "UCC_TL_UCP_TUNE=alltoall:@pairwise" } },
	{ ALLTOALL("pairwise_xor", "p - 1 rounds r <-> r ^ k"), .sizes = TMAP_POWER_OF_TWO,
	  .generate = pairwise_xor, .pattern = TMAP_PATTERN_ALL_PAIRS | TMAP_PATTERN_DOUBLING,
	  .phase = TMAP_PHASE, .by_rank = true, .source = "MPICH",
	  .choice.knobs = { NULL, INTRA("pairwise"), NULL } },
	{ ALLTOALL("bruck", "log_k p rounds, each block sent up to log_k p times"), .repeats = true,
	  .choice.params = tmap_radix_2, .copies = alltoall_packing, .generate = alltoall_bruck,
	  .pattern = TMAP_PATTERN_DOUBLING, .phase = TMAP_FIRST_PHASE, .by_rank = true,
	  .source = "Bruck et al. 1997; Open MPI, MPICH, UCC",
	  .choice.knobs = { "{radix=2}" TUNED("3"), "{radix=2}" INTRA("brucks"),
			    "{radix=2}UCC_TL_UCP_TUNE=alltoall:@bruck" } },
	{ ALLTOALL("linear", "one round, everyone to everyone"), .generate = alltoall_linear,
	  .pattern = TMAP_PATTERN_ALL_PAIRS, .phase = TMAP_PHASE, .by_rank = true,
	  .source = "Open MPI", .choice.knobs = { TUNED("1"), NULL, NULL } },
	{ ALLTOALL("spread", "everyone to everyone, some partners a round"),
	  .choice.params = batch_32, .generate = alltoall_spread, .pattern = TMAP_PATTERN_ALL_PAIRS,
	  .phase = TMAP_PHASE, .by_rank = true, .source = "MPICH (scattered)",
	  .choice.knobs = { NULL, INTRA("scattered"), NULL } },
	{ ALLTOALL("hierarchical", "gather up the hierarchy, alltoall at its top, scatter down"),
	  TMAP_HIERARCHICAL, .choice.params = tmap_hierarchical_alltoall, .repeats = true,
	  .choice.knobs = { NULL, NULL, NULL } },
	{ ALLTOALL("lane", "on the lanes, then on the nodes"), TMAP_LANE,
	  .choice.params = tmap_lane_alltoall, .repeats = true },
	{ .choice.word = { NULL, NULL } },
};
