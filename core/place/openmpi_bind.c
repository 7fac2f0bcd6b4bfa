#include "core/place/openmpi_job.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* The work of one plan. */
struct binding {
	const struct tmap_ompi_job *job;
	struct tmap_ompi_kind *kind;
	struct tmap_placement *p;
	int topology;
	int *bound; /* [kind->bind.count] processes bound to each object so far */
};

/* Place of a process on all allowed PUs of the interval; it is not bound where those are all
 * that the node has. */
static int make_place(const struct binding *b, int first_pu, int end_pu, struct tmap_error *err)
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

static int unbound_place(const struct binding *b, struct tmap_error *err)
{
	if (b->kind->unbound == TMAP_NONE)
		b->kind->unbound =
			make_place(b, 0, b->p->machine->topology[b->topology].pu_count, err);
	return b->kind->unbound;
}

/* Objects i .. i+n-1; n is the same for all processes of a job. */
static int bound_place(const struct binding *b, int i, int n, struct tmap_error *err)
{
	struct tmap_ompi_span *at = &b->kind->bind.at[i];
	const struct tmap_topology *topo = &b->p->machine->topology[b->topology];

	if (at->place == TMAP_NONE && n == 1 && at->end_pu - at->first_pu == topo->pu_count)
		at->place = unbound_place(b, err);
	if (at->place == TMAP_NONE)
		at->place = make_place(b, at->first_pu, at[n - 1].end_pu, err);
	return at->place;
}

/* A full object is an error if the user asked for this binding; else nobody is bound. */
static int give_up(const struct binding *b, int object, bool *unbind, struct tmap_error *err)
{
	const char *level = tmap_ompi_name(b->job->rq.bind_to);

	if (b->job->bind_given)
		tmap_fail(err, TMAP_INPUT,
			  "%s %d would get %d ranks for its %d cpus; '--bind-to "
			  "%s:overload-allowed' allows it, '--bind-to none' binds no rank",
			  level, object, b->bound[object] + 1, b->kind->bind.at[object].cpus,
			  level);
	*unbind = !b->job->bind_given;
	return TMAP_NONE;
}

/* The object with the fewest processes among those within the locale, and PE-1 after it. */
static int bind_below(const struct binding *b, int j, bool *unbind, struct tmap_error *err)
{
	const struct tmap_ompi_span *locale = tmap_ompi_locale(b->job, b->kind, j);
	const struct tmap_ompi_objects *bind = &b->kind->bind;
	int least = TMAP_NONE, n = b->job->rq.pe > 1 ? b->job->rq.pe : 1;

	for (int i = 0; i < bind->count; i++)
		if (tmap_ompi_overlap(&bind->at[i], locale) &&
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
			return give_up(b, i, unbind, err);
		b->bound[i]++;
	}
	return bound_place(b, least, n, err);
}

static bool has_room(const struct binding *b, int i)
{
	return b->bound[i] < b->kind->bind.at[i].cpus;
}

/* The object that the process is mapped to; if that is full, the next one to the right with
 * room, else to the left. */
static int bind_in_place(const struct binding *b, int j, bool *unbind, struct tmap_error *err)
{
	int mapped = (int)(tmap_ompi_locale(b->job, b->kind, j) - b->kind->map.at), at = mapped;

	if (b->kind->bind.at[mapped].cpus == 0) {
		tmap_fail(err, TMAP_INPUT, "%s %d has no cpus to bind to",
			  tmap_ompi_name(b->job->rq.bind_to), mapped);
		return TMAP_NONE;
	}
	while (at < b->kind->bind.count && !has_room(b, at))
		at++;
	if (at == b->kind->bind.count)
		for (at = mapped; at >= 0 && !has_room(b, at);)
			at--;
	if (at < 0 && !b->job->rq.overload)
		return give_up(b, mapped, unbind, err);
	at = at < 0 ? mapped : at;
	b->bound[at]++;
	return bound_place(b, at, 1, err);
}

static bool is_bound_at_all(const struct tmap_ompi_job *job, const struct tmap_ompi_kind *kind)
{
	if (job->rq.bind_to == TMAP_OMPI_NONE || job->rq.bind_to == TMAP_OMPI_BOARD)
		return false;
	return job->bind_given || (kind->has_cores && !job->oversubscribed);
}

static int bind_nobody(struct tmap_ompi_plan *plan, const struct binding *b, struct tmap_error *err)
{
	int place = unbound_place(b, err);

	for (int j = 0; j < plan->count; j++)
		plan->place[j] = place;
	return place == TMAP_NONE ? -1 : 0;
}

static int bind_all(struct tmap_ompi_plan *plan, const struct binding *b, struct tmap_error *err)
{
	bool in_place = b->job->rq.bind_to == b->job->rq.map_by, unbind = false;

	for (int j = 0; j < plan->count; j++) {
		plan->place[j] = (in_place ? bind_in_place : bind_below)(b, j, &unbind, err);
		if (unbind)
			return bind_nobody(plan, b, err);
		if (plan->place[j] == TMAP_NONE)
			return -1;
	}
	return 0;
}

int tmap_ompi_bind(struct tmap_ompi_plan *plan, struct tmap_ompi_job *job, struct tmap_placement *p,
		   struct tmap_error *err)
{
	struct binding b = {
		.job = job,
		.kind = &job->kind[plan->topology],
		.p = p,
		.topology = plan->topology,
	};
	int rc;

	if (!is_bound_at_all(job, b.kind))
		return bind_nobody(plan, &b, err);
	if (b.kind->bind.count == 0)
		return tmap_fail(err, TMAP_INPUT,
				 "a node has no %s to bind to; every node has "
				 "hwthreads",
				 tmap_ompi_name(job->rq.bind_to));
	b.bound = tmap_alloc((size_t)b.kind->bind.count, sizeof *b.bound, err);
	if (!b.bound)
		return -1;
	rc = bind_all(plan, &b, err);
	free(b.bound);
	return rc;
}
