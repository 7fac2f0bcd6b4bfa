/* SPDX-License-Identifier: BSD-3-Clause */
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
#ifndef TMAP_CORE_ALGORITHMS_SWING_H
#define TMAP_CORE_ALGORITHMS_SWING_H

#include "core/schedule/emit.h"

/** Who meets @p rank in step @p s. */
int tmap_swing_partner(int rank, int s, int p);

struct tmap_swing {
	int size, steps;
	int *start;  /* [steps + 1]: offsets of step s are offset[start[s]] .. */
	int *offset; /* [size - 1] */
};

/** For an even number of ranks. O(p log p). Refuses a size at which it does not reach every
 *  rank (TMAP_INPUT). */
int tmap_swing_init(struct tmap_swing *swing, int size, struct tmap_error *err);
void tmap_swing_fini(struct tmap_swing *swing);

/** All messages of step @p s: of the allgather, or of the reduce-scatter if @p backwards. */
int tmap_swing_step(struct tmap_emit *emit, const struct tmap_swing *swing, int s, bool backwards);

#endif
