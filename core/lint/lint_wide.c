/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/machine/device.h"

#include <stdlib.h>

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

/* The ranks on places for which @p is is true, as an answer. */
static enum tmap_lint_answer
place_check(struct tmap_finding *finding, const struct tmap_inspection *it,
	    bool (*is)(const struct tmap_topology *, const struct tmap_place *), const char *what,
	    struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int *ranks, first;
	char *text = NULL;

	if (tmap_lint_collect_places(finding, it, is, err) < 0)
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

static const char *memory_word(enum tmap_type type)
{
	return type == TMAP_NUMA ? "NUMA node" : "package";
}

/* More threads than @p cores, all that a rank can have at one memory: fewer ranks or threads. */
static char *threads_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			 int node, enum tmap_type of, enum tmap_type type, int cores,
			 struct tmap_error *err)
{
	int least,
		objects = tmap_room_objects(tmap_machine_topology(it->placement->machine, node), of,
					    &least);
	int fewer = it->order.ranks_max / objects * objects;

	if (finding->severity != TMAP_SEVERITY_HINT && it->order.regular && fewer &&
	    fewer < it->order.ranks_max)
		return fit_fix(finding, it, fewer, objects, least, err);
	return tmap_format(err,
			   "for memory at one %s, run at most %d thread%s a rank "
			   "(OMP_NUM_THREADS=%d), or start fewer ranks",
			   memory_word(type), cores, cores == 1 ? "" : "s", cores);
}

/* "bind each to PUs of one NUMA node" and words, with @p cores, all that a rank can have there, or as many
 * as it uses; 0: none begins there, or there are fewer than ranks. */
static char *one_object_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			    int node, enum tmap_type type, int cores, struct tmap_error *err)
{
	static const char *const several[] = { "packages", "numas" };
	static const char *const one[] = { "package", "numa" };
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	const char *word = memory_word(type);
	bool is_numa = type == TMAP_NUMA, is_even;
	int threads = tmap_room_threads(it->placement), own = own_cores(it), ranks, least, each;
	char *text, *fix;

	own = own ? own : threads > 1 ? threads : 0;
	tmap_room_cores_each(it, node, type, &ranks, &is_even);
	each = tmap_room_objects(topo, type, &least) < it->order.ranks_max ? TMAP_NONE : 1;
	/* no launcher binds more ranks than cores, and some refuse objects without any */
	if (!cores || topo->bare[type])
		text = tmap_format(err, "bind each to PUs of one %s", word);
	else if (it->order.regular && own)
		return tmap_lint_cores_fix(finding, it,
					   is_numa ? "bind each to PUs of one NUMA node" :
						     "bind each to PUs of one package",
					   own < cores ? own : cores, false, err);
	else if (it->order.regular && (it->order.used_nodes == 1 || is_even))
		text = tmap_format(err, "bind each to PUs of one %s{: |%s %d %d %d|}", word,
				   several[is_numa], cores, ranks, tmap_room_pus(it, cores));
	else if (it->order.regular)
		text = tmap_format(err,
				   "bind each to PUs of one %s{: |%s %d|; each node keeps its %d "
				   "rank%s (slots in a list of hosts)}",
				   word, one[is_numa], each, it->order.ranks_max,
				   it->order.ranks_max == 1 ? "" : "s");
	else
		text = tmap_format(err, "bind each to PUs of one %s{: |%s %d|}", word, one[is_numa],
				   each);
	fix = text ? tmap_lint_fix(finding, text, err) : NULL;
	free(text);
	return fix;
}

/* The fix of ranks on several objects of the type @p of, with as many cores as each can have at one
 * memory. */
static char *several_fix(struct tmap_finding *finding, const struct tmap_inspection *it,
			 enum tmap_type of, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int threads = tmap_room_threads(p), cores, ranks;
	int node = p->node[tmap_idset_next(&finding->ranks, TMAP_NONE)];
	const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);
	bool has_more_numas = tmap_topology_count(topo, TMAP_NUMA) >
		tmap_topology_count(topo, TMAP_PACKAGE);
	enum tmap_type type = has_more_numas ? TMAP_NUMA : TMAP_PACKAGE;
	const char *adapter = it->order.ranks_max == 1 && it->order.used_nodes > 1 ?
		adapter_elsewhere(topo, type) :
		NULL;
	bool is_even;

	cores = tmap_room_cores_each(it, node, type, &ranks, &is_even);
	/* that is what many threads need, if it is so for all ranks; else the others wait for these */
	if ((threads > tmap_room_widest(it, of) || (cores && threads > cores)) &&
	    tmap_idset_size(&finding->ranks) == p->size)
		finding->severity = TMAP_SEVERITY_HINT;
	if (cores && threads > cores)
		return threads_fix(finding, it, node, of, type, cores, err);
	if (adapter)
		return alone_fix(memory_word(type), adapter, err);
	if (type == TMAP_NUMA && tmap_lint_has_gpu_each(it))
		return tmap_lint_gpus_fix(finding, it,
					  "bind each to PUs of one NUMA node, which is its GPU's "
					  "if it uses one",
					  cores ? cores : 1, err);
	return one_object_fix(finding, it, node, type, cores, err);
}

static enum tmap_lint_answer
check_several(struct tmap_finding *finding, const struct tmap_inspection *it, enum tmap_type of,
	      bool (*is)(const struct tmap_topology *, const struct tmap_place *), const char *what,
	      struct tmap_error *err)
{
	enum tmap_lint_answer answer = place_check(finding, it, is, what, err);

	if (answer != TMAP_LINT_FOUND)
		return answer;
	finding->fix = several_fix(finding, it, of, err);
	return finding->fix ? TMAP_LINT_FOUND : TMAP_LINT_FAILED;
}

enum tmap_lint_answer tmap_lint_two_packages(struct tmap_finding *finding,
					     const struct tmap_inspection *it,
					     struct tmap_error *err)
{
	return check_several(finding, it, TMAP_PACKAGE, is_on_two_packages,
			     "bound to PUs of several packages", err);
}

enum tmap_lint_answer tmap_lint_two_numa(struct tmap_finding *finding,
					 const struct tmap_inspection *it, struct tmap_error *err)
{
	return check_several(finding, it, TMAP_NUMA, is_on_two_numa,
			     "bound to PUs of several NUMA nodes", err);
}
