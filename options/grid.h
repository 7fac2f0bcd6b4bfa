/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid.h - the neighborhood of a neighborhood collective: what the command line says of it.
 */
#ifndef TMAP_OPTIONS_GRID_H
#define TMAP_OPTIONS_GRID_H

#include "core/schedule/neighborhood.h"
#include "core/schedule/schedule.h"
#include "options/opt.h"

/** What the options say; a member of a command's args. */
struct tmap_grid_args {
	const char *stencil, *cart, *periods, *order;
};

#define TMAP_OPT_CART(args, member) \
	TMAP_OPT_STRING(args, member, 0, "cart", "DIMS", NULL, \
			"dimensions of the grid of ranks, as for MPI_Cart_create: \"8x8x8\"; a 0 " \
			"is chosen as close to the others as possible")
#define TMAP_OPT_PERIODS(args, member) \
	TMAP_OPT_STRING(args, member, 0, "periods", "LIST", NULL, \
			"periodic dimensions, as for MPI_Cart_create: \"1,0,1\"; none by default")

#define TMAP_OPT_GRID(args, grid) \
	{ TMAP_OPT_STRING(args, grid.stencil, 0, "stencil", "STENCIL", NULL, \
			  "neighbors, for neighborhood collectives: cart, vonneumann:R, moore:R, " \
			  "full, or \"offsets:1,0;-1,0\"") }, \
		{ TMAP_OPT_CART(args, grid.cart) }, { TMAP_OPT_PERIODS(args, grid.periods) }, \
	{ \
		TMAP_OPT_STRING( \
			args, grid.order, 0, "order", "ORDER", NULL, \
			"order of the neighbors: fmaj or lmaj (the first or the last coordinate " \
			"changes last), or rand:SEED; for full, linear or rand:SEED") \
	}

/** The neighborhood of @p size ranks; without a stencil, that of MPI_Cart_create. Errors name the
 *  options. Release with tmap_neighborhood_fini() in any case. */
int tmap_grid_read(struct tmap_neighborhood *neighborhood, const struct tmap_grid_args *args,
		   int size, struct tmap_error *err);

/** The neighborhood of @p size ranks for a collective that has one; else nothing is set, and
 *  options are refused (TMAP_USAGE). Release with tmap_neighborhood_fini() in any case. */
int tmap_grid_init(struct tmap_neighborhood *neighborhood, const struct tmap_grid_args *args,
		   enum tmap_collective collective, int size, struct tmap_error *err);

#endif
