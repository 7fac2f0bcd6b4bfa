/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology_addr.h - the network of a job by what Slurm tells the tasks of each node.
 *
 *     SLURM_TOPOLOGY_ADDR           SLURM_TOPOLOGY_ADDR_PATTERN
 *     core[1-2].leaf3.node7         switch.switch.node              topology/tree
 *     b4.node7                      block.node                      topology/block
 *     r0:3.node7                    ring:position.node              topology/ring
 *     pod1:2:3:1.node7              torus:x:y:z.node                topology/torus3d
 *
 * The switches of a level, the top one first, are a host list, which is empty where a node has none
 * of that height. These are the heights of topology.conf, so that both give the same levels.
 */
#ifndef TMAP_FORMATS_NETWORK_TOPOLOGY_ADDR_H
#define TMAP_FORMATS_NETWORK_TOPOLOGY_ADDR_H

#include "core/machine/network.h"

/** What the tasks of a node have in their environment. */
struct tmap_topology_addr {
	const char *host;    /**< what the machine calls the node */
	const char *name;    /**< SLURMD_NODENAME, what Slurm calls it; "" if not there */
	const char *addr;    /**< "" if not there */
	const char *pattern; /**< "" if not there */
};

/** Does any node have the address of a switch? */
bool tmap_topology_addr_is(const struct tmap_topology_addr *node, int count);

/** Add the switches of [count] nodes to *net. TMAP_INPUT where a node has no address, or two nodes
 *  have one (an environment that was handed on), or one that does not follow its pattern.
 *  O(length). */
int tmap_topology_addr_read(struct tmap_network *net, const struct tmap_topology_addr *node,
			    int count, struct tmap_error *err);

#endif
