/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lint_room.h - how many cores ranks need, and where a job's nodes have them.
 *
 *     node n0   package 0 [numa 0 [4 cores] numa 1 [4 cores]]   6 ranks of 2 cores each: 3 on a
 *               package 1 [numa 2 [4 cores] numa 3 [4 cores]]   package fit, 2 on a NUMA node do
 *                                                               too, though not as many on each
 *
 * Only what the job may use counts. Nodes are looked at by their kinds, O(kinds of nodes x objects), and
 * what is said of a job holds for each of them.
 */
#ifndef TMAP_CORE_LINT_LINT_ROOM_H
#define TMAP_CORE_LINT_LINT_ROOM_H

#include "core/lint/inspection.h"

/** Ranks of a node. */
int tmap_room_ranks(const struct tmap_inspection *it, int node);

/** Is it a node that has fewer ranks than is usual, and as many cores? */
bool tmap_room_is_leftover(const struct tmap_inspection *it, int node);

/** Threads that each rank runs; 0: unknown, or not all the same. O(settings). */
int tmap_room_threads(const struct tmap_placement *p);

/** Threads that the rank runs; 1: unknown. */
int tmap_room_rank_threads(const struct tmap_placement *p, int rank);

/** The cores that a rank needs: those that rank 0 is bound to, or one for each of its threads. */
int tmap_room_cores_needed(const struct tmap_inspection *it);

/** Have all nodes that are used as many cores? */
bool tmap_room_has_same_cores(const struct tmap_inspection *it);

/** The hardware threads of so many cores; TMAP_NONE where cores have not all as many. */
int tmap_room_pus(const struct tmap_inspection *it, int cores);

/** Objects of a type, and *least, the fewest cores of one. */
int tmap_room_objects(const struct tmap_topology *topo, enum tmap_type type, int *least);

/** Has each node several of the type, and each of them cores? Some launchers refuse others. */
bool tmap_room_has_type(const struct tmap_inspection *it, enum tmap_type type);

/** The most cores of an object of a type that a node of the job has; of the node where it has none. */
int tmap_room_widest(const struct tmap_inspection *it, enum tmap_type type);

/** How many cores each rank of @p node can have to itself, all in one object of @p type where the
 *  ranks are distributed over these in turn; 0: none. *ranks is how many come on an object, and
 *  *is_even whether as many come on each. */
int tmap_room_cores_each(const struct tmap_inspection *it, int node, enum tmap_type type,
			 int *ranks, bool *is_even);

/** So many cores as there are for each rank where they are fewest. */
int tmap_room_least_cores(const struct tmap_inspection *it);

/** Can the ranks of each node have so many cores each, all in one object of the type? *ranks is how
 *  many come on an object, and *is_even whether as many come on each object of every node. */
bool tmap_room_fits(const struct tmap_inspection *it, enum tmap_type type, int cores, int *ranks,
		    bool *is_even);

/** Are there so many cores for each rank in one package? */
bool tmap_room_is_in_packages(const struct tmap_inspection *it, int cores);

/** Do ranks that take so many cores each, core after core, take some of two packages? */
bool tmap_room_is_torn(const struct tmap_inspection *it, int cores);

/** Do @p each ranks of every node, those that it has where that is 0, that take so many cores each, core
 *  after core, leave no NUMA node or package idle, and are they on one each? */
bool tmap_room_is_packed_well(const struct tmap_inspection *it, int cores, int each);

/** Are @p each ranks on every package, that take so many cores each, core after core, on one NUMA node
 *  each, and do they share none while another one of the package is idle? */
bool tmap_room_packages_will_do(const struct tmap_inspection *it, int cores, int each);

/** Do the ranks so take all cores? */
bool tmap_room_is_full(const struct tmap_inspection *it, int cores);

#endif
