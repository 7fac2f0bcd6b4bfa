/*
 * Allreduce: every rank ends with the whole vector, reduced over all ranks.
 */
#include "core/algorithms/fold.h"
#include "core/algorithms/swing.h"
#include "core/algorithms/tables.h"
#include "core/emit.h"

static int64_t one_piece(const struct tm_call *call)
{
	(void)call;
	return 1;
}

static int64_t power_of_two_pieces(const struct tm_call *call)
{
	return tm_fold(call->size, 0).q;
}

/* One of each pair sends some pieces to the other. */
static int within_pairs(struct tm_emit *emit, const struct tm_fold *fold, int from_odd,
			int64_t first, int64_t count)
{
	for (int i = 0; i < fold->rest; i++)
		if (tm_emit_units(emit, 2 * i + from_odd, 2 * i + !from_odd, first, 1, count) < 0)
			return -1;
	return 0;
}

/* Fold even into odd, v <-> v ^ 2^k with the whole vector, and back to the even. */
static int recursive_doubling(struct tm_emit *emit)
{
	struct tm_fold fold = tm_fold(emit->call->size, 1);

	emit->combine = true;
	if (within_pairs(emit, &fold, 0, 0, 1) < 0)
		return -1;
	emit->round += fold.rest > 0;
	for (int d = 1; d < fold.q; d *= 2, emit->round++)
		for (int v = 0; v < fold.q; v++)
			if (tm_emit_units(emit, tm_fold_rank(&fold, v),
					  tm_fold_rank(&fold, v ^ d), 0, 1, 1) < 0)
				return -1;
	emit->combine = false;
	return within_pairs(emit, &fold, 1, 0, 1);
}

/* First piece of what v keeps once it has halved with the partners v ^ 1 ... v ^ (d / 2). */
static int64_t kept_by(int v, int d, int q)
{
	int64_t first = 0;

	for (int bit = 1, part = q / 2; bit < d; bit *= 2, part /= 2)
		first += v & bit ? part : 0;
	return first;
}

/* v sends v ^ d the half that v ^ d keeps, of the q / d pieces that both have. */
static int halve(struct tm_emit *emit, const struct tm_fold *fold)
{
	emit->combine = true;
	for (int d = 1; d < fold->q; d *= 2, emit->round++)
		for (int v = 0; v < fold->q; v++)
			if (tm_emit_units(emit, tm_fold_rank(fold, v), tm_fold_rank(fold, v ^ d),
					  kept_by(v ^ d, 2 * d, fold->q), 1,
					  fold->q / (2 * d)) < 0)
				return -1;
	return 0;
}

/* The way back: v sends v ^ d what it has complete. */
static int collect(struct tm_emit *emit, const struct tm_fold *fold)
{
	emit->combine = false;
	for (int d = fold->q / 2; d; d /= 2, emit->round++)
		for (int v = 0; v < fold->q; v++)
			if (tm_emit_units(emit, tm_fold_rank(fold, v), tm_fold_rank(fold, v ^ d),
					  kept_by(v, 2 * d, fold->q), 1, fold->q / (2 * d)) < 0)
				return -1;
	return 0;
}

/* Pairs swap halves; the odd gives its reduced half to the even, which goes on. */
static int fold_halves(struct tm_emit *emit, const struct tm_fold *fold)
{
	int64_t half = fold->q / 2;

	if (!fold->rest)
		return 0;
	emit->combine = true;
	for (int i = 0; i < fold->rest; i++)
		if (tm_emit_units(emit, 2 * i, 2 * i + 1, half, 1, fold->q - half) < 0 ||
		    (half && tm_emit_units(emit, 2 * i + 1, 2 * i, 0, 1, half) < 0))
			return -1;
	emit->round++;
	emit->combine = false;
	if (within_pairs(emit, fold, 1, half, fold->q - half) < 0)
		return -1;
	emit->round++;
	return 0;
}

/* The even of each pair gives its whole vector to the odd, which goes on. */
static int fold_whole(struct tm_emit *emit, const struct tm_fold *fold)
{
	emit->combine = true;
	if (within_pairs(emit, fold, 0, 0, fold->q) < 0)
		return -1;
	emit->round += fold->rest > 0;
	return 0;
}

enum { FOLD_OPENMPI, FOLD_MPICH };
static const char *const fold_words[] = { "openmpi", "mpich", NULL };

/* Reduce-scatter by halving, then allgather by doubling. */
static int rabenseifner(struct tm_emit *emit)
{
	int odd_stays = emit->call->choice.value[0] == FOLD_MPICH;
	struct tm_fold fold = tm_fold(emit->call->size, odd_stays);

	if ((odd_stays ? fold_whole(emit, &fold) : fold_halves(emit, &fold)) < 0 ||
	    halve(emit, &fold) < 0 || collect(emit, &fold) < 0)
		return -1;
	return within_pairs(emit, &fold, odd_stays, 0, fold.q);
}

