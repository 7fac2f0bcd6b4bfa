/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.h - the programs of a job that has several, in the order of the command line.
 *
 *     mpirun -n 2 --host b:2,a A : -n 3 B        { 2, nodes b a, slots 2 1 }   { 3, all nodes }
 */
#ifndef TMAP_CORE_PLACE_PROGRAM_H
#define TMAP_CORE_PLACE_PROGRAM_H

#include "core/base/error.h"

struct tmap_program {
	int ranks;      /**< TMAP_NONE: not given */
	int *node;      /**< [node_count] those that it may use, in its order; NULL: all */
	int *slots;     /**< [node_count] what it may take of each; NULL: all that are left */
	int node_count; /**< may be 0 where its nodes are not the job's */
	int *sequence;  /**< [sequence_count] the node of each rank, where these are mapped in
				  sequence, TMAP_NONE for a host that is none; NULL: its nodes */
	int sequence_count;
};

#endif
