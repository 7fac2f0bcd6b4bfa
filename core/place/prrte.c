/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/prrte_job.h"

#include "core/base/mem.h"
#include "core/base/sum.h"
#include "core/machine/most_ranks.h"

#include <assert.h>
#include <stdlib.h>

/* The processes of a node that has come to the same moment, and their order for SPAN and FILL. */
struct plan {
	int count;
	int *place, *object; /* [count] in the order of mapping */
	int *program;        /* [count] in the order of mapping, too */
	int *order;          /* [count] object after object, those of one as they were mapped */
	int *round_end;      /* [rounds] with SPAN, order is round after round: where each ends */
	int rounds;
};

struct plans {
	int count;
	struct plan *plan;
	size_t capacity;
	int *of_node; /* [nodes] TMAP_NONE for a node without processes */
};

/* What a rank that shall have a cpu is bound to. */
static enum tmap_type cpu_type(const struct tmap_prrte_job *job)
{
	return job->hwthreads ? TMAP_PU : job->cpu_type;
}

/* Where the first core of the first node that gets a daemon has one PU, or there are no cores, the
 * words for cores stand for hardware threads. Where no option has such a word and there are no
 * cores, ranks are mapped by core still, and find none. */
static int resolve_words(struct tmap_prrte_job *job, struct tmap_error *err)
{
	const struct tmap_machine *machine = job->machine;
	const struct tmap_topology *topo =
		tmap_machine_topology(machine, machine->node_count > 1 ? 1 : 0);
	struct tmap_prrte_request *rq = &job->rq;
	struct tmap_prrte_spans cores;
	int pus = 0;

	if (tmap_prrte_cores_init(&cores, topo, err) < 0)
		return -1;
	for (int i = cores.count ? 0 : topo->pu_count; i < topo->pu_count; i++)
		pus += topo->pu[i].allowed && cores.at[0].first_pu <= i && i < cores.at[0].end_pu;
	free(cores.at);
	job->cpu_type = pus > 1 ? TMAP_CORE : TMAP_PU;
	if (pus > 1)
		return 0;
	rq->hwtcpus |= rq->corecpus;
	if (rq->map_by == TMAP_PRRTE_MAP_OBJECT && rq->map_object == TMAP_CORE)
		rq->map_object = TMAP_PU;
	if (rq->bind_given && rq->bind_to == TMAP_CORE)
		rq->bind_to = TMAP_PU;
	return 0;
}

/* Without --map-by: by the object of --bind-to, or by cpu, how many ranks there may be. */
static void resolve_mapping(struct tmap_prrte_job *job)
{
	struct tmap_prrte_request *rq = &job->rq;

	job->hwthreads = rq->hwtcpus || rq->hwthread_slots;
	job->cpus_each = rq->pe ? rq->pe : 1;
	if (rq->map_by != TMAP_PRRTE_MAP_DEFAULT)
		return;
	job->maps_as_it_binds = rq->bind_given;
	rq->map_object = rq->bind_given ? rq->bind_to : job->hwthreads ? TMAP_PU : TMAP_CORE;
	if (job->cpus_each > 1)
		rq->map_object = TMAP_NODE;
	rq->map_by = rq->map_object == TMAP_NODE ? TMAP_PRRTE_MAP_SLOT : TMAP_PRRTE_MAP_OBJECT;
}

static int objects_count(const struct tmap_topology *topo, enum tmap_type type, int *count,
			 struct tmap_error *err)
{
	struct tmap_prrte_spans spans;

	*count = 0;
	if (tmap_prrte_spans_init(&spans, topo, type, err) < 0)
		return -1;
	*count = spans.count;
	free(spans.at);
	return 0;
}

/* How many nodes a program may use, and number @p i of them. */
static int program_nodes(const struct tmap_prrte_job *job, const struct tmap_program *program)
{
	return program->node ? program->node_count : job->machine->node_count;
}

