/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * locals.h - the ranks of each node by their number there, and the PUs of each.
 *
 *     node      n0           n1
 *     rank      0   2   5    1   3   4
 *     number    0   1   2    0   1   2
 *     PUs       0   4   8    0   4   8      uniform: one list serves both nodes
 *
 * Most launchers bind by these numbers: the k-th task of every node gets the k-th entry of a
 * list. PUs are the operating system's; "" is not bound, which is also what a rank is that
 * has all that the job may use of its node.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_LOCALS_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_LOCALS_H

#include "core/base/names.h"
#include "core/machine/placement.h"

struct tmap_locals {
	const struct tmap_placement *p; /**< borrowed: must outlive this */
	int *first;                     /**< [node_count + 1] */
	int *rank;         /**< [size] ranks of node n, rising, are rank[first[n] .. first[n+1]) */
	int *set_of_place; /**< [place_count] the PUs of each place, in sets */
	struct tmap_names sets; /**< "0-3,8", or "" */
	int longest;            /**< the first of the nodes with the most ranks */
	int odd;                /**< a rank whose PUs are not those of the rank with the same number
				  on that node; TMAP_NONE: uniform */
	int back; /**< the first rank that comes back to a node after others; TMAP_NONE: the
				  ranks of every node are consecutive */
};

/** O(p + N + places x PUs) time, 4 bytes a rank. */
int tmap_locals_init(struct tmap_locals *locals, const struct tmap_placement *p,
		     struct tmap_error *err);
void tmap_locals_fini(struct tmap_locals *locals);

/** Number of ranks on a node. */
int tmap_locals_count(const struct tmap_locals *locals, int node);

/** The PUs of a rank, "0-3,8"; "" where it is not bound. */
const char *tmap_locals_pus(const struct tmap_locals *locals, int rank);

/** Is no rank bound? O(p). */
bool tmap_locals_is_unbound(const struct tmap_locals *locals);

/** The nodes that have ranks, in order: number of each, TMAP_NONE for the others; [node_count],
 *  the caller's to free. */
int *tmap_locals_number_nodes(const struct tmap_locals *locals, struct tmap_error *err);

#endif
