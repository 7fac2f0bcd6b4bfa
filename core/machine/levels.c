/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/levels.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void level_fini(struct tmap_level *level)
{
	free(level->name);
	tmap_partition_fini(&level->sets);
	*level = (struct tmap_level){ 0 };
}

void tmap_levels_fini(struct tmap_levels *levels)
{
	for (int i = 0; i < levels->count; i++)
		level_fini(&levels->level[i]);
	free(levels->level);
	*levels = (struct tmap_levels){ 0 };
}

int tmap_levels_find(const struct tmap_levels *levels, const char *name)
{
	for (int i = 0; i < levels->count; i++)
		if (strcmp(levels->level[i].name, name) == 0)
			return i;
	return TMAP_NONE;
}

/* Outermost first, and a tier is left out for the next outer one that is kept. */
int tmap_levels_find_tier(const struct tmap_levels *levels, int tier)
{
	int index = TMAP_NONE;

	for (int l = 0; l < levels->count && levels->level[l].tier >= tier; l++)
		index = l;
	return index;
}

int tmap_levels_number(const struct tmap_levels *levels, int level, int node, int object)
{
	return tmap_partition_of_object(&levels->level[level].sets,
					levels->machine->node_topology[node], node, object);
}

int tmap_levels_of_rank(const struct tmap_levels *levels, int level, const struct tmap_placement *p,
			int rank)
{
	return tmap_partition_set(&levels->level[level].sets, p, rank);
}

static int level_init_tier(struct tmap_level *level, const struct tmap_machine *machine, int tier,
			   const struct tmap_partition *below, struct tmap_error *err)
{
	struct tmap_level made = { .tier = tier };

	made.name = tmap_strdup(machine->tier[tier].name, err);
	if (!made.name || tmap_partition_init_switches(&made.sets, machine, tier, below, err) < 0) {
		level_fini(&made);
		return -1;
	}
	made.object_count = made.sets.count;
	*level = made;
	return 0;
}

struct inner_level {
	const struct tmap_level_order *order;
	int at;
};

/* Where the type of an object is in the order. */
static int order_position(const struct tmap_level_order *order, const struct tmap_object *object)
{
	int i = 0;

	while (order->kind[i].type != object->type || order->kind[i].nest != object->nest)
		i++;
	return i;
}

/*
 * Which object stands for each one at a level: the level's own where there is one; else the
 * outermost object of a level below; else the object itself. Parents come first, and objects
 * over the same PUs are one place.
 */
static void substitutes_find(int *substitute, const struct tmap_topology *topo,
			     const struct tmap_level_order *order, int at)
{
	bool implied = tmap_level_is_implied(topo, order->kind[at]);

	for (int i = 0; i < topo->object_count; i++) {
		int parent = topo->object[i].parent;
		int above = parent == TMAP_NONE ? TMAP_NONE : substitute[parent];

		if (implied)
			substitute[i] = 0;
		else if (order_position(order, &topo->object[i]) != at && above != TMAP_NONE &&
			 order_position(order, &topo->object[above]) >= at)
			substitute[i] = above;
		else
			substitute[i] = i;
	}
	for (int i = topo->object_count - 2; i >= 0; i--)
		if (topo->object[i + 1].first_pu == topo->object[i].first_pu &&
		    topo->object[i + 1].end_pu == topo->object[i].end_pu)
			substitute[i] = substitute[i + 1];
}

/* The local numbers of a level: each object gets the number of its substitute. */
static int substitutes_number(int *local, const struct tmap_topology *topo, const void *context,
			      struct tmap_error *err)
{
	const struct inner_level *level = context;
	int *number = tmap_alloc((size_t)topo->object_count, sizeof *number, err);
	int count = 0;

	if (!number)
		return -1;
	substitutes_find(local, topo, level->order, level->at);
	for (int i = 0; i < topo->object_count; i++) {
		int *its = &number[local[i]];

		if (*its == 0)
			*its = ++count;
		local[i] = *its - 1;
	}
	free(number);
	return count;
}

static int level_init_inner(struct tmap_level *level, const struct tmap_machine *machine,
			    const struct tmap_level_order *order, int at, int object_count,
			    struct tmap_error *err)
{
	struct tmap_level made = {
		.tier = TMAP_NONE,
		.kind = order->kind[at],
		.object_count = object_count,
	};
	const struct inner_level inner = { order, at };

	made.name = tmap_level_name(made.kind, err);
	if (!made.name ||
	    tmap_partition_init_objects(&made.sets, machine, substitutes_number, &inner,
					tmap_type_name(made.kind.type), err) < 0) {
		level_fini(&made);
		return -1;
	}
	*level = made;
	return 0;
}

