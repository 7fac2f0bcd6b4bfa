/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/flux.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "core/machine/most_ranks.h"
#include "core/place/sets.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The cores of one kind of node that the job may use, as Flux numbers them: from the left. */
struct cores {
	int count;
	int *object; /* [count] in the topology */
};

/* What the tasks of a node get: it follows from its kind, its cores and their number. */
struct plan {
	int topology, cores, tasks;
	int *place; /* [tasks] */
};

struct job {
	const struct tmap_flux_request *rq;
	struct tmap_machine *machine;
	struct tmap_placement *p;
	struct cores *cores; /* [topologies] */
	int ranks, slots;    /* slots of each node, where ranks are counted together */
	int cores_per_task;
	int *tasks; /* [nodes] */
	struct plan *plan;
	int plan_count;
	size_t plan_capacity;
};

int tmap_flux_parse_taskmap(struct tmap_flux_request *rq, const char *text, struct tmap_error *err)
{
	int64_t stride = 1;

	if (strcmp(text, "block") == 0) {
		rq->stride = 0;
		return 0;
	}
	if (strncmp(text, "cyclic", 6) != 0 || (text[6] && text[6] != ':'))
		return tmap_fail(err, TMAP_INPUT,
				 "unknown task map '%.40s' (one of: block, cyclic, cyclic:N, "
				 "hostfile:PATH, manual:TASKMAP)",
				 text);
	if (text[6] && tmap_units_parse_int(text + 7, 1, INT_MAX, &stride, err) < 0)
		return tmap_wrap(err, "cyclic");
	rq->stride = (int)stride;
	return 0;
}

static int cores_init(struct cores *cores, const struct tmap_topology *topo, struct tmap_error *err)
{
	if (tmap_topology_count(topo, TMAP_CORE) == 0)
		return tmap_fail(err, TMAP_INPUT,
				 "a node has no cores, by which Flux allocates nodes");
	cores->object = tmap_alloc((size_t)tmap_topology_count(topo, TMAP_CORE),
				   sizeof *cores->object, err);
	if (!cores->object)
		return -1;
	for (int i = 0; i < topo->object_count; i++)
		if (topo->object[i].type == TMAP_CORE && tmap_topology_allowed_of(topo, i) > 0)
			cores->object[cores->count++] = i;
	return 0;
}

static const struct cores *node_cores(const struct job *job, int node)
{
	return &job->cores[job->machine->node_topology[node]];
}

/* The first node with the fewest cores; *differ: another one has more. */
static int find_smallest(const struct job *job, bool *differ)
{
	int smallest = 0;

	*differ = false;
	for (int n = 1; n < job->machine->node_count; n++) {
		int cores = node_cores(job, n)->count, least = node_cores(job, smallest)->count;

		*differ |= cores != least;
		if (cores < least)
			smallest = n;
	}
	return smallest;
}

/* Are tasks counted by resources, and not together? */
static bool is_per_resource(const struct tmap_flux_request *rq)
{
	return rq->tasks_per_node || rq->tasks_per_core || rq->cores;
}

static int check_options(const struct tmap_flux_request *rq, struct tmap_error *err)
{
	const char *name = rq->tasks_per_node ? "--tasks-per-node (--slots)" :
		rq->tasks_per_core            ? "--tasks-per-core" :
						"--cores";

	if (rq->tasks_per_node && rq->tasks_per_core)
		return tmap_fail(err, TMAP_USAGE,
				 "flux run takes --tasks-per-node (--slots) and --tasks-per-core "
				 "only one without the other");
	if (is_per_resource(rq) && rq->ranks != TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE,
				 "flux run takes %s and -n (--ranks) only one without the other",
				 name);
	if (is_per_resource(rq) && rq->cores_per_task)
		return tmap_fail(
			err, TMAP_USAGE,
			"flux run takes %s and -c (--cpus-per-task) only one without the other",
			name);
	return 0;
}

/* How many of its cores a node has in the allocation. The slots that a number of tasks leaves over
 * are taken away again. */
static int allocated_cores(const struct job *job, int node)
{
	const struct tmap_flux_request *rq = job->rq;
	int slots = job->slots;

	if (rq->exclusive || (is_per_resource(rq) && !rq->cores))
		return node_cores(job, node)->count;
	if (rq->cores)
		return rq->cores / job->machine->node_count;
	if (job->ranks % job->machine->node_count && job->tasks[node] < slots)
		slots = job->tasks[node];
	return slots * job->cores_per_task;
}

