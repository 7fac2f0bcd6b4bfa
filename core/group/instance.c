#include "core/group/instance.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void tmap_instances_fini(struct tmap_instances *it)
{
	for (int t = 0; it->local && t < it->machine->topology_count; t++)
		free(it->local[t]);
	free(it->local);
	free(it->base);
	*it = (struct tmap_instances){ 0 };
}

/* The object of the kind around each object, as its number on the node; returns how many
 * there are, or TMAP_NONE. Parents come first. */
static int number_objects(const struct tmap_topology *topo, struct tmap_level_kind kind, int *local,
			  struct tmap_error *err)
{
	int *number = tmap_alloc((size_t)topo->object_count, sizeof *number, err);
	int count = 0;

	if (!number)
		return TMAP_NONE;
	for (int i = 0; i < topo->object_count; i++) {
		int around = tmap_level_object(topo, kind, i);

		local[i] = TMAP_NONE;
		if (around == TMAP_NONE)
			continue;
		if (!number[around])
			number[around] = ++count;
		local[i] = number[around] - 1;
	}
	free(number);
	return count;
}

static int lay_out(struct tmap_instances *it, const int *each, struct tmap_error *err)
{
	int64_t next = 0;

	for (int n = 0; n < it->machine->node_count; n++) {
		it->base[n] = (int)next;
		next += each[it->machine->node_topology[n]];
		if (next > INT_MAX)
			return tmap_fail(err, TMAP_INPUT,
					 "the job has more than %d objects of one "
					 "kind",
					 INT_MAX);
	}
	it->count = (int)next;
	return 0;
}

/* Objects over the same PUs are one place. */
static void share_equal_pus(const struct tmap_topology *topo, int *local)
{
	for (int i = topo->object_count - 2; i >= 0; i--)
		if (topo->object[i + 1].first_pu == topo->object[i].first_pu &&
		    topo->object[i + 1].end_pu == topo->object[i].end_pu)
			local[i] = local[i + 1];
}

static int number_topologies(struct tmap_instances *it, struct tmap_level_kind kind, int *each,
			     struct tmap_error *err)
{
	for (int t = 0; t < it->machine->topology_count; t++) {
		const struct tmap_topology *topo = &it->machine->topology[t];

		it->local[t] = tmap_alloc_raw((size_t)topo->object_count, sizeof(int), err);
		if (!it->local[t])
			return -1;
		each[t] = number_objects(topo, kind, it->local[t], err);
		if (each[t] == TMAP_NONE)
			return -1;
		share_equal_pus(topo, it->local[t]);
	}
	return lay_out(it, each, err);
}

int tmap_instances_init(struct tmap_instances *it, const struct tmap_machine *machine,
			struct tmap_level_kind kind, struct tmap_error *err)
{
	struct tmap_instances made = { .machine = machine };
	int *each = tmap_alloc((size_t)machine->topology_count, sizeof *each, err);
	int status = -1;

	made.base = tmap_alloc_raw((size_t)machine->node_count, sizeof *made.base, err);
	made.local = tmap_alloc((size_t)machine->topology_count, sizeof *made.local, err);
	if (each && made.base && made.local)
		status = number_topologies(&made, kind, each, err);
	free(each);
	if (status < 0)
		tmap_instances_fini(&made);
	else
		*it = made;
	return status;
}

int tmap_instances_init_tier(struct tmap_instances *it, const struct tmap_levels *levels, int level,
			     struct tmap_error *err)
{
	const struct tmap_level *of = &levels->level[level];
	size_t nodes = (size_t)levels->machine->node_count;
	int *base;

	base = tmap_alloc_raw(nodes, sizeof *base, err);
	if (!base)
		return -1;
	memcpy(base, of->node_base, nodes * sizeof *base);
	*it = (struct tmap_instances){ .machine = levels->machine,
				       .count = of->number_count,
				       .base = base };
	return 0;
}

int tmap_instance_of_rank(const struct tmap_instances *it, const struct tmap_placement *p, int rank)
{
	int node = p->node[rank], local;

	if (!it->local)
		return it->base[node];
	local = it->local[it->machine->node_topology[node]][p->places[p->place[rank]].object];
	return local == TMAP_NONE ? TMAP_NONE : it->base[node] + local;
}
