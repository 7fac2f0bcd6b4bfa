/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pu_owners.h - which rank or line has each PU of a node: node after node.
 *
 *     claim PU 4 of n0 for 7     TMAP_NONE      it was free
 *     claim PU 4 of n0 for 9     7              and 7 keeps it
 *     claim PU 4 of n1 for 9     TMAP_NONE      another node: all PUs are free again
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_PU_OWNERS_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_PU_OWNERS_H

#include "core/machine/machine.h"

struct tmap_pu_owners {
	int *owner; /**< [OS indexes of all nodes] */
	int *node;  /**< [the same] node + 1 that the owner is for */
};

/** No PU has an owner. O(PUs of all topologies). */
int tmap_pu_owners_init(struct tmap_pu_owners *owners, const struct tmap_machine *machine,
			struct tmap_error *err);
void tmap_pu_owners_fini(struct tmap_pu_owners *owners);

/** Give PU @p os of a node to @p owner, unless it has one: that is returned, or TMAP_NONE. All
 *  claims of a node come before those of the next one. */
int tmap_pu_owners_claim(struct tmap_pu_owners *owners, int node, int os, int owner);

#endif
