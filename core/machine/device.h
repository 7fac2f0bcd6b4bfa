/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * device.h - which network adapter or GPU is closest to a rank.
 *
 * Closest are the devices whose smallest common object with the rank's is smallest:
 *
 *     package 0   numa 0   rank 3        mlx5_0 is closer to rank 3 than mlx5_1
 *                 numa 1   mlx5_0
 *     package 1   mlx5_1
 */
#ifndef TMAP_CORE_MACHINE_DEVICE_H
#define TMAP_CORE_MACHINE_DEVICE_H

#include "core/machine/topology.h"

/** Is this one of the network adapters that messages go over? Of a node's devices these are the
 *  ones made for message passing (mlx5_0, hfi1_0, cxi0); where it has none, the interfaces of
 *  such networks (ib0, hsn0); where it has none of these either, all. O(devices). */
bool tmap_device_is_adapter(const struct tmap_topology *topo, int device);

/** PUs of the smallest object that holds @p object and the closest adapter that messages go over;
 *  the node's PUs where it has none.
 *  O(devices x (devices + depth)). */
int tmap_adapter_common_pus(const struct tmap_topology *topo, int object);

/** First of the devices of @p type that are closest to @p object, *count how many are equally
 *  close; TMAP_NONE, and 0, where the node has none. Of network adapters those count that messages
 *  go over. O(devices x (devices + depth)). */
int tmap_device_closest(const struct tmap_topology *topo, int object, enum tmap_device_type type,
			int *count);

#endif
