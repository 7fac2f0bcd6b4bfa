/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/machine/overlap.h"

#include <stdlib.h>
#include <string.h>

/* Ranks whose overlap in @p mask is @p wanted, on nodes with or without idle cores; *example is the
 * first such node, and *use its cores. */
struct crowd {
	unsigned char mask, wanted;
	bool any_node, idle, unbound; /* unbound: and ranks of nodes with more than cores */
	int example;
	struct tmap_node_use use;
};

/* What is counted stays. */
static void crowd_fini(struct crowd *crowd)
{
	tmap_idset_fini(&crowd->use.own);
	tmap_idset_fini(&crowd->use.taken);
}

static bool crowd_has(const struct crowd *crowd, const struct tmap_inspection *it, int rank)
{
	int class = it->fold.class_of[it->placement->node[rank]];

	return (it->shares[rank] & crowd->mask) == crowd->wanted ||
		(crowd->unbound && it->crowds[class] == TMAP_CROWD_CORES);
}

/* [class_count]: idle cores of each class that has a rank that shares so, else TMAP_NONE. */
static int *crowd_count_idle(const struct crowd *crowd, const struct tmap_inspection *it,
			     struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int *idle = tmap_alloc_raw((size_t)it->fold.class_count, sizeof *idle, err);

	for (int c = 0; idle && c < it->fold.class_count; c++)
		idle[c] = TMAP_NONE;
	for (int r = 0; idle && r < p->size; r++) {
		int class = it->fold.class_of[p->node[r]];
		struct tmap_node_use use = { 0 };

		if (idle[class] != TMAP_NONE || !crowd_has(crowd, it, r))
			continue;
		if (tmap_node_use_find(&use, p, &it->fold, p->node[r], err) < 0) {
			free(idle);
			return NULL;
		}
		idle[class] = use.idle_cores;
		tmap_node_use_fini(&use);
	}
	return idle;
}

