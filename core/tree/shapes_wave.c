/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/shapes.h"

#include "core/base/mem.h"
#include "core/tree/switch_plan.h"

#include <stdlib.h>

/* The ranks under one switch that the wave has reached: a heap by the time at which each may
 * send next. Equal times fall as MPICH's heap lets them fall. */
struct reached {
	int rank;
	int64_t time;
};

struct reached_heap {
	struct reached *item;
	int count;
};

static void reached_heap_insert(struct reached_heap *heap, struct reached item)
{
	int at = heap->count++;

	for (; at && item.time < heap->item[(at - 1) / 2].time; at = (at - 1) / 2)
		heap->item[at] = heap->item[(at - 1) / 2];
	heap->item[at] = item;
}

/* Put the top, whose time has grown, into its place. */
static void reached_heap_sink(struct reached_heap *heap)
{
	int at = 0, least = 0;

	do {
		struct reached kept = heap->item[at];

		heap->item[at] = heap->item[least];
		heap->item[least] = kept;
		at = least;
		if (2 * at + 1 < heap->count && heap->item[2 * at + 1].time < heap->item[at].time)
			least = 2 * at + 1;
		if (2 * at + 2 < heap->count &&
		    heap->item[2 * at + 2].time < heap->item[least].time)
			least = 2 * at + 2;
	} while (least != at);
}

/*
 * The wave reaches switch after switch, group after group. All ranks of the switch whose
 * turn it is are equally far from any one sender, so each in its order takes the sender
 * that would reach it first: the earliest of the senders' heaps plus its latency, the
 * first of equal ones. A tournament over the heaps finds it in O(log switches).
 */
struct wave {
	int heap_count;
	struct reached_heap *heap; /* [heap_count], in the order of the wave */
	int leaves;                /* a power of two >= heap_count */
	int *first;                /* [2 x leaves]: heap with the earliest top, or TMAP_NONE */
	const int64_t *value;      /* overhead, latency between groups, between switches, within */
	int group_from;            /* first heap of the current switch's group */
	int current;               /* heap of the current switch */
};

static int wave_earlier(const struct wave *wave, int a, int b)
{
	if (a == TMAP_NONE || b == TMAP_NONE)
		return a == TMAP_NONE ? b : a;
	return wave->heap[b].item[0].time < wave->heap[a].item[0].time ? b : a;
}

static void wave_update(struct wave *wave, int heap)
{
	int at = wave->leaves + heap;

	wave->first[at] = heap;
	for (at /= 2; at; at /= 2)
		wave->first[at] = wave_earlier(wave, wave->first[2 * at], wave->first[2 * at + 1]);
}

/* The heap of [from, end) with the earliest top, the first of equal ones. */
static int wave_earliest(const struct wave *wave, int from, int end)
{
	int left = TMAP_NONE, right = TMAP_NONE;

	for (from += wave->leaves, end += wave->leaves; from < end; from /= 2, end /= 2) {
		if (from & 1)
			left = wave_earlier(wave, left, wave->first[from++]);
		if (end & 1)
			right = wave_earlier(wave, wave->first[--end], right);
	}
	return wave_earlier(wave, left, right);
}

static void wave_reach(struct wave *wave, struct tmap_tree *tree, int *served, int rank)
{
	const int ends[] = { 0, wave->group_from, wave->current, wave->current + 1 };
	int64_t best_time = 0;
	int best = TMAP_NONE;
	struct reached *from;

	for (int i = 0; i < 3; i++) {
		int heap = wave_earliest(wave, ends[i], ends[i + 1]);
		int64_t time;

		if (heap == TMAP_NONE)
			continue;
		time = wave->heap[heap].item[0].time + wave->value[1 + i] + 2 * wave->value[0];
		if (best == TMAP_NONE || time < best_time) {
			best = heap;
			best_time = time;
		}
	}
	from = &wave->heap[best].item[0];
	tree->parent[rank] = from->rank;
	tree->turn[rank] = served[from->rank]++;
	from->time += wave->value[0];
	reached_heap_sink(&wave->heap[best]);
	wave_update(wave, best);
	reached_heap_insert(&wave->heap[wave->current], (struct reached){ rank, best_time });
	wave_update(wave, wave->current);
}

static int wave_init(struct wave *wave, const struct tmap_switch_plan *plan, struct reached **items,
		     struct tmap_error *err)
{
	size_t switches = (size_t)plan->switch_count;

	wave->leaves = 1;
	while (wave->leaves < plan->switch_count)
		wave->leaves *= 2;
	wave->heap = tmap_alloc(switches, sizeof *wave->heap, err);
	wave->first = tmap_alloc_raw(2 * (size_t)wave->leaves, sizeof *wave->first, err);
	*items = tmap_alloc_raw((size_t)plan->size, sizeof **items, err);
	for (int i = 0; wave->first && i < 2 * wave->leaves; i++)
		wave->first[i] = TMAP_NONE;
	return wave->heap && wave->first && *items ? 0 : -1;
}

static void wave_flood(struct wave *wave, const struct tmap_switch_plan *plan,
		       struct reached *items, struct tmap_tree *tree, int *served)
{
	for (int i = 0; i < plan->group_count; i++) {
		int group = plan->groups[i];

		wave->group_from = wave->heap_count;
		for (int j = plan->first_switch[group]; j < plan->first_switch[group + 1]; j++) {
			int from = plan->first_rank[plan->switches[j]];
			int end = plan->first_rank[plan->switches[j] + 1];

			wave->current = wave->heap_count++;
			wave->heap[wave->current].item = items + from;
			if (!wave->current) {
				reached_heap_insert(&wave->heap[0],
						    (struct reached){ plan->root, 0 });
				wave_update(wave, 0);
			}
			for (int r = from; r < end; r++)
				if (plan->rank[r] != plan->root)
					wave_reach(wave, tree, served, plan->rank[r]);
		}
	}
}

int tmap_shape_topology_wave(struct tmap_tree *tree, const struct tmap_spec *choice,
			     const struct tmap_placement *placement, struct tmap_error *err)
{
	struct tmap_switch_plan plan;
	struct wave wave = { .value = choice->value };
	struct reached *items = NULL;
	int *served = NULL;
	int status = tmap_switch_plan_init(&plan, placement, tree->root, "topology_wave", err);

	if (status == 0)
		status = tmap_switch_plan_reorder(&plan, err);
	if (status == 0 && tree->size > 1 &&
	    plan.first_rank[plan.switches[plan.first_switch[plan.groups[0]]] + 1] -
			    plan.first_rank[plan.switches[plan.first_switch[plan.groups[0]]]] ==
		    1)
		status = tmap_fail(err, TMAP_INPUT,
				   "topology_wave needs another rank under the switch "
				   "of root %d: MPICH would take another tree",
				   tree->root);
	if (status == 0)
		status = wave_init(&wave, &plan, &items, err);
	if (status == 0)
		served = tmap_alloc((size_t)tree->size, sizeof *served, err);
	if (served)
		wave_flood(&wave, &plan, items, tree, served);
	free(served);
	free(items);
	free(wave.heap);
	free(wave.first);
	tmap_switch_plan_fini(&plan);
	return served ? 0 : -1;
}
