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
 * may hang at unequal depths, and two nodes meet at the height of their lowest common
 * switch. Several trees are well: their nodes never meet.
 */
#ifndef TM_NETWORK_H
#define TM_NETWORK_H

#include "core/machine/machine.h"
#include "core/base/names.h"

struct tm_network {
	struct tm_names switches;
	struct tm_names hosts;
	int *parent;         /**< [switches.count]: the switch above; TM_NONE for a root */
	int *line;           /**< [switches.count]: where the file describes it; 0: nowhere yet */
	int *leaf;           /**< [hosts.count]: the switch that a host hangs on */
	size_t parent_capacity, line_capacity, leaf_capacity;
};

/** The switch called by the first @p length bytes of @p name, added if it is new; TM_NONE
 *  with *err set. A zeroed network is an empty one. */
int tm_network_switch(struct tm_network *net, const char *name, size_t length,
		      struct tm_error *err);

/** The switch that line @p line of a file describes, and no other line may; as above. */
int tm_network_describe(struct tm_network *net, const char *name, size_t length, int line,
			struct tm_error *err);

/** Every switch that others name is described, and there is one. */
int tm_network_check_described(const struct tm_network *net, struct tm_error *err);

/** Put a switch under another. Refuses a second, different one above it. */
int tm_network_link(struct tm_network *net, int child, int parent, struct tm_error *err);

/** Put a host under a switch. Refuses a host that is there already, naming both places. */
int tm_network_host(struct tm_network *net, const char *name, size_t length, int under,
		    struct tm_error *err);

/** Give the machine the tiers switch1, switch2, ... of this network; it must have none yet.
 *  Refuses a circle of switches, and nodes of the machine that are not among the hosts.
 *  O(switches + hosts + N x tiers). */
int tm_network_apply(const struct tm_network *net, struct tm_machine *machine,
		     struct tm_error *err);

/** The host that each node is: [node_count], the caller's to free. A node called n7.cluster is
 *  also the host n7. Where no node is known and there are as many hosts as nodes, the nodes
 *  take the hosts' names in their order. Refuses nodes that are missing, naming some. */
int *tm_network_match(const struct tm_names *hosts, struct tm_machine *machine,
		      struct tm_error *err);

void tm_network_fini(struct tm_network *net);

#endif
