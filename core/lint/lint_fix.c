/* SPDX-License-Identifier: BSD-3-Clause */
/* Fixes with numbers of the job, so that its launcher takes them as they stand. */
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>

static int ranks_on(const struct tmap_inspection *it, int node)
{
	return it->fold.first[node + 1] - it->fold.first[node];
}

/* Have all nodes that are used as many cores? */
static bool has_same_cores(const struct tmap_inspection *it)
{
	const struct tmap_machine *machine = it->placement->machine;
	const int *example = it->fold.example;

	for (int c = 1; c < it->fold.class_count; c++)
		if (tmap_topology_allowed_cores(tmap_machine_topology(machine, example[c])) !=
		    tmap_topology_allowed_cores(tmap_machine_topology(machine, example[0])))
			return false;
	return true;
}

char *tmap_lint_fewer(const struct tmap_finding *finding, const struct tmap_inspection *it,
		      const char *text, struct tmap_error *err)
{
	const struct tmap_machine *machine = it->placement->machine;
	int each = it->order.ranks_max;
	char *whole, *fix;

	for (int c = 0; c < it->fold.class_count; c++) {
		int cores = tmap_topology_allowed_cores(
			tmap_machine_topology(machine, it->fold.example[c]));

		each = cores < each ? cores : each;
	}
	/* as many on each would leave much of the large nodes idle */
	if (!has_same_cores(it))
		return tmap_strdup(text, err);
	whole = tmap_format(err, "%s{: |fewer %lld %d %d|}", text,
			    (long long)each * it->order.used_nodes, each, it->order.used_nodes);
	fix = whole ? tmap_lint_fix(finding, whole, err) : NULL;
	free(whole);
	return fix;
}

static bool is_allowed(const struct tmap_topology *topo, const struct tmap_object *object)
{
	for (int pu = object->first_pu; pu < object->end_pu; pu++)
		if (topo->pu[pu].allowed)
			return true;
	return false;
}

/* Cores of an object that the job may use; PUs outside of cores are cores. */
static int object_cores(const struct tmap_topology *topo, const struct tmap_object *object)
{
	int count = 0, last = TMAP_NONE;

	for (int pu = object->first_pu; pu < object->end_pu; pu++) {
		int core = tmap_topology_ancestor(topo, topo->pu[pu].object, TMAP_CORE);

		if (!topo->pu[pu].allowed)
			continue;
		count += core == TMAP_NONE || core != last;
		last = core;
	}
	return count;
}

int tmap_lint_cores_each(const struct tmap_inspection *it, int node, enum tmap_type type,
			 int *ranks, bool *is_even)
{
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	int objects = 0, least = 0;

	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *object = &topo->object[i];
		int cores;

		if (object->type != type || !is_allowed(topo, object))
			continue;
		cores = object_cores(topo, object);
		least = !objects || cores < least ? cores : least;
		objects++;
	}
	*ranks = 0;
	*is_even = false;
	if (!objects)
		return 0;
	*ranks = (ranks_on(it, node) + objects - 1) / objects;
	*is_even = ranks_on(it, node) % objects == 0;
	return least / *ranks;
}

char *tmap_lint_order_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  bool by_turns, struct tmap_error *err)
{
	static const char *const texts[] = { "number the ranks node after node",
					     "distribute the ranks over the nodes in turn" };
	static const char *const names[] = { "block", "cyclic" };
	const struct tmap_placement *p = it->placement;
	int cores = it->binding_count && it->binding[0].binding.bound ? 0 : 1;
	char *whole, *fix;

	if (!cores)
		cores = tmap_cores_of(tmap_placement_topology(p, 0), &p->places[p->place[0]].pus);
	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c];

		int most = tmap_topology_allowed_cores(tmap_machine_topology(p->machine, node)) /
			ranks_on(it, node);

		cores = most < cores ? most : cores;
	}
	if (!cores) /* no launcher binds more ranks than cores */
		return tmap_strdup(texts[by_turns], err);
	whole = tmap_format(err, "%s{ with |%s %d %d|}", texts[by_turns], names[by_turns], cores,
			    it->order.ranks_max);
	fix = whole ? tmap_lint_fix(finding, whole, err) : NULL;
	free(whole);
	return fix;
}

