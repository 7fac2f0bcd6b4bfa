/* SPDX-License-Identifier: BSD-3-Clause */
/* Fixes with numbers of the job, so that its launcher takes them as they stand. */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Nodes of the job without ranks have room for those that are too many elsewhere; *fix is NULL where there is
 * none, or nodes are unlike each other. */
static int all_nodes_fix(char **fix, const struct tmap_finding *finding,
			 const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int nodes = p->machine->node_count, threads = tmap_room_threads(p), cores, each;

	*fix = NULL;
	if (!tmap_lint_idle_nodes_count(it) || p->machine->topology_count > 1 || p->world)
		return 0;
	cores = tmap_topology_allowed_cores(tmap_placement_topology(p, 0));
	each = p->size / nodes + (p->size % nodes != 0);
	threads = threads > 1 && threads <= cores ? threads : 1;
	if (tmap_room_product(threads, each) > cores)
		return 0;
	if (p->size < nodes)
		*fix = tmap_strdup("put each rank on a node of its own", err);
	else if (!it->parts.count && p->size % nodes == 0)
		*fix = tmap_lint_even_fix(finding, it, each, nodes, threads, err);
	else
		*fix = tmap_format(err,
				   "distribute the ranks over all %d nodes, at most %d on each, so "
				   "that each has %d core%s of its own",
				   nodes, each, threads, threads == 1 ? "" : "s");
	return *fix ? 0 : -1;
}

char *tmap_lint_fewer(const struct tmap_finding *finding, const struct tmap_inspection *it,
		      const char *text, struct tmap_error *err)
{
	const struct tmap_machine *machine = it->placement->machine;
	int each = it->order.ranks_max, threads = tmap_room_threads(it->placement), more;
	char *whole, *fix;
	int64_t room;

	/* as many on each would leave much of the large nodes idle */
	if (tmap_lint_share_fix(&fix, finding, it, 0, err) < 0 || fix)
		return fix;
	if (all_nodes_fix(&fix, finding, it, err) < 0 || fix)
		return fix;
	if (!tmap_room_has_same_cores(it))
		return tmap_lint_fix(finding, text, err);
	for (int c = 0; c < it->fold.class_count; c++) {
		int cores = tmap_topology_allowed_cores(
			tmap_machine_topology(machine, it->fold.example[c]));

		/* no rank has room for its threads: what is wrong with these is another finding */
		threads = threads > 1 && threads <= cores ? threads : 1;
		each = cores / threads < each ? cores / threads : each;
	}
	room = (int64_t)each * it->order.used_nodes;
	more = (int)((it->placement->size - room + each - 1) / each);
	room = room < it->placement->size ? room : it->placement->size;
	if (threads > 1)
		whole = tmap_format(err,
				    "start at most %d rank%s on a node, with %d cores for each{: "
				    "|even %d %d %d %lld %d|}",
				    each, each == 1 ? "" : "s", threads, threads, each,
				    it->order.used_nodes, (long long)room,
				    tmap_room_pus(it, threads));
	else
		whole = tmap_format(err, "%s{: |fewer %lld %d %d|}", text, (long long)room, each,
				    it->order.used_nodes);
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
	const char *object, *objects;
	const char *threads, *each;        /* as many on each: for room, and to leave none idle */
	const char *turns, *turns_threads; /* likewise */
	const char *even, *even_turns;     /* with another number of ranks */
} ways[] = {
	{ TMAP_L3, "L3 cache", "L3 caches", NULL, "each-cache", "caches", "caches", "even-caches",
	  "even-cache-turns" },
	{ TMAP_NUMA, "NUMA node", "NUMA nodes", "numa-threads", "each-numa", "spread",
	  "spread-threads", "even-numas", "even-spread" },
	{ TMAP_PACKAGE, "package", "packages", "package-threads", "each-package", "turns", "turns",
	  "even-packages", "even-turns" },
};

enum { WAYS = sizeof ways / sizeof ways[0] };

static const struct way *way_of(enum tmap_type type)
{
	const struct way *way = ways;

	while (way->type != type)
		way++;
	return way;
}

char *tmap_lint_worded_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			   const char *text, const char *plain, int each, int cores,
			   struct tmap_error *err)
{
	if (tmap_lint_lacks_words(finding, text))
		return tmap_lint_apart_fix(finding, it, plain, each, it->order.used_nodes, cores,
					   err);
	return tmap_lint_fix(finding, text, err);
}

/* @p each ranks on all objects of a type, on nodes of which it has several: as many on each, or in
 * turn. */
