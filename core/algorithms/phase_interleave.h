/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phase_interleave.h - teams that lie regularly among the ranks, emitted in shifts, for phase.c.
 *
 *     lanes    {0 4 8} {1 5 9} {2 6 10} {3 7 11}     member s of team t is rank 4 s + t
 *     nodes    {0 1 2 3} {4 5 6 7} {8 9 10 11}       member s of team t is rank s + 4 t
 *
 * What one team sends from some members to others, all teams send at the same time, so that one
 * shift of members is one or two of ranks.
 */
#ifndef TMAP_CORE_ALGORITHMS_PHASE_INTERLEAVE_H
#define TMAP_CORE_ALGORITHMS_PHASE_INTERLEAVE_H

#include "core/algorithms/phase_units.h"

/** Emit the phase of these units so, and move emit->round behind it. 0, -1, or 1 where nothing was
 *  emitted: the visitor takes no shifts, the teams are not regular, or there are more than a few
 *  classes of neighbouring teams. O(members) besides the shifts. */
int tmap_phase_interleave(struct tmap_emit *emit, struct tmap_phase_units *units);

#endif
