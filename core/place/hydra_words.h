/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hydra_words.h - the words of -bind-to and -map-by that mean devices; private to hydra.c.
 *
 *     gpu      from 4.1 on co-processors with names of three letters, Level Zero's; in 4.0 the
 *              devices that hwloc calls GPUs
 *     ib       networks whose name begins so, and in the same way hsn; hfi: OpenFabrics
 *     en, eth  every device of the operating system, whatever it is
 *     pci:ID   one PCI device
 *
 * Behind gpu may stand the number of a device among all of the operating system, behind ib, hfi
 * and hsn the rest of a name. A process is bound to the object that its device hangs on.
 */
#ifndef TMAP_CORE_PLACE_HYDRA_WORDS_H
#define TMAP_CORE_PLACE_HYDRA_WORDS_H

#include "core/place/hydra.h"

/** Does the word mean a device? */
bool tmap_hydra_is_device(int word);

/** Is I/O object @p index of a node one of these devices? */
bool tmap_hydra_has_device(const struct tmap_hydra_objects *objects,
			   const struct tmap_topology *topo, int index);

/** Devices are mapped by the same ones that they are bound to, and other objects by no device. */
int tmap_hydra_check_pair(const struct tmap_hydra_objects *bind,
			  const struct tmap_hydra_objects *map, struct tmap_error *err);

/** Append the objects' name: "ib0", "pci:41:00.0", "core". */
void tmap_hydra_objects_name(char name[64], const struct tmap_hydra_objects *objects);

/** A node has none of these objects: says so. Returns -1. */
int tmap_hydra_refuse_objects(const struct tmap_hydra_objects *objects,
			      const struct tmap_topology *topo, struct tmap_error *err);

#endif
