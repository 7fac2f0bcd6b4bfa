/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * binding.h - what a rank is bound to, in the words people use.
 *
 *     core           exactly the PUs of one core
 *     2 cores        exactly the PUs of two
 *     NUMA node      one memory controller's
 *     unbound        whatever the system allows
 *
 * An object counts with the PUs that the job may use. Where several objects have the same
 * PUs, the outermost of node, package, NUMA node, L3, core, L2, L1 and PU is named, but for what
 * is one core: that is a core, also where it has a cache or a package of its own. Of caches one
 * is named; several are so many cores.
 */
#ifndef TMAP_CORE_MACHINE_BINDING_H
#define TMAP_CORE_MACHINE_BINDING_H

#include "core/machine/placement.h"

/** Room for what tmap_binding_print() writes. */
#define TMAP_BINDING_ROOM 32

struct tmap_binding {
	bool bound;
	enum tmap_type type; /**< of the objects; meaningful if bound */
	int count;           /**< number of objects, at least 1 if bound; 0: unbound */
};

/** What a place is bound to. O(objects). */
struct tmap_binding tmap_binding_of(const struct tmap_topology *topo,
				    const struct tmap_place *place);

bool tmap_binding_equal(struct tmap_binding a, struct tmap_binding b);

/** "core", "2 cores", "NUMA node", "whole node", "unbound", into and returning @p text. */
char *tmap_binding_print(struct tmap_binding binding, char text[TMAP_BINDING_ROOM]);

#endif
