/*
 * hydra.h - where MPICH's Hydra 4.0 puts the ranks: -bind-to and -map-by.
 *
 * Nodes are filled slot after slot, and again from the first node when all are full. On a
 * node, the local processes walk over a list of bindings that the two options make:
 *
 *   -map-by X:m    domains of m objects X each, one after the other, around the end of
 *                  the machine and back to its start until they repeat
 *   -bind-to Y:n   within its domain, a process gets n objects Y; the next process takes
 *                  the next domain, and the next objects of a domain when its turn comes
 *
 *     2 packages of 2 cores, -bind-to core -map-by socket:    0 2 | 1 3
 *
 * After the end of the list it begins anew. Sizes are counted in PUs of the average
 * object, so lopsided machines give lopsided bindings, as they do with Hydra.
 */
#ifndef TM_POLICIES_HYDRA_H
#define TM_POLICIES_HYDRA_H

#include "core/machine/placement.h"
#include "core/place/hydra_words.h"

struct tm_hydra_request {
	int ranks;           /**< TM_NONE: one for each slot */
	int slots;           /**< of each node; TM_NONE: one for each core that may be used */
	struct tm_hydra_objects bind_to; /**< word 0, "none": no binding */
	struct tm_hydra_objects map_by;  /**< the same as bind_to where nothing is said */
};

/** *p = the placement. Refuses objects that a node lacks and domains larger than it.
 *  O(p + N) beside the bindings of each kind of node. */
int tm_hydra_place(struct tm_placement *p, struct tm_machine *machine,
		   const struct tm_hydra_request *request, struct tm_error *err);

/** *pus = what process @p process of a node of this topology gets of -bind-to @p bind_to, with
 *  -map-by the same; all that may be used for "none". *pus must be empty; it is set only on
 *  success. Refuses what tm_hydra_place() does. O(the bindings of a node). */
int tm_hydra_bind(struct tm_idset *pus, const struct tm_topology *topo,
		  const struct tm_hydra_objects *bind_to, int process, struct tm_error *err);

#endif