static char *even_print(const struct tmap_inspection *it, enum tmap_type type, int each, int nodes,
			int cores, bool by_turns, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	int least, objects = tmap_room_objects(topo, type, &least);
	const struct way *way = way_of(type);
	int most = objects ? (each + objects - 1) / objects : 0;
	long long all = (long long)each * nodes;

	if (!tmap_room_has_type(it, type) || tmap_room_product(cores, most) > least ||
	    (each % objects != 0) != by_turns ||
	    (type == TMAP_L3 && (each < objects || (by_turns && cores == 1))))
		return NULL;
	if (type == TMAP_PACKAGE && !by_turns && !tmap_room_packages_will_do(it, cores, most))
		return NULL;
	if (!by_turns)
		return tmap_format(err,
				   "put %d rank%s on every node, as many on each %s{: |%s %d %d %d "
				   "%lld %d %d|}",
				   each, each == 1 ? "" : "s", way->object, way->even, cores, most,
				   nodes, all, tmap_room_pus(it, cores), each);
	return tmap_format(
		err,
		"put %d rank%s on every node, distributed over its %s{: |%s %d %d %d %lld %d "
		"%d|; each node gets %d slots in the list of hosts}",
		each, each == 1 ? "" : "s", way->objects, way->even_turns, cores, most, nodes, all,
		tmap_room_pus(it, cores), each, each);
}

char *tmap_lint_even_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			 int each, int nodes, int cores, struct tmap_error *err)
{
	static const enum tmap_type pairs[2][3] = { { TMAP_NUMA, TMAP_PACKAGE, TMAP_L3 },
						    { TMAP_PACKAGE, TMAP_NUMA, TMAP_L3 } };
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	/* where these are the same, some launchers know packages only */
	const enum tmap_type *types = pairs[tmap_topology_count(topo, TMAP_NUMA) ==
					    tmap_topology_count(topo, TMAP_PACKAGE)];
	bool is_packed = it->placement->machine->topology_count > 1 ||
		tmap_room_is_packed_well(it, cores, each),
	     is_named;
	char *plain = tmap_format(err, "put %d rank%s on every node", each, each == 1 ? "" : "s"),
	     *text = NULL, *fix = NULL;

	if (!plain)
		return NULL;
	for (int i = 0; i < 6 && !is_packed && !text; i++)
		if (!tmap_room_crowds_caches(it, types[i % 3], cores, each))
			text = even_print(it, types[i % 3], each, nodes, cores, i >= 3, err);
	is_named = text ? tmap_lint_lacks_words(finding, text) :
			  !is_packed && tmap_room_crowds_caches(it, TMAP_NODE, cores, each);
	if (!text && !is_named)
		text = tmap_format(err, "%s{: |even %d %d %d %lld %d|}", plain, cores, each, nodes,
				   (long long)each * nodes, tmap_room_pus(it, cores));
	if (is_named)
		fix = tmap_lint_apart_fix(finding, it, plain, each, nodes, cores, err);
	else if (text)
		fix = tmap_lint_fix(finding, text, err);
	free(text);
	free(plain);
	return fix;
}

/* Over the objects in turn, by the words @p name, or by @p wide cores a rank: the launcher takes as
 * many ranks a node as it has slots. */
static char *turns_print(const struct tmap_inspection *it, const char *name, const char *text,
			 int cores, int wide, struct tmap_error *err)
{
	int each = it->order.ranks_max, pus = tmap_room_pus(it, cores);
	int wide_pus = wide == TMAP_NONE ? TMAP_NONE : tmap_room_pus(it, wide);

	/* a full node has no slots but those of its ranks */
	if (it->order.used_nodes == 1 || (cores == 1 && tmap_room_is_full(it, 1)))
		return tmap_format(err, "%s{: |%s %d %d %d %d %d %d|}", text, name, cores, each,
				   pus, each, wide, wide_pus);
	return tmap_format(err,
			   "%s{: |%s %d %d %d %d %d %d|; each node keeps its %d rank%s (slots in a "
			   "list of hosts)}",
			   text, name, cores, each, pus, each, wide, wide_pus, each,
			   each == 1 ? "" : "s");
}

/* As many ranks on each object, by the words @p name. */
static char *each_print(const struct tmap_inspection *it, const struct way *way, const char *name,
			const char *text, int cores, int ranks, struct tmap_error *err)
{
	int wide = tmap_room_stretched(it, way->type, cores);

	return tmap_format(err, "%s{: |%s %d %d %d %d %d %d|}", text, name, cores, ranks,
			   tmap_room_pus(it, cores), it->order.ranks_max, wide,
			   wide == TMAP_NONE ? TMAP_NONE : tmap_room_pus(it, wide));
}

