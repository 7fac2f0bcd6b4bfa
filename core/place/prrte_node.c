/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/prrte_job.h"

#include "core/base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool has_allowed(const struct tmap_topology *topo, int first_pu, int end_pu)
{
	for (int i = first_pu; i < end_pu; i++)
		if (topo->pu[i].allowed)
			return true;
	return false;
}

/* An object as it stands among those of its type; *bare are those without PUs that are to come. */
static void spans_add(struct tmap_prrte_spans *spans, const struct tmap_topology *topo, int object,
		      bool is_kept, int *bare)
{
	struct tmap_prrte_span span = { 0, 0 };

	if (object != TMAP_NONE)
		span = (struct tmap_prrte_span){ topo->object[object].first_pu,
						 topo->object[object].end_pu };
	if (has_allowed(topo, span.first_pu, span.end_pu)) {
		spans->at[spans->count++] = span;
	} else if (is_kept && *bare) {
		spans->at[spans->count++] = (struct tmap_prrte_span){ 0, 0 };
		--*bare;
	}
}

int tmap_prrte_spans_init(struct tmap_prrte_spans *spans, const struct tmap_topology *topo,
			  enum tmap_type type, struct tmap_error *err)
{
	int bare = topo->bare[type];
	int most =
		bare + (type == TMAP_NUMA ? topo->memory_count : tmap_topology_count(topo, type));

	*spans =
		(struct tmap_prrte_spans){ .at = tmap_alloc((size_t)most, sizeof *spans->at, err) };
	if (!spans->at)
		return -1;
	for (int i = 0; type == TMAP_NUMA && i < topo->memory_count; i++)
		if (!topo->memory[i].disallowed)
			spans_add(spans, topo, topo->memory[i].object, true, &bare);
	for (int i = 0; type != TMAP_NUMA && i < topo->object_count; i++)
		if (topo->object[i].type == type)
			spans_add(spans, topo, i, topo->object[i].bare, &bare);
	spans->count += bare;
	return 0;
}

int tmap_prrte_cores_init(struct tmap_prrte_spans *cores, const struct tmap_topology *topo,
			  struct tmap_error *err)
{
	int count = 0;

	if (tmap_prrte_spans_init(cores, topo, TMAP_CORE, err) < 0)
		return -1;
	for (int i = 0; i < cores->count; i++)
		if (cores->at[i].end_pu)
			cores->at[count++] = cores->at[i];
	cores->count = count;
	return 0;
}

static int kind_add_moment(struct tmap_prrte_kind *kind, const struct tmap_prrte_moment *moment,
			   struct tmap_error *err)
{
	if (tmap_grow(&kind->moment, &kind->moment_capacity, (size_t)kind->moment_count + 1,
		      sizeof *kind->moment, err) < 0)
		return TMAP_NONE;
	kind->moment[kind->moment_count] = *moment;
	return kind->moment_count++;
}

/* Nothing has happened. */
static void kind_rewind(struct tmap_prrte_kind *kind)
{
	for (int i = 0; i < kind->topo->pu_count; i++)
		kind->free[i] = kind->job[i] = kind->target[i] = kind->again[i] =
			kind->topo->pu[i].allowed;
	kind->targeted = (struct tmap_prrte_span){ 0, kind->topo->pu_count };
	kind->now = 0;
}

/* Objects before bind_from[i] have no PU from i on. */
static void kind_find_bind_from(struct tmap_prrte_kind *kind)
{
	int pus = kind->topo->pu_count;

	for (int i = 0; i < pus; i++)
		kind->bind_from[i] = kind->bind.count;
	for (int at = kind->bind.count - 1; at >= 0; at--)
		if (kind->bind.at[at].end_pu > 0)
			kind->bind_from[kind->bind.at[at].end_pu - 1] = at;
	for (int i = pus - 2; i >= 0; i--)
		if (kind->bind_from[i] > kind->bind_from[i + 1])
			kind->bind_from[i] = kind->bind_from[i + 1];
}

