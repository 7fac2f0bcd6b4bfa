/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/machines.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/wraps.h"

#include <stdio.h>
#include <stdlib.h>

static struct tmap_error failure;

static void must(int status)
{
	if (status < 0) {
		fprintf(stderr, "tests/support/machines.c: %s\n", failure.text);
		abort();
	}
}

TMAP_WRAPS int dice_roll(struct dice *dice, int sides)
{
	uint64_t z = dice->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return (int)(z % (uint64_t)sides);
}

void dice_shuffle(struct dice *dice, int *list, int count)
{
	for (int i = count - 1; i > 0; i--) {
		int j = dice_roll(dice, i + 1), kept = list[i];

		list[i] = list[j];
		list[j] = kept;
	}
}

static void add_nodes(struct tmap_machine *machine, int topology, int count)
{
	char name[32];

	for (int i = 0; i < count; i++) {
		snprintf(name, sizeof name, "n%d", machine->node_count);
		must(tmap_machine_add_node(machine, name, topology, &failure));
	}
}

static struct tmap_machine *new_machine(void)
{
	struct tmap_machine *machine = tmap_machine_new(&failure);

	must(machine ? 0 : -1);
	return machine;
}

static int add_topology_take(struct tmap_machine *machine, struct tmap_topology *topo)
{
	int index;

	must(tmap_topology_finish(topo, &failure));
	index = tmap_machine_add_topology_take(machine, topo, &failure);
	must(index == TMAP_NONE ? -1 : 0);
	return index;
}

struct tmap_machine *machine_regular(int nodes, const struct test_level *node_levels)
{
	struct tmap_machine *machine = new_machine();
	struct tmap_topology topo;
	int pus = 1, width;

	for (int i = 0; node_levels[i].count; i++)
		pus *= node_levels[i].count;
	must(tmap_topology_init(&topo, pus, &failure));
	width = pus;
	for (int i = 0; node_levels[i].count; i++) {
		width /= node_levels[i].count;
		for (int first = 0; first < pus && node_levels[i].type != TMAP_PU; first += width)
			must(tmap_topology_add(&topo, node_levels[i].type, first, first + width,
					       first / width, 0, &failure));
	}
	add_nodes(machine, add_topology_take(machine, &topo), nodes);
	return machine;
}

void machine_add_tier(struct tmap_machine *machine, const int *of_below, int switch_count)
{
	struct tmap_tier tier = { .switch_count = switch_count };
	const int *below = machine->tier_count ? machine->tier[machine->tier_count - 1].switch_of :
						 NULL;

	tier.name = tmap_format(&failure, "switch%d", machine->tier_count + 1);
	tier.switch_name = tmap_alloc((size_t)switch_count, sizeof *tier.switch_name, &failure);
	tier.switch_of = tmap_alloc((size_t)machine->node_count, sizeof *tier.switch_of, &failure);
	must(tier.name && tier.switch_name && tier.switch_of ? 0 : -1);
	for (int i = 0; i < switch_count; i++) {
		tier.switch_name[i] = tmap_format(&failure, "s%d.%d", machine->tier_count, i);
		must(tier.switch_name[i] ? 0 : -1);
	}
	for (int node = 0; node < machine->node_count; node++) {
		int at = below ? below[node] : node;

		tier.switch_of[node] = at == TMAP_NONE ? TMAP_NONE : of_below[at];
	}
	must(tmap_machine_add_tier_take(machine, &tier, &failure));
}

static int count_below(const struct tmap_machine *machine)
{
	return machine->tier_count ? machine->tier[machine->tier_count - 1].switch_count :
				     machine->node_count;
}

void machine_add_switches(struct tmap_machine *machine, int fanout)
{
	int below = count_below(machine);
	int *of_below = tmap_alloc((size_t)below, sizeof *of_below, &failure);

	must(of_below ? 0 : -1);
	for (int i = 0; i < below; i++)
		of_below[i] = i / fanout;
	machine_add_tier(machine, of_below, (below + fanout - 1) / fanout);
	free(of_below);
}

struct tmap_machine *machine_zoot(void)
{
	return machine_regular(
		1,
		(const struct test_level[]){
			{ TMAP_PACKAGE, 4 }, { TMAP_L2, 2 }, { TMAP_CORE, 2 }, { 0 } });
}

struct tmap_machine *machine_ig(void)
{
	return machine_regular(1,
			       (const struct test_level[]){ { TMAP_BOARD, 2 },
							    { TMAP_PACKAGE, 4 },
							    { TMAP_NUMA, 1 },
							    { TMAP_L3, 1 },
							    { TMAP_CORE, 6 },
							    { 0 } });
}

struct tmap_machine *machine_twelve(void)
{
	return machine_regular(1,
			       (const struct test_level[]){ { TMAP_BOARD, 2 },
							    { TMAP_PACKAGE, 2 },
							    { TMAP_NUMA, 1 },
							    { TMAP_CORE, 3 },
							    { 0 } });
}

/* Cut [first, end) into random pieces, most of which become objects of the next type, and
 * each piece again by the types that remain. */
static void add_pieces(struct tmap_topology *topo, struct dice *dice, const enum tmap_type *types,
		       int count, int first, int end)
{
	while (count && first < end) {
		int width = 1 + dice_roll(dice, end - first);

		if (dice_roll(dice, 8))
			must(tmap_topology_add(topo, types[0], first, first + width, TMAP_NONE, 0,
					       &failure));
		add_pieces(topo, dice, types + 1, count - 1, first, first + width);
		first += width;
	}
}

