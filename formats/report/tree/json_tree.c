#include "formats/report/tree/json_tree.h"

#include "core/base/mem.h"
#include "formats/base/file.h"

#include <limits.h>
#include <stdlib.h>

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

int tmap_tree_write_json(const struct tmap_tree *tree, const char *scale, const int *world,
			 FILE *out, struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "tree");
	if (tmap_json_put_tree(&w, tree, scale, world, err) < 0)
		return -1;
	return tmap_json_end(&w, err);
}

/* Climbs from each rank to one that is known to lead to the root, and marks the way: every
 * rank is marked once. mark[] has the rank whose climb came by: meeting its own mark, it is in a cycle. */
static int find_cycle(const int *parent, int size, int root, int *mark)
{
	for (int rank = 0; rank < size; rank++)
		mark[rank] = TMAP_NONE;
	mark[root] = INT_MAX;
	for (int rank = 0; rank < size; rank++) {
		int at = rank;

		for (; mark[at] == TMAP_NONE; at = parent[at])
			mark[at] = rank;
		if (mark[at] == rank && at != root)
			return at;
	}
	return TMAP_NONE;
}

static int check_tree(const struct tmap_json *doc, const struct tmap_tree *tree,
		      struct tmap_error *err)
{
	int *mark, cycle;

	if (tree->parent[tree->root] != TMAP_NONE)
		return tmap_json_fail(doc, err, "the root, rank %d, has the parent %d", tree->root,
				      tree->parent[tree->root]);
	if (tree->distance[tree->root] > 0)
		return tmap_json_fail(doc, err, "the root, rank %d, has a distance to a parent",
				      tree->root);
	for (int rank = 0; rank < tree->size; rank++)
		if (tree->parent[rank] == TMAP_NONE && rank != tree->root)
			return tmap_json_fail(doc, err, "rank %d has no parent, but the root is %d",
					      rank, tree->root);
	mark = tmap_alloc_raw((size_t)tree->size, sizeof *mark, err);
	if (!mark)
		return -1;
	cycle = find_cycle(tree->parent, tree->size, tree->root, mark);
	free(mark);
	return cycle == TMAP_NONE ? 0 :
				    tmap_json_fail(doc, err, "rank %d is its own ancestor", cycle);
}

static int fill_tree(const struct tmap_json *doc, struct tmap_tree *tree, char **scale,
		     struct tmap_error *err)
{
	const char *name;

	if (tmap_json_check_kind(doc, "tree", err) < 0 ||
	    tmap_json_get_int(doc, "size", 1, INT_MAX, &tree->size, err) < 0 ||
	    tmap_json_get_index(doc, "root", tree->size, "ranks", &tree->root, err) < 0 ||
	    tmap_json_get_string(doc, "scale", &name, err) < 0)
		return -1;
	/* the array first: its length is what the document really has */
	tree->distance = tmap_json_get_doubles(doc, "distance", tree->size, err);
	if (!tree->distance)
		return -1;
	tree->parent =
		tmap_json_get_list(doc, "parent", tree->size, TMAP_NONE, tree->size - 1, err);
	if (!tree->parent || check_tree(doc, tree, err) < 0)
		return -1;
	if (!scale)
		return 0;
	*scale = tmap_strdup(name, err);
	return *scale ? 0 : -1;
}

int tmap_json_get_tree(const struct tmap_json *doc, struct tmap_tree *tree, char **scale,
		       struct tmap_error *err)
{
	struct tmap_tree made = { 0 };

	if (fill_tree(doc, &made, scale, err) < 0) {
		tmap_tree_fini(&made);
		return -1;
	}
	*tree = made;
	return 0;
}

int tmap_tree_read_json(struct tmap_tree *tree, char **scale, const char *path,
			struct tmap_error *err)
{
	struct tmap_json doc;
	int status;

	if (tmap_json_read(&doc, path, err) < 0)
		return -1;
	status = tmap_json_get_tree(&doc, tree, scale, err);
	tmap_json_fini(&doc);
	return status < 0 ? tmap_at(err, tmap_input_name(path), 0) : 0;
}
