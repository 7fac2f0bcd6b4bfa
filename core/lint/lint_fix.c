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
	int each = it->order.ranks_max, more;
	char *whole, *fix;
	int64_t room;

	for (int c = 0; c < it->fold.class_count; c++) {
		int cores = tmap_topology_allowed_cores(
			tmap_machine_topology(machine, it->fold.example[c]));

		each = cores < each ? cores : each;
	}
	/* as many on each would leave much of the large nodes idle */
	if (!has_same_cores(it))
		return tmap_strdup(text, err);
	room = (int64_t)each * it->order.used_nodes;
	more = (int)((it->placement->size - room + each - 1) / each);
	whole = tmap_format(err, "%s{: |fewer %lld %d %d|}", text,
			    (long long)(room < it->placement->size ? room : it->placement->size),
			    each, it->order.used_nodes);
	fix = whole ? tmap_lint_fix(finding, whole, err) : NULL;
	free(whole);
	if (!fix || more < 1)
		return fix;
	whole = tmap_format(err, "%s, or take %d more node%s for all %d", fix, more,
			    more == 1 ? "" : "s", it->placement->size);
	free(fix);
	return whole;
}

int tmap_lint_twice(const struct tmap_inspection *it)
{
	int twice = TMAP_NONE;

	if (it->parts.count || !has_same_cores(it))
		return TMAP_NONE;
	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c];

		if (ranks_on(it, node) == it->order.ranks_usual)
			continue;
		if (ranks_on(it, node) != 2 * it->order.ranks_usual || it->fold.nodes[c] > 1 ||
		    twice != TMAP_NONE)
			return TMAP_NONE;
		twice = node;
	}
	return twice;
}

char *tmap_lint_ask_twice_take(const struct tmap_inspection *it, char *fix_take,
			       struct tmap_error *err)
{
	int node = tmap_lint_twice(it);
	char *fix;

	if (node == TMAP_NONE || !fix_take)
		return fix_take;
	fix = tmap_format(err, "is %s twice in the list of hosts? Else %s",
			  it->placement->machine->node_name[node], fix_take);
	free(fix_take);
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

/* Objects of a type that the job may use, and the fewest cores of one. */
static int objects_of(const struct tmap_topology *topo, enum tmap_type type, int *least)
{
	int objects = 0;

	*least = 0;
	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *object = &topo->object[i];
		int cores;

		if (object->type != type || !is_allowed(topo, object))
			continue;
		cores = object_cores(topo, object);
		*least = !objects || cores < *least ? cores : *least;
		objects++;
	}
	return objects;
}

int tmap_lint_cores_each(const struct tmap_inspection *it, int node, enum tmap_type type,
			 int *ranks, bool *is_even)
{
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	int least, objects = objects_of(topo, type, &least);

	*ranks = 0;
	*is_even = false;
	if (!objects)
		return 0;
	*ranks = (ranks_on(it, node) + objects - 1) / objects;
	*is_even = ranks_on(it, node) % objects == 0;
	return least / *ranks;
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

/* How ranks come to objects of a type: as many on each, or in turn; the names of fix.h. */
static const struct way {
	enum tmap_type type;
	const char *objects;
	const char *threads, *each; /* as many on each: for room, and to leave none idle */
	const char *turns;
} ways[] = {
	{ TMAP_L3, "L3 caches", NULL, "each-cache", "caches" },
	{ TMAP_NUMA, "NUMA nodes", "numa-threads", "each-numa", "spread" },
	{ TMAP_PACKAGE, "packages", "package-threads", "each-package", "turns" },
};

enum { WAYS = sizeof ways / sizeof ways[0] };

static const struct way *way_of(enum tmap_type type)
{
	const struct way *way = ways;

	while (way->type != type)
		way++;
	return way;
}

/* Can the ranks of each node have so many cores each, all in one object of the type? *ranks is how many
 * come on an object, and *is_even whether as many come on each object of every node. */
static bool type_fits(const struct tmap_inspection *it, enum tmap_type type, int cores, int *ranks,
		      bool *is_even)
{
	*ranks = 0;
	*is_even = true;
	for (int c = 0; c < it->fold.class_count; c++) {
		int count, each;
		bool is_even_here;

		each = tmap_lint_cores_each(it, it->fold.example[c], type, &count, &is_even_here);
		if (!each || each < cores)
			return false;
		*is_even = *is_even && is_even_here && (c == 0 || count == *ranks);
		*ranks = count;
	}
	return true;
}

int tmap_lint_widest(const struct tmap_inspection *it, enum tmap_type type)
{
	int most = 0;

	for (int c = 0; c < it->fold.class_count; c++) {
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, it->fold.example[c]);
		int cores = tmap_topology_count(topo, type) ? 0 : tmap_topology_allowed_cores(topo);

		for (int i = 0; i < topo->object_count; i++)
			if (topo->object[i].type == type &&
			    object_cores(topo, &topo->object[i]) > cores)
				cores = object_cores(topo, &topo->object[i]);
		most = cores > most ? cores : most;
	}
	return most;
}

