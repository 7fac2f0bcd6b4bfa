/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * device_homes.h - where the devices of a node are, and what is near them.
 *
 * Devices of a type hang on objects of the node's tree, often several on one; a core is near a
 * device if the object has it, or if one memory controller serves both:
 *
 *     package 0                 package 1
 *     NUMA 0      NUMA 1        NUMA 2      NUMA 3
 *     near        far           far         far
 *       └ mlx5_0 (home: NUMA 0)
 */
#ifndef TMAP_CORE_LINT_DEVICE_HOMES_H
#define TMAP_CORE_LINT_DEVICE_HOMES_H

#include "core/machine/device.h"
#include "core/machine/placement.h"

/** The objects that the devices of a type hang on, each once; adapters that messages do not go over
 *  are none. */
struct tmap_homes {
	int count;
	int *object;     /**< [count] */
	int *device;     /**< [count]: the first that hangs there */
	bool everywhere; /**< one hangs on the node itself: it is near to all */
};

/** O(devices x homes). */
int tmap_homes_init(struct tmap_homes *homes, const struct tmap_topology *topo,
		    enum tmap_device_type type, struct tmap_error *err);
void tmap_homes_fini(struct tmap_homes *homes);

/** The smallest object that has the PUs of both. */
int tmap_homes_common(const struct tmap_topology *topo, int a, int b);

/** Are all PUs of the object those of the home? */
bool tmap_homes_is_within(const struct tmap_topology *topo, int object, int home);

/** Are both objects on one memory controller? A node without any is one. */
bool tmap_homes_share_memory(const struct tmap_topology *topo, int a, int b);

/** Is the object neither in what a device hangs on nor on its memory controller, for every home? */
bool tmap_homes_are_far(const struct tmap_topology *topo, const struct tmap_homes *homes,
			int object);

/** The same of all PUs of a place, which may reach over the memory controllers of a package, or be on no
 *  side of the node at all: that is another finding. O(PUs). */
bool tmap_homes_are_far_from_place(const struct tmap_topology *topo, const struct tmap_homes *homes,
				   const struct tmap_place *place);

/** Is the object outside of the one object, less than the node, that has all homes? */
bool tmap_homes_are_outside(const struct tmap_topology *topo, const struct tmap_homes *homes,
			    int object);

/** Is the object a core, or a PU outside of cores, that the job may use, on which none of the PUs
 *  @p taken is, and that is near to one of the homes? */
bool tmap_homes_has_idle(const struct tmap_topology *topo, const struct tmap_homes *homes,
			 const struct tmap_idset *taken, int object);

#endif
