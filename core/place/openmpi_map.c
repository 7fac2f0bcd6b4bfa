/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/openmpi_job.h"

#include "core/base/mem.h"

#include <assert.h>
#include <stdlib.h>

static int allowed_pus_count(const struct tmap_topology *topo, int first_pu, int end_pu)
{
	int count = 0;

	for (int i = first_pu; i < end_pu; i++)
		count += topo->pu[i].allowed;
	return count;
}

/* Cores, or hardware threads, that the job may use within an object: objects stand in preorder. */
static int cpus_count(const struct tmap_topology *topo, int object, bool hwthreads)
{
	const struct tmap_object *whole = &topo->object[object];
	int count = 0;

	if (hwthreads)
		return allowed_pus_count(topo, whole->first_pu, whole->end_pu);
	while (object && topo->object[object - 1].first_pu == whole->first_pu &&
	       topo->object[object - 1].end_pu == whole->end_pu)
		object--;
	for (; object < topo->object_count && topo->object[object].first_pu < whole->end_pu;
	     object++) {
		const struct tmap_object *it = &topo->object[object];

		count += it->type == TMAP_CORE &&
			allowed_pus_count(topo, it->first_pu, it->end_pu) > 0;
	}
	return count;
}

static void objects_add(struct tmap_ompi_objects *objects, const struct tmap_topology *topo,
			int object, bool hwthreads)
{
	const struct tmap_object *it = &topo->object[object];

	if (allowed_pus_count(topo, it->first_pu, it->end_pu) == 0)
		return;
	objects->at[objects->count++] = (struct tmap_ompi_span){
		.first_pu = it->first_pu,
		.end_pu = it->end_pu,
		.place = TMAP_NONE,
		.cpus = cpus_count(topo, object, hwthreads),
	};
}

int tmap_ompi_objects_init(struct tmap_ompi_objects *objects, const struct tmap_topology *topo,
			   enum tmap_ompi_level level, bool hwthreads, struct tmap_error *err)
{
	enum tmap_type type = tmap_ompi_type(level);
	size_t most = level == TMAP_OMPI_NUMA ? (size_t)topo->memory_count :
						(size_t)tmap_topology_count(topo, type);

	*objects = (struct tmap_ompi_objects){ .at = tmap_alloc(most, sizeof *objects->at, err) };
	if (!objects->at)
		return -1;
	if (level == TMAP_OMPI_NUMA) {
		for (int i = 0; i < topo->memory_count; i++)
			if (topo->memory[i].object != TMAP_NONE)
				objects_add(objects, topo, topo->memory[i].object, hwthreads);
		return 0;
	}
	for (int i = 0; i < topo->object_count; i++)
		if (topo->object[i].type == type)
			objects_add(objects, topo, i, hwthreads);
	return 0;
}

void tmap_ompi_objects_fini(struct tmap_ompi_objects *objects)
{
	free(objects->at);
	*objects = (struct tmap_ompi_objects){ 0 };
}

static int node_objects(const struct tmap_ompi_job *job, int node)
{
	return job->kind[job->machine->node_topology[node]].map.count;
}

static int64_t job_slots(const struct tmap_ompi_job *job)
{
	int64_t sum = 0;

	for (int n = 0; n < job->machine->node_count; n++)
		sum += tmap_ompi_slots(job, n);
	return sum;
}

/* What is left when no more fits, distributed evenly: the first nodes get one more. */
static void ranks_distribute_rest(struct tmap_ompi_job *job, int rest, int nodes)
{
	int each, more;

	assert(nodes > 0); /* with no slots at all the ranks do not fit */
	each = rest / nodes;
	more = rest % nodes;
	for (int n = 0, k = 0; n < job->machine->node_count && k < nodes; n++)
		if (tmap_ompi_slots(job, n) || job->rq.oversubscribe)
			job->count[n] += each + (k++ < more);
}

