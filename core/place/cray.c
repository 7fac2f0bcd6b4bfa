/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/cray.h"

#include "core/base/mem.h"
#include "core/machine/most_ranks.h"
#include "core/place/permute.h"
#include "core/place/sets.h"

#include <stdlib.h>

/* The places of the ranks of one kind of node. */
struct kind {
	int count;  /* ranks that the fullest of its nodes has */
	int *place; /* [count] */
};

struct job {
	const struct tmap_cray_request *rq;
	struct tmap_placement *p;
	struct kind *kind; /* [topologies] */
	int ranks, ppn;
};

static int count_ranks(struct job *job, struct tmap_machine *machine, struct tmap_error *err)
{
	const struct tmap_cray_request *rq = job->rq;
	int64_t room;

	if (!rq->ppn && machine->node_count > 1)
		return tmap_fail(err, TMAP_USAGE,
				 "--slots is needed, which is PALS's --ppn: how mpiexec fills %d "
				 "nodes without it is not known here",
				 machine->node_count);
	job->ppn = rq->ppn             ? rq->ppn :
		rq->ranks != TMAP_NONE ? rq->ranks :
					 tmap_topology_allowed_cores(&machine->topology[0]);
	room = (int64_t)job->ppn * machine->node_count;
	if (room < 1)
		return tmap_fail(err, TMAP_INPUT, "no core of the machine may be used");
	if (tmap_most_ranks_fit(&job->ranks, rq->ranks != TMAP_NONE ? rq->ranks : room, machine,
				err) < 0)
		return -1;
	if (job->ranks > room)
		return tmap_fail(err, TMAP_INPUT,
				 "%d ranks, and %d on each node (--slots, PALS's --ppn): %d node%s "
				 "%s %lld",
				 job->ranks, job->ppn, machine->node_count,
				 machine->node_count == 1 ? "" : "s",
				 machine->node_count == 1 ? "takes" : "take", (long long)room);
	return 0;
}

/* The unit of the binding that a PU belongs to: its core, or itself. */
static int unit_of(const struct tmap_topology *topo, int pu, enum tmap_cray_bind bind)
{
	int core = bind == TMAP_CRAY_CORE ?
		tmap_topology_ancestor(topo, topo->pu[pu].object, TMAP_CORE) :
		TMAP_NONE;

	return core == TMAP_NONE ? topo->pu[pu].object : core;
}

/* *unit = the cores or PUs that may be used, in the order of their first index; *count of them. */
static int list_units(int *unit, int *count, const struct tmap_topology *topo,
		      enum tmap_cray_bind bind, struct tmap_error *err)
{
	bool *is_listed = tmap_alloc((size_t)topo->object_count, sizeof *is_listed, err);

	*count = 0;
	for (int i = 0; is_listed && i < topo->pu_count; i++) {
		int pu = topo->by_os[i], object = unit_of(topo, pu, bind);

		if (!topo->pu[pu].allowed || is_listed[object])
			continue;
		is_listed[object] = true;
		unit[(*count)++] = object;
	}
	free(is_listed);
	return is_listed ? 0 : -1;
}

/* --depth units for each rank. */
static int bind_units(struct job *job, int topology, struct tmap_error *err)
{
	const struct tmap_topology *topo = &job->p->machine->topology[topology];
	struct kind *kind = &job->kind[topology];
	int *unit = tmap_alloc_raw((size_t)topo->pu_count, sizeof *unit, err);
	int count = 0, depth = job->rq->depth;
	int status = unit ? list_units(unit, &count, topo, job->rq->bind, err) : -1;

	if (status == 0 && (int64_t)kind->count * depth > count)
		status = tmap_fail(err, TMAP_INPUT,
				   "%d rank%s on a node with a depth of %d %s%s %s %lld, and it "
				   "has %d",
				   kind->count, kind->count == 1 ? "" : "s", depth,
				   job->rq->bind == TMAP_CRAY_CORE ? "core" : "CPU",
				   depth == 1 ? "" : "s", kind->count == 1 ? "needs" : "need",
				   (long long)kind->count * depth, count);
	for (int i = 0; i < kind->count && status == 0; i++) {
		struct tmap_idset pus = { 0 };

		for (int d = 0; d < depth && status == 0; d++)
			status = tmap_topology_add_allowed_of(&pus, topo, unit[i * depth + d], err);
		if (status == 0)
			kind->place[i] = tmap_placement_bind(job->p, topology, &pus, err);
		if (kind->place[i] == TMAP_NONE)
			status = -1;
		tmap_idset_fini(&pus);
	}
	free(unit);
	return status;
}

