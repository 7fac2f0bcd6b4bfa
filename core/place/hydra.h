/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hydra.h - where MPICH's Hydra 4 puts the ranks: -bind-to and -map-by.
 *
 * Nodes are filled slot after slot, and again from the first node when all are full; programs
 * follow each other in this (-n 4 A : -n 8 B). On a node, the local processes walk over a list of bindings that the two options make:
 *
 *   -map-by X:m    domains of m objects X each, one after the other, around the end of
 *                  the machine and back to its start until they repeat
 *   -bind-to Y:n   within its domain, a process gets n objects Y; the next process takes
 *                  the next domain, and the next objects of a domain when its turn comes
 *
 *     2 packages of 2 cores, -bind-to core -map-by socket:    0 2 | 1 3
 *
 * Both take devices, too (hydra_words.h), in whose place stands what they hang on.
 *
 * After the end of the list it begins anew. Sizes are counted in PUs of the average
 * object, so lopsided machines give lopsided bindings, as they do with Hydra.
 */
#ifndef TMAP_CORE_PLACE_HYDRA_H
#define TMAP_CORE_PLACE_HYDRA_H

#include "core/base/keyword.h"
#include "core/machine/placement.h"
#include "core/place/program.h"

/** The first rows of tmap_hydra_words: no binding, PUs by their index, and devices; then its words
 *  for objects (core/machine/types.h). */
enum {
	TMAP_HYDRA_NONE,
	TMAP_HYDRA_RR,
	TMAP_HYDRA_GPU40,
	TMAP_HYDRA_GPU_SUBDEVICE,
	TMAP_HYDRA_GPU,
	TMAP_HYDRA_IB,
	TMAP_HYDRA_HFI,
	TMAP_HYDRA_HSN,
	TMAP_HYDRA_EN,
	TMAP_HYDRA_ETH,
	TMAP_HYDRA_PCI,
	TMAP_HYDRA_OBJECTS
};

/** The words of -bind-to, in 4.0 and from 4.1 on, and what -map-by has not of them. */
extern const struct tmap_keywords tmap_hydra_words;
#define TMAP_HYDRA_BIND_WORDS (TMAP_KEYWORDS_ALL & ~TMAP_KEYWORDS_BIT(TMAP_HYDRA_GPU40))
#define TMAP_HYDRA40_BIND_WORDS \
	(TMAP_KEYWORDS_ALL & \
	 ~(TMAP_KEYWORDS_BIT(TMAP_HYDRA_GPU_SUBDEVICE) | TMAP_KEYWORDS_BIT(TMAP_HYDRA_GPU) | \
	   TMAP_KEYWORDS_BIT(TMAP_HYDRA_HSN)))
#define TMAP_HYDRA_NO_MAP_WORDS \
	(TMAP_KEYWORDS_BIT(TMAP_HYDRA_NONE) | TMAP_KEYWORDS_BIT(TMAP_HYDRA_RR))
#define TMAP_HYDRA_MAP_WORDS (TMAP_HYDRA_BIND_WORDS & ~TMAP_HYDRA_NO_MAP_WORDS)

/** A number of objects, "core:2", or devices, "gpu", "ib0", "pci:41:00.0". */
struct tmap_hydra_objects {
	int word; /**< row of tmap_hydra_words */
	int count;
	char device[32]; /**< behind the word of devices, the ID of a PCI device; "": any */
};

/** Read "WORD[:COUNT]" or "pci:ID"; @p among: which words. */
int tmap_hydra_parse(struct tmap_hydra_objects *objects, const char *text, uint64_t among,
		     struct tmap_error *err);

/** The type of objects that a word means; TMAP_NODE for "machine". */
enum tmap_type tmap_hydra_type(int word);

struct tmap_hydra_request {
	const struct tmap_program *programs; /**< [program_count] of their nodes nothing is used;
						  NULL: there is one, and ranks are its ranks */
	int program_count;
	int ranks;             /**< TMAP_NONE: one for each slot, as for a program */
	int slots;             /**< of each node; TMAP_NONE: one for each core that may be used */
	const int *node_slots; /**< [nodes] of each node, where they differ, TMAP_NONE: as above;
				    NULL: all are as above */
	struct tmap_hydra_objects bind_to; /**< word 0, "none": no binding */
	struct tmap_hydra_objects map_by;  /**< the same as bind_to where it is not given */
};

/** *p = the placement; of several programs each is a setting with its number and without a name.
 *  Refuses objects that a node lacks, domains larger than it, and devices that
 *  are bound to but not mapped by.
 *  O(p + N) beside the bindings of each kind of node. */
int tmap_hydra_place(struct tmap_placement *p, struct tmap_machine *machine,
		     const struct tmap_hydra_request *request, struct tmap_error *err);

/** *pus = what process @p process of a node of this topology gets of -bind-to @p bind_to, with
 *  -map-by the same; all that may be used for "none". *pus must be empty; it is set only on
 *  success. Refuses what tmap_hydra_place() does. O(the bindings of a node). */
int tmap_hydra_bind(struct tmap_idset *pus, const struct tmap_topology *topo,
		    const struct tmap_hydra_objects *bind_to, int process, struct tmap_error *err);

#endif
