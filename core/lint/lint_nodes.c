/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes of different sizes: where each has as much work as the others, the small ones take longer. */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* What a node has and has to do. */
struct load {
	int node;
	int ranks, cores;
	int64_t threads; /* one of a rank of which that is not known */
	double room;     /* cores that ranks may run on, for each of them */
};

static int load_find(struct load *load, const struct tmap_inspection *it, int class,
		     const int64_t *threads, struct tmap_error *err)
{
	int node = it->fold.example[class];
	struct tmap_node_use use = { 0 };

	if (tmap_node_use_find(&use, it->placement, &it->fold, node, err) < 0)
		return -1;
	*load = (struct load){ .node = node,
			       .ranks = it->fold.first[node + 1] - it->fold.first[node],
			       .cores = use.cores,
			       .threads = threads[node] };
	load->room = (double)(use.cores - use.idle_cores) / load->ranks;
	tmap_node_use_fini(&use);
	return 0;
}

/* The fullest kind of node and the emptiest one, by threads a core; and by cores a rank. */
struct extremes {
	struct load full, empty, narrow, wide;
	int64_t threads, cores; /* of all nodes */
};

static double fullness(const struct load *load)
{
	return (double)load->threads / load->cores;
}

static int extremes_find(struct extremes *it, const struct tmap_inspection *inspection,
			 const int64_t *threads, struct tmap_error *err)
{
	*it = (struct extremes){ .threads = 0 };
	for (int c = 0; c < inspection->fold.class_count; c++) {
		struct load load;

		if (load_find(&load, inspection, c, threads, err) < 0)
			return -1;
		if (c == 0)
			it->full = it->empty = it->narrow = it->wide = load;
		it->full = fullness(&load) > fullness(&it->full) ? load : it->full;
		it->empty = fullness(&load) < fullness(&it->empty) ? load : it->empty;
		it->narrow = load.room < it->narrow.room ? load : it->narrow;
		it->wide = load.room > it->wide.room ? load : it->wide;
		it->threads += load.threads * inspection->fold.nodes[c];
		it->cores += (int64_t)load.cores * inspection->fold.nodes[c];
	}
	return 0;
}

/* Add the ranks of nodes like that of the class's example. */
static int collect(struct tmap_finding *finding, const struct tmap_inspection *it, int node,
		   struct tmap_error *err)
{
	const int *of = it->placement->node;

	for (int r = 0; r < it->placement->size; r++)
		if (it->fold.class_of[of[r]] == it->fold.class_of[node] &&
		    tmap_idset_add(&finding->ranks, r, err) < 0)
			return -1;
	return 0;
}

static void figures(struct tmap_finding *finding, const struct load *small,
		    const struct load *large)
{
	tmap_lint_figure(finding, "threads", (double)small->threads);
	tmap_lint_figure(finding, "cores", small->cores);
	tmap_lint_figure(finding, "other_threads", (double)large->threads);
	tmap_lint_figure(finding, "other_cores", large->cores);
}

/* The most cores of a memory of a node. */
static int widest_memory(const struct tmap_topology *topo)
{
	enum tmap_type type = tmap_room_memory_type(topo);
	int most = 0;

	for (int i = 0; i < topo->object_count; i++) {
		int cores = topo->object[i].type == type ? tmap_room_object_cores(topo, i) : 0;

		most = cores > most ? cores : most;
	}
	return most;
}

/* Ranks of so many cores, each of one memory, for which nodes have room. */
static int64_t count_room(const struct tmap_inspection *it, int cores)
{
	int64_t ranks = 0;

	for (int c = 0; c < it->fold.class_count; c++) {
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, it->fold.example[c]);
		enum tmap_type type = tmap_room_memory_type(topo);

		for (int i = 0; i < topo->object_count; i++)
			if (topo->object[i].type == type)
				ranks += (int64_t)it->fold.nodes[c] *
					(tmap_room_object_cores(topo, i) / cores);
	}
	return ranks;
}

/* Ranks of more threads than a memory of the full node has cores are too wide for it: fewer threads, and as
 * many ranks as there is room for. *fix is NULL where they are not. */
static int narrower_fix(char **fix, const struct tmap_inspection *it, const struct load *full,
			struct tmap_error *err)
{
	const struct tmap_machine *machine = it->placement->machine;
	const struct tmap_topology *topo = tmap_machine_topology(machine, full->node);
	int cores = widest_memory(topo);
	int64_t ranks;
	char *fewer;

	*fix = NULL;
	if (it->parts.count || cores < 2 || tmap_room_threads(it->placement) <= cores)
		return 0;
	fewer = tmap_format(err,
			    "run %d threads a rank (OMP_NUM_THREADS=%d), as many as a %s of %s has "
			    "cores",
			    cores, cores,
			    tmap_room_memory_type(topo) == TMAP_NUMA ? "NUMA node" : "package",
			    machine->node_name[full->node]);
	ranks = count_room(it, cores);
	if (!fewer || ranks <= it->placement->size) {
		*fix = fewer;
		return fewer ? 0 : -1;
	}
	*fix = tmap_format(err, "%s; there is room for %lld such ranks, by the cores of the nodes",
			   fewer, (long long)ranks);
	free(fewer);
	return *fix ? 0 : -1;
}

