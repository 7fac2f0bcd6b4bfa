/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/prrte_job.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The nodes that can still be used, in order. */
struct nodes {
	int count, left;
	int *at;       /* TMAP_NONE where one is gone */
	int64_t slots; /* that the program may take */
};

static void nodes_drop(struct nodes *nodes, int i)
{
	nodes->at[i] = TMAP_NONE;
	nodes->left--;
}

static bool is_full(const struct tmap_prrte_job *job, int node)
{
	return !job->rq.oversubscribe && job->node[node].slots <= job->node[node].used;
}

static bool is_at_most(const struct tmap_prrte_job *job, int node)
{
	return job->node[node].most != TMAP_NONE && job->node[node].most <= job->node[node].used;
}

static bool is_bound(const struct tmap_prrte_job *job)
{
	return job->rq.bind_to != TMAP_NODE;
}

/* More processes than cpus, but not more than slots: none is bound, unless the user wants it. */
static bool loses_binding(struct tmap_prrte_job *job, int node, int cpus)
{
	if (job->share <= cpus || job->share > job->node[node].open || job->rq.bind_given)
		return false;
	job->required = true;
	return true;
}

static void node_use(struct tmap_prrte_job *job, int node)
{
	if (!job->node[node].mapped)
		job->used[job->used_count++] = node;
	job->node[node].mapped = true;
}

/* Can a process be mapped to the object, or to the node? Of *can, -1 is an error. */
static int node_can_take(struct tmap_prrte_job *job, int node, int object, bool binds, bool *can,
			 struct tmap_error *err)
{
	int cpus = 0, room;

	*can = false;
	if (is_full(job, node))
		return 0;
	if (is_at_most(job, node)) {
		job->failure = TMAP_PRRTE_AT_MOST;
		job->failed_node = node;
		return 0;
	}
	if (tmap_prrte_happen(job, node, binds ? TMAP_PRRTE_COUNT : TMAP_PRRTE_TAKE_ALL, object,
			      &cpus, err) < 0)
		return -1;
	room = cpus / job->cpus_each;
	*can = !binds || job->share < room || job->rq.overload || room > 0;
	if (binds && job->share >= room && !job->rq.overload && room > 0)
		job->share = room;
	if (*can)
		node_use(job, node);
	return 0;
}

static enum tmap_prrte_event binding_event(const struct tmap_prrte_job *job, int node, bool binds)
{
	const struct tmap_prrte_kind *kind = &job->kind[job->node[node].kind];

	if (!binds)
		return job->rq.cpus ? TMAP_PRRTE_BIND_LIST : TMAP_PRRTE_UNBOUND;
	if (!job->rq.bind_given && kind->core.count == 0)
		return TMAP_PRRTE_UNBOUND;
	if (job->rq.map_by == TMAP_PRRTE_MAP_CPUS)
		return TMAP_PRRTE_BIND_LIST;
	if (job->cpus_each > 1)
		return TMAP_PRRTE_BIND_CPUS;
	return job->required ? TMAP_PRRTE_BIND : TMAP_PRRTE_BIND_IF_FREE;
}

/* *made: was the process made? If not, job->failure has the reason. */
static int node_add_process(struct tmap_prrte_job *job, int node, int object, bool binds,
			    bool *made, struct tmap_error *err)
{
	enum tmap_prrte_event event = binding_event(job, node, binds);
	int result;

	if (tmap_prrte_happen(job, node, event, object, &result, err) < 0)
		return -1;
	*made = result >= 0;
	if (*made) {
		job->node[node].used++;
	} else {
		job->failure = (enum tmap_prrte_failure)result;
		job->failed_node = node;
	}
	return 0;
}

/* So many processes to the node as job->share says, at most *rest, one after the other. */
static int node_fill(struct tmap_prrte_job *job, int node, bool binds, int *rest,
		     struct tmap_error *err)
{
	bool made = true;

