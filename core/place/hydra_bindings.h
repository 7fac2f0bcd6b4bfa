/*
 * hydra_bindings.h - the list of bindings of one kind of node; private to hydra.c.
 */
#ifndef TM_POLICIES_HYDRA_BINDINGS_H
#define TM_POLICIES_HYDRA_BINDINGS_H

#include "core/machine/topology.h"
#include "core/place/hydra_words.h"

/** The list of bindings: sets of logical PUs, those not allowed left out. */
struct tm_hydra_bindings {
	int count;
	int pu_count;
	bool *has;           /**< [count][pu_count] */
	int *place;          /**< [count] place of a process bound so; TM_NONE: not made yet */
};

/** Make the list; *bindings is set on success. */
int tm_hydra_bindings_init(struct tm_hydra_bindings *bindings, const struct tm_topology *topo,
			   const struct tm_hydra_objects *bind, const struct tm_hydra_objects *map,
			   struct tm_error *err);
void tm_hydra_bindings_fini(struct tm_hydra_bindings *bindings);

#endif
