/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory the system leaves to the ranks. */
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Memory of a node that goes with the PUs that the job may use; 0 where that is not known. */
static double node_memory(const struct tmap_topology *topo)
{
	double bytes = 0;

	for (int m = 0; m < topo->memory_count; m++) {
		const struct tmap_memory *memory = &topo->memory[m];
		int allowed = 0, pus = 0;

		/* that of a GPU is not the ranks' */
		if (memory->object == TMAP_NONE || memory->disallowed)
			continue;
		pus = topo->object[memory->object].end_pu - topo->object[memory->object].first_pu;
		for (int pu = topo->object[memory->object].first_pu;
		     pu < topo->object[memory->object].end_pu; pu++)
			allowed += topo->pu[pu].allowed;
		bytes += (double)memory->size_bytes * allowed / pus;
	}
	return bytes;
}

static double limit_of(const struct tmap_machine *machine, int node)
{
	const struct tmap_system *system = tmap_machine_system(machine, node);

	return system ? (double)system->memory_limit_bytes : 0;
}

/* [topology_count] */
static double *memories_find(const struct tmap_machine *machine, struct tmap_error *err)
{
	double *memory = tmap_alloc((size_t)machine->topology_count, sizeof *memory, err);

	for (int t = 0; memory && t < machine->topology_count; t++)
		memory[t] = node_memory(&machine->topology[t]);
	return memory;
}

/* Mark the nodes with less than half of what goes with their cores: more than rounding, and what the
 * system keeps. Returns the first of them. */
static int nodes_mark(bool *is_in, const struct tmap_inspection *it, const double *memory,
		      bool *is_known)
{
	const struct tmap_machine *machine = it->placement->machine;
	int example = TMAP_NONE;

	for (int n = 0; n < machine->node_count; n++) {
		double limit = limit_of(machine, n), bytes = memory[machine->node_topology[n]];

		if (it->fold.class_of[n] == TMAP_NONE)
			continue;
		*is_known |= limit <= 0 || bytes > 0;
		is_in[n] = limit > 0 && 2 * limit < bytes;
		example = is_in[n] && example == TMAP_NONE ? n : example;
	}
	return example;
}

enum tmap_lint_answer tmap_lint_memory_limit(struct tmap_finding *finding,
					     const struct tmap_inspection *it,
					     struct tmap_error *err)
{
	static const double gib = 1 << 30;
	const struct tmap_placement *p = it->placement;
	const struct tmap_machine *machine = p->machine;
	int example = TMAP_NONE, status = -1, ranks;
	bool *is_in, is_known = false;
	double limit, *memory, bytes;
	char *where, *what = NULL;

	if (!machine->system_count)
		return tmap_lint_skip_system(finding, err);
	is_in = tmap_alloc((size_t)machine->node_count, sizeof *is_in, err);
	memory = memories_find(machine, err);
	if (is_in && memory) {
		example = nodes_mark(is_in, it, memory, &is_known);
		status = 0;
	}
	for (int r = 0; r < p->size && status == 0; r++)
		if (is_in[p->node[r]])
			status = tmap_idset_add(&finding->ranks, r, err);
	bytes = example == TMAP_NONE ? 0 : memory[machine->node_topology[example]];
	free(is_in);
	free(memory);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (example == TMAP_NONE && !is_known)
		return tmap_lint_skipped_take(
			finding,
			tmap_strdup("the placement does not say how much memory its nodes have",
				    err));
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	limit = limit_of(machine, example);
	ranks = it->fold.first[example + 1] - it->fold.first[example];
	tmap_lint_figure(finding, "limit_bytes", limit);
	tmap_lint_figure(finding, "memory_bytes", bytes);
	tmap_lint_figure(finding, "bytes_each", limit / ranks);
	where = tmap_lint_where(finding, example, machine->system_count == 1, err);
	if (where)
		what = tmap_format(
			err,
			"a cgroup gives them %.3g GiB on %s, of %.3g GiB that go with its "
			"cores (%.3g GiB a rank)",
			limit / gib, where, bytes / gib, limit / gib / ranks);
	free(where);
	return tmap_lint_found_take(finding, what, err);
}
