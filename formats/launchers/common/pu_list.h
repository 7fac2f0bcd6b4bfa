/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pu_list.h - PUs of the processes of a node as Hydra's user: has them, "0,2+3,4-7x2".
 *
 *     list = item { "," item }               one for each process of a node
 *     item = span { "+" span } [ "x" N ]     N processes that share it
 *     span = PU [ "-" PU ]                   the operating system's numbers
 *
 * One item, "2+3" or "" (not bound), is the words of an entry (entries.h) for several launchers.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_PU_LIST_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_PU_LIST_H

#include "core/base/idset.h"
#include "core/machine/topology.h"

struct tmap_pu_item {
	const char *text; /**< within the list */
	size_t length;    /**< without its "xN" */
	int repeat;
};

/** The item at *list, which moves to the next one, or to the final zero. *pus must be empty;
 *  NULL: the item is only checked. Refuses what is malformed, and ranges that fall. */
int tmap_pu_list_next(struct tmap_pu_item *item, struct tmap_idset *pus, const char **list,
		      struct tmap_error *err);

/** tmap_entries_resolve for one item or "". Refuses PUs that the node lacks or the job may not
 *  use. */
int tmap_pu_list_resolve(struct tmap_idset *pus, const char *words,
			 const struct tmap_topology *topo, const void *context,
			 struct tmap_error *err);

#endif
