/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a node that have no rank while others have many. */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/machine/device.h"

#include <stdlib.h>
#include <string.h>

/* Which objects of one kind of node are idle, and which are crowded: they have ranks, at least two,
 * on so many of their cores (tmap_room_is_crowded). Fewer are a matter of taste: they have each other's
 * cache. */
struct parts {
	enum tmap_type type;  /* of the objects */
	enum tmap_type among; /* idle and crowded ones must lie in one object of this type */
	int objects, idle, crowded;
	bool *is_crowded; /* [objects of the topology] */
	bool is_costly;   /* one has so many cores taken that an even share is much less */
};

static bool is_taken(const struct tmap_idset *taken, const struct tmap_object *object)
{
	int pu = tmap_idset_next(taken, object->first_pu - 1);

	return pu != TMAP_NONE && pu < object->end_pu;
}

/* Cores of an object that the job may use, and those that ranks may run on. */
static void count_cores(const struct tmap_topology *topo, const struct tmap_object *object,
			const struct tmap_idset *taken, int *cores, int *used)
{
	int last = TMAP_NONE, last_used = TMAP_NONE;

	*cores = *used = 0;
	for (int pu = object->first_pu; pu < object->end_pu; pu++) {
		int core = tmap_topology_ancestor(topo, topo->pu[pu].object, TMAP_CORE);

		core = core == TMAP_NONE ? topo->pu[pu].object : core;
		*cores += topo->pu[pu].allowed && core != last;
		last = topo->pu[pu].allowed ? core : last;
		if (!tmap_idset_contains(taken, pu))
			continue;
		*used += core != last_used;
		last_used = core;
	}
}

static bool is_filled(int cores, int used, bool is_coarse)
{
	return is_coarse ? used == cores : tmap_room_is_crowded(cores, used);
}

/* Ranks of the node that are bound inside the object, up to two. */
static int count_ranks(const struct tmap_inspection *it, int node, const struct tmap_object *object)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);
	int count = 0;

	for (int i = it->fold.first[node]; i < it->fold.first[node + 1] && count < 2; i++) {
		const struct tmap_object *at =
			&topo->object[tmap_placement_object(p, it->fold.rank[i])];

		count += at->first_pu >= object->first_pu && at->end_pu <= object->end_pu;
	}
	return count;
}

/* A crowded object counts if an idle one lies in the same object above. */
static void parts_pair(struct parts *parts, const struct tmap_topology *topo, const bool *is_idle)
{
	parts->crowded = 0;
	for (int i = 0; i < topo->object_count; i++) {
		bool has_idle = false;

		for (int j = 0; parts->is_crowded[i] && j < topo->object_count && !has_idle; j++)
			has_idle = is_idle[j] &&
				tmap_topology_ancestor(topo, i, parts->among) ==
					tmap_topology_ancestor(topo, j, parts->among);
		parts->is_crowded[i] = has_idle;
		parts->crowded += has_idle;
	}
}

/* Are a crowded object's cores taken much more than an even share of all in the same object above would be?
 * @p taken is [objects of the topology]. */
static bool is_costly(const struct parts *parts, const struct tmap_topology *topo, const int *taken)
{
	for (int i = 0; i < topo->object_count; i++) {
		int above = tmap_topology_ancestor(topo, i, parts->among), all = 0, objects = 0;

		for (int j = 0; parts->is_crowded[i] && j < topo->object_count; j++) {
			if (taken[j] == TMAP_NONE ||
			    tmap_topology_ancestor(topo, j, parts->among) != above)
				continue;
			all += taken[j];
			objects++;
		}
		if (tmap_room_is_uneven(taken[i], all, objects))
			return true;
	}
	return false;
}

