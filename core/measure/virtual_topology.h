/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * virtual_topology.h - a call of MPI on a virtual topology, and how the communicator of it is made.
 *
 *     neighbor_alltoallv on    moore:1, 2d    fmaj     adjacent              reorder
 *     what is timed            neighbors      listed   constructor           ranks may change
 *
 *     constructor   cart_create     the two neighbors in each dimension, in MPI's own order
 *                   dist_graph_create_adjacent    each rank names its sources and its targets
 *                   dist_graph_create             each rank names its targets
 *
 * Grids are those of tmap_dimensions_choose(); their first dimensions may be finite, the others are
 * periodic. On the full graph every rank is a neighbor of every rank and of itself: so neighborhood
 * collectives do what allgather and alltoall do. (Luebbe 2017, section 3.1.)
 */
#ifndef TMAP_CORE_MEASURE_VIRTUAL_TOPOLOGY_H
#define TMAP_CORE_MEASURE_VIRTUAL_TOPOLOGY_H

#include "core/base/keyword.h"
#include "core/schedule/call.h"
#include "core/schedule/neighborhood.h"

enum tmap_virtual_call {
	TMAP_NO_VIRTUAL, /**< it is on none */
	TMAP_VIRTUAL_CREATE,
	TMAP_VIRTUAL_ALLGATHER,
	TMAP_VIRTUAL_ALLGATHERV,
	TMAP_VIRTUAL_ALLTOALL,
	TMAP_VIRTUAL_ALLTOALLV,
	TMAP_VIRTUAL_ALLTOALLW,
	TMAP_VIRTUAL_NEIGHBOR_ALLGATHER,
	TMAP_VIRTUAL_NEIGHBOR_ALLGATHERV,
	TMAP_VIRTUAL_NEIGHBOR_ALLTOALL,
	TMAP_VIRTUAL_NEIGHBOR_ALLTOALLV,
	TMAP_VIRTUAL_NEIGHBOR_ALLTOALLW,
	TMAP_VIRTUAL_CALLS
};

struct tmap_virtual_call_row {
	struct tmap_keyword word;
	enum tmap_collective family; /**< TMAP_COLLECTIVE_COUNT: none */
	bool has_neighbors;
	bool gathers;   /**< one block for all; else one for each */
	bool has_sizes; /**< a number for each block (v); a type and an address, too (w) */
};

/** [TMAP_VIRTUAL_CALLS], from TMAP_VIRTUAL_CREATE on. */
extern const struct tmap_virtual_call_row tmap_virtual_call_rows[];
extern const struct tmap_keywords tmap_virtual_calls; /**< without the first, TMAP_NO_VIRTUAL */

enum tmap_constructor {
	TMAP_CART_CREATE,
	TMAP_DIST_GRAPH_CREATE_ADJACENT,
	TMAP_DIST_GRAPH_CREATE,
	TMAP_CONSTRUCTORS
};

enum tmap_neighbor_order {
	TMAP_ORDER_CART,   /**< MPI's own, of cart_create */
	TMAP_ORDER_FMAJ,   /**< rising by coordinates, the first one changing last */
	TMAP_ORDER_LMAJ,   /**< the last one */
	TMAP_ORDER_LINEAR, /**< of the full graph: sources r, r + 1, ..., targets r, r - 1, ... */
	TMAP_ORDER_RAND,   /**< at random, another order for each rank, the same in each launch */
	TMAP_ORDERS
};

extern const struct tmap_keywords tmap_constructors;    /**< in the order of the enum */
extern const struct tmap_keywords tmap_neighbor_orders; /**< in the order of the enum */
extern const struct tmap_keywords tmap_stencils;        /**< vonneumann, moore, full */

/** Stencil @p row of that table, and its row. */
enum tmap_stencil tmap_stencil_at(int row);
int tmap_stencil_row(enum tmap_stencil stencil);

/** All numbers are 0 that the stencil has not. */
struct tmap_virtual_topology {
	enum tmap_constructor constructor;
	enum tmap_stencil stencil; /**< vonneumann, moore or full; of cart_create vonneumann */
	int radius;                /**< from 1; of full 0 */
	int dimensions;            /**< of the grid, 1 .. TMAP_DIMENSIONS_MAX; of full 0 */
	int finite;                /**< the first so many are not periodic */
	enum tmap_neighbor_order order;
	bool reorder;
};

enum { TMAP_RADIUS_MAX = 1000 };

/** Refuses (TMAP_INPUT) what no constructor makes: cart_create of other neighbors than its own, an order
 *  that the stencil lacks, more finite dimensions than there are. */
int tmap_virtual_check(const struct tmap_virtual_topology *topology, struct tmap_error *err);

/** Which is first; 0: the same. */
int tmap_virtual_compare(const struct tmap_virtual_topology *a,
			 const struct tmap_virtual_topology *b);

/** The same of the neighborhood alone: stencil, radius, dimensions; cart_create's is one of its own. */
int tmap_virtual_neighborhood_compare(const struct tmap_virtual_topology *a,
				      const struct tmap_virtual_topology *b);

/** The neighborhood alone: "cart 2d", "moore:1 2d finite 1", "full"; and all of it: "moore:1 2d rand
 *  adjacent reorder". */
enum { TMAP_VIRTUAL_ROOM = 96 };
const char *tmap_virtual_print_neighbors(const struct tmap_virtual_topology *topology,
					 char room[TMAP_VIRTUAL_ROOM]);
const char *tmap_virtual_print(const struct tmap_virtual_topology *topology,
			       char room[TMAP_VIRTUAL_ROOM]);

/** Who the neighbors are, on so many ranks. */
struct tmap_virtual_neighbors {
	struct tmap_virtual_topology topology;
	struct tmap_neighborhood neighborhood; /**< of full: itself is not in it */
	int size;
	int degree; /**< room for a rank's sources, or targets */
};

/** Refuses (TMAP_INPUT) neighborhoods of too many neighbors. */
int tmap_virtual_neighbors_init(struct tmap_virtual_neighbors *it,
				const struct tmap_virtual_topology *topology, int size,
				struct tmap_error *err);
void tmap_virtual_neighbors_fini(struct tmap_virtual_neighbors *it);

/** *count of them = those that a rank sends to, or receives from, in their order. Of cart_create all
 *  are listed, TMAP_NONE those beyond a border; else these are left out. O(degree). */
void tmap_virtual_targets(const struct tmap_virtual_neighbors *it, int rank, int *list, int *count);
void tmap_virtual_sources(const struct tmap_virtual_neighbors *it, int rank, int *list, int *count);

#endif
