/* SPDX-License-Identifier: BSD-3-Clause */
/* Fixes with numbers of the job, so that its launcher takes them as they stand. */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>

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
	if (!tmap_room_has_same_cores(it))
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

	if (it->parts.count || !tmap_room_has_same_cores(it))
		return TMAP_NONE;
	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c];

		if (tmap_room_ranks(it, node) == it->order.ranks_usual)
			continue;
		if (tmap_room_ranks(it, node) != 2 * it->order.ranks_usual ||
		    it->fold.nodes[c] > 1 || twice != TMAP_NONE)
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

/* How ranks come to objects of a type: as many on each, or in turn; the names of fix.h. */
static const struct way {
	enum tmap_type type;
	const char *objects;
	const char *threads, *each;        /* as many on each: for room, and to leave none idle */
	const char *turns, *turns_threads; /* likewise */
} ways[] = {
	{ TMAP_L3, "L3 caches", NULL, "each-cache", "caches", "caches" },
	{ TMAP_NUMA, "NUMA nodes", "numa-threads", "each-numa", "spread", "spread-threads" },
	{ TMAP_PACKAGE, "packages", "package-threads", "each-package", "turns", "turns" },
};

enum { WAYS = sizeof ways / sizeof ways[0] };

static const struct way *way_of(enum tmap_type type)
{
	const struct way *way = ways;

	while (way->type != type)
		way++;
	return way;
}

/* @p each ranks on all objects of a type, on nodes of which it has several: as many on each, or in
 * turn. */
static char *even_print(const struct tmap_inspection *it, enum tmap_type type, int each, int cores,
			bool by_turns, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	int least, objects = tmap_room_objects(topo, type, &least), nodes = it->order.used_nodes;
	int most = (each + objects - 1) / objects;
	long long all = (long long)each * nodes;

	if (!tmap_room_has_type(it, type) || cores * most > least ||
	    (each % objects != 0) != by_turns)
		return NULL;
	if (type == TMAP_PACKAGE && !by_turns && !tmap_room_packages_will_do(it, cores, most))
		return NULL;
	if (!by_turns)
		return tmap_format(err,
				   "put %d ranks on every node, as many on each %s{: |%s %d %d %d "
				   "%lld %d %d|}",
				   each, type == TMAP_NUMA ? "NUMA node" : "package",
				   type == TMAP_NUMA ? "even-numas" : "even-packages", cores, most,
				   nodes, all, tmap_room_pus(it, cores), each);
	return tmap_format(
		err,
		"put %d ranks on every node, distributed over its %s{: |%s %d %d %d %lld %d "
		"%d|; each node gets %d slots in the list of hosts}",
		each, type == TMAP_NUMA ? "NUMA nodes" : "packages",
		type == TMAP_NUMA ? "even-spread" : "even-turns", cores, most, nodes, all,
		tmap_room_pus(it, cores), each, each);
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
		tmap_room_is_packed_well(it, cores, each);
	char *text = NULL, *fix;

	for (int i = 0; i < 4 && !is_packed && !text; i++)
		text = even_print(it, types[i % 2], each, cores, i >= 2, err);
	if (!text)
		text = tmap_format(err, "put %d ranks on every node{: |even %d %d %d %lld %d|}",
				   each, cores, each, it->order.used_nodes,
				   (long long)each * it->order.used_nodes,
				   tmap_room_pus(it, cores));
	fix = text ? tmap_lint_fix(finding, text, err) : NULL;
	free(text);
	return fix;
}

/* Over the objects in turn, by the words @p name: the launcher takes as many ranks a node as it has
 * slots. */
static char *turns_print(const struct tmap_inspection *it, const char *name, const char *text,
			 int cores, int pus, struct tmap_error *err)
{
	int each = it->order.ranks_max;

	/* a full node has no slots but those of its ranks */
	if (it->order.used_nodes == 1 || (cores == 1 && tmap_room_is_full(it, 1)))
		return tmap_format(err, "%s{: |%s %d %d %d %d|}", text, name, cores, each, pus,
				   each);
	return tmap_format(err,
			   "%s{: |%s %d %d %d %d|; each node keeps its %d ranks (slots in a list "
			   "of hosts)}",
			   text, name, cores, each, pus, each, each);
}