/* More threads than cores here, and not there. */
static enum tmap_lint_answer found_crowded(struct tmap_finding *finding,
					   const struct tmap_inspection *it,
					   const struct extremes *extremes, struct tmap_error *err)
{
	const struct load *full = &extremes->full, *empty = &extremes->empty;
	const struct tmap_machine *machine = it->placement->machine;
	const char *name = machine->node_name[full->node], *other = machine->node_name[empty->node];
	const char *work =
		full->threads == full->ranks && empty->threads == empty->ranks ? "rank" : "thread";

	if (collect(finding, it, full->node, err) < 0)
		return TMAP_LINT_FAILED;
	figures(finding, full, empty);
	if (narrower_fix(&finding->fix, it, full, err) < 0 ||
	    (!finding->fix && tmap_lint_share_fix(&finding->fix, finding, it, 0, err) < 0))
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(finding,
				    tmap_format(err, "%s has %lld %ss for %d cores, %s %lld for %d",
						name, (long long)full->threads, work, full->cores,
						other, (long long)empty->threads, empty->cores),
				    err);
}

/* Each rank has fewer cores to run on here than there, and may have a thread on each. */
static enum tmap_lint_answer found_narrow(struct tmap_finding *finding,
					  const struct tmap_inspection *it,
					  const struct extremes *extremes, struct tmap_error *err)
{
	const struct load *narrow = &extremes->narrow, *wide = &extremes->wide;
	const struct tmap_machine *machine = it->placement->machine;

	if (collect(finding, it, narrow->node, err) < 0)
		return TMAP_LINT_FAILED;
	figures(finding, narrow, wide);
	tmap_lint_figure(finding, "cores_each", narrow->room);
	tmap_lint_figure(finding, "other_cores_each", wide->room);
	finding->severity = TMAP_SEVERITY_HINT;
	return tmap_lint_found_take(
		finding,
		tmap_format(err,
			    "ranks of %s have %.3g cores each, those of %s %.3g, and how many "
			    "threads they run is not known",
			    machine->node_name[narrow->node], narrow->room,
			    machine->node_name[wide->node], wide->room),
		err);
}

/* Is the number of threads of each rank known? */
static bool threads_are_known(const struct tmap_placement *p)
{
	for (int i = 0; i < p->setting_count; i++)
		if (!tmap_setting_threads(&p->settings[i], NULL))
			return false;
	return p->setting_count > 0;
}

static bool any_unbound(const struct tmap_placement *p)
{
	for (int r = 0; r < p->size; r++)
		if (!p->places[p->place[r]].bound)
			return true;
	return false;
}

/* *extremes is of zeros where there is nothing to compare. */
static int loads_find(struct extremes *extremes, const struct tmap_inspection *it,
		      struct tmap_error *err)
{
	int64_t *threads;
	int status;

	*extremes = (struct extremes){ .threads = 0 };
	if (it->placement->machine->topology_count < 2 || it->fold.class_count < 2)
		return 0;
	threads = tmap_lint_count_threads(it->placement, err);
	status = threads ? extremes_find(extremes, it, threads, err) : -1;
	free(threads);
	return status;
}

/* More threads than cores on small nodes, and not on large ones? */
static bool is_crowded(const struct extremes *extremes)
{
	const struct load *full = &extremes->full, *empty = &extremes->empty;

	return full->cores < empty->cores && full->threads > full->cores &&
		empty->threads <= empty->cores;
}

/* Are there more ranks than PUs on the full node? That is another finding, oversubscribed or
 * shared-pu. */
static bool is_oversubscribed(const struct tmap_inspection *it, const struct extremes *extremes)
{
	int node = extremes->full.node;

	return extremes->full.ranks >
		tmap_topology_allowed_pus(tmap_machine_topology(it->placement->machine, node));
}

int tmap_lint_is_unequal(bool *is_found, const struct tmap_inspection *it, struct tmap_error *err)
{
	struct extremes extremes;

	if (loads_find(&extremes, it, err) < 0)
		return -1;
	*is_found = is_crowded(&extremes);
	return 0;
}

enum tmap_lint_answer tmap_lint_unequal_nodes(struct tmap_finding *finding,
					      const struct tmap_inspection *it,
					      struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	struct extremes extremes;

	if (loads_find(&extremes, it, err) < 0)
		return TMAP_LINT_FAILED;
	if (!extremes.cores)
		return TMAP_LINT_NOTHING;
	if (is_crowded(&extremes))
		return is_oversubscribed(it, &extremes) ?
			TMAP_LINT_NOTHING :
			found_crowded(finding, it, &extremes, err);
	/* two cores or more: a program of one thread is bound so, too, but one of several may be */
	if (it->parts.count || threads_are_known(p) || any_unbound(p) ||
	    extremes.narrow.cores >= extremes.wide.cores || extremes.narrow.room < 2 ||
	    extremes.wide.room < 1.25 * extremes.narrow.room)
		return TMAP_LINT_NOTHING;
	return found_narrow(finding, it, &extremes, err);
}
