/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/tree/json_tree.h"

void tmap_json_put_edges(struct tmap_json_writer *w, const struct tmap_edge_count *edges, int count)
{
	tmap_json_open_line(w, "edges_per_distance", '{');
	for (int i = 0; i < count; i++) {
		char name[TMAP_JSON_NUMBER_ROOM];

		tmap_json_put_int(w, tmap_json_print_double(edges[i].distance, name),
				  edges[i].edges);
	}
	tmap_json_close(w);
}

int tmap_json_put_tree(struct tmap_json_writer *w, const struct tmap_tree *tree, const char *scale,
		       const int *world, struct tmap_error *err)
{
	struct tmap_tree_shape shape;

	if (tmap_tree_measure(tree, &shape, err) < 0)
		return -1;
	tmap_json_put_int(w, "size", tree->size);
	tmap_json_put_int(w, "root", tree->root);
	tmap_json_put_string(w, "scale", scale);
	tmap_json_put_ints(w, "parent", tree->parent, tree->size);
	tmap_json_put_doubles(w, "distance", tree->distance, tree->size);
	tmap_json_put_double(w, "weight", shape.weight);
	tmap_json_put_int(w, "depth", shape.depth);
	tmap_json_put_int(w, "fanout", shape.fanout);
	tmap_json_put_edges(w, shape.edges, shape.count);
	tmap_tree_shape_fini(&shape);
	return world ? tmap_json_put_list(w, "ranks", world, tree->size, err) : 0;
}