/* @p text with the words of a way to the objects of a type. Where ranks would crowd L3 caches on these they
 * go to the caches, and where there are fewer of them than caches, or the only launcher has no words for
 * that, to cores that are named. */
static char *spread_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			enum tmap_type type, const char *text, int cores, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	const struct way *way;
	int ranks, least;
	bool is_even, fits;
	char *words, *fix;

	if (tmap_room_crowds_caches(it, type, cores, 0))
		type = TMAP_L3;
	fits = it->order.regular && tmap_room_has_type(it, type) &&
		tmap_room_fits(it, type, cores, &ranks, &is_even);
	if (!fits)
		return it->order.regular ?
			tmap_lint_apart_fix(finding, it, text, it->order.ranks_max,
					    it->order.used_nodes, cores, err) :
			tmap_lint_fix(finding, text, err);
	/* in turn those that do not divide would be on the first caches, and these in the first memory */
	if (type == TMAP_NUMA && !is_even && cores == 1 && tmap_room_has_twin_memories(it))
		return tmap_lint_apart_fix(finding, it, text, it->order.ranks_max,
					   it->order.used_nodes, cores, err);
	if (type == TMAP_L3 &&
	    (it->order.ranks_max < tmap_room_objects(topo, type, &least) ||
	     (!is_even && cores == 1)))
		return tmap_lint_apart_fix(finding, it, text, it->order.ranks_max,
					   it->order.used_nodes, cores, err);
	/* where these are the same, some launchers know packages only */
	way = way_of(type == TMAP_NUMA &&
				     tmap_topology_count(topo, TMAP_NUMA) ==
					     tmap_topology_count(topo, TMAP_PACKAGE) &&
				     !topo->bare[TMAP_PACKAGE] ?
			     TMAP_PACKAGE :
			     type);
	words = is_even ? each_print(it, way, way->each, text, cores, ranks, err) :
			  turns_print(it, way->turns, text, cores,
				      tmap_room_stretched(it, way->type, cores), err);
	fix = words ?
		tmap_lint_worded_fix(finding, it, words, text, it->order.ranks_max, cores, err) :
		NULL;
	free(words);
	return fix;
}

/* Ranks of several cores that would crowd L3 caches, and do not divide over these, get all that there are
 * for each, where they do not crowd them so. */
static int widen(const struct tmap_inspection *it, enum tmap_type type, int cores)
{
	int all, ranks;
	bool is_even;

	if (type == TMAP_L3 || !it->order.regular || !tmap_room_crowds_caches(it, type, cores, 0) ||
	    (tmap_room_fits(it, TMAP_L3, cores, &ranks, &is_even) && is_even))
		return cores;
	all = tmap_room_least_each(it, type);
	return all > cores && !tmap_room_crowds_caches(it, type, all, 0) ? all : cores;
}

char *tmap_lint_spread_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			   enum tmap_type type, const char *text, int cores, struct tmap_error *err)
{
	bool is_even, fits;
	char *whole, *fix;
	int ranks;

	if (cores == 1)
		return spread_fix(finding, it, type, text, cores, err);
	cores = widen(it, type, cores);
	fits = it->order.regular && tmap_room_has_type(it, type) &&
		tmap_room_fits(it, type, cores, &ranks, &is_even);
	whole = tmap_format(err,
			    fits ? "%s, %d cores for each" :
				   "%s, with %d cores for each where there are as many",
			    text, cores);
	fix = whole ? spread_fix(finding, it, type, whole, cores, err) : NULL;
	free(whole);
	return fix;
}

