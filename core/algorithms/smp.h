/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * smp.h - collectives within nodes and between one rank of each, as MPI libraries compose them.
 *
 *     bcast         [root to the leader of its node]   between leaders   within nodes
 *     reduce        within nodes   between leaders   [rank 0 to the root]
 *     allreduce     reduce within nodes, reduce and bcast between leaders, bcast within nodes
 *     barrier       within nodes   between leaders   within nodes again, or a bcast there
 *     scan          within nodes; the last rank of each to its leader; between leaders, and from
 *                   each to the next one; a word and, but on the first node, a bcast within nodes
 *
 * That is what MPICH's compositions and Open MPI's coll/han send, to the message, where it is
 * not what a hierarchy of two levels (core/algorithms/hierarchical.h) sends. It runs on one node,
 * too, where MPICH does the same.
 *
 * The parameters: "lead" is which rank of a node leads it: its first one, so that another root
 * sends to it, or receives from rank 0, first (MPICH); or the one that has the number of the root
 * on its node, for which all nodes need equally many ranks (HAN), maybe so that libnbc's trees
 * begin with it, the first having taken its place in these; or the first, and the root's node
 * reduces last, its first rank's vector being what the other nodes come to (MPICH). "segment" cuts
 * the vector: while one segment is between the leaders, the next one is within the nodes, each in a
 * task of its own; "later" is the algorithm between the leaders for all but the first (HAN's
 * broadcast), and "piece" cuts whole segments once more there. In the order of tasks a rank does
 * the later step of the earlier segment first.
 */
#ifndef TMAP_CORE_ALGORITHMS_SMP_H
#define TMAP_CORE_ALGORITHMS_SMP_H

#include "core/schedule/emit.h"

extern const struct tmap_param tmap_smp_bcast[], tmap_smp_reduce[], tmap_smp_allreduce[],
	tmap_smp_barrier[], tmap_smp_scan[];

/** Refuses a call without a placement, nodes with different numbers of ranks where the root's
 *  number leads, scans where the ranks of a node are not contiguous, and inner algorithms that do
 *  not fit. */
int tmap_smp_check(const struct tmap_call *call, struct tmap_error *err);

/** The vector in one piece where all parts take it so, else in bytes. */
int64_t tmap_smp_pieces(const struct tmap_call *call);

/** Of all of these collectives. */
int tmap_smp(struct tmap_emit *emit);

/** What the rows share, but for their words, their params and their pieces. */
#define TMAP_SMP_ROW \
	.pattern = TMAP_PATTERN_PLACED, .by_name = true, .check = tmap_smp_check, \
	.generate = tmap_smp, .choice.knobs = { NULL, NULL, NULL }, \
	.source = "MPICH 4 (compositions), Open MPI 5 (coll/han)"

#endif