	for (int i = 0; i < job->share && *rest && !is_full(job, node); i++) {
		if (node_add_process(job, node, TMAP_NONE, binds, &made, err) < 0)
			return -1;
		if (!made)
			break;
		--*rest;
	}
	return 0;
}

/* The node's turn: as many of the rest as job->share says and as there is room for. A node that loses
 * its binding and takes the last of a program takes the binding of those behind it, too. */
static int node_take_turn(struct tmap_prrte_job *job, int node, int *rest, struct tmap_error *err)
{
	bool binds = is_bound(job), can;
	int cpus;

	if (tmap_prrte_happen(job, node, TMAP_PRRTE_VISIT, TMAP_NONE, &cpus, err) < 0)
		return -1;
	if (!job->rq.oversubscribe && job->share > job->node[node].open)
		job->share = job->node[node].open;
	if (tmap_prrte_happen(job, node, TMAP_PRRTE_COUNT, TMAP_NONE, &cpus, err) < 0)
		return -1;
	if (loses_binding(job, node, cpus))
		binds = false;
	if (node_can_take(job, node, TMAP_NONE, binds, &can, err) < 0)
		return -1;
	if (can && node_fill(job, node, binds, rest, err) < 0)
		return -1;
	if (can && *rest == 0 && !binds)
		job->rq.bind_to = TMAP_NODE;
	return 0;
}

/* What is left after the first round is distributed evenly, one more for the first nodes. */
static int map_by_slot(struct tmap_prrte_job *job, struct nodes *nodes, int *rest,
		       struct tmap_error *err)
{
	int each, more;

	for (int i = 0; i < nodes->count && *rest; i++) {
		job->share = job->node[nodes->at[i]].open;
		if (node_take_turn(job, nodes->at[i], rest, err) < 0)
			return -1;
	}
	each = *rest / nodes->left;
	more = *rest % nodes->left;
	for (int i = 0; i < nodes->count && *rest; i++) {
		job->share = each + (i < more);
		if (node_take_turn(job, nodes->at[i], rest, err) < 0)
			return -1;
	}
	return 0;
}

/* Two rounds; the smallest share that a node could take is the next one's, too. */
static int map_by_node(struct tmap_prrte_job *job, struct nodes *nodes, int *rest,
		       struct tmap_error *err)
{
	for (int round = 0; round < 2 && *rest; round++) {
		job->share = *rest / nodes->left ? *rest / nodes->left : 1;
		for (int i = 0; i < nodes->count && *rest; i++)
			if (node_take_turn(job, nodes->at[i], rest, err) < 0)
				return -1;
	}
	return 0;
}

/* One process to each object in turn that has cpus for it. *full: the node's slots are taken,
 * *poor: some object has not the cpus. 1: a process could not be bound, and there is no job. */
static int node_round(struct tmap_prrte_job *job, int node, int *rest, bool *full, bool *poor,
		      bool *progress, struct tmap_error *err)
{
	int objects = job->kind[job->node[node].kind].map.count, cpus;
	bool can, made;

	for (int j = 0; j < objects && *rest && !*full; j++) {
		if (tmap_prrte_happen(job, node, TMAP_PRRTE_COUNT, j, &cpus, err) < 0)
			return -1;
		if (cpus < job->cpus_each && !job->rq.overload) {
			*poor = true;
			continue;
		}
		job->share = 1;
		if (node_can_take(job, node, j, is_bound(job), &can, err) < 0)
			return -1;
		if (!can && job->failure == TMAP_PRRTE_AT_MOST)
			return 1; /* here mpirun of 5.0.7 crashes */
		if (!can)
			continue;
		if (node_add_process(job, node, j, is_bound(job), &made, err) < 0)
			return -1;
		if (!made)
			return 1;
		--*rest;
		*full = is_full(job, node);
		*progress |= !*full;
	}
	return 0;
}

/* Node after node until its slots or its cpus are taken, with SPAN one round on each; again while
 * that gives any. */
