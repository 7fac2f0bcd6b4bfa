/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <limits.h>
#include <stdlib.h>

/* Most PUs are kept apart for jobs, and this is one of the few where the system runs. */
static bool is_systems(const struct tmap_system *system, const struct tmap_topology *topo, int os)
{
	int64_t isolated = tmap_idset_size(&system->isolated);
	const struct tmap_idset *apart = isolated >= tmap_idset_size(&system->nohz_full) ?
		&system->isolated :
		&system->nohz_full;

	return 2 * tmap_idset_size(apart) > topo->pu_count && !tmap_idset_contains(apart, os);
}

int tmap_lint_system_pus(const struct tmap_inspection *it, int node)
{
	const struct tmap_system *system = tmap_machine_system(it->placement->machine, node);
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	int count = 0;

	for (int i = 0; system && i < topo->pu_count; i++)
		count += topo->pu[i].allowed && is_systems(system, topo, topo->pu[i].os);
	return count;
}

/* A PU of the place that the system runs on, or TMAP_NONE. */
static int find_systems_pu(const struct tmap_system *system, const struct tmap_topology *topo,
			   const struct tmap_place *place)
{
	for (int i = 0; i < topo->pu_count; i++)
		if (tmap_idset_contains(&place->pus, topo->pu[i].os) &&
		    is_systems(system, topo, topo->pu[i].os))
			return topo->pu[i].os;
	return TMAP_NONE;
}

/* Cores of which no PU is the system's: of the node, or of these PUs. */
static int count_kept(const struct tmap_system *system, const struct tmap_topology *topo,
		      const struct tmap_idset *pus)
{
	int count = 0, last = TMAP_NONE;
	bool is_kept = false;

	for (int i = 0; i < topo->pu_count; i++) {
		int core = tmap_topology_ancestor(topo, topo->pu[i].object, TMAP_CORE);

		core = core == TMAP_NONE ? topo->pu[i].object : core;
		if (core != last) {
			count += is_kept;
			is_kept = topo->pu[i].allowed &&
				(!pus || tmap_idset_contains(pus, topo->pu[i].os));
		}
		is_kept = is_kept && !is_systems(system, topo, topo->pu[i].os);
		last = core;
	}
	return count + is_kept;
}

int tmap_lint_spare_cores(const struct tmap_inspection *it, int node, struct tmap_error *err)
{
	const struct tmap_machine *machine = it->placement->machine;
	const struct tmap_topology *topo = tmap_machine_topology(machine, node);
	const struct tmap_system *system = tmap_machine_system(machine, node);
	struct tmap_node_use use = { 0 };
	int spare = 0;

	if (tmap_node_use_find(&use, it->placement, &it->fold, node, err) < 0)
		return TMAP_NONE;
	for (int pu = 0, end; pu < topo->pu_count; pu = end) {
		int core = tmap_topology_ancestor(topo, topo->pu[pu].object, TMAP_CORE);
		bool is_spare = true;

		end = core == TMAP_NONE ? pu + 1 : topo->object[core].end_pu;
		for (int i = pu; i < end; i++)
			is_spare = is_spare && topo->pu[i].allowed &&
				!tmap_idset_contains(&use.taken, i) &&
				!(system && is_systems(system, topo, topo->pu[i].os));
		spare += is_spare;
	}
	tmap_node_use_fini(&use);
	return spare;
}

/* "pu:0,36": those of the node that the system runs on. */
static char *systems_print(const struct tmap_system *system, const struct tmap_topology *topo,
			   struct tmap_error *err)
{
	struct tmap_idset pus = { 0 };
	char *text = NULL;
	int status = 0;

	for (int i = 0; i < topo->pu_count && status == 0; i++)
		if (topo->pu[i].allowed && is_systems(system, topo, topo->pu[i].os))
			status = tmap_idset_add(&pus, topo->pu[i].os, err);
	if (status == 0)
		text = tmap_idset_print(&pus, err);
	tmap_idset_fini(&pus);
	return text;
}

/* The fewest cores that a rank of the node keeps where it leaves the system what is the system's. */
static int least_kept(const struct tmap_inspection *it, int node)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_system *system = tmap_machine_system(p->machine, node);
	const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);
	int least = INT_MAX;

	for (int i = it->fold.first[node]; i < it->fold.first[node + 1]; i++) {
		const struct tmap_place *place = &p->places[p->place[it->fold.rank[i]]];
		int kept = place->bound ? count_kept(system, topo, &place->pus) : 0;

		least = kept < least ? kept : least;
	}
	return least;
}

/* Each rank where it is, on fewer cores. */
static char *keep_less(const struct tmap_placement *p, const char *pus, int cores,
		       struct tmap_error *err)
{
	const char *plural = cores == 1 ? "" : "s";

	if (tmap_room_threads(p) > cores)
		return tmap_format(err,
				   "leave PUs %s to the system, so that each rank keeps at least "
				   "%d core%s, and run at most %d thread%s a rank "
				   "(OMP_NUM_THREADS=%d)",
				   pus, cores, plural, cores, plural, cores);
	return tmap_format(err,
			   "leave PUs %s to the system, so that each rank keeps at least %d "
			   "core%s, by a file of their launcher",
			   pus, cores, plural);
}

/* Is no PU of the core that this one begins the system's? */
static bool is_kept_core(const struct tmap_system *system, const struct tmap_topology *topo, int pu)
{
	int core = tmap_topology_ancestor(topo, topo->pu[pu].object, TMAP_CORE);
	int end = core == TMAP_NONE ? pu + 1 : topo->object[core].end_pu;

	for (int i = pu; i < end; i++)
		if (is_systems(system, topo, topo->pu[i].os))
			return false;
	return tmap_room_begins_core(topo, pu);
}

