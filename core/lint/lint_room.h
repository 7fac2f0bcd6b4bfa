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

/** Cores that so many ranks need with so many each; INT_MAX where that is more. */
int tmap_room_product(int cores, int ranks);

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

/** [place_count]: how many ranks of one node have the place, at most; the caller's to free.
 *  O(places + ranks of the kinds of nodes). */
int *tmap_room_ranks_of_places(const struct tmap_inspection *it, struct tmap_error *err);

/** Threads of ranks on the node that a cgroup gives the time of a CPU, INT_MAX where none limits them. */
int tmap_room_quota(const struct tmap_inspection *it, int node);

/** The least of all nodes of the job. O(N). */
int tmap_room_least_quota(const struct tmap_inspection *it);

/** Have all nodes that are used as many cores? */
bool tmap_room_has_same_cores(const struct tmap_inspection *it);

/** The hardware threads of so many cores; TMAP_NONE where cores have not all as many. */
int tmap_room_pus(const struct tmap_inspection *it, int cores);

/** Is it the first PU of a core that the job may use? */
bool tmap_room_begins_core(const struct tmap_topology *topo, int pu);

/** Cores of an object that the job may use; PUs outside of cores are cores. O(its PUs). */
int tmap_room_object_cores(const struct tmap_topology *topo, int object);

/** Do the cores of each package, NUMA node and L3 cache follow one another by OS index? O(PUs) for a kind
 *  of nodes. */
bool tmap_room_is_in_order(const struct tmap_inspection *it);

/** Objects of a type, and *least, the fewest cores of one. */
int tmap_room_objects(const struct tmap_topology *topo, enum tmap_type type, int *least);

/** Has each node several of the type that the job may use, and each of them cores? Some launchers refuse
 *  others. */
bool tmap_room_has_type(const struct tmap_inspection *it, enum tmap_type type);

/** Are the cores of each object of the type, on every node, a multiple of so many? */
bool tmap_room_is_divided(const struct tmap_inspection *it, enum tmap_type type, int cores);

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

/** So many cores of one object of the type as there are for each rank where they are fewest, where the ranks
 *  of each node are distributed over its objects. */
int tmap_room_least_each(const struct tmap_inspection *it, enum tmap_type type);

/** Are there so many cores for each rank in one object of the type, of nodes that have several? */
bool tmap_room_is_inside(const struct tmap_inspection *it, enum tmap_type type, int cores);

/** Do ranks that take so many cores each, core after core, take some of two packages? */
bool tmap_room_is_torn(const struct tmap_inspection *it, int cores);

/** Do @p each ranks of every node, those that it has where that is 0, that take so many cores each, core
 *  after core, leave no NUMA node or package idle, crowd no L3 cache, and are they on one each? */
bool tmap_room_is_packed_well(const struct tmap_inspection *it, int cores, int each);

/** Are @p each ranks on every package, that take so many cores each, core after core, on one NUMA node
 *  each, and do they share none, nor crowd an L3 cache, while another one of the package is idle? */
bool tmap_room_packages_will_do(const struct tmap_inspection *it, int cores, int each);

/** So many cores for each rank, at least @p cores, that ranks which take them core after core are on
 *  all objects of the type, no fewer than half as many on the last one as on the others, and each on
 *  one of them; TMAP_NONE: there is no such number. */
int tmap_room_stretched(const struct tmap_inspection *it, enum tmap_type type, int cores);

/** Do ranks that have so many of the cores of an object for themselves crowd it? They do on more than
 *  half of them, or on half of several. */
bool tmap_room_is_crowded(int cores, int taken);

/** Is that much more than an even share, of all cores that are taken of so many objects? That is at most
 *  three of four of them. */
bool tmap_room_is_uneven(int taken, int all, int objects);

/** The memory controllers of a node, or its packages where it has one of these for all. */
enum tmap_type tmap_room_memory_type(const struct tmap_topology *topo);

/** Do @p each ranks of every node, those that it has where that is 0, that take so many cores each, crowd
 *  L3 caches while others of the same memory are idle, and that unevenly, if they are distributed over
 *  the objects of a type, NODE for none, and there core after core? O(PUs) for a kind of nodes. */
bool tmap_room_crowds_caches(const struct tmap_inspection *it, enum tmap_type type, int cores,
			     int each);

/** Has a memory controller of a node several memories, as with MCDRAM in flat mode? Open MPI maps to each
 *  of these as if it were a NUMA node. */
bool tmap_room_has_twin_memories(const struct tmap_inspection *it);

/** Do the ranks so take all cores? */
bool tmap_room_is_full(const struct tmap_inspection *it, int cores);

#endif