static int map_by_object(struct tmap_prrte_job *job, struct nodes *nodes, int *rest,
			 struct tmap_error *err)
{
	bool progress = true;
	int status;

	while (*rest && progress) {
		progress = false;
		for (int i = 0; i < nodes->count; i++) {
			bool full = false, poor = false;
			int node = nodes->at[i], nothing;

			if (node == TMAP_NONE)
				continue;
			if (tmap_prrte_happen(job, node, TMAP_PRRTE_VISIT, TMAP_NONE, &nothing,
					      err) < 0)
				return -1;
			if (job->kind[job->node[node].kind].map.count == 0) {
				nodes_drop(nodes, i);
				continue;
			}
			do {
				status = node_round(job, node, rest, &full, &poor, &progress, err);
				if (status)
					return status;
			} while (*rest && progress && !full && !poor && !job->rq.span);
			if (full)
				nodes_drop(nodes, i);
		}
	}
	return 0;
}

/* All of an object, even where fewer ranks are left. 1: a process could not be bound. */
static int object_fill(struct tmap_prrte_job *job, int node, int object, bool binds, int most,
		       int *rest, struct tmap_error *err)
{
	bool can, made;

	if (node_can_take(job, node, object, binds, &can, err) < 0)
		return -1;
	for (int j = 0; can && j < most && !is_full(job, node); j++) {
		if (node_add_process(job, node, object, binds, &made, err) < 0)
			return -1;
		if (!made)
			return 1;
		--*rest;
	}
	return 0;
}

static int map_by_pattern(struct tmap_prrte_job *job, struct nodes *nodes, int *rest,
			  struct tmap_error *err)
{
	bool whole = job->rq.map_object == TMAP_NODE;

	for (int i = 0; i<nodes->count && * rest> 0; i++) {
		int node = nodes->at[i], cpus, status = 0;
		int objects = whole ? 1 : job->kind[job->node[node].kind].map.count;
		bool binds = is_bound(job);

		if (objects == 0)
			continue;
		job->share = job->rq.ppr > INT_MAX / objects ? INT_MAX : job->rq.ppr * objects;
		if (tmap_prrte_happen(job, node, TMAP_PRRTE_VISIT, TMAP_NONE, &cpus, err) < 0 ||
		    tmap_prrte_happen(job, node, TMAP_PRRTE_COUNT, TMAP_NONE, &cpus, err) < 0)
			return -1;
		if (loses_binding(job, node, cpus))
			binds = false;
		for (int j = 0; j<objects && * rest> 0 && !status; j++)
			status = object_fill(job, node, whole ? TMAP_NONE : j, binds,
					     whole && *rest < job->rq.ppr ? *rest : job->rq.ppr,
					     rest, err);
		if (status)
			return status;
	}
	return 0;
}

/* Behind the end of the list there is no process where it would be bound, and others are not. */
static int node_add_listed(struct tmap_prrte_job *job, int node, int index, bool binds, bool *made,
			   struct tmap_error *err)
{
	int ignored;

	*made = true;
	if (index < tmap_prrte_list_count(job->rq.cpus))
		return node_add_process(job, node, tmap_prrte_list_first(job->rq.cpus, index),
					binds, made, err);
	if (!binds) {
		job->node[node].used++;
		return tmap_prrte_happen(job, node, TMAP_PRRTE_UNBOUND, TMAP_NONE, &ignored, err);
	}
	*made = false;
	job->failure = TMAP_PRRTE_NO_CPU;
	job->failed_node = node;
	return 0;
}

/* On each node the numbers of the list are used up, one by each process. A node that loses its
 * binding takes it from those behind it. */