static int finding_add_crowd(struct tmap_finding *finding, struct crowd *crowd,
			     const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int *idle = crowd->any_node ? NULL : crowd_count_idle(crowd, it, err);
	int status = idle || crowd->any_node ? 0 : -1;

	crowd->example = TMAP_NONE;
	for (int r = 0; status == 0 && r < p->size; r++) {
		int class = it->fold.class_of[p->node[r]];

		if (!crowd_has(crowd, it, r) ||
		    (!crowd->any_node && (idle[class] > 0) != crowd->idle))
			continue;
		if (crowd->example == TMAP_NONE)
			crowd->example = p->node[r];
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	free(idle);
	if (status == 0 && crowd->example != TMAP_NONE)
		status = tmap_node_use_find(&crowd->use, p, &it->fold, crowd->example, err);
	tmap_lint_figure(finding, "idle_cores", crowd->use.idle_cores);
	tmap_lint_figure(finding, "cores", crowd->use.cores);
	return status;
}

/* Has a node of the finding's ranks more of them than cores? */
static bool has_too_many(const struct tmap_inspection *it, const struct tmap_finding *finding)
{
	const struct tmap_placement *p = it->placement;

	for (int r = tmap_idset_next(&finding->ranks, TMAP_NONE); r != TMAP_NONE;
	     r = tmap_idset_next(&finding->ranks, r)) {
		int n = p->node[r];

		if (n == it->fold.example[it->fold.class_of[n]] &&
		    it->fold.first[n + 1] - it->fold.first[n] >
			    tmap_topology_allowed_cores(tmap_machine_topology(p->machine, n)))
			return true;
	}
	return false;
}

enum { NAMES_MAX = 40 }; /* characters of cores that are named */

/* "cores 44-47", by the OS indexes of their first PUs, or "the cores of PUs 8,40"; "" where there are
 * too many to be read. */
static char *idle_print(const struct tmap_topology *topo, const struct tmap_node_use *use,
			struct tmap_error *err)
{
	struct tmap_idset pus = { 0 };
	bool is_single = tmap_topology_allowed_pus(topo) == use->cores;
	char *list = NULL, *text = NULL;
	int status = 0;

	for (int i = 0; i < topo->pu_count && status == 0; i++) {
		int core = tmap_topology_ancestor(topo, topo->pu[i].object, TMAP_CORE);
		int first = core == TMAP_NONE ? i : topo->object[core].first_pu;
		int end = core == TMAP_NONE ? i + 1 : topo->object[core].end_pu;
		int next = tmap_idset_next(&use->taken, first - 1);

		if (topo->pu[i].allowed && i == first && (next == TMAP_NONE || next >= end))
			status = tmap_idset_add(&pus, topo->pu[i].os, err);
	}
	if (status == 0)
		list = tmap_idset_print(&pus, err);
	if (list && strlen(list) <= NAMES_MAX)
		text = tmap_format(err, "%s%s %s", is_single ? "core" : "the cores of PU",
				   tmap_idset_size(&pus) == 1 ? "" : "s", list);
	else if (list)
		text = tmap_strdup("", err);
	free(list);
	tmap_idset_fini(&pus);
	return text;
}

/* Ranks of a program on a node. */
static int count_part(const struct tmap_inspection *it, int part, int node)
{
	int count = 0;

	for (int i = it->fold.first[node]; i < it->fold.first[node + 1]; i++)
		count += tmap_mpmd_of(&it->parts, it->placement, it->fold.rank[i]) == part;
	return count;
}

/* The last program of which all ranks are in the finding, if one other has ranks in it, too, and the
 * idle cores are enough for it: it starts at the first core as if it were alone. *second is it, or
 * TMAP_NONE. */
static int find_second(int *second, const struct tmap_inspection *it,
		       const struct tmap_finding *finding, int node, int idle,
		       struct tmap_error *err)
{
	int *ranks = tmap_alloc((size_t)it->parts.count, sizeof *ranks, err), found = 0;

	*second = TMAP_NONE;
	if (!ranks)
		return -1;
	for (int r = tmap_idset_next(&finding->ranks, TMAP_NONE); r != TMAP_NONE;
	     r = tmap_idset_next(&finding->ranks, r))
		ranks[tmap_mpmd_of(&it->parts, it->placement, r)]++;
	for (int i = 0; i < it->parts.count; i++) {
		found += ranks[i] > 0;
		if (ranks[i] == it->parts.part[i].ranks)
			*second = i;
	}
	free(ranks);
	if (found != 2 || *second == TMAP_NONE || count_part(it, *second, node) > idle)
		*second = TMAP_NONE;
	return 0;
}

/* "bind air to cores 44-47, which are idle" */
static char *idle_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
		      const struct tmap_node_use *use, int node, struct tmap_error *err)
{
	char *cores = idle_print(tmap_machine_topology(it->placement->machine, node), use, err);
	char *text = NULL, *where = NULL, *fix = NULL;
	struct tmap_str name = TMAP_STR_INIT;
	int second;

	if (cores && find_second(&second, it, finding, node, use->idle_cores, err) == 0)
		where = tmap_lint_where(finding, node, true, err);
	if (where && *cores && second != TMAP_NONE) {
		tmap_mpmd_add_name(&name, &it->parts.part[second]);
		text = tmap_str_take(&name, err);
		fix = text ? tmap_format(err, "bind %s to %s, which are idle on %s", text, cores,
					 where) :
			     NULL;
	} else if (where && *cores) {
		fix = tmap_format(err, "give each rank PUs of its own: %s %s idle on %s", cores,
				  use->idle_cores == 1 ? "is" : "are", where);
	} else if (where) {
		fix = tmap_format(err, "give each rank PUs of its own: %d cores are idle on %s",
				  use->idle_cores, where);
	}
	free(text);
	free(where);
	free(cores);
	return fix;
}

/* Each rank gets the cores of its threads, where so many are known; nodes keep their ranks. */
static char *apart_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
		       const char *text, struct tmap_error *err)
{
	int threads = tmap_room_threads(it->placement);

	if (!it->order.regular)
		return tmap_lint_fix(finding, finding->rule->fix, err);
	return tmap_lint_cores_fix(finding, it, text, threads ? threads : 1, false, err);
}

