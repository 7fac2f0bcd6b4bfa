/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/smp_work.h"

#include "core/base/mem.h"

#include <stdlib.h>

void tmap_smp_work_fini(struct tmap_smp_work *work)
{
	tmap_lanes_fini(&work->nodes);
	free(work->leader);
	free(work->swapped);
	free(work->lead_at);
	free(work->slice);
	free(work->others);
	free(work->others_first);
}

static int compare_ranks(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The place of a rank among those of its node. */
static int rank_find_place(const struct tmap_lanes *nodes, int rank, int *node)
{
	for (int i = 0; i < nodes->node_count; i++)
		for (int at = nodes->first[i]; at < nodes->first[i + 1]; at++)
			if (nodes->rank[at] == rank) {
				*node = i;
				return at - nodes->first[i];
			}
	return TMAP_NONE;
}

/* Leaders; a node's own is lead_at[node] from its first rank on. Of nodes too small for the root's
 * column it is the first, until tmap_smp_check() refuses them. */
static void leaders_find(struct tmap_smp_work *work)
{
	bool column = work->lead == TMAP_SMP_COLUMN || work->lead == TMAP_SMP_SWAPPED;

	work->root_place = rank_find_place(&work->nodes, work->call->root, &work->root_node);
	for (int i = 0; i < work->nodes.node_count; i++) {
		int ranks = work->nodes.first[i + 1] - work->nodes.first[i];

		work->lead_at[i] = column && work->root_place < ranks ? work->root_place : 0;
		work->leader[i] = work->nodes.rank[work->nodes.first[i] + work->lead_at[i]];
	}
	work->root_leader = work->leader[work->root_node];
	qsort(work->leader, (size_t)work->nodes.node_count, sizeof *work->leader, compare_ranks);
	work->root_at = 0;
	if (work->lead != TMAP_SMP_FIRST || work->plan->step[0].where == TMAP_SMP_FROM_ROOT)
		while (work->leader[work->root_at] != work->root_leader)
			work->root_at++;
	for (int i = 0; i < work->nodes.node_count; i++)
		work->swapped[i] = work->leader[i];
	work->swapped[0] = work->leader[work->root_at];
	work->swapped[work->root_at] = work->leader[0];
}

/* The ranks of all nodes but the root's. */
static int others_find(struct tmap_smp_work *work, struct tmap_error *err)
{
	const struct tmap_lanes *nodes = &work->nodes;
	int count = 0, ranks = 0;

	work->others = tmap_alloc_raw((size_t)work->call->size, sizeof *work->others, err);
	work->others_first =
		tmap_alloc_raw((size_t)nodes->node_count, sizeof *work->others_first, err);
	if (!work->others || !work->others_first)
		return -1;
	work->others_first[0] = 0;
	for (int i = 0; i < nodes->node_count; i++) {
		if (i == work->root_node)
			continue;
		for (int at = nodes->first[i]; at < nodes->first[i + 1]; at++)
			work->others[ranks++] = nodes->rank[at];
		work->others_first[++count] = ranks;
	}
	return 0;
}

int tmap_smp_work_init(struct tmap_smp_work *work, const struct tmap_call *call,
		       struct tmap_error *err)
{
	struct tmap_smp_work made = { .call = call,
				      .plan = tmap_smp_plan(call),
				      .lead = (enum tmap_smp_lead)tmap_smp_value(call, "lead") };
	size_t nodes;

	if (tmap_lanes_init(&made.nodes, call->metric->placement, TMAP_NONE, err) < 0)
		return -1;
	nodes = (size_t)made.nodes.node_count;
	made.across[1] = made.nodes.node_count;
	made.leader = tmap_alloc_raw(nodes, sizeof *made.leader, err);
	made.swapped = tmap_alloc_raw(nodes, sizeof *made.swapped, err);
	made.lead_at = tmap_alloc_raw(nodes, sizeof *made.lead_at, err);
	made.slice = tmap_alloc_raw(nodes, sizeof *made.slice, err);
	if (!made.leader || !made.swapped || !made.lead_at || !made.slice) {
		tmap_smp_work_fini(&made);
		return -1;
	}
	leaders_find(&made);
	if (made.lead == TMAP_SMP_LATE && others_find(&made, err) < 0) {
		tmap_smp_work_fini(&made);
		return -1;
	}
	*work = made;
	return 0;
}

/* Libnbc, which has reductions and all but the first segment of a broadcast, swaps. */
static bool step_is_swapped(const struct tmap_smp_work *work, const struct tmap_smp_step *step,
			    int64_t segment)
{
	return step->where == TMAP_SMP_BETWEEN && work->lead == TMAP_SMP_SWAPPED &&
		(step->collective == TMAP_REDUCE || segment > 0);
}

struct tmap_comms tmap_smp_teams(const struct tmap_smp_work *work, const struct tmap_smp_step *step,
				 int64_t segment)
{
	int later = step->where == TMAP_SMP_WITHIN_LATER;

	if (step_is_swapped(work, step, segment))
		return (struct tmap_comms){ 1, work->across, work->swapped, NULL };
	if (step->where == TMAP_SMP_BETWEEN)
		return (struct tmap_comms){ 1, work->across, work->leader, &work->root_at };
	if (step->where == TMAP_SMP_WITHIN_LATE)
		return (struct tmap_comms){ 1, work->nodes.first + work->root_node,
					    work->nodes.rank, &work->root_place };
	if (work->others)
		return (struct tmap_comms){ work->nodes.node_count - 1, work->others_first,
					    work->others, work->lead_at };
	return (struct tmap_comms){ work->nodes.node_count - later, work->nodes.first + later,
				    work->nodes.rank, work->lead_at + later };
}
