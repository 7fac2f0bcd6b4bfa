/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/slurm_masks.h"

#include "core/base/mem.h"
#include "core/machine/most_ranks.h"

#include <limits.h>
#include <stdlib.h>

/* What the tasks of a node get: it follows from its kind and their number. */
struct plan {
	int topology, tasks;
	int *place; /* [tasks] */
};

struct job {
	struct tmap_slurm_request rq;
	struct tmap_machine *machine;
	struct tmap_slurm_node *node; /* [topologies] */
	bool fits;                    /* the tasks with their CPUs, node by node */
	int *room;                    /* [nodes] tasks that the CPUs of a node suffice for */
	int *tasks;                   /* [nodes] */
	int *plan_of;                 /* [nodes] */
	int ranks, nodes;             /* no more nodes than tasks take part */
	int plan_count;
	struct plan *plan;
	size_t plan_capacity;
};

/* Where the tasks with their CPUs do not fit node by node, Slurm 22.05 lays them out as if each
 * took one. */
static int find_room(struct job *job, struct tmap_error *err)
{
	int64_t room = 0;
	int each = job->rq.cpus_per_task;

	job->fits = true;
	for (int n = 0; n < job->nodes; n++) {
		job->room[n] = job->node[job->machine->node_topology[n]].cpus / each;
		job->fits &= job->room[n] > 0;
		room += job->room[n];
	}
	job->fits &= room >= job->ranks;
	if (!job->fits && job->rq.release >= TMAP_SLURM_23_11)
		return tmap_fail(
			err, TMAP_INPUT,
			"%d task%s of %d CPU%s %s not fit: a task runs on one node, and every "
			"node runs one",
			job->ranks, job->ranks == 1 ? "" : "s", each, each == 1 ? "" : "s",
			job->ranks == 1 ? "does" : "do");
	for (int n = 0; n < job->nodes && !job->fits; n++)
		job->room[n] = job->node[job->machine->node_topology[n]].cpus;
	return 0;
}

/* No node has the cores for one task. */
static int refuse_task(const struct job *job, struct tmap_error *err)
{
	const struct tmap_machine *machine = job->machine;
	int largest = 0, cpus = -1;

	for (int n = 0; n < job->nodes; n++) {
		const struct tmap_slurm_node *node = &job->node[machine->node_topology[n]];

		if (node->sockets * node->cores > cpus) {
			cpus = node->sockets * node->cores;
			largest = n;
		}
	}
	return tmap_fail(err, TMAP_INPUT,
			 "no node has the cores for a task of %d CPU%s: the largest, '%s', has %d",
			 job->rq.cpus_per_task, job->rq.cpus_per_task == 1 ? "" : "s",
			 machine->node_name[largest], cpus);
}

static int count_tasks(struct job *job, struct tmap_error *err)
{
	int64_t cpus = 0, cores = 0;
	int each = job->rq.cpus_per_task;

	job->nodes = job->machine->node_count;
	if (job->rq.ranks != TMAP_NONE && job->rq.ranks < job->nodes)
		job->nodes = job->rq.ranks;
	for (int n = 0; n < job->nodes; n++) {
		const struct tmap_slurm_node *node = &job->node[job->machine->node_topology[n]];

		cpus += node->cpus;
		cores += node->sockets * node->cores / each;
	}
	if (job->rq.ranks == TMAP_NONE && cores < 1)
		return refuse_task(job, err);
	if (tmap_most_ranks_fit(&job->ranks, job->rq.ranks != TMAP_NONE ? job->rq.ranks : cores,
				job->machine, err) < 0)
		return -1;
	if ((int64_t)job->ranks * each > cpus)
		return tmap_fail(err, TMAP_INPUT,
				 "%d task%s of %d CPU%s %s not fit on the %lld CPU%s of %d node%s",
				 job->ranks, job->ranks == 1 ? "" : "s", each, each == 1 ? "" : "s",
				 job->ranks == 1 ? "does" : "do", (long long)cpus,
				 cpus == 1 ? "" : "s", job->nodes, job->nodes == 1 ? "" : "s");
	/* a step that takes all CPUs of its job gets the nodes as they are */
	job->rq.exact &= (int64_t)job->ranks * each < cpus;
	return find_room(job, err);
}

/* One round: up to @p most tasks for each node with room, or for each node at all. Tells
 * whether a node has room left. */
static bool share_round(struct job *job, int *rest, int most, bool over)
{
	bool room_left = false;

	for (int n = 0; n < job->nodes && *rest; n++) {
		int more = over ? most : job->room[n] - job->tasks[n];

		more = more < most ? more : most;
		more = more < *rest ? more : *rest;
		if (more > 0) {
			job->tasks[n] += more;
			*rest -= more;
		}
		room_left |= job->tasks[n] < job->room[n];
	}
	return room_left;
}

/* Cyclic: a job that is too large lets every node take its share of the surplus at once. */
static void share_cyclic(struct job *job)
{
	const int nodes = job->nodes;
	int64_t room = 0;
	int rest = job->ranks;

	for (int n = 0; n < nodes; n++)
		room += job->room[n];
	for (int n = 0; n < nodes && job->ranks > room; n++)
		job->room[n] += (int)((job->ranks - room + nodes - 1) / nodes);
	while (rest)
		share_round(job, &rest, 1, false);
}

/* Planes begin with one task for each node, which counts as part of its first plane. */
static void share_planes(struct job *job)
{
	int rest = job->ranks;
	bool over;

	share_round(job, &rest, 1, true);
	over = !share_round(job, &rest, job->rq.plane - 1, false);
	while (rest)
		over |= !share_round(job, &rest, job->rq.plane, over);
}

