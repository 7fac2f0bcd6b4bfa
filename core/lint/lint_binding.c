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

/* A rank that its cpuset leaves one core stays with its caches. */
static bool is_in_core(const struct tmap_topology *topo, const struct tmap_place *place)
{
	return topo->object[place->object].type == TMAP_PU ||
		tmap_topology_ancestor(topo, place->object, TMAP_CORE) != TMAP_NONE ||
		tmap_idset_size(&place->pus) == 1;
}

/* Those that no binding to cores has room for are another finding. */
enum tmap_lint_answer tmap_lint_unbound(struct tmap_finding *finding,
					const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int ranks;

	for (int r = 0; r < p->size; r++) {
		const struct tmap_place *place = &p->places[p->place[r]];

		if (!place->bound && !it->crowds[it->fold.class_of[p->node[r]]] &&
		    !is_in_core(&p->machine->topology[place->topology], place) &&
		    tmap_idset_add(&finding->ranks, r, err) < 0)
			return TMAP_LINT_FAILED;
	}
	ranks = tmap_lint_ranks(finding);
	if (!ranks)
		return TMAP_LINT_NOTHING;
	if (tmap_lint_threads_all(p) > 1)
		finding->fix = tmap_lint_threads_fix(finding, it,
						     "bind each to as many cores as it has threads",
						     finding->rule->fix, err);
	if (tmap_lint_threads_all(p) > 1 && !finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding, tmap_format(err, "%d rank%s not bound", TMAP_LINT_ARE(ranks)), err);
}

enum tmap_lint_answer tmap_lint_oversubscribed(struct tmap_finding *finding,
					       const struct tmap_inspection *it,
					       struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_topology *topo;
	int nodes = 0, example = TMAP_NONE, ranks;

	for (int c = 0; c < it->fold.class_count; c++) {
		if (!(it->crowds[c] & TMAP_CROWD_PUS))
			continue;
		nodes += it->fold.nodes[c];
		example = example == TMAP_NONE ? it->fold.example[c] : example;
	}
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	for (int r = 0; r < p->size; r++)
		if (it->crowds[it->fold.class_of[p->node[r]]] & TMAP_CROWD_PUS &&
		    tmap_idset_add(&finding->ranks, r, err) < 0)
			return TMAP_LINT_FAILED;
	topo = tmap_machine_topology(p->machine, example);
	ranks = it->fold.first[example + 1] - it->fold.first[example];
	tmap_lint_figure(finding, "nodes", nodes);
	tmap_lint_figure(finding, "ranks_each", ranks);
	tmap_lint_figure(finding, "cores", tmap_topology_allowed_cores(topo));
	tmap_lint_figure(finding, "pus", tmap_topology_allowed_pus(topo));
	finding->fix = tmap_lint_fewer(finding, it, "start at most one rank a core", err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding,
		tmap_format(err,
			    "%d of %d nodes have more ranks than PUs that these may run on (%s has "
			    "%d ranks, %d cores and %d PUs), and not all are bound",
			    nodes, it->order.used_nodes, p->machine->node_name[example], ranks,
			    tmap_topology_allowed_cores(topo), tmap_topology_allowed_pus(topo)),
		err);
}

/* Ranks whose overlap in @p mask is @p wanted, on nodes with or without idle cores; *example is the
 * first such node, and *use its cores. */
struct crowd {
	unsigned char mask, wanted;
	bool any_node, idle, unbound; /* unbound: and ranks of nodes with more than cores */
	int example;
	struct tmap_node_use use;
};

