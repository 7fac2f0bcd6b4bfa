/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>

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