int tmap_lint_threads_all(const struct tmap_placement *p)
{
	int threads = 0;

	for (int i = 0; i < p->setting_count; i++) {
		int count = tmap_setting_threads(&p->settings[i], NULL);

		if (!count || (i && count != threads))
			return 0;
		threads = count;
	}
	return threads;
}

/* How the ranks of each node can have so many cores each, all in one object of the smallest type that
 * has them; NULL: they cannot. *ranks is how many come on an object. */
static const char *threads_fit(const struct tmap_inspection *it, int threads, int *ranks)
{
	static const struct {
		enum tmap_type type;
		const char *name;
	} ways[] = {
		{ TMAP_NUMA, "numa-threads" },
		{ TMAP_PACKAGE, "package-threads" },
		{ TMAP_NODE, "threads" },
	};

	for (size_t i = 0; it->order.regular && i < sizeof ways / sizeof ways[0]; i++) {
		bool fits = true;

		for (int c = 0; c < it->fold.class_count && fits; c++) {
			int count;
			bool is_even;

			fits = tmap_lint_cores_each(it, it->fold.example[c], ways[i].type, &count,
						    &is_even) >= threads &&
				is_even && (c == 0 || count == *ranks);
			*ranks = count;
		}
		if (fits)
			return ways[i].name;
	}
	return NULL;
}

/* So many cores as there are for each rank where they are fewest. */
static int least_cores_each(const struct tmap_inspection *it)
{
	int least = 0;

	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c];
		int each = tmap_topology_allowed_cores(
				   tmap_machine_topology(it->placement->machine, node)) /
			ranks_on(it, node);

		least = c == 0 || each < least ? each : least;
	}
	return least;
}

char *tmap_lint_threads_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			    const char *text, const char *otherwise, struct tmap_error *err)
{
	int threads = tmap_lint_threads_all(it->placement), ranks = 0, each = least_cores_each(it);
	const char *way = threads ? threads_fit(it, threads, &ranks) : NULL;
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	int cores = tmap_topology_allowed_cores(topo);
	char *whole = NULL, *fix;

	if (way)
		whole = tmap_format(err, "%s (%d){: |%s %d %d %d|}", text, threads, way, threads,
				    ranks, threads * (tmap_topology_allowed_pus(topo) / cores));
	else if (threads && each && each < threads)
		whole = tmap_format(
			err,
			"run at most %d thread%s a rank (OMP_NUM_THREADS=%d), each rank "
			"bound to as many cores, or start fewer ranks",
			each, each == 1 ? "" : "s", each);
	else
		whole = tmap_strdup(otherwise, err);
	fix = whole ? tmap_lint_fix(finding, whole, err) : NULL;
	free(whole);
	return fix;
}

int tmap_lint_cores_needed(const struct tmap_inspection *it)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_place *place = &p->places[p->place[0]];
	int threads = tmap_lint_threads_all(p), cores = 1;

	if (place->bound)
		cores = tmap_cores_of(tmap_placement_topology(p, 0), &place->pus);
	return threads > cores ? threads : cores;
}

char *tmap_lint_spread_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			   enum tmap_type type, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	bool is_package = type == TMAP_PACKAGE, is_even = false;
	const char *objects = is_package ? "packages" : "NUMA nodes";
	int need = tmap_lint_cores_needed(it), each, ranks;
	char *text, *fix;

	each = tmap_lint_cores_each(it, it->placement->node[0], type, &ranks, &is_even);
	if (need == 1)
		text = tmap_format(err, "distribute the ranks of a node over its %s{: |%s|}",
				   objects, is_package ? "turns" : "spread");
	else if (it->order.regular && it->fold.class_count == 1 && is_even && each >= need)
		text = tmap_format(
			err,
			"distribute the ranks of a node over its %s, %d cores for each{: "
			"|%s-threads %d %d %d|}",
			objects, need, is_package ? "package" : "numa", need, ranks,
			need *
				(tmap_topology_allowed_pus(topo) /
				 tmap_topology_allowed_cores(topo)));
	else
		text = tmap_format(err,
				   "distribute the ranks of a node over its %s, with %d cores for "
				   "each where there are as many",
				   objects, need);
	fix = text ? tmap_lint_fix(finding, text, err) : NULL;
	free(text);
	return fix;
}
