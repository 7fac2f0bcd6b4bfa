/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barrier: messages without bytes; what is "reduced" is who is known to have come.
 */
#include "core/algorithms/hierarchical.h"
#include "core/algorithms/pairing.h"
#include "core/algorithms/smp.h"
#include "core/algorithms/tables.h"
#include "core/schedule/emit.h"

static int barrier_token(struct tmap_emit *emit, int64_t from, int64_t to)
{
	return tmap_emit_units(emit, (int)from, (int)to, 0, 1, 1);
}

/* Round k: r -> r + 2^k. */
static int barrier_dissemination(struct tmap_emit *emit)
{
	int64_t p = emit->call->size;

	emit->combine = true;
	emit->single = true;
	for (int64_t d = 1; d < p; d *= 2, emit->round++)
		if (tmap_emit_shift(emit, d, 0, 1, 1) < 0)
			return -1;
	return 0;
}

/* Ranks from q on tell r - q, which goes on; in the end they hear from it. */
static int barrier_recursive_doubling(struct tmap_emit *emit)
{
	struct tmap_pairing fold = tmap_pairing(emit->call->size, 0);

	emit->combine = true;
	emit->single = true;
	for (int r = 0; r < fold.rest; r++)
		if (barrier_token(emit, r + fold.q, r) < 0)
			return -1;
	emit->round += fold.rest > 0;
	for (int d = 1; d < fold.q; d *= 2, emit->round++)
		if (tmap_emit_exchange_all(emit, fold.q, d) < 0)
			return -1;
	for (int r = 0; r < fold.rest; r++)
		if (barrier_token(emit, r, r + fold.q) < 0)
			return -1;
	return 0;
}

/* Binomial: up to rank 0 with d = 1, 2, 4, ..., and down again. */
static int barrier_tree(struct tmap_emit *emit)
{
	int64_t p = emit->call->size, top = (int64_t)1 << tmap_log2_ceil(p);

	emit->combine = true;
	emit->single = true;
	for (int64_t d = 1; d < p; d *= 2, emit->round++)
		for (int64_t r = d; r < p; r += 2 * d)
			if (barrier_token(emit, r, r - d) < 0)
				return -1;
	for (int64_t d = top / 2; d; d /= 2, emit->round++)
		for (int64_t r = d; r < p; r += 2 * d)
			if (barrier_token(emit, r - d, r) < 0)
				return -1;
	return 0;
}

/* A token twice round the ring. */
static int double_ring(struct tmap_emit *emit)
{
	int64_t p = emit->call->size;

	emit->combine = true;
	emit->single = true;
	for (; emit->round < 2 * p; emit->round++)
		if (barrier_token(emit, emit->round % p, (emit->round + 1) % p) < 0)
			return -1;
	return 0;
}

/* All to rank 0, then rank 0 to all. */
static int barrier_linear(struct tmap_emit *emit)
{
	int p = emit->call->size;

	emit->combine = true;
	for (int r = 1; r < p; r++)
		if (barrier_token(emit, r, 0) < 0)
			return -1;
	for (emit->round = 1; emit->round < 2; emit->round++)
		for (int r = 1; r < p; r++)
			if (barrier_token(emit, 0, r) < 0)
				return -1;
	return 0;
}

#define BARRIER(name, summary) .choice.word = { name, summary }, .collective = TMAP_BARRIER
#define TUNED(n) "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_barrier_algorithm " n

const struct tmap_algorithm tmap_barrier_algorithms[] = {
	{ BARRIER("dissemination", "log p rounds, one message a rank"),
	  .generate = barrier_dissemination, .pattern = TMAP_PATTERN_DOUBLING,
	  .phase = TMAP_FIRST_PHASE, .by_rank = true,
	  .source = "Hensgen et al. 1988; Open MPI (bruck), MPICH", .mpich_since = "4.1",
	  .choice.knobs = { TUNED("4"), "MPIR_CVAR_BARRIER_INTRA_ALGORITHM=k_dissemination",
			    NULL } },
	{ BARRIER("recursive_doubling", "log p rounds between pairs"),
	  .generate = barrier_recursive_doubling, .pattern = TMAP_PATTERN_DOUBLING,
	  .phase = TMAP_PHASE, .by_rank = true, .source = "Open MPI",
	  .choice.knobs = { TUNED("3"), NULL, NULL } },
	{ BARRIER("tree", "a binomial tree up and down"), .generate = barrier_tree,
	  .pattern = TMAP_PATTERN_BINOMIAL, .phase = TMAP_PHASE, .source = "Open MPI",
	  .choice.knobs = { TUNED("6"), NULL, NULL } },
	{ BARRIER("double_ring", "a token twice round the ranks"), .generate = double_ring,
	  .pattern = TMAP_PATTERN_RING, .phase = TMAP_PHASE, .source = "Open MPI",
	  .choice.knobs = { TUNED("2"), NULL, NULL } },
	{ BARRIER("linear", "all to rank 0, and back"), .generate = barrier_linear,
	  .pattern = TMAP_PATTERN_STAR, .phase = TMAP_PHASE, .source = "Open MPI",
	  .choice.knobs = { TUNED("1"), NULL, NULL } },
	{ BARRIER("hierarchical",
		  "up the hierarchy of communicators, a barrier at its top, and down"),
	  TMAP_HIERARCHICAL, .choice.params = tmap_hierarchical_barrier,
	  .choice.knobs = { NULL, NULL, NULL } },
	{ BARRIER("smp", "within the nodes, between one rank of each, and within the nodes"),
	  TMAP_SMP_ROW, .choice.params = tmap_smp_barrier },
	{ .choice.word = { NULL, NULL } },
};