static int bind_list(struct job *job, int topology, struct tmap_error *err)
{
	struct kind *kind = &job->kind[topology];

	if (kind->count > job->rq->list_count)
		return tmap_fail(err, TMAP_INPUT,
				 "a list of %d set%s for %d ranks on a node: what PALS does "
				 "without one for each is not known here",
				 job->rq->list_count, job->rq->list_count == 1 ? "" : "s",
				 kind->count);
	return tmap_sets_bind(kind->place, kind->count, job->p, topology, job->rq->list, "list",
			      err);
}

static int bind_none(struct job *job, int topology, struct tmap_error *err)
{
	struct tmap_idset pus = { 0 };
	struct kind *kind = &job->kind[topology];
	int status = tmap_topology_add_allowed(&pus, &job->p->machine->topology[topology], err);
	int place = status == 0 ? tmap_placement_bind(job->p, topology, &pus, err) : TMAP_NONE;

	for (int i = 0; i < kind->count; i++)
		kind->place[i] = place;
	tmap_idset_fini(&pus);
	return place == TMAP_NONE ? -1 : 0;
}

static int kind_init(struct job *job, int topology, struct tmap_error *err)
{
	struct kind *kind = &job->kind[topology];

	if (!kind->count)
		return 0;
	kind->place = tmap_alloc((size_t)kind->count, sizeof *kind->place, err);
	if (!kind->place)
		return -1;
	for (int i = 0; i < kind->count; i++)
		kind->place[i] = TMAP_NONE;
	if (job->rq->bind == TMAP_CRAY_NONE)
		return bind_none(job, topology, err);
	return job->rq->bind == TMAP_CRAY_LIST ? bind_list(job, topology, err) :
						 bind_units(job, topology, err);
}

/* The rank of each slot, slot after slot and node after node. */
static int renumber(struct job *job, struct tmap_error *err)
{
	int nodes = job->ranks / job->ppn, status;
	int *list;

	if (job->rq->method == TMAP_CRAY_SMP)
		return 0;
	if (job->ranks % job->ppn)
		return tmap_fail(
			err, TMAP_INPUT,
			"MPICH_RANK_REORDER_METHOD=%d with nodes that have different numbers of "
			"ranks: where it goes on then is not known here",
			(int)job->rq->method);
	list = tmap_alloc_raw((size_t)job->ranks, sizeof *list, err);
	if (!list)
		return -1;
	for (int n = 0; n < nodes; n++)
		for (int i = 0; i < job->ppn; i++) {
			bool back = job->rq->method == TMAP_CRAY_FOLDED && i % 2;

			list[n * job->ppn + i] = i * nodes + (back ? nodes - 1 - n : n);
		}
	status = tmap_reorder_place(job->p, list, job->ranks, err);
	free(list);
	return status;
}

static int job_fill(struct job *job, struct tmap_error *err)
{
	const struct tmap_machine *machine = job->p->machine;

	for (int n = 0, left = job->ranks; left > 0; n++, left -= job->ppn) {
		struct kind *kind = &job->kind[machine->node_topology[n]];
		int here = left < job->ppn ? left : job->ppn;

		kind->count = here > kind->count ? here : kind->count;
	}
	for (int t = 0; t < machine->topology_count; t++)
		if (kind_init(job, t, err) < 0)
			return -1;
	for (int rank = 0; rank < job->ranks; rank++) {
		int n = rank / job->ppn;

		job->p->node[rank] = n;
		job->p->place[rank] = job->kind[machine->node_topology[n]].place[rank % job->ppn];
	}
	return renumber(job, err);
}

int tmap_cray_place(struct tmap_placement *p, struct tmap_machine *machine,
		    const struct tmap_cray_request *request, struct tmap_error *err)
{
	struct tmap_placement made;
	struct job job = { .rq = request, .p = &made };
	int status = -1;

	if (count_ranks(&job, machine, err) < 0 ||
	    tmap_placement_init(&made, machine, job.ranks, err) < 0)
		return -1;
	job.kind = tmap_alloc((size_t)machine->topology_count, sizeof *job.kind, err);
	if (job.kind)
		status = job_fill(&job, err);
	for (int t = 0; job.kind && t < machine->topology_count; t++)
		free(job.kind[t].place);
	free(job.kind);
	if (status == 0)
		*p = made;
	else
		tmap_placement_fini(&made);
	return status;
}
