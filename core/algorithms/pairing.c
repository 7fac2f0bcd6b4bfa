/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/pairing.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* In steps of fewer than so many ranks, those that send the same pieces are a pattern. */
enum { MANY_ALIKE = 64 };

struct tmap_pairing tmap_pairing(int p, int stays)
{
	int q = 1 << tmap_log2_floor(p);

	return (struct tmap_pairing){ q, p - q, stays };
}

int tmap_pairing_rank(const struct tmap_pairing *fold, int v)
{
	return v < fold->rest ? 2 * v + fold->stays : v + fold->rest;
}

static const char *const libraries[] = { "openmpi", "mpich", NULL };

const struct tmap_param tmap_pairing_param[] = {
	{ .key = "fold",
	  .summary = "how ranks beyond a power of two join",
	  .preset = TMAP_FOLD_OPENMPI,
	  .least = TMAP_FOLD_OPENMPI,
	  .most = TMAP_FOLD_MPICH,
	  .words = libraries },
	{ .key = NULL },
};

int64_t tmap_pairing_pieces(const struct tmap_call *call)
{
	return tmap_pairing(call->size, 0).q;
}

/* Open MPI halves and halves again, the low half rounded down; MPICH has larger pieces first. */
int64_t tmap_pairing_begin(const struct tmap_call *call, int64_t piece)
{
	int64_t pieces = tmap_pairing(call->size, 0).q, begin = 0, size = call->bytes;

	if (call->choice.value[0] == TMAP_FOLD_MPICH)
		return piece * (size / pieces) + (piece < size % pieces ? piece : size % pieces);
	if (piece >= pieces)
		return size;
	for (int64_t half = pieces / 2; half; half /= 2) {
		begin += piece & half ? size / 2 : 0;
		size = piece & half ? size - size / 2 : size / 2;
	}
	return begin;
}

/* One of each pair sends some pieces to the other. */
int tmap_pairing_exchange(struct tmap_emit *emit, const struct tmap_pairing *fold, int from_odd,
			  int64_t first, int64_t count)
{
	return tmap_emit_alike(emit,
			       &(struct tmap_shift_pattern){ .first = from_odd,
							     .run = 1,
							     .step = 2,
							     .count = fold->rest,
							     .ahead = from_odd ? -1 : 1 },
			       first, count);
}

/* The senders of a pattern over all v, each of whose steps has their receivers, too; all carry the same units.
 * First the steps that are folded, whose ranks have gaps, then that which is so in part, then the others. */
static int pairing_send(struct tmap_emit *emit, const struct tmap_pairing *fold,
			const struct tmap_shift_pattern *senders, int64_t first, int64_t count)
{
	struct tmap_shift_pattern folded = *senders, others = *senders;
	int steps = fold->rest / senders->step, cut = fold->rest % senders->step > 0;
	int at = steps * senders->step + senders->first;

	if (steps) {
		folded.first = 2 * senders->first + fold->stays;
		folded.step = 2 * senders->step;
		folded.gap = senders->run > 1;
		folded.count = steps * senders->run;
		folded.ahead = 2 * senders->ahead;
		if (tmap_emit_alike(emit, &folded, first, count) < 0)
			return -1;
	}
	for (int v = at; cut && v < at + senders->run; v++)
		if (tmap_emit_units(emit, tmap_pairing_rank(fold, v),
				    tmap_pairing_rank(fold, v + senders->ahead), first, 1,
				    count) < 0)
			return -1;
	others.first = at + cut * senders->step + fold->rest;
	others.count = (fold->q / senders->step - steps - cut) * senders->run;
	return tmap_emit_alike(emit, &others, first, count);
}

int tmap_pairing_swap(struct tmap_emit *emit, const struct tmap_pairing *fold, int d, int64_t first,
		      int64_t count)
{
	struct tmap_shift_pattern up = { .run = d, .step = 2 * d, .ahead = d }, down = up;

	down.first = d;
	down.ahead = -d;
	if (tmap_emit_takes_shifts(emit))
		return pairing_send(emit, fold, &up, first, count) < 0 ?
			-1 :
			pairing_send(emit, fold, &down, first, count);
	for (int v = 0; v < fold->q; v++)
		if (tmap_emit_units(emit, tmap_pairing_rank(fold, v),
				    tmap_pairing_rank(fold, v ^ d), first, 1, count) < 0)
			return -1;
	return 0;
}

/* First piece of what v keeps once it has halved with the partners v ^ 1 ... v ^ (d / 2). */
int64_t tmap_pairing_kept(int v, int d, int q)
{
	int64_t first = 0;

	for (int bit = 1, part = q / 2; bit < d; bit *= 2, part /= 2)
		first += v & bit ? part : 0;
	return first;
}