static int parts_find(struct parts *parts, const struct tmap_inspection *it, int node,
		      struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	size_t count = (size_t)topo->object_count;
	bool *is_idle = tmap_alloc(count, sizeof *is_idle, err);
	int *taken = tmap_alloc_raw(count, sizeof *taken, err); /* cores; TMAP_NONE: none of them */
	/* packages of several NUMA nodes: ranks on some cores of each may be there for the memory */
	bool is_coarse = parts->type == TMAP_PACKAGE && tmap_room_memory_type(topo) == TMAP_NUMA;
	struct tmap_node_use use = { 0 };
	int status = -1;

	parts->is_crowded = tmap_alloc(count, sizeof *parts->is_crowded, err);
	if (is_idle && taken && parts->is_crowded)
		status = tmap_node_use_find(&use, it->placement, &it->fold, node, err);
	for (int i = 0; status == 0 && i < topo->object_count; i++) {
		const struct tmap_object *object = &topo->object[i];
		int cores, used;

		taken[i] = TMAP_NONE;
		if (object->type != parts->type)
			continue;
		count_cores(topo, object, &use.taken, &cores, &used);
		if (!cores)
			continue;
		taken[i] = used;
		parts->objects++;
		is_idle[i] = !is_taken(&use.taken, object);
		parts->idle += is_idle[i];
		parts->is_crowded[i] = is_filled(cores, used, is_coarse) &&
			count_ranks(it, node, object) > 1;
	}
	if (status == 0) {
		parts_pair(parts, topo, is_idle);
		parts->is_costly = is_costly(parts, topo, taken);
	}
	tmap_node_use_fini(&use);
	free(taken);
	free(is_idle);
	return status;
}

/* Mark the places that lie in crowded objects of a class's example. */
static void places_mark(bool *marked, const struct tmap_inspection *it, int node,
			const struct parts *parts)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);

	for (int i = it->fold.first[node]; i < it->fold.first[node + 1]; i++) {
		int place = p->place[it->fold.rank[i]];
		int object = tmap_topology_ancestor(topo, p->places[place].object, parts->type);

		marked[place] = object != TMAP_NONE && parts->is_crowded[object];
	}
}

/* Mark the objects of a type in which the node's ranks are, each in one; false where one is not. */
static bool ranks_mark(bool *has_rank, const struct tmap_inspection *it, int node,
		       enum tmap_type type)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);

	for (int i = it->fold.first[node]; i < it->fold.first[node + 1]; i++) {
		int object = tmap_topology_ancestor(
			topo, tmap_placement_object(p, it->fold.rank[i]), type);

		if (object == TMAP_NONE)
			return false;
		has_rank[object] = true;
	}
	return true;
}

/* The first device of a type, where all of them are in the objects in which ranks are, and all of
 * these have one; else TMAP_NONE. @p has_device is [objects], and false. */
static int type_gathers(const struct tmap_topology *topo, enum tmap_type object_type,
			enum tmap_device_type type, const bool *has_rank, bool *has_device)
{
	int first = TMAP_NONE;

	for (int d = 0; d < topo->device_count; d++) {
		int home;

		if (topo->device[d].type != type ||
		    (type == TMAP_NETWORK && !tmap_device_is_adapter(topo, d)))
			continue;
		home = tmap_topology_ancestor(topo, topo->device[d].object, object_type);
		if (home == TMAP_NONE)
			return TMAP_NONE;
		has_device[home] = true;
		first = first == TMAP_NONE ? d : first;
	}
	for (int i = 0; i < topo->object_count; i++)
		if (has_device[i] != has_rank[i])
			return TMAP_NONE;
	return first;
}

/* Are all ranks of the node at its GPUs, or of a job of several nodes at its adapters? *device is
 * the first of these, or TMAP_NONE. At adapters of the node's first part ranks are by default, and
 * not for the adapters' sake. */
static int gathering_find(int *device, const struct tmap_inspection *it, int node,
			  enum tmap_type type, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	size_t count = (size_t)topo->object_count;
	bool *marks = tmap_alloc(3 * count, sizeof *marks, err), *has_rank = marks;

	*device = TMAP_NONE;
	if (!marks)
		return -1;
	if (!ranks_mark(has_rank, it, node, type))
		goto out;
	*device = type_gathers(topo, type, TMAP_GPU, has_rank, marks + count);
	if (*device == TMAP_NONE && it->order.used_nodes > 1 &&
	    !has_rank[tmap_topology_find(topo, type, 0)])
		*device = type_gathers(topo, type, TMAP_NETWORK, has_rank, marks + 2 * count);
out:
	free(marks);
	return 0;
}