char *tmap_lint_cores_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  const char *text, int cores, bool any_memory, struct tmap_error *err)
{
	int pus = tmap_room_pus(it, cores), each = it->order.ranks_max, ranks;
	bool is_even = false, is_left = false;
	bool fills = it->order.regular && tmap_room_is_full(it, cores);
	const struct way *way = NULL, *turns = NULL;
	char *whole, *fix;

	for (int i = 1; it->order.regular && !fills && !is_even && i < WAYS; i++) {
		if (!tmap_room_has_type(it, ways[i].type))
			continue;
		if (!tmap_room_fits(it, ways[i].type, cores, &ranks, &is_even)) {
			is_even = false;
			/* packages in turn leave memory idle */
			is_left = !any_memory;
			continue;
		}
		way = &ways[i];
		turns = turns ? turns : way;
		/* as many on each package may crowd some of its NUMA nodes */
		is_even = is_even && (turns == way || tmap_room_packages_will_do(it, cores, ranks));
	}
	if (is_even)
		whole = tmap_format(err, "%s{: |%s %d %d %d %d|}", text,
				    any_memory ? way->threads : way->each, cores, ranks, pus, each);
	else if (it->order.regular && tmap_room_least_cores(it) >= cores &&
		 tmap_room_widest(it, TMAP_PACKAGE) < cores)
		whole = tmap_format(err, "%s{: |wide-threads %d %d %d %d|}", text, cores, each, pus,
				    each);
	else if (it->order.regular && tmap_room_least_cores(it) >= cores &&
		 tmap_room_is_in_packages(it, cores) &&
		 (tmap_room_is_packed_well(it, cores, 0) ||
		  (!turns && !is_left && !tmap_room_is_torn(it, cores))))
		whole = tmap_format(err, "%s{: |threads %d %d %d %d|}", text, cores, each, pus,
				    each);
	else if (turns && !is_left)
		whole = turns_print(it, any_memory ? turns->turns_threads : turns->turns, text,
				    cores, pus, err);
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
			tmap_room_ranks(it, node);

		cores = most < cores ? most : cores;
	}
	/* no launcher binds more ranks than cores, nor two packages to one */
	if (!cores || !tmap_room_is_in_packages(it, cores))
		return tmap_strdup(texts[by_turns], err);
	if (!by_turns && tmap_room_is_packed_well(it, cores, 0))
		name = "packed";
	whole = tmap_format(err, "%s{ with |%s %d %d %d|}", texts[by_turns], name, cores,
			    it->order.ranks_max, tmap_room_pus(it, cores));
	fix = whole ? tmap_lint_fix(finding, whole, err) : NULL;
	free(whole);
	return fix;
}

char *tmap_lint_turns_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  enum tmap_type type, const char *text, struct tmap_error *err)
{
	int cores = tmap_room_cores_needed(it), ranks;
	bool is_even;
	char *whole, *fix;

	if (it->order.regular && tmap_room_has_type(it, type) &&
	    tmap_room_fits(it, type, cores, &ranks, &is_even))
		whole = turns_print(it, way_of(type)->turns, text, cores, tmap_room_pus(it, cores),
				    err);
	else
		whole = tmap_strdup(text, err);
	fix = whole ? tmap_lint_fix(finding, whole, err) : NULL;
	free(whole);
	return fix;
}

/* Launchers take one binding for all programs: that of the one with most threads, where each rank can
 * have as many cores. NULL without error: they cannot. */
static char *programs_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  int threads, const char *text, struct tmap_error *err)
{
	const struct tmap_fix_nodes nodes = { true, tmap_room_pus(it, threads) != TMAP_NONE };
	int ranks, each = it->order.ranks_max;
	bool is_even;
	char *whole, *fix;

	if (!it->parts.count || !it->order.regular || !tmap_room_has_type(it, TMAP_PACKAGE) ||
	    !tmap_room_fits(it, TMAP_PACKAGE, threads, &ranks, &is_even))
		return NULL;
	whole = tmap_format(err,
			    "%s (%d), all programs alike{: |turns %d %d %d %d|; each node keeps "
			    "its %d ranks (slots in a list of hosts)}; or run fewer threads "
			    "(OMP_NUM_THREADS)",
			    text, threads, threads, each, tmap_room_pus(it, threads), each, each);
	fix = whole ? tmap_fix_print(whole, finding->launchers, &nodes, err) : NULL;
	free(whole);
	return fix;
}

/* Where ranks run different numbers of threads: those of the finding get what the others leave, by
 * their threads or by the cores that they are bound to. @p otherwise where that is enough. */
static char *mixed_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
		       const char *text, const char *otherwise, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int threads = 0, most_each = TMAP_NONE, most_ranks = TMAP_NONE;

	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c], ranks = 0;
		const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);
		int64_t left = tmap_topology_allowed_cores(topo);

		for (int i = it->fold.first[node]; i < it->fold.first[node + 1]; i++) {
			int rank = it->fold.rank[i], its = tmap_room_rank_threads(p, rank);
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
	if (most_each >= threads) {
		char *fix = programs_fix(finding, it, threads, text, err);

		return fix ? fix : tmap_lint_fix(finding, otherwise, err);
	}
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
	int threads = tmap_room_threads(it->placement), each = tmap_room_least_cores(it);
	char *whole, *fix;

	if (!threads)
		return mixed_fix(finding, it, text, otherwise, err);
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

char *tmap_lint_spread_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			   enum tmap_type type, const char *text, int cores, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	const struct way *way = way_of(type);
	int pus = tmap_room_pus(it, cores), ranks;
	bool is_even,
		fits = it->order.regular && tmap_room_has_type(it, type) &&
		tmap_room_fits(it, type, cores, &ranks, &is_even);
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
		words = turns_print(it, way->turns, whole, cores, pus, err);
	else if (whole)
		words = tmap_strdup(whole, err);
	free(whole);
	fix = words ? tmap_lint_fix(finding, words, err) : NULL;
	free(words);
	return fix;
}
