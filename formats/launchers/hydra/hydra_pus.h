/*
 * hydra_pus.h - the list of Hydra's -bind-to user: and binding=user:, "0,2+3,4-7x2".
 *
 *     list = entry { "," entry }               one for each process of a node
 *     entry = span { "+" span } [ "x" N ]      N processes that share it
 *     span = PU [ "-" PU ]                     the operating system's numbers
 */
#ifndef TMAP_FORMATS_LAUNCHERS_HYDRA_HYDRA_PUS_H
#define TMAP_FORMATS_LAUNCHERS_HYDRA_HYDRA_PUS_H

#include "core/base/idset.h"

struct tmap_hydra_pus {
	const char *text; /**< the entry, within the list */
	size_t length;    /**< without its "xN" */
	int repeat;
};

/** The entry at *list, which moves to the next one, or to the final zero. *pus must be empty;
 *  NULL: it is only checked. Refuses what is malformed, and ranges that fall. */
int tmap_hydra_pus_next(struct tmap_hydra_pus *entry, struct tmap_idset *pus, const char **list,
			struct tmap_error *err);

#endif
