/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/slurm_masks.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

static int count_allowed(const struct tmap_topology *topo, const struct tmap_object *object)
{
	int count = 0;

	for (int i = object->first_pu; i < object->end_pu; i++)
		count += topo->pu[i].allowed;
	return count;
}

/* The number of allowed PUs that all objects of a type have which have any; 0 if they differ.
 * *objects becomes the number of these objects. */
static int common_size(const struct tmap_topology *topo, enum tmap_type type, int *objects)
{
	int size = TMAP_NONE;

	*objects = 0;
	for (int i = 0; i < topo->object_count; i++) {
		int here = topo->object[i].type == type ? count_allowed(topo, &topo->object[i]) : 0;

		if (!here)
			continue;
		if (size != TMAP_NONE && size != here)
			return 0;
		size = here;
		(*objects)++;
	}
	return size == TMAP_NONE ? 0 : size;
}

int tmap_slurm_node_init(struct tmap_slurm_node *node, const struct tmap_topology *topo,
			 struct tmap_error *err)
{
	enum tmap_type socket = tmap_topology_count(topo, TMAP_PACKAGE) ? TMAP_PACKAGE : TMAP_NODE;
	enum tmap_type core = tmap_topology_count(topo, TMAP_CORE) ? TMAP_CORE : TMAP_PU;
	struct tmap_slurm_node made = { .topo = topo, .cpus = tmap_topology_allowed_pus(topo) };
	int cores, per_socket = common_size(topo, socket, &made.sockets), at = 0;

	made.threads = common_size(topo, core, &cores);
	if (made.cpus == 0)
		return tmap_fail(err, TMAP_INPUT, "no PU of a node may be used");
	if (!per_socket || !made.threads || per_socket % made.threads ||
	    per_socket * made.sockets != made.cpus || made.threads * cores != made.cpus)
		return tmap_fail(err, TMAP_INPUT,
				 "Slurm describes a node as sockets x cores x threads, "
				 "but the %s of a node differ",
				 per_socket ? "cores" : "sockets");
	made.cores = per_socket / made.threads;
	made.pu = tmap_alloc((size_t)made.cpus, sizeof *made.pu, err);
	if (!made.pu)
		return -1;
	for (int i = 0; i < topo->pu_count; i++)
		if (topo->pu[i].allowed)
			made.pu[at++] = i;
	*node = made;
	return 0;
}

void tmap_slurm_node_fini(struct tmap_slurm_node *node)
{
	free(node->pu);
	*node = (struct tmap_slurm_node){ 0 };
}

/* The work for the tasks of one node. */
struct work {
	const struct tmap_slurm_node *node;
	const struct tmap_slurm_request *rq;
	int tasks;
	int each;         /* CPUs for each task */
	bool whole_cores; /* no two tasks share a core, if that can be */
	bool *avail;      /* [cpus] those that the tasks may have */
	int *next;        /* [sockets] */
	bool *masks;      /* [tasks][cpus] */
};

static bool *mask_of(const struct work *w, int task)
{
	return w->masks + (size_t)task * (size_t)w->node->cpus;
}

/* Threads of the last core of a task that nobody else gets, where cores are bound to. */
static int unused_threads(const struct work *w)
{
	int threads = w->node->threads;

	if (!w->whole_cores)
		return 0;
	return w->each < threads ? threads - w->each : w->each % threads;
}

/* Socket after socket; from the start again when all CPUs are taken. */
static void lay_block(struct work *w)
{
	int task = 0, taken = 0;

	while (task < w->tasks)
		for (int cpu = 0; cpu < w->node->cpus && task < w->tasks; cpu++) {
			if (!w->avail[cpu])
				continue;
			mask_of(w, task)[cpu] = true;
			if (++taken < w->each)
				continue;
			cpu += unused_threads(w);
			taken = 0;
			task++;
		}
}

/* The socket to take a CPU from: @p socket, or the next one that has some left. When none
 * has, all begin anew. */
static int find_socket(struct work *w, int socket)
{
	const struct tmap_slurm_node *node = w->node;
	int from = socket;

	while (w->next[socket] >= node->cores * node->threads) {
		socket = (socket + 1) % node->sockets;
		if (socket == from)
			for (int s = 0; s < node->sockets; s++)
				w->next[s] = 0;
	}
	return socket;
}

/* The next task (with fcyclic the next CPU) on the next socket. */
static void lay_cyclic(struct work *w)
{
	const struct tmap_slurm_node *node = w->node;
	bool full = w->rq->sockets == TMAP_SLURM_FCYCLIC;
	int task = 0, taken = 0, socket = 0;

	while (task < w->tasks) {
		int cpu;

		socket = find_socket(w, socket);
		cpu = (w->next[socket]++ + socket * node->cores * node->threads) % node->cpus;
		if (!w->avail[cpu])
			continue;
		mask_of(w, task)[cpu] = true;
		if (full)
			socket = (socket + 1) % node->sockets;
		if (++taken < w->each)
			continue;
		w->next[socket] += unused_threads(w);
		if (!full)
			socket = (socket + 1) % node->sockets;
		taken = 0;
		task++;
	}
}

