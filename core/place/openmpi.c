/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/openmpi_job.h"

#include "core/base/mem.h"
#include "core/machine/most_ranks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What happens on one node: it follows from the kind of node and the number of processes of each
 * program, which are mapped and ranked after those of the programs before. */
struct plan {
	int topology, count;
	const int *share; /* [programs] of the node that it was made for */
	int *order;       /* [count] processes in the order in which they are ranked */
	int *sweep_end;   /* [sweeps] end in order[] of each round over the objects */
	int *first_sweep; /* [programs + 1] those of a program */
	int sweeps;
	int *place; /* [count] place of each process */
};

/* Processes of the programs before this one. */
static int plan_before(const struct plan *plan, int program)
{
	int before = 0;

	for (int i = 0; i < program; i++)
		before += plan->share[i];
	return before;
}

/* Have they a PU in common? Objects nest. */
static bool is_overlapping(const struct tmap_ompi_span *a, const struct tmap_ompi_span *b)
{
	return a->first_pu < b->end_pu && b->first_pu < a->end_pu;
}

/* The object that process j of a node is mapped to: with ppr each program begins anew. */
static const struct tmap_ompi_span *mapped_object(const struct tmap_ompi_job *job,
						  const struct plan *plan, int j)
{
	const struct tmap_ompi_objects *map = &job->kind[plan->topology].map;

	if (!job->rq.ppr)
		return &map->at[j % map->count];
	for (int i = 0; j >= plan->share[i]; i++)
		j -= plan->share[i];
	return &map->at[j / job->rq.ppr];
}

/* All objects that have PUs of a span are among begin .. end - 1. */
struct reach {
	int begin, end;
};

static struct reach objects_reach(const struct tmap_ompi_objects *objects,
				  const struct tmap_ompi_span *span)
{
	struct reach reach = { 0, objects->count };
	int end;

	if (!objects->is_apart)
		return reach;
	for (end = objects->count; reach.begin < end;) {
		int middle = reach.begin + (end - reach.begin) / 2;

		if (objects->at[middle].end_pu <= span->first_pu)
			reach.begin = middle + 1;
		else
			end = middle;
	}
	while (end < objects->count && is_overlapping(&objects->at[end], span))
		end++;
	reach.end = end;
	return reach;
}

/* An object by which a program is ranked takes processes that are mapped to PUs of its own. */
struct taker {
	struct reach mapped;
	int next; /* every process of the program before it is ranked, or mapped elsewhere */
};

/* The first process from the taker's next one on that is mapped to objects of its own, or @p end and more: with
 * ppr those of an object are side by side, else they come round. */
static int taker_skip(const struct taker *taker, const struct tmap_ompi_job *job, int map_count,
		      int first, int end)
{
	int at = taker->next, turn = at % map_count;

	if (at >= end || taker->mapped.begin == taker->mapped.end)
		return end;
	if (job->rq.ppr) {
		int64_t low = first + (int64_t)taker->mapped.begin * job->rq.ppr;
		int64_t high = first + (int64_t)taker->mapped.end * job->rq.ppr;

		if (at < low)
			return low < end ? (int)low : end;
		return at < high ? at : end;
	}
	if (turn < taker->mapped.begin)
		return at + taker->mapped.begin - turn;
	return turn < taker->mapped.end ? at : at + map_count - turn + taker->mapped.begin;
}

/* Takes processes of a program in rounds: each object takes the first that is left and mapped to PUs
 * of its own, or with FILL all of them. Returns the number of processes that are ranked now. */
static int plan_take(struct plan *plan, const struct tmap_ompi_job *job, int program, bool *ranked,
		     struct taker *taker)
{
	const struct tmap_ompi_kind *kind = &job->kind[plan->topology];
	int first = plan_before(plan, program), end = first + plan->share[program];
	int done = first, before = -1;

	for (int i = 0; i < kind->rank.count; i++)
		taker[i] = (struct taker){ objects_reach(&kind->map, &kind->rank.at[i]), first };
	while (done < end && done > before) {
		before = done;
		for (int i = 0; i < kind->rank.count; i++) {
			struct taker *it = &taker[i];
			bool more = true;

			while (more &&
			       (it->next = taker_skip(it, job, kind->map.count, first, end)) <
				       end) {
				int j = it->next++;

				if (ranked[j] ||
				    !is_overlapping(&kind->rank.at[i], mapped_object(job, plan, j)))
					continue;
				ranked[j] = true;
				plan->order[done++] = j;
				more = job->rq.ranking == TMAP_OMPI_FILL;
			}
		}
		plan->sweep_end[plan->sweeps++] = done;
	}
	return done;
}