/* Nodes without slots are no candidates, unless more processes than slots are fine. */
static int job_candidates(const struct tmap_ompi_job *job)
{
	int count = 0;

	for (int n = 0; n < job->machine->node_count; n++)
		count += tmap_ompi_slots(job, n) > 0 || job->rq.oversubscribe;
	return count;
}

static int map_by_slot(struct tmap_ompi_job *job, struct tmap_error *err)
{
	int rest = job->ranks;

	(void)err;
	for (int n = 0; n < job->machine->node_count && rest; n++) {
		int slots = tmap_ompi_slots(job, n);

		job->count[n] = slots < rest ? slots : rest;
		rest -= job->count[n];
	}
	if (rest)
		ranks_distribute_rest(job, rest, job_candidates(job));
	return 0;
}

/* One round over the nodes: the average and one more for the first nodes, as far as
 * slots reach. Returns the number of nodes that took some. */
static int ranks_distribute_round(struct tmap_ompi_job *job, int *rest, int nodes)
{
	int average, more, took = 0;

	assert(nodes > 0); /* the slots suffice, so some were left by the round before */
	average = *rest / nodes ? *rest / nodes : 1;
	more = *rest - average * nodes;
	for (int n = 0; n < job->machine->node_count && *rest; n++) {
		int room = tmap_ompi_slots(job, n) - job->count[n], share;

		if (room <= 0)
			continue;
		share = average + (more-- > 0);
		share = share < room ? share : room;
		share = share < *rest ? share : *rest;
		job->count[n] += share;
		*rest -= share;
		took++;
	}
	return took;
}

static int map_by_node(struct tmap_ompi_job *job, struct tmap_error *err)
{
	int rest = job->ranks, nodes = job_candidates(job);

	(void)err;
	if (job->ranks > job_slots(job)) {
		ranks_distribute_rest(job, rest, nodes);
		return 0;
	}
	while (rest)
		nodes = ranks_distribute_round(job, &rest, nodes);
	return 0;
}

/* Every object in use must have the cpus that PE=N asks for. */
static int objects_check_cpus(const struct tmap_ompi_job *job, struct tmap_error *err)
{
	for (int n = 0; n < job->machine->node_count; n++) {
		const struct tmap_ompi_objects *map =
			&job->kind[job->machine->node_topology[n]].map;

		for (int i = 0; i < map->count && i < job->count[n]; i++)
			if (map->at[i].cpus < job->rq.pe)
				return tmap_fail(err, TMAP_INPUT,
						 "PE=%d does not fit: %s %d of node '%s' "
						 "has %d cpus",
						 job->rq.pe, tmap_ompi_name(job->rq.map_by), i,
						 job->machine->node_name[n], map->at[i].cpus);
	}
	return 0;
}

/* Slots first; then, where that is allowed, one more for each node again and again. */
static int map_by_object(struct tmap_ompi_job *job, struct tmap_error *err)
{
	const int nodes = job->machine->node_count;
	int rest = job->ranks, able = 0;

	for (int n = 0; n < nodes; n++) {
		int slots = tmap_ompi_slots(job, n);

		if (node_objects(job, n) == 0)
			continue;
		able++;
		job->count[n] = slots < rest ? slots : rest;
		rest -= job->count[n];
	}
	if (rest && !job->rq.oversubscribe)
		return tmap_fail(err, TMAP_INPUT,
				 "only %d of %d nodes have a %s; their slots do not "
				 "suffice for %d ranks",
				 able, nodes, tmap_ompi_name(job->rq.map_by), job->ranks);
	assert(able > 0); /* has_map_objects() */
	for (int n = 0, k = 0, each = rest / able, more = rest % able; n < nodes && rest; n++)
		if (node_objects(job, n))
			job->count[n] += each + (k++ < more);
	return objects_check_cpus(job, err);
}

