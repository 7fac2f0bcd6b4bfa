#include "core/tree/access.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Number the controllers of one topology: those of its NUMA nodes in their order, and each
 * object above them; returns how many. */
static int number_local(int *local, const struct tm_topology *topo)
{
	bool has_numa = tm_topology_count(topo, TM_NUMA) > 0;
	int count = 0;

	for (int o = 0; o < topo->object_count; o++) {
		int numa = tm_topology_ancestor(topo, o, TM_NUMA);
		int at = has_numa ? numa : 0;

		local[o] = at == TM_NONE || at == o ? count++ : local[at];
	}
	return count;
}

static int number_nodes(struct tm_controllers *made, const int *local_count, struct tm_error *err)
{
	int64_t next = 0;

	for (int n = 0; n < made->machine->node_count; n++) {
		made->node_base[n] = (int)next;
		next += local_count[made->machine->node_topology[n]];
		if (next > INT_MAX)
			return tm_fail(err, TM_INPUT, "the machine has more than %d memory "
				       "controllers", INT_MAX);
	}
	made->count = (int)next;
	return 0;
}

int tm_controllers_init(struct tm_controllers *controllers, const struct tm_machine *machine,
			struct tm_error *err)
{
	struct tm_controllers made = { .machine = machine };
	size_t topologies = (size_t)machine->topology_count, objects = 0;
	int *local_count = tm_alloc(topologies, sizeof *local_count, err);
	int status = -1;

	for (size_t t = 0; t < topologies; t++)
		objects += (size_t)machine->topology[t].object_count;
	made.node_base = tm_alloc((size_t)machine->node_count, sizeof *made.node_base, err);
	made.object_base = tm_alloc(topologies, sizeof *made.object_base, err);
	made.local = tm_alloc(objects, sizeof *made.local, err);
	if (local_count && made.node_base && made.object_base && made.local) {
		for (size_t t = 0, base = 0; t < topologies; t++) {
			made.object_base[t] = (int)base;
			local_count[t] = number_local(made.local + base, &machine->topology[t]);
			base += (size_t)machine->topology[t].object_count;
		}
		status = number_nodes(&made, local_count, err);
	}
	free(local_count);
	if (status < 0)
		tm_controllers_fini(&made);
	else
		*controllers = made;
	return status;
}

void tm_controllers_fini(struct tm_controllers *controllers)
{
	free(controllers->node_base);
	free(controllers->object_base);
	free(controllers->local);
	*controllers = (struct tm_controllers){ 0 };
}

int tm_controllers_of_rank(const struct tm_controllers *controllers, const struct tm_placement *p,
			   int rank)
{
	const struct tm_place *place = &p->places[p->place[rank]];

	return controllers->node_base[p->node[rank]] +
	       controllers->local[controllers->object_base[place->topology] + place->object];
}

/* Reads and writes of all controllers while they are counted. */
struct count {
	struct tm_controllers controllers;
	const struct tm_placement *placement;
	int64_t *reads, *writes;
	int64_t remote;
};

static void count_fini(struct count *count)
{
	tm_controllers_fini(&count->controllers);
	free(count->reads);
	free(count->writes);
}

static int count_init(struct count *count, const struct tm_placement *p, struct tm_error *err)
{
	*count = (struct count){ .placement = p };
	if (tm_controllers_init(&count->controllers, p->machine, err) < 0)
		return -1;
	count->reads = tm_alloc((size_t)count->controllers.count, sizeof *count->reads, err);
	count->writes = tm_alloc((size_t)count->controllers.count, sizeof *count->writes, err);
	if (count->reads && count->writes)
		return 0;
	count_fini(count);
	return -1;
}

/* @p to copies @p copies times from @p from. */
static void count_copies(struct count *count, int from, int to, int64_t copies)
{
	int source = tm_controllers_of_rank(&count->controllers, count->placement, from);
	int target = tm_controllers_of_rank(&count->controllers, count->placement, to);

	count->reads[source] += copies;
	count->writes[target] += copies;
	if (source != target)
		count->remote += copies;
}

