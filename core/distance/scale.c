#include "core/distance/scale.h"

#include "core/base/mem.h"
#include "core/machine/level_order.h"

#include <stdlib.h>

struct scale_row {
	struct tmap_keyword word;
	int (*width)(const struct tmap_topology *topo, double *width, struct tmap_error *err);
	int (*join)(const struct tmap_extent *extent, int tier, double *join,
		    struct tmap_error *err);
};

enum { IN_CACHE = 1, IN_PACKAGE = 2, IN_CONTROLLER = 4, IN_BOARD = 8 };

static int bit_of(enum tmap_type type)
{
	if (type >= TMAP_L5)
		return IN_CACHE; /* a core's and a PU's ranks share its caches */
	return type == TMAP_PACKAGE ? IN_PACKAGE :
		type == TMAP_NUMA   ? IN_CONTROLLER :
		type == TMAP_BOARD  ? IN_BOARD :
				      0;
}

static double process_distance(int in)
{
	if (in & IN_CACHE)
		return 1;
	if (in & IN_CONTROLLER)
		return in & IN_PACKAGE ? 2 : 3;
	if (in & IN_PACKAGE)
		return 4;
	return in & IN_BOARD ? 5 : 6;
}

static int process_width(const struct tmap_topology *topo, double *width, struct tmap_error *err)
{
	int *in = tmap_alloc((size_t)topo->object_count, sizeof *in, err);
	int seen = 0;

	if (!in)
		return -1;
	for (int o = 0; o < topo->object_count; o++)
		seen |= bit_of(topo->object[o].type);
	for (int o = 0; o < topo->object_count; o++) {
		/* without objects of a type, the node is one such object */
		in[o] = o ? in[topo->object[o].parent] : ~seen & ~IN_CACHE;
		in[o] |= bit_of(topo->object[o].type);
		width[o] = process_distance(in[o]);
	}
	free(in);
	return 0;
}

static int process_join(const struct tmap_extent *extent, int tier, double *join,
			struct tmap_error *err)
{
	(void)err;
	for (int n = 0; n < extent->machine->node_count; n++)
		join[n] = 7 + tier;
	return 0;
}

/* The levels of a kind of node of which no one object holds this one. */
static int level_width(const struct tmap_topology *topo, double *width, struct tmap_error *err)
{
	struct tmap_level_order order = { 0 };

	if (tmap_level_order_of(&order, topo, err) < 0)
		return -1;
	for (int o = 0; o < topo->object_count; o++)
		for (int k = 0; k < order.count; k++)
			width[o] += tmap_level_object(topo, order.kind[k], o) == TMAP_NONE;
	tmap_level_order_fini(&order);
	return 0;
}

/*
 * Between nodes their own levels differ, "node" does, and one more for each tier below
 * the common switch. Nodes of different kinds have different numbers of levels: the
 * larger of two counts under a leaf switch, and the largest of its nodes above one
 * (the larger of two would break d(a,c) <= max(d(a,b), d(b,c)) there).
 */
static int level_join(const struct tmap_extent *extent, int tier, double *join,
		      struct tmap_error *err)
{
	const struct tmap_machine *machine = extent->machine;
	const int *group = extent->group + (size_t)tier * (size_t)machine->node_count;
	double *most = tmap_alloc((size_t)machine->node_count, sizeof *most, err);

	if (!most)
		return -1;
	for (int n = 0; n < machine->node_count; n++) {
		join[n] = extent->width[extent->object_base[machine->node_topology[n]]] + 1 + tier;
		if (most[group[n]] < join[n])
			most[group[n]] = join[n];
	}
	for (int n = 0; n < machine->node_count && tier > 0; n++)
		join[n] = most[group[n]];
	free(most);
	return 0;
}

static const struct scale_row scale_rows[] = {
	[TMAP_SCALE_PROCESS] = { { "process",
				   "1 shared cache ... 6 other board, 7 other node, 8 other switch" },
				 process_width,
				 process_join },
	[TMAP_SCALE_LEVEL] = { { "level",
				 "number of levels whose objects differ, those of the network included" },
			       level_width,
			       level_join },
	{ { NULL, NULL }, NULL, NULL },
};