int tmap_prrte_kind_init(struct tmap_prrte_kind *kind, const struct tmap_topology *topo,
			 const struct tmap_prrte_job *job, struct tmap_error *err)
{
	const struct tmap_prrte_moment start = { TMAP_NONE, TMAP_NONE, TMAP_NONE, TMAP_PRRTE_START,
						 TMAP_NONE, 0,         TMAP_NONE };
	size_t pus = (size_t)topo->pu_count;

	kind->topo = topo;
	kind->pus = tmap_topology_allowed_pus(topo);
	kind->unbound = TMAP_NONE;
	kind->core_of = tmap_alloc(pus, sizeof *kind->core_of, err);
	kind->bind_from = tmap_alloc(pus, sizeof *kind->bind_from, err);
	kind->free = tmap_alloc(pus, 1, err);
	kind->job = tmap_alloc(pus, 1, err);
	kind->target = tmap_alloc(pus, 1, err);
	kind->again = tmap_alloc(pus, 1, err);
	if (!kind->core_of || !kind->bind_from || !kind->free || !kind->job || !kind->target ||
	    !kind->again || tmap_prrte_spans_init(&kind->map, topo, job->rq.map_object, err) < 0 ||
	    tmap_prrte_spans_init(&kind->bind, topo, job->bind_object, err) < 0 ||
	    tmap_prrte_cores_init(&kind->core, topo, err) < 0 ||
	    tmap_prrte_spans_init(&kind->package, topo, TMAP_PACKAGE, err) < 0)
		return -1;
	for (int i = 0; i < topo->pu_count; i++)
		kind->core_of[i] = TMAP_NONE;
	for (int c = 0; c < kind->core.count; c++)
		for (int i = kind->core.at[c].first_pu; i < kind->core.at[c].end_pu; i++)
			kind->core_of[i] = c;
	kind->binding_of = tmap_alloc((size_t)kind->bind.count, sizeof *kind->binding_of, err);
	if (!kind->binding_of || kind_add_moment(kind, &start, err) == TMAP_NONE)
		return -1;
	for (int i = 0; i < kind->bind.count; i++)
		kind->binding_of[i] = TMAP_NONE;
	kind_find_bind_from(kind);
	kind_rewind(kind);
	return 0;
}

void tmap_prrte_kind_fini(struct tmap_prrte_kind *kind)
{
	for (int i = 0; i < kind->binding_count; i++)
		tmap_idset_fini(&kind->binding[i].pus);
	free(kind->binding);
	free(kind->binding_of);
	free(kind->moment);
	free(kind->core_of);
	free(kind->bind_from);
	free(kind->free);
	free(kind->job);
	free(kind->target);
	free(kind->again);
	free(kind->map.at);
	free(kind->bind.at);
	free(kind->core.at);
	free(kind->package.at);
}

/* The part of a node in which cpus are looked for: PUs of an interval that are in both sets. */
struct part {
	const struct tmap_prrte_kind *kind;
	bool hwthreads;
	int first_pu, end_pu;
	const unsigned char *a, *b;
};

static struct part part_within(struct part part, const struct tmap_prrte_span *span)
{
	part.first_pu = span->first_pu > part.first_pu ? span->first_pu : part.first_pu;
	part.end_pu = span->end_pu < part.end_pu ? span->end_pu : part.end_pu;
	return part;
}

/* Are all allowed PUs of the core in the part? */
static bool part_has_core(const struct part *part, const struct tmap_prrte_span *core)
{
	for (int i = core->first_pu; i < core->end_pu; i++)
		if (part->kind->topo->pu[i].allowed &&
		    (i < part->first_pu || i >= part->end_pu || !part->a[i] || !part->b[i]))
			return false;
	return true;
}

/* The first cpu from *pu on, and *pu is behind it; false: there is none. */
static bool part_next_cpu(const struct part *part, int *pu, struct tmap_prrte_span *cpu)
{
	while (*pu < part->end_pu) {
		int core = part->kind->core_of[*pu], i = *pu;

		if (part->hwthreads) {
			*cpu = (struct tmap_prrte_span){ i, i + 1 };
			++*pu;
			if (part->a[i] && part->b[i])
				return true;
		} else if (core == TMAP_NONE) {
			++*pu;
		} else {
			*cpu = part->kind->core.at[core];
			*pu = cpu->end_pu;
			if (part_has_core(part, cpu))
				return true;
		}
	}
	return false;
}

/* The first PU from which on there may be a cpu, or the end. */
static int part_first_free(const struct part *part)
{
	const unsigned char *found = part->first_pu < part->end_pu ?
		memchr(part->a + part->first_pu, 1, (size_t)(part->end_pu - part->first_pu)) :
		NULL;

	return found ? (int)(found - part->a) : part->end_pu;
}

/* As many as there are, up to @p most. */
static int part_count_cpus(const struct part *part, int most)
{
	struct tmap_prrte_span cpu;
	int count = 0;

	for (int pu = part->first_pu; count < most && part_next_cpu(part, &pu, &cpu);)
		count++;
	return count;
}

