/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * packing.h - which node each group of ranks goes to.
 */
#ifndef TMAP_CORE_MAP_PACKING_H
#define TMAP_CORE_MAP_PACKING_H

#include "core/map/slots.h"

/** The node of each group: [group_count], the caller's to free; NULL with *err set. Slots that
 *  ranks must have are taken; a group with such a rank is on its node. Of the others the
 *  larger ones choose first: the node that most members are on by @p slot_of and that has
 *  room, else the one with the least room that is enough. Where that ends badly, nodes are
 *  tried by backtracking, over a bounded number of steps, and TMAP_INPUT if none was found.
 *  O(p + slots + groups x N). */
int *tmap_packing(const struct tmap_slots *slots, const int *slot_of, struct tmap_error *err);

#endif
