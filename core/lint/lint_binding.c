/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/machine/device.h"
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
	const struct tmap_placement *p = it->placement;
	int *ranks, first;
	char *text = NULL;

	if (finding_add_places(finding, it, is, err) < 0)
		return TMAP_LINT_FAILED;
	if (!tmap_lint_ranks(finding))
		return TMAP_LINT_NOTHING;
	ranks = tmap_room_ranks_of_places(it, err);
	first = tmap_idset_next(&finding->ranks, TMAP_NONE);
	if (ranks && ranks[p->place[first]] > 1 &&
	    ranks[p->place[first]] == tmap_room_ranks(it, p->node[first]))
		text = tmap_format(err, "%s, all %d ranks of a node to the same PUs", what,
				   ranks[p->place[first]]);
	else if (ranks)
		text = tmap_strdup(what, err);
	free(ranks);
	return tmap_lint_found_take(finding, text, err);
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

static bool is_oversubscribed(const struct tmap_inspection *it)
{
	for (int c = 0; c < it->fold.class_count; c++)
		if (it->crowds[c] & TMAP_CROWD_PUS)
			return true;
	return false;
}

/* Those that no binding to cores has room for are another finding, which must be mended before a
 * launcher can bind any; and so are those whose threads OpenMP binds to the cores of others. */
enum tmap_lint_answer tmap_lint_unbound(struct tmap_finding *finding,
					const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	bool *piled;
	int status = 0;

	if (is_oversubscribed(it))
		return TMAP_LINT_NOTHING;
	piled = tmap_lint_find_piled(it, err);
	if (!piled)
		return TMAP_LINT_FAILED;
	for (int r = 0; r < p->size && status == 0; r++) {
		const struct tmap_place *place = &p->places[p->place[r]];

		if (!place->bound && !piled[r] && !it->crowds[it->fold.class_of[p->node[r]]] &&
		    !is_in_core(&p->machine->topology[place->topology], place) && !needs_all(it, r))
			status = tmap_idset_add(&finding->ranks, r, err);
	}
	free(piled);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (!tmap_lint_ranks(finding))
		return TMAP_LINT_NOTHING;
	finding->fix = unbound_fix(finding, it, err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding, tmap_strdup("not bound, though there is a core for each", err), err);
}

/* "36 ranks for 16 cores with 32 PUs on n0", "36 ranks for the 16 of 64 cores that the job may use on n0" */
static char *room_print(const struct tmap_topology *topo, int ranks, const char *where,
			struct tmap_error *err)
{
	int cores = tmap_topology_allowed_cores(topo), pus = tmap_topology_allowed_pus(topo);
	int all = tmap_topology_count(topo, TMAP_CORE);
	struct tmap_str str = TMAP_STR_INIT;

	tmap_str_addf(&str, "%d ranks for ", ranks);
	if (cores < all)
		tmap_str_addf(&str, "the %d of %d cores that the job may use", cores, all);
	else
		tmap_str_addf(&str, "%d core%s", cores, cores == 1 ? "" : "s");
	if (pus != cores)
		tmap_str_addf(&str, cores < all ? " (%d PUs)" : " with %d PUs", pus);
	tmap_str_addf(&str, " on %s", where);
	return tmap_str_take(&str, err);
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
		what = room_print(topo, ranks, where, err);
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

static char *shared_core_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			     int cores, const char *host, struct tmap_error *err)
{
	static const char limited[] = "if the code is limited by arithmetic or memory";
	char *name = NULL, *text = NULL, *fix = NULL;

	if (tmap_lint_share_fix(&text, finding, it, 0, err) < 0)
		return NULL;
	if (text) {
		fix = tmap_format(err, "%s, %s", limited, text);
	} else {
		name = tmap_fix_escape(host, err);
		text = name ? tmap_format(err, "%s, start one rank a core (%d on %s)", limited,
					  cores, name) :
			      NULL;
		fix = text ? tmap_lint_fewer(finding, it, text, err) : NULL;
	}
	free(text);
	free(name);
	return fix;
}

