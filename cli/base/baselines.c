#include "cli/base/baselines.h"

#include "core/tree/shapes.h"

#include <stdlib.h>
#include <string.h>

/* What is compared: trees from a root, or rings. */
struct kind {
	const struct tm_words *words;
	int root;            /* TM_NONE: rings */
};

static int build_and_add(struct tm_versus *versus, const struct tm_job *job,
			 const struct kind *kind, const struct tm_choice *choice,
			 const char *name, struct tm_error *err)
{
	struct tm_tree tree = { 0 };
	struct tm_ring ring = { 0 };
	bool is_tree = kind->root != TM_NONE;
	int status = is_tree ? tm_job_shape_tree(&tree, job, choice, kind->root, err) :
			       tm_job_shape_ring(&ring, job, choice, err);

	if (status == 0)
		status = tm_versus_add(versus, name, choice, is_tree ? &tree : NULL,
				       is_tree ? NULL : &ring, err);
	tm_tree_fini(&tree);
	tm_ring_fini(&ring);
	return status;
}

/* Adds one shape; where it needs what this job lacks, the reason instead if @p may_lack. */
static int add_choice(struct tm_versus *versus, const struct tm_job *job, const struct kind *kind,
		      const struct tm_choice *choice, bool may_lack, struct tm_error *err)
{
	char *name = tm_choice_print(choice, err);
	int status;

	if (!name)
		return -1;
	status = build_and_add(versus, job, kind, choice, name, err);
	if (status < 0 && may_lack && err->kind == TM_INPUT)
		status = tm_versus_add_absent(versus, name, choice, err->text, err);
	free(name);
	return status;
}

static int add_all(struct tm_versus *versus, const struct tm_job *job, const struct kind *kind,
		   struct tm_error *err)
{
	for (int i = 0; tm_words_at(kind->words, (size_t)i); i++) {
		const struct tm_choice choice = tm_choice_preset(kind->words, i);

		if (add_choice(versus, job, kind, &choice, true, err) < 0)
			return -1;
	}
	return 0;
}

/* A name that no table has is a wrong command line. */
static int parse(struct tm_choice *choice, const struct tm_words *words, const char *name,
		 struct tm_error *err)
{
	if (tm_choice_parse(choice, words, name, err) == 0)
		return 0;
	err->kind = err->kind == TM_INPUT ? TM_USAGE : err->kind;
	return tm_wrap(err, "--against");
}

int tm_against_tree(struct tm_tree *tree, const struct tm_job *job, int root, const char *name,
		    struct tm_error *err)
{
	struct tm_choice choice;

	if (parse(&choice, &tm_tree_shapes, name, err) < 0)
		return -1;
	return tm_job_shape_tree(tree, job, &choice, root, err);
}

int tm_against_ring(struct tm_ring *ring, const struct tm_job *job, const char *name,
		    struct tm_error *err)
{
	struct tm_choice choice;

	if (parse(&choice, &tm_ring_shapes, name, err) < 0)
		return -1;
	return tm_job_shape_ring(ring, job, &choice, err);
}

static int add_names(struct tm_versus *versus, const struct tm_job *job, const struct kind *kind,
		     const struct tm_opt_list *names, struct tm_error *err)
{
	for (size_t i = 0; i < names->count; i++) {
		struct tm_choice choice;

		if (strcmp(names->items[i], "all") == 0) {
			if (add_all(versus, job, kind, err) < 0)
				return -1;
			continue;
		}
		if (parse(&choice, kind->words, names->items[i], err) < 0)
			return -1;
		if (add_choice(versus, job, kind, &choice, false, err) < 0)
			return tm_wrap(err, "--against");
	}
	return 0;
}

int tm_against_init(struct tm_against *against, const struct tm_job *job,
		    const struct tm_job_args *args, const char *name, const struct tm_tree *tree,
		    const struct tm_ring *ring, const struct tm_opt_list *names,
		    struct tm_error *err)
{
	const struct kind kind = {
		.words = tree ? &tm_tree_shapes : &tm_ring_shapes,
		.root = tree ? tree->root : TM_NONE };

	struct tm_order order;

	*against = (struct tm_against){ 0 };
	if (tm_levels_init(&against->levels, job->placement.machine, err) < 0 ||
	    tm_order_find(&order, &job->placement, err) < 0)
		return -1;
	against->load = (struct tm_load){
		.process = &job->process, .levels = &against->levels,
		.profile = &job->profile.profile, .bytes = args->bytes,
		.chunk_bytes = args->chunk };
	against->versus.load = &against->load;
	against->versus.whole = tm_library_whole(tree ? TM_BCAST : TM_ALLGATHER, &order);
	if (tm_versus_add(&against->versus, name, NULL, tree, ring, err) < 0)
		return -1;
	return add_names(&against->versus, job, &kind, names, err);
}

void tm_against_fini(struct tm_against *against)
{
	tm_versus_fini(&against->versus);
	tm_levels_fini(&against->levels);
	*against = (struct tm_against){ 0 };
}
