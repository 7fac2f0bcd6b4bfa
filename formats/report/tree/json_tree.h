/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_tree.h - the tree document.
 *
 *     {"kind": "tree", "format": 1, "size": 4, "root": 0, "scale": "process",
 *      "parent": [-1,0,0,2], "distance": [0,1,5,1],
 *      "weight": 7, "depth": 2, "fanout": 2, "edges_per_distance": {"1": 2, "5": 1}}
 */
#ifndef TMAP_FORMATS_REPORT_TREE_JSON_TREE_H
#define TMAP_FORMATS_REPORT_TREE_JSON_TREE_H

#include "core/tree/tree.h"
#include "formats/json/json_write.h"

/** Write the members of the document of a tree whose distances are on the scale called @p scale;
 *  @p world, if not NULL, has the ranks' numbers in the whole job. */
int tmap_json_put_tree(struct tmap_json_writer *w, const struct tmap_tree *tree, const char *scale,
		       const int *world, struct tmap_error *err);

/** Write the member "edges_per_distance". */
void tmap_json_put_edges(struct tmap_json_writer *w, const struct tmap_edge_count *edges,
			 int count);

#endif