static int64_t tasks_of_resources(const struct job *job, int node)
{
	const struct tmap_flux_request *rq = job->rq;

	if (rq->tasks_per_core)
		return (int64_t)rq->tasks_per_core * allocated_cores(job, node);
	return rq->tasks_per_node ? rq->tasks_per_node : 1;
}

static int check_ranks(const struct job *job, int64_t ranks, struct tmap_error *err)
{
	return tmap_most_ranks_check(ranks, tmap_most_ranks(job->machine), "ranks", err);
}

/* job->ranks, where each node has its own number of tasks. */
static int count_by_resource(struct job *job, int smallest, struct tmap_error *err)
{
	int nodes = job->machine->node_count, wanted = job->rq->cores;
	int64_t ranks = 0;

	if (wanted && wanted < nodes)
		return tmap_fail(err, TMAP_INPUT, "%d core%s fewer than the %d nodes", wanted,
				 wanted == 1 ? " is" : "s are", nodes);
	if (wanted % nodes)
		return tmap_fail(err, TMAP_INPUT,
				 "%d cores of %d nodes: flux run takes the same number of each",
				 wanted, nodes);
	/* whole nodes are taken as they are */
	if (!job->rq->exclusive && wanted / nodes > node_cores(job, smallest)->count)
		return tmap_fail(err, TMAP_INPUT, "%d core%s of each node, and node '%s' has %d",
				 wanted / nodes, wanted / nodes == 1 ? "" : "s",
				 job->machine->node_name[smallest],
				 node_cores(job, smallest)->count);
	for (int n = 0; n < nodes; n++) {
		ranks += tasks_of_resources(job, n);
		if (check_ranks(job, ranks, err) < 0)
			return -1;
	}
	job->ranks = (int)ranks;
	return 0;
}

/* job->ranks, slots and cores_per_task. */
static int count_ranks(struct job *job, struct tmap_error *err)
{
	const struct tmap_flux_request *rq = job->rq;
	int nodes = job->machine->node_count, needed;
	bool differ;
	int smallest = find_smallest(job, &differ), cores = node_cores(job, smallest)->count;
	int64_t ranks;

	if (check_options(rq, err) < 0)
		return -1;
	if (is_per_resource(rq))
		return count_by_resource(job, smallest, err);
	job->cores_per_task = rq->cores_per_task ? rq->cores_per_task : 1;
	if (job->cores_per_task > cores)
		return tmap_fail(err, TMAP_INPUT,
				 "a task of %d core%s does not fit on node '%s', which has %d",
				 job->cores_per_task, job->cores_per_task == 1 ? "" : "s",
				 job->machine->node_name[smallest], cores);
	ranks = rq->ranks != TMAP_NONE ? rq->ranks : (int64_t)nodes * (cores / job->cores_per_task);
	if (check_ranks(job, ranks, err) < 0)
		return -1;
	job->ranks = (int)ranks;
	if (job->ranks < nodes)
		return tmap_fail(err, TMAP_INPUT,
				 "%d task%s on %d nodes: flux run -N takes no more nodes than "
				 "tasks",
				 job->ranks, job->ranks == 1 ? "" : "s", nodes);
	job->slots = job->ranks / nodes + (job->ranks % nodes > 0);
	if (rq->exclusive && differ)
		return tmap_fail(err, TMAP_INPUT,
				 "nodes with different numbers of cores under --exclusive: how "
				 "Flux distributes tasks then is not known here");
	if (rq->exclusive && job->slots > cores)
		return tmap_fail(err, TMAP_INPUT,
				 "%d tasks on a node of %d core%s: with --exclusive, Flux takes no "
				 "more tasks than cores",
				 job->slots, cores, cores == 1 ? "" : "s");
	needed = job->slots > INT_MAX / job->cores_per_task ? INT_MAX :
							      job->slots * job->cores_per_task;
	if (!rq->exclusive && needed > cores)
		return tmap_fail(err, TMAP_INPUT,
				 "%d task%s of %d core%s on each node %s %d cores, and node '%s' "
				 "has %d",
				 job->slots, job->slots == 1 ? "" : "s", job->cores_per_task,
				 job->cores_per_task == 1 ? "" : "s",
				 job->slots == 1 ? "needs" : "need", needed,
				 job->machine->node_name[smallest], cores);
	return 0;
}

