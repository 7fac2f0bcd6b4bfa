/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>

int64_t *tmap_lint_count_threads(const struct tmap_placement *p, struct tmap_error *err)
{
	int64_t *threads = tmap_alloc((size_t)p->machine->node_count, sizeof *threads, err);
	int *each = tmap_alloc((size_t)p->setting_count, sizeof *each, err);

	for (int i = 0; each && i < p->setting_count; i++) {
		each[i] = tmap_setting_threads(&p->settings[i], NULL);
		each[i] = each[i] ? each[i] : 1;
	}
	for (int r = 0; threads && each && r < p->size; r++)
		threads[p->node[r]] += p->setting_count ? each[p->setting ? p->setting[r] : 0] : 1;
	if (!each) {
		free(threads);
		threads = NULL;
	}
	free(each);
	return threads;
}

static bool is_over_quota(const struct tmap_machine *machine, const int64_t *threads, int node)
{
	const struct tmap_system *system = tmap_machine_system(machine, node);

	return system && system->cpu_quota_thousandths &&
		threads[node] * 1000 > system->cpu_quota_thousandths;
}

enum tmap_lint_answer tmap_lint_skip_system(struct tmap_finding *finding, struct tmap_error *err)
{
	return tmap_lint_skipped_take(
		finding,
		tmap_strdup("the placement does not say what the systems of its nodes allow", err));
}

/* "put 18 ranks on every node", and words: as many as a quota has time for, where it is that of all nodes,
 * which are @p nodes; else "start at most 18 ranks there, spread over its 2 packages" */
static char *fewer_ranks(const struct tmap_finding *finding, const struct tmap_inspection *it,
			 int node, int most, int nodes, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_machine_topology(it->placement->machine, node);
	bool by_numa = tmap_topology_count(topo, TMAP_NUMA) > 1;
	int least, objects = tmap_room_objects(topo, by_numa ? TMAP_NUMA : TMAP_PACKAGE, &least);

	if (most < 1)
		return tmap_strdup("start fewer ranks there", err);
	if (it->order.regular && nodes == it->order.used_nodes && !it->parts.count &&
	    it->placement->machine->system_count == 1)
		return tmap_lint_even_fix(finding, it, most, nodes, tmap_room_cores_needed(it),
					  err);
	if (objects < 2 || most < 2)
		return tmap_format(err, "start at most %d rank%s there", most,
				   most == 1 ? "" : "s");
	return tmap_format(err, "start at most %d ranks there, spread over its %s", most,
			   by_numa ? "NUMA nodes" : "packages");
}

/* "raise the CPU limit of n1's pod or cgroup to 48, or run at most 3 threads a rank there" */
static char *quota_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
		       int node, int64_t threads, struct tmap_error *err)
{
	const struct tmap_machine *machine = it->placement->machine;
	int64_t quota = tmap_machine_system(machine, node)->cpu_quota_thousandths;
	int ranks = it->fold.first[node + 1] - it->fold.first[node];
	int each = (int)(quota / 1000 / ranks), nodes = 0;
	int64_t needed = (threads + ranks - 1) / ranks * 1000; /* of the quota, by a rank */
	char *start, *fewer = NULL, *fix = NULL;

	/* all ranks of a node are in it, or none */
	for (int n = 0; n < machine->node_count; n++)
		nodes += it->fold.first[n] < it->fold.first[n + 1] &&
			tmap_idset_contains(&finding->ranks, it->fold.rank[it->fold.first[n]]);
	start = nodes == 1 ? tmap_format(err, "raise the CPU limit of %s's pod or cgroup to %lld",
					 machine->node_name[node], (long long)threads) :
			     tmap_format(err, "raise the CPU limit of each pod or cgroup to %lld",
					 (long long)threads);
	if (start && each && threads > ranks)
		fix = tmap_format(err,
				  "%s (cpu.max), or run at most %d thread%s a rank there "
				  "(OMP_NUM_THREADS=%d)",
				  start, each, each == 1 ? "" : "s", each);
	else if (start)
		fewer = fewer_ranks(finding, it, node, (int)(quota / needed), nodes, err);
	if (fewer)
		fix = tmap_format(err, "%s (cpu.max), or %s", start, fewer);
	free(fewer);
	free(start);
	return fix;
}

enum tmap_lint_answer tmap_lint_cpu_quota(struct tmap_finding *finding,
					  const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int example = TMAP_NONE, status = 0;
	int64_t *threads, count;
	double quota;
	char *where, *what = NULL;

	if (!p->machine->system_count)
		return tmap_lint_skip_system(finding, err);
	threads = tmap_lint_count_threads(p, err);
	if (!threads)
		return TMAP_LINT_FAILED;
	for (int r = 0; r < p->size && status == 0; r++) {
		if (!is_over_quota(p->machine, threads, p->node[r]))
			continue;
		example = example == TMAP_NONE ? p->node[r] : example;
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	count = example == TMAP_NONE ? 0 : threads[example];
	free(threads);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	quota = (double)tmap_machine_system(p->machine, example)->cpu_quota_thousandths / 1e3;
	tmap_lint_figure(finding, "threads", (double)count);
	tmap_lint_figure(finding, "cpu_quota", quota);
	finding->fix = quota_fix(finding, it, example, count, err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	where = tmap_lint_where(finding, example, p->machine->system_count == 1, err);
	if (where)
		what = tmap_format(err,
				   "%lld thread%s on %s, where a cgroup gives them the time of %g "
				   "CPU%s",
				   (long long)count, count == 1 ? "" : "s", where, quota,
				   quota == 1 ? "" : "s");
	free(where);
	return tmap_lint_found_take(finding, what, err);
}