/* The kinds of nodes that have a crowded and an idle object. */
struct search {
	bool *marked;   /* [place_count] of the class at hand */
	bool *is_in;    /* [size] */
	int *next_like; /* [node_count]: see link_nodes() */
	int example;    /* the first such node, and what it has */
	struct parts parts;
	int device;       /* of it, at which all its ranks are; TMAP_NONE */
	bool is_gathered; /* every such kind of node has one */
	bool is_costly;   /* one of them is */
};

/* The ranks on marked places of a node, and of all like it from there on. */
static void nodes_collect(struct search *search, const struct tmap_inspection *it, int node)
{
	const struct tmap_node_fold *fold = &it->fold;

	for (; node != TMAP_NONE; node = search->next_like[node])
		for (int i = fold->first[node]; i < fold->first[node + 1]; i++)
			if (search->marked[it->placement->place[fold->rank[i]]])
				search->is_in[fold->rank[i]] = true;
}

/* [node_count]: the next node of the same class; TMAP_NONE behind the last one. */
static int *link_nodes(const struct tmap_inspection *it, struct tmap_error *err)
{
	int nodes = it->placement->machine->node_count, classes = it->fold.class_count;
	int *next = tmap_alloc_raw((size_t)nodes, sizeof *next, err);
	int *head = tmap_alloc_raw((size_t)classes, sizeof *head, err);

	for (int c = 0; next && head && c < classes; c++)
		head[c] = TMAP_NONE;
	for (int n = nodes - 1; next && head && n >= 0; n--) {
		int class = it->fold.class_of[n];

		next[n] = class == TMAP_NONE ? TMAP_NONE : head[class];
		if (class != TMAP_NONE)
			head[class] = n;
	}
	if (!head) {
		free(next);
		next = NULL;
	}
	free(head);
	return next;
}

static int class_search(struct search *search, const struct tmap_inspection *it, int class,
			bool of_caches, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int node = it->fold.example[class], device = TMAP_NONE, status;
	const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);
	struct parts parts = { .type = of_caches ? TMAP_L3 : tmap_room_memory_type(topo),
			       .among = of_caches ? tmap_room_memory_type(topo) : TMAP_NODE };

	/* a node of the last few ranks is another finding */
	if (tmap_room_is_leftover(it, node))
		return 0;
	status = parts_find(&parts, it, node, err);
	/* ranks with a NUMA node each crowd none of these, but may crowd a package */
	if (status == 0 && !of_caches && !parts.crowded && parts.type == TMAP_NUMA &&
	    tmap_topology_count(topo, TMAP_PACKAGE) > 1) {
		free(parts.is_crowded);
		parts = (struct parts){ .type = TMAP_PACKAGE, .among = TMAP_NODE };
		status = parts_find(&parts, it, node, err);
	}
	if (status == 0 && parts.crowded)
		status = gathering_find(&device, it, node, parts.type, err);
	if (status == 0 && parts.crowded) {
		if (search->example == TMAP_NONE) {
			search->example = node;
			search->parts = parts;
			search->device = device;
		}
		search->is_gathered = search->is_gathered && device != TMAP_NONE;
		search->is_costly = search->is_costly || parts.is_costly;
		places_mark(search->marked, it, node, &parts);
		nodes_collect(search, it, node);
		for (int i = 0; i < p->place_count; i++)
			search->marked[i] = false;
	}
	free(parts.is_crowded);
	return status;
}

/* The ranks in crowded objects. */
static enum tmap_lint_answer ranks_search(struct tmap_idset *ranks,
					  const struct tmap_inspection *it, bool of_caches,
					  struct search *search, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int status = 0;

	*search = (struct search){ .example = TMAP_NONE, .device = TMAP_NONE, .is_gathered = true };
	search->marked = tmap_alloc((size_t)p->place_count, sizeof *search->marked, err);
	search->is_in = tmap_alloc((size_t)p->size, sizeof *search->is_in, err);
	search->next_like = link_nodes(it, err);
	if (!search->marked || !search->is_in || !search->next_like)
		status = -1;
	for (int c = 0; status == 0 && c < it->fold.class_count; c++)
		status = class_search(search, it, c, of_caches, err);
	for (int r = 0; status == 0 && r < p->size; r++)
		if (search->is_in[r])
			status = tmap_idset_add(ranks, r, err);
	free(search->marked);
	free(search->is_in);
	free(search->next_like);
	if (status < 0)
		return TMAP_LINT_FAILED;
	return search->example == TMAP_NONE ? TMAP_LINT_NOTHING : TMAP_LINT_FOUND;
}

