/*
 * swing.h - the partners and blocks of Swing and of Bine's butterfly.
 *
 * In step s an even rank r meets r + rho(s), an odd one r - rho(s), modulo p, where
 * rho = 1, -1, 3, -5, 11, ...: less than the powers of two, first one way, then the other.
 * All even ranks do the same relative to themselves, and the odd ones the mirror image,
 * so one list of offsets serves everyone:
 *
 *     step s    even r sends r + offset, odd r sends r - offset, for the offsets of s
 *
 * An allgather takes the steps from the last to the first; each sends what the partner
 * lacks. A reduce-scatter is the same backwards. (De Sensi et al. 2024, 2025.)
 */
#ifndef TM_ALGORITHMS_SWING_H
#define TM_ALGORITHMS_SWING_H

#include "core/schedule/emit.h"

/** Who meets @p rank in step @p s. */
int tm_swing_partner(int rank, int s, int p);

struct tm_swing {
	int size, steps;
	int *start;          /* [steps + 1]: offsets of step s are offset[start[s]] .. */
	int *offset;         /* [size - 1] */
};

/** For an even number of ranks. O(p log p). Refuses a size at which it does not reach every
 *  rank (TM_INPUT). */
int tm_swing_init(struct tm_swing *swing, int size, struct tm_error *err);
void tm_swing_fini(struct tm_swing *swing);

/** All messages of step @p s: of the allgather, or of the reduce-scatter if @p backwards. */
int tm_swing_step(struct tm_emit *emit, const struct tm_swing *swing, int s, bool backwards);

#endif
