/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/machine/overlap.h"

#include <stdlib.h>
#include <string.h>

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

/* The same as an answer. */
static enum tmap_lint_answer
place_check(struct tmap_finding *finding, const struct tmap_inspection *it,
	    bool (*is)(const struct tmap_topology *, const struct tmap_place *), const char *what,
	    struct tmap_error *err)
{
	if (finding_add_places(finding, it, is, err) < 0)
		return TMAP_LINT_FAILED;
	if (!tmap_lint_ranks(finding))
		return TMAP_LINT_NOTHING;
	return tmap_lint_found_take(finding, tmap_strdup(what, err), err);
}

/* A rank that its cpuset leaves one core stays with its caches. */
static bool is_in_core(const struct tmap_topology *topo, const struct tmap_place *place)
{
	return topo->object[place->object].type == TMAP_PU ||
		tmap_topology_ancestor(topo, place->object, TMAP_CORE) != TMAP_NONE ||
		tmap_idset_size(&place->pus) == 1;
}

static const char for_threads[] = "; for threads, to as many cores as each rank has threads";

static char *unbound_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			 struct tmap_error *err)
{
	char *bound, *fix;

	if (tmap_room_threads(it->placement) > 1)
		return tmap_lint_threads_fix(finding, it,
					     "bind each to as many cores as it has threads",
					     finding->rule->fix, err);
	/* launchers refuse to bind more ranks than cores */
	if (it->crowding_unbound)
		return tmap_format(err,
				   "start at most one rank a core on each node, and bind them%s",
				   for_threads);
	if (!it->order.regular || tmap_room_is_packed_well(it, 1, 0))
		return tmap_lint_fix(finding, finding->rule->fix, err);
	bound = tmap_lint_cores_fix(finding, it, "bind them", 1, false, err);
	fix = bound ? tmap_format(err, "%s%s", bound, for_threads) : NULL;
	free(bound);
	return fix;
}

/* Is it alone on its node, with a thread for each core? */
static bool needs_all(const struct tmap_inspection *it, int rank)
{
	const struct tmap_placement *p = it->placement;
	int node = p->node[rank];

	return it->fold.first[node + 1] - it->fold.first[node] == 1 && p->setting_count &&
		tmap_setting_threads(&p->settings[p->setting ? p->setting[rank] : 0], NULL) >=
		tmap_topology_allowed_cores(tmap_machine_topology(p->machine, node));
}

/* Those that no binding to cores has room for are another finding. */
enum tmap_lint_answer tmap_lint_unbound(struct tmap_finding *finding,
					const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;

	for (int r = 0; r < p->size; r++) {
		const struct tmap_place *place = &p->places[p->place[r]];

		if (!place->bound && !it->crowds[it->fold.class_of[p->node[r]]] &&
		    !is_in_core(&p->machine->topology[place->topology], place) &&
		    !needs_all(it, r) && tmap_idset_add(&finding->ranks, r, err) < 0)
			return TMAP_LINT_FAILED;
	}
	if (!tmap_lint_ranks(finding))
		return TMAP_LINT_NOTHING;
	finding->fix = unbound_fix(finding, it, err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding, tmap_strdup("not bound, though there is a core for each", err), err);
}

enum tmap_lint_answer tmap_lint_oversubscribed(struct tmap_finding *finding,
					       const struct tmap_inspection *it,
					       struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_topology *topo;
	int nodes = 0, example = TMAP_NONE, ranks, cores, pus;
	char *where, *what = NULL;

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
	cores = tmap_topology_allowed_cores(topo);
	pus = tmap_topology_allowed_pus(topo);
	tmap_lint_figure(finding, "cores", cores);
	tmap_lint_figure(finding, "pus", pus);
	finding->fix = tmap_lint_ask_twice_take(
		it, tmap_lint_fewer(finding, it, "start at most one rank a core", err), err);
	where = finding->fix ? tmap_lint_where(finding, example, true, err) : NULL;
	if (where && ranks > pus)
		what = pus == cores ? tmap_format(err, "%d ranks for %d core%s on %s", ranks, cores,
						  cores == 1 ? "" : "s", where) :
				      tmap_format(err, "%d ranks for %d core%s with %d PUs on %s",
						  ranks, cores, cores == 1 ? "" : "s", pus, where);
	else if (where) /* a cpuset leaves them fewer */
		what = tmap_format(err,
				   "%d ranks on %s, some of which have fewer PUs than they are",
				   ranks, where);
	free(where);
	return tmap_lint_found_take(finding, what, err);
}