static int node_take_list(struct tmap_prrte_job *job, int node, int *rest, bool *binds,
			  bool *failed, struct tmap_error *err)
{
	int cpus;
	bool can, made = true;

	if (tmap_prrte_happen(job, node, TMAP_PRRTE_VISIT, TMAP_NONE, &cpus, err) < 0)
		return -1;
	if (!job->rq.oversubscribe && job->share > job->node[node].open)
		job->share = job->node[node].open;
	if (tmap_prrte_happen(job, node, TMAP_PRRTE_COUNT, TMAP_NONE, &cpus, err) < 0)
		return -1;
	if (loses_binding(job, node, cpus))
		*binds = false;
	if (node_can_take(job, node, TMAP_NONE, *binds, &can, err) < 0)
		return -1;
	if (!can)
		*binds = is_bound(job);
	for (int i = 0; can && i < job->share && *rest && !is_full(job, node); i++) {
		if (node_add_listed(job, node, i, *binds, &made, err) < 0)
			return -1;
		if (!made)
			break;
		--*rest;
	}
	*failed = !made;
	return 0;
}

static int map_by_list(struct tmap_prrte_job *job, struct nodes *nodes, int *rest,
		       struct tmap_error *err)
{
	bool failed = false, binds = is_bound(job);
	int each, more;

	for (int i = 0; i < nodes->count && *rest && !failed; i++) {
		job->share = job->rq.ordered || !job->rq.overload ?
			tmap_prrte_list_count(job->rq.cpus) :
			job->node[nodes->at[i]].open;
		if (node_take_list(job, nodes->at[i], rest, &binds, &failed, err) < 0)
			return -1;
	}
	each = *rest / nodes->left;
	more = *rest % nodes->left;
	for (int i = 0; i < nodes->count && *rest && !failed && job->rq.oversubscribe; i++) {
		job->share = each + (i < more);
		if (node_take_list(job, nodes->at[i], rest, &binds, &failed, err) < 0)
			return -1;
	}
	return 0;
}

/* Rank after rank to the program's list. A node without room takes none of the ranks that are left,
 * because the list does not go on: mpirun starts fewer, and they fail. */
static int map_in_sequence(struct tmap_prrte_job *job, const struct tmap_program *program,
			   const struct nodes *nodes, int *rest, struct tmap_error *err)
{
	for (int i = 0; *rest; i++, --*rest) {
		int node = program->sequence ? program->sequence[i] : nodes->at[i], ignored;
		bool can, made;

		if (node == TMAP_NONE)
			return tmap_fail(err, TMAP_INPUT,
					 "host %d of the list is not a node of the job", i + 1);
		if (tmap_prrte_happen(job, node, TMAP_PRRTE_VISIT, TMAP_NONE, &ignored, err) < 0 ||
		    node_can_take(job, node, TMAP_NONE, is_bound(job), &can, err) < 0)
			return -1;
		if (!can && job->failure != TMAP_PRRTE_AT_MOST) {
			job->failure = TMAP_PRRTE_FULL;
			job->failed_node = node;
		}
		if (!can)
			return 1;
		if (node_add_process(job, node, TMAP_NONE, is_bound(job), &made, err) < 0)
			return -1;
		if (!made)
			return 1;
		job->sequence[job->sequence_count++] = node;
	}
	return 0;
}

const char *tmap_prrte_name(const struct tmap_prrte_job *job, enum tmap_type type)
{
	if (type == TMAP_PU && job->cpu_type == TMAP_PU && !job->hwthreads)
		type = TMAP_CORE;
	return type == TMAP_NODE ? "node" : tmap_type_word(TMAP_PRRTE_WORDS, type);
}

/* The first node that the program may use and that has a slot left; where none has, the first; or
 * TMAP_NONE. */
static int node_blame(const struct tmap_prrte_job *job, const struct tmap_program *program)
{
	int count = program->node ? program->node_count : job->machine->node_count;
	int first = TMAP_NONE;

	for (int i = 0; i < count; i++) {
		int n = program->node ? program->node[i] : i;

		if (job->rq.nolocal && n == 0)
			continue;
		if (!is_full(job, n))
			return n;
		first = first == TMAP_NONE ? n : first;
	}
	return first;
}

