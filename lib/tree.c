/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/shapes.h"
#include "formats/report/baseline/baseline_report.h"
#include "formats/report/tree/dot_tree.h"
#include "formats/report/tree/text_tree.h"
#include "lib/handles.h"

#include <stdlib.h>

/* What is wrong with a name is the caller's mistake, not that of a file. */
static int shape_parse(struct tmap_spec *choice, const char *shape, struct tmap_error *err)
{
	if (tmap_spec_parse(choice, &tmap_tree_shapes, shape, err) == 0)
		return 0;
	err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
	return -1;
}

/* The tree of a library over measured distances, which know nothing of a placement. */
static int shape_measured(struct tmap_tree *tree, const struct tmap_matrix *matrix,
			  const struct tmap_spec *choice, int root, struct tmap_error *err)
{
	if (tmap_shape_parents(tree, choice, NULL, matrix->size, root, err) < 0)
		return -1;
	tmap_matrix_set_tree(tree, matrix);
	return 0;
}

/* Algorithm 1 where @p shape is NULL. */
static int tree_build(struct tmap_tree *tree, const struct topomap_distances *distances,
		      const char *shape, int root, struct tmap_error *err)
{
	const struct tmap_matrix *matrix = distances->placement ? NULL : &distances->matrix;
	struct tmap_spec choice;

	if (tmap_index_check(root, tmap_distances_size(distances), "rank", err) < 0)
		return tmap_wrap(err, "root");
	if (!shape)
		return matrix ? tmap_matrix_tree(tree, matrix, root, err) :
				tmap_tree_init(tree, &distances->metric, root, err);
	if (shape_parse(&choice, shape, err) < 0)
		return -1;
	return matrix ? shape_measured(tree, matrix, &choice, root, err) :
			tmap_shape_tree(tree, &choice, &distances->metric, root, err);
}

static struct topomap_tree *tree_make(const struct topomap_distances *distances, const char *shape,
				      int root, struct topomap_error *err, struct tmap_error *why)
{
	struct topomap_tree *made;

	if (tmap_handle_check(distances, TMAP_HANDLE_DISTANCES, why) == 0 &&
	    (made = tmap_handle_new(TMAP_HANDLE_TREE, sizeof *made, why))) {
		made->distances = tmap_handle_hold(distances);
		made->is_shape = shape != NULL;
		if (tree_build(&made->tree, distances, shape, root, why) == 0 &&
		    tmap_tree_measure(&made->tree, &made->shape, why) == 0 &&
		    tmap_tree_children(&made->tree, &made->first, &made->child, why) == 0)
			return made;
		topomap_tree_free(made);
	}
	tmap_public_error(err, why);
	return NULL;
}

struct topomap_tree *topomap_tree_new(const struct topomap_distances *distances, int root,
				      struct topomap_error *err)
{
	struct tmap_error why;

	return tree_make(distances, NULL, root, err, &why);
}

struct topomap_tree *topomap_tree_new_shape(const struct topomap_distances *distances,
					    const char *shape, int root, struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_argument_check(shape, "shape", &why) == 0)
		return tree_make(distances, shape, root, err, &why);
	tmap_public_error(err, &why);
	return NULL;
}

void topomap_tree_free(struct topomap_tree *tree)
{
	if (!tree || !tmap_handle_release(tree, TMAP_HANDLE_TREE))
		return;
	tmap_tree_shape_fini(&tree->shape);
	tmap_tree_fini(&tree->tree);
	free(tree->first);
	free(tree->child);
	topomap_distances_free(tree->distances);
	free(tree);
}

const int *topomap_tree_parents(const struct topomap_tree *tree, struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(tree, TMAP_HANDLE_TREE, &why) == 0)
		return tree->tree.parent;
	tmap_public_error(err, &why);
	return NULL;
}

int topomap_tree_children(const struct topomap_tree *tree, int rank, const int **child,
			  struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(tree, TMAP_HANDLE_TREE, &why) < 0 ||
	    tmap_index_check(rank, tree->tree.size, "rank", &why) < 0)
		return tmap_public_error(err, &why);
	if (child)
		*child = tree->child + tree->first[rank];
	return tree->first[rank + 1] - tree->first[rank];
}

int topomap_tree_measure(const struct topomap_tree *tree, double *weight, int *depth, int *fanout,
			 struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(tree, TMAP_HANDLE_TREE, &why) < 0)
		return tmap_public_error(err, &why);
	if (weight)
		*weight = tree->shape.weight;
	if (depth)
		*depth = tree->shape.depth;
	if (fanout)
		*fanout = tree->shape.fanout;
	return 0;
}

static const char *title_of(const struct topomap_tree *tree)
{
	return tree->is_shape ? "Broadcast tree" : "Distance-aware broadcast tree";
}

static int write_text(FILE *out, const void *handle, struct tmap_error *err)
{
	const struct topomap_tree *it = handle;
	struct tmap_view view;

	if (tmap_public_view(&view, it->distances, title_of(it), err) < 0)
		return -1;
	view.fold = it->tree.size > TMAP_TEXT_UNFOLDED;
	return tmap_text_write_tree(out, &view, &it->tree, &it->shape, err);
}

static int write_dot(FILE *out, const void *handle, struct tmap_error *err)
{
	const struct topomap_tree *it = handle;
	const struct tmap_tree *tree = &it->tree;
	struct tmap_view view;

	if (tmap_public_view(&view, it->distances, title_of(it), err) < 0)
		return -1;
	return tmap_dot_write_trees(out, &view, &tree, 1, NULL, err);
}

static int write_json(FILE *out, const void *handle, struct tmap_error *err)
{
	const struct topomap_tree *it = handle;
	const struct tmap_report report = tmap_public_report(it->distances);

	return tmap_tree_write_report(&it->tree, &report, NULL, out, err);
}

int topomap_tree_write(const struct topomap_tree *tree, const char *format, FILE *out,
		       struct topomap_error *err)
{
	static const struct tmap_public_writer writers[] = {
		{ "json", write_json }, { "text", write_text }, { "dot", write_dot }, { 0 }
	};
	struct tmap_error why;

	if (tmap_handle_check(tree, TMAP_HANDLE_TREE, &why) < 0 ||
	    tmap_public_write(writers, format, out, tree, &why) < 0)
		return tmap_public_error(err, &why);
	return 0;
}
