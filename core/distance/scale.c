/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/distance/scale.h"

#include "core/base/mem.h"
#include "core/machine/level_order.h"

#include <stdio.h>
#include <stdlib.h>

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

static int process_within(double *within, const struct tmap_topology *topo, struct tmap_error *err)
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
		within[o] = process_distance(in[o]);
	}
	free(in);
	return 0;
}

static int process_join(double *distance, const struct tmap_scale_distances *of, int tier,
			struct tmap_error *err)
{
	(void)err;
	for (int n = 0; n < of->machine->node_count; n++)
		distance[n] = 7 + tier;
	return 0;
}

/* The levels of a kind of node of which no one object holds this one. */
static int level_within(double *within, const struct tmap_topology *topo, struct tmap_error *err)
{
	struct tmap_level_order order = { 0 };

	if (tmap_level_order_of(&order, topo, err) < 0)
		return -1;
	for (int o = 0; o < topo->object_count; o++)
		for (int k = 0; k < order.count; k++)
			within[o] += tmap_level_object(topo, order.kind[k], o) == TMAP_NONE;
	tmap_level_order_fini(&order);
	return 0;
}

/*
 * Between nodes their own levels differ, "node" does, and one more for each tier below
 * the common switch. Nodes of different kinds have different numbers of levels: the
 * larger of two counts under a leaf switch, and the largest of its nodes above one
 * (the larger of two would break d(a,c) <= max(d(a,b), d(b,c)) there).
 */
static int level_join(double *distance, const struct tmap_scale_distances *of, int tier,
		      struct tmap_error *err)
{
	const struct tmap_machine *machine = of->machine;
	const struct tmap_partition *sets = &of->join[tier].sets;
	double *most = tmap_alloc((size_t)sets->count, sizeof *most, err);

	if (!most)
		return -1;
	for (int n = 0; n < machine->node_count; n++) {
		int set = sets->node_base[n];

		distance[n] = of->within[of->object_base[machine->node_topology[n]]] + 1 + tier;
		if (most[set] < distance[n])
			most[set] = distance[n];
	}
	for (int n = 0; n < machine->node_count && tier > 0; n++)
		distance[n] = most[sets->node_base[n]];
	free(most);
	return 0;
}

static const char *const within_node[] = {
	"same rank",
	"a shared cache or core",
	"same package and memory controller, no shared cache",
	"same memory controller, different packages",
	"same package, different memory controllers",
	"same board, different packages and memory controllers",
	"same node, different boards",
};

enum { WITHIN_NODE = sizeof within_node / sizeof within_node[0] };

/* Distance 7 + t between nodes: they share a switch of tier t, and none below it. */
static void print_network(const struct tmap_machine *machine, int tier, char *text)
{
	const char *below = tier ? machine->tier[tier - 1].name : "nodes";

	if (!machine->tier_count)
		snprintf(text, TMAP_MEANING_ROOM, "different nodes");
	else if (tier >= machine->tier_count)
		snprintf(text, TMAP_MEANING_ROOM, "different %.40s, no common switch known", below);
	else
		snprintf(text, TMAP_MEANING_ROOM, "different %.40s, same %.40s", below,
			 machine->tier[tier].name);
}

static void process_print(const struct tmap_machine *machine, double distance, char *text)
{
	int whole = (int)distance;

	if (whole < WITHIN_NODE)
		snprintf(text, TMAP_MEANING_ROOM, "%s", within_node[whole]);
	else if (whole - WITHIN_NODE <= machine->tier_count)
		print_network(machine, whole - WITHIN_NODE, text);
	else
		snprintf(text, TMAP_MEANING_ROOM, "farther than this machine is wide");
}

static void level_print(const struct tmap_machine *machine, double distance, char *text)
{
	(void)machine;
	snprintf(text, TMAP_MEANING_ROOM, "different objects at %.0f level%s", distance,
		 distance > 1 ? "s" : "");
}

static void latency_print(const struct tmap_machine *machine, double distance, char *text)
{
	(void)machine;
	(void)distance;
	snprintf(text, TMAP_MEANING_ROOM, "seconds, a message's latency by the cost profile");
}

static void measured_print(const struct tmap_machine *machine, double distance, char *text)
{
	(void)machine;
	(void)distance;
	snprintf(text, TMAP_MEANING_ROOM, "measured");
}

