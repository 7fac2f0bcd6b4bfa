/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * adapter_query.h - how fast the network adapters of a node run, and whether they do: the files of
 * /sys that say so.
 *
 *     /sys/class/infiniband/mlx5_0/ports/1/state         4: ACTIVE
 *                                          rate          100 Gb/sec (4X EDR)
 *                                          link_layer    InfiniBand
 *     /sys/class/net/ib0/operstate                       up
 *                        carrier                         1
 *                        speed                           100000
 *                        type                            32
 *
 * A file that is not there says nothing; one that is not understood neither.
 */
#ifndef TMAP_MPI_PROBE_ADAPTER_QUERY_H
#define TMAP_MPI_PROBE_ADAPTER_QUERY_H

#include "core/machine/topology.h"

/** Add to the adapters of *topo what stands below the folder @p root ("" for the system itself).
 *  What changes nothing about which of them count is left out again, so that nodes that differ in
 *  a port for management stay equal. O(devices^3). */
int tmap_adapters_query(struct tmap_topology *topo, const char *root, struct tmap_error *err);

#endif
