/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>
#include <string.h>

static bool is_policy_known(const struct tmap_placement *p)
{
	for (int i = 0; i < p->place_count; i++)
		if (p->places[i].memory.count)
			return true;
	return false;
}

/* Is a memory local to one of the place's PUs? */
static bool is_local(const struct tmap_topology *topo, const struct tmap_memory *memory,
		     const struct tmap_place *place)
{
	if (memory->object == TMAP_NONE)
		return false;
	for (int pu = topo->object[memory->object].first_pu;
	     pu < topo->object[memory->object].end_pu; pu++)
		if (tmap_idset_contains(&place->pus, topo->pu[pu].os))
			return true;
	return false;
}

/* Its memory policy is known, and none of the memories is local to one of its PUs, though another
 * one is: where none is, all memory is far whatever one does. */
static bool is_memory_far(const struct tmap_topology *topo, const struct tmap_place *place)
{
	bool has_local = false;

	if (!place->memory.count)
		return false;
	for (int m = 0; m < topo->memory_count; m++) {
		if (!is_local(topo, &topo->memory[m], place))
			continue;
		if (tmap_idset_contains(&place->memory, topo->memory[m].os))
			return false;
		has_local = true;
	}
	return has_local;
}

/* The NUMA nodes, by OS index, that are local to a PU of the place. */
static int local_memories(struct tmap_idset *nodes, const struct tmap_topology *topo,
			  const struct tmap_place *place, struct tmap_error *err)
{
	for (int m = 0; m < topo->memory_count; m++)
		if (is_local(topo, &topo->memory[m], place) &&
		    tmap_idset_add(nodes, topo->memory[m].os, err) < 0)
			return -1;
	return 0;
}

/* How the memory of the ranks of one kind of node is limited. */
struct limits {
	struct tmap_idset near; /* NUMA nodes that are local to ranks of the finding */
	bool is_one;            /* all ranks are limited to the same ones */
};

/* Of the kind of node on which @p example is; *it is zeroed. */
static int limits_init(struct limits *it, const struct tmap_placement *p,
		       const struct tmap_place *example, struct tmap_error *err)
{
	const struct tmap_topology *topo = &p->machine->topology[example->topology];

	it->is_one = true;
	for (int i = 0; i < p->place_count; i++) {
		const struct tmap_place *place = &p->places[i];

		if (place->topology != example->topology)
			continue;
		it->is_one = it->is_one && tmap_idset_equal(&place->memory, &example->memory);
		if (is_memory_far(topo, place) && local_memories(&it->near, topo, place, err) < 0)
			return -1;
	}
	return 0;
}

/* "1-7,9" */
static void add_ids(struct tmap_str *str, const struct tmap_idset *ids)
{
	for (int i = 0; i < ids->count; i++) {
		tmap_str_addf(str, "%s%d", i ? "," : "", ids->range[i].first);
		if (ids->range[i].last > ids->range[i].first)
			tmap_str_addf(str, "-%d", ids->range[i].last);
	}
}

/* "NUMA nodes 1-7" */
static void add_numas(struct tmap_str *str, const struct tmap_idset *nodes)
{
	tmap_str_add(str, tmap_idset_size(nodes) == 1 ? "NUMA node " : "NUMA nodes ");
	add_ids(str, nodes);
}

enum { MOST_RANGES = 4 };

/* " of rank 6", or "" where it is all of them */
static void add_only(struct tmap_str *str, const struct tmap_finding *finding)
{
	int64_t count = tmap_idset_size(&finding->ranks);

	if (count == finding->inspection->placement->size)
		return;
	tmap_str_add(str, " of ");
	if (finding->ranks.count > MOST_RANGES) {
		tmap_str_addf(str, "%lld ranks", (long long)count);
		return;
	}
	tmap_str_add(str, count == 1 ? "rank " : "ranks ");
	add_ids(str, &finding->ranks);
}

/* Is all that a place may use memory of one kind, other than the usual one? Then its kind. */
static const char *special_kind(const struct tmap_topology *topo, const struct tmap_place *place)
{
	const char *kind = NULL;

	for (int m = 0; m < topo->memory_count; m++) {
		if (!tmap_idset_contains(&place->memory, topo->memory[m].os))
			continue;
		if (!*topo->memory[m].kind || strcmp(topo->memory[m].kind, "DRAM") == 0 ||
		    (kind && strcmp(kind, topo->memory[m].kind) != 0))
			return NULL;
		kind = topo->memory[m].kind;
	}
	return kind;
}

/* The memories of a kind that cores have, if each set that ranks are bound to, far from what it has, is
 * near one of them; else none. */
static int memories_of_kind(struct tmap_idset *nodes, const struct tmap_placement *p, int topology,
			    const char *kind, struct tmap_error *err)
{
	const struct tmap_topology *topo = &p->machine->topology[topology];

	for (int m = 0; m < topo->memory_count; m++)
		if (strcmp(topo->memory[m].kind, kind) == 0 &&
		    topo->memory[m].object != TMAP_NONE && !topo->memory[m].disallowed &&
		    tmap_idset_add(nodes, topo->memory[m].os, err) < 0)
			return -1;
	for (int i = 0; i < p->place_count; i++) {
		bool has_near = false;

		if (p->places[i].topology != topology || !is_memory_far(topo, &p->places[i]))
			continue;
		for (int m = 0; m < topo->memory_count; m++)
			has_near = has_near ||
				(tmap_idset_contains(nodes, topo->memory[m].os) &&
				 is_local(topo, &topo->memory[m], &p->places[i]));
		if (!has_near)
			tmap_idset_fini(nodes);
	}
	return 0;
}

