/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hwloc_device.h - what hwloc says of a network adapter or a GPU.
 *
 *     PCI 0207 [15b3:1017]           the class says whose link layer, the ID how fast at most
 *       Network     hsi0    Address  of 20 bytes: InfiniBand; Port: which of the adapter's
 *       OpenFabrics mlx5_0  Port1State, Port2State: 4 is up
 *     PCI 0300 [1a03:2000]           the screen of a management controller, which computes nothing
 *       GPU         card0
 */
#ifndef TMAP_FORMATS_MACHINE_HWLOC_DEVICE_H
#define TMAP_FORMATS_MACHINE_HWLOC_DEVICE_H

#include "core/machine/topology.h"

#include <stdbool.h>

struct hwloc_obj;

/** Is a device of the operating system of hwloc's type (HWLOC_OBJ_OSDEV_...)? */
bool tmap_hwloc_device_is(struct hwloc_obj *obj, unsigned long type);

/** *device = all of a device of the operating system but the object that it hangs on. False for
 *  what is neither a network adapter nor a GPU that computes, and for adapters on USB. */
bool tmap_hwloc_device_read(struct tmap_device *device, struct hwloc_obj *obj);

#endif
