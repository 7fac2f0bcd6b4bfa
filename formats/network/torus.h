/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * torus.h - the levels of a torus of three dimensions, whose nodes have coordinates x, y, z.
 *
 *     pod1               the torus      tier 2
 *     pod1:*:*:1         a plane        tier 1     any x and y, z = 1
 *     pod1:*:3:1         a line         tier 0     any x, y = 3, z = 1
 *
 * The hops between two nodes, along each dimension the shorter way round, are no levels. The
 * outermost dimension in which their coordinates differ is one.
 */
#ifndef TMAP_FORMATS_NETWORK_TORUS_H
#define TMAP_FORMATS_NETWORK_TORUS_H

#include "core/machine/network.h"

/** The switch that stands for the line at @p y and @p z of the torus that switch @p torus stands
 *  for, under those of its plane and the torus; TMAP_NONE with *err set. */
int tmap_torus_line(struct tmap_network *net, int torus, int y, int z, struct tmap_error *err);

/** Remark, once in a network, that its levels are not its hops. */
void tmap_torus_note(struct tmap_network *net);

/** The same where the coordinates are unknown, as scontrol does not print them. */
void tmap_torus_note_printed(struct tmap_network *net);

/** The same of rings, and how many nodes one has at most. */
void tmap_ring_note(struct tmap_network *net);
enum { TMAP_RING_MOST_NODES = 16 };

#endif