static int program_node(const struct tmap_program *program, int i)
{
	return program->node ? program->node[i] : i;
}

/* Objects of a type, divided by @p divisor on each node of a program. */
static int nodes_count_objects(const struct tmap_prrte_job *job, const struct tmap_program *program,
			       enum tmap_type type, int divisor, int64_t *sum,
			       struct tmap_error *err)
{
	const struct tmap_machine *machine = job->machine;
	int *count = tmap_alloc((size_t)machine->topology_count, sizeof *count, err), rc = -1;

	*sum = 0;
	if (!count)
		return -1;
	for (int t = 0; t < machine->topology_count; t++)
		if (objects_count(&machine->topology[t], type, &count[t], err) < 0)
			goto out;
	for (int i = 0; i < program_nodes(job, program); i++) {
		int n = program_node(program, i);

		if (n || !job->rq.nolocal)
			*sum += count[machine->node_topology[n]] / divisor;
	}
	rc = 0;
out:
	free(count);
	return rc;
}

/* One for each core, or with --use-hwthread-cpus for each PU. */
static int resolve_slots(struct tmap_prrte_job *job, struct tmap_error *err)
{
	const struct tmap_machine *machine = job->machine;
	enum tmap_type type = job->rq.hwthread_slots ? TMAP_PU : TMAP_CORE;
	int *count = tmap_alloc((size_t)machine->topology_count, sizeof *count, err), rc = -1;

	if (!count)
		return -1;
	for (int t = 0; t < machine->topology_count; t++)
		if (objects_count(&machine->topology[t], type, &count[t], err) < 0)
			goto out;
	for (int n = 0; n < machine->node_count; n++) {
		struct tmap_prrte_node *node = &job->node[n];

		node->kind = machine->node_topology[n];
		node->slots = job->rq.slots != TMAP_NONE ? job->rq.slots : count[node->kind];
		if (job->rq.node_slots && job->rq.node_slots[n] != TMAP_NONE)
			node->slots = job->rq.node_slots[n];
		node->most = job->rq.node_most ? job->rq.node_most[n] : TMAP_NONE;
	}
	rc = 0;
out:
	free(count);
	return rc;
}

/* Of a program without a number of ranks: all slots, whoever else takes them. */
static int default_ranks(const struct tmap_prrte_job *job, struct tmap_program *program,
			 struct tmap_error *err)
{
	const struct tmap_machine *machine = job->machine;
	const struct tmap_prrte_request *rq = &job->rq;
	int64_t slots = 0, ranks = 0;

	for (int i = 0; i < program_nodes(job, program); i++) {
		int n = program_node(program, i);

		if (n || !rq->nolocal)
			slots += program->slots ? program->slots[i] : job->node[n].slots;
	}
	if (slots == 0 && !rq->oversubscribe && rq->map_by != TMAP_PRRTE_MAP_SEQ)
		return 0; /* no node is left, and why that is */
	if (rq->map_by == TMAP_PRRTE_MAP_PPR) {
		if (nodes_count_objects(job, program, rq->map_object, 1, &ranks, err) < 0)
			return -1;
		ranks = tmap_sum_product(ranks, rq->ppr);
	} else if (rq->cpus) {
		ranks = tmap_prrte_list_count(rq->cpus);
	} else if (job->cpus_each > 1) {
		if (nodes_count_objects(job, program, job->hwthreads ? TMAP_PU : TMAP_CORE,
					job->cpus_each, &ranks, err) < 0)
			return -1;
		ranks = ranks == 0 ? 1 : ranks > slots ? slots : ranks;
	} else {
		ranks = slots;
	}
	if (ranks < 1)
		return tmap_fail(err, TMAP_INPUT, "ppr:%d:%s gives no ranks: the nodes have no %s",
				 rq->ppr, tmap_prrte_name(job, rq->map_object),
				 tmap_prrte_name(job, rq->map_object));
	if (tmap_most_ranks_fit(&program->ranks, ranks, machine, err) == 0)
		return 0;
	return rq->map_by == TMAP_PRRTE_MAP_PPR ?
		tmap_wrap(err, "ppr:%d:%s", rq->ppr, tmap_prrte_name(job, rq->map_object)) :
		-1;
}

