/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/openmpi_job.h"

#include "core/base/mem.h"
#include "core/machine/most_ranks.h"

#include <assert.h>
#include <limits.h>
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
	objects->is_apart &= !objects->count ||
		objects->at[objects->count - 1].end_pu <= it->first_pu;
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

	*objects = (struct tmap_ompi_objects){ .at = tmap_alloc(most, sizeof *objects->at, err),
					       .is_apart = true };
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

/* What counts as taken: with ppr no more than the slots. */
static int node_taken(const struct tmap_ompi_job *job, int node)
{
	int slots = tmap_ompi_slots(job, node), taken = job->count[node];

	return job->rq.ppr && taken > slots ? slots : taken;
}

/* How many processes are more than the slots; below 0, slots are left. */
static int node_overload(const struct tmap_ompi_job *job, int node)
{
	return node_taken(job, node) - tmap_ompi_slots(job, node);
}

static bool is_candidate(const struct tmap_ompi_job *job, int node)
{
	int most = job->rq.node_most ? job->rq.node_most[node] : TMAP_NONE;

	if (most != TMAP_NONE && node_taken(job, node) > most)
		return false;
	return job->rq.oversubscribe || node_overload(job, node) < 0;
}

/* The slots of a node that no process has taken. */
static int node_room(const struct tmap_ompi_job *job, int node)
{
	int room = tmap_ompi_slots(job, node) - job->count[node];

	return room > 0 ? room : 0;
}

/* Of the list, where a program begins: where the one before began, or else at the next node with a
 * slot left; where there is none, at the one with the fewest processes beyond its slots, if the
 * node before the beginning has fewer than that. */
static int list_begin(const struct tmap_ompi_job *job)
{
	int at = 0, least, last = TMAP_NONE;

	for (int i = 0; i < job->list_count; i++)
		if (job->list[i] == job->bookmark)
			at = i;
	if (node_overload(job, job->list[at]) < 0)
		return at;
	least = at;
	for (int i = (at + 1) % job->list_count; i != at; i = (i + 1) % job->list_count) {
		int overload = node_overload(job, job->list[i]);

		if (overload < 0)
			return i;
		if (node_overload(job, job->list[least]) >= overload)
			least = i;
		last = i;
	}
	return last != TMAP_NONE &&
			node_overload(job, job->list[last]) < node_overload(job, job->list[at]) ?
		least :
		at;
}

/* The nodes that a program may use, in the order in which it takes them. */
static void job_list(struct tmap_ompi_job *job)
{
	job->list_count = 0;
	for (int n = 0; n < job->machine->node_count; n++)
		if (is_candidate(job, n))
			job->list[job->list_count++] = n;
	if (job->list_count == 0)
		return;
	job->bookmark = job->list[list_begin(job)];
	for (int pass = 0, i = 0; pass < 2; pass++)
		for (int n = 0; n < job->machine->node_count; n++)
			if (is_candidate(job, n) && (n >= job->bookmark) == (pass == 0))
				job->list[i++] = n;
}

static void node_take(struct tmap_ompi_job *job, int program, int node, int processes)
{
	if (processes && !job->count[node])
		job->used[job->used_count++] = node;
	job->count[node] += processes;
	job->share[(size_t)node * (size_t)job->program_count + (size_t)program] += processes;
}

static int64_t job_room(const struct tmap_ompi_job *job)
{
	int64_t sum = 0;

	for (int i = 0; i < job->list_count; i++)
		sum += node_room(job, job->list[i]);
	return sum;
}

/* What is left when no more fits, distributed evenly: the first nodes get one more. */
static void ranks_distribute_rest(struct tmap_ompi_job *job, int program, int rest)
{
	int each = rest / job->list_count, more = rest % job->list_count;

	for (int i = 0; i < job->list_count; i++)
		node_take(job, program, job->list[i], each + (i < more));
}

static int map_by_slot(struct tmap_ompi_job *job, int program, struct tmap_error *err)
{
	int rest = job->ranks;

	(void)err;
	for (int i = 0; i < job->list_count && rest; i++) {
		int room = node_room(job, job->list[i]), take = room < rest ? room : rest;

		node_take(job, program, job->list[i], take);
		rest -= take;
	}
	ranks_distribute_rest(job, program, rest);
	return 0;
}

/* One round over the nodes: the average and one more for the first nodes, as far as
 * slots reach. Returns the number of nodes that took some. */
