/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network.h - a tree of switches over hosts, as a file describes it, on its way to the
 * tiers of a machine.
 *
 *     root                  height 2      tier 2   root  root  root
 *      |- mid               height 1      tier 1   mid   mid   s2
 *      |   |- s0  s1        height 0      tier 0   s0    s1    s2
 *      `- s2                height 0
 *
 * The height of a switch is the number of switches below it on the longest way down. At
 * tier t a node is under the highest switch above it whose height is at most t; so leaves
 * may hang at unequal depths, and two nodes are first in one group at the height of their lowest
 * common switch. There may be several trees: their nodes have no common switch.
 */
#ifndef TMAP_CORE_MACHINE_NETWORK_H
#define TMAP_CORE_MACHINE_NETWORK_H

#include "core/base/names.h"
#include "core/machine/machine.h"

struct tmap_network {
	struct tmap_names switches;
	struct tmap_names hosts;
	int *parent; /**< [switches.count]: the switch above; TMAP_NONE for a root */
	int *line;   /**< [switches.count]: where the file describes it; 0: nowhere yet */
	int *leaf;   /**< [hosts.count]: the switch that a host hangs on */
	size_t parent_capacity, line_capacity, leaf_capacity;
};

/** The switch called by the first @p length bytes of @p name, added if it is new; TMAP_NONE
 *  with *err set. A zeroed network is an empty one. */
int tmap_network_switch(struct tmap_network *net, const char *name, size_t length,
			struct tmap_error *err);

/** The switch that line @p line of a file describes, and no other line may; as above. */
int tmap_network_describe(struct tmap_network *net, const char *name, size_t length, int line,
			  struct tmap_error *err);

/** Every switch that others name is described, and there is one. */
int tmap_network_check_described(const struct tmap_network *net, struct tmap_error *err);

/** Put a switch under another. Refuses a second, different one above it. */
int tmap_network_link(struct tmap_network *net, int child, int parent, struct tmap_error *err);

/** Put a host under a switch. Refuses a host that is there already, naming both places. */
int tmap_network_host(struct tmap_network *net, const char *name, size_t length, int under,
		      struct tmap_error *err);

/** Give the machine the tiers switch1, switch2, ... of this network; it must have none yet.
 *  Refuses a circle of switches, and nodes of the machine that are not among the hosts.
 *  O(switches + hosts + N x tiers). */
int tmap_network_apply(const struct tmap_network *net, struct tmap_machine *machine,
		       struct tmap_error *err);

/** The host that each node is: [node_count], the caller's to free. A node called n7.cluster is
 *  also the host n7. Where no node is known and there are as many hosts as nodes, the nodes
 *  take the hosts' names in their order. Refuses nodes that are missing, naming some. */
int *tmap_network_match(const struct tmap_names *hosts, struct tmap_machine *machine,
			struct tmap_error *err);

void tmap_network_fini(struct tmap_network *net);

#endif