/* Processes in the order of mapping, each a round of its own. */
static void plan_rank_in_order(struct plan *plan, int programs)
{
	for (int j = 0; j < plan->count; j++) {
		plan->order[j] = j;
		plan->sweep_end[j] = j + 1;
	}
	plan->sweeps = plan->count;
	for (int i = 0; i <= programs; i++)
		plan->first_sweep[i] = plan_before(plan, i);
}

/* Step 2: plan->order and the sweeps. */
static int plan_rank(struct plan *plan, const struct tmap_ompi_job *job, struct tmap_error *err)
{
	bool *ranked;
	struct taker *taker;
	bool is_made;
	int done = 0;

	if (job->rq.rank_by == TMAP_OMPI_SLOT || job->rq.rank_by == TMAP_OMPI_NODE ||
	    job->rq.rank_by == TMAP_OMPI_BOARD) {
		plan_rank_in_order(plan, job->program_count);
		return 0;
	}
	ranked = tmap_alloc((size_t)plan->count, sizeof *ranked, err);
	taker = tmap_alloc_raw((size_t)job->kind[plan->topology].rank.count, sizeof *taker, err);
	for (int i = 0; ranked && taker && i < job->program_count && done == plan_before(plan, i);
	     i++) {
		done = plan_take(plan, job, i, ranked, taker);
		plan->first_sweep[i + 1] = plan->sweeps;
	}
	is_made = ranked && taker;
	free(taker);
	free(ranked);
	if (!is_made)
		return -1;
	if (done < plan->count)
		return tmap_fail(
			err, TMAP_INPUT,
			"%d of %d rank%s of a node are mapped to no %s: they cannot be ranked by "
			"it",
			plan->count - done, plan->count, plan->count == 1 ? "" : "s",
			tmap_ompi_name(job->rq.rank_by));
	return 0;
}

/* The work of one plan. */
struct binding {
	const struct tmap_ompi_job *job;
	struct tmap_ompi_kind *kind;
	struct tmap_placement *p;
	const struct plan *plan;
	int topology;
	int *bound;   /* [kind->bind.count] processes bound to each object so far */
	bool is_full; /* no object has a free cpu */
};

/* Place of a process on all allowed PUs of the interval; it is not bound where those are all
 * that the node has. */
static int binding_make_place(const struct binding *b, int first_pu, int end_pu,
			      struct tmap_error *err)
{
	const struct tmap_topology *topo = &b->p->machine->topology[b->topology];
	struct tmap_idset pus = { 0 };
	int place = TMAP_NONE;

	for (int i = first_pu; i < end_pu; i++)
		if (topo->pu[i].allowed && tmap_idset_add(&pus, topo->pu[i].os, err) < 0)
			goto out;
	place = tmap_placement_add_place(b->p, b->topology, &pus, NULL,
					 tmap_idset_size(&pus) < tmap_topology_allowed_pus(topo),
					 err);
out:
	tmap_idset_fini(&pus);
	return place;
}

static int binding_unbound_place(const struct binding *b, struct tmap_error *err)
{
	if (b->kind->unbound == TMAP_NONE)
		b->kind->unbound = binding_make_place(
			b, 0, b->p->machine->topology[b->topology].pu_count, err);
	return b->kind->unbound;
}

/* Objects i .. i+n-1; n is the same for all processes of a job. */
static int binding_bound_place(const struct binding *b, int i, int n, struct tmap_error *err)
{
	struct tmap_ompi_span *at = &b->kind->bind.at[i];
	const struct tmap_topology *topo = &b->p->machine->topology[b->topology];

	if (at->place == TMAP_NONE && n == 1 && at->end_pu - at->first_pu == topo->pu_count)
		at->place = binding_unbound_place(b, err);
	if (at->place == TMAP_NONE)
		at->place = binding_make_place(b, at->first_pu, at[n - 1].end_pu, err);
	return at->place;
}

