/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hierarchy.h - the communicators that repeated hardware splits give, and their conduits.
 *
 * MPI_Comm_split_type(.., MPI_COMM_TYPE_HW_UNGUIDED, ..) splits a communicator by the next
 * lower level at which it falls apart; a program repeats it until it gets MPI_COMM_NULL:
 *
 *     0                                    the whole job
 *     node    1 {0..5}      2 {6..11}      3 nodes of 2 NUMA nodes of 3 cores, 18 ranks
 *             3 {12..17}
 *     numa    4 {0 1 2}     5 {3 4 5}      6 {6 7 8} ...
 *
 * Every communicator is strictly lower and strictly smaller than the one that it is split from:
 * a level at which all ranks of a communicator are limited to one object is passed over there. A
 * rank that is limited to no object of the level at which its communicator is split (it spans
 * several) gets MPI_COMM_NULL, and is split no further. Each communicator is split at a level of
 * its own, so ranks may get there after different numbers of calls.
 *
 * A conduit represents its communicator in the one above; the root is one wherever it is, and the
 * conduit of a communicator is that of those inside it that it is in. (Bouhrour, Pepin,
 * Jaeger, "Towards leveraging collective performance with the support of MPI 4.0 features in
 * MPC", sections 6.2, 8 and 9.) The group of a communicator exchanges data in
 * it: the conduits of those split from it and its ranks that are in none of these:
 *
 *     0 {0 6 12}    1 {0 3}   2 {6 9}   3 {12 15}    4 {0 1 2}   5 {3 4 5} ...
 *
 * So every rank but the root is in exactly one group without being the conduit of its
 * communicator: there it receives a broadcast. Groups of a hierarchical algorithm come in the
 * order of communicators for a broadcast, outermost first, and backwards for a gather.
 */
#ifndef TMAP_CORE_GROUP_HIERARCHY_H
#define TMAP_CORE_GROUP_HIERARCHY_H

#include "core/group/elect.h"
#include "core/machine/level_order.h"
#include "core/machine/partition.h"
#include "core/machine/placement.h"

/** A level at which some communicator is split. Its communicators are numbered from first to
 *  end - 1 in the order of their smallest ranks. */
struct tmap_hierarchy_level {
	char *name; /**< "switch1", "node", "numa", as core/machine/levels.h has it */
	int tier;   /**< of the machine's network; TMAP_NONE: a level inside nodes */
	struct tmap_level_kind kind; /**< of its objects, if it is inside nodes */
	int first, end;
	int64_t listed; /**< where the list of its communicators begins, in the hierarchy's members */
	int listed_count;
};

struct tmap_hierarchy {
	int size, root;
	int level_count;                    /**< 0: nothing can be split */
	struct tmap_hierarchy_level *level; /**< [level_count], outermost first */
	int comm_count;    /**< the whole job, number 0, included; less than 2 x size */
	int *split;        /**< [comm_count]: the level at which it is split, or TMAP_NONE */
	int *above;        /**< [comm_count]: the one that it is split from; TMAP_NONE: none */
	int *innermost;    /**< [size]: of each rank, the one that is not split further, or from
				   which it gets none; see tmap_hierarchy_comm() */
	int *conduit;      /**< [comm_count] */
	int *member_first; /**< [comm_count]: in the list of its level; see tmap_comm_members() */
	int *member;       /**< lists of ranks, communicator by communicator; levels with the same
				   list share it, as where ranks are in the order of the objects */
	int *group_first;  /**< [comm_count + 1]: the group of communicator c is group[..] */
	int *group;        /**< from group_first[c] to group_first[c + 1] - 1, rising; size +
				   comm_count - 1 in all */
};

/** The hierarchy of a placement over the levels named in @p levels ("node,numa"; NULL: all that
 *  separate ranks, see core/group/split_levels.h). O(p x levels + objects) time; a rank
 *  takes 8 bytes, 4 more for each level whose ranks are in another order, and 24 for each communicator. Refuses
 *  an unknown level and a root that is not one of the ranks (TMAP_INPUT). */
int tmap_hierarchy_init(struct tmap_hierarchy *h, const struct tmap_placement *placement,
			const char *levels, int root, enum tmap_elect elect,
			struct tmap_error *err);
void tmap_hierarchy_fini(struct tmap_hierarchy *h);

/** The same without communicators of a single rank: such a rank is itself in the group of the communicator
 *  above, as its conduit would be. So the groups of several ranks are the same, and where each
 *  rank has a core of its own, communicators are few. A level may be left without any (first = end). */
int tmap_hierarchy_init_several(struct tmap_hierarchy *h, const struct tmap_placement *placement,
				const char *levels, int root, enum tmap_elect elect,
				struct tmap_error *err);

/** What repeated unguided splits of MPICH 4.0.2 give: it knows nodes, packages, NUMA nodes, cores
 *  and PUs, and the ranks of a communicator that span several of these stay together instead
 *  of getting MPI_COMM_NULL. (At last it splits by a hash of the bindings, which is left out.)
 *  There are levels and split[], no conduits, members or groups. O(p x levels + objects). */
int tmap_hierarchy_init_mpich(struct tmap_hierarchy *h, const struct tmap_placement *placement,
			      struct tmap_error *err);

/** The communicators of a level as a partition. O(p). */
int tmap_hierarchy_partition(struct tmap_partition *p, const struct tmap_hierarchy *h, int level,
			     struct tmap_error *err);

/** The innermost communicator of @p rank at this level or above it; below level[level].first: it
 *  has none of this level. O(levels). */
static inline int tmap_hierarchy_comm(const struct tmap_hierarchy *h, int level, int rank)
{
	int comm = h->innermost[rank];

	while (comm >= h->level[level].end)
		comm = h->above[comm];
	return comm;
}

/** The ranks of a communicator, rising, how many there are, and where they begin in h->member.
 *  O(levels). */
const int *tmap_comm_members(const struct tmap_hierarchy *h, int comm);
int tmap_comm_size(const struct tmap_hierarchy *h, int comm);
int64_t tmap_comm_listed(const struct tmap_hierarchy *h, int comm);

/** List the members of the levels from @p level to end - 1 alone, TMAP_NONE being the whole job, or of none:
 *  all are listed at first. O(p x levels). */
int tmap_hierarchy_list(struct tmap_hierarchy *h, int level, int end, struct tmap_error *err);
void tmap_hierarchy_unlist(struct tmap_hierarchy *h);

/** Has @p rank a communicator of this level? O(levels). */
bool tmap_hierarchy_has(const struct tmap_hierarchy *h, int level, int rank);

/** The communicator that @p rank's one of this level was split from, or would have been. O(levels). */
int tmap_hierarchy_above(const struct tmap_hierarchy *h, int level, int rank);

/** The communicator whose conduit @p rank is in the group of @p comm; TMAP_NONE where it
 *  has none below. O(levels). */
int tmap_hierarchy_below(const struct tmap_hierarchy *h, int comm, int rank);

#endif