static void share_block(struct job *job)
{
	int rest = job->ranks;
	bool over = false;

	while (rest)
		over |= !share_round(job, &rest, 1, over);
}

/* One for each node, then each node full, then one for each again and again. */
static void share_packed(struct job *job)
{
	int rest = job->ranks;

	share_round(job, &rest, 1, false);
	share_round(job, &rest, INT_MAX, false);
	while (rest)
		share_round(job, &rest, 1, true);
}

static void share(struct job *job)
{
	if (job->rq.pack)
		share_packed(job);
	else if (job->rq.plane)
		share_planes(job);
	else if (job->rq.cyclic)
		share_cyclic(job);
	else
		share_block(job);
}

static int find_place(struct job *job, struct tmap_placement *p, int topology, const bool *mask,
		      struct tmap_error *err)
{
	const struct tmap_slurm_node *node = &job->node[topology];
	struct tmap_idset pus = { 0 };
	int place = TMAP_NONE;

	for (int i = 0; i < node->cpus; i++)
		if (mask[i] && tmap_idset_add(&pus, node->topo->pu[node->pu[i]].os, err) < 0)
			goto out;
	place = tmap_placement_intern(p, topology, &pus, NULL, tmap_idset_size(&pus) < node->cpus,
				      err);
out:
	tmap_idset_fini(&pus);
	return place;
}

static int plan_init(struct plan *plan, struct job *job, struct tmap_placement *p,
		     struct tmap_error *err)
{
	const struct tmap_slurm_node *node = &job->node[plan->topology];
	bool *masks;
	int rc = 0;

	plan->place = tmap_alloc((size_t)plan->tasks, sizeof *plan->place, err);
	if (!plan->place ||
	    tmap_slurm_masks(&masks, node, plan->tasks, job->fits, &job->rq, err) < 0)
		return -1;
	for (int t = 0; t < plan->tasks && rc == 0; t++) {
		plan->place[t] = find_place(job, p, plan->topology,
					    masks + (size_t)t * (size_t)node->cpus, err);
		rc = plan->place[t] == TMAP_NONE ? -1 : 0;
	}
	free(masks);
	return rc;
}

static int find_plan(struct job *job, struct tmap_placement *p, int n, struct tmap_error *err)
{
	struct plan made = { job->machine->node_topology[n], job->tasks[n], NULL };

	for (int i = job->plan_count - 1; i >= 0; i--)
		if (job->plan[i].topology == made.topology && job->plan[i].tasks == made.tasks)
			return i;
	if (tmap_grow(&job->plan, &job->plan_capacity, (size_t)job->plan_count + 1, sizeof made,
		      err) < 0)
		return TMAP_NONE;
	if (plan_init(&made, job, p, err) < 0) {
		free(made.place);
		return TMAP_NONE;
	}
	job->plan[job->plan_count] = made;
	return job->plan_count++;
}

static void put(struct job *job, struct tmap_placement *p, int *rank, int n, int local)
{
	p->node[*rank] = n;
	p->place[(*rank)++] = job->plan[job->plan_of[n]].place[local];
}

/* Numbers the tasks, @p each of a node at a time. */
static void number(struct job *job, struct tmap_placement *p, int each)
{
	int rank = 0;

	for (int64_t from = 0; rank < p->size; from += each)
		for (int n = 0; n < job->machine->node_count; n++)
			for (int i = 0; i < each && from + i < job->tasks[n]; i++)
				put(job, p, &rank, n, (int)from + i);
}

static int fill(struct job *job, struct tmap_placement *p, struct tmap_error *err)
{
	share(job);
	for (int n = 0; n < job->machine->node_count; n++) {
		if (!job->tasks[n])
			continue;
		job->plan_of[n] = find_plan(job, p, n, err);
		if (job->plan_of[n] == TMAP_NONE)
			return -1;
	}
	number(job, p, job->rq.plane ? job->rq.plane : job->rq.cyclic ? 1 : INT_MAX);
	return 0;
}

static int job_init(struct job *job, struct tmap_error *err)
{
	size_t nodes = (size_t)job->machine->node_count;

	job->node = tmap_alloc((size_t)job->machine->topology_count, sizeof *job->node, err);
	job->room = tmap_alloc(nodes, sizeof *job->room, err);
	job->tasks = tmap_alloc(nodes, sizeof *job->tasks, err);
	job->plan_of = tmap_alloc(nodes, sizeof *job->plan_of, err);
	if (!job->node || !job->room || !job->tasks || !job->plan_of)
		return -1;
	for (int t = 0; t < job->machine->topology_count; t++)
		if (tmap_slurm_node_init(&job->node[t], &job->machine->topology[t], err) < 0)
			return -1;
	return count_tasks(job, err);
}

static void job_fini(struct job *job)
{
	for (int t = 0; job->node && t < job->machine->topology_count; t++)
		tmap_slurm_node_fini(&job->node[t]);
	for (int i = 0; i < job->plan_count; i++)
		free(job->plan[i].place);
	free(job->plan);
	free(job->node);
	free(job->room);
	free(job->tasks);
	free(job->plan_of);
}

int tmap_slurm_place(struct tmap_placement *p, struct tmap_machine *machine,
		     const struct tmap_slurm_request *request, struct tmap_error *err)
{
	struct job job = { .rq = *request, .machine = machine };
	struct tmap_placement made;
	int rc = -1;

	if (job_init(&job, err) == 0 && tmap_placement_init(&made, machine, job.ranks, err) == 0) {
		rc = fill(&job, &made, err);
		if (rc == 0)
			*p = made;
		else
			tmap_placement_fini(&made);
	}
	job_fini(&job);
	return rc;
}
