/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/without_file.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* A job of more ranks is tried on its first nodes. */
enum { MANY_RANKS = 1 << 16, FEW_NODES = 3, MOST_BINDINGS = 3 };

/* What is tried: the ranks of some nodes, in order. */
struct sample {
	const struct tmap_placement *p;
	struct tmap_machine *machine;
	int *rank; /* [count] */
	int count;
};

static void sample_fini(struct sample *sample)
{
	tmap_machine_free(sample->machine);
	free(sample->rank);
}

/* All of the job. */
static int sample_all(struct sample *sample, const struct tmap_placement *p, struct tmap_error *err)
{
	*sample = (struct sample){ .p = p,
				   .machine = tmap_machine_ref(p->machine),
				   .count = p->size };
	sample->rank = tmap_alloc_raw((size_t)p->size, sizeof *sample->rank, err);
	for (int r = 0; sample->rank && r < p->size; r++)
		sample->rank[r] = r;
	return sample->rank ? 0 : -1;
}

static int few_add_node(struct tmap_machine *few, const struct tmap_machine *all, int node,
			struct tmap_error *err)
{
	struct tmap_topology topo = { 0 };
	int kind;

	if (tmap_topology_copy(&topo, tmap_machine_topology(all, node), err) < 0)
		return -1;
	kind = tmap_machine_add_topology_take(few, &topo, err);
	tmap_topology_fini(&topo);
	return kind == TMAP_NONE ? -1 : tmap_machine_add_node(few, all->node_name[node], kind, err);
}

static int sample_first_nodes(struct sample *sample, const struct tmap_launch *job,
			      struct tmap_error *err)
{
	const struct tmap_placement *p = job->p;
	int nodes = p->machine->node_count < FEW_NODES ? p->machine->node_count : FEW_NODES;

	*sample = (struct sample){ .p = p, .machine = tmap_machine_new(err) };
	if (!sample->machine)
		return -1;
	for (int n = 0; n < nodes; n++)
		if (few_add_node(sample->machine, p->machine, n, err) < 0)
			return -1;
	sample->rank = tmap_alloc((size_t)job->locals.first[nodes], sizeof *sample->rank, err);
	for (int r = 0; sample->rank && r < p->size; r++)
		if (p->node[r] < nodes)
			sample->rank[sample->count++] = r;
	return sample->rank ? 0 : -1;
}

static bool is_bound(const struct tmap_placement *p, int rank)
{
	const struct tmap_place *place = &p->places[p->place[rank]];

	return place->bound && !tmap_topology_is_all(tmap_placement_topology(p, rank), &place->pus);
}

static bool is_same(const struct sample *sample, const struct tmap_placement *made)
{
	const struct tmap_placement *p = sample->p;

	if (made->size != sample->count)
		return false;
	for (int i = 0; i < made->size; i++) {
		int r = sample->rank[i];

		if (made->node[i] != p->node[r] || is_bound(made, i) != is_bound(p, r))
			return false;
		if (is_bound(p, r) &&
		    !tmap_idset_equal(&made->places[made->place[i]].pus,
				      &p->places[p->place[r]].pus))
			return false;
	}
	return true;
}

static int sample_try_release(const struct sample *sample,
			      const struct tmap_launcher_policy *launcher,
			      struct tmap_policy *policy, struct tmap_error *err)
{
	struct tmap_placement made = { 0 };
	int found;

	policy->ranks = sample->count;
	if (launcher->place(&made, sample->machine, policy, err) < 0)
		return err->kind == TMAP_SYSTEM ? -1 : 0;
	found = is_same(sample, &made);
	tmap_placement_fini(&made);
	return found;
}

/* 1: the policy gives the sample, whichever release is installed; 0: it does not, -1: the system
 * refused. */
static int sample_try(const struct sample *sample, const struct tmap_launcher_policy *launcher,
		      struct tmap_policy *policy, struct tmap_error *err)
{
	int found = 1;

	for (; launcher && found > 0; launcher = launcher->later)
		found = sample_try_release(sample, launcher, policy, err);
	return found;
}

/* The sample first, then all of the job. */
static int job_try(const struct tmap_launch *job, const struct sample *sample,
		   struct tmap_policy *policy, struct tmap_error *err)
{
	const struct tmap_launcher_policy *launcher = job->launcher->policy;
	struct sample all;
	int found = sample_try(sample, launcher, policy, err);

	if (found <= 0 || sample->count == job->p->size)
		return found;
	found = sample_all(&all, job->p, err);
	if (found == 0)
		found = sample_try(&all, launcher, policy, err);
	sample_fini(&all);
	return found;
}

/* Which of a launcher's words bind as rank 0 is bound: what people write most, first. */
static int choose_bindings(const char **binding, const struct tmap_placement *p,
			   enum tmap_vocabulary of)
{
	static const enum tmap_type types[] = { TMAP_CORE, TMAP_PU, TMAP_PACKAGE,
						TMAP_NUMA, TMAP_L3, TMAP_L2 };
	const struct tmap_topology *topo = tmap_placement_topology(p, 0);
	int object = tmap_placement_object(p, 0), chosen = 0;

	if (!is_bound(p, 0)) {
		binding[0] = "none";
		return 1;
	}
	for (size_t i = 0; i < sizeof types / sizeof *types && chosen < MOST_BINDINGS; i++) {
		const char *word = tmap_type_word(of, types[i]);
		int outer = tmap_topology_ancestor(topo, object, types[i]);
		/* the object itself, or one around it over the same PUs */
		bool covers = outer != TMAP_NONE &&
			topo->object[outer].first_pu == topo->object[object].first_pu &&
			topo->object[outer].end_pu == topo->object[object].end_pu;

		if (word &&
		    (covers || (types[i] == TMAP_CORE && !tmap_topology_count(topo, TMAP_CORE))))
			binding[chosen++] = word;
	}
	return chosen;
}

/* 1: *policy gives the job. */
static int find_policy(struct tmap_policy *policy, const struct tmap_launch *job,
		       const struct sample *sample, const struct tmap_policy_trials *trials,
		       struct tmap_error *err)
{
	const char *binding[MOST_BINDINGS];
	int bindings = trials->binds ? trials->binds :
				       choose_bindings(binding, job->p, trials->bindings);
	int found = 0;

	for (int s = 0; s < trials->starts; s++)
		for (int m = 0; m < trials->maps; m++)
			for (int b = 0; b < bindings && !found; b++) {
				*policy = trials->start[s];
				policy->map_by = trials->map_by[m];
				policy->bind_to = trials->binds ? trials->bind_to[b] : binding[b];
				found = job_try(job, sample, policy, err);
			}
	return found;
}

int tmap_launch_without_file(char **line, const struct tmap_launch *job, struct tmap_error *err)
{
	const struct tmap_launcher_policy *launcher = job->launcher->policy;
	struct tmap_policy_trials trials = { 0 };
	struct tmap_str text = TMAP_STR_INIT;
	struct sample sample = { 0 };
	struct tmap_policy policy;
	int found;

	*line = NULL;
	if (!launcher || !launcher->list_trials)
		return 0;
	launcher->list_trials(&trials, &job->locals);
	found = job->p->size > MANY_RANKS ? sample_first_nodes(&sample, job, err) :
					    sample_all(&sample, job->p, err);
	if (found == 0 && sample.count)
		found = find_policy(&policy, job, &sample, &trials, err);
	sample_fini(&sample);
	if (found <= 0)
		return found;
	launcher->command(&text, &policy, job->p->machine->node_count);
	*line = tmap_str_take(&text, err);
	return *line ? 0 : -1;
}
