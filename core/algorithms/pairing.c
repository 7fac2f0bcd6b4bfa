/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/pairing.h"

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
	for (int i = 0; i < fold->rest; i++)
		if (tmap_emit_units(emit, 2 * i + from_odd, 2 * i + !from_odd, first, 1, count) < 0)
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

/* v sends v ^ d the half that v ^ d keeps, of the q / d pieces that both have. */
int tmap_pairing_reduce_scatter(struct tmap_emit *emit, const struct tmap_pairing *fold)
{
	emit->combine = true;
	for (int d = 1; d < fold->q; d *= 2, emit->round++)
		for (int v = 0; v < fold->q; v++)
			if (tmap_emit_units(emit, tmap_pairing_rank(fold, v),
					    tmap_pairing_rank(fold, v ^ d),
					    tmap_pairing_kept(v ^ d, 2 * d, fold->q), 1,
					    fold->q / (2 * d)) < 0)
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
	for (int i = 0; i < fold->rest; i++)
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