/* One for each node in turn, or as the task map has them. */
static int count_tasks(struct job *job, struct tmap_error *err)
{
	const struct tmap_flux_request *rq = job->rq;
	int nodes = job->machine->node_count;

	for (int n = 0; n < nodes && !rq->task_node; n++) {
		job->tasks[n] = is_per_resource(rq) ? (int)tasks_of_resources(job, n) :
						      job->ranks / nodes + (n < job->ranks % nodes);
		if (rq->stride > job->tasks[n])
			return tmap_fail(
				err, TMAP_INPUT,
				"cyclic:%d with %d task%s on a node: Flux fails where N is "
				"larger than the number of tasks of a node",
				rq->stride, job->tasks[n], job->tasks[n] == 1 ? "" : "s");
	}
	if (!rq->task_node)
		return 0;
	if (rq->task_count != job->ranks && !rq->is_repeated)
		return tmap_fail(err, TMAP_INPUT, "the task map has %d task%s, and the job %d",
				 rq->task_count, rq->task_count == 1 ? "" : "s", job->ranks);
	for (int t = 0; t < job->ranks; t++) {
		int node = rq->task_node[t % rq->task_count];

		if (rq->is_repeated && node == TMAP_NONE)
			return tmap_fail(
				err, TMAP_INPUT,
				"host %d of the hostfile, for task %d, is none of the nodes",
				t % rq->task_count + 1, t);
		if (node < 0 || node >= nodes)
			return tmap_fail(err, TMAP_INPUT,
					 "the task map has node %d, and the last one is %d", node,
					 nodes - 1);
		job->tasks[node]++;
	}
	for (int n = 0; n < nodes; n++)
		if (!job->tasks[n])
			return tmap_fail(err, TMAP_INPUT,
					 "the task map has no task on node %d, but every node of "
					 "the allocation has one",
					 n);
	return 0;
}

/* Every task on the same PUs: those of the allocated cores, or all that may be used. */
static int plan_together(struct job *job, struct plan *plan, bool is_bound, struct tmap_error *err)
{
	const struct tmap_topology *topo = &job->machine->topology[plan->topology];
	const struct cores *cores = &job->cores[plan->topology];
	struct tmap_idset pus = { 0 };
	int status = is_bound ? 0 : tmap_topology_add_allowed(&pus, topo, err), place = TMAP_NONE;

	for (int i = 0; i < plan->cores && is_bound && status == 0; i++)
		status = tmap_topology_add_allowed_of(&pus, topo, cores->object[i], err);
	if (status == 0)
		place = tmap_placement_bind(job->p, plan->topology, &pus, err);
	for (int t = 0; t < plan->tasks; t++)
		plan->place[t] = place;
	tmap_idset_fini(&pus);
	return place == TMAP_NONE ? -1 : 0;
}

static int64_t round_up(int64_t part, int64_t tasks, int64_t whole)
{
	return (part * tasks + whole - 1) / whole;
}

static int plan_bind(struct job *job, struct plan *plan, int first, int end,
		     const struct tmap_idset *pus, struct tmap_error *err)
{
	int place = tmap_placement_bind(job->p, plan->topology, pus, err);

	while (first < end)
		plan->place[first++] = place;
	return place == TMAP_NONE ? -1 : 0;
}

/* hwloc_distrib() over the cores: each one begins as many tasks as its share of the PUs has, and
 * where that is none, it is the last task's before, too, and no other's on the same core. */
static int plan_apart(struct job *job, struct plan *plan, struct tmap_error *err)
{
	const struct tmap_topology *topo = &job->machine->topology[plan->topology];
	const int *core = job->cores[plan->topology].object;
	struct tmap_idset pus = { 0 };
	int64_t whole = 0, given = 0;
	int tasks = 0, status = 0;

	for (int i = 0; i < plan->cores; i++)
		whole += tmap_topology_allowed_of(topo, core[i]);
	assert(whole > 0); /* a task has a core */
	for (int i = 0; i < plan->cores && status == 0; i++) {
		int weight = tmap_topology_allowed_of(topo, core[i]);
		int chunk = (int)(round_up(given + weight, plan->tasks, whole) -
				  round_up(given, plan->tasks, whole));

		given += weight;
		if (chunk && tasks) {
			status = plan_bind(job, plan, tasks - 1, tasks, &pus, err);
			tmap_idset_fini(&pus);
		}
		if (status == 0)
			status = tmap_topology_add_allowed_of(&pus, topo, core[i], err);
		if (status == 0 && chunk > 1)
			status = plan_bind(job, plan, tasks, tasks + chunk - 1, &pus, err);
		tasks += chunk;
	}
	if (status == 0)
		status = plan_bind(job, plan, tasks - 1, tasks, &pus, err);
	tmap_idset_fini(&pus);
	return status;
}