/* A full object is an error if the user asked for this binding; else no process is bound. */
static int binding_refuse(const struct binding *b, int object, bool *unbind, struct tmap_error *err)
{
	const char *level = tmap_ompi_name(b->job->rq.bind_to);

	if (b->job->bind_given)
		tmap_fail(err, TMAP_INPUT,
			  "%s %d would get %d rank%s for its %d cpu%s; %s'--bind-to "
			  "%s:overload-allowed' allows it, '--bind-to none' binds no rank",
			  level, object, b->bound[object] + 1,
			  (b->bound[object] + 1) == 1 ? "" : "s", b->kind->bind.at[object].cpus,
			  b->kind->bind.at[object].cpus == 1 ? "" : "s",
			  b->job->rq.bind_preset ?
				  "'--bind-to default' binds as mpirun does by itself, " :
				  "",
			  level);
	*unbind = !b->job->bind_given;
	return TMAP_NONE;
}

/* Within the object that the process is mapped to, the object with the fewest processes, and PE-1
 * after it. */
static int bind_to_least(struct binding *b, int j, bool *unbind, struct tmap_error *err)
{
	const struct tmap_ompi_span *mapped = mapped_object(b->job, b->plan, j);
	const struct tmap_ompi_objects *bind = &b->kind->bind;
	const struct reach reach = objects_reach(bind, mapped);
	int least = TMAP_NONE, n = b->job->rq.pe > 1 ? b->job->rq.pe : 1;

	for (int i = reach.begin; i < reach.end; i++)
		if (is_overlapping(&bind->at[i], mapped) &&
		    (least == TMAP_NONE || b->bound[i] < b->bound[least]))
			least = i;
	if (least == TMAP_NONE || least + n > bind->count) {
		tmap_fail(err, TMAP_INPUT,
			  "a rank is mapped to an object without the %d free %ss that "
			  "it shall be bound to",
			  n, tmap_ompi_name(b->job->rq.bind_to));
		return TMAP_NONE;
	}
	for (int i = least; i < least + n; i++) {
		if (b->bound[i] + 1 > bind->at[i].cpus && !b->job->rq.overload)
			return binding_refuse(b, i, unbind, err);
		b->bound[i]++;
	}
	return binding_bound_place(b, least, n, err);
}

static bool has_free_cpu(const struct binding *b, int i)
{
	return b->bound[i] < b->kind->bind.at[i].cpus;
}

/* The object that the process is mapped to; if that is full, the next one to the right with
 * room, else to the left. */
static int bind_to_mapped(struct binding *b, int j, bool *unbind, struct tmap_error *err)
{
	int mapped = (int)(mapped_object(b->job, b->plan, j) - b->kind->map.at), at = mapped;

	if (b->kind->bind.at[mapped].cpus == 0) {
		tmap_fail(err, TMAP_INPUT, "%s %d has no cpus to bind to",
			  tmap_ompi_name(b->job->rq.bind_to), mapped);
		return TMAP_NONE;
	}
	while (!b->is_full && at < b->kind->bind.count && !has_free_cpu(b, at))
		at++;
	if (at == b->kind->bind.count)
		for (at = mapped; at >= 0 && !has_free_cpu(b, at);)
			at--;
	b->is_full |= at < 0;
	if (b->is_full && !b->job->rq.overload)
		return binding_refuse(b, mapped, unbind, err);
	at = b->is_full ? mapped : at;
	b->bound[at]++;
	return binding_bound_place(b, at, 1, err);
}

/* Does the job bind processes on such a node? */
static bool is_bound(const struct tmap_ompi_job *job, const struct tmap_ompi_kind *kind)
{
	if (job->rq.bind_to == TMAP_OMPI_NONE || job->rq.bind_to == TMAP_OMPI_BOARD)
		return false;
	return job->bind_given || (kind->has_cores && !job->oversubscribed);
}

static int plan_unbind(struct plan *plan, const struct binding *b, struct tmap_error *err)
{
	int place = binding_unbound_place(b, err);

	for (int j = 0; j < plan->count; j++)
		plan->place[j] = place;
	return place == TMAP_NONE ? -1 : 0;
}

static int plan_bind_all(struct plan *plan, struct binding *b, struct tmap_error *err)
{
	bool is_mapped_level = b->job->rq.bind_to == b->job->rq.map_by, unbind = false;

	for (int j = 0; j < plan->count; j++) {
		plan->place[j] =
			(is_mapped_level ? bind_to_mapped : bind_to_least)(b, j, &unbind, err);
		if (unbind)
			return plan_unbind(plan, b, err);
		if (plan->place[j] == TMAP_NONE)
			return -1;
	}
	return 0;
}

