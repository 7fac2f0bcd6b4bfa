/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/baseline_options.h"

#include "core/base/mem.h"
#include "core/cost/profile_same.h"
#include "core/score/others.h"
#include "core/tree/shapes.h"

#include <stdlib.h>
#include <string.h>

/* What is compared: trees from a root, or rings. */
struct kind {
	const struct tmap_keywords *words;
	int root; /* TMAP_NONE: rings */
};

static int build_and_add(struct tmap_baselines *baselines, const struct tmap_subject *job,
			 const struct kind *kind, const struct tmap_spec *choice, const char *name,
			 struct tmap_error *err)
{
	struct tmap_tree tree = { 0 };
	struct tmap_ring ring = { 0 };
	bool is_tree = kind->root != TMAP_NONE;
	int status = is_tree ? tmap_subject_shape_tree(&tree, job, choice, kind->root, err) :
			       tmap_subject_shape_ring(&ring, job, choice, err);

	if (status == 0)
		status = tmap_baselines_add(baselines, name, choice, is_tree ? &tree : NULL,
					    is_tree ? NULL : &ring, err);
	tmap_tree_fini(&tree);
	tmap_ring_fini(&ring);
	return status;
}

/* Adds one shape; where it needs what this job lacks, the reason instead if @p may_lack. */
static int add_choice(struct tmap_baselines *baselines, const struct tmap_subject *job,
		      const struct kind *kind, const struct tmap_spec *choice, bool may_lack,
		      struct tmap_error *err)
{
	char *name = tmap_spec_print(choice, err);
	int status;

	if (!name)
		return -1;
	status = build_and_add(baselines, job, kind, choice, name, err);
	if (status < 0 && may_lack && err->kind == TMAP_INPUT)
		status = tmap_baselines_add_absent(baselines, name, choice, err->text, err);
	free(name);
	return status;
}

static int add_all(struct tmap_baselines *baselines, const struct tmap_subject *job,
		   const struct kind *kind, struct tmap_error *err)
{
	for (int i = 0; tmap_keywords_at(kind->words, (size_t)i); i++) {
		const struct tmap_spec choice = tmap_spec_preset(kind->words, i);

		if (add_choice(baselines, job, kind, &choice, true, err) < 0)
			return -1;
	}
	return 0;
}

/* A name that no table has is a wrong command line. */
static int parse(struct tmap_spec *choice, const struct tmap_keywords *words, const char *name,
		 struct tmap_error *err)
{
	if (tmap_spec_parse(choice, words, name, err) == 0)
		return 0;
	err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
	return tmap_wrap(err, "--against");
}

int tmap_baseline_options_tree(struct tmap_tree *tree, const struct tmap_subject *job, int root,
			       const char *name, struct tmap_error *err)
{
	struct tmap_spec choice;

	if (parse(&choice, &tmap_tree_shapes, name, err) < 0)
		return -1;
	return tmap_subject_shape_tree(tree, job, &choice, root, err);
}

int tmap_baseline_options_ring(struct tmap_ring *ring, const struct tmap_subject *job,
			       const char *name, struct tmap_error *err)
{
	struct tmap_spec choice;

	if (parse(&choice, &tmap_ring_shapes, name, err) < 0)
		return -1;
	return tmap_subject_shape_ring(ring, job, &choice, err);
}

static int add_names(struct tmap_baselines *baselines, const struct tmap_subject *job,
		     const struct kind *kind, const struct tmap_opt_list *names,
		     struct tmap_error *err)
{
	for (size_t i = 0; i < names->count; i++) {
		struct tmap_spec choice;

		if (strcmp(names->items[i], "all") == 0) {
			if (add_all(baselines, job, kind, err) < 0)
				return -1;
			continue;
		}
		if (parse(&choice, kind->words, names->items[i], err) < 0)
			return -1;
		if (add_choice(baselines, job, kind, &choice, false, err) < 0)
			return tmap_wrap(err, "--against");
	}
	return 0;
}

/* Models of other published profiles, where a size is given and ranks are few. */
static int add_others(struct tmap_baseline_options *against, const struct tmap_subject *job,
		      struct tmap_error *err)
{
	struct tmap_baselines *baselines = &against->baselines;
	const struct tmap_profile *own = &job->profile.profile, *profile;
	int count = 0, next = 0;

	if (against->load.bytes == TMAP_NONE || job->placement.size > TMAP_OTHERS_MOST_RANKS)
		return 0;
	while (tmap_profile_next_other(own, &next))
		count++;
	baselines->other = against->other = tmap_alloc((size_t)count, sizeof *against->other, err);
	if (!against->other)
		return -1;
	next = 0;
	while ((profile = tmap_profile_next_other(own, &next))) {
		if (tmap_cost_model_init(&against->other[baselines->other_count], &job->placement,
					 &job->process, &against->levels, profile, err) < 0)
			return -1;
		baselines->other_count++;
	}
	return 0;
}

int tmap_baseline_options_init(struct tmap_baseline_options *against,
			       const struct tmap_subject *job, const struct tmap_subject_args *args,
			       const char *name, const struct tmap_tree *tree,
			       const struct tmap_ring *ring, const struct tmap_opt_list *names,
			       struct tmap_error *err)
{
	const struct kind kind = { .words = tree ? &tmap_tree_shapes : &tmap_ring_shapes,
				   .root = tree ? tree->root : TMAP_NONE };

	struct tmap_order order;

	*against = (struct tmap_baseline_options){ 0 };
	if (tmap_levels_init(&against->levels, job->placement.machine, err) < 0 ||
	    tmap_order_find(&order, &job->placement, err) < 0)
		return -1;
	if (args->bytes != TMAP_NONE &&
	    tmap_cost_model_init(&against->model, &job->placement, &job->process, &against->levels,
				 &job->profile.profile, err) < 0)
		return -1;
	against->load = (struct tmap_load){ .process = &job->process,
					    .levels = &against->levels,
					    .model = &against->model,
					    .bytes = args->bytes,
					    .chunk_bytes = args->chunk };
	against->baselines.load = &against->load;
	against->baselines.whole = tmap_library_whole(tree ? TMAP_BCAST : TMAP_ALLGATHER, &order);
	if (add_others(against, job, err) < 0 ||
	    tmap_baselines_add(&against->baselines, name, NULL, tree, ring, err) < 0)
		return -1;
	return add_names(&against->baselines, job, &kind, names, err);
}

void tmap_baseline_options_fini(struct tmap_baseline_options *against)
{
	for (int i = 0; i < against->baselines.other_count; i++)
		tmap_cost_model_fini(&against->other[i]);
	free(against->other);
	tmap_baselines_fini(&against->baselines);
	tmap_cost_model_fini(&against->model);
	tmap_levels_fini(&against->levels);
	*against = (struct tmap_baseline_options){ 0 };
}
