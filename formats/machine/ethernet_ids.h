/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ethernet_ids.h - what an Ethernet controller can at most, by its PCI ID: those of 1 Gb/s that
 * boards of servers have, mostly for management.
 *
 * For descriptions of machines that do not have the speed of a link, such as hwloc's. A controller
 * that is in no row may be as fast as any.
 */
#ifndef TMAP_FORMATS_MACHINE_ETHERNET_IDS_H
#define TMAP_FORMATS_MACHINE_ETHERNET_IDS_H

#include <stdint.h>

struct tmap_ethernet_id {
	unsigned short vendor, device;
	const char *model; /**< stands in the ID's name in pci.ids, too */
};

/** The last row has vendor 0. */
extern const struct tmap_ethernet_id tmap_ethernet_ids[];

/** 1e9, or 0: not known. O(rows). */
int64_t tmap_ethernet_bits_per_s(unsigned vendor, unsigned device);

#endif
