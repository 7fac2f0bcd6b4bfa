/* SPDX-License-Identifier: BSD-3-Clause */
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
 * A flat topology, a ring and a torus have no levels of switches and are refused. The text is any
 * YAML of one document, as libyaml reads it, which is what Slurm reads it with.
 */
#ifndef TMAP_FORMATS_NETWORK_TOPOLOGY_YAML_H
#define TMAP_FORMATS_NETWORK_TOPOLOGY_YAML_H

#include "core/machine/network.h"

/** Add the switches and hosts of the text to *net. */
int tmap_topology_yaml_read(struct tmap_network *net, const char *text, struct tmap_error *err);

/** Is the text one, by its first word? */
bool tmap_topology_yaml_is(const char *text);

#endif
