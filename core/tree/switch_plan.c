/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/switch_plan.h"

#include "core/base/mem.h"

#include <stdlib.h>

void tmap_switch_plan_fini(struct tmap_switch_plan *plan)
{
	free(plan->rank);
	free(plan->first_rank);
	free(plan->leader);
	free(plan->switches);
	free(plan->first_switch);
	free(plan->groups);
	free(plan->root_at);
	free(plan->group_leader);
}

static int switch_plan_check_network(const struct tmap_placement *p, const char *name,
				     struct tmap_error *err)
{
	const struct tmap_machine *machine = p->machine;

	if (!machine->tier_count)
		return tmap_fail(err, TMAP_INPUT,
				 "%s needs the switches of the network, and none "
				 "are known: MPICH would take another tree",
				 name);
	for (int rank = 0; rank < p->size; rank++)
		for (int tier = 0; tier < machine->tier_count && tier < 2; tier++)
			if (machine->tier[tier].switch_of[p->node[rank]] == TMAP_NONE)
				return tmap_fail(err, TMAP_INPUT,
						 "%s needs the switch of every node, "
						 "and that of '%s' in tier '%s' is unknown: MPICH "
						 "would take another tree",
						 name, machine->node_name[p->node[rank]],
						 machine->tier[tier].name);
	return 0;
}

/* The sets of ranks (or switches) with equal keys, numbered by their first members, as lists:
 * *count, first[count + 1] and member[], the caller's to free. The keys are used up. */
static int sets_list(int *key, int size, int limit, int *count, int **first, int **member,
		     struct tmap_error *err)
{
	struct tmap_partition sets;

	if (!key || tmap_partition_init_take(&sets, key, size, limit, err) < 0)
		return -1;
	if (tmap_partition_list(&sets, err) < 0) {
		tmap_partition_fini(&sets);
		return -1;
	}
	*count = sets.count;
	*first = sets.first;
	*member = sets.member;
	sets.first = sets.member = NULL;
	tmap_partition_fini(&sets);
	return 0;
}

static int switch_plan_list(struct tmap_switch_plan *plan, const struct tmap_placement *p,
			    struct tmap_error *err)
{
	const struct tmap_tier *tier = p->machine->tier;
	bool grouped = p->machine->tier_count > 1;
	int *key = tmap_alloc_raw((size_t)plan->size, sizeof *key, err);

	for (int r = 0; key && r < plan->size; r++)
		key[r] = tier[0].switch_of[p->node[r]];
	if (sets_list(key, plan->size, tier[0].switch_count, &plan->switch_count, &plan->first_rank,
		      &plan->rank, err) < 0)
		return -1;
	plan->leader = tmap_alloc_raw((size_t)plan->switch_count, sizeof *plan->leader, err);
	key = tmap_alloc_raw((size_t)plan->switch_count, sizeof *key, err);
	if (!plan->leader) {
		free(key);
		return -1;
	}
	for (int s = 0; key && s < plan->switch_count; s++) {
		plan->leader[s] = plan->rank[plan->first_rank[s]];
		key[s] = grouped ? tier[1].switch_of[p->node[plan->leader[s]]] : 0;
	}
	return sets_list(key, plan->switch_count, grouped ? tier[1].switch_count : 1,
			 &plan->group_count, &plan->first_switch, &plan->switches, err);
}

/* The switch of the root leads its group; other groups are led by their first. */
static int switch_plan_find_roots(struct tmap_switch_plan *plan, const struct tmap_placement *p,
				  struct tmap_error *err)
{
	const int *switch_of = p->machine->tier[0].switch_of;
	size_t groups = (size_t)plan->group_count;

	plan->groups = tmap_alloc_raw(groups, sizeof *plan->groups, err);
	plan->root_at = tmap_alloc(groups, sizeof *plan->root_at, err);
	plan->group_leader = tmap_alloc_raw(groups, sizeof *plan->group_leader, err);
	if (!plan->groups || !plan->root_at || !plan->group_leader)
		return -1;
	for (int g = 0; g < plan->group_count; g++) {
		plan->groups[g] = g;
		for (int i = plan->first_switch[g]; i < plan->first_switch[g + 1]; i++) {
			int s = plan->switches[i];

			if (switch_of[p->node[plan->leader[s]]] != switch_of[p->node[plan->root]])
				continue;
			plan->leader[s] = plan->root;
			plan->root_at[g] = i - plan->first_switch[g];
			plan->root_group_at = g;
		}
		plan->group_leader[g] =
			plan->leader[plan->switches[plan->first_switch[g] + plan->root_at[g]]];
	}
	return 0;
}

int tmap_switch_plan_init(struct tmap_switch_plan *plan, const struct tmap_placement *p, int root,
			  const char *name, struct tmap_error *err)
{
	*plan = (struct tmap_switch_plan){ .size = p->size, .root = root };
	if (switch_plan_check_network(p, name, err) < 0 || switch_plan_list(plan, p, err) < 0)
		return -1;
	return switch_plan_find_roots(plan, p, err);
}

static void items_swap(int *a, int *b)
{
	int kept = *a;

	*a = *b;
	*b = kept;
}

/* MPICH's exchange sort, larger first: it is not stable, so its steps count. */
static void items_larger_first(int *item, int count, int from, const int *weight)
{
	for (int i = from; i < count; i++)
		for (int j = i + 1; j < count; j++)
			if (weight[item[i]] < weight[item[j]])
				items_swap(&item[i], &item[j]);
}

int tmap_switch_plan_reorder(struct tmap_switch_plan *plan, struct tmap_error *err)
{
	int *ranks = tmap_alloc((size_t)plan->switch_count, sizeof *ranks, err);
	int *group_ranks = tmap_alloc((size_t)plan->group_count, sizeof *group_ranks, err);
	int status = ranks && group_ranks ? 0 : -1;

	for (int s = 0; s < plan->switch_count && status == 0; s++)
		ranks[s] = plan->first_rank[s + 1] - plan->first_rank[s];
	for (int g = 0; g < plan->group_count && status == 0; g++) {
		int *list = plan->switches + plan->first_switch[g];
		int count = plan->first_switch[g + 1] - plan->first_switch[g];

		for (int i = 0; i < count; i++)
			group_ranks[g] += ranks[list[i]];
		items_swap(&list[0], &list[plan->root_at[g]]);
		items_larger_first(list, count, plan->leader[list[0]] == plan->root, ranks);
		plan->root_at[g] = 0;
		plan->group_leader[g] = plan->leader[list[0]];
	}
	if (status == 0) {
		items_swap(&plan->groups[0], &plan->groups[plan->root_group_at]);
		items_larger_first(plan->groups, plan->group_count, 1, group_ranks);
		plan->root_group_at = 0;
	}
	free(ranks);
	free(group_ranks);
	return status;
}
