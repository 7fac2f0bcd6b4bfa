/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/virtual_topology.h"

#include "core/base/random.h"

#include <stdio.h>
#include <string.h>

#define CALL(name_, summary_, family_) .word = { name_, summary_ }, .family = family_
#define GLOBAL(name_, family_) CALL(name_, "on the communicator of a topology", family_)
#define NEIGHBOR(name_, family_) \
	CALL(name_, "with the neighbors of a topology", family_), .has_neighbors = true

const struct tmap_virtual_call_row tmap_virtual_call_rows[] = {
	[TMAP_NO_VIRTUAL] = { .word = { "", "" }, .family = TMAP_COLLECTIVE_COUNT },
	[TMAP_VIRTUAL_CREATE] = { CALL("topology_create", "a communicator with a topology is made",
				       TMAP_COLLECTIVE_COUNT) },
	[TMAP_VIRTUAL_ALLGATHER] = { GLOBAL("allgather", TMAP_ALLGATHER), .gathers = true },
	[TMAP_VIRTUAL_ALLGATHERV] = { GLOBAL("allgatherv", TMAP_ALLGATHER), .gathers = true,
				      .has_sizes = true },
	[TMAP_VIRTUAL_ALLTOALL] = { GLOBAL("alltoall", TMAP_ALLTOALL) },
	[TMAP_VIRTUAL_ALLTOALLV] = { GLOBAL("alltoallv", TMAP_ALLTOALL), .has_sizes = true },
	[TMAP_VIRTUAL_ALLTOALLW] = { GLOBAL("alltoallw", TMAP_ALLTOALL), .has_sizes = true },
	[TMAP_VIRTUAL_NEIGHBOR_ALLGATHER] = { NEIGHBOR("neighbor_allgather",
						       TMAP_NEIGHBOR_ALLGATHER),
					      .gathers = true },
	[TMAP_VIRTUAL_NEIGHBOR_ALLGATHERV] = { NEIGHBOR("neighbor_allgatherv",
							TMAP_NEIGHBOR_ALLGATHER),
					       .gathers = true, .has_sizes = true },
	[TMAP_VIRTUAL_NEIGHBOR_ALLTOALL] = { NEIGHBOR("neighbor_alltoall",
						      TMAP_NEIGHBOR_ALLTOALL) },
	[TMAP_VIRTUAL_NEIGHBOR_ALLTOALLV] = { NEIGHBOR("neighbor_alltoallv",
						       TMAP_NEIGHBOR_ALLTOALL),
					      .has_sizes = true },
	[TMAP_VIRTUAL_NEIGHBOR_ALLTOALLW] = { NEIGHBOR("neighbor_alltoallw",
						       TMAP_NEIGHBOR_ALLTOALL),
					      .has_sizes = true },
	[TMAP_VIRTUAL_CALLS] = { .word = { NULL, NULL } },
};

const struct tmap_keywords tmap_virtual_calls = {
	.what = "call on a topology",
	.rows = tmap_virtual_call_rows + TMAP_VIRTUAL_CREATE,
	.stride = sizeof tmap_virtual_call_rows[0],
};

static const struct tmap_keyword constructors[] = {
	[TMAP_CART_CREATE] = { "cart_create", "MPI_Cart_create" },
	[TMAP_DIST_GRAPH_CREATE_ADJACENT] = { "dist_graph_create_adjacent",
					      "MPI_Dist_graph_create_adjacent" },
	[TMAP_DIST_GRAPH_CREATE] = { "dist_graph_create", "MPI_Dist_graph_create" },
	[TMAP_CONSTRUCTORS] = { NULL, NULL },
};

const struct tmap_keywords tmap_constructors = TMAP_KEYWORDS("constructor", constructors);

static const struct tmap_keyword orders[] = {
	[TMAP_ORDER_CART] = { "cart", "that of MPI_Cart_create" },
	[TMAP_ORDER_FMAJ] = { "fmaj", "rising by coordinates, the first one changing last" },
	[TMAP_ORDER_LMAJ] = { "lmaj", "rising by coordinates, the last one changing last" },
	[TMAP_ORDER_LINEAR] = { "linear", "of the full graph, from the rank itself on" },
	[TMAP_ORDER_RAND] = { "rand", "at random, another order for each rank" },
	[TMAP_ORDERS] = { NULL, NULL },
};

const struct tmap_keywords tmap_neighbor_orders = TMAP_KEYWORDS("order of neighbors", orders);

struct stencil_row {
	struct tmap_keyword word;
	enum tmap_stencil stencil;
};

