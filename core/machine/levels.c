#include "core/machine/levels.h"

#include "core/machine/level_numbers.h"
#include "core/machine/placement.h"
#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void level_fini(struct tm_level *level, int topology_count)
{
	free(level->name);
	free(level->node_base);
	for (int t = 0; level->local && t < topology_count; t++)
		free(level->local[t]);
	free(level->local);
	*level = (struct tm_level){ 0 };
}

void tm_levels_fini(struct tm_levels *levels)
{
	for (int i = 0; i < levels->count; i++)
		level_fini(&levels->level[i], levels->machine->topology_count);
	free(levels->level);
	*levels = (struct tm_levels){ 0 };
}

int tm_levels_find(const struct tm_levels *levels, const char *name)
{
	for (int i = 0; i < levels->count; i++)
		if (strcmp(levels->level[i].name, name) == 0)
			return i;
	return TM_NONE;
}

int tm_levels_number(const struct tm_levels *levels, int level, int node, int object)
{
	const struct tm_level *it = &levels->level[level];

	if (!it->local)
		return it->node_base[node];
	return it->node_base[node] + it->local[levels->machine->node_topology[node]][object];
}

int tm_levels_of_rank(const struct tm_levels *levels, int level, const struct tm_placement *p,
		      int rank)
{
	return tm_levels_number(levels, level, p->node[rank], p->places[p->place[rank]].object);
}

/* A switch, or for nodes of unknown uplink what they share one tier below (@p below, NULL for
 * leaves, where each node is alone). */
static int uplink(const struct tm_tier *tier, const int *below, int node)
{
	if (tier->switch_of[node] != TM_NONE)
		return tier->switch_of[node];
	return tier->switch_count + (below ? below[node] : node);
}

/* The switches that hold nodes, numbered by their first node. */
static int number_switches(struct tm_level *level, const struct tm_machine *machine,
			   const int *below, struct tm_error *err)
{
	const struct tm_tier *tier = &machine->tier[level->tier];
	int *number = tm_alloc((size_t)tier->switch_count + (size_t)machine->node_count,
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

static int init_tier(struct tm_level *level, const struct tm_machine *machine, int tier,
		     const int *below, struct tm_error *err)
{
	struct tm_level made = { .tier = tier };

	made.name = tm_strdup(machine->tier[tier].name, err);
	made.node_base = tm_alloc((size_t)machine->node_count, sizeof *made.node_base, err);
	if (!made.name || !made.node_base || number_switches(&made, machine, below, err) < 0) {
		level_fini(&made, 0);
		return -1;
	}
	*level = made;
	return 0;
}

static int init_inner(struct tm_level *level, const struct tm_machine *machine,
		      const struct tm_level_order *order, int at, int object_count,
		      struct tm_error *err)
{
	struct tm_level made = {
		.tier = TM_NONE, .kind = order->kind[at], .object_count = object_count,
	};

	made.name = tm_level_name(made.kind, err);
	made.node_base = tm_alloc_raw((size_t)machine->node_count, sizeof *made.node_base, err);
	made.local = tm_alloc((size_t)machine->topology_count, sizeof *made.local, err);
	if (!made.name || !made.node_base || !made.local ||
	    tm_level_number_objects(&made, machine, order, at, err) < 0) {
		level_fini(&made, machine->topology_count);
		return -1;
	}
	*level = made;
	return 0;
}

static int init_node(struct tm_level *level, const struct tm_machine *machine,
		     struct tm_error *err)
{
	struct tm_level made = {
		.tier = TM_NONE, .kind = { TM_NODE, 0 },
		.object_count = machine->node_count, .number_count = machine->node_count,
	};

	made.name = tm_level_name(made.kind, err);
	made.node_base = tm_alloc_raw((size_t)machine->node_count, sizeof *made.node_base, err);
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
static bool is_same_tier(const struct tm_level *a, const struct tm_level *b, int node_count)
{
	return memcmp(a->node_base, b->node_base, (size_t)node_count * sizeof *a->node_base) == 0;
}

/* Leaves are numbered first, and levels stand outermost first. */
static int init_tiers(struct tm_level *level, const struct tm_machine *machine,
		      struct tm_error *err)
{
	const int *below = NULL;

	for (int i = 0; i < machine->tier_count; i++) {
		struct tm_level *it = &level[machine->tier_count - 1 - i];

		if (init_tier(it, machine, i, below, err) < 0)
			return -1;
		below = it->node_base;
	}
	return 0;
}

static int add_tiers(struct tm_levels *levels, struct tm_error *err)
{
	const struct tm_machine *machine = levels->machine;
	int kept = 0;

	levels->count = machine->tier_count;
	if (init_tiers(levels->level, machine, err) < 0)
		return -1;
	for (int i = 0; i < machine->tier_count; i++) {
		struct tm_level level = levels->level[i];

		levels->level[i] = (struct tm_level){ 0 };
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
static int *count_nodes(const struct tm_machine *machine, struct tm_error *err)
{
	int *nodes = tm_alloc((size_t)machine->topology_count, sizeof *nodes, err);

	for (int n = 0; nodes && n < machine->node_count; n++)
		nodes[machine->node_topology[n]]++;
	return nodes;
}

static int64_t count_objects(const struct tm_machine *machine, const int *nodes,
			     struct tm_level_kind kind)
{
	int64_t count = 0;

	for (int t = 0; t < machine->topology_count; t++)
		if (nodes[t])
			count += (int64_t)nodes[t] * tm_level_count(&machine->topology[t], kind);
	return count;
}

static bool is_same_everywhere(const struct tm_machine *machine, const int *nodes,
			       struct tm_level_kind a, struct tm_level_kind b)
{
	for (int t = 0; t < machine->topology_count; t++)
		if (nodes[t] && !tm_level_is_same(&machine->topology[t], a, b))
			return false;
	return true;
}

static int add_inner(struct tm_levels *levels, const struct tm_level_order *order,
		     const int *nodes, struct tm_error *err)
{
	const struct tm_machine *machine = levels->machine;

	if (init_node(&levels->level[levels->count], machine, err) < 0)
		return -1;
	levels->count++;
	for (int i = 1; i < order->count; i++) {
		struct tm_level *above = &levels->level[levels->count - 1];
		int64_t objects = count_objects(machine, nodes, order->kind[i]);

		if (objects <= 1 ||
		    is_same_everywhere(machine, nodes, above->kind, order->kind[i]))
			continue;
		if (objects > INT_MAX)
			return tm_fail(err, TM_INPUT, "the job has more than %d %ss", INT_MAX,
				       tm_type_name(order->kind[i].type));
		if (init_inner(above + 1, machine, order, i, (int)objects, err) < 0)
			return -1;
		levels->count++;
	}
	return 0;
}

int tm_levels_init(struct tm_levels *levels, const struct tm_machine *machine,
		   struct tm_error *err)
{
	struct tm_levels made = { .machine = machine };
	struct tm_level_order order;
	int *nodes = NULL;
	int status = -1;

	if (tm_level_order_init(&order, machine->topology, machine->topology_count, err) < 0)
		return -1;
	nodes = count_nodes(machine, err);
	made.level = tm_alloc((size_t)(machine->tier_count + order.count), sizeof *made.level, err);
	if (nodes && made.level && add_tiers(&made, err) == 0 &&
	    add_inner(&made, &order, nodes, err) == 0)
		status = 0;
	free(nodes);
	tm_level_order_fini(&order);
	if (status < 0)
		tm_levels_fini(&made);
	else
		*levels = made;
	return status;
}
