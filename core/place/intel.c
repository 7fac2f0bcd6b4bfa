/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/intel.h"

#include "core/base/mem.h"
#include "core/machine/most_ranks.h"
#include "core/place/intel_domains.h"

#include <stdlib.h>

/* What the ranks of a node get: it follows from its kind and their number. */
struct plan {
	int topology, ranks;
	int *place; /* [ranks] */
};

struct job {
	const struct tmap_intel_request *rq;
	struct tmap_placement *p;
	int ranks;
	int *full; /* [topologies] ranks of a full node */
	struct plan *plan;
	int plan_count;
	size_t plan_capacity;
};

static int count_ranks(struct job *job, const struct tmap_machine *machine, struct tmap_error *err)
{
	int64_t room = 0;

	job->full = tmap_alloc((size_t)machine->topology_count, sizeof *job->full, err);
	if (!job->full)
		return -1;
	for (int t = 0; t < machine->topology_count; t++)
		job->full[t] = job->rq->ppn ? job->rq->ppn :
			job->rq->per_pu     ? tmap_topology_allowed_pus(&machine->topology[t]) :
					      tmap_topology_allowed_cores(&machine->topology[t]);
	for (int n = 0; n < machine->node_count; n++)
		room += job->full[machine->node_topology[n]];
	if (job->rq->ranks == TMAP_NONE && room < 1)
		return tmap_fail(err, TMAP_INPUT, "no core of the machine may be used");
	if (tmap_most_ranks_fit(&job->ranks, job->rq->ranks != TMAP_NONE ? job->rq->ranks : room,
				machine, err) < 0)
		return -1;
	if (job->ranks > room)
		return tmap_fail(err, TMAP_INPUT,
				 "%d ranks on %s %lld (-ppn, which is --slots, or the "
				 "cores): where the others go is not documented",
				 job->ranks,
				 machine->node_count == 1 ? "a node that takes" : "nodes that take",
				 (long long)room);
	return 0;
}

/* All ranks on all CPUs. */
static int plan_unbound(struct plan *plan, struct job *job, struct tmap_error *err)
{
	struct tmap_idset pus = { 0 };
	int place = TMAP_NONE;

	if (tmap_topology_add_allowed(&pus, &job->p->machine->topology[plan->topology], err) == 0)
		place = tmap_placement_bind(job->p, plan->topology, &pus, err);
	tmap_idset_fini(&pus);
	for (int r = 0; r < plan->ranks; r++)
		plan->place[r] = place;
	return place == TMAP_NONE ? -1 : 0;
}

static int plan_domains(struct plan *plan, struct job *job, struct tmap_error *err)
{
	struct tmap_intel_domains domains;
	int status = 0;

	if (tmap_intel_domains_init(&domains, &job->p->machine->topology[plan->topology], job->rq,
				    plan->ranks, err) < 0)
		return -1;
	for (int r = 0; r < plan->ranks && status == 0; r++) {
		plan->place[r] = tmap_placement_bind(job->p, plan->topology,
						     &domains.pus[domains.order[r]], err);
		status = plan->place[r] == TMAP_NONE ? -1 : 0;
	}
	tmap_intel_domains_fini(&domains);
	return status;
}

static int plan_init(struct plan *plan, struct job *job, struct tmap_error *err)
{
	plan->place = tmap_alloc((size_t)plan->ranks, sizeof *plan->place, err);
	if (!plan->place)
		return -1;
	return job->rq->domain == TMAP_INTEL_OFF ? plan_unbound(plan, job, err) :
						   plan_domains(plan, job, err);
}

static int find_plan(struct job *job, int topology, int ranks, struct tmap_error *err)
{
	struct plan made = { topology, ranks, NULL };

	for (int i = job->plan_count - 1; i >= 0; i--)
		if (job->plan[i].topology == topology && job->plan[i].ranks == ranks)
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

/* Node after node. */
static int job_fill(struct job *job, struct tmap_error *err)
{
	const struct tmap_machine *machine = job->p->machine;

	for (int n = 0, rank = 0; rank < job->ranks; n++) {
		int left = job->ranks - rank, most = job->full[machine->node_topology[n]];
		int here = left < most ? left : most, plan;

		if (!here)
			continue;
		plan = find_plan(job, machine->node_topology[n], here, err);
		if (plan == TMAP_NONE)
			return -1;
		for (int r = 0; r < here; r++, rank++) {
			job->p->node[rank] = n;
			job->p->place[rank] = job->plan[plan].place[r];
		}
	}
	return 0;
}

int tmap_intel_place(struct tmap_placement *p, struct tmap_machine *machine,
		     const struct tmap_intel_request *request, struct tmap_error *err)
{
	struct tmap_placement made;
	struct job job = { .rq = request, .p = &made };
	int status = -1;

	if (count_ranks(&job, machine, err) == 0 &&
	    tmap_placement_init(&made, machine, job.ranks, err) == 0) {
		status = job_fill(&job, err);
		if (status == 0)
			*p = made;
		else
			tmap_placement_fini(&made);
	}
	for (int i = 0; i < job.plan_count; i++)
		free(job.plan[i].place);
	free(job.plan);
	free(job.full);
	return status;
}
