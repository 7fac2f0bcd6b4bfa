/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* The kind of the fastest core that no rank of the node may run on; TMAP_NONE: there is none. */
static int fastest_idle(const struct tmap_topology *topo, const struct tmap_idset *taken)
{
	int best = TMAP_NONE;

	for (int i = 0; i < topo->pu_count; i++) {
		int core = tmap_topology_ancestor(topo, topo->pu[i].object, TMAP_CORE);
		int first = core == TMAP_NONE ? i : topo->object[core].first_pu;
		int end = core == TMAP_NONE ? i + 1 : topo->object[core].end_pu;
		int next = tmap_idset_next(taken, first - 1);

		if (topo->pu[i].allowed && topo->pu[i].kind > best &&
		    (next == TMAP_NONE || next >= end))
			best = topo->pu[i].kind;
	}
	return best;
}

static int fastest_of(const struct tmap_topology *topo, const struct tmap_place *place)
{
	int best = TMAP_NONE;

	for (int i = 0; i < topo->pu_count; i++)
		if (tmap_idset_contains(&place->pus, topo->pu[i].os) && topo->pu[i].kind > best)
			best = topo->pu[i].kind;
	return best;
}

/* How many cores are of this kind, or faster. */
static int count_as_fast(const struct tmap_topology *topo, int kind)
{
	int count = 0;

	for (int i = 0; i < topo->pu_count; i++)
		count += topo->pu[i].kind >= kind && tmap_room_begins_core(topo, i);
	return count;
}

/* Of as many cores as ranks take, the fastest of the node, the slowest kind. */
static int slowest_needed(const struct tmap_topology *topo, const struct tmap_node_use *use)
{
	int kind = topo->kind_count - 1;

	while (kind > 0 && count_as_fast(topo, kind) < use->cores - use->idle_cores)
		kind--;
	return kind;
}

/* The kinds of the cores that ranks are on: of each place the fastest, of each class of nodes the
 * fastest that is idle, the slowest that its ranks need, and one to which most of them could move. */
struct kinds {
	int *of_place;        /* [place_count] */
	int *idle_of_class;   /* [class_count] */
	int *needed_of_class; /* [class_count] */
	int *better_of_class; /* [class_count]; TMAP_NONE: there is none */
};

static void kinds_fini(struct kinds *it)
{
	free(it->of_place);
	free(it->idle_of_class);
	free(it->needed_of_class);
	free(it->better_of_class);
}

/* The fastest kind of which more than half as many cores, or of faster ones, are idle as are taken of slower
 * ones; a few that are left for the system, or for other jobs, are no such kind. */
static int better_kind(const struct tmap_topology *topo, const struct tmap_idset *taken)
{
	for (int kind = topo->kind_count - 1; kind > 0; kind--) {
		int idle = 0, slow = 0;

		for (int i = 0; i < topo->pu_count; i++) {
			int core = tmap_topology_ancestor(topo, topo->pu[i].object, TMAP_CORE);
			int end = core == TMAP_NONE ? i + 1 : topo->object[core].end_pu;
			int next = tmap_idset_next(taken, i - 1);
			bool is_taken = next != TMAP_NONE && next < end;

			if (!topo->pu[i].allowed || !tmap_room_begins_core(topo, i) ||
			    topo->pu[i].kind == TMAP_NONE)
				continue;
			idle += topo->pu[i].kind >= kind && !is_taken;
			slow += topo->pu[i].kind < kind && is_taken;
		}
		if (2 * idle > slow)
			return kind;
	}
	return TMAP_NONE;
}

static int kinds_init(struct kinds *it, const struct tmap_inspection *inspection,
		      struct tmap_error *err)
{
	const struct tmap_placement *p = inspection->placement;
	const struct tmap_node_fold *fold = &inspection->fold;
	int status;

	it->of_place = tmap_alloc_raw((size_t)p->place_count, sizeof *it->of_place, err);
	it->idle_of_class =
		tmap_alloc_raw((size_t)fold->class_count, sizeof *it->idle_of_class, err);
	it->needed_of_class =
		tmap_alloc_raw((size_t)fold->class_count, sizeof *it->needed_of_class, err);
	it->better_of_class =
		tmap_alloc_raw((size_t)fold->class_count, sizeof *it->better_of_class, err);
	status = it->of_place && it->idle_of_class && it->needed_of_class && it->better_of_class ?
		0 :
		-1;
	for (int i = 0; i < p->place_count && status == 0; i++)
		it->of_place[i] =
			fastest_of(&p->machine->topology[p->places[i].topology], &p->places[i]);
	for (int c = 0; c < fold->class_count && status == 0; c++) {
		const struct tmap_topology *topo =
			tmap_machine_topology(p->machine, fold->example[c]);
		struct tmap_node_use use = { 0 };

		it->idle_of_class[c] = it->needed_of_class[c] = it->better_of_class[c] = TMAP_NONE;
		if (topo->kind_count < 2)
			continue;
		status = tmap_node_use_find(&use, p, fold, fold->example[c], err);
		if (status == 0) {
			it->idle_of_class[c] = fastest_idle(topo, &use.taken);
			it->needed_of_class[c] = slowest_needed(topo, &use);
			it->better_of_class[c] = better_kind(topo, &use.taken);
		}
		tmap_node_use_fini(&use);
	}
	if (status < 0)
		kinds_fini(it);
	return status;
}

static bool is_faster_idle(const struct kinds *it, const struct tmap_inspection *inspection,
			   int rank)
{
	const struct tmap_placement *p = inspection->placement;
	int kind = it->of_place[p->place[rank]];

	return kind != TMAP_NONE &&
		kind < it->idle_of_class[inspection->fold.class_of[p->node[rank]]];
}