/* p - 1 rounds r -> r + 1 with part of block r - k + ahead. */
static int ring_pass(struct tm_emit *emit, int ahead, int64_t phases, int64_t phase, int64_t parts)
{
	int p = emit->call->size;

	for (int k = 0; k < p - 1; k++, emit->round++)
		for (int r = 0; r < p; r++)
			if (tm_emit_units(emit, r, (r + 1) % p,
					  tm_mod(r - k + ahead, p) * phases + phase, 1, parts) < 0)
				return -1;
	return 0;
}

/* Reduce-scatter round the ring, a pass for each phase, then allgather round the ring. */
static int ring_in_phases(struct tm_emit *emit, int64_t phases)
{
	int64_t p = emit->call->size;

	emit->combine = true;
	if (emit->sink->folded) {
		if (tm_emit_ring(emit, 0, phases, 1) < 0)
			return -1;
		emit->round += phases * (p - 1);
		emit->combine = false;
		return tm_emit_ring(emit, 1, phases, phases);
	}
	for (int64_t phase = 0; phase < phases; phase++)
		if (ring_pass(emit, 0, phases, phase, 1) < 0)
			return -1;
	emit->combine = false;
	return ring_pass(emit, 1, phases, 0, phases);
}

static int64_t block_pieces(const struct tm_call *call)
{
	return call->size;
}

static int ring(struct tm_emit *emit)
{
	return ring_in_phases(emit, 1);
}

/* As Open MPI counts them: one more where more than half a segment is left. */
static int64_t segment_phases(const struct tm_call *call)
{
	int64_t all = call->size * call->choice.value[0];
	int64_t phases = call->bytes / all + (call->bytes % all > all / 2);

	return call->bytes < all ? 1 : phases;
}

static int64_t segment_pieces(const struct tm_call *call)
{
	return call->size * segment_phases(call);
}

static int segmented_ring(struct tm_emit *emit)
{
	return ring_in_phases(emit, segment_phases(emit->call));
}

/* Reduce-scatter by the steps of Swing, then allgather backwards. */
static int swing(struct tm_emit *emit)
{
	struct tm_swing plan = { 0 };
	int status = tm_swing_init(&plan, emit->call->size, emit->err);

	emit->combine = true;
	for (int s = 0; s < plan.steps && status == 0; s++, emit->round++)
		status = tm_swing_step(emit, &plan, s, true);
	emit->combine = false;
	for (int s = plan.steps - 1; s >= 0 && status == 0; s--, emit->round++)
		status = tm_swing_step(emit, &plan, s, false);
	tm_swing_fini(&plan);
	return status;
}

static const struct tm_param segment_1m[] = {
	{ .key = "segment", .summary = "size of a segment", .preset = 1 << 20, .least = 1,
	  .most = INT64_MAX / INT32_MAX, .is_size = true },
	{ .key = NULL },
};

static const struct tm_param fold_of_library[] = {
	{ .key = "fold", .summary = "how ranks beyond a power of two join",
	  .preset = FOLD_OPENMPI, .least = FOLD_OPENMPI, .most = FOLD_MPICH,
	  .words = fold_words },
	{ .key = NULL },
};

#define ALLREDUCE(name, summary) .choice.word = { name, summary }, .collective = TM_ALLREDUCE
#define TUNED(n) "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_allreduce_algorithm " n
#define INTRA(name) "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=" name

const struct tm_algorithm tm_allreduce_algorithms[] = {
	{ ALLREDUCE("recursive_doubling", "log p rounds, the whole vector each"),
	  .in_order = true, .pieces = one_piece, .generate = recursive_doubling,
	  .source = "Thakur, Rabenseifner, Gropp 2005; Open MPI, MPICH",
	  .choice.knobs = { TUNED("3"), INTRA("recursive_doubling"), NULL } },
	{ ALLREDUCE("ring", "reduce-scatter and allgather round the ranks"),
	  .pieces = block_pieces, .generate = ring, .source = "Open MPI, MPICH",
	  .choice.knobs = { TUNED("4"), INTRA("ring"), "UCC_TL_UCP_TUNE=allreduce:@ring" } },
	{ ALLREDUCE("segmented_ring", "ring, the reduce-scatter in phases of one segment"),
	  .choice.params = segment_1m,
	  .pieces = segment_pieces, .generate = segmented_ring, .source = "Open MPI",
	  .choice.knobs = { TUNED("5"), NULL, NULL } },
	{ ALLREDUCE("rabenseifner", "reduce-scatter by halving, allgather by doubling"),
	  .in_order = true,
	  .choice.params = fold_of_library,
	  .pieces = power_of_two_pieces, .generate = rabenseifner,
	  .source = "Rabenseifner 2004; Open MPI, MPICH",
	  .choice.knobs = { TUNED("6"), INTRA("reduce_scatter_allgather"), NULL } },
	{ ALLREDUCE("swing", "reduce-scatter and allgather on alternating sides"),
	  .sizes = TM_EVEN, .pieces = block_pieces, .generate = swing,
	  .source = "De Sensi et al. 2024", .choice.knobs = { NULL, NULL, NULL } },
	{ .choice.word = { NULL, NULL } },
};