static int ranks_distribute_round(struct tmap_ompi_job *job, int program, int *rest, int nodes)
{
	int average, more, took = 0;

	assert(nodes > 0); /* the slots suffice, so some were left by the round before */
	average = *rest / nodes ? *rest / nodes : 1;
	more = *rest - average * nodes;
	for (int i = 0; i < job->list_count && *rest; i++) {
		int room = node_room(job, job->list[i]), share;

		if (room <= 0)
			continue;
		share = average + (more-- > 0);
		share = share < room ? share : room;
		share = share < *rest ? share : *rest;
		node_take(job, program, job->list[i], share);
		*rest -= share;
		took++;
	}
	return took;
}

static int map_by_node(struct tmap_ompi_job *job, int program, struct tmap_error *err)
{
	int rest = job->ranks, nodes = job->list_count;

	(void)err;
	if (job->ranks > job_room(job)) {
		ranks_distribute_rest(job, program, rest);
		return 0;
	}
	while (rest)
		nodes = ranks_distribute_round(job, program, &rest, nodes);
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
				return tmap_fail(
					err, TMAP_INPUT,
					"PE=%d does not fit: %s %d of node '%s' has %d cpu%s",
					job->rq.pe, tmap_ompi_name(job->rq.map_by), i,
					job->machine->node_name[n], map->at[i].cpus,
					map->at[i].cpus == 1 ? "" : "s");
	}
	return 0;
}

/* Slots first; then, where that is allowed, one more for each node again and again. */
static int map_by_object(struct tmap_ompi_job *job, int program, struct tmap_error *err)
{
	int rest = job->ranks, able = 0;

	for (int i = 0; i < job->list_count; i++) {
		int n = job->list[i], room = node_room(job, n), take = room < rest ? room : rest;

		if (node_objects(job, n) == 0)
			continue;
		able++;
		node_take(job, program, n, take);
		rest -= take;
	}
	if (rest && !job->rq.oversubscribe)
		return tmap_fail(
			err, TMAP_INPUT,
			"only %d of %d nodes have a %s; their slots do not suffice for %d rank%s",
			able, job->machine->node_count, tmap_ompi_name(job->rq.map_by), job->ranks,
			job->ranks == 1 ? "" : "s");
	assert(able > 0); /* has_room_by_object() */
	for (int i = 0, k = 0, each = rest / able, more = rest % able; i < job->list_count && rest;
	     i++)
		if (node_objects(job, job->list[i]))
			node_take(job, program, job->list[i], each + (k++ < more));
	return objects_check_cpus(job, err);
}

/* The average for each object of all nodes, one more for the first ones; slots do not count. */
static int map_over_all(struct tmap_ompi_job *job, int program, struct tmap_error *err)
{
	int64_t objects = 0;
	int rest = job->ranks, average, more;

	for (int i = 0; i < job->list_count; i++)
		objects += node_objects(job, job->list[i]);
	assert(objects > 0); /* has_room_by_object() */
	average = job->ranks >= objects ? (int)(job->ranks / objects) : 1;
	more = (int)(job->ranks - average * objects);
	for (int i = 0; i < job->list_count && rest; i++) {
		int n = job->list[i], here = node_objects(job, n), take;
		int64_t share = (int64_t)average * here +
			(more > here      ? here :
				 more > 0 ? more :
					    0);

		more -= here;
		take = share < rest ? (int)share : rest;
		node_take(job, program, n, take);
		rest -= take;
		if (take)
			job->bookmark = n;
	}
	return objects_check_cpus(job, err);
}

/* A program without a number of ranks has what ppr gives on all nodes, and fewer may be left. */
static int refuse_pattern(const struct tmap_ompi_job *job, int program, int given,
			  struct tmap_error *err)
{
	bool is_one_of_several = job->program_count > 1;
	bool has_number = !is_one_of_several || job->rq.programs[program].ranks != TMAP_NONE;

	return tmap_fail(
		err, TMAP_INPUT, "ppr:%d:%s gives %d rank%s, not %d%s%s", job->rq.ppr,
		tmap_ompi_name(job->rq.map_by), given, given == 1 ? "" : "s", job->ranks,
		has_number ?
			"" :
			", which is what a program without -n gets: as many as ppr gives on all "
			"nodes",
		is_one_of_several && job->list_count < job->machine->node_count ?
			"; nodes without a slot left are not used" :
			"");
}

