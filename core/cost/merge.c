/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/merge.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

void tmap_metric_drop(struct tmap_metric *metric, const bool *drop)
{
	int kept = 0;

	for (int s = 0; s < metric->step_count; s++) {
		if (drop[s] && s + 1 < metric->step_count)
			tmap_partition_fini(&metric->step[s].sets);
		else
			metric->step[kept++] = metric->step[s];
	}
	metric->step_count = kept;
}

static bool value_is_listed(double distance, const double *value, int count)
{
	for (int i = 0; i < count; i++)
		if (value[i] == distance)
			return true;
	return false;
}

/* The steps from the first to the last listed one, but that one; steps at which there are no
 * pairs of ranks may lie between them. */
static int steps_mark_listed(bool *drop, const struct tmap_metric *metric, const double *value,
			     int count, const int64_t *pairs, struct tmap_error *err)
{
	int last = TMAP_NONE;

	for (int s = 0; s < metric->step_count; s++) {
		if (!value_is_listed(metric->step[s].value, value, count))
			continue;
		for (int between = last + 1; last != TMAP_NONE && between < s; between++)
			if (pairs[between])
				return tmap_fail(err, TMAP_INPUT,
						 "the distances %g and %g cannot be "
						 "merged without %g, which lies between them",
						 metric->step[last].value, metric->step[s].value,
						 metric->step[between].value);
		for (int below = last; last != TMAP_NONE && below < s; below++)
			drop[below] = true;
		last = s;
	}
	if (last == TMAP_NONE)
		return tmap_fail(err, TMAP_INPUT,
				 "none of the distances to merge occurs here: they are "
				 "%g to %g",
				 metric->step[0].value, metric->step[metric->step_count - 1].value);
	return 0;
}

int tmap_metric_merge(struct tmap_metric *metric, const double *value, int count,
		      struct tmap_error *err)
{
	bool *drop = tmap_alloc((size_t)metric->step_count, sizeof *drop, err);
	int64_t *pairs = drop ? tmap_metric_count_pairs(metric, err) : NULL;
	int status = pairs ? steps_mark_listed(drop, metric, value, count, pairs, err) : -1;

	if (status == 0)
		tmap_metric_drop(metric, drop);
	free(drop);
	free(pairs);
	return status;
}

void tmap_metric_set_latencies(struct tmap_metric *process, const struct tmap_profile *profile)
{
	int kept = 0;

	for (int s = 0; s < process->step_count; s++) {
		struct tmap_metric_step step = process->step[s];

		step.value = tmap_profile_find(profile, step.value, 0)->latency_s;
		if (kept && step.value <= process->step[kept - 1].value) {
			step.value = process->step[--kept].value;
			tmap_partition_fini(&process->step[kept].sets);
		}
		process->step[kept++] = step;
	}
	process->step_count = kept;
}

/* What is merged for, and scratch: a metric that borrows steps. */
struct trial {
	const struct tmap_metric *metric;
	struct tmap_cost_model *model;
	int root;
	int64_t bytes, chunk_bytes;
	int *candidate; /* [candidate_count]: steps that may be dropped */
	int candidate_count;
	struct tmap_metric_step *step; /* [step_count] */
};

/* Steps at which there are pairs of ranks, but the last of them, may be dropped; those at
 * which there are none are, so that neighbours in the metric are neighbours among the ranks. */
static int trial_find_candidates(struct trial *trial, bool *drop, struct tmap_error *err)
{
	int64_t *pairs = tmap_metric_count_pairs(trial->metric, err);
	int found = 0;

	if (!pairs)
		return -1;
	for (int s = 0; s < trial->metric->step_count; s++)
		if (pairs[s])
			trial->candidate[found++] = s;
	for (int s = 0; s + 1 < trial->metric->step_count; s++)
		drop[s] = !pairs[s];
	trial->candidate_count = found ? found - 1 : 0;
	free(pairs);
	return 0;
}

static int trial_tree_cost(struct tmap_tree_cost *cost, const struct trial *trial, const bool *drop,
			   struct tmap_error *err)
{
	struct tmap_metric view = *trial->metric;
	struct tmap_tree tree;
	int status;

	view.step = trial->step;
	view.step_count = 0;
	for (int s = 0; s < trial->metric->step_count; s++)
		if (!drop[s])
			view.step[view.step_count++] = trial->metric->step[s];
	if (tmap_tree_init(&tree, &view, trial->root, err) < 0)
		return -1;
	status = tmap_tree_cost(cost, &tree, trial->model, trial->bytes, trial->chunk_bytes, err);
	tmap_tree_fini(&tree);
	return status;
}

static int steps_dropped(const bool *drop, int count)
{
	int dropped = 0;

	for (int i = 0; i < count; i++)
		dropped += drop[i];
	return dropped;
}