static int resolve_ranks(struct tmap_prrte_job *job, struct tmap_error *err)
{
	const struct tmap_prrte_request *rq = &job->rq;
	int64_t ranks = 0;

	job->program_count = rq->programs ? rq->program_count : 1;
	if (job->program_count > 1 && rq->cpus)
		return tmap_fail(err, TMAP_INPUT,
				 "pe-list is imitated for jobs of one program, and this one has %d",
				 job->program_count);
	job->program = tmap_alloc((size_t)job->program_count, sizeof *job->program, err);
	if (!job->program)
		return -1;
	for (int i = 0; i < job->program_count; i++) {
		struct tmap_program *program = &job->program[i];

		*program = rq->programs ? rq->programs[i] :
					  (struct tmap_program){ .ranks = rq->ranks };
		if (program->ranks == TMAP_NONE && default_ranks(job, program, err) < 0)
			return -1;
		if (program->ranks != TMAP_NONE)
			ranks += program->ranks;
	}
	if (tmap_most_ranks_fit(&job->ranks, ranks, job->machine, err) < 0)
		return -1;
	if (rq->map_by == TMAP_PRRTE_MAP_SEQ)
		job->sequence = tmap_alloc((size_t)ranks, sizeof *job->sequence, err);
	return rq->map_by == TMAP_PRRTE_MAP_SEQ && !job->sequence ? -1 : 0;
}

static bool is_mapped_to_objects(const struct tmap_prrte_request *rq)
{
	return rq->map_by == TMAP_PRRTE_MAP_OBJECT ||
		(rq->map_by == TMAP_PRRTE_MAP_PPR && rq->map_object != TMAP_NODE);
}

static int resolve_ranking(struct tmap_prrte_job *job, struct tmap_error *err)
{
	struct tmap_prrte_request *rq = &job->rq;

	if (rq->map_by == TMAP_PRRTE_MAP_SEQ)
		rq->rank_by = TMAP_PRRTE_RANK_SLOT;
	else if (rq->rank_by == TMAP_PRRTE_RANK_DEFAULT)
		rq->rank_by = rq->map_by == TMAP_PRRTE_MAP_NODE ? TMAP_PRRTE_RANK_NODE :
			rq->map_by == TMAP_PRRTE_MAP_SLOT       ? TMAP_PRRTE_RANK_SLOT :
			rq->span                                ? TMAP_PRRTE_RANK_SPAN :
			rq->map_by == TMAP_PRRTE_MAP_OBJECT     ? TMAP_PRRTE_RANK_FILL :
								  TMAP_PRRTE_RANK_SLOT;
	if ((rq->rank_by == TMAP_PRRTE_RANK_FILL || rq->rank_by == TMAP_PRRTE_RANK_SPAN) &&
	    !is_mapped_to_objects(rq))
		return tmap_fail(
			err, TMAP_INPUT,
			"ranks are numbered by fill and span only where they are mapped by "
			"an object");
	return 0;
}

static void resolve_default_binding(struct tmap_prrte_job *job)
{
	struct tmap_prrte_request *rq = &job->rq;

	job->required = rq->oversubscribe;
	if (rq->oversubscribe)
		rq->bind_to = TMAP_NODE;
	else if (rq->pe)
		rq->bind_to = cpu_type(job);
	else if (rq->map_by == TMAP_PRRTE_MAP_CPUS)
		rq->bind_to = job->hwthreads ? TMAP_PU : TMAP_CORE;
	else if (is_mapped_to_objects(rq))
		rq->bind_to = rq->map_object;
	else
		rq->bind_to = job->ranks <= 2 ? cpu_type(job) : TMAP_NUMA;
}

