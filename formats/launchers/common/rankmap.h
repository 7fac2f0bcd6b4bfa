/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rankmap.h - the nodes of ranks as Hydra's -rankmap takes them, which is also the form of PMI's
 * PMI_process_mapping.
 *
 *     0,0,1,1                    rank i on node i of the list
 *     (vector,(0,2,4))           from node 0, 2 nodes, 4 ranks on each
 *     (vector,(0,2,1),(0,2,1))   blocks one after the other: 0 1 0 1
 *     (vector,[(0,1,2),(1,1,1)]x3)   all blocks in brackets three times
 *
 * Nodes are positions in the list of nodes, from 0.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_RANKMAP_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_RANKMAP_H

#include "core/base/error.h"

#include <stddef.h>

struct tmap_rankmap {
	int *node; /**< [count] of each rank */
	int count;
	size_t capacity;
};

/** Read the text; blanks may stand anywhere. Refuses what is malformed, naming the column, and
 *  more than @p most ranks (core/machine/most_ranks.h), which are not made then.
 *  O(length + ranks). */
int tmap_rankmap_parse(struct tmap_rankmap *map, const char *text, int most,
		       struct tmap_error *err);
void tmap_rankmap_fini(struct tmap_rankmap *map);

#endif
