/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/machine/overlap.h"

#include <stdlib.h>

/* Mark the places for which @p is is true, and collect the ranks on them. */
static int finding_add_places(struct tmap_finding *finding, const struct tmap_inspection *it,
			      bool (*is)(const struct tmap_topology *, const struct tmap_place *),
			      struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	bool *marked = tmap_alloc((size_t)p->place_count, sizeof *marked, err);
	int status = -1;

	for (int i = 0; marked && i < p->place_count; i++)
		marked[i] = is(&p->machine->topology[p->places[i].topology], &p->places[i]);
	if (marked)
		status = tmap_lint_collect(finding, p, marked, err);
	free(marked);
	return status;
}

/* The same as an answer: "7 ranks are ...". */
static enum tmap_lint_answer
place_check(struct tmap_finding *finding, const struct tmap_inspection *it,
	    bool (*is)(const struct tmap_topology *, const struct tmap_place *), const char *what,
	    struct tmap_error *err)
{
	int ranks;

	if (finding_add_places(finding, it, is, err) < 0)
		return TMAP_LINT_FAILED;
	ranks = tmap_lint_ranks(finding);
	if (!ranks)
		return TMAP_LINT_NOTHING;
	return tmap_lint_found_take(
		finding, tmap_format(err, "%d rank%s %s", TMAP_LINT_ARE(ranks), what), err);
}

static bool is_unbound(const struct tmap_topology *topo, const struct tmap_place *place)
{
	return !place->bound && tmap_topology_allowed_pus(topo) > 1;
}

enum tmap_lint_answer tmap_lint_unbound(struct tmap_finding *finding,
					const struct tmap_inspection *it, struct tmap_error *err)
{
	return place_check(finding, it, is_unbound, "not bound", err);
}

/* Ranks whose overlap in @p mask is @p wanted, on nodes with or without idle cores; *example is the
 * first such node, and *use its cores. */
struct crowd {
	unsigned char mask, wanted;
	bool any_node, idle;
	int example;
	struct tmap_node_use use;
};

/* [class_count]: idle cores of each class that has a rank that shares so, else TMAP_NONE. */
static int *crowd_count_idle(const struct crowd *crowd, const struct tmap_inspection *it,
			     struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int *idle = tmap_alloc_raw((size_t)it->fold.class_count, sizeof *idle, err);

	for (int c = 0; idle && c < it->fold.class_count; c++)
		idle[c] = TMAP_NONE;
	for (int r = 0; idle && r < p->size; r++) {
		int class = it->fold.class_of[p->node[r]];
		struct tmap_node_use use = { 0 };

		if ((it->shares[r] & crowd->mask) != crowd->wanted || idle[class] != TMAP_NONE)
			continue;
		if (tmap_node_use_find(&use, p, &it->fold, p->node[r], err) < 0) {
			free(idle);
			return NULL;
		}
		idle[class] = use.idle_cores;
		tmap_node_use_fini(&use);
	}
	return idle;
}