/* Are there so many cores for each rank in one package? */
static bool packages_hold(const struct tmap_inspection *it, int cores)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c], room = 0;
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, node);

		if (tmap_topology_count(topo, TMAP_PACKAGE) < 2)
			continue;
		for (int i = 0; i < topo->object_count; i++)
			if (topo->object[i].type == TMAP_PACKAGE)
				room += object_cores(topo, &topo->object[i]) / cores;
		if (room < ranks_on(it, node))
			return false;
	}
	return true;
}

/* Do ranks that take so many cores each, core after core, take some of two packages? */
static bool packed_is_torn(const struct tmap_inspection *it, int cores)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c], end = 0;
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, node);

		for (int i = 0; i < topo->object_count; i++) {
			if (topo->object[i].type != TMAP_PACKAGE)
				continue;
			end += object_cores(topo, &topo->object[i]);
			if (end < cores * ranks_on(it, node) && end % cores)
				return true;
		}
	}
	return false;
}

/* The same where each node has @p each ranks; 0: those that it has. */
static bool packed_is_well(const struct tmap_inspection *it, int cores, int each)
{
	static const enum tmap_type types[] = { TMAP_NUMA, TMAP_PACKAGE };

	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c];
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, node);
		int taken = cores * (each ? each : ranks_on(it, node));

		for (int i = 0; i < 2; i++) {
			int least, objects = objects_of(topo, types[i], &least);
			int all = tmap_topology_allowed_cores(topo);

			if (objects > 1 && taken > 1 && (taken <= all - least || least % cores))
				return false;
		}
	}
	return true;
}

bool tmap_lint_packed_is_well(const struct tmap_inspection *it, int cores)
{
	return packed_is_well(it, cores, 0);
}

bool tmap_lint_is_leftover(const struct tmap_inspection *it, int node)
{
	return !it->parts.count && ranks_on(it, node) < it->order.ranks_usual && has_same_cores(it);
}

int tmap_lint_pus_of(const struct tmap_inspection *it, int cores)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);

	return cores * (tmap_topology_allowed_pus(topo) / tmap_topology_allowed_cores(topo));
}

/* Has each node several of them, and each of them cores for the job? Some launchers refuse others. */
static bool is_type_of_all(const struct tmap_inspection *it, enum tmap_type type)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, it->fold.example[c]);

		if (tmap_topology_count(topo, type) < 2 || topo->bare[type])
			return false;
	}
	return true;
}

/* Do the ranks take all cores with so many for each? */
static bool fills_nodes(const struct tmap_inspection *it, int cores)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c];

		if (cores * ranks_on(it, node) !=
		    tmap_topology_allowed_cores(
			    tmap_machine_topology(it->placement->machine, node)))
			return false;
	}
	return tmap_lint_packed_is_well(it, cores);
}

/* @p each ranks on all objects of a type, on nodes of which it has several: as many on each, or in
 * turn. */
static char *even_print(const struct tmap_inspection *it, enum tmap_type type, int each, int cores,
			bool by_turns, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	int least, objects = objects_of(topo, type, &least), nodes = it->order.used_nodes;
	int most = (each + objects - 1) / objects;
	long long all = (long long)each * nodes;

	if (!is_type_of_all(it, type) || cores * most > least || (each % objects != 0) != by_turns)
		return NULL;
	if (!by_turns)
		return tmap_format(err,
				   "put %d ranks on every node, as many on each %s{: |%s %d %d %d "
				   "%lld %d %d|}",
				   each, type == TMAP_NUMA ? "NUMA node" : "package",
				   type == TMAP_NUMA ? "even-numas" : "even-packages", cores, most,
				   nodes, all, tmap_lint_pus_of(it, cores), each);
	return tmap_format(
		err,
		"put %d ranks on every node, distributed over its %s{: |%s %d %d %d %lld %d "
		"%d|; each node gets %d slots in the list of hosts}",
		each, type == TMAP_NUMA ? "NUMA nodes" : "packages",
		type == TMAP_NUMA ? "even-spread" : "even-turns", cores, most, nodes, all,
		tmap_lint_pus_of(it, cores), each, each);
}

