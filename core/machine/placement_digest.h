/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * placement_digest.h - a few letters by which two placements are known to be alike.
 *
 *     ranks 0-7 on n0 n1, block       "5c1e0a9b77d3f042"
 *     ranks 0-7 on n4 n9, block       the same, where these are nodes of the same kind
 *     ranks 0-7 on n0 n1, cyclic      another
 *
 * What messages between the ranks depend on counts: the objects and PUs of the nodes that have
 * ranks, the names of their network adapters, what each rank is bound to, which ranks share a node,
 * and which nodes share a switch. Names of hosts and switches, dates, launchers and nodes without
 * ranks do not.
 */
#ifndef TMAP_CORE_MACHINE_PLACEMENT_DIGEST_H
#define TMAP_CORE_MACHINE_PLACEMENT_DIGEST_H

#include "core/machine/placement.h"

/** 16 letters and the final zero. */
#define TMAP_PLACEMENT_DIGEST_ROOM 17

/** Print it to @p text. Alike on every machine and in every release that has this form of it.
 *  O(p + N x tiers + what nodes and places have). */
int tmap_placement_digest(const struct tmap_placement *placement,
			  char text[TMAP_PLACEMENT_DIGEST_ROOM], struct tmap_error *err);

#endif