/* Is every PU that the job may use one that a rank has? Then its hardware threads are used on purpose. */
static int takes_all_pus(bool *all, const struct tmap_inspection *it, struct tmap_error *err)
{
	*all = true;
	for (int c = 0; c < it->fold.class_count && *all; c++) {
		int node = it->fold.example[c];
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, node);
		struct tmap_node_use use = { 0 };

		if (tmap_node_use_find(&use, it->placement, &it->fold, node, err) < 0)
			return -1;
		for (int pu = 0; pu < topo->pu_count && *all; pu++)
			*all = !topo->pu[pu].allowed || tmap_idset_contains(&use.taken, pu);
		tmap_node_use_fini(&use);
	}
	return 0;
}

enum tmap_lint_answer tmap_lint_shared_core(struct tmap_finding *finding,
					    const struct tmap_inspection *it,
					    struct tmap_error *err)
{
	struct crowd crowd = { .mask = TMAP_CROWDS_PU | TMAP_CROWDS_CORE,
			       .wanted = TMAP_CROWDS_CORE,
			       .unbound = true };
	bool is_unequal; /* that is another finding */
	bool all;

	if (tmap_lint_is_unequal(&is_unequal, it, err) < 0)
		return TMAP_LINT_FAILED;
	if (is_unequal)
		return TMAP_LINT_NOTHING;
	if (finding_add_crowd(finding, &crowd, it, err) < 0)
		return TMAP_LINT_FAILED;
	crowd_fini(&crowd);
	if (crowd.example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	if (takes_all_pus(&all, it, err) < 0)
		return TMAP_LINT_FAILED;
	if (all && !it->crowding_unbound)
		finding->severity = TMAP_SEVERITY_HINT;
	finding->fix = shared_core_fix(finding, it, crowd.use.cores,
				       it->placement->machine->node_name[crowd.example], err);
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

/* The first adapter of a node that has some, and none at its first object of the type; else NULL. */
static const char *adapter_elsewhere(const struct tmap_topology *topo, enum tmap_type type)
{
	const char *name = NULL;

	for (int d = 0; d < topo->device_count; d++) {
		int object = topo->device[d].object;

		if (!tmap_device_is_adapter(topo, d) || object == TMAP_NONE)
			continue;
		object = tmap_topology_ancestor(topo, object, type);
		if (object == TMAP_NONE || topo->object[object].first_pu == 0)
			return NULL;
		name = name ? name : topo->device[d].name;
	}
	return name;
}

/* Launchers put the one rank of a node at its first object: that is none for its messages. */
static char *alone_fix(const char *word, const char *adapter, struct tmap_error *err)
{
	return tmap_format(err, "bind the rank of each node to PUs of one %s, that of %s", word,
			   adapter);
}

/* Ranks that do not divide over the objects of a node: as many as do, more of them or fewer. */
static char *fit_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
		     int fewer, int objects, int least, struct tmap_error *err)
{
	int more = fewer + objects, cores = least / (more / objects),
	    most = least / (fewer / objects);
	char *even, *fix;

	if (!cores)
		return tmap_format(err, "put %d ranks of %d cores on every node", fewer, most);
	even = tmap_lint_even_fix(finding, it, more, it->order.used_nodes, cores, err);
	fix = even ? tmap_format(err, "%s, %d thread%s each; or %d rank%s of %d", even, cores,
				 cores == 1 ? "" : "s", fewer, fewer == 1 ? "" : "s", most) :
		     NULL;
	free(even);
	return fix;
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
	int node, cores, ranks, threads, each, least, own;
	enum tmap_type type;
	const char *adapter;
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
	/* that is what many threads need, if it is so for all ranks; else the others wait for these */
	if ((threads > tmap_room_widest(it, of) || (cores && threads > cores)) &&
	    tmap_idset_size(&finding->ranks) == p->size)
		finding->severity = TMAP_SEVERITY_HINT;
	if (cores && threads > cores) {
		int objects =
			tmap_room_objects(tmap_machine_topology(p->machine, node), of, &least);
		int fewer = it->order.ranks_max / objects * objects;

		if (finding->severity != TMAP_SEVERITY_HINT && it->order.regular && fewer &&
		    fewer < it->order.ranks_max) {
			finding->fix = fit_fix(finding, it, fewer, objects, least, err);
			return finding->fix ? answer : TMAP_LINT_FAILED;
		}
		finding->fix = tmap_format(err,
					   "for memory at one %s, run at most %d thread%s a rank "
					   "(OMP_NUM_THREADS=%d), or start fewer ranks",
					   words[type == TMAP_NUMA], cores, cores == 1 ? "" : "s",
					   cores);
		return finding->fix ? answer : TMAP_LINT_FAILED;
	}
	adapter = it->order.ranks_max == 1 && it->order.used_nodes > 1 ?
		adapter_elsewhere(tmap_machine_topology(p->machine, node), type) :
		NULL;
	if (adapter) {
		finding->fix = alone_fix(words[type == TMAP_NUMA], adapter, err);
		return finding->fix ? answer : TMAP_LINT_FAILED;
	}
	if (type == TMAP_NUMA && tmap_lint_has_gpu_each(it)) {
		finding->fix = tmap_lint_gpus_fix(
			finding, it,
			"bind each to PUs of one NUMA node, which is its GPU's if it uses one",
			cores ? cores : 1, err);
		return finding->fix ? answer : TMAP_LINT_FAILED;
	}
	/* no launcher binds more ranks than cores, and some refuse objects without any */
	if (!cores || tmap_machine_topology(p->machine, node)->bare[type])
		text = tmap_format(err, "bind each to PUs of one %s", words[type == TMAP_NUMA]);
	else if (it->order.regular && (own_cores(it) || threads > 1)) {
		own = own_cores(it) ? own_cores(it) : threads;
		cores = own < cores ? own : cores;
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

/* How the memory of the ranks of one kind of node is limited. */
struct limits {
	struct tmap_idset near; /* NUMA nodes that are local to ranks of the finding */
	bool is_one;            /* all ranks are limited to the same ones */
};

/* Of the kind of node on which @p example is; *it is zeroed. */
static int limits_init(struct limits *it, const struct tmap_placement *p,
		       const struct tmap_place *example, struct tmap_error *err)
{
	const struct tmap_topology *topo = &p->machine->topology[example->topology];

	it->is_one = true;
	for (int i = 0; i < p->place_count; i++) {
		const struct tmap_place *place = &p->places[i];

		if (place->topology != example->topology)
			continue;
		it->is_one = it->is_one && tmap_idset_equal(&place->memory, &example->memory);
		if (is_memory_far(topo, place) && local_memories(&it->near, topo, place, err) < 0)
			return -1;
	}
	return 0;
}

/* "1-7,9" */
static void add_ids(struct tmap_str *str, const struct tmap_idset *ids)
{
	for (int i = 0; i < ids->count; i++) {
		tmap_str_addf(str, "%s%d", i ? "," : "", ids->range[i].first);
		if (ids->range[i].last > ids->range[i].first)
			tmap_str_addf(str, "-%d", ids->range[i].last);
	}
}

/* "NUMA nodes 1-7" */
static void add_numas(struct tmap_str *str, const struct tmap_idset *nodes)
{
	tmap_str_add(str, tmap_idset_size(nodes) == 1 ? "NUMA node " : "NUMA nodes ");
	add_ids(str, nodes);
}

enum { MOST_RANGES = 4 };

/* " of rank 6", or "" where it is all of them */
static void add_only(struct tmap_str *str, const struct tmap_finding *finding)
{
	int64_t count = tmap_idset_size(&finding->ranks);

	if (count == finding->inspection->placement->size)
		return;
	tmap_str_add(str, " of ");
	if (finding->ranks.count > MOST_RANGES) {
		tmap_str_addf(str, "%lld ranks", (long long)count);
		return;
	}
	tmap_str_add(str, count == 1 ? "rank " : "ranks ");
	add_ids(str, &finding->ranks);
}

/* Is all that a place may use memory of one kind, other than the usual one? Then its kind. */
static const char *special_kind(const struct tmap_topology *topo, const struct tmap_place *place)
{
	const char *kind = NULL;

	for (int m = 0; m < topo->memory_count; m++) {
		if (!tmap_idset_contains(&place->memory, topo->memory[m].os))
			continue;
		if (!*topo->memory[m].kind || strcmp(topo->memory[m].kind, "DRAM") == 0 ||
		    (kind && strcmp(kind, topo->memory[m].kind) != 0))
			return NULL;
		kind = topo->memory[m].kind;
	}
	return kind;
}

/* The memories of a kind that cores have, if each set that ranks are bound to, far from what it has, is
 * near one of them; else none. */
static int memories_of_kind(struct tmap_idset *nodes, const struct tmap_placement *p, int topology,
			    const char *kind, struct tmap_error *err)
{
	const struct tmap_topology *topo = &p->machine->topology[topology];

	for (int m = 0; m < topo->memory_count; m++)
		if (strcmp(topo->memory[m].kind, kind) == 0 &&
		    topo->memory[m].object != TMAP_NONE && !topo->memory[m].disallowed &&
		    tmap_idset_add(nodes, topo->memory[m].os, err) < 0)
			return -1;
	for (int i = 0; i < p->place_count; i++) {
		bool has_near = false;

		if (p->places[i].topology != topology || !is_memory_far(topo, &p->places[i]))
			continue;
		for (int m = 0; m < topo->memory_count; m++)
			has_near = has_near ||
				(tmap_idset_contains(nodes, topo->memory[m].os) &&
				 is_local(topo, &topo->memory[m], &p->places[i]));
		if (!has_near)
			tmap_idset_fini(nodes);
	}
	return 0;
}

/* Who asks for a kind of memory wants to keep it: the system takes the nearest of several. *fix is NULL where
 * that is not so. */
static int far_kind_fix(char **fix, const struct tmap_finding *finding,
			const struct tmap_place *place, struct tmap_error *err)
{
	const struct tmap_placement *p = finding->inspection->placement;
	const char *kind = special_kind(&p->machine->topology[place->topology], place);
	struct tmap_str str = TMAP_STR_INIT;
	struct tmap_idset nodes = { 0 };
	char *text;

	*fix = NULL;
	if (!kind)
		return 0;
	if (memories_of_kind(&nodes, p, place->topology, kind, err) < 0) {
		tmap_idset_fini(&nodes);
		return -1;
	}
	if (!nodes.count)
		return 0;
	tmap_str_add(&str, "numactl --membind=");
	add_ids(&str, &nodes);
	tmap_str_add(&str, " instead of --membind=");
	add_ids(&str, &place->memory);
	tmap_str_addf(&str, ": of these the system takes the %s nearest to each rank first", kind);
	tmap_idset_fini(&nodes);
	text = tmap_str_take(&str, err);
	*fix = text ? tmap_lint_fix(finding, text, err) : NULL;
	free(text);
	return *fix ? 0 : -1;
}

/* What all ranks have alike is that of a command around them, which is likelier than a cgroup with
 * PUs and without their memory; what they have not, one got wrong for some. */
static char *far_memory_fix(const struct tmap_finding *finding, const struct tmap_place *place,
			    struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;
	struct limits limits = { .is_one = true };
	char *text, *fix = NULL;

	if (limits_init(&limits, finding->inspection->placement, place, err) < 0 ||
	    (limits.is_one && (far_kind_fix(&fix, finding, place, err) < 0 || fix)))
		goto out;
	if (limits.is_one) {
		tmap_str_add(&str, "start the ranks without numactl --membind=");
		add_ids(&str, &place->memory);
		tmap_str_add(&str, ", or what else limits their memory to ");
		add_numas(&str, &place->memory);
	} else {
		tmap_str_add(&str, "bind memory");
		add_only(&str, finding);
		tmap_str_add(&str,
			     tmap_idset_size(&finding->ranks) == 1 ?
				     " to where its PUs are, " :
				     ", of each rank to where its PUs are, ");
		add_numas(&str, &limits.near);
	}
	tmap_str_add(&str, ": numactl --localalloc{, |memory|}, or no memory policy at all");
	if (limits.is_one) {
		tmap_str_add(&str, "; if a cgroup leaves ");
		add_numas(&str, &limits.near);
		tmap_str_addf(&str, " out (cpuset.mems), ask for %s too",
			      tmap_idset_size(&limits.near) == 1 ? "it" : "them");
	}
	text = tmap_str_take(&str, err);
	fix = text ? tmap_lint_fix(finding, text, err) : NULL;
	free(text);
out:
	tmap_idset_fini(&limits.near);
	return fix;
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
		finding->fix = far_memory_fix(finding, place, err);
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
