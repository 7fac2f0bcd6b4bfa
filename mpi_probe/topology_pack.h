/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology_pack.h - the description of a node as bytes: equal nodes, equal bytes.
 *
 * There is no host name in them, and the sizes of memories are rounded to seven
 * significant bits: what the firmware and the kernel keep for themselves differs
 * by some pages from node to node, and such nodes are of one kind.
 */
#ifndef TMAP_MPI_PROBE_TOPOLOGY_PACK_H
#define TMAP_MPI_PROBE_TOPOLOGY_PACK_H

#include "core/machine/topology.h"
#include "mpi_probe/bytes.h"

/** @p size_bytes rounded to the nearest number of seven significant bits. */
int64_t tmap_memory_round(int64_t size_bytes);

/** A finished topology as bytes. O(objects). */
void tmap_topology_pack(struct tmap_bytes *bytes, const struct tmap_topology *topo);

/** And back, with sizes as rounded; fails on bytes that are not a topology. */
int tmap_topology_unpack(struct tmap_topology *topo, const void *data, size_t length,
			 struct tmap_error *err);

#endif
