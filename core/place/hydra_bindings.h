/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hydra_bindings.h - the list of bindings of one kind of node; private to hydra.c.
 */
#ifndef TMAP_CORE_PLACE_HYDRA_BINDINGS_H
#define TMAP_CORE_PLACE_HYDRA_BINDINGS_H

#include "core/place/hydra.h"

/** The list of bindings: sets of logical PUs, those not allowed left out. */
struct tmap_hydra_bindings {
	int count;
	int pu_count;
	bool *has;  /**< [count][pu_count] */
	int *place; /**< [count] place of a process bound so; TMAP_NONE: not made yet */
};

/** Make the list; *bindings is set on success. */
int tmap_hydra_bindings_init(struct tmap_hydra_bindings *bindings, const struct tmap_topology *topo,
			     const struct tmap_hydra_objects *bind,
			     const struct tmap_hydra_objects *map, struct tmap_error *err);
void tmap_hydra_bindings_fini(struct tmap_hydra_bindings *bindings);

#endif
