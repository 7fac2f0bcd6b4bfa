#include "formats/report/tree/json_tree.h"

#include "core/base/mem.h"
#include "formats/base/file.h"

#include <limits.h>
#include <stdlib.h>

void tm_json_put_edges(struct tm_json_writer *w, const struct tm_edge_count *edges, int count)
{
	tm_json_open_line(w, "edges_per_distance", '{');
	for (int i = 0; i < count; i++) {
		char name[TM_JSON_NUMBER_ROOM];

		tm_json_put_int(w, tm_json_print_double(edges[i].distance, name), edges[i].edges);
	}
	tm_json_close(w);
}

int tm_json_put_tree(struct tm_json_writer *w, const struct tm_tree *tree, const char *scale,
		     const int *world, struct tm_error *err)
{
	struct tm_tree_shape shape;

	if (tm_tree_measure(tree, &shape, err) < 0)
		return -1;
	tm_json_put_int(w, "size", tree->size);
	tm_json_put_int(w, "root", tree->root);
	tm_json_put_string(w, "scale", scale);
	tm_json_put_ints(w, "parent", tree->parent, tree->size);
	tm_json_put_doubles(w, "distance", tree->distance, tree->size);
	tm_json_put_double(w, "weight", shape.weight);
	tm_json_put_int(w, "depth", shape.depth);
	tm_json_put_int(w, "fanout", shape.fanout);
	tm_json_put_edges(w, shape.edges, shape.count);
	tm_tree_shape_fini(&shape);
	return world ? tm_json_put_list(w, "ranks", world, tree->size, err) : 0;
}

int tm_tree_write_json(const struct tm_tree *tree, const char *scale, const int *world, FILE *out,
		       struct tm_error *err)
{
	struct tm_json_writer w;

	tm_json_begin(&w, out, "tree");
	if (tm_json_put_tree(&w, tree, scale, world, err) < 0)
		return -1;
	return tm_json_end(&w, err);
}

/* Climbs from each rank to one that is known to lead to the root, and marks the way: every
 * rank is marked once. mark[] says whose climb came by, so meeting one's own mark is a cycle. */
static int find_cycle(const int *parent, int size, int root, int *mark)
{
	for (int rank = 0; rank < size; rank++)
		mark[rank] = TM_NONE;
	mark[root] = INT_MAX;
	for (int rank = 0; rank < size; rank++) {
		int at = rank;

		for (; mark[at] == TM_NONE; at = parent[at])
			mark[at] = rank;
		if (mark[at] == rank && at != root)
			return at;
	}
	return TM_NONE;
}

static int check_tree(const struct tm_json *doc, const struct tm_tree *tree, struct tm_error *err)
{
	int *mark, cycle;

	if (tree->parent[tree->root] != TM_NONE)
		return tm_json_fail(doc, err, "the root, rank %d, has the parent %d", tree->root,
				    tree->parent[tree->root]);
	if (tree->distance[tree->root] > 0)
		return tm_json_fail(doc, err, "the root, rank %d, has a distance to a parent",
				    tree->root);
	for (int rank = 0; rank < tree->size; rank++)
		if (tree->parent[rank] == TM_NONE && rank != tree->root)
			return tm_json_fail(doc, err, "rank %d has no parent, but the root is %d",
					    rank, tree->root);
	mark = tm_alloc_raw((size_t)tree->size, sizeof *mark, err);
	if (!mark)
		return -1;
	cycle = find_cycle(tree->parent, tree->size, tree->root, mark);
	free(mark);
	return cycle == TM_NONE ? 0 :
	       tm_json_fail(doc, err, "rank %d is its own ancestor", cycle);
}

static int fill_tree(const struct tm_json *doc, struct tm_tree *tree, char **scale,
		     struct tm_error *err)
{
	const char *name;

	if (tm_json_check_kind(doc, "tree", err) < 0 ||
	    tm_json_get_int(doc, "size", 1, INT_MAX, &tree->size, err) < 0 ||
	    tm_json_get_index(doc, "root", tree->size, "ranks", &tree->root, err) < 0 ||
	    tm_json_get_string(doc, "scale", &name, err) < 0)
		return -1;
	/* the array first: its length is what the document really has */
	tree->distance = tm_json_get_doubles(doc, "distance", tree->size, err);
	if (!tree->distance)
		return -1;
	tree->parent = tm_json_get_list(doc, "parent", tree->size, TM_NONE, tree->size - 1, err);
	if (!tree->parent || check_tree(doc, tree, err) < 0)
		return -1;
	if (!scale)
		return 0;
	*scale = tm_strdup(name, err);
	return *scale ? 0 : -1;
}

int tm_json_get_tree(const struct tm_json *doc, struct tm_tree *tree, char **scale,
		     struct tm_error *err)
{
	struct tm_tree made = { 0 };

	if (fill_tree(doc, &made, scale, err) < 0) {
		tm_tree_fini(&made);
		return -1;
	}
	*tree = made;
	return 0;
}

int tm_tree_read_json(struct tm_tree *tree, char **scale, const char *path, struct tm_error *err)
{
	struct tm_json doc;
	int status;

	if (tm_json_read(&doc, path, err) < 0)
		return -1;
	status = tm_json_get_tree(&doc, tree, scale, err);
	tm_json_fini(&doc);
	return status < 0 ? tm_wrap(err, "%s", tm_input_name(path)) : 0;
}