static int finding_add_crowd(struct tmap_finding *finding, struct crowd *crowd,
			     const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int *idle = crowd_count_idle(crowd, it, err);
	int status = idle ? 0 : -1;

	crowd->example = TMAP_NONE;
	for (int r = 0; status == 0 && r < p->size; r++) {
		int class = it->fold.class_of[p->node[r]];

		if ((it->shares[r] & crowd->mask) != crowd->wanted ||
		    (!crowd->any_node && (idle[class] > 0) != crowd->idle))
			continue;
		if (crowd->example == TMAP_NONE)
			crowd->example = p->node[r];
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	free(idle);
	if (status == 0 && crowd->example != TMAP_NONE)
		status = tmap_node_use_find(&crowd->use, p, &it->fold, crowd->example, err);
	tmap_lint_figure(finding, "idle_cores", crowd->use.idle_cores);
	tmap_lint_figure(finding, "cores", crowd->use.cores);
	tmap_idset_fini(&crowd->use.taken);
	return status;
}

enum tmap_lint_answer tmap_lint_shared_pu(struct tmap_finding *finding,
					  const struct tmap_inspection *it, struct tmap_error *err)
{
	struct crowd crowd = { .mask = TMAP_CROWDS_PU, .wanted = TMAP_CROWDS_PU, .any_node = true };

	if (finding_add_crowd(finding, &crowd, it, err) < 0)
		return TMAP_LINT_FAILED;
	if (crowd.example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	if (!crowd.use.idle_cores)
		finding->fix =
			tmap_strdup("start at most as many ranks on a node as it has cores", err);
	if (!crowd.use.idle_cores && !finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding,
		tmap_format(err,
			    "%d ranks share PUs that are oversubscribed (%s has %d of %d cores "
			    "idle)",
			    tmap_lint_ranks(finding),
			    it->placement->machine->node_name[crowd.example], crowd.use.idle_cores,
			    crowd.use.cores),
		err);
}

enum tmap_lint_answer tmap_lint_idle_cores(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	struct crowd crowd = { .mask = TMAP_CROWDS_PU | TMAP_CROWDS_CORE,
			       .wanted = TMAP_CROWDS_CORE,
			       .idle = true };

	if (finding_add_crowd(finding, &crowd, it, err) < 0)
		return TMAP_LINT_FAILED;
	if (crowd.example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	return tmap_lint_found_take(
		finding,
		tmap_format(err,
			    "%d ranks share cores, a hardware thread each, while cores of their "
			    "node are idle (%d of %d on %s)",
			    tmap_lint_ranks(finding), crowd.use.idle_cores, crowd.use.cores,
			    it->placement->machine->node_name[crowd.example]),
		err);
}

enum tmap_lint_answer tmap_lint_shared_core(struct tmap_finding *finding,
					    const struct tmap_inspection *it,
					    struct tmap_error *err)
{
	struct crowd crowd = { .mask = TMAP_CROWDS_PU | TMAP_CROWDS_CORE,
			       .wanted = TMAP_CROWDS_CORE };

	if (finding_add_crowd(finding, &crowd, it, err) < 0)
		return TMAP_LINT_FAILED;
	if (crowd.example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	finding->fix = tmap_format(err, "%s (%d on %s)", finding->rule->fix, crowd.use.cores,
				   it->placement->machine->node_name[crowd.example]);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding,
		tmap_format(err,
			    "%d ranks share cores, a hardware thread each, and no core of their "
			    "nodes is idle",
			    tmap_lint_ranks(finding)),
		err);
}

/* Does a bound place have PUs of more than one object of the type? Unbound ones are a
 * finding already, and a PU outside of all of them counts for none. */
static bool has_several(const struct tmap_topology *topo, const struct tmap_place *place,
			enum tmap_type type)
{
	int first = TMAP_NONE;

	if (!place->bound)
		return false;
	for (int pu = 0; pu < topo->pu_count; pu++) {
		int object;

		if (!tmap_idset_contains(&place->pus, topo->pu[pu].os))
			continue;
		object = tmap_topology_ancestor(topo, topo->pu[pu].object, type);
		if (object == TMAP_NONE || object == first)
			continue;
		if (first != TMAP_NONE)
			return true;
		first = object;
	}
	return false;
}

static bool is_on_two_packages(const struct tmap_topology *topo, const struct tmap_place *place)
{
	return has_several(topo, place, TMAP_PACKAGE);
}

static bool is_on_two_numa(const struct tmap_topology *topo, const struct tmap_place *place)
{
	return has_several(topo, place, TMAP_NUMA) && !has_several(topo, place, TMAP_PACKAGE);
}

enum tmap_lint_answer tmap_lint_two_packages(struct tmap_finding *finding,
					     const struct tmap_inspection *it,
					     struct tmap_error *err)
{
	return place_check(finding, it, is_on_two_packages, "bound to PUs of several packages",
			   err);
}

enum tmap_lint_answer tmap_lint_two_numa(struct tmap_finding *finding,
					 const struct tmap_inspection *it, struct tmap_error *err)
{
	return place_check(finding, it, is_on_two_numa, "bound to PUs of several NUMA nodes", err);
}

static bool is_policy_known(const struct tmap_placement *p)
{
	for (int i = 0; i < p->place_count; i++)
		if (p->places[i].memory.count)
			return true;
	return false;
}

/* Its memory policy is known, and none of the memories is local to one of its PUs. */
static bool is_memory_far(const struct tmap_topology *topo, const struct tmap_place *place)
{
	if (!place->memory.count)
		return false;
	for (int m = 0; m < topo->memory_count; m++) {
		const struct tmap_memory *memory = &topo->memory[m];

		if (memory->object == TMAP_NONE || !tmap_idset_contains(&place->memory, memory->os))
			continue;
		for (int pu = topo->object[memory->object].first_pu;
		     pu < topo->object[memory->object].end_pu; pu++)
			if (tmap_idset_contains(&place->pus, topo->pu[pu].os))
				return false;
	}
	return true;
}

enum tmap_lint_answer tmap_lint_far_memory(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	if (!is_policy_known(it->placement))
		return tmap_lint_skipped_take(
			finding,
			tmap_strdup("the placement has no memory policies of its ranks", err));
	return place_check(finding, it, is_memory_far,
			   "allowed memory only on NUMA nodes that are local to none of their PUs",
			   err);
}