/* The same as a finding with its figures, of ranks that have the cores that they need: others take more,
 * once they have them. */
static enum tmap_lint_answer check(struct tmap_finding *finding, const struct tmap_inspection *it,
				   bool of_caches, struct search *search, struct tmap_error *err)
{
	enum tmap_lint_answer answer = ranks_search(&finding->ranks, it, of_caches, search, err);
	bool has_many = false;

	if (answer != TMAP_LINT_FOUND)
		return answer;
	if (tmap_lint_has_many_threads(it, &has_many, err) < 0)
		return TMAP_LINT_FAILED;
	if (has_many)
		return TMAP_LINT_NOTHING;
	tmap_lint_figure(finding, "idle", search->parts.idle);
	tmap_lint_figure(finding, "crowded", search->parts.crowded);
	tmap_lint_figure(finding, "objects", search->parts.objects);
	return TMAP_LINT_FOUND;
}

/* "1 of 4 NUMA nodes is idle on each node, while ranks take at least half of the cores of 2" */
static char *print_idle(const struct tmap_finding *finding, const struct search *search,
			const char *objects, const char *remark, struct tmap_error *err)
{
	const struct parts *parts = &search->parts;
	char *where = tmap_lint_where(finding, search->example, true, err), *what = NULL;

	if (where)
		what = tmap_format(err,
				   "%d of %d %s %s idle on %s, while ranks take at least half of "
				   "the cores of %d%s",
				   parts->idle, parts->objects, objects,
				   parts->idle == 1 ? "is" : "are", where, parts->crowded, remark);
	free(where);
	return what;
}

/* "; that is well if they are there for cuda0", where all ranks are at devices; else "". */
static char *gathered_print(const struct tmap_inspection *it, const struct search *search,
			    struct tmap_error *err)
{
	const struct tmap_topology *topo =
		tmap_machine_topology(it->placement->machine, search->example);

	if (!search->is_gathered)
		return tmap_strdup("", err);
	return tmap_format(err, "; that is well if they are there for %s",
			   topo->device[search->device].name);
}

/* GPUs of a node, by the kind of names of which there are most, and those of them with no rank on
 * their object of the type. */
static int gpus_count(int *idle, const struct tmap_inspection *it, int node, enum tmap_type type,
		      struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	bool *has_rank = tmap_alloc((size_t)topo->object_count, sizeof *has_rank, err);
	int most = 0;

	*idle = 0;
	if (!has_rank)
		return -1;
	for (int kind = 0; kind < topo->device_count; kind++) {
		int count = 0, without = 0;

		if (topo->device[kind].type != TMAP_GPU || !ranks_mark(has_rank, it, node, type))
			continue;
		for (int d = 0; d < topo->device_count; d++) {
			int home = tmap_topology_ancestor(topo, topo->device[d].object, type);

			if (!tmap_device_is_of_kind(&topo->device[d], &topo->device[kind]))
				continue;
			count++;
			without += home != TMAP_NONE && !has_rank[home];
		}
		if (count > most) {
			most = count;
			*idle = without;
		}
	}
	free(has_rank);
	return most;
}

/* Ranks at all GPUs: as many on each L3 cache, or NUMA node, with all cores that they can have. */
char *tmap_lint_all_gpus_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			     enum tmap_type type, struct tmap_error *err)
{
	int node = it->placement->node[0], ranks;
	bool is_even;
	int cores = tmap_room_cores_each(it, node, TMAP_L3, &ranks, &is_even);
	char *text, *fix;

	if (cores && is_even && it->order.regular)
		type = TMAP_L3;
	else
		cores = tmap_room_cores_each(it, node, type, &ranks, &is_even);
	if (cores < tmap_room_cores_needed(it))
		cores = tmap_room_cores_needed(it);
	text = tmap_format(err, "put ranks near all GPUs, as many on each %s",
			   type == TMAP_L3           ? "L3 cache" :
				   type == TMAP_NUMA ? "NUMA node" :
						       "package");
	fix = text ? tmap_lint_spread_fix(finding, it, type, text, cores, err) : NULL;
	free(text);
	return fix;
}

