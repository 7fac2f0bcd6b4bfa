/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology_yaml.h - Slurm's topology.yaml: several topologies, of which one is read, that of a
 * name, or the first with `cluster_default: true`, else the first.
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
 *     - topology: t3
 *       flat: true
 *     - topology: t4
 *       ring:
 *         rings: [{ring: r1, nodes: "node[01-08]"}]
 *     - topology: t5
 *       torus3d:
 *         toruses:
 *           - {name: pod1, dims: {x: 4, y: 4, z: 2}, nodes: "node[01-32]"}
 *
 * A flat topology has no switches, a ring is a leaf, and a torus has lines and planes (torus.h).
 * The text is any YAML of one document, as libyaml reads it, which is what Slurm reads it with.
 */
#ifndef TMAP_FORMATS_NETWORK_TOPOLOGY_YAML_H
#define TMAP_FORMATS_NETWORK_TOPOLOGY_YAML_H

#include "core/machine/network.h"

/** Add the switches and hosts of the text's topology called @p topology (NULL: the default) to
 *  *net. */
int tmap_topology_yaml_read(struct tmap_network *net, const char *text, const char *topology,
			    struct tmap_error *err);

/** Is the text one, by its first word? */
bool tmap_topology_yaml_is(const char *text);

#endif
