/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairing.h - any number of ranks folded to a power of two, as reductions do.
 *
 *     p = 6, q = 4, rest = 2     0+1  2+3  4  5      the first 2 x rest ranks in pairs,
 *                                v 0  v 1  2  3      of which the odd or the even stays
 */
#ifndef TMAP_CORE_ALGORITHMS_PAIRING_H
#define TMAP_CORE_ALGORITHMS_PAIRING_H

#include "core/schedule/emit.h"

struct tmap_pairing {
	int q;     /**< largest power of two that is at most p */
	int rest;  /**< p - q: number of pairs */
	int stays; /**< which of a pair goes on: 0 the even, 1 the odd */
};

/** The fold of @p p >= 1 ranks. */
struct tmap_pairing tmap_pairing(int p, int stays);

/** The rank that goes on as @p v, 0 <= v < q. */
int tmap_pairing_rank(const struct tmap_pairing *fold, int v);

/** "fold": Rabenseifner's, as Open MPI (the pairs swap halves) or MPICH (one gives its whole
 *  vector) joins the ranks beyond the power of two. */
enum { TMAP_FOLD_OPENMPI, TMAP_FOLD_MPICH };
extern const struct tmap_param tmap_pairing_param[];

/** The vector in q pieces. */
int64_t tmap_pairing_pieces(const struct tmap_call *call);

/** Where these begin, by the library of the fold. */
int64_t tmap_pairing_begin(const struct tmap_call *call, int64_t piece);

/** One of each pair, the odd or the even, sends some pieces to the other. */
int tmap_pairing_exchange(struct tmap_emit *emit, const struct tmap_pairing *fold, int from_odd,
			  int64_t first, int64_t count);

/** All ranks that go on swap the same pieces: v and v ^ d. */
int tmap_pairing_swap(struct tmap_emit *emit, const struct tmap_pairing *fold, int d, int64_t first,
		      int64_t count);

/** v sends v ^ d, of the q / d pieces that both have, the half that v keeps, or that which v ^ d does. */
int tmap_pairing_halve(struct tmap_emit *emit, const struct tmap_pairing *fold, int d, bool kept);

/** Pairs swap halves; the odd gives its reduced half to the even, which goes on. Two rounds. */
int tmap_pairing_halves(struct tmap_emit *emit, const struct tmap_pairing *fold);

/** First piece of what v keeps of q once it has halved with v ^ 1, v ^ 2, ..., v ^ (d / 2). */
int64_t tmap_pairing_kept(int v, int d, int q);

/** Reduce-scatter by halving: v sends v ^ d, for d = 1, 2, ..., the half that v ^ d keeps. */
int tmap_pairing_reduce_scatter(struct tmap_emit *emit, const struct tmap_pairing *fold);

#endif