enum tmap_lint_answer tmap_lint_shared_pu(struct tmap_finding *finding,
					  const struct tmap_inspection *it, struct tmap_error *err)
{
	struct crowd crowd = { .mask = TMAP_CROWDS_PU, .wanted = TMAP_CROWDS_PU, .any_node = true };
	char *where, *what = NULL;

	if (finding_add_crowd(finding, &crowd, it, err) < 0)
		return TMAP_LINT_FAILED;
	if (crowd.example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	if (it->parts.count && crowd.use.idle_cores)
		finding->fix = idle_fix(finding, it, &crowd.use, crowd.example, err);
	else
		finding->fix = has_too_many(it, finding) ?
			tmap_lint_fewer(finding, it,
					"start at most as many ranks on a node as it has cores",
					err) :
			apart_fix(finding, it, "give each rank PUs of its own", err);
	crowd_fini(&crowd);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	where = tmap_lint_where(finding, crowd.example, true, err);
	if (where && crowd.use.idle_cores)
		what = tmap_format(err, "share PUs, with %d of %d cores idle on %s",
				   crowd.use.idle_cores, crowd.use.cores, where);
	else if (where)
		what = tmap_format(err, "share PUs, and no core is idle on %s", where);
	free(where);
	return tmap_lint_found_take(finding, what, err);
}

enum tmap_lint_answer tmap_lint_idle_cores(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	struct crowd crowd = { .mask = TMAP_CROWDS_PU | TMAP_CROWDS_CORE,
			       .wanted = TMAP_CROWDS_CORE,
			       .idle = true };
	char *where, *what = NULL;

	if (finding_add_crowd(finding, &crowd, it, err) < 0)
		return TMAP_LINT_FAILED;
	crowd_fini(&crowd);
	if (crowd.example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	finding->fix = has_too_many(it, finding) ?
		tmap_lint_fewer(finding, it, "start one rank a core", err) :
		apart_fix(finding, it, "fill cores before hardware threads", err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	where = tmap_lint_where(finding, crowd.example, true, err);
	if (where)
		what = tmap_format(err,
				   "%d of %d cores idle on %s, while ranks share cores, a hardware "
				   "thread each",
				   crowd.use.idle_cores, crowd.use.cores, where);
	free(where);
	return tmap_lint_found_take(finding, what, err);
}

static char *shared_core_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			     int cores, const char *host, struct tmap_error *err)
{
	static const char limited[] = "if the code is limited by arithmetic or memory";
	char *name = NULL, *text = NULL, *fix = NULL;

	if (tmap_lint_share_fix(&text, finding, it, 0, err) < 0)
		return NULL;
	if (text) {
		fix = tmap_format(err, "%s, %s", limited, text);
	} else {
		name = tmap_fix_escape(host, err);
		text = name ? tmap_format(err, "%s, start one rank a core (%d on %s)", limited,
					  cores, name) :
			      NULL;
		fix = text ? tmap_lint_fewer(finding, it, text, err) : NULL;
	}
	free(text);
	free(name);
	return fix;
}

/* Is every PU that the job may use one that a rank has? Then its hardware threads are used on purpose. */
static int takes_all_pus(bool *all, const struct tmap_inspection *it, struct tmap_error *err)
{
	*all = true;
	for (int c = 0; c < it->fold.class_count && *all; c++) {
		int node = it->fold.example[c];
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, node);
		struct tmap_node_use use = { 0 };

		if (tmap_node_use_find(&use, it->placement, &it->fold, node, err) < 0)
			return -1;
		for (int pu = 0; pu < topo->pu_count && *all; pu++)
			*all = !topo->pu[pu].allowed || tmap_idset_contains(&use.taken, pu);
		tmap_node_use_fini(&use);
	}
	return 0;
}

enum tmap_lint_answer tmap_lint_shared_core(struct tmap_finding *finding,
					    const struct tmap_inspection *it,
					    struct tmap_error *err)
{
	struct crowd crowd = { .mask = TMAP_CROWDS_PU | TMAP_CROWDS_CORE,
			       .wanted = TMAP_CROWDS_CORE,
			       .unbound = true };
	bool is_unequal; /* that is another finding */
	bool all;

	if (tmap_lint_is_unequal(&is_unequal, it, err) < 0)
		return TMAP_LINT_FAILED;
	if (is_unequal)
		return TMAP_LINT_NOTHING;
	if (finding_add_crowd(finding, &crowd, it, err) < 0)
		return TMAP_LINT_FAILED;
	crowd_fini(&crowd);
	if (crowd.example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	if (takes_all_pus(&all, it, err) < 0)
		return TMAP_LINT_FAILED;
	if (all && !it->crowding_unbound)
		finding->severity = TMAP_SEVERITY_HINT;
	finding->fix = shared_core_fix(finding, it, crowd.use.cores,
				       it->placement->machine->node_name[crowd.example], err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding,
		tmap_format(err, "share cores, %s, and no core is idle",
			    it->crowding_unbound ? "not all bound" : "a hardware thread each"),
		err);
}
