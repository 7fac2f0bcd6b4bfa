/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sets.h - a set of PUs for each rank of a node, as lists of launchers have them.
 *
 *     0-3 ; 4-7,12 ; 8       the first rank of a node on PUs 0 to 3, the second on ...
 */
#ifndef TMAP_CORE_PLACE_SETS_H
#define TMAP_CORE_PLACE_SETS_H

#include "core/machine/placement.h"

/** place[i] = the place of a rank bound to set[i], for @p count of them; PUs by their OS indexes.
 *  Refuses a set with a PU that the node lacks or the job may not use as "set 3 of the NAME".
 *  O(members log PUs). */
int tmap_sets_bind(int *place, int count, struct tmap_placement *p, int topology,
		   const struct tmap_idset *set, const char *name, struct tmap_error *err);

#endif