/* Try to drop these steps; keep that where it is faster, or as fast (sums differ by rounding) with more
 * distances merged. *kept: it was. */
static int trial_try(struct tmap_merging *merging, const struct trial *trial, const bool *drop,
		     bool *kept, struct tmap_error *err)
{
	int steps = trial->metric->step_count;
	double best = merging->merged.seconds;
	struct tmap_tree_cost cost;

	*kept = false;
	if (trial_tree_cost(&cost, trial, drop, err) < 0)
		return -1;
	if (cost.seconds > best * (1 + 1e-9) ||
	    (cost.seconds >= best * (1 - 1e-9) &&
	     steps_dropped(drop, steps) <= steps_dropped(merging->drop, steps)))
		return 0;
	merging->merged = cost;
	memcpy(merging->drop, drop, (size_t)steps * sizeof *drop);
	*kept = true;
	return 0;
}

static int trial_try_all(struct tmap_merging *merging, const struct trial *trial, bool *drop,
			 struct tmap_error *err)
{
	bool kept;

	for (unsigned long way = 1; way < 1ul << trial->candidate_count; way++) {
		for (int i = 0; i < trial->candidate_count; i++)
			drop[trial->candidate[i]] = way >> i & 1;
		if (trial_try(merging, trial, drop, &kept, err) < 0)
			return -1;
	}
	return 0;
}

/* Merge one more pair of neighbours as long as one helps. */
static int trial_try_greedily(struct tmap_merging *merging, const struct trial *trial, bool *drop,
			      struct tmap_error *err)
{
	int steps = trial->metric->step_count;
	bool kept, improved = true;

	while (improved) {
		bool *from = tmap_alloc((size_t)steps, sizeof *from, err);
		int status = from ? 0 : -1;

		improved = false;
		if (from)
			memcpy(from, merging->drop, (size_t)steps * sizeof *from);
		for (int i = 0; i < trial->candidate_count && status == 0; i++) {
			memcpy(drop, from, (size_t)steps * sizeof *drop);
			if (drop[trial->candidate[i]])
				continue;
			drop[trial->candidate[i]] = true;
			status = trial_try(merging, trial, drop, &kept, err);
			improved |= kept;
		}
		free(from);
		if (status < 0)
			return -1;
	}
	return 0;
}

static int trial_run(struct tmap_merging *merging, struct trial *trial, bool *drop,
		     struct tmap_error *err)
{
	if (trial_find_candidates(trial, merging->drop, err) < 0 ||
	    trial_tree_cost(&merging->apart, trial, merging->drop, err) < 0)
		return -1;
	merging->merged = merging->apart;
	memcpy(drop, merging->drop, (size_t)trial->metric->step_count * sizeof *drop);
	/* all ways, if these are no more trees than take some seconds */
	merging->is_exact = trial->candidate_count < 20 &&
		(INT64_C(1) << trial->candidate_count) * trial->metric->size <= INT64_C(1) << 25;
	return merging->is_exact ? trial_try_all(merging, trial, drop, err) :
				   trial_try_greedily(merging, trial, drop, err);
}

int tmap_merging_choose(struct tmap_merging *merging, const struct tmap_metric *metric,
			const struct tmap_metric *process, int root,
			const struct tmap_profile *profile, int64_t bytes, int64_t chunk_bytes,
			struct tmap_error *err)
{
	struct tmap_levels levels = { 0 };
	struct tmap_cost_model model = { 0 };
	struct trial trial = {
		.metric = metric,
		.model = &model,
		.root = root,
		.bytes = bytes,
		.chunk_bytes = chunk_bytes,
	};
	size_t steps = (size_t)metric->step_count;
	struct tmap_merging made = { .drop = tmap_alloc(steps, sizeof *made.drop, err) };
	bool *drop = tmap_alloc(steps, sizeof *drop, err);
	int status = -1;

	trial.candidate = tmap_alloc(steps, sizeof *trial.candidate, err);
	trial.step = tmap_alloc(steps, sizeof *trial.step, err);
	if (made.drop && drop && trial.candidate && trial.step &&
	    tmap_levels_init(&levels, process->placement->machine, err) == 0 &&
	    tmap_cost_model_init(&model, process->placement, process, &levels, profile, err) == 0)
		status = trial_run(&made, &trial, drop, err);
	tmap_cost_model_fini(&model);
	tmap_levels_fini(&levels);
	free(drop);
	free(trial.candidate);
	free(trial.step);
	if (status < 0)
		tmap_merging_fini(&made);
	else
		*merging = made;
	return status;
}

void tmap_merging_fini(struct tmap_merging *merging)
{
	free(merging->drop);
	*merging = (struct tmap_merging){ 0 };
}