const struct tmap_scale_row tmap_scale_rows[] = {
	[TMAP_SCALE_PROCESS] = {
		.word = { "process",
			  "1 shared cache ... 6 other board, 7 other node, 8 other switch" },
		.is_numbered = true,
		.within = process_within,
		.join = process_join,
		.print = process_print,
	},
	[TMAP_SCALE_LEVEL] = {
		.word = { "level",
			  "number of levels whose objects differ, those of the network included" },
		.is_numbered = true,
		.within = level_within,
		.join = level_join,
		.print = level_print,
	},
	[TMAP_SCALE_LATENCY] = {
		.word = { "latency", "latency of a small message by the cost profile" },
		.by_profile = true,
		.within = process_within,
		.join = process_join,
		.print = latency_print,
	},
	[TMAP_SCALE_MEASURED] = {
		.word = { "measured", "the distances of a matrix" },
		.within = process_within,
		.join = process_join,
		.print = measured_print,
	},
	[TMAP_SCALE_COUNT] = { .word = { NULL, NULL } },
};

const struct tmap_keywords tmap_scales = TMAP_KEYWORDS("scale", tmap_scale_rows);

char *tmap_meaning_print(const struct tmap_machine *machine, int scale, double distance,
			 char text[TMAP_MEANING_ROOM])
{
	tmap_scale_rows[scale].print(machine, distance, text);
	return text;
}

void tmap_scale_distances_fini(struct tmap_scale_distances *distances)
{
	for (int j = 0; j < distances->join_count; j++) {
		free(distances->join[j].distance);
		tmap_partition_fini(&distances->join[j].sets);
	}
	free(distances->join);
	free(distances->object_base);
	free(distances->within);
	*distances = (struct tmap_scale_distances){ 0 };
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

/* Join @p j: the nodes of a switch, or behind the tiers all of them. */
static int join_init(struct tmap_scale_distances *distances, int j,
		     const struct tmap_scale_row *row, struct tmap_error *err)
{
	const struct tmap_machine *machine = distances->machine;
	struct tmap_scale_join *join = &distances->join[j];
	size_t nodes = (size_t)machine->node_count;

	join->distance = tmap_alloc_raw(nodes, sizeof *join->distance, err);
	if (!join->distance)
		return -1;
	if (j < machine->tier_count) {
		if (tmap_partition_init_switches(&join->sets, machine, j, j ? &join[-1].sets : NULL,
						 err) < 0)
			return -1;
	} else {
		join->sets.node_base = tmap_alloc(nodes, sizeof *join->sets.node_base, err);
		if (!join->sets.node_base)
			return -1;
		join->sets.count = 1;
	}
	return row->join(join->distance, distances, j, err);
}

/* No two ranks have an object as their lowest common one if its child is over the same PUs: it gets
 * the child's distance. */
static void level_equal_objects(const struct tmap_topology *topo, double *within)
{
	for (int o = topo->object_count - 1; o > 0; o--) {
		int up = topo->object[o].parent;

		if (topo->object[up].first_pu == topo->object[o].first_pu &&
		    topo->object[up].end_pu == topo->object[o].end_pu)
			within[up] = within[o];
	}
}

int tmap_scale_distances_init(struct tmap_scale_distances *distances,
			      const struct tmap_machine *machine, enum tmap_scale scale,
			      struct tmap_error *err)
{
	const struct tmap_scale_row *row = &tmap_scale_rows[scale];
	int topologies = machine->topology_count, joins = count_joins(machine), *base;

	*distances = (struct tmap_scale_distances){ .machine = machine };
	base = distances->object_base = tmap_alloc((size_t)topologies + 1, sizeof *base, err);
	if (!base)
		return -1;
	for (int t = 0; t < topologies; t++)
		base[t + 1] = base[t] + machine->topology[t].object_count;
	distances->within = tmap_alloc((size_t)base[topologies], sizeof *distances->within, err);
	if (!distances->within)
		return -1;
	for (int t = 0; t < topologies; t++) {
		double *within = distances->within + base[t];

		if (row->within(within, &machine->topology[t], err) < 0)
			return -1;
		level_equal_objects(&machine->topology[t], within);
	}
	distances->join = tmap_alloc((size_t)joins, sizeof *distances->join, err);
	if (!distances->join)
		return -1;
	distances->join_count = joins;
	for (int j = 0; j < joins; j++)
		if (join_init(distances, j, row, err) < 0)
			return -1;
	return 0;
}