char *tmap_lint_even_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			 int each, int cores, struct tmap_error *err)
{
	static const enum tmap_type pairs[2][2] = { { TMAP_NUMA, TMAP_PACKAGE },
						    { TMAP_PACKAGE, TMAP_NUMA } };
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	/* where these are the same, some launchers know packages only */
	const enum tmap_type *types = pairs[tmap_topology_count(topo, TMAP_NUMA) ==
					    tmap_topology_count(topo, TMAP_PACKAGE)];
	bool is_packed = it->placement->machine->topology_count > 1 ||
		packed_is_well(it, cores, each);
	char *text = NULL, *fix;

	for (int i = 0; i < 4 && !is_packed && !text; i++)
		text = even_print(it, types[i % 2], each, cores, i >= 2, err);
	if (!text)
		text = tmap_format(err, "put %d ranks on every node{: |even %d %d %d %lld %d|}",
				   each, cores, each, it->order.used_nodes,
				   (long long)each * it->order.used_nodes,
				   tmap_lint_pus_of(it, cores));
	fix = text ? tmap_lint_fix(finding, text, err) : NULL;
	free(text);
	return fix;
}

/* Over the objects in turn: the launcher takes as many ranks a node as it has slots. */
static char *turns_print(const struct tmap_inspection *it, const struct way *way, const char *text,
			 int cores, int pus, struct tmap_error *err)
{
	int each = it->order.ranks_max;

	/* a full node has no slots but those of its ranks */
	if (it->order.used_nodes == 1 || (cores == 1 && fills_nodes(it, 1)))
		return tmap_format(err, "%s{: |%s %d %d %d %d|}", text, way->turns, cores, each,
				   pus, each);
	return tmap_format(err,
			   "%s{: |%s %d %d %d %d|; each node keeps its %d ranks (slots in a list "
			   "of hosts)}",
			   text, way->turns, cores, each, pus, each, each);
}

char *tmap_lint_cores_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  const char *text, int cores, bool any_memory, struct tmap_error *err)
{
	int pus = tmap_lint_pus_of(it, cores), each = it->order.ranks_max, ranks;
	bool is_even = false, is_left = false;
	bool fills = it->order.regular && fills_nodes(it, cores);
	const struct way *way = NULL, *turns = NULL;
	char *whole, *fix;

	for (int i = 1; it->order.regular && !fills && !is_even && i < WAYS; i++) {
		if (!is_type_of_all(it, ways[i].type))
			continue;
		if (!type_fits(it, ways[i].type, cores, &ranks, &is_even)) {
			is_even = false;
			/* packages in turn leave memory idle */
			is_left = !any_memory;
			continue;
		}
		way = &ways[i];
		turns = turns ? turns : way;
	}
	if (is_even)
		whole = tmap_format(err, "%s{: |%s %d %d %d %d|}", text,
				    any_memory ? way->threads : way->each, cores, ranks, pus, each);
	else if (it->order.regular && least_cores_each(it) >= cores &&
		 tmap_lint_widest(it, TMAP_PACKAGE) < cores)
		whole = tmap_format(err, "%s{: |wide-threads %d %d %d %d|}", text, cores, each, pus,
				    each);
	else if (it->order.regular && least_cores_each(it) >= cores && packages_hold(it, cores) &&
		 (tmap_lint_packed_is_well(it, cores) ||
		  (!turns && !is_left && !packed_is_torn(it, cores))))
		whole = tmap_format(err, "%s{: |threads %d %d %d %d|}", text, cores, each, pus,
				    each);
	else if (turns && !is_left)
		whole = turns_print(it, turns, text, cores, pus, err);
	else
		whole = tmap_strdup(text, err);
	fix = whole ? tmap_lint_fix(finding, whole, err) : NULL;
	free(whole);
	return fix;
}

char *tmap_lint_order_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  bool by_turns, struct tmap_error *err)
{
	static const char *const texts[] = { "number the ranks node after node",
					     "distribute the ranks over the nodes in turn" };
	const char *name = by_turns ? "cyclic" : "block";
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
	/* no launcher binds more ranks than cores, nor two packages to one */
	if (!cores || !packages_hold(it, cores))
		return tmap_strdup(texts[by_turns], err);
	if (!by_turns && tmap_lint_packed_is_well(it, cores))
		name = "packed";
	whole = tmap_format(err, "%s{ with |%s %d %d %d|}", texts[by_turns], name, cores,
			    it->order.ranks_max, tmap_lint_pus_of(it, cores));
	fix = whole ? tmap_lint_fix(finding, whole, err) : NULL;
	free(whole);
	return fix;
}

