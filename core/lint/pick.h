/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pick.h - slots for the ranks of a node, as far apart as can be.
 *
 *     package 0 [numa 0 [l3 [0 1 2 3] l3 [4 5 6 7]]]    4 ranks of 1 core:   0 4 8 12
 *     package 1 [numa 1 [l3 [8 9 a b] l3 [c d e f]]]    3 ranks of 2 cores:  01 45 89
 *
 * Ranks are shared out evenly to packages, then to the NUMA nodes of each, then to their L3 caches. A slot
 * is a core; so many cores of one object of a type; or all of such an object.
 */
#ifndef TMAP_CORE_LINT_PICK_H
#define TMAP_CORE_LINT_PICK_H

#include "core/machine/topology.h"

enum { TMAP_PICK_UNITS = 4 };

/** Where on a node. */
struct tmap_spot {
	int object;         /**< slots are inside of it; 0: the node */
	int near;           /**< the first rank is near this PU; TMAP_NONE: at the first core */
	const bool *within; /**< [PUs] with which they may begin; NULL: all */
};

#define TMAP_SPOT_ANY \
	{ \
		0, TMAP_NONE, NULL \
	}

struct tmap_pick {
	const struct tmap_topology *topo;
	struct tmap_spot spot;
	enum tmap_type unit; /**< a slot is in one of these; of one core, CORE */
	int cores;           /**< of it; 0: all */
};

/** begin[i]: the PU with which the slot of rank i begins, of @p ranks, by logical index. How many slots there
 *  are, which may be fewer; -1: it failed. O((PUs + objects) x depth). */
int tmap_pick_slots(int *begin, const struct tmap_pick *pick, int ranks, struct tmap_error *err);

/** What a slot of several cores can be in, the smallest first: L3, NUMA, PACKAGE and NODE, or as several
 *  packages may have one memory. */
const enum tmap_type *tmap_pick_units(const struct tmap_topology *topo);

/** Add the PUs that the job may use, by OS index, of the slot that begins with a PU. */
int tmap_pick_add_pus(struct tmap_idset *pus, const struct tmap_pick *pick, int begin,
		      struct tmap_error *err);

#endif