static const char *idle_memory_text(enum tmap_type type)
{
	return type == TMAP_PACKAGE ? "distribute the ranks of a node over its packages" :
				      "distribute the ranks of a node over its NUMA nodes";
}

enum tmap_lint_answer tmap_lint_idle_memory(struct tmap_finding *finding,
					    const struct tmap_inspection *it,
					    struct tmap_error *err)
{
	struct search search;
	enum tmap_lint_answer answer = check(finding, it, false, &search, err);
	enum tmap_type type = search.parts.type;
	struct tmap_str remark = TMAP_STR_INIT;
	int gpus, idle_gpus;
	char *gathered, *text, *what;

	if (answer != TMAP_LINT_FOUND)
		return answer;
	gpus = gpus_count(&idle_gpus, it, search.example, type, err);
	if (gpus < 0)
		return TMAP_LINT_FAILED;
	if (idle_gpus)
		finding->fix = tmap_lint_all_gpus_fix(finding, it, type, err);
	else if (tmap_lint_apart_at_adapter(&finding->fix, finding, it, err) == 0 && !finding->fix)
		finding->fix = tmap_lint_spread_fix(finding, it, type, idle_memory_text(type),
						    tmap_room_cores_needed(it), err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	tmap_lint_figure(finding, "gpus", gpus);
	tmap_lint_figure(finding, "idle_gpus", idle_gpus);
	if (gpus == 1 && idle_gpus)
		tmap_str_add(&remark, ", and no rank is near its GPU");
	else if (idle_gpus)
		tmap_str_addf(&remark, ", and no rank is near %d of its %d GPUs", idle_gpus, gpus);
	if (search.is_gathered)
		finding->severity = TMAP_SEVERITY_HINT;
	gathered = gathered_print(it, &search, err);
	if (gathered)
		tmap_str_add(&remark, gathered);
	free(gathered);
	text = tmap_str_take(&remark, err);
	if (!gathered || !text) {
		free(text);
		return TMAP_LINT_FAILED;
	}
	what = print_idle(finding, &search, type == TMAP_PACKAGE ? "packages" : "NUMA nodes", text,
			  err);
	free(text);
	return tmap_lint_found_take(finding, what, err);
}

/* Is there memory that no rank is at, for no reason that is known? 1, 0, or -1. */
static int has_idle_memory(const struct tmap_inspection *it, struct tmap_error *err)
{
	struct tmap_idset ranks = { 0 };
	struct search search;
	enum tmap_lint_answer answer = ranks_search(&ranks, it, false, &search, err);

	tmap_idset_fini(&ranks);
	return answer == TMAP_LINT_FAILED ? -1 : answer == TMAP_LINT_FOUND && !search.is_gathered;
}

enum tmap_lint_answer tmap_lint_idle_l3(struct tmap_finding *finding,
					const struct tmap_inspection *it, struct tmap_error *err)
{
	static const char text[] = "distribute the ranks of a node over its L3 caches";
	struct search search;
	enum tmap_lint_answer answer = check(finding, it, true, &search, err);
	char *remark, *what;
	bool is_slow;
	int memory;

	if (answer != TMAP_LINT_FOUND)
		return answer;
	/* ranks that leave their slow cores leave their caches, too */
	if (tmap_lint_is_on_slow_cores(&is_slow, it, err) < 0)
		return TMAP_LINT_FAILED;
	if (is_slow)
		return TMAP_LINT_NOTHING;
	/* ranks that go to all memory go to its caches */
	memory = has_idle_memory(it, err);
	if (memory)
		return memory < 0 ? TMAP_LINT_FAILED : TMAP_LINT_NOTHING;
	if (!search.is_costly || search.is_gathered)
		finding->severity = TMAP_SEVERITY_HINT;
	finding->fix =
		tmap_lint_spread_fix(finding, it, TMAP_L3, text, tmap_room_cores_needed(it), err);
	remark = finding->fix ? gathered_print(it, &search, err) : NULL;
	if (!remark)
		return TMAP_LINT_FAILED;
	what = print_idle(finding, &search, "L3 caches", remark, err);
	free(remark);
	return tmap_lint_found_take(finding, what, err);
}
