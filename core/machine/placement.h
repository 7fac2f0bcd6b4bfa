/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * placement.h - where each rank is placed: the value that every analysis takes.
 *
 * A place is a set of PUs of one topology (what a rank is bound to) and the smallest
 * object that covers it; it is written down once, and ranks name it:
 *
 *     rank r  ->  node[r], place[r]  ->  places[place[r]]: PUs, object, bound or not
 *
 * so 11 million ranks on equal nodes take 8 bytes each.
 */
#ifndef TMAP_CORE_MACHINE_PLACEMENT_H
#define TMAP_CORE_MACHINE_PLACEMENT_H

#include "core/base/idset.h"
#include "core/machine/machine.h"
#include "core/machine/setting.h"

struct tmap_place {
	int topology;             /**< the kind of node it lies on */
	int object;               /**< smallest object of that topology that covers the PUs */
	bool bound;               /**< false: the system lets the rank run on every allowed PU */
	struct tmap_idset pus;    /**< OS indexes, not empty */
	struct tmap_idset memory; /**< OS indexes of NUMA nodes that its memory policy allows;
				     empty where unknown */
};

/** Where a placement comes from; strings are owned, NULL where unknown. */
struct tmap_origin {
	char *by;          /**< "topomap-probe", "topomap place" */
	char *request;     /**< place: the words of the request */
	char *mpi;         /**< probe: library and version */
	char *launcher;    /**< probe: launcher and release; place: the name of its row */
	char *date;        /**< probe: ISO 8601, UTC */
	char *masked_host; /**< what stood in place of a host's name in the file of ranks, whose
				node keeps a name that no host has: "node***" */
};

struct tmap_placement {
	struct tmap_machine *machine; /**< one reference */
	int size;                     /**< number of ranks, at least 1 */
	int *node;                    /**< [size] */
	int *place;                   /**< [size], into places */
	int *last_pu; /**< [size] OS index of the PU each rank last ran on; NULL if unknown */
	int *world;   /**< [size] of a sub-communicator: its ranks' numbers in the whole job, each
			 once; NULL: it is the whole job */
	int *others; /**< [node_count] of a sub-communicator: an unbound place, all PUs of the node on
			   which ranks outside of it may run, or TMAP_NONE; NULL: there are none */
	int own_places; /**< where others is not NULL: places before those that only it names */
	int place_count;
	struct tmap_place *places;
	size_t place_capacity;
	int *bucket; /**< of tmap_placement_intern(): the first of equal places by its hash, 1 + its
			  index, or 0 */
	size_t bucket_count; /**< a power of two, or 0 */
	int hashed;          /**< places that the buckets have */
	int setting_count; /**< what ranks were started as, each once; 0: nothing is known of it */
	struct tmap_setting *settings;
	size_t setting_capacity;
	int *setting; /**< [size], into settings; NULL where there is one for all, or none */
	struct tmap_origin origin;
};

/** A placement of @p size ranks whose node[] and place[] are TMAP_NONE; takes a reference. */
int tmap_placement_init(struct tmap_placement *p, struct tmap_machine *machine, int size,
			struct tmap_error *err);

/** The same of @p size > 0 ranks whose nodes and places, [size] each, are known; takes both. */
void tmap_placement_init_take(struct tmap_placement *p, struct tmap_machine *machine, int size,
			      int *node, int *place);
void tmap_placement_fini(struct tmap_placement *p);

/** A new place on @p topology (both sets are copied); returns its index or TMAP_NONE with
 *  *err set. Refuses an empty set and a PU that the topology lacks. @p memory may be NULL.
 *  Does not search for an equal place: see tmap_placement_intern(). O(members log PUs). */
int tmap_placement_add_place(struct tmap_placement *p, int topology, const struct tmap_idset *pus,
			     const struct tmap_idset *memory, bool bound, struct tmap_error *err);

/** Index of the equal place, added if there is none yet. O(ranges) expected where there is one. */
int tmap_placement_intern(struct tmap_placement *p, int topology, const struct tmap_idset *pus,
			  const struct tmap_idset *memory, bool bound, struct tmap_error *err);

/** The same for a rank that a launcher binds to allowed PUs: it is not bound where these are all
 *  allowed PUs of the node. */
int tmap_placement_bind(struct tmap_placement *p, int topology, const struct tmap_idset *pus,
			struct tmap_error *err);

/** A new setting (copied); returns its index, or TMAP_NONE with *err set. Does not search for an
 *  equal one, which would do no harm. */
int tmap_placement_add_setting(struct tmap_placement *p, const struct tmap_setting *setting,
			       struct tmap_error *err);

/** What a rank was started as; NULL: nothing is known of it. O(1). */
const struct tmap_setting *tmap_placement_setting(const struct tmap_placement *p, int rank);

/** Rank r of *p was started as rank @p rank[r] of *from, or as rank r where that is NULL; what
 *  *p knew is forgotten. O(p). */
int tmap_placement_copy_settings(struct tmap_placement *p, const struct tmap_placement *from,
				 const int *rank, struct tmap_error *err);

/** Every rank has a node and a place on that node's topology. O(p). */
int tmap_placement_check(const struct tmap_placement *p, struct tmap_error *err);

/** The same ranks in other places: rank r of *out is where rank place_of[r] of *in is.
 *  Any list of ranks of *in will do. Where there are as many as before they are the same ranks, and
 *  keep their settings and their numbers in the whole job; else those are not known. O(p). */
int tmap_placement_select(struct tmap_placement *out, const struct tmap_placement *in,
			  const int *place_of, int size, struct tmap_error *err);

/** A sub-communicator: its rank r is rank @p rank[r] of *in, each of them at most once, and
 *  out->world has the numbers in the whole job, and out->others what its other ranks take.
 *  TMAP_INPUT for ranks that are not there or stand twice. O(p + N), and the PUs of the others. */
int tmap_placement_subset(struct tmap_placement *out, const struct tmap_placement *in,
			  const int *rank, int size, struct tmap_error *err);

/** The smallest object that holds all PUs of rank @p rank, in its node's topology. O(1). */
int tmap_placement_object(const struct tmap_placement *p, int rank);

/** The topology of the node of @p rank. O(1). */
const struct tmap_topology *tmap_placement_topology(const struct tmap_placement *p, int rank);

/** Number of ranks of each node: [node_count], the caller's to free. O(p + N). */
int *tmap_placement_count_ranks(const struct tmap_placement *p, struct tmap_error *err);

#endif
