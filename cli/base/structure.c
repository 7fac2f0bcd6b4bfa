/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/structure.h"

#include "formats/base/progress_line.h"
#include "formats/report/baseline/accesses_report.h"
#include "formats/report/baseline/baseline_report.h"
#include "formats/report/ring/dot_ring.h"
#include "formats/report/ring/text_ring.h"
#include "formats/report/tree/dot_tree.h"
#include "formats/report/tree/text_tree.h"
#include "formats/text/text_edges.h"

/* What the writers need: a tree, or a ring where there is no root. */
struct structure {
	const struct tmap_structure_args *args;
	struct tmap_subject job;
	struct tmap_view view;
	int root;
	struct tmap_tree tree;
	struct tmap_ring ring;
	struct tmap_tree_shape shape;         /* of a ring, its weight and edges */
	struct tmap_baseline_options against; /* empty where neither costs nor baselines are asked */
};

static bool structure_is_tree(const struct structure *it)
{
	return it->root != TMAP_NONE;
}

static const struct tmap_baselines *structure_baselines(const struct structure *it)
{
	return it->against.baselines.count ? &it->against.baselines : NULL;
}

/* With --against the tables of all; else ours, with its costs below where a size is given. */
static int structure_write_text(FILE *out, const void *data, struct tmap_error *err)
{
	const struct structure *it = data;
	const struct tmap_structure_args *args = it->args;
	const struct tmap_baselines *baselines = structure_baselines(it);
	int status = tmap_communicator_write_text(out, &it->job.placement, err);

	if (status < 0)
		return -1;
	if (args->against.count)
		status = tmap_text_write_title(out, &it->view, it->root, err) < 0 ?
			-1 :
			tmap_text_write_baselines(out, &it->view, baselines, err);
	else if (structure_is_tree(it))
		status = tmap_text_write_tree(out, &it->view, &it->tree, &it->shape, err);
	else
		status = tmap_text_write_ring(out, &it->view, &it->ring, it->shape.weight,
					      it->shape.edges, it->shape.count, err);
	if (status == 0 && !args->against.count && args->job.bytes != TMAP_NONE)
		status = tmap_text_write_costs(out, baselines, err);
	if (status == 0 && args->accesses && baselines)
		status = tmap_text_write_accesses(out, &baselines->row[0].totals.accesses,
						  it->job.placement.machine, err);
	return status;
}

static int structure_write_json(FILE *out, const void *data, struct tmap_error *err)
{
	const struct structure *it = data;
	const struct tmap_machine *machine = it->job.placement.machine;
	const struct tmap_report report = {
		.scale = tmap_scale_rows[it->job.scale].word.name,
		.world = it->job.placement.world,
		.placement = &it->job.placement,
		.baselines = structure_baselines(it),
		.has_accesses = it->args->accesses,
		.note = it->view.note,
		.profile = it->view.profile,
	};

	return structure_is_tree(it) ?
		tmap_tree_write_report(&it->tree, &report, machine, out, err) :
		tmap_ring_write_report(&it->ring, &report, machine, out, err);
}

/* Ours, and next to it the one baseline. */
static int structure_write_dot(FILE *out, const void *data, struct tmap_error *err)
{
	const struct structure *it = data;
	const struct tmap_baselines *baselines = structure_baselines(it);
	int count = baselines ? baselines->count : 1, status = 0;
	struct tmap_tree tree = { 0 };
	struct tmap_ring ring = { 0 };

	if (count > 2)
		return tmap_fail(err, TMAP_USAGE,
				 "a picture shows one other %s, and --against names %d",
				 structure_is_tree(it) ? "tree" : "ring", count - 1);
	if (structure_is_tree(it)) {
		const struct tmap_tree *const trees[] = { &it->tree, &tree };

		if (count == 2)
			status = tmap_baseline_options_tree(&tree, &it->job, it->root,
							    it->args->against.items[0], err);
		if (status == 0)
			status = tmap_dot_write_trees(out, &it->view, trees, count, baselines, err);
	} else {
		const struct tmap_ring *const rings[] = { &it->ring, &ring };

		if (count == 2)
			status = tmap_baseline_options_ring(&ring, &it->job,
							    it->args->against.items[0], err);
		if (status == 0)
			status = tmap_dot_write_rings(out, &it->view, rings, count, baselines, err);
	}
	tmap_tree_fini(&tree);
	tmap_ring_fini(&ring);
	return status;
}

/* The tree or ring and its shape. */
static int structure_build(struct structure *it, struct tmap_error *err)
{
	if (structure_is_tree(it))
		return tmap_subject_tree(&it->tree, &it->job, it->root, err) < 0 ?
			-1 :
			tmap_tree_measure(&it->tree, &it->shape, err);
	return tmap_subject_ring(&it->ring, &it->job, err) < 0 ?
		-1 :
		tmap_ring_measure(&it->ring, &it->shape.weight, &it->shape.edges, &it->shape.count,
				  err);
}

static int structure_init(struct structure *it, struct tmap_progress *progress,
			  struct tmap_error *err)
{
	const struct tmap_structure_args *args = it->args;
	bool is_tree = structure_is_tree(it);

	if (tmap_subject_init(&it->job, &args->job, it->root, err) < 0)
		return -1;
	tmap_progress_begin(progress, "joining");
	it->view = (struct tmap_view){
		.placement = &it->job.placement,
		.title = is_tree ? "Distance-aware broadcast tree" :
				   "Distance-aware allgather ring",
		.scale = (int)it->job.scale,
		.note = it->job.note,
		.world = it->job.placement.world,
	};
	/* with a size, its times name the profile */
	if (tmap_scale_rows[it->job.scale].by_profile && args->job.bytes == TMAP_NONE)
		it->view.profile = &it->job.profile.profile;
	if (structure_build(it, err) < 0)
		return -1;
	if (args->against.count || args->job.bytes != TMAP_NONE || args->accesses)
		if (tmap_baseline_options_init(&it->against, &it->job, &args->job,
					       is_tree ? "distance_tree" : "distance_ring",
					       is_tree ? &it->tree : NULL,
					       is_tree ? NULL : &it->ring, &args->against, err) < 0)
			return -1;
	return tmap_view_choose(&it->view, (enum tmap_folding)args->fold, args->format, err);
}

int tmap_structure_run(const struct tmap_structure_args *args, int root, struct tmap_error *err)
{
	static const struct tmap_writers writers = { structure_write_text, structure_write_json,
						     structure_write_dot };
	struct structure it = { .args = args, .root = root };
	struct tmap_progress_line line;
	int status;

	tmap_progress_line_start(&line, structure_is_tree(&it) ? "topomap tree" : "topomap ring");
	status = structure_init(&it, &line.progress, err);
	tmap_progress_line_fini(&line);
	if (status == 0)
		status = tmap_writers(&writers, args->format, args->output, &it, err);
	tmap_baseline_options_fini(&it.against);
	tmap_tree_shape_fini(&it.shape);
	tmap_tree_fini(&it.tree);
	tmap_ring_fini(&it.ring);
	tmap_subject_fini(&it.job);
	return status;
}