/* Ranks whose overlap in @p mask is @p wanted, on nodes with or without idle cores; *example is the
 * first such node, and *use its cores. */
struct crowd {
	unsigned char mask, wanted;
	bool any_node, idle, unbound; /* unbound: and ranks of nodes with more than cores */
	int example;
	struct tmap_node_use use;
};

/* What is counted stays. */
static void crowd_fini(struct crowd *crowd)
{
	tmap_idset_fini(&crowd->use.own);
	tmap_idset_fini(&crowd->use.taken);
}

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

enum { NAMES_MAX = 40 }; /* characters of cores that are named */

/* "cores 44-47", by the OS indexes of their first PUs, or "the cores of PUs 8,40"; "" where there are
 * too many to be read. */
static char *idle_print(const struct tmap_topology *topo, const struct tmap_node_use *use,
			struct tmap_error *err)
{
	struct tmap_idset pus = { 0 };
	bool is_single = tmap_topology_allowed_pus(topo) == use->cores;
	char *list = NULL, *text = NULL;
	int status = 0;

	for (int i = 0; i < topo->pu_count && status == 0; i++) {
		int core = tmap_topology_ancestor(topo, topo->pu[i].object, TMAP_CORE);
		int first = core == TMAP_NONE ? i : topo->object[core].first_pu;
		int end = core == TMAP_NONE ? i + 1 : topo->object[core].end_pu;
		int next = tmap_idset_next(&use->taken, first - 1);

		if (topo->pu[i].allowed && i == first && (next == TMAP_NONE || next >= end))
			status = tmap_idset_add(&pus, topo->pu[i].os, err);
	}
	if (status == 0)
		list = tmap_idset_print(&pus, err);
	if (list && strlen(list) <= NAMES_MAX)
		text = tmap_format(err, "%s%s %s", is_single ? "core" : "the cores of PU",
				   tmap_idset_size(&pus) == 1 ? "" : "s", list);
	else if (list)
		text = tmap_strdup("", err);
	free(list);
	tmap_idset_fini(&pus);
	return text;
}

/* Ranks of a program on a node. */
static int count_part(const struct tmap_inspection *it, int part, int node)
{
	int count = 0;

	for (int i = it->fold.first[node]; i < it->fold.first[node + 1]; i++)
		count += tmap_mpmd_of(&it->parts, it->placement, it->fold.rank[i]) == part;
	return count;
}

/* The last program of which all ranks are in the finding, if one other has ranks in it, too, and the
 * idle cores are enough for it: it starts at the first core as if it were alone. *second is it, or
 * TMAP_NONE. */
static int find_second(int *second, const struct tmap_inspection *it,
		       const struct tmap_finding *finding, int node, int idle,
		       struct tmap_error *err)
{
	int *ranks = tmap_alloc((size_t)it->parts.count, sizeof *ranks, err), found = 0;

	*second = TMAP_NONE;
	if (!ranks)
		return -1;
	for (int r = tmap_idset_next(&finding->ranks, TMAP_NONE); r != TMAP_NONE;
	     r = tmap_idset_next(&finding->ranks, r))
		ranks[tmap_mpmd_of(&it->parts, it->placement, r)]++;
	for (int i = 0; i < it->parts.count; i++) {
		found += ranks[i] > 0;
		if (ranks[i] == it->parts.part[i].ranks)
			*second = i;
	}
	free(ranks);
	if (found != 2 || *second == TMAP_NONE || count_part(it, *second, node) > idle)
		*second = TMAP_NONE;
	return 0;
}

