/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes of the job on which nothing runs: the others have the memory and the adapters of fewer. */
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/lint/lint_room.h"

#include <stdlib.h>

int tmap_lint_idle_nodes_count(const struct tmap_inspection *it)
{
	const struct tmap_placement *p = it->placement;
	int idle = 0;

	for (int n = 0; n < p->machine->node_count; n++)
		idle += it->fold.first[n] == it->fold.first[n + 1] &&
			(!p->others || p->others[n] == TMAP_NONE);
	return idle;
}

/* Are all nodes of one kind, so that what one has room for has each? */
static bool has_equal_nodes(const struct tmap_machine *machine)
{
	return machine->topology_count == 1;
}

/* Have the nodes with ranks a core for each thread? */
static bool suffice(const struct tmap_inspection *it)
{
	int64_t room = 0, threads = tmap_room_threads(it->placement);

	for (int c = 0; c < it->fold.class_count; c++)
		room += (int64_t)it->fold.nodes[c] *
			tmap_topology_allowed_cores(
				tmap_machine_topology(it->placement->machine, it->fold.example[c]));
	return it->placement->size * (threads ? threads : 1) <= room;
}

/* "; or ask for 2 nodes", where these will do. */
static char *add_fewer_take(char *fix_take, const struct tmap_inspection *it, const char *before,
			    struct tmap_error *err)
{
	int used = it->order.used_nodes;
	char *fix;

	if (!fix_take || !suffice(it))
		return fix_take;
	fix = tmap_format(err, "%s%s or ask for %d node%s", fix_take, before, used,
			  used == 1 ? "" : "s");
	free(fix_take);
	return fix;
}

static char *idle_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
		      struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int nodes = p->machine->node_count, used = it->order.used_nodes;
	int64_t cores = tmap_room_cores_needed(it);
	bool has_room = p->size / nodes * cores <=
			tmap_topology_allowed_cores(tmap_placement_topology(p, 0)) &&
		p->size / nodes * cores <= tmap_room_least_quota(it);

	if (p->world) /* of a larger job, which is not moved for some of its ranks */
		return tmap_format(err, "ask for %d node%s fewer", tmap_lint_idle_nodes_count(it),
				   tmap_lint_idle_nodes_count(it) == 1 ? "" : "s");
	if (p->size < nodes && suffice(it))
		return tmap_format(err, "ask for %d node%s, which is enough for %d rank%s", used,
				   used == 1 ? "" : "s", p->size, p->size == 1 ? "" : "s");
	if (p->size < nodes)
		return tmap_strdup("put each rank on a node of its own", err);
	if (it->parts.count || p->size % nodes != 0 || !has_equal_nodes(p->machine) || !has_room)
		return add_fewer_take(
			tmap_format(err, "distribute the ranks over the %d nodes", nodes), it, ",",
			err);
	return add_fewer_take(
		tmap_lint_even_fix(finding, it, p->size / nodes, nodes, (int)cores, err), it, ";",
		err);
}

enum tmap_lint_answer tmap_lint_idle_nodes(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int idle = tmap_lint_idle_nodes_count(it), nodes = p->machine->node_count;

	if (!idle)
		return TMAP_LINT_NOTHING;
	if (tmap_idset_add_range(&finding->ranks, 0, p->size - 1, err) < 0)
		return TMAP_LINT_FAILED;
	tmap_lint_figure(finding, "nodes", nodes);
	tmap_lint_figure(finding, "idle_nodes", idle);
	if (p->size < nodes)
		finding->severity = TMAP_SEVERITY_HINT;
	finding->fix = idle_fix(finding, it, err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(finding,
				    tmap_format(err, "%d of %d nodes %s no rank", idle, nodes,
						idle == 1 ? "has" : "have"),
				    err);
}