/* Several cpus for a rank, or cpus in order: these are bound to. */
static int resolve_cpus(struct tmap_prrte_job *job, struct tmap_error *err)
{
	struct tmap_prrte_request *rq = &job->rq;

	if (rq->map_by == TMAP_PRRTE_MAP_OBJECT && job->cpus_each > 1 &&
	    (rq->map_object == TMAP_PU || (rq->map_object == TMAP_CORE && !job->hwthreads)))
		return tmap_fail(err, TMAP_INPUT,
				 "PE=%d needs a mapping to objects of several cpus, not by %s",
				 job->cpus_each, tmap_prrte_name(job, rq->map_object));
	job->bind_object = rq->bind_to;
	if (job->cpus_each == 1 && !rq->ordered)
		return 0;
	if (!rq->bind_given)
		rq->bind_to = job->hwthreads ? TMAP_PU : TMAP_CORE;
	else if (rq->bind_to != TMAP_CORE && rq->bind_to != TMAP_PU)
		return tmap_fail(err, TMAP_INPUT, "%s binds to cpus, which excludes --bind-to %s",
				 rq->ordered ? "ORDERED" : "PE",
				 rq->bind_to == TMAP_NODE ? "none" :
							    tmap_prrte_name(job, rq->bind_to));
	rq->bind_given = true;
	job->hwthreads = rq->bind_to == TMAP_PU;
	return 0;
}

static int resolve_binding(struct tmap_prrte_job *job, struct tmap_error *err)
{
	struct tmap_prrte_request *rq = &job->rq;

	if (rq->names_pe && rq->bind_given && !rq->names_cpu)
		return tmap_fail(err, TMAP_INPUT,
				 "PE and pe-list bind to cpus: --bind-to can be core or hwthread");
	job->required = !rq->if_supported;
	if (!rq->bind_given)
		resolve_default_binding(job);
	if (rq->bind_to != TMAP_NODE && rq->map_by != TMAP_PRRTE_MAP_NODE &&
	    is_mapped_to_objects(rq) && rq->map_object > rq->bind_to)
		return tmap_fail(
			err, TMAP_INPUT,
			"a rank that is mapped to a %s cannot be bound to the %s around it",
			tmap_prrte_name(job, rq->map_object), tmap_prrte_name(job, rq->bind_to));
	return resolve_cpus(job, err);
}

static int job_resolve(struct tmap_prrte_job *job, struct tmap_error *err)
{
	if (job->rq.map_by == TMAP_PRRTE_MAP_SEQ && job->rq.nolocal)
		return tmap_fail(err, TMAP_INPUT, "mpirun of Open MPI 5 fails with seq:NOLOCAL");
	if (resolve_words(job, err) < 0)
		return -1;
	resolve_mapping(job);
	if (resolve_slots(job, err) < 0 || resolve_ranks(job, err) < 0 ||
	    resolve_ranking(job, err) < 0 || resolve_binding(job, err) < 0)
		return -1;
	for (int t = 0; t < job->machine->topology_count; t++)
		if (tmap_prrte_kind_init(&job->kind[t], &job->machine->topology[t], job, err) < 0)
			return -1;
	return 0;
}

static bool is_process(const struct tmap_prrte_moment *moment)
{
	return moment->event >= TMAP_PRRTE_UNBOUND && moment->result >= 0;
}

static int binding_place(struct tmap_placement *p, int topology, struct tmap_prrte_kind *kind,
			 int number, struct tmap_error *err)
{
	struct tmap_prrte_binding *binding = &kind->binding[number];

	if (binding->place == TMAP_NONE)
		binding->place =
			tmap_placement_add_place(p, topology, &binding->pus, NULL,
						 tmap_idset_size(&binding->pus) < kind->pus, err);
	return binding->place;
}