static const struct stencil_row stencils[] = {
	{ { "vonneumann", "those of a grid that are no more than the radius of steps away" },
	  TMAP_STENCIL_VONNEUMANN },
	{ { "moore", "those in a cube of the grid" }, TMAP_STENCIL_MOORE },
	{ { "full", "all ranks" }, TMAP_STENCIL_FULL },
	{ { NULL, NULL }, TMAP_STENCIL_FULL },
};

const struct tmap_keywords tmap_stencils = TMAP_KEYWORDS("neighborhood", stencils);

enum tmap_stencil tmap_stencil_at(int row)
{
	return stencils[row].stencil;
}

int tmap_stencil_row(enum tmap_stencil stencil)
{
	int row = 0;

	while (stencils[row].stencil != stencil)
		row++;
	return row;
}

static bool order_fits(const struct tmap_virtual_topology *topology)
{
	switch (topology->order) {
	case TMAP_ORDER_CART:
		return topology->constructor == TMAP_CART_CREATE;
	case TMAP_ORDER_FMAJ:
	case TMAP_ORDER_LMAJ:
		return topology->constructor != TMAP_CART_CREATE &&
			topology->stencil != TMAP_STENCIL_FULL;
	case TMAP_ORDER_LINEAR:
		return topology->stencil == TMAP_STENCIL_FULL;
	default:
		return topology->constructor != TMAP_CART_CREATE;
	}
}

int tmap_virtual_check(const struct tmap_virtual_topology *topology, struct tmap_error *err)
{
	bool is_full = topology->stencil == TMAP_STENCIL_FULL;

	if (topology->constructor == TMAP_CART_CREATE &&
	    (topology->stencil != TMAP_STENCIL_VONNEUMANN || topology->radius != 1))
		return tmap_fail(err, TMAP_INPUT,
				 "cart_create has the neighbors of vonneumann with radius 1");
	if (!order_fits(topology))
		return tmap_fail(err, TMAP_INPUT, "%s by %s has no order '%s'",
				 stencils[tmap_stencil_row(topology->stencil)].word.name,
				 constructors[topology->constructor].name,
				 orders[topology->order].name);
	if (is_full && (topology->radius || topology->dimensions || topology->finite))
		return tmap_fail(err, TMAP_INPUT, "full has no radius and no dimensions");
	if (!is_full && (topology->radius < 1 || topology->radius > TMAP_RADIUS_MAX))
		return tmap_fail(err, TMAP_INPUT, "radius %d is not from 1 to %d", topology->radius,
				 TMAP_RADIUS_MAX);
	if (!is_full && (topology->dimensions < 1 || topology->dimensions > TMAP_DIMENSIONS_MAX))
		return tmap_fail(err, TMAP_INPUT, "%d dimensions are not from 1 to %d",
				 topology->dimensions, TMAP_DIMENSIONS_MAX);
	return topology->finite >= 0 && topology->finite <= topology->dimensions ?
		0 :
		tmap_fail(err, TMAP_INPUT, "%d finite dimensions are not from 0 to %d",
			  topology->finite, topology->dimensions);
}

