/*
 * fold.h - any number of ranks folded to a power of two, as reductions do.
 *
 *     p = 6, q = 4, rest = 2     0+1  2+3  4  5      the first 2 x rest ranks in pairs,
 *                                v 0  v 1  2  3      of which the odd or the even stays
 */
#ifndef TM_ALGORITHMS_FOLD_H
#define TM_ALGORITHMS_FOLD_H

struct tm_fold {
	int q;               /**< largest power of two that is at most p */
	int rest;            /**< p - q: number of pairs */
	int stays;           /**< which of a pair goes on: 0 the even, 1 the odd */
};

/** The fold of @p p >= 1 ranks. */
struct tm_fold tm_fold(int p, int stays);

/** The rank that goes on as @p v, 0 <= v < q. */
int tm_fold_rank(const struct tm_fold *fold, int v);

#endif
