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

static int check_network(const struct tmap_placement *p, const char *name, struct tmap_error *err)
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

/* Number the ids that ranks have in the order of their first appearance; returns how many.
 * number[] is all TMAP_NONE before. */
static int number_ids(const struct tmap_placement *p, const int *id_of_node, int *number)
{
	int count = 0;

	for (int rank = 0; rank < p->size; rank++) {
		int id = id_of_node[p->node[rank]];

		if (number[id] == TMAP_NONE)
			number[id] = count++;
	}
	return count;
}

static int *new_numbers(int count, struct tmap_error *err)
{
	int *number = tmap_alloc_raw((size_t)count, sizeof *number, err);

	for (int i = 0; number && i < count; i++)
		number[i] = TMAP_NONE;
	return number;
}

/* items[]: 0 .. count-1 sorted by bin[], stable; first[b] .. first[b + 1] - 1 are in bin b. */
static void sort_into_bins(const int *bin, int count, int bin_count, int *items, int *first)
{
	for (int i = 0; i < count; i++)
		if (bin[i] + 2 <= bin_count)
			first[bin[i] + 2]++;
	for (int b = 2; b <= bin_count; b++)
		first[b] += first[b - 1];
	for (int i = 0; i < count; i++)
		items[first[bin[i] + 1]++] = i;
}

static int allocate(struct tmap_switch_plan *plan, struct tmap_error *err)
{
	size_t groups = (size_t)plan->group_count, switches = (size_t)plan->switch_count;

	plan->rank = tmap_alloc((size_t)plan->size, sizeof *plan->rank, err);
	plan->first_rank = tmap_alloc(switches + 1, sizeof *plan->first_rank, err);
	plan->leader = tmap_alloc(switches, sizeof *plan->leader, err);
	plan->switches = tmap_alloc(switches, sizeof *plan->switches, err);
	plan->first_switch = tmap_alloc(groups + 1, sizeof *plan->first_switch, err);
	plan->groups = tmap_alloc(groups, sizeof *plan->groups, err);
	plan->root_at = tmap_alloc(groups, sizeof *plan->root_at, err);
	plan->group_leader = tmap_alloc(groups, sizeof *plan->group_leader, err);
	return plan->rank && plan->first_rank && plan->leader && plan->switches &&
			plan->first_switch && plan->groups && plan->root_at && plan->group_leader ?
		0 :
		-1;
}

static int fill(struct tmap_switch_plan *plan, const struct tmap_placement *p,
		const int *switch_number, const int *group_number, const int *group_of_node,
		struct tmap_error *err)
{
	const int *switch_of = p->machine->tier[0].switch_of;
	int *of_rank = tmap_alloc((size_t)plan->size, sizeof *of_rank, err);
	int *of_switch = tmap_alloc((size_t)plan->switch_count, sizeof *of_switch, err);
	int status = of_rank && of_switch ? allocate(plan, err) : -1;

	for (int rank = 0; rank < plan->size && status == 0; rank++) {
		of_rank[rank] = switch_number[switch_of[p->node[rank]]];
		of_switch[of_rank[rank]] =
			group_of_node ? group_number[group_of_node[p->node[rank]]] : 0;
	}
	if (status == 0) {
		sort_into_bins(of_rank, plan->size, plan->switch_count, plan->rank,
			       plan->first_rank);
		sort_into_bins(of_switch, plan->switch_count, plan->group_count, plan->switches,
			       plan->first_switch);
		for (int s = 0; s < plan->switch_count; s++)
			plan->leader[s] = plan->rank[plan->first_rank[s]];
		plan->leader[of_rank[plan->root]] = plan->root;
		plan->root_group_at = of_switch[of_rank[plan->root]];
	}
	free(of_rank);
	free(of_switch);
	return status;
}

/* Where the switch of the root stands in its group; other groups lead from their first. */
static void find_roots(struct tmap_switch_plan *plan)
{
	for (int g = 0; g < plan->group_count; g++) {
		plan->groups[g] = g;
		for (int i = plan->first_switch[g]; i < plan->first_switch[g + 1]; i++)
			if (plan->leader[plan->switches[i]] == plan->root)
				plan->root_at[g] = i - plan->first_switch[g];
		plan->group_leader[g] =
			plan->leader[plan->switches[plan->first_switch[g] + plan->root_at[g]]];
	}
}

int tmap_switch_plan_init(struct tmap_switch_plan *plan, const struct tmap_placement *p, int root,
			  const char *name, struct tmap_error *err)
{
	const struct tmap_tier *tier = p->machine->tier;
	bool grouped = p->machine->tier_count > 1;
	int *switch_number, *group_number, status = -1;

	*plan = (struct tmap_switch_plan){ .size = p->size, .root = root, .group_count = 1 };
	if (check_network(p, name, err) < 0)
		return -1;
	switch_number = new_numbers(tier[0].switch_count, err);
	group_number = new_numbers(grouped ? tier[1].switch_count : 0, err);
	if (switch_number && group_number) {
		plan->switch_count = number_ids(p, tier[0].switch_of, switch_number);
		if (grouped)
			plan->group_count = number_ids(p, tier[1].switch_of, group_number);
		status = fill(plan, p, switch_number, group_number,
			      grouped ? tier[1].switch_of : NULL, err);
	}
	if (status == 0)
		find_roots(plan);
	free(switch_number);
	free(group_number);
	return status;
}

static void swap(int *a, int *b)
{
	int kept = *a;

	*a = *b;
	*b = kept;
}

/* MPICH's exchange sort, larger first: it is not stable, so its steps count. */
static void sort_larger_first(int *item, int count, int from, const int *weight)
{
	for (int i = from; i < count; i++)
		for (int j = i + 1; j < count; j++)
			if (weight[item[i]] < weight[item[j]])
				swap(&item[i], &item[j]);
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
		swap(&list[0], &list[plan->root_at[g]]);
		sort_larger_first(list, count, plan->leader[list[0]] == plan->root, ranks);
		plan->root_at[g] = 0;
		plan->group_leader[g] = plan->leader[list[0]];
	}
	if (status == 0) {
		swap(&plan->groups[0], &plan->groups[plan->root_group_at]);
		sort_larger_first(plan->groups, plan->group_count, 1, group_ranks);
		plan->root_group_at = 0;
	}
	free(ranks);
	free(group_ranks);
	return status;
}