static void name_list(const struct tmap_prrte_job *job, char name[48])
{
	const char *list = job->rq.cpus;

	snprintf(name, 48, "pe-list=%.*s",
		 (int)strcspn(list, ":") < 36 ? (int)strcspn(list, ":") : 36, list);
}

/* As many ranks as there are items between the commas. */
static int refuse_list(const struct tmap_prrte_job *job, struct tmap_error *err)
{
	int items = tmap_prrte_list_count(job->rq.cpus);
	char name[48];

	name_list(job, name);
	return tmap_fail(err, TMAP_INPUT, "%s has %d item%s, and a node takes one rank for each%s",
			 name, items, items == 1 ? "" : "s",
			 strchr(name, '-') != strrchr(name, '-') ? "; a range is one item" : "");
}

/* What mpirun names where cpus run out; it helps neither with PE and lists nor where an object
 * gets several ranks at once. */
static void name_remedy(const struct tmap_prrte_job *job, char remedy[80])
{
	const char *word = job->rq.bind_to == TMAP_NODE ? "none" :
							  tmap_prrte_name(job, job->rq.bind_to);

	remedy[0] = '\0';
	if (job->rq.map_by == TMAP_PRRTE_MAP_PPR && job->rq.map_object != TMAP_NODE)
		return;
	if (job->cpus_each == 1 && !job->rq.overload && !job->rq.cpus)
		snprintf(remedy, 80, "; --bind-to %s:overload-allowed allows ranks to share cpus",
			 word);
}

/* Why no more ranks are mapped to the node, the first reason that there is. */
static int refuse_node(struct tmap_prrte_job *job, int node, struct tmap_error *err)
{
	const char *name = job->machine->node_name[node];
	const char *object = tmap_prrte_name(job, job->rq.map_object);
	bool is_pattern = job->rq.map_by == TMAP_PRRTE_MAP_PPR;
	bool to_objects = job->rq.map_by == TMAP_PRRTE_MAP_OBJECT ||
		(is_pattern && job->rq.map_object != TMAP_NODE);
	int objects = job->kind[job->node[node].kind].map.count, cpus;
	int used = job->node[node].used;
	char remedy[80];

	if (is_full(job, node))
		return tmap_fail(err, TMAP_INPUT,
				 "node '%s' has %d slot%s and %d rank%s; OVERSUBSCRIBE would allow "
				 "more",
				 name, job->node[node].slots, job->node[node].slots == 1 ? "" : "s",
				 used, used == 1 ? "" : "s");
	if (to_objects && objects == 0)
		return tmap_fail(err, TMAP_INPUT, "node '%s' has no %s to %s to", name, object,
				 job->maps_as_it_binds ? "bind" : "map");
	if (!job->hwthreads && job->kind[job->node[node].kind].core.count == 0)
		return tmap_fail(err, TMAP_INPUT, "node '%s' has no cores, and a rank needs %d",
				 name, job->cpus_each);
	if (job->rq.cpus && used >= tmap_prrte_list_count(job->rq.cpus))
		return refuse_list(job, err);
	if (tmap_prrte_happen(job, node, TMAP_PRRTE_COUNT, to_objects ? 0 : TMAP_NONE, &cpus, err) <
	    0)
		return -1;
	name_remedy(job, remedy);
	if (cpus < job->cpus_each && to_objects)
		return tmap_fail(
			err, TMAP_INPUT,
			"the first %s of node '%s' has %d free cpu%s, and a rank needs %d%s",
			object, name, cpus, cpus == 1 ? "" : "s", job->cpus_each, remedy);
	if (cpus < job->cpus_each)
		return tmap_fail(err, TMAP_INPUT,
				 "node '%s' has %d free cpu%s, and a rank needs %d%s", name, cpus,
				 cpus == 1 ? "" : "s", job->cpus_each, remedy);
	if (is_pattern)
		return tmap_fail(err, TMAP_INPUT, "ppr:%d:%s gives node '%s' %d rank%s and no more",
				 job->rq.ppr, object, name, used, used == 1 ? "" : "s");
	return tmap_fail(err, TMAP_INPUT, "node '%s' takes %d rank%s and no more", name, used,
			 used == 1 ? "" : "s");
}