static void plan_fini(struct plan *plan)
{
	free(plan->place);
	free(plan->object);
	free(plan->program);
	free(plan->order);
	free(plan->round_end);
}

/* Counting sort by object. */
static int plan_sort(struct plan *plan, int objects, struct tmap_error *err)
{
	int *first = tmap_alloc((size_t)objects + 2, sizeof *first, err);

	if (!first)
		return -1;
	for (int j = 0; j < plan->count; j++)
		first[plan->object[j] + 2]++;
	for (int i = 0; i < objects; i++)
		first[i + 1] += first[i];
	for (int j = 0; j < plan->count; j++)
		plan->order[first[plan->object[j] + 1]++] = j;
	free(first);
	return 0;
}

/* One process of each object in each round: those with as many before them on their object. */
static int plan_sort_rounds(struct plan *plan, struct tmap_error *err)
{
	size_t count = (size_t)plan->count;
	int *order = tmap_alloc(count, sizeof *order, err),
	    *round = tmap_alloc(count, sizeof *round, err), at = 0;

	plan->round_end = tmap_alloc(count + 1, sizeof *plan->round_end, err);
	if (!order || !round || !plan->round_end) {
		free(order);
		free(round);
		return -1;
	}
	for (int j = 0; j < plan->count; j++) {
		bool is_next = j &&
			plan->object[plan->order[j]] == plan->object[plan->order[j - 1]];

		round[j] = is_next ? round[j - 1] + 1 : 0;
		plan->rounds = round[j] >= plan->rounds ? round[j] + 1 : plan->rounds;
		plan->round_end[round[j] + 1]++;
	}
	for (int r = 0; r < plan->rounds; r++)
		plan->round_end[r + 1] += plan->round_end[r];
	for (int j = 0; j < plan->count; j++)
		order[plan->round_end[round[j]]++] = plan->order[j];
	for (; at < plan->count; at++)
		plan->order[at] = order[at];
	free(order);
	free(round);
	return 0;
}

/* What is on the way to the moment, backwards. */
static int plan_init(struct plan *plan, const struct tmap_prrte_job *job, int moment, int topology,
		     struct tmap_placement *p, struct tmap_error *err)
{
	struct tmap_prrte_kind *kind = &job->kind[topology];
	int count = plan->count, end = count;

	plan->place = tmap_alloc((size_t)count, sizeof *plan->place, err);
	plan->object = tmap_alloc((size_t)count, sizeof *plan->object, err);
	plan->program = tmap_alloc((size_t)count, sizeof *plan->program, err);
	plan->order = tmap_alloc((size_t)count, sizeof *plan->order, err);
	if (!plan->place || !plan->object || !plan->program || !plan->order)
		return -1;
	for (int at = moment; at != TMAP_NONE; at = kind->moment[at].before) {
		const struct tmap_prrte_moment *it = &kind->moment[at];

		while (it->event == TMAP_PRRTE_NEXT && end > count)
			plan->program[--end] = it->object;
		if (!is_process(it))
			continue;
		plan->place[--count] = it->result;
		plan->object[count] = it->event == TMAP_PRRTE_BIND_LIST ? TMAP_NONE : it->object;
	}
	assert(count == 0);
	for (; count < plan->count; count++) {
		plan->place[count] = binding_place(p, topology, kind, plan->place[count], err);
		if (plan->place[count] == TMAP_NONE)
			return -1;
	}
	if (plan_sort(plan, kind->map.count, err) < 0)
		return -1;
	return job->rq.rank_by == TMAP_PRRTE_RANK_SPAN ? plan_sort_rounds(plan, err) : 0;
}

static int plans_add(struct plans *plans, struct tmap_prrte_job *job, int node,
		     struct tmap_placement *p, struct tmap_error *err)
{
	const struct tmap_prrte_node *at = &job->node[node];
	struct plan made = { .count = at->used };

