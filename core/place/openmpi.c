#include "core/place/openmpi_job.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The plans made so far, and which one each node follows. */
struct plans {
	int count;
	struct tmap_ompi_plan *plan;
	size_t capacity;
	int *of_node; /* TMAP_NONE for a node without processes */
};

static void plan_fini(struct tmap_ompi_plan *plan)
{
	free(plan->order);
	free(plan->sweep_end);
	free(plan->place);
}

static void plans_fini(struct plans *plans)
{
	for (int i = 0; i < plans->count; i++)
		plan_fini(&plans->plan[i]);
	free(plans->plan);
	free(plans->of_node);
}

static int plan_init(struct tmap_ompi_plan *plan, struct tmap_ompi_job *job,
		     struct tmap_placement *p, struct tmap_error *err)
{
	size_t count = (size_t)plan->count;

	plan->order = tmap_alloc(count, sizeof *plan->order, err);
	plan->sweep_end = tmap_alloc(count + 1, sizeof *plan->sweep_end, err);
	plan->place = tmap_alloc(count, sizeof *plan->place, err);
	if (!plan->order || !plan->sweep_end || !plan->place ||
	    tmap_ompi_rank(plan, job, err) < 0 || tmap_ompi_bind(plan, job, p, err) < 0) {
		plan_fini(plan);
		return -1;
	}
	return 0;
}

/* The plan for so many processes on such a node, made if it is new. */
static int find_plan(struct plans *plans, int topology, int count, struct tmap_ompi_job *job,
		     struct tmap_placement *p, struct tmap_error *err)
{
	struct tmap_ompi_plan made = { .topology = topology, .count = count };

	for (int i = plans->count - 1; i >= 0; i--)
		if (plans->plan[i].topology == topology && plans->plan[i].count == count)
			return i;
	if (tmap_grow(&plans->plan, &plans->capacity, (size_t)plans->count + 1, sizeof *plans->plan,
		      err) < 0 ||
	    plan_init(&made, job, p, err) < 0)
		return TMAP_NONE;
	plans->plan[plans->count] = made;
	return plans->count++;
}

static int make_plans(struct plans *plans, struct tmap_ompi_job *job, struct tmap_placement *p,
		      struct tmap_error *err)
{
	plans->of_node = tmap_alloc((size_t)job->machine->node_count, sizeof *plans->of_node, err);
	if (!plans->of_node)
		return -1;
	for (int n = 0; n < job->machine->node_count; n++) {
		plans->of_node[n] = TMAP_NONE;
		if (!job->count[n])
			continue;
		plans->of_node[n] = find_plan(plans, job->machine->node_topology[n], job->count[n],
					      job, p, err);
		if (plans->of_node[n] == TMAP_NONE)
			return tmap_wrap(err, "node '%s'", job->machine->node_name[n]);
	}
	return 0;
}

/* Numbers the processes order[from .. end-1] of a node. */
static void take(struct tmap_placement *p, int *rank, int node, const struct tmap_ompi_plan *plan,
		 int from, int end)
{
	for (int i = from; i < end; i++, (*rank)++) {
		p->node[*rank] = node;
		p->place[*rank] = plan->place[plan->order[i]];
	}
}

static void number_node_by_node(struct tmap_placement *p, const struct plans *plans)
{
	int rank = 0;

	for (int n = 0; n < p->machine->node_count; n++)
		if (plans->of_node[n] != TMAP_NONE) {
			const struct tmap_ompi_plan *plan = &plans->plan[plans->of_node[n]];

			take(p, &rank, n, plan, 0, plan->count);
		}
}

/* One round of each node in turn. */
static void number_round_by_round(struct tmap_placement *p, const struct plans *plans)
{
	int rank = 0;

	for (int sweep = 0; rank < p->size; sweep++)
		for (int n = 0; n < p->machine->node_count; n++) {
			const struct tmap_ompi_plan *plan;

			if (plans->of_node[n] == TMAP_NONE)
				continue;
			plan = &plans->plan[plans->of_node[n]];
			if (sweep < plan->sweeps)
				take(p, &rank, n, plan, sweep ? plan->sweep_end[sweep - 1] : 0,
				     plan->sweep_end[sweep]);
		}
}

static bool is_round_by_round(const struct tmap_ompi_request *rq)
{
	if (rq->rank_by == TMAP_OMPI_NODE || rq->rank_by == TMAP_OMPI_BOARD)
		return true;
	return rq->rank_by != TMAP_OMPI_SLOT && rq->ranking == TMAP_OMPI_SPAN;
}

/* The objects to rank by and to bind to. Without the former, slots take their place unless
 * the user named them. */
static int prepare_objects(struct tmap_ompi_job *job, struct tmap_error *err)
{
	const struct tmap_machine *machine = job->machine;
	bool lacking = false;

	for (int t = 0; t < machine->topology_count; t++) {
		struct tmap_ompi_kind *kind = &job->kind[t];

		kind->unbound = TMAP_NONE;
		if (tmap_ompi_objects_init(&kind->rank, &machine->topology[t], job->rq.rank_by,
					   job->rq.hwthreads, err) < 0 ||
		    tmap_ompi_objects_init(&kind->bind, &machine->topology[t], job->rq.bind_to,
					   job->rq.hwthreads, err) < 0)
			return -1;
	}
	for (int n = 0; n < machine->node_count; n++)
		lacking |= job->count[n] && !job->kind[machine->node_topology[n]].rank.count;
	if (lacking && job->rank_given)
		return tmap_fail(err, TMAP_INPUT, "a node has no %s to rank by",
				 tmap_ompi_name(job->rq.rank_by));
	if (lacking)
		job->rq.rank_by = TMAP_OMPI_SLOT;
	return 0;
}

static int fill(struct tmap_placement *p, struct tmap_ompi_job *job, struct tmap_machine *machine,
		struct tmap_error *err)
{
	struct plans plans = { 0 };
	int rc = -1;

	if (prepare_objects(job, err) < 0 || tmap_placement_init(p, machine, job->ranks, err) < 0)
		return -1;
	if (make_plans(&plans, job, p, err) == 0) {
		(is_round_by_round(&job->rq) ? number_round_by_round : number_node_by_node)(p,
											    &plans);
		rc = 0;
	}
	plans_fini(&plans);
	if (rc < 0)
		tmap_placement_fini(p);
	return rc;
}

static void job_fini(struct tmap_ompi_job *job)
{
	for (int t = 0; job->kind && t < job->machine->topology_count; t++) {
		tmap_ompi_objects_fini(&job->kind[t].map);
		tmap_ompi_objects_fini(&job->kind[t].rank);
		tmap_ompi_objects_fini(&job->kind[t].bind);
	}
	free(job->kind);
	free(job->count);
}

int tmap_ompi_place(struct tmap_placement *p, struct tmap_machine *machine,
		    const struct tmap_ompi_request *request, struct tmap_error *err)
{
	struct tmap_ompi_job job = { .machine = machine, .rq = *request };
	int rc = -1;

	job.kind = tmap_alloc((size_t)machine->topology_count, sizeof *job.kind, err);
	job.count = tmap_alloc((size_t)machine->node_count, sizeof *job.count, err);
	if (job.kind && job.count && tmap_ompi_resolve(&job, err) == 0 &&
	    tmap_ompi_map(&job, err) == 0 && fill(p, &job, machine, err) == 0)
		rc = 0;
	job_fini(&job);
	return rc;
}