static int map_by_pattern(struct tmap_ompi_job *job, int program, struct tmap_error *err)
{
	int rest = job->ranks;

	for (int i = 0; i < job->list_count && rest; i++) {
		int n = job->list[i];
		int64_t most = (int64_t)job->rq.ppr * node_objects(job, n);
		int take = most < rest ? (int)most : rest;

		if (tmap_most_ranks_check((int64_t)job->count[n] + take,
					  tmap_most_ranks(job->machine), "ranks", err) < 0)
			return -1;
		node_take(job, program, n, take);
		rest -= take;
		if (job->count[n] > tmap_ompi_slots(job, n) && !job->rq.oversubscribe)
			return tmap_fail(err, TMAP_INPUT,
					 "ppr:%d:%s gives node '%s' %d rank%s for its %d slot%s; "
					 "OVERSUBSCRIBE would allow it",
					 job->rq.ppr, tmap_ompi_name(job->rq.map_by),
					 job->machine->node_name[n], job->count[n],
					 job->count[n] == 1 ? "" : "s", tmap_ompi_slots(job, n),
					 (tmap_ompi_slots(job, n)) == 1 ? "" : "s");
	}
	if (rest && rest == job->ranks)
		return tmap_ompi_refuse_ppr(job, err);
	if (rest)
		return refuse_pattern(job, program, job->ranks - rest, err);
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

/* From here on slots take the place of objects. */
static int map_objects_replace(struct tmap_ompi_job *job, struct tmap_error *err)
{
	job->rq.map_by = TMAP_OMPI_SLOT;
	for (int t = 0; t < job->machine->topology_count; t++) {
		tmap_ompi_objects_fini(&job->kind[t].map);
		if (tmap_ompi_objects_init(&job->kind[t].map, &job->machine->topology[t],
					   TMAP_OMPI_SLOT, job->rq.hwthreads, err) < 0)
			return -1;
	}
	return 0;
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
	return has_map_objects(job) || job->rq.ppr ? 0 : map_objects_replace(job, err);
}

/* Is there an object that a program can be mapped to, on a node with a slot (with SPAN, on any)? */
static bool has_room_by_object(const struct tmap_ompi_job *job)
{
	for (int i = 0; i < job->list_count; i++)
		if (node_objects(job, job->list[i]) &&
		    (job->rq.span || node_room(job, job->list[i]) > 0))
			return true;
	return false;
}

static int map_program(struct tmap_ompi_job *job, int program, struct tmap_error *err)
{
	bool by_object = job->rq.map_by != TMAP_OMPI_SLOT && job->rq.map_by != TMAP_OMPI_NODE;

	job_list(job);
	if (job->list_count == 0)
		return tmap_fail(err, TMAP_INPUT,
				 "no node is left to map to: their slots are taken by the programs "
				 "before");
	if (job->rq.ppr)
		return map_by_pattern(job, program, err);
	if (job->ranks > job_room(job) && !job->rq.oversubscribe)
		return tmap_fail(err, TMAP_INPUT,
				 "%d ranks do not fit on the %lld slot%s of %d node%s", job->ranks,
				 (long long)job_room(job), job_room(job) == 1 ? "" : "s",
				 job->list_count, job->list_count == 1 ? "" : "s");
	if (by_object && !has_room_by_object(job)) {
		if (map_objects_replace(job, err) < 0)
			return -1;
		by_object = false;
	}
	return job->rq.map_by == TMAP_OMPI_SLOT ? map_by_slot(job, program, err) :
		!by_object                      ? map_by_node(job, program, err) :
		job->rq.span                    ? map_over_all(job, program, err) :
						  map_by_object(job, program, err);
}

/* The sum of the programs' ranks is the job's. */
static int job_count_ranks(struct tmap_ompi_job *job, struct tmap_error *err)
{
	int64_t ranks = 0;

	for (int n = 0; n < job->machine->node_count; n++) {
		ranks += job->count[n];
		job->oversubscribed |= job->count[n] > tmap_ompi_slots(job, n);
	}
	if (ranks == 0)
		return tmap_fail(err, TMAP_INPUT, "the nodes have no %s to map to",
				 tmap_ompi_name(job->rq.map_by));
	return tmap_most_ranks_fit(&job->ranks, ranks, job->machine, err);
}

int tmap_ompi_map(struct tmap_ompi_job *job, struct tmap_error *err)
{
	const struct tmap_program *programs = job->rq.programs;

	if (map_objects_init(job, err) < 0)
		return -1;
	job->bookmark = TMAP_NONE;
	for (int i = 0; i < job->program_count; i++) {
		if (job->program_count > 1)
			job->ranks = programs[i].ranks != TMAP_NONE ? programs[i].ranks :
				job->rq.ppr                         ? (int)job->pattern_ranks :
								      job->slots;
		if (map_program(job, i, err) < 0)
			return job->program_count > 1 ? tmap_wrap(err, "program %d", i) : -1;
	}
	return job_count_ranks(job, err);
}