/* The average for each object of all nodes, one more for the first ones; slots do not count. */
static int map_over_all(struct tmap_ompi_job *job, struct tmap_error *err)
{
	int64_t objects = 0;
	int rest = job->ranks, average, more;

	for (int n = 0; n < job->machine->node_count; n++)
		objects += node_objects(job, n);
	assert(objects > 0); /* has_map_objects() */
	average = job->ranks >= objects ? (int)(job->ranks / objects) : 1;
	more = (int)(job->ranks - average * objects);
	for (int n = 0; n < job->machine->node_count && rest; n++) {
		int here = node_objects(job, n);
		int64_t share = (int64_t)average * here +
			(more > here      ? here :
				 more > 0 ? more :
					    0);

		more -= here;
		job->count[n] = share < rest ? (int)share : rest;
		rest -= job->count[n];
	}
	return objects_check_cpus(job, err);
}

static int map_by_pattern(struct tmap_ompi_job *job, struct tmap_error *err)
{
	int rest = job->ranks;

	for (int n = 0; n < job->machine->node_count && rest; n++) {
		int64_t most = (int64_t)job->rq.ppr * node_objects(job, n);

		job->count[n] = most < rest ? (int)most : rest;
		rest -= job->count[n];
		if (job->count[n] > tmap_ompi_slots(job, n) && !job->rq.oversubscribe)
			return tmap_fail(err, TMAP_INPUT,
					 "ppr:%d:%s gives node '%s' %d ranks for its %d "
					 "slots; OVERSUBSCRIBE would allow it",
					 job->rq.ppr, tmap_ompi_name(job->rq.map_by),
					 job->machine->node_name[n], job->count[n],
					 tmap_ompi_slots(job, n));
	}
	if (rest)
		return tmap_fail(err, TMAP_INPUT, "%d ranks are more than ppr:%d:%s gives",
				 job->ranks, job->rq.ppr, tmap_ompi_name(job->rq.map_by));
	return 0;
}

/* Does any node have objects of the mapping level? */
static bool has_map_objects(const struct tmap_ompi_job *job)
{
	for (int n = 0; n < job->machine->node_count; n++)
		if (node_objects(job, n))
			return true;
	return false;
}

/* The objects of the mapping level; without any, slots take their place. */
static int map_objects_init(struct tmap_ompi_job *job, struct tmap_error *err)
{
	for (int t = 0; t < job->machine->topology_count; t++) {
		struct tmap_ompi_kind *kind = &job->kind[t];

		if (!kind->map.at &&
		    tmap_ompi_objects_init(&kind->map, &job->machine->topology[t], job->rq.map_by,
					   job->rq.hwthreads, err) < 0)
			return -1;
	}
	if (has_map_objects(job) || job->rq.ppr)
		return 0;
	job->rq.map_by = TMAP_OMPI_SLOT;
	for (int t = 0; t < job->machine->topology_count; t++) {
		tmap_ompi_objects_fini(&job->kind[t].map);
		if (tmap_ompi_objects_init(&job->kind[t].map, &job->machine->topology[t],
					   TMAP_OMPI_SLOT, job->rq.hwthreads, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_ompi_map(struct tmap_ompi_job *job, struct tmap_error *err)
{
	int (*map)(struct tmap_ompi_job *, struct tmap_error *);

	if (map_objects_init(job, err) < 0)
		return -1;
	if (job->ranks > job_slots(job) && !job->rq.oversubscribe && !job->rq.ppr)
		return tmap_fail(err, TMAP_INPUT,
				 "%d ranks do not fit on the %lld slots of %d node%s", job->ranks,
				 (long long)job_slots(job), job->machine->node_count,
				 job->machine->node_count == 1 ? "" : "s");
	map = job->rq.ppr                        ? map_by_pattern :
		job->rq.map_by == TMAP_OMPI_SLOT ? map_by_slot :
		job->rq.map_by == TMAP_OMPI_NODE ? map_by_node :
		job->rq.span                     ? map_over_all :
						   map_by_object;
	if (map(job, err) < 0)
		return -1;
	for (int n = 0; n < job->machine->node_count; n++)
		job->oversubscribed |= job->count[n] > tmap_ompi_slots(job, n);
	return 0;
}
