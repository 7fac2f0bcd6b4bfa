/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/shapes.h"

#include "core/base/mem.h"
#include "core/tree/switch_plan.h"

#include <stdlib.h>

/* A k-ary tree over list[0 .. count-1], rooted at list[root], whose root has k0 children.
 * member[] gives the rank of a list entry; NULL: the entries are ranks. */
struct kary {
	const int *list, *member;
	int count, root;
	int64_t k0, k;
};

static int kary_rank(const struct kary *kary, int64_t at)
{
	int entry = kary->list[(at + kary->root) % kary->count];

	return kary->member ? kary->member[entry] : entry;
}

static void kary_link(struct tmap_tree *tree, int *served, struct kary kary)
{
	if (kary.count <= 2 || kary.k0 >= kary.k)
		kary.k0 = kary.k;
	for (int64_t at = 1; at < kary.count; at++) {
		int rank = kary_rank(&kary, at);
		int parent = kary_rank(&kary, (at - 1 + kary.k - kary.k0) / kary.k);

		tree->parent[rank] = parent;
		tree->turn[rank] = served[parent]++;
	}
}

/* k for the groups, the switches of a group and the ranks of a switch; k0 for their roots. */
struct degrees {
	int64_t groups, switches, switches_root, ranks;
	bool shared; /* the root of a switch has the rest of its ranks' k */
};

static void switches_link(struct tmap_tree *tree, const struct tmap_switch_plan *plan, int *served,
			  const struct degrees *k)
{
	kary_link(tree, served,
		  (struct kary){ plan->groups, plan->group_leader, plan->group_count,
				 plan->root_group_at, k->groups, k->groups });
	for (int g = 0; g < plan->group_count; g++)
		kary_link(tree, served,
			  (struct kary){ plan->switches + plan->first_switch[g], plan->leader,
					 plan->first_switch[g + 1] - plan->first_switch[g],
					 plan->root_at[g], k->switches_root, k->switches });
	for (int s = 0; s < plan->switch_count; s++) {
		const int *list = plan->rank + plan->first_rank[s];
		int root = 0;

		while (list[root] != plan->leader[s])
			root++;
		kary_link(tree, served,
			  (struct kary){ list, NULL, plan->first_rank[s + 1] - plan->first_rank[s],
					 root, k->ranks - (k->shared ? served[plan->leader[s]] : 0),
					 k->ranks });
	}
}

static int aware_build(struct tmap_tree *tree, const struct tmap_spec *choice,
		       const struct tmap_placement *p, const struct degrees *k,
		       struct tmap_error *err)
{
	struct tmap_switch_plan plan;
	int *served = NULL;
	int status = tmap_switch_plan_init(&plan, p, tree->root, choice->row->word.name, err);

	if (status == 0 && choice->value[1])
		status = tmap_switch_plan_reorder(&plan, err);
	if (status == 0)
		served = tmap_alloc((size_t)tree->size, sizeof *served, err);
	if (served)
		switches_link(tree, &plan, served, k);
	free(served);
	tmap_switch_plan_fini(&plan);
	return served ? 0 : -1;
}

int tmap_shape_topology_aware(struct tmap_tree *tree, const struct tmap_spec *choice,
			      const struct tmap_placement *placement, struct tmap_error *err)
{
	int64_t k = choice->value[0];

	return aware_build(tree, choice, placement, &(struct degrees){ k, k, k, k, false }, err);
}

int tmap_shape_topology_aware_k(struct tmap_tree *tree, const struct tmap_spec *choice,
				const struct tmap_placement *placement, struct tmap_error *err)
{
	int64_t k = choice->value[0];

	if (k <= 2)
		return tmap_shape_topology_aware(tree, choice, placement, err);
	return aware_build(tree, choice, placement, &(struct degrees){ k - 2, k - 1, 1, k, true },
			   err);
}