char *tmap_lint_turns_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  enum tmap_type type, const char *text, struct tmap_error *err)
{
	int cores = tmap_lint_cores_needed(it), ranks;
	bool is_even;
	char *whole, *fix;

	if (it->order.regular && is_type_of_all(it, type) &&
	    type_fits(it, type, cores, &ranks, &is_even))
		whole = turns_print(it, way_of(type), text, cores, tmap_lint_pus_of(it, cores),
				    err);
	else
		whole = tmap_strdup(text, err);
	fix = whole ? tmap_lint_fix(finding, whole, err) : NULL;
	free(whole);
	return fix;
}

/* Threads of the rank, or 1. */
static int threads_of(const struct tmap_placement *p, int rank)
{
	int setting = p->setting ? p->setting[rank] : 0;
	int count = p->setting_count ? tmap_setting_threads(&p->settings[setting], NULL) : 0;

	return count ? count : 1;
}

/* Where ranks run different numbers of threads: those of the finding get what the others leave, by
 * their threads or by the cores that they are bound to. @p otherwise where that is enough. */
static char *mixed_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
		       const char *otherwise, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int threads = 0, most_each = TMAP_NONE, most_ranks = TMAP_NONE;

	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c], ranks = 0;
		const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);
		int64_t left = tmap_topology_allowed_cores(topo);

		for (int i = it->fold.first[node]; i < it->fold.first[node + 1]; i++) {
			int rank = it->fold.rank[i], its = threads_of(p, rank);
			const struct tmap_place *place = &p->places[p->place[rank]];

			if (tmap_idset_contains(&finding->ranks, rank)) {
				threads = its > threads ? its : threads;
				ranks++;
				continue;
			}
			if (its == 1 && place->bound)
				its = tmap_cores_of(topo, &place->pus);
			left -= its;
		}
		left = left < 0 ? 0 : left;
		if (ranks && (most_each == TMAP_NONE || left / ranks < most_each))
			most_each = (int)(left / ranks);
		if (ranks && threads && (most_ranks == TMAP_NONE || left / threads < most_ranks))
			most_ranks = (int)(left / threads);
	}
	if (most_each >= threads)
		return tmap_lint_fix(finding, otherwise, err);
	if (!most_each)
		return tmap_format(err, "start fewer ranks on a node: there is no core for each");
	if (most_ranks < 1)
		return tmap_format(err, "run at most %d thread%s a rank (OMP_NUM_THREADS=%d)",
				   most_each, most_each == 1 ? "" : "s", most_each);
	return tmap_format(err,
			   "run at most %d thread%s a rank (OMP_NUM_THREADS=%d), or start at most "
			   "%d of these ranks on a node and bind each to %d cores",
			   most_each, most_each == 1 ? "" : "s", most_each, most_ranks, threads);
}

char *tmap_lint_threads_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			    const char *text, const char *otherwise, struct tmap_error *err)
{
	int threads = tmap_lint_threads_all(it->placement), each = least_cores_each(it);
	char *whole, *fix;

	if (!threads)
		return mixed_fix(finding, it, otherwise, err);
	if (!each)
		return tmap_lint_fix(finding, otherwise, err);
	if (each < threads)
		return tmap_format(err,
				   "run at most %d thread%s a rank (OMP_NUM_THREADS=%d), each rank "
				   "bound to as many cores, or start fewer ranks",
				   each, each == 1 ? "" : "s", each);
	whole = tmap_format(err, "%s (%d)", text, threads);
	fix = whole ? tmap_lint_cores_fix(finding, it, whole, threads, true, err) : NULL;
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
			   enum tmap_type type, const char *text, int cores, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	const struct way *way = way_of(type);
	int pus = tmap_lint_pus_of(it, cores), ranks;
	bool is_even,
		fits = it->order.regular && is_type_of_all(it, type) &&
		type_fits(it, type, cores, &ranks, &is_even);
	char *whole, *words = NULL, *fix;

	/* where these are the same, some launchers know packages only */
	if (type == TMAP_NUMA &&
	    tmap_topology_count(topo, TMAP_NUMA) == tmap_topology_count(topo, TMAP_PACKAGE) &&
	    !topo->bare[TMAP_PACKAGE])
		way = way_of(TMAP_PACKAGE);
	if (cores == 1)
		whole = tmap_strdup(text, err);
	else
		whole = tmap_format(err,
				    fits ? "%s, %d cores for each" :
					   "%s, with %d cores for each where there are as many",
				    text, cores);
	if (whole && fits && is_even)
		words = tmap_format(err, "%s{: |%s %d %d %d %d|}", whole, way->each, cores, ranks,
				    pus, it->order.ranks_max);
	else if (whole && fits)
		words = turns_print(it, way, whole, cores, pus, err);
	else if (whole)
		words = tmap_strdup(whole, err);
	free(whole);
	fix = words ? tmap_lint_fix(finding, words, err) : NULL;
	free(words);
	return fix;
}
