/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * routes_cables.h - which number a cable has among those of its routes, each way counted.
 *
 *     torus        place x dimension x way: a cable belongs to the place from which it goes up
 *     dragonfly    node x way | group x group | router x router of its group
 *
 * A router's number is group x routers of the largest group + number in its group.
 */
#ifndef TMAP_CORE_MACHINE_ROUTES_CABLES_H
#define TMAP_CORE_MACHINE_ROUTES_CABLES_H

#include "core/machine/routes.h"

/** Directions of a cable, or of a dimension. */
enum tmap_cable_way { TMAP_CABLE_UP, TMAP_CABLE_DOWN, TMAP_CABLE_WAYS };

static inline int64_t tmap_cable_torus(int64_t place, int dimension, enum tmap_cable_way way)
{
	return (place * TMAP_TORUS_DIMENSIONS + dimension) * TMAP_CABLE_WAYS + way;
}

static inline int64_t tmap_cable_node(int64_t node, enum tmap_cable_way way)
{
	return node * TMAP_CABLE_WAYS + way;
}

static inline int64_t tmap_cable_between(const struct tmap_routes *routes, int from_group,
					 int to_group)
{
	return tmap_cable_node(routes->nodes, TMAP_CABLE_UP) +
		(int64_t)from_group * routes->groups + to_group;
}

/** Of two routers of one group. */
static inline int64_t tmap_cable_within(const struct tmap_routes *routes, int from, int to)
{
	return tmap_cable_between(routes, routes->groups, 0) + (int64_t)from * routes->routers +
		to % routes->routers;
}

#endif