	if (tmap_grow(&plans->plan, &plans->capacity, (size_t)plans->count + 1, sizeof *plans->plan,
		      err) < 0 ||
	    plan_init(&made, job, at->moment, at->kind, p, err) < 0) {
		plan_fini(&made);
		return TMAP_NONE;
	}
	plans->plan[plans->count] = made;
	return plans->count++;
}

static int plans_init(struct plans *plans, struct tmap_prrte_job *job, struct tmap_placement *p,
		      struct tmap_error *err)
{
	plans->of_node = tmap_alloc((size_t)job->machine->node_count, sizeof *plans->of_node, err);
	if (!plans->of_node)
		return -1;
	for (int n = 0; n < job->machine->node_count; n++) {
		const struct tmap_prrte_node *node = &job->node[n];
		struct tmap_prrte_moment *moment = &job->kind[node->kind].moment[node->moment];

		plans->of_node[n] = TMAP_NONE;
		if (!node->used)
			continue;
		if (moment->plan == TMAP_NONE)
			moment->plan = plans_add(plans, job, n, p, err);
		if (moment->plan == TMAP_NONE)
			return -1;
		plans->of_node[n] = moment->plan;
	}
	return 0;
}

static void plans_fini(struct plans *plans)
{
	for (int i = 0; i < plans->count; i++)
		plan_fini(&plans->plan[i]);
	free(plans->plan);
	free(plans->of_node);
}

static const struct plan *plan_of(const struct plans *plans, int node)
{
	return plans->of_node[node] == TMAP_NONE ? NULL : &plans->plan[plans->of_node[node]];
}

/* The rank is process j of the node's plan, in the order of mapping. */
static void rank_take(struct tmap_placement *p, int rank, int node, const struct plan *plan, int j)
{
	p->node[rank] = node;
	p->place[rank] = plan->place[j];
	if (p->setting)
		p->setting[rank] = plan->program[j];
}

static int number_in_order(struct tmap_placement *p, const struct tmap_prrte_job *job,
			   const struct plans *plans, bool by_object)
{
	int rank = 0;

	for (int i = 0; i < job->used_count; i++) {
		int node = job->used[i];
		const struct plan *plan = plan_of(plans, node);

		for (int j = 0; j < job->node[node].used; j++, rank++)
			rank_take(p, rank, node, plan, by_object ? plan->order[j] : j);
	}
	return 0;
}

/* Process j of the i-th of n nodes is rank i + j * n, whether the ranks between are there or
 * not. */
static int number_by_node(struct tmap_placement *p, const struct tmap_prrte_job *job,
			  const struct plans *plans, struct tmap_error *err)
{
	for (int i = 0; i < job->used_count; i++)
		for (int j = 0; j < job->node[job->used[i]].used; j++) {
			int64_t rank = i + (int64_t)j * job->used_count;

			if (rank >= p->size)
				return tmap_fail(
					err, TMAP_INPUT,
					"where nodes get unequally many ranks, mpirun "
					"numbers by node with gaps: one of %d would be rank "
					"%lld",
					p->size, (long long)rank);
			rank_take(p, (int)rank, job->used[i], plan_of(plans, job->used[i]), j);
		}
	return 0;
}

/* Rank after rank is the next process of its node. */
static int number_in_sequence(struct tmap_placement *p, const struct tmap_prrte_job *job,
			      const struct plans *plans, struct tmap_error *err)
{
	int *next = tmap_alloc((size_t)job->machine->node_count, sizeof *next, err);

	if (!next)
		return -1;
	for (int rank = 0; rank < p->size; rank++) {
		int node = job->sequence[rank];

		rank_take(p, rank, node, plan_of(plans, node), next[node]++);
	}
	free(next);
	return 0;
}