static struct part whole_part(const struct tmap_prrte_job *job, const struct tmap_prrte_kind *kind,
			      const unsigned char *a, const unsigned char *b)
{
	return (struct part){ kind, job->hwthreads, 0, kind->topo->pu_count, a, b };
}

/* An object of the mapping level, or the node. */
static struct part object_part(const struct tmap_prrte_job *job, const struct tmap_prrte_kind *kind,
			       int object, const unsigned char *a, const unsigned char *b)
{
	struct part part = whole_part(job, kind, a, b);

	return object == TMAP_NONE ? part : part_within(part, &kind->map.at[object]);
}

static void kind_take(struct tmap_prrte_kind *kind, const struct tmap_prrte_span *cpu)
{
	memset(kind->free + cpu->first_pu, 0, (size_t)(cpu->end_pu - cpu->first_pu));
}

/* A binding to PUs of the interval that are in the set, NULL: to all that are allowed. */
static int kind_add_binding(struct tmap_prrte_kind *kind, int first_pu, int end_pu,
			    const unsigned char *set, struct tmap_error *err)
{
	struct tmap_prrte_binding made = { .place = TMAP_NONE };

	for (int i = first_pu; i < end_pu; i++)
		if (kind->topo->pu[i].allowed && (!set || set[i]) &&
		    tmap_idset_add(&made.pus, kind->topo->pu[i].os, err) < 0)
			goto fail;
	if (tmap_grow(&kind->binding, &kind->binding_capacity, (size_t)kind->binding_count + 1,
		      sizeof *kind->binding, err) < 0)
		goto fail;
	kind->binding[kind->binding_count] = made;
	return kind->binding_count++;
fail:
	tmap_idset_fini(&made.pus);
	return TMAP_NONE;
}

static int bind_nowhere(struct tmap_prrte_kind *kind, int *result, struct tmap_error *err)
{
	if (kind->unbound == TMAP_NONE)
		kind->unbound = kind_add_binding(kind, 0, kind->topo->pu_count, NULL, err);
	*result = kind->unbound;
	return kind->unbound == TMAP_NONE ? -1 : 0;
}

static int bind_to_object(const struct tmap_prrte_job *job, struct tmap_prrte_kind *kind,
			  int object, bool required, int *result, struct tmap_error *err)
{
	struct part mapped = object_part(job, kind, object, kind->free, kind->target), part;
	int at = kind->bind.count, pu = part_first_free(&mapped);
	struct tmap_prrte_span cpu;

	for (at = pu < mapped.end_pu ? kind->bind_from[pu] : at; at < kind->bind.count; at++) {
		part = part_within(mapped, &kind->bind.at[at]);
		pu = part.first_pu;
		if (part_next_cpu(&part, &pu, &cpu))
			break;
	}
	if (at == kind->bind.count) {
		*result = at ? TMAP_PRRTE_NO_CPU : TMAP_PRRTE_NO_OBJECT;
		return (at ? required : job->rq.bind_given) ? 0 : bind_nowhere(kind, result, err);
	}
	if (kind->binding_of[at] == TMAP_NONE)
		kind->binding_of[at] = kind_add_binding(kind, kind->bind.at[at].first_pu,
							kind->bind.at[at].end_pu, NULL, err);
	*result = kind->binding_of[at];
	kind_take(kind, &cpu);
	if (job->rq.overload && !memchr(kind->free, 1, (size_t)kind->topo->pu_count))
		memcpy(kind->free, kind->again, (size_t)kind->topo->pu_count);
	return *result == TMAP_NONE ? -1 : 0;
}

/* Within one package where the process is mapped to the whole node. */
static int bind_to_cpus(const struct tmap_prrte_job *job, struct tmap_prrte_kind *kind, int object,
			int *result, struct tmap_error *err)
{
	struct part part = object_part(job, kind, object, kind->free, kind->target), in;
	unsigned char *taken;
	struct tmap_prrte_span cpu;
	int at = 0, count = 0;

	for (; object == TMAP_NONE && at < kind->package.count; at++) {
		in = part_within(part, &kind->package.at[at]);
		if (part_count_cpus(&in, job->cpus_each) == job->cpus_each)
			break;
	}
	*result = TMAP_PRRTE_ACROSS;
	if (object == TMAP_NONE && at == kind->package.count)
		return 0;
	if (object == TMAP_NONE)
		part = in;
	taken = tmap_alloc((size_t)kind->topo->pu_count, 1, err);
	if (!taken)
		return -1;
	for (int pu = part.first_pu; count < job->cpus_each && part_next_cpu(&part, &pu, &cpu);
	     count++)
		memset(taken + cpu.first_pu, 1, (size_t)(cpu.end_pu - cpu.first_pu));
	*result = TMAP_PRRTE_NO_CPU;
	if (count) {
		*result = kind_add_binding(kind, part.first_pu, part.end_pu, taken, err);
		for (int i = 0; i < kind->topo->pu_count; i++)
			kind->free[i] &= !taken[i];
	}
	free(taken);
	return count && *result == TMAP_NONE ? -1 : 0;
}