/* On a slower core than the ranks of its node need: others are idle that are as fast, for all of them
 * or for most. */
static bool is_slow(const struct kinds *it, const struct tmap_inspection *inspection, int rank)
{
	const struct tmap_placement *p = inspection->placement;
	int kind = it->of_place[p->place[rank]], class = inspection->fold.class_of[p->node[rank]];

	return kind != TMAP_NONE &&
		(kind < it->needed_of_class[class] || kind < it->better_of_class[class]);
}

/* Put the first PUs of @p count cores into @p fast, the fastest first and of equals those that are
 * taken. */
static int cores_pick(struct tmap_idset *fast, const struct tmap_topology *topo,
		      const struct tmap_idset *taken, int count, struct tmap_error *err)
{
	for (int kind = topo->kind_count - 1; kind >= TMAP_NONE; kind--)
		for (int idle = 0; idle < 2; idle++)
			for (int i = 0; i < topo->pu_count && count > 0; i++) {
				if (topo->pu[i].kind != kind || !tmap_room_begins_core(topo, i) ||
				    tmap_idset_contains(taken, i) == (idle == 1))
					continue;
				if (tmap_idset_add(fast, topo->pu[i].os, err) < 0)
					return -1;
				count--;
			}
	return 0;
}

/* Ranks of one core each, on nodes that are alike: the cores, and the command that binds to them. */
static char *slow_cores_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			    struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_topology *topo = tmap_placement_topology(p, 0);
	struct tmap_idset fast = { 0 };
	struct tmap_node_use use = { 0 };
	bool has_room = count_as_fast(topo, topo->kind_count - 1) >= it->order.ranks_max;
	char *names = NULL, *text = NULL, *fix = NULL;

	if (it->parts.count || !it->order.regular || it->fold.class_count > 1 ||
	    tmap_room_cores_needed(it) > 1)
		return tmap_lint_fix(finding, finding->rule->fix, err);
	if (tmap_node_use_find(&use, p, &it->fold, p->node[0], err) < 0)
		return NULL;
	if (cores_pick(&fast, topo, &use.taken, it->order.ranks_max, err) == 0)
		names = tmap_idset_print(&fast, err);
	if (names)
		text = tmap_format(err, "bind the %d rank%s of %s to the %s cores, PUs P#%s",
				   it->order.ranks_max, it->order.ranks_max == 1 ? "" : "s",
				   it->order.used_nodes == 1 ? "the node" : "each node",
				   has_room ? "fast" : "fastest", names);
	if (text)
		fix = tmap_lint_pick_fix(finding, it, text, &fast, err);
	free(text);
	free(names);
	tmap_idset_fini(&fast);
	tmap_node_use_fini(&use);
	return fix;
}

int tmap_lint_is_on_slow_cores(bool *is_found, const struct tmap_inspection *it,
			       struct tmap_error *err)
{
	struct kinds kinds;

	if (kinds_init(&kinds, it, err) < 0)
		return -1;
	*is_found = false;
	for (int r = 0; r < it->placement->size && !*is_found; r++)
		*is_found = is_slow(&kinds, it, r);
	kinds_fini(&kinds);
	return 0;
}

enum tmap_lint_answer tmap_lint_slow_cores(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int example = TMAP_NONE, status = 0;
	struct kinds kinds;

	if (kinds_init(&kinds, it, err) < 0)
		return TMAP_LINT_FAILED;
	for (int r = 0; r < p->size && status == 0; r++) {
		if (!is_slow(&kinds, it, r))
			continue;
		example = example == TMAP_NONE ? r : example;
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	kinds_fini(&kinds);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	finding->fix = slow_cores_fix(finding, it, err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding,
		tmap_format(err,
			    "bound to slow cores while faster ones of their node are idle "
			    "(rank %d on %s)",
			    example, p->machine->node_name[p->node[example]]),
		err);
}

/* [parts, at least one]: the fastest kind that a rank of each program is on. */
static int *parts_find_fastest(const struct kinds *kinds, const struct tmap_inspection *it,
			       struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int count = it->parts.count ? it->parts.count : 1;
	int *fastest = tmap_alloc_raw((size_t)count, sizeof *fastest, err);

	for (int i = 0; fastest && i < count; i++)
		fastest[i] = TMAP_NONE;
	for (int r = 0; fastest && r < p->size; r++) {
		int part = tmap_mpmd_of(&it->parts, p, r), kind = kinds->of_place[p->place[r]];

		fastest[part] = kind > fastest[part] ? kind : fastest[part];
	}
	return fastest;
}

enum tmap_lint_answer tmap_lint_unequal_cores(struct tmap_finding *finding,
					      const struct tmap_inspection *it,
					      struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int *fastest, example = TMAP_NONE, status;
	struct kinds kinds;

	if (kinds_init(&kinds, it, err) < 0)
		return TMAP_LINT_FAILED;
	fastest = parts_find_fastest(&kinds, it, err);
	status = fastest ? 0 : -1;
	for (int r = 0; r < p->size && status == 0; r++) {
		int kind = kinds.of_place[p->place[r]];

		if (kind == TMAP_NONE || kind >= fastest[tmap_mpmd_of(&it->parts, p, r)] ||
		    is_faster_idle(&kinds, it, r))
			continue;
		example = example == TMAP_NONE ? r : example;
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	free(fastest);
	kinds_fini(&kinds);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	return tmap_lint_found_take(
		finding,
		tmap_format(err,
			    "bound to slower cores than others (rank %d on %s), and no faster one "
			    "is idle",
			    example, p->machine->node_name[p->node[example]]),
		err);
}
