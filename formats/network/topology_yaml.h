/*
 * topology_yaml.h - Slurm's topology.yaml: several topologies, of which one is read, the
 * first with `cluster_default: true`, else the first.
 *
 *     - topology: t1
 *       cluster_default: true
 *       tree:
 *         switches:
 *           - switch: root
 *             children: s[1-2]
 *           - switch: s1
 *             nodes: node[01-02]
 *     - topology: t2
 *       block:
 *         block_sizes: [4, 16]
 *         blocks: [{block: b1, nodes: "node[01-04]"}]
 *
 * A flat topology, a ring and a torus have no levels of switches and are refused.
 */
#ifndef TM_TOPOLOGY_YAML_H
#define TM_TOPOLOGY_YAML_H

#include "core/machine/network.h"

/** Add what the text says to *net. */
int tm_topology_yaml_read(struct tm_network *net, const char *text, struct tm_error *err);

/** Does the text look like one? */
bool tm_topology_yaml_is(const char *text);

#endif