static int number_by_span(struct tmap_placement *p, const struct tmap_prrte_job *job,
			  const struct plans *plans)
{
	int rank = 0;

	for (int round = 0; rank < p->size; round++)
		for (int i = 0; i < job->used_count; i++) {
			int node = job->used[i];
			const struct plan *plan = plan_of(plans, node);

			if (!plan || round >= plan->rounds)
				continue;
			for (int j = round ? plan->round_end[round - 1] : 0;
			     j < plan->round_end[round]; j++)
				rank_take(p, rank++, node, plan, plan->order[j]);
		}
	return 0;
}

static int job_number(struct tmap_placement *p, const struct tmap_prrte_job *job,
		      const struct plans *plans, struct tmap_error *err)
{
	if (job->sequence)
		return number_in_sequence(p, job, plans, err);
	switch (job->rq.rank_by) {
	case TMAP_PRRTE_RANK_NODE:
		return number_by_node(p, job, plans, err);
	case TMAP_PRRTE_RANK_SPAN:
		if (p->size > job->ranks)
			return tmap_fail(
				err, TMAP_INPUT,
				"ppr:%d:%s starts %d process%s, and by span mpirun numbers only "
				"%d of them",
				job->rq.ppr, tmap_prrte_name(job, job->rq.map_object), p->size,
				p->size == 1 ? "" : "es", job->ranks);
		return number_by_span(p, job, plans);
	default:
		return number_in_order(p, job, plans, job->rq.rank_by == TMAP_PRRTE_RANK_FILL);
	}
}

/* A program is a setting, and ranks of several name theirs. */
static int programs_init(struct tmap_placement *p, const struct tmap_prrte_job *job,
			 struct tmap_error *err)
{
	if (job->program_count == 1)
		return 0;
	for (int i = 0; i < job->program_count; i++) {
		const struct tmap_setting setting = { .part = i };

		if (tmap_placement_add_setting(p, &setting, err) == TMAP_NONE)
			return -1;
	}
	p->setting = tmap_alloc((size_t)p->size, sizeof *p->setting, err);
	return p->setting ? 0 : -1;
}

static int job_fill(struct tmap_placement *p, struct tmap_prrte_job *job,
		    struct tmap_machine *machine, struct tmap_error *err)
{
	struct plans plans = { 0 };
	int64_t processes = 0;
	int ranks, rc = -1;

	for (int i = 0; i < job->used_count; i++)
		processes += job->node[job->used[i]].used;
	if (tmap_most_ranks_fit(&ranks, processes, machine, err) < 0 ||
	    tmap_placement_init(p, machine, ranks, err) < 0)
		return -1;
	if (programs_init(p, job, err) == 0 && plans_init(&plans, job, p, err) == 0 &&
	    job_number(p, job, &plans, err) == 0)
		rc = 0;
	plans_fini(&plans);
	if (rc < 0)
		tmap_placement_fini(p);
	return rc;
}

static void job_fini(struct tmap_prrte_job *job)
{
	for (int t = 0; job->kind && t < job->machine->topology_count; t++)
		tmap_prrte_kind_fini(&job->kind[t]);
	free(job->kind);
	free(job->node);
	free(job->used);
	free(job->program);
	free(job->sequence);
}

int tmap_prrte_place(struct tmap_placement *p, struct tmap_machine *machine,
		     const struct tmap_prrte_request *request, struct tmap_error *err)
{
	struct tmap_prrte_job job = { .machine = machine, .rq = *request };
	size_t nodes = (size_t)machine->node_count;
	int rc = -1;

	job.kind = tmap_alloc((size_t)machine->topology_count, sizeof *job.kind, err);
	job.node = tmap_alloc(nodes, sizeof *job.node, err);
	job.used = tmap_alloc(nodes, sizeof *job.used, err);
	if (job.kind && job.node && job.used && job_resolve(&job, err) == 0 &&
	    tmap_prrte_map(&job, err) == 0 && job_fill(p, &job, machine, err) == 0)
		rc = 0;
	job_fini(&job);
	return rc;
}