/* Step 3: plan->place; the places are made in @p p. */
static int plan_bind(struct plan *plan, struct tmap_ompi_job *job, struct tmap_placement *p,
		     struct tmap_error *err)
{
	struct binding b = {
		.job = job,
		.kind = &job->kind[plan->topology],
		.p = p,
		.plan = plan,
		.topology = plan->topology,
	};
	int rc;

	if (!is_bound(job, b.kind))
		return plan_unbind(plan, &b, err);
	if (b.kind->bind.count == 0)
		return tmap_fail(err, TMAP_INPUT,
				 "a node has no %s to bind to; every node has "
				 "hwthreads",
				 tmap_ompi_name(job->rq.bind_to));
	b.bound = tmap_alloc((size_t)b.kind->bind.count, sizeof *b.bound, err);
	if (!b.bound)
		return -1;
	rc = plan_bind_all(plan, &b, err);
	free(b.bound);
	return rc;
}

/* The plans made so far, and which one each node follows. */
struct plans {
	int count;
	struct plan *plan;
	size_t capacity;
	int *of_node; /* TMAP_NONE for a node without processes */
};

static void plan_fini(struct plan *plan)
{
	free(plan->order);
	free(plan->sweep_end);
	free(plan->first_sweep);
	free(plan->place);
}

static void plans_fini(struct plans *plans)
{
	for (int i = 0; i < plans->count; i++)
		plan_fini(&plans->plan[i]);
	free(plans->plan);
	free(plans->of_node);
}

static int plan_init(struct plan *plan, struct tmap_ompi_job *job, struct tmap_placement *p,
		     struct tmap_error *err)
{
	size_t count = (size_t)plan->count;

	plan->order = tmap_alloc(count, sizeof *plan->order, err);
	plan->sweep_end =
		tmap_alloc(count + (size_t)job->program_count, sizeof *plan->sweep_end, err);
	plan->first_sweep =
		tmap_alloc((size_t)job->program_count + 1, sizeof *plan->first_sweep, err);
	plan->place = tmap_alloc(count, sizeof *plan->place, err);
	if (!plan->order || !plan->sweep_end || !plan->first_sweep || !plan->place ||
	    plan_rank(plan, job, err) < 0 || plan_bind(plan, job, p, err) < 0) {
		plan_fini(plan);
		return -1;
	}
	return 0;
}

/* The plan for such processes on such a node, made if it is new. */
static int plans_find(struct plans *plans, int node, struct tmap_ompi_job *job,
		      struct tmap_placement *p, struct tmap_error *err)
{
	size_t programs = (size_t)job->program_count;
	const struct plan made = {
		.topology = job->machine->node_topology[node],
		.count = job->count[node],
		.share = job->share + (size_t)node * programs,
	};

	for (int i = plans->count - 1; i >= 0; i--)
		if (plans->plan[i].topology == made.topology &&
		    memcmp(plans->plan[i].share, made.share, programs * sizeof *made.share) == 0)
			return i;
	if (tmap_grow(&plans->plan, &plans->capacity, (size_t)plans->count + 1, sizeof *plans->plan,
		      err) < 0)
		return TMAP_NONE;
	plans->plan[plans->count] = made;
	if (plan_init(&plans->plan[plans->count], job, p, err) < 0)
		return TMAP_NONE;
	return plans->count++;
}

static int plans_init(struct plans *plans, struct tmap_ompi_job *job, struct tmap_placement *p,
		      struct tmap_error *err)
{
	plans->of_node = tmap_alloc((size_t)job->machine->node_count, sizeof *plans->of_node, err);
	if (!plans->of_node)
		return -1;
	for (int n = 0; n < job->machine->node_count; n++) {
		plans->of_node[n] = TMAP_NONE;
		if (!job->count[n])
			continue;
		plans->of_node[n] = plans_find(plans, n, job, p, err);
		if (plans->of_node[n] == TMAP_NONE)
			return tmap_wrap(err, "node '%s'", job->machine->node_name[n]);
	}
	return 0;
}

/* Numbers the processes order[from .. end-1] of a node. */
static void ranks_number(struct tmap_placement *p, int *rank, int node, int program,
			 const struct plan *plan, int from, int end)
{
	for (int i = from; i < end; i++, (*rank)++) {
		p->node[*rank] = node;
		p->place[*rank] = plan->place[plan->order[i]];
		if (p->setting)
			p->setting[*rank] = program;
	}
}

