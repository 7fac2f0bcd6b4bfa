/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * routes.h - the cables that a message between two nodes goes through, where a network is no tree.
 *
 *     torus        0,0 -- 1,0 -- 2,0 --(0,0)     each node has a neighbor on both sides of every
 *                   |      |      |              dimension; along x, then y, then z, each the
 *                  0,1 -- 1,1 -- 2,1 --(0,1)     shorter way round; of two that are as long,
 *                                                towards higher coordinates
 *
 *     dragonfly    group 0: r0 r1 r2             the routers of a group all have a cable to each
 *                           |  |  |              other, and two groups have one: that of group g
 *                  group 1: r0 r1 r2             to group h leaves from its router h (modulo its
 *                                                routers) and ends at router g of group h
 *
 * Messages take the shortest way of this kind; what adaptive routing does beyond that is not known.
 * Cables carry both ways at once: each way is one of its own. In a dragonfly those between nodes
 * and routers count, too.
 *
 *     hops     torus: sum over the dimensions        dragonfly: 2 at one router, 3 within a group,
 *              0 within a node                       3 to 5 between groups
 */
#ifndef TMAP_CORE_MACHINE_ROUTES_H
#define TMAP_CORE_MACHINE_ROUTES_H

#include "core/machine/machine.h"

enum tmap_routes_kind { TMAP_ROUTES_TORUS, TMAP_ROUTES_DRAGONFLY };

/** The most cables, each way counted, whose load is added up. */
enum { TMAP_ROUTES_MOST_CABLES = 16777216 };

struct tmap_routes {
	enum tmap_routes_kind kind;
	int dim[TMAP_TORUS_DIMENSIONS]; /**< of a torus */
	int groups, routers;            /**< of a dragonfly; routers: of the largest group */
	int *routers_of;                /**< [groups] of a dragonfly: of each group */
	int nodes;
	int *place; /**< [nodes]: in a torus its place, as in struct tmap_torus; else its router:
			     group x routers + number in the group */
	int64_t cables; /**< each way counted */
};

/** The torus that the machine's nodes are in. Refuses (TMAP_INPUT) a machine that has none. O(N). */
int tmap_routes_init_machine(struct tmap_routes *routes, const struct tmap_machine *machine,
			     struct tmap_error *err);

/** A torus of these dimensions, filled by the nodes in their order, x fastest. Refuses (TMAP_INPUT)
 *  another number of nodes. O(N). */
int tmap_routes_init_torus(struct tmap_routes *routes, const struct tmap_machine *machine,
			   const int dim[TMAP_TORUS_DIMENSIONS], struct tmap_error *err);

/** The dragonfly whose routers are the leaf switches of the machine, and whose groups are the switches
 *  above them. Refuses (TMAP_INPUT) a machine with fewer than two tiers, nodes of which they do not know the
 *  switch, and too many cables. O(N + switches). */
int tmap_routes_init_dragonfly(struct tmap_routes *routes, const struct tmap_machine *machine,
			       struct tmap_error *err);

/** One of the latter two from "torus:4x4x2" or "dragonfly"; TMAP_USAGE for other text. */
int tmap_routes_parse(struct tmap_routes *routes, const char *text,
		      const struct tmap_machine *machine, struct tmap_error *err);
void tmap_routes_fini(struct tmap_routes *routes);

/** Cables between two nodes. O(1). */
int tmap_routes_hops(const struct tmap_routes *routes, int a, int b);

/** Add @p bytes to load[cables] of each cable from node @p a to node @p b. O(hops). */
void tmap_routes_add(const struct tmap_routes *routes, double *load, int a, int b, double bytes);

/** The same for every ordered pair of ranks of different nodes, of which each node has ranks[node]. O(nodes +
 *  cables), however many pairs there are. */
int tmap_routes_add_everyone(const struct tmap_routes *routes, double *load, const int *ranks,
			     double bytes, struct tmap_error *err);

/** The router of a dragonfly's group from which the cable to another group goes. */
int tmap_routes_towards(const struct tmap_routes *routes, int group, int other);

/** The nodes in parts of parts, the outermost first: halves of the longest dimension of a torus; groups,
 *  routers and nodes of a dragonfly. The number of each node's part after @p step such divisions and
 *  one more goes to part[nodes], below *count. Returns about how many cables lie between nodes that this
 *  division separates; 0 where each node is alone already. Falls from step to step. O(nodes). */
double tmap_routes_divide(const struct tmap_routes *routes, int step, int *part, int *count);

#endif