/* The first object of a topology that has this controller is the controller's own. */
static int object_of(const struct count *count, int node, int local)
{
	int topology = count->controllers.machine->node_topology[node];
	const int *list = count->controllers.local + count->controllers.object_base[topology];
	int object = 0;

	while (list[object] != local)
		object++;
	return object;
}

static int list_rows(struct tm_accesses *accesses, const struct count *count, struct tm_error *err)
{
	const struct tm_machine *machine = count->controllers.machine;
	struct tm_accesses made = { .remote = count->remote };
	size_t used = 0;
	int node = 0;

	for (int c = 0; c < count->controllers.count; c++)
		used += count->reads[c] || count->writes[c];
	made.row = tm_alloc(used, sizeof *made.row, err);
	if (!made.row)
		return -1;
	for (int c = 0; c < count->controllers.count; c++) {
		if (!count->reads[c] && !count->writes[c])
			continue;
		while (node + 1 < machine->node_count &&
		       count->controllers.node_base[node + 1] <= c)
			node++;
		made.row[made.count++] = (struct tm_access){
			.node = node, .reads = count->reads[c], .writes = count->writes[c],
			.object = object_of(count, node, c - count->controllers.node_base[node]),
		};
	}
	*accesses = made;
	return 0;
}

int tm_accesses_of_tree(struct tm_accesses *accesses, const struct tm_tree *tree,
			const struct tm_placement *p, struct tm_error *err)
{
	struct count count;
	int status;

	if (count_init(&count, p, err) < 0)
		return -1;
	for (int r = 0; r < tree->size; r++)
		if (r != tree->root)
			count_copies(&count, tree->parent[r], r, 1);
	status = list_rows(accesses, &count, err);
	count_fini(&count);
	return status;
}

int tm_accesses_of_ring(struct tm_accesses *accesses, const struct tm_ring *ring,
			const struct tm_placement *p, struct tm_error *err)
{
	struct count count;
	int status;

	if (count_init(&count, p, err) < 0)
		return -1;
	for (int i = 0; i < ring->size; i++) {
		count_copies(&count, ring->order[i], ring->order[i], 1);
		count_copies(&count, ring->order[i], ring->order[(i + 1) % ring->size],
			     ring->size - 1);
	}
	status = list_rows(accesses, &count, err);
	count_fini(&count);
	return status;
}

void tm_accesses_fini(struct tm_accesses *accesses)
{
	free(accesses->row);
	*accesses = (struct tm_accesses){ 0 };
}

static void count_edge(int64_t *crossings, const struct tm_levels *levels,
		       const struct tm_placement *p, int a, int b)
{
	for (int l = 0; l < levels->count; l++)
		crossings[l] += tm_levels_of_rank(levels, l, p, a) !=
				tm_levels_of_rank(levels, l, p, b);
}

int64_t *tm_tree_count_crossings(const struct tm_tree *tree, const struct tm_levels *levels,
				 const struct tm_placement *p, struct tm_error *err)
{
	int64_t *crossings = tm_alloc((size_t)levels->count, sizeof *crossings, err);

	for (int r = 0; crossings && r < tree->size; r++)
		if (r != tree->root)
			count_edge(crossings, levels, p, r, tree->parent[r]);
	return crossings;
}

int64_t *tm_ring_count_crossings(const struct tm_ring *ring, const struct tm_levels *levels,
				 const struct tm_placement *p, struct tm_error *err)
{
	int64_t *crossings = tm_alloc((size_t)levels->count, sizeof *crossings, err);

	for (int i = 0; crossings && i < tm_ring_steps(ring); i++)
		count_edge(crossings, levels, p, ring->order[i],
			   ring->order[(i + 1) % ring->size]);
	return crossings;
}