/* Cpu @p number of the node: false, there is none. */
static bool kind_find_cpu(const struct tmap_prrte_kind *kind, bool hwthreads, int number,
			  struct tmap_prrte_span *cpu)
{
	if (!hwthreads) {
		if (number < kind->core.count)
			*cpu = kind->core.at[number];
		return number < kind->core.count;
	}
	for (int i = 0; i < kind->topo->pu_count; i++)
		if (kind->topo->pu[i].allowed && number-- == 0) {
			*cpu = (struct tmap_prrte_span){ i, i + 1 };
			return true;
		}
	return false;
}

static bool is_in_a_package(const struct tmap_prrte_kind *kind, const unsigned char *set)
{
	for (int k = 0; k < kind->package.count; k++) {
		const struct tmap_prrte_span *package = &kind->package.at[k];
		int i = 0;

		while (i < kind->topo->pu_count &&
		       (!set[i] || (package->first_pu <= i && i < package->end_pu)))
			i++;
		if (i == kind->topo->pu_count)
			return true;
	}
	return false;
}

/* To all of the list, or if it is ordered to one cpu after the other. */
static int bind_to_list(const struct tmap_prrte_job *job, struct tmap_prrte_kind *kind, int number,
			int *result, struct tmap_error *err)
{
	int pus = kind->topo->pu_count;
	struct tmap_prrte_span cpu;
	bool found = kind_find_cpu(kind, job->hwthreads, number, &cpu);
	unsigned char *set;

	*result = TMAP_PRRTE_NO_SUCH_CPU;
	if (job->rq.ordered && !found)
		return 0;
	set = tmap_alloc((size_t)pus, 1, err);
	if (!set)
		return -1;
	for (int i = 0; i < pus; i++)
		set[i] = kind->topo->pu[i].allowed &&
			(job->rq.ordered ? cpu.first_pu <= i && i < cpu.end_pu : kind->target[i]);
	*result = TMAP_PRRTE_LIST_ACROSS;
	if (is_in_a_package(kind, set)) {
		*result = TMAP_PRRTE_NO_CPU;
		if (memchr(set, 1, (size_t)pus))
			*result = kind_add_binding(kind, 0, pus, set, err);
	}
	free(set);
	if (*result == TMAP_NONE)
		return -1;
	if (*result >= 0 && found)
		kind_take(kind, &cpu);
	return 0;
}

int tmap_prrte_list_count(const char *list)
{
	int count = 1;

	for (; *list && *list != ':'; list++)
		count += *list == ',';
	return count;
}

int tmap_prrte_list_first(const char *list, int index)
{
	while (index-- > 0)
		list += strcspn(list, ",") + 1;
	return (int)strtol(list, NULL, 10);
}

/* The cpus of the list are the job's. Where the first core has one PU, numbers are those of PUs. */
static void visit_list(const struct tmap_prrte_job *job, struct tmap_prrte_kind *kind)
{
	const char *list = job->rq.cpus;
	bool hwthreads = job->hwthreads || kind->core.count == 0;
	struct tmap_prrte_span cpu;

	if (!hwthreads && kind_find_cpu(kind, true, 0, &cpu)) {
		int pus = 0;

		for (int i = kind->core.at[0].first_pu; i < kind->core.at[0].end_pu; i++)
			pus += kind->topo->pu[i].allowed;
		hwthreads = pus == 1 && kind->core_of[cpu.first_pu] == 0;
	}
	memset(kind->job, 0, (size_t)kind->topo->pu_count);
	for (int i = tmap_prrte_list_count(list); i > 0; i--, list += strcspn(list, ",:") + 1) {
		char *end;
		long first = strtol(list, &end, 10),
		     last = *end == '-' ? strtol(end + 1, NULL, 10) : first;

		for (; first <= last && kind_find_cpu(kind, hwthreads, (int)first, &cpu); first++)
			for (int k = cpu.first_pu; k < cpu.end_pu; k++)
				kind->job[k] = kind->topo->pu[k].allowed;
	}
}

