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
	struct plan *plan;
	int plan_count;
	size_t plan_capacity;
};

static int node_ranks(const struct job *job, const struct tmap_machine *machine, int node)
{
	return job->rq->ppn ? job->rq->ppn :
			      tmap_topology_allowed_cores(tmap_machine_topology(machine, node));
}

static int count_ranks(struct job *job, const struct tmap_machine *machine, struct tmap_error *err)
{
	int64_t room = 0;

	for (int n = 0; n < machine->node_count; n++)
		room += node_ranks(job, machine, n);
	if (job->rq->ranks == TMAP_NONE && room < 1)
		return tmap_fail(err, TMAP_INPUT, "no core of the machine may be used");
	if (tmap_most_ranks_fit(&job->ranks, job->rq->ranks != TMAP_NONE ? job->rq->ranks : room,
				machine, err) < 0)
		return -1;
	if (job->ranks > room)
		return tmap_fail(err, TMAP_INPUT,
				 "%d ranks on nodes that take %lld (-ppn, which is --slots, or the "
				 "cores): where the others go is not documented",
				 job->ranks, (long long)room);
	return 0;
}

static int find_place(struct job *job, int topology, const struct tmap_intel_domains *domains,
		      int domain, struct tmap_error *err)
{
	const struct tmap_topology *topo = &job->p->machine->topology[topology];
	struct tmap_idset pus = { 0 };
	int place = TMAP_NONE;

	for (int i = 0; i < topo->pu_count; i++)
		if ((domains ? domains->of_pu[i] == domain : topo->pu[i].allowed) &&
		    tmap_idset_add(&pus, topo->pu[i].os, err) < 0)
			goto out;
	place = tmap_placement_intern(job->p, topology, &pus, NULL,
				      tmap_idset_size(&pus) < tmap_topology_allowed_pus(topo), err);
out:
	tmap_idset_fini(&pus);
	return place;
}

static int plan_init(struct plan *plan, struct job *job, struct tmap_error *err)
{
	struct tmap_intel_domains domains = { 0 };
	bool is_bound = job->rq->domain != TMAP_INTEL_OFF;
	int status = 0;

	if (is_bound &&
	    tmap_intel_domains_init(&domains, &job->p->machine->topology[plan->topology], job->rq,
				    plan->ranks, err) < 0)
		return -1;
	plan->place = tmap_alloc((size_t)plan->ranks, sizeof *plan->place, err);
	if (!plan->place)
		status = -1;
	for (int r = 0; r < plan->ranks && status == 0; r++) {
		plan->place[r] = r && !is_bound ?
			plan->place[0] :
			find_place(job, plan->topology, is_bound ? &domains : NULL,
				   is_bound ? domains.order[r] : 0, err);
		status = plan->place[r] == TMAP_NONE ? -1 : 0;
	}
	tmap_intel_domains_fini(&domains);
	return status;
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
		int left = job->ranks - rank, most = node_ranks(job, machine, n);
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
	int status;

	if (count_ranks(&job, machine, err) < 0 ||
	    tmap_placement_init(&made, machine, job.ranks, err) < 0)
		return -1;
	status = job_fill(&job, err);
	for (int i = 0; i < job.plan_count; i++)
		free(job.plan[i].place);
	free(job.plan);
	if (status == 0)
		*p = made;
	else
		tmap_placement_fini(&made);
	return status;
}