/* Who asks for a kind of memory wants to keep it: the system takes the nearest of several. *fix is NULL where
 * that is not so. */
static int far_kind_fix(char **fix, const struct tmap_finding *finding,
			const struct tmap_place *place, struct tmap_error *err)
{
	const struct tmap_placement *p = finding->inspection->placement;
	const char *kind = special_kind(&p->machine->topology[place->topology], place);
	struct tmap_str str = TMAP_STR_INIT;
	struct tmap_idset nodes = { 0 };
	char *text;

	*fix = NULL;
	if (!kind)
		return 0;
	if (memories_of_kind(&nodes, p, place->topology, kind, err) < 0) {
		tmap_idset_fini(&nodes);
		return -1;
	}
	if (!nodes.count)
		return 0;
	tmap_str_add(&str, "numactl --membind=");
	add_ids(&str, &nodes);
	tmap_str_add(&str, " instead of --membind=");
	add_ids(&str, &place->memory);
	tmap_str_addf(&str, ": of these the system takes the %s nearest to each rank first", kind);
	tmap_idset_fini(&nodes);
	text = tmap_str_take(&str, err);
	*fix = text ? tmap_lint_fix(finding, text, err) : NULL;
	free(text);
	return *fix ? 0 : -1;
}

/* What all ranks have alike is that of a command around them, which is likelier than a cgroup with
 * PUs and without their memory; what they have not, one got wrong for some. */
static char *far_memory_fix(const struct tmap_finding *finding, const struct tmap_place *place,
			    struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;
	struct limits limits = { .is_one = true };
	char *text, *fix = NULL;

	if (limits_init(&limits, finding->inspection->placement, place, err) < 0 ||
	    (limits.is_one && (far_kind_fix(&fix, finding, place, err) < 0 || fix)))
		goto out;
	if (limits.is_one) {
		tmap_str_add(&str, "start the ranks without numactl --membind=");
		add_ids(&str, &place->memory);
		tmap_str_add(&str, ", or what else limits their memory to ");
		add_numas(&str, &place->memory);
	} else {
		tmap_str_add(&str, "bind memory");
		add_only(&str, finding);
		tmap_str_add(&str,
			     tmap_idset_size(&finding->ranks) == 1 ?
				     " to where its PUs are, " :
				     ", of each rank to where its PUs are, ");
		add_numas(&str, &limits.near);
	}
	tmap_str_add(&str, ": numactl --localalloc{, |memory|}, or no memory policy at all");
	if (limits.is_one) {
		tmap_str_add(&str, "; if a cgroup leaves ");
		add_numas(&str, &limits.near);
		tmap_str_addf(&str, " out (cpuset.mems), ask for %s too",
			      tmap_idset_size(&limits.near) == 1 ? "it" : "them");
	}
	text = tmap_str_take(&str, err);
	fix = text ? tmap_lint_fix(finding, text, err) : NULL;
	free(text);
out:
	tmap_idset_fini(&limits.near);
	return fix;
}

/* "memory only of NUMA node 0, PUs on NUMA node 1 (rank 18)", with the fix */
static char *print_far_memory(struct tmap_finding *finding, const struct tmap_inspection *it,
			      struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int rank = tmap_idset_next(&finding->ranks, TMAP_NONE);
	const struct tmap_place *place = &p->places[p->place[rank]];
	struct tmap_idset local = { 0 };
	char *allowed = tmap_idset_print(&place->memory, err), *near = NULL, *what = NULL;
	bool is_one = tmap_idset_size(&place->memory) == 1;
	int64_t count;

	if (allowed && local_memories(&local, tmap_placement_topology(p, rank), place, err) == 0)
		near = tmap_idset_print(&local, err);
	count = tmap_idset_size(&local);
	if (near)
		finding->fix = far_memory_fix(finding, place, err);
	if (finding->fix)
		what = tmap_format(err,
				   "memory only of NUMA node%s %s, PUs on NUMA node%s %s "
				   "(rank %d)",
				   is_one ? "" : "s", allowed, count == 1 ? "" : "s", near, rank);
	if (is_one && count == 1) {
		tmap_lint_figure(finding, "memory_node", place->memory.range[0].first);
		tmap_lint_figure(finding, "pu_node", local.range[0].first);
	}
	tmap_idset_fini(&local);
	free(allowed);
	free(near);
	return what;
}

enum tmap_lint_answer tmap_lint_far_memory(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	if (!is_policy_known(it->placement))
		return tmap_lint_skipped_take(
			finding,
			tmap_strdup("the placement has no memory policies of its ranks", err));
	if (tmap_lint_collect_places(finding, it, is_memory_far, err) < 0)
		return TMAP_LINT_FAILED;
	if (!tmap_lint_ranks(finding))
		return TMAP_LINT_NOTHING;
	return tmap_lint_found_take(finding, print_far_memory(finding, it, err), err);
}
