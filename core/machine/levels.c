#include "core/machine/levels.h"

#include "core/base/mem.h"
#include "core/machine/level_numbers.h"
#include "core/machine/placement.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void level_fini(struct tmap_level *level, int topology_count)
{
	free(level->name);
	free(level->node_base);
	for (int t = 0; level->local && t < topology_count; t++)
		free(level->local[t]);
	free(level->local);
	*level = (struct tmap_level){ 0 };
}

void tmap_levels_fini(struct tmap_levels *levels)
{
	for (int i = 0; i < levels->count; i++)
		level_fini(&levels->level[i], levels->machine->topology_count);
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

int tmap_levels_number(const struct tmap_levels *levels, int level, int node, int object)
{
	const struct tmap_level *it = &levels->level[level];

	if (!it->local)
		return it->node_base[node];
	return it->node_base[node] + it->local[levels->machine->node_topology[node]][object];
}

int tmap_levels_of_rank(const struct tmap_levels *levels, int level, const struct tmap_placement *p,
			int rank)
{
	return tmap_levels_number(levels, level, p->node[rank], p->places[p->place[rank]].object);
}

/* A switch, or for nodes of unknown uplink what they share one tier below (@p below, NULL for
 * leaves, where each node is alone). */
static int uplink(const struct tmap_tier *tier, const int *below, int node)
{
	if (tier->switch_of[node] != TMAP_NONE)
		return tier->switch_of[node];
	return tier->switch_count + (below ? below[node] : node);
}

/* The switches that hold nodes, numbered by their first node. */
static int number_switches(struct tmap_level *level, const struct tmap_machine *machine,
			   const int *below, struct tmap_error *err)
{
	const struct tmap_tier *tier = &machine->tier[level->tier];
	int *number = tmap_alloc((size_t)tier->switch_count + (size_t)machine->node_count,
				 sizeof *number, err);

	if (!number)
		return -1;
	for (int n = 0; n < machine->node_count; n++) {
		int *known = &number[uplink(tier, below, n)];

		if (*known == 0)
			*known = ++level->number_count;
		level->node_base[n] = *known - 1;
	}
	level->object_count = level->number_count;
	free(number);
	return 0;
}

static int init_tier(struct tmap_level *level, const struct tmap_machine *machine, int tier,
		     const int *below, struct tmap_error *err)
{
	struct tmap_level made = { .tier = tier };

	made.name = tmap_strdup(machine->tier[tier].name, err);
	made.node_base = tmap_alloc((size_t)machine->node_count, sizeof *made.node_base, err);
	if (!made.name || !made.node_base || number_switches(&made, machine, below, err) < 0) {
		level_fini(&made, 0);
		return -1;
	}
	*level = made;
	return 0;
}

static int init_inner(struct tmap_level *level, const struct tmap_machine *machine,
		      const struct tmap_level_order *order, int at, int object_count,
		      struct tmap_error *err)
{
	struct tmap_level made = {
		.tier = TMAP_NONE,
		.kind = order->kind[at],
		.object_count = object_count,
	};

	made.name = tmap_level_name(made.kind, err);
	made.node_base = tmap_alloc_raw((size_t)machine->node_count, sizeof *made.node_base, err);
	made.local = tmap_alloc((size_t)machine->topology_count, sizeof *made.local, err);
	if (!made.name || !made.node_base || !made.local ||
	    tmap_level_number_objects(&made, machine, order, at, err) < 0) {
		level_fini(&made, machine->topology_count);
		return -1;
	}
	*level = made;
	return 0;
}

static int init_node(struct tmap_level *level, const struct tmap_machine *machine,
		     struct tmap_error *err)
{
	struct tmap_level made = {
		.tier = TMAP_NONE,
		.kind = { TMAP_NODE, 0 },
		.object_count = machine->node_count,
		.number_count = machine->node_count,
	};

	made.name = tmap_level_name(made.kind, err);
	made.node_base = tmap_alloc_raw((size_t)machine->node_count, sizeof *made.node_base, err);
	if (!made.name || !made.node_base) {
		level_fini(&made, 0);
		return -1;
	}
	for (int n = 0; n < machine->node_count; n++)
		made.node_base[n] = n;
	*level = made;
	return 0;
}

/* Numbers are given in the order of the nodes, so equal partitions have equal numbers. */
static bool is_same_tier(const struct tmap_level *a, const struct tmap_level *b, int node_count)
{
	return memcmp(a->node_base, b->node_base, (size_t)node_count * sizeof *a->node_base) == 0;
}

/* Leaves are numbered first, and levels stand outermost first. */
static int init_tiers(struct tmap_level *level, const struct tmap_machine *machine,
		      struct tmap_error *err)
{
	const int *below = NULL;

	for (int i = 0; i < machine->tier_count; i++) {
		struct tmap_level *it = &level[machine->tier_count - 1 - i];

		if (init_tier(it, machine, i, below, err) < 0)
			return -1;
		below = it->node_base;
	}
	return 0;
}

static int add_tiers(struct tmap_levels *levels, struct tmap_error *err)
{
	const struct tmap_machine *machine = levels->machine;
	int kept = 0;

	levels->count = machine->tier_count;
	if (init_tiers(levels->level, machine, err) < 0)
		return -1;
	for (int i = 0; i < machine->tier_count; i++) {
		struct tmap_level level = levels->level[i];

		levels->level[i] = (struct tmap_level){ 0 };
		if (level.object_count == 1 ||
		    (kept && is_same_tier(&levels->level[kept - 1], &level, machine->node_count)))
			level_fini(&level, 0);
		else
			levels->level[kept++] = level;
	}
	levels->count = kept;
	return 0;
}

/* Number of nodes of each topology. */
static int *count_nodes(const struct tmap_machine *machine, struct tmap_error *err)
{
	int *nodes = tmap_alloc((size_t)machine->topology_count, sizeof *nodes, err);

	for (int n = 0; nodes && n < machine->node_count; n++)
		nodes[machine->node_topology[n]]++;
	return nodes;
}

static int64_t count_objects(const struct tmap_machine *machine, const int *nodes,
			     struct tmap_level_kind kind)
{
	int64_t count = 0;

	for (int t = 0; t < machine->topology_count; t++)
		if (nodes[t])
			count += (int64_t)nodes[t] * tmap_level_count(&machine->topology[t], kind);
	return count;
}

static bool is_same_everywhere(const struct tmap_machine *machine, const int *nodes,
			       struct tmap_level_kind a, struct tmap_level_kind b)
{
	for (int t = 0; t < machine->topology_count; t++)
		if (nodes[t] && !tmap_level_is_same(&machine->topology[t], a, b))
			return false;
	return true;
}

static int add_inner(struct tmap_levels *levels, const struct tmap_level_order *order,
		     const int *nodes, struct tmap_error *err)
{
	const struct tmap_machine *machine = levels->machine;

	if (init_node(&levels->level[levels->count], machine, err) < 0)
		return -1;
	levels->count++;
	for (int i = 1; i < order->count; i++) {
		struct tmap_level *above = &levels->level[levels->count - 1];
		int64_t objects = count_objects(machine, nodes, order->kind[i]);

		if (objects <= 1 || is_same_everywhere(machine, nodes, above->kind, order->kind[i]))
			continue;
		if (objects > INT_MAX)
			return tmap_fail(err, TMAP_INPUT, "the job has more than %d %ss", INT_MAX,
					 tmap_type_name(order->kind[i].type));
		if (init_inner(above + 1, machine, order, i, (int)objects, err) < 0)
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
	nodes = count_nodes(machine, err);
	made.level =
		tmap_alloc((size_t)(machine->tier_count + order.count), sizeof *made.level, err);
	if (nodes && made.level && add_tiers(&made, err) == 0 &&
	    add_inner(&made, &order, nodes, err) == 0)
		status = 0;
	free(nodes);
	tmap_level_order_fini(&order);
	if (status < 0)
		tmap_levels_fini(&made);
	else
		*levels = made;
	return status;
}
