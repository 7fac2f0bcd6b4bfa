/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machines.h - machines and placements for tests and benchmarks, built without any file.
 *
 * Whatever fails here is a fault of the test: it is said on stderr, and the program aborts.
 */
#ifndef TMAP_TESTS_SUPPORT_MACHINES_H
#define TMAP_TESTS_SUPPORT_MACHINES_H

#include "core/machine/placement.h"

/** Reproducible random numbers (splitmix64). */
struct dice {
	uint64_t state;
};

/** One of 0 .. sides-1. */
int dice_roll(struct dice *dice, int sides);

/** list[0 .. count-1] in random order. */
void dice_shuffle(struct dice *dice, int *list, int count);

/** One level of a regular node: so many of these in each object of the level above. */
struct test_level {
	enum tmap_type type;
	int count; /**< 0 ends a list of them */
};

/** @p nodes nodes n0, n1, ... of one regular topology; a PU is put into each innermost object. */
struct tmap_machine *machine_regular(int nodes, const struct test_level *node_levels);

/** One more tier of switches; of_below[i] is the one that switch i of the tier below (or node i)
 *  hangs on, or TMAP_NONE. */
void machine_add_tier(struct tmap_machine *machine, const int *of_below, int switch_count);

/** One more tier of switches, each over @p fanout neighbours of the tier below (or nodes). */
void machine_add_switches(struct tmap_machine *machine, int fanout);

/** Ma et al.: 4 packages x 2 L2 x 2 cores, one memory controller. */
struct tmap_machine *machine_zoot(void);

/** Ma et al., figure 3: 2 boards x 4 packages, each one NUMA node and one L3 over 6 cores. */
struct tmap_machine *machine_ig(void);

/** Ma et al., figure 4: 2 boards x 2 packages, each one NUMA node, 3 cores without caches. */
struct tmap_machine *machine_twelve(void);

/** Up to @p max_nodes nodes of up to 3 irregular kinds under up to 3 irregular tiers. */
struct tmap_machine *machine_random(struct dice *dice, int max_nodes);

/** @p size ranks that have no seat yet. There is a place for each object of each topology; one
 *  of object 0 is unbound. The placement holds the machine: the caller's reference goes. */
void placement_on_take(struct tmap_placement *p, struct tmap_machine *machine, int size);

/** Seat a rank on an object of a node's topology; O(topologies). */
void placement_seat(struct tmap_placement *p, int rank, int node, int object);

/** Seat a rank on a logical PU of a node. */
void placement_seat_pu(struct tmap_placement *p, int rank, int node, int pu);

/** Rank r on the PU seat[r], counted over all nodes from 0. */
void placement_seats_take(struct tmap_placement *p, struct tmap_machine *machine, const int *seat,
			  int size);

/** Rank r on PU r, counted over all nodes; as many ranks as PUs. */
void placement_block_take(struct tmap_placement *p, struct tmap_machine *machine);

/** Every rank anywhere: on any object of any node, alone or not, bound or not. */
void placement_random_take(struct tmap_placement *p, struct tmap_machine *machine, int size,
			   struct dice *dice);

#endif
