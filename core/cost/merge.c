#include "core/cost/merge.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

static void drop_step(struct tm_metric_step *step)
{
	free(step->node_base);
	free(step->local);
	free(step->of_rank);
}

void tm_metric_drop(struct tm_metric *metric, const bool *drop)
{
	int kept = 0;

	for (int s = 0; s < metric->step_count; s++) {
		if (drop[s] && s + 1 < metric->step_count)
			drop_step(&metric->step[s]);
		else
			metric->step[kept++] = metric->step[s];
	}
	metric->step_count = kept;
}

static bool is_listed(double distance, const double *value, int count)
{
	for (int i = 0; i < count; i++)
		if (value[i] == distance)
			return true;
	return false;
}

/* The steps from the first to the last listed one, but that one; steps at which there are no
 * pairs of ranks may lie between them. */
static int mark_listed(bool *drop, const struct tm_metric *metric, const double *value, int count,
		       const int64_t *pairs, struct tm_error *err)
{
	int last = TM_NONE;

	for (int s = 0; s < metric->step_count; s++) {
		if (!is_listed(metric->step[s].value, value, count))
			continue;
		for (int between = last + 1; last != TM_NONE && between < s; between++)
			if (pairs[between])
				return tm_fail(err, TM_INPUT, "the distances %g and %g cannot be "
					       "merged without %g, which lies between them",
					       metric->step[last].value, metric->step[s].value,
					       metric->step[between].value);
		for (int below = last; last != TM_NONE && below < s; below++)
			drop[below] = true;
		last = s;
	}
	if (last == TM_NONE)
		return tm_fail(err, TM_INPUT, "none of the distances to merge occurs here: they are "
			       "%g to %g", metric->step[0].value,
			       metric->step[metric->step_count - 1].value);
	return 0;
}

int tm_metric_merge(struct tm_metric *metric, const double *value, int count, struct tm_error *err)
{
	bool *drop = tm_alloc((size_t)metric->step_count, sizeof *drop, err);
	int64_t *pairs = drop ? tm_metric_count_pairs(metric, err) : NULL;
	int status = pairs ? mark_listed(drop, metric, value, count, pairs, err) : -1;

	if (status == 0)
		tm_metric_drop(metric, drop);
	free(drop);
	free(pairs);
	return status;
}

void tm_metric_set_latencies(struct tm_metric *process, const struct tm_profile *profile)
{
	int kept = 0;

	for (int s = 0; s < process->step_count; s++) {
		struct tm_metric_step step = process->step[s];

		step.value = tm_profile_find(profile, step.value, 0)->latency_s;
		if (kept && step.value <= process->step[kept - 1].value) {
			step.value = process->step[--kept].value;
			drop_step(&process->step[kept]);
		}
		process->step[kept++] = step;
	}
	process->step_count = kept;
}

/* The question, and what it takes to try an answer: a metric that borrows steps. */
struct trial {
	const struct tm_metric *metric, *process;
	const struct tm_profile *profile;
	int root;
	int64_t bytes, chunk_bytes;
	int *candidate;      /* [candidate_count]: steps that may be dropped */
	int candidate_count;
	struct tm_metric_step *step; /* [step_count] */
};

/* Steps at which there are pairs of ranks, but the last of them, may be dropped; those at
 * which there are none are, so that neighbours in the metric are neighbours among the ranks. */
