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
 *     root       PUs of the smallest object that holds the rank's and what is, on its node, the
 *                root's seat; on nodes of another kind than the root's: the largest
 *     idle       what it shares with other bound ranks: nothing, a core, a PU, ...
 */
#ifndef TM_ELECT_H
#define TM_ELECT_H

#include "core/machine/placement.h"
#include "core/base/keyword.h"

enum tm_elect { TM_ELECT_FIRST, TM_ELECT_ADAPTER, TM_ELECT_ROOT, TM_ELECT_IDLE };

/** The ways to elect by name, in the order of enum tm_elect. */
extern const struct tm_words tm_elections;

/** The key of each rank: [size], the caller's to free; for TM_ELECT_FIRST all 0.
 *  O(p + places x devices x (devices + depth)); idle as core/machine/overlap.h says. */
int *tm_elect_keys(const struct tm_placement *p, enum tm_elect elect, int root,
		   struct tm_error *err);

#endif