static void ranks_number_by_node(struct tmap_placement *p, const struct tmap_ompi_job *job,
				 const struct plans *plans, int program, int *rank)
{
	for (int i = 0; i < job->used_count; i++) {
		int node = job->used[i];
		const struct plan *plan = &plans->plan[plans->of_node[node]];

		ranks_number(p, rank, node, program, plan, plan_before(plan, program),
			     plan_before(plan, program + 1));
	}
}

/* One round of each node in turn. */
static void ranks_number_by_round(struct tmap_placement *p, const struct tmap_ompi_job *job,
				  const struct plans *plans, int program, int *rank)
{
	bool more = true;

	for (int round = 0; more; round++) {
		more = false;
		for (int i = 0; i < job->used_count; i++) {
			int node = job->used[i];
			const struct plan *plan = &plans->plan[plans->of_node[node]];
			int sweep = plan->first_sweep[program] + round;

			if (sweep >= plan->first_sweep[program + 1])
				continue;
			ranks_number(p, rank, node, program, plan,
				     round ? plan->sweep_end[sweep - 1] :
					     plan_before(plan, program),
				     plan->sweep_end[sweep]);
			more = true;
		}
	}
}

static bool is_ranked_by_round(const struct tmap_ompi_request *rq)
{
	if (rq->rank_by == TMAP_OMPI_NODE || rq->rank_by == TMAP_OMPI_BOARD)
		return true;
	return rq->rank_by != TMAP_OMPI_SLOT && rq->ranking == TMAP_OMPI_SPAN;
}

/* The objects to rank by and to bind to. Without the former, slots take their place unless
 * the user named them. */
static int job_init_objects(struct tmap_ompi_job *job, struct tmap_error *err)
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

/* Each of several programs is a setting. */
static int programs_init(struct tmap_placement *p, int programs, struct tmap_error *err)
{
	if (programs == 1)
		return 0;
	for (int i = 0; i < programs; i++) {
		const struct tmap_setting setting = { .part = i };

		if (tmap_placement_add_setting(p, &setting, err) == TMAP_NONE)
			return -1;
	}
	p->setting = tmap_alloc((size_t)p->size, sizeof *p->setting, err);
	return p->setting ? 0 : -1;
}

static int job_fill(struct tmap_placement *p, struct tmap_ompi_job *job,
		    struct tmap_machine *machine, struct tmap_error *err)
{
	struct plans plans = { 0 };
	int rank = 0, rc = -1;

	if (job_init_objects(job, err) < 0 || tmap_placement_init(p, machine, job->ranks, err) < 0)
		return -1;
	if (programs_init(p, job->program_count, err) == 0 &&
	    plans_init(&plans, job, p, err) == 0) {
		for (int i = 0; i < job->program_count; i++)
			(is_ranked_by_round(&job->rq) ?
				 ranks_number_by_round :
				 ranks_number_by_node)(p, job, &plans, i, &rank);
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
	free(job->share);
	free(job->used);
	free(job->list);
}

int tmap_ompi_place(struct tmap_placement *p, struct tmap_machine *machine,
		    const struct tmap_ompi_request *request, struct tmap_error *err)
{
	struct tmap_ompi_job job = { .machine = machine,
				     .rq = *request,
				     .program_count = request->programs ? request->program_count :
									  1 };
	size_t nodes = (size_t)machine->node_count;
	int rc = -1;

	job.kind = tmap_alloc((size_t)machine->topology_count, sizeof *job.kind, err);
	job.count = tmap_alloc(nodes, sizeof *job.count, err);
	job.share = tmap_alloc(nodes, (size_t)job.program_count * sizeof *job.share, err);
	job.used = tmap_alloc(nodes, sizeof *job.used, err);
	job.list = tmap_alloc(nodes, sizeof *job.list, err);
	if (job.kind && job.count && job.share && job.used && job.list &&
	    tmap_ompi_resolve(&job, err) == 0 &&
	    tmap_most_ranks_check(job.ranks, tmap_most_ranks(machine), "ranks", err) == 0 &&
	    tmap_ompi_map(&job, err) == 0 && job_fill(p, &job, machine, err) == 0)
		rc = 0;
	job_fini(&job);
	return rc;
}
