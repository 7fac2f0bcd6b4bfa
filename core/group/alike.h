/*
 * alike.h - which communicators of a hierarchy are alike.
 *
 * Two are if they are of one level, as large, with as large a group, and split into alike ones
 * at the same level, whichever ranks they hold. So a job on 43,808 equal nodes is described in a few
 * words.
 */
#ifndef TMAP_CORE_GROUP_ALIKE_H
#define TMAP_CORE_GROUP_ALIKE_H

#include "core/group/hierarchy.h"

/** The class of each communicator, [comm_count], the caller's to free; of the whole job too.
 *  O(c log c) expected time for c communicators, O(p + c) memory. */
int *tmap_hierarchy_classes(const struct tmap_hierarchy *h, struct tmap_error *err);

/** The communicator whose conduit @p rank is in the group of @p comm; TMAP_NONE where it
 *  has none below. O(1). */
int tmap_hierarchy_below(const struct tmap_hierarchy *h, int comm, int rank);

#endif
