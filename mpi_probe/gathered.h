/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gathered.h - the placement of a job from the messages of its nodes' leaders (see node.h).
 *
 *     roster     r0   r1   r2   r3        one a node, nodes by their smallest rank
 *     table_of    0    0    1    0        the node's table among the distinct ones
 *     topology_of 0    0    0             the table's description among the distinct ones
 */
#ifndef TMAP_MPI_PROBE_GATHERED_H
#define TMAP_MPI_PROBE_GATHERED_H

#include "core/base/string.h"
#include "core/machine/placement.h"

struct tmap_part {
	const unsigned char *data; /**< borrowed */
	size_t length;
};

struct tmap_gathered {
	int size; /**< ranks of the job */
	int topology_count, table_count, node_count;
	struct tmap_part *description; /**< [topology_count] distinct */
	struct tmap_part *table;       /**< [table_count] distinct */
	struct tmap_part *roster;      /**< [node_count] */
	const int *topology_of;        /**< [table_count] */
	const int *table_of;           /**< [node_count] */
};

/** The placement; nodes of one host name get distinct names (host.h), and where the last PU of
 *  some rank is unknown the placement has none. Refuses parts that are damaged, and a rank that
 *  comes twice or not at all. O(p + objects), besides sorting the affinities. */
int tmap_gathered_place(struct tmap_placement *p, const struct tmap_gathered *job,
			struct tmap_error *err);

/** Then, the switches above the nodes, where Slurm says them (formats/network/topology_addr.h).
 *  What is odd is added to *note, sentences, a line each; so is why they are left out, where they
 *  do not fit together. */
int tmap_gathered_connect(struct tmap_placement *p, const struct tmap_gathered *job,
			  struct tmap_str *note, struct tmap_error *err);

#endif