/* A mask with any CPU of a group of @p size neighbours gets all that are available. */
static void widen(const struct work *w, bool *mask, int size)
{
	for (int from = 0; from < w->node->cpus; from += size) {
		bool any = false;

		for (int i = from; i < from + size; i++)
			any |= mask[i];
		for (int i = from; i < from + size && any; i++)
			mask[i] |= w->avail[i];
	}
}

/* All CPUs of the memory controllers of those in the mask. */
static void widen_to_ldoms(const struct work *w, bool *mask)
{
	const struct tmap_slurm_node *node = w->node;
	const struct tmap_topology *topo = node->topo;

	for (int i = 0; i < node->cpus; i++) {
		int numa = tmap_topology_ancestor(topo, topo->pu[node->pu[i]].object, TMAP_NUMA);

		for (int k = 0; k < node->cpus && mask[i]; k++)
			if (tmap_topology_ancestor(topo, topo->pu[node->pu[k]].object, TMAP_NUMA) ==
			    numa)
				mask[k] = true;
	}
}

/* Makes the cores of the tasks available, as many as @p cores, in the order in which the
 * second level takes them from the sockets: @p run of a socket at a time, where it is
 * cyclic and that is not 0. What a socket lacks comes from the next one. */
static void pick_cores(struct work *w, int cores, int run)
{
	const struct tmap_slurm_node *node = w->node;
	enum tmap_slurm_level level = w->rq->plane ? TMAP_SLURM_CYCLIC : w->rq->sockets;
	int socket = 0, taken = 0;

	for (; cores; cores--) {
		int core;

		while (w->next[socket] == node->cores)
			socket = (socket + 1) % node->sockets;
		core = socket * node->cores + w->next[socket]++;
		for (int t = 0; t < node->threads; t++)
			w->avail[core * node->threads + t] = true;
		if (level == TMAP_SLURM_FCYCLIC || (level == TMAP_SLURM_CYCLIC && ++taken == run)) {
			socket = (socket + 1) % node->sockets;
			taken = 0;
		}
	}
	for (int s = 0; s < node->sockets; s++)
		w->next[s] = 0;
}

/* The CPUs that the tasks have on the node. */
static int find_available(struct work *w, bool fits, struct tmap_error *err)
{
	const struct tmap_slurm_node *node = w->node;
	bool is_old = w->rq->release == TMAP_SLURM_22_05;
	int each = w->rq->cpus_per_task, threads = node->threads, all = node->sockets * node->cores;
	int cores = !fits                ? w->tasks :
		is_old && each > threads ? w->tasks * ((each + threads - 1) / threads) :
					   (w->tasks * each + threads - 1) / threads;

	if (!w->rq->exact || w->tasks == all)
		cores = all;
	if (cores > all)
		return tmap_fail(err, TMAP_INPUT,
				 "%d task%s of %d CPUs need%s %d core%s of a node that has %d",
				 w->tasks, w->tasks == 1 ? "" : "s", each, w->tasks == 1 ? "s" : "",
				 cores, cores == 1 ? "" : "s", all);
	pick_cores(w, cores, (cores + (is_old ? 0 : w->tasks - 1)) / w->tasks);
	return 0;
}

/* Groups of CPUs that are available as a whole; TMAP_NONE if one is in part. */
static int count_whole(const struct work *w, int size)
{
	int count = 0;

	for (int from = 0; from < w->node->cpus; from += size) {
		int here = 0;

		for (int i = from; i < from + size; i++)
			here += w->avail[i];
		if (here && here < size)
			return TMAP_NONE;
		count += here == size;
	}
	return count;
}

/* What "auto" comes to. */
static enum tmap_slurm_bind decide(const struct work *w)
{
	int threads = w->node->threads, cpus = w->tasks * w->rq->cpus_per_task;

	if (w->rq->bind != TMAP_SLURM_AUTO)
		return w->rq->bind;
	return cpus == count_whole(w, w->node->cores * threads) ? TMAP_SLURM_SOCKETS :
		cpus == count_whole(w, threads)                 ? TMAP_SLURM_CORES :
		cpus == count_whole(w, 1)                       ? TMAP_SLURM_THREADS :
								  TMAP_SLURM_NONE;
}

static void bind(struct work *w, enum tmap_slurm_bind to)
{
	const struct tmap_slurm_node *node = w->node;
	int have = count_whole(w, 1),
	    group = to == TMAP_SLURM_CORES ? node->threads :
		to == TMAP_SLURM_SOCKETS   ? node->cores * node->threads :
					     1;

	w->whole_cores = to == TMAP_SLURM_CORES;
	w->each = w->rq->cpus_per_task;
	if (have < w->tasks * w->each)
		w->each = have > w->tasks ? have / w->tasks : 1;
	if (w->rq->plane || w->rq->sockets == TMAP_SLURM_BLOCK)
		lay_block(w);
	else
		lay_cyclic(w);
	for (int t = 0; t < w->tasks; t++) {
		widen(w, mask_of(w, t), group);
		if (to == TMAP_SLURM_LDOMS)
			widen_to_ldoms(w, mask_of(w, t));
	}
}

