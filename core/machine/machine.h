/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - the nodes of a job and the network above them.
 *
 *     tier 1 (switch2)            s9
 *     tier 0 (switch1)       s0        s1
 *     nodes                n0  n1    n2  n3      each of one topology
 *
 * Nodes with the same topology share one description: 43,808 equal nodes are one
 * struct tmap_topology. Nothing is known of the network where there are no tiers.
 *
 * A machine is shared by the placements made on it and counted by reference.
 */
#ifndef TMAP_CORE_MACHINE_MACHINE_H
#define TMAP_CORE_MACHINE_MACHINE_H

#include "core/machine/system.h"
#include "core/machine/topology.h"

/** One level of switches. The switches of a tier lie each under one of the tier above. */
struct tmap_tier {
	char *name; /**< "switch1" for leaves, or the user's own heading */
	int switch_count;
	char **switch_name; /**< [switch_count] */
	int *switch_of;     /**< [node_count]: the switch above each node; TMAP_NONE if unknown */
};

/** A torus of three dimensions that the nodes are in. */
enum {
	TMAP_TORUS_DIMENSIONS = 3,
	TMAP_TORUS_MOST_SIZE = 65535,     /**< of a dimension */
	TMAP_TORUS_MOST_PLACES = 16777216 /**< of all */
};

struct tmap_torus {
	int dim[TMAP_TORUS_DIMENSIONS];
	int *place; /**< [node_count]: x + dim[0] x (y + dim[1] x z), distinct; NULL: there is none */
};

static inline int64_t tmap_torus_places(const int dim[TMAP_TORUS_DIMENSIONS])
{
	return (int64_t)dim[0] * dim[1] * dim[2];
}

struct tmap_machine {
	_Atomic int references; /**< placements of several threads may share it */
	int topology_count;
	struct tmap_topology *topology;
	int node_count;
	char **node_name;   /**< [node_count], distinct */
	int *node_topology; /**< [node_count] */
	int system_count;   /**< what systems leave to the job, each once */
	struct tmap_system *system;
	int *node_system; /**< [node_count], TMAP_NONE: unknown; NULL where none is known */
	int tier_count;
	struct tmap_tier *tier; /**< leaves first */
	struct tmap_torus torus;
	size_t topology_capacity, node_capacity, node_topology_capacity, tier_capacity;
	size_t system_capacity;
};

/** An empty machine with one reference; NULL with *err set. */
struct tmap_machine *tmap_machine_new(struct tmap_error *err);

/** One more holder; returns @p machine. */
struct tmap_machine *tmap_machine_ref(struct tmap_machine *machine);

/** One holder fewer; the last one frees. NULL is allowed. */
void tmap_machine_free(struct tmap_machine *machine);

/** Take over *topo (zeroed afterwards) unless an equal topology is there already, and return
 *  its index; TMAP_NONE with *err set, and *topo as it was, where memory is refused. */
int tmap_machine_add_topology_take(struct tmap_machine *machine, struct tmap_topology *topo,
				   struct tmap_error *err);

/** Add a node called @p name (copied); names are checked by tmap_machine_check_names(). */
int tmap_machine_add_node(struct tmap_machine *machine, const char *name, int topology,
			  struct tmap_error *err);

/** Index of the equal system (copied), added if there is none yet; TMAP_NONE with *err set.
 *  O(systems). */
int tmap_machine_add_system(struct tmap_machine *machine, const struct tmap_system *system,
			    struct tmap_error *err);

/** The system of a node of a machine that has all its nodes. O(1), the first time O(N). */
int tmap_machine_set_system(struct tmap_machine *machine, int node, int system,
			    struct tmap_error *err);

/** What the system of a node leaves to the job; NULL: it is not known. O(1). */
const struct tmap_system *tmap_machine_system(const struct tmap_machine *machine, int node);

/** Refuse an empty machine, two nodes of one name, and control characters in names, which
 *  could steer the terminal that they are printed on. O(N log N). */
int tmap_machine_check_names(const struct tmap_machine *machine, struct tmap_error *err);

/** Give the nodes other names: @p count must be the number of nodes. All or nothing. */
int tmap_machine_rename(struct tmap_machine *machine, char *const *name, int count,
			struct tmap_error *err);

/** Take over *tier (zeroed afterwards) as the next tier up. Refuses a switch number out of
 *  range, a name with a control character, and a switch whose nodes lie under different
 *  switches of the new tier. */
int tmap_machine_add_tier_take(struct tmap_machine *machine, struct tmap_tier *tier,
			       struct tmap_error *err);
void tmap_tier_fini(struct tmap_tier *tier);

/** Take over place[node_count] as the places of the nodes in a torus, whose dimensions are at least 1.
 *  Refuses (TMAP_INPUT) a place that is not in it, and one of two nodes. O(N log N). */
int tmap_machine_set_torus_take(struct tmap_machine *machine, const int dim[TMAP_TORUS_DIMENSIONS],
				int *place, struct tmap_error *err);

/** Forget all tiers, and the torus: nothing is known of the network. */
void tmap_machine_clear_tiers(struct tmap_machine *machine);

/** Topology of a node. */
const struct tmap_topology *tmap_machine_topology(const struct tmap_machine *machine, int node);

/** Cores that a job may use, over all nodes. */
int64_t tmap_machine_core_count(const struct tmap_machine *machine);

#endif
