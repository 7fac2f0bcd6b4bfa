/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usable.h - the objects of one type that a job may use: its cores, its PUs, ...
 *
 *     node      n0        n1        n2
 *     object    0 1 2 3 | 4 5 6 7 | 8 9        from left to right, node after node
 *
 * Only what the job may use counts. On a node without Core objects, PUs are the cores; one
 * without packages, or without memory controllers, is one itself.
 */
#ifndef TMAP_CORE_PLACE_USABLE_H
#define TMAP_CORE_PLACE_USABLE_H

#include "core/machine/placement.h"

/** Those of one kind of node. */
struct tmap_usable_kind {
	int count;
	int *object; /**< [count] core, PU, ... in the topology */
	int *place;  /**< [count] place of a rank bound to it; TMAP_NONE: not made yet */
};

struct tmap_usable {
	const struct tmap_machine *machine; /**< borrowed: must outlive this */
	struct tmap_usable_kind *kind;      /**< [topologies] */
	int *first; /**< [nodes + 1] number of the first object of each node */
	int count;  /**< in all */
};

/** Number the objects of @p type. Refuses (TMAP_INPUT) a machine with none that may be used or with
 *  more than INT_MAX, and a node that has no object of the type, usable or not. */
int tmap_usable_init(struct tmap_usable *usable, const struct tmap_machine *machine,
		     enum tmap_type type, struct tmap_error *err);
void tmap_usable_fini(struct tmap_usable *usable);

/** Those of a node. */
const struct tmap_usable_kind *tmap_usable_kind(const struct tmap_usable *usable, int node);

/** Put a rank of @p p on object @p local of @p node, bound to the PUs of it that may be used, and
 *  not bound where these are all of the node. */
int tmap_usable_take(struct tmap_usable *usable, struct tmap_placement *p, int rank, int node,
		     int local, struct tmap_error *err);

#endif
