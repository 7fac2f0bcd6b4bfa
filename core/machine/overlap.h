/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overlap.h - bound ranks that share a PU or a core.
 *
 *     core 0   pu 0 pu 1      rank 0 on pu 0, rank 1 on pu 1     share the core
 *     core 1   pu 2 pu 3      ranks 2 and 3 on pu 2              share the PU (and the core)
 *
 * Ranks that are bound to more than one PU may share and need not: four ranks bound to the
 * same four cores can have one each, five cannot. Ranks must share cores if more
 * of them than there are cores are bound inside the cores of one of them; PUs likewise.
 *
 * Unbound ranks share everything; flags leave them out.
 */
#ifndef TMAP_CORE_MACHINE_OVERLAP_H
#define TMAP_CORE_MACHINE_OVERLAP_H

#include "core/machine/node_fold.h"

enum tmap_overlap {
	TMAP_SHARES_CORE = 1, /**< another bound rank may run on one of its cores */
	TMAP_SHARES_PU = 2,   /**< ... even on one of its PUs; then the first holds too */
	TMAP_CROWDS_CORE = 4, /**< it must share a core */
	TMAP_CROWDS_PU = 8,   /**< it must share a PU; then the one before holds too */
};

/** What ranks share: "core", or "PU" where no node of the machine has Core objects (ppc64, s390, some
 *  virtual machines). */
const char *tmap_overlap_unit(const struct tmap_machine *machine);

/** *logical = the logical indexes of the PUs of a place on @p topo, which must be empty.
 *  O(PUs log ranges). */
int tmap_place_logical(const struct tmap_topology *topo, const struct tmap_place *place,
		       struct tmap_idset *logical, struct tmap_error *err);

/** What each rank shares: [size] of enum tmap_overlap, or-ed, the caller's to free. Alike nodes
 *  are counted once; O(p + N + PUs of the places that are taken in all classes, each once a class),
 *  and where they share cores the square of these places. */
unsigned char *tmap_overlap_find(const struct tmap_placement *p, const struct tmap_node_fold *fold,
				 struct tmap_error *err);

/** *count = ranks that must share a core: those with TMAP_CROWDS_CORE, and where some of a node are not
 *  bound, and all are more than its cores that the job may use, all of that node. Cost of
 *  tmap_overlap_find(). */
int tmap_overlap_count(int *count, const struct tmap_placement *p, struct tmap_error *err);

/** How many others are on the core of each rank, where ranks spread evenly over the cores that they
 *  may run on, and unbound ones over all of the node: 1 of 4 ranks bound to two cores, 0 of two.
 *  [size], the caller's to free. Cost of tmap_overlap_find(), and O(PUs) for each place of unbound
 *  ranks that one node a class has taken. */
double *tmap_overlap_others(const struct tmap_placement *p, struct tmap_error *err);

#endif
