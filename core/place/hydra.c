/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/hydra.h"

#include "core/base/mem.h"
#include "core/machine/most_ranks.h"
#include "core/place/hydra_bindings.h"

#include <stdlib.h>

struct job {
	struct tmap_placement *p;
	const struct tmap_hydra_request *rq;
	struct tmap_hydra_bindings *bindings; /* [topologies] */
};

/* Add the OS indexes of a binding. */
static int binding_add(struct tmap_idset *pus, const struct tmap_topology *topo,
		       const struct tmap_hydra_bindings *bindings, int binding,
		       struct tmap_error *err)
{
	const struct tmap_idset *logical = &bindings->pus[binding];

	for (int pu = tmap_idset_next(logical, TMAP_NONE); pu != TMAP_NONE;
	     pu = tmap_idset_next(logical, pu))
		if (topo->pu[pu].allowed && tmap_idset_add(pus, topo->pu[pu].os, err) < 0)
			return -1;
	return 0;
}

static int binding_place(const struct job *job, int topology, int binding, struct tmap_error *err)
{
	struct tmap_hydra_bindings *bindings = &job->bindings[topology];
	struct tmap_idset pus = { 0 };
	int place = bindings->place[binding];

	if (place != TMAP_NONE)
		return place;
	if (binding_add(&pus, &job->p->machine->topology[topology], bindings, binding, err) == 0)
		place = tmap_placement_bind(job->p, topology, &pus, err);
	bindings->place[binding] = place;
	tmap_idset_fini(&pus);
	return place;
}

static int node_slots(const struct tmap_machine *machine, const struct tmap_hydra_request *rq,
		      int node)
{
	if (rq->node_slots && rq->node_slots[node] != TMAP_NONE)
		return rq->node_slots[node];
	return rq->slots != TMAP_NONE ?
		rq->slots :
		tmap_topology_allowed_cores(tmap_machine_topology(machine, node));
}

/* Slot after slot, and again from the first node. */
static int job_fill(const struct job *job, struct tmap_error *err)
{
	const struct tmap_machine *machine = job->p->machine;
	int rank = 0;

	for (int round = 0; rank < job->p->size; round++)
		for (int n = 0; n < machine->node_count && rank < job->p->size; n++) {
			int topology = machine->node_topology[n],
			    slots = node_slots(machine, job->rq, n);

			for (int i = 0; i < slots && rank < job->p->size; i++, rank++) {
				int local = round * slots + i;
				int place = binding_place(
					job, topology, local % job->bindings[topology].count, err);

				if (place == TMAP_NONE)
					return -1;
				job->p->node[rank] = n;
				job->p->place[rank] = place;
			}
		}
	return 0;
}

static int bindings_init(struct tmap_hydra_bindings *bindings, const struct tmap_topology *topo,
			 const struct tmap_hydra_request *rq, struct tmap_error *err)
{
	int rc = rq->bind_to.word == TMAP_HYDRA_NONE ?
		tmap_hydra_bindings_init_unbound(bindings, topo, err) :
		rq->bind_to.word == TMAP_HYDRA_RR ?
		tmap_hydra_bindings_init_rr(bindings, topo, err) :
		tmap_hydra_bindings_init(bindings, topo, &rq->bind_to, &rq->map_by, err);

	if (rc == 0 && bindings->count == 0)
		return tmap_fail(err, TMAP_INPUT, "no PU of a node may be used");
	return rc;
}

static int job_make_bindings(const struct job *job, struct tmap_error *err)
{
	for (int t = 0; t < job->p->machine->topology_count; t++)
		if (bindings_init(&job->bindings[t], &job->p->machine->topology[t], job->rq, err) <
		    0)
			return -1;
	return 0;
}

int tmap_hydra_bind(struct tmap_idset *pus, const struct tmap_topology *topo,
		    const struct tmap_hydra_objects *bind_to, int process, struct tmap_error *err)
{
	const struct tmap_hydra_request rq = { .bind_to = *bind_to, .map_by = *bind_to };
	struct tmap_hydra_bindings bindings = { 0 };
	struct tmap_idset made = { 0 };
	int rc = bindings_init(&bindings, topo, &rq, err);

	if (rc == 0)
		rc = binding_add(&made, topo, &bindings, process % bindings.count, err);
	if (rc < 0)
		tmap_idset_fini(&made);
	else
		*pus = made;
	tmap_hydra_bindings_fini(&bindings);
	return rc;
}

/* Of a job, or of a program of it, that has no number of them: one for each slot. */
static int64_t slots_count(const struct tmap_machine *machine, const struct tmap_hydra_request *rq,
			   struct tmap_error *err)
{
	int64_t slots = rq->node_slots ? 0 :
		rq->slots != TMAP_NONE ? (int64_t)rq->slots * machine->node_count :
					 tmap_machine_core_count(machine);

	for (int n = 0; rq->node_slots && n < machine->node_count; n++)
		slots += node_slots(machine, rq, n);
	if (slots == 0)
		return tmap_fail(err, TMAP_INPUT, "no core of the machine may be used");
	return slots;
}

/* -1 is an error. */
static int64_t ranks_count(const struct tmap_machine *machine, const struct tmap_hydra_request *rq,
			   struct tmap_error *err)
{
	int64_t slots = slots_count(machine, rq, err);
	int64_t ranks = 0;

	if (slots < 0 || !rq->programs)
		return slots < 0 || rq->ranks == TMAP_NONE ? slots : rq->ranks;
	for (int i = 0; i < rq->program_count; i++)
		ranks += rq->programs[i].ranks == TMAP_NONE ? slots : rq->programs[i].ranks;
	return ranks;
}

/* Rank after rank, program after program: each of several is a setting. */
static int job_name_programs(const struct job *job, struct tmap_error *err)
{
	const struct tmap_hydra_request *rq = job->rq;
	int64_t slots = slots_count(job->p->machine, rq, err);
	int rank = 0;

	if (!rq->programs || rq->program_count == 1)
		return 0;
	job->p->setting = tmap_alloc((size_t)job->p->size, sizeof *job->p->setting, err);
	if (!job->p->setting)
		return -1;
	for (int i = 0; i < rq->program_count; i++) {
		const struct tmap_setting setting = { .part = i };
		int64_t left = rq->programs[i].ranks == TMAP_NONE ? slots : rq->programs[i].ranks;

		if (tmap_placement_add_setting(job->p, &setting, err) == TMAP_NONE)
			return -1;
		for (; left > 0; left--)
			job->p->setting[rank++] = i;
	}
	return 0;
}

int tmap_hydra_place(struct tmap_placement *p, struct tmap_machine *machine,
		     const struct tmap_hydra_request *request, struct tmap_error *err)
{
	int64_t ranks = ranks_count(machine, request, err);
	struct tmap_placement made;
	struct job job = { .p = &made, .rq = request };
	int rc = -1;

	if (ranks < 0 || tmap_most_ranks_check(ranks, tmap_most_ranks(machine), "ranks", err) < 0 ||
	    tmap_placement_init(&made, machine, (int)ranks, err) < 0)
		return -1;
	job.bindings = tmap_alloc((size_t)machine->topology_count, sizeof *job.bindings, err);
	if (job.bindings && job_make_bindings(&job, err) == 0 && job_fill(&job, err) == 0 &&
	    job_name_programs(&job, err) == 0)
		rc = 0;
	for (int t = 0; job.bindings && t < machine->topology_count; t++)
		tmap_hydra_bindings_fini(&job.bindings[t]);
	free(job.bindings);
	if (rc == 0)
		*p = made;
	else
		tmap_placement_fini(&made);
	return rc;
}