static int level_init_node(struct tmap_level *level, const struct tmap_machine *machine,
			   struct tmap_error *err)
{
	struct tmap_level made = {
		.tier = TMAP_NONE,
		.kind = { TMAP_NODE, 0 },
		.object_count = machine->node_count,
	};

	made.name = tmap_level_name(made.kind, err);
	if (!made.name || tmap_partition_init_nodes(&made.sets, machine, err) < 0) {
		level_fini(&made);
		return -1;
	}
	*level = made;
	return 0;
}

/* Sets are numbered in the order of the nodes, so equal partitions have equal numbers. */
static bool is_same_tier(const struct tmap_level *a, const struct tmap_level *b, int node_count)
{
	return memcmp(a->sets.node_base, b->sets.node_base,
		      (size_t)node_count * sizeof *a->sets.node_base) == 0;
}

/* Leaves come first in the machine, levels outermost first. */
static int levels_add_tiers(struct tmap_levels *levels, struct tmap_error *err)
{
	const struct tmap_machine *machine = levels->machine;
	const struct tmap_partition *below = NULL;
	int kept = 0;

	levels->count = machine->tier_count;
	for (int i = 0; i < machine->tier_count; i++) {
		struct tmap_level *it = &levels->level[machine->tier_count - 1 - i];

		if (level_init_tier(it, machine, i, below, err) < 0)
			return -1;
		below = &it->sets;
	}
	for (int i = 0; i < machine->tier_count; i++) {
		struct tmap_level level = levels->level[i];

		levels->level[i] = (struct tmap_level){ 0 };
		if (level.object_count == 1 ||
		    (kept && is_same_tier(&levels->level[kept - 1], &level, machine->node_count)))
			level_fini(&level);
		else
			levels->level[kept++] = level;
	}
	levels->count = kept;
	return 0;
}

/* Number of nodes of each topology. */
static int *topology_nodes(const struct tmap_machine *machine, struct tmap_error *err)
{
	int *nodes = tmap_alloc((size_t)machine->topology_count, sizeof *nodes, err);

	for (int n = 0; nodes && n < machine->node_count; n++)
		nodes[machine->node_topology[n]]++;
	return nodes;
}

static int64_t level_object_count(const struct tmap_machine *machine, const int *nodes,
				  struct tmap_level_kind kind)
{
	int64_t count = 0;

	for (int t = 0; t < machine->topology_count; t++)
		if (nodes[t])
			count += (int64_t)nodes[t] * tmap_level_count(&machine->topology[t], kind);
	return count;
}

static bool is_same_level(const struct tmap_machine *machine, const int *nodes,
			  struct tmap_level_kind a, struct tmap_level_kind b)
{
	for (int t = 0; t < machine->topology_count; t++)
		if (nodes[t] && !tmap_level_is_same(&machine->topology[t], a, b))
			return false;
	return true;
}

static int levels_add_inner(struct tmap_levels *levels, const struct tmap_level_order *order,
			    const int *nodes, struct tmap_error *err)
{
	const struct tmap_machine *machine = levels->machine;

	if (level_init_node(&levels->level[levels->count], machine, err) < 0)
		return -1;
	levels->count++;
	for (int i = 1; i < order->count; i++) {
		struct tmap_level *above = &levels->level[levels->count - 1];
		int64_t objects = level_object_count(machine, nodes, order->kind[i]);

		if (objects <= 1 || is_same_level(machine, nodes, above->kind, order->kind[i]))
			continue;
		if (objects > INT_MAX)
			return tmap_fail(err, TMAP_INPUT, "the job has more than %d %ss", INT_MAX,
					 tmap_type_name(order->kind[i].type));
		if (level_init_inner(above + 1, machine, order, i, (int)objects, err) < 0)
			return -1;
		levels->count++;
	}
	return 0;
}

int tmap_levels_init(struct tmap_levels *levels, const struct tmap_machine *machine,
		     struct tmap_error *err)
{
	struct tmap_levels made = { .machine = machine };
	struct tmap_level_order order;
	int *nodes = NULL;
	int status = -1;

	if (tmap_level_order_init(&order, machine->topology, machine->topology_count, err) < 0)
		return -1;
	nodes = topology_nodes(machine, err);
	made.level =
		tmap_alloc((size_t)(machine->tier_count + order.count), sizeof *made.level, err);
	if (nodes && made.level && levels_add_tiers(&made, err) == 0 &&
	    levels_add_inner(&made, &order, nodes, err) == 0)
		status = 0;
	free(nodes);
	tmap_level_order_fini(&order);
	if (status < 0)
		tmap_levels_fini(&made);
	else
		*levels = made;
	return status;
}
