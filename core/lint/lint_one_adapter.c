/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/far_device.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/machine/device.h"

#include <limits.h>
#include <stdlib.h>

/* The home that is closest to an object; TMAP_NONE where several are as close. */
static int closest_home(const struct tmap_topology *topo, const struct tmap_homes *homes,
			int object)
{
	int best = TMAP_NONE, least = INT_MAX;

	for (int i = 0; i < homes->count; i++) {
		int common = tmap_homes_common(topo, object, homes->object[i]);
		int pus = topo->object[common].end_pu - topo->object[common].first_pu;

		if (pus == least)
			best = TMAP_NONE;
		if (pus >= least)
			continue;
		best = i;
		least = pus;
	}
	return best;
}

/* Are two homes on different memory controllers? */
static bool are_apart(const struct tmap_topology *topo, const struct tmap_homes *homes)
{
	for (int i = 1; i < homes->count; i++)
		if (!tmap_homes_share_memory(topo, homes->object[0], homes->object[i]) &&
		    !tmap_homes_is_within(topo, homes->object[0], homes->object[i]) &&
		    !tmap_homes_is_within(topo, homes->object[i], homes->object[0]))
			return true;
	return false;
}

/* As many of a node's first ranks as it has adapters: mark them if they all use one. */
static void node_mark(bool *marked, const struct tmap_inspection *it,
		      const struct tmap_homes *homes, int n)
{
	const struct tmap_node_fold *fold = &it->fold;
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, n);
	const int *rank = fold->rank + fold->first[n];
	int used = TMAP_NONE;

	if (fold->first[n + 1] - fold->first[n] < homes->count)
		return;
	for (int i = 0; i < homes->count; i++) {
		const struct tmap_place *place =
			&it->placement->places[it->placement->place[rank[i]]];
		int home = closest_home(topo, homes, place->object);

		if (!place->bound || home == TMAP_NONE || (used != TMAP_NONE && home != used))
			return;
		used = home;
	}
	for (int i = 0; i < homes->count; i++)
		marked[rank[i]] = true;
}

/* Mark the first ranks of all nodes of topology @p t that use one of several adapters. */
static int nodes_mark(bool *marked, const struct tmap_inspection *it, int t, struct tmap_error *err)
{
	const struct tmap_machine *machine = it->placement->machine;
	const struct tmap_topology *topo = &machine->topology[t];
	struct tmap_homes homes;

	if (tmap_homes_init(&homes, topo, TMAP_NETWORK, err) < 0)
		return -1;
	if (homes.count > 1 && !homes.everywhere && are_apart(topo, &homes))
		for (int n = 0; n < machine->node_count; n++)
			if (machine->node_topology[n] == t)
				node_mark(marked, it, &homes, n);
	tmap_homes_fini(&homes);
	return 0;
}

/* Are adapters of the rank's node on different packages? */
static bool has_package_homes(const struct tmap_placement *p, int rank)
{
	const struct tmap_topology *topo = tmap_placement_topology(p, rank);
	int first = TMAP_NONE;

	for (int d = 0; d < topo->device_count; d++) {
		int package;

		if (!tmap_device_is_adapter(topo, d))
			continue;
		package = tmap_topology_ancestor(topo, topo->device[d].object, TMAP_PACKAGE);
		if (first != TMAP_NONE && package != first)
			return true;
		first = package;
	}
	return false;
}

static const char alternate_packages[] =
	"let neighboring ranks alternate between packages, so that "
	"lanes and leaders use all adapters";
static const char alternate_numas[] = "let neighboring ranks alternate between NUMA nodes, so that "
				      "lanes and leaders use all adapters";

enum tmap_lint_answer tmap_lint_one_adapter(struct tmap_finding *finding,
					    const struct tmap_inspection *it,
					    struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	const char *reason;
	int status = 0;
	bool *marked;

	if (it->order.used_nodes == 1)
		return TMAP_LINT_NOTHING;
	reason = tmap_lint_no_adapters(p->machine);
	if (reason)
		return tmap_lint_skipped_take(finding, tmap_strdup(reason, err));
	marked = tmap_alloc((size_t)p->size, sizeof *marked, err);
	status = marked ? 0 : -1;
	for (int t = 0; t < p->machine->topology_count && status == 0; t++)
		status = nodes_mark(marked, it, t, err);
	for (int r = 0; r < p->size && status == 0; r++)
		if (marked[r])
			status = tmap_idset_add(&finding->ranks, r, err);
	free(marked);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (!tmap_lint_ranks(finding))
		return TMAP_LINT_NOTHING;
	status = tmap_lint_are_at_gpus(finding, it, err);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (status > 0) /* the order of the GPUs is theirs */
		return TMAP_LINT_NOTHING;
	finding->fix = has_package_homes(p, tmap_idset_next(&finding->ranks, TMAP_NONE)) ?
		tmap_lint_turns_fix(finding, it, TMAP_PACKAGE, alternate_packages, err) :
		tmap_lint_turns_fix(finding, it, TMAP_NUMA, alternate_numas, err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding,
		tmap_strdup(
			"the first ranks of their nodes, all closest to the same one of several "
			"adapters on different memory controllers",
			err),
		err);
}