/* The same in words of the launcher: those cores that ranks are on, and as many others. */
static char *kept_pus_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  int node, int most, int kept, struct tmap_error *err)
{
	const struct tmap_system *system = tmap_machine_system(it->placement->machine, node);
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	const bool is_fewer = most < it->order.ranks_max;
	struct tmap_node_use use = { 0 };
	struct tmap_idset pus = { 0 };
	char *text = NULL, *fix = NULL;
	int left = most, status = tmap_node_use_find(&use, it->placement, &it->fold, node, err);

	for (int idle = 0; idle < 2; idle++)
		for (int i = 0; i < topo->pu_count && left > 0 && status == 0; i++) {
			if (tmap_idset_contains(&use.taken, i) == (idle == 1) ||
			    !is_kept_core(system, topo, i))
				continue;
			status = tmap_idset_add(&pus, topo->pu[i].os, err);
			left--;
		}
	if (status == 0)
		text = tmap_format(err,
				   is_fewer ? "start %d rank%s a node, as %d cores are kept apart "
					      "for jobs, and leave the others free" :
					      "bind the %d rank%s of a node to the %d cores that "
					      "are kept apart for jobs",
				   most, most == 1 ? "" : "s", kept);
	if (text)
		fix = tmap_lint_list_fix(finding, text, &pus, most, err);
	free(text);
	tmap_idset_fini(&pus);
	tmap_node_use_fini(&use);
	return fix;
}

/* Ranks that have no room on the cores that are kept for them are too many. */
static char *system_core_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			     int node, struct tmap_error *err)
{
	const struct tmap_machine *machine = it->placement->machine;
	const struct tmap_system *system = tmap_machine_system(machine, node);
	const struct tmap_topology *topo = tmap_machine_topology(machine, node);
	int kept = count_kept(system, topo, NULL), cores = tmap_room_cores_needed(it);
	int room = kept / cores, most = room < it->order.ranks_max ? room : it->order.ranks_max;
	struct tmap_str fix = TMAP_STR_INIT;
	int least;
	char *pus, *less;

	if (it->parts.count || !it->order.regular || machine->system_count > 1 ||
	    it->fold.class_count > 1)
		return tmap_lint_fix(finding, finding->rule->fix, err);
	/* whichever uses more of the node */
	least = least_kept(it, node);
	if (cores > 1 && (int64_t)least * it->order.ranks_max > (int64_t)most * cores) {
		pus = systems_print(system, topo, err);
		less = pus ? keep_less(it->placement, pus, least, err) : NULL;
		free(pus);
		return less;
	}
	if (!room)
		return tmap_lint_fix(finding, finding->rule->fix, err);
	if (cores == 1 && tmap_lint_has_list_words(finding))
		return kept_pus_fix(finding, it, node, most, kept, err);
	if (cores > 1)
		return tmap_format(
			err,
			"start at most %d rank%s a node, %d cores for each, on the %d "
			"cores that are kept apart for jobs, by a file of their launcher",
			most, most == 1 ? "" : "s", cores, kept);
	pus = systems_print(system, topo, err);
	if (!pus)
		return NULL;
	tmap_str_addf(&fix,
		      most < it->order.ranks_max ?
			      "start %d rank%s a node, as %d cores are kept apart for jobs, and "
			      "leave the others free: topomap suggest-rankfile -n %lld --slots "
			      "core --leave-free pu:%s" :
			      "bind the %d rank%s of a node to the %d cores that are kept apart "
			      "for jobs: topomap suggest-rankfile -n %lld --slots core "
			      "--leave-free pu:%s",
		      most, most == 1 ? "" : "s", kept, (long long)most * it->order.used_nodes,
		      pus);
	free(pus);
	tmap_job_command_end(&fix, "suggest-rankfile", it->words);
	return tmap_str_take(&fix, err);
}

enum { NOT_ASKED = -2 };

enum tmap_lint_answer tmap_lint_system_core(struct tmap_finding *finding,
					    const struct tmap_inspection *it,
					    struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	size_t systems = (size_t)p->machine->system_count;
	int *known, example = TMAP_NONE, pu = TMAP_NONE, status = 0;
	char *where, *what = NULL;
	bool is_same = true;

	if (!systems)
		return tmap_lint_skip_system(finding, err);
	/* of each place on a node with each system: such a PU */
	known = tmap_alloc_raw((size_t)p->place_count * systems, sizeof *known, err);
	for (size_t i = 0; known && i < (size_t)p->place_count * systems; i++)
		known[i] = NOT_ASKED;
	for (int r = 0; known && r < p->size && status == 0; r++) {
		const struct tmap_system *system = tmap_machine_system(p->machine, p->node[r]);
		const struct tmap_place *place = &p->places[p->place[r]];
		int *answer;

		if (!system || !place->bound)
			continue;
		answer = &known[(size_t)p->place[r] * systems +
				(size_t)p->machine->node_system[p->node[r]]];
		if (*answer == NOT_ASKED)
			*answer = find_systems_pu(system, tmap_placement_topology(p, r), place);
		if (*answer == TMAP_NONE)
			continue;
		if (example == TMAP_NONE) {
			example = r;
			pu = *answer;
		}
		is_same = is_same && *answer == pu;
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	status = known ? status : -1;
	free(known);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	tmap_lint_figure(finding, "pu", pu);
	finding->fix = system_core_fix(finding, it, p->node[example], err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	where = tmap_lint_where(finding, p->node[example], is_same, err);
	if (where)
		what = tmap_format(err,
				   "on PU P#%d of %s, which the system keeps for itself (rank %d)",
				   pu, where, example);
	free(where);
	return tmap_lint_found_take(finding, what, err);
}
