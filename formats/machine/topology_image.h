/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology_image.h - a topology from one process of a program to another (formats/base/child.h).
 *
 *     struct tmap_topology | objects | PUs | PUs by OS index | memories | devices | I/O objects | kinds
 *
 * The arrays are as they are in memory: for nobody else, and no file that is kept.
 */
#ifndef TMAP_FORMATS_MACHINE_TOPOLOGY_IMAGE_H
#define TMAP_FORMATS_MACHINE_TOPOLOGY_IMAGE_H

#include "core/machine/topology.h"

#include <stdio.h>

/** Whether all was written, ferror() of @p file says. */
void tmap_topology_image_write(const struct tmap_topology *topo, FILE *file);

/** *topo = the next one of @p file; release it with tmap_topology_fini(). */
int tmap_topology_image_read(struct tmap_topology *topo, FILE *file, struct tmap_error *err);

#endif
