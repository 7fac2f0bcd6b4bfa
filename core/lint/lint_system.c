/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <limits.h>
#include <stdlib.h>

int64_t *tmap_lint_count_threads(const struct tmap_placement *p, struct tmap_error *err)
{
	int64_t *threads = tmap_alloc((size_t)p->machine->node_count, sizeof *threads, err);
	int *each = tmap_alloc((size_t)p->setting_count, sizeof *each, err);

	for (int i = 0; each && i < p->setting_count; i++) {
		each[i] = tmap_setting_threads(&p->settings[i], NULL);
		each[i] = each[i] ? each[i] : 1;
	}
	for (int r = 0; threads && each && r < p->size; r++)
		threads[p->node[r]] += p->setting_count ? each[p->setting ? p->setting[r] : 0] : 1;
	if (!each) {
		free(threads);
		threads = NULL;
	}
	free(each);
	return threads;
}

static bool is_over_quota(const struct tmap_machine *machine, const int64_t *threads, int node)
{
	const struct tmap_system *system = tmap_machine_system(machine, node);

	return system && system->cpu_quota_thousandths &&
		threads[node] * 1000 > system->cpu_quota_thousandths;
}

enum tmap_lint_answer tmap_lint_skip_system(struct tmap_finding *finding, struct tmap_error *err)
{
	return tmap_lint_skipped_take(
		finding,
		tmap_strdup("the placement does not say what the systems of its nodes allow", err));
}

/* "put 18 ranks on every node", and words: as many as a quota has time for, where it is that of all nodes,
 * which are @p nodes; else "start at most 18 ranks there, spread over its 2 packages" */
static char *fewer_ranks(const struct tmap_finding *finding, const struct tmap_inspection *it,
			 int node, int most, int nodes, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	bool by_numa = tmap_topology_count(topo, TMAP_NUMA) > 1;
	int least, objects = tmap_room_objects(topo, by_numa ? TMAP_NUMA : TMAP_PACKAGE, &least);

	if (most < 1)
		return tmap_strdup("start fewer ranks there", err);
	if (it->order.regular && nodes == it->order.used_nodes && !it->parts.count &&
	    it->placement->machine->system_count == 1)
		return tmap_lint_even_fix(finding, it, most, nodes, tmap_room_cores_needed(it),
					  err);
	if (objects < 2 || most < 2)
		return tmap_format(err, "start at most %d rank%s there", most,
				   most == 1 ? "" : "s");
	return tmap_format(err, "start at most %d ranks there, spread over its %s", most,
			   by_numa ? "NUMA nodes" : "packages");
}

/* "raise the CPU limit of n1's pod or cgroup to 48, or run at most 3 threads a rank there" */
static char *quota_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
		       int node, int64_t threads, struct tmap_error *err)
{
	const struct tmap_machine *machine = it->placement->machine;
	int64_t quota = tmap_machine_system(machine, node)->cpu_quota_thousandths;
	int ranks = it->fold.first[node + 1] - it->fold.first[node];
	int each = (int)(quota / 1000 / ranks), nodes = 0;
	int64_t needed = (threads + ranks - 1) / ranks * 1000; /* of the quota, by a rank */
	char *start, *fewer = NULL, *fix = NULL;

	/* all ranks of a node are in it, or none */
	for (int n = 0; n < machine->node_count; n++)
		nodes += it->fold.first[n] < it->fold.first[n + 1] &&
			tmap_idset_contains(&finding->ranks, it->fold.rank[it->fold.first[n]]);
	start = nodes == 1 ? tmap_format(err, "raise the CPU limit of %s's pod or cgroup to %lld",
					 machine->node_name[node], (long long)threads) :
			     tmap_format(err, "raise the CPU limit of each pod or cgroup to %lld",
					 (long long)threads);
	if (start && each && threads > ranks)
		fix = tmap_format(err,
				  "%s (cpu.max), or run at most %d thread%s a rank there "
				  "(OMP_NUM_THREADS=%d)",
				  start, each, each == 1 ? "" : "s", each);
	else if (start)
		fewer = fewer_ranks(finding, it, node, (int)(quota / needed), nodes, err);
	if (fewer)
		fix = tmap_format(err, "%s (cpu.max), or %s", start, fewer);
	free(fewer);
	free(start);
	return fix;
}

