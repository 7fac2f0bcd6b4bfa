/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * planned.h - a call as it is made where a mapping puts the ranks.
 *
 *     allgather:hierarchical, block     groups 0 1 2 3 | 4 5 6 7
 *                             cyclic    groups 0 2 4 6 | 1 3 5 7: other messages
 *     scan by MPICH           block     smp, as nodes hold intervals of ranks
 *                             cyclic    another algorithm
 *
 * A program that is launched so plans its collectives for the nodes that it finds: what its messages
 * were in another order says nothing.
 */
#ifndef TMAP_CORE_MAP_PLANNED_H
#define TMAP_CORE_MAP_PLANNED_H

#include "core/map/objective.h"

/** Is call @p index another one in other mappings, or may it be? O(1). */
bool tmap_planned_anew(const struct tmap_traffic *traffic, int index);

/** *call = call @p index of the traffic on the placement of @p metric, which it borrows; where it is not
 *  planned anew, as it is. Refuses (TMAP_INPUT) what cannot run there, and where it is not known what a
 *  library takes. Time of tmap_call_check(); with a library's choice O(p + nodes) besides. */
int tmap_planned_call(struct tmap_call *call, const struct tmap_traffic *traffic, int index,
		      const struct tmap_metric *metric, struct tmap_error *err);

#endif
