/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cray.h - where Cray PALS's mpiexec puts the ranks, --ppn, --depth, --cpu-bind, and where Cray
 * MPICH then moves them, MPICH_RANK_REORDER_METHOD.
 *
 *     nodes   --ppn ranks on each, node after node
 *     bind    depth   --depth CPUs (hardware threads) for each rank of a node, in the order of the
 *                     system's indexes, those that may not be used left out
 *             core    --depth cores for each, whole ones, in the order of their first CPU
 *             list    the k-th set of CPUs for the k-th rank of a node
 *             none
 *     method  0  one of each node in turn               0 3 6 | 1 4 7 | 2 5 8
 *             1  as they were started                   0 1 2 | 3 4 5 | 6 7 8
 *             2  there and back through the nodes       0 5 6 | 1 4 7 | 2 3 8
 *
 * Imitated from documents, not compared with a running PALS. Sources: ALCF's user guides of
 * Aurora, Polaris and Crux of 2026 with the output of their examples (depth, list, --ppn, CPUs that
 * are left out); captured runs of NCAR's Derecho (core with --depth); LUMI's training material of
 * 2024 on Cray MPICH (the methods). The rules of --cpu-bind numa, socket and thread, and what is
 * done without --cpu-bind, are not public in that detail. aprun (ALPS) is not imitated.
 */
#ifndef TMAP_CORE_PLACE_CRAY_H
#define TMAP_CORE_PLACE_CRAY_H

#include "core/machine/placement.h"

enum tmap_cray_bind {
	TMAP_CRAY_NONE,
	TMAP_CRAY_DEPTH,
	TMAP_CRAY_CORE,
	TMAP_CRAY_LIST,
};

enum tmap_cray_method { TMAP_CRAY_ROUND_ROBIN, TMAP_CRAY_SMP, TMAP_CRAY_FOLDED };

struct tmap_cray_request {
	int ranks; /**< TMAP_NONE: ppn on each node */
	int ppn;   /**< 0: not given; then there is one node, and one rank for each core of it if
			ranks is not given either */
	int depth; /**< at least 1 */
	enum tmap_cray_bind bind;
	const struct tmap_idset *list; /**< [list_count] PUs by the system's indexes */
	int list_count;
	enum tmap_cray_method method;
};

#define TMAP_CRAY_REQUEST_INIT \
	{ \
		.ranks = TMAP_NONE, .depth = 1, .method = TMAP_CRAY_SMP \
	}

/** *p = the placement. Refuses more ranks or CPUs than there are, and a method where nodes have
 *  different numbers of ranks. O(p + N) beside O(CPUs log CPUs) for each kind of node. */
int tmap_cray_place(struct tmap_placement *p, struct tmap_machine *machine,
		    const struct tmap_cray_request *request, struct tmap_error *err);

#endif