/* Levels that real machines have, each by a toss; NUMA inside package or the reverse, and
 * L3 inside NUMA or the reverse. */
static int choose_types(struct dice *dice, enum tmap_type *types)
{
	static const enum tmap_type orders[][8] = {
		{ TMAP_BOARD, TMAP_GROUP, TMAP_PACKAGE, TMAP_DIE, TMAP_NUMA, TMAP_L3, TMAP_L2,
		  TMAP_CORE },
		{ TMAP_BOARD, TMAP_GROUP, TMAP_NUMA, TMAP_PACKAGE, TMAP_DIE, TMAP_L3, TMAP_L2,
		  TMAP_CORE },
		{ TMAP_BOARD, TMAP_PACKAGE, TMAP_GROUP, TMAP_DIE, TMAP_L3, TMAP_NUMA, TMAP_L2,
		  TMAP_CORE },
	};
	const enum tmap_type *order = orders[dice_roll(dice, 3)];
	int count = 0;

	for (int i = 0; i < 8; i++)
		if (dice_roll(dice, 2))
			types[count++] = order[i];
	return count;
}

static int add_random_topology(struct tmap_machine *machine, struct dice *dice)
{
	enum tmap_type types[8];
	struct tmap_topology topo;
	int count = choose_types(dice, types);

	must(tmap_topology_init(&topo, 1 + dice_roll(dice, 12), &failure));
	add_pieces(&topo, dice, types, count, 0, topo.pu_count);
	return add_topology_take(machine, &topo);
}

/* Each switch or node below under any of the new switches; now and then the uplink is unknown. */
static void add_random_tier(struct tmap_machine *machine, struct dice *dice)
{
	int below = count_below(machine), above = 1 + dice_roll(dice, below);
	int *of_below = tmap_alloc((size_t)below, sizeof *of_below, &failure);

	must(of_below ? 0 : -1);
	for (int i = 0; i < below; i++)
		of_below[i] = dice_roll(dice, 16) ? dice_roll(dice, above) : TMAP_NONE;
	machine_add_tier(machine, of_below, above);
	free(of_below);
}

struct tmap_machine *machine_random(struct dice *dice, int max_nodes)
{
	struct tmap_machine *machine = new_machine();
	int kinds = 1 + dice_roll(dice, 3), nodes = 1 + dice_roll(dice, max_nodes), kind[3];

	for (int i = 0; i < kinds; i++)
		kind[i] = add_random_topology(machine, dice);
	for (int i = 0; i < nodes; i++)
		add_nodes(machine, kind[dice_roll(dice, kinds)], 1);
	for (int tiers = dice_roll(dice, 4); tiers > 0; tiers--)
		add_random_tier(machine, dice);
	return machine;
}

static void add_place(struct tmap_placement *p, int topology, int object)
{
	const struct tmap_topology *topo = &p->machine->topology[topology];
	struct tmap_idset pus = { 0 };

	for (int pu = topo->object[object].first_pu; pu < topo->object[object].end_pu; pu++)
		must(tmap_idset_add(&pus, topo->pu[pu].os, &failure));
	must(tmap_placement_add_place(p, topology, &pus, NULL, object > 0, &failure) == TMAP_NONE ?
		     -1 :
		     0);
	/* objects over the same PUs are one place: seat ranks on the one that was asked for */
	p->places[p->place_count - 1].object = object;
	tmap_idset_fini(&pus);
}

void placement_on_take(struct tmap_placement *p, struct tmap_machine *machine, int size)
{
	must(tmap_placement_init(p, machine, size, &failure));
	tmap_machine_free(machine);
	for (int topology = 0; topology < machine->topology_count; topology++)
		for (int o = 0; o < machine->topology[topology].object_count; o++)
			add_place(p, topology, o);
}

void placement_seat(struct tmap_placement *p, int rank, int node, int object)
{
	int place = object;

	for (int t = 0; t < p->machine->node_topology[node]; t++)
		place += p->machine->topology[t].object_count;
	p->node[rank] = node;
	p->place[rank] = place;
}

void placement_seat_pu(struct tmap_placement *p, int rank, int node, int pu)
{
	placement_seat(p, rank, node, tmap_machine_topology(p->machine, node)->pu[pu].object);
}

void placement_seats_take(struct tmap_placement *p, struct tmap_machine *machine, const int *seat,
			  int size)
{
	placement_on_take(p, machine, size);
	for (int rank = 0; rank < size; rank++) {
		int node = 0, pu = seat[rank];

		while (pu >= tmap_machine_topology(machine, node)->pu_count)
			pu -= tmap_machine_topology(machine, node++)->pu_count;
		placement_seat_pu(p, rank, node, pu);
	}
}

void placement_block_take(struct tmap_placement *p, struct tmap_machine *machine)
{
	int size = 0, rank = 0;

	for (int node = 0; node < machine->node_count; node++)
		size += tmap_machine_topology(machine, node)->pu_count;
	placement_on_take(p, machine, size);
	for (int node = 0; node < machine->node_count; node++)
		for (int pu = 0; pu < tmap_machine_topology(machine, node)->pu_count; pu++)
			placement_seat_pu(p, rank++, node, pu);
}

void placement_random_take(struct tmap_placement *p, struct tmap_machine *machine, int size,
			   struct dice *dice)
{
	placement_on_take(p, machine, size);
	for (int rank = 0; rank < size; rank++) {
		int node = dice_roll(dice, machine->node_count);
		int objects = tmap_machine_topology(machine, node)->object_count;

		placement_seat(p, rank, node, dice_roll(dice, objects));
	}
}
