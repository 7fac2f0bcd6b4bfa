/*
 * machine.h - the nodes of a job and the network above them.
 *
 *     tier 1 (switch2)            s9
 *     tier 0 (switch1)       s0        s1
 *     nodes                n0  n1    n2  n3      each of one topology
 *
 * Nodes with the same topology share one description: 43,808 equal nodes are one
 * struct tm_topology. Nothing is known of the network where there are no tiers.
 *
 * A machine is shared by the placements made on it and counted by reference.
 */
#ifndef TM_MACHINE_H
#define TM_MACHINE_H

#include "core/machine/topology.h"

/** One level of switches. The switches of a tier lie each under one of the tier above. */
struct tm_tier {
	char *name;          /**< "switch1" for leaves, or the user's own heading */
	int switch_count;
	char **switch_name;  /**< [switch_count] */
	int *switch_of;      /**< [node_count]: the switch above each node; TM_NONE if unknown */
};

struct tm_machine {
	int references;
	int topology_count;
	struct tm_topology *topology;
	int node_count;
	char **node_name;    /**< [node_count], distinct */
	int *node_topology;  /**< [node_count] */
	int tier_count;
	struct tm_tier *tier; /**< leaves first */
	size_t topology_capacity, node_capacity, node_topology_capacity, tier_capacity;
};

/** An empty machine with one reference; NULL with *err set. */
struct tm_machine *tm_machine_new(struct tm_error *err);

/** One more holder; returns @p machine. */
struct tm_machine *tm_machine_ref(struct tm_machine *machine);

/** One holder fewer; the last one frees. NULL is allowed. */
void tm_machine_free(struct tm_machine *machine);

/** Take over *topo (zeroed afterwards) unless an equal topology is there already, and return
 *  its index; TM_NONE with *err set, and *topo as it was, where memory is refused. */
int tm_machine_add_topology_take(struct tm_machine *machine, struct tm_topology *topo,
				 struct tm_error *err);

/** Add a node called @p name (copied); names are checked by tm_machine_check_names(). */
int tm_machine_add_node(struct tm_machine *machine, const char *name, int topology,
			struct tm_error *err);

/** Refuse an empty machine, two nodes of one name, and control characters in names, which
 *  could steer the terminal that they are printed on. O(N log N). */
int tm_machine_check_names(const struct tm_machine *machine, struct tm_error *err);

/** Give the nodes other names: @p count must be the number of nodes. All or nothing. */
int tm_machine_rename(struct tm_machine *machine, char *const *name, int count,
		      struct tm_error *err);

/** Take over *tier (zeroed afterwards) as the next tier up. Refuses a switch number out of
 *  range, a name with a control character, and a switch whose nodes lie under different
 *  switches of the new tier. */
int tm_machine_add_tier_take(struct tm_machine *machine, struct tm_tier *tier,
			     struct tm_error *err);
void tm_tier_fini(struct tm_tier *tier);

/** Topology of a node. */
const struct tm_topology *tm_machine_topology(const struct tm_machine *machine, int node);

/** Cores that a job may use, over all nodes. */
int64_t tm_machine_core_count(const struct tm_machine *machine);

#endif