const struct tmap_keywords tmap_scales = TMAP_KEYWORDS("scale", scale_rows);

void tmap_extent_fini(struct tmap_extent *extent)
{
	free(extent->object_base);
	free(extent->width);
	free(extent->join);
	free(extent->group);
}

/* One join a tier; one more that joins everything where the top tier leaves several groups. */
static int count_joins(const struct tmap_machine *machine)
{
	const int *top;

	if (machine->node_count == 1)
		return 0;
	if (!machine->tier_count)
		return 1;
	top = machine->tier[machine->tier_count - 1].switch_of;
	for (int n = 0; n < machine->node_count; n++)
		if (top[n] == TMAP_NONE || top[n] != top[0])
			return machine->tier_count + 1;
	return machine->tier_count;
}

/* Nodes of which a tier knows no switch stay in the group that they had below it. */
static int group_by_switch(const struct tmap_extent *extent, int tier, int *group,
			   struct tmap_error *err)
{
	const struct tmap_tier *it = &extent->machine->tier[tier];
	int node_count = extent->machine->node_count;
	int *first = tmap_alloc_raw((size_t)it->switch_count, sizeof *first, err);

	if (!first)
		return -1;
	for (int s = 0; s < it->switch_count; s++)
		first[s] = TMAP_NONE;
	for (int n = 0; n < node_count; n++) {
		int s = it->switch_of[n];

		if (s == TMAP_NONE) {
			group[n] = tier ? group[n - node_count] : n;
			continue;
		}
		if (first[s] == TMAP_NONE)
			first[s] = n;
		group[n] = first[s];
	}
	free(first);
	return 0;
}

static int init_joins(struct tmap_extent *extent, const struct scale_row *row,
		      struct tmap_error *err)
{
	const struct tmap_machine *machine = extent->machine;
	size_t nodes = (size_t)machine->node_count;

	extent->join_count = count_joins(machine);
	extent->join = tmap_alloc((size_t)extent->join_count * nodes, sizeof *extent->join, err);
	extent->group = tmap_alloc((size_t)extent->join_count * nodes, sizeof *extent->group, err);
	if (!extent->join || !extent->group)
		return -1;
	for (int j = 0; j < extent->join_count; j++) {
		int *group = extent->group + (size_t)j * nodes;

		if (j < machine->tier_count && group_by_switch(extent, j, group, err) < 0)
			return -1;
		if (row->join(extent, j, extent->join + (size_t)j * nodes, err) < 0)
			return -1;
	}
	return 0;
}

/* An object over the same PUs as its child is nobody's lowest one: the child speaks for it. */
static void level_twins(const struct tmap_topology *topo, double *width)
{
	for (int o = topo->object_count - 1; o > 0; o--) {
		int up = topo->object[o].parent;

		if (topo->object[up].first_pu == topo->object[o].first_pu &&
		    topo->object[up].end_pu == topo->object[o].end_pu)
			width[up] = width[o];
	}
}

int tmap_extent_init(struct tmap_extent *extent, const struct tmap_machine *machine,
		     enum tmap_scale scale, struct tmap_error *err)
{
	const struct scale_row *row = &scale_rows[scale];
	int topologies = machine->topology_count;

	extent->machine = machine;
	extent->object_base = tmap_alloc((size_t)topologies + 1, sizeof *extent->object_base, err);
	if (!extent->object_base)
		return -1;
	for (int t = 0; t < topologies; t++)
		extent->object_base[t + 1] =
			extent->object_base[t] + machine->topology[t].object_count;
	extent->width =
		tmap_alloc((size_t)extent->object_base[topologies], sizeof *extent->width, err);
	if (!extent->width)
		return -1;
	for (int t = 0; t < topologies; t++) {
		double *width = extent->width + extent->object_base[t];

		if (row->width(&machine->topology[t], width, err) < 0)
			return -1;
		level_twins(&machine->topology[t], width);
	}
	return init_joins(extent, row, err);
}
