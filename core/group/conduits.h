/*
 * conduits.h - the members, the conduit and the group of each communicator.
 * The part of core/group/hierarchy.c that comes after the splits.
 */
#ifndef TMAP_CORE_GROUP_CONDUITS_H
#define TMAP_CORE_GROUP_CONDUITS_H

#include "core/group/hierarchy.h"

/** Fill in member_first[] and member[], which are there. O(p x levels). */
void tmap_hierarchy_find_members(struct tmap_hierarchy *h);

/** Fill in conduit[] (members and root are there): the root, else the member with the smallest
 *  key[size]. O(members). */
void tmap_hierarchy_find_conduits(struct tmap_hierarchy *h, const int *key);

/** Fill in group_first[] and group[], which are there (conduits too). O(p x levels). */
void tmap_hierarchy_find_groups(struct tmap_hierarchy *h);

#endif
