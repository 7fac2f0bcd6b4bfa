/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node_blocks.h - the nodes of all ranks as blocks, as PMI and Flux write them.
 *
 *     nodes of the ranks     0 0 1 1 2 2            (0,3,2) once: from node 0, 3 nodes of 2 ranks
 *                            0 1 2 0 1 2            (0,3,1) twice
 *                            0 0 1 2                (0,1,2) once, (1,2,1) once
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_NODE_BLOCKS_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_NODE_BLOCKS_H

#include "core/base/string.h"

#include <stdint.h>

struct tmap_node_block {
	int start, nodes, ranks, repeat;
};

struct tmap_node_blocks {
	int count;
	struct tmap_node_block *block; /**< [count] */
	size_t capacity;
};

/** The blocks of @p size ranks, rank r on number[node[r]], or on node[r] where @p number is
 *  NULL. O(size) time; there are as many blocks as there is disorder. */
int tmap_node_blocks_init(struct tmap_node_blocks *blocks, const int *node, const int *number,
			  int size, struct tmap_error *err);
void tmap_node_blocks_fini(struct tmap_node_blocks *blocks);

/** Append Hydra's -rankmap: "(vector,(0,3,2))", "(vector,[(0,3,1)]x2)". */
void tmap_node_blocks_add_rankmap(struct tmap_str *str, const struct tmap_node_blocks *blocks);

/** The length of PMI's PMI_process_mapping, which has no "twice":
 *  "(vector,(0,3,1),(0,3,1))". */
int64_t tmap_node_blocks_pmi_length(const struct tmap_node_blocks *blocks);

#endif