static bool crowd_has(const struct crowd *crowd, const struct tmap_inspection *it, int rank)
{
	int class = it->fold.class_of[it->placement->node[rank]];

	return (it->shares[rank] & crowd->mask) == crowd->wanted ||
		(crowd->unbound && it->crowds[class] == TMAP_CROWD_CORES);
}

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

		if (!crowd_has(crowd, it, r) || idle[class] != TMAP_NONE)
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

		if (!crowd_has(crowd, it, r) ||
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

/* Has a node of the finding's ranks more of them than cores? */
static bool has_too_many(const struct tmap_inspection *it, const struct tmap_finding *finding)
{
	const struct tmap_placement *p = it->placement;

	for (int r = tmap_idset_next(&finding->ranks, TMAP_NONE); r != TMAP_NONE;
	     r = tmap_idset_next(&finding->ranks, r)) {
		int n = p->node[r];

		if (n == it->fold.example[it->fold.class_of[n]] &&
		    it->fold.first[n + 1] - it->fold.first[n] >
			    tmap_topology_allowed_cores(tmap_machine_topology(p->machine, n)))
			return true;
	}
	return false;
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
	if (has_too_many(it, finding) &&
	    !(finding->fix = tmap_lint_fewer(finding, it, "start one rank a core", err)))
		return TMAP_LINT_FAILED;
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
			       .wanted = TMAP_CROWDS_CORE,
			       .unbound = true };
	char *text;

	if (finding_add_crowd(finding, &crowd, it, err) < 0)
		return TMAP_LINT_FAILED;
	if (crowd.example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	text = tmap_format(err, "%s (%d on %s)", finding->rule->fix, crowd.use.cores,
			   it->placement->machine->node_name[crowd.example]);
	finding->fix = text ? tmap_lint_fewer(finding, it, text, err) : NULL;
	free(text);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding,
		tmap_format(err, "%d ranks share cores, %s, and no core of their nodes is idle",
			    tmap_lint_ranks(finding),
			    it->crowding_unbound ? "not all of them bound" :
						   "a hardware thread each"),
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

/* The fix of ranks on several objects, with as many cores as each can have in one. */
static enum tmap_lint_answer fix_several(enum tmap_lint_answer answer, struct tmap_finding *finding,
					 const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	static const char *const words[] = { "package", "NUMA node" };
	static const char *const several[] = { "packages", "numas" };
	static const char *const one[] = { "package", "numa" };
	int node, cores, ranks;
	enum tmap_type type;
	bool is_even;
	char *text;

	if (answer != TMAP_LINT_FOUND)
		return answer;
	node = p->node[tmap_idset_next(&finding->ranks, TMAP_NONE)];
	type = tmap_topology_count(tmap_machine_topology(p->machine, node), TMAP_NUMA) >
			tmap_topology_count(tmap_machine_topology(p->machine, node), TMAP_PACKAGE) ?
		TMAP_NUMA :
		TMAP_PACKAGE;
	cores = tmap_lint_cores_each(it, node, type, &ranks, &is_even);
	if (!cores) /* no launcher binds more ranks than cores */
		text = tmap_format(err, "bind each to PUs of one %s", words[type == TMAP_NUMA]);
	else if (it->order.regular && (it->order.used_nodes == 1 || is_even))
		text = tmap_format(err, "bind each to PUs of one %s{: |%s %d %d|}",
				   words[type == TMAP_NUMA], several[type == TMAP_NUMA], cores,
				   ranks);
	else
		text = tmap_format(err, "bind each to PUs of one %s{: |%s|}",
				   words[type == TMAP_NUMA], one[type == TMAP_NUMA]);
	finding->fix = text ? tmap_lint_fix(finding, text, err) : NULL;
	free(text);
	return finding->fix ? TMAP_LINT_FOUND : TMAP_LINT_FAILED;
}

enum tmap_lint_answer tmap_lint_two_packages(struct tmap_finding *finding,
					     const struct tmap_inspection *it,
					     struct tmap_error *err)
{
	return fix_several(place_check(finding, it, is_on_two_packages,
				       "bound to PUs of several packages", err),
			   finding, it, err);
}

enum tmap_lint_answer tmap_lint_two_numa(struct tmap_finding *finding,
					 const struct tmap_inspection *it, struct tmap_error *err)
{
	return fix_several(
		place_check(finding, it, is_on_two_numa, "bound to PUs of several NUMA nodes", err),
		finding, it, err);
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