/* Why ranks are left. */
static int refuse_rest(struct tmap_prrte_job *job, const struct tmap_program *program, int rest,
		       struct tmap_error *err)
{
	const char *name = job->failure ? job->machine->node_name[job->failed_node] : "";
	char remedy[80];
	int node;

	name_remedy(job, remedy);
	switch ((int)job->failure) {
	case TMAP_PRRTE_NO_OBJECT:
		return tmap_fail(err, TMAP_INPUT, "node '%s' has no %s to bind to", name,
				 tmap_prrte_name(job, job->rq.bind_to));
	case TMAP_PRRTE_ACROSS:
		if (job->kind[job->node[job->failed_node].kind].package.count == 0)
			return tmap_fail(
				err, TMAP_INPUT,
				"PE=%d takes cpus of one package where ranks are mapped to "
				"whole nodes, and node '%s' has no package",
				job->cpus_each, name);
		return tmap_fail(err, TMAP_INPUT,
				 "no package of node '%s' has %d free cpus for one more rank", name,
				 job->cpus_each);
	case TMAP_PRRTE_LIST_ACROSS:
		return tmap_fail(err, TMAP_INPUT,
				 "the cpus of pe-list are not in one package of node '%s'", name);
	case TMAP_PRRTE_NO_SUCH_CPU:
		return tmap_fail(err, TMAP_INPUT, "node '%s' lacks a cpu of pe-list", name);
	case TMAP_PRRTE_NO_CPU:
		if (job->rq.cpus)
			return refuse_list(job, err);
		return tmap_fail(err, TMAP_INPUT, "node '%s' has no free cpu for one more rank%s",
				 name, remedy);
	case TMAP_PRRTE_AT_MOST:
		return tmap_fail(
			err, TMAP_INPUT,
			"node '%s' has the %d rank%s that its max_slots=%d allows, and mpirun "
			"fails where it comes to it again",
			name, job->node[job->failed_node].used,
			job->node[job->failed_node].used == 1 ? "" : "s",
			job->node[job->failed_node].most);
	case TMAP_PRRTE_FULL:
		return tmap_fail(err, TMAP_INPUT,
				 "node '%s' has no slot for rank %d of the sequence; OVERSUBSCRIBE "
				 "would allow it",
				 name, job->sequence_count);
	default:
		node = node_blame(job, program);
		if (node != TMAP_NONE && refuse_node(job, node, err) < 0 && err->kind != TMAP_INPUT)
			return -1;
		return tmap_wrap(err, "%d of %d rank%s %s mapped to no node", rest, program->ranks,
				 program->ranks == 1 ? "" : "s", rest == 1 ? "is" : "are");
	}
}

static int map_program(struct tmap_prrte_job *job, struct nodes *nodes,
		       const struct tmap_program *program, struct tmap_error *err)
{
	static int (*const map[])(struct tmap_prrte_job *, struct nodes *, int *,
				  struct tmap_error *) = {
		[TMAP_PRRTE_MAP_SLOT] = map_by_slot,     [TMAP_PRRTE_MAP_NODE] = map_by_node,
		[TMAP_PRRTE_MAP_OBJECT] = map_by_object, [TMAP_PRRTE_MAP_PPR] = map_by_pattern,
		[TMAP_PRRTE_MAP_CPUS] = map_by_list,
	};
	bool in_sequence = job->rq.map_by == TMAP_PRRTE_MAP_SEQ;
	int listed = program->sequence ? program->sequence_count : nodes->count;
	int rest = program->ranks, status;

	if (in_sequence && rest > listed)
		return tmap_fail(
			err, TMAP_INPUT,
			"seq maps one rank to each node of the list, which has %d for %d rank%s",
			listed, rest, rest == 1 ? "" : "s");
	if (!in_sequence && rest > nodes->slots && !job->rq.oversubscribe)
		return tmap_fail(
			err, TMAP_INPUT,
			"%d ranks do not fit on the %lld slot%s of %d node%s; OVERSUBSCRIBE "
			"would allow it",
			rest, (long long)nodes->slots, nodes->slots == 1 ? "" : "s", nodes->count,
			nodes->count == 1 ? "" : "s");
	status = in_sequence ? map_in_sequence(job, program, nodes, &rest, err) :
			       map[job->rq.map_by](job, nodes, &rest, err);
	return status < 0 ? -1 : status || rest > 0 ? refuse_rest(job, program, rest, err) : 0;
}

