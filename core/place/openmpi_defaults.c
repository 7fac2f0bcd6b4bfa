#include "core/place/openmpi_job.h"

#include "core/base/mem.h"

#include <limits.h>

static bool map_is_given(const struct tmap_ompi_request *rq)
{
	return rq->map_by != TMAP_OMPI_DEFAULT;
}

/* The level that stands for "one cpu". */
static enum tmap_ompi_level cpu_level(const struct tmap_ompi_request *rq)
{
	return rq->hwthreads ? TMAP_OMPI_HWTHREAD : TMAP_OMPI_CORE;
}

/* PE=N: processes are bound to N cpus, and mapped to objects that have them. */
static int resolve_pe(struct tmap_ompi_job *job, struct tmap_error *err)
{
	struct tmap_ompi_request *rq = &job->rq;

	if (!rq->pe)
		return 0;
	if (!job->bind_given) {
		rq->bind_to = cpu_level(rq);
		job->bind_given = true;
	} else if (rq->bind_to != cpu_level(rq) && rq->bind_to != TMAP_OMPI_NONE) {
		return tmap_fail(err, TMAP_INPUT, "PE=%d binds to %s, which excludes --bind-to %s",
				 rq->pe, tmap_ompi_name(cpu_level(rq)),
				 tmap_ompi_name(rq->bind_to));
	}
	if (rq->pe == 1)
		return 0;
	if (!map_is_given(rq))
		rq->map_by = TMAP_OMPI_NUMA;
	else if (!rq->ppr &&
		 (rq->map_by == TMAP_OMPI_HWTHREAD ||
		  (rq->map_by == TMAP_OMPI_CORE && !rq->hwthreads)))
		return tmap_fail(err, TMAP_INPUT,
				 "PE=%d needs a mapping to objects of several cpus, "
				 "not by %s",
				 rq->pe, tmap_ompi_name(rq->map_by));
	return 0;
}

static void resolve_ranking(struct tmap_ompi_request *rq)
{
	if (rq->rank_by == TMAP_OMPI_DEFAULT)
		rq->rank_by = map_is_given(rq) && !rq->ppr ? rq->map_by : TMAP_OMPI_SLOT;
}

int tmap_ompi_slots(const struct tmap_ompi_job *job, int node)
{
	int slots = job->kind[job->machine->node_topology[node]].slots;

	return slots && job->rq.node_slots ? job->rq.node_slots[node] : slots;
}

static int count_slots(struct tmap_ompi_job *job, struct tmap_error *err)
{
	const struct tmap_machine *machine = job->machine;
	int64_t slots = 0;

	for (int t = 0; t < machine->topology_count; t++) {
		const struct tmap_topology *topo = &machine->topology[t];

		job->kind[t].has_cores = tmap_topology_count(topo, TMAP_CORE) > 0;
		job->kind[t].slots = job->rq.slots != TMAP_NONE ? job->rq.slots :
			job->rq.bind_to == TMAP_OMPI_HWTHREAD   ? tmap_topology_allowed_pus(topo) :
								  tmap_topology_allowed_cores(topo);
		if (tmap_topology_allowed_pus(topo) == 0)
			job->kind[t].slots = 0;
	}
	for (int n = 0; n < machine->node_count; n++)
		slots += tmap_ompi_slots(job, n);
	if (slots == 0)
		return tmap_fail(err, TMAP_INPUT, "no core of the machine may be used");
	if (job->rq.ranks != TMAP_NONE || job->rq.ppr)
		return 0;
	if (slots > INT_MAX)
		return tmap_fail(err, TMAP_INPUT, "%lld slots: the most ranks are %d",
				 (long long)slots, INT_MAX);
	job->ranks = (int)slots;
	return 0;
}

/* ppr:N:OBJECT without a number of ranks: all that the nodes hold. */
static int count_pattern(struct tmap_ompi_job *job, struct tmap_error *err)
{
	const struct tmap_machine *machine = job->machine;
	int64_t ranks = 0;

	for (int t = 0; t < machine->topology_count; t++)
		if (tmap_ompi_objects_init(&job->kind[t].map, &machine->topology[t], job->rq.map_by,
					   job->rq.hwthreads, err) < 0)
			return -1;
	if (job->rq.ranks != TMAP_NONE)
		return 0;
	for (int n = 0; n < machine->node_count; n++)
		ranks += (int64_t)job->rq.ppr * job->kind[machine->node_topology[n]].map.count;
	if (ranks == 0 || ranks > INT_MAX)
		return tmap_fail(err, TMAP_INPUT, "ppr:%d:%s gives %lld ranks; a job has 1 to %d",
				 job->rq.ppr, tmap_ompi_name(job->rq.map_by), (long long)ranks,
				 INT_MAX);
	job->ranks = (int)ranks;
	return 0;
}

/* What depends on the number of ranks. */
static void resolve_defaults(struct tmap_ompi_job *job)
{
	struct tmap_ompi_request *rq = &job->rq;
	enum tmap_ompi_level few = job->ranks <= 2 ? cpu_level(rq) : TMAP_OMPI_NUMA;
	bool by_object = map_is_given(rq) && !rq->ppr && rq->map_by != TMAP_OMPI_NODE &&
		rq->map_by != TMAP_OMPI_SLOT;

	if (rq->bind_to == TMAP_OMPI_DEFAULT)
		rq->bind_to = by_object ? rq->map_by : few;
	if (!map_is_given(rq))
		rq->map_by = few;
}

int tmap_ompi_resolve(struct tmap_ompi_job *job, struct tmap_error *err)
{
	struct tmap_ompi_request *rq = &job->rq;

	job->ranks = rq->ranks;
	job->rank_given = rq->rank_by != TMAP_OMPI_DEFAULT;
	job->bind_given = rq->bind_to != TMAP_OMPI_DEFAULT;
	rq->hwthreads |= rq->bind_to == TMAP_OMPI_HWTHREAD ||
		(rq->map_by == TMAP_OMPI_HWTHREAD && !rq->ppr);
	resolve_ranking(rq);
	if (resolve_pe(job, err) < 0 || count_slots(job, err) < 0)
		return -1;
	if (rq->ppr && count_pattern(job, err) < 0)
		return -1;
	resolve_defaults(job);
	return 0;
}