/* What a list may name: CPUs that the step has, or NUMA nodes. */
static int listable_find(struct tmap_idset *ids, const struct work *w, struct tmap_error *err)
{
	const struct tmap_topology *topo = w->node->topo;

	for (int i = 0; i < w->node->cpus && !w->rq->is_of_ldoms; i++)
		if (w->avail[i] && tmap_idset_add(ids, topo->pu[w->node->pu[i]].os, err) < 0)
			return -1;
	for (int m = 0; m < topo->memory_count && w->rq->is_of_ldoms; m++)
		if (topo->memory[m].object != TMAP_NONE &&
		    tmap_idset_add(ids, topo->memory[m].os, err) < 0)
			return -1;
	return 0;
}

/* srun looks at the whole list, also where it has more items than a node has tasks. */
static int list_check(const struct work *w, struct tmap_error *err)
{
	struct tmap_idset ids = { 0 };
	int status = listable_find(&ids, w, err);

	for (int i = 0; i < w->rq->listed && status == 0; i++) {
		const struct tmap_idset *item = &w->rq->list[i];
		int id = tmap_idset_next(item, TMAP_NONE);
		char *have;

		if (tmap_idset_is_subset(item, &ids))
			continue;
		while (tmap_idset_contains(&ids, id))
			id = tmap_idset_next(item, id);
		have = tmap_idset_print(&ids, err);
		status = -1;
		if (have)
			tmap_fail(err, TMAP_INPUT,
				  "%s %d is none of those that the step has on a "
				  "node, %.64s",
				  w->rq->is_of_ldoms ? "NUMA node" : "CPU", id, have);
		free(have);
	}
	tmap_idset_fini(&ids);
	return status;
}

/* Is the CPU local to one of these NUMA nodes? */
static bool is_at_ldom(const struct tmap_topology *topo, int pu, const struct tmap_idset *ldoms)
{
	for (int m = 0; m < topo->memory_count; m++) {
		int object = topo->memory[m].object;

		if (object != TMAP_NONE && tmap_idset_contains(ldoms, topo->memory[m].os) &&
		    topo->object[object].first_pu <= pu && pu < topo->object[object].end_pu)
			return true;
	}
	return false;
}

/* Each task to the item of its number. */
static void bind_listed(struct work *w)
{
	const struct tmap_slurm_node *node = w->node;
	const struct tmap_topology *topo = node->topo;

	for (int t = 0; t < w->tasks; t++) {
		const struct tmap_idset *item = &w->rq->list[t % w->rq->listed];

		for (int i = 0; i < node->cpus; i++)
			mask_of(w, t)[i] = w->rq->is_of_ldoms ?
				is_at_ldom(topo, node->pu[i], item) :
				tmap_idset_contains(item, topo->pu[node->pu[i]].os);
	}
}

/* The masks, of what the tasks may have. */
static int lay(struct work *w, struct tmap_error *err)
{
	const struct tmap_slurm_node *node = w->node;
	int each = w->rq->cpus_per_task, have = count_whole(w, 1);
	enum tmap_slurm_bind to;

	if (w->rq->list) {
		if (list_check(w, err) < 0)
			return -1;
		bind_listed(w);
		return 0;
	}
	to = decide(w);
	if (to != TMAP_SLURM_NONE && node->threads == 1 && have < each)
		return tmap_fail(
			err, TMAP_INPUT,
			"a task of %d CPU%s gets %d of a node, and Slurm does not bind it there",
			each, each == 1 ? "" : "s", have);
	if (to != TMAP_SLURM_NONE)
		bind(w, to);
	for (int t = 0; t < w->tasks && to == TMAP_SLURM_NONE; t++)
		memcpy(mask_of(w, t), w->avail, (size_t)node->cpus * sizeof *w->avail);
	return 0;
}

int tmap_slurm_masks(bool **masks, const struct tmap_slurm_node *node, int tasks, bool fits,
		     const struct tmap_slurm_request *rq, struct tmap_error *err)
{
	struct work w = { .node = node, .rq = rq, .tasks = tasks };
	int rc = -1;

	w.avail = tmap_alloc((size_t)node->cpus, sizeof *w.avail, err);
	w.next = tmap_alloc((size_t)node->sockets, sizeof *w.next, err);
	w.masks = tmap_alloc((size_t)tasks, (size_t)node->cpus, err);
	if (w.avail && w.next && w.masks && find_available(&w, fits, err) == 0 &&
	    lay(&w, err) == 0) {
		*masks = w.masks;
		w.masks = NULL;
		rc = 0;
	}
	free(w.avail);
	free(w.next);
	free(w.masks);
	return rc;
}
