/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/verdict.h"

#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

bool tmap_verdict_is_of_order(const struct tmap_lint_rule *rule)
{
	return rule->subject != TMAP_LINT_OF_BINDING;
}

/* Objects of one type that the job may use on a node, and those that no rank may. */
static void use_add(struct tmap_verdict_use *use, const struct tmap_topology *topo,
		    enum tmap_type type, const struct tmap_idset *taken, int nodes)
{
	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *object = &topo->object[i];
		bool is_allowed = false, is_taken = false;

		if (object->type != type)
			continue;
		for (int pu = object->first_pu; pu < object->end_pu; pu++) {
			is_allowed |= topo->pu[pu].allowed;
			is_taken |= tmap_idset_contains(taken, pu);
		}
		use->objects += is_allowed ? nodes : 0;
		use->idle += is_allowed && !is_taken ? nodes : 0;
	}
}

static int count_class(struct tmap_verdict *verdict, int class, struct tmap_error *err)
{
	const struct tmap_inspection *it = verdict->inspection;
	int node = it->fold.example[class], nodes = it->fold.nodes[class];
	int ranks = it->fold.first[node + 1] - it->fold.first[node];
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	struct tmap_node_use use = { 0 };

	if (tmap_node_use_find(&use, it->placement, &it->fold, node, err) < 0)
		return -1;
	verdict->cores.objects += (int64_t)use.cores * nodes;
	verdict->cores.idle += (int64_t)use.idle_cores * nodes;
	use_add(&verdict->packages, topo, TMAP_PACKAGE, &use.taken, nodes);
	use_add(&verdict->numas, topo, TMAP_NUMA, &use.taken, nodes);
	if (use.cores && (double)ranks / use.cores > verdict->ranks_per_core)
		verdict->ranks_per_core = (double)ranks / use.cores;
	tmap_node_use_fini(&use);
	return 0;
}

/* A class looks at each place once, whether it has it or not. */
static bool may_count(const struct tmap_inspection *it)
{
	return tmap_lint_class_steps(it) +
		(double)it->fold.class_count * it->placement->place_count <=
		TMAP_LINT_STEPS;
}

int tmap_verdict_init(struct tmap_verdict *verdict, const struct tmap_inspection *inspection,
		      const struct tmap_lint *lint, const struct tmap_advice *advice,
		      struct tmap_error *err)
{
	const struct tmap_placement *p = inspection->placement;
	struct tmap_verdict made = { .inspection = inspection,
				     .lint = lint,
				     .advice = advice,
				     .is_bound_well = true,
				     .is_counted = may_count(inspection) };

	for (int i = 0; i < lint->count; i++)
		if (lint->finding[i].severity >= TMAP_SEVERITY_WARNING &&
		    !tmap_verdict_is_of_order(lint->finding[i].rule))
			made.is_bound_well = false;
	for (int r = 0; r < p->size; r++) {
		made.unbound += !p->places[p->place[r]].bound;
		made.threads += tmap_room_rank_threads(p, r);
	}
	for (int c = 0; made.is_counted && c < inspection->fold.class_count; c++)
		if (count_class(&made, c, err) < 0)
			return -1;
	*verdict = made;
	return 0;
}