char *tmap_lint_cores_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  const char *text, int cores, bool any_memory, struct tmap_error *err)
{
	int pus = tmap_room_pus(it, cores), each = it->order.ranks_max, ranks;
	bool is_even = false, is_left = false;
	bool fills = it->order.regular && tmap_room_is_full(it, cores);
	const struct way *way = NULL, *turns = NULL;
	char *whole = NULL, *fix = NULL;
	bool is_fit = true;

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
	if ((is_even || (turns && !is_left)) &&
	    tmap_room_crowds_caches(it, is_even ? way->type : turns->type, cores, 0))
		return spread_fix(finding, it, TMAP_L3, text, cores, err);
	if (!is_even && turns && turns->type == TMAP_NUMA && cores == 1 &&
	    tmap_room_has_twin_memories(it))
		return spread_fix(finding, it, TMAP_NUMA, text, cores, err);
	/* no type of object that all launchers map to */
	if (it->order.regular && !fills && !is_even && !turns && !is_left && cores == 1 &&
	    !tmap_room_is_packed_well(it, cores, 0))
		return tmap_lint_apart_fix(finding, it, text, each, it->order.used_nodes, cores,
					   err);
	if (is_even)
		whole = each_print(it, way, any_memory ? way->threads : way->each, text, cores,
				   ranks, err);
	else if (it->order.regular && tmap_room_least_cores(it) >= cores &&
		 tmap_room_widest(it, TMAP_PACKAGE) < cores)
		whole = tmap_format(err, "%s{: |wide-threads %d %d %d %d|}", text, cores, each, pus,
				    each);
	else if (it->order.regular && tmap_room_least_cores(it) >= cores &&
		 tmap_room_is_inside(it, TMAP_PACKAGE, cores) &&
		 (tmap_room_is_packed_well(it, cores, 0) ||
		  (!turns && !is_left && !tmap_room_is_torn(it, cores))))
		whole = tmap_format(err, "%s{: |threads %d %d %d %d|}", text, cores, each, pus,
				    each);
	else if (turns && !is_left)
		whole = turns_print(it, any_memory ? turns->turns_threads : turns->turns, text,
				    cores, tmap_room_stretched(it, turns->type, cores), err);
	else
		is_fit = false;
	if (!is_fit)
		whole = tmap_strdup(text, err);
	if (whole && is_fit)
		fix = tmap_lint_worded_fix(finding, it, whole, text, each, cores, err);
	else if (whole)
		fix = tmap_lint_fix(finding, whole, err);
	free(whole);
	return fix;
}

/* Node after node, with as many ranks on each object of a type, so that none is left idle; *fix is NULL where
 * they do not come out even on any. */
static int even_order_fix(char **fix, const struct tmap_finding *finding,
			  const struct tmap_inspection *it, const char *text, int cores,
			  struct tmap_error *err)
{
	static const enum tmap_type types[] = { TMAP_PACKAGE, TMAP_NUMA, TMAP_L3 };
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	char *whole;
	bool is_even;
	int ranks;

	*fix = NULL;
	for (int i = 0; i < 3 && it->order.regular; i++) {
		if (!tmap_room_has_type(it, types[i]) ||
		    !tmap_room_fits(it, types[i], cores, &ranks, &is_even) || !is_even ||
		    tmap_room_crowds_caches(it, types[i], cores, 0) ||
		    (types[i] == TMAP_PACKAGE && tmap_topology_count(topo, TMAP_NUMA) > 1 &&
		     !tmap_room_packages_will_do(it, cores, ranks)))
			continue;
		/* words that stretch ranks over objects would leave out the order */
		whole = tmap_format(err, "%s{ with |%s %d %d %d %d %d %d|}", text,
				    way_of(types[i])->each, cores, ranks, tmap_room_pus(it, cores),
				    it->order.ranks_max, TMAP_NONE, TMAP_NONE);
		*fix = whole ? tmap_lint_fix(finding, whole, err) : NULL;
		free(whole);
		return *fix ? 0 : -1;
	}
	return 0;
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
	if (!cores || !tmap_room_is_inside(it, TMAP_PACKAGE, cores))
		return tmap_strdup(texts[by_turns], err);
	if (!tmap_room_is_packed_well(it, cores, 0)) {
		if (!by_turns &&
		    (even_order_fix(&fix, finding, it, texts[by_turns], cores, err) < 0 || fix))
			return fix;
		/* in turn, no launcher spreads the ranks of a node; in a row, each has cores of its own */
		if (by_turns || tmap_room_crowds_caches(it, TMAP_NODE, cores, 0) ||
		    tmap_room_crowds_caches(it, TMAP_PACKAGE, cores, 0))
			return tmap_strdup(texts[by_turns], err);
	} else if (!by_turns) {
		name = "packed";
	}
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
	    tmap_room_fits(it, type, cores, &ranks, &is_even) &&
	    !tmap_room_crowds_caches(it, type, cores, 0))
		whole = turns_print(it, way_of(type)->turns, text, cores, TMAP_NONE, err);
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
	const struct tmap_fix_nodes nodes = { true, tmap_room_pus(it, threads) != TMAP_NONE,
					      tmap_room_is_in_order(it) };
	int ranks, each = it->order.ranks_max;
	bool is_even;
	char *whole, *fix;

	if (!it->parts.count || !it->order.regular || !tmap_room_has_type(it, TMAP_PACKAGE) ||
	    !tmap_room_fits(it, TMAP_PACKAGE, threads, &ranks, &is_even))
		return NULL;
	whole = tmap_format(err,
			    "%s (%d), all programs alike{: |turns %d %d %d %d|; each node keeps "
			    "its %d rank%s (slots in a list of hosts)}; or run fewer threads "
			    "(OMP_NUM_THREADS)",
			    text, threads, threads, each, tmap_room_pus(it, threads), each, each,
			    each == 1 ? "" : "s");
	fix = whole ? tmap_fix_print(whole, finding->launchers, &nodes, it->words, err) : NULL;
	free(whole);
	return fix;
}