static int find_candidates(struct trial *trial, bool *drop, struct tm_error *err)
{
	int64_t *pairs = tm_metric_count_pairs(trial->metric, err);
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

static int time_tree(struct tm_tree_cost *cost, const struct trial *trial, const bool *drop,
		     struct tm_error *err)
{
	struct tm_metric view = *trial->metric;
	struct tm_tree tree;
	int status;

	view.step = trial->step;
	view.step_count = 0;
	for (int s = 0; s < trial->metric->step_count; s++)
		if (!drop[s])
			view.step[view.step_count++] = trial->metric->step[s];
	if (tm_tree_init(&tree, &view, trial->root, err) < 0)
		return -1;
	status = tm_tree_cost(cost, &tree, trial->process, trial->profile, trial->bytes,
			      trial->chunk_bytes, err);
	tm_tree_fini(&tree);
	return status;
}

static int count_dropped(const bool *drop, int count)
{
	int dropped = 0;

	for (int i = 0; i < count; i++)
		dropped += drop[i];
	return dropped;
}

/* Try an answer; keep it where it is faster, or as fast (sums differ by rounding) with more
 * distances merged. *kept says whether it was. */
static int try_drop(struct tm_merging *merging, const struct trial *trial, const bool *drop,
		    bool *kept, struct tm_error *err)
{
	int steps = trial->metric->step_count;
	double best = merging->merged.seconds;
	struct tm_tree_cost cost;

	*kept = false;
	if (time_tree(&cost, trial, drop, err) < 0)
		return -1;
	if (cost.seconds > best * (1 + 1e-9) ||
	    (cost.seconds >= best * (1 - 1e-9) &&
	     count_dropped(drop, steps) <= count_dropped(merging->drop, steps)))
		return 0;
	merging->merged = cost;
	memcpy(merging->drop, drop, (size_t)steps * sizeof *drop);
	*kept = true;
	return 0;
}

static int try_all(struct tm_merging *merging, const struct trial *trial, bool *drop,
		   struct tm_error *err)
{
	bool kept;

	for (unsigned long way = 1; way < 1ul << trial->candidate_count; way++) {
		for (int i = 0; i < trial->candidate_count; i++)
			drop[trial->candidate[i]] = way >> i & 1;
		if (try_drop(merging, trial, drop, &kept, err) < 0)
			return -1;
	}
	return 0;
}

/* Merge one more pair of neighbours as long as one helps. */
static int try_greedily(struct tm_merging *merging, const struct trial *trial, bool *drop,
			struct tm_error *err)
{
	int steps = trial->metric->step_count;
	bool kept, improved = true;

	while (improved) {
		bool *from = tm_alloc((size_t)steps, sizeof *from, err);
		int status = from ? 0 : -1;

		improved = false;
		if (from)
			memcpy(from, merging->drop, (size_t)steps * sizeof *from);
		for (int i = 0; i < trial->candidate_count && status == 0; i++) {
			memcpy(drop, from, (size_t)steps * sizeof *drop);
			if (drop[trial->candidate[i]])
				continue;
			drop[trial->candidate[i]] = true;
			status = try_drop(merging, trial, drop, &kept, err);
			improved |= kept;
		}
		free(from);
		if (status < 0)
			return -1;
	}
	return 0;
}

/* As many trees as take some seconds. */
static bool can_try_all(const struct trial *trial)
{
	return trial->candidate_count < 20 &&
	       (INT64_C(1) << trial->candidate_count) * trial->metric->size <= INT64_C(1) << 25;
}

static int choose(struct tm_merging *merging, struct trial *trial, bool *drop, struct tm_error *err)
{
	if (find_candidates(trial, merging->drop, err) < 0 ||
	    time_tree(&merging->apart, trial, merging->drop, err) < 0)
		return -1;
	merging->merged = merging->apart;
	memcpy(drop, merging->drop, (size_t)trial->metric->step_count * sizeof *drop);
	merging->is_exact = can_try_all(trial);
	return merging->is_exact ? try_all(merging, trial, drop, err) :
				   try_greedily(merging, trial, drop, err);
}

int tm_merging_choose(struct tm_merging *merging, const struct tm_metric *metric,
		      const struct tm_metric *process, int root, const struct tm_profile *profile,
		      int64_t bytes, int64_t chunk_bytes, struct tm_error *err)
{
	struct trial trial = {
		.metric = metric, .process = process, .profile = profile, .root = root,
		.bytes = bytes, .chunk_bytes = chunk_bytes,
	};
	size_t steps = (size_t)metric->step_count;
	struct tm_merging made = { .drop = tm_alloc(steps, sizeof *made.drop, err) };
	bool *drop = tm_alloc(steps, sizeof *drop, err);
	int status = -1;

	trial.candidate = tm_alloc(steps, sizeof *trial.candidate, err);
	trial.step = tm_alloc(steps, sizeof *trial.step, err);
	if (made.drop && drop && trial.candidate && trial.step)
		status = choose(&made, &trial, drop, err);
	free(drop);
	free(trial.candidate);
	free(trial.step);
	if (status < 0)
		tm_merging_fini(&made);
	else
		*merging = made;
	return status;
}

void tm_merging_fini(struct tm_merging *merging)
{
	free(merging->drop);
	*merging = (struct tm_merging){ 0 };
}