/* Why no node is left. */
static int refuse_nodes(const struct tmap_prrte_job *job, const struct tmap_program *program,
			struct tmap_error *err)
{
	const struct tmap_machine *machine = job->machine;
	int slots = 0, n;

	for (n = 0; n < machine->node_count; n++)
		slots += job->node[n].slots > 0;
	if (program->node && program->node_count == 0)
		return tmap_fail(err, TMAP_INPUT,
				 "no node is left to map to: none of the program's is the job's");
	if (job->rq.nolocal && machine->node_count == 1)
		return tmap_fail(err, TMAP_INPUT,
				 "no node is left to map to: NOLOCAL leaves out '%s', the only one",
				 machine->node_name[0]);
	if (slots == 0)
		return tmap_fail(err, TMAP_INPUT,
				 "no node is left to map to: node '%s' has no %s, and so no slots; "
				 "--slots gives it some",
				 machine->node_name[0],
				 job->rq.hwthread_slots ? "hardware threads that may be used" :
							  "cores");
	return tmap_fail(err, TMAP_INPUT,
			 "no node is left to map to: their slots are taken by the programs before");
}

/* The nodes that a program may use, and the slots that it may take; where there are none, open keeps
 * what it was. */
static int nodes_find(struct nodes *nodes, struct tmap_prrte_job *job, int program,
		      struct tmap_error *err)
{
	const struct tmap_program *of = &job->program[program];
	bool in_sequence = job->rq.map_by == TMAP_PRRTE_MAP_SEQ, all = in_sequence || !of->node;
	int count = all ? job->machine->node_count : of->node_count, ignored;

	nodes->count = 0;
	nodes->slots = 0;
	for (int i = 0; i < count; i++) {
		int n = all ? i : of->node[i];
		struct tmap_prrte_node *node = &job->node[n];

		if ((job->rq.nolocal && n == 0) || (!in_sequence && is_at_most(job, n)))
			continue;
		if (node->slots > node->used) {
			node->open = of->slots && !all ? of->slots[i] : node->slots - node->used;
			nodes->slots += node->open;
		} else if (!job->rq.oversubscribe && !in_sequence) {
			continue;
		}
		nodes->at[nodes->count++] = n;
		if (program &&
		    tmap_prrte_happen(job, n, TMAP_PRRTE_NEXT, program, &ignored, err) < 0)
			return -1;
	}
	nodes->left = nodes->count;
	return nodes->count ? 0 : refuse_nodes(job, of, err);
}

int tmap_prrte_map(struct tmap_prrte_job *job, struct tmap_error *err)
{
	struct nodes nodes = { 0 };
	int rc = 0;

	nodes.at = tmap_alloc((size_t)job->machine->node_count, sizeof *nodes.at, err);
	if (!nodes.at)
		return -1;
	job->share = job->ranks;
	for (int i = 0; rc == 0 && i < job->program_count; i++) {
		job->failure = (enum tmap_prrte_failure)0;
		rc = nodes_find(&nodes, job, i, err) < 0 ||
				map_program(job, &nodes, &job->program[i], err) < 0 ?
			-1 :
			0;
		if (rc < 0 && job->program_count > 1)
			tmap_wrap(err, "program %d", i);
	}
	free(nodes.at);
	return rc;
}