/* The cpus of an object, which may be bound to; counted again, they are as many. */
static int kind_count(const struct tmap_prrte_job *job, struct tmap_prrte_kind *kind, int object)
{
	const struct tmap_prrte_moment *last = &kind->moment[kind->now];
	struct part part = object_part(job, kind, object, kind->free, kind->job);
	struct tmap_prrte_span *targeted = &kind->targeted;

	if (last->event == TMAP_PRRTE_COUNT && last->object == object)
		return last->result;
	memset(kind->target + targeted->first_pu, 0,
	       (size_t)(targeted->end_pu - targeted->first_pu));
	*targeted = (struct tmap_prrte_span){ part.first_pu, part.end_pu };
	for (int i = part.first_pu; i < part.end_pu; i++)
		kind->target[i] = kind->free[i] & kind->job[i];
	return part_count_cpus(&part, kind->topo->pu_count);
}

static int kind_happen(const struct tmap_prrte_job *job, struct tmap_prrte_kind *kind,
		       enum tmap_prrte_event event, int object, int *result, struct tmap_error *err)
{
	const int pus = kind->topo->pu_count;

	*result = 0;
	switch (event) {
	case TMAP_PRRTE_START:
		break;
	case TMAP_PRRTE_NEXT:
		if (job->rq.map_by != TMAP_PRRTE_MAP_SEQ)
			memcpy(kind->again, kind->free, (size_t)pus);
		break;
	case TMAP_PRRTE_VISIT:
		if (job->rq.cpus)
			visit_list(job, kind);
		else
			memcpy(kind->job, kind->free, (size_t)pus);
		break;
	case TMAP_PRRTE_COUNT:
		*result = kind_count(job, kind, object);
		break;
	case TMAP_PRRTE_TAKE_ALL:
		memcpy(kind->target, kind->job, (size_t)pus);
		kind->targeted = (struct tmap_prrte_span){ 0, pus };
		break;
	case TMAP_PRRTE_UNBOUND:
		return bind_nowhere(kind, result, err);
	case TMAP_PRRTE_BIND:
	case TMAP_PRRTE_BIND_IF_FREE:
		return bind_to_object(job, kind, object, event == TMAP_PRRTE_BIND, result, err);
	case TMAP_PRRTE_BIND_CPUS:
		return bind_to_cpus(job, kind, object, result, err);
	case TMAP_PRRTE_BIND_LIST:
		return bind_to_list(job, kind, object, result, err);
	}
	return 0;
}

/* Let what has led to a moment happen again, from where the kind is now or from the start. */
static int kind_go_to(const struct tmap_prrte_job *job, struct tmap_prrte_kind *kind, int moment,
		      struct tmap_error *err)
{
	int *path, steps = 0, ignored;

	if (kind->now == moment)
		return 0;
	path = tmap_alloc((size_t)kind->moment_count, sizeof *path, err);
	if (!path)
		return -1;
	for (int at = moment; at != TMAP_NONE && at != kind->now; at = kind->moment[at].before)
		path[steps++] = at;
	if (kind->moment[path[steps - 1]].before != kind->now)
		kind_rewind(kind);
	while (steps > 0) {
		const struct tmap_prrte_moment *at = &kind->moment[path[--steps]];

		if (at->result >= 0 &&
		    kind_happen(job, kind, at->event, at->object, &ignored, err) < 0)
			break;
		kind->now = path[steps];
	}
	free(path);
	return kind->now == moment ? 0 : -1;
}

int tmap_prrte_happen(struct tmap_prrte_job *job, int node, enum tmap_prrte_event event, int object,
		      int *result, struct tmap_error *err)
{
	struct tmap_prrte_node *at = &job->node[node];
	struct tmap_prrte_kind *kind = &job->kind[at->kind];
	struct tmap_prrte_moment made = { at->moment, TMAP_NONE, TMAP_NONE, event,
					  object,     0,         TMAP_NONE };
	int moment = kind->moment[at->moment].after;

	while (moment != TMAP_NONE &&
	       (kind->moment[moment].event != event || kind->moment[moment].object != object))
		moment = kind->moment[moment].sibling;
	if (moment == TMAP_NONE) {
		if (kind_go_to(job, kind, at->moment, err) < 0 ||
		    kind_happen(job, kind, event, object, &made.result, err) < 0)
			return -1;
		made.sibling = kind->moment[at->moment].after;
		moment = kind_add_moment(kind, &made, err);
		if (moment == TMAP_NONE)
			return -1;
		kind->moment[at->moment].after = moment;
		kind->now = moment;
	}
	at->moment = moment;
	*result = kind->moment[moment].result;
	return 0;
}