/* That a rank of the finding runs; at least 1. */
static int most_threads(const struct tmap_finding *finding, const struct tmap_inspection *it)
{
	int most = 1;

	for (int r = tmap_idset_next(&finding->ranks, TMAP_NONE); r != TMAP_NONE;
	     r = tmap_idset_next(&finding->ranks, r)) {
		int threads = tmap_room_rank_threads(it->placement, r);

		most = threads > most ? threads : most;
	}
	return most;
}

/* Where ranks run different numbers of threads: those of the finding get what the others leave, by
 * their threads or by the cores that they are bound to. @p otherwise where that is enough. */
static char *mixed_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
		       const char *text, const char *otherwise, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int threads = most_threads(finding, it), most_each = TMAP_NONE, most_ranks = TMAP_NONE;

	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c], ranks = 0;
		const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);
		int64_t left = tmap_topology_allowed_cores(topo);

		for (int i = it->fold.first[node]; i < it->fold.first[node + 1]; i++) {
			int rank = it->fold.rank[i], its = tmap_room_rank_threads(p, rank);
			const struct tmap_place *place = &p->places[p->place[rank]];

			if (tmap_idset_contains(&finding->ranks, rank)) {
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
		if (ranks && (most_ranks == TMAP_NONE || left / threads < most_ranks))
			most_ranks = (int)(left / threads);
	}
	if (most_each >= threads) {
		char *fix = programs_fix(finding, it, threads, text, err);
		int64_t ranks = tmap_idset_size(&finding->ranks);

		if (fix || ranks == p->size)
			return fix ? fix : tmap_lint_fix(finding, otherwise, err);
		return tmap_format(err,
				   "bind each of these %lld rank%s to %d cores and the others as "
				   "they are, by a file of their launcher, or a launch of each "
				   "program; or run fewer threads (OMP_NUM_THREADS)",
				   (long long)ranks, ranks == 1 ? "" : "s", threads);
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

/* Are the ranks bound to so many cores already, and none to those of another? */
static bool has_own_cores(const struct tmap_inspection *it, int cores)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_place *place = &p->places[p->place[0]];

	return place->bound && !it->sharing_pu && !it->sharing_core && it->binding_count == 1 &&
		tmap_cores_of(tmap_placement_topology(p, 0), &place->pus) == cores;
}

char *tmap_lint_threads_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			    const char *text, const char *otherwise, struct tmap_error *err)
{
	int threads = tmap_room_threads(it->placement), each = tmap_room_least_cores(it);
	char *whole, *bound, *fix;

	if (!threads)
		return mixed_fix(finding, it, text, otherwise, err);
	if (each < threads && (all_nodes_fix(&fix, finding, it, err) < 0 || fix))
		return fix;
	if (!each)
		return tmap_lint_fix(finding, otherwise, err);
	if (each < threads) {
		whole = tmap_format(err,
				    "run at most %d thread%s a rank (OMP_NUM_THREADS=%d), each "
				    "rank bound to as many cores",
				    each, each == 1 ? "" : "s", each);
		bound = NULL;
		if (whole && has_own_cores(it, each))
			bound = tmap_strdup(whole, err);
		else if (whole)
			bound = tmap_lint_cores_fix(finding, it, whole, each, true, err);
		fix = bound ? tmap_format(err, "%s, or start fewer ranks", bound) : NULL;
		free(whole);
		free(bound);
		return fix;
	}
	/* cores of several memories are another finding, where fewer threads have some of one */
	if (tmap_room_has_type(it, TMAP_NUMA) && threads <= tmap_room_widest(it, TMAP_NUMA) &&
	    !tmap_room_is_inside(it, TMAP_NUMA, threads) &&
	    tmap_room_least_each(it, TMAP_NUMA) > 1) {
		each = tmap_room_least_each(it, TMAP_NUMA);
		return tmap_format(err,
				   "run at most %d threads a rank (OMP_NUM_THREADS=%d), each rank "
				   "bound to as many cores of one NUMA node, or start fewer ranks",
				   each, each);
	}
	whole = tmap_format(err, "%s (%d)", text, threads);
	fix = whole ? tmap_lint_cores_fix(finding, it, whole, threads, true, err) : NULL;
	free(whole);
	return fix;
}