enum tmap_lint_answer tmap_lint_cpu_quota(struct tmap_finding *finding,
					  const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int example = TMAP_NONE, status = 0;
	int64_t *threads, count;
	double quota;
	char *where, *what = NULL;

	if (!p->machine->system_count)
		return tmap_lint_skip_system(finding, err);
	threads = tmap_lint_count_threads(p, err);
	if (!threads)
		return TMAP_LINT_FAILED;
	for (int r = 0; r < p->size && status == 0; r++) {
		if (!is_over_quota(p->machine, threads, p->node[r]))
			continue;
		example = example == TMAP_NONE ? p->node[r] : example;
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	count = example == TMAP_NONE ? 0 : threads[example];
	free(threads);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	quota = (double)tmap_machine_system(p->machine, example)->cpu_quota_thousandths / 1e3;
	tmap_lint_figure(finding, "threads", (double)count);
	tmap_lint_figure(finding, "cpu_quota", quota);
	finding->fix = quota_fix(finding, it, example, count, err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	where = tmap_lint_where(finding, example, p->machine->system_count == 1, err);
	if (where)
		what = tmap_format(err,
				   "%lld thread%s on %s, where a cgroup gives them the time of %g "
				   "CPU%s",
				   (long long)count, count == 1 ? "" : "s", where, quota,
				   quota == 1 ? "" : "s");
	free(where);
	return tmap_lint_found_take(finding, what, err);
}

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

/* The kind of the fastest core that no rank of the node may run on; TMAP_NONE: there is none. */
static int fastest_idle(const struct tmap_topology *topo, const struct tmap_idset *taken)
{
	int best = TMAP_NONE;

	for (int i = 0; i < topo->pu_count; i++) {
		int core = tmap_topology_ancestor(topo, topo->pu[i].object, TMAP_CORE);
		int first = core == TMAP_NONE ? i : topo->object[core].first_pu;
		int end = core == TMAP_NONE ? i + 1 : topo->object[core].end_pu;
		int next = tmap_idset_next(taken, first - 1);

		if (topo->pu[i].allowed && topo->pu[i].kind > best &&
		    (next == TMAP_NONE || next >= end))
			best = topo->pu[i].kind;
	}
	return best;
}

static int fastest_of(const struct tmap_topology *topo, const struct tmap_place *place)
{
	int best = TMAP_NONE;

	for (int i = 0; i < topo->pu_count; i++)
		if (tmap_idset_contains(&place->pus, topo->pu[i].os) && topo->pu[i].kind > best)
			best = topo->pu[i].kind;
	return best;
}

/* How many cores are of this kind, or faster. */
static int count_as_fast(const struct tmap_topology *topo, int kind)
{
	int count = 0;

	for (int i = 0; i < topo->pu_count; i++)
		count += topo->pu[i].kind >= kind && tmap_room_begins_core(topo, i);
	return count;
}

/* Of as many cores as ranks take, the fastest of the node, the slowest kind. */
static int slowest_needed(const struct tmap_topology *topo, const struct tmap_node_use *use)
{
	int kind = topo->kind_count - 1;

	while (kind > 0 && count_as_fast(topo, kind) < use->cores - use->idle_cores)
		kind--;
	return kind;
}

/* The kinds of the cores that ranks are on: of each place the fastest, of each class of nodes the
 * fastest that is idle, the slowest that its ranks need, and one to which most of them could move. */
struct kinds {
	int *of_place;        /* [place_count] */
	int *idle_of_class;   /* [class_count] */
	int *needed_of_class; /* [class_count] */
	int *better_of_class; /* [class_count]; TMAP_NONE: there is none */
};

static void kinds_fini(struct kinds *it)
{
	free(it->of_place);
	free(it->idle_of_class);
	free(it->needed_of_class);
	free(it->better_of_class);
}

/* The fastest kind of which more than half as many cores, or of faster ones, are idle as are taken of slower
 * ones; a few that are left for the system, or for other jobs, are no such kind. */
static int better_kind(const struct tmap_topology *topo, const struct tmap_idset *taken)
{
	for (int kind = topo->kind_count - 1; kind > 0; kind--) {
		int idle = 0, slow = 0;

		for (int i = 0; i < topo->pu_count; i++) {
			int core = tmap_topology_ancestor(topo, topo->pu[i].object, TMAP_CORE);
			int end = core == TMAP_NONE ? i + 1 : topo->object[core].end_pu;
			int next = tmap_idset_next(taken, i - 1);
			bool is_taken = next != TMAP_NONE && next < end;

			if (!topo->pu[i].allowed || !tmap_room_begins_core(topo, i) ||
			    topo->pu[i].kind == TMAP_NONE)
				continue;
			idle += topo->pu[i].kind >= kind && !is_taken;
			slow += topo->pu[i].kind < kind && is_taken;
		}
		if (2 * idle > slow)
			return kind;
	}
	return TMAP_NONE;
}

static int kinds_init(struct kinds *it, const struct tmap_inspection *inspection,
		      struct tmap_error *err)
{
	const struct tmap_placement *p = inspection->placement;
	const struct tmap_node_fold *fold = &inspection->fold;
	int status;

	it->of_place = tmap_alloc_raw((size_t)p->place_count, sizeof *it->of_place, err);
	it->idle_of_class =
		tmap_alloc_raw((size_t)fold->class_count, sizeof *it->idle_of_class, err);
	it->needed_of_class =
		tmap_alloc_raw((size_t)fold->class_count, sizeof *it->needed_of_class, err);
	it->better_of_class =
		tmap_alloc_raw((size_t)fold->class_count, sizeof *it->better_of_class, err);
	status = it->of_place && it->idle_of_class && it->needed_of_class && it->better_of_class ?
		0 :
		-1;
	for (int i = 0; i < p->place_count && status == 0; i++)
		it->of_place[i] =
			fastest_of(&p->machine->topology[p->places[i].topology], &p->places[i]);
	for (int c = 0; c < fold->class_count && status == 0; c++) {
		const struct tmap_topology *topo =
			tmap_machine_topology(p->machine, fold->example[c]);
		struct tmap_node_use use = { 0 };

		it->idle_of_class[c] = it->needed_of_class[c] = it->better_of_class[c] = TMAP_NONE;
		if (topo->kind_count < 2)
			continue;
		status = tmap_node_use_find(&use, p, fold, fold->example[c], err);
		if (status == 0) {
			it->idle_of_class[c] = fastest_idle(topo, &use.taken);
			it->needed_of_class[c] = slowest_needed(topo, &use);
			it->better_of_class[c] = better_kind(topo, &use.taken);
		}
		tmap_node_use_fini(&use);
	}
	if (status < 0)
		kinds_fini(it);
	return status;
}

static bool is_faster_idle(const struct kinds *it, const struct tmap_inspection *inspection,
			   int rank)
{
	const struct tmap_placement *p = inspection->placement;
	int kind = it->of_place[p->place[rank]];

	return kind != TMAP_NONE &&
		kind < it->idle_of_class[inspection->fold.class_of[p->node[rank]]];
}

/* On a slower core than the ranks of its node need: others are idle that are as fast, for all of them
 * or for most. */
static bool is_slow(const struct kinds *it, const struct tmap_inspection *inspection, int rank)
{
	const struct tmap_placement *p = inspection->placement;
	int kind = it->of_place[p->place[rank]], class = inspection->fold.class_of[p->node[rank]];

	return kind != TMAP_NONE &&
		(kind < it->needed_of_class[class] || kind < it->better_of_class[class]);
}

/* Put the first PUs of @p count cores into @p fast, the fastest first and of equals those that are
 * taken. */
static int cores_pick(struct tmap_idset *fast, const struct tmap_topology *topo,
		      const struct tmap_idset *taken, int count, struct tmap_error *err)
{
	for (int kind = topo->kind_count - 1; kind >= TMAP_NONE; kind--)
		for (int idle = 0; idle < 2; idle++)
			for (int i = 0; i < topo->pu_count && count > 0; i++) {
				if (topo->pu[i].kind != kind || !tmap_room_begins_core(topo, i) ||
				    tmap_idset_contains(taken, i) == (idle == 1))
					continue;
				if (tmap_idset_add(fast, topo->pu[i].os, err) < 0)
					return -1;
				count--;
			}
	return 0;
}

/* Ranks of one core each, on nodes that are alike: the cores, and the command that binds to them. */
static char *slow_cores_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			    struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_topology *topo = tmap_placement_topology(p, 0);
	struct tmap_idset fast = { 0 };
	struct tmap_node_use use = { 0 };
	bool has_room = count_as_fast(topo, topo->kind_count - 1) >= it->order.ranks_max;
	char *names = NULL, *text = NULL, *fix = NULL;

	if (it->parts.count || !it->order.regular || it->fold.class_count > 1 ||
	    tmap_room_cores_needed(it) > 1)
		return tmap_lint_fix(finding, finding->rule->fix, err);
	if (tmap_node_use_find(&use, p, &it->fold, p->node[0], err) < 0)
		return NULL;
	if (cores_pick(&fast, topo, &use.taken, it->order.ranks_max, err) == 0)
		names = tmap_idset_print(&fast, err);
	if (names)
		text = tmap_format(err, "bind the %d rank%s of %s to the %s cores, PUs P#%s",
				   it->order.ranks_max, it->order.ranks_max == 1 ? "" : "s",
				   it->order.used_nodes == 1 ? "the node" : "each node",
				   has_room ? "fast" : "fastest", names);
	if (text)
		fix = tmap_lint_pick_fix(finding, it, text, &fast, err);
	free(text);
	free(names);
	tmap_idset_fini(&fast);
	tmap_node_use_fini(&use);
	return fix;
}

int tmap_lint_is_on_slow_cores(bool *is_found, const struct tmap_inspection *it,
			       struct tmap_error *err)
{
	struct kinds kinds;

	if (kinds_init(&kinds, it, err) < 0)
		return -1;
	*is_found = false;
	for (int r = 0; r < it->placement->size && !*is_found; r++)
		*is_found = is_slow(&kinds, it, r);
	kinds_fini(&kinds);
	return 0;
}

enum tmap_lint_answer tmap_lint_slow_cores(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int example = TMAP_NONE, status = 0;
	struct kinds kinds;

	if (kinds_init(&kinds, it, err) < 0)
		return TMAP_LINT_FAILED;
	for (int r = 0; r < p->size && status == 0; r++) {
		if (!is_slow(&kinds, it, r))
			continue;
		example = example == TMAP_NONE ? r : example;
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	kinds_fini(&kinds);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	finding->fix = slow_cores_fix(finding, it, err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding,
		tmap_format(err,
			    "bound to slow cores while faster ones of their node are idle "
			    "(rank %d on %s)",
			    example, p->machine->node_name[p->node[example]]),
		err);
}

/* [parts, at least one]: the fastest kind that a rank of each program is on. */
static int *parts_find_fastest(const struct kinds *kinds, const struct tmap_inspection *it,
			       struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int count = it->parts.count ? it->parts.count : 1;
	int *fastest = tmap_alloc_raw((size_t)count, sizeof *fastest, err);

	for (int i = 0; fastest && i < count; i++)
		fastest[i] = TMAP_NONE;
	for (int r = 0; fastest && r < p->size; r++) {
		int part = tmap_mpmd_of(&it->parts, p, r), kind = kinds->of_place[p->place[r]];

		fastest[part] = kind > fastest[part] ? kind : fastest[part];
	}
	return fastest;
}

enum tmap_lint_answer tmap_lint_unequal_cores(struct tmap_finding *finding,
					      const struct tmap_inspection *it,
					      struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int *fastest, example = TMAP_NONE, status;
	struct kinds kinds;

	if (kinds_init(&kinds, it, err) < 0)
		return TMAP_LINT_FAILED;
	fastest = parts_find_fastest(&kinds, it, err);
	status = fastest ? 0 : -1;
	for (int r = 0; r < p->size && status == 0; r++) {
		int kind = kinds.of_place[p->place[r]];

		if (kind == TMAP_NONE || kind >= fastest[tmap_mpmd_of(&it->parts, p, r)] ||
		    is_faster_idle(&kinds, it, r))
			continue;
		example = example == TMAP_NONE ? r : example;
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	free(fastest);
	kinds_fini(&kinds);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	return tmap_lint_found_take(
		finding,
		tmap_format(err,
			    "bound to slower cores than others (rank %d on %s), and no faster one "
			    "is idle",
			    example, p->machine->node_name[p->node[example]]),
		err);
}

/* A few, as services take them, are none for programs: of its memory less than one part in so many. */
enum { FEW_PAGES = 64 };

static bool has_pages(const struct tmap_memory *memory)
{
	return memory->huge_bytes && memory->huge_bytes >= memory->size_bytes / FEW_PAGES;
}

/* The node has huge pages, and none of them where the PUs are. */
static bool is_far_from_pages(const struct tmap_topology *topo, const struct tmap_place *place)
{
	bool any = false;

	for (int m = 0; m < topo->memory_count; m++) {
		const struct tmap_memory *memory = &topo->memory[m];

		if (!has_pages(memory) || memory->object == TMAP_NONE)
			continue;
		any = true;
		for (int pu = topo->object[memory->object].first_pu;
		     pu < topo->object[memory->object].end_pu; pu++)
			if (tmap_idset_contains(&place->pus, topo->pu[pu].os))
				return false;
	}
	return any;
}

enum tmap_lint_answer tmap_lint_huge_pages(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	bool *marked = tmap_alloc((size_t)p->place_count, sizeof *marked, err);
	int status = -1;

	for (int i = 0; marked && i < p->place_count; i++)
		marked[i] = is_far_from_pages(&p->machine->topology[p->places[i].topology],
					      &p->places[i]);
	if (marked)
		status = tmap_lint_collect(finding, p, marked, err);
	free(marked);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (!tmap_lint_ranks(finding))
		return TMAP_LINT_NOTHING;
	return tmap_lint_found_take(
		finding,
		tmap_strdup(
			"on NUMA nodes without huge pages, while others of their node have some",
			err),
		err);
}
