/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hierarchical.h - collectives over the communicators that hardware splits give.
 *
 *     18 ranks, 3 nodes of 2 NUMA nodes; bcast,root=0     {0 6 12}
 *                                                         {0 3} {6 9} {12 15}
 *                                                         {0 1 2} {3 4 5} {6 7 8} ...
 *
 * Each line is a phase (core/algorithms/phase.h) in all groups of one level of
 * core/group/hierarchy.h at the same time: down for what spreads from the root or rank 0, up
 * for what comes together there. What every rank gets from every other comes together below,
 * goes among the leaders of the outermost communicator, and spreads again:
 *
 *     bcast, scatter            bcast, or scatter, down
 *     reduce, gather            reduce, or gather, up; the row hierarchical_ordered gathers the
 *                               vectors, and the root reduces them in the order of the ranks,
 *                               as an operator that does not commute needs it
 *     allgather                 gather up, allgather at the top, bcast down
 *     allreduce                 reduce up, allreduce at the top, bcast down
 *     reduce_scatter(_block)    reduce up, reduce_scatter at the top, scatter down
 *     alltoall                  gather up, alltoall at the top, scatter down
 *     barrier                   reduce up, barrier at the top, bcast down
 *
 * A rank that has no communicator of a level takes part in the one above with its own data.
 * (Bouhrour, Pepin, Jaeger, section 9; allgather and allreduce go by a root there.)
 *
 * The parameters: "levels", by name; "all" are those at which ranks differ. "elect", which rank
 * leads a communicator (core/group/elect.h). "inner" is the algorithm at the top, and at
 * each level below it where all levels do the same; lists go from the outermost level inwards,
 * and the last word is for all further levels.
 */
#ifndef TMAP_CORE_ALGORITHMS_HIERARCHICAL_H
#define TMAP_CORE_ALGORITHMS_HIERARCHICAL_H

#include "core/schedule/emit.h"

struct tmap_hierarchy;

/** The words of "levels": "all", that many tiers of the network, whatever they are called, from
 *  the outside to the leaves ("switch1"), then what is in nodes. */
enum { TMAP_HIERARCHICAL_TIERS = 4 };
const char *tmap_hierarchical_level(int64_t i);

extern const struct tmap_param tmap_hierarchical_bcast[], tmap_hierarchical_reduce[],
	tmap_hierarchical_gather[], tmap_hierarchical_scatter[], tmap_hierarchical_allgather[],
	tmap_hierarchical_allreduce[], tmap_hierarchical_reduce_scatter[],
	tmap_hierarchical_alltoall[], tmap_hierarchical_barrier[];

/** Refuses a call without a placement, levels that the machine does not have or at which its
 *  ranks do not fall apart, and inner algorithms that do not fit. */
int tmap_hierarchical_check(const struct tmap_call *call, struct tmap_error *err);

/** The vector in one piece if all inner algorithms take it so, else in bytes. */
int64_t tmap_hierarchical_pieces(const struct tmap_call *call);

/** Of all of these collectives. */
int tmap_hierarchical(struct tmap_emit *emit);

/** The communicators of such a call that have several ranks. O(p x levels). */
int tmap_hierarchical_communicators(struct tmap_hierarchy *h, const struct tmap_call *call,
				    struct tmap_error *err);

/** Two levels, nodes and their leaders, are Open MPI's HAN and MPICH's smp: which algorithms run
 *  within and between nodes is then the library's own choice. */
#define TMAP_HAN(collective) \
	"{levels=node}{elect=first}--mca coll_han_priority 100 --mca coll_han_use_simple_" collective \
	" 1"
#define TMAP_SMP(collective) \
	"{levels=node}{elect=first}MPIR_CVAR_" collective "_INTRA_ALGORITHM=smp"

/** What the rows share, but for their words, their params and their pieces. */
#define TMAP_HIERARCHICAL \
	.pattern = TMAP_PATTERN_PLACED, .knob_by_node = true, .check = tmap_hierarchical_check, \
	.generate = tmap_hierarchical, .source = "Bouhrour, Pepin, Jaeger 2022 (MPC)"

#endif
