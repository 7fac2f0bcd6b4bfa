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
#ifndef TMAP_CORE_PLACE_HYDRA_H
#define TMAP_CORE_PLACE_HYDRA_H

#include "core/machine/placement.h"
#include "core/place/hydra_words.h"

struct tmap_hydra_request {
	int ranks;             /**< TMAP_NONE: one for each slot */
	int slots;             /**< of each node; TMAP_NONE: one for each core that may be used */
	const int *node_slots; /**< [nodes] of each node, where they differ; NULL: as above */
	struct tmap_hydra_objects bind_to; /**< word 0, "none": no binding */
	struct tmap_hydra_objects map_by;  /**< the same as bind_to where it is left out */
};

/** *p = the placement. Refuses objects that a node lacks and domains larger than it.
 *  O(p + N) beside the bindings of each kind of node. */
int tmap_hydra_place(struct tmap_placement *p, struct tmap_machine *machine,
		     const struct tmap_hydra_request *request, struct tmap_error *err);

/** *pus = what process @p process of a node of this topology gets of -bind-to @p bind_to, with
 *  -map-by the same; all that may be used for "none". *pus must be empty; it is set only on
 *  success. Refuses what tmap_hydra_place() does. O(the bindings of a node). */
int tmap_hydra_bind(struct tmap_idset *pus, const struct tmap_topology *topo,
		    const struct tmap_hydra_objects *bind_to, int process, struct tmap_error *err);

#endif
