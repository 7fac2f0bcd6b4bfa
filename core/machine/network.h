/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network.h - switches over hosts, as a file describes them, on their way to the tiers of a
 * machine.
 *
 *     root                  height 2      tier 2   root  root  root
 *      |- mid               height 1      tier 1   mid   mid   s2
 *      |   |- s0  s1        height 0      tier 0   s0    s1    s2
 *      `- s2                height 0
 *
 * The height of a switch is the number of switches below it on the longest way down. At
 * tier t two nodes are in one group if switches of height t and less, each above some node of the
 * machine, connect them. In a tree that is the height of their lowest common switch; leaves may
 * hang at unequal depths. There may be several trees: their nodes have no common switch.
 *
 *     c0   c1               height 1      tier 1   c0 +1 c0 +1 c0 +1
 *     | \ / | \             height 0      tier 0   s0    s1    s2
 *     s0  s1  s2
 *
 * Where a switch is under several (a fat tree's redundant uplinks) a group is called after its
 * highest switches. Nodes of a group mostly have one of them in common; where they have not, as s0
 * and s2 above, the distance between leaves is no ultrametric, and the tiers, which are one,
 * come with a note.
 */
#ifndef TMAP_CORE_MACHINE_NETWORK_H
#define TMAP_CORE_MACHINE_NETWORK_H

#include "core/base/names.h"
#include "core/base/string.h"
#include "core/machine/machine.h"

enum {
	TMAP_NETWORK_MOST_LEVELS = 64,
	TMAP_NETWORK_MOST_LINKS = 4194304, /**< that are no first ones, of switches and of hosts */
};

struct tmap_network {
	struct tmap_names switches;
	struct tmap_names hosts;
	int *parent;     /**< [switches.count]: the first switch above; TMAP_NONE for a root */
	int *line;       /**< [switches.count]: where the file describes it; 0: nowhere yet */
	int *height;     /**< [switches.count]: as the source has it; TMAP_NONE: to be counted */
	int (*extra)[2]; /**< [extras]: a switch, and another one above it */
	int *leaf;       /**< [hosts.count]: the first switch that a host hangs on */
	int extras;
	int repeated;  /**< hosts that were put somewhere once more */
	int repeat[2]; /**< the first of them, and where */
	int every;     /**< 1 + the switch that the hosts hang on that no list has; 0: none */
	bool is_flat;  /**< the file says that there are no switches */
	int toruses;   /**< that the file describes; of one, */
	int dim[TMAP_TORUS_DIMENSIONS]; /**< this is the size, */
	int *place;                     /**< [hosts.count] and this where each host is: TMAP_NONE */
	struct tmap_str note;           /**< what is not as it should be: sentences, a line each */
	size_t parent_capacity, line_capacity, height_capacity, extra_capacity, leaf_capacity,
		place_capacity;
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

/** Put a switch under another, or under one more. Refuses more than TMAP_NETWORK_MOST_LINKS. */
int tmap_network_link(struct tmap_network *net, int child, int parent, struct tmap_error *err);

/** Put a host under a switch. Of a host that is there already the first place counts, with a
 *  note in the end. */
int tmap_network_host(struct tmap_network *net, const char *name, size_t length, int under,
		      struct tmap_error *err);

/** Begin a torus of these dimensions; put a host that is there at a place of it (struct tmap_torus). Of several
 *  toruses no place counts: which cables lie between them is not known. */
void tmap_network_torus(struct tmap_network *net, const int dim[TMAP_TORUS_DIMENSIONS]);
int tmap_network_place(struct tmap_network *net, const char *name, size_t length, int place,
		       struct tmap_error *err);

/** Put every node under a switch, but for hosts that are somewhere. Refuses a second one. */
int tmap_network_every(struct tmap_network *net, int under, struct tmap_error *err);

/** Give the machine the tiers switch1, switch2, ... of this network, none if it is flat; it must
 *  have none yet. Adds to net->note. Refuses a circle of switches, too many levels, and nodes of
 *  the machine that are not among the hosts. O(switches + links + hosts + N x tiers). */
int tmap_network_apply(struct tmap_network *net, struct tmap_machine *machine,
		       struct tmap_error *err);

/** The machine's nodes that are not among the hosts, under the switch that has every one. */
int tmap_network_add_nodes(struct tmap_network *net, const struct tmap_machine *machine,
			   struct tmap_error *err);

/** The host that each node is: [node_count], the caller's to free. A node called n7.cluster is
 *  also the host n7. Where no node is known and there are as many hosts as nodes, the nodes
 *  take the hosts' names in their order. Refuses nodes that are missing, naming some. */
int *tmap_network_match(const struct tmap_names *hosts, struct tmap_machine *machine,
			struct tmap_error *err);

void tmap_network_fini(struct tmap_network *net);

#endif