/* Who of a step keeps pieces that are not empty, from which on. */
struct keeper {
	int v, first;
};

/* Those of 0 .. step - 1, rising; the first @p filled pieces are not empty. */
static int pairing_find_keepers(struct keeper *keeper, int q, int step, int64_t filled)
{
	int count = 1;

	keeper[0] = (struct keeper){ 0, 0 };
	for (int bit = 1, part = q / 2; bit < step; bit *= 2, part /= 2)
		for (int i = 0, before = count; i < before; i++)
			if (keeper[i].first + part < filled)
				keeper[count++] = (struct keeper){ keeper[i].v + bit,
								   keeper[i].first + part };
	return count;
}

/* What the keepers send or get: by keeper where each has many of its kind, else rising. */
static int pairing_send_keepers(struct tmap_emit *emit, const struct tmap_pairing *fold, int d,
				bool kept, const struct keeper *keeper, int count)
{
	int step = 2 * d, pieces = fold->q / step;

	for (int i = 0; i < count && step < MANY_ALIKE; i++) {
		int sender = kept ? keeper[i].v : keeper[i].v ^ d;
		const struct tmap_shift_pattern senders = {
			.first = sender, .run = 1, .step = step, .ahead = (sender ^ d) - sender
		};

		if (pairing_send(emit, fold, &senders, keeper[i].first, pieces) < 0)
			return -1;
	}
	for (int at = 0; at < fold->q && step >= MANY_ALIKE; at += step)
		for (int i = 0; i < count; i++) {
			int v = at + keeper[i].v, sender = kept ? v : v ^ d;

			if (tmap_emit_units(emit, tmap_pairing_rank(fold, sender),
					    tmap_pairing_rank(fold, sender ^ d), keeper[i].first, 1,
					    pieces) < 0)
				return -1;
		}
	return 0;
}

/* Only the pieces that are not empty are looked at: the first ones. */
static int pairing_send_filled(struct tmap_emit *emit, const struct tmap_pairing *fold, int d,
			       bool kept, int64_t filled)
{
	int64_t pieces = fold->q / (2 * d);
	struct keeper *keeper =
		tmap_alloc_raw((size_t)((filled - 1) / pieces + 1), sizeof *keeper, emit->err);
	int status = -1;

	if (keeper)
		status = pairing_send_keepers(emit, fold, d, kept, keeper,
					      pairing_find_keepers(keeper, fold->q, 2 * d, filled));
	free(keeper);
	return status;
}

int tmap_pairing_halve(struct tmap_emit *emit, const struct tmap_pairing *fold, int d, bool kept)
{
	int64_t pieces = fold->q / (2 * d), filled = tmap_emit_filled_units(emit);

	if (tmap_emit_is_even(emit))
		return tmap_pairing_swap(emit, fold, d, 0, pieces);
	if (tmap_emit_takes_shifts(emit) && !emit->by_rule && filled > 0 && filled <= fold->q / 2)
		return pairing_send_filled(emit, fold, d, kept, filled);
	for (int v = 0; v < fold->q; v++)
		if (tmap_emit_units(
			    emit, tmap_pairing_rank(fold, v), tmap_pairing_rank(fold, v ^ d),
			    tmap_pairing_kept(kept ? v : v ^ d, 2 * d, fold->q), 1, pieces) < 0)
			return -1;
	return 0;
}

int tmap_pairing_reduce_scatter(struct tmap_emit *emit, const struct tmap_pairing *fold)
{
	emit->combine = true;
	for (int d = 1; d < fold->q; d *= 2, emit->round++)
		if (tmap_pairing_halve(emit, fold, d, false) < 0)
			return -1;
	return 0;
}

/* Pairs swap halves; the odd gives its reduced half to the even, which goes on. */
int tmap_pairing_halves(struct tmap_emit *emit, const struct tmap_pairing *fold)
{
	int64_t half = fold->q / 2;

	if (!fold->rest)
		return 0;
	emit->combine = true;
	if (tmap_emit_takes_shifts(emit) &&
	    (tmap_pairing_exchange(emit, fold, 0, half, fold->q - half) < 0 ||
	     (half && tmap_pairing_exchange(emit, fold, 1, 0, half) < 0)))
		return -1;
	for (int i = 0; i < fold->rest && !tmap_emit_takes_shifts(emit); i++)
		if (tmap_emit_units(emit, 2 * i, 2 * i + 1, half, 1, fold->q - half) < 0 ||
		    (half && tmap_emit_units(emit, 2 * i + 1, 2 * i, 0, 1, half) < 0))
			return -1;
	emit->round++;
	emit->combine = false;
	if (tmap_pairing_exchange(emit, fold, 1, half, fold->q - half) < 0)
		return -1;
	emit->round++;
	return 0;
}
