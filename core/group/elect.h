/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elect.h - which rank of a communicator is its conduit.
 *
 * The root is, wherever it is. Else the rank with the smallest key, of equal ones the smallest
 * rank. Keys do not depend on the communicator, so the conduit of a communicator is that of
 * every communicator inside it that it is in.
 *
 *     first      no key: rank 0 of each communicator
 *     adapter    PUs of the smallest object that holds the rank's and an adapter that messages
 *                go over; on nodes without one: the largest
 *     root       PUs of the smallest object that holds the rank's and the one that is,
 *                on its node, the root's object; on nodes of another kind than the root's:
 *                the largest
 *     column     how far its number among the ranks of its node is from the root's
 *     idle       what it shares with other bound ranks: nothing, a core, a PU, ...
 */
#ifndef TMAP_CORE_GROUP_ELECT_H
#define TMAP_CORE_GROUP_ELECT_H

#include "core/base/keyword.h"
#include "core/machine/placement.h"

enum tmap_elect {
	TMAP_ELECT_FIRST,
	TMAP_ELECT_ADAPTER,
	TMAP_ELECT_ROOT,
	TMAP_ELECT_IDLE,
	TMAP_ELECT_COLUMN
};

/** The ways to elect by name, in the order of enum tmap_elect. */
extern const struct tmap_keywords tmap_elections;

/** The key of each rank: [size], the caller's to free; for TMAP_ELECT_FIRST all 0.
 *  O(p + places x devices x (devices + depth)); idle as in core/machine/overlap.h. */
int *tmap_elect_keys(const struct tmap_placement *p, enum tmap_elect elect, int root,
		     struct tmap_error *err);

#endif
