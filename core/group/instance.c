#include "core/group/instance.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void tm_instances_fini(struct tm_instances *it)
{
	for (int t = 0; it->local && t < it->machine->topology_count; t++)
		free(it->local[t]);
	free(it->local);
	free(it->base);
	*it = (struct tm_instances){ 0 };
}

/* The object of the kind around each object, as its number on the node; returns how many
 * there are, or TM_NONE. Parents come first. */
static int number_objects(const struct tm_topology *topo, struct tm_level_kind kind, int *local,
			  struct tm_error *err)
{
	int *number = tm_alloc((size_t)topo->object_count, sizeof *number, err);
	int count = 0;

	if (!number)
		return TM_NONE;
	for (int i = 0; i < topo->object_count; i++) {
		int around = tm_level_object(topo, kind, i);

		local[i] = TM_NONE;
		if (around == TM_NONE)
			continue;
		if (!number[around])
			number[around] = ++count;
		local[i] = number[around] - 1;
	}
	free(number);
	return count;
}

static int lay_out(struct tm_instances *it, const int *each, struct tm_error *err)
{
	int64_t next = 0;

	for (int n = 0; n < it->machine->node_count; n++) {
		it->base[n] = (int)next;
		next += each[it->machine->node_topology[n]];
		if (next > INT_MAX)
			return tm_fail(err, TM_INPUT, "the job has more than %d objects of one "
				       "kind", INT_MAX);
	}
	it->count = (int)next;
	return 0;
}

/* Objects over the same PUs are one place. */
static void share_equal_pus(const struct tm_topology *topo, int *local)
{
	for (int i = topo->object_count - 2; i >= 0; i--)
		if (topo->object[i + 1].first_pu == topo->object[i].first_pu &&
		    topo->object[i + 1].end_pu == topo->object[i].end_pu)
			local[i] = local[i + 1];
}

static int number_topologies(struct tm_instances *it, struct tm_level_kind kind, int *each,
			     struct tm_error *err)
{
	for (int t = 0; t < it->machine->topology_count; t++) {
		const struct tm_topology *topo = &it->machine->topology[t];

		it->local[t] = tm_alloc_raw((size_t)topo->object_count, sizeof(int), err);
		if (!it->local[t])
			return -1;
		each[t] = number_objects(topo, kind, it->local[t], err);
		if (each[t] == TM_NONE)
			return -1;
		share_equal_pus(topo, it->local[t]);
	}
	return lay_out(it, each, err);
}

int tm_instances_init(struct tm_instances *it, const struct tm_machine *machine,
		      struct tm_level_kind kind, struct tm_error *err)
{
	struct tm_instances made = { .machine = machine };
	int *each = tm_alloc((size_t)machine->topology_count, sizeof *each, err);
	int status = -1;

	made.base = tm_alloc_raw((size_t)machine->node_count, sizeof *made.base, err);
	made.local = tm_alloc((size_t)machine->topology_count, sizeof *made.local, err);
	if (each && made.base && made.local)
		status = number_topologies(&made, kind, each, err);
	free(each);
	if (status < 0)
		tm_instances_fini(&made);
	else
		*it = made;
	return status;
}

int tm_instances_init_tier(struct tm_instances *it, const struct tm_levels *levels, int level,
			   struct tm_error *err)
{
	const struct tm_level *of = &levels->level[level];
	size_t nodes = (size_t)levels->machine->node_count;
	int *base;

	base = tm_alloc_raw(nodes, sizeof *base, err);
	if (!base)
		return -1;
	memcpy(base, of->node_base, nodes * sizeof *base);
	*it = (struct tm_instances){
		.machine = levels->machine, .count = of->number_count, .base = base };
	return 0;
}

int tm_instance_of_rank(const struct tm_instances *it, const struct tm_placement *p, int rank)
{
	int node = p->node[rank], local;

	if (!it->local)
		return it->base[node];
	local = it->local[it->machine->node_topology[node]][p->places[p->place[rank]].object];
	return local == TM_NONE ? TM_NONE : it->base[node] + local;
}
