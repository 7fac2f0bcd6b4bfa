/*
 * placement.h - which rank sits where: the value that every analysis takes.
 *
 * A place is a set of PUs of one topology (what a rank is bound to) and the smallest
 * object that covers it; it is written down once, and ranks name it:
 *
 *     rank r  ->  node[r], place[r]  ->  places[place[r]]: PUs, object, bound or not
 *
 * so 11 million ranks on equal nodes take 8 bytes each.
 */
#ifndef TM_PLACEMENT_H
#define TM_PLACEMENT_H

#include "core/base/idset.h"
#include "core/machine/machine.h"

struct tm_place {
	int topology;        /**< the kind of node it lies on */
	int object;          /**< smallest object of that topology that covers the PUs */
	bool bound;          /**< false: the system lets the rank run on every allowed PU */
	struct tm_idset pus; /**< OS indexes, not empty */
	struct tm_idset memory; /**< OS indexes of NUMA nodes that its memory policy allows;
				     empty where unknown */
};

/** Where a placement comes from; strings are owned, NULL where unknown. */
struct tm_origin {
	char *by;            /**< "topomap-probe", "topomap place" */
	char *request;       /**< place: the words of the request */
	char *mpi;           /**< probe: library and version */
	char *launcher;      /**< probe: launcher and version */
	char *date;          /**< probe: ISO 8601, UTC */
};

struct tm_placement {
	struct tm_machine *machine; /**< one reference */
	int size;            /**< number of ranks, at least 1 */
	int *node;           /**< [size] */
	int *place;          /**< [size], into places */
	int *last_pu;        /**< [size] OS index of the PU each rank last ran on; NULL if unknown */
	int place_count;
	struct tm_place *places;
	size_t place_capacity;
	struct tm_origin origin;
};

/** A placement of @p size ranks whose node[] and place[] are TM_NONE; takes a reference. */
int tm_placement_init(struct tm_placement *p, struct tm_machine *machine, int size,
		      struct tm_error *err);
void tm_placement_fini(struct tm_placement *p);

/** A new place on @p topology (both sets are copied); returns its index or TM_NONE with
 *  *err set. Refuses an empty set and a PU that the topology lacks. @p memory may be NULL.
 *  Does not look for an equal place: see tm_placement_intern(). */
int tm_placement_add_place(struct tm_placement *p, int topology, const struct tm_idset *pus,
			   const struct tm_idset *memory, bool bound, struct tm_error *err);

/** Index of the equal place, added if there is none yet. O(places). */
int tm_placement_intern(struct tm_placement *p, int topology, const struct tm_idset *pus,
			const struct tm_idset *memory, bool bound, struct tm_error *err);

/** Every rank has a node and a place on that node's topology. O(p). */
int tm_placement_check(const struct tm_placement *p, struct tm_error *err);

/** The same ranks in other seats: rank r of *out sits where rank place_of[r] of *in sits.
 *  Any list of ranks of *in will do, so a subset is a sub-communicator. O(p). */
int tm_placement_select(struct tm_placement *out, const struct tm_placement *in,
			const int *place_of, int size, struct tm_error *err);

/** The object that rank @p rank sits on, in its node's topology. O(1). */
int tm_placement_object(const struct tm_placement *p, int rank);

/** The topology of the node of @p rank. O(1). */
const struct tm_topology *tm_placement_topology(const struct tm_placement *p, int rank);

/** Number of ranks of each node: [node_count], the caller's to free. O(p + N). */
int *tm_placement_count_ranks(const struct tm_placement *p, struct tm_error *err);

#endif