int tmap_virtual_neighborhood_compare(const struct tmap_virtual_topology *a,
				      const struct tmap_virtual_topology *b)
{
	const int left[] = { (int)a->stencil, a->constructor != TMAP_CART_CREATE, a->radius,
			     a->dimensions, a->finite };
	const int right[] = { (int)b->stencil, b->constructor != TMAP_CART_CREATE, b->radius,
			      b->dimensions, b->finite };

	for (size_t i = 0; i < sizeof left / sizeof *left; i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}

int tmap_virtual_compare(const struct tmap_virtual_topology *a,
			 const struct tmap_virtual_topology *b)
{
	int order = tmap_virtual_neighborhood_compare(a, b);

	if (order)
		return order;
	if (a->constructor != b->constructor)
		return a->constructor < b->constructor ? -1 : 1;
	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	return (int)a->reorder - (int)b->reorder;
}

const char *tmap_virtual_print_neighbors(const struct tmap_virtual_topology *topology,
					 char room[TMAP_VIRTUAL_ROOM])
{
	char finite[24] = "", radius[16] = "";

	if (topology->stencil == TMAP_STENCIL_FULL)
		return strcpy(room, "full");
	if (topology->finite)
		snprintf(finite, sizeof finite, " finite %d", topology->finite);
	if (topology->constructor != TMAP_CART_CREATE)
		snprintf(radius, sizeof radius, ":%d", topology->radius);
	snprintf(room, TMAP_VIRTUAL_ROOM, "%s%s %dd%s",
		 topology->constructor == TMAP_CART_CREATE ?
			 "cart" :
			 stencils[tmap_stencil_row(topology->stencil)].word.name,
		 radius, topology->dimensions, finite);
	return room;
}

const char *tmap_virtual_print(const struct tmap_virtual_topology *topology,
			       char room[TMAP_VIRTUAL_ROOM])
{
	static const char *const by[] = { "", " adjacent", " graph" };
	size_t length;

	tmap_virtual_print_neighbors(topology, room);
	length = strlen(room);
	snprintf(room + length, TMAP_VIRTUAL_ROOM - length, "%s%s%s%s",
		 topology->order == TMAP_ORDER_CART ? "" : " ",
		 topology->order == TMAP_ORDER_CART ? "" : orders[topology->order].name,
		 by[topology->constructor], topology->reorder ? " reorder" : "");
	return room;
}

/* "0x0x0" and "0,1,1": the grid is chosen, its first dimensions are finite. */
static void grid_print(const struct tmap_virtual_topology *topology, char *cart, char *periods)
{
	for (int i = 0; i < topology->dimensions; i++) {
		*cart++ = '0';
		*cart++ = i + 1 < topology->dimensions ? 'x' : '\0';
		*periods++ = i < topology->finite ? '0' : '1';
		*periods++ = i + 1 < topology->dimensions ? ',' : '\0';
	}
}

/* Ranks have orders of their own by seeds that are this one and their number. */
#define RAND "rand:2017"

int tmap_virtual_neighbors_init(struct tmap_virtual_neighbors *it,
				const struct tmap_virtual_topology *topology, int size,
				struct tmap_error *err)
{
	struct tmap_virtual_neighbors made = { .topology = *topology, .size = size };
	const bool is_full = topology->stencil == TMAP_STENCIL_FULL;
	char stencil[32], cart[2 * TMAP_DIMENSIONS_MAX + 1], periods[2 * TMAP_DIMENSIONS_MAX + 1];

	if (topology->constructor == TMAP_CART_CREATE || is_full)
		strcpy(stencil, is_full ? "full" : "cart");
	else
		snprintf(stencil, sizeof stencil, "%s:%d",
			 stencils[tmap_stencil_row(topology->stencil)].word.name, topology->radius);
	grid_print(topology, cart, periods);
	if (tmap_neighborhood_init(
		    &made.neighborhood, size, stencil, is_full ? NULL : cart,
		    is_full ? NULL : periods,
		    topology->order == TMAP_ORDER_CART         ? NULL :
			    topology->order == TMAP_ORDER_RAND ? RAND :
								 orders[topology->order].name,
		    err) < 0) {
		err->kind = err->kind == TMAP_USAGE ? TMAP_INPUT : err->kind;
		return -1;
	}
	made.degree = made.neighborhood.degree + is_full;
	*it = made;
	return 0;
}

void tmap_virtual_neighbors_fini(struct tmap_virtual_neighbors *it)
{
	tmap_neighborhood_fini(&it->neighborhood);
	*it = (struct tmap_virtual_neighbors){ 0 };
}

/* Ranks beyond a border are no neighbors in a topology. */
static int list_close(const struct tmap_virtual_neighbors *it, int *list)
{
	int count = 0;

	for (int i = 0; i < it->degree; i++)
		if (list[i] != TMAP_NONE || it->topology.constructor == TMAP_CART_CREATE)
			list[count++] = list[i];
	return count;
}

static void list_full(const struct tmap_virtual_neighbors *it, int rank, int step, int *list)
{
	struct tmap_random random = { it->neighborhood.seed + 2 * (uint64_t)rank + (step > 0) };

	for (int i = 0; i < it->size; i++)
		list[i] = (int)((rank + (int64_t)step * i + it->size) % it->size);
	if (it->topology.order == TMAP_ORDER_RAND)
		tmap_random_shuffle(&random, list, it->size);
}

void tmap_virtual_targets(const struct tmap_virtual_neighbors *it, int rank, int *list, int *count)
{
	if (it->topology.stencil == TMAP_STENCIL_FULL)
		list_full(it, rank, -1, list);
	else
		tmap_neighborhood_list(&it->neighborhood, rank, list);
	*count = list_close(it, list);
}

/* At random the sources of a grid are in the order of the targets, coordinate by coordinate. */
void tmap_virtual_sources(const struct tmap_virtual_neighbors *it, int rank, int *list, int *count)
{
	struct tmap_random random = { it->neighborhood.seed + (uint64_t)rank };

	if (it->topology.stencil == TMAP_STENCIL_FULL) {
		list_full(it, rank, 1, list);
	} else {
		tmap_neighborhood_sources(&it->neighborhood, rank, list);
		if (it->topology.order == TMAP_ORDER_RAND)
			tmap_random_shuffle(&random, list, it->degree);
	}
	*count = list_close(it, list);
}
