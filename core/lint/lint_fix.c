/* SPDX-License-Identifier: BSD-3-Clause */
/* Fixes with numbers of the job, so that its launcher takes them as they stand. */
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>

static int ranks_on(const struct tmap_inspection *it, int node)
{
	return it->fold.first[node + 1] - it->fold.first[node];
}

char *tmap_lint_fewer(const struct tmap_finding *finding, const struct tmap_inspection *it,
		      const char *text, struct tmap_error *err)
{
	const struct tmap_machine *machine = it->placement->machine;
	int each = it->order.ranks_max;
	char *whole, *fix;

	for (int c = 0; c < it->fold.class_count; c++) {
		int cores = tmap_topology_allowed_cores(
			tmap_machine_topology(machine, it->fold.example[c]));

		each = cores < each ? cores : each;
	}
	whole = tmap_format(err, "%s{: |fewer %lld %d %d|}", text,
			    (long long)each * it->order.used_nodes, each, it->order.used_nodes);
	fix = whole ? tmap_lint_fix(finding, whole, err) : NULL;
	free(whole);
	return fix;
}

static bool is_allowed(const struct tmap_topology *topo, const struct tmap_object *object)
{
	for (int pu = object->first_pu; pu < object->end_pu; pu++)
		if (topo->pu[pu].allowed)
			return true;
	return false;
}

/* Cores of an object that the job may use; PUs outside of cores are cores. */
static int object_cores(const struct tmap_topology *topo, const struct tmap_object *object)
{
	int count = 0, last = TMAP_NONE;

	for (int pu = object->first_pu; pu < object->end_pu; pu++) {
		int core = tmap_topology_ancestor(topo, topo->pu[pu].object, TMAP_CORE);

		if (!topo->pu[pu].allowed)
			continue;
		count += core == TMAP_NONE || core != last;
		last = core;
	}
	return count;
}

int tmap_lint_cores_each(const struct tmap_inspection *it, int node, enum tmap_type type,
			 int *ranks, bool *is_even)
{
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	int objects = 0, least = 0;

	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *object = &topo->object[i];
		int cores;

		if (object->type != type || !is_allowed(topo, object))
			continue;
		cores = object_cores(topo, object);
		least = !objects || cores < least ? cores : least;
		objects++;
	}
	*ranks = 0;
	*is_even = false;
	if (!objects)
		return 0;
	*ranks = (ranks_on(it, node) + objects - 1) / objects;
	*is_even = ranks_on(it, node) % objects == 0;
	return least / *ranks;
}

char *tmap_lint_order_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  bool by_turns, struct tmap_error *err)
{
	static const char *const texts[] = { "number the ranks node after node",
					     "distribute the ranks over the nodes in turn" };
	static const char *const names[] = { "block", "cyclic" };
	const struct tmap_placement *p = it->placement;
	int cores = it->binding_count && it->binding[0].binding.bound ? 0 : 1;
	char *whole, *fix;

	if (!cores) {
		const struct tmap_place *place = &p->places[p->place[0]];
		const struct tmap_topology *topo = tmap_placement_topology(p, 0);
		int last = TMAP_NONE;

		for (int pu = 0; pu < topo->pu_count; pu++) {
			int core = tmap_topology_ancestor(topo, topo->pu[pu].object, TMAP_CORE);

			if (!tmap_idset_contains(&place->pus, topo->pu[pu].os))
				continue;
			cores += core == TMAP_NONE || core != last;
			last = core;
		}
	}
	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c];

		int most = tmap_topology_allowed_cores(tmap_machine_topology(p->machine, node)) /
			ranks_on(it, node);

		cores = most < cores ? most : cores;
	}
	if (!cores) /* no launcher binds more ranks than cores */
		return tmap_strdup(texts[by_turns], err);
	whole = tmap_format(err, "%s{ with |%s %d %d|}", texts[by_turns], names[by_turns], cores,
			    it->order.ranks_max);
	fix = whole ? tmap_lint_fix(finding, whole, err) : NULL;
	free(whole);
	return fix;
}