/* The sets in turn; those that no task of the node gets are not looked at. */
static int plan_map(struct job *job, struct plan *plan, struct tmap_error *err)
{
	int sets = job->rq->map_count, taken = plan->tasks < sets ? plan->tasks : sets;

	if (tmap_sets_bind(plan->place, taken, job->p, plan->topology, job->rq->map, "map", err) <
	    0)
		return -1;
	for (int t = taken; t < plan->tasks; t++)
		plan->place[t] = plan->place[t - taken];
	return 0;
}

static int plan_init(struct plan *plan, struct job *job, struct tmap_error *err)
{
	plan->place = tmap_alloc((size_t)plan->tasks, sizeof *plan->place, err);
	if (!plan->place)
		return -1;
	switch (job->rq->affinity) {
	case TMAP_FLUX_PER_TASK:
		return plan_apart(job, plan, err);
	case TMAP_FLUX_MAP:
		return plan_map(job, plan, err);
	default:
		return plan_together(job, plan, job->rq->affinity == TMAP_FLUX_ON, err);
	}
}

static int find_plan(struct job *job, int node, struct tmap_error *err)
{
	struct plan made = { job->machine->node_topology[node], allocated_cores(job, node),
			     job->tasks[node], NULL };

	for (int i = job->plan_count - 1; i >= 0; i--)
		if (job->plan[i].topology == made.topology && job->plan[i].cores == made.cores &&
		    job->plan[i].tasks == made.tasks)
			return i;
	if (tmap_grow(&job->plan, &job->plan_capacity, (size_t)job->plan_count + 1, sizeof made,
		      err) < 0)
		return TMAP_NONE;
	if (plan_init(&made, job, err) < 0) {
		free(made.place);
		return TMAP_NONE;
	}
	job->plan[job->plan_count] = made;
	return job->plan_count++;
}

/* The nodes of the tasks: rank after rank. */
static void number(const struct job *job)
{
	int stride = job->rq->stride ? job->rq->stride : INT_MAX, rank = 0;

	for (int t = 0; t < job->ranks && job->rq->task_node; t++)
		job->p->node[rank++] = job->rq->task_node[t % job->rq->task_count];
	for (int64_t from = 0; rank < job->ranks; from += stride)
		for (int n = 0; n < job->machine->node_count; n++)
			for (int i = 0; i < stride && from + i < job->tasks[n]; i++)
				job->p->node[rank++] = n;
}

static int fill(struct job *job, struct tmap_error *err)
{
	int nodes = job->machine->node_count, status = -1;
	int *plan = tmap_alloc((size_t)nodes, sizeof *plan, err);
	int *next = tmap_alloc((size_t)nodes, sizeof *next, err);

	if (!plan || !next || count_tasks(job, err) < 0)
		goto out;
	for (int n = 0; n < nodes; n++) {
		plan[n] = find_plan(job, n, err);
		if (plan[n] == TMAP_NONE)
			goto out;
	}
	number(job);
	for (int r = 0; r < job->ranks; r++) {
		int n = job->p->node[r];

		job->p->place[r] = job->plan[plan[n]].place[next[n]++];
	}
	status = 0;
out:
	free(plan);
	free(next);
	return status;
}

static int job_init(struct job *job, struct tmap_error *err)
{
	job->cores = tmap_alloc((size_t)job->machine->topology_count, sizeof *job->cores, err);
	job->tasks = tmap_alloc((size_t)job->machine->node_count, sizeof *job->tasks, err);
	if (!job->cores || !job->tasks)
		return -1;
	for (int t = 0; t < job->machine->topology_count; t++)
		if (cores_init(&job->cores[t], &job->machine->topology[t], err) < 0)
			return -1;
	return count_ranks(job, err);
}

static void job_fini(struct job *job)
{
	for (int t = 0; job->cores && t < job->machine->topology_count; t++)
		free(job->cores[t].object);
	for (int i = 0; i < job->plan_count; i++)
		free(job->plan[i].place);
	free(job->plan);
	free(job->cores);
	free(job->tasks);
}

int tmap_flux_place(struct tmap_placement *p, struct tmap_machine *machine,
		    const struct tmap_flux_request *request, struct tmap_error *err)
{
	struct tmap_placement made;
	struct job job = { .rq = request, .machine = machine, .p = &made };
	int status = -1;

	if (job_init(&job, err) == 0 && tmap_placement_init(&made, machine, job.ranks, err) == 0) {
		status = fill(&job, err);
		if (status == 0)
			*p = made;
		else
			tmap_placement_fini(&made);
	}
	job_fini(&job);
	return status;
}