/* "bind air to cores 44-47, which are idle" */
static char *idle_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
		      const struct tmap_node_use *use, int node, struct tmap_error *err)
{
	char *cores = idle_print(tmap_machine_topology(it->placement->machine, node), use, err);
	char *text = NULL, *where = NULL, *fix = NULL;
	struct tmap_str name = TMAP_STR_INIT;
	int second;

	if (cores && find_second(&second, it, finding, node, use->idle_cores, err) == 0)
		where = tmap_lint_where(finding, node, true, err);
	if (where && *cores && second != TMAP_NONE) {
		tmap_mpmd_add_name(&name, &it->parts.part[second]);
		text = tmap_str_take(&name, err);
		fix = text ? tmap_format(err, "bind %s to %s, which are idle on %s", text, cores,
					 where) :
			     NULL;
	} else if (where && *cores) {
		fix = tmap_format(err, "give each rank PUs of its own: %s %s idle on %s", cores,
				  use->idle_cores == 1 ? "is" : "are", where);
	} else if (where) {
		fix = tmap_format(err, "give each rank PUs of its own: %d cores are idle on %s",
				  use->idle_cores, where);
	}
	free(text);
	free(where);
	free(cores);
	return fix;
}

/* Each rank gets the cores of its threads, where so many are known; nodes keep their ranks. */
static char *apart_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
		       const char *text, struct tmap_error *err)
{
	int threads = tmap_room_threads(it->placement);

	if (!it->order.regular)
		return tmap_lint_fix(finding, finding->rule->fix, err);
	return tmap_lint_cores_fix(finding, it, text, threads ? threads : 1, false, err);
}

