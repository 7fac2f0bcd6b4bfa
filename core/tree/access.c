/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/access.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Controllers of one topology: its NUMA nodes in their order, and each object above them. */
static int controllers_number(int *local, const struct tmap_topology *topo, const void *context,
			      struct tmap_error *err)
{
	bool has_numa = tmap_topology_count(topo, TMAP_NUMA) > 0;
	int count = 0;

	(void)context;
	(void)err;
	for (int o = 0; o < topo->object_count; o++) {
		int numa = tmap_topology_ancestor(topo, o, TMAP_NUMA);
		int at = has_numa ? numa : 0;

		local[o] = at == TMAP_NONE || at == o ? count++ : local[at];
	}
	return count;
}

int tmap_controllers_init(struct tmap_partition *controllers, const struct tmap_machine *machine,
			  struct tmap_error *err)
{
	return tmap_partition_init_objects(controllers, machine, controllers_number, NULL,
					   "level 'numa'", err);
}

/* Reads and writes of all controllers while they are counted. */
struct access_count {
	struct tmap_partition controllers;
	const struct tmap_placement *placement;
	int64_t *reads, *writes;
	int64_t remote;
};

static void access_count_fini(struct access_count *count)
{
	tmap_partition_fini(&count->controllers);
	free(count->reads);
	free(count->writes);
}

static int access_count_init(struct access_count *count, const struct tmap_placement *p,
			     struct tmap_error *err)
{
	*count = (struct access_count){ .placement = p };
	if (tmap_controllers_init(&count->controllers, p->machine, err) < 0)
		return -1;
	count->reads = tmap_alloc((size_t)count->controllers.count, sizeof *count->reads, err);
	count->writes = tmap_alloc((size_t)count->controllers.count, sizeof *count->writes, err);
	if (count->reads && count->writes)
		return 0;
	access_count_fini(count);
	return -1;
}

/* @p to copies @p copies times from @p from. */
static void access_count_copies(struct access_count *count, int from, int to, int64_t copies)
{
	int source = tmap_partition_set(&count->controllers, count->placement, from);
	int target = tmap_partition_set(&count->controllers, count->placement, to);

	count->reads[source] += copies;
	count->writes[target] += copies;
	if (source != target)
		count->remote += copies;
}

/* The first object of a topology that has this controller is the controller's own. */
static int controller_object(const struct access_count *count, int node, int local)
{
	int topology = count->placement->machine->node_topology[node];
	const int *list = count->controllers.local[topology];
	int object = 0;

	while (list[object] != local)
		object++;
	return object;
}

static int accesses_list_rows(struct tmap_accesses *accesses, const struct access_count *count,
			      struct tmap_error *err)
{
	const struct tmap_machine *machine = count->placement->machine;
	struct tmap_accesses made = { .remote = count->remote };
	size_t used = 0;
	int node = 0;

	for (int c = 0; c < count->controllers.count; c++)
		used += count->reads[c] || count->writes[c];
	made.row = tmap_alloc(used, sizeof *made.row, err);
	if (!made.row)
		return -1;
	for (int c = 0; c < count->controllers.count; c++) {
		if (!count->reads[c] && !count->writes[c])
			continue;
		while (node + 1 < machine->node_count &&
		       count->controllers.node_base[node + 1] <= c)
			node++;
		made.row[made.count++] = (struct tmap_access){
			.node = node,
			.reads = count->reads[c],
			.writes = count->writes[c],
			.object = controller_object(count, node,
						    c - count->controllers.node_base[node]),
		};
	}
	*accesses = made;
	return 0;
}

int tmap_accesses_of_tree(struct tmap_accesses *accesses, const struct tmap_tree *tree,
			  const struct tmap_placement *p, struct tmap_error *err)
{
	struct access_count count;
	int status;

	if (access_count_init(&count, p, err) < 0)
		return -1;
	for (int r = 0; r < tree->size; r++)
		if (r != tree->root)
			access_count_copies(&count, tree->parent[r], r, 1);
	status = accesses_list_rows(accesses, &count, err);
	access_count_fini(&count);
	return status;
}

int tmap_accesses_of_ring(struct tmap_accesses *accesses, const struct tmap_ring *ring,
			  const struct tmap_placement *p, struct tmap_error *err)
{
	struct access_count count;
	int status;

	if (access_count_init(&count, p, err) < 0)
		return -1;
	for (int i = 0; i < ring->size; i++) {
		access_count_copies(&count, ring->order[i], ring->order[i], 1);
		access_count_copies(&count, ring->order[i], ring->order[(i + 1) % ring->size],
				    ring->size - 1);
	}
	status = accesses_list_rows(accesses, &count, err);
	access_count_fini(&count);
	return status;
}

void tmap_accesses_fini(struct tmap_accesses *accesses)
{
	free(accesses->row);
	*accesses = (struct tmap_accesses){ 0 };
}

static void crossings_add_edge(int64_t *crossings, const struct tmap_levels *levels,
			       const struct tmap_placement *p, int a, int b)
{
	for (int l = 0; l < levels->count; l++)
		crossings[l] += tmap_partition_separates(&levels->level[l].sets, p, a, b);
}

int64_t *tmap_tree_count_crossings(const struct tmap_tree *tree, const struct tmap_levels *levels,
				   const struct tmap_placement *p, struct tmap_error *err)
{
	int64_t *crossings = tmap_alloc((size_t)levels->count, sizeof *crossings, err);

	for (int r = 0; crossings && r < tree->size; r++)
		if (r != tree->root)
			crossings_add_edge(crossings, levels, p, r, tree->parent[r]);
	return crossings;
}

int64_t *tmap_ring_count_crossings(const struct tmap_ring *ring, const struct tmap_levels *levels,
				   const struct tmap_placement *p, struct tmap_error *err)
{
	int64_t *crossings = tmap_alloc((size_t)levels->count, sizeof *crossings, err);

	for (int i = 0; crossings && i < tmap_ring_steps(ring); i++)
		crossings_add_edge(crossings, levels, p, ring->order[i],
				   ring->order[(i + 1) % ring->size]);
	return crossings;
}
