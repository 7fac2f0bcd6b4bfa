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

/** Is this one of the network adapters that messages go over? The only place that says so. The user
 *  may have chosen them (core/machine/adapter_choice.h). Else they are, of a node's devices whose
 *  link is not down, the first of these that there are:
 *
 *      1. made for message passing, on a network of that kind    mlx5_0, hfi1_0, cxi0
 *      2. the interfaces of such networks                        ib0, hsn0
 *      3. made for message passing, on an Ethernet               mlx5_1, bnxt_re0
 *      4. interfaces of an Ethernet                              eth1, 25 Gb/s
 *
 *  Of several on Ethernets those at the highest known speed and those of unknown speed; on other
 *  networks all but those at less than a quarter of the highest. Bridges, virtual interfaces,
 *  those on USB and those at 1 Gb/s or less, which are for management, never are. O(devices). */
bool tmap_device_is_adapter(const struct tmap_topology *topo, int device);

/** Is it the interface, such as ib0, of an adapter for message passing that is there by itself,
 *  such as mlx5_0? O(devices). */
bool tmap_device_is_interface(const struct tmap_topology *topo, int device);

/** Are both names of the same kind, which differ in their numbers alone? One GPU may have several, of
 *  several kinds: "card1", "renderD128", "rsmi0". */
bool tmap_device_is_of_kind(const struct tmap_device *device, const struct tmap_device *kind);

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