enum tmap_lint_answer tmap_lint_shared_pu(struct tmap_finding *finding,
					  const struct tmap_inspection *it, struct tmap_error *err)
{
	struct crowd crowd = { .mask = TMAP_CROWDS_PU, .wanted = TMAP_CROWDS_PU, .any_node = true };
	char *where, *what = NULL;

	if (finding_add_crowd(finding, &crowd, it, err) < 0)
		return TMAP_LINT_FAILED;
	if (crowd.example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	if (it->parts.count && crowd.use.idle_cores)
		finding->fix = idle_fix(finding, it, &crowd.use, crowd.example, err);
	else
		finding->fix = has_too_many(it, finding) ?
			tmap_lint_fewer(finding, it,
					"start at most as many ranks on a node as it has cores",
					err) :
			apart_fix(finding, it, "give each rank PUs of its own", err);
	crowd_fini(&crowd);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	where = tmap_lint_where(finding, crowd.example, true, err);
	if (where && crowd.use.idle_cores)
		what = tmap_format(err, "share PUs, with %d of %d cores idle on %s",
				   crowd.use.idle_cores, crowd.use.cores, where);
	else if (where)
		what = tmap_format(err, "share PUs, and no core is idle on %s", where);
	free(where);
	return tmap_lint_found_take(finding, what, err);
}

enum tmap_lint_answer tmap_lint_idle_cores(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	struct crowd crowd = { .mask = TMAP_CROWDS_PU | TMAP_CROWDS_CORE,
			       .wanted = TMAP_CROWDS_CORE,
			       .idle = true };
	char *where, *what = NULL;

	if (finding_add_crowd(finding, &crowd, it, err) < 0)
		return TMAP_LINT_FAILED;
	crowd_fini(&crowd);
	if (crowd.example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	finding->fix = has_too_many(it, finding) ?
		tmap_lint_fewer(finding, it, "start one rank a core", err) :
		apart_fix(finding, it, "fill cores before hardware threads", err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	where = tmap_lint_where(finding, crowd.example, true, err);
	if (where)
		what = tmap_format(err,
				   "%d of %d cores idle on %s, while ranks share cores, a hardware "
				   "thread each",
				   crowd.use.idle_cores, crowd.use.cores, where);
	free(where);
	return tmap_lint_found_take(finding, what, err);
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
	crowd_fini(&crowd);
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
		tmap_format(err, "share cores, %s, and no core is idle",
			    it->crowding_unbound ? "not all bound" : "a hardware thread each"),
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

/* The cores that a rank keeps where none shares its own; 0: some do. */
static int own_cores(const struct tmap_inspection *it)
{
	return it->sharing_pu || it->sharing_core ? 0 : tmap_room_cores_needed(it);
}

/* The fix of ranks on several objects of a type, with as many cores as each can have in one. */
static enum tmap_lint_answer fix_several(enum tmap_lint_answer answer, struct tmap_finding *finding,
					 const struct tmap_inspection *it, enum tmap_type of,
					 struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	static const char *const words[] = { "package", "NUMA node" };
	static const char *const several[] = { "packages", "numas" };
	static const char *const one[] = { "package", "numa" };
	int node, cores, ranks, threads, each, least;
	enum tmap_type type;
	bool is_even;
	char *text;

	if (answer != TMAP_LINT_FOUND)
		return answer;
	threads = tmap_room_threads(p);
	node = p->node[tmap_idset_next(&finding->ranks, TMAP_NONE)];
	type = tmap_topology_count(tmap_machine_topology(p->machine, node), TMAP_NUMA) >
			tmap_topology_count(tmap_machine_topology(p->machine, node), TMAP_PACKAGE) ?
		TMAP_NUMA :
		TMAP_PACKAGE;
	cores = tmap_room_cores_each(it, node, type, &ranks, &is_even);
	each = tmap_room_objects(tmap_machine_topology(p->machine, node), type, &least) <
			it->order.ranks_max ?
		TMAP_NONE :
		1;
	/* that is what many threads need */
	if (threads > tmap_room_widest(it, of) || (cores && threads > cores))
		finding->severity = TMAP_SEVERITY_HINT;
	if (cores && threads > cores) {
		finding->fix = tmap_format(err,
					   "for memory at one %s, run at most %d thread%s a rank "
					   "(OMP_NUM_THREADS=%d), or start fewer ranks",
					   words[type == TMAP_NUMA], cores, cores == 1 ? "" : "s",
					   cores);
		return finding->fix ? answer : TMAP_LINT_FAILED;
	}
	if (type == TMAP_NUMA && tmap_lint_has_gpu_each(it)) {
		finding->fix = tmap_lint_gpus_fix(
			finding, it,
			"bind each to PUs of one NUMA node, which is its GPU's if it uses one",
			err);
		return finding->fix ? answer : TMAP_LINT_FAILED;
	}
	/* no launcher binds more ranks than cores, and some refuse objects without any */
	if (!cores || tmap_machine_topology(p->machine, node)->bare[type])
		text = tmap_format(err, "bind each to PUs of one %s", words[type == TMAP_NUMA]);
	else if (it->order.regular && own_cores(it)) {
		cores = own_cores(it) < cores ? own_cores(it) : cores;
		finding->fix = tmap_lint_cores_fix(finding, it,
						   type == TMAP_NUMA ?
							   "bind each to PUs of one NUMA node" :
							   "bind each to PUs of one package",
						   cores, false, err);
		return finding->fix ? TMAP_LINT_FOUND : TMAP_LINT_FAILED;
	} else if (it->order.regular && (it->order.used_nodes == 1 || is_even))
		text = tmap_format(err, "bind each to PUs of one %s{: |%s %d %d %d|}",
				   words[type == TMAP_NUMA], several[type == TMAP_NUMA], cores,
				   ranks, tmap_room_pus(it, cores));
	else if (it->order.regular)
		text = tmap_format(err,
				   "bind each to PUs of one %s{: |%s %d|; each node keeps its %d "
				   "rank%s (slots in a list of hosts)}",
				   words[type == TMAP_NUMA], one[type == TMAP_NUMA], each,
				   it->order.ranks_max, it->order.ranks_max == 1 ? "" : "s");
	else
		text = tmap_format(err, "bind each to PUs of one %s{: |%s %d|}",
				   words[type == TMAP_NUMA], one[type == TMAP_NUMA], each);
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
			   finding, it, TMAP_PACKAGE, err);
}

enum tmap_lint_answer tmap_lint_two_numa(struct tmap_finding *finding,
					 const struct tmap_inspection *it, struct tmap_error *err)
{
	return fix_several(
		place_check(finding, it, is_on_two_numa, "bound to PUs of several NUMA nodes", err),
		finding, it, TMAP_NUMA, err);
}

static bool is_policy_known(const struct tmap_placement *p)
{
	for (int i = 0; i < p->place_count; i++)
		if (p->places[i].memory.count)
			return true;
	return false;
}

/* Is a memory local to one of the place's PUs? */
static bool is_local(const struct tmap_topology *topo, const struct tmap_memory *memory,
		     const struct tmap_place *place)
{
	if (memory->object == TMAP_NONE)
		return false;
	for (int pu = topo->object[memory->object].first_pu;
	     pu < topo->object[memory->object].end_pu; pu++)
		if (tmap_idset_contains(&place->pus, topo->pu[pu].os))
			return true;
	return false;
}

/* Its memory policy is known, and none of the memories is local to one of its PUs, though another
 * one is: where none is, all memory is far whatever one does. */
static bool is_memory_far(const struct tmap_topology *topo, const struct tmap_place *place)
{
	bool has_local = false;

	if (!place->memory.count)
		return false;
	for (int m = 0; m < topo->memory_count; m++) {
		if (!is_local(topo, &topo->memory[m], place))
			continue;
		if (tmap_idset_contains(&place->memory, topo->memory[m].os))
			return false;
		has_local = true;
	}
	return has_local;
}

/* The NUMA nodes, by OS index, that are local to a PU of the place. */
static int local_memories(struct tmap_idset *nodes, const struct tmap_topology *topo,
			  const struct tmap_place *place, struct tmap_error *err)
{
	for (int m = 0; m < topo->memory_count; m++)
		if (is_local(topo, &topo->memory[m], place) &&
		    tmap_idset_add(nodes, topo->memory[m].os, err) < 0)
			return -1;
	return 0;
}

/* May no rank of the job, on nodes of the kind, use any of these NUMA nodes? */
static bool is_barred(const struct tmap_placement *p, int topology, const struct tmap_idset *nodes)
{
	for (int i = 0; i < p->place_count; i++)
		for (int n = tmap_idset_next(nodes, TMAP_NONE);
		     p->places[i].topology == topology && n != TMAP_NONE;
		     n = tmap_idset_next(nodes, n))
			if (tmap_idset_contains(&p->places[i].memory, n))
				return false;
	return true;
}

/* What no policy gives, as the job may not use it, one asks for. */
static char *far_memory_fix(const struct tmap_finding *finding, const struct tmap_place *place,
			    const struct tmap_idset *local, const char *near,
			    struct tmap_error *err)
{
	char *fix = tmap_lint_fix(finding, finding->rule->fix, err), *whole;
	bool is_one = tmap_idset_size(local) == 1;

	if (!fix || !is_barred(finding->inspection->placement, place->topology, local))
		return fix;
	whole = tmap_format(err,
			    "ask for NUMA node%s %s too where a cgroup leaves %s out "
			    "(cpuset.mems), else %s",
			    is_one ? "" : "s", near, is_one ? "it" : "them", fix);
	free(fix);
	return whole;
}

/* "memory only of NUMA node 0, PUs on NUMA node 1 (rank 18)", with the fix */
static char *print_far_memory(struct tmap_finding *finding, const struct tmap_inspection *it,
			      struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int rank = tmap_idset_next(&finding->ranks, TMAP_NONE);
	const struct tmap_place *place = &p->places[p->place[rank]];
	struct tmap_idset local = { 0 };
	char *allowed = tmap_idset_print(&place->memory, err), *near = NULL, *what = NULL;
	bool is_one = tmap_idset_size(&place->memory) == 1;
	int64_t count;

	if (allowed && local_memories(&local, tmap_placement_topology(p, rank), place, err) == 0)
		near = tmap_idset_print(&local, err);
	count = tmap_idset_size(&local);
	if (near)
		finding->fix = far_memory_fix(finding, place, &local, near, err);
	if (finding->fix)
		what = tmap_format(err,
				   "memory only of NUMA node%s %s, PUs on NUMA node%s %s "
				   "(rank %d)",
				   is_one ? "" : "s", allowed, count == 1 ? "" : "s", near, rank);
	if (is_one && count == 1) {
		tmap_lint_figure(finding, "memory_node", place->memory.range[0].first);
		tmap_lint_figure(finding, "pu_node", local.range[0].first);
	}
	tmap_idset_fini(&local);
	free(allowed);
	free(near);
	return what;
}

enum tmap_lint_answer tmap_lint_far_memory(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	if (!is_policy_known(it->placement))
		return tmap_lint_skipped_take(
			finding,
			tmap_strdup("the placement has no memory policies of its ranks", err));
	if (finding_add_places(finding, it, is_memory_far, err) < 0)
		return TMAP_LINT_FAILED;
	if (!tmap_lint_ranks(finding))
		return TMAP_LINT_NOTHING;
	return tmap_lint_found_take(finding, print_far_memory(finding, it, err), err);
}
