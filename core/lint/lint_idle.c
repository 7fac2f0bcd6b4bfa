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
 * on more than half of their cores, or on just half, if these are HALF_CORES or more. Fewer are a matter
 * of taste: they have each other's cache. */
struct parts {
	enum tmap_type type;  /* of the objects */
	enum tmap_type among; /* idle and crowded ones must lie in one object of this type */
	int objects, idle, crowded;
	bool *is_crowded; /* [objects of the topology] */
};

/* Fewer cores do not use up the bandwidth of a memory controller, nor a cache. */
enum { HALF_CORES = 4 };

/* The memory controllers of a node, or its packages where it has one of these for all. */
static enum tmap_type memory_type(const struct tmap_topology *topo)
{
	return tmap_topology_count(topo, TMAP_NUMA) > 1 ? TMAP_NUMA : TMAP_PACKAGE;
}

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
	if (is_coarse)
		return used == cores;
	return 2 * used > cores || (2 * used == cores && used >= HALF_CORES);
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

static int parts_find(struct parts *parts, const struct tmap_inspection *it, int node,
		      struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	size_t count = (size_t)topo->object_count;
	bool *is_idle = tmap_alloc(count, sizeof *is_idle, err);
	/* packages of several NUMA nodes: ranks on some cores of each may be there for the memory */
	bool is_coarse = parts->type != memory_type(topo);
	struct tmap_node_use use = { 0 };
	int status = -1;

	parts->is_crowded = tmap_alloc(count, sizeof *parts->is_crowded, err);
	if (is_idle && parts->is_crowded)
		status = tmap_node_use_find(&use, it->placement, &it->fold, node, err);
	for (int i = 0; status == 0 && i < topo->object_count; i++) {
		const struct tmap_object *object = &topo->object[i];
		int cores, used;

		if (object->type != parts->type)
			continue;
		count_cores(topo, object, &use.taken, &cores, &used);
		if (!cores)
			continue;
		parts->objects++;
		is_idle[i] = !is_taken(&use.taken, object);
		parts->idle += is_idle[i];
		parts->is_crowded[i] = is_filled(cores, used, is_coarse) &&
			count_ranks(it, node, object) > 1;
	}
	if (status == 0)
		parts_pair(parts, topo, is_idle);
	tmap_node_use_fini(&use);
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
	bool *marked; /* [place_count] of the class at hand */
	bool *is_in;  /* [size] */
	int example;  /* the first such node, and what it has */
	struct parts parts;
	int device;       /* of it, at which all its ranks are; TMAP_NONE */
	bool is_gathered; /* every such kind of node has one */
};

static int class_search(struct search *search, const struct tmap_inspection *it, int class,
			bool of_caches, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int node = it->fold.example[class], device = TMAP_NONE, status;
	const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);
	struct parts parts = { .type = of_caches ? TMAP_L3 : memory_type(topo),
			       .among = of_caches ? memory_type(topo) : TMAP_NODE };

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
		places_mark(search->marked, it, node, &parts);
		for (int r = 0; r < p->size; r++)
			if (it->fold.class_of[p->node[r]] == class && search->marked[p->place[r]])
				search->is_in[r] = true;
		for (int i = 0; i < p->place_count; i++)
			search->marked[i] = false;
	}
	free(parts.is_crowded);
	return status;
}

static enum tmap_lint_answer check(struct tmap_finding *finding, const struct tmap_inspection *it,
				   bool of_caches, struct search *search, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int status = 0;

	*search = (struct search){ .example = TMAP_NONE, .device = TMAP_NONE, .is_gathered = true };
	search->marked = tmap_alloc((size_t)p->place_count, sizeof *search->marked, err);
	search->is_in = tmap_alloc((size_t)p->size, sizeof *search->is_in, err);
	if (!search->marked || !search->is_in)
		status = -1;
	for (int c = 0; status == 0 && c < it->fold.class_count; c++)
		status = class_search(search, it, c, of_caches, err);
	for (int r = 0; status == 0 && r < p->size; r++)
		if (search->is_in[r])
			status = tmap_idset_add(&finding->ranks, r, err);
	free(search->marked);
	free(search->is_in);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (search->example == TMAP_NONE)
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

/* A GPU may have several names, of several kinds: "card1", "renderD128", "rsmi0". */
static bool is_of_kind(const struct tmap_device *device, const struct tmap_device *kind)
{
	size_t length = strcspn(kind->name, "0123456789");

	return device->type == TMAP_GPU && strncmp(device->name, kind->name, length) == 0 &&
		strcspn(device->name, "0123456789") == length;
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

			if (!is_of_kind(&topo->device[d], &topo->device[kind]))
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
static char *gpus_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
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
	const struct tmap_machine *machine = it->placement->machine;
	enum tmap_type type = search.parts.type;
	struct tmap_str remark = TMAP_STR_INIT;
	int gpus, idle_gpus;
	char *text, *what;

	if (answer != TMAP_LINT_FOUND)
		return answer;
	gpus = gpus_count(&idle_gpus, it, search.example, type, err);
	if (gpus < 0)
		return TMAP_LINT_FAILED;
	finding->fix = idle_gpus ? gpus_fix(finding, it, type, err) :
				   tmap_lint_spread_fix(finding, it, type, idle_memory_text(type),
							tmap_room_cores_needed(it), err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	tmap_lint_figure(finding, "gpus", gpus);
	tmap_lint_figure(finding, "idle_gpus", idle_gpus);
	if (gpus == 1 && idle_gpus)
		tmap_str_add(&remark, ", and no rank is near its GPU");
	else if (idle_gpus)
		tmap_str_addf(&remark, ", and no rank is near %d of its %d GPUs", idle_gpus, gpus);
	if (search.is_gathered) {
		finding->severity = TMAP_SEVERITY_HINT;
		tmap_str_addf(
			&remark, "; that is well if they are there for %s",
			tmap_machine_topology(machine, search.example)->device[search.device].name);
	}
	text = tmap_str_take(&remark, err);
	if (!text)
		return TMAP_LINT_FAILED;
	what = print_idle(finding, &search, type == TMAP_PACKAGE ? "packages" : "NUMA nodes", text,
			  err);
	free(text);
	return tmap_lint_found_take(finding, what, err);
}

enum tmap_lint_answer tmap_lint_idle_l3(struct tmap_finding *finding,
					const struct tmap_inspection *it, struct tmap_error *err)
{
	struct search search;
	enum tmap_lint_answer answer = check(finding, it, true, &search, err);

	if (answer != TMAP_LINT_FOUND)
		return answer;
	finding->fix = tmap_lint_spread_fix(
		finding, it, TMAP_L3,
		"if the program needs cache, distribute the ranks over the L3 caches",
		tmap_room_cores_needed(it), err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(finding, print_idle(finding, &search, "L3 caches", "", err),
				    err);
}
