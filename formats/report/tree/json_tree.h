/*
 * json_tree.h - the tree document, written and read.
 *
 *     {"kind": "tree", "format": 1, "size": 4, "root": 0, "scale": "process",
 *      "parent": [-1,0,0,2], "distance": [0,1,5,1],
 *      "weight": 7, "depth": 2, "fanout": 2, "edges_per_distance": {"1": 2, "5": 1}}
 */
#ifndef TMAP_FORMATS_REPORT_TREE_JSON_TREE_H
#define TMAP_FORMATS_REPORT_TREE_JSON_TREE_H

#include "core/tree/tree.h"
#include "formats/json/json.h"
#include "formats/json/json_write.h"

#include <stdio.h>

/** Write the document of a tree whose distances are on the scale called @p scale; @p world, if
 *  not NULL, has the ranks' numbers in the whole job. */
int tmap_tree_write_json(const struct tmap_tree *tree, const char *scale, const int *world,
			 FILE *out, struct tmap_error *err);

/** The members of the document, for documents that have more. */
int tmap_json_put_tree(struct tmap_json_writer *w, const struct tmap_tree *tree, const char *scale,
		       const int *world, struct tmap_error *err);

/** The tree that @p path holds ("-": standard input), tmap_tree_fini() it: one root, every other
 *  rank below it, distances not negative. *scale (unless NULL) is its scale's name, the
 *  caller's to free. What follows from the two arrays is not read. */
int tmap_tree_read_json(struct tmap_tree *tree, char **scale, const char *path,
			struct tmap_error *err);

/** The same for an object of a document that is read already. */
int tmap_json_get_tree(const struct tmap_json *in, struct tmap_tree *tree, char **scale,
		       struct tmap_error *err);

/** Write the member "edges_per_distance". */
void tmap_json_put_edges(struct tmap_json_writer *w, const struct tmap_edge_count *edges,
			 int count);

#endif
