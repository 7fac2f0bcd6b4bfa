/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hydra_bindings.h - the list of bindings of one kind of node; private to hydra.c.
 */
#ifndef TMAP_CORE_PLACE_HYDRA_BINDINGS_H
#define TMAP_CORE_PLACE_HYDRA_BINDINGS_H

#include "core/place/hydra.h"

/** The list of bindings. */
struct tmap_hydra_bindings {
	int count;
	struct tmap_idset *pus; /**< [count] logical PUs, of which those that are not allowed do not
				     count */
	int *place;             /**< [count] place of a process bound so; TMAP_NONE: not made yet */
};

/** Make the list; *bindings is set on success. */
int tmap_hydra_bindings_init(struct tmap_hydra_bindings *bindings, const struct tmap_topology *topo,
			     const struct tmap_hydra_objects *bind,
			     const struct tmap_hydra_objects *map, struct tmap_error *err);

/** rr: each PU that may be used, in the order of the OS indexes. */
int tmap_hydra_bindings_init_rr(struct tmap_hydra_bindings *bindings,
				const struct tmap_topology *topo, struct tmap_error *err);

/** No binding: one, of all PUs. */
int tmap_hydra_bindings_init_unbound(struct tmap_hydra_bindings *bindings,
				     const struct tmap_topology *topo, struct tmap_error *err);
void tmap_hydra_bindings_fini(struct tmap_hydra_bindings *bindings);

#endif
