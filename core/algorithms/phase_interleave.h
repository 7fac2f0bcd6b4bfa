/*
 * phase_interleave.h - teams that stand regularly among the ranks, told in shifts, for phase.c.
 *
 *     lanes    {0 4 8} {1 5 9} {2 6 10} {3 7 11}     seat s of team t is rank 4 s + t
 *     nodes    {0 1 2 3} {4 5 6 7} {8 9 10 11}       seat s of team t is rank s + 4 t
 *
 * What one team sends from some seats to others, all do at the same time, so that one shift of
 * seats is one or two of ranks.
 */
#ifndef TMAP_CORE_ALGORITHMS_PHASE_INTERLEAVE_H
#define TMAP_CORE_ALGORITHMS_PHASE_INTERLEAVE_H

#include "core/algorithms/phase_units.h"

/** Tell the phase of these units so, and move emit->round behind it. 0, -1, or 1 where nothing was
 *  told: the visitor takes no shifts, the teams do not stand like this, or there are more than a few
 *  kinds of neighbours that do the same. O(seats) besides the shifts. */
int tmap_phase_interleave(struct tmap_emit *emit, struct tmap_phase_units *units);

#endif
